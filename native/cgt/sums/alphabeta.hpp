// The value of a sum by alpha-beta: fail-soft, with a table of intervals, cut-offs by bounds, and moves struck out that
// others make superfluous.
//
// All numbers are relative to the numbers among the components, so one entry of the table serves wherever the same hot
// components meet. The move that the table remembers is tried first, then those that gain most at the going rate.
//
//     AlphaBeta<T> search(forest, components, parameters, control);
//     const T value = search.value(/*left_moves*/ true, lower, upper);      // exact if strictly between
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cgt/sums/forest.hpp"
#include "cgt/sums/incentives.hpp"
#include "cgt/sums/parameters.hpp"
#include "cgt/sums/sum.hpp"
#include "cgt/sums/table.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::sums {

template <class T>
class AlphaBeta {
public:
    using Table = IntervalTable<T>;

    AlphaBeta(const Forest<T>& forest, std::size_t longest, const Parameters& parameters, Control& control)
        : forest_(forest), parameters_(parameters), control_(control), sum_(forest), incentives_(forest, control),
          table_(longest, forest.hot, std::min(parameters.table_bytes, control.room() * 3 / 4), control) {
        for (Id p = 0; p < forest.hot; ++p) plain_.push_back(forest.is_plain(p));
    }

    ~AlphaBeta() { control_.charge(-static_cast<std::int64_t>(charged_)); }
    AlphaBeta(const AlphaBeta&) = delete;
    AlphaBeta& operator=(const AlphaBeta&) = delete;

    // The sum to speak of; it must not hold more hot components than were announced.
    void set(std::span<const Part> components) {
        sum_.clear();
        for (const Part& part : components) sum_.put(part.kind, part.count);
    }
    const Sum<T>& sum() const { return sum_; }
    const Forest<T>& forest() const { return forest_; }

    // Left and right bounds as seen from the bounds and the table alone.
    Range<T> known(bool left_moves) {
        if (sum_.over()) return {T(0), T(0)};
        Range<T> seen = bounds(left_moves);
        if (const auto* entry = table_.find(sum_.hot(), sum_.hash(), left_moves)) narrow(seen, *entry);
        return seen;
    }

    // Thermostatic bounds, whatever the search itself uses. Of a sum that is not over.
    Range<T> bounds_here(bool left_moves) { return sum_.by_tax(left_moves); }

    // Fail-soft: at most alpha is an upper bound, at least beta a lower one, anything else exact.
    T value(bool left_moves, const T& alpha, const T& beta) {
        const std::size_t base = frames_.size(), moves_base = moves_.size();
        best_move_ = Table::kNone;
        const std::vector<Part> before(sum_.hot().begin(), sum_.hot().end());
        try {
            std::optional<T> done = enter(left_moves, alpha, beta);
            for (;;) {
                if (!done) {
                    done = step();
                    continue;
                }
                if (frames_.size() == base) return *done;
                done = take_back(*done);
            }
        } catch (...) {
            so_far_ = frames_.size() > base ? std::optional(frames_[base].best) : std::nullopt;
            frames_.resize(base);
            moves_.resize(moves_base);
            set(before);
            throw;
        }
    }

    // The best move found by the latest value(), as far as one was needed, and what it had found when it was stopped.
    std::uint32_t best_move() const { return best_move_; }
    const std::optional<T>& so_far() const { return so_far_; }

    // The moves that are worth a try here, best guess first, numbered as in the forest.
    void list(bool left_moves, std::vector<std::uint32_t>& out) {
        list_all(left_moves, out);
        strike(left_moves, out);
    }
    // Strikes out moves that others in the list, which is in the order of the forest, make superfluous.
    void strike(bool left_moves, std::vector<std::uint32_t>& moves) {
        if (parameters_.strike == Strike::none) return;
        // Of plain switches the hottest is enough, and that is seen at once.
        bool switched = false;
        std::erase_if(
            moves, [&](std::uint32_t move) { return plain_[from(move, left_moves)] && std::exchange(switched, true); });
        if (parameters_.strike == Strike::all) incentives_.strike(moves, left_moves);
    }
    // All moves that differ.
    void list_all(bool left_moves, std::vector<std::uint32_t>& out) const {
        const auto& first = left_moves ? forest_.first_left : forest_.first_right;
        out.clear();
        for (const auto& [component, count] : sum_.hot())
            for (std::uint32_t move = first[component]; move < first[component + 1]; ++move) out.push_back(move);
    }
    // By what the mover's wall gains at the going rate, most first: that is what a move does for him if every other
    // move costs as much.
    void sort_by_gain(bool left_moves, std::vector<std::uint32_t>& moves) {
        const std::size_t rate = sum_.going_rate();
        const auto& off = left_moves ? forest_.below : forest_.above;
        const auto wall = [&](Id position) {
            if (!forest_.is_hot(position)) return T(0);
            const T& away = off[static_cast<std::size_t>(position) * forest_.grid() + rate];
            return left_moves ? forest_.mean[position] - away : forest_.mean[position] + away;
        };
        gains_.clear();
        for (const auto move : moves) {
            const auto& to = option(move, left_moves);
            const T gain = wall(to.to) + to.gain - wall(from(move, left_moves));
            gains_.emplace_back(left_moves ? T(0) - gain : gain, move);
        }
        std::sort(gains_.begin(), gains_.end());
        std::transform(gains_.begin(), gains_.end(), moves.begin(), [](const auto& pair) { return pair.second; });
    }

    Id from(std::uint32_t move, bool left_moves) const { return incentives_.from(move, left_moves); }
    const typename Forest<T>::Option& option(std::uint32_t move, bool left_moves) const {
        return (left_moves ? forest_.left : forest_.right)[move];
    }
    void play(std::uint32_t move, bool left_moves) {
        sum_.replace(from(move, left_moves), option(move, left_moves).to);
    }
    void undo(std::uint32_t move, bool left_moves) {
        sum_.replace(option(move, left_moves).to, from(move, left_moves));
    }

    // A node of a sum of a million kinds of components takes as long as many small ones: limits are looked at by
    // components too.
    void look_after(std::size_t components) {
        components_seen_ += components;
        if (components_seen_ < kComponentsBetweenLooks) return;
        components_seen_ = 0;
        control_.check();
    }
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t hits() const { return hits_; }
    std::uint64_t cuts() const { return cuts_; }
    const Table& table() const { return table_; }
    Incentives<T>& incentives() { return incentives_; }
    std::uint64_t compared() const { return incentives_.positions(); }

private:
    static constexpr std::uint64_t kComponentsBetweenLooks = 1 << 20;

    struct Frame {
        T alpha, beta, best;
        Range<T> seen;
        std::uint64_t nodes_before;
        std::uint32_t first, next;  // moves, in moves_
        std::uint32_t best_move;
        bool left_moves;
    };

    Range<T> bounds(bool left_moves) {
        switch (parameters_.cut) {
            case Cut::none: return {T(0) - forest_.limit, forest_.limit};
            case Cut::mean: return sum_.by_mean(left_moves);
            default: return sum_.by_tax(left_moves);
        }
    }
    static void narrow(Range<T>& seen, const typename Table::Entry& entry) {
        if (entry.lower > seen.lower) seen.lower = entry.lower;
        if (entry.upper < seen.upper) seen.upper = entry.upper;
    }
    // What the search wants to know, if bounds tell it already.
    static std::optional<T> settled(const Range<T>& seen, const T& alpha, const T& beta) {
        if (seen.lower >= beta || seen.lower == seen.upper) return seen.lower;
        if (seen.upper <= alpha) return seen.upper;
        return std::nullopt;
    }

    std::optional<T> enter(bool left_moves, const T& alpha, const T& beta) {
        control_.tick();
        look_after(sum_.hot().size());
        ++nodes_;
        if (sum_.over()) return T(0);
        Range<T> seen{T(0) - forest_.limit, forest_.limit};
        std::uint32_t remembered = Table::kNone;
        if (const auto* entry = table_.find(sum_.hot(), sum_.hash(), left_moves)) {
            narrow(seen, *entry);
            remembered = entry->best;
            if (auto value = settled(seen, alpha, beta)) {
                ++hits_;
                return value;
            }
        } else if (parameters_.cut != Cut::none) {
            if (parameters_.cut == Cut::tax) {  // cheaper, and often enough
                seen = sum_.by_mean(left_moves);
                if (auto value = settled(seen, alpha, beta)) {
                    ++cuts_;
                    return value;
                }
            }
            seen = bounds(left_moves);
            if (auto value = settled(seen, alpha, beta)) {
                ++cuts_;
                return value;
            }
        }
        list(left_moves, scratch_);
        if (parameters_.cut == Cut::tax && parameters_.strike == Strike::all) {
            if (remembered != Table::kNone) sum_.by_tax(left_moves);
            sort_by_gain(left_moves, scratch_);
        }
        if (remembered != Table::kNone) {
            const auto at = std::find(scratch_.begin(), scratch_.end(), remembered);
            if (at != scratch_.end()) std::rotate(scratch_.begin(), at, at + 1);
        }
        const auto first = static_cast<std::uint32_t>(moves_.size());
        make_room(scratch_.size());
        moves_.insert(moves_.end(), scratch_.begin(), scratch_.end());
        frames_.push_back(
            {alpha, beta, left_moves ? seen.lower : seen.upper, seen, nodes_, first, first, Table::kNone, left_moves});
        return std::nullopt;
    }

    // A play of a million components is a million frames deep: they count as memory.
    void make_room(std::size_t moves) {
        if (frames_.size() < frames_.capacity() && moves_.size() + moves <= moves_.capacity()) return;
        const std::size_t more_frames =
            frames_.size() < frames_.capacity() ? 0 : std::max<std::size_t>(64, frames_.size());
        const std::size_t more_moves = moves_.size() + moves <= moves_.capacity() ? 0 : std::max(moves, moves_.size());
        const std::size_t bytes = more_frames * sizeof(Frame) + more_moves * sizeof(std::uint32_t);
        control_.charge(static_cast<std::int64_t>(bytes));
        charged_ += bytes;
        frames_.reserve(frames_.size() + more_frames);
        moves_.reserve(moves_.size() + more_moves);
    }

    // Tries the next move of the innermost frame, or closes it.
    std::optional<T> step() {
        Frame& frame = frames_.back();
        const bool cut = frame.left_moves ? frame.best >= frame.beta || frame.best >= frame.seen.upper
                                          : frame.best <= frame.alpha || frame.best <= frame.seen.lower;
        if (cut || frame.next == moves_.size()) return close();
        const auto move = moves_[frame.next];
        const T& gain = option(move, frame.left_moves).gain;
        // Nothing below what is sure nor above what can be needs to be told apart.
        T alpha = std::max(frame.alpha, frame.seen.lower), beta = std::min(frame.beta, frame.seen.upper);
        if (frame.left_moves && frame.best > alpha) alpha = frame.best;
        if (!frame.left_moves && frame.best < beta) beta = frame.best;
        alpha = alpha - gain, beta = beta - gain;
        play(move, frame.left_moves);
        return enter_child(!frame.left_moves, alpha, beta);
    }
    std::optional<T> enter_child(bool left_moves, const T& alpha, const T& beta) {
        const std::size_t depth = frames_.size();
        auto done = enter(left_moves, alpha, beta);
        if (done && frames_.size() == depth) return take_back(*done);
        return done;
    }
    // The innermost frame hears what its latest move is worth.
    std::optional<T> take_back(const T& relative) {
        Frame& frame = frames_.back();
        const auto move = moves_[frame.next++];
        undo(move, frame.left_moves);
        T worth = relative + option(move, frame.left_moves).gain;
        if (frame.best_move == Table::kNone ? (frame.left_moves ? worth >= frame.best : worth <= frame.best)
                                            : (frame.left_moves ? worth > frame.best : worth < frame.best)) {
            frame.best = std::move(worth);
            frame.best_move = move;
        }
        return std::nullopt;
    }
    std::optional<T> close() {
        Frame& frame = frames_.back();
        T value = frame.best;
        // Below the window the value is an upper bound, above it a lower one.
        T lower = frame.seen.lower, upper = frame.seen.upper;
        if (value > frame.alpha && value > lower) lower = value;
        if (value < frame.beta && value < upper) upper = value;
        const std::uint64_t effort = nodes_ - frame.nodes_before;
        table_.put(sum_.hot(), sum_.hash(), frame.left_moves, lower, upper, frame.best_move,
                   static_cast<std::uint32_t>(std::min<std::uint64_t>(effort, 0xffffffffu)));
        best_move_ = frame.best_move;
        moves_.resize(frame.first);
        frames_.pop_back();
        return value;
    }

    const Forest<T>& forest_;
    Parameters parameters_;
    Control& control_;
    Sum<T> sum_;
    Incentives<T> incentives_;
    Table table_;
    std::vector<bool> plain_;
    std::vector<std::pair<T, std::uint32_t>> gains_;
    std::vector<Frame> frames_;
    std::vector<std::uint32_t> moves_, scratch_;
    std::uint32_t best_move_ = Table::kNone;
    std::optional<T> so_far_;
    std::uint64_t nodes_ = 0, hits_ = 0, cuts_ = 0, components_seen_ = 0;
    std::size_t charged_ = 0;
};

}  // namespace zermelo::cgt::sums
