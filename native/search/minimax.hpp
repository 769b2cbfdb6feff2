// Plain minimax: every move of every position, no cut-offs (Shannon 1950; the textbook's MiniMax).
//
// With depth_limit = -1 it plays every line to its end and the value is exact; otherwise evaluate() speaks at the
// horizon. Values are remembered by position (and plies left), as the tree of tic-tac-toe has 549,946 nodes but
// only 5,478 positions: O(positions * moves) exact, as long as the table holds them. It is the yardstick for the
// engines that cut, and shares no cleverness with them: no narrowing, no ordering, no windows.
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
        if (const auto end = game_.ending(root); end.over) return {.solved = true, .lower = end.score, .upper = end.score, .distance = 0};
        const bool exact = params_.depth_limit < 0;
        unit_ = exact ? 1 : evaluation_unit(game_);
        Outcome outcome{.lower = game_.worst(), .upper = game_.best()};
        try {
            const Score value = search(root, exact ? KnownValue::kExact : params_.depth_limit, control);
            outcome.estimate = static_cast<double>(value) / static_cast<double>(unit_);
            if (exact) outcome.solved = true, outcome.lower = outcome.upper = value;
        } catch (const Stopped&) {
            // The root's finished moves bound its value from the mover's side.
            if (exact && !frames_.empty() && frames_.front().best_move != kNoMove) (frames_.front().turn == 0 ? outcome.lower : outcome.upper) = frames_.front().best;
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
                continue;
            }
            control.tick();
            ++nodes_;
            const auto child = game_.play(top.state, moves_[top.next++]);
            const auto left = top.depth == KnownValue::kExact ? top.depth : top.depth - 1;
            if (const auto end = game_.ending(child); end.over) take(end.score * unit_);
            else if (left == 0) take(horizon_value(game_, child));
            else if (const auto* known = table_.find(canonical(game_, child, params_.symmetry)); known && known->depth == left) take(known->value);
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
