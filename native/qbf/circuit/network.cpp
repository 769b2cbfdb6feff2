#include "qbf/circuit/network.hpp"

#include <algorithm>

#include "qbf/circuit/restructure.hpp"

namespace zermelo::qbf {

namespace {

constexpr std::uint32_t kMostExpanded = 16;

// A circuit whose leaf i (node i + 1) is leaf[i].
struct Lowered {
    AndGraph graph;
    std::vector<GraphLeaf> leaf;
    Literal output = kFalse;
    std::vector<std::uint32_t> expanded;
    std::vector<Literal> copies;
};

// The nodes that the output depends on.
std::vector<bool> cone(const AndGraph& graph, Literal output) {
    std::vector<bool> needed(graph.size(), false);
    needed[node_of(output)] = true;
    for (auto n = graph.size(); n-- > graph.leaves() + 1;) {
        if (!needed[n]) continue;
        for (const auto input : graph.inputs(n)) needed[node_of(input)] = true;
    }
    return needed;
}

Lowered plain(const Formula& formula, Control& control) {
    Lowered made;
    made.output = circuit_of(formula, made.graph, control);
    for (std::uint32_t b = 0; b < formula.blocks(); ++b)
        for (auto v = formula.first_variable[b]; v < formula.first_variable[b + 1]; ++v)
            made.leaf.push_back({v, Network::kNone, b});
    return made;
}

// The circuit with the innermost universal block expanded, if that stays small enough.
Lowered expanded(Lowered source, const Formula& formula, std::uint64_t most_gates, Control& control) {
    const auto& graph = source.graph;
    const auto needed = cone(graph, source.output);
    std::uint32_t level = Network::kNone;
    for (const auto& leaf : source.leaf)
        if (needed[leaf.origin] && !formula.exists[leaf.level]) level = leaf.level;
    if (level == Network::kNone) return source;
    // 0: untouched by the expansion, 1: changed by it
    std::vector<bool> changes(graph.size(), false);
    std::vector<std::uint32_t> universal, inner;
    for (const auto& leaf : source.leaf) {
        if (leaf.level < level || !needed[leaf.origin]) continue;
        changes[leaf.origin] = true;
        (leaf.level == level ? universal : inner).push_back(leaf.origin);
    }
    std::uint64_t work = inner.size();
    for (std::uint32_t n = graph.leaves() + 1; n < graph.size(); ++n) {
        if (!needed[n]) continue;
        changes[n] = std::ranges::any_of(graph.inputs(n), [&](Literal input) { return changes[node_of(input)]; });
        if (changes[n]) work += graph.inputs(n).size();
    }
    if (universal.size() > kMostExpanded || work << universal.size() > most_gates) return source;

    const auto copies = std::uint32_t{1} << universal.size();
    Lowered made{AndGraph(0), {}, kFalse, universal, {}};
    std::vector<Literal> image(graph.size(), kFalse);
    for (const auto& leaf : source.leaf) {
        if (!needed[leaf.origin] || leaf.level >= level) continue;
        made.leaf.push_back(leaf);
        image[leaf.origin] = static_cast<Literal>(2 * made.leaf.size());
    }
    std::vector<Literal> first_copy(inner.size());
    for (std::size_t i = 0; i < inner.size(); ++i) {
        first_copy[i] = static_cast<Literal>(2 * (made.leaf.size() + 1));
        for (std::uint32_t c = 0; c < copies; ++c) made.leaf.push_back({inner[i], c, source.leaf[inner[i] - 1].level});
    }
    made.graph = AndGraph(static_cast<std::uint32_t>(made.leaf.size()));
    std::vector<Literal> inputs, parts;
    const auto copy = [&](bool changing) {
        for (std::uint32_t n = graph.leaves() + 1; n < graph.size(); ++n) {
            if (!needed[n] || changes[n] != changing) continue;
            inputs.clear();
            for (const auto input : graph.inputs(n)) inputs.push_back(image[node_of(input)] ^ (input & 1));
            image[n] = made.graph.conjunction(inputs);
        }
    };
    copy(false);
    for (std::uint32_t c = 0; c < copies; ++c) {
        if ((c & 63) == 63) control.check();
        for (std::size_t k = 0; k < universal.size(); ++k) image[universal[k]] = c >> k & 1 ? kTrue : kFalse;
        for (std::size_t i = 0; i < inner.size(); ++i) image[inner[i]] = first_copy[i] + 2 * c;
        copy(true);
        parts.push_back(image[node_of(source.output)] ^ (source.output & 1));
    }
    made.output = made.graph.conjunction(parts);
    made.copies = std::move(parts);
    return made;
}

// From a circuit of AND gates to the network.
class Normal {
public:
    Normal(Lowered& source, const Formula& formula) : source_(source), graph_(source.graph) {
        network_.expanded = source.expanded;
        network_.exists = formula.exists;
    }

    Network make() {
        if (node_of(source_.output) == 0) {
            network_.constant = source_.output == kTrue;
            number_variables();
        } else {
            count_uses();
            number_nodes();
            number_variables();
            connect();
        }
        network_.source = std::move(order_);
        network_.copies = std::move(source_.copies);
        network_.graph = std::move(source_.graph);
        network_.graph_leaf = std::move(source_.leaf);
        return std::move(network_);
    }

private:
    // An AND used once, without negation, by an AND: its inputs are the user's.
    bool melts(Literal input) const {
        return !negated(input) && graph_.gate(node_of(input)) && uses_[node_of(input)] == 1;
    }

    void count_uses() {
        uses_.assign(graph_.size(), 0);
        uses_[node_of(source_.output)] = 2;
        for (auto n = graph_.size(); n-- > graph_.leaves() + 1;)
            if (uses_[n])
                for (const auto input : graph_.inputs(n)) uses_[node_of(input)] += uses_[node_of(input)] < 2;
    }

    // The literals of the inputs with those of melted gates, in the sense of the literal asked for.
    const std::vector<Literal>& inputs_of(Literal literal) {
        flat_.clear();
        stack_.assign(1, node_of(literal));
        while (!stack_.empty()) {
            const auto n = stack_.back();
            stack_.pop_back();
            for (const auto input : graph_.inputs(n)) {
                if (melts(input)) stack_.push_back(node_of(input));
                else flat_.push_back(input ^ (literal & 1));
            }
        }
        std::ranges::sort(flat_);
        flat_.erase(std::unique(flat_.begin(), flat_.end()), flat_.end());
        return flat_;
    }

    // Which literals become nodes, numbered from the output down, so that a probe walks forward in memory.
    void number_nodes() {
        number_.assign(2 * std::size_t{graph_.size()}, Network::kNone);
        order_.assign(1, source_.output);
        number_[source_.output] = 0;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (!graph_.gate(node_of(order_[i]))) continue;
            for (const auto input : inputs_of(order_[i])) {
                if (number_[input] != Network::kNone) continue;
                number_[input] = static_cast<std::uint32_t>(order_.size());
                order_.push_back(input);
            }
        }
        network_.root = 0;
    }

    void number_variables() {
        variable_.assign(source_.leaf.size() + 1, Network::kNone);
        std::uint32_t level = 0;
        for (std::size_t i = 0; i < source_.leaf.size(); ++i) {
            const auto n = static_cast<Literal>(2 * (i + 1));
            if (number_.empty() || (number_[n] == Network::kNone && number_[n + 1] == Network::kNone)) continue;
            const auto& leaf = source_.leaf[i];
            for (; level < leaf.level; ++level)
                network_.first_of_level.push_back(static_cast<std::uint32_t>(network_.variable.size()));
            variable_[i + 1] = static_cast<std::uint32_t>(network_.variable.size());
            network_.variable.push_back(
                {leaf.origin, leaf.copy, leaf.level, {number_[n + 1], number_[n]}, static_cast<std::uint32_t>(i + 1)});
        }
        for (; level < network_.exists.size(); ++level)
            network_.first_of_level.push_back(static_cast<std::uint32_t>(network_.variable.size()));
    }

    void connect() {
        auto& n = network_;
        const auto size = order_.size();
        n.kind.reserve(size);
        std::vector<std::uint32_t> uses(size + 1, 0);
        for (const auto literal : order_) {
            const auto node = node_of(literal);
            n.opposite.push_back(number_[negate(literal)]);
            if (graph_.gate(node)) {
                n.kind.push_back(negated(literal) ? NodeKind::any : NodeKind::all);
                n.literal.push_back(Network::kNone);
                for (const auto input : inputs_of(literal)) {
                    n.child.push_back(number_[input]);
                    ++uses[number_[input] + 1];
                }
            } else {
                n.kind.push_back(NodeKind::leaf);
                n.literal.push_back(2 * variable_[node] + (literal & 1));
            }
            n.first_child.push_back(static_cast<std::uint32_t>(n.child.size()));
        }
        for (std::size_t i = 1; i < uses.size(); ++i) uses[i] += uses[i - 1];
        n.first_parent = uses;
        n.parent.resize(n.child.size());
        for (const auto users : {NodeKind::any, NodeKind::all}) {
            for (std::uint32_t p = 0; p < size; ++p)
                if (n.kind[p] == users)
                    for (const auto c : n.children(p)) n.parent[uses[c]++] = p;
            if (users == NodeKind::any) n.first_all.assign(uses.begin(), uses.end() - 1);
        }
    }

    Lowered& source_;
    const AndGraph& graph_;
    Network network_;
    std::vector<std::uint8_t> uses_;
    std::vector<Literal> flat_;
    std::vector<std::uint32_t> stack_;
    std::vector<std::uint32_t> number_;    // of each literal: its node in the network
    std::vector<Literal> order_;           // the literal of each node of the network
    std::vector<std::uint32_t> variable_;  // of each leaf of the graph, from 1: its variable
};

}  // namespace

std::uint64_t Network::bytes() const {
    return kind.size() * 21 + (child.size() + parent.size()) * sizeof(std::uint32_t) +
           variable.size() * sizeof(NetworkVariable);
}

Network lowered(const Formula& formula, const Lowering& how, Control& control) {
    auto source = plain(formula, control);
    if (how.expansion_gates) source = expanded(std::move(source), formula, how.expansion_gates, control);
    if (how.restructure) {
        auto outputs = source.copies;
        outputs.push_back(source.output);
        source.graph = restructured(source.graph, outputs, control);
        source.output = outputs.back();
        outputs.pop_back();
        source.copies = std::move(outputs);
    }
    return Normal(source, formula).make();
}

}  // namespace zermelo::qbf
