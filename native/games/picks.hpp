// Many small uniform choices out of one random word, for playouts.
//
// A random word is a fraction f in [0, 1). Its choice below n is floor(n f), and the fractional part of n f is a
// uniform fraction again, less precise by log2 n bits: the next choice is taken from it (the digits of a number
// in a mixed radix). A fresh word is drawn before fewer than 31 bits are left, so each choice is uniform up to
// n * 2^-31.
//
//     Picks picks(random);
//     auto i = picks.below(9);
#pragma once

#include <bit>
#include <cstdint>

#include "zermelo/random.hpp"

namespace zermelo {

class Picks {
public:
    static constexpr std::uint32_t kMost = 511;  // bounds above this need more than nine bits
    explicit Picks(Random& random) : random_(random) {}

    std::uint32_t below(std::uint32_t bound) {
        const int need = static_cast<int>(std::bit_width(bound));
        if (bits_ < need) {
            fraction_ = random_.next() >> (64 - kFraction);
            bits_ = kFraction - 31;
        }
        bits_ -= need;
        fraction_ *= bound;
        const auto pick = static_cast<std::uint32_t>(fraction_ >> kFraction);
        fraction_ &= (std::uint64_t{1} << kFraction) - 1;
        return pick;
    }

private:
    static constexpr int kFraction = 55;
    Random& random_;
    std::uint64_t fraction_ = 0;
    int bits_ = 0;
};

}  // namespace zermelo
