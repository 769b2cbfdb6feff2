// A sum of scored trees as it comes from outside: positions, options before what they are options of.
//
//     Problem problem;                                 // {5|-5} + {5|-5}
//     problem.number = {5, -5, 0};                     // of positions that are over
//     problem.first_left = {0, 0, 0, 1}; problem.left = {0};
//     problem.first_right = {0, 0, 0, 1}; problem.right = {1};
//     problem.components = {2, 2};
//     check(problem);                                  // throws std::invalid_argument
#pragma once

#include <cstdint>
#include <vector>

#include "cgt/numbers/integer.hpp"

namespace zermelo::cgt::sums {

using Id = std::uint32_t;

struct Problem {
    std::vector<Integer> number;            // of each position; counts only where there are no options
    std::vector<std::uint32_t> first_left;  // one more than positions: where the options of each begin
    std::vector<Id> left;
    std::vector<std::uint32_t> first_right;
    std::vector<Id> right;
    std::vector<Id> components;
    std::vector<std::uint32_t> copies;  // of each component; empty: one of each

    std::size_t size() const { return number.size(); }
    bool over(Id position) const { return first_left[position] == first_left[position + 1]; }
    std::uint32_t copies_of(std::size_t component) const { return copies.empty() ? 1 : copies[component]; }
};

// So many equal components: a sum of a million copies is as small as one of two.
struct Part {
    Id kind;
    std::uint32_t count;
    friend bool operator==(const Part&, const Part&) = default;
};

// What hashes a component (splitmix64); a sum is hashed by the total.
inline std::uint64_t mark(Id id) {
    std::uint64_t x = (std::uint64_t{id} + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// Options on both sides or on none; options come before; components are positions, fewer than 2^32 in all.
void check(const Problem& problem);

}  // namespace zermelo::cgt::sums
