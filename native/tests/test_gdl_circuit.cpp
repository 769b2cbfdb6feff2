// The compiled circuit means what the ground rules mean, cycles included.
#include "check.hpp"
#include "gdl/circuit/circuit.hpp"
#include "random_rules.hpp"

using namespace zermelo;
using namespace zermelo::gdl;

namespace {

void the_circuit_means_what_the_rules_mean() {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto fluents = 1 + random.below(70), moves = 1 + random.below(6), roles = 1 + random.below(3);
        const auto rules = testing::random_rules(random, fluents, moves, roles, 4 + random.below(60));
        const auto circuit = compile(rules);
        for (int trial = 0; trial < 10; ++trial) {
            std::vector<std::uint64_t> state((fluents + 63) / 64);
            for (std::uint32_t f = 0; f < fluents; ++f) state[f / 64] |= std::uint64_t{random.below(2)} << (f % 64);
            std::vector<std::uint32_t> done;
            for (std::uint32_t r = 0; r < roles; ++r) done.push_back(rules.first_move[r] + random.below(moves));
            const auto atom = testing::meaning(rules, state, done);
            const auto node = evaluate(circuit, state, done);
            const auto same = [&](std::uint32_t a, Literal l) {
                return (a == kAlways || (a != kNever && atom[a])) == holds(node, l);
            };
            for (std::uint32_t f = 0; f < fluents; ++f) CHECK(same(rules.next[f], circuit.next[f]));
            for (std::uint32_t m = 0; m < rules.moves(); ++m) CHECK(same(rules.legal[m], circuit.legal[m]));
            CHECK(same(rules.terminal, circuit.terminal));
            for (std::size_t g = 0; g < rules.goals.size(); ++g)
                CHECK(same(rules.goals[g].atom, circuit.goals[g].when));
            CHECK(same(rules.sees[0].atom, circuit.sees[0].when));
        }
        for (std::uint32_t node = circuit.first_gate(); node < circuit.nodes(); ++node)
            CHECK(circuit.inputs(node).size() >= 2);
    }
}

void cycles_are_least_fixpoints() {
    // a :- b.  b :- a.  b :- f, a.  next f :- a: nothing outside supports them.
    GroundRules rules;
    rules.fluent_names = {"f"};
    rules.role_names = {"r"};
    rules.move_names = {"m"};
    rules.first_move = {0, 1};
    rules.atoms = 4;
    rules.init = {true};
    const auto add = [&](std::uint32_t head, std::vector<Literal> body) {
        rules.head.push_back(head);
        rules.body.insert(rules.body.end(), body.begin(), body.end());
        rules.first_literal.push_back(static_cast<std::uint32_t>(rules.body.size()));
    };
    add(2, {6});
    add(3, {4});
    add(3, {0, 4});
    rules.next = {2};
    rules.legal = {kAlways};
    CHECK(compile(rules).next[0] == kFalse);
}

}  // namespace

int main() {
    the_circuit_means_what_the_rules_mean();
    cycles_are_least_fixpoints();
}
