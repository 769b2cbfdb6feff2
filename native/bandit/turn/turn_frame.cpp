#include "bandit/turn/turn_frame.hpp"

#include <algorithm>
#include <map>

namespace zermelo::bandit {

namespace {

using Bits = std::vector<std::uint64_t>;

bool any(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
    for (std::size_t w = 0; w < a.size(); ++w)
        if ((a[w] & b[w]) != 0) return true;
    return false;
}

// into |= bits, but for those of `except`.
void add(Bits& into, std::span<const std::uint64_t> bits, const Bits& except) {
    for (std::size_t w = 0; w < into.size(); ++w) into[w] |= bits[w] & ~except[w];
}

}  // namespace

std::unique_ptr<TurnFrame> TurnFrame::of(Lane& lane, std::span<const std::uint64_t> start, std::size_t most_nodes,
                                         Control& control) {
    TurnGraph graph(lane, 1);
    graph.record();
    const auto root = graph.node_of(start);
    if (!graph.grow(root, most_nodes, control)) return nullptr;
    std::vector<Index> inner;
    graph.order_from(root, inner);
    std::erase_if(inner, [&](Index node) {
        return graph.kind(node) != TurnGraph::Kind::decision && graph.kind(node) != TurnGraph::Kind::chance;
    });
    std::ranges::reverse(inner);
    std::unique_ptr<TurnFrame> frame(new TurnFrame(lane, lane.words(), lane.roles()));
    if (inner.empty() || !frame->prove(graph, inner)) return nullptr;
    frame->build(graph, inner);
    frame->find_exits(graph, inner);
    return frame;
}

// That steps within the turn rest on the frame and leave all else as it is.
bool TurnFrame::prove(const TurnGraph& graph, std::span<const Index> inner) {
    const auto start = graph.state(inner[0]);
    start_.assign(start.begin(), start.end());
    moving_.assign(words_, 0);
    fixed_.assign(words_, 0);
    std::vector<bool> within(graph.nodes(), false);
    std::vector<Index> place(graph.nodes(), 0);
    for (Index i = 0; i < inner.size(); ++i) {
        within[inner[i]] = true;
        place[inner[i]] = i;
        for (std::size_t w = 0; w < words_; ++w) moving_[w] |= graph.state(inner[i])[w] ^ start_[w];
        if (graph.kind(inner[i]) == TurnGraph::Kind::decision) {
            if (mover_ != kNobody && mover_ != graph.chooser(inner[i])) return false;
            mover_ = graph.chooser(inner[i]);
        }
    }
    if (mover_ == kNobody) return false;
    std::vector<bool> stays(graph.joints(), false), ends(graph.joints(), false);
    for (const auto& step : graph.steps()) {
        if (!within[step.node]) continue;
        // A position that comes again, or a node between a move and chance in the same step.
        if (within[step.child] && place[step.child] <= place[step.node]) return false;
        (within[step.child] ? stays : ends)[step.joint] = true;
    }
    for (const auto node : inner)
        for (const auto& edge : graph.edges(node))
            if (within[edge.child] && place[edge.child] <= place[node]) return false;
    Influence found;
    const Bits nothing(words_, 0);
    for (std::uint32_t j = 0; j < graph.joints(); ++j) {
        if (!stays[j]) continue;
        if (!lane_.influence(graph.joint(j), nothing, start_, found)) return false;
        for (std::size_t f = 0; f < 64 * words_ && f * words_ < found.reads.size(); ++f) {
            const bool moves = moving_[f / 64] >> (f % 64) & 1, kept = found.kept[f / 64] >> (f % 64) & 1;
            if (!moves && !kept) return false;
            if (moves) add(fixed_, std::span(found.reads).subspan(f * words_, words_), moving_);
        }
        add(fixed_, found.legal, moving_);
        if (any(found.terminal, moving_)) add(fixed_, found.terminal, moving_);
        const auto own = graph.joint(j)[mover_];
        if (inner_move_.size() <= own) inner_move_.resize(own + 1, false);
        inner_move_[own] = true;
    }
    for (std::uint32_t j = 0; j < graph.joints(); ++j)
        if (ends[j] && inner_move(graph.joint(j)[mover_])) return false;
    return true;
}

void TurnFrame::build(const TurnGraph& graph, std::span<const Index> inner) {
    std::vector<Index> place(graph.nodes(), kNone);
    for (Index i = 0; i < inner.size(); ++i) place[inner[i]] = i;
    for (const auto node : inner) {
        Node here{static_cast<std::uint32_t>(edges_.size()), 0, kNone};
        for (const auto& edge : graph.edges(node))
            if (place[edge.child] != kNone) edges_.push_back({place[edge.child], edge.weight});
        here.edges = static_cast<std::uint32_t>(edges_.size()) - here.first_edge;
        nodes_.push_back(here);
    }
    values_.resize(nodes_.size() * roles_);
    joint_.resize(roles_);
}

// Where a player moves, or has no choice, the turn may end. Positions of the frame that moves which end it do not tell
// apart share an exit.
void TurnFrame::find_exits(const TurnGraph& graph, std::span<const Index> inner) {
    std::vector<bool> by_chance(graph.nodes(), false);
    for (const auto node : inner)
        by_chance[node] = graph.kind(node) == TurnGraph::Kind::chance &&
                          (graph.edges(node).size() > 1 || graph.edges(node)[0].weight > 1);
    Bits known(words_, 0), example;
    std::span<const std::uint32_t> waiting;
    for (const auto& step : graph.steps())
        if (!by_chance[step.node] && std::ranges::find(inner, step.node) != inner.end()) {
            waiting = graph.joint(step.joint);
            break;
        }
    for (const auto node : inner) {
        if (by_chance[node]) continue;
        const auto state = graph.state(node);
        if (example.empty()) example.assign(state.begin(), state.end()), known = moving_;
        for (std::size_t w = 0; w < words_; ++w) known[w] &= ~(state[w] ^ example[w]);
    }
    told_apart_.assign(words_, 0);
    Influence found;
    std::vector<std::uint32_t> joint(waiting.begin(), waiting.end());
    for (auto move = lane_.moves_of(mover_).first; move < lane_.moves_of(mover_).second; ++move) {
        if (inner_move(move)) continue;
        joint[mover_] = move;
        lane_.influence(joint, known, example, found);
        for (std::size_t i = 0; i < found.reads.size(); ++i)
            told_apart_[i % words_] |= found.reads[i] & moving_[i % words_];
        for (std::size_t w = 0; w < words_; ++w) told_apart_[w] |= found.legal[w] & moving_[w];
    }
    std::map<Bits, Index> same;
    for (Index i = 0; i < inner.size(); ++i) {
        if (by_chance[inner[i]]) continue;
        const auto state = graph.state(inner[i]);
        Bits key(words_);
        for (std::size_t w = 0; w < words_; ++w) key[w] = state[w] & told_apart_[w];
        const auto [at, fresh] = same.try_emplace(key, static_cast<Index>(exits_.size()));
        if (fresh) {
            exits_.push_back({places_.size(), false, false, Bits(words_)});
            for (std::size_t w = 0; w < words_; ++w) places_.push_back(state[w] & moving_[w]);
        }
        nodes_[i].exit = at->second;
    }
    exit_values_.resize(exits_.size() * roles_);
}

bool TurnFrame::fits(std::span<const std::uint64_t> start) const {
    for (std::size_t w = 0; w < words_; ++w)
        if (((start[w] ^ start_[w]) & (moving_[w] | fixed_[w])) != 0) return false;
    return true;
}

void TurnFrame::solve(std::span<const std::uint64_t> start, const Values& model) {
    here_.resize(words_);
    after_.clear();
    ended_.clear();
    met_.clear();
    leads_to_.clear();
    first_.clear();
    rewards_.clear();
    // All positions after moves that end the turn, to be valued together.
    for (const auto& exit : exits_) {
        first_.push_back(leads_to_.size());
        for (std::size_t w = 0; w < words_; ++w) here_[w] = places_[exit.at + w] | (start[w] & ~moving_[w]);
        lane_.load(here_);
        lane_.legal_moves(mover_, legal_);
        for (std::uint32_t role = 0; role < roles_; ++role) joint_[role] = lane_.legal(role, 0);
        bool there = true;
        for (const auto move : legal_) {
            if (inner_move(move)) continue;
            if (!there) lane_.load(here_);
            there = false;
            joint_[mover_] = move;
            lane_.play(joint_);
            over_.assign(lane_.state().begin(), lane_.state().end());
            lane_.lump(over_);
            const auto [found, fresh] = met_.try_emplace(over_, static_cast<Index>(ended_.size()));
            leads_to_.push_back(found->second);
            if (!fresh) continue;
            after_.insert(after_.end(), over_.begin(), over_.end());
            ended_.push_back(lane_.terminal());
            for (std::uint32_t role = 0; role < roles_; ++role)
                rewards_.push_back(ended_.back() && role != lane_.chance()
                                       ? lane_.goal(role) / static_cast<double>(lane_.scale())
                                       : 0);
        }
    }
    first_.push_back(leads_to_.size());
    predicted_.resize(rewards_.size());
    model.values(after_, predicted_);
    for (std::size_t i = 0; i < ended_.size(); ++i)
        if (!ended_[i]) std::copy_n(&predicted_[i * roles_], roles_, &rewards_[i * roles_]);
    for (std::size_t e = 0; e < exits_.size(); ++e) choose_exit(e);
    for (auto node = static_cast<Index>(nodes_.size()); node-- > 0;) back_up(node);
}

void TurnFrame::choose_exit(std::size_t number) {
    auto& exit = exits_[number];
    exit.any = first_[number] < first_[number + 1];
    if (!exit.any) return;
    auto best = leads_to_[first_[number]];
    for (auto i = first_[number] + 1; i < first_[number + 1]; ++i)
        if (rewards_[leads_to_[i] * roles_ + mover_] > rewards_[best * roles_ + mover_]) best = leads_to_[i];
    std::copy_n(&rewards_[best * roles_], roles_, &exit_values_[number * roles_]);
    std::copy_n(&after_[best * words_], words_, exit.next.begin());
    exit.over = ended_[best];
}

// The best child within the turn, kNone where there is none or ending the turn is better.
TurnFrame::Index TurnFrame::best_of(const Node& here) const {
    auto best = kNone;
    auto value = exits_[here.exit].any ? exit_values_[here.exit * roles_ + mover_] : -1e300;
    for (auto e = here.first_edge; e < here.first_edge + here.edges; ++e)
        if (values_[edges_[e].child * roles_ + mover_] > value)
            best = edges_[e].child, value = values_[best * roles_ + mover_];
    return best;
}

void TurnFrame::back_up(Index node) {
    const auto& here = nodes_[node];
    auto* const own = &values_[node * roles_];
    if (here.exit != kNone) {
        const auto best = best_of(here);
        std::copy_n(best == kNone ? &exit_values_[here.exit * roles_] : &values_[best * roles_], roles_, own);
        return;
    }
    std::fill_n(own, roles_, 0.0);
    double all = 0;
    for (auto e = here.first_edge; e < here.first_edge + here.edges; ++e) {
        all += edges_[e].weight;
        for (std::uint32_t role = 0; role < roles_; ++role)
            own[role] += edges_[e].weight * values_[edges_[e].child * roles_ + role];
    }
    for (std::uint32_t role = 0; role < roles_; ++role) own[role] /= all;
}

bool TurnFrame::draw(Random& random, std::vector<std::uint64_t>& next) const {
    for (Index node = 0;;) {
        const auto& here = nodes_[node];
        if (here.exit != kNone) {
            node = best_of(here);
            if (node != kNone) continue;
            next = exits_[here.exit].next;
            return !exits_[here.exit].over;
        }
        std::uint32_t all = 0;
        for (auto e = here.first_edge; e < here.first_edge + here.edges; ++e) all += edges_[e].weight;
        auto k = random.below(all);
        auto e = here.first_edge;
        for (; k >= edges_[e].weight; ++e) k -= edges_[e].weight;
        node = edges_[e].child;
    }
}

}  // namespace zermelo::bandit
