// Taking long rules apart before they are evaluated.
//
// A rule with many variables goes through all their combinations, though most literals have few of them. Variables are
// eliminated one by one, the one with the fewest neighbours first (Rose 1970; for rules: Bichler, Morak and Woltran
// 2016): the literals that mention it become a rule of their own, without it.
//
//     drives(?u ?v) :- x(?x), add(?x ?u ?p), y(?y), add(?y ?v ?q), track(?p ?q).
//  -> right(?u ?p) :- x(?x), add(?x ?u ?p).    up(?v ?q) :- y(?y), add(?y ?v ?q).
//     drives(?u ?v) :- right(?u ?p), up(?v ?q), track(?p ?q).                       (and so on)
//
// This is for what is possible alone: ground rules are made from rules as they were written, and cut by sizes that are
// known by then (ground/split.hpp).
#include <algorithm>

#include "gdl/datalog/datalog.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::size_t kLong = 8;    // variables: shorter rules are as quick as they stand
constexpr std::size_t kWidest = 4;  // variables of a part's head: with more it might have too many rows

bool positive(const Lit& lit) { return lit.use == Use::atom || lit.use == Use::filter; }

using Variables = std::vector<std::uint32_t>;

void add_to(Variables& all, const Variables& more) {
    all.insert(all.end(), more.begin(), more.end());
    std::ranges::sort(all);
    const auto repeated = std::ranges::unique(all);
    all.erase(repeated.begin(), repeated.end());
}

bool mentions(const Lit& lit, std::uint32_t variable) {
    return std::ranges::find(lit.variables, variable) != lit.variables.end();
}

// The literals that mention a variable, as a part of their own.
struct Part {
    std::vector<Lit> inside, outside;
    Variables head;  // of those inside, what the others or the rule's head mention
    bool sound = false;
};

Part part_without(const std::vector<Lit>& body, std::uint32_t variable, const Variables& rule_head) {
    Part part;
    Variables bound, mine, needed = rule_head;
    for (const auto& lit : body) {
        const bool here = mentions(lit, variable);
        (here ? part.inside : part.outside).push_back(lit);
        add_to(here ? mine : needed, lit.variables);
        if (here && positive(lit)) add_to(bound, lit.variables);
    }
    std::ranges::set_intersection(mine, needed, std::back_inserter(part.head));
    const auto readers = std::ranges::count_if(part.inside, positive);
    part.sound = readers > 1 && std::ranges::includes(bound, mine) && part.head.size() <= kWidest &&
                 std::ranges::any_of(part.outside, positive);
    return part;
}

}  // namespace

// Rules that derive the same heads, in place of one that is long. False if there is nothing to take apart.
bool Datalog::take_apart(Rule rule) {
    std::erase_if(rule.body, [](const Lit& lit) { return lit.use == Use::negated; });  // which is possible anyway
    bool apart = false;
    for (;;) {
        Variables all, head = rule.head_variables;
        for (const auto& lit : rule.body) add_to(all, lit.variables);
        add_to(head, {});
        if (!apart && all.size() < kLong) return false;
        Part best;
        for (const auto v : all) {
            if (std::ranges::binary_search(head, v)) continue;
            auto part = part_without(rule.body, v, head);
            if (part.sound && (!best.sound || part.head.size() < best.head.size())) best = std::move(part);
        }
        if (!best.sound) break;
        apart = true;
        const auto predicate = static_cast<std::uint32_t>(predicates_.size());
        const auto arity = static_cast<std::uint32_t>(best.head.size());
        predicates_.push_back({predicates_[rule.predicate].name, arity, add_relation(arity)});  // which no atom names
        Rule own;
        own.predicate = predicate;
        own.head_variables = best.head;
        own.variables = rule.variables;
        for (const auto v : best.head) own.head.results.push_back({Operand::variable, v});
        own.body = std::move(best.inside);
        rule.body = std::move(best.outside);
        Lit lit;
        lit.use = Use::filter;
        lit.predicate = kNone;
        lit.view = plain_view(predicates_[predicate].relation);
        lit.variables = best.head;
        rule.body.push_back(std::move(lit));
        add_rule(std::move(own));
    }
    if (apart) add_rule(std::move(rule));
    return apart;
}

}  // namespace zermelo::gdl
