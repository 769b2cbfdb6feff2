// One-stage problems of the tree that are solved by MAC: what is asked, and what the answers prove.
#include <algorithm>
#include <cmath>

#include "bandit/tree.hpp"

namespace zermelo::bandit {

namespace {

constexpr std::uint64_t kStageNodes = std::uint64_t{1} << 15;  // assignments and joint moves of a stage
constexpr double kWidth = 1;                                   // joint moves tried for each root of the visits

Bound rounded_down(std::int64_t sum, std::int64_t outcomes) { return sum * kUnit / outcomes; }
Bound rounded_up(std::int64_t sum, std::int64_t outcomes) { return (sum * kUnit + outcomes - 1) / outcomes; }

}  // namespace

// Whether a node has more joint moves than are played one by one.
bool Tree::crowded(Index node) const {
    const auto& here = nodes_[node];
    if (!numbered(node)) return true;
    return (here.kind == Kind::decision || here.kind == Kind::chance ? arms_count(node, here.chooser)
                                                                     : all_joints(node)) > params_.most_ahead;
}

void Tree::solve_stage(Index node) {
    const auto kind = nodes_[node].kind;
    if (!stage_ || kind == Kind::chance) return;
    std::uint32_t choosers = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) choosers += is_player(role) && arms_count(node, role) > 1;
    if (choosers < 2 && kind != Kind::decision)
        return;  // many outcomes of chance, but moves that nothing ties together
    const auto begin = lane_->work();
    ++stages_asked_;
    bool told = false;
    if (stage_->enter(*lane_, state_of(node))) {
        const std::chrono::duration<double> left = deadline_ - std::chrono::steady_clock::now();
        Control limit(timed_ ? std::max(left.count(), 1e-6) : 0, kStageNodes);
        told = kind == Kind::decision ? stage_of_one(node, limit)
               : together_            ? stage_together(node, limit)
                                      : stage_at_once(node, limit);
    }
    stages_told_ += told;
    solving_ += lane_->work() - begin;
}

// One role chooses: its best end is linked, and is all there is to choose where nothing else can be better.
bool Tree::stage_of_one(Index node, Control& limit) {
    const std::uint32_t mover = nodes_[node].chooser;
    const auto ends = stage_->best({mover, true, lane_->lowest(mover)}, limit);
    if (!ends.found) return false;
    std::copy(stage_->joint().begin(), stage_->joint().end(), joint_.begin());
    const auto arm = arm_of(node, mover, joint_[mover]);
    lane_->load(state_of(node));
    lane_->play(joint_);
    if (!lane_->terminal()) return false;
    child_of(node, arm) = make_ending();
    bool told = refresh(node);
    if (!ends.complete) return told;
    const auto hopes = stage_->best({mover, true, lane_->highest(mover)}, limit);
    if (!hopes.complete || hopes.sum > ends.sum) return told;
    for (std::uint32_t role = 0; role < roles_; ++role) fresh_[role] = bounds_[at(node, role)];
    fresh_[mover].upper = hopes.sum * kUnit;
    told = keep(node) || told;
    for (auto& other : arms_of(node, mover))
        if (other.mark == Mark::open) other.mark = Mark::closed;
    return told;
}

// One goal for all: the best joint move, the first of several.
bool Tree::stage_together(Index node, Control& limit) {
    std::uint32_t role = 0;
    while (!is_player(role)) ++role;
    const auto outcomes = stage_->outcomes();
    const Stage::Question ends{role, true, lane_->lowest(role)}, hopes{role, true, lane_->highest(role)};
    const auto best = stage_->best(ends, limit);
    if (!best.found) return false;
    const auto lower = rounded_down(best.sum, outcomes);
    auto upper = widest_[role].upper;
    std::copy(stage_->joint().begin(), stage_->joint().end(), joint_.begin());
    if (best.complete)
        if (const auto most = stage_->best(hopes, limit); most.complete) upper = rounded_up(most.sum, outcomes);
    std::ranges::fill(fresh_, Bounds{lower, upper});
    const bool told = keep(node);
    if (lower == widest_[role].lower && !nodes_[node].solved) return told;  // nothing in hand
    if (lower < bounds_[at(node, role)].lower) return told;                 // more is known from below
    if (best.complete) {
        stage_->first(ends, best.sum, joint_, limit);
        std::copy(stage_->joint().begin(), stage_->joint().end(), joint_.begin());
    }
    Sure sure{std::vector<std::uint32_t>(roles_, kNone), std::vector<Bound>(roles_, lower), kNone};
    for (std::uint32_t r = 0; r < roles_; ++r)
        if (is_player(r)) sure.arm[r] = arm_of(node, r, joint_[r]);
    if (outcomes == 1) {
        lane_->load(state_of(node));
        lane_->play(joint_);
        if (lane_->terminal()) sure.ending = make_ending();
    }
    if (nodes_[node].solved) {
        nodes_[node].distance = 1;
        keep_only(node, sure);
    }
    sure_.insert_or_assign(node, std::move(sure));
    return told;
}

// Where all is proved everyone plays the joint move that was found.
void Tree::keep_only(Index node, const Sure& sure) {
    const auto value = static_cast<float>(reward_of(sure.lower[0]));
    const auto decide = [&](std::span<Arm> arms, std::uint32_t kept) {
        for (auto& arm : arms) arm.mark = Mark::closed;
        arms[kept].mark = Mark::known;
        arms[kept].mean = value;
    };
    std::uint32_t index = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!is_player(role)) continue;
        decide(arms_of(node, role), sure.arm[role]);
        index = index * arms_count(node, role) + sure.arm[role];
    }
    if (nodes_[node].kind == Kind::joint)
        decide(std::span(arms_).subspan(role_end_[at(node, roles_ - 1)], player_joints(node)), index);
}

// One goal for all, and joint moves that have no list: what is proved of the position that one of them led to.
void Tree::prove_by_path(const Step& step) {
    const auto node = step.node;
    if (!together_ || nodes_[node].solved || (chance_ != kNobody && arms_count(node, chance_) > 1)) return;
    const std::uint32_t role = nodes_[node].chooser;
    const auto lower = bounds_[at(step.child, role)].lower;
    if (lower <= bounds_[at(node, role)].lower) return;
    for (std::uint32_t r = 0; r < roles_; ++r) fresh_[r] = {lower, bounds_[at(node, r)].upper};
    keep(node);
    Sure sure{std::vector<std::uint32_t>(picked_.begin() + step.choice, picked_.begin() + step.choice + roles_),
              std::vector<Bound>(roles_, lower), nodes_[step.child].solved ? step.child : kNone};
    if (nodes_[node].solved) {
        nodes_[node].distance = static_cast<std::uint16_t>(std::min(nodes_[step.child].distance + 1, 0xffff));
        keep_only(node, sure);
    }
    sure_.insert_or_assign(node, std::move(sure));
}

// Roles against each other: the bounds of each for itself.
bool Tree::stage_at_once(Index node, Control& limit) {
    Sure sure{std::vector<std::uint32_t>(roles_, kNone), std::vector<Bound>(roles_, 0), kNone};
    for (std::uint32_t role = 0; role < roles_; ++role)
        fresh_[role] = is_player(role) ? stage_bounds(node, role, sure, limit) : Bounds{0, 0};
    const bool told = keep(node);
    if (nodes_[node].solved) nodes_[node].distance = 1;
    if (std::ranges::any_of(sure.arm, [](std::uint32_t arm) { return arm != kNone; }))
        sure_.insert_or_assign(node, std::move(sure));
    return told;
}

// What a role is sure of by one of its moves, and the most it can hope for. Its moves that cannot reach the former are
// closed.
Bounds Tree::stage_bounds(Index node, std::uint32_t role, Sure& sure, Control& limit) {
    const auto outcomes = stage_->outcomes();
    const std::int64_t least = lane_->lowest(role), most = lane_->highest(role);
    const Stage::Question fears{role, false, lane_->lowest(role)}, hopes{role, true, lane_->highest(role)};
    auto lower = outcomes * least, upper = outcomes * most;
    std::vector<Arm*> hopeless;
    const auto arms = arms_of(node, role);
    // The extreme sum with one move fixed, if no joint move with it is as bad (or as good) as what is known.
    const auto closer = [&](std::uint32_t mover, std::uint32_t move, const Stage::Question& question,
                            std::int64_t& known) {
        stage_->fix(mover, move);
        bool better = false;
        if (!stage_->reaches(question, known, limit))
            if (const auto answer = stage_->best(question, limit); answer.complete) known = answer.sum, better = true;
        stage_->release(0);
        return better;
    };
    try {
        for (std::uint32_t i = 0; i < arms.size() && lower < outcomes * most; ++i)
            if (closer(role, arms[i].move, fears, lower)) sure.arm[role] = i;
        if (players_ == 2) {
            for (std::uint32_t other = 0; other < roles_; ++other) {
                if (other == role || !is_player(other)) continue;
                for (const auto& arm : arms_of(node, other)) closer(other, arm.move, hopes, upper);
            }
        } else if (const auto answer = stage_->best(hopes, limit); answer.complete) {
            upper = answer.sum;
        }
        for (auto& arm : arms) {
            if (lower == outcomes * least || arms.size() == 1) break;
            stage_->fix(role, arm.move);
            if (!stage_->reaches(hopes, lower, limit)) hopeless.push_back(&arm);
            stage_->release(0);
        }
    } catch (const Stopped&) {
        stage_->release(0);
    }
    // A network that is contradicted has proved nothing.
    if (stage_->contradicted()) {
        sure.arm[role] = kNone;
        return widest_[role];
    }
    for (auto* arm : hopeless) arm->mark = Mark::closed;
    sure.lower[role] = rounded_down(lower, outcomes);
    return {sure.lower[role], rounded_up(upper, outcomes)};
}

std::uint32_t Tree::arm_of(Index node, std::uint32_t role, std::uint32_t move) const {
    const auto arms = arms_of(node, role);
    return static_cast<std::uint32_t>(std::ranges::find(arms, move, &Arm::move) - arms.begin());
}

// The arm of a role that brings what it is sure of, where MAC proved as much.
std::uint32_t Tree::sure_arm(Index node, std::uint32_t role) const {
    const auto found = sure_.find(node);
    return found == sure_.end() || found->second.lower[role] < bounds_[at(node, role)].lower ? kNone
                                                                                             : found->second.arm[role];
}

// The end that all can have at once, where no arm of the last role to choose looks better.
Tree::Index Tree::sure_ending(Index node) const {
    const auto found = sure_.find(node);
    if (found == sure_.end() || found->second.ending == kNone) return kNone;
    const auto& here = nodes_[node];
    const auto arms = here.kind == Kind::joint
                          ? std::span(arms_).subspan(role_end_[at(node, roles_ - 1)], player_joints(node))
                          : arms_of(node, here.chooser);
    const auto value = static_cast<float>(reward_of(found->second.lower[here.chooser]));
    const bool best = std::ranges::none_of(arms, [&](const Arm& arm) { return arm.visits > 0 && arm.mean > value; });
    return best ? found->second.ending : kNone;
}

// Where joint moves are too many for a list: one that was tried, or a new one by a bandit for each role.
std::uint32_t Tree::choose_for_each(Index node) {
    const auto index = static_cast<std::uint32_t>(picked_.size());
    const auto* again = together_ && !params_.literal ? tried_again(node) : nullptr;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!is_player(role)) picked_.push_back(draw(node, arms_count(node, role)));
        else
            picked_.push_back(again ? again->arm[role]
                                    : pick(node, role, arms_of(node, role), nodes_[node].visits, nullptr));
    }
    return index;
}

// Of the joint moves that were tried the one of the highest confidence bound; none where a new one is due.
const Tree::Tried* Tree::tried_again(Index node) const {
    const auto found = tried_.find(node);
    const auto visits = static_cast<double>(nodes_[node].visits);
    if (found == tried_.end() || static_cast<double>(found->second.size()) < kWidth * std::sqrt(visits + 1))
        return nullptr;
    const auto role = nodes_[node].chooser;
    const double root = params_.exploration * root_log_(nodes_[node].visits + 1);
    const Tried* best = nullptr;
    double best_value = -1;
    for (const auto& one : found->second) {
        const auto& child = nodes_[one.child];
        if (child.solved) continue;  // nothing more to learn there
        const auto value = mean_of(one.child, role) + root / std::sqrt(static_cast<double>(child.visits) + 1);
        if (value > best_value) best_value = value, best = &one;
    }
    return best;
}

void Tree::note_tried(Index node, std::uint32_t choice, Index child) {
    if (!together_) return;
    auto& list = tried_[node];
    if (std::ranges::find(list, child, &Tried::child) != list.end()) return;
    list.push_back({std::vector<std::uint32_t>(picked_.begin() + choice, picked_.begin() + choice + roles_), child});
}

}  // namespace zermelo::bandit
