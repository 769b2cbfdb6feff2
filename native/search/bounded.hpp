// Play that may go round in circles, cut at a horizon: a position together with the plies left.
//
// Endless play is worth endless(). With horizon h the value V_h of Bounded is a lower bound where it exceeds
// endless() and an upper bound where it falls short; each threshold is a reachability game, whose attractor is
// complete after as many plies as there are positions, so V_h is exact for h >= positions(). The history of a
// line never enters a table: no graph-history-interaction problem (Campbell 1985), no wrong draw.
#pragma once

#include <algorithm>
#include <optional>

#include "zermelo/search.hpp"

namespace zermelo {

template <SearchGame G>
class Bounded {
public:
    struct State {
        typename G::State position;
        std::uint32_t left;
        bool operator==(const State&) const = default;
    };
    explicit Bounded(const G& game) : game_(game) {}

    State start() const { return {game_.start(), 0}; }
    int turn(const State& s) const { return game_.turn(s.position); }
    Ending ending(const State& s) const {
        const auto end = game_.ending(s.position);
        return end.over || s.left ? end : Ending{true, game_.endless()};
    }
    void moves(const State& s, std::vector<Move>& out) const { game_.moves(s.position, out); }
    State play(const State& s, Move move) const { return {game_.play(s.position, move), s.left - 1}; }
    Score worst() const { return game_.worst(); }
    Score best() const { return game_.best(); }

private:
    const G& game_;
};

// Solves a cyclic game by any engine for acyclic ones, doubling the horizon until the answer cannot change.
template <SearchGame G, template <class> class Engine>
class Deepening {
public:
    template <class... More>
    Deepening(const G& game, const SearchParams& params, const More&... more)
        : game_(game), bounded_(game), engine_(bounded_, params, more...) {}

    Outcome solve(const typename G::State& root, Control& control) {
        Outcome outcome{.lower = game_.worst(), .upper = game_.best()};
        if (const auto end = game_.ending(root); end.over)
            return {.solved = true, .lower = end.score, .upper = end.score, .distance = 0};
        control.report(outcome.lower, outcome.upper, 0);
        const auto enough = static_cast<std::uint64_t>(game_.positions());
        for (std::uint64_t horizon = 1;; horizon *= 2) {
            horizon = std::min(horizon, enough);
            control.report_depth(static_cast<std::int64_t>(horizon));
            // Within a horizon endless play is an end like any other: such bounds say nothing to who watches the game.
            control.quiet(true);
            const auto step = engine_.solve({root, static_cast<std::uint32_t>(horizon)}, control);
            control.quiet(false);
            if (!step.solved) {
                // Interrupted: what was proved beyond endless play within this horizon holds without it.
                if (step.lower > game_.endless()) outcome.lower = std::max(outcome.lower, step.lower);
                if (step.upper < game_.endless()) outcome.upper = std::min(outcome.upper, step.upper);
                if (game_.turn(root) == 0 ? step.lower > game_.endless() : step.upper < game_.endless())
                    outcome.move = step.move;
                outcome.solved = outcome.lower == outcome.upper;
                control.report(outcome.lower, outcome.upper, static_cast<std::int64_t>(horizon));
                return outcome;
            }
            outcome.move = step.move;
            if (step.lower > game_.endless() || horizon == enough) outcome.lower = std::max(outcome.lower, step.lower);
            if (step.lower < game_.endless() || horizon == enough) outcome.upper = std::min(outcome.upper, step.lower);
            control.report(outcome.lower, outcome.upper, static_cast<std::int64_t>(horizon));
            if (outcome.lower == outcome.upper) return outcome.solved = true, outcome;
        }
    }
    std::uint64_t table_bytes() const { return engine_.table_bytes(); }

private:
    const G& game_;
    Bounded<G> bounded_;
    Engine<Bounded<G>> engine_;
};

}  // namespace zermelo
