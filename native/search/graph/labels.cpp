#include "search/graph/labels.hpp"

#include <algorithm>
#include <stdexcept>

namespace zermelo {

namespace {

// Memory charged to a control for as long as a scope lasts, or for good once kept.
class Loan {
public:
    explicit Loan(Control& control) : control_(control) {}
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { control_.charge(-bytes_); }
    void take(std::uint64_t bytes) {
        control_.charge(static_cast<std::int64_t>(bytes));
        bytes_ += static_cast<std::int64_t>(bytes);
    }
    void keep() { bytes_ = 0; }

private:
    Control& control_;
    std::int64_t bytes_ = 0;
};

void check_two_roles(const GraphData& graph) {
    for (std::size_t node = 0; node < graph.turn.size(); ++node) {
        if (graph.turn[node] == GraphData::kOver) continue;
        if (graph.turn[node] > 1) throw std::invalid_argument("labels take games of one or two roles without chance");
        if (row_of(graph, node).empty()) throw std::invalid_argument("a position that is not over has no moves");
    }
}

// Whether the mover would rather have it end soon, in a position of this value; twice_level is twice the score at
// which neither side is better off (doubled, since there need not be a score half-way between win and loss).
bool shortens(int role, Score value, Score twice_level) {
    return 2 * value == twice_level || (2 * value > twice_level) == (role == 0);
}

// The best of the successors' labels for the mover, one ply further away.
Label label_from_row(const GraphData& graph, const std::vector<Label>& label, std::size_t node, Score twice_level) {
    if (graph.turn[node] == GraphData::kOver) return {graph.score[node], 0};
    const int role = graph.turn[node];
    const auto row = row_of(graph, node);
    Label best = label[row.front()];
    for (const auto target : row.subspan(1)) {
        const auto next = label[target];
        const bool take = next.value == best.value ? shortens(role, best.value, twice_level)
                                                         ? next.distance < best.distance
                                                         : next.distance > best.distance
                                                   : (next.value > best.value) == (role == 0);
        if (take) best = next;
    }
    return {best.value, best.distance + 1};
}

// An order of the nodes, each before its successors (Kahn 1962); incomplete if the graph has a cycle.
std::vector<std::uint32_t> topological_order(const GraphData& graph) {
    const auto nodes = graph.turn.size();
    std::vector<std::uint32_t> waiting(nodes, 0), order;
    order.reserve(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
        for (const auto target : row_of(graph, node)) ++waiting[target];
    for (std::uint32_t node = 0; node < nodes; ++node)
        if (!waiting[node]) order.push_back(node);
    for (std::size_t head = 0; head < order.size(); ++head)
        for (const auto target : row_of(graph, order[head]))
            if (--waiting[target] == 0) order.push_back(target);
    return order;
}

// Labels a graph in one backward pass, or says false if it has a cycle. Where every move leads to a higher number,
// as in layered games numbered breadth first, the numbers themselves are the order.
bool label_acyclic(const GraphData& graph, Score twice_level, std::vector<Label>& label, Control& control) {
    const auto nodes = graph.turn.size();
    bool ascending = true;
    for (std::size_t node = 0; node < nodes && ascending; ++node)
        for (const auto target : row_of(graph, node)) ascending &= target > node;
    Loan loan(control);
    std::vector<std::uint32_t> order;
    if (!ascending) {
        loan.take(nodes * 2 * sizeof(std::uint32_t));
        order = topological_order(graph);
        if (order.size() < nodes) return false;
    }
    constexpr std::size_t ahead = 4;  // nodes whose successors are fetched early, so that cache misses overlap
    for (std::size_t i = nodes; i-- > 0;) {
        control.tick();
        if (i >= ahead)
            for (const auto target : row_of(graph, ascending ? i - ahead : order[i - ahead]))
                __builtin_prefetch(&label[target]);
        const auto node = ascending ? i : order[i];
        label[node] = label_from_row(graph, label, node, twice_level);
    }
    return true;
}

// Attractors by counting unresolved successors: each edge is looked at once in a sweep.
class Retrograde {
public:
    struct End {
        std::int32_t score;
        std::uint32_t node;
    };

    Retrograde(const GraphData& graph, Control& control) : graph_(graph), control_(control), loan_(control) {
        const auto nodes = graph.turn.size();
        std::size_t edges = 0;
        for (std::size_t node = 0; node < nodes; ++node) edges += row_of(graph, node).size();
        loan_.take((nodes + 1) * sizeof(std::uint64_t) + (edges + 2 * nodes) * sizeof(std::uint32_t));
        first_.assign(nodes + 1, 0);
        source_.resize(edges);
        left_.resize(nodes);
        queue_.reserve(nodes);
        for (std::size_t node = 0; node < nodes; ++node) {
            left_[node] = static_cast<std::uint32_t>(row_of(graph, node).size());
            for (const auto target : row_of(graph, node)) ++first_[target];
        }
        for (std::size_t node = 1; node <= nodes; ++node) first_[node] += first_[node - 1];
        // Filling each list from its end leaves first_ at the beginnings.
        for (auto node = nodes; node-- > 0;)
            for (const auto target : row_of(graph, node)) source_[--first_[target]] = static_cast<std::uint32_t>(node);
    }

    // Labels whatever `role` can force into the ends, which come best for the role first, with the score it gets.
    // A node is free to be labelled while its distance is negative. Counters of a sweep for one role are those of
    // the other role's nodes, so that one sweep for each role can share them. Who gets more than the score at hand has
    // its label already, so that score is `reached`: no better for the role are all nodes still without a label.
    void sweep(int role, std::span<const End> ends, std::vector<Label>& label, Score& reached) {
        queue_.clear();
        std::size_t head = 0;
        for (std::size_t i = 0; i < ends.size();) {
            const auto score = ends[i].score;
            reached = score;
            for (; i < ends.size() && ends[i].score == score; ++i) {
                label[ends[i].node] = {score, 0};
                queue_.push_back(ends[i].node);
            }
            // First in, first out: the last successor of a node to be labelled is the farthest of this score.
            for (; head < queue_.size(); ++head) {
                control_.tick();
                const auto distance = label[queue_[head]].distance + 1;
                for (const auto node : sources(queue_[head])) {
                    if (label[node].distance >= 0) continue;
                    if (graph_.turn[node] != role && --left_[node]) continue;
                    label[node] = {score, distance};
                    queue_.push_back(node);
                }
            }
        }
    }

    // The shortest way to the ends through nodes not labelled yet; values stay.
    void spread(std::span<const End> ends, std::vector<Label>& label) {
        queue_.clear();
        for (const auto& end : ends) label[end.node] = {end.score, 0}, queue_.push_back(end.node);
        for (std::size_t head = 0; head < queue_.size(); ++head) {
            control_.tick();
            for (const auto node : sources(queue_[head])) {
                if (label[node].distance >= 0) continue;
                label[node].distance = label[queue_[head]].distance + 1;
                queue_.push_back(node);
            }
        }
    }

private:
    std::span<const std::uint32_t> sources(std::uint32_t node) const {
        const auto begin = static_cast<std::size_t>(first_[node]);
        return std::span(source_).subspan(begin, static_cast<std::size_t>(first_[node + 1]) - begin);
    }

    const GraphData& graph_;
    Control& control_;
    Loan loan_;
    std::vector<std::uint64_t> first_;
    std::vector<std::uint32_t> source_, left_, queue_;
};

void label_cyclic(const GraphData& graph, Labels& labels, Control& control) {
    auto& label = labels.of;
    Loan loan(control);
    const auto count = static_cast<std::size_t>(std::count(graph.turn.begin(), graph.turn.end(), GraphData::kOver));
    loan.take(count * sizeof(Retrograde::End));
    std::vector<Retrograde::End> ends;
    ends.reserve(count);
    for (std::uint32_t node = 0; node < graph.turn.size(); ++node)
        if (graph.turn[node] == GraphData::kOver) ends.push_back({graph.score[node], node});
    Retrograde retrograde(graph, control);
    std::sort(ends.begin(), ends.end(),
              [](const auto& a, const auto& b) { return a.score != b.score ? a.score > b.score : a.node < b.node; });
    const auto level =
        std::partition_point(ends.begin(), ends.end(), [&](const auto& end) { return end.score > graph.endless; });
    const auto below =
        std::partition_point(level, ends.end(), [&](const auto& end) { return end.score == graph.endless; });
    std::fill(label.begin(), label.end(), Label{graph.endless, -1});
    retrograde.sweep(0, std::span(ends.begin(), level), label, labels.rest.upper);
    labels.rest.upper = graph.endless;
    std::reverse(below, ends.end());
    retrograde.sweep(1, std::span(below, ends.end()), label, labels.rest.lower);
    labels.rest.lower = graph.endless;
    retrograde.spread(std::span(level, below), label);
}

// Plies within which the owner can force an end that keeps the bound, -1 where it cannot.
std::vector<Label> reach_of(const GraphData& graph, int owner, Score bound, Control& control) {
    std::vector<Retrograde::End> ends;
    for (std::uint32_t node = 0; node < graph.turn.size(); ++node)
        if (graph.turn[node] == GraphData::kOver &&
            (owner == 0 ? graph.score[node] >= bound : graph.score[node] <= bound))
            ends.push_back({0, node});
    std::vector<Label> reach(graph.turn.size());
    Score reached = 0;
    Retrograde(graph, control).sweep(owner, ends, reach, reached);
    return reach;
}

}  // namespace

void label_graph_into(Labels& labels, const GraphData& graph, Control& control, std::optional<Score> twice_level) {
    check_two_roles(graph);
    Loan loan(control);
    loan.take(graph.turn.size() * sizeof(Label));
    labels = {};
    labels.of.resize(graph.turn.size());
    labels.acyclic = label_acyclic(graph, twice_level.value_or(2 * Score{graph.endless}), labels.of, control);
    if (!labels.acyclic) {
        if (twice_level) throw std::logic_error("positions repeat in a game that gives endless play no score");
        label_cyclic(graph, labels, control);
    }
    loan.keep();
}

Labels label_graph(const GraphData& graph, Control& control, std::optional<Score> twice_level) {
    Labels labels;
    label_graph_into(labels, graph, control, twice_level);
    return labels;
}

std::int64_t best_edge(const GraphData& graph, const Labels& labels, std::uint32_t node) {
    const auto row = row_of(graph, node);
    const auto here = labels.of[node];
    const auto wanted = here.distance < 0 ? -1 : here.distance - 1;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (labels.of[row[i]].value == here.value && labels.of[row[i]].distance == wanted)
            return static_cast<std::int64_t>(i);
    return -1;
}

void rank_by_height(StrategyGraph& graph) {
    const auto nodes = graph.first_edge.size() - 1;
    constexpr std::uint32_t unknown = 0xffffffffu;
    graph.rank.assign(nodes, unknown);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;  // node, next edge
    for (std::uint32_t root = 0; root < nodes; ++root) {
        if (graph.rank[root] != unknown) continue;
        stack.emplace_back(root, graph.first_edge[root]);
        while (!stack.empty()) {
            auto& [node, edge] = stack.back();
            if (edge == graph.first_edge[node + 1]) {
                std::uint32_t height = 0;
                for (auto e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e)
                    height = std::max(height, graph.rank[graph.edge_target[e]] + 1);
                graph.rank[node] = height;
                stack.pop_back();
            } else {
                const auto target = graph.edge_target[edge++];
                if (graph.rank[target] == unknown) stack.emplace_back(target, graph.first_edge[target]);
            }
        }
    }
}

StrategyGraph strategy_from_labels(const GraphData& graph, const Labels& labels, std::uint32_t root, int owner,
                                   Score bound, Control& control) {
    const auto holds = [&](Score value) { return owner == 0 ? value >= bound : value <= bound; };
    if (!holds(labels.of[root].value)) throw std::invalid_argument("the bound does not hold at the start");
    constexpr std::uint32_t unmet = 0xffffffffu;
    const auto nodes = graph.turn.size();
    Loan loan(control);
    loan.take(nodes * sizeof(std::uint32_t) + (labels.acyclic ? 0 : nodes * (sizeof(Label) + sizeof(Retrograde::End))));
    std::vector<std::uint32_t> number(nodes, unmet), met{root};
    std::vector<Label> reach;
    if (!labels.acyclic) reach = reach_of(graph, owner, bound, control);
    StrategyGraph strategy;
    strategy.ranked = labels.acyclic || reach[root].distance >= 0;
    const bool nearer = strategy.ranked && !labels.acyclic;

    // The owner's best move by its labels among those that come nearer to the attractor's ends.
    const auto choose = [&](std::uint32_t node) {
        const auto row = row_of(graph, node);
        if (!nearer) return static_cast<std::size_t>(best_edge(graph, labels, node));
        std::size_t best = row.size();
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (reach[row[i]].distance < 0 || reach[row[i]].distance >= reach[node].distance) continue;
            const auto value = labels.of[row[i]].value;
            if (best == row.size() ||
                (value != labels.of[row[best]].value && (value > labels.of[row[best]].value) == (owner == 0)))
                best = i;
        }
        return best;
    };
    Loan kept(control);
    const auto link = [&](std::uint32_t target, std::size_t index) {
        if (number[target] == unmet) number[target] = static_cast<std::uint32_t>(met.size()), met.push_back(target);
        strategy.edge_move.push_back(static_cast<std::uint32_t>(index));
        strategy.edge_target.push_back(number[target]);
    };
    number[root] = 0;
    for (std::size_t i = 0; i < met.size(); ++i) {
        control.tick();
        const auto node = met[i];
        const auto row = row_of(graph, node);
        const bool own = graph.turn[node] == owner;
        kept.take(4 * sizeof(std::uint32_t) + (own ? 1 : row.size()) * 2 * sizeof(std::uint32_t));
        if (own) {
            const auto index = choose(node);
            link(row[index], index);
        } else {
            for (std::size_t index = 0; index < row.size(); ++index) link(row[index], index);
        }
        if (strategy.edge_move.size() >= unmet) throw std::length_error("the strategy has too many moves to number");
        strategy.first_edge.push_back(static_cast<std::uint32_t>(strategy.edge_move.size()));
    }
    if (nearer)
        for (const auto node : met) strategy.rank.push_back(static_cast<std::uint32_t>(reach[node].distance));
    else if (labels.acyclic) rank_by_height(strategy);
    kept.keep();
    return strategy;
}

}  // namespace zermelo
