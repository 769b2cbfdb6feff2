// A rulesheet as a logic program over relations, evaluated bottom-up and semi-naively, component by component.
//
// Two readings share this class. The grounder asks what is possible: `next` feeds `true` and `legal` feeds `does`
// (they are one relation each), and the negation of what depends on the state counts as possible. The interpreter
// asks what holds in one state: every relation stands for itself and negation is exact.
//
//     Datalog sheet(program, Reading::possible);
//     for (std::size_t c = 0; c < sheet.components().size(); ++c) sheet.evaluate(c, meter);
//     sheet.relation_of(keyword::fluent).size();              // facts that some reachable state may hold
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gdl/datalog/join.hpp"
#include "gdl/datalog/meter.hpp"
#include "gdl/datalog/program.hpp"
#include "gdl/datalog/relation.hpp"
#include "gdl/datalog/terms.hpp"

namespace zermelo::gdl {

// The relations with a fixed meaning have fixed numbers.
namespace keyword {
inline constexpr std::uint32_t role = 0, init = 1, fluent = 2, move = 3, next = 4, legal = 5, terminal = 6, goal = 7;
inline constexpr std::uint32_t sees = 8;
}  // namespace keyword

enum class Reading : std::uint8_t { possible, exact };

struct Predicate {
    std::uint32_t name;
    std::uint32_t arity;
    std::uint32_t relation;
    bool dynamic = false;  // depends on the state or on the moves
};

// Predicates that depend on each other, with the rules that derive them.
struct Component {
    std::vector<std::uint32_t> relations;
    std::vector<std::uint32_t> reads;  // other components
    bool dynamic = false;              // depends on the state or on the moves
    bool on_moves = false;             // depends on the moves
    bool recursive = false;
};

class Datalog {
public:
    // Keeps a reference to the program. Throws std::invalid_argument for unsafe rules. What is possible can be found
    // thriftily: without rows that nobody asks for (asked.cpp), and long rules one part at a time (take_apart.cpp).
    // That pays for large sheets; for others it is a detour.
    Datalog(const Program& program, Reading reading, bool thrifty = false);

    const std::vector<Predicate>& predicates() const { return predicates_; }
    const std::vector<Component>& components() const { return components_; }  // those needed first come first
    const std::vector<Rule>& rules() const { return rules_; }
    Relation& relation_of(std::uint32_t predicate) { return *relations_[predicates_[predicate].relation]; }
    Relation& relation(std::uint32_t number) { return *relations_[number]; }
    Views& views() { return views_; }
    TermPool& terms() { return terms_; }
    std::string kif(TermPool::Id id) const { return terms_.kif(id, names_); }
    std::span<const std::string> names() const { return names_; }
    // The number a constant stands for; throws std::invalid_argument for other terms.
    std::int64_t integer(TermPool::Id id) const;
    // The number of a name, made if new.
    std::uint32_t name_number(const std::string& name);

    std::uint32_t component_of(std::uint32_t predicate) const { return component_of_[predicates_[predicate].relation]; }
    // A component that negates its own predicates gets the atoms true in its well-founded model, which is everything
    // there is to know where negation is stratified atom by atom, as in (goal r 100) <= (not (goal r 0)).
    void evaluate(std::size_t component, Meter& meter);
    // All of them; false if that takes more than so many steps of joins (0: as many as it takes).
    bool evaluate_all(Meter& meter, std::uint64_t most_steps);
    // Adds to `target` every head of a rule that reads finished relations only.
    void derive(const Rule& rule, Relation& target, Meter& meter);
    void catch_up(std::uint32_t view) { views_[view]->catch_up(*relations_[views_[view]->relation()], terms_); }
    // Forgets the rows of a relation and of its views.
    void clear_relation(std::uint32_t relation);
    // Rules of a possible reading that add nothing possible: (next t) where (true t) is asked for.
    bool repeats_itself(std::uint32_t rule) const { return repeats_itself_[rule]; }
    // The predicates' rules in an order in which what a rule reads is complete before it, `next` not feeding `true`.
    std::vector<std::vector<std::uint32_t>> rule_order() const;
    bool is_input(std::uint32_t rule) const { return rule >= written_rules_; }

    std::uint32_t add_relation(std::uint32_t arity);
    std::uint32_t view(std::uint32_t relation, Pattern pattern);
    std::uint32_t plain_view(std::uint32_t relation);  // the columns of the relation as they are
    std::size_t bytes() const;

private:
    struct Firing {  // a plan of a rule with one literal restricted to new entries
        std::uint32_t rule, lit;
        Plan plan;
        double planned_for = -1;
    };

    void add_keywords();
    std::uint32_t add_predicate(std::uint32_t name, std::uint32_t arity);
    std::uint32_t predicate_of(Term atom);
    void find_cone();
    void share_relations();
    void mark_dynamic();
    void find_demand();
    struct Asked;
    std::vector<bool> worth_asking();
    void find_asked();
    void add_variables(std::span<const Term> roots, std::vector<bool>& variables) const;
    std::vector<Term> asked_args(Term atom, const Asked& asked) const;
    std::vector<bool> known_before(const ProgramRule& rule, std::size_t literal);
    bool comes_before(const ProgramRule& rule, std::size_t other, std::size_t literal) const;
    Lit is_asked(Term atom, const Asked& asked);
    void add_asking_rules(const ProgramRule& rule);
    bool take_apart(Rule rule);
    void add_rule(Rule rule);
    void restrict(Rule& rule, const ProgramRule& written);
    void compile_rules();
    void make_components();
    void schedule(const std::vector<std::uint32_t>& rules);
    Rule compile_rule(const ProgramRule& rule);
    Lit compile_literal(const BodyLiteral& literal);
    Pattern compile_pattern(std::span<const Term> terms, std::vector<std::uint32_t>& variables);
    Maker compile_maker(std::span<const Term> roots, std::vector<std::uint32_t>& variables);
    TermPool::Id ground(Term term);
    std::span<const Term> args(Term term) const;
    void least_fixpoint(std::size_t component, Meter& meter);
    std::vector<std::uint32_t> contents(std::size_t component) const;  // of what it negates, their number first
    void fire(Firing& firing, Meter& meter);
    void run(const Plan& plan, const Rule& rule, Relation& target, Meter& meter);

    const Program& program_;
    Reading reading_;
    bool thrifty_;
    std::uint64_t steps_ = 0, most_steps_ = 0;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::uint32_t> number_of_name_;
    TermPool terms_;
    std::vector<bool> closed_;          // for each term of the program: without variables
    std::vector<TermPool::Id> ground_;  // the ground term, where made
    std::vector<Predicate> predicates_;
    std::vector<std::uint32_t> by_name_;  // predicates chained by name
    std::vector<std::uint32_t> chain_;
    std::vector<bool> in_cone_;  // for each rule of the program
    struct Demand {              // what an argument of a predicate is ever asked for
        bool anything = false;
        std::vector<Term> terms;     // otherwise only these
        std::uint32_t view = kNone;  // of the relation that lists them
    };
    std::vector<std::vector<Demand>> demand_;
    struct Asked {  // which rows of a relation are ever asked for (asked.cpp)
        bool worth = false;
        std::vector<std::uint32_t> places;  // of the arguments that are known wherever it is asked for
        std::uint32_t predicate = kNone;    // their values
    };
    std::vector<Asked> asked_;  // for each predicate
    std::vector<std::unique_ptr<Relation>> relations_;
    Views views_;
    std::vector<std::vector<std::uint32_t>> views_of_;  // for each relation
    std::vector<Rule> rules_;
    std::vector<bool> repeats_itself_;
    std::vector<bool> taken_apart_;  // rules in whose place others are evaluated
    std::size_t written_rules_ = 0;
    std::vector<Component> components_;
    struct Schedule {
        std::vector<Firing> firings;                                   // planned on first use
        std::vector<std::uint32_t> read, grows;                        // views, and those of the component itself
        std::vector<std::pair<std::uint32_t, std::uint32_t>> assumed;  // relation that is negated within, its stand-in
    };
    std::vector<Schedule> schedules_;          // for each component
    std::vector<std::uint32_t> component_of_;  // for each relation, kNone without rules
    Workspace space_;
    std::vector<std::uint32_t> row_;
    std::uint32_t rows_made_ = 0;
};

// Strongly connected components of a directed graph, sinks first.
std::vector<std::vector<std::uint32_t>> strong_components(const std::vector<std::vector<std::uint32_t>>& edges);

}  // namespace zermelo::gdl
