#include "gdl/lane/gdl_lane.hpp"

#include <algorithm>
#include <utility>

#include "gdl/lane/kernel_costs.hpp"
#include "gdl/exact/turns.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::int32_t kMiddle = 50;  // where nobody's rules say who has won
constexpr std::uint32_t kSampledGames = 16;
constexpr std::size_t kTermsAUnit = 8;  // weights that are added in the time of a unit of work, roughly

}  // namespace

GdlRules::GdlRules(std::shared_ptr<const single::Net> layout, bool batches)
    : net(std::move(layout)), circuit(net->circuit), chance(random_role(*circuit)),
      goals(circuit->roles(), {kMiddle, kMiddle}) {
    read_goals();
    if (batches && circuit->input.size() <= kMostBulkInputs) compare_kernels();
    if (chance == bandit::kNobody) return;
    interchange = Interchange(net);
    potential.emplace(*circuit);
}

void GdlRules::read_goals() {
    std::vector<std::vector<std::pair<std::int64_t, Literal>>> said(circuit->roles());
    for (const auto& goal : circuit->goals) {
        const auto value = static_cast<std::int32_t>(std::clamp<std::int64_t>(goal.value, 0, 100));
        auto& range = goals[goal.role];
        range = {std::min(range.lowest, value), std::max(range.highest, value)};
        said[goal.role].emplace_back(goal.value, goal.when);
    }
    const std::vector<std::pair<std::int64_t, Literal>>* first = nullptr;
    goals_agree = true;
    for (std::uint32_t role = 0; role < circuit->roles(); ++role) {
        if (role == chance) continue;
        std::ranges::sort(said[role]);
        if (first != nullptr) goals_agree = goals_agree && said[role] == *first;
        first = &said[role];
    }
}

void GdlRules::compare_kernels() {
    bulk.emplace(circuit);
    const auto costs = kernel_costs(net, *bulk, bandit::Lane::kLanes, kSampledGames);
    batch_gain = bandit::Lane::kLanes * costs.single / std::max(costs.batch, 1.0);
    batch_work = static_cast<std::uint64_t>(costs.batch / kSingleNs);
}

std::int32_t GdlLane::goal(std::uint32_t role) {
    const auto value = lane_.goal(role);
    return value == kNoGoal ? kMiddle : std::clamp(value, 0, 100);
}

std::uint32_t GdlLane::playout(Random& random, std::uint32_t max_steps) {
    const auto made = lane_.playout(random, max_steps);
    steps_ += made;
    return made;
}

void GdlLane::values(std::span<const std::uint64_t> state, std::span<double> worth) {
    const bool here = std::ranges::equal(state, lane_.state());
    evaluator_->load(state, here ? &lane_ : nullptr);
    for (std::uint32_t role = 0; role < roles(); ++role) worth[role] = evaluator_->value(role);
    valued_ += evaluator_->terms() / kTermsAUnit;
}

std::uint64_t GdlLane::work() const {
    return lane_.work() + valued_ + static_cast<std::uint64_t>(kSingleStepNs / kSingleNs * static_cast<double>(steps_));
}

bool GdlLane::batch(std::span<const std::uint64_t> states, std::uint32_t playouts, std::uint64_t seed,
                    std::uint32_t max_steps, Control& control, std::span<double> mean, std::span<double> square,
                    std::vector<bandit::MoveTally>* tried) {
    return rules_->bulk->rewards(states, playouts, seed, max_steps, control, mean, square, tried);
}

}  // namespace zermelo::gdl
