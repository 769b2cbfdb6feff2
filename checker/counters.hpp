// Heaps of counters: sizes as texts, the largest first, and what a code says of moves in a heap.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "boards.hpp"

namespace checker {

// Numbers with commas between them, without zeros before them; BadInput for anything else.
Texts numbers_in(std::string_view text);
// Sizes as a position: the largest first, none of them 0.
Texts heaps_of(Texts sizes);
// `0` where there are no heaps.
std::string heaps_text(const Texts& heaps);

// Digit k says what may be left of a heap when k counters are taken: 1 nothing, 2 a heap, 4 two, 8 three, or sums. The
// first stands before the point; the tail repeats for ever. If `unequal`, heaps of a break must differ.
struct HeapCode {
    std::vector<unsigned> digits, tail = {};
    bool unequal = false;

    unsigned digit(std::uint64_t taken) const;
    // So many counters are taken from a heap at most.
    std::uint64_t longest(std::uint64_t heap) const;
    std::string text() const;
    // So many heaps that add up to a rest, the largest first and none above some size.
    void parted(std::uint64_t rest, unsigned heaps, std::uint64_t most, std::vector<std::uint64_t>& before,
                std::vector<std::vector<std::uint64_t>>& found) const;
};
HeapCode read_code(std::string_view text);
// The code that goes by a name, such as kayles; nullptr where there is none.
const HeapCode* code_named(const std::string& name);

}  // namespace checker
