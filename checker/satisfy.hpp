// Whether clauses can be satisfied, by search that learns from conflicts (Marques-Silva and Sakallah 1999).
//
// Every clause that is learnt follows from those given: it is what is left when literals of a clause that has become
// false are replaced, one after the other, by the reasons why they are false. Clauses contradict each other once one is
// false with nothing chosen.
#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

namespace checker {

// Twice the number of a variable, plus one where it is negated.
using Signed = std::uint32_t;

class Clauses {
public:
    explicit Clauses(std::size_t variables);
    void add(std::vector<Signed> clause);
    // Asked once, when all clauses are there.
    bool satisfiable();
    std::uint64_t steps() const { return steps_; }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    enum Value : std::uint8_t { kFalse, kTrue, kOpen };
    struct Kept {
        std::vector<Signed> literals;
        bool learnt;
    };
    Value value(Signed literal) const {
        const auto found = values_[literal >> 1];
        return found == kOpen ? kOpen : Value(found ^ (literal & 1));
    }
    void watch(std::uint32_t clause);
    void set(Signed literal, std::uint32_t reason);
    std::uint32_t conflict();
    std::vector<Signed> learn(std::uint32_t clause);
    void back_to(std::size_t depth);
    void raise(std::uint32_t variable);
    bool choose();
    bool tidy();
    static std::uint64_t luby(std::uint64_t number);

    std::vector<Kept> clauses_;
    std::vector<std::vector<std::uint32_t>> watched_;  // by literal: clauses that watch it
    std::vector<Value> values_;
    std::vector<std::uint8_t> last_;  // the value that a variable had last
    std::vector<std::uint32_t> depths_, reasons_;
    std::vector<Signed> trail_;
    std::vector<std::size_t> chosen_;  // places in the trail
    std::size_t read_ = 0, learnt_ = 0;
    std::vector<double> weights_;
    double step_ = 1;
    std::priority_queue<std::pair<double, std::uint32_t>> waiting_;  // with entries that are out of date
    std::uint64_t steps_ = 0;
};

}  // namespace checker
