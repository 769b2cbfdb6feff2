// A set of up to 64 * W cells as plain words, for boards.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace zermelo {

template <std::size_t W>
struct Bits {
    std::array<std::uint64_t, W> word{};

    static constexpr Bits cell(unsigned i) {
        Bits bits;
        bits.word[i / 64] = std::uint64_t{1} << (i % 64);
        return bits;
    }
    static constexpr Bits below(unsigned n) {  // cells 0 .. n-1
        Bits bits;
        for (std::size_t i = 0; i < W; ++i) {
            const auto left = n > i * 64 ? n - i * 64 : 0;
            bits.word[i] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
        }
        return bits;
    }
    constexpr bool has(unsigned i) const { return word[i / 64] >> (i % 64) & 1; }
    constexpr bool any() const {
        std::uint64_t all = 0;
        for (const auto w : word) all |= w;
        return all != 0;
    }
    constexpr unsigned count() const {
        unsigned sum = 0;
        for (const auto w : word) sum += static_cast<unsigned>(std::popcount(w));
        return sum;
    }
    constexpr unsigned lowest() const {  // of a set that is not empty
        for (std::size_t i = 0; i < W; ++i)
            if (word[i]) return static_cast<unsigned>(i * 64) + static_cast<unsigned>(std::countr_zero(word[i]));
        return 64 * W;
    }
    constexpr void drop_lowest() {
        for (auto& w : word)
            if (w) {
                w &= w - 1;
                return;
            }
    }
    template <class Visit>
    constexpr void each(Visit visit) const {
        for (std::size_t i = 0; i < W; ++i)
            for (auto w = word[i]; w; w &= w - 1)
                visit(static_cast<unsigned>(i * 64) + static_cast<unsigned>(std::countr_zero(w)));
    }
    constexpr Bits operator>>(unsigned n) const {
        Bits bits;
        const std::size_t whole = n / 64;
        const unsigned part = n % 64;
        for (std::size_t i = 0; i + whole < W; ++i) {
            bits.word[i] = word[i + whole] >> part;
            if (part && i + whole + 1 < W) bits.word[i] |= word[i + whole + 1] << (64 - part);
        }
        return bits;
    }
    constexpr Bits operator<<(unsigned n) const {
        Bits bits;
        const std::size_t whole = n / 64;
        const unsigned part = n % 64;
        for (std::size_t i = W; i-- > whole;) {
            bits.word[i] = word[i - whole] << part;
            if (part && i > whole) bits.word[i] |= word[i - whole - 1] >> (64 - part);
        }
        return bits;
    }
    friend constexpr Bits operator&(Bits a, const Bits& b) {
        for (std::size_t i = 0; i < W; ++i) a.word[i] &= b.word[i];
        return a;
    }
    friend constexpr Bits operator|(Bits a, const Bits& b) {
        for (std::size_t i = 0; i < W; ++i) a.word[i] |= b.word[i];
        return a;
    }
    friend constexpr Bits operator^(Bits a, const Bits& b) {
        for (std::size_t i = 0; i < W; ++i) a.word[i] ^= b.word[i];
        return a;
    }
    friend constexpr Bits operator~(Bits a) {
        for (auto& w : a.word) w = ~w;
        return a;
    }
    // By hand, because the default one of the array calls memcmp in the innermost loops.
    friend constexpr bool operator==(const Bits& a, const Bits& b) {
        std::uint64_t difference = 0;
        for (std::size_t i = 0; i < W; ++i) difference |= a.word[i] ^ b.word[i];
        return difference == 0;
    }
    constexpr auto operator<=>(const Bits&) const = default;
};

}  // namespace zermelo
