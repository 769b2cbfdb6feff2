// Many playouts from one position: which fluents are worth watching, found by a few sample games; and bulk runs.
#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "gdl/single.hpp"

namespace zermelo::gdl {

namespace single {

namespace {

constexpr std::uint32_t kSampleSteps = 512;
constexpr std::uint64_t kSampleSeed = 1;

// A fluent that more than 15 % of the moves change is cheaper to watch than to list with each move.
constexpr bool too_many(std::uint32_t changes, std::size_t moves) { return std::size_t{100} * changes > 15 * moves; }

std::vector<std::vector<std::uint32_t>> sample_moves(SingleLane& lane) {
    Random random(kSampleSeed);
    std::vector<std::vector<std::uint32_t>> taken;
    std::vector<std::uint32_t> joint(lane.circuit().roles());
    for (std::uint32_t step = 0; step < kSampleSteps; ++step) {
        bool stuck = lane.terminal();
        for (std::uint32_t r = 0; r < joint.size() && !stuck; ++r) {
            const auto n = lane.legal_count(r);
            stuck = n == 0;
            if (!stuck) joint[r] = lane.legal(r, random.below(n));
        }
        if (stuck) {
            lane.rewind();
            continue;
        }
        taken.push_back(joint);
        lane.play(joint);
    }
    return taken;
}

}  // namespace

std::shared_ptr<const Net> lay_out(std::shared_ptr<const Circuit> circuit) {
    auto busy = recursive_fluents(*circuit);
    SingleLane lane(lay_out(circuit, std::vector<bool>(circuit->fluents, true)));
    const auto taken = sample_moves(lane);
    const auto lists = lay_out(circuit, busy);
    Effects effects(*lists);
    std::vector<std::uint32_t> changes(circuit->fluents, 0);
    for (const auto& joint : taken)
        for (const auto f : effects.changed(joint)) ++changes[f];
    for (std::uint32_t f = 0; f < circuit->fluents; ++f)
        if (too_many(changes[f], taken.size())) busy[f] = true;
    return lay_out(std::move(circuit), std::move(busy));
}

}  // namespace single

namespace {

// One thread's share. Playouts are drawn in portions, each with its own random numbers, so that what is played does
// not depend on the number of threads.
constexpr std::uint64_t kPortion = 64;

void play_share(const SingleLane& from, std::uint64_t count, std::uint32_t max_steps, std::uint64_t seed, std::uint64_t& drawn,
                std::mutex& mutex, Control& control, Playouts& total) {
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

Playouts run_single(const SingleLane& lane, std::span<const std::uint64_t> from, std::uint64_t count, std::uint32_t max_steps,
                    std::uint64_t seed, unsigned threads, Control& control) {
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
