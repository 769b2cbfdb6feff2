#include "gdl/symmetry/rule_graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "gdl/symmetry/connections.hpp"
#include "gdl/symmetry/rule_classes.hpp"

namespace zermelo::gdl {

namespace {

enum Label : std::uint32_t { kAsked, kDenied, kFollows, kNext, kLegal, kSeen, kJoined, kPlaced, kEndOf, kInfluence };
enum Tag : std::int64_t {
    kFluent,
    kBody,
    kPercept,
    kStarts,
    kAlwaysHolds,
    kNeverHolds,
    kEnds,
    kMoveOf,
    kConnection,
    kSide,
    kPlace,
    kLink,
    kGoal,
    kGoalOf
};

struct Edge {
    std::uint32_t from, to, label;
    auto operator<=>(const Edge&) const = default;
};

class Builder {
public:
    Builder(const GroundRules& rules, const GraphParams& params, Control& control)
        : rules_(rules), params_(params), control_(control), connected_(find_connections(rules, control)),
          classes_(rule_classes(connected_.rules, rules.fluents() + rules.moves(), rules.atoms, control)),
          inner_(connected_.rules.atoms) {
        tags_.resize(classes_.classes);
    }

    RuleGraph run() {
        if (params_.goal_functions) find_inner();
        add_inputs();
        add_rules();
        for (const auto& connection : connected_.connections) add_connection(connection);
        if (rules_.terminal < kAlways) tag(classes_.of_atom[rules_.terminal], kEnds);
        // What a role perceives may be renamed, its own percepts among each other.
        for (const auto& percept : rules_.sees) lead(add_node(kPercept, percept.role), percept.atom, kSeen);
        std::unique_ptr<GoalFunctions> goals;
        if (apart_) goals = add_functions();
        else
            for (const auto& [role, value, atom] : rules_.goals)
                if (atom < kAlways) tags_[classes_.of_atom[atom]].push_back({kGoalOf + role, value});
        auto graph = made();
        graph.goals = std::move(goals);
        return graph;
    }

private:
    // Atoms that goals alone need.
    void find_inner() {
        std::vector<std::vector<Literal>> asked(connected_.rules.atoms);
        const auto& list = connected_.rules;
        for (std::size_t rule = 0; rule < list.head.size(); ++rule)
            asked[list.head[rule]].insert(asked[list.head[rule]].end(), list.body.begin() + list.first_literal[rule],
                                          list.body.begin() + list.first_literal[rule + 1]);
        for (const auto& connection : connected_.connections) {
            for (const auto& when : connection.place)
                asked[connection.atom].insert(asked[connection.atom].end(), when.begin(), when.end());
            for (const auto& link : connection.links)
                asked[connection.atom].insert(asked[connection.atom].end(), link.when.begin(), link.when.end());
        }
        const auto needed_from = [&](std::vector<std::uint32_t> waiting) {
            std::vector<bool> needed(list.atoms);
            while (!waiting.empty()) {
                const auto atom = waiting.back();
                waiting.pop_back();
                if (atom >= list.atoms || needed[atom]) continue;
                needed[atom] = true;
                for (const auto literal : asked[atom]) waiting.push_back(literal >> 1);
            }
            return needed;
        };
        std::vector<std::uint32_t> others(rules_.next), goals;
        others.insert(others.end(), rules_.legal.begin(), rules_.legal.end());
        others.push_back(rules_.terminal);
        for (const auto& percept : rules_.sees) others.push_back(percept.atom);
        for (const auto& goal : rules_.goals) goals.push_back(goal.atom);
        const auto shared = needed_from(others), needed = needed_from(goals);
        for (auto atom = rules_.fluents() + rules_.moves(); atom < rules_.atoms; ++atom) {
            inner_[atom] = needed[atom] && !shared[atom];
            // A goal that only names what other rules compute has nothing to compare.
            apart_ = apart_ || (inner_[atom] && std::ranges::find(goals, atom) == goals.end());
        }
        if (!apart_) inner_.assign(inner_.size(), false);
    }

    void tag(std::uint32_t node, Tag name, std::int64_t value = 0) { tags_[node].push_back({name, value}); }
    std::uint32_t add_node(Tag name, std::int64_t value = 0) {
        tags_.push_back({{name, value}});
        return static_cast<std::uint32_t>(tags_.size()) - 1;
    }
    void lead(std::uint32_t node, std::uint32_t atom, Label label) {
        if (atom == kNever) tag(node, kNeverHolds);
        else if (atom == kAlways) tag(node, kAlwaysHolds);
        else edges_.push_back({node, classes_.of_atom[atom], label});
    }
    void ask(std::uint32_t node, std::span<const Literal> when) {
        for (const auto literal : when)
            edges_.push_back({node, classes_.of_atom[literal >> 1], literal & 1 ? kDenied : kAsked});
    }

    void add_inputs() {
        for (std::uint32_t f = 0; f < rules_.fluents(); ++f) {
            tag(f, kFluent);
            if (params_.keep_start && rules_.init[f]) tag(f, kStarts);
            lead(f, rules_.next[f], kNext);
        }
        for (std::uint32_t role = 0; role + 1 < rules_.first_move.size(); ++role)
            for (auto m = rules_.first_move[role]; m < rules_.first_move[role + 1]; ++m) {
                tag(rules_.fluents() + m, kMoveOf, role);
                lead(rules_.fluents() + m, rules_.legal[m], kLegal);
            }
    }

    void add_rules() {
        std::vector<std::uint32_t> node_of_body(classes_.bodies.size(), kNever);
        for (std::size_t rule = 0; rule < connected_.rules.head.size(); ++rule) {
            const auto head = connected_.rules.head[rule];
            if (inner_[head]) continue;
            auto& node = node_of_body[classes_.body_of_rule[rule]];
            if (node == kNever) {
                node = add_node(kBody);
                for (const auto literal : classes_.bodies[classes_.body_of_rule[rule]])
                    edges_.push_back({node, literal >> 1, literal & 1 ? kDenied : kAsked});
            }
            edges_.push_back({node, classes_.of_atom[head], kFollows});
        }
    }

    void add_connection(const Connection& connection) {
        const auto joined = classes_.of_atom[connection.atom];
        tag(joined, kConnection);
        std::vector<std::uint32_t> place;
        for (std::size_t i = 0; i < connection.place.size(); ++i) {
            place.push_back(add_node(i < 2 ? kSide : kPlace));
            edges_.push_back({joined, place.back(), i < 2 ? kJoined : kPlaced});
            ask(place.back(), connection.place[i]);
        }
        for (const auto& [one, other, when] : connection.links) {
            const auto link = add_node(kLink);
            edges_.push_back({link, place[one], kEndOf});
            edges_.push_back({link, place[other], kEndOf});
            ask(link, when);
        }
    }

    // A node for each goal that is joined to what it looks at, with as much as can be told of how.
    std::unique_ptr<GoalFunctions> add_functions() {
        auto goals = std::make_unique<GoalFunctions>(rules_, connected_.rules, inner_, classes_.of_atom,
                                                     params_.most_nodes, control_);
        std::map<std::uint64_t, std::uint32_t> label;
        for (std::size_t i = 0; i < goals->size(); ++i) {
            const auto node = add_node(kGoal, static_cast<std::int64_t>(i));
            for (const auto& [atom, influence] : goals->influence(i))
                edges_.push_back({node, atom,
                                  label.try_emplace(influence, kInfluence + static_cast<std::uint32_t>(label.size()))
                                      .first->second});
        }
        return goals;
    }

    RuleGraph made() {
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
        std::uint32_t labels = 0;
        graph.first_arc.assign(graph.nodes() + 1, 0);
        for (const auto& edge : edges_) {
            ++graph.first_arc[edge.from + 1], ++graph.first_arc[edge.to + 1];
            labels = std::max(labels, edge.label + 1);
        }
        std::partial_sum(graph.first_arc.begin(), graph.first_arc.end(), graph.first_arc.begin());
        graph.arcs.resize(2 * edges_.size());
        auto at = graph.first_arc;
        for (const auto& [from, to, label] : edges_) {
            graph.arcs[at[from]++] = {to, label};
            graph.arcs[at[to]++] = {from, labels + label};
        }
        for (std::uint32_t v = 0; v < graph.nodes(); ++v)
            std::sort(graph.arcs.begin() + graph.first_arc[v], graph.arcs.begin() + graph.first_arc[v + 1]);
        return graph;
    }

    const GroundRules& rules_;
    const GraphParams& params_;
    Control& control_;
    ConnectedRules connected_;
    RuleClasses classes_;
    std::vector<bool> inner_;  // atoms that are parts of the functions of goals
    bool apart_ = false;
    std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> tags_;
    std::vector<Edge> edges_;
};

}  // namespace

RuleGraph rule_graph(const GroundRules& rules, const GraphParams& params, Control& control) {
    return Builder(rules, params, control).run();
}

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
    return !graph.goals || graph.goals->keep(image);
}

}  // namespace zermelo::gdl
