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
#include <cstdint>
#include <span>
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

    Lines(unsigned k, const std::array<unsigned, 4>& directions, const Set& board) : k_(k) {
        for (unsigned length = 1; length < k;) {
            const auto step = std::min(length, k - length);
            steps_[step_count_++] = step;
            length += step;
        }
        // Only the directions in which a line fits: their shifts are shorter than the board.
        for (const auto d : directions) {
            const auto found = windows(board, d);
            if (found.empty()) continue;
            directions_[direction_count_++] = d;
            masks_.insert(masks_.end(), found.begin(), found.end());
            if (k == 1) break;  // a cell is one line, not four
        }
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
        switch (k_) {
            case 3: return complete_of<3>(stones);
            case 4: return complete_of<4>(stones);
            case 5: return complete_of<5>(stones);
            default: break;
        }
        for (const auto d : ways())
            if (starts(stones, d).any()) return true;
        return false;
    }

    // The same for a set that holds no line without `cell`: only runs through that cell count.
    bool complete_through(const Set& stones, unsigned cell) const {
        if constexpr (W == 1) return complete(stones);
        for (const auto d : ways()) {
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
        for (const auto d : ways()) found = found | spread(starts(set, d), d);
        return found;
    }

    // Cells of `free` that would complete a line of stones.
    Set completions(const Set& stones, const Set& free) const {
        switch (k_) {
            case 3: return completions_of<3>(stones) & free;
            case 4: return completions_of<4>(stones) & free;
            case 5: return completions_of<5>(stones) & free;
            default: return lacking_one(stones, free);
        }
    }

    Lacking lacking(const Set& stones, const Set& free) const {
        Lacking found;
        for (const auto d : ways()) {
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
    std::span<const unsigned> ways() const { return std::span(directions_).first(direction_count_); }

    // Within a word every shift along a line that fits is shorter than the word.
    static Set down(const Set& set, unsigned n) {
        if constexpr (W == 1) return {{set.word[0] >> n}};
        else return set >> n;
    }
    static Set up(const Set& set, unsigned n) {
        if constexpr (W == 1) return {{set.word[0] << n}};
        else return set << n;
    }
    // The usual lengths, with all loops but the one over directions unrolled.
    template <unsigned K>
    bool complete_of(const Set& stones) const {
        constexpr unsigned half = K / 2;
        Set found;
        for (const auto d : ways()) {
            auto run = stones & down(stones, d);
            if constexpr (K > 3) run = run & down(run, half * d);
            if constexpr (K % 2) run = run & down(stones, (K - 1) * d);
            found = found | run;
        }
        return found.any();
    }
    [[gnu::noinline]] Set lacking_one(const Set& stones, const Set& free) const {
        Set found;
        for (const auto d : ways()) found = found | spread(grow<false>(Windows{stones, free, {}}, d).one, d);
        return found & free;
    }
    // A cell completes a line if there are j stones in a row on one side of it and at least k - 1 - j on the other.
    template <unsigned K>
    Set completions_of(const Set& stones) const {
        Set found;
        for (const auto d : ways()) {
            std::array<Set, K> after;  // cells with at least j stones in a row above them
            after[1] = down(stones, d);
            for (unsigned j = 2; j < K; ++j) after[j] = after[j - 1] & down(stones, j * d);
            auto before = up(stones, d);
            found = found | after[K - 1];
            for (unsigned j = 1; j < K - 1; ++j) {
                found = found | (before & after[K - 1 - j]);
                before = before & up(stones, (j + 1) * d);
            }
            found = found | before;
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
    std::array<unsigned, 4> directions_{};
    unsigned direction_count_ = 0;
    std::array<unsigned, 32> steps_{};  // doubling: k - 1 is the sum of at most 32 steps
    unsigned step_count_ = 0;
    std::vector<Set> masks_;
    std::vector<std::uint64_t> table_;
};

}  // namespace zermelo
