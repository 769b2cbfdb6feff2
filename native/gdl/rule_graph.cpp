#include "gdl/rule_graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace zermelo::gdl {

namespace {

enum Label : std::uint32_t { kAsked, kDenied, kFollows, kNext, kLegal, kSeen, kLabels };

using Row = std::vector<std::uint32_t>;

void make_set(Row& row) {
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
}

struct RowHash {
    std::size_t operator()(const Row& row) const {
        std::uint64_t hash = 0x9e3779b97f4a7c15u;
        for (const auto entry : row) hash = (hash ^ entry) * 0xff51afd7ed558ccdu, hash ^= hash >> 29;
        return static_cast<std::size_t>(hash);
    }
};

// Rows numbered in the order of their first coming; compared in full.
class Numbers {
public:
    std::uint32_t of(const Row& row) { return known_.try_emplace(row, static_cast<std::uint32_t>(known_.size())).first->second; }
    std::size_t size() const { return known_.size(); }
    const std::unordered_map<Row, std::uint32_t, RowHash>& rows() const { return known_; }

private:
    std::unordered_map<Row, std::uint32_t, RowHash> known_;
};

// Which derived atoms hold together, by refinement from one class for all of them.
class Minimiser {
public:
    Minimiser(const GroundRules& rules, Control& control) : rules_(rules), control_(control), inputs_(rules.fluents() + rules.moves()) {
        class_.resize(rules.atoms, inputs_);
        std::iota(class_.begin(), class_.begin() + inputs_, 0u);
        of_head_.resize(rules.atoms);
        for (std::uint32_t rule = 0; rule < rules.head.size(); ++rule) of_head_[rules.head[rule]].push_back(rule);
    }

    void run() {
        for (std::size_t count = 0;;) {
            auto after = step();
            class_ = std::move(after);
            if (classes_ == count) break;
            count = classes_;
        }
    }

    std::uint32_t of(std::uint32_t atom) const { return class_[atom]; }
    std::uint32_t classes() const { return inputs_ + static_cast<std::uint32_t>(classes_); }
    const Numbers& bodies() const { return bodies_; }
    const std::vector<std::uint32_t>& body_of_rule() const { return body_of_rule_; }

private:
    // Bodies in terms of the classes so far; atoms of one class stay together if they have the same bodies.
    std::vector<std::uint32_t> step() {
        bodies_ = {};
        body_of_rule_.resize(rules_.head.size());
        Row row;
        for (std::size_t rule = 0; rule < rules_.head.size(); ++rule) {
            row.clear();
            for (auto at = rules_.first_literal[rule]; at < rules_.first_literal[rule + 1]; ++at)
                row.push_back(2 * class_[rules_.body[at] >> 1] + (rules_.body[at] & 1));
            make_set(row);
            body_of_rule_[rule] = bodies_.of(row);
            control_.tick();
        }
        Numbers definitions;
        auto after = class_;
        for (auto atom = inputs_; atom < rules_.atoms; ++atom) {
            row.clear();
            for (const auto rule : of_head_[atom]) row.push_back(body_of_rule_[rule]);
            make_set(row);
            row.push_back(class_[atom]);
            after[atom] = inputs_ + definitions.of(row);
            control_.tick();
        }
        classes_ = definitions.size();
        return after;
    }

    const GroundRules& rules_;
    Control& control_;
    std::uint32_t inputs_;
    std::size_t classes_ = 0;
    std::vector<std::uint32_t> class_, body_of_rule_;
    std::vector<Row> of_head_;
    Numbers bodies_;
};

struct Edge {
    std::uint32_t from, to;
    Label label;
    auto operator<=>(const Edge&) const = default;
};

class Builder {
public:
    Builder(const GroundRules& rules, bool keep_start, Control& control) : rules_(rules), keep_start_(keep_start), classes_(rules, control) {
        classes_.run();
    }

    RuleGraph run() {
        const auto first_body = classes_.classes(), first_percept = first_body + static_cast<std::uint32_t>(classes_.bodies().size());
        tags_.resize(first_percept + rules_.sees.size());
        colour_inputs();
        colour_outputs(first_percept);
        for (const auto& [row, body] : classes_.bodies().rows()) {
            tags_[first_body + body].push_back({kBody, 0});
            for (const auto literal : row) edges_.push_back({first_body + body, literal >> 1, literal & 1 ? kDenied : kAsked});
        }
        for (std::size_t rule = 0; rule < rules_.head.size(); ++rule)
            edges_.push_back({first_body + classes_.body_of_rule()[rule], classes_.of(rules_.head[rule]), kFollows});
        return graph();
    }

private:
    enum Tag : std::int64_t { kFluent, kBody, kPercept, kStarts, kAlwaysHolds, kNeverHolds, kEnds, kMoveOf, kGoalOf };

    void tag(std::uint32_t node, Tag tag, std::int64_t value = 0) { tags_[node].push_back({tag, value}); }

    void lead(std::uint32_t node, std::uint32_t atom, Label label) {
        if (atom == kNever) tag(node, kNeverHolds);
        else if (atom == kAlways) tag(node, kAlwaysHolds);
        else edges_.push_back({node, classes_.of(atom), label});
    }

    void colour_inputs() {
        for (std::uint32_t f = 0; f < rules_.fluents(); ++f) {
            tag(f, kFluent);
            if (keep_start_ && rules_.init[f]) tag(f, kStarts);
            lead(f, rules_.next[f], kNext);
        }
        for (std::uint32_t role = 0; role + 1 < rules_.first_move.size(); ++role)
            for (auto m = rules_.first_move[role]; m < rules_.first_move[role + 1]; ++m) {
                tag(rules_.fluents() + m, kMoveOf, role);
                lead(rules_.fluents() + m, rules_.legal[m], kLegal);
            }
    }

    void colour_outputs(std::uint32_t first_percept) {
        if (rules_.terminal < kAlways) tag(classes_.of(rules_.terminal), kEnds);
        for (const auto& [role, value, atom] : rules_.goals)
            if (atom < kAlways) tags_[classes_.of(atom)].push_back({kGoalOf + role, value});
        // What a role perceives may be renamed, its own percepts among each other.
        for (std::uint32_t i = 0; i < rules_.sees.size(); ++i) {
            tag(first_percept + i, kPercept, rules_.sees[i].role);
            lead(first_percept + i, rules_.sees[i].atom, kSeen);
        }
    }

    RuleGraph graph() {
        RuleGraph graph;
        graph.fluents = rules_.fluents();
        graph.moves = rules_.moves();
        std::map<std::vector<std::pair<std::int64_t, std::int64_t>>, std::uint32_t> colours;
        for (auto& tags : tags_) {
            std::ranges::sort(tags);
            graph.colour.push_back(colours.try_emplace(tags, static_cast<std::uint32_t>(colours.size())).first->second);
        }
        std::ranges::sort(edges_);
        edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
        graph.first_arc.assign(graph.nodes() + 1, 0);
        for (const auto& edge : edges_) ++graph.first_arc[edge.from + 1], ++graph.first_arc[edge.to + 1];
        std::partial_sum(graph.first_arc.begin(), graph.first_arc.end(), graph.first_arc.begin());
        graph.arcs.resize(2 * edges_.size());
        auto at = graph.first_arc;
        for (const auto& [from, to, label] : edges_) {
            graph.arcs[at[from]++] = {to, label};
            graph.arcs[at[to]++] = {from, kLabels + label};
        }
        for (std::uint32_t v = 0; v < graph.nodes(); ++v)
            std::sort(graph.arcs.begin() + graph.first_arc[v], graph.arcs.begin() + graph.first_arc[v + 1]);
        return graph;
    }

    const GroundRules& rules_;
    bool keep_start_;
    Minimiser classes_;
    std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> tags_;
    std::vector<Edge> edges_;
};

}  // namespace

RuleGraph rule_graph(const GroundRules& rules, bool keep_start, Control& control) { return Builder(rules, keep_start, control).run(); }

bool is_automorphism(const RuleGraph& graph, std::span<const std::uint32_t> image) {
    std::vector<bool> hit(graph.nodes());
    std::vector<Arc> turned;
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
        const auto w = image[v];
        if (w >= graph.nodes() || hit[w] || graph.colour[v] != graph.colour[w]) return false;
        hit[w] = true;
        turned.clear();
        for (const auto& [node, label] : graph.arcs_of(v)) turned.push_back({image[node], label});
        std::ranges::sort(turned);
        if (!std::ranges::equal(turned, graph.arcs_of(w))) return false;
    }
    return true;
}

}  // namespace zermelo::gdl
