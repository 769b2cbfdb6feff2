// What random games cost by either kernel, by counted work: the same on every machine, and roughly right in
// nanoseconds.
#pragma once

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
