// The tree's proofs: one-stage problems, bounds, and which moves they close.
#include <algorithm>
#include <limits>

#include "bandit/tree.hpp"

namespace zermelo::bandit {

namespace {

constexpr Bound kFar = std::numeric_limits<Bound>::max();

}  // namespace

// Solving takes at most its share of all work; less, down to a twentieth, where it has told nothing of late. It comes
// first.
bool Tree::may_solve_ahead(Index node) const {
    if (!params_.look_ahead || params_.plain || params_.share <= 0) return false;
    // A stage that is left to MAC may be the only one that tells anything: it has the whole share, of all that is done.
    if (stage_ && crowded(node))
        return static_cast<double>(stage_->work() + solving_) <=
               params_.share * static_cast<double>(stage_->work() + lane_->work());
    const auto share = params_.share * std::min(1.0, 0.05 + 2 * found_);
    return static_cast<double>(solving_) <= share * static_cast<double>(solving_ + playing_);
}

// Plays every joint move from a node: ends get their value at once, positions met before are linked.
void Tree::solve_ahead(Index node) {
    const auto begin = lane_->work();
    nodes_[node].solved_ahead = true;
    const auto& arms = nodes_[node];
    if (crowded(node)) return solve_stage(node);
    const auto joints =
        arms.kind == Kind::decision || arms.kind == Kind::chance ? arms_count(node, arms.chooser) : all_joints(node);
    const bool decides = arms.kind == Kind::decision;
    const std::uint32_t mover = arms.chooser;
    bool told = false;
    lane_->load(state_of(node));
    for (std::uint32_t i = 0; i < joints; ++i) {
        if (child_of(node, i) != kNone) continue;
        read_joint(node, i);
        lane_->play(joint_);
        Index child;
        if (lane_->terminal()) {
            child = make_ending();
            told = true;
        } else {
            if (lane_->symmetric()) lane_->canon(lane_->state(), form_);
            child = table_[slot(lane_->symmetric() ? std::span<const std::uint64_t>(form_) : lane_->state())];
        }
        child_of(node, i) = child;
        const bool won = decides && child != kNone && bounds_[at(child, mover)].lower >= widest_[mover].upper;
        if (won) break;
        lane_->load(state_of(node));
    }
    refresh(node);
    found_ += ((told ? 1.0 : 0.0) - found_) / 32;
    solving_ += lane_->work() - begin;
}

void Tree::back_up_proofs(const Path& path) {
    for (auto i = path.last; i-- > path.first;) back_up_proof(path_[i]);
}

// Where the bounds of the child have changed since they were used last; whether those of the node do.
bool Tree::back_up_proof(const Step& step) {
    const auto& here = nodes_[step.node];
    const auto version = nodes_[step.child].version;
    if (here.kind == Kind::decision || here.kind == Kind::chance) {
        auto& arm = arms_[arms_begin(step.node, here.chooser) + step.choice];
        if (arm.version == version) return false;
        arm.version = version;
    } else {
        if (here.first_edge == kNone) {
            prove_by_path(step);
            return false;
        }
        auto& edge = edges_[here.first_edge + step.choice];
        if (edge.version == version) return false;
        edge.version = version;
    }
    return refresh(step.node);
}

// Takes the bounds anew from the children; whether they changed. Bounds only ever get closer.
bool Tree::refresh(Index node) {
    const auto kind = nodes_[node].kind;
    if (kind == Kind::over || (nodes_[node].solved && kind != Kind::joint)) return false;
    if ((kind == Kind::several || kind == Kind::joint) && nodes_[node].first_edge == kNone) return false;
    if (kind == Kind::decision) bound_decision(node);
    else bound_several(node);
    const bool changed = keep(node);
    mark_arms(node);
    if (nodes_[node].solved) nodes_[node].distance = distance_of(node);
    return changed;
}

bool Tree::keep(Index node) {
    bool changed = false, solved = true;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!is_player(role)) continue;
        auto& bounds = bounds_[at(node, role)];
        const Bounds closer = within(bounds, fresh_[role]);
        changed = changed || closer.lower != bounds.lower || closer.upper != bounds.upper;
        bounds = closer;
        solved = solved && closer.upper - closer.lower <= kTight;
    }
    if (changed) ++nodes_[node].version;
    nodes_[node].solved = solved;
    return changed;
}

void Tree::bound_decision(Index node) {
    const auto mover = nodes_[node].chooser;
    const auto arms = arms_of(node, mover);
    averages_.resize(arms.size() * roles_);
    for (std::size_t i = 0; i < arms.size(); ++i)
        for (std::uint32_t role = 0; role < roles_; ++role)
            averages_[i * roles_ + role] = bounds_of(arms[i].child, role);
    bound_mover(node, mover, static_cast<std::uint32_t>(arms.size()));
}

// For each joint move of the players the average over chance, lower bounds rounded down and upper ones up.
void Tree::bound_several(Index node) {
    const Bound outcomes = chance_ == kNobody ? 1 : static_cast<Bound>(arms_count(node, chance_));
    const auto joints = nodes_[node].kind == Kind::chance ? 1 : player_joints(node);
    averages_.assign(std::size_t{joints} * roles_, {0, 0});
    for (std::uint32_t i = 0; i < joints; ++i) {
        for (Bound outcome = 0; outcome < outcomes; ++outcome) {
            const auto child = child_of(node, static_cast<std::uint32_t>(i * outcomes + outcome));
            for (std::uint32_t role = 0; role < roles_; ++role) {
                const auto bounds = bounds_of(child, role);
                averages_[i * roles_ + role].lower += bounds.lower;
                averages_[i * roles_ + role].upper += bounds.upper;
            }
        }
        for (std::uint32_t role = 0; role < roles_; ++role) {
            auto& sum = averages_[i * roles_ + role];
            sum = {sum.lower / outcomes, (sum.upper + outcomes - 1) / outcomes};
        }
    }
    if (nodes_[node].kind == Kind::chance) {
        std::copy(averages_.begin(), averages_.end(), fresh_.begin());
        return;
    }
    std::uint32_t choosers = 0, mover = 0;
    for (std::uint32_t role = 0; role < roles_; ++role)
        if (is_player(role) && arms_count(node, role) > 1) ++choosers, mover = role;
    if (choosers == 1) bound_mover(node, mover, joints);
    else bound_at_once(node, joints);
}

// One role chooses among `moves`, whose bounds are in averages_.
void Tree::bound_mover(Index, std::uint32_t mover, std::uint32_t moves) {
    Bound in_hand = 0;
    for (std::uint32_t i = 0; i < moves; ++i) in_hand = std::max(in_hand, averages_[i * roles_ + mover].lower);
    for (std::uint32_t role = 0; role < roles_; ++role) {
        const bool gains = role == mover || together_;
        auto result = gains ? Bounds{0, 0} : players_ == 2 ? Bounds{kFar, kFar} : Bounds{kFar, 0};
        for (std::uint32_t i = 0; i < moves; ++i) {
            const auto bounds = averages_[i * roles_ + role];
            if (gains) result = best_of(result, bounds);
            else if (players_ == 2) result = least_of(result, bounds);
            else if (averages_[i * roles_ + mover].upper >= in_hand) result = span_of(result, bounds);
        }
        fresh_[role] = result;
    }
}

// Several roles choose at once; the bounds of their joint moves are in averages_.
void Tree::bound_at_once(Index node, std::uint32_t joints) {
    if (together_) return bound_mover(node, 0, joints);
    std::uint32_t stride = 1;
    for (auto role = roles_; role-- > 0;) {
        if (!is_player(role)) continue;
        const auto own = arms_count(node, role);
        const auto others = joints / own;
        // For each own move the worst that the others can do; for each of theirs, the best answer.
        lines_.assign(std::size_t{own} + others, {kFar, 0});
        for (std::uint32_t i = 0; i < joints; ++i) {
            const auto mine = i / stride % own, theirs = i / (stride * own) * stride + i % stride;
            const auto bounds = averages_[i * roles_ + role];
            lines_[mine].lower = std::min(lines_[mine].lower, bounds.lower);
            lines_[mine].upper = std::max(lines_[mine].upper, bounds.upper);
            lines_[own + theirs].upper = std::max(lines_[own + theirs].upper, bounds.upper);
        }
        Bounds result{0, players_ == 2 ? kFar : 0};
        for (std::uint32_t i = 0; i < own; ++i) result.lower = std::max(result.lower, lines_[i].lower);
        for (std::uint32_t i = own; i < own + others; ++i)
            result.upper =
                players_ == 2 ? std::min(result.upper, lines_[i].upper) : std::max(result.upper, lines_[i].upper);
        fresh_[role] = result;
        // A move that cannot reach what another is sure of is never right.
        if (own > 1)
            for (std::uint32_t i = 0; i < own; ++i)
                if (lines_[i].upper < result.lower) arms_[arms_begin(node, role) + i].mark = Mark::closed;
        stride *= own;
    }
}

// The threshold: what the player who decides has in hand closes the moves that cannot beat it.
void Tree::mark_arms(Index node) {
    const auto& here = nodes_[node];
    if (here.kind == Kind::chance) return;
    std::uint32_t mover = here.chooser;
    std::span<Arm> arms;
    if (here.kind == Kind::joint) {
        arms = std::span(arms_).subspan(role_end_[at(node, roles_ - 1)], player_joints(node));
    } else {
        arms = arms_of(node, mover);
        if (player_joints(node) != arms.size()) return;  // several players: see bound_at_once
    }
    const auto bounds = [&](std::size_t i) { return averages_[i * roles_ + mover]; };
    Bound in_hand = -1;
    for (std::size_t i = 0; i < arms.size(); ++i) in_hand = std::max(in_hand, bounds(i).lower);
    for (std::size_t i = 0; i < arms.size(); ++i) {
        auto& arm = arms[i];
        const auto child = here.kind == Kind::decision ? arm.child : kNone;
        const bool tie =
            players_ <= 2 && here.kind != Kind::joint && bounds(i).upper <= in_hand && bounds(i).lower < in_hand;
        if (bounds(i).upper < in_hand || tie) {
            arm.mark = Mark::closed;
        } else if (here.kind == Kind::joint) {
            if (bounds(i).upper - bounds(i).lower <= kTight) arm.mark = Mark::known;
        } else if (child != kNone && nodes_[child].solved) {
            arm.mark = Mark::known;
            arm.mean = static_cast<float>(reward_of(bounds(i).lower));
        }
    }
}

// How long play lasts from a solved node, roughly: who wins hurries, anyone else delays.
std::uint16_t Tree::distance_of(Index node) const {
    const auto& here = nodes_[node];
    if (here.kind != Kind::decision) return 1;
    const std::uint32_t mover = here.chooser;
    const auto won = bounds_[at(node, mover)].lower >= widest_[mover].upper;
    std::uint32_t best = won ? 0xfffe : 0;
    for (const auto& arm : arms_of(node, mover)) {
        if (arm.mark != Mark::known) continue;
        const std::uint32_t distance = nodes_[arm.child].distance;
        best = won ? std::min(best, distance) : std::max(best, distance);
    }
    return static_cast<std::uint16_t>(std::min(best + 1, 0xffffu));
}

bool Tree::decided() const {
    const auto& here = nodes_[root_];
    if (params_.literal) return here.kind == Kind::over;
    if (here.kind == Kind::joint) {
        const auto arms = std::span(arms_).subspan(role_end_[at(root_, roles_ - 1)], player_joints(root_));
        return std::ranges::none_of(arms, [](const Arm& arm) { return arm.mark == Mark::open; });
    }
    if (here.solved) return true;
    if (here.kind != Kind::decision) return false;
    const auto& own = bounds_[at(root_, here.chooser)];
    if (own.upper - own.lower <= kTight) return true;
    const auto arms = arms_of(root_, here.chooser);
    return arms.size() > 1 && std::ranges::count_if(arms, [](const Arm& arm) { return arm.mark != Mark::closed; }) == 1;
}

}  // namespace zermelo::bandit
