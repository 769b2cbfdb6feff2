#include "qbf/sat/herbrand.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "qbf/sat/clauses.hpp"
#include "qbf/sat/sat.hpp"

namespace zermelo::qbf {

namespace {

// If all of the literals hold, the formula fails with this assignment of the expanded variables.
struct Rule {
    std::vector<Literal> when;
    std::uint32_t copy;
};

// Variables of exists quantified away, one by one, in a circuit. Only those inputs of the final AND that depend on the
// variable take part, and first comes the one that ties the fewest others together (Dechter and Rish, "Directional
// resolution", 1994, on circuits). Variables that are defined by others, as where they describe the course of a game,
// go away without growth.
class Elimination {
public:
    Elimination(AndGraph& graph, std::vector<std::uint32_t> variables, std::uint64_t most_nodes)
        : graph_(graph), variables_(std::move(variables)), words_((variables_.size() + 63) / 64),
          most_nodes_(most_nodes) {}

    // A literal without the variables, or nothing if that takes too many gates.
    std::optional<Literal> without_variables(Literal output) {
        parts_.clear();
        add_part(output);
        std::vector<bool> left(variables_.size(), true);
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const auto next = easiest(left);
            left[next] = false;
            if (record_) note_choice(next);
            eliminate(next);
            if (graph_.size() > most_nodes_) return std::nullopt;
        }
        return graph_.conjunction(parts_);
    }

    // From now on it is noted what to choose for each variable: a literal over variables that go later, and others.
    void record() { record_ = true; }
    struct Choice {
        std::uint32_t variable;
        Literal value;
    };
    const std::vector<Choice>& choices() const { return choices_; }

    Literal cofactor(Literal literal, std::uint32_t variable, bool value) {
        update_support();
        return cofactor_at(literal, variable, value, [](std::uint32_t) { return true; });
    }

private:
    bool depends(std::uint32_t node, std::size_t index) const {
        return support_[node * words_ + index / 64] >> (index % 64) & 1;
    }

    void update_support() {
        auto n = words_ ? support_.size() / words_ : graph_.size();
        support_.resize(graph_.size() * words_, 0);
        if (n <= graph_.leaves())
            for (std::size_t i = 0; i < variables_.size(); ++i)
                support_[variables_[i] * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
        for (n = std::max<std::size_t>(n, graph_.leaves() + 1); n < graph_.size(); ++n)
            for (const auto input : graph_.inputs(static_cast<std::uint32_t>(n)))
                for (std::size_t w = 0; w < words_; ++w)
                    support_[n * words_ + w] |= support_[node_of(input) * words_ + w];
    }

    // A conjunct, or if it is an AND its inputs.
    void add_part(Literal literal) {
        std::vector<Literal> stack{literal};
        while (!stack.empty()) {
            const auto part = stack.back();
            stack.pop_back();
            if (!negated(part) && graph_.gate(node_of(part)))
                stack.insert(stack.end(), graph_.inputs(node_of(part)).begin(), graph_.inputs(node_of(part)).end());
            else parts_.push_back(part);
        }
        std::ranges::sort(parts_);
        parts_.erase(std::unique(parts_.begin(), parts_.end()), parts_.end());
    }

    std::size_t easiest(const std::vector<bool>& left) {
        update_support();
        std::size_t best = 0;
        auto best_ties = ~std::size_t{0};
        std::vector<std::uint64_t> ties(words_);
        for (std::size_t i = left.size(); i-- > 0;) {
            if (!left[i]) continue;
            std::ranges::fill(ties, 0);
            for (const auto part : parts_)
                if (depends(node_of(part), i))
                    for (std::size_t w = 0; w < words_; ++w) ties[w] |= support_[node_of(part) * words_ + w];
            std::size_t count = 0;
            for (const auto word : ties) count += static_cast<std::size_t>(std::popcount(word));
            if (count >= best_ties) continue;
            best_ties = count;
            best = i;
        }
        return best;
    }

    // True is right for the variable where it is for all parts that depend on it; elsewhere false is, if any value is.
    void note_choice(std::size_t index) {
        std::vector<Literal> with;
        for (const auto part : parts_)
            if (depends(node_of(part), index)) with.push_back(part);
        const auto all = graph_.conjunction(with);
        update_support();
        choices_.push_back({variables_[index], cofactor_at(all, variables_[index], true,
                                                           [&](std::uint32_t n) { return depends(n, index); })});
        update_support();
    }

    void eliminate(std::size_t index) {
        work_ = 0;
        const auto made = quantified(parts_, index, 0);
        parts_.clear();
        add_part(made);
    }

    // "There is a value of the variable with which all parts hold", the quantifier as far inside as it goes: past what
    // does not depend on the variable, through OR, and through a choice "x or A, not x or B" to A and B each.
    Literal quantified(std::vector<Literal> parts, std::size_t index, std::uint32_t depth) {
        constexpr std::uint32_t kDeepest = 256;
        std::vector<Literal> with, made;
        parts_.clear();
        for (const auto part : parts) add_part(part);
        update_support();
        for (const auto part : parts_) (depends(node_of(part), index) ? with : made).push_back(part);
        work_ += parts_.size();
        if (with.empty()) return graph_.conjunction(made);
        Literal split = kFalse;
        if (depth == kDeepest || work_ > most_nodes_ || graph_.size() > most_nodes_) {
            made.push_back(either_value(with, index));
        } else if (with.size() == 1 && !graph_.gate(node_of(with[0]))) {
            // the variable itself
        } else if (with.size() == 1) {
            const auto inputs = graph_.inputs(node_of(with[0]));
            std::vector<Literal> any(inputs.begin(), inputs.end());
            for (auto& literal : any)
                literal = depends(node_of(literal), index) ? quantified({negate(literal)}, index, depth + 1)
                                                           : negate(literal);
            made.push_back(graph_.disjunction(any));
        } else if (split = choice_among(with, index); split != kFalse) {
            std::vector<Literal> any;
            for (const auto chosen : {split, negate(split)}) {
                const std::array<Literal, 2> both{chosen, quantified(given(with, chosen), index, depth + 1)};
                any.push_back(graph_.conjunction(both));
            }
            made.push_back(graph_.disjunction(any));
        } else {
            made.push_back(either_value(with, index));
        }
        return graph_.conjunction(made);
    }

    // A literal, not dependent on the variable, that is in one of the ORs while its negation is in another.
    Literal choice_among(const std::vector<Literal>& ors, std::size_t index) const {
        std::vector<Literal> found;
        for (const auto part : ors)
            for (const auto input : graph_.inputs(node_of(part)))
                if (!depends(node_of(input), index)) found.push_back(input);
        std::ranges::sort(found);
        for (std::size_t i = 1; i < found.size(); ++i)
            if (found[i] == negate(found[i - 1])) return found[i];
        return kFalse;
    }

    // The ORs where a literal holds.
    std::vector<Literal> given(const std::vector<Literal>& ors, Literal chosen) {
        std::vector<Literal> left, inputs;
        for (const auto part : ors) {
            inputs.clear();
            bool holds = false;
            // An OR is a negated AND of negated literals.
            for (const auto input : graph_.inputs(node_of(part))) {
                holds |= input == negate(chosen);
                if (input != chosen) inputs.push_back(input);
            }
            if (holds) continue;
            left.push_back(graph_.gate(node_of(part)) ? negate(graph_.conjunction(inputs)) : part);
        }
        return left;
    }

    Literal either_value(const std::vector<Literal>& parts, std::size_t index) {
        const auto all = graph_.conjunction(parts);
        update_support();
        const auto needs = [&](std::uint32_t n) { return depends(n, index); };
        const auto if_false = cofactor_at(all, variables_[index], false, needs);
        update_support();
        const std::array<Literal, 2> either{if_false, cofactor_at(all, variables_[index], true, needs)};
        return graph_.disjunction(either);
    }

    // The literal with a constant for a variable; only nodes that need it are looked at.
    template <class Needs>
    Literal cofactor_at(Literal literal, std::uint32_t variable, bool value, Needs needs) {
        std::vector<std::uint32_t> cone, stack{node_of(literal)};
        image_.resize(graph_.size(), kNoImage);
        while (!stack.empty()) {
            const auto n = stack.back();
            stack.pop_back();
            if (image_[n] != kNoImage) continue;
            image_[n] = n == variable ? static_cast<Literal>(value) : 2 * n;
            cone.push_back(n);
            for (const auto input : graph_.inputs(n))
                if (needs(node_of(input))) stack.push_back(node_of(input));
        }
        std::ranges::sort(cone);
        std::vector<Literal> inputs;
        const auto image = [&](Literal l) { return image_[node_of(l)] == kNoImage ? l : image_[node_of(l)] ^ (l & 1); };
        for (const auto n : cone) {
            if (!graph_.gate(n)) continue;
            inputs.clear();
            for (const auto input : graph_.inputs(n)) inputs.push_back(image(input));
            image_[n] = graph_.conjunction(inputs);
        }
        const auto made = image(literal);
        for (const auto n : cone) image_[n] = kNoImage;
        return made;
    }

    static constexpr Literal kNoImage = ~Literal{0};

    AndGraph& graph_;
    std::vector<std::uint32_t> variables_;
    std::size_t words_;
    std::uint64_t most_nodes_;
    std::vector<std::uint64_t> support_;  // of each node: the variables it depends on
    std::vector<Literal> parts_, image_;
    std::uint64_t work_ = 0;
    bool record_ = false;
    std::vector<Choice> choices_;
};

class Rules {
public:
    Rules(const Formula& formula, std::span<const std::uint32_t> expanded, const Functions& functions,
          const AndGraph& graph, Literal output, Control& control)
        : control_(control), output_(output), clauses_(graph, sat_, false),
          plays_(formula.first_gate() + functions.gates.size()), order_(std::size_t{1} << expanded.size()) {
        for (std::uint32_t n = 0; n < plays_.size(); ++n) plays_[n] = play_.variable(n < formula.first_gate());
        play_.add({2 * plays_[0] + 1});
        load(formula, functions);
        output_ = clauses_[output_];
        for (std::uint32_t c = 0; c < order_.size(); ++c) order_[c] = c;
        for (const auto v : expanded) expanded_.push_back(clauses_[2 * v]);
        for (auto v = std::uint32_t{1}; v < expanded.front(); ++v)
            if (clauses_.loaded(v) && std::ranges::find(expanded, v) == expanded.end()) outer_.push_back(v);
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
            std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(i),
                        order_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            Rule made{{}, copy};
            for (auto literal = assumptions_.begin() + static_cast<std::ptrdiff_t>(fixed);
                 literal != assumptions_.end(); ++literal)
                if (std::ranges::find(sat_.core(), *literal) != sat_.core().end())
                    made.when.push_back(2 * origin_[*literal >> 1] + (*literal & 1));
            return made;
        }
        throw std::logic_error("a play that does not lose");
    }

    Control& control_;
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

namespace {

// Adds what some literals of a circuit depend on to the functions, the owner's variables being functions themselves;
// the literals are those of the functions then.
void write(const Formula& formula, bool owner, const AndGraph& graph, std::vector<Literal>& outputs,
           Functions& functions) {
    std::vector<bool> wanted(graph.size(), false);
    for (const auto literal : outputs) wanted[node_of(literal)] = true;
    for (auto n = graph.size(); n-- > graph.leaves() + 1;)
        if (wanted[n])
            for (const auto input : graph.inputs(n)) wanted[node_of(input)] = true;
    std::vector<Literal> image(graph.size(), kFalse);
    for (std::uint32_t b = 0; b < formula.blocks(); ++b)
        for (auto v = formula.first_variable[b]; v < formula.first_variable[b + 1]; ++v)
            image[v] = formula.exists[b] == owner ? functions.output[v - 1] : 2 * v;
    const auto made = [&](Literal literal) { return image[node_of(literal)] ^ (literal & 1); };
    for (auto n = graph.leaves() + 1; n < graph.size(); ++n) {
        if (!wanted[n]) continue;
        image[n] = static_cast<Literal>(2 * (formula.first_gate() + functions.gates.size()));
        functions.gates.kind.push_back(Kind::all);
        for (const auto input : graph.inputs(n)) functions.gates.input.push_back(made(input));
        functions.gates.first_input.push_back(functions.gates.input.size());
    }
    for (auto& literal : outputs) literal = made(literal);
}

// For each assignment of the expanded variables a literal of the circuit, over outer variables: then it makes the
// formula fail.
std::optional<std::vector<Literal>> failures(const Formula& formula, std::span<const std::uint32_t> expanded,
                                             AndGraph& graph, Literal output, std::uint64_t most_gates,
                                             Control& control) {
    std::vector<std::uint32_t> inner;
    for (std::uint32_t b = formula.blocks(); b-- > 0 && formula.first_variable[b + 1] > expanded.back();)
        for (auto v = formula.first_variable[b]; v < formula.first_variable[b + 1]; ++v)
            if (formula.exists[b]) inner.push_back(v);
    std::ranges::sort(inner);
    Elimination elimination(graph, std::move(inner), graph.size() + most_gates);
    std::vector<Literal> fails;
    for (std::uint32_t c = 0; c < std::uint32_t{1} << expanded.size(); ++c) {
        control.check();
        auto copy = output;
        for (std::size_t k = 0; k < expanded.size(); ++k) copy = elimination.cofactor(copy, expanded[k], c >> k & 1);
        const auto holds = elimination.without_variables(copy);
        if (!holds) return std::nullopt;
        fails.push_back(negate(*holds));
    }
    return fails;
}

}  // namespace

bool expandable(const Formula& formula, std::span<const std::uint32_t> variables) {
    constexpr std::size_t kMost = 16;
    if (variables.empty()) return true;
    if (variables.size() > kMost || std::ranges::adjacent_find(variables, std::greater_equal<>()) != variables.end())
        return false;
    for (std::uint32_t b = 0; b < formula.blocks(); ++b)
        if (!formula.exists[b] && formula.first_variable[b] <= variables.front() &&
            variables.back() < formula.first_variable[b + 1])
            return true;
    return false;
}

namespace {

// In each play the first assignment that fails.
void choose_first(const Formula& formula, std::span<const std::uint32_t> expanded, AndGraph& graph,
                  std::span<const Literal> fails, Functions& functions) {
    std::vector<std::vector<Literal>> trues(expanded.size());
    auto none_before = kTrue;
    for (std::uint32_t copy = 0; copy < fails.size(); ++copy) {
        const std::array<Literal, 2> here{none_before, fails[copy]}, not_here{none_before, negate(fails[copy])};
        const auto first = graph.conjunction(here);
        for (std::size_t k = 0; k < trues.size(); ++k)
            if (copy >> k & 1) trues[k].push_back(first);
        none_before = graph.conjunction(not_here);
    }
    std::vector<Literal> outputs;
    for (const auto& any : trues) outputs.push_back(graph.disjunction(any));
    write(formula, false, graph, outputs, functions);
    for (std::size_t k = 0; k < outputs.size(); ++k) functions.output[expanded[k] - 1] = outputs[k];
}

}  // namespace

bool answer_copies_briefly(const Formula& formula, std::span<const std::uint32_t> expanded, Functions& functions,
                           std::uint64_t most_gates, Control& control) {
    if (expanded.empty()) return true;
    AndGraph graph;
    const auto output = circuit_of(formula, graph, control);
    const auto fails = failures(formula, expanded, graph, output, most_gates, control);
    if (fails) choose_first(formula, expanded, graph, *fails, functions);
    return fails.has_value();
}

void answer_copies(const Formula& formula, std::span<const std::uint32_t> expanded, Functions& functions,
                   std::uint64_t most_gates, Control& control) {
    if (most_gates && answer_copies_briefly(formula, expanded, functions, most_gates, control)) return;
    if (expanded.empty()) return;
    AndGraph graph;
    const auto output = circuit_of(formula, graph, control);
    std::vector<std::vector<Literal>> of_copy(std::size_t{1} << expanded.size());
    for (const auto& rule : Rules(formula, expanded, functions, graph, output, control).find())
        of_copy[rule.copy].push_back(graph.conjunction(rule.when));
    // A rule is right whatever other rules say, so only assignments have an order, not rules.
    std::vector<Literal> fails;
    for (const auto& any : of_copy) fails.push_back(graph.disjunction(any));
    choose_first(formula, expanded, graph, fails, functions);
}

namespace {

// The literal with other literals for its leaves.
Literal substituted(AndGraph& graph, Literal literal, std::span<const Literal> leaves) {
    std::vector<std::uint32_t> cone, stack{node_of(literal)};
    std::vector<bool> seen(graph.size(), false);
    while (!stack.empty()) {
        const auto n = stack.back();
        stack.pop_back();
        if (seen[n]) continue;
        seen[n] = true;
        cone.push_back(n);
        for (const auto input : graph.inputs(n)) stack.push_back(node_of(input));
    }
    std::ranges::sort(cone);
    std::vector<Literal> image(graph.size(), kFalse), inputs;
    for (const auto n : cone) {
        inputs.clear();
        for (const auto input : graph.inputs(n)) inputs.push_back(image[node_of(input)] ^ (input & 1));
        image[n] = graph.gate(n) ? graph.conjunction(inputs) : leaves[n];
    }
    return image[node_of(literal)] ^ (literal & 1);
}

}  // namespace

bool choose_last_block(const Formula& formula, std::uint64_t most_gates, Functions& functions, Control& control) {
    constexpr std::size_t kMostVariables = 64;
    constexpr std::uint32_t kMostNodes = 1 << 14;
    const auto block = formula.blocks() - 1;
    if (!formula.exists[block] || formula.first_variable[block + 1] - formula.first_variable[block] > kMostVariables)
        return false;
    AndGraph graph;
    if (formula.first_gate() + formula.gates.size() > kMostNodes) return false;
    const auto output = circuit_of(formula, graph, control);
    std::vector<std::uint32_t> variables;
    for (auto v = formula.first_variable[block]; v < formula.first_variable[block + 1]; ++v) variables.push_back(v);
    Elimination elimination(graph, variables, graph.size() + most_gates);
    elimination.record();
    if (!elimination.without_variables(output)) return false;
    // Those that went last are chosen first.
    std::vector<Literal> leaves, values;
    for (std::uint32_t v = 0; v <= graph.leaves(); ++v) leaves.push_back(2 * v);
    for (auto choice = elimination.choices().rbegin(); choice != elimination.choices().rend(); ++choice)
        values.push_back(leaves[choice->variable] = substituted(graph, choice->value, leaves));
    write(formula, true, graph, values, functions);
    for (auto choice = elimination.choices().rbegin(); choice != elimination.choices().rend(); ++choice)
        functions.output[choice->variable - 1] =
            values[static_cast<std::size_t>(choice - elimination.choices().rbegin())];
    return true;
}

}  // namespace zermelo::qbf
