// Learnt values in the tree: in the rewards of leaves, and as priors of the choice between moves.
#include <algorithm>
#include <cmath>

#include "bandit/tree.hpp"

namespace zermelo::bandit {

namespace {

constexpr double kTemperature = 0.1;  // of priors, in units of rewards
constexpr double kEven = 0.1;         // of the priors' weight, shared by all moves alike

}  // namespace

void Tree::mix_in_value(Index node, std::span<double> reward) {
    if (!valued_ || params_.trust <= 0) return;
    lane_->values(state_of(node), worth_);
    const auto trust = std::min(params_.trust, 1.0);
    for (std::uint32_t role = 0; role < roles_; ++role)
        if (is_player(role))
            reward[role] = trust >= 1 ? worth_[role] : (1 - trust) * reward[role] + trust * worth_[role];
}

// Plays every move of who decides here: until it is tried, a move has the value of what it leads to, and its prior is
// the softmax of that.
void Tree::prime(Index node) {
    nodes_[node].primed = true;
    const auto mover = nodes_[node].chooser;
    const auto count = arms_count(node, mover);
    double highest = 0, sum = 0;
    scores_.resize(count);
    lane_->load(state_of(node));
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto child = arms_[arms_begin(node, mover) + i].child;
        if (child != kNone && nodes_[child].solved) {
            scores_[i] = reward_of(bounds_[at(child, mover)].lower);
        } else {
            read_joint(node, i);
            lane_->play(joint_);
            if (lane_->terminal()) scores_[i] = lane_->goal(mover) / scale_;
            else lane_->values(lane_->state(), worth_), scores_[i] = worth_[mover];
            lane_->load(state_of(node));
        }
        highest = std::max(highest, scores_[i]);
    }
    for (const auto score : scores_) sum += std::exp((score - highest) / kTemperature);
    auto arms = arms_of(node, mover);
    for (std::uint32_t i = 0; i < count; ++i) {
        arms[i].prior = static_cast<float>((1 - kEven) * std::exp((scores_[i] - highest) / kTemperature) / sum +
                                           kEven / static_cast<double>(count));
        if (arms[i].visits == 0 && arms[i].mark == Mark::open) arms[i].mean = static_cast<float>(scores_[i]);
    }
}

// The open arm of the highest mean plus what its prior promises.
std::uint32_t Tree::choose_by_priors(std::span<Arm> arms, std::uint32_t role, std::uint32_t visits, Index* in_hand) {
    const auto weight = static_cast<float>(params_.prior * spread(role) * std::sqrt(static_cast<double>(visits) + 1));
    return best_open(arms, in_hand, [&](const Arm& arm) {
        return arm.mean + weight * arm.prior / static_cast<float>(1 + arm.visits);
    });
}

}  // namespace zermelo::bandit
