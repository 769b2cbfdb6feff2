#include "qbf/circuit/formula.hpp"

#include <algorithm>
#include <stdexcept>

namespace zermelo::qbf {

namespace {

void expect(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

}  // namespace

void check(const Formula& formula) {
    const auto& blocks = formula.first_variable;
    expect(blocks.size() == formula.exists.size() + 1 && blocks.front() == 1 && std::ranges::is_sorted(blocks),
           "blocks that are not in order");
    const auto& gates = formula.gates;
    expect(gates.first_input.size() == gates.kind.size() + 1 && gates.first_input.front() == 0 &&
               gates.first_input.back() == gates.input.size() && std::ranges::is_sorted(gates.first_input),
           "inputs of gates that are not in order");
    for (std::uint32_t g = 0; g < gates.size(); ++g) {
        const auto inputs = gates.inputs(g);
        expect(gates.kind[g] >= Kind::all && gates.kind[g] <= Kind::choice, "a gate of no known kind");
        expect(gates.kind[g] != Kind::exclusive || inputs.size() == 2, "an exclusive gate without two inputs");
        expect(gates.kind[g] != Kind::choice || inputs.size() == 3, "a choice without three inputs");
        for (const auto input : inputs)
            expect(node_of(input) < formula.first_gate() + g, "an input that comes after its gate");
    }
    expect(node_of(formula.output) < formula.first_gate() + gates.size(), "an output that is no node");
}

void check_functions(const Formula& formula, const Functions& functions) {
    const auto& gates = functions.gates;
    const auto nodes = [&](std::uint32_t g) { return formula.first_gate() + g; };
    expect(gates.first_input.size() == gates.kind.size() + 1 && gates.first_input.front() == 0 &&
               gates.first_input.back() == gates.input.size() && std::ranges::is_sorted(gates.first_input),
           "inputs of gates that are not in order");
    for (std::uint32_t g = 0; g < gates.size(); ++g) {
        expect(gates.kind[g] == Kind::all || gates.kind[g] == Kind::any, "a function with other gates than AND and OR");
        for (const auto input : gates.inputs(g))
            expect(node_of(input) < nodes(g), "an input that comes after its gate");
    }
    expect(functions.output.size() == formula.variables(), "not one function for each variable");
    for (const auto output : functions.output)
        expect(node_of(output) < nodes(gates.size()), "an output that is no node");
}

}  // namespace zermelo::qbf
