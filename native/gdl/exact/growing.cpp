#include "gdl/exact/growing.hpp"

#include <algorithm>

#include "gdl/exact/searchable.hpp"
#include "gdl/exact/turns.hpp"

namespace zermelo::gdl {

Growing::Growing(const SingleLane& rules, std::span<const std::uint64_t> start)
    : lane_(rules.net()), circuit_(lane_.circuit()), words_(circuit_.words()),
      growth_(static_cast<std::uint8_t>(std::min(circuit_.roles(), 3u))), slots_(1024, kNobody) {
    if (circuit_.roles() > 2) throw NotSearchable("more than two roles");
    if (random_role(circuit_) != kNobody) throw NotSearchable("chance moves");
    for (const auto& goal : circuit_.goals)
        if (goal.role == 0 && goal.when != kFalse) scores_.push_back(goal.value);
    std::ranges::sort(scores_);
    scores_.erase(std::ranges::unique(scores_).begin(), scores_.end());
    joint_.resize(circuit_.roles());
    Control free;
    lane_.load(start);
    node_of(start, free);
}

void Growing::grow(std::uint64_t positions, bool widely, Control& control) {
    while (growth_.nodes() < positions) {
        const auto node = growth_.next(widely);
        if (node == Growth::kNone) break;
        control.tick();
        expand(node, control);
    }
    control.publish();
}

void Growing::expand(std::uint32_t node, Control& control) {
    here_.assign(state(node).begin(), state(node).end());
    lane_.load(here_);
    const auto turn = turn_of(lane_, kNobody);
    if (turn.stuck) throw NotSearchable("a role has no legal move before the end");
    if (turn.several) throw NotSearchable("several roles move at once");
    for (std::uint32_t role = 0; role < joint_.size(); ++role) joint_[role] = lane_.legal(role, 0);
    lane_.legal_moves(turn.player, list_);
    control.charge(static_cast<std::int64_t>(list_.size()) * Growth::kEdgeBytes);
    targets_.clear();
    for (const auto move : list_) {
        joint_[turn.player] = move;
        lane_.load(here_);
        lane_.play(joint_);
        targets_.push_back(node_of(lane_.state(), control));
    }
    growth_.expand(node, static_cast<std::uint8_t>(turn.player), targets_);
}

// The node of the state in which the lane is.
std::uint32_t Growing::node_of(std::span<const std::uint64_t> words, Control& control) {
    const auto bytes = static_cast<std::int64_t>(words_ * sizeof(std::uint64_t)) + Growth::kNodeBytes;
    if (2 * (std::size_t{growth_.nodes()} + 1) > slots_.size()) {
        control.charge(static_cast<std::int64_t>(3 * slots_.size() * sizeof(std::uint32_t)));
        rehash(4 * slots_.size());
    }
    const auto at = slot(words);
    if (slots_[at] != kNobody) return slots_[at];
    control.charge(bytes);
    const auto score = score_here();
    states_.insert(states_.end(), words.begin(), words.end());
    return slots_[at] = growth_.add(score);
}

std::uint32_t Growing::score_here() {
    if (!lane_.terminal()) return Growth::kNoScore;
    std::int64_t first = 0, sum = 0;
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
        lane_.goals(role, values_);
        if (values_.size() != 1) throw NotSearchable("a role has no goal value, or several, at an end");
        if (role == 0) first = values_[0];
        sum += values_[0];
    }
    if (circuit_.roles() == 2) {
        if (ended_ && sum != total_)
            throw NotSearchable("the scores of the two roles do not add up to the same number at every end");
        total_ = sum;
    }
    ended_ = true;
    return static_cast<std::uint32_t>(std::ranges::lower_bound(scores_, first) - scores_.begin());
}

std::size_t Growing::slot(std::span<const std::uint64_t> words) const {
    std::uint64_t hash = 0;
    for (const auto word : words) hash = (hash ^ word) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
    const auto mask = slots_.size() - 1;
    for (auto at = hash & mask;; at = (at + 1) & mask)
        if (slots_[at] == kNobody || std::ranges::equal(state(slots_[at]), words)) return at;
}

void Growing::rehash(std::size_t slots) {
    slots_.assign(slots, kNobody);
    for (std::uint32_t node = 0; node < growth_.nodes(); ++node) slots_[slot(state(node))] = node;
}

}  // namespace zermelo::gdl
