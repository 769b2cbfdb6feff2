// Sets of cells of a board of at most 64 cells, as words: cell (row, column) is bit row * stride + column.
//
// Boards that fit into 8 x 8 have stride 8, so that they can be turned by a quarter with a few shifts; longer ones have
// their width as stride and are only turned by a half.
//
//     const Grid grid(3, 4);
//     const Mask corner = grid.cell(0, 0);
//     grid.around(corner) == (grid.cell(0, 1) | grid.cell(1, 0));
//     grid.connected(corner, grid.board()) == grid.board();
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

namespace zermelo::cgt::boards {

using Mask = std::uint64_t;

// Number of rows and columns from the first to the last cell of a set.
struct Box {
    unsigned height, width;
};

class Grid {
public:
    Grid(unsigned rows, unsigned columns)
        : rows_(rows), columns_(columns), stride_(std::max(rows, columns) <= 8 ? 8 : columns) {
        if (rows == 0 || columns == 0 || rows > 64 || columns > 64 || rows * columns > 64)
            throw std::invalid_argument("a board has 1 to 64 cells");
        lines_ = 64 / stride_;
        row_ = stride_ == 64 ? ~Mask{0} : (Mask{1} << stride_) - 1;
        for (unsigned line = 0; line < lines_; ++line) first_ |= Mask{1} << line * stride_;
        last_ = first_ << (stride_ - 1);
        for (unsigned row = 0; row < rows; ++row)
            for (unsigned column = 0; column < columns; ++column) board_ |= cell(row, column);
    }

    unsigned rows() const { return rows_; }
    unsigned columns() const { return columns_; }
    unsigned stride() const { return stride_; }
    Mask board() const { return board_; }
    Mask cell(unsigned row, unsigned column) const { return Mask{1} << (row * stride_ + column); }
    bool turns() const { return stride_ == 8; }  // by a quarter

    // Each cell moved by one; those that leave the word are gone. Cells that leave the board must be masked away by the
    // caller.
    Mask east(Mask m) const { return (m & ~last_) << 1; }
    Mask west(Mask m) const { return (m & ~first_) >> 1; }
    Mask south(Mask m) const { return stride_ == 64 ? 0 : m << stride_; }
    Mask north(Mask m) const { return stride_ == 64 ? 0 : m >> stride_; }
    Mask around(Mask m) const {
        // The common stride spelled out, for shifts by constants.
        if (stride_ == 8) return (m & 0x7F7F7F7F7F7F7F7Full) << 1 | (m & 0xFEFEFEFEFEFEFEFEull) >> 1 | m << 8 | m >> 8;
        return east(m) | west(m) | south(m) | north(m);
    }
    Mask all_around(Mask m) const {  // diagonals too
        const Mask wide = m | east(m) | west(m);
        return (wide | south(wide) | north(wide)) & ~m;
    }

    // The cells of `within` that can be reached from the seed by steps to the side.
    Mask connected(Mask seed, Mask within) const {
        for (Mask grown = seed;; seed = grown) {  // two steps between looks
            grown = seed | (around(seed) & within);
            grown |= around(grown) & within;
            if (grown == seed) return seed;
        }
    }
    Mask connected_diagonally(Mask seed, Mask within) const {
        for (Mask grown = seed;; seed = grown) {
            grown = seed | (all_around(seed) & within);
            if (grown == seed) return seed;
        }
    }

    // How far the set has to be moved right, as a word, to lie in the corner of row 0 and column 0; it must not be
    // empty.
    unsigned offset(Mask m) const {
        const auto row = static_cast<unsigned>(std::countr_zero(m)) / stride_;
        return row * stride_ + static_cast<unsigned>(std::countr_zero(columns_of(m)));
    }
    // Of a set in the corner.
    Box box(Mask m) const {
        return {(63u - static_cast<unsigned>(std::countl_zero(m))) / stride_ + 1,
                64u - static_cast<unsigned>(std::countl_zero(columns_of(m)))};
    }

    // Images of a set in the corner that fits into the box; they lie in the corner too.
    Mask upside_down(Mask m, Box box) const {
        if (stride_ == 8) return bytes_reversed(m) >> 8 * (8 - box.height);
        Mask turned = 0;
        for (unsigned row = 0; row < box.height; ++row)
            turned |= (m >> row * stride_ & row_) << (box.height - 1 - row) * stride_;
        return turned;
    }
    Mask mirrored(Mask m, Box box) const {
        if (stride_ == 8) return bits_of_bytes_reversed(m) >> (8 - box.width);
        // Turned by a half, then upside down.
        const Mask half = bits_of_bytes_reversed(bytes_reversed(m)) >> (64 - ((box.height - 1) * stride_ + box.width));
        return upside_down(half, box);
    }
    // Rows become columns; only where turns() holds.
    static Mask transposed(Mask m) {
        Mask t = (m ^ m >> 7) & 0x00AA00AA00AA00AAull;
        m ^= t ^ t << 7;
        t = (m ^ m >> 14) & 0x0000CCCC0000CCCCull;
        m ^= t ^ t << 14;
        t = (m ^ m >> 28) & 0x00000000F0F0F0F0ull;
        return m ^ t ^ t << 28;
    }

private:
    // The columns that hold a cell, as bits of row 0.
    Mask columns_of(Mask m) const {
        if (stride_ == 8) {
            m |= m >> 32;
            m |= m >> 16;
            return (m | m >> 8) & 0xff;
        }
        Mask columns = 0;
        for (; m != 0; m = stride_ == 64 ? 0 : m >> stride_) columns |= m & row_;
        return columns;
    }
    static Mask bytes_reversed(Mask m) {
        m = (m & 0x00FF00FF00FF00FFull) << 8 | (m >> 8 & 0x00FF00FF00FF00FFull);
        m = (m & 0x0000FFFF0000FFFFull) << 16 | (m >> 16 & 0x0000FFFF0000FFFFull);
        return m << 32 | m >> 32;
    }
    static Mask bits_of_bytes_reversed(Mask m) {
        m = (m & 0x5555555555555555ull) << 1 | (m >> 1 & 0x5555555555555555ull);
        m = (m & 0x3333333333333333ull) << 2 | (m >> 2 & 0x3333333333333333ull);
        return (m & 0x0F0F0F0F0F0F0F0Full) << 4 | (m >> 4 & 0x0F0F0F0F0F0F0F0Full);
    }

    unsigned rows_, columns_, stride_, lines_ = 0;
    Mask row_ = 0, first_ = 0, last_ = 0, board_ = 0;
};

// Bits row by row without gaps, to cells of the grid.
inline Mask spread(const Grid& grid, std::uint64_t bits) {
    Mask cells = 0;
    for (unsigned row = 0; row < grid.rows(); ++row)
        for (unsigned column = 0; column < grid.columns(); ++column)
            if ((bits >> (row * grid.columns() + column) & 1) != 0) cells |= grid.cell(row, column);
    return cells;
}

// Takes the lowest cell out of a set and returns it.
inline Mask take_lowest(Mask& m) {
    const Mask lowest = m & (~m + 1);
    m ^= lowest;
    return lowest;
}

}  // namespace zermelo::cgt::boards
