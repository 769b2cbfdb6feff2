// Bounds for domineering boards within 8 x 8: cut into strips of two lines.
//
// Between two rows only Left's dominoes cross. A board cut there is worth at most as much, since Left has lost moves;
// cut between columns it is worth at least as much. The strips are sums whose means and temperatures are known.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "cgt/boards/algebra.hpp"
#include "cgt/boards/dominoes.hpp"
#include "cgt/boards/evaluate.hpp"
#include "cgt/outcome/units.hpp"
#include "cgt/values/thermograph.hpp"

namespace zermelo::cgt::outcome {

class Strips {
public:
    using Values = boards::Evaluation<boards::Domineering, boards::Games>;

    Strips(Arena& arena, Values& values) : thermographs_(arena), values_(values) {}

    // Rows of eight bits.
    Means means(boards::Mask cells, Control& control) {
        const auto [low, low_heat] = below(cells, control);
        const auto [up, up_heat] = below(boards::Grid::transposed(cells), control);  // its value is the negative
        return {low, -up, low_heat, up_heat};
    }

private:
    struct Strip {
        Fixed mean = 0;   // rounded down
        Fixed heat = -1;  // rounded up; -1 where it was not drawn
    };

    // The better of the two ways to cut into pairs of rows.
    Strip below(boards::Mask cells, Control& control) {
        Strip best{0, -1};
        for (const unsigned first : {0u, 1u}) {
            Strip sum{0, 0};
            if (first == 1) add(sum, cells & 0xff, control);
            for (unsigned row = first; row < 8; row += 2) add(sum, cells >> 8 * row & 0xffff, control);
            if (best.heat < 0 || sum.mean > best.mean || (sum.mean == best.mean && sum.heat < best.heat)) best = sum;
        }
        return best;
    }
    void add(Strip& sum, boards::Mask pattern, Control& control) {
        if (pattern == 0) return;
        Strip& known = strips_[pattern];
        if (known.heat < 0) {
            const auto& drawn = thermographs_.of(values_.value({pattern}, control));
            constexpr Fixed kMost = Fixed{1} << 40;  // no mean of 16 cells comes near
            known.mean = *units_below(drawn.mean, kMost);
            known.heat = std::max<Fixed>(0, -*units_below(-drawn.temperature, kMost));
        }
        sum.mean += known.mean;
        sum.heat = std::max(sum.heat, known.heat);
    }

    Thermographs thermographs_;
    Values& values_;
    std::vector<Strip> strips_ = std::vector<Strip>(1 << 16);
};

}  // namespace zermelo::cgt::outcome
