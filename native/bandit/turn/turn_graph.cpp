#include "bandit/turn/turn_graph.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo::bandit {

namespace {

constexpr std::uint32_t kLooks = 2;       // ways of chance by which it is seen who decides next
constexpr std::uint32_t kMostPlies = 64;  // of one
constexpr int kMostSweeps = 30;           // where positions repeat
constexpr double kSettled = 1e-9;

}  // namespace

TurnGraph::TurnGraph(Lane& lane, std::uint64_t seed)
    : lane_(lane), random_(seed), roles_(lane.roles()), chance_(lane.chance()), words_(lane.words()),
      alone_(lane.goals_agree()), table_(1024, kNone), joint_(roles_), form_(words_) {
    std::uint32_t players = 0;
    for (std::uint32_t role = 0; role < roles_; ++role) players += role != chance_;
    alone_ = alone_ || players == 1;
}

void TurnGraph::clear() {
    nodes_.clear();
    states_.clear();
    values_.clear();
    edges_.clear();
    steps_.clear();
    joints_.clear();
    joint_number_.clear();
    table_.assign(1024, kNone);
}

// --- positions ---

std::size_t TurnGraph::slot(std::span<const std::uint64_t> state) const {
    std::uint64_t hash = 0;
    for (const auto word : state) hash = mixed(hash, word);
    const auto mask = table_.size() - 1;
    for (auto i = hash & mask;; i = (i + 1) & mask)
        if (table_[i] == kNone || std::ranges::equal(this->state(table_[i]), state)) return i;
}

TurnGraph::Index TurnGraph::add(std::span<const std::uint64_t> state) {
    const auto node = static_cast<Index>(nodes_.size());
    nodes_.push_back({Kind::unseen, 0, 0, 0});
    states_.insert(states_.end(), state.begin(), state.end());
    values_.resize(values_.size() + roles_, 0.5);
    return node;
}

TurnGraph::Index TurnGraph::find(std::span<const std::uint64_t> state) {
    const auto at = slot(state);
    if (table_[at] != kNone) return table_[at];
    const auto node = table_[at] = add(state);
    if (2 * nodes_.size() > table_.size()) {
        auto old = std::move(table_);
        table_.assign(4 * old.size(), kNone);
        for (const auto other : old)
            if (other != kNone) table_[slot(this->state(other))] = other;
    }
    return node;
}

TurnGraph::Index TurnGraph::node_of(std::span<const std::uint64_t> state) {
    form_.assign(state.begin(), state.end());
    lane_.lump(form_);
    return find(form_);
}

// --- growth ---

// Who has a choice where the lane is.
TurnGraph::Choices TurnGraph::choices() {
    Choices here;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        const auto count = lane_.legal_count(role);
        here.stuck = here.stuck || count == 0;
        if (role == chance_) here.outcomes = count;
        else if (count > 1) ++here.players, here.mover = role;
    }
    return here;
}

// Whether the turn of the mover is over where chance is to move: somebody else decides next. The lane is at the node.
bool TurnGraph::quiet(Index node, std::uint32_t mover) {
    if (alone_) return false;
    for (std::uint32_t look = 0; look < kLooks; ++look) {
        if (look > 0) lane_.load(state(node));
        for (std::uint32_t ply = 0;; ++ply) {
            if (lane_.terminal() || ply == kMostPlies) break;
            const auto here = choices();
            if (here.stuck) break;
            if (here.players > 0) {
                if (here.players == 1 && here.mover == mover) return false;
                break;
            }
            for (std::uint32_t role = 0; role < roles_; ++role)
                joint_[role] = lane_.legal(role, role == chance_ ? random_.below(here.outcomes) : 0);
            lane_.play(joint_);
        }
    }
    return true;
}

bool TurnGraph::grow(Index from, std::size_t most_nodes, Control& control) {
    std::vector<Index> open{from};
    std::vector<std::uint8_t> met(nodes_.size(), 0);
    const auto meet = [&](Index node) {
        if (met.size() < nodes_.size()) met.resize(nodes_.size(), 0);
        if (met[node]) return;
        met[node] = 1;
        open.push_back(node);
    };
    met[from] = 1;
    std::uint32_t mover = kNobody;
    // A leaf from where a turn is to be grown is one no more.
    if (nodes_[from].kind == Kind::leaf) nodes_[from].kind = Kind::unseen;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const auto node = open[i];
        if (nodes_[node].kind == Kind::unseen) {
            if (nodes_.size() > most_nodes) return false;
            control.tick();
            here_.assign(state(node).begin(), state(node).end());
            lane_.load(here_);
            if (lane_.terminal()) {
                nodes_[node].kind = Kind::over;
                for (std::uint32_t role = 0; role < roles_; ++role)
                    values(node)[role] = role == chance_ ? 0 : lane_.goal(role) / static_cast<double>(lane_.scale());
                continue;
            }
            const auto here = choices();
            if (here.stuck || here.players > 1) {
                nodes_[node].kind = Kind::leaf;
                continue;
            }
            if (here.players == 1 && mover == kNobody) mover = here.mover;
            const bool others = here.players == 1 && here.mover != mover;
            if (node != from && (others || (here.players == 0 && mover != kNobody && quiet(node, mover)))) {
                nodes_[node].kind = Kind::leaf;
                continue;
            }
            lane_.load(here_);
            expand(node, here);
        }
        if (nodes_[node].kind == Kind::leaf || nodes_[node].kind == Kind::over) continue;
        if (nodes_[node].kind == Kind::decision && mover == kNobody) mover = nodes_[node].chooser;
        // Alone: what a player has changed for good ends the turn, if chance comes next.
        const auto before = alone_ && nodes_[node].kind == Kind::decision ? lane_.progress(state(node)) : 0;
        for (std::size_t e = 0; e < nodes_[node].edges; ++e) {
            const auto child = edges_[nodes_[node].first_edge + e].child;
            if (alone_ && nodes_[node].kind == Kind::decision && nodes_[child].kind == Kind::unseen &&
                lane_.progress(state(child)) > before) {
                lane_.load(state(child));
                if (!lane_.terminal() && choices().players == 0) nodes_[child].kind = Kind::leaf;
            }
            meet(child);
        }
    }
    return true;
}

// The position after a move of one role, the others having no choice; the lane is at here_.
TurnGraph::Index TurnGraph::next_by(Index from, std::uint32_t role, std::uint32_t move) {
    lane_.load(here_);
    const auto own = joint_[role];
    joint_[role] = move;
    lane_.play(joint_);
    form_.assign(lane_.state().begin(), lane_.state().end());
    lane_.lump(form_);
    const auto child = find(form_);
    if (recording_) note(from, child);
    joint_[role] = own;
    return child;
}

void TurnGraph::note(Index node, Index child) {
    const auto [found, fresh] = joint_number_.try_emplace(joint_, joints());
    if (fresh) joints_.insert(joints_.end(), joint_.begin(), joint_.end());
    steps_.push_back({found->second, node, child});
}

void TurnGraph::join(std::size_t first, Index child, std::uint32_t move, std::uint32_t weight) {
    for (auto i = first; i < edges_.size(); ++i)
        if (edges_[i].child == child) {
            edges_[i].weight += weight;
            return;
        }
    edges_.push_back({child, move, weight});
}

// The lane is at the node, and here_ is its position.
void TurnGraph::expand(Index node, const Choices& here) {
    for (std::uint32_t role = 0; role < roles_; ++role) joint_[role] = lane_.legal(role, 0);
    outcomes_.clear();
    if (chance_ != kNobody) lane_.legal_moves(chance_, outcomes_);
    const auto record = [&](Index of, Kind kind, std::uint32_t chooser, std::size_t first) {
        nodes_[of].kind = kind;
        nodes_[of].chooser = static_cast<std::uint8_t>(chooser);
        nodes_[of].first_edge = first;
        nodes_[of].edges = static_cast<std::uint32_t>(edges_.size() - first);
    };
    const auto play_chance = [&](Index of) {
        const auto first = edges_.size();
        if (outcomes_.size() <= 1) {
            const auto child = next_by(of, 0, joint_[0]);
            join(first, child, joint_[0], 1);
        } else
            for (const auto outcome : outcomes_) {
                const auto child = next_by(of, chance_, outcome);
                join(first, child, outcome, 1);
            }
        record(of, Kind::chance, 0, first);
    };
    if (here.players == 0) return play_chance(node);
    lane_.legal_moves(here.mover, moves_);
    if (here.outcomes <= 1) {
        const auto first = edges_.size();
        for (const auto move : moves_) {
            const auto child = next_by(node, here.mover, move);
            join(first, child, move, 1);
        }
        return record(node, Kind::decision, here.mover, first);
    }
    // Chance moves in the same step: a node between, which is no position.
    std::vector<Index> between;
    for (const auto move : moves_) {
        joint_[here.mover] = move;
        between.push_back(add(here_));
        play_chance(between.back());
    }
    const auto first = edges_.size();
    for (std::size_t i = 0; i < between.size(); ++i) edges_.push_back({between[i], moves_[i], 1});
    record(node, Kind::decision, here.mover, first);
}

// --- values ---

void TurnGraph::order_from(Index root, std::vector<Index>& order) const {
    struct Open {
        Index node;
        std::uint32_t next;
    };
    order.clear();
    std::vector<std::uint8_t> met(nodes_.size(), 0);
    std::vector<Open> path{{root, 0}};
    met[root] = 1;
    while (!path.empty()) {
        auto& [node, next] = path.back();
        const auto out = edges(node);
        while (next < out.size() && met[out[next].child]) ++next;
        if (next == out.size()) {
            order.push_back(node);
            path.pop_back();
            continue;
        }
        const auto child = out[next++].child;
        met[child] = 1;
        path.push_back({child, 0});
    }
}

double TurnGraph::back_up_one(Index node) {
    const auto& here = nodes_[node];
    const auto own = values(node);
    const auto out = edges(node);
    if (here.kind == Kind::decision) {
        auto best = out[0].child;
        for (const auto& edge : out.subspan(1))
            if (values(edge.child)[here.chooser] > values(best)[here.chooser]) best = edge.child;
        const auto change = std::abs(own[here.chooser] - values(best)[here.chooser]);
        std::ranges::copy(values(best), own.begin());
        return change;
    }
    double all = 0, change = 0;
    for (const auto& edge : out) all += edge.weight;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        double sum = 0;
        for (const auto& edge : out) sum += edge.weight * values_[std::size_t{edge.child} * roles_ + role];
        change = std::max(change, std::abs(own[role] - sum / all));
        own[role] = sum / all;
    }
    return change;
}

void TurnGraph::back_up(std::span<const Index> order) {
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double change = 0;
        for (const auto node : order)
            if (nodes_[node].kind == Kind::decision || nodes_[node].kind == Kind::chance)
                change = std::max(change, back_up_one(node));
        if (change < kSettled) return;
    }
}

}  // namespace zermelo::bandit
