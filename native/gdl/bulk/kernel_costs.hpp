// What random games cost by either kernel, by counted work: the same on every machine, and roughly right in
// nanoseconds.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "gdl/bulk/bulk.hpp"
#include "gdl/single/single.hpp"

namespace zermelo::gdl {

// A unit of work of each kernel, and what each step costs SL besides.
inline constexpr double kBulkNs = 1.1, kSingleNs = 8, kSingleStepNs = 60;
// BP is made for circuits where that takes a second at most: the lane takes longer than that.
inline constexpr std::size_t kMostBulkInputs = std::size_t{1} << 18;

// The random games of a batch begin from a few leaves, and from more where the tree is large. A batch pays where it
// brings so many times the games of SL.
inline constexpr std::uint32_t kFewestLeaves = 16, kMostLeaves = 64;
inline constexpr double kLeastGain = 4;

inline double leaves_wanted(std::uint32_t visits) { return std::sqrt(static_cast<double>(visits)); }
inline std::uint32_t leaves_of_batch(double wanted) {
    return std::bit_floor(static_cast<std::uint32_t>(std::clamp<double>(wanted, kFewestLeaves, kMostLeaves)));
}

struct KernelCosts {
    double single;  // of one game
    double batch;   // of so many at once
};

inline KernelCosts kernel_costs(const std::shared_ptr<const single::Net>& net, const Bulk& bulk, std::uint32_t batch,
                                std::uint32_t sampled) {
    constexpr std::uint32_t kSteps = 200;
    SingleLane lane(net);
    Random random(1);
    std::uint64_t steps = 0;
    lane.mark();
    const auto begin = lane.work();
    for (std::uint32_t i = 0; i < sampled; ++i) {
        lane.rewind();
        steps += lane.playout(random, kSteps);
    }
    return {(kSingleNs * static_cast<double>(lane.work() - begin) + kSingleStepNs * static_cast<double>(steps)) /
                sampled,
            kBulkNs * static_cast<double>(bulk.work(batch, kSteps))};
}

}  // namespace zermelo::gdl
