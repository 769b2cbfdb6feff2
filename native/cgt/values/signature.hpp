// How a game compares with 32 infinitesimals, seen from its stops: settles most comparisons that the stops leave open.
//
// Let x be the number at the left stop of G and y the one at its right stop, and R one of the reference games n.up + *m
// below. `at_most` has the bit of R set if G <= x + R, `at_least` if G >= y + R. The references are closed under
// options, so a signature follows from those of the options by bit operations:
//   - where x > y, nothing at x is below G, so G <= x + R exactly if no left option of G is >= x + R, and only left
//   options with
//     right stop x can be; the same mirrored;
//   - where x = y, G <= x + R also needs that no right option of R has x + R^R <= G, known since R^R comes before R.
// If G <= H and both have left stop x, everything x + R above H is above G: at_most(H) is a subset of at_most(G). If x
// + R lies between, where the left stop of G and the right stop of H are both x, then G <= H.
#pragma once

#include <array>
#include <cstdint>

namespace zermelo::cgt {

// n.up + *m <= 0 (Winning Ways, chapter 3: up is greater than all nimbers but *, with which it is confused).
constexpr bool not_positive(std::int64_t ups, std::uint32_t heap) {
    return ups <= -2 || (ups == -1 && heap != 1) || (ups == 0 && heap == 0);
}

struct Signature {
    std::uint32_t at_most = 0;
    std::uint32_t at_least = 0;
};

namespace references {

struct Reference {
    std::int32_t ups;
    std::uint32_t heap;
};

inline constexpr std::size_t kCount = 32;

// Options come before what they are options of.
constexpr std::array<Reference, kCount> made() {
    std::array<Reference, kCount> all{};
    std::size_t count = 0;
    for (std::uint32_t heap = 0; heap < 4; ++heap) all[count++] = {0, heap};
    for (std::int32_t ups = 1; count < kCount; ++ups)
        for (std::uint32_t heap = 0; heap < (ups == 1 ? 4u : 2u) && count < kCount; ++heap) {
            all[count++] = {ups, heap};
            all[count++] = {-ups, heap};
        }
    return all;
}

inline constexpr auto kAll = made();

constexpr std::uint32_t bit_of(std::int32_t ups, std::uint32_t heap) {
    for (std::size_t i = 0; i < kCount; ++i)
        if (kAll[i].ups == ups && kAll[i].heap == heap) return std::uint32_t{1} << i;
    throw "not closed under options";
}

// The left options of n.up + *m for n > 0 are {0}, of up + * {0, *}; the right ones (n-1).up + *(m xor 1), of up + *
// {0}.
constexpr std::uint32_t options(const Reference& game, bool left) {
    std::uint32_t mask = 0;
    if (game.ups == 0) {
        for (std::uint32_t heap = 0; heap < game.heap; ++heap) mask |= bit_of(0, heap);
        return mask;
    }
    const std::int32_t sign = game.ups > 0 ? 1 : -1;
    const bool up_star = game.ups == sign && game.heap == 1;
    if ((game.ups > 0) == left) return up_star ? bit_of(0, 0) | bit_of(0, 1) : bit_of(0, 0);
    return up_star ? bit_of(0, 0) : bit_of(game.ups - sign, game.heap ^ 1);
}

constexpr std::array<std::uint32_t, kCount> all_options(bool left) {
    std::array<std::uint32_t, kCount> masks{};
    for (std::size_t i = 0; i < kCount; ++i) masks[i] = options(kAll[i], left);
    return masks;
}

inline constexpr auto kLeft = all_options(true);
inline constexpr auto kRight = all_options(false);

}  // namespace references

// Of number + n.up + nimber.
constexpr Signature signature_of(std::int32_t ups, std::uint32_t heap) {
    Signature found;
    for (std::size_t i = 0; i < references::kCount; ++i) {
        const auto& reference = references::kAll[i];
        const std::int64_t more = std::int64_t{ups} - reference.ups;
        if (not_positive(more, heap ^ reference.heap)) found.at_most |= std::uint32_t{1} << i;
        if (not_positive(-more, heap ^ reference.heap)) found.at_least |= std::uint32_t{1} << i;
    }
    return found;
}

// Of a game that is no number, from the references that its left options at the left stop are at least, and those that
// its right options at the right stop are at most; `same` tells that both stops are at one number.
constexpr Signature signature_of(std::uint32_t left_at_least, std::uint32_t right_at_most, bool same) {
    if (!same) return {~left_at_least, ~right_at_most};
    Signature found;
    for (std::size_t i = 0; i < references::kCount; ++i) {
        const std::uint32_t bit = std::uint32_t{1} << i;
        const bool at_most = (left_at_least & bit) == 0 && (found.at_least & references::kRight[i]) == 0;
        const bool at_least = (right_at_most & bit) == 0 && (found.at_most & references::kLeft[i]) == 0;
        if (at_most) found.at_most |= bit;
        if (at_least) found.at_least |= bit;
    }
    return found;
}

}  // namespace zermelo::cgt
