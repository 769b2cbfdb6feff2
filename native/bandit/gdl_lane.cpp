#include "bandit/gdl_lane.hpp"

#include <algorithm>
#include <utility>

#include "gdl/turns.hpp"

namespace zermelo::bandit {

namespace {

constexpr std::int32_t kMiddle = 50;  // where nobody's rules say who has won
// What the units of work of the kernels cost, and what a step costs SL besides: roughly, in nanoseconds.
constexpr double kBulkNs = 1.1, kSingleNs = 8, kSingleStepNs = 60;
constexpr std::size_t kMostInputs = std::size_t{1} << 18;  // of a circuit for which BP is made in good time
constexpr std::uint32_t kSampledGames = 32, kSampledSteps = 200;
constexpr double kMostNs = 25e6;  // of a batch

}  // namespace

GdlLane::GdlLane(std::shared_ptr<const gdl::Circuit> circuit) : circuit_(std::move(circuit)), lane_(circuit_), chance_(gdl::random_role(*circuit_)) {
    read_goals();
}

void GdlLane::read_goals() {
    range_.assign(roles(), {kMiddle, kMiddle});
    std::vector<std::vector<std::pair<std::int64_t, gdl::Literal>>> goals(roles());
    for (const auto& goal : circuit_->goals) {
        const auto value = static_cast<std::int32_t>(std::clamp<std::int64_t>(goal.value, 0, 100));
        auto& range = range_[goal.role];
        range = {std::min(range.lowest, value), std::max(range.highest, value)};
        goals[goal.role].emplace_back(goal.value, goal.when);
    }
    const std::vector<std::pair<std::int64_t, gdl::Literal>>* first = nullptr;
    goals_agree_ = true;
    for (std::uint32_t role = 0; role < roles(); ++role) {
        if (role == chance_) continue;
        std::ranges::sort(goals[role]);
        if (first != nullptr) goals_agree_ = goals_agree_ && goals[role] == *first;
        first = &goals[role];
    }
}

std::int32_t GdlLane::goal(std::uint32_t role) {
    const auto value = lane_.goal(role);
    return value == gdl::kNoGoal ? kMiddle : std::clamp(value, 0, 100);
}

std::uint32_t GdlLane::playout(Random& random, std::uint32_t max_steps) {
    const auto made = lane_.playout(random, max_steps);
    steps_ += made;
    return made;
}

std::uint64_t GdlLane::work() const {
    return lane_.work() + static_cast<std::uint64_t>(kSingleStepNs / kSingleNs * static_cast<double>(steps_));
}

bool GdlLane::batches_pay(std::uint32_t leaves, std::uint32_t playouts) {
    if (circuit_->input.size() > kMostInputs) return false;
    gdl::SingleLane lane(lane_.net());
    Random random(1);
    std::uint64_t steps = 0;
    lane.mark();
    const auto begin = lane.work();
    for (std::uint32_t i = 0; i < kSampledGames; ++i) {
        lane.rewind();
        steps += lane.playout(random, kSampledSteps);
    }
    const auto single = (kSingleNs * static_cast<double>(lane.work() - begin) + kSingleStepNs * static_cast<double>(steps)) / kSampledGames;
    if (!bulk_) bulk_.emplace(circuit_);
    const bool pays = kBulkNs * static_cast<double>(bulk_->work(leaves * playouts, kSampledSteps)) <= std::min(leaves * single, kMostNs);
    if (!pays) bulk_.reset();
    return pays;
}

std::uint64_t GdlLane::batch_work(std::uint32_t leaves, std::uint32_t playouts) const {
    return bulk_ ? static_cast<std::uint64_t>(kBulkNs / kSingleNs * static_cast<double>(bulk_->work(leaves * playouts, kSampledSteps))) : 0;
}

bool GdlLane::batch(std::span<const std::uint64_t> states, std::uint32_t playouts, std::uint64_t seed, std::uint32_t max_steps, Control& control,
                    std::span<double> mean) {
    return bulk_->rewards(states, playouts, seed, max_steps, control, mean);
}

}  // namespace zermelo::bandit
