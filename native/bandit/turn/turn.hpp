// The best move of a turn by exact expectimax to its end, where that fits the clock.
//
// The graph of the turn (turn_graph.hpp) ends in quiet points. What these are worth is estimated: by random games, in
// batches, most of them where they matter to the choice at hand, and by a linear model of all of them together
// (linear_values.hpp), which a few games from each make better than their means. Everything above is exact.
//
// Random play undervalues what can still be done well. Where turns have a frame (turn_frame.hpp), so that many can be
// solved, a second model learns on the way what it leaves out: play goes on from a leaf, turn by turn, by the best
// moves of each turn solved with both models, and each turn's value is what the models should have said of its
// beginning (fitted value iteration: Gordon 1995; along its own plays, surprises told to
// all turns before: Sutton 1988).
// Nothing is kept from one game to the next.
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
#include "bandit/turn/linear_values.hpp"
#include "bandit/turn/turn_frame.hpp"
#include "bandit/turn/turn_graph.hpp"
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

    // Goes to a position and grows the graph of its turn; false if that is too large, or the control stopped it, if
    // nobody chooses there alone, or if no turn so far had chance before its end: then a tree does better.
    bool place(std::span<const std::uint64_t> state, std::size_t most_nodes, Control& control);
    // A batch of random games from leaves, and values anew; the number of games. 0: everything is known, or the
    // control stopped it.
    std::uint64_t refine(Control& control);
    // Whether anything is known of the leaves, from now or from earlier turns.
    bool informed() const { return games_ > 0 || leaves_.empty(); }
    // Whether all that can come is in the graph: then values are exact.
    bool exact() const { return leaves_.empty(); }
    Move best() const;
    std::span<const Move> moves() const { return moves_; }

    std::uint32_t mover() const { return mover_; }
    std::size_t words() const { return words_; }
    std::size_t nodes() const { return graph_.nodes(); }
    std::size_t leaves() const { return leaves_.size(); }
    std::uint64_t games() const { return games_; }
    // Turns beyond this one that were solved.
    std::uint64_t turns() const { return turns_; }

private:
    using Index = TurnGraph::Index;
    struct Sample {
        std::uint32_t games = 0;
        double square = 0;  // mean, of the mover
    };

    // Both models together.
    struct Forecast final : Values {
        explicit Forecast(Lane& lane) : random_play(lane), gain(lane) {}
        void values(std::span<const std::uint64_t> states, std::span<double> rewards) const override;
        LinearValues random_play, gain;
        bool learnt = false;
        mutable std::vector<double> more;
    };
    // A position at the beginning of a turn that was solved, with random games from it.
    struct Lesson {
        std::vector<std::uint64_t> state;
        std::vector<double> solved, mean;
        std::uint32_t games;
    };

    bool grow(std::span<const std::uint64_t> state, std::size_t most_nodes, Control& control);
    TurnFrame* frame_of(std::span<const std::uint64_t> start, Control& control);
    bool play_on(Control& control);
    void look_back(std::size_t first);
    void value_lessons(std::size_t first, Control& control);
    void learn();
    bool sample_leaves(Control& control);
    void list_moves(std::span<const std::uint64_t> state);
    void evaluate();
    void back_up();
    void weigh();
    void choose_leaves(std::size_t count);

    std::unique_ptr<Lane> lane_;
    TurnGraph graph_;
    Forecast forecast_;
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
    double noise_ = 0.25;          // of a random game's reward, squared
    std::uint64_t games_ = 0, turns_ = 0;
    std::vector<std::unique_ptr<TurnFrame>> frames_;
    bool dice_ = false;   // turns have chance in them
    bool framed_ = true;  // as far as is known
    std::vector<Lesson> lessons_;
    std::vector<double> beyond_;  // by node and role: what a turn solved from there brought more than forecast
    std::vector<std::uint32_t> played_on_;  // by node: how often it was

    std::vector<std::uint64_t> states_;
    std::vector<double> rewards_, squares_, weights_, targets_, predicted_;
};

}  // namespace zermelo::bandit
