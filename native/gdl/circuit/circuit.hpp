// The ground game as a circuit: what the play kernels run and the encoders translate.
//
// Node 0 is the constant false, nodes 1..F the fluents, the next M nodes the moves, all others AND and OR gates over
// literals (2 * node, plus 1 where negated). Gates come in blocks, in topological order: a gate's inputs lie in
// earlier nodes, except inside a cyclic block, whose gates may refer to each other in any order but never through a
// negation. A cyclic block means its least fixpoint: start it all false and repeat until nothing changes.
//
//     auto circuit = compile(rules);                        // simplified: hash-consed, constants folded, dead gates
//     gone std::vector<bool> node = evaluate(circuit, state, moves_done); bool over = holds(node, circuit.terminal);
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gdl/ground/ground_rules.hpp"

namespace zermelo::gdl {

inline constexpr Literal kFalse = 0, kTrue = 1;
constexpr std::uint32_t node_of(Literal literal) { return literal >> 1; }
constexpr bool negated(Literal literal) { return literal & 1; }
constexpr Literal negate(Literal literal) { return literal ^ 1; }

enum class Gate : std::uint8_t { all, any };  // AND, OR

struct Block {
    std::uint32_t first, last;  // nodes first..last-1
    bool cyclic;
};

struct Goal {
    std::uint32_t role;
    std::int64_t value;
    Literal when;
};

struct Percept {
    std::uint32_t role;
    std::uint32_t percept;
    Literal when;
};

struct Circuit {
    std::uint32_t fluents = 0, moves = 0;
    std::vector<Gate> gate;  // gate[i] is node first_gate() + i
    std::vector<std::uint32_t> first_input{0};
    std::vector<Literal> input;  // of gate i: input[first_input[i] .. first_input[i + 1]), at least two
    std::vector<Block> blocks;

    std::vector<Literal> next;   // for each fluent; over fluents and moves
    std::vector<Literal> legal;  // for each move; over fluents
    Literal terminal = kFalse;   // over fluents
    std::vector<Goal> goals;     // over fluents; by role, then value; several or none may hold at once
    std::vector<Percept> sees;   // over fluents and moves

    std::vector<std::uint64_t> start;          // the start state, fluent i is bit i % 64 of word i / 64
    std::vector<std::uint32_t> first_move{0};  // role r has moves first_move[r] .. first_move[r + 1] - 1
    std::vector<std::string> role_names, fluent_names, move_names, percept_names;

    std::uint32_t first_gate() const { return 1 + fluents + moves; }
    std::uint32_t nodes() const { return first_gate() + static_cast<std::uint32_t>(gate.size()); }
    std::uint32_t roles() const { return static_cast<std::uint32_t>(first_move.size()) - 1; }
    std::size_t words() const { return start.size(); }
    std::uint32_t fluent_node(std::uint32_t fluent) const { return 1 + fluent; }
    std::uint32_t move_node(std::uint32_t move) const { return 1 + fluents + move; }
    std::span<const Literal> inputs(std::uint32_t node) const {
        const auto g = node - first_gate();
        return std::span(input).subspan(first_input[g], first_input[g + 1] - first_input[g]);
    }
};

Circuit compile(const GroundRules& rules);

// The plain evaluation that every kernel is tested against: all nodes, from a state and the moves done (one a role).
std::vector<bool> evaluate(const Circuit& circuit, std::span<const std::uint64_t> state,
                           std::span<const std::uint32_t> done);

inline bool holds(const std::vector<bool>& node, Literal literal) { return node[node_of(literal)] != negated(literal); }

inline constexpr std::uint32_t kNobody = 0xffffffffu;

// The role of chance, or kNobody.
inline std::uint32_t random_role(const Circuit& circuit) {
    const auto found = std::find(circuit.role_names.begin(), circuit.role_names.end(), "random");
    return found == circuit.role_names.end() ? kNobody : static_cast<std::uint32_t>(found - circuit.role_names.begin());
}

}  // namespace zermelo::gdl
