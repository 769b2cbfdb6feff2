// What the outside sees of the kernels: a game without its type, and a search under way on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zermelo/control.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

namespace bandit {
class Lane;
}

struct SearchParams {
    std::uint64_t table_bytes = std::uint64_t{256} << 20;
    std::int32_t depth_limit = -1;    // -1: exact. Else the horizon in plies, where evaluate() speaks.
    double epsilon = 0.25;            // df-pn: thresholds grow by the factor 1 + epsilon
    double exploration = 1.41421356;  // UCB1's constant
    std::uint64_t simulations = 0;    // uct: 0 means until proved or stopped
    std::uint64_t seed = 1;
    bool symmetry = true;
    bool prove = true;  // uct: propagate proved bounds, stop when the root is proved
};

struct Outcome {
    bool solved = false;  // lower == upper, proved
    Score lower = 0;      // proved bounds on the first role's score
    Score upper = 0;
    std::int64_t move = -1;      // best move as a position in the list of legal moves; -1: none known
    std::int64_t distance = -1;  // plies to the end under best play, where the kernel knows it
    double estimate = 0;         // heuristic or sampled value, first role's side, when not solved
};

// A strategy of one role, as a graph of the positions it can meet. The owner's nodes have one edge, the other
// role's nodes one edge for each legal move, in order. `rank` falls strictly along every edge; where the claim
// allows play to go on forever (a draw by repetition held by the owner) ranked is false and rank is empty.
struct StrategyGraph {
    std::vector<std::uint32_t> first_edge{0};  // node i owns edges first_edge[i] .. first_edge[i + 1] - 1
    std::vector<std::uint32_t> edge_move;      // position in the list of legal moves
    std::vector<std::uint32_t> edge_target;
    std::vector<std::uint32_t> rank;
    bool ranked = true;
};

// The same strategy as it is read: for each layer of positions how many there are, and the owner's moves in it, each as
// a position in the list of legal moves (search/graph/layers.hpp).
struct LayeredStrategy {
    std::vector<std::uint64_t> positions;
    std::vector<std::vector<std::uint16_t>> moves;
    std::vector<std::uint16_t> line;  // moves, in the same form, along a line that lasts as long as any
    std::string images;               // the word for the images that were used; empty: none
    std::vector<std::string> closed;  // the rules that closed positions
    std::uint64_t beyond = 0;         // positions of the layer after the last one: what parts go on from
};

class Search {
public:
    virtual ~Search() = default;
    virtual Outcome solve(Control&) = 0;
    // The value of the position after the given legal move; what was learnt so far is used.
    virtual Outcome solve_move(std::uint32_t index, Control&) = 0;
    // A strategy by which `owner` (0 or 1) gets at least (role 1: lets the first role get at most) `bound`.
    // The claim must hold: call it after solve. Throws Stopped at a limit, std::invalid_argument if it is false.
    virtual StrategyGraph strategy(int owner, Score bound, Control&) = 0;
    // The same, layer by layer; nothing where the engine or the game has no such form. `brief`: with the images and
    // closed positions that the game knows; else so only where it would meet very many positions without.
    virtual std::optional<LayeredStrategy> layers(int owner, Score bound, Control&, bool brief) {
        return (void)owner, (void)bound, (void)brief, std::nullopt;
    }
    // The same, brief, as far as the first layer of at least `until` positions; part() then writes the rest, from some
    // positions of that layer. Parts may be written in several threads, and whatever their order they are the same.
    virtual std::optional<LayeredStrategy> trunk(int owner, Score bound, Control&, std::uint64_t until) {
        return (void)owner, (void)bound, (void)until, std::nullopt;
    }
    virtual LayeredStrategy part(std::uint64_t first, std::uint64_t count, Control&) const {
        return (void)first, (void)count, LayeredStrategy{};
    }
    // A line on which both roles keep the first role's score at `bound`, its value; empty where layers has nothing.
    virtual std::vector<std::uint16_t> line(Score bound, Control&) { return (void)bound, std::vector<std::uint16_t>{}; }
    virtual std::uint64_t table_bytes() const = 0;
    // Statistics particular to the engine: root visit counts of uct, positions labelled by dp, ...
    virtual std::vector<std::uint64_t> counts() const { return {}; }
    // Whether the memory allowed was used up, so that the engine went on without remembering more (uct).
    virtual bool full() const { return false; }
};

class AnyGame {
public:
    virtual ~AnyGame() = default;
    virtual std::unique_ptr<AnyGame> after(std::uint32_t index) const = 0;
    virtual int turn() const = 0;
    virtual Ending ending() const = 0;
    virtual std::uint32_t move_count() const = 0;
    virtual Score worst() const = 0;
    virtual Score best() const = 0;
    virtual bool acyclic() const = 0;
    virtual std::vector<std::string> engines() const = 0;
    virtual std::unique_ptr<Search> search(std::string_view engine, const SearchParams&) const = 0;
    // The game as trees of bandits play it, from here on (bandit/game_lane.hpp).
    virtual std::unique_ptr<bandit::Lane> lane() const = 0;
    // Plays `count` random games and returns the sum of the first role's scores: for benchmarks and tests.
    virtual std::int64_t playouts(std::uint64_t count, std::uint64_t seed, Control&) const = 0;
    // Counts the lines of play of exactly `depth` plies (those that end early not counted).
    virtual std::uint64_t perft(int depth, Control&) const = 0;
};

}  // namespace zermelo
