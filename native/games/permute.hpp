// Symmetries of a board of up to 64 cells: permutations of bits, one table look-up a byte; and the n-th bit of a set.
//
//     Permutations mirror(16);
//     mirror.add(board_image(4, 4, Turn{.flip_rows = false, .flip_columns = true, .transpose = false}));
//     std::uint64_t image = mirror.apply(0, stones);
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace zermelo {

class Permutations {
public:
    explicit Permutations(unsigned cells) : bytes_((cells + 7) / 8) {}

    // image[i] is where cell i goes.
    void add(std::span<const unsigned> image) {
        const auto begin = tables_.size();
        tables_.resize(begin + bytes_ * 256);
        for (std::size_t cell = 0; cell < image.size(); ++cell)
            for (std::size_t byte = 0; byte < 256; ++byte)
                if (byte >> (cell % 8) & 1) tables_[begin + cell / 8 * 256 + byte] |= std::uint64_t{1} << image[cell];
    }
    std::size_t count() const { return tables_.size() / (bytes_ * 256); }
    std::uint64_t apply(std::size_t which, std::uint64_t bits) const {
        const auto* table = tables_.data() + which * bytes_ * 256;
        std::uint64_t image = 0;
        for (std::size_t byte = 0; byte < bytes_; ++byte, table += 256) image |= table[bits >> (8 * byte) & 255];
        return image;
    }

private:
    std::size_t bytes_;
    std::vector<std::uint64_t> tables_;
};

// The symmetries of a rectangle and of a square: flip the rows, flip the columns, exchange rows and columns.
struct Turn {
    bool flip_rows, flip_columns, transpose;

    static std::vector<Turn> all(bool square) {  // all but the identity
        std::vector<Turn> turns;
        for (unsigned i = 1; i < (square ? 8u : 4u); ++i) turns.push_back({(i & 1) != 0, (i & 2) != 0, (i & 4) != 0});
        return turns;
    }
    // Where row r, column c of a grid goes; a grid that is transposed must be square.
    constexpr std::pair<unsigned, unsigned> operator()(unsigned rows, unsigned columns, unsigned r, unsigned c) const {
        const unsigned row = flip_rows ? rows - 1 - r : r, column = flip_columns ? columns - 1 - c : c;
        return transpose ? std::pair{column, row} : std::pair{row, column};
    }
};

inline std::vector<unsigned> board_image(unsigned rows, unsigned columns, const Turn& turn) {
    std::vector<unsigned> image;
    for (unsigned r = 0; r < rows; ++r)
        for (unsigned c = 0; c < columns; ++c) {
            const auto [row, column] = turn(rows, columns, r, c);
            image.push_back(row * columns + column);
        }
    return image;
}

// The n-th lowest bit, counted from 0, of a set that has more than n.
inline std::uint64_t nth_bit(std::uint64_t bits, std::uint32_t n) {
    for (; n; --n) bits &= bits - 1;
    return bits & (~bits + 1);
}

}  // namespace zermelo
