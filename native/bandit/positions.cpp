// The tree's positions: nodes, their arms and joint moves, and what is forgotten when memory is used up.
#include <algorithm>
#include <numeric>

#include "bandit/tree.hpp"

namespace zermelo::bandit {

namespace {

constexpr std::uint32_t kMostEdges = 4096;  // of a node where several roles choose
constexpr std::uint32_t kMostJointArms =
    4096;  // more, and each role has a bandit of its own even where one goal is shared
constexpr std::uint32_t kMostJointEdges = 1u << 16;  // with the outcomes of chance
constexpr std::size_t kMostTallies = std::size_t{1} << 23;
constexpr double kSecondsAByte = 5e-10;       // of a tree of which half is forgotten, roughly
constexpr std::uint32_t kSampledPlies = 400;  // of a random game that shows how many moves there are

}  // namespace

// A random game from the root tells how many arms and joint moves a node has.
void Tree::reserve(std::uint64_t bytes) {
    forget_seconds_ = kSecondsAByte * static_cast<double>(bytes);
    Random random(1);
    std::uint64_t nodes = 0, arms = 0, choices = 0, decisions = 0, edges = 0;
    lane_->load(position_);
    while (nodes < kSampledPlies && !lane_->terminal()) {
        bool stuck = false;
        std::uint64_t joints = 1, choosers = 0;
        for (std::uint32_t role = 0; role < roles_; ++role) {
            const auto count = lane_->legal_count(role);
            arms += count;
            if (is_player(role) && count > 1) choices += count, ++decisions;
            if (count > 1) joints = std::min<std::uint64_t>(joints * count, kMostEdges + 1), ++choosers;
            stuck = stuck || count == 0;
            if (count) joint_[role] = lane_->legal(role, random.below(count));
        }
        if (choosers > 1 && joints <= kMostEdges) edges += joints;
        ++nodes;
        if (stuck) break;
        lane_->play(joint_);
    }
    if (choices < params_.choices * decisions) params_.grave = 0;
    if (params_.grave != 0)
        most_tallies_ =
            std::max<std::size_t>(std::min<std::size_t>(kMostTallies, bytes / 4 / sizeof(Tally)), lane_->moves());
    bytes -= std::min<std::uint64_t>(bytes / 2, most_tallies_ * sizeof(Tally));
    const auto arms_a_node = arms_a_node_ = 2 + (nodes ? arms / nodes : 1);
    const auto edges_a_node = 1 + (nodes ? edges / nodes : 0);
    const auto bytes_a_node = sizeof(Node) + words_ * 8 +
                              roles_ * (sizeof(std::uint32_t) + sizeof(double) + sizeof(Bounds)) + 2 * sizeof(Index) +
                              arms_a_node * sizeof(Arm) + edges_a_node * sizeof(Edge);
    most_nodes_ = std::clamp<std::size_t>(bytes / bytes_a_node, 4 * kMostLeaves, std::size_t{1} << 30);
    most_arms_ = std::min<std::size_t>(arms_a_node * most_nodes_ + 2 * kMostJointArms, std::size_t{1} << 31);
    most_edges_ = std::max<std::size_t>(edges_a_node * most_nodes_, std::size_t{2} * kMostEdges);
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
    regrets_.clear();
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
    return nodes_.size() + 2 * leaves <= most_nodes_ && arms_.size() + leaves * arms_a_node_ <= most_arms_ &&
           edges_.size() <= most_edges_;
}

Tree::Index Tree::add_node(Kind kind) {
    const auto node = static_cast<Index>(nodes_.size());
    nodes_.push_back({static_cast<std::uint32_t>(arms_.size()), kNone, 0, 0, static_cast<std::uint32_t>(simulations_),
                      0, 0, 0, kind, false, kind == Kind::over, false, false});
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
        for (std::uint32_t role = 0; role < roles_; ++role)
            equal = equal && bounds_[at(node, role)].lower == goals_[role] * kUnit;
        if (equal) return node;
    }
    const auto node = add_node(Kind::over);
    states_.resize(states_.size() + words_, 0);
    role_end_.resize(role_end_.size() + roles_, nodes_[node].first_arm);
    nodes_[node].version = 1;
    nodes_[node].shared = true;
    for (std::uint32_t role = 0; role < roles_; ++role)
        bounds_[at(node, role)] = {goals_[role] * kUnit, goals_[role] * kUnit};
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
            const Bound value =
                over ? (is_player(role) ? lane_->goal(role) * kUnit : 0) : static_cast<Bound>(scale_) * kUnit / 2;
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
    const bool joint =
        together_ && players > 1 && player_joints <= kMostJointArms && player_joints * outcomes <= kMostJointEdges;
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
    level_sums_.assign(roles_, 0);
    position_.resize(words_);
    if (lane_->symmetric()) element_ = lane_->canon(state, position_);
    else position_.assign(state.begin(), state.end());
    const auto found = table_[slot(position_)];
    if (found != kNone && found == root_) return;  // it stands there: nothing was played from earlier positions
    answered_ = false, asked_at_ = kNone;
    draw_ = random_.unit();
    turn_tried_ = turn_solved_ = false;
    fade_spreads();
    lane_->load(position_);
    lane_->mark();
    if (found != kNone) {
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
    const auto older = [&](Index a, Index b) {
        return nodes_[a].stamp != nodes_[b].stamp ? nodes_[a].stamp < nodes_[b].stamp : a < b;
    };
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
        std::copy_n(states_.begin() + static_cast<std::ptrdiff_t>(node * words_), words_,
                    states_.begin() + static_cast<std::ptrdiff_t>(to * words_));
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
    std::unordered_map<Index, Regrets> regrets;
    for (auto& [node, own] : regrets_)
        if (renamed[node] != kNone) regrets.emplace(renamed[node], std::move(own));
    regrets_ = std::move(regrets);
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

std::uint32_t Tree::all_joints(Index node) const {
    return player_joints(node) * (chance_ == kNobody ? 1 : arms_count(node, chance_));
}

// Joint moves are numbered with chance running fastest, then the last player.
void Tree::read_joint(Index node, std::uint32_t index) {
    const auto& here = nodes_[node];
    if (here.kind == Kind::decision || here.kind == Kind::chance) {
        for (std::uint32_t role = 0; role < roles_; ++role)
            joint_[role] = arms_[arms_begin(node, role) + (role == here.chooser ? index : 0)].move;
        return;
    }
    if (!numbered(node)) {
        for (std::uint32_t role = 0; role < roles_; ++role)
            joint_[role] = arms_[arms_begin(node, role) + picked_[index + role]].move;
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
    if (here.kind == Kind::decision || here.kind == Kind::chance)
        return arms_[arms_begin(node, here.chooser) + index].child;
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

}  // namespace zermelo::bandit
