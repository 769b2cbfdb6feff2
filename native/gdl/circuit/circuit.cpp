#include "gdl/circuit/circuit.hpp"

#include <algorithm>
#include <stdexcept>

#include "gdl/datalog/components.hpp"
#include "gdl/circuit/factor.hpp"
#include "gdl/circuit/gates.hpp"
#include "zermelo/heed.hpp"

namespace zermelo::gdl {

namespace {

// The atoms that the outputs rest on, each with its rules, made into gates component by component.
class Compiler {
public:
    explicit Compiler(const GroundRules& rules) : rules_(rules), gates_(rules.fluents(), rules.first_move) {
        literal_.assign(rules.atoms, kUnknown);
        const auto inputs = rules.fluents() + rules.moves();
        for (std::uint32_t atom = 0; atom < inputs; ++atom) literal_[atom] = 2 * (1 + atom);
        rules_of_.assign(rules.atoms + 1, 0);
        for (const auto head : rules.head) ++rules_of_[head + 1];
        for (std::uint32_t atom = 0; atom < rules.atoms; ++atom) rules_of_[atom + 1] += rules_of_[atom];
        rule_.resize(rules.head.size());
        auto place = rules_of_;
        for (std::uint32_t rule = 0; rule < rules.head.size(); ++rule) rule_[place[rules.head[rule]]++] = rule;
    }

    Circuit run() {
        std::vector<std::uint32_t> roots;
        const auto want = [&](std::uint32_t atom) {
            if (atom < rules_.atoms) roots.push_back(atom);
        };
        for (const auto atom : rules_.next) want(atom);
        for (const auto atom : rules_.legal) want(atom);
        want(rules_.terminal);
        for (const auto& goal : rules_.goals) want(goal.atom);
        for (const auto& percept : rules_.sees) want(percept.atom);

        const auto inputs = rules_.fluents() + rules_.moves();
        components(
            rules_.atoms, roots,
            [&](std::uint32_t atom, auto&& visit) {
                if (atom < inputs) return;
                for (auto r = rules_of_[atom]; r < rules_of_[atom + 1]; ++r)
                    for (const auto literal : body(rule_[r])) visit(node_of(literal));
            },
            [&](std::span<const std::uint32_t> component, bool cyclic) { build(component, cyclic); });
        gates_.share_sets_of_moves(live_gates(roots));
        return finish();
    }

private:
    static constexpr Literal kUnknown = 0xffffffffu;

    std::span<const Literal> body(std::uint32_t rule) const {
        return std::span(rules_.body)
            .subspan(rules_.first_literal[rule], rules_.first_literal[rule + 1] - rules_.first_literal[rule]);
    }

    // What the outputs rest on.
    std::vector<bool> live_gates(std::span<const std::uint32_t> outputs) const {
        std::vector<bool> live(gates_.size());
        std::vector<std::uint32_t> waiting;
        const auto reach = [&](Literal literal) {
            const auto node = node_of(literal);
            if (node < gates_.first_gate() || live[node - gates_.first_gate()]) return;
            live[node - gates_.first_gate()] = true;
            waiting.push_back(node);
        };
        for (const auto atom : outputs) reach(literal_[atom]);
        while (!waiting.empty()) {
            const auto node = waiting.back();
            waiting.pop_back();
            heed();
            for (const auto input : gates_.inputs(node)) reach(input);
        }
        return live;
    }

    void build(std::span<const std::uint32_t> component, bool cyclic) {
        if (component.front() < rules_.fluents() + rules_.moves()) return;
        if (!cyclic) {
            literal_[component.front()] = factored(gates_, products(component.front()));
            return;
        }
        for (const auto atom : component) literal_[atom] = gates_.open(Gate::any);
        for (const auto atom : component) {
            const Literal input[] = {factored(gates_, products(atom))};
            gates_.close(literal_[atom], input);
        }
    }

    std::vector<Product> products(std::uint32_t atom) const {
        std::vector<Product> result;
        for (auto r = rules_of_[atom]; r < rules_of_[atom + 1]; ++r) {
            heed();
            Product product;
            bool circular = false;  // a rule that needs its own head proves nothing
            for (const auto literal : body(rule_[r])) {
                circular = circular || literal == 2 * atom;
                const auto known = literal_[node_of(literal)];
                if (known == kUnknown) throw std::invalid_argument("negation runs in a circle");
                product.push_back(negated(literal) ? negate(known) : known);
            }
            if (!circular) result.push_back(std::move(product));
        }
        return result;
    }

    Literal of(std::uint32_t atom) const { return atom == kNever ? kFalse : atom == kAlways ? kTrue : literal_[atom]; }

    Circuit finish() const;

    const GroundRules& rules_;
    Gates gates_;
    std::vector<Literal> literal_;                // of each atom
    std::vector<std::uint32_t> rules_of_, rule_;  // atom a has the rules rule_[rules_of_[a] .. rules_of_[a + 1])
};

// Gates that have become another's copy or a constant inside a cycle; least fixpoint: a gate that only rests on
// itself is false.
class Resolver {
public:
    explicit Resolver(const Gates& gates) : gates_(gates), stands_for_(gates.size()) {
        for (std::uint32_t i = 0; i < gates.size(); ++i) stands_for_[i] = 2 * (gates.first_gate() + i);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t i = 0; i < gates.size(); ++i) {
                heed();
                changed = collapse(i) || changed;
            }
        }
    }
    Literal operator()(Literal literal) const {
        bool flip = false;
        for (std::size_t steps = 0;; ++steps) {
            flip = flip != negated(literal);
            literal &= ~Literal{1};
            if (node_of(literal) < gates_.first_gate()) break;
            const auto next = stands_for_[node_of(literal) - gates_.first_gate()];
            if (next == literal) break;
            literal = next;
        }
        return literal ^ static_cast<Literal>(flip);
    }

private:
    bool collapse(std::uint32_t index) {
        const Literal self = 2 * (gates_.first_gate() + index);
        if (stands_for_[index] != self) return false;
        const bool any = gates_.kind(node_of(self)) == Gate::any;
        const Literal neutral = any ? kFalse : kTrue;
        Literal only = neutral;
        for (const auto input : gates_.inputs(node_of(self))) {
            const auto literal = (*this)(input);
            if (literal == neutral || (any && literal == self)) continue;
            if (literal == negate(neutral)) return stands_for_[index] = literal, true;
            if (!any && literal == self) return stands_for_[index] = kFalse, true;
            if (only != neutral && only != literal) return false;
            only = literal;
        }
        return stands_for_[index] = only, true;
    }

    const Gates& gates_;
    std::vector<Literal> stands_for_;
};

Circuit Compiler::finish() const {
    const Resolver resolved(gates_);
    Circuit circuit;
    circuit.fluents = rules_.fluents();
    circuit.moves = rules_.moves();
    circuit.first_move = rules_.first_move;
    circuit.role_names = rules_.role_names;
    circuit.fluent_names = rules_.fluent_names;
    circuit.move_names = rules_.move_names;
    circuit.percept_names = rules_.percept_names;
    circuit.start.assign((circuit.fluents + 63) / 64, 0);
    for (std::uint32_t f = 0; f < circuit.fluents; ++f)
        if (rules_.init[f]) circuit.start[f / 64] |= std::uint64_t{1} << (f % 64);

    std::vector<Literal> outputs;
    const auto output = [&](std::uint32_t atom) {
        outputs.push_back(resolved(of(atom)));
        return outputs.back();
    };
    for (const auto atom : rules_.legal) circuit.legal.push_back(output(atom));
    circuit.terminal = output(rules_.terminal);
    for (const auto atom : rules_.next) circuit.next.push_back(output(atom));
    for (const auto& goal : rules_.goals) circuit.goals.push_back({goal.role, goal.value, output(goal.atom)});
    for (const auto& percept : rules_.sees)
        circuit.sees.push_back({percept.role, percept.percept, output(percept.atom)});

    // Number what the outputs rest on, component by component.
    const auto first = circuit.first_gate();
    std::vector<std::uint32_t> roots, number(gates_.size(), 0), order;
    for (const auto literal : outputs)
        if (node_of(literal) >= first) roots.push_back(node_of(literal) - first);
    components(
        static_cast<std::uint32_t>(gates_.size()), roots,
        [&](std::uint32_t index, auto&& visit) {
            for (const auto input : gates_.inputs(first + index))
                if (const auto node = node_of(resolved(input)); node >= first) visit(node - first);
        },
        [&](std::span<const std::uint32_t> component, bool cyclic) {
            const auto begin = first + static_cast<std::uint32_t>(order.size());
            for (const auto index : component) {
                number[index] = first + static_cast<std::uint32_t>(order.size());
                order.push_back(index);
            }
            const auto end = first + static_cast<std::uint32_t>(order.size());
            if (!cyclic && !circuit.blocks.empty() && !circuit.blocks.back().cyclic) circuit.blocks.back().last = end;
            else circuit.blocks.push_back({begin, end, cyclic});
        });

    const auto renumbered = [&](Literal literal) {
        return node_of(literal) < first ? literal : 2 * number[node_of(literal) - first] + (literal & 1);
    };
    for (const auto index : order) {
        heed();
        circuit.gate.push_back(gates_.kind(first + index));
        std::vector<Literal> inputs;
        for (const auto input : gates_.inputs(first + index)) inputs.push_back(renumbered(resolved(input)));
        std::ranges::sort(inputs);
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        const Literal neutral = circuit.gate.back() == Gate::any ? kFalse : kTrue;
        std::erase(inputs, neutral);
        circuit.input.insert(circuit.input.end(), inputs.begin(), inputs.end());
        circuit.first_input.push_back(static_cast<std::uint32_t>(circuit.input.size()));
    }
    for (auto& literal : circuit.legal) literal = renumbered(literal);
    for (auto& literal : circuit.next) literal = renumbered(literal);
    circuit.terminal = renumbered(circuit.terminal);
    for (auto& goal : circuit.goals) goal.when = renumbered(goal.when);
    for (auto& percept : circuit.sees) percept.when = renumbered(percept.when);
    for (const auto& block : circuit.blocks)
        if (block.cyclic)
            for (auto node = block.first; node < block.last; ++node)
                for (const auto input : circuit.inputs(node))
                    if (negated(input) && node_of(input) >= block.first && node_of(input) < block.last)
                        throw std::invalid_argument("negation runs in a circle");
    return circuit;
}

}  // namespace

Circuit compile(const GroundRules& rules) { return Compiler(rules).run(); }

std::vector<bool> evaluate(const Circuit& circuit, std::span<const std::uint64_t> state,
                           std::span<const std::uint32_t> done) {
    std::vector<bool> node(circuit.nodes());
    for (std::uint32_t f = 0; f < circuit.fluents; ++f) node[circuit.fluent_node(f)] = state[f / 64] >> (f % 64) & 1;
    for (const auto move : done) node[circuit.move_node(move)] = true;
    for (const auto& block : circuit.blocks) {
        for (bool changed = true; changed;) {
            changed = false;
            for (auto here = block.first; here < block.last; ++here) {
                const auto inputs = circuit.inputs(here);
                const auto true_input = [&](Literal literal) { return holds(node, literal); };
                const bool value = circuit.gate[here - circuit.first_gate()] == Gate::all
                                       ? std::ranges::all_of(inputs, true_input)
                                       : std::ranges::any_of(inputs, true_input);
                if (value != node[here]) node[here] = value, changed = true;
            }
            if (!block.cyclic) break;
        }
    }
    return node;
}

}  // namespace zermelo::gdl
