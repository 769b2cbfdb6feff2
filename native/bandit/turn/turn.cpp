#include "bandit/turn/turn.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace zermelo::bandit {

namespace {

constexpr std::size_t kMostKept = std::size_t{1} << 18;  // nodes of earlier turns
constexpr std::size_t kLeavesABatch = 64;
constexpr double kLeastMisfit = 1e-6;  // of the model, squared
constexpr std::size_t kMostFrames = 8;
constexpr std::size_t kMostFrameNodes = 100'000;
constexpr std::size_t kMostLessons = 2000;
constexpr double kTrace = 0.95;            // of a surprise, from turn to turn
constexpr double kHalfLife = 800;          // of a lesson, in lessons
constexpr std::uint32_t kGamesBefore = 8;  // from each leaf, before turns beyond it are solved

}  // namespace

TurnSolver::TurnSolver(std::unique_ptr<Lane> lane, std::uint64_t seed, std::uint32_t max_steps)
    : lane_(std::move(lane)), graph_(*lane_, seed), forecast_(*lane_), random_(seed), roles_(lane_->roles()),
      max_steps_(max_steps), words_(lane_->words()) {}

bool TurnSolver::place(std::span<const std::uint64_t> state, std::size_t most_nodes, Control& control) {
    try {
        return grow(state, most_nodes, control);
    } catch (const Stopped&) {
        return false;
    }
}

bool TurnSolver::grow(std::span<const std::uint64_t> state, std::size_t most_nodes, Control& control) {
    if (graph_.nodes() > kMostKept) {
        graph_.clear();
        samples_.clear();
        means_.clear();
        beyond_.clear();
        played_on_.clear();
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
    for (const auto node : order_) {
        if (graph_.kind(node) == TurnGraph::Kind::leaf) leaves_.push_back(node);
        dice_ = dice_ || (graph_.kind(node) == TurnGraph::Kind::chance && graph_.edges(node).size() > 1);
    }
    if (!dice_ && !leaves_.empty()) return false;
    list_moves(state);
    samples_.resize(graph_.nodes());
    means_.resize(graph_.nodes() * roles_, 0.5);
    beyond_.resize(graph_.nodes() * roles_, 0);
    played_on_.resize(graph_.nodes(), 0);
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
    if (lane_->has_values()) {
        for (const auto leaf : leaves_) lane_->values(graph_.state(leaf), graph_.values(leaf));
        return;
    }
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
    for (const auto& lesson : lessons_) {
        if (lesson.games == 0) continue;
        states_.insert(states_.end(), lesson.state.begin(), lesson.state.end());
        weights_.push_back(lesson.games);
        targets_.insert(targets_.end(), lesson.mean.begin(), lesson.mean.end());
    }
    if (weights_.empty()) {
        for (const auto leaf : leaves_) std::ranges::fill(graph_.values(leaf), 0.5);
        return;
    }
    if (games > 0) noise_ = noise / games;
    forecast_.random_play.fit(states_, weights_, targets_);
    predicted_.resize(targets_.size());
    forecast_.random_play.values(states_, predicted_);
    // What is left of the differences when the noise of the means is taken away.
    double misfit = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const auto off = targets_[i * roles_ + mover_] - predicted_[i * roles_ + mover_];
        misfit += off * off - noise_ / weights_[i];
    }
    misfit = std::max(kLeastMisfit, misfit / static_cast<double>(weights_.size()));
    if (games > 0) error_ = std::sqrt(noise_ * static_cast<double>(leaves_.size()) / games);
    const auto trust = noise_ / misfit;  // games that tell as much as the model
    states_.clear();
    for (const auto leaf : leaves_) {
        const auto state = graph_.state(leaf);
        states_.insert(states_.end(), state.begin(), state.end());
    }
    predicted_.resize(leaves_.size() * roles_);
    if (forecast_.learnt) {
        forecast_.values(states_, predicted_);
        for (std::size_t i = 0; i < leaves_.size(); ++i)
            for (std::uint32_t role = 0; role < roles_; ++role)
                graph_.values(leaves_[i])[role] =
                    predicted_[i * roles_ + role] + beyond_[std::size_t{leaves_[i]} * roles_ + role];
        return;
    }
    forecast_.random_play.values(states_, predicted_);
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

bool TurnSolver::sample_leaves(Control& control) {
    choose_leaves(kLeavesABatch);
    const auto each = std::max<std::uint32_t>(1, Lane::kLanes / static_cast<std::uint32_t>(chosen_.size()));
    states_.clear();
    for (const auto leaf : chosen_) {
        const auto state = graph_.state(leaf);
        states_.insert(states_.end(), state.begin(), state.end());
    }
    rewards_.resize(chosen_.size() * roles_);
    squares_.resize(chosen_.size() * roles_);
    if (!lane_->batch(states_, each, random_.next(), max_steps_, control, rewards_, squares_, nullptr)) return false;
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
    return true;
}

std::uint64_t TurnSolver::refine(Control& control) {
    if (leaves_.empty() || lane_->has_values()) return 0;
    const auto before = games_;
    weigh();
    const auto fewest = [&] { return std::ranges::min(leaves_, {}, [&](Index leaf) { return samples_[leaf].games; }); };
    const bool begun = forecast_.learnt || samples_[fewest()].games >= kGamesBefore;
    if (!(framed_ && begun && play_on(control)) && !sample_leaves(control)) return 0;
    evaluate();
    back_up();
    return std::max<std::uint64_t>(1, games_ - before);
}

// --- turns beyond this one ---

void TurnSolver::Forecast::values(std::span<const std::uint64_t> states, std::span<double> rewards) const {
    random_play.values(states, rewards);
    if (!learnt) return;
    more.resize(rewards.size());
    gain.values(states, more);
    for (std::size_t i = 0; i < rewards.size(); ++i) rewards[i] = std::clamp(rewards[i] + more[i], 0.0, 1.0);
}

TurnFrame* TurnSolver::frame_of(std::span<const std::uint64_t> start, Control& control) {
    for (const auto& frame : frames_)
        if (frame->fits(start)) return frame.get();
    framed_ = false;
    if (frames_.size() == kMostFrames) return nullptr;
    try {
        if (auto made = TurnFrame::of(*lane_, start, kMostFrameNodes, control)) frames_.push_back(std::move(made));
    } catch (const Stopped&) {
        framed_ = true;  // another time
        return nullptr;
    }
    framed_ = !frames_.empty() && frames_.back()->fits(start);
    return framed_ ? frames_.back().get() : nullptr;
}

// One play from a leaf to the end of the game, turn by turn. False where turns have no frame, or the control stopped
// it.
bool TurnSolver::play_on(Control& control) {
    // Where errors matter most, and have been looked at least.
    const auto wanted = [&](Index leaf) { return (weight_[leaf] + 1e-6) / (played_on_[leaf] + 0.01); };
    const auto leaf = *std::ranges::max_element(leaves_, {}, wanted);
    std::vector<std::uint64_t> state(graph_.state(leaf).begin(), graph_.state(leaf).end()), next;
    std::vector<double> forecast(roles_);
    const auto first = lessons_.size();
    for (bool over = false; !over; state = next) {
        try {
            control.tick();
            control.check();
        } catch (const Stopped&) {
            break;
        }
        auto* const frame = frame_of(state, control);
        if (frame == nullptr) break;
        frame->solve(state, forecast_);
        ++turns_;
        if (lessons_.size() == first) {
            forecast_.values(state, forecast);
            ++played_on_[leaf];
            for (std::uint32_t role = 0; role < roles_; ++role)
                beyond_[std::size_t{leaf} * roles_ + role] = frame->values()[role] - forecast[role];
        }
        lessons_.push_back({state, {frame->values().begin(), frame->values().end()}, {}, 0});
        over = !frame->draw(random_, next);
    }
    if (lessons_.size() == first) return false;
    look_back(first);
    value_lessons(first, control);
    learn();
    return true;
}

// What a turn brought more than was forecast of its beginning is what the forecasts before it should have said too.
// Luck does not count: a solved turn is the average over its dice.
void TurnSolver::look_back(std::size_t first) {
    states_.clear();
    for (auto i = first; i < lessons_.size(); ++i)
        states_.insert(states_.end(), lessons_[i].state.begin(), lessons_[i].state.end());
    predicted_.resize((lessons_.size() - first) * roles_);
    forecast_.values(states_, predicted_);
    std::vector<double> more(roles_, 0);
    for (auto i = lessons_.size(); i-- > first;)
        for (std::uint32_t role = 0; role < roles_; ++role) {
            const auto surprise = lessons_[i].solved[role] - predicted_[(i - first) * roles_ + role];
            lessons_[i].solved[role] += more[role];
            more[role] = kTrace * (more[role] + surprise);
        }
}

// Random games from the positions that were met, unless the control stops them.
void TurnSolver::value_lessons(std::size_t first, Control& control) {
    const auto count = lessons_.size() - first;
    const auto each = std::max<std::uint32_t>(1, Lane::kLanes / static_cast<std::uint32_t>(count));
    states_.clear();
    for (auto i = first; i < lessons_.size(); ++i)
        states_.insert(states_.end(), lessons_[i].state.begin(), lessons_[i].state.end());
    rewards_.resize(count * roles_);
    squares_.resize(count * roles_);
    if (!lane_->batch(states_, each, random_.next(), max_steps_, control, rewards_, squares_, nullptr)) return;
    for (std::size_t i = 0; i < count; ++i) {
        auto& lesson = lessons_[first + i];
        lesson.games = each;
        lesson.mean.assign(&rewards_[i * roles_], &rewards_[i * roles_] + roles_);
    }
    games_ += each * count;
}

// What random play leaves out: fitted to what solved turns brought more. Old lessons were learnt from worse models.
void TurnSolver::learn() {
    if (lessons_.size() > kMostLessons)
        lessons_.erase(lessons_.begin(),
                       lessons_.begin() + static_cast<std::ptrdiff_t>(lessons_.size() - kMostLessons));
    states_.clear();
    weights_.clear();
    targets_.clear();
    for (std::size_t i = 0; i < lessons_.size(); ++i) {
        const auto& lesson = lessons_[i];
        states_.insert(states_.end(), lesson.state.begin(), lesson.state.end());
        weights_.push_back(std::exp2(-static_cast<double>(lessons_.size() - 1 - i) / kHalfLife));
        targets_.insert(targets_.end(), lesson.solved.begin(), lesson.solved.end());
    }
    predicted_.resize(targets_.size());
    forecast_.random_play.values(states_, predicted_);
    for (std::size_t i = 0; i < targets_.size(); ++i) targets_[i] -= predicted_[i];
    forecast_.gain.fit(states_, weights_, targets_);
    forecast_.learnt = true;
}

}  // namespace zermelo::bandit
