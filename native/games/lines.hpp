// Straight lines of k cells on a board of bits, all of them at once.
//
// A line is a start cell and a direction, a shift by a fixed number of bits. Cells that no stone can stand on (a
// spare column or row between the board's own) keep shifts from wrapping. A window of length a + b is a window of
// length a followed by one of length b, so properties of all windows of length k take O(log k) shifts.
//
//     Lines<1> lines(3, {1, 4, 5, 3}, board);       // three in a row on 3 x 3 with one spare column
//     lines.complete(stones)                        // is there a line of stones?
//     lines.lacking(stones, free).one               // free cells that would complete one
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "zermelo/bits.hpp"

namespace zermelo {

template <std::size_t W>
class Lines {
public:
    using Set = Bits<W>;
    struct Lacking {
        Set one, two;  // free cells of lines that lack exactly one stone, exactly two stones, and no cell is taken
    };

    Lines(unsigned k, const std::array<unsigned, 4>& directions, const Set& board) : k_(k), directions_(directions) {
        for (unsigned length = 1; length < k;) {
            const auto step = std::min(length, k - length);
            steps_[step_count_++] = step;
            length += step;
        }
        for (const auto d : directions)
            for (const auto& line : windows(board, d)) masks_.push_back(line);
        if (k == 1) masks_.resize(masks_.size() / directions.size());  // a cell is one line, not four
        possible_ = !masks_.empty();
        if constexpr (W == 1) {
            // Small boards: whether each set of stones holds a line, once and for all.
            const auto bits = static_cast<unsigned>(std::bit_width(board.word[0]));
            if (bits <= kTableBits) {
                std::vector<std::uint64_t> table(((std::size_t{1} << bits) + 63) / 64);
                for (std::uint64_t set = 0; set >> bits == 0; ++set)
                    if (complete(Set{{set}})) table[set / 64] |= std::uint64_t{1} << set % 64;
                table_ = std::move(table);
            }
        }
    }

    bool complete(const Set& stones) const {
        if constexpr (W == 1) {
            if (!table_.empty()) return table_[stones.word[0] / 64] >> stones.word[0] % 64 & 1;
        }
        if (!possible_) return false;
        for (const auto d : directions_)
            if (starts(stones, d).any()) return true;
        return false;
    }

    // The same for a set that holds no line without `cell`: only runs through that cell count.
    bool complete_through(const Set& stones, unsigned cell) const {
        if constexpr (W == 1) return complete(stones);
        for (const auto d : directions_) {
            unsigned run = 1;
            for (auto i = cell + d; i < 64 * W && stones.has(i); i += d) ++run;
            for (auto i = cell - d; i < 64 * W && stones.has(i); i -= d) ++run;  // wraps to a large number below 0
            if (run >= k_) return true;
        }
        return false;
    }

    // Cells that lie on some line within the set.
    Set cover(const Set& set) const {
        Set found;
        if (!possible_) return found;
        for (const auto d : directions_) found = found | spread(starts(set, d), d);
        return found;
    }

    // Cells of `free` that would complete a line of stones.
    Set completions(const Set& stones, const Set& free) const {
        Set found;
        if (!possible_) return found;
        for (const auto d : directions_) {
            Windows all{stones, free, {}};
            found = found | spread(grow<false>(all, d).one, d);
        }
        return found & free;
    }

    Lacking lacking(const Set& stones, const Set& free) const {
        Lacking found;
        if (!possible_) return found;
        for (const auto d : directions_) {
            const auto all = grow<true>(Windows{stones, free, {}}, d);
            found.one = found.one | spread(all.one, d);
            found.two = found.two | spread(all.two, d);
        }
        found.one = found.one & free;
        found.two = found.two & free;
        return found;
    }

    const std::vector<Set>& masks() const { return masks_; }
    unsigned k() const { return k_; }

private:
    static constexpr unsigned kTableBits = 16;

    // Start cells of the windows with no, one and two free cells, all others stones.
    struct Windows {
        Set full, one, two;
    };
    template <bool Two>
    static Windows join(const Windows& a, const Windows& b, unsigned shift) {
        const Windows next{b.full >> shift, b.one >> shift, Two ? b.two >> shift : Set{}};
        return {a.full & next.full, (a.one & next.full) | (a.full & next.one),
                Two ? (a.two & next.full) | (a.one & next.one) | (a.full & next.two) : Set{}};
    }
    // Windows of length k by the binary digits of k, as in repeated squaring.
    template <bool Two>
    Windows grow(Windows base, unsigned d) const {
        unsigned length = 1, left = k_;
        while (left % 2 == 0) base = join<Two>(base, base, length * d), length *= 2, left /= 2;
        auto found = base;
        auto total = length;
        while (left /= 2) {
            base = join<Two>(base, base, length * d), length *= 2;
            if (left % 2) found = join<Two>(found, base, total * d), total += length;
        }
        return found;
    }
    Set starts(Set run, unsigned d) const {
        for (unsigned i = 0; i < step_count_; ++i) run = run & (run >> (steps_[i] * d));
        return run;
    }
    Set spread(Set run, unsigned d) const {
        for (unsigned i = 0; i < step_count_; ++i) run = run | (run << (steps_[i] * d));
        return run;
    }
    std::vector<Set> windows(const Set& board, unsigned d) const {
        std::vector<Set> found;
        starts(board, d).each([&](unsigned cell) {
            Set line;
            for (unsigned i = 0; i < k_; ++i) line = line | Set::cell(cell + i * d);
            found.push_back(line);
        });
        return found;
    }

    unsigned k_;
    std::array<unsigned, 4> directions_;
    std::array<unsigned, 32> steps_{};  // doubling: k - 1 is the sum of at most 32 steps
    unsigned step_count_ = 0;
    bool possible_ = false;             // false if no line of k fits on the board
    std::vector<Set> masks_;
    std::vector<std::uint64_t> table_;
};

}  // namespace zermelo
