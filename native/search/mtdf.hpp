// MTD(f): a sequence of null-window searches that closes in on the value (Plaat, Schaeffer, Pijls and de Bruin 1996).
//
// Each asks alpha-beta "at least g?" and takes the fail-soft answer, a proved bound, for the next g. All passes
// share one table, so that a pass costs what it finds out. With two or three scores this is the search by
// thresholds; with many, good first guesses make it shorter than the full window.
// Needs an acyclic game; a cyclic one goes through Deepening.
//
//     Mtdf<G> engine(game, params);
//     Outcome outcome = engine.solve(game.start(), control);
#pragma once

#include <cstdint>

#include "search/alphabeta.hpp"
#include "search/threshold.hpp"
#include "zermelo/control.hpp"
#include "zermelo/game.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

template <class G>
class Mtdf {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;

    Mtdf(const G& game, const SearchParams& params) : game_(game), params_(params), engine_(game, params) {}

    Outcome solve(const State& root, Control& control) {
        if (const auto end = game_.ending(root); end.over)
            return {.solved = true, .lower = end.score, .upper = end.score, .distance = 0};
        const bool exact = params_.depth_limit < 0;
        const Score unit = exact ? 1 : evaluation_unit(game_);
        const bool first = game_.turn(root) == 0;
        Score lower = exact ? game_.worst() : -KnownBounds::kExact, upper = exact ? game_.best() : KnownBounds::kExact;
        Score guess = (game_.worst() + game_.best()) / 2 * unit;
        std::int64_t move = -1;
        try {
            while (lower < upper) {
                if (exact) control.report(lower, upper, control.depth());
                const Score bound = guess == lower ? guess + 1 : guess;
                guess = engine_.null_window(root, bound, control);
                (guess < bound ? upper : lower) = guess;
                if ((guess >= bound) == first || move < 0) move = position_of_move(game_, root, engine_.root_move());
            }
        } catch (const Stopped&) {
        }
        Outcome outcome{.lower = game_.worst(), .upper = game_.best(), .move = move};
        if (exact) outcome.lower = lower, outcome.upper = upper, outcome.solved = lower == upper;
        if (lower == upper) outcome.estimate = static_cast<double>(lower) / static_cast<double>(unit);
        // Without a single pass every move is as good as any: all lines score the same.
        if (outcome.solved && move < 0) outcome.move = 0;
        control.report(outcome.lower, outcome.upper, control.depth());
        return outcome;
    }
    bool at_least(const State& state, Score bound, Control& control) { return engine_.at_least(state, bound, control); }
    Move hint(const State& state) { return engine_.hint(state); }
    std::uint64_t table_bytes() const { return engine_.table_bytes(); }

private:
    const G& game_;
    SearchParams params_;
    AlphaBeta<G> engine_;
};

}  // namespace zermelo
