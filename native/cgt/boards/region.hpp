// Positions as planes of cells, and the one that stands for all its images.
//
// One plane is enough where cells are free or not (domineering, cram), two for up to four states of a cell. Games
// differ in what the images are worth: turning a domineering board by a quarter, or exchanging the colours in clobber,
// negates the value.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "cgt/boards/grid.hpp"

namespace zermelo::cgt::boards {

template <std::size_t Planes>
using Cells = std::array<Mask, Planes>;

enum class Images : std::uint8_t {
    turned,          // all turns and reflections have the same value
    turned_negated,  // reflections have the same value, a transposition has the negative
    swapped,         // all turns and reflections have the same value, an exchange of the planes has the negative
    turned_around,   // of a row: turned around with the first two planes exchanged it has the negative
};

template <std::size_t Planes>
Mask used(const Cells<Planes>& cells) {
    Mask all = 0;
    for (const Mask plane : cells) all |= plane;
    return all;
}

// Replaces a region, which must not be empty, by the least of its images that are not wider than high (of all, where it
// cannot be turned by a quarter); returns whether that one has the negative value. `own_negative` is set if another
// image is the same with the other sign: the region is then its own negative.
template <Images kind, std::size_t Planes>
bool normalise(const Grid& grid, Cells<Planes>& cells, bool& own_negative) {
    own_negative = false;
    const auto offset = grid.offset(used(cells));
    for (Mask& plane : cells) plane >>= offset;
    const Box box = grid.box(used(cells));
    if constexpr (kind == Images::turned_around) {
        Cells<Planes> image;
        for (std::size_t p = 0; p < Planes; ++p) image[p] = grid.mirrored(cells[p], box);
        std::swap(image[0], image[1]);
        const bool smaller = image < cells;
        own_negative = image == cells;
        if (smaller) cells = image;
        return smaller;
    }
    Cells<Planes> least;
    least.fill(~Mask{0});
    bool negated = false;
    const auto try_one = [&](const Cells<Planes>& image, bool negative) {
        if (image < least) {
            least = image;
            negated = negative;
            own_negative = false;
        } else if (negative != negated && image == least) {
            own_negative = true;
        }
    };
    const auto try_image = [&](const Cells<Planes>& image, bool transposed) {
        try_one(image, kind == Images::turned_negated && transposed);
        if constexpr (kind == Images::swapped) try_one({image[1], image[0]}, true);
    };
    const auto try_reflections = [&](const Cells<Planes>& of, Box size, bool transposed) {
        Cells<Planes> mirrored, upside_down, both;
        for (std::size_t p = 0; p < Planes; ++p) {
            mirrored[p] = grid.mirrored(of[p], size);
            upside_down[p] = grid.upside_down(of[p], size);
            both[p] = grid.upside_down(mirrored[p], size);
        }
        try_image(of, transposed);
        try_image(mirrored, transposed);
        try_image(upside_down, transposed);
        try_image(both, transposed);
    };
    if (!grid.turns() || box.height >= box.width) try_reflections(cells, box, false);
    if (grid.turns() && box.height <= box.width) {
        Cells<Planes> transposed;
        for (std::size_t p = 0; p < Planes; ++p) transposed[p] = Grid::transposed(cells[p]);
        try_reflections(transposed, {box.width, box.height}, true);
    }
    cells = least;
    return negated;
}

template <Images kind, std::size_t Planes>
bool normalise(const Grid& grid, Cells<Planes>& cells) {
    bool own_negative;
    return normalise<kind>(grid, cells, own_negative);
}

}  // namespace zermelo::cgt::boards
