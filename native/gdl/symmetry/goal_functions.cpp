#include "gdl/symmetry/goal_functions.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "gdl/datalog/components.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::size_t kMostShared = 32;  // literals that several bodies begin with

}  // namespace

GoalFunctions::GoalFunctions(const GroundRules& rules, const RuleList& list, const std::vector<bool>& inner,
                             std::span<const std::uint32_t> node_of, std::size_t most_nodes, Control& control)
    : control_(control), value_(list.atoms) {
    std::vector<std::vector<std::uint32_t>> of_head(list.atoms);
    for (std::uint32_t rule = 0; rule < list.head.size(); ++rule) of_head[list.head[rule]].push_back(rule);
    const auto literals = [&](std::uint32_t rule) {
        return std::span(list.body).subspan(list.first_literal[rule],
                                            list.first_literal[rule + 1] - list.first_literal[rule]);
    };
    for (const auto& goal : rules.goals)
        if (goal.atom < kAlways) goal_atoms_.push_back(goal.atom);
    const auto asks_for = [&](std::uint32_t atom, auto visit) {
        if (!inner[atom]) return;
        for (const auto rule : of_head[atom])
            for (const auto literal : literals(rule)) visit(literal >> 1);
    };
    // Variables from the last that the goals come to up to the first: what is counted together stands together, and
    // each step of a count puts its variable above all that was counted before, which is cheap.
    std::unordered_map<std::uint32_t, std::uint32_t> variable_of_node;
    components(list.atoms, goal_atoms_, asks_for, [&](std::span<const std::uint32_t> component, bool cyclic) {
        if (cyclic) throw TooManyNodes();
        const auto atom = component.front();
        if (!inner[atom]) {
            const auto next = static_cast<std::uint32_t>(node_of_variable_.size());
            const auto [at, fresh] = variable_of_node.try_emplace(node_of[atom], next);
            if (fresh) node_of_variable_.push_back(node_of[atom]);
            asked_.emplace_back(atom, at->second);
            return;
        }
        auto& bodies = inner_.emplace_back(Inner{atom, {}}).bodies;
        for (const auto rule : of_head[atom]) {
            bodies.emplace_back(literals(rule).begin(), literals(rule).end());
            std::ranges::sort(bodies.back());
        }
        std::ranges::sort(bodies);
    });
    std::ranges::reverse(node_of_variable_);
    for (auto& [atom, variable] : asked_)
        variable = static_cast<std::uint32_t>(node_of_variable_.size()) - 1 - variable;
    bdd_ = Bdd(static_cast<std::uint32_t>(node_of_variable_.size()), most_nodes);
    std::vector<std::uint32_t> same(node_of_variable_.size());
    std::iota(same.begin(), same.end(), 0u);
    build(same);
    for (const auto atom : goal_atoms_) functions_.push_back(value_[atom]);
}

void GoalFunctions::build(std::span<const std::uint32_t> variable_of_variable) {
    for (const auto& [atom, variable] : asked_) value_[atom] = bdd_.variable(variable_of_variable[variable]);
    for (const auto& [atom, bodies] : inner_) {
        // Functions whose variables stand above come first: what they are joined with is then small, and hung below
        // them.
        const auto before = [&](Literal one, Literal other) {
            return std::pair{bdd_.top(value_[one >> 1]), one} < std::pair{bdd_.top(value_[other >> 1]), other};
        };
        auto ordered = bodies;
        for (auto& body : ordered) std::ranges::sort(body, before);
        std::ranges::sort(ordered, [&](const auto& one, const auto& other) {
            return std::ranges::lexicographical_compare(one, other, before);
        });
        value_[atom] = any_of(ordered, 0);
    }
}

Bdd::Function GoalFunctions::of(Literal literal) {
    return literal & 1 ? bdd_.negated(value_[literal >> 1]) : value_[literal >> 1];
}

// The OR of the bodies from their literal number `depth` on, which agree before it. What several bodies begin with is
// taken out: sums over pairs of counts are small only so.
Bdd::Function GoalFunctions::any_of(std::span<const std::vector<Literal>> bodies, std::size_t depth) {
    control_.check();
    std::vector<std::pair<Literal, Bdd::Function>> terms;
    for (std::size_t first = 0; first < bodies.size();) {
        if (bodies[first].size() == depth) return Bdd::kTrue;
        auto last = first + 1;
        if (depth < kMostShared)
            while (last < bodies.size() && bodies[last].size() > depth && bodies[last][depth] == bodies[first][depth])
                ++last;
        auto term = of(bodies[first][depth]);
        if (last > first + 1) term = bdd_.both(term, any_of(bodies.subspan(first, last - first), depth + 1));
        else
            for (auto at = depth + 1; at < bodies[first].size(); ++at) term = bdd_.both(term, of(bodies[first][at]));
        terms.emplace_back(bodies[first][depth], term);
        first = last;
    }
    return united(std::move(terms));
}

// Neighbours by their literals first: ORs of overlapping ranges, such as all counts from each number up, share their
// parts.
Bdd::Function GoalFunctions::united(std::vector<std::pair<Literal, Bdd::Function>> terms) {
    if (terms.empty()) return Bdd::kFalse;
    std::ranges::sort(terms);
    while (terms.size() > 1) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const auto block = terms[i].first >> 1;
            if (kept > 0 && terms[kept - 1].first == block)
                terms[kept - 1].second = bdd_.any(terms[kept - 1].second, terms[i].second);
            else terms[kept++] = {block, terms[i].second};
        }
        terms.resize(kept);
    }
    return terms.front().second;
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> GoalFunctions::influence(std::size_t i) const {
    const auto numbers = bdd_.influence(functions_[i]);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> found;
    for (std::uint32_t variable = 0; variable < numbers.size(); ++variable)
        if (numbers[variable] != 0) found.emplace_back(node_of_variable_[variable], numbers[variable]);
    return found;
}

bool GoalFunctions::keep(std::span<const std::uint32_t> image) {
    std::unordered_map<std::uint32_t, std::uint32_t> variable_of_node;
    for (std::uint32_t variable = 0; variable < node_of_variable_.size(); ++variable)
        variable_of_node[node_of_variable_[variable]] = variable;
    std::vector<std::uint32_t> renamed;
    for (const auto node : node_of_variable_) {
        const auto at = variable_of_node.find(image[node]);
        if (at == variable_of_node.end()) return false;
        renamed.push_back(at->second);
    }
    const auto before = bdd_.nodes();
    build(renamed);
    bool same = true;
    for (std::size_t i = 0; i < goal_atoms_.size(); ++i) same = same && value_[goal_atoms_[i]] == functions_[i];
    bdd_.forget(before);
    return same;
}

}  // namespace zermelo::gdl
