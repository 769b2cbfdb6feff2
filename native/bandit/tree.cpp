#include "bandit/tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace zermelo::bandit {

namespace {

constexpr std::uint32_t kBatch = Lane::kLanes;
constexpr std::uint32_t kFewestLeaves = 16;  // of a batch
constexpr double kLeastGain = 4;             // a batch pays where it brings so many times the games of one lane
constexpr double kSecondsAUnit = 8e-9;       // of work, roughly
constexpr double kFirstGames = 16;           // that are taken to be won or lost, before any was played
constexpr double kKept = 0.25;               // of the spread, from position to position
constexpr double kLeastSpread = 0.02;        // where all games so far ended alike, others may not

}  // namespace

Tree::Tree(std::unique_ptr<Lane> lane, std::span<const std::uint64_t> root, const Params& params, std::uint64_t bytes,
           std::uint64_t seed, std::shared_ptr<const StageRules> stage)
    : lane_(std::move(lane)), stage_(stage ? std::make_unique<Stage>(std::move(stage)) : nullptr), params_(params),
      random_(seed), roles_(lane_->roles()), chance_(lane_->chance()), words_(lane_->words()), scale_(lane_->scale()),
      together_(lane_->goals_agree() && !params.plain), valued_(lane_->has_values()) {
    for (std::uint32_t role = 0; role < roles_; ++role) {
        players_ += is_player(role);
        widest_.push_back({lane_->lowest(role) * kUnit, lane_->highest(role) * kUnit});
    }
    joint_.resize(roles_);
    reward_.resize(roles_);
    worth_.resize(roles_);
    goals_.resize(roles_);
    fresh_.resize(roles_);
    level_sums_.assign(roles_, 0);
    moments_.assign(roles_, {kFirstGames, kFirstGames / 2, kFirstGames / 2});
    spreads_.assign(roles_, 1);
    form_.resize(words_);
    const auto least_gain = params_.leaves == Params::Leaves::single    ? INFINITY
                            : params_.leaves == Params::Leaves::batches ? 0
                                                                        : kLeastGain;
    if (lane_->moves() == 0) params_.grave = 0, params_.mast = 0;  // they tell moves by their numbers
    batches_ = !(valued_ && params_.trust >= 1) && lane_->batch_gain() > 0 && lane_->batch_gain() > least_gain;
    if (batches_) params_.mast = 0;  // a batch plays all moves alike
    if (batches_) batch_work_ = lane_->batch_work();
    batch_seconds_ = kSecondsAUnit * static_cast<double>(batch_work_);
    if (params_.mast > 0) overall_.assign(lane_->moves(), {}), weight_.assign(lane_->moves(), 1);
    if (params_.grave != 0) met_.assign(lane_->moves(), 0);
    position_.assign(root.begin(), root.end());
    reserve(bytes);
    clear();
    place(root);
}

// --- one simulation ---

// The open arm of the highest confidence bound; untried ones first.
std::uint32_t Tree::choose(std::span<Arm> arms, std::uint32_t role, std::uint32_t visits, Index* in_hand) {
    const auto root = static_cast<float>(params_.exploration * spread(role)) * root_log_(visits + 1);
    return best_open(arms, in_hand, [&](const Arm& arm) {
        return arm.visits == 0 ? INFINITY : arm.mean + root / std::sqrt(static_cast<float>(arm.visits));
    });
}

// Chance: the outcome that was drawn least, so that few samples are spread evenly; which of those is random.
std::uint32_t Tree::draw(Index node, std::uint32_t count) {
    if (count == 1) return 0;
    const auto offset = random_.below(count);
    if (count > 64) return offset;
    const auto arms = arms_of(node, chance_);
    auto best = offset;
    for (std::uint32_t k = 1; k < count; ++k) {
        const auto i = k + offset < count ? k + offset : k + offset - count;
        if (arms[i].visits < arms[best].visits) best = i;
    }
    return best;
}

std::uint32_t Tree::choose_step(Index node, Index& in_hand) {
    const auto& here = nodes_[node];
    if (here.kind == Kind::decision)
        return pick(node, here.chooser, arms_of(node, here.chooser), here.visits, &in_hand);
    const auto outcomes = chance_ == kNobody ? 1 : arms_count(node, chance_);
    if (here.kind == Kind::chance) return draw(node, outcomes);
    if (!sure_.empty()) in_hand = sure_ending(node);
    if (!numbered(node)) return choose_for_each(node);
    std::uint32_t index = 0;
    if (here.kind == Kind::joint) {
        index = pick(node, here.chooser, std::span(arms_).subspan(role_end_[at(node, roles_ - 1)], player_joints(node)),
                     here.visits, nullptr);
    } else {
        for (std::uint32_t role = 0; role < roles_; ++role)
            if (is_player(role))
                index = index * arms_count(node, role) + pick(node, role, arms_of(node, role), here.visits, nullptr);
    }
    return outcomes == 1 ? index : index * outcomes + draw(node, outcomes);
}

std::uint32_t Tree::pick(Index node, std::uint32_t role, std::span<Arm> arms, std::uint32_t visits, Index* in_hand) {
    if (arms.size() == 1) return 0;
    if (params_.literal) return choose_literally(node, role, arms, visits);
    if (has_priors(node)) {
        if (!nodes_[node].primed) prime(node);
        return choose_by_priors(arms, role, visits, in_hand);
    }
    return reference_ != kNowhere && nodes_[node].kind != Kind::joint ? choose_by_all(arms, role, visits, in_hand)
                                                                      : choose(arms, role, visits, in_hand);
}

// From the root to a position whose value is known or that has never been visited. Adds to the path.
Tree::Leaf Tree::descend() {
    auto node = root_;
    reference_ = kNowhere;
    for (depth_ = 0;; ++depth_) {
        if (params_.grave != 0)
            if (const auto found = tallied_.find(node); found != tallied_.end() && nodes_[node].visits >= params_.grave)
                reference_ = found->second;
        nodes_[node].stamp = static_cast<std::uint32_t>(simulations_);
        // The root goes on where several joint moves may be best: all who plan for all have to find the same.
        if (nodes_[node].solved && (node != root_ || nodes_[node].kind != Kind::joint)) return {node, true};
        if (!nodes_[node].solved_ahead && may_solve_ahead(node)) {
            solve_ahead(node);
            if (nodes_[node].solved && node != root_) return {node, true};
        }
        if ((nodes_[node].visits == 0 && node != root_) || depth_ >= params_.max_steps) return {node, false};
        Index in_hand = kNone;
        const auto choice = choose_step(node, in_hand);
        auto child = child_of(node, choice);
        if (child == kNone) child = child_after(node, choice);
        path_.push_back({node, choice, child, in_hand});
        node = child;
    }
}

// Confidence bounds are as wide as the rewards are spread (Audibert, Munos and Szepesvari 2009): where most random
// games bring next to nothing, a small difference tells as much as a large one elsewhere.
void Tree::add_to_spread(std::uint32_t role, double games, double mean, double square) {
    auto& all = moments_[role];
    all.weight += games;
    all.sum += games * mean;
    all.square += games * square;
    const auto average = all.sum / all.weight;
    spreads_[role] = std::max(kLeastSpread, 2 * std::sqrt(std::max(0.0, all.square / all.weight - average * average)));
}

// What was played from earlier positions tells less of the next.
void Tree::fade_spreads() {
    for (auto& [weight, sum, square] : moments_) weight *= kKept, sum *= kKept, square *= kKept;
}

void Tree::exact_rewards(Index node, std::span<double> reward) const {
    for (std::uint32_t role = 0; role < roles_; ++role) reward[role] = reward_of(bounds_[at(node, role)].lower);
}

// A visit counts at once, so that the next goes elsewhere; means are of what has been observed (WU-UCT: Liu et al.
// 2020).
void Tree::count_visits(const Path& path, std::uint32_t visits) {
    nodes_[path.leaf].visits += visits;
    for (auto i = path.last; i-- > path.first;) {
        nodes_[path_[i].node].visits += visits;
        count_in_arms(path_[i], visits);
    }
}

void Tree::add_rewards(const Path& path, std::uint32_t visits, std::span<const double> reward) {
    std::copy(reward.begin(), reward.end(), reward_.begin());
    nodes_[path.leaf].observed += visits;
    for (std::uint32_t role = 0; role < roles_; ++role) sums_[at(path.leaf, role)] += visits * reward_[role];
    for (auto i = path.last; i-- > path.first;) {
        const auto& step = path_[i];
        add_to_arms(step, visits, reward_);
        if (step.in_hand != kNone && nodes_[step.in_hand].solved) exact_rewards(step.in_hand, reward_);
        nodes_[step.node].observed += visits;
        for (std::uint32_t role = 0; role < roles_; ++role) sums_[at(step.node, role)] += visits * reward_[role];
    }
}

// The arms of a joint move where several roles choose, each with its role; that of chance too.
template <class Use>
void Tree::each_arm(const Step& step, Use&& use) {
    auto index = step.choice;
    if (!numbered(step.node)) {
        for (std::uint32_t role = 0; role < roles_; ++role)
            use(arms_[arms_begin(step.node, role) + picked_[index + role]], role);
        return;
    }
    if (chance_ != kNobody) {
        const auto outcomes = arms_count(step.node, chance_);
        use(arms_[arms_begin(step.node, chance_) + index % outcomes], chance_);
        index /= outcomes;
    }
    if (nodes_[step.node].kind == Kind::joint) {
        use(arms_[role_end_[at(step.node, roles_ - 1)] + index], nodes_[step.node].chooser);
    } else if (nodes_[step.node].kind == Kind::several) {
        for (auto role = roles_; role-- > 0;) {
            if (!is_player(role)) continue;
            const auto count = arms_count(step.node, role);
            use(arms_[arms_begin(step.node, role) + index % count], role);
            index /= count;
        }
    }
}

void Tree::count_in_arms(const Step& step, std::uint32_t visits) {
    const auto& here = nodes_[step.node];
    if (here.kind != Kind::decision) return each_arm(step, [&](Arm& arm, std::uint32_t) { arm.visits += visits; });
    auto& arm = arms_[arms_begin(step.node, here.chooser) + step.choice];
    arm.visits += visits;
    if (nodes_[step.child].observed == 0) arm.mean = static_cast<float>(mean_of(step.node, here.chooser));
}

void Tree::add_to_arms(const Step& step, std::uint32_t visits, std::span<const double> reward) {
    const auto& here = nodes_[step.node];
    if (here.kind == Kind::decision) {
        // What is known of the child counts, from wherever it was reached (UCT2: Childs, Brodeur and Kocsis 2008).
        auto& arm = arms_[arms_begin(step.node, here.chooser) + step.choice];
        arm.mean = static_cast<float>(nodes_[step.child].solved ? reward_of(bounds_[at(step.child, here.chooser)].lower)
                                                                : mean_of(step.child, here.chooser));
        return;
    }
    each_arm(step, [&](Arm& arm, std::uint32_t role) {
        arm.observed += visits;
        arm.mean += static_cast<float>(visits) / static_cast<float>(arm.observed) *
                    (static_cast<float>(reward[role]) - arm.mean);
    });
}

void Tree::simulate() {
    path_.clear();
    picked_.clear();
    const auto leaf = descend();
    const Path path{0, path_.size(), leaf.node};
    std::vector<double>& reward = leaf_rewards_;
    reward.resize(roles_);
    if (leaf.exact) {
        exact_rewards(leaf.node, reward);
    } else {
        const auto begin = lane_->work();
        if (traces()) trace_path(path);
        lane_->load(state_of(leaf.node));
        if (!valued_ || params_.trust < 1) {
            if (traces()) traced_playout();
            else lane_->playout(random_, params_.max_steps);
            const bool over = lane_->terminal();
            for (std::uint32_t role = 0; role < roles_; ++role)
                reward[role] = over && is_player(role) ? lane_->goal(role) / scale_ : 0.5;
        }
        mix_in_value(leaf.node, reward);
        for (std::uint32_t role = 0; role < roles_; ++role)
            add_to_spread(role, 1, reward[role], reward[role] * reward[role]);
        playing_ += lane_->work() - begin;
    }
    count_visits(path, 1);
    add_rewards(path, 1, reward);
    if (traces() && !leaf.exact) learn(path, reward);
    if (params_.literal) next_level(reward, 1);
    if (!params_.plain) back_up_proofs(path);
    ++simulations_;
}

// How many leaves a batch has: more where the tree is large, and no more than are found in the time their games take.
std::uint32_t Tree::leaves_now() const {
    const auto found = static_cast<double>(batch_work_) / std::max(descent_work_, 1.0);
    const auto wanted = std::min(std::sqrt(static_cast<double>(nodes_[root_].visits)), found);
    return std::bit_floor(static_cast<std::uint32_t>(std::clamp<double>(wanted, kFewestLeaves, kMostLeaves)));
}

// Visits count at once, rewards when they are known. How many simulations there were: those that the control stopped
// leave no trace but in the nodes that were made.
std::uint64_t Tree::simulate_batch(double seconds, Control& control) {
    path_.clear();
    picked_.clear();
    leaves_.clear();
    leaf_states_.clear();
    played_out_.clear();
    leaf_rewards_.resize(roles_);
    std::uint64_t ended = 0, known = 0;  // leaves, and simulations of them
    bool stopped = false;
    const auto begin = control.elapsed();
    const auto work = lane_->work() - solving_;
    const auto leaves = leaves_now(), playouts = kBatch / leaves;
    for (std::uint32_t i = 0; i < leaves && !stopped && !decided(); ++i) {
        const auto first = path_.size();
        const auto leaf = descend();
        const Path path{first, path_.size(), leaf.node};
        // What is known need not be sampled, but weighs as much: else the mean over chance would be of the other
        // outcomes. Where nothing is proved a blunder is not closed, and must not weigh more than once.
        const auto visits = leaf.exact && params_.plain ? 1 : playouts;
        count_visits(path, visits);
        if (leaf.exact) {
            exact_rewards(leaf.node, leaf_rewards_);
            add_rewards(path, visits, leaf_rewards_);
            ++ended;
            known += visits;
        } else {
            leaves_.push_back(path);
            const auto state = state_of(leaf.node);
            leaf_states_.insert(leaf_states_.end(), state.begin(), state.end());
        }
        if (!params_.plain) back_up_proofs(path);
        stopped = !control.allows(visits);
    }
    // Where most leaves are known there is little to play: the next batches wait, each time longer.
    descent_work_ = static_cast<double>(lane_->work() - solving_ - work) / leaves;
    pause_ = 2 * ended >= leaves ? std::min(2 * pause_ + kBatch, std::uint64_t{1} << 32) : 0;
    single_until_ = simulations_ + known + pause_;
    simulations_ += known;
    if (leaves_.empty()) return known;
    leaf_rewards_.resize(leaves_.size() * roles_);
    leaf_squares_.resize(leaves_.size() * roles_);
    if (stopped || !lane_->batch(leaf_states_, playouts, random_.next(), params_.max_steps, control, leaf_rewards_,
                                 leaf_squares_, params_.grave != 0 ? &played_out_ : nullptr)) {
        for (const auto& leaf : leaves_) count_visits(leaf, 0u - playouts);
        return known;
    }
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
        const auto reward = std::span(leaf_rewards_).subspan(i * roles_, roles_);
        mix_in_value(leaves_[i].leaf, reward);
        add_rewards(leaves_[i], playouts, reward);
    }
    for (std::size_t i = 0; i < leaf_rewards_.size(); ++i)
        add_to_spread(static_cast<std::uint32_t>(i % roles_), playouts, leaf_rewards_[i], leaf_squares_[i]);
    if (params_.grave != 0) learn_batch(playouts);
    if (params_.literal)
        for (std::size_t i = 0; i < leaves_.size(); ++i)
            next_level(std::span(leaf_rewards_).subspan(i * roles_, roles_), playouts);
    playing_ += batch_work_;
    // On a busy machine some batches are interrupted: the next may well not be.
    if (seconds > 0) batch_seconds_ = std::min(control.elapsed() - begin, 1.25 * batch_seconds_);
    simulations_ += leaves_.size() * playouts;
    return known + leaves_.size() * playouts;
}

std::uint64_t Tree::run(std::uint64_t simulations, double seconds, Control& control, const Each& each) {
    if (in_turn(seconds, control)) return run_turn(simulations, seconds, control, each);
    std::uint64_t done = 0;
    batch_seconds_ =
        std::max(kSecondsAUnit * static_cast<double>(batch_work_), 0.8 * batch_seconds_);  // once late, not always late
    using Clock = std::chrono::steady_clock;
    timed_ = seconds > 0;
    deadline_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds - control.elapsed()));
    try {
        while (done < simulations && !decided()) {
            if (!has_room()) {
                if (done > 0 && seconds > 0 && control.elapsed() + forget_seconds_ > seconds) break;
                const auto begin = control.elapsed();
                forget();
                forget_seconds_ = control.elapsed() - begin;
            }
            const bool time_left = seconds <= 0 || control.elapsed() + batch_seconds_ < seconds;
            if (batches_ && simulations - done >= kBatch && simulations_ >= single_until_ && time_left) {
                done += simulate_batch(seconds, control);
                if (each) each(done);
                control.check();
                continue;
            }
            simulate();
            ++done;
            if (each) each(done);
            control.tick();
            control.check();  // a playout may be long
        }
    } catch (const Stopped&) {
    }
    control.publish();
    return done;
}

double Tree::solving_share() const {
    const auto solving = solving_ + (stage_ ? stage_->work() : 0);
    return solving + playing_ == 0 ? 0 : static_cast<double>(solving) / static_cast<double>(solving + playing_);
}

// --- what to play ---

std::vector<Option> Tree::options(std::uint32_t role) const {
    std::vector<Option> options;
    const auto& here = nodes_[root_];
    for (const auto& arm : arms_of(root_, role)) {
        auto bounds = widest_[role];
        if (here.kind == Kind::decision && here.chooser == role) bounds = bounds_of(arm.child, role);
        if (arm.mark == Mark::closed) bounds.upper = std::min(bounds.upper, bounds_[at(root_, role)].lower);
        options.push_back({lane_->move_from(element_, arm.move), arm.visits, arm.mean, bounds.lower, bounds.upper});
    }
    return options;
}

// What a move is worth at least, by and large (the secure child: Chaslot et al. 2008). The move visited most is the
// same after many simulations; after one or two batches all have been visited about as often.
double Tree::secure(const Arm& arm, std::uint32_t role) const {
    return arm.visits == 0 ? -INFINITY : arm.mean - 2 * spread(role) / std::sqrt(static_cast<double>(arm.visits));
}

Verdict Tree::verdict(std::uint32_t role) const {
    const auto& here = nodes_[root_];
    const auto arms = arms_of(root_, role);
    if (arms.empty()) return {kNone, reward_of(bounds_[at(root_, role)].lower), true};
    const auto& own = bounds_[at(root_, role)];
    const bool proved = own.upper - own.lower <= kTight;
    if (turn_solved_ && !proved && turn_->mover() == role) {
        const auto [move, value] = turn_->best();
        return {lane_->move_from(element_, move), value, false};
    }
    const auto sure = sure_arm(root_, role);
    if (sure != kNone && proved) return {lane_->move_from(element_, arms[sure].move), reward_of(own.lower), true};
    if (here.kind == Kind::joint) {
        // Everyone who plans for all has to pick the same of several best joint moves: the first that is proved.
        const auto joints = std::span(arms_).subspan(role_end_[at(root_, roles_ - 1)], player_joints(root_));
        const auto rank = [&](const Arm& arm) {
            return arm.mark == Mark::closed ? 2 : proved && arm.mark == Mark::open ? 1 : 0;
        };
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < joints.size(); ++i) {
            const auto mine = rank(joints[i]), others = rank(joints[best]);
            if (mine < others || (mine == others && !proved && secure(joints[i], role) > secure(joints[best], role)))
                best = i;
        }
        if (sure != kNone && joints[best].mean < reward_of(own.lower))
            return {lane_->move_from(element_, arms[sure].move), reward_of(own.lower), false};
        auto index = best;
        std::uint32_t mine = 0;
        for (auto r = roles_; r-- > 0;) {
            if (!is_player(r)) continue;
            if (r == role) mine = index % arms_count(root_, r);
            index /= arms_count(root_, r);
        }
        return {lane_->move_from(element_, arms[mine].move), proved ? reward_of(own.lower) : joints[best].mean, proved};
    }
    const Arm* best = &arms[0];
    if (params_.plain) {
        for (const auto& arm : arms)
            if (std::pair(arm.visits, arm.mean) > std::pair(best->visits, best->mean)) best = &arm;
        return {lane_->move_from(element_, best->move), best->mean, false};
    }
    if (params_.literal) {
        for (const auto& arm : arms)
            if (index_of(arm, here.visits) > index_of(*best, here.visits)) best = &arm;
        return {lane_->move_from(element_, best->move), best->mean, false};
    }
    const auto better = [&](const Arm& arm) {
        if (arm.mark == Mark::closed || best->mark == Mark::closed) return arm.mark != Mark::closed;
        if (arm.mark == Mark::known && best->mark == Mark::known) {
            if (arm.mean != best->mean) return arm.mean > best->mean;
            // A win as soon as possible; anything else as late as possible.
            const auto mine = nodes_[arm.child].distance, others = nodes_[best->child].distance;
            if (mine != others) return (mine < others) == (bounds_of(arm.child, role).lower >= widest_[role].upper);
            return arm.visits > best->visits;
        }
        if (arm.mark == Mark::known) return arm.mean >= best->mean;
        if (best->mark == Mark::known) return arm.mean > best->mean && arm.visits > 0;
        return secure(arm, role) > secure(*best, role);
    };
    for (const auto& arm : arms)
        if (better(arm)) best = &arm;
    if (sure != kNone && best->mean < reward_of(own.lower))
        return {lane_->move_from(element_, arms[sure].move), reward_of(own.lower), false};
    const bool certain = proved && here.kind == Kind::decision && here.chooser == role;
    return {lane_->move_from(element_, best->move), certain ? reward_of(own.lower) : best->mean, certain};
}

}  // namespace zermelo::bandit
