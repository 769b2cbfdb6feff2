#include "gdl/symmetry/connections.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "gdl/datalog/components.hpp"

namespace zermelo::gdl {

namespace {

class Finder {
public:
    Finder(const GroundRules& rules, Control& control)
        : rules_(rules), control_(control), inputs_(rules.fluents() + rules.moves()) {
        of_head_.resize(rules.atoms);
        asked_by_.resize(rules.atoms);
        output_.resize(rules.atoms);
        for (std::uint32_t rule = 0; rule < rules.head.size(); ++rule) {
            of_head_[rules.head[rule]].push_back(rule);
            for (const auto literal : body(rule)) asked_by_[literal >> 1].push_back(rule);
        }
        const auto mark = [&](std::uint32_t atom) {
            if (atom < rules.atoms) output_[atom] = true;
        };
        std::ranges::for_each(rules.next, mark);
        std::ranges::for_each(rules.legal, mark);
        mark(rules.terminal);
        for (const auto& goal : rules.goals) mark(goal.atom);
        for (const auto& percept : rules.sees) mark(percept.atom);
    }

    ConnectedRules run() {
        place_.assign(rules_.atoms, kNone);
        gone_.assign(rules_.head.size(), false);
        std::vector<std::uint32_t> roots;
        for (auto atom = inputs_; atom < rules_.atoms; ++atom) roots.push_back(atom);
        const auto asks_for = [&](std::uint32_t atom, auto visit) {
            for (const auto rule : of_head_[atom])
                for (const auto literal : body(rule)) visit(literal >> 1);
        };
        ConnectedRules found;
        found.rules.atoms = rules_.atoms;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> stands_for;  // who asks for a connection, and its atom
        components(rules_.atoms, roots, asks_for, [&](std::span<const std::uint32_t> component, bool cyclic) {
            control_.tick();
            if (!cyclic) return;
            for (std::uint32_t i = 0; i < component.size(); ++i) place_[component[i]] = 2 + i;
            if (auto made = connection(component)) {
                made->second.atom = found.rules.atoms++;
                stands_for.emplace_back(made->first, made->second.atom);
                found.connections.push_back(std::move(made->second));
            }
            for (const auto atom : component) place_[atom] = kNone;
        });
        for (std::uint32_t rule = 0; rule < rules_.head.size(); ++rule)
            if (!gone_[rule]) add(found.rules, rules_.head[rule], body(rule));
        for (const auto& [head, atom] : stands_for) add(found.rules, head, std::vector{2 * atom});
        return found;
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    std::span<const Literal> body(std::uint32_t rule) const {
        return std::span(rules_.body)
            .subspan(rules_.first_literal[rule], rules_.first_literal[rule + 1] - rules_.first_literal[rule]);
    }
    static void add(RuleList& list, std::uint32_t head, std::span<const Literal> literals) {
        list.head.push_back(head);
        list.body.insert(list.body.end(), literals.begin(), literals.end());
        list.first_literal.push_back(static_cast<std::uint32_t>(list.body.size()));
    }

    struct Step {
        std::uint32_t from;         // a place; 0 where a chain begins
        std::vector<Literal> when;  // sorted
    };

    // Nothing where the rule asks for two atoms of the component, or for one negatively.
    std::optional<Step> step(std::uint32_t rule) const {
        Step step{0, {}};
        for (const auto literal : body(rule)) {
            if (place_[literal >> 1] == kNone) {
                step.when.push_back(literal);
            } else {
                if (step.from != 0 || literal & 1) return std::nullopt;
                step.from = place_[literal >> 1];
            }
        }
        std::ranges::sort(step.when);
        return step;
    }

    // The connection, and the atom that asks for it.
    std::optional<std::pair<std::uint32_t, Connection>> connection(std::span<const std::uint32_t> component) {
        Connection made;
        made.place.resize(2 + component.size());
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::vector<Literal>>>
            steps;  // from, to: conditions
        std::vector<std::uint32_t> used;
        std::uint32_t asking = kNone;
        for (const auto atom : component) {
            if (output_[atom]) return std::nullopt;
            const auto to = place_[atom];
            std::vector<Step> ways;
            for (const auto rule : of_head_[atom]) {
                auto way = step(rule);
                if (!way) return std::nullopt;
                ways.push_back(std::move(*way));
                used.push_back(rule);
            }
            made.place[to] = taken_out(ways);
            for (auto& [from, when] : ways)
                if (from != to) steps[{from, to}].push_back(std::move(when));
            for (const auto rule : asked_by_[atom]) {
                const auto head = rules_.head[rule];
                if (place_[head] != kNone) continue;
                auto last = step(rule);
                if (!last || (asking != kNone && asking != head)) return std::nullopt;
                asking = head;
                steps[{last->from, 1}].push_back(std::move(last->when));
                used.push_back(rule);
            }
        }
        if (asking == kNone || !link(steps, made)) return std::nullopt;
        for (const auto rule : used) gone_[rule] = true;
        return std::pair{asking, std::move(made)};
    }

    // What all ways into a place ask for is a condition of the place itself.
    static std::vector<Literal> taken_out(std::vector<Step>& ways) {
        if (ways.empty()) return {};
        auto common = ways.front().when;
        std::vector<Literal> kept;
        for (const auto& way : ways) {
            kept.clear();
            std::ranges::set_intersection(common, way.when, std::back_inserter(kept));
            common = kept;
        }
        for (auto& way : ways) {
            kept.clear();
            std::ranges::set_difference(way.when, common, std::back_inserter(kept));
            way.when = kept;
        }
        return common;
    }

    // Says whether all steps between places go both ways.
    static bool link(std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::vector<Literal>>>& steps,
                     Connection& made) {
        for (auto& [ends, conditions] : steps) {
            std::ranges::sort(conditions);
            conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
        }
        for (const auto& [ends, conditions] : steps) {
            const auto [from, to] = ends;
            if (from > 1 && to > 1) {
                const auto back = steps.find({to, from});
                if (back == steps.end() || back->second != conditions) return false;
            }
            for (const auto& when : conditions) made.links.push_back({std::min(from, to), std::max(from, to), when});
        }
        std::ranges::sort(made.links);
        made.links.erase(std::unique(made.links.begin(), made.links.end()), made.links.end());
        return true;
    }

    const GroundRules& rules_;
    Control& control_;
    std::uint32_t inputs_;
    std::vector<std::vector<std::uint32_t>> of_head_, asked_by_;
    std::vector<bool> output_, gone_;
    std::vector<std::uint32_t> place_;  // of each atom of the component looked at
};

}  // namespace

ConnectedRules find_connections(const GroundRules& rules, Control& control) { return Finder(rules, control).run(); }

}  // namespace zermelo::gdl
