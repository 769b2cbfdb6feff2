// How the SL kernel lays a circuit out: only what a playout needs, every gate a counter, every wire an edge.
//
// An OR gate counts its true inputs and an AND gate its false ones, so that each is an OR once negations sit on the
// edges; a node is `up` where its counter is not zero. A flip of a node then adds one to some counters and takes one
// from others (differential evaluation, as in Sancho's "forward dead reckoning" propnet). Kept up to date are
// - terminal and the legal moves; those that share a conjunct (whose turn it is) form a group with that guard, and
//   only the rest of their condition is watched, so that a change of turn touches no list,
// - the next value of the "busy" fluents, which so many moves change that a list for each move does not pay,
// - recursive rules that `next` needs, since a table for each move cannot hold a fixpoint.
// The next values of the other fluents are specialised to the move (effects.hpp); goals and percepts are computed
// from tapes when somebody asks.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "gdl/circuit/circuit.hpp"

namespace zermelo::gdl::single {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t kWidest = 16000;  // inputs of a gate: twice that has to fit a 16-bit counter

inline constexpr std::size_t kStore = std::size_t{1} << 24;

// What else a flip does, in the top bits of a word.
enum class Act : std::uint32_t {
    rise_in_cycle,  // counts up with the node, in a gate of a cyclic block
    fall_in_cycle,  // counts down when the node goes up
    watch,          // the busy fluent may have to change
    shut_by_up,     // the switched gate is up, whatever its switch says, while the node is up
    shut_by_down,   // ... while the node is down
    turn,           // the gates on the list of switched gates follow the node
    line_by_up,     // the line of a product is on while the node is up
    line_by_down,   // ... while the node is down
};
inline constexpr std::uint32_t kActShift = 28;
inline constexpr std::uint32_t kTarget = (1u << kActShift) - 1;
constexpr std::uint32_t act(Act what, std::uint32_t target) {
    return static_cast<std::uint32_t>(what) << kActShift | target;
}

// What a flip of a node does, as words: the number of edges; the edges, each 2 * gate, plus 1 where the gate counts up
// when the node goes up; where the number has the bit kLeaves, the number of edges to leaves and these edges; where it
// has the bit kMore, the number of moves, the moves, each 2 * move, plus 1 where it is legal (under its guard) while
// the node is up, then the number of acts and the acts.
//
// Leaves are gates that only moves hear of. Their moves are told in one loop when all else has settled: whoever waits
// in the order of flips for each gate's own wires, most of which are one move, waits for memory and mispredicted
// branches.
inline constexpr std::uint32_t kMore = 1u << 31, kLeaves = 1u << 30, kEdges = kLeaves - 1;

struct Group {  // legal moves of one role under one guard
    std::uint32_t role;
    Literal guard;
    std::uint32_t first, room;  // its list: first .. first + room, legal moves in front
};

// Straight-line code: gates in order, each `n, literal * n`; gate i writes node `out + i`. A cyclic stretch is
// repeated.
struct Stretch {
    std::uint32_t begin, end;  // into code
    std::uint32_t out, gates;
    bool cyclic;
};
struct Tape {
    std::vector<std::uint32_t> code;
    std::vector<Stretch> stretches;
    std::vector<std::uint8_t> conjunction;  // for each gate: its node is up where the gate is false
    std::uint32_t out = 0;
    std::vector<Literal> answers;  // one for each goal or percept
};

struct Net {
    std::shared_ptr<const Circuit> circuit;
    std::vector<bool> with_moves;  // for each circuit node: depends on the moves done
    std::vector<bool> busy;        // for each fluent
    std::vector<Literal> of;       // for each circuit node: its net literal, kNone where not kept
    std::uint32_t nodes = 0;       // kept; nodes above are room for tapes
    std::uint32_t room = 0;        // nodes with that room
    std::uint32_t tape_out = 0;    // where code specialised to a move writes
    std::uint32_t gates = 0;       // of the circuit, kept

    std::vector<bool> leaf;              // for each node
    std::vector<std::uint32_t> wire_of;  // for each node, into wire
    std::vector<std::uint32_t> wire;
    std::vector<std::uint32_t> first_input{0};
    std::vector<Literal> input;  // of node n: input[first_input[n] .. first_input[n + 1])

    struct Cycle {
        std::uint32_t first, last;  // its nodes
    };
    std::vector<Cycle> cycles;
    std::vector<std::uint32_t> cycle_of;  // for each node, kNone for most
    std::vector<bool> conjunction;        // for each node of a cycle: up where the gate is false
    std::vector<std::uint32_t>
        first_inner;  // for each node: edges within its cycle, 2 * target, plus 1 where it counts down
    std::vector<std::uint32_t> inner;

    std::vector<Group> groups;  // by role
    std::vector<std::uint32_t> first_group;
    std::vector<std::uint32_t> group_of;  // for each move, kNone where it is never legal
    std::vector<Literal> allowed_by;      // for each move: where this holds, and the guard, it is legal
    Literal terminal = kFalse;
    std::vector<std::uint32_t> watched;  // the busy fluents
    std::vector<Literal> watched_next;
    std::vector<std::uint32_t> used_moves;  // moves whose nodes are kept

    // A gate with one input, its switch, that flips often while the others seldom leave it a say: instead of telling
    // the gate of each flip, the switch has a list of the gates that it decides at present.
    std::vector<std::uint32_t> switched;          // gates
    std::vector<Literal> switch_of;               // for each of them, one of its inputs
    std::vector<std::uint32_t> list_of;           // for each of them, a list
    std::vector<std::uint32_t> first_in_list{0};  // list i has room for first_in_list[i + 1] - first_in_list[i]
    std::vector<bool> follows_down;               // for each list: the gates are up while the switch is down
    std::vector<Literal> shut_by;  // for each switched gate: while this holds it is up, whatever its switch says

    // Gates of two inputs that combine each of some literals with each of some others (every step with every cell, say)
    // form a product: lines of two sides, a gate where they cross, down where both lines are on. Each side lists its
    // lines that are on, so that a flip touches the gates that change and no others.
    struct Line {
        Literal on;
        std::uint32_t side, other_side;  // indices of lists
        std::uint32_t index;             // on its side
        std::uint32_t corner, stride;    // its gate with line j of the other side: crossing[corner + j * stride]
    };
    std::vector<Line> lines;
    std::vector<std::uint32_t> crossing;
    std::vector<std::uint32_t> first_of_side{0};  // lines of side i: first_of_side[i] .. first_of_side[i + 1]

    std::vector<std::uint32_t> cold_gates;  // circuit gates that code for a move may have to compute, in order
    std::vector<std::uint32_t> cold;        // the fluents that are not busy and may change
    Tape goals, sees;
    std::size_t store = kStore;

    Literal literal(Literal l) const { return of[node_of(l)] ^ static_cast<Literal>(negated(l)); }
};

// Fluents that depend on a recursive rule that depends on the moves: these have to be busy.
std::vector<bool> recursive_fluents(const Circuit& circuit);
// `store` bounds the code kept for joint moves, in words; `switches` names a switch (or kNone) for each node of the
// layout without switches.
std::shared_ptr<const Net> lay_out(std::shared_ptr<const Circuit> circuit, std::vector<bool> busy,
                                   std::size_t store = kStore, std::vector<Literal> switches = {});
// The layout with busy fluents and switches chosen by a few sample games.
std::shared_ptr<const Net> lay_out(std::shared_ptr<const Circuit> circuit);

}  // namespace zermelo::gdl::single
