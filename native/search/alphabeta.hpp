// Alpha-beta with a table of proved bounds (Knuth and Moore 1975; fail-soft: Fishburn 1983).
//
// Visits b^(d/2) leaves of a uniform tree of width b and depth d when the best move comes first, b^d when it
// comes last. The stack is explicit: the depth of a game is bounded by memory, not by the machine's stack.
// Needs an acyclic game; wrap a cyclic one in Bounded (bounded.hpp).
//
//     AlphaBeta<G> engine(game, params);
//     Outcome outcome = engine.solve(game.start(), control);
//     bool wins = engine.at_least(state, 1, control);       // null window, remembers what it learnt
#pragma once

#include <algorithm>
#include <vector>

#include "zermelo/control.hpp"
#include "zermelo/game.hpp"
#include "zermelo/search.hpp"
#include "zermelo/table.hpp"

namespace zermelo {

// Proved bounds on a position's value, as kept in a table.
struct KnownBounds {
    static constexpr std::int32_t kExact = 0x7fffffff;
    std::int32_t lower = 1, upper = 0;  // lower > upper marks an empty slot
    Move move = kNoMove;
    std::int32_t depth = kExact;        // plies looked ahead; kExact: to the end
    std::uint32_t work = 0;
    bool empty() const { return lower > upper; }
    std::uint32_t weight() const { return work; }
};

template <class G>
class AlphaBeta {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;

    AlphaBeta(const G& game, const SearchParams& params)
        : game_(game), params_(params), table_(params.table_bytes) {}

    Outcome solve(const State& root, Control& control) {
        return solve_window(root, game_.worst(), game_.best(), control);
    }

    // Solves within a window already known to hold the value.
    Outcome solve_window(const State& root, Score worst, Score best, Control& control) {
        Outcome outcome{.lower = worst, .upper = best};
        const auto end = game_.ending(root);
        if (end.over) return {.solved = true, .lower = end.score, .upper = end.score, .distance = 0};
        const int depth = params_.depth_limit < 0 ? KnownBounds::kExact : params_.depth_limit;
        try {
            need_move_ = true;
            const Score value = search(root, worst, best, depth, control);
            outcome.estimate = static_cast<double>(value);
            if (depth == KnownBounds::kExact) outcome.solved = true, outcome.lower = outcome.upper = value;
        } catch (const Stopped&) {
            // What the mover has in hand at the root is proved; the rest is not.
            if (!frames_.empty() && frames_.front().has_best && depth == KnownBounds::kExact) {
                auto& bound = frames_.front().turn == 0 ? outcome.lower : outcome.upper;
                bound = frames_.front().turn == 0 ? std::max(bound, frames_.front().best) : std::min(bound, frames_.front().best);
            }
        }
        outcome.move = move_index(root, frames_.empty() ? root_move_ : frames_.front().best_move);
        control.report(outcome.lower, outcome.upper, 0);
        return outcome;
    }

    bool at_least(const State& state, Score bound, Control& control) {
        const auto end = game_.ending(state);
        if (end.over) return end.score >= bound;
        need_move_ = false;
        return search(state, bound - 1, bound, KnownBounds::kExact, control) >= bound;
    }

    // The move the table remembers for a position, to try first when a strategy is written down.
    Move hint(const State& state) {
        const auto* known = table_.find(state);
        return known ? known->move : kNoMove;
    }
    std::uint64_t table_bytes() const { return table_.bytes(); }

private:
    struct Frame {
        State state, key;
        Score alpha, beta, best, alpha0, beta0;
        std::size_t moves_begin, next;
        std::uint64_t nodes_before;
        Move best_move;
        std::int32_t depth;
        int turn;
        bool has_best;
    };

    Score search(const State& root, Score alpha, Score beta, std::int32_t depth, Control& control) {
        frames_.clear();
        moves_.clear();
        nodes_ = 0;
        root_move_ = kNoMove;
        Score value = 0;
        if (!enter(root, alpha, beta, depth, value, control)) return value;
        while (true) {
            Frame& top = frames_.back();
            if (top.next == moves_.size() || top.alpha >= top.beta) {
                value = leave();
                if (frames_.empty()) return value;
                take(frames_.back(), value);
                continue;
            }
            const auto child = game_.play(top.state, moves_[top.next++]);
            const auto next_depth = top.depth == KnownBounds::kExact ? top.depth : top.depth - 1;
            if (!enter(child, top.alpha, top.beta, next_depth, value, control)) take(frames_.back(), value);
        }
    }

    // Opens a node, or answers at once with its value.
    bool enter(const State& state, Score alpha, Score beta, std::int32_t depth, Score& value, Control& control) {
        control.tick();
        ++nodes_;
        const auto end = game_.ending(state);
        if (end.over) return value = end.score, false;
        const State key = canonical(game_, state, params_.symmetry);
        Move first = kNoMove;
        if (const auto* known = table_.find(key)) {
            if (key == state) first = known->move;
            if (known->depth == depth || known->depth == KnownBounds::kExact) {
                const bool decided = known->lower >= beta || known->upper <= alpha || known->lower == known->upper;
                const bool answers = !frames_.empty() || !need_move_ || first != kNoMove;
                if (decided && answers) {
                    if (frames_.empty()) root_move_ = first;
                    return value = known->upper <= alpha ? known->upper : known->lower, false;
                }
                if (!decided) alpha = std::max<Score>(alpha, known->lower), beta = std::min<Score>(beta, known->upper);
            }
        }
        if (depth == 0) {
            if constexpr (HasEvaluate<G>) return value = game_.evaluate(state), false;
            else return value = (game_.worst() + game_.best()) / 2, false;
        }
        const auto begin = moves_.size();
        search_moves(game_, state, moves_);
        if (first != kNoMove) {
            const auto found = std::find(moves_.begin() + static_cast<std::ptrdiff_t>(begin), moves_.end(), first);
            if (found != moves_.end()) std::rotate(moves_.begin() + static_cast<std::ptrdiff_t>(begin), found, found + 1);
        }
        frames_.push_back({state, key, alpha, beta, 0, alpha, beta, begin, begin, nodes_, kNoMove, depth, game_.turn(state), false});
        return true;
    }

    void take(Frame& frame, Score value) {
        const bool better = !frame.has_best || (frame.turn == 0 ? value > frame.best : value < frame.best);
        if (!better) return;
        frame.has_best = true;
        frame.best = value;
        frame.best_move = moves_[frame.next - 1];
        if (frame.turn == 0) frame.alpha = std::max(frame.alpha, value);
        else frame.beta = std::min(frame.beta, value);
    }

    Score leave() {
        const Frame frame = frames_.back();
        frames_.pop_back();
        moves_.resize(frame.moves_begin);
        if (frames_.empty()) root_move_ = frame.best_move;
        KnownBounds bounds{.lower = static_cast<std::int32_t>(game_.worst()), .upper = static_cast<std::int32_t>(game_.best()),
                           // A move means something only in the position it was found in, not in its mirror image.
                           .move = frame.key == frame.state ? frame.best_move : kNoMove, .depth = frame.depth,
                           .work = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes_ - frame.nodes_before, 0xffffffffu))};
        if (frame.depth != KnownBounds::kExact) bounds.lower = -KnownBounds::kExact, bounds.upper = KnownBounds::kExact;
        if (const auto* known = table_.find(frame.key); known && known->depth == frame.depth) bounds.lower = known->lower, bounds.upper = known->upper;
        const auto value = static_cast<std::int32_t>(frame.best);
        if (frame.best > frame.alpha0) bounds.lower = std::max(bounds.lower, value);
        if (frame.best < frame.beta0) bounds.upper = std::min(bounds.upper, value);
        table_.put(frame.key, bounds);
        return frame.best;
    }

    std::int64_t move_index(const State& state, Move move) {
        std::vector<Move> all;
        game_.moves(state, all);
        const auto found = std::find(all.begin(), all.end(), move);
        return found == all.end() ? -1 : found - all.begin();
    }

    const G& game_;
    SearchParams params_;
    Table<State, KnownBounds> table_;
    std::vector<Frame> frames_;
    std::vector<Move> moves_;
    std::uint64_t nodes_ = 0;
    Move root_move_ = kNoMove;
    bool need_move_ = true;
};

}  // namespace zermelo
