#include "gdl/tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gdl/bulk/kernel_costs.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::uint32_t kBatch = 512;  // random games: all lanes of BP
constexpr std::uint32_t kSampledGames = 32;
constexpr double kMostNs = 25e6;  // of a batch: what the clock interrupts is lost

// Where nothing of an arm has been observed yet, it is expected to be like the others.
double mean_of(std::span<const Arm> arms) {
    double reward = 0, observed = 0;
    for (const auto& arm : arms) reward += arm.reward, observed += arm.observed;
    return observed > 0 ? reward / observed : 0.5;
}

}  // namespace

Tree::Tree(std::shared_ptr<const Circuit> circuit, std::span<const std::uint64_t> root, std::uint64_t bytes,
           std::uint64_t seed, Leaves leaves)
    : circuit_(std::move(circuit)), lane_(circuit_), random_(seed), roles_(circuit_->roles()),
      chance_(random_role(*circuit_)), words_(circuit_->words()) {
    // A node takes its own bytes, its position, rewards if it is an end, two slots among the children and about a dozen
    // arms.
    const auto bytes_a_node = sizeof(Node) + words_ * sizeof(std::uint64_t) + roles_ * sizeof(double) +
                              2 * sizeof(Child) + 2 * roles_ * sizeof(std::uint32_t) + 12 * sizeof(Arm);
    most_nodes_ = std::clamp<std::size_t>(bytes / bytes_a_node, 64, std::size_t{1} << 30);
    most_arms_ = std::min<std::size_t>(12 * most_nodes_ + circuit_->moves, std::size_t{1} << 31);
    // All at once: to move a large tree to a larger place takes longer than a clock allows. What is not used costs
    // nothing.
    nodes_.reserve(most_nodes_);
    states_.reserve(most_nodes_ * words_);
    end_rewards_.reserve(most_nodes_ * roles_);
    arms_.reserve(most_arms_);
    role_end_.reserve(most_nodes_ * roles_);
    reached_.reserve(most_nodes_ * roles_);
    joint_.resize(roles_);
    reward_.resize(roles_);
    if (leaves == Leaves::bulk || (leaves == Leaves::whichever_pays && circuit_->input.size() <= kMostBulkInputs))
        bulk_.emplace(circuit_);
    if (leaves == Leaves::whichever_pays && bulk_ && !batches_pay()) bulk_.reset();
    reset(root);
}

bool Tree::batches_pay() const {
    const auto costs = kernel_costs(lane_.net(), *bulk_, kBatch, kSampledGames);
    return kLeastGain * costs.batch <= kBatch * costs.single && costs.batch <= kMostNs;
}

void Tree::reset(std::span<const std::uint64_t> root) {
    lane_.load(root);
    lane_.mark();
    pause_ = single_until_ = simulations_ = 0;
    nodes_.clear();
    states_.clear();
    end_rewards_.clear();
    arms_.clear();
    role_end_.clear();
    reached_.clear();
    children_.assign(1024, Child{});
    root_ = make_node();
}

std::span<const Arm> Tree::arms_of(Index node, std::uint32_t role) const {
    const auto* end = role_end_.data() + nodes_[node].first_role;
    const auto begin = role ? end[role - 1] : nodes_[node].first_arm;
    return std::span(arms_).subspan(begin, end[role] - begin);
}

std::span<Arm> Tree::arms_of(Index node, std::uint32_t role) {
    const auto* end = role_end_.data() + nodes_[node].first_role;
    const auto begin = role ? end[role - 1] : nodes_[node].first_arm;
    return std::span(arms_).subspan(begin, end[role] - begin);
}

// A node for the position the lane is in, reached by joint_.
Tree::Index Tree::make_node() {
    const auto node = static_cast<Index>(nodes_.size());
    reached_.insert(reached_.end(), joint_.begin(), joint_.end());
    states_.insert(states_.end(), lane_.state().begin(), lane_.state().end());
    nodes_.push_back({static_cast<std::uint32_t>(arms_.size()), static_cast<std::uint32_t>(role_end_.size())});
    bool over = lane_.terminal();
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!over) {
            lane_.legal_moves(role, legal_);
            // A role that cannot move breaks the rules of GDL: play stops there as if the game were over.
            over = legal_.empty();
            for (const auto move : legal_) arms_.push_back({move});
        }
        role_end_.push_back(static_cast<std::uint32_t>(arms_.size()));
    }
    if (over) {
        nodes_[node].end = static_cast<std::uint32_t>(end_rewards_.size());
        collect_rewards();
        end_rewards_.insert(end_rewards_.end(), reward_.begin(), reward_.end());
    }
    return node;
}

// Where the child is, or where it would be put.
Tree::Child& Tree::slot(Index parent, std::span<const std::uint32_t> joint) {
    std::uint64_t hash = parent;
    for (const auto move : joint) hash = mixed(hash, move);
    const auto mask = children_.size() - 1;
    for (auto at = hash & mask;; at = (at + 1) & mask) {
        auto& child = children_[at];
        if (child.parent == kNone) return child;
        if (child.parent == parent &&
            std::ranges::equal(std::span(reached_).subspan(std::size_t{child.child} * roles_, roles_), joint))
            return child;
    }
}

void Tree::grow_children() {
    std::vector<Child> old(4 * children_.size());
    old.swap(children_);
    for (const auto& child : old)
        if (child.parent != kNone)
            slot(child.parent, std::span(reached_).subspan(std::size_t{child.child} * roles_, roles_)) = child;
}

std::uint32_t Tree::choose(Index node, std::uint32_t role, double exploration) {
    const auto arms = arms_of(node, role);
    const auto count = static_cast<std::uint32_t>(arms.size());
    if (count == 1) return 0;
    if (role == chance_) return random_.below(count);
    // From a random place on, so that ties and untried moves are taken in no fixed order.
    const auto offset = random_.below(count);
    const double log_visits = std::log(static_cast<double>(nodes_[node].visits) + 1.0);
    double best_value = -1;
    std::uint32_t best = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const auto i = k + offset < count ? k + offset : k + offset - count;
        const auto& arm = arms[i];
        if (arm.visits == 0) return i;
        const auto mean = arm.observed ? arm.mean() : mean_of(arms);
        const auto value = mean + exploration * std::sqrt(log_visits / static_cast<double>(arm.visits));
        if (value > best_value) best_value = value, best = i;
    }
    return best;
}

void Tree::pick_joint(Index node, double exploration) {
    path_.push_back({node, static_cast<std::uint32_t>(choices_.size())});
    for (std::uint32_t role = 0; role < roles_; ++role) {
        const auto arm = choose(node, role, exploration);
        choices_.push_back(arm);
        joint_[role] = arms_of(node, role)[arm].move;
    }
}

void Tree::collect_rewards() {
    const bool over = lane_.terminal();
    for (std::uint32_t role = 0; role < roles_; ++role) {
        const auto goal = over ? lane_.goal(role) : kNoGoal;
        reward_[role] = goal == kNoGoal ? 0.5 : std::clamp(static_cast<double>(goal) / 100.0, 0.0, 1.0);
    }
}

// From the root to a leaf, which becomes a node if there is room. Adds to the path. The node where play is over; kNone
// where it is not, and then the lane is in the leaf.
Tree::Index Tree::descend(const TreeParams& params) {
    Index here = root_;
    while (!nodes_[here].over()) {
        pick_joint(here, params.exploration);
        auto& child = slot(here, joint_);
        if (child.parent != kNone) {
            here = child.child;
            continue;
        }
        lane_.load(state_of(here));
        lane_.play(joint_);
        if (full()) return kNone;
        child = {here, make_node()};
        here = child.child;
        if (2 * nodes_.size() > children_.size()) grow_children();
        return nodes_[here].over() ? here : kNone;
    }
    return here;
}

void Tree::count_visits(Path path, std::uint32_t visits) {
    for (auto i = path.first; i < path.last; ++i) {
        nodes_[path_[i].node].visits += visits;
        for (std::uint32_t role = 0; role < roles_; ++role)
            arms_of(path_[i].node, role)[choices_[path_[i].first_choice + role]].visits += visits;
    }
}

void Tree::add_rewards(Path path, std::uint32_t visits, std::span<const double> reward) {
    for (auto i = path.first; i < path.last; ++i)
        for (std::uint32_t role = 0; role < roles_; ++role) {
            auto& arm = arms_of(path_[i].node, role)[choices_[path_[i].first_choice + role]];
            arm.observed += visits;
            arm.reward += visits * reward[role];
        }
}

void Tree::simulate(const TreeParams& params) {
    path_.clear();
    choices_.clear();
    const auto end = descend(params);
    if (end == kNone) {
        lane_.playout(random_, params.max_steps);
        collect_rewards();
    }
    count_visits({0, path_.size()}, 1);
    add_rewards({0, path_.size()}, 1, end == kNone ? reward_ : rewards_at(end));
}

// Visits count at once, rewards when they are known. How many simulations there were: those that the control stopped
// leave no trace but in the nodes that were made.
std::uint64_t Tree::simulate_batch(const TreeParams& params, Control& control) {
    path_.clear();
    choices_.clear();
    leaves_.clear();
    leaf_states_.clear();
    std::uint64_t ended = 0;
    bool stopped = false;
    const auto leaves = leaves_of_batch(leaves_wanted(nodes_[root_].visits)), playouts = kBatch / leaves;
    for (std::uint32_t i = 0; i < leaves && !stopped; ++i) {
        const auto first = path_.size();
        const auto end = descend(params);
        const Path path{first, path_.size()};
        const auto visits = end == kNone ? playouts : 1;  // to play from the end again tells nothing new
        count_visits(path, visits);
        if (end != kNone) {
            add_rewards(path, 1, rewards_at(end));
            ++ended;
        } else {
            leaves_.push_back(path);
            leaf_states_.insert(leaf_states_.end(), lane_.state().begin(), lane_.state().end());
        }
        stopped = !control.allows(visits);
    }
    // Where most leaves are ends of the game there is little to play: the next batches wait, each time longer.
    pause_ = 2 * ended >= leaves ? std::min(2 * pause_ + kBatch, std::uint64_t{1} << 32) : 0;
    single_until_ = simulations_ + ended + pause_;
    leaf_rewards_.resize(leaves_.size() * roles_);
    if (leaves_.empty()) return ended;
    if (stopped || !bulk_->rewards(leaf_states_, playouts, random_.next(), params.max_steps, control, leaf_rewards_)) {
        for (const auto leaf : leaves_) count_visits(leaf, 0u - playouts);
        return ended;
    }
    for (std::size_t i = 0; i < leaves_.size(); ++i)
        add_rewards(leaves_[i], playouts, std::span(leaf_rewards_).subspan(i * roles_, roles_));
    return ended + leaves_.size() * playouts;
}

std::uint64_t Tree::run(std::uint64_t simulations, const TreeParams& params, Control& control) {
    std::uint64_t done = 0;
    try {
        while (done < simulations && !nodes_[root_].over()) {
            if (bulk_ && simulations - done >= kBatch && simulations_ >= single_until_) {
                const auto batch = simulate_batch(params, control);
                done += batch;
                simulations_ += batch;
                control.check();
                continue;
            }
            simulate(params);
            ++done;
            ++simulations_;
            control.tick();
            control.check();  // a playout may be long
        }
    } catch (const Stopped&) {
    }
    control.publish();
    return done;
}

void Tree::advance(std::span<const std::uint32_t> joint) {
    const auto& child = slot(root_, joint);
    if (child.parent != kNone && !full()) {
        root_ = child.child;
        lane_.load(state_of(root_));
        lane_.mark();
        return;
    }
    lane_.load(state_of(root_));
    lane_.play(joint);
    const std::vector<std::uint64_t> next(lane_.state().begin(), lane_.state().end());
    reset(next);
}

}  // namespace zermelo::gdl
