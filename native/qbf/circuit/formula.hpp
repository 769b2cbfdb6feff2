// Quantified Boolean formulas in prenex form, as the kernels take them.
//
// Node 0 is the constant false, nodes 1..variables() are the variables in the order of the prefix, all others gates in
// topological order. A literal is 2 * node, plus 1 where negated. zermelo/qbf/packed.py writes the same form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::qbf {

using Literal = std::uint32_t;
inline constexpr Literal kFalse = 0, kTrue = 1;
constexpr std::uint32_t node_of(Literal literal) { return literal >> 1; }
constexpr bool negated(Literal literal) { return literal & 1; }
constexpr Literal negate(Literal literal) { return literal ^ 1; }

enum class Kind : std::uint8_t {
    all = 2,
    any = 3,
    exclusive = 4,
    choice = 5
};  // AND, OR, XOR (two inputs), if-then-else

// Gates over numbered leaves.
struct Gates {
    std::vector<Kind> kind;
    std::vector<std::uint64_t> first_input{0};
    std::vector<Literal> input;  // of gate g: input[first_input[g] .. first_input[g + 1])

    std::uint32_t size() const { return static_cast<std::uint32_t>(kind.size()); }
    std::span<const Literal> inputs(std::uint32_t gate) const {
        return std::span(input).subspan(first_input[gate], first_input[gate + 1] - first_input[gate]);
    }
};

struct Formula {
    std::vector<bool> exists;                      // for each block, outermost first; blocks alternate
    std::vector<std::uint32_t> first_variable{1};  // block b binds nodes first_variable[b] .. first_variable[b + 1] - 1
    Gates gates;                                   // gate g is node first_gate() + g
    Literal output = kFalse;

    std::uint32_t variables() const { return first_variable.back() - 1; }
    std::uint32_t first_gate() const { return 1 + variables(); }
    std::uint32_t blocks() const { return static_cast<std::uint32_t>(exists.size()); }
};

// Throws std::invalid_argument unless blocks, inputs and output are as said above.
void check(const Formula& formula);

// The winner's functions: gates over the variables of the other role, numbered as in the formula (gate g is node
// first_gate() + g), and one literal for each variable in the order of the prefix; only the winner's are used.
struct Functions {
    Gates gates;
    std::vector<Literal> output;
};

// Throws std::invalid_argument unless they are AND and OR gates over the formula's variables, each after its inputs.
void check_functions(const Formula& formula, const Functions& functions);

}  // namespace zermelo::qbf
