// Rulesheets in GDL, written in KIF: terms and rules as they are read, and what makes a sheet one that has a meaning.
//
// After Love, Hinrichs, Haley, Schkufza and Genesereth, "General Game Playing: Game Description Language Specification"
// (2008); docs/formats/rulesheet.md says what is read and what is refused. Words are of printable ASCII here.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace checker {

inline constexpr std::size_t kDeepestTerm = 128;  // levels of parentheses: so deep may everything below recurse

// A variable (its name begins with ?), a constant, or a function with arguments. An atom is such a term as well.
struct Term {
    std::string name;
    std::vector<Term> arguments;

    bool operator==(const Term&) const = default;
    bool variable() const { return arguments.empty() && name.starts_with("?"); }
};

std::string text_of(const Term& term);  // in KIF
void add_variables(const Term& term, std::set<std::string>& into);
bool may_be_equal(const Term& one, const Term& other);  // if each variable may stand for anything, each time anew

using Relation = std::pair<std::string, std::size_t>;  // a name and a number of arguments
inline Relation relation_of(const Term& atom) { return {atom.name, atom.arguments.size()}; }

struct Literal {
    bool holds;
    Term atom;

    bool binds() const { return holds && atom.name != "distinct"; }  // whether it gives its variables values
};

// A conjunction: literals, and disjunctions of conjunctions.
struct Body {
    std::vector<Literal> literals;
    std::vector<std::vector<Body>> choices;
};

struct Rule {
    Term head;
    Body body;
    bool fact;  // whether nothing stands after the head
    std::size_t line;
    std::vector<Literal> literals;  // of the body, those in disjunctions as well
};

struct Sheet {
    std::vector<Rule> rules;
    std::string canonical;  // a text that is the same for the same rules, and only for them
};

// The sheet that a text states; BadInput with its line where it states none, or one without a meaning.
Sheet read_sheet(const std::string& text);

// BadInput unless the sheet has a meaning. (read_sheet calls it.)
void need_valid(const Sheet& sheet);

// Rules in an order in which they can be applied, those together that need each other; BadInput if one depends on its
// own negation. They are the rules of relations each of which depends on all others among them.
std::vector<std::vector<std::size_t>> strata(const Sheet& sheet, const std::vector<std::size_t>& rules);

// For each group of relations that depend on one another, after those that it rests on: the rules for them.
std::vector<std::vector<std::size_t>> groups_of_rules(const Sheet& sheet);

// The variables that have a value wherever a conjunction holds.
std::set<std::string> bound(const Body& body, const std::set<Relation>& but_not_by = {});

// Whether every role but chance sees every move of all others, so that it knows the position.
bool sees_everything(const Sheet& sheet, const std::vector<std::string>& roles);

// The text in KIF of the one term without variables that a text is.
std::optional<std::string> ground_text(const std::string& text);

// The strongly connected groups of a graph, each after those that it leads to (Tarjan 1972, without recursion).
std::vector<std::vector<std::uint32_t>> connected_groups(const std::vector<std::vector<std::uint32_t>>& graph);

}  // namespace checker
