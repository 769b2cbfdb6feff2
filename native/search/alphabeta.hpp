// Alpha-beta with a table of proved bounds (Knuth and Moore 1975; fail-soft: Fishburn 1983).
//
// Visits b^(d/2) leaves of a uniform tree of width b and depth d when the best move comes first, b^d when it
// comes last. The stack is explicit: the depth of a game is bounded by memory, not by the machine's stack.
// Moves come in the game's order, after the one that was best before. Measured and left out: the history heuristic
// spoils a good order (twice the nodes in connect four); looking up all children before searching one saves a fifth
// of the nodes and costs what it saves.
// Needs an acyclic game; a cyclic one goes through Deepening.
//
//     AlphaBeta<G> engine(game, params);
//     Outcome outcome = engine.solve(game.start(), control);
//     bool wins = engine.at_least(state, 1, control);       // null window, remembers what it learnt
#pragma once

#include <algorithm>
#include <vector>

#include "search/threshold.hpp"
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
    std::int32_t depth = kExact;  // plies looked ahead; kExact: to the end
    std::uint32_t work = 0;
    bool empty() const { return lower > upper; }
    std::uint32_t weight() const { return work; }
};

// A table of bounds, perhaps on top of one that somebody else has filled and nobody changes any more: several searches
// in threads may stand on the same one.
template <class State>
class BoundsTable {
public:
    explicit BoundsTable(std::uint64_t max_bytes, const BoundsTable* base = nullptr) : own_(max_bytes), base_(base) {}
    const KnownBounds* find(const State& key) const {
        if (const auto* known = own_.find(key)) return known;
        return base_ ? base_->find(key) : nullptr;
    }
    // The bounds of a position, to be changed in place.
    KnownBounds& claim(const State& key) {
        auto& known = own_.claim(key);
        if (known.empty() && base_)
            if (const auto* before = base_->find(key)) known = *before;
        return known;
    }
    std::uint64_t bytes() const { return own_.bytes(); }

private:
    Table<State, KnownBounds> own_;
    const BoundsTable* base_;
};

template <class G>
class AlphaBeta {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;

    AlphaBeta(const G& game, const SearchParams& params) : game_(game), params_(params), table_(params.table_bytes) {}
    // Goes on from what another has found, which must outlive it and rest meanwhile.
    AlphaBeta(const G& game, const SearchParams& params, const AlphaBeta& before)
        : game_(game), params_(params), table_(params.table_bytes, &before.table_) {}

    Outcome solve(const State& root, Control& control) {
        if (const auto end = game_.ending(root); end.over)
            return {.solved = true, .lower = end.score, .upper = end.score, .distance = 0};
        Outcome outcome{.lower = game_.worst(), .upper = game_.best()};
        if (outcome.lower == outcome.upper)
            return {.solved = true, .lower = outcome.lower, .upper = outcome.upper, .move = 0};
        const bool exact = params_.depth_limit < 0;
        if (exact) control.report(outcome.lower, outcome.upper, 0);
        try {
            // Evaluations need not lie between the scores.
            const Score value =
                exact ? search(root, outcome.lower, outcome.upper, KnownBounds::kExact, true, control)
                      : search(root, -KnownBounds::kExact, KnownBounds::kExact, params_.depth_limit, true, control);
            outcome.estimate = static_cast<double>(value) / static_cast<double>(unit_);
            if (exact) outcome.solved = true, outcome.lower = outcome.upper = value;
        } catch (const Stopped&) {
            if (exact) take_proved(root, outcome);
        }
        outcome.move = position_of_move(game_, root, frames_.empty() ? root_move_ : frames_.front().best_move);
        control.report(outcome.lower, outcome.upper, control.depth());
        return outcome;
    }

    bool at_least(const State& state, Score bound, Control& control) {
        if (const auto end = game_.ending(state); end.over) return end.score >= bound;
        if (bound <= game_.worst() || bound > game_.best()) return bound <= game_.worst();
        last_bound_ = bound;
        return search(state, bound - 1, bound, KnownBounds::kExact, false, control) >= bound;
    }

    // One pass of MTD(f): a proved lower bound if it is at least `bound`, else a proved upper bound. Looks as far as
    // the depth limit.
    Score null_window(const State& root, Score bound, Control& control) {
        return search(root, bound - 1, bound, params_.depth_limit < 0 ? KnownBounds::kExact : params_.depth_limit, true,
                      control);
    }
    Move root_move() const { return root_move_; }

    // A move known to keep the bound last asked for, to try first when a strategy is written down.
    Move hint(const State& state) { return proving_move(game_, state, last_bound_, params_.symmetry, table_); }
    // The same for any bound, from what the table has of the position itself where that suffices.
    Move table_move(const State& state, Score bound) {
        const State key = canonical(game_, state, params_.symmetry);
        const auto* known = table_.find(key);
        if (known && key == state && known->move != kNoMove) {
            const auto wanted = game_.turn(state) == 0 ? Answer::yes : Answer::no;
            const auto child = game_.play(state, known->move);
            if (known_answer(game_, child, bound, params_.symmetry, table_, scratch_) == wanted) return known->move;
        }
        return proving_move(game_, state, bound, params_.symmetry, table_);
    }
    std::uint64_t table_bytes() const { return table_.bytes(); }

private:
    struct Frame {
        State state, key;
        std::size_t moves_begin, next;
        std::uint64_t nodes_before;
        std::int32_t alpha, beta;    // the window as it narrows
        std::int32_t alpha0, beta0;  // the window the position was opened with
        std::int32_t best;
        std::int32_t depth;
        Move best_move;  // kNoMove: no child has a value yet
        int turn;
    };

    // With `open_root` the root is searched in the whole window, whatever the table knows of it, so that
    // root_move() is a move with the value returned (if that is above alpha for role 0, below beta for role 1).
    Score search(const State& root, Score alpha, Score beta, std::int32_t depth, bool open_root, Control& control) {
        frames_.clear();
        moves_.clear();
        nodes_ = 0;
        root_move_ = kNoMove;
        open_root_ = open_root;
        unit_ = depth == KnownBounds::kExact ? 1 : evaluation_unit(game_);
        std::int32_t value = 0;
        if (!enter(root, static_cast<std::int32_t>(alpha), static_cast<std::int32_t>(beta), depth, value, control))
            return value;
        while (true) {
            Frame& top = frames_.back();
            if (top.next == moves_.size() || top.alpha >= top.beta) {
                value = leave();
                if (frames_.empty()) return value;
                take(frames_.back(), value);
                if (frames_.size() == 1 && open_root && depth == KnownBounds::kExact) report_root(control);
                continue;
            }
            const auto child = game_.play(top.state, moves_[top.next++]);
            const auto next_depth = top.depth == KnownBounds::kExact ? top.depth : top.depth - 1;
            if (!enter(child, top.alpha, top.beta, next_depth, value, control)) take(frames_.back(), value);
        }
    }

    // Opens a node, or answers at once with its value.
    bool enter(State state, std::int32_t alpha, std::int32_t beta, std::int32_t depth, std::int32_t& value,
               Control& control) {
        const bool open_root = frames_.empty() && open_root_;
        const auto begin = moves_.size();
        const bool exact = depth == KnownBounds::kExact && !open_root, surveyed = HasSurvey<G> && exact;
        bool quiet = frames_.size() > 1;  // whether the position follows on one that was surveyed
        while (true) {
            control.tick();
            ++nodes_;
            if (!surveyed || !quiet)
                if (const auto end = game_.ending(state); end.over)
                    return value = static_cast<std::int32_t>(end.score * unit_), false;
            if (depth == 0) return value = static_cast<std::int32_t>(horizon_value(game_, state)), false;
            if (exact) {
                const Bounds window{alpha, beta};
                const auto seen = look(state, window, quiet);
                if (settles(seen, window))
                    return moves_.resize(begin),
                           value = static_cast<std::int32_t>(seen.upper <= alpha ? seen.upper : seen.lower), false;
                alpha = std::max(alpha, static_cast<std::int32_t>(seen.lower));
                beta = std::min(beta, static_cast<std::int32_t>(seen.upper));
            }
            // A forced reply has the value of what follows: neither looked up nor kept, it halves time and table
            // in games of threats.
            if constexpr (!HasNarrow<G>) break;
            if (!surveyed) search_moves(game_, state, moves_);
            if (moves_.size() - begin > 1 || open_root) break;
            state = game_.play(state, moves_[begin]);
            if (depth != KnownBounds::kExact) --depth;
            moves_.resize(begin);
            quiet = surveyed;
        }
        const State key = canonical(game_, state, params_.symmetry);
        Move first = kNoMove;
        if (const auto* known = table_.find(key)) {
            if (key == state) first = known->move;
            if (known->depth == depth && !open_root) {
                if (known->lower >= beta || known->lower == known->upper)
                    return moves_.resize(begin), value = known->lower, false;
                if (known->upper <= alpha) return moves_.resize(begin), value = known->upper, false;
                alpha = std::max(alpha, known->lower);
                beta = std::min(beta, known->upper);
            }
        }
        if constexpr (!HasNarrow<G>) search_moves(game_, state, moves_);
        frames_.push_back(
            {state, key, begin, begin, nodes_, alpha, beta, alpha, beta, 0, depth, kNoMove, game_.turn(state)});
        if (first != kNoMove) {
            const auto from = moves_.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto found = std::find(from, moves_.end(), first);
            if (found != moves_.end()) std::rotate(from, found, found + 1);
        }
        return true;
    }

    // What can be seen of a position at a glance, with the moves to search where the game finds both together.
    Bounds look(const State& state, const Bounds& window, bool quiet) {
        if constexpr (HasSurvey<G>) return game_.survey(state, window, quiet, moves_);
        else return (void)window, (void)quiet, seen_bounds(game_, state);
    }

    void take(Frame& frame, std::int32_t value) {
        if (frame.best_move != kNoMove && (frame.turn == 0 ? value <= frame.best : value >= frame.best)) return;
        frame.best = value;
        frame.best_move = moves_[frame.next - 1];
        if (frame.turn == 0) frame.alpha = std::max(frame.alpha, value);
        else frame.beta = std::min(frame.beta, value);
    }

    std::int32_t leave() {
        const Frame& frame = frames_.back();
        const auto value = frame.best;
        if (frames_.size() == 1) root_move_ = frame.best_move;
        KnownBounds& known = table_.claim(frame.key);
        // A proof outlasts a guess.
        if (known.empty() || known.depth != KnownBounds::kExact || frame.depth == KnownBounds::kExact) {
            if (known.empty() || known.depth != frame.depth)
                known.lower = -KnownBounds::kExact, known.upper = KnownBounds::kExact, known.depth = frame.depth;
            if (value > frame.alpha0) known.lower = std::max(known.lower, value);
            if (value < frame.beta0) known.upper = std::min(known.upper, value);
            // A move means something only in the position it was found in, not in its mirror image.
            known.move = frame.key == frame.state ? frame.best_move : kNoMove;
            known.work = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes_ - frame.nodes_before, 0xffffffffu));
        }
        moves_.resize(frame.moves_begin);
        frames_.pop_back();
        return value;
    }

    // What the mover has in hand at the root, for whoever watches; `depth` counts the moves tried there.
    void report_root(Control& control) const {
        const Frame& root = frames_.front();
        control.report(root.turn == 0 ? std::max<Score>(root.best, game_.worst()) : game_.worst(),
                       root.turn == 0 ? game_.best() : std::min<Score>(root.best, game_.best()),
                       static_cast<std::int64_t>(root.next));
    }

    // What the mover has in hand at the root is proved, and so is what the table holds.
    void take_proved(const State& root, Outcome& outcome) {
        if (!frames_.empty() && frames_.front().best_move != kNoMove) {
            if (frames_.front().turn == 0) outcome.lower = std::max<Score>(outcome.lower, frames_.front().best);
            else outcome.upper = std::min<Score>(outcome.upper, frames_.front().best);
        }
        const auto* known = table_.find(canonical(game_, root, params_.symmetry));
        if (!known || known->depth != KnownBounds::kExact) return;
        outcome.lower = std::max<Score>(outcome.lower, known->lower);
        outcome.upper = std::min<Score>(outcome.upper, known->upper);
    }

    const G& game_;
    SearchParams params_;
    BoundsTable<State> table_;
    std::vector<Frame> frames_;
    std::vector<Move> moves_, scratch_;
    std::uint64_t nodes_ = 0;
    Score unit_ = 1, last_bound_ = 0;
    Move root_move_ = kNoMove;
    bool open_root_ = true;
};

}  // namespace zermelo
