// Numbers in units of 2^-n.
#pragma once

#include <cstdint>
#include <optional>

#include "cgt/numbers/dyadic.hpp"

namespace zermelo::cgt::outcome {

// A number in units, rounded down; beyond so many units, nothing.
inline std::optional<std::int64_t> units_below(const Dyadic& number, unsigned bits, std::int64_t largest) {
    const Dyadic scaled(number.numerator().shifted_left(bits), number.exponent());
    const Dyadic most(largest);
    if (most < scaled || scaled < -most) return std::nullopt;
    return scaled.floor().small();
}

}  // namespace zermelo::cgt::outcome
