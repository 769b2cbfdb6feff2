// Bounds of games by the walls of thermographs, on a grid of taxes.
//
// Let every move earn its player 1, that is, tax moves by -1. Where Left moves first and play ends in an integer, the
// total is that integer, plus 1 if Left has moved last: Left wins exactly if the total is above 0. So for every tax t
// of at least -1 the theorems on taxed sums tell who wins (Winning Ways, chapter 6; Yedwab 1985, theorem 5.3). With r
// and l the right and left walls of the summands at t, and w the largest difference of the two in one summand,
//
//     Left, moving first, wins  if  sum of all r + w > 0        (he opens there, then plays by the thermostat)
//     and loses                 if  sum of all l + t < 0        (Right does).
//
// Why the total tells who wins, for games in canonical form: by induction it is at least n with Right to move exactly
// if G >= n, and at least n + 1 with Left to move exactly if G is greater than or confused with n. Nobody needs a move
// in an integer while there is another summand H: if a move of Right's there wins, then G + 1 <= n, and so does a least
// of his moves in H, since H^R <= H + 1: Right's replies to that in H are no better, and Left's in -H^R would make H^R
// reversible.
//
// A summand that lies between two games, L <= G <= U, has the walls of L in the first line and those of U in the
// second: making a summand smaller never helps Left. L and U may be sums; w is then the largest difference in one of
// theirs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cgt/outcome/units.hpp"
#include "cgt/values/thermograph.hpp"

namespace zermelo::cgt::outcome {

// Walls at the taxes of the grid, in units of 2^-12, rounded so that a bound remains one.
class Walls {
public:
    static constexpr std::size_t kTaxes = 8;
    using Row = std::array<std::int32_t, kTaxes>;
    static constexpr std::int32_t kOne = 1 << 12;
    // In quarters. The last lies above the temperatures that boards have: there the walls of most are means.
    static constexpr std::array<int, kTaxes> kQuarters{-4, -2, 0, 1, 2, 4, 6, 16};
    static constexpr std::int32_t tax(std::size_t at) { return kQuarters[at] * (kOne / 4); }
    static constexpr std::int32_t kEndless = 1 << 24;  // in place of a bound: there is none

    Row right{}, right_width{};  // of the game below
    Row left{}, left_width{};    // of the game above

    // Of a game between two integers.
    static Walls between(int lower, int upper) {
        Walls walls;
        walls.right.fill(held(std::int64_t{lower} * kOne, -1));
        walls.left.fill(held(std::int64_t{upper} * kOne, 1));
        return walls;
    }
    // Of a game that lies between all numbers other than 0: one of them, -2^-n, has the right wall -1 at the tax -1.
    static Walls infinitesimal() {
        Walls walls;
        for (std::size_t i = 0; i < kTaxes; ++i) {
            walls.right[i] = kQuarters[i] < 0 ? -kOne : -1;
            walls.left[i] = -walls.right[i];
        }
        return walls;
    }
    static Walls of(const Thermograph& drawn) {
        Walls walls;
        for (std::size_t i = 0; i < kTaxes; ++i) {
            const Dyadic tax(Integer(kQuarters[i]), 2);
            const auto l = at(drawn.left, tax), r = at(drawn.right, tax);
            walls.right[i] = down(r);
            walls.left[i] = -down(-l);
            walls.right_width[i] = walls.left_width[i] = std::max(0, down(l - r));
        }
        return walls;
    }

    Walls& operator+=(const Walls& more) {
        for (std::size_t i = 0; i < kTaxes; ++i) {
            right[i] = sum(right[i], more.right[i], -kEndless);
            left[i] = sum(left[i], more.left[i], kEndless);
            right_width[i] = std::max(right_width[i], more.right_width[i]);
            left_width[i] = std::max(left_width[i], more.left_width[i]);
        }
        return *this;
    }
    Walls operator-() const {
        Walls other{left, left_width, right, right_width};
        for (std::size_t i = 0; i < kTaxes; ++i) other.right[i] = -other.right[i], other.left[i] = -other.left[i];
        return other;
    }
    bool first_wins() const {
        bool found = false;
        for (std::size_t i = 0; i < kTaxes; ++i) found |= right[i] + right_width[i] > 0;
        return found;
    }
    bool first_loses() const {
        bool found = false;
        for (std::size_t i = 0; i < kTaxes; ++i) found |= left[i] + tax(i) < 0;
        return found;
    }
    // The lowest and the highest that the mean may be, where the grid reaches that far.
    std::int32_t low_mean() const { return right.back(); }
    std::int32_t high_mean() const { return left.back(); }

private:
    static std::int32_t held(std::int64_t bound, int sign) {
        return bound * sign >= kEndless
                   ? sign * kEndless
                   : static_cast<std::int32_t>(std::max<std::int64_t>(bound * sign, -kEndless)) * sign;
    }
    // A bound that is missing stays missing: no other makes up for it.
    static std::int32_t sum(std::int32_t a, std::int32_t b, std::int32_t missing) {
        return a == missing || b == missing ? missing : std::clamp(a + b, -kEndless, kEndless);
    }
    // In units, rounded down. What is too large to be held has no bound below; where it is large and positive, that one
    // is good enough.
    static std::int32_t down(const Dyadic& number) {
        const auto units = units_below(number, 12, kEndless);
        return units ? static_cast<std::int32_t>(*units) : number.sign() > 0 ? kEndless : -kEndless;
    }
    static Dyadic at(const Wall& wall, const Dyadic& tax) {
        for (std::size_t i = 1; i < wall.size(); ++i) {
            if (!(tax < wall[i].t)) continue;
            const auto& [t, value] = wall[i - 1];
            // A wall is upright or falls or rises by one for each unit.
            const auto& next = wall[i];
            if (next.value == value) return value;
            return value < next.value ? value + (tax - t) : value - (tax - t);
        }
        return wall.back().value;
    }
};

}  // namespace zermelo::cgt::outcome
