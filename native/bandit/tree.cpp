#include "bandit/tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace zermelo::bandit {

namespace {

constexpr std::uint32_t kFewestLeaves = 16, kMostLeaves = 64;   // of a batch
constexpr std::uint32_t kBatch = Lane::kLanes;
constexpr double kLeastGain = 4;                      // of a batch, in games a second
constexpr double kSecondsAUnit = 8e-9;                // of work, roughly
constexpr std::uint32_t kMostEdges = 4096;            // of a node where several roles choose
constexpr std::uint32_t kMostJointArms = 4096;        // more, and each role has a bandit of its own even where one goal is shared
constexpr std::uint32_t kMostJointEdges = 1u << 16;   // with the outcomes of chance
constexpr std::size_t kMostTallies = std::size_t{1} << 23;
constexpr std::uint32_t kSampledPlies = 400;          // of a random game that shows how many moves there are

constexpr double kFirstGames = 16;                    // that are taken to be won or lost, before any was played
constexpr double kKept = 0.25;                        // of the spread, from position to position
constexpr double kLeastSpread = 0.02;                 // where all games so far ended alike, others may not

}  // namespace

Tree::Tree(std::unique_ptr<Lane> lane, std::span<const std::uint64_t> root, const Params& params, std::uint64_t bytes, std::uint64_t seed,
           std::shared_ptr<const StageRules> stage)
    : lane_(std::move(lane)), stage_(stage ? std::make_unique<Stage>(std::move(stage)) : nullptr), params_(params), random_(seed),
      roles_(lane_->roles()), chance_(lane_->chance()), words_(lane_->words()),
      scale_(lane_->scale()), together_(lane_->goals_agree()) {
    for (std::uint32_t role = 0; role < roles_; ++role) {
        players_ += is_player(role);
        widest_.push_back({lane_->lowest(role) * kUnit, lane_->highest(role) * kUnit});
    }
    joint_.resize(roles_);
    reward_.resize(roles_);
    goals_.resize(roles_);
    fresh_.resize(roles_);
    level_sums_.assign(roles_, 0);
    moments_.assign(roles_, {kFirstGames, kFirstGames / 2, kFirstGames / 2});
    spreads_.assign(roles_, 1);
    form_.resize(words_);
    const auto least_gain = params_.leaves == Params::Leaves::single ? INFINITY : params_.leaves == Params::Leaves::batches ? 0 : kLeastGain;
    batches_ = lane_->batch_gain() > least_gain;
    if (batches_) params_.mast = 0;  // a batch plays all moves alike
    if (batches_) batch_work_ = lane_->batch_work();
    batch_seconds_ = kSecondsAUnit * static_cast<double>(batch_work_);
    if (params_.mast > 0) overall_.assign(lane_->moves(), {}), weight_.assign(lane_->moves(), 1);
    if (params_.grave != 0) met_.assign(lane_->moves(), 0);
    position_.assign(root.begin(), root.end());
    reserve(bytes);
    clear();
    place(position_);
}

// --- positions ---

// A random game from the root tells how many arms a node has.
void Tree::reserve(std::uint64_t bytes) {
    Random random(1);
    std::uint64_t nodes = 0, arms = 0, choices = 0, decisions = 0;
    lane_->load(position_);
    while (nodes < kSampledPlies && !lane_->terminal()) {
        bool stuck = false;
        for (std::uint32_t role = 0; role < roles_; ++role) {
            const auto count = lane_->legal_count(role);
            arms += count;
            if (is_player(role) && count > 1) choices += count, ++decisions;
            stuck = stuck || count == 0;
            if (count) joint_[role] = lane_->legal(role, random.below(count));
        }
        ++nodes;
        if (stuck) break;
        lane_->play(joint_);
    }
    if (choices < params_.choices * decisions) params_.grave = 0;
    if (params_.grave != 0) most_tallies_ = std::max<std::size_t>(std::min<std::size_t>(kMostTallies, bytes / 4 / sizeof(Tally)), lane_->moves());
    bytes -= std::min<std::uint64_t>(bytes / 2, most_tallies_ * sizeof(Tally));
    const auto arms_a_node = arms_a_node_ = 2 + (nodes ? arms / nodes : 1);
    const auto bytes_a_node = sizeof(Node) + words_ * 8 + roles_ * (sizeof(std::uint32_t) + sizeof(double) + sizeof(Bounds)) + 2 * sizeof(Index) +
                              arms_a_node * sizeof(Arm) + sizeof(Edge);
    most_nodes_ = std::clamp<std::size_t>(bytes / bytes_a_node, 4 * kMostLeaves, std::size_t{1} << 30);
    most_arms_ = std::min<std::size_t>(arms_a_node * most_nodes_ + 2 * kMostJointArms, std::size_t{1} << 31);
    most_edges_ = std::max<std::size_t>(most_nodes_, std::size_t{2} * kMostEdges);
    nodes_.reserve(most_nodes_);
    states_.reserve(most_nodes_ * words_);
    role_end_.reserve(most_nodes_ * roles_);
    sums_.reserve(most_nodes_ * roles_);
    bounds_.reserve(most_nodes_ * roles_);
    arms_.reserve(most_arms_);
}

void Tree::clear() {
    pause_ = single_until_ = simulations_ = 0;
    nodes_.clear();
    states_.clear();
    role_end_.clear();
    sums_.clear();
    bounds_.clear();
    arms_.clear();
    edges_.clear();
    endings_.clear();
    tallied_.clear();
    tallies_.clear();
    sure_.clear();
    tried_.clear();
    table_.assign(1024, kNone);
}

std::uint64_t Tree::hash(std::span<const std::uint64_t> state) const {
    std::uint64_t h = 0;
    for (const auto word : state) h = mixed(h, word);
    return h;
}

// Where the position is in the table, or where it would be put.
std::size_t Tree::slot(std::span<const std::uint64_t> state) const {
    const auto mask = table_.size() - 1;
    for (auto i = hash(state) & mask;; i = (i + 1) & mask)
        if (table_[i] == kNone || std::ranges::equal(state_of(table_[i]), state)) return i;
}

bool Tree::has_room() const {
    const auto leaves = batches_ ? kMostLeaves : 1;
    return nodes_.size() + 2 * leaves <= most_nodes_ && arms_.size() + leaves * arms_a_node_ <= most_arms_ && edges_.size() <= most_edges_;
}

Tree::Index Tree::add_node(Kind kind) {
    const auto node = static_cast<Index>(nodes_.size());
    nodes_.push_back({static_cast<std::uint32_t>(arms_.size()), kNone, 0, 0, static_cast<std::uint32_t>(simulations_), 0, 0, 0, kind, false, kind == Kind::over, false});
    sums_.resize(sums_.size() + roles_, 0);
    bounds_.insert(bounds_.end(), widest_.begin(), widest_.end());
    return node;
}

// The end the lane is at. Ends with the same goals are one node.
Tree::Index Tree::make_ending() {
    std::uint64_t key = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        goals_[role] = is_player(role) ? lane_->goal(role) : 0;
        key = mixed(key, static_cast<std::uint64_t>(goals_[role]));
    }
    auto& same = endings_[key];
    for (const auto node : same) {
        bool equal = true;
        for (std::uint32_t role = 0; role < roles_; ++role) equal = equal && bounds_[at(node, role)].lower == goals_[role] * kUnit;
        if (equal) return node;
    }
    const auto node = add_node(Kind::over);
    states_.resize(states_.size() + words_, 0);
    role_end_.resize(role_end_.size() + roles_, nodes_[node].first_arm);
    nodes_[node].version = 1;
    nodes_[node].shared = true;
    for (std::uint32_t role = 0; role < roles_; ++role) bounds_[at(node, role)] = {goals_[role] * kUnit, goals_[role] * kUnit};
    same.push_back(node);
    return node;
}

// A node for the position the lane is in, which has none.
Tree::Index Tree::make_node() {
    const auto state = lane_->state();
    states_.insert(states_.end(), state.begin(), state.end());
    const auto node = add_node(Kind::over);
    place_arms(node);
    table_[slot(state)] = node;
    if (2 * nodes_.size() > table_.size()) {
        table_.assign(4 * table_.size(), kNone);
        for (Index i = 0; i < nodes_.size(); ++i)
            if (!nodes_[i].shared) table_[slot(state_of(i))] = i;
    }
    return node;
}

void Tree::place_arms(Index node) {
    const bool over = lane_->terminal();
    bool stuck = false;
    std::uint32_t players = 0, chooser = chance_;
    std::uint64_t player_joints = 1, outcomes = 1;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (!over && !stuck) {
            lane_->legal_moves(role, legal_);
            stuck = legal_.empty();
            for (const auto move : legal_) arms_.push_back({move, 0, 0, kNone, 0, 0, Mark::open});
            if (is_player(role)) {
                player_joints = std::min<std::uint64_t>(player_joints * legal_.size(), kMostJointArms + 1);
                if (legal_.size() > 1) ++players, chooser = role;
            } else {
                outcomes = legal_.size();
            }
        }
        role_end_.push_back(static_cast<std::uint32_t>(arms_.size()));
    }
    auto& here = nodes_[node];
    if (over || stuck) {
        // A role that cannot move breaks the rules of GDL: play stops there, with half for everyone.
        for (std::uint32_t role = 0; role < roles_; ++role) {
            const Bound value = over ? (is_player(role) ? lane_->goal(role) * kUnit : 0) : static_cast<Bound>(scale_) * kUnit / 2;
            bounds_[at(node, role)] = {value, value};
        }
        here.version = 1;
        return;
    }
    here.solved = false;
    const bool both = players > 0 && outcomes > 1;
    if (players <= 1 && !both) {
        here.kind = players ? Kind::decision : Kind::chance;
        if (chooser == kNobody || (players == 0 && outcomes == 1)) {  // nobody has a choice: the first player decides
            here.kind = Kind::decision;
            for (chooser = 0; !is_player(chooser);) ++chooser;
        }
        here.chooser = static_cast<std::uint8_t>(chooser);
        return;
    }
    const bool joint = together_ && players > 1 && player_joints <= kMostJointArms && player_joints * outcomes <= kMostJointEdges;
    here.kind = joint ? Kind::joint : Kind::several;
    here.chooser = static_cast<std::uint8_t>(chooser);
    if (joint)
        for (std::uint32_t i = 0; i < player_joints; ++i) arms_.push_back({i, 0, 0, kNone, 0, 0, Mark::open});
    if (joint || player_joints * outcomes <= kMostEdges) {
        here.first_edge = static_cast<std::uint32_t>(edges_.size());
        edges_.resize(edges_.size() + static_cast<std::size_t>(player_joints * outcomes), {kNone, 0});
    }
}

// The node of the position the lane is in.
Tree::Index Tree::here() {
    if (lane_->terminal()) return make_ending();
    if (lane_->symmetric()) {
        lane_->canon(lane_->state(), form_);
        const auto found = table_[slot(form_)];
        if (found != kNone) return found;
        lane_->load(form_);
        return make_node();
    }
    const auto found = table_[slot(lane_->state())];
    return found != kNone ? found : make_node();
}

void Tree::place(std::span<const std::uint64_t> state) {
    level_ = level_visits_ = 0;
    threshold_ = 0;
    for (auto& [weight, sum, square] : moments_) weight *= kKept, sum *= kKept, square *= kKept;
    level_sums_.assign(roles_, 0);
    position_.resize(words_);
    if (lane_->symmetric())
        element_ = lane_->canon(state, position_);
    else
        position_.assign(state.begin(), state.end());
    lane_->load(position_);
    lane_->mark();
    if (const auto found = table_[slot(position_)]; found != kNone) {
        root_ = found;
        return;
    }
    if (!has_room()) clear();
    root_ = make_node();
}

// Slides the nodes that stay, in order, over those that go. What a move was found to be worth stays with its arm, and
// bounds that a forgotten child proved stay with its parents.
void Tree::forget() {
    const auto count = nodes_.size();
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index{0});
    const auto older = [&](Index a, Index b) { return nodes_[a].stamp != nodes_[b].stamp ? nodes_[a].stamp < nodes_[b].stamp : a < b; };
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count / 2), order.end(), older);
    std::vector<Index> renamed(count, 0);
    for (std::size_t i = 0; i < count / 2; ++i) renamed[order[i]] = kNone;
    renamed[root_] = 0;
    for (Index node = 0; node < count; ++node)
        if (nodes_[node].shared) renamed[node] = 0;
    Index kept = 0;
    for (auto& name : renamed)
        if (name != kNone) name = kept++;
    forgotten_ += count - kept;
    std::uint32_t arms_kept = 0, edges_kept = 0;
    for (Index node = 0; node < count; ++node) {
        if (renamed[node] == kNone) continue;
        const auto to = renamed[node];
        auto moved = nodes_[node];
        const auto arms_end = node + 1 < count ? nodes_[node + 1].first_arm : static_cast<std::uint32_t>(arms_.size());
        const auto shift = moved.first_arm - arms_kept;
        for (auto i = moved.first_arm; i < arms_end; ++i) {
            auto arm = arms_[i];
            if (arm.child != kNone && (arm.child = renamed[arm.child]) == kNone) {
                arm.version = 0;
                if (arm.mark == Mark::known) arm.mark = Mark::open;
            }
            arms_[arms_kept++] = arm;
        }
        moved.first_arm -= shift;
        if (moved.first_edge != kNone) {
            const auto first = edges_kept;
            const auto last = moved.first_edge + all_joints(node);
            for (auto i = moved.first_edge; i < last; ++i) {
                auto edge = edges_[i];
                if (edge.child != kNone && (edge.child = renamed[edge.child]) == kNone) edge.version = 0;
                edges_[edges_kept++] = edge;
            }
            moved.first_edge = first;
        }
        nodes_[to] = moved;
        std::copy_n(states_.begin() + static_cast<std::ptrdiff_t>(node * words_), words_, states_.begin() + static_cast<std::ptrdiff_t>(to * words_));
        for (std::uint32_t role = 0; role < roles_; ++role) {
            role_end_[at(to, role)] = role_end_[at(node, role)] - shift;
            sums_[at(to, role)] = sums_[at(node, role)];
            bounds_[at(to, role)] = bounds_[at(node, role)];
        }
    }
    nodes_.resize(kept);
    states_.resize(kept * words_);
    role_end_.resize(std::size_t{kept} * roles_);
    sums_.resize(std::size_t{kept} * roles_);
    bounds_.resize(std::size_t{kept} * roles_);
    arms_.resize(arms_kept, {});
    edges_.resize(edges_kept, {});
    root_ = renamed[root_];
    tallied_.clear();
    tallies_.clear();
    for (auto& [key, nodes] : endings_)
        for (auto& node : nodes) node = renamed[node];
    std::unordered_map<Index, Sure> sure;
    for (auto& [node, own] : sure_) {
        if (renamed[node] == kNone) continue;
        if (own.ending != kNone) own.ending = renamed[own.ending];
        sure.emplace(renamed[node], std::move(own));
    }
    sure_ = std::move(sure);
    std::unordered_map<Index, std::vector<Tried>> tried;
    for (auto& [node, list] : tried_) {
        if (renamed[node] == kNone) continue;
        auto& kept_list = tried[renamed[node]];
        for (auto& one : list)
            if ((one.child = renamed[one.child]) != kNone) kept_list.push_back(std::move(one));
    }
    tried_ = std::move(tried);
    std::ranges::fill(table_, kNone);
    for (Index node = 0; node < kept; ++node)
        if (!nodes_[node].shared) table_[slot(state_of(node))] = node;
}

// --- joint moves ---

std::uint32_t Tree::player_joints(Index node) const {
    std::uint32_t joints = 1;
    for (std::uint32_t role = 0; role < roles_; ++role)
        if (is_player(role)) joints *= arms_count(node, role);
    return joints;
}

std::uint32_t Tree::all_joints(Index node) const { return player_joints(node) * (chance_ == kNobody ? 1 : arms_count(node, chance_)); }

// Joint moves are numbered with chance running fastest, then the last player.
void Tree::read_joint(Index node, std::uint32_t index) {
    const auto& here = nodes_[node];
    if (here.kind == Kind::decision || here.kind == Kind::chance) {
        for (std::uint32_t role = 0; role < roles_; ++role) joint_[role] = arms_[arms_begin(node, role) + (role == here.chooser ? index : 0)].move;
        return;
    }
    if (!numbered(node)) {
        for (std::uint32_t role = 0; role < roles_; ++role) joint_[role] = arms_[arms_begin(node, role) + picked_[index + role]].move;
        return;
    }
    const auto read = [&](std::uint32_t role) {
        const auto count = arms_count(node, role);
        joint_[role] = arms_[arms_begin(node, role) + index % count].move;
        index /= count;
    };
    if (chance_ != kNobody) read(chance_);
    for (auto role = roles_; role-- > 0;)
        if (is_player(role)) read(role);
}

Tree::Index& Tree::child_of(Index node, std::uint32_t index) {
    static thread_local Index nowhere;
    const auto& here = nodes_[node];
    if (here.kind == Kind::decision || here.kind == Kind::chance) return arms_[arms_begin(node, here.chooser) + index].child;
    if (here.first_edge != kNone) return edges_[here.first_edge + index].child;
    return nowhere = kNone;
}

Tree::Index Tree::child_after(Index node, std::uint32_t index) {
    lane_->load(state_of(node));
    read_joint(node, index);
    lane_->play(joint_);
    const auto child = here();
    child_of(node, index) = child;
    if (!numbered(node)) note_tried(node, index, child);
    return child;
}

// --- one simulation ---

// The open arm of the highest confidence bound; untried ones first.
std::uint32_t Tree::choose(std::span<Arm> arms, std::uint32_t role, std::uint32_t visits, Index* in_hand) {
    const auto root = static_cast<float>(params_.exploration * spread(role) * std::sqrt(std::log(static_cast<double>(visits) + 1.0)));
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
    if (here.kind == Kind::decision) return pick(node, here.chooser, arms_of(node, here.chooser), here.visits, &in_hand);
    const auto outcomes = chance_ == kNobody ? 1 : arms_count(node, chance_);
    if (here.kind == Kind::chance) return draw(node, outcomes);
    if (!sure_.empty()) in_hand = sure_ending(node);
    if (!numbered(node)) return choose_for_each(node);
    std::uint32_t index = 0;
    if (here.kind == Kind::joint) {
        index = pick(node, here.chooser, std::span(arms_).subspan(role_end_[at(node, roles_ - 1)], player_joints(node)), here.visits, nullptr);
    } else {
        for (std::uint32_t role = 0; role < roles_; ++role)
            if (is_player(role)) index = index * arms_count(node, role) + pick(node, role, arms_of(node, role), here.visits, nullptr);
    }
    return outcomes == 1 ? index : index * outcomes + draw(node, outcomes);
}

std::uint32_t Tree::pick(Index node, std::uint32_t role, std::span<Arm> arms, std::uint32_t visits, Index* in_hand) {
    if (arms.size() == 1) return 0;
    if (params_.literal) return choose_literally(node, role, arms, visits);
    return reference_ != kNowhere && nodes_[node].kind != Kind::joint ? choose_by_all(arms, role, visits, in_hand) : choose(arms, role, visits, in_hand);
}

// From the root to a position whose value is known or that has never been visited. Adds to the path.
Tree::Leaf Tree::descend() {
    auto node = root_;
    reference_ = kNowhere;
    for (depth_ = 0;; ++depth_) {
        if (params_.grave != 0)
            if (const auto found = tallied_.find(node); found != tallied_.end() && nodes_[node].visits >= params_.grave) reference_ = found->second;
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

// Confidence bounds are as wide as the rewards are spread (Audibert, Munos and Szepesvari 2009): where most random games
// bring next to nothing, a small difference tells as much as a large one elsewhere.
void Tree::add_to_spread(std::uint32_t role, double games, double mean, double square) {
    auto& all = moments_[role];
    all.weight += games;
    all.sum += games * mean;
    all.square += games * square;
    const auto average = all.sum / all.weight;
    spreads_[role] = std::max(kLeastSpread, 2 * std::sqrt(std::max(0.0, all.square / all.weight - average * average)));
}

void Tree::exact_rewards(Index node, std::span<double> reward) const {
    for (std::uint32_t role = 0; role < roles_; ++role) reward[role] = reward_of(bounds_[at(node, role)].lower);
}

// A visit counts at once, so that the next goes elsewhere; means are of what has been observed (WU-UCT: Liu et al. 2020).
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
        for (std::uint32_t role = 0; role < roles_; ++role) use(arms_[arms_begin(step.node, role) + picked_[index + role]], role);
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
        arm.mean = static_cast<float>(nodes_[step.child].solved ? reward_of(bounds_[at(step.child, here.chooser)].lower) : mean_of(step.child, here.chooser));
        return;
    }
    each_arm(step, [&](Arm& arm, std::uint32_t role) {
        arm.observed += visits;
        arm.mean += static_cast<float>(visits) / static_cast<float>(arm.observed) * (static_cast<float>(reward[role]) - arm.mean);
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
        if (traces())
            traced_playout();
        else
            lane_->playout(random_, params_.max_steps);
        const bool over = lane_->terminal();
        for (std::uint32_t role = 0; role < roles_; ++role) reward[role] = over && is_player(role) ? lane_->goal(role) / scale_ : 0.5;
        for (std::uint32_t role = 0; role < roles_; ++role) add_to_spread(role, 1, reward[role], reward[role] * reward[role]);
        playing_ += lane_->work() - begin;
    }
    count_visits(path, 1);
    add_rewards(path, 1, reward);
    if (traces() && !leaf.exact) learn(path, reward);
    if (params_.literal) next_level(reward, 1);
    back_up_proofs(path);
    ++simulations_;
}

// How many leaves a batch has: more where the tree is large, and no more than are found in the time their games take.
std::uint32_t Tree::leaves_now() const {
    const auto wanted = std::sqrt(static_cast<double>(nodes_[root_].visits));
    const auto found = static_cast<double>(batch_work_) / std::max(descent_work_, 1.0);
    return std::bit_floor(static_cast<std::uint32_t>(std::clamp<double>(std::min(wanted, found), kFewestLeaves, kMostLeaves)));
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
    std::uint64_t ended = 0;
    bool stopped = false;
    const auto begin = control.elapsed();
    const auto work = lane_->work() - solving_;
    const auto leaves = leaves_now(), playouts = kBatch / leaves;
    for (std::uint32_t i = 0; i < leaves && !stopped && !decided(); ++i) {
        const auto first = path_.size();
        const auto leaf = descend();
        const Path path{first, path_.size(), leaf.node};
        // What is known need not be sampled, but weighs as much: else the mean over chance would be of the other outcomes.
        count_visits(path, playouts);
        if (leaf.exact) {
            exact_rewards(leaf.node, leaf_rewards_);
            add_rewards(path, playouts, leaf_rewards_);
            ++ended;
        } else {
            leaves_.push_back(path);
            const auto state = state_of(leaf.node);
            leaf_states_.insert(leaf_states_.end(), state.begin(), state.end());
        }
        back_up_proofs(path);
        stopped = !control.allows(playouts);
    }
    // Where most leaves are known there is little to play: the next batches wait, each time longer.
    descent_work_ = static_cast<double>(lane_->work() - solving_ - work) / leaves;
    pause_ = 2 * ended >= leaves ? std::min(2 * pause_ + kBatch, std::uint64_t{1} << 32) : 0;
    const auto known = ended * playouts;
    single_until_ = simulations_ + known + pause_;
    simulations_ += known;
    if (leaves_.empty()) return known;
    leaf_rewards_.resize(leaves_.size() * roles_);
    leaf_squares_.resize(leaves_.size() * roles_);
    if (stopped || !lane_->batch(leaf_states_, playouts, random_.next(), params_.max_steps, control, leaf_rewards_, leaf_squares_,
                                 params_.grave != 0 ? &played_out_ : nullptr)) {
        for (const auto& leaf : leaves_) count_visits(leaf, 0u - playouts);
        return known;
    }
    for (std::size_t i = 0; i < leaves_.size(); ++i)
        add_rewards(leaves_[i], playouts, std::span(leaf_rewards_).subspan(i * roles_, roles_));
    for (std::size_t i = 0; i < leaf_rewards_.size(); ++i) add_to_spread(static_cast<std::uint32_t>(i % roles_), playouts, leaf_rewards_[i], leaf_squares_[i]);
    if (params_.grave != 0) learn_batch(playouts);
    if (params_.literal)
        for (std::size_t i = 0; i < leaves_.size(); ++i) next_level(std::span(leaf_rewards_).subspan(i * roles_, roles_), playouts);
    playing_ += batch_work_;
    // On a busy machine some batches are interrupted: the next may well not be.
    if (seconds > 0) batch_seconds_ = std::min(control.elapsed() - begin, 1.25 * batch_seconds_);
    simulations_ += leaves_.size() * playouts;
    return known + leaves_.size() * playouts;
}

std::uint64_t Tree::run(std::uint64_t simulations, double seconds, Control& control) {
    std::uint64_t done = 0;
    batch_seconds_ = std::max(kSecondsAUnit * static_cast<double>(batch_work_), 0.8 * batch_seconds_);  // once late, not always late
    using Clock = std::chrono::steady_clock;
    timed_ = seconds > 0;
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds - control.elapsed()));
    try {
        while (done < simulations && !decided()) {
            if (!has_room()) forget();
            const bool time_left = seconds <= 0 || control.elapsed() + batch_seconds_ < seconds;
            if (batches_ && simulations - done >= kBatch && simulations_ >= single_until_ && time_left) {
                done += simulate_batch(seconds, control);
                control.check();
                continue;
            }
            simulate();
            ++done;
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

// What a move is worth at least, by and large (the secure child: Chaslot et al. 2008). The move visited most is the same
// after many simulations; after one or two batches all have been visited about as often.
double Tree::secure(const Arm& arm, std::uint32_t role) const {
    return arm.visits == 0 ? -INFINITY : arm.mean - 2 * spread(role) / std::sqrt(static_cast<double>(arm.visits));
}

Verdict Tree::verdict(std::uint32_t role) const {
    const auto& here = nodes_[root_];
    const auto arms = arms_of(root_, role);
    if (arms.empty()) return {kNone, reward_of(bounds_[at(root_, role)].lower), true};
    const auto& own = bounds_[at(root_, role)];
    const bool proved = own.upper - own.lower <= kTight;
    const auto sure = sure_arm(root_, role);
    if (sure != kNone && proved) return {lane_->move_from(element_, arms[sure].move), reward_of(own.lower), true};
    if (here.kind == Kind::joint) {
        // Everyone who plans for all has to pick the same of several best joint moves: the first that is proved.
        const auto joints = std::span(arms_).subspan(role_end_[at(root_, roles_ - 1)], player_joints(root_));
        const auto rank = [&](const Arm& arm) { return arm.mark == Mark::closed ? 2 : proved && arm.mark == Mark::open ? 1 : 0; };
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < joints.size(); ++i) {
            const auto mine = rank(joints[i]), others = rank(joints[best]);
            if (mine < others || (mine == others && !proved && secure(joints[i], role) > secure(joints[best], role))) best = i;
        }
        if (sure != kNone && joints[best].mean < reward_of(own.lower)) return {lane_->move_from(element_, arms[sure].move), reward_of(own.lower), false};
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
    if (sure != kNone && best->mean < reward_of(own.lower)) return {lane_->move_from(element_, arms[sure].move), reward_of(own.lower), false};
    const bool certain = proved && here.kind == Kind::decision && here.chooser == role;
    return {lane_->move_from(element_, best->move), certain ? reward_of(own.lower) : best->mean, certain};
}

}  // namespace zermelo::bandit
