// Plain minimax: every move of every position, no cut-offs (Shannon 1950; the textbook's MiniMax).
//
// With depth_limit = -1 it plays every line to its end and the value is exact; otherwise evaluate() speaks at the
// horizon. Values are remembered by position (and plies left), as the tree of tic-tac-toe has 549,946 nodes but
// only 5,478 positions: O(positions * moves) exact, as long as the table holds them. It is the yardstick for the
// engines that cut, and shares no cleverness with them: no narrowing, no ordering, no windows.
// Stopped by a limit it proves bounds: what is finished counts, what is not may be anything (path_bounds).
// Needs an acyclic game; a cyclic one goes through Deepening.
//
//     Minimax<G> engine(game, params);
//     Outcome outcome = engine.solve(game.start(), control);
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/threshold.hpp"
#include "zermelo/control.hpp"
#include "zermelo/game.hpp"
#include "zermelo/search.hpp"
#include "zermelo/table.hpp"

namespace zermelo {

struct KnownValue {
    static constexpr std::int32_t kExact = 0x7fffffff;
    std::int32_t value = 0;
    std::int32_t depth = -1;  // plies looked ahead; kExact: to the end; -1 marks an empty slot
    std::uint32_t work = 0;
    bool empty() const { return depth < 0; }
    std::uint32_t weight() const { return work; }
};

template <class G>
class Minimax {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;

    Minimax(const G& game, const SearchParams& params) : game_(game), params_(params), table_(params.table_bytes) {}

    Outcome solve(const State& root, Control& control) {
        if (const auto end = game_.ending(root); end.over)
            return {.solved = true, .lower = end.score, .upper = end.score, .distance = 0};
        const bool exact = params_.depth_limit < 0;
        unit_ = exact ? 1 : evaluation_unit(game_);
        Outcome outcome{.lower = game_.worst(), .upper = game_.best()};
        if (exact) control.report(outcome.lower, outcome.upper, 0);
        try {
            const Score value = search(root, exact ? KnownValue::kExact : params_.depth_limit, control);
            outcome.estimate = static_cast<double>(value) / static_cast<double>(unit_);
            if (exact) outcome.solved = true, outcome.lower = outcome.upper = value;
        } catch (const Stopped&) {
            if (exact && !frames_.empty()) {
                const auto [lower, upper] = path_bounds();
                outcome.solved = lower == upper, outcome.lower = lower, outcome.upper = upper;
            }
        }
        outcome.move = position_of_move(game_, root, frames_.empty() ? root_move_ : frames_.front().best_move);
        control.report(outcome.lower, outcome.upper, control.depth());
        return outcome;
    }
    std::uint64_t table_bytes() const { return table_.bytes(); }

private:
    struct Frame {
        State state;
        Score best;
        std::size_t moves_begin, next;
        std::uint64_t nodes_before;
        Move best_move;
        std::int32_t depth;
        int turn;
    };

    Score search(const State& root, std::int32_t depth, Control& control) {
        frames_.clear();
        moves_.clear();
        nodes_ = 0;
        root_move_ = kNoMove;
        control.tick();
        if (depth == 0) return horizon_value(game_, root);
        open(root, depth);
        while (true) {
            Frame& top = frames_.back();
            if (top.next == moves_.size()) {
                const Score value = close();
                if (frames_.empty()) return value;
                take(value);
                if (frames_.size() == 1 && depth == KnownValue::kExact) report_root(control);
                continue;
            }
            control.tick();
            ++nodes_;
            const auto child = game_.play(top.state, moves_[top.next++]);
            const auto left = top.depth == KnownValue::kExact ? top.depth : top.depth - 1;
            if (const auto end = game_.ending(child); end.over) take(end.score * unit_);
            else if (left == 0) take(horizon_value(game_, child));
            else if (const auto* known = table_.find(canonical(game_, child, params_.symmetry));
                     known && known->depth == left)
                take(known->value);
            else open(child, left);
        }
    }

    void open(const State& state, std::int32_t depth) {
        frames_.push_back({state, 0, moves_.size(), moves_.size(), nodes_, kNoMove, depth, game_.turn(state)});
        game_.moves(state, moves_);
    }

    void take(Score value) {
        Frame& top = frames_.back();
        if (top.best_move != kNoMove && (top.turn == 0 ? value <= top.best : value >= top.best)) return;
        top.best = value;
        top.best_move = moves_[top.next - 1];
    }

    // What the mover has in hand at the root, for whoever watches; `depth` counts the moves tried there.
    void report_root(Control& control) const {
        const Frame& root = frames_.front();
        control.report(root.turn == 0 ? root.best : game_.worst(), root.turn == 0 ? game_.best() : root.best,
                       static_cast<std::int64_t>(root.next));
    }

    // Bounds on the root's value when a search to the end is stopped, from the current path, deepest position first:
    // finished moves have values, the move under way has the bounds of the position it leads to, and of a move not yet
    // begun nothing is known unless it ends the game or the table holds its value. Leaves at the root the move that
    // secures the mover's bound.
    Bounds path_bounds() {
        const Bounds all{game_.worst(), game_.best()};
        Bounds bounds = all;
        auto moves_end = moves_.size();
        for (auto i = frames_.size(); i-- > 0;) {
            Frame& frame = frames_[i];
            const bool first = frame.turn == 0;
            // Nobody's move has a bound yet: the mover's side of it is the worst for the mover.
            Bounds found = first ? Bounds{all.lower, all.lower} : Bounds{all.upper, all.upper};
            auto best = kNoMove;
            const auto add = [&](const Bounds& next, Move move) {
                if (best == kNoMove || (first ? next.lower > found.lower : next.upper < found.upper)) best = move;
                found.lower = first ? std::max(found.lower, next.lower) : std::min(found.lower, next.lower);
                found.upper = first ? std::max(found.upper, next.upper) : std::min(found.upper, next.upper);
            };
            if (frame.best_move != kNoMove) add({frame.best, frame.best}, frame.best_move);
            if (i + 1 < frames_.size()) add(bounds, moves_[frame.next - 1]);
            for (auto at = frame.next; at < moves_end; ++at)
                add(bounds_unvisited(game_.play(frame.state, moves_[at]), all), moves_[at]);
            moves_end = frame.moves_begin;
            bounds = found;
            const bool better = first ? bounds.lower > all.lower : bounds.upper < all.upper;
            if (better || bounds.lower == bounds.upper) frame.best_move = best;
        }
        return bounds;
    }

    Bounds bounds_unvisited(const State& state, const Bounds& all) {
        if (const auto end = game_.ending(state); end.over) return {end.score, end.score};
        const auto* known = table_.find(canonical(game_, state, params_.symmetry));
        return known && known->depth == KnownValue::kExact ? Bounds{known->value, known->value} : all;
    }

    Score close() {
        const Frame frame = frames_.back();
        frames_.pop_back();
        moves_.resize(frame.moves_begin);
        if (frames_.empty()) root_move_ = frame.best_move;
        table_.put(canonical(game_, frame.state, params_.symmetry),
                   {static_cast<std::int32_t>(frame.best), frame.depth,
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes_ - frame.nodes_before, 0xffffffffu))});
        return frame.best;
    }

    const G& game_;
    SearchParams params_;
    Table<State, KnownValue> table_;
    std::vector<Frame> frames_;
    std::vector<Move> moves_;
    std::uint64_t nodes_ = 0;
    Score unit_ = 1;
    Move root_move_ = kNoMove;
};

}  // namespace zermelo
