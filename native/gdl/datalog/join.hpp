// Rule bodies as joins: compiled literals, the order to run them in, and the loop that runs them.
//
// A plan is a list of levels. Each level draws the entries of one literal that agree with what is bound so far, binds
// the literal's other variables, and makes at once every check whose variables are then bound. The loop jumps back
// over levels that had no part in a failure (graph-based backjumping, Dechter 1990), so that independent parts of a
// body are not multiplied when one of them fails.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gdl/datalog/relation.hpp"
#include "gdl/datalog/terms.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

// Something a ground term is made from: a variable's value, a fixed term, or a term made just before.
struct Operand {
    enum Kind : std::uint32_t { variable, fixed, made } kind;
    std::uint32_t value;
};

struct MakeOp {
    std::uint32_t name;
    std::uint32_t first, count;  // into operands
};

// How to make some terms (the arguments of an atom) out of the values of variables.
struct Maker {
    std::vector<MakeOp> ops;
    std::vector<Operand> operands;
    std::vector<Operand> results;

    void make(TermPool& terms, std::span<const std::uint32_t> values, std::vector<std::uint32_t>& scratch,
              std::vector<std::uint32_t>& out) const;
};

enum class Use : std::uint8_t {
    filter,   // must hold, and is decided while grounding: of a static relation
    atom,     // must hold in a state: becomes a literal of the ground rule
    absent,   // must not hold, decided while grounding
    negated,  // must not hold in a state
    distinct  // two terms differ
};

struct Lit {
    Use use;
    std::uint32_t predicate = 0;
    std::uint32_t view = 0;
    std::vector<std::uint32_t> variables;  // of each column of the view; for distinct, those of the two terms
    Maker terms;                           // of distinct
};

struct Rule {
    std::uint32_t predicate = 0;  // of the head
    Maker head;
    std::vector<std::uint32_t> head_variables;
    std::vector<Lit> body;
    std::uint32_t variables = 0;
};

struct Check {
    std::uint32_t lit;
    Use use;
    std::uint32_t view = 0, index = 0;
    std::vector<std::uint32_t> key;  // variables
    std::uint64_t levels = 0;        // that bind them
};

struct Level {
    std::uint32_t lit;
    std::uint32_t view, index = kNone;                           // without an index every entry is tried
    bool fresh = false;                                          // only the entries that are new
    std::vector<std::uint32_t> key;                              // variables
    std::vector<std::pair<std::uint32_t, std::uint32_t>> binds;  // column, variable
    std::vector<Check> checks;
    std::uint64_t levels = 0;  // that bind the key
};

struct Plan {
    std::vector<Check> first;  // checks without variables
    std::vector<Level> levels;
    std::uint32_t head_from = 0;  // the head is bound once this many levels are
    // For each number of levels bound: the bound variables that later levels or the head need, and whether there are
    // others, with levels still to come.
    std::vector<std::vector<std::uint32_t>> needed;
    std::vector<bool> forgets;
};

using Views = std::vector<std::unique_ptr<View>>;

struct PlanOptions {
    std::uint32_t fresh_first = kNone;  // this literal first, with its new entries only
    bool negated = false;               // make the lookups of negated literals, too
};

// Throws std::invalid_argument where a variable is not bound by any positive literal.
Plan make_plan(const Rule& rule, Views& views, const PlanOptions& options);

// What a run of a plan works with; reused from run to run.
struct Workspace {
    std::vector<std::uint32_t> values, key, scratch, left_right;
    std::vector<std::uint32_t> cursor, visits;
    std::vector<std::uint64_t> conflict;
};

// Policy: bool match(lit, row) says whether a matched atom may hold; bool enter(levels_bound) may cut a branch that has
// nothing to add; int leaf() gets each solution and says at which level to go on (-1: not at all).
template <class Policy>
class Runner {
public:
    Runner(const Plan& plan, const Rule& rule, const Views& views, TermPool& terms, Workspace& space, Control& control,
           Policy& policy)
        : plan_(plan), rule_(rule), views_(views), terms_(terms), space_(space), control_(control), policy_(policy) {
        space_.values.assign(rule.variables, kNone);
        space_.cursor.assign(plan.levels.size(), kNone);
        space_.conflict.assign(plan.levels.size(), 0);
    }

    void run() {
        for (const auto& check : plan_.first)
            if (!passes(check)) return;
        if (!policy_.enter(0)) return;
        const auto levels = static_cast<int>(plan_.levels.size());
        if (levels == 0) {
            policy_.leaf();
            return;
        }
        const bool jumps = levels <= 64;
        std::uint64_t found = 0;  // levels below which a solution was found since they were opened
        int k = 0;
        open(0);
        while (k >= 0) {
            const auto& level = plan_.levels[k];
            const auto entry = space_.cursor[k];
            if (entry == kNone) {
                if (!jumps || (found >> k & 1)) {
                    --k;
                    continue;
                }
                const auto blame = space_.conflict[k];
                k = 63 - std::countl_zero(blame);
                if (k >= 0) space_.conflict[k] |= blame & ~(std::uint64_t{1} << k);
                continue;
            }
            const auto& view = *views_[level.view];
            space_.cursor[k] = level.index != kNone      ? view.follow(level.index, entry)
                               : entry + 1 < view.size() ? entry + 1
                                                         : kNone;
            control_.tick();
            if (!policy_.match(level.lit, view.row(entry))) continue;
            for (const auto& [column, variable] : level.binds) space_.values[variable] = view.value(entry, column);
            if (!passes_all(level, k)) continue;
            if (!policy_.enter(static_cast<std::uint32_t>(k) + 1)) {
                found = ~std::uint64_t{0};
                continue;
            }
            if (k + 1 == levels) {
                found = ~std::uint64_t{0};
                k = policy_.leaf();
                continue;
            }
            ++k;
            open(k);
            found &= ~(std::uint64_t{1} << (k & 63));
        }
    }

private:
    void open(int k) {
        const auto& level = plan_.levels[k];
        const auto& view = *views_[level.view];
        space_.conflict[k] = level.levels;
        if (level.index != kNone) {
            space_.cursor[k] = view.find(level.index, key(level.key));
        } else {
            const auto begin = level.fresh ? view.fresh() : 0;
            space_.cursor[k] = begin < view.size() ? begin : kNone;
        }
    }

    std::span<const std::uint32_t> key(const std::vector<std::uint32_t>& variables) {
        space_.key.resize(variables.size());
        for (std::size_t i = 0; i < variables.size(); ++i) space_.key[i] = space_.values[variables[i]];
        return space_.key;
    }

    bool passes_all(const Level& level, int k) {
        for (const auto& check : level.checks)
            if (!passes(check)) {
                space_.conflict[k] |= check.levels & ~(std::uint64_t{1} << (k & 63));
                return false;
            }
        return true;
    }

    bool passes(const Check& check) {
        if (check.use == Use::distinct) {
            const auto& maker = rule_.body[check.lit].terms;
            maker.make(terms_, space_.values, space_.scratch, space_.left_right);
            return space_.left_right[0] != space_.left_right[1];
        }
        const auto& view = *views_[check.view];
        const auto entry = view.find(check.index, key(check.key));
        if (check.use == Use::absent) return entry == kNone;
        if (check.use == Use::negated) return policy_.match(check.lit, entry == kNone ? kNone : view.row(entry));
        return entry != kNone && policy_.match(check.lit, view.row(entry));
    }

    const Plan& plan_;
    const Rule& rule_;
    const Views& views_;
    TermPool& terms_;
    Workspace& space_;
    Control& control_;
    Policy& policy_;
};

}  // namespace zermelo::gdl
