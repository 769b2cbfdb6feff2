// All solutions of a network of table constraints, one after the other, under assumptions.
//
// Depth-first search with maintained arc consistency or forward checking; the variable with the fewest values for its
// weighted degree first (dom/wdeg: Boussemart, Hemery, Lecoutre and Sais 2004), all its values one after the other. The
// stack is explicit, so that a search stops at every solution and goes on when asked, and nothing is allocated for a
// node.
//
//     Solver solver(instance);                              // draws all conclusions from the tables alone
//     const std::array state{Assumption{0, 2}, Assumption{1, 0}};
//     if (solver.assume(state)) {                           // and from these values
//         solver.start();                                   // or start(projection)
//         while (solver.next(control)) use(solver.value(5));
//     }
//     solver.retract();                                     // ready for another state
//
// A solver belongs to one thread; instances can be shared. Weights are kept from one search to the next.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "scsp/propagator.hpp"

namespace zermelo::scsp {

struct Assumption {
    std::uint32_t variable;
    std::uint32_t value;
};

class Solver {
public:
    explicit Solver(std::shared_ptr<const Instance> instance, Method method = Method::mac);

    const Instance& instance() const { return propagator_.instance(); }
    // Whether nothing contradicts the assumptions so far. In mac that is arc consistency, not yet a solution.
    bool consistent() const { return inconsistent_since_ == kNever; }

    // Fixes variables on top of the assumptions so far, all at once; ends a search under way. Returns consistent().
    bool assume(std::span<const Assumption> assumptions);
    // Takes the latest assume() back, if there is one; ends a search under way.
    void retract();
    // Takes all of them back.
    void reset();
    std::uint32_t assumptions() const { return assumed_; }

    // Begins the search for all solutions, or for all their different restrictions to some variables.
    void start();
    void start(std::span<const std::uint32_t> projection);
    // The next solution; false when there are no more. A limit throws Stopped; the search can then go on.
    bool next(Control& control);
    // In the solution found. Of variables outside the projection: values that complete it.
    std::uint32_t value(std::uint32_t variable) const {
        return propagator_.domains().values(variable)[turn_[variable]];
    }
    // Whether next() has no more to give.
    bool exhausted() const { return phase_ == Phase::idle || phase_ == Phase::done; }
    // Writes the next solutions (values of the projection, or of all variables, one solution after the other) into the
    // span; returns how many. A limit ends it early, and throws only where nothing was found before.
    std::size_t fill(std::span<std::int32_t> out, Control& control);
    // How many solutions are left, or as with fill() how many were found up to a limit. Variables that nothing binds
    // any more are multiplied, not searched. Throws std::overflow_error at 2^64.
    std::uint64_t count(Control& control);

    // Removes for good every value without which arc consistency finds a contradiction when it is assumed (singleton
    // arc consistency: Debruyne and Bessiere 1997). Takes all assumptions back first. Returns consistent(); mac only.
    bool make_singleton_consistent(Control& control);
    // Whether a variable still has a value, under the assumptions.
    bool allows(std::uint32_t variable, std::uint32_t value) const {
        return consistent() && propagator_.domains().has(variable, value);
    }
    // The values that a variable still has, in no order.
    std::span<const std::uint32_t> values(std::uint32_t variable) const {
        return {propagator_.domains().values(variable), consistent() ? propagator_.domains().size(variable) : 0};
    }

    // Assignments tried in all searches so far.
    std::uint64_t nodes() const { return nodes_; }
    std::size_t width() const { return projected_ ? projection_.size() : instance().variables(); }

private:
    struct Frame {
        std::uint32_t variable;
        std::uint32_t next;
        std::uint32_t end;
        bool projected;
        bool inside;  // a level is open for the value tried last
    };
    enum class Phase : std::uint8_t { idle, fresh, running, done };
    static constexpr std::uint32_t kLeaf = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
    // What takes its values on its own at a leaf: a variable that nothing binds, or a table, whose rows the others in
    // it take.
    struct Part {
        std::uint32_t variable;  // or kLeaf
        std::uint32_t table;
        std::uint32_t row;
    };
    struct Choice {
        std::uint32_t variable = kLeaf;
        std::uint64_t size = 0;
        std::uint64_t degree = 0;
        // Compares size / degree without division; a variable that nothing binds comes last.
        void offer(std::uint32_t x, std::uint64_t its_size, std::uint64_t its_degree) {
            if (variable == kLeaf || its_size * degree < size * its_degree) *this = {x, its_size, its_degree};
        }
    };

    // The variable to branch on; kLeaf where solutions are found.
    std::uint32_t choose();
    void branch(std::uint32_t variable);
    bool step(Control& control);
    void unwind();
    void drop_completion();
    bool separate() const;
    void begin_product();
    bool turn_product();
    void take_row(std::uint32_t table, std::uint32_t row);
    std::uint32_t row_from(std::uint32_t table, std::uint32_t row) const;
    template <class Variable, class Table>
    void each_part(Variable&& use_variable, Table&& use_table) const;
    std::uint64_t solutions_here() const;

    Propagator propagator_;
    std::vector<Frame> frames_;
    std::vector<std::uint32_t> choices_;  // the values of the variables on the stack, each at its own place
    std::vector<Part> parts_;             // of a leaf: run through like the digits of a number
    std::vector<std::uint32_t> turn_;     // which of its values a variable has: the first, but for those
    std::vector<std::uint32_t> projection_;
    std::vector<std::uint8_t> in_projection_;
    bool projected_ = false;
    bool counting_ = false;
    Phase phase_ = Phase::idle;
    std::uint32_t assumed_ = 0;
    std::uint32_t inconsistent_since_ = kNever;  // how many assumptions there were
    std::uint64_t nodes_ = 0;
};

}  // namespace zermelo::scsp
