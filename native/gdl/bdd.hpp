// Reduced ordered decision diagrams (Bryant 1986): two functions are equal where their numbers are.
//
//     Bdd bdd(/*variables*/ 3, /*most_nodes*/ 1000);
//     auto f = bdd.both(bdd.variable(0), bdd.negated(bdd.variable(2)));   // throws TooManyNodes beyond the limit
#pragma once

#include <cstdint>
#include <exception>
#include <unordered_map>
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

    // For each variable a number that is the same for functions that differ by names of variables only: how much more
    // often the function holds with the variable than without, as a fraction of all cases, modulo a prime. 0 where it makes
    // no difference.
    std::vector<std::uint64_t> influence(Function f) const;

private:
    enum Operation : std::uint8_t { kBoth, kAny, kExclusive };
    struct Node {
        std::uint32_t variable;
        Function low, high;
    };
    struct Key {
        std::uint32_t a, b, c;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            std::uint64_t hash = (std::uint64_t{key.a} << 32 | key.b) * 0x9e3779b97f4a7c15u + key.c;
            hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u;
            return static_cast<std::size_t>(hash ^ (hash >> 32));
        }
    };

    Function node(std::uint32_t variable, Function low, Function high);
    Function combined(Function f, Function g, Operation operation);

    std::uint32_t variables_;
    std::size_t most_nodes_;
    std::vector<Node> nodes_;
    std::unordered_map<Key, Function, KeyHash> unique_;
    struct Known {
        Function f = ~0u, g = ~0u, result = 0;
        Operation operation = kBoth;
    };
    std::vector<Known> known_;  // results, each at one place: a later one takes it over
};

}  // namespace zermelo::gdl
