// Bounds of all variables, the rows over them, learned clauses, and what follows: the state of the learning search.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "qip/program/program.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qip::learning {

using Index = std::uint32_t;
inline constexpr Index kNone = std::numeric_limits<Index>::max();

// x <= bound (side 1) or x >= bound (side 0).
struct Literal {
    std::int64_t bound;
    Index variable;
    Index side;
};
inline Literal negation(const Literal& l) { return {l.side ? l.bound + 1 : l.bound - 1, l.variable, 1 - l.side}; }
inline Index code(Index variable, Index side) { return 2 * variable + side; }

// Why a bound holds: a decision, a row, or a clause.
struct Reason {
    enum class Kind : std::uint8_t { decision, row, clause } kind = Kind::decision;
    Index number = 0;
};

// One change of a bound.
struct Entry {
    std::int64_t bound, before;
    Index variable, side;
    Index level;
    Index previous;  // the entry that set this bound before, or kNone
    Index low;       // the level from which on the reason forces it: at most `level`
    Reason reason;
    std::uint64_t serial;  // of all changes ever made
    Literal literal() const { return {bound, variable, side}; }
};

struct Clause {
    std::uint64_t first;
    Index size;
    bool objective;  // row 0 had a part in it: it holds for values asked that are at most `asked`
    std::int64_t asked;
    std::uint64_t lemma;  // its number in the log
    Index spread;         // levels that its literals were of when it was learned: few of them, more use
    Index used;           // in which reduction period it last explained something
};

struct Conflict {
    Reason reason;  // a row or clause that cannot hold; a decision: none
    bool found() const { return reason.kind != Reason::Kind::decision; }
};

class State {
public:
    explicit State(const Program& program);

    // The program.
    Index variables() const { return variables_; }
    Index rows() const { return static_cast<Index>(right_.size()); }
    bool exists(Index v) const { return exists_[v] != 0; }
    bool free(Index v) const { return free_[v] != 0; }       // universal, in no row of forall
    bool used(Index v) const { return used_[v] != 0; }       // in some row that can be broken
    bool alive(Index row) const { return span_[row] >= 0; }  // some values break it
    bool uncertain(Index row) const { return row >= first_uncertain_; }
    Index first_uncertain() const { return first_uncertain_; }
    std::span<const Term> terms(Index row) const {
        return std::span(term_).subspan(first_[row], first_[row + 1] - first_[row]);
    }
    std::int64_t right(Index row) const { return right_[row]; }
    std::int64_t least(Index row) const { return least_[row]; }
    std::span<const std::pair<Index, std::int64_t>> column(Index v) const {
        return std::span(column_).subspan(first_column_[v], first_column_[v + 1] - first_column_[v]);
    }

    // Bounds.
    std::int64_t bound(Index v, Index side) const { return bound_[code(v, side)]; }
    std::int64_t lower(Index v) const { return bound_[code(v, 0)]; }
    std::int64_t upper(Index v) const { return bound_[code(v, 1)]; }
    bool fixed(Index v) const { return lower(v) == upper(v); }
    std::int64_t start(Index v, Index side) const { return start_[code(v, side)]; }
    std::int64_t root(Index v, Index side) const { return root_[code(v, side)]; }
    bool root_from_objective(Index v, Index side) const { return root_objective_[code(v, side)] != 0; }
    bool is_false(const Literal& l) const { return l.side ? lower(l.variable) > l.bound : upper(l.variable) < l.bound; }
    bool is_true(const Literal& l) const {
        return l.side ? upper(l.variable) <= l.bound : lower(l.variable) >= l.bound;
    }

    // The trail.
    const std::vector<Entry>& trail() const { return trail_; }
    Index last(Index v, Index side) const { return last_[code(v, side)]; }
    Index level() const { return level_; }
    // The first entry that makes the literal true, or kNone where it holds from the root on.
    Index entry_of(const Literal& literal) const;
    Index decided_at(Index v) const {
        return decided_[v];
    }  // where on the trail a universal variable was set, or kNone

    // Changes. Rows are asked again for a value by `ask`, which forgets all bounds and the clauses that no longer hold.
    void ask(std::int64_t value);
    Conflict start_clauses();  // sets what clauses of one literal say
    void new_level() { ++level_; }
    void decide(const Literal& literal) { push(literal, {}, level_); }
    void decide_universal(Index v, std::int64_t value);
    void undecide(Index v) { decided_[v] = kNone; }
    void undo(Index level, std::size_t trail_size);  // and sets again what still follows
    Conflict propagate(Control& control);
    Index add(std::span<const Literal> literals, bool objective, std::uint64_t lemma,
              Index spread);  // the first one is asserted
    void note_use(Index clause) { clauses_[clause].used = period_; }
    void reduce();  // forgets half of the clauses that no bound rests on, those of little use
    void assert_first(Index clause);

    const Clause& clause(Index c) const { return clauses_[c]; }
    std::span<const Literal> literals(Index c) const {
        return std::span(literal_).subspan(clauses_[c].first, clauses_[c].size);
    }
    std::size_t clause_count() const { return clauses_.size(); }
    std::uint64_t bytes() const {
        return literal_.size() * (sizeof(Literal) + 8) + clauses_.size() * (sizeof(Clause) + 64);
    }
    std::int64_t asked() const { return right_[0]; }
    bool objective_in(const Reason& reason) const {
        return reason.kind == Reason::Kind::row
                   ? reason.number == 0
                   : reason.kind == Reason::Kind::clause && clauses_[reason.number].objective;
    }

    // Variables that are no longer fixed since the last call: the search puts them back into its order.
    std::vector<Index>& released() { return released_; }

private:
    struct Watch {
        std::int64_t bound;  // of the literal that is watched
        std::int64_t other_bound;
        Index other;  // the bound of another literal: while that one is true the clause need not be looked at
        Index clause;
    };

    void push(const Literal& literal, const Reason& reason, Index low);
    bool propagate_row(Index row);
    Conflict propagate_clauses(Index changed);
    void watch(Index clause, const Literal& literal, const Literal& other) {
        watch_[code(literal.variable, 1 - literal.side)].push_back(
            {literal.bound, other.bound, code(other.variable, other.side), clause});
    }
    void queue(Index row);
    void reset_bounds();
    void load(const Program& program);
    void index_columns();

    Index variables_, first_uncertain_ = 0;
    std::vector<std::uint8_t> exists_, free_, used_;
    std::vector<std::uint64_t> first_{0};
    std::vector<Term> term_;
    std::vector<std::int64_t> right_, start_least_, least_, span_;
    std::vector<Index> first_column_, first_part_;
    std::vector<std::pair<Index, std::int64_t>> column_;  // of a variable: row and coefficient
    std::vector<std::pair<Index, std::int64_t>> part_;    // of a bound: the rows whose least sum it enters
    std::vector<std::int64_t> bound_, start_, root_;
    std::vector<std::uint8_t> root_objective_, queued_;
    std::vector<Index> last_, decided_;
    std::vector<Entry> trail_;
    std::vector<Index> queue_, again_, released_;
    std::size_t queue_head_ = 0, trail_head_ = 0;
    std::uint64_t serial_ = 0;
    std::uint64_t visits_ = 0;  // of rows, ever
    std::size_t patience_ = 0;  // entries of the trail up to which every narrowing counts
    Index level_ = 0;

    std::vector<Clause> clauses_;
    std::vector<Literal> literal_;
    std::vector<std::vector<Watch>> watch_;
    std::vector<Index> single_;  // clauses of one literal
    Index period_ = 1;
};

}  // namespace zermelo::qip::learning
