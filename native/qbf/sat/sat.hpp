// A SAT solver for many related questions: clauses stay, what it learns stays, questions differ by their assumptions.
//
// Conflict-driven clause learning: two watched literals, first unique implication points, minimised clauses, activities
// that decay, saved phases, restarts in Luby's sequence (Moskewicz et al., "Chaff", 2001; Een and Sorensson, "An
// extensible SAT-solver", 2003). A literal is twice a variable, plus one where negated.
//
//     Sat sat;
//     const auto x = sat.variable(), y = sat.variable();
//     sat.add({2 * x, 2 * y});
//     sat.solve({2 * x + 1}, control);  // true: sat.holds(2 * y)
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "qbf/circuit/formula.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qbf {

class Sat {
public:
    // A new variable; one that follows from others by propagation need not be decided.
    std::uint32_t variable(bool decided = true);
    std::uint32_t variables() const { return static_cast<std::uint32_t>(level_.size()); }
    void add(std::span<const Literal> clause);
    void add(std::initializer_list<Literal> clause) { add(std::span(clause.begin(), clause.size())); }

    // Whether the clauses can all be true together with the assumptions.
    bool solve(std::span<const Literal> assumptions, Control& control);
    // After true: the value of a literal.
    bool holds(Literal literal) const { return model_[literal >> 1] == (literal & 1); }
    // After false: assumptions that cannot be true together.
    const std::vector<Literal>& core() const { return core_; }
    std::uint64_t conflicts() const { return conflicts_; }
    std::uint64_t bytes() const;

private:
    using Clause = std::uint32_t;  // place in the arena: size << 1 | learnt, activity, glue, literals
    static constexpr Clause kNoClause = ~std::uint32_t{0};
    static constexpr std::uint8_t kFree = 2;
    static constexpr std::uint32_t kHeader = 2;
    struct Watch {
        Clause clause;
        Literal blocker;
    };

    std::uint32_t size(Clause c) const { return arena_[c] >> 1; }
    bool learnt(Clause c) const { return arena_[c] & 1; }
    std::span<Literal> literals(Clause c) { return std::span(arena_).subspan(c + kHeader, size(c)); }
    // 0: true, 1: false, 2 or 3: free.
    std::uint8_t value(Literal literal) const { return value_[literal >> 1] ^ (literal & 1); }
    bool is_true(Literal literal) const { return value(literal) == 0; }
    bool is_false(Literal literal) const { return value(literal) == 1; }
    bool is_free(Literal literal) const { return value_[literal >> 1] == kFree; }

    Clause attach(std::span<const Literal> clause, bool is_learnt, std::uint32_t glue);
    void enqueue(Literal literal, Clause reason);
    Clause propagate();
    void analyze(Clause conflict);
    bool redundant(Literal literal);
    void final_core(Literal failed);
    void cancel(std::uint32_t level);
    std::uint32_t decision_level() const { return static_cast<std::uint32_t>(limits_.size()); }
    void bump(std::uint32_t variable);
    void reduce();
    Literal decide();
    // A binary heap of variables by activity.
    bool before(std::uint32_t a, std::uint32_t b) const { return activity_[a] > activity_[b]; }
    void sift_up(std::uint32_t at);
    void sift_down(std::uint32_t at);
    void insert(std::uint32_t variable);

    std::vector<std::uint32_t> arena_;
    std::vector<Clause> learnts_;
    std::vector<std::vector<Watch>> watches_;
    std::vector<std::uint8_t> value_, phase_, model_, seen_, decided_;
    std::vector<std::uint32_t> level_;
    std::vector<Clause> reason_;
    std::vector<Literal> trail_, learnt_, core_, toclear_, stack_, assumed_;
    std::vector<std::uint32_t> limits_;
    std::size_t head_ = 0;
    std::vector<double> activity_;
    double step_ = 1;
    std::vector<std::uint32_t> heap_, place_;
    bool contradiction_ = false;
    std::uint64_t conflicts_ = 0;
    std::uint64_t next_reduce_ = 4000;
};

}  // namespace zermelo::qbf
