// Learning values by self-play: TD(lambda) over the positions of a game (Sutton 1988; Tesauro 1995).
//
// All roles choose the move whose successor the model values most, now and then any move. When a game is over, each of
// its positions learns from the lambda-return: a mixture of what the model said of the positions after it and of the
// goals at the end. A move that was tried at random, and not the best, teaches nothing about the position before it:
// there the value of the best move stands instead. Step sizes are by temporal coherence (Beal and Smith 1999): a weight
// whose errors go one way moves fast, one whose errors cancel moves slowly.
//
// Where the turns of a game can be solved (turn_lessons.hpp), games are played turn by turn instead.
//
// A game depends on the seed, its number and the weights alone, so that games 0..n at once or in parts teach the same.
//
//     SelfPlay learner(model, net, params);
//     Lesson lesson = learner.play(/*first game*/ 0, /*games*/ 1000, control);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/learning/turn_lessons.hpp"
#include "gdl/single/single.hpp"
#include "gdl/values/evaluator.hpp"
#include "gdl/values/value_model.hpp"
#include "zermelo/control.hpp"
#include "zermelo/random.hpp"

namespace zermelo::gdl {

struct SelfPlayParams {
    std::uint64_t seed = 1;
    double rate = 1;       // of learning
    double lambda = 0.5;   // 0: from the next position alone, 1: from the end alone
    double explore = 0.1;  // how often any move is played
    // Every other game begins with random moves, up to so many, which teach nothing: else learners that all play alike
    // would only ever see each other's games.
    std::uint32_t opening = 0;
    std::uint32_t max_steps = 1000;
};

// What some games were like.
struct Lesson {
    std::uint64_t games = 0, positions = 0, cut = 0;  // cut: not ended after max_steps, which teach nothing
    double error = 0;                                 // sum over positions: squared distance of value and outcome
    double surprise = 0;                              // sum over positions: squared distance of value and return
    std::vector<double> goals;                        // sum over games, of each role
};

class SelfPlay {
public:
    // The model is the learner's own from now on; coherence has two numbers for each weight, or none yet.
    SelfPlay(ValueModel model, std::shared_ptr<const GdlRules> rules, const SelfPlayParams& params,
             std::vector<float> coherence);

    // Whether turns are solved.
    bool by_turns() const { return turns_ != nullptr; }

    // Plays games and learns from them; stops after a game when the control says so.
    Lesson play(std::uint64_t first, std::uint64_t games, Control& control);
    // Plays games in which one role (or kEverybody) chooses by the model and the others at random; learns nothing.
    Lesson show(std::uint32_t role, std::uint64_t seed, std::uint64_t games, Control& control);

    static constexpr std::uint32_t kEverybody = 0xffffffffu;
    const ValueModel& model() const { return model_; }
    const std::vector<float>& coherence() const { return coherence_; }

private:
    struct Choice {
        std::uint32_t move;
        bool strayed;  // another move was better
    };
    bool step(Random& random, double explore, std::uint32_t by_model, std::vector<double>& best);
    Choice choose(std::uint32_t role, Random& random, double explore, bool alone, std::vector<double>& best);
    void appraise(std::uint32_t samples, std::uint32_t role, std::uint32_t move, Random& random);
    void outputs_here(std::span<double> into);
    bool trajectory(Random& random, double explore, std::uint32_t by_model, std::uint32_t opening);
    bool stuck() const;
    void learn(Lesson& lesson);
    bool learn_by_turns(Random& random, Lesson& lesson);
    void outputs_of(std::span<const double> worth, std::span<double> into) const;
    void teach(std::span<const double> returns, double steady = 0);
    void note_ending(Lesson& lesson);

    ValueModel model_;
    std::shared_ptr<const single::Net> net_;
    SelfPlayParams params_;
    std::uint32_t chance_;
    SingleLane lane_;
    Evaluator evaluator_;
    std::unique_ptr<TurnLessons> turns_;
    std::vector<float> coherence_;  // of each weight: the sum of its errors, the sum of their sizes

    // Reused by every game.
    std::vector<std::uint64_t> here_, states_;
    std::vector<std::uint32_t> joint_, legal_, others_;
    std::vector<double> ending_;  // outputs at the end
    std::vector<double> values_;  // outputs of each position
    std::vector<double> next_;    // outputs of what follows each position by best play, where a move strayed
    std::vector<std::uint8_t> strayed_;
    std::vector<double> appraised_, sample_, returns_, best_;
};

}  // namespace zermelo::gdl
