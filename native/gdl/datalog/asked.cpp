// Rows of recursive relations that anybody asks for: magic sets (Bancilhon, Maier, Sagiv and Ullman 1986).
//
// A relation that counts by calling itself has a row for each number that it may be called with:
//
//     walk(?p ?n ?m) :- here(?p ?n ?k), after(?p ?q), walk(?q ?k ?m).      counted(?m) :- walk(first 0 ?m).
//
// but only the calls that come about from `walk(first 0 ...)` matter. They are rows of a relation of their own, which
// what comes before a call derives, and which the rules of `walk` have to agree with:
//
//     asked(first 0).      asked(?q ?k) :- asked(?p ?n), here(?p ?n ?k), after(?p ?q).
//
// What is possible is read here, so a call that can come about in some state is asked for, and an atom that is not has
// no part in any ground rule. Only constants and values of variables are passed on, so no new terms are made.
#include <algorithm>

#include "gdl/datalog/datalog.hpp"

namespace zermelo::gdl {

namespace {

bool own_rules(std::uint32_t predicate) { return predicate > keyword::sees; }

}  // namespace

// Recursive relations that depend on the state, and those that only they read.
std::vector<bool> Datalog::worth_asking() {
    std::vector<std::vector<std::uint32_t>> reads(predicates_.size());
    for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
        if (!in_cone_[r]) continue;
        const auto head = predicate_of(program_.rules[r].head);
        for (const auto& literal : program_.rules[r].body)
            if (literal.sign != Sign::distinct && own_rules(predicate_of(literal.atom)))
                reads[head].push_back(predicate_of(literal.atom));
    }
    std::vector<bool> worth(predicates_.size());
    for (const auto& group : strong_components(reads)) {
        const auto p = group[0];
        if (group.size() == 1 && std::ranges::find(reads[p], p) == reads[p].end()) continue;
        for (const auto member : group) worth[member] = own_rules(member) && predicates_[member].dynamic;
    }
    for (bool more = true; more;) {
        more = false;
        std::vector<bool> by_worthy(predicates_.size()), by_others(predicates_.size());
        for (std::uint32_t p = 0; p < reads.size(); ++p)
            for (const auto q : reads[p]) (worth[p] ? by_worthy : by_others)[q] = true;
        for (std::uint32_t p = 0; p < reads.size(); ++p) {
            if (worth[p] || !own_rules(p) || !predicates_[p].dynamic || !by_worthy[p] || by_others[p]) continue;
            worth[p] = more = true;
        }
    }
    return worth;
}

void Datalog::add_variables(std::span<const Term> roots, std::vector<bool>& variables) const {
    std::vector<Term> waiting(roots.begin(), roots.end());
    while (!waiting.empty()) {
        const auto term = waiting.back();
        waiting.pop_back();
        const auto& node = program_.nodes[term];
        if (node.name < 0) variables[static_cast<std::size_t>(-1 - node.name)] = true;
        else if (!closed_[term]) waiting.insert(waiting.end(), args(term).begin(), args(term).end());
    }
}

std::vector<Term> Datalog::asked_args(Term atom, const Asked& asked) const {
    std::vector<Term> terms;
    for (const auto place : asked.places) terms.push_back(args(atom)[place]);
    return terms;
}

// What is known of a rule's variables when a literal of its body is asked for: they are in the head's places that are
// asked for, or in what comes before. What must not hold is looked at last.
std::vector<bool> Datalog::known_before(const ProgramRule& rule, std::size_t literal) {
    std::vector<bool> known(rule.variables);
    if (const auto& of_head = asked_[predicate_of(rule.head)]; of_head.worth)
        add_variables(asked_args(rule.head, of_head), known);
    for (std::size_t i = 0; i < rule.body.size(); ++i)
        if (comes_before(rule, i, literal)) add_variables(args(rule.body[i].atom), known);
    return known;
}

bool Datalog::comes_before(const ProgramRule& rule, std::size_t other, std::size_t literal) const {
    if (rule.body[other].sign != Sign::holds || other == literal) return false;
    return other < literal || rule.body[literal].sign == Sign::fails;
}

// The places of a relation's arguments that are known wherever it is asked for.
void Datalog::find_asked() {
    asked_.assign(predicates_.size(), {});
    if (!thrifty_) return;
    const auto worth = worth_asking();
    for (std::uint32_t p = 0; p < predicates_.size(); ++p) {
        asked_[p].worth = worth[p];
        for (std::uint32_t i = 0; worth[p] && i < predicates_[p].arity; ++i) asked_[p].places.push_back(i);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
            const auto& rule = program_.rules[r];
            for (std::size_t i = 0; in_cone_[r] && i < rule.body.size(); ++i) {
                if (rule.body[i].sign == Sign::distinct) continue;
                auto& asked = asked_[predicate_of(rule.body[i].atom)];
                if (!asked.worth) continue;
                const auto known = known_before(rule, i);
                changed |= std::erase_if(asked.places, [&](std::uint32_t place) {
                               const auto term = args(rule.body[i].atom)[place];
                               const auto name = program_.nodes[term].name;
                               return !closed_[term] && (name >= 0 || !known[static_cast<std::size_t>(-1 - name)]);
                           }) > 0;
                asked.worth = !asked.places.empty();
            }
        }
    }
    for (std::uint32_t p = 0, count = static_cast<std::uint32_t>(asked_.size()); p < count; ++p) {
        if (!asked_[p].worth) continue;
        asked_[p].predicate = static_cast<std::uint32_t>(predicates_.size());
        const auto arity = static_cast<std::uint32_t>(asked_[p].places.size());
        predicates_.push_back({predicates_[p].name, arity, add_relation(arity)});  // which no atom names
    }
}

// That the atom is asked for, as a filter.
Lit Datalog::is_asked(Term atom, const Asked& asked) {
    Lit lit;
    lit.use = Use::filter;
    lit.predicate = kNone;
    lit.view = view(predicates_[asked.predicate].relation, compile_pattern(asked_args(atom, asked), lit.variables));
    return lit;
}

// The rules that derive what a rule asks for.
void Datalog::add_asking_rules(const ProgramRule& rule) {
    const auto head = predicate_of(rule.head);
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (rule.body[i].sign == Sign::distinct) continue;
        const auto asks = predicate_of(rule.body[i].atom);
        if (!asked_[asks].worth) continue;
        Rule asking;
        asking.predicate = asked_[asks].predicate;
        asking.head = compile_maker(asked_args(rule.body[i].atom, asked_[asks]), asking.head_variables);
        asking.variables = rule.variables;
        if (asked_[head].worth) asking.body.push_back(is_asked(rule.head, asked_[head]));
        for (std::size_t j = 0; j < rule.body.size(); ++j)
            if (comes_before(rule, j, i)) asking.body.push_back(compile_literal(rule.body[j]));
        add_rule(std::move(asking));
    }
}

}  // namespace zermelo::gdl
