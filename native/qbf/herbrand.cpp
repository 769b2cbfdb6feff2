#include "qbf/herbrand.hpp"

#include <algorithm>
#include <stdexcept>

#include "qbf/clauses.hpp"
#include "qbf/sat.hpp"

namespace zermelo::qbf {

namespace {

// If all of the literals hold, the formula fails with this assignment of the expanded variables.
struct Rule {
    std::vector<Literal> when;
    std::uint32_t copy;
};

class Rules {
public:
    Rules(const Formula& formula, const Network& network, const Functions& functions, Control& control)
        : control_(control), output_(circuit_of(formula, graph_, control)), clauses_(graph_, sat_, false),
          plays_(formula.first_gate() + functions.gates.size()), order_(std::size_t{1} << network.expanded.size()) {
        for (std::uint32_t n = 0; n < plays_.size(); ++n) plays_[n] = play_.variable(n < formula.first_gate());
        play_.add({2 * plays_[0] + 1});
        load(formula, functions);
        output_ = clauses_[output_];
        for (std::uint32_t c = 0; c < order_.size(); ++c) order_[c] = c;
        for (const auto v : network.expanded) expanded_.push_back(clauses_[2 * v]);
        for (auto v = std::uint32_t{1}; v < network.expanded.front(); ++v)
            if (clauses_.loaded(v) && std::ranges::find(network.expanded, v) == network.expanded.end()) outer_.push_back(v);
        origin_.assign(sat_.variables(), 0);
        for (const auto v : outer_) origin_[clauses_[2 * v] >> 1] = v;
    }

    std::vector<Rule> find() {
        std::vector<Rule> rules;
        std::vector<Literal> clause;
        while (play_.solve({}, control_)) {
            control_.check();
            rules.push_back(rule());
            clause.clear();
            for (const auto literal : rules.back().when) clause.push_back(negate(of_play(literal)));
            play_.add(clause);
        }
        return rules;
    }

private:
    Literal of_play(Literal literal) const { return 2 * plays_[node_of(literal)] + (literal & 1); }

    // The functions of forall: gates, and his variables equal to their outputs.
    void load(const Formula& formula, const Functions& functions) {
        std::vector<Literal> clause;
        for (std::uint32_t g = 0; g < functions.gates.size(); ++g) {
            const Literal gate = of_play(2 * (formula.first_gate() + g));
            const bool any = functions.gates.kind[g] == Kind::any;
            clause.assign(1, gate ^ any);
            for (const auto input : functions.gates.inputs(g)) {
                play_.add({gate ^ !any, of_play(input) ^ any});
                clause.push_back(of_play(input) ^ !any);
            }
            play_.add(clause);
        }
        for (std::uint32_t b = 0; b < formula.blocks(); ++b) {
            if (formula.exists[b]) continue;
            for (auto v = formula.first_variable[b]; v < formula.first_variable[b + 1]; ++v) {
                const auto made = of_play(functions.output[v - 1]);
                play_.add({of_play(2 * v), negate(made)});
                play_.add({of_play(2 * v + 1), made});
            }
        }
    }

    // An assignment that makes the play just found fail, and why. The one that did so last is tried first.
    Rule rule() {
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const auto copy = order_[i];
            // The output and the assignment first: what they force is not assumed, so fewer literals are named.
            assumptions_.assign(1, output_);
            for (std::size_t k = 0; k < expanded_.size(); ++k) assumptions_.push_back(expanded_[k] ^ !(copy >> k & 1));
            const auto fixed = assumptions_.size();
            for (const auto v : outer_) assumptions_.push_back(clauses_[2 * v] ^ !play_.holds(of_play(2 * v)));
            if (sat_.solve(assumptions_, control_)) continue;
            std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(i), order_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            Rule made{{}, copy};
            for (auto literal = assumptions_.begin() + static_cast<std::ptrdiff_t>(fixed); literal != assumptions_.end(); ++literal)
                if (std::ranges::find(sat_.core(), *literal) != sat_.core().end()) made.when.push_back(2 * origin_[*literal >> 1] + (*literal & 1));
            return made;
        }
        throw std::logic_error("a play that does not lose");
    }

    Control& control_;
    AndGraph graph_;
    Literal output_;
    Sat sat_, play_;
    Clauses clauses_;
    std::vector<std::uint32_t> plays_;   // the variable in play_ of each node of the functions
    std::vector<std::uint32_t> order_;   // assignments, as they are tried
    std::vector<std::uint32_t> outer_;   // the formula's variables outside the expanded block
    std::vector<std::uint32_t> origin_;  // of each variable of sat_: that of the formula, or 0
    std::vector<Literal> expanded_, assumptions_;
};

}  // namespace

void answer_copies(const Formula& formula, const Network& network, Functions& functions, Control& control) {
    if (network.expanded.empty()) return;
    const auto rules = Rules(formula, network, functions, control).find();
    auto next = formula.first_gate() + functions.gates.size();
    const auto gate = [&](Kind kind, const std::vector<Literal>& inputs) {
        if (inputs.size() == 1) return inputs[0];
        functions.gates.kind.push_back(kind);
        functions.gates.input.insert(functions.gates.input.end(), inputs.begin(), inputs.end());
        functions.gates.first_input.push_back(functions.gates.input.size());
        return 2 * next++;
    };
    std::vector<bool> exists(formula.first_gate());
    for (std::uint32_t b = 0; b < formula.blocks(); ++b)
        for (auto v = formula.first_variable[b]; v < formula.first_variable[b + 1]; ++v) exists[v] = formula.exists[b];
    std::vector<std::vector<Literal>> trues(network.expanded.size());
    std::vector<Literal> inputs;
    Literal none_before = kTrue;
    for (const auto& rule : rules) {
        inputs.clear();
        for (const auto literal : rule.when)
            inputs.push_back(exists[node_of(literal)] ? literal : functions.output[node_of(literal) - 1] ^ (literal & 1));
        const auto holds = gate(Kind::all, inputs);
        const auto first = gate(Kind::all, {none_before, holds});
        for (std::size_t k = 0; k < trues.size(); ++k)
            if (rule.copy >> k & 1) trues[k].push_back(first);
        none_before = gate(Kind::all, {none_before, negate(holds)});
    }
    for (std::size_t k = 0; k < trues.size(); ++k) functions.output[network.expanded[k] - 1] = gate(Kind::any, trues[k]);
}

}  // namespace zermelo::qbf
