// Treblecross: both fill cells of a row with x; who makes three in a row wins. A row of one or two cells can only be
// filled: there, as in normal play, the last to move wins.
//
// A cell within distance two of an x loses at once (the other completes three), so between players who know that it
// is the octal game 0.007 (Winning Ways, chapter 4), a sum of independent gaps.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "games/permute.hpp"
#include "zermelo/game.hpp"
#include "zermelo/random.hpp"

namespace zermelo {

class Treblecross {
public:
    struct State {
        std::uint64_t filled;
        bool operator==(const State&) const = default;
    };

    explicit Treblecross(unsigned cells) : cells_(cells), row_((std::uint64_t{1} << cells) - 1) {}
    static bool fits(std::int64_t cells) { return cells >= 1 && cells <= 63; }

    State start() const { return {0}; }
    int turn(const State& s) const { return std::popcount(s.filled) & 1; }
    Ending ending(const State& s) const {
        const auto x = s.filled;
        if (!(x & (x >> 1) & (x >> 2)) && x != row_) return {};
        return {true, turn(s) == 0 ? -1 : 1};
    }
    void moves(const State& s, std::vector<Move>& out) const {
        for (auto rest = empty(s); rest; rest &= rest - 1) out.push_back(static_cast<Move>(std::countr_zero(rest)));
    }
    State play(const State& s, Move move) const { return {s.filled | std::uint64_t{1} << move}; }
    static constexpr Score worst() { return -1; }
    static constexpr Score best() { return 1; }
    Score step() const { return 2; }  // no draws

    // Between two x at least three apart only the length of the gap matters, so the gaps between x may be put in any
    // order, and the two gaps at the ends exchanged. Where two x are closer the mover wins at once and gaps do not add
    // up (three in a row could arise from sorting): there only the mirror image is taken.
    State canon(const State& s) const {
        const auto x = s.filled;
        if (!x) return s;
        if (near(x) & x) return {std::min(x, mirrored(x))};
        std::array<unsigned, 64> gap{};
        std::size_t gaps = 0;
        auto at = static_cast<unsigned>(std::countr_zero(x));
        auto low = at, high = static_cast<unsigned>(std::countl_zero(x)) - (64 - cells_);
        for (auto rest = x & (x - 1); rest; rest &= rest - 1) {
            const auto next = static_cast<unsigned>(std::countr_zero(rest));
            gap[gaps++] = next - at;
            at = next;
        }
        std::sort(gap.begin(), gap.begin() + static_cast<std::ptrdiff_t>(gaps));
        at = std::min(low, high);
        auto image = std::uint64_t{1} << at;
        for (std::size_t i = 0; i < gaps; ++i) image |= std::uint64_t{1} << (at += gap[i]);
        return {image};
    }

    // Win at once; else keep away from every x, for a cell within distance two of one lets the other win at once; if
    // there is no such cell, every move loses.
    bool narrow(const State& s, std::vector<Move>& out) const {
        if (cells_ < 3) return false;
        const auto x = s.filled, free = empty(s);
        const auto wins = free & (((x >> 1) & (x >> 2)) | ((x << 1) & (x << 2)) | ((x << 1) & (x >> 1)));
        if (wins) return out.push_back(static_cast<Move>(std::countr_zero(wins))), true;
        auto safe = free & ~near(x);
        if (!safe) safe = free & (~free + 1);
        for (; safe; safe &= safe - 1) out.push_back(static_cast<Move>(std::countr_zero(safe)));
        return true;
    }

    // The empty cells as a number: filling one takes a bit away.
    std::uint64_t ranks() const { return std::uint64_t{1} << cells_; }
    std::uint64_t rank(const State& s) const { return empty(s); }
    Unranked<State> unrank(std::uint64_t r) const {
        const State s{row_ & ~r};
        return {s, plausible(s.filled)};
    }

    Move random_move(const State& s, Random& random) const {
        const auto free = empty(s);
        return static_cast<Move>(
            std::countr_zero(nth_bit(free, random.below(static_cast<std::uint32_t>(std::popcount(free))))));
    }
    Score playout(State s, Random& random) const {
        while (true) {
            const auto end = ending(s);
            if (end.over) return end.score;
            s = play(s, random_move(s, random));
        }
    }

private:
    std::uint64_t empty(const State& s) const { return row_ & ~s.filled; }
    static std::uint64_t near(std::uint64_t x) { return (x << 1) | (x << 2) | (x >> 1) | (x >> 2); }
    std::uint64_t mirrored(std::uint64_t x) const {
        std::uint64_t image = 0;
        for (; x; x &= x - 1) image |= std::uint64_t{1} << (cells_ - 1 - static_cast<unsigned>(std::countr_zero(x)));
        return image;
    }
    // Play stops at three in a row, so the x that made the last three, if there are any, is in all of them.
    static bool plausible(std::uint64_t x) {
        auto threes = x & (x >> 1) & (x >> 2);
        auto common = ~std::uint64_t{0};
        for (; threes; threes &= threes - 1) common &= std::uint64_t{7} << std::countr_zero(threes);
        return common != 0;
    }

    unsigned cells_;
    std::uint64_t row_;
};

}  // namespace zermelo
