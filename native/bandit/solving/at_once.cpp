// Roles that choose at once: regret matching (Hart and Mas-Colell 2000) at every such node, on the means of the
// positions that joint moves lead to (SM-MCTS: Lanctot, Lisy and Winands 2013).
//
// A role regrets not having played a move as much as that move would have brought more against what the others play. It
// plays moves by their regret, and sometimes any. Regrets below zero are forgotten, and later play counts more
// (Tammelin 2014). What a role has played on average comes near an equilibrium where two are opposed; that, and not the
// last or the best move, is what is played at the root: a best answer to what the others did so far could be exploited.
#include <algorithm>
#include <numeric>

#include "bandit/tree.hpp"

namespace zermelo::bandit {

namespace {

constexpr double kAny = 0.1;                   // of all choices are of any open move
constexpr std::uint32_t kMostRegretted = 256;  // joint moves: with more of them roles choose by UCB1
constexpr double kRarely = 0.03;               // moves that were played less are slips

}  // namespace

// Whether roles of different goals choose at once there, with a list of their joint moves.
bool Tree::by_regret(Index node) const {
    const auto& here = nodes_[node];
    return params_.regret && here.kind == Kind::several && here.first_edge != kNone &&
           player_joints(node) <= kMostRegretted;
}

Tree::Regrets& Tree::regrets_of(Index node) {
    auto& own = regrets_[node];
    if (own.regret.empty()) {
        const auto arms = role_end_[at(node, roles_ - 1)] - nodes_[node].first_arm;
        own.regret.assign(arms, 0);
        own.played.assign(arms, 0);
    }
    return own;
}

// What a role plays there, in scores_: in proportion to regrets, or every open move alike where it regrets none.
void Tree::mix_of(Index node, std::uint32_t role, const Regrets& all) {
    const auto first = arms_begin(node, role) - nodes_[node].first_arm;
    const auto arms = arms_of(node, role);
    scores_.assign(arms.size(), 0);
    double sum = 0;
    std::size_t open = 0;
    for (std::size_t i = 0; i < arms.size(); ++i) {
        if (arms[i].mark == Mark::closed) continue;
        ++open;
        sum += scores_[i] = std::max(0.0F, all.regret[first + i]);
    }
    for (std::size_t i = 0; i < arms.size(); ++i) {
        if (arms[i].mark == Mark::closed && open > 0) continue;
        scores_[i] = sum > 0 ? scores_[i] / sum : 1.0 / static_cast<double>(open > 0 ? open : arms.size());
    }
}

// The number of the joint move of the players.
std::uint32_t Tree::choose_by_regret(Index node) {
    const auto& all = regrets_of(node);
    std::uint32_t index = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!is_player(role)) continue;
        const auto arms = arms_of(node, role);
        const auto count = static_cast<std::uint32_t>(arms.size());
        std::uint32_t chosen = 0;
        if (count > 1) {
            mix_of(node, role, all);
            if (random_.unit() < kAny) {
                chosen = random_.below(count);
                while (scores_[chosen] == 0 && arms[chosen].mark == Mark::closed) chosen = (chosen + 1) % count;
            } else {
                auto left = random_.unit();
                while (chosen + 1 < count && (left -= scores_[chosen]) >= 0) ++chosen;
            }
        }
        index = index * count + chosen;
    }
    return index;
}

// After a joint move whose reward is known: what each move of each role would bring more than its mix, against the
// mixes of the others, by the positions that joint moves lead to. Those never valued tell nothing.
void Tree::add_regrets(const Step& step, std::uint32_t visits) {
    auto& all = regrets_of(step.node);
    const auto& here = nodes_[step.node];
    const auto arms = all.regret.size();
    mixes_.resize(arms);
    gains_.assign(arms, 0);
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!is_player(role)) continue;
        mix_of(step.node, role, all);
        std::ranges::copy(scores_, mixes_.begin() + (arms_begin(step.node, role) - here.first_arm));
    }
    const auto outcomes = chance_ == kNobody ? 1 : arms_count(step.node, chance_);
    const auto joints = player_joints(step.node);
    places_.resize(roles_);
    for (std::uint32_t joint = 0; joint < joints; ++joint) {
        auto rest = joint;
        for (auto role = roles_; role-- > 0;) {
            if (!is_player(role)) continue;
            const auto count = arms_count(step.node, role);
            places_[role] = arms_begin(step.node, role) - here.first_arm + rest % count;
            rest /= count;
        }
        const auto child = edges_[here.first_edge + joint * outcomes + step.choice % outcomes].child;
        const auto source =
            child == kNone || (!nodes_[child].solved && nodes_[child].observed == 0) ? step.node : child;
        for (std::uint32_t role = 0; role < roles_; ++role) {
            if (!is_player(role)) continue;
            double others = 1;
            for (std::uint32_t other = 0; other < roles_; ++other)
                if (is_player(other) && other != role) others *= mixes_[places_[other]];
            if (others == 0) continue;
            gains_[places_[role]] +=
                others * (nodes_[source].solved ? reward_of(bounds_[at(source, role)].lower) : mean_of(source, role));
        }
    }
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!is_player(role) || arms_count(step.node, role) == 1) continue;
        const auto first = arms_begin(step.node, role) - here.first_arm, count = arms_count(step.node, role);
        double expected = 0;
        for (auto i = first; i < first + count; ++i) expected += mixes_[i] * gains_[i];
        for (auto i = first; i < first + count; ++i) {
            all.regret[i] =
                static_cast<float>(std::max(0.0, all.regret[i] + static_cast<double>(visits) * (gains_[i] - expected)));
            all.played[i] += static_cast<float>(mixes_[i] * visits * here.visits);
        }
    }
}

// The move of a role that is sure of the value of a root where roles choose at once, if a single move is; else kNone.
std::uint32_t Tree::saddle_arm(std::uint32_t role) const {
    const auto& here = nodes_[root_];
    const auto& own = bounds_[at(root_, role)];
    if (here.kind != Kind::several || here.first_edge == kNone || own.upper - own.lower > kTight) return kNone;
    const Bound outcomes = chance_ == kNobody ? 1 : static_cast<Bound>(arms_count(root_, chance_));
    std::uint32_t stride = 1;
    for (auto other = roles_; --other > role;)
        if (is_player(other)) stride *= arms_count(root_, other);
    std::vector<Bound> sure(arms_count(root_, role), own.upper);
    for (std::uint32_t joint = 0; joint < player_joints(root_); ++joint) {
        Bound sum = 0;
        for (Bound i = 0; i < outcomes; ++i)
            sum +=
                bounds_of(edges_[here.first_edge + joint * static_cast<std::uint32_t>(outcomes) + i].child, role).lower;
        auto& worst = sure[joint / stride % sure.size()];
        worst = std::min(worst, sum / outcomes);
    }
    const auto best = std::ranges::max_element(sure);
    return *best >= own.lower ? static_cast<std::uint32_t>(best - sure.begin()) : kNone;
}

std::vector<double> Tree::strategy(std::uint32_t role) const {
    const auto arms = arms_of(root_, role);
    std::vector<double> mix(arms.size(), 0);
    if (const auto sure = saddle_arm(role); sure != kNone) {
        mix[sure] = 1;
        return mix;
    }
    const auto found = regrets_.find(root_);
    const auto first = arms_begin(root_, role) - nodes_[root_].first_arm;
    for (std::size_t i = 0; i < arms.size(); ++i)
        mix[i] = by_regret(root_) && found != regrets_.end() ? found->second.played[first + i]
                                                             : static_cast<float>(arms[i].visits);
    const auto sum = std::accumulate(mix.begin(), mix.end(), 0.0);
    for (auto& part : mix) part = sum > 0 ? part / sum : 1 / static_cast<double>(mix.size());
    return mix;
}

// A move of the root by what was played on average, slips left out.
std::uint32_t Tree::drawn_arm(std::uint32_t role) const {
    auto mix = strategy(role);
    const auto most = std::ranges::max(mix);
    for (auto& part : mix)
        if (part < std::min(kRarely, most)) part = 0;
    auto left = draw_ * std::accumulate(mix.begin(), mix.end(), 0.0);
    std::uint32_t drawn = 0;
    while (drawn + 1 < mix.size() && (mix[drawn] == 0 || (left -= mix[drawn]) >= 0)) ++drawn;
    return drawn;
}

}  // namespace zermelo::bandit
