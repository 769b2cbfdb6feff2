// Other ways to choose: by statistics of moves wherever they were played, by learnt values, and as Koriche et al.
// (2016) print it.
#include <algorithm>
#include <cmath>

#include "bandit/tree.hpp"

namespace zermelo::bandit {

namespace {

constexpr double kExploring = 0.25;   // AMAF makes untried moves known: less is left to explore
constexpr double kFirstBias = 0.01;   // of AMAF: the square of what it is off by, before that is known
constexpr double kEnough = 32;        // visits that tell a move's value
constexpr double kTemperature = 0.1;  // of priors, in units of rewards
constexpr double kEven = 0.1;         // of the priors' weight, shared by all moves alike

}  // namespace

// --- GRAVE and MAST ---

// What the roles with a choice played on the path, and where each step's part begins.
void Tree::trace_path(const Path& path) {
    trace_.clear();
    trace_at_.clear();
    for (auto i = path.first; i < path.last; ++i) {
        trace_at_.push_back(trace_.size());
        read_joint(path_[i].node, path_[i].choice);
        for (std::uint32_t role = 0; role < roles_; ++role)
            if (is_player(role) && arms_count(path_[i].node, role) > 1) trace_.push_back({joint_[role], role});
    }
}

// A random game from where the lane is, with what was played in it.
void Tree::traced_playout() {
    for (std::uint32_t step = 0; step < params_.max_steps && !lane_->terminal(); ++step) {
        for (std::uint32_t role = 0; role < roles_; ++role) {
            const auto count = lane_->legal_count(role);
            if (count == 0) return;
            if (count == 1 || !is_player(role)) {
                joint_[role] = lane_->legal(role, count == 1 ? 0 : random_.below(count));
                continue;
            }
            joint_[role] = params_.mast > 0 ? preferred(role, count) : lane_->legal(role, random_.below(count));
            trace_.push_back({joint_[role], role});
        }
        lane_->play(joint_);
    }
}

// Gibbs sampling: a move is as likely as exp(mean / temperature) says.
std::uint32_t Tree::preferred(std::uint32_t role, std::uint32_t count) {
    scores_.resize(count);
    legal_.resize(count);
    double sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        legal_[i] = lane_->legal(role, i);
        scores_[i] = sum += weight_[legal_[i]];
    }
    const auto at = std::upper_bound(scores_.begin(), scores_.end() - 1, random_.unit() * sum) - scores_.begin();
    return legal_[static_cast<std::size_t>(at)];
}

void Tree::learn(const Path& path, std::span<const double> reward) {
    if (params_.mast > 0) {
        for (const auto [move, role] : trace_) {
            auto& tally = overall_[move];
            ++tally.count;
            tally.sum += static_cast<float>(reward[role]);
            weight_[move] = std::exp(tally.sum / static_cast<float>(tally.count) / params_.mast);
        }
    }
    if (params_.grave == 0) return;
    for (auto i = path.first; i < path.last; ++i) {
        const auto first = tallies_of(path_[i].node);
        if (first == kNowhere) continue;
        ++counts_;
        for (auto t = trace_at_[i - path.first]; t < trace_.size(); ++t) {
            const auto [move, role] = trace_[t];
            if (met_[move] == counts_) continue;
            met_[move] = counts_;
            auto& tally = tallies_[first + move];
            ++tally.count;
            tally.sum += static_cast<float>(reward[role]);
        }
    }
    if (simulations_ % 64 == 0) measure_bias();
}

// Where the tallies of a node begin; nodes that are visited seldom have none.
std::size_t Tree::tallies_of(Index node) {
    if (const auto found = tallied_.find(node); found != tallied_.end()) return found->second;
    if (node != root_ && nodes_[node].visits < params_.grave / 4) return kNowhere;
    if (tallies_.size() + lane_->moves() > most_tallies_) {
        if (node != root_) return kNowhere;
        tallied_.clear();  // of positions that are past
        tallies_.clear();
    }
    const auto first = tallies_.size();
    tallied_.emplace(node, static_cast<std::uint32_t>(first));
    tallies_.resize(first + lane_->moves());
    return first;
}

// What was played on the paths to the leaves of a batch, and in the playouts from them.
void Tree::learn_batch(std::uint32_t playouts) {
    leaf_tallies_.clear();
    leaf_tallies_end_.clear();
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
        const auto& path = leaves_[leaf];
        trace_path(path);
        for (auto i = path.first; i < path.last; ++i) {
            const auto first = tallies_of(path_[i].node);
            if (first == kNowhere) break;
            leaf_tallies_.push_back(first);
            for (auto t = trace_at_[i - path.first]; t < trace_.size(); ++t) {
                auto& tally = tallies_[first + trace_[t].move];
                tally.count += playouts;
                tally.sum += static_cast<float>(playouts * leaf_rewards_[leaf * roles_ + trace_[t].role]);
            }
        }
        leaf_tallies_end_.push_back(leaf_tallies_.size());
    }
    for (const auto& tried : played_out_) {
        for (auto k = tried.state ? leaf_tallies_end_[tried.state - 1] : 0; k < leaf_tallies_end_[tried.state]; ++k) {
            auto& tally = tallies_[leaf_tallies_[k] + tried.move];
            tally.count += tried.count;
            tally.sum += tried.sum;
        }
    }
    measure_bias();
}

// How far AMAF is off, by the moves at the root that are known well: the trust in it with the least squared error is
// n' / (n' + n + 4 b b n n') where it is off by b (Gelly and Silver 2007).
void Tree::measure_bias() {
    const auto found = tallied_.find(root_);
    if (found == tallied_.end()) return;
    double squares = 4 * kFirstBias, weight = 4;  // in units of the rewards' spread
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!is_player(role) || arms_count(root_, role) == 1) continue;
        for (const auto& arm : arms_of(root_, role)) {
            const auto& tally = tallies_[found->second + arm.move];
            if (arm.mark != Mark::open || arm.visits < kEnough || static_cast<double>(tally.count) < kEnough) continue;
            const auto off = (arm.mean - static_cast<double>(tally.sum) / tally.count) / spread(role);
            const auto noise = (1.0 / arm.visits + 1.0 / tally.count) / 4;
            squares += std::max(0.0, off * off - noise);
            weight += 1;
        }
    }
    amaf_bias_ = 4 * squares / weight;
}

// The open arm whose own mean, mixed with that of its move wherever it was played, is best.
std::uint32_t Tree::choose_by_all(std::span<Arm> arms, std::uint32_t role, std::uint32_t visits, Index* in_hand) {
    const double root = params_.exploration * spread(role) * root_log_(visits + 1);
    return best_open(arms, in_hand, [&](const Arm& arm) {
        const auto& tally = tallies_[reference_ + arm.move];
        const double own = arm.visits, all = tally.count, mean = arm.mean;
        if (all == 0) return static_cast<float>((own > 0 ? mean : 1) + root * kExploring / std::sqrt(own + 1));
        const auto trust = all / (all + own + amaf_bias_ * all * own);
        const auto value = trust * static_cast<double>(tally.sum) / all + (1 - trust) * mean;
        return static_cast<float>(value + root * (1 - trust + kExploring * trust) / std::sqrt(own + 1));
    });
}

// --- as Koriche et al. (2016) print it ---

double Tree::index_of(const Arm& arm, std::uint32_t visits) const {
    if (arm.visits == 0) return 0;
    return arm.mean + std::sqrt(2 * std::log(static_cast<double>(visits) + 1) / arm.visits);
}

// Above the level of the bandit the best solution found there, below it anything not yet explored in full.
std::uint32_t Tree::choose_literally(Index node, std::uint32_t role, std::span<Arm> arms, std::uint32_t visits) {
    const auto count = static_cast<std::uint32_t>(arms.size());
    const auto offset = random_.below(count);
    const bool decision = nodes_[node].kind == Kind::decision && nodes_[node].chooser == role;
    const auto explored = [&](const Arm& arm) { return decision && arm.child != kNone && nodes_[arm.child].solved; };
    double best_value = -1;
    auto best = offset;
    for (std::uint32_t k = 0; k < count; ++k) {
        const auto i = k + offset < count ? k + offset : k + offset - count;
        const auto& arm = arms[i];
        if (depth_ > level_) {
            if (!explored(arm)) return i;
            continue;
        }
        if (depth_ == level_ && arm.visits == 0) return i;
        if (depth_ == level_ && explored(arm) && arm.mean < threshold_) continue;
        const auto value = index_of(arm, visits);
        if (value > best_value) best_value = value, best = i;
    }
    return best;
}

// After so many samples the next level; after the last one the threshold is the least reward of anyone, and all starts
// again at the root.
void Tree::next_level(std::span<const double> reward, std::uint32_t visits) {
    for (std::uint32_t role = 0; role < roles_; ++role) level_sums_[role] += visits * reward[role];
    level_visits_ += visits;
    below_level_ = below_level_ || depth_ > level_;
    if (level_visits_ < params_.samples) return;
    if (below_level_) {
        ++level_;
    } else {
        threshold_ = 1;
        for (std::uint32_t role = 0; role < roles_; ++role)
            if (is_player(role)) threshold_ = std::min(threshold_, level_sums_[role] / level_visits_);
        level_ = 0;
    }
    level_visits_ = 0;
    below_level_ = false;
    level_sums_.assign(roles_, 0);
}

// --- learnt values: in the rewards of leaves, and as priors ---

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
