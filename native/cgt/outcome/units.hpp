// Numbers in units of 2^-20.
#pragma once

#include <optional>

#include "cgt/numbers/dyadic.hpp"
#include "cgt/outcome/source.hpp"

namespace zermelo::cgt::outcome {

// A number in units, rounded down; beyond so many units, nothing.
inline std::optional<Fixed> units_below(const Dyadic& number, Fixed largest) {
    const Dyadic scaled(number.numerator().shifted_left(20), number.exponent());
    const Dyadic most(largest);
    if (most < scaled || scaled < -most) return std::nullopt;
    return scaled.floor().small();
}

}  // namespace zermelo::cgt::outcome
