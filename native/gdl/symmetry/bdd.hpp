// Reduced ordered decision diagrams (Bryant 1986): two functions are equal where their numbers are.
//
//     Bdd bdd(/*variables*/ 3, /*most_nodes*/ 1000);
//     auto f = bdd.both(bdd.variable(0), bdd.negated(bdd.variable(2)));   // throws TooManyNodes beyond the limit
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

namespace zermelo::gdl {

struct TooManyNodes : std::exception {
    const char* what() const noexcept override { return "a decision diagram is too large"; }
};

class Bdd {
public:
    using Function = std::uint32_t;
    static constexpr Function kFalse = 0, kTrue = 1;
    static constexpr std::uint32_t kMostVariables = 1000;  // the operations call themselves as deeply

    Bdd(std::uint32_t variables, std::size_t most_nodes);

    Function variable(std::uint32_t number) { return node(number, kFalse, kTrue); }
    Function negated(Function f) { return combined(f, kTrue, kExclusive); }
    Function both(Function f, Function g) { return combined(f, g, kBoth); }
    Function any(Function f, Function g) { return combined(f, g, kAny); }

    // The first variable that the function looks at; of constants, one beyond the last.
    std::uint32_t top(Function f) const { return nodes_[f].variable; }

    // All functions made after there were `nodes` nodes are lost.
    std::size_t nodes() const { return nodes_.size(); }
    void forget(std::size_t nodes);

    // For each variable a number that is the same for functions that differ by names of variables only: how much more
    // often the function holds with the variable than without, as a fraction of all cases, modulo a prime. 0 where it
    // makes no difference.
    std::vector<std::uint64_t> influence(Function f) const;

private:
    enum Operation : std::uint8_t { kBoth, kAny, kExclusive };
    struct Node {
        std::uint32_t variable;
        Function low, high;
    };
    static std::size_t hash(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        std::uint64_t x = (std::uint64_t{b} << 32 | c) * 0x9e3779b97f4a7c15u + a;
        x = (x ^ (x >> 32)) * 0xbf58476d1ce4e5b9u;
        return static_cast<std::size_t>(x ^ (x >> 29));
    }
    Function node(std::uint32_t variable, Function low, Function high);
    std::size_t find(std::uint32_t variable, Function low, Function high) const;
    void place_all(std::size_t room);
    Function combined(Function f, Function g, Operation operation);

    std::uint32_t variables_;
    std::size_t most_nodes_;
    std::vector<Node> nodes_;
    std::vector<Function> place_;  // open addressing: where each node is found again; kFalse where there is none
    struct Known {
        Function f = ~0u, g = ~0u, result = 0;
        Operation operation = kBoth;
    };
    std::vector<Known> known_;  // results, each at one place: a later one takes it over
};

}  // namespace zermelo::gdl
