// Learning turn by turn, where the turns of a game have a frame (bandit/turn/turn_frame.hpp), as with dice.
//
// A turn is solved exactly, with the model's values of the positions after it. So what its beginning should be worth is
// known without the luck of the dice: fitted value iteration (Gordon 1995) along plays by the best moves. A model
// learnt in this way tells what the beginnings of turns are worth, which is what solving a turn needs; of positions
// within a turn it was told nothing.
//
//     TurnLessons turns(rules, model);
//     if (turns.begin(start)) while (turns.solve(state, values) && turns.draw(random, state)) ...
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bandit/turn/linear_values.hpp"
#include "bandit/turn/turn_frame.hpp"
#include "gdl/lane/gdl_lane.hpp"
#include "gdl/values/evaluator.hpp"
#include "zermelo/random.hpp"

namespace zermelo::gdl {

class TurnLessons {
public:
    // Both live as long as the lessons.
    TurnLessons(std::shared_ptr<const GdlRules> rules, const ValueModel& model);

    // Solves the turn that begins at a position: what that is worth to each role. False where it has no frame.
    bool solve(std::span<const std::uint64_t> start, std::span<double> worth);
    // A position after the turn that was solved last, by best play and the luck of the dice; false at the end.
    bool draw(Random& random, std::vector<std::uint64_t>& next) const { return last_->draw(random, next); }
    // Weights have changed.
    void refresh() { forecast_.evaluator.refresh(); }

private:
    struct Forecast final : bandit::Values {
        Forecast(const ValueModel& model, const std::shared_ptr<const single::Net>& net) : evaluator(model, net) {}
        void values(std::span<const std::uint64_t> states, std::span<double> rewards) const override;
        mutable Evaluator evaluator;
        std::size_t words = 0;
        std::uint32_t roles = 0;
    };

    GdlLane lane_;
    Forecast forecast_;
    std::vector<std::unique_ptr<bandit::TurnFrame>> frames_;
    bandit::TurnFrame* last_ = nullptr;
};

}  // namespace zermelo::gdl
