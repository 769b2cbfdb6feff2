#include "bandit/turn.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace zermelo::bandit {

namespace {

constexpr std::size_t kMostKept = std::size_t{1} << 18;  // nodes of earlier turns
constexpr std::size_t kLeavesABatch = 64;
constexpr double kLeastMisfit = 1e-6;  // of the model, squared

}  // namespace

TurnSolver::TurnSolver(std::unique_ptr<Lane> lane, std::uint64_t seed, std::uint32_t max_steps)
    : lane_(std::move(lane)), graph_(*lane_, seed), model_(lane_->words(), lane_->roles()), random_(seed),
      roles_(lane_->roles()), max_steps_(max_steps), words_(lane_->words()) {}

bool TurnSolver::place(std::span<const std::uint64_t> state, std::size_t most_nodes, Control& control) {
    if (graph_.nodes() > kMostKept) {
        graph_.clear();
        samples_.clear();
        means_.clear();
    }
    moves_.clear();
    after_.clear();
    leaves_.clear();
    lane_->load(state);
    std::uint32_t players = 0;
    for (std::uint32_t role = 0; role < roles_; ++role)
        if (role != lane_->chance() && lane_->legal_count(role) > 1) ++players, mover_ = role;
    if (lane_->terminal() || players != 1 || (lane_->chance() != kNobody && lane_->legal_count(lane_->chance()) > 1))
        return false;
    lane_->mark();
    const auto root = graph_.node_of(state);
    const auto before = graph_.nodes();
    if (!graph_.grow(root, before + most_nodes, control)) return false;
    graph_.order_from(root, order_);
    for (const auto node : order_)
        if (graph_.kind(node) == TurnGraph::Kind::leaf) leaves_.push_back(node);
    list_moves(state);
    samples_.resize(graph_.nodes());
    means_.resize(graph_.nodes() * roles_, 0.5);
    weight_.assign(graph_.nodes(), 0);
    evaluate();
    back_up();
    return true;
}

// Dice may lie in another order in the position than in the node: each of its moves is played.
void TurnSolver::list_moves(std::span<const std::uint64_t> state) {
    std::vector<std::uint32_t> joint(roles_), own;
    lane_->load(state);
    lane_->legal_moves(mover_, own);
    for (std::uint32_t role = 0; role < roles_; ++role) joint[role] = lane_->legal(role, 0);
    for (const auto move : own) {
        lane_->load(state);
        joint[mover_] = move;
        lane_->play(joint);
        after_.push_back(graph_.node_of(lane_->state()));
        moves_.push_back({move, 0.5});
    }
}

// The values of leaves: what the model says, corrected by the leaf's own games as far as the model is off.
void TurnSolver::evaluate() {
    states_.clear();
    weights_.clear();
    targets_.clear();
    double noise = 0, games = 0;
    for (const auto leaf : leaves_) {
        const auto& sample = samples_[leaf];
        if (sample.games == 0) continue;
        const auto state = graph_.state(leaf);
        states_.insert(states_.end(), state.begin(), state.end());
        weights_.push_back(sample.games);
        const auto mean = std::span(means_).subspan(std::size_t{leaf} * roles_, roles_);
        targets_.insert(targets_.end(), mean.begin(), mean.end());
        noise += sample.games * std::max(0.0, sample.square - mean[mover_] * mean[mover_]);
        games += sample.games;
    }
    if (games == 0) {
        for (const auto leaf : leaves_) std::ranges::fill(graph_.values(leaf), 0.5);
        return;
    }
    noise /= games;
    model_.fit(states_, weights_, targets_);
    predicted_.resize(targets_.size());
    model_.values(states_, predicted_);
    // What is left of the differences when the noise of the means is taken away.
    double misfit = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const auto off = targets_[i * roles_ + mover_] - predicted_[i * roles_ + mover_];
        misfit += off * off - noise / weights_[i];
    }
    misfit = std::max(kLeastMisfit, misfit / static_cast<double>(weights_.size()));
    error_ = std::sqrt(noise * static_cast<double>(weights_.size()) / games);
    const auto trust = noise / misfit;  // games that tell as much as the model
    states_.clear();
    for (const auto leaf : leaves_) {
        const auto state = graph_.state(leaf);
        states_.insert(states_.end(), state.begin(), state.end());
    }
    predicted_.resize(leaves_.size() * roles_);
    model_.values(states_, predicted_);
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
        const auto own = samples_[leaves_[i]].games / (samples_[leaves_[i]].games + trust);
        for (std::uint32_t role = 0; role < roles_; ++role)
            graph_.values(leaves_[i])[role] =
                own * means_[std::size_t{leaves_[i]} * roles_ + role] + (1 - own) * predicted_[i * roles_ + role];
    }
}

void TurnSolver::back_up() {
    graph_.back_up(order_);
    for (std::size_t i = 0; i < moves_.size(); ++i) moves_[i].value = graph_.values(after_[i])[mover_];
}

TurnSolver::Move TurnSolver::best() const {
    return *std::ranges::max_element(moves_, {}, [](const Move& move) { return move.value; });
}

// How often each node is met if moves are preferred as far as their values differ by more than their errors.
void TurnSolver::weigh() {
    for (const auto node : order_) weight_[node] = 0;
    std::vector<double> share;
    const auto spread = [&](double whole, std::size_t count, auto&& child, auto&& value) {
        double best = -INFINITY, all = 0;
        for (std::size_t i = 0; i < count; ++i) best = std::max(best, value(i));
        share.resize(count);
        for (std::size_t i = 0; i < count; ++i) all += share[i] = std::exp((value(i) - best) / (error_ + 1e-9));
        for (std::size_t i = 0; i < count; ++i) weight_[child(i)] += whole * share[i] / all;
    };
    spread(1, moves_.size(), [&](std::size_t i) { return after_[i]; }, [&](std::size_t i) { return moves_[i].value; });
    for (auto i = order_.size(); i-- > 0;) {
        const auto node = order_[i];
        if (weight_[node] == 0) continue;
        const auto out = graph_.edges(node);
        if (graph_.kind(node) == TurnGraph::Kind::decision) {
            const auto chooser = graph_.chooser(node);
            spread(
                weight_[node], out.size(), [&](std::size_t k) { return out[k].child; },
                [&](std::size_t k) { return graph_.values(out[k].child)[chooser]; });
        } else if (graph_.kind(node) == TurnGraph::Kind::chance) {
            double all = 0;
            for (const auto& edge : out) all += edge.weight;
            for (const auto& edge : out) weight_[edge.child] += weight_[node] * edge.weight / all;
        }
    }
}

// Errors of leaves count by their weight: best is where games are in proportion to weights.
void TurnSolver::choose_leaves(std::size_t count) {
    chosen_ = leaves_;
    if (chosen_.size() <= count) return;
    const auto wanted = [&](Index leaf) { return (weight_[leaf] + 1e-6) / (samples_[leaf].games + 0.01); };
    std::ranges::nth_element(chosen_, chosen_.begin() + static_cast<std::ptrdiff_t>(count),
                             [&](Index a, Index b) { return wanted(a) > wanted(b); });
    chosen_.resize(count);
}

std::uint64_t TurnSolver::refine(Control& control) {
    if (leaves_.empty()) return 0;
    weigh();
    choose_leaves(kLeavesABatch);
    const auto each = std::max<std::uint32_t>(1, Lane::kLanes / static_cast<std::uint32_t>(chosen_.size()));
    states_.clear();
    for (const auto leaf : chosen_) {
        const auto state = graph_.state(leaf);
        states_.insert(states_.end(), state.begin(), state.end());
    }
    rewards_.resize(chosen_.size() * roles_);
    squares_.resize(chosen_.size() * roles_);
    if (!lane_->batch(states_, each, random_.next(), max_steps_, control, rewards_, squares_, nullptr)) return 0;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
        auto& sample = samples_[chosen_[i]];
        const auto part = static_cast<double>(each) / (sample.games + each);
        for (std::uint32_t role = 0; role < roles_; ++role) {
            auto& mean = means_[std::size_t{chosen_[i]} * roles_ + role];
            mean += part * (rewards_[i * roles_ + role] - mean);
        }
        sample.square += part * (squares_[i * roles_ + mover_] - sample.square);
        sample.games += each;
    }
    games_ += each * chosen_.size();
    evaluate();
    back_up();
    return each * chosen_.size();
}

}  // namespace zermelo::bandit
