// Bounds for domineering boards within 8 x 8: cut into strips of up to four lines.
//
// Between two rows only Left's dominoes cross. A board cut there is worth at most as much, since Left has lost moves;
// cut between columns it is worth at least as much. The strips have few enough cells for their values, and so their
// thermographs, to be known.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cgt/boards/algebra.hpp"
#include "cgt/boards/dominoes.hpp"
#include "cgt/boards/evaluate.hpp"
#include "cgt/outcome/walls.hpp"
#include "cgt/values/thermograph.hpp"
#include "zermelo/large_pages.hpp"

namespace zermelo::cgt::outcome {

class Strips {
public:
    using Values = boards::Evaluation<boards::Domineering, boards::Games>;

    Strips(Arena& arena, Values& values) : thermographs_(arena), values_(values) {}

    // Rows of eight bits.
    Walls walls(boards::Mask cells, Control& control) {
        const Strip low = below(cells, control);
        const Strip high = below(boards::Grid::transposed(cells), control);  // its value is the negative
        Walls found;
        for (std::size_t i = 0; i < Walls::kTaxes; ++i) {
            found.right[i] = low.wall[i] * kUnits;
            found.right_width[i] = low.width[i] * kUnits;
            found.left[i] = -high.wall[i] * kUnits;
            found.left_width[i] = high.width[i] * kUnits;
        }
        return found;
    }

private:
    static constexpr unsigned kMostRows = 4;
    static constexpr unsigned kMostCells = 20;                // more cost more than they save, as measured
    static constexpr std::int32_t kUnits = Walls::kOne >> 8;  // in a unit of a strip; eight fit into one register
    static constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15ull;
    using Row = std::array<std::int16_t, Walls::kTaxes>;
    struct Strip {
        Row wall{}, width{};  // the right wall, rounded down, and how far the left one is from it
        bool operator==(const Strip&) const = default;
    };
    struct HashOfStrip {
        std::size_t operator()(const Strip& strip) const {
            std::uint64_t hash = 0;
            for (const auto units : strip.wall) hash = (hash ^ static_cast<std::uint16_t>(units)) * kMultiplier;
            for (const auto units : strip.width) hash = (hash ^ static_cast<std::uint16_t>(units)) * kMultiplier;
            return static_cast<std::size_t>(hash ^ hash >> 32);
        }
    };
    // Many patterns have the same walls: a slot says which, and stays small.
    struct Slot {
        std::uint32_t pattern = 0, strip = 0;
    };

    // The best way to cut into strips, for each tax its own; `best[r]` is that for the first r rows.
    Strip below(boards::Mask cells, Control& control) {
        std::array<Strip, 9> best;
        best[0] = Strip{};
        const auto sizes = cells_of_rows(cells);
        const unsigned rows = (64u - static_cast<unsigned>(std::countl_zero(cells)) + 7) / 8;
        for (unsigned row = 1; row <= rows; ++row) {
            best[row] = sum(best[row - 1], known(cells >> 8 * (row - 1) & 0xff, control));
            unsigned size = sizes[row - 1];
            for (unsigned high = 2; high <= std::min(row, kMostRows); ++high) {
                size += sizes[row - high];
                const auto pattern = cells >> 8 * (row - high) & ((boards::Mask{1} << 8 * high) - 1);
                if ((pattern & 0xff) == 0 || size > kMostCells) break;
                improve(best[row], sum(best[row - high], known(pattern, control)));
            }
        }
        return best[rows];
    }
    // Counted in all rows at once.
    static std::array<std::uint8_t, 8> cells_of_rows(boards::Mask cells) {
        cells -= cells >> 1 & 0x5555555555555555ull;
        cells = (cells & 0x3333333333333333ull) + (cells >> 2 & 0x3333333333333333ull);
        cells = (cells + (cells >> 4)) & 0x0f0f0f0f0f0f0f0full;
        std::array<std::uint8_t, 8> sizes;
        for (std::size_t row = 0; row < sizes.size(); ++row) sizes[row] = static_cast<std::uint8_t>(cells >> 8 * row);
        return sizes;
    }
    static Strip sum(const Strip& a, const Strip& b) {
        Strip both;
        for (std::size_t i = 0; i < Walls::kTaxes; ++i) {
            both.wall[i] = static_cast<std::int16_t>(a.wall[i] + b.wall[i]);
            both.width[i] = std::max(a.width[i], b.width[i]);
        }
        return both;
    }
    static void improve(Strip& best, const Strip& other) {
        for (std::size_t i = 0; i < Walls::kTaxes; ++i) {
            const bool better = other.wall[i] + other.width[i] > best.wall[i] + best.width[i];
            best.wall[i] = better ? other.wall[i] : best.wall[i];
            best.width[i] = better ? other.width[i] : best.width[i];
        }
    }
    const Strip& known(boards::Mask pattern, Control& control) {
        if (pattern == 0) return strips_[0];
        auto& slot = slots_[(pattern * kMultiplier) >> (64 - kSlotBits)];
        if (slot.pattern != pattern) slot = {static_cast<std::uint32_t>(pattern), place(drawn(pattern, control))};
        return strips_[slot.strip];
    }
    std::uint32_t place(const Strip& strip) {
        const auto [found, fresh] = places_.try_emplace(strip, static_cast<std::uint32_t>(strips_.size()));
        if (fresh) strips_.push_back(strip);
        return found->second;
    }
    Strip drawn(boards::Mask pattern, Control& control) {
        Strip strip;
        values_.each_value({pattern}, control, [&](Arena::Id value) { strip = sum(strip, of_value(value)); });
        return strip;
    }
    const Strip& of_value(Arena::Id value) {
        const auto found = of_value_.find(value);
        if (found != of_value_.end()) return found->second;
        const Walls walls = Walls::of(thermographs_.of(value));
        Strip strip;
        for (std::size_t i = 0; i < Walls::kTaxes; ++i) {  // shifts round down
            strip.wall[i] = static_cast<std::int16_t>(walls.right[i] >> 4);
            strip.width[i] = static_cast<std::int16_t>(walls.right_width[i] >> 4);
        }
        return of_value_.emplace(value, strip).first->second;
    }

    static constexpr unsigned kSlotBits = 20;
    Thermographs thermographs_;
    Values& values_;
    std::unordered_map<Arena::Id, Strip> of_value_;
    std::unordered_map<Strip, std::uint32_t, HashOfStrip> places_;
    std::vector<Strip> strips_ = std::vector<Strip>(1);
    LargeVector<Slot> slots_ = LargeVector<Slot>(std::size_t{1} << kSlotBits);
};

}  // namespace zermelo::cgt::outcome
