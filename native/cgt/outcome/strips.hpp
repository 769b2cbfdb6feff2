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

    // The best way to cut into strips of one or two rows; `best[r]` is that for the first r rows.
    Strip below(boards::Mask cells, Control& control) {
        std::array<Strip, 9> best{};
        best[0].heat = 0;
        for (unsigned row = 1; row <= 8; ++row) {
            best[row] = with(best[row - 1], cells >> 8 * (row - 1) & 0xff, control);
            if (row == 1) continue;
            const Strip pair = with(best[row - 2], cells >> 8 * (row - 2) & 0xffff, control);
            if (pair.mean > best[row].mean || (pair.mean == best[row].mean && pair.heat < best[row].heat))
                best[row] = pair;
        }
        return best[8];
    }
    Strip with(Strip sum, boards::Mask pattern, Control& control) {
        if (pattern == 0) return sum;
        Strip& known = strips_[pattern];
        if (known.heat < 0) {
            const auto& drawn = thermographs_.of(values_.value({pattern}, control));
            constexpr Fixed kMost = Fixed{1} << 40;  // no mean of 16 cells comes near
            known.mean = *units_below(drawn.mean, kMost);
            known.heat = std::max<Fixed>(0, -*units_below(-drawn.temperature, kMost));
        }
        sum.mean += known.mean;
        sum.heat = std::max(sum.heat, known.heat);
        return sum;
    }

    Thermographs thermographs_;
    Values& values_;
    std::vector<Strip> strips_ = std::vector<Strip>(1 << 16);
};

}  // namespace zermelo::cgt::outcome
