// The one-stage problem of a position by constraint propagation, where its joint moves are too many to be played one by
// one.
//
// The network of a round (encode/scsp/ahead.py) has variables for the facts of the position, the moves of all roles,
// and each player's result: a goal, or that play goes on. With the facts and a result given, MAC finds the joint moves
// that reach it.
//
// Questions are about sums over the outcomes of chance, which are equally likely. A joint move whose sum is at least n
// times x, for n outcomes, has a result of x or more in one of them. So it is enough to look, outcome by outcome, at
// the joint moves with such a result there; what they bring in the other outcomes is played on the lane. What is found
// has been played, whatever the network says; that there is nothing better rests on the network.
//
// Every question begins from the same state of the solver: the answer depends on the position alone, so that all who
// plan for all get the same.
//
//     Stage stage(rules);
//     if (stage.enter(lane, state)) {
//         const auto best = stage.best({.role = 0, .highest = true, .open = 0}, control);
//         if (best.complete) stage.first({.role = 0, .highest = true, .open = 0}, best.sum, joint, control);   // a
//         copy of joint()
//     }
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bandit/lane.hpp"
#include "scsp/solver.hpp"

namespace zermelo::bandit {

// The network of a round, and what its variables say of the game. All stages of a game share it.
struct StageRules {
    static constexpr std::int32_t kGoesOn = -1, kNoGoal = -2;
    static constexpr std::uint32_t kNone = 0xffffffffu;

    struct StateVariable {
        std::uint32_t variable;
        std::uint32_t absent;  // its value where none of its facts holds; kNone: one always does
    };
    struct MoveVariable {
        std::uint32_t variable;
        std::uint32_t first;  // the move that is its value 0
    };
    struct Result {
        std::uint32_t variable;           // kNone for chance
        std::vector<std::int32_t> goals;  // what its values mean: a goal, kGoesOn or kNoGoal
    };

    // Throws std::invalid_argument where the parts do not fit together.
    StageRules(std::shared_ptr<const scsp::Instance> instance, std::vector<scsp::Assumption> facts,
               std::vector<StateVariable> state, std::vector<MoveVariable> moves, std::vector<Result> results);

    std::shared_ptr<const scsp::Instance> instance;
    std::vector<scsp::Assumption> facts;  // of each fact: the variable and the value that say so
    std::vector<StateVariable> state;
    std::vector<MoveVariable> moves;  // of each role
    std::vector<Result> results;      // of each role
};

// The most joint moves, with the outcomes of chance where several players choose, in a position that some random games
// meet; 2^63 where they are more.
std::uint64_t most_joint_moves(Lane& lane, std::span<const std::uint64_t> start, std::uint32_t games,
                               std::uint32_t steps);

class Stage {
public:
    explicit Stage(std::shared_ptr<const StageRules> rules);

    // The position to ask about, which is not over. False where the network has no such position.
    bool enter(Lane& lane, std::span<const std::uint64_t> position);

    // Whose goal counts, whether the most or the least of it is asked for, and what counts where play goes on.
    struct Question {
        std::uint32_t role;
        bool highest;
        std::int32_t open;
    };
    struct Answer {
        std::int64_t sum;  // over the outcomes of chance
        bool found;        // the joint move is in joint()
        bool complete;     // nothing beats it; false where a limit came first
    };
    // The most, or the least, over all joint moves with what is fixed.
    Answer best(const Question& question, Control& control);
    // Whether some joint move reaches a sum: at least, or at most, as asked.
    bool reaches(const Question& question, std::int64_t sum, Control& control);
    // Among the joint moves that reach a sum, of which one is given, the first: moves of the first role count most.
    void first(const Question& question, std::int64_t sum, std::span<const std::uint32_t> one, Control& control);

    // From now on a role plays this move. Releasing leaves only the first so many fixed.
    void fix(std::uint32_t role, std::uint32_t move);
    void release(std::uint32_t left);

    std::span<const std::uint32_t> joint() const { return joint_; }
    std::int64_t outcomes() const { return static_cast<std::int64_t>(outcomes_.size()); }
    // What the network says and what is played differ: nothing more is asked of it.
    bool contradicted() const { return contradicted_; }
    // In all questions so far, in units of the lane's work.
    std::uint64_t work() const;
    std::uint64_t solutions() const { return solutions_; }

private:
    struct Wanted {
        std::uint32_t value;  // of the result's variable
        std::int64_t score;
    };
    std::int64_t score(const Question& question, std::int32_t goal) const;
    std::int32_t goal_of(std::uint32_t role, std::int32_t named) const;
    void list_values(const Question& question);
    std::int64_t played(const Question& question, std::size_t outcome, std::int64_t said);
    template <class Enough, class Use>
    void search(const Question& question, Enough&& enough, Use&& use, Control& control);

    std::shared_ptr<const StageRules> rules_;
    scsp::Solver fresh_, solver_;
    Lane* lane_ = nullptr;
    std::vector<std::uint64_t> position_;
    std::vector<scsp::Assumption> facts_;
    std::vector<std::vector<std::uint32_t>> legal_;  // of each role
    std::vector<std::uint32_t> outcomes_;            // moves of chance; one that is no move where there is no chance
    std::vector<std::uint32_t> joint_, tried_, projection_;
    std::vector<Wanted> wanted_;
    std::uint32_t fixed_ = 0;
    std::uint64_t nodes_ = 0, questions_ = 0, solutions_ = 0, entered_ = 0;
    bool contradicted_ = false;
};

}  // namespace zermelo::bandit
