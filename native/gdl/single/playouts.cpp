// Many playouts from one position, on several threads.
#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "gdl/single/single.hpp"

namespace zermelo::gdl {

namespace {

// One thread's share. Playouts are drawn in portions, each with its own random numbers, so that what is played does
// not depend on the number of threads.
constexpr std::uint64_t kPortion = 64;

void play_share(const SingleLane& from, std::uint64_t count, std::uint32_t max_steps, std::uint64_t seed,
                std::uint64_t& drawn, std::mutex& mutex, Control& control, Playouts& total) {
    SingleLane lane(from);
    const auto roles = lane.circuit().roles();
    for (;;) {
        std::uint64_t first = 0;
        {
            const std::lock_guard lock(mutex);
            control.tick();
            if (count != 0 && drawn >= count) return;
            first = drawn;
            drawn += kPortion;
        }
        Random random(seed ^ (first + 1) * 0x9e3779b97f4a7c15ull);
        Playouts some;
        some.goal_sum.assign(roles, 0);
        some.goal_count.assign(roles, 0);
        for (auto i = first; i < first + kPortion && (count == 0 || i < count); ++i) {
            lane.rewind();
            some.steps += lane.playout(random, max_steps);
            ++some.playouts;
            if (!lane.terminal()) {
                ++some.unfinished;
                continue;
            }
            for (std::uint32_t r = 0; r < roles; ++r) {
                const auto value = lane.goal(r);
                if (value == kNoGoal) continue;
                some.goal_sum[r] += value;
                ++some.goal_count[r];
            }
        }
        const std::lock_guard lock(mutex);
        total.playouts += some.playouts;
        total.steps += some.steps;
        total.unfinished += some.unfinished;
        for (std::uint32_t r = 0; r < roles; ++r) {
            total.goal_sum[r] += some.goal_sum[r];
            total.goal_count[r] += some.goal_count[r];
        }
        control.check();
    }
}

}  // namespace

Playouts run_single(const SingleLane& lane, std::span<const std::uint64_t> from, std::uint64_t count,
                    std::uint32_t max_steps, std::uint64_t seed, unsigned threads, Control& control) {
    SingleLane at(lane);
    at.load(from);
    at.mark();
    Playouts total;
    total.goal_sum.assign(lane.circuit().roles(), 0);
    total.goal_count.assign(lane.circuit().roles(), 0);
    std::mutex mutex;
    std::uint64_t drawn = 0;
    std::exception_ptr error;
    const auto work = [&] {
        try {
            play_share(at, count, max_steps, seed, drawn, mutex, control, total);
        } catch (const Stopped&) {
            // The limit is the caller's; what was played counts.
        } catch (...) {
            const std::lock_guard lock(mutex);
            error = std::current_exception();
        }
    };
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads; ++t) others.emplace_back(work);
    work();
    others.clear();
    if (error) std::rethrow_exception(error);
    return total;
}

}  // namespace zermelo::gdl
