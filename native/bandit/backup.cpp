// What a node is worth: the mean of its simulations, and where one player decides more and more what its moves are
// worth.
//
// The mean over all simulations counts moves that were tried and found bad, or that are refuted since. So it is mixed
// with the mean of the moves that are still open, by visits to a power: the more a move was visited the more it counts,
// up to the best alone (Coulom 2006 backs up between mean and max; the power mean of Dam et al. 2020 weighs by values).
// What is proved and at least as good is what the node is worth. All roles' values are mixed with the same weights, so
// this serves any number of players.
#include <algorithm>
#include <cmath>

#include "bandit/tree.hpp"

namespace zermelo::bandit {

namespace {

constexpr double kVisitsAMove = 4;  // so many of each move make its mean weigh as much as that of the node

}  // namespace

void Tree::value_anew(Index node) {
    const auto& here = nodes_[node];
    for (std::uint32_t role = 0; role < roles_; ++role)
        values_[at(node, role)] = static_cast<float>(sums_[at(node, role)] / here.observed);
    if (params_.backup <= 0 || here.kind != Kind::decision || here.solved) return;
    const auto mover = here.chooser;
    const auto arms = arms_of(node, mover);
    double weight = 0, visits = 0;
    Index known = kNone;
    float known_value = -1;
    scores_.assign(roles_, 0);
    for (const auto& arm : arms) {
        if (arm.mark == Mark::closed || arm.child == kNone) continue;
        if (arm.mark == Mark::known) {
            if (arm.mean > known_value) known_value = arm.mean, known = arm.child;
            continue;
        }
        if (arm.visits == 0 || nodes_[arm.child].observed == 0) continue;
        const auto own = params_.backup == 1   ? static_cast<double>(arm.visits)
                         : params_.backup == 2 ? static_cast<double>(arm.visits) * arm.visits
                                               : std::pow(static_cast<double>(arm.visits), params_.backup);
        weight += own;
        visits += arm.visits;
        for (std::uint32_t role = 0; role < roles_; ++role) scores_[role] += own * values_[at(arm.child, role)];
    }
    if (weight > 0) {
        const auto trust = visits / (visits + kVisitsAMove * static_cast<double>(arms.size()));
        for (std::uint32_t role = 0; role < roles_; ++role) {
            auto& value = values_[at(node, role)];
            value += static_cast<float>(trust * (scores_[role] / weight - value));
        }
    }
    if (known != kNone && known_value >= values_[at(node, mover)])
        for (std::uint32_t role = 0; role < roles_; ++role)
            values_[at(node, role)] = static_cast<float>(reward_of(bounds_[at(known, role)].lower));
}

}  // namespace zermelo::bandit
