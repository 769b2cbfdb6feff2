// Bounds for domineering boards within 8 x 8: cut into strips of two lines.
//
// Between two rows only Left's dominoes cross. A board cut there is worth at most as much, since Left has lost moves;
// cut between columns it is worth at least as much. The strips are sums whose thermographs are known.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "cgt/boards/algebra.hpp"
#include "cgt/boards/dominoes.hpp"
#include "cgt/boards/evaluate.hpp"
#include "cgt/outcome/walls.hpp"
#include "cgt/values/thermograph.hpp"

namespace zermelo::cgt::outcome {

class Strips {
public:
    using Values = boards::Evaluation<boards::Domineering, boards::Games>;

    Strips(Arena& arena, Values& values) : thermographs_(arena), values_(values) {}

    // Rows of eight bits.
    Walls walls(boards::Mask cells, Control& control) {
        const Strip low = below(cells, control);
        const Strip high = below(boards::Grid::transposed(cells), control);  // its value is the negative
        Walls found{low.wall, low.width, high.wall, high.width};
        for (auto& one : found.left) one = -one;
        return found;
    }

private:
    struct Strip {
        Walls::Row wall{}, width{};  // the right wall, and how far the left one is from it
    };

    // The best way to cut into strips of one or two rows, for each tax its own; `best[r]` is that for the first r rows.
    Strip below(boards::Mask cells, Control& control) {
        std::array<Strip, 9> best{};
        for (unsigned row = 1; row <= 8; ++row) {
            best[row] = with(best[row - 1], cells >> 8 * (row - 1) & 0xff, control);
            if (row > 1) improve(best[row], with(best[row - 2], cells >> 8 * (row - 2) & 0xffff, control));
        }
        return best[8];
    }
    static void improve(Strip& best, const Strip& other) {
        for (std::size_t i = 0; i < Walls::kTaxes; ++i) {
            const bool better = other.wall[i] + other.width[i] > best.wall[i] + best.width[i];
            if (!better) continue;
            best.wall[i] = other.wall[i];
            best.width[i] = other.width[i];
        }
    }
    Strip with(Strip sum, boards::Mask pattern, Control& control) {
        if (pattern == 0) return sum;
        const Strip& strip = known(static_cast<std::size_t>(pattern), control);
        for (std::size_t i = 0; i < Walls::kTaxes; ++i) {
            sum.wall[i] += strip.wall[i];
            sum.width[i] = std::max(sum.width[i], strip.width[i]);
        }
        return sum;
    }
    const Strip& known(std::size_t pattern, Control& control) {
        if (drawn_[pattern] == 0) {
            const Walls walls = Walls::of(thermographs_.of(values_.value({pattern}, control)));
            strips_[pattern] = {walls.right, walls.right_width};
            drawn_[pattern] = 1;
        }
        return strips_[pattern];
    }

    Thermographs thermographs_;
    Values& values_;
    std::vector<Strip> strips_ = std::vector<Strip>(1 << 16);
    std::vector<char> drawn_ = std::vector<char>(1 << 16);
};

}  // namespace zermelo::cgt::outcome
