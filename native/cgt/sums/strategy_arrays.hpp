// A written strategy (strategy.hpp) as arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "cgt/sums/problem.hpp"

namespace zermelo::cgt::sums {

// All positions are those of the problem. Taxes are times 2^scale.
struct Strategy {
    std::vector<std::uint32_t> first;   // where the components of each sum begin, and the end of the last
    std::vector<Id> components;         // ascending
    std::vector<std::uint32_t> copies;  // of each of them
    std::vector<std::uint8_t> left_moves;
    std::vector<std::uint8_t> bounded;       // by a bound, or by a move
    std::vector<Id> from, to;                // the move; of a bound, which component is opened, twice
    std::vector<Integer> tax;                // of bounds only
    std::vector<Id> reply_from, reply_to;    // replies that are compared, best means first
    std::vector<std::uint32_t> over, under;  // of which one makes another superfluous
};

}  // namespace zermelo::cgt::sums
