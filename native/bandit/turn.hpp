// The best move of a turn by exact expectimax to its end, where that fits the clock.
//
// The graph of the turn (turn_graph.hpp) ends in quiet points. What these are worth is estimated: by random games, in
// batches, most of them where they matter to the choice at hand, and by a linear model of all of them together
// (linear_values.hpp), which a few games from each make better than their means. Everything above is exact.
//
//     TurnSolver solver(std::move(lane), seed, /*max_steps*/ 1000);
//     if (solver.place(position, /*most_nodes*/ 100'000, control)) {
//         while (control.elapsed() < 0.1) solver.refine(control);
//         solver.best(role);                              // a move and what it brings
//     }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bandit/lane.hpp"
#include "bandit/linear_values.hpp"
#include "bandit/turn_graph.hpp"
#include "zermelo/control.hpp"
#include "zermelo/random.hpp"

namespace zermelo::bandit {

class TurnSolver {
public:
    struct Move {
        std::uint32_t move;
        double value;
    };

    TurnSolver(std::unique_ptr<Lane> lane, std::uint64_t seed, std::uint32_t max_steps);

    // Goes to a position and grows the graph of its turn; false if that is too large, or if nobody chooses there alone.
    bool place(std::span<const std::uint64_t> state, std::size_t most_nodes, Control& control);
    // A batch of random games from leaves, and values anew; the number of games. 0: everything is known, or the
    // control stopped it.
    std::uint64_t refine(Control& control);
    // Whether all that can come is in the graph: then values are exact.
    bool exact() const { return leaves_.empty(); }
    Move best() const;
    std::span<const Move> moves() const { return moves_; }

    std::size_t words() const { return words_; }
    std::size_t nodes() const { return graph_.nodes(); }
    std::size_t leaves() const { return leaves_.size(); }
    std::uint64_t games() const { return games_; }

private:
    using Index = TurnGraph::Index;
    struct Sample {
        std::uint32_t games = 0;
        double square = 0;  // mean, of the mover
    };

    void list_moves(std::span<const std::uint64_t> state);
    void evaluate();
    void back_up();
    void weigh();
    void choose_leaves(std::size_t count);

    std::unique_ptr<Lane> lane_;
    TurnGraph graph_;
    LinearValues model_;
    Random random_;
    std::uint32_t roles_, max_steps_, mover_ = kNobody;
    std::size_t words_;
    std::vector<Index> order_, leaves_, chosen_;
    std::vector<Index> after_;  // each move
    std::vector<Move> moves_;
    std::vector<Sample> samples_;  // by node
    std::vector<double> means_;    // by node and role
    std::vector<double> weight_;   // by node: how much it matters to the choice
    double error_ = 0.1;           // of a leaf's value, typically
    std::uint64_t games_ = 0;

    std::vector<std::uint64_t> states_;
    std::vector<double> rewards_, squares_, weights_, targets_, predicted_;
};

}  // namespace zermelo::bandit
