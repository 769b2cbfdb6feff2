// The search on quantified circuits against the definition, on random formulas; its functions against all replies.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "check.hpp"
#include "qbf/sat/sat.hpp"
#include "qbf/search/search.hpp"
#include "zermelo/random.hpp"

using namespace zermelo;
using namespace zermelo::qbf;

namespace {

void add_gate(Gates& gates, Kind kind, const std::vector<Literal>& inputs) {
    gates.kind.push_back(kind);
    gates.input.insert(gates.input.end(), inputs.begin(), inputs.end());
    gates.first_input.push_back(gates.input.size());
}

void random_blocks(Random& random, Formula& formula, std::uint32_t variables, std::uint32_t blocks) {
    bool exists = random.below(2);
    std::uint32_t left = variables;
    const auto count = std::min(variables, 1 + random.below(blocks));
    for (std::uint32_t b = 0; b < count; ++b, exists = !exists) {
        const auto rest = count - b - 1;
        const auto size = b + 1 == count ? left : 1 + random.below(left - rest);
        left -= size;
        formula.exists.push_back(exists);
        formula.first_variable.push_back(formula.first_variable.back() + size);
    }
}

// Gates of all kinds, the latest ones used more often: else most of them lead nowhere.
Formula random_circuit(Random& random, std::uint32_t variables, std::uint32_t gates, std::uint32_t blocks) {
    Formula formula;
    random_blocks(random, formula, 1 + random.below(variables), blocks);
    const auto count = 1 + random.below(gates);
    auto nodes = formula.first_gate();
    const auto some = [&] {
        const auto node = nodes > 5 && random.below(2) ? nodes - 1 - random.below(4) : 1 + random.below(nodes - 1);
        return 2 * node + random.below(2);
    };
    for (std::uint32_t g = 0; g < count; ++g, ++nodes) {
        const auto kind = random.below(6);
        std::vector<Literal> inputs;
        const auto fan_in = kind == 0               ? 2
                            : kind == 1             ? 3
                            : random.below(12) == 0 ? random.below(2)
                                                    : 2 + random.below(4);
        for (std::uint32_t i = 0; i < fan_in; ++i) inputs.push_back(some());
        add_gate(formula.gates,
                 kind == 0   ? Kind::exclusive
                 : kind == 1 ? Kind::choice
                 : kind < 4  ? Kind::all
                             : Kind::any,
                 inputs);
    }
    formula.output = 2 * (nodes - 1) + random.below(2);
    return formula;
}

Formula random_clauses(Random& random, std::uint32_t variables, std::uint32_t clauses, std::uint32_t blocks,
                       bool dual) {
    Formula formula;
    random_blocks(random, formula, 2 + random.below(variables - 1), blocks);
    const auto count = 1 + random.below(clauses);
    std::vector<Literal> all;
    for (std::uint32_t c = 0; c < count; ++c) {
        std::vector<Literal> inputs;
        for (auto i = 1 + random.below(4); i-- > 0;)
            inputs.push_back(2 * (1 + random.below(formula.variables())) + random.below(2));
        all.push_back(2 * (formula.first_gate() + c));
        add_gate(formula.gates, dual ? Kind::all : Kind::any, inputs);
    }
    add_gate(formula.gates, dual ? Kind::any : Kind::all, all);
    formula.output = 2 * (formula.first_gate() + count);
    return formula;
}

// The values of all nodes, for all assignments at once: word w holds assignments 64 w .. 64 w + 63, and variable i of
// the formula is bit i - 1 of the number of an assignment.
class Values {
public:
    Values(std::uint32_t variables, const Gates& gates)
        : words_(variables > 6 ? std::size_t{1} << (variables - 6) : 1) {
        static constexpr std::uint64_t kPattern[] = {0xAAAAAAAAAAAAAAAAull, 0xCCCCCCCCCCCCCCCCull,
                                                     0xF0F0F0F0F0F0F0F0ull, 0xFF00FF00FF00FF00ull,
                                                     0xFFFF0000FFFF0000ull, 0xFFFFFFFF00000000ull};
        node_.assign(1, std::vector<std::uint64_t>(words_, 0));
        for (std::uint32_t v = 0; v < variables; ++v) {
            node_.emplace_back(words_);
            for (std::size_t w = 0; w < words_; ++w)
                node_.back()[w] = v < 6 ? kPattern[v] : w >> (v - 6) & 1 ? ~std::uint64_t{0} : 0;
        }
        for (std::uint32_t g = 0; g < gates.size(); ++g) {
            std::vector<std::uint64_t> value(words_);
            for (std::size_t w = 0; w < words_; ++w) value[w] = gate(gates, g, w);
            node_.push_back(std::move(value));
        }
    }
    std::size_t words() const { return words_; }
    std::uint64_t word(Literal literal, std::size_t w) const {
        return node_[node_of(literal)][w] ^ (negated(literal) ? ~std::uint64_t{0} : 0);
    }
    bool bit(Literal literal, std::size_t assignment) const {
        return word(literal, assignment / 64) >> (assignment % 64) & 1;
    }

private:
    std::uint64_t gate(const Gates& gates, std::uint32_t g, std::size_t w) const {
        const auto in = gates.inputs(g);
        switch (gates.kind[g]) {
            case Kind::exclusive: return word(in[0], w) ^ word(in[1], w);
            case Kind::choice: return (word(in[0], w) & word(in[1], w)) | (~word(in[0], w) & word(in[2], w));
            case Kind::all: {
                auto value = ~std::uint64_t{0};
                for (const auto i : in) value &= word(i, w);
                return value;
            }
            case Kind::any: {
                std::uint64_t value = 0;
                for (const auto i : in) value |= word(i, w);
                return value;
            }
        }
        return 0;
    }

    std::size_t words_;
    std::vector<std::vector<std::uint64_t>> node_;
};

bool owner(const Formula& formula, std::uint32_t variable) {
    std::uint32_t block = 0;
    while (formula.first_variable[block + 1] <= variable) ++block;
    return formula.exists[block];
}

bool truth(const Formula& formula) {
    const Values values(formula.variables(), formula.gates);
    std::vector<bool> now(std::size_t{1} << formula.variables());
    for (std::size_t a = 0; a < now.size(); ++a) now[a] = values.bit(formula.output, a);
    for (auto v = formula.variables(); v > 0; --v) {
        const auto half = std::size_t{1} << (v - 1);
        for (std::size_t a = 0; a < half; ++a)
            now[a] = owner(formula, v) ? now[a] || now[a + half] : now[a] && now[a + half];
    }
    return now[0];
}

// Whatever the other role does, the functions win; and each looks at outer variables of the other role only.
bool wins(const Formula& formula, const Functions& functions, bool winner) {
    const auto n = formula.variables();
    const Values function(n, functions.gates), values(n, formula.gates);
    std::uint64_t others = 0;
    for (std::uint32_t v = 1; v <= n; ++v)
        if (owner(formula, v) != winner) others |= std::uint64_t{1} << (v - 1);
    for (std::uint64_t a = 0; a >> n == 0; ++a) {
        if (a & ~others) continue;
        auto played = a;
        for (std::uint32_t v = 1; v <= n; ++v) {
            if (others >> (v - 1) & 1) continue;
            const auto outer = a & ((std::uint64_t{1} << (v - 1)) - 1);
            if (function.bit(functions.output[v - 1], a) != function.bit(functions.output[v - 1], outer)) return false;
            if (function.bit(functions.output[v - 1], a)) played |= std::uint64_t{1} << (v - 1);
        }
        if (values.bit(formula.output, played) != winner) return false;
    }
    // Variables of the winner count as false above: no function may look at them.
    for (const auto input : functions.gates.input)
        if (node_of(input) >= 1 && node_of(input) <= n && owner(formula, node_of(input)) == winner) return false;
    return true;
}

SearchParameters random_parameters(Random& random) {
    SearchParameters p;
    p.table = random.below(2);
    p.components = random.below(2);
    p.sat = random.below(2);
    p.restructure = random.below(2);
    p.expansion_gates = random.below(2) ? 100000 : 0;
    p.ordering = random.below(8);
    if (random.below(2)) p.sat_after = random.below(3);
    if (random.below(2)) p.elimination_gates = random.below(2) ? 0 : random.below(40);
    if (random.below(4) == 0) p.table_bytes = 4096;
    if (random.below(2)) p.case_inputs = 0;
    return p;
}

void check(const Formula& formula, const SearchParameters& parameters) {
    Control control;
    const auto result = search(formula, parameters, control);
    CHECK(result.value);
    CHECK(*result.value == truth(formula));
    CHECK(result.functions);
    CHECK(wins(formula, *result.functions, *result.value));
}

void random_formulas(std::uint64_t count) {
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto big = random.below(4);
        const auto formula = big == 0   ? random_clauses(random, 10, 30, 5, random.below(2))
                             : big == 1 ? random_circuit(random, 10, 30, 5)
                                        : random_circuit(random, 7, 12, 5);
        check(formula, random_parameters(random));
        check(formula, {});
    }
    testing::running_seed.reset();
}

// A chain of alternating gates, each on a variable and the gate before.
Formula chain(std::uint32_t gates, std::uint32_t blocks) {
    Formula formula;
    for (std::uint32_t b = 0; b < blocks; ++b) {
        formula.exists.push_back(b % 2 == 0);
        formula.first_variable.push_back(formula.first_variable.back() + 2);
    }
    Literal last = 2 * formula.variables();
    for (std::uint32_t g = 0; g < gates; ++g) {
        const auto variable = formula.variables() - g % formula.variables();
        const bool conjunction = g % 3 == 0;
        add_gate(formula.gates,
                 conjunction  ? Kind::all
                 : g % 3 == 1 ? Kind::any
                              : Kind::exclusive,
                 {2 * variable + g % 2, last});
        last = 2 * (formula.first_gate() + g);
    }
    formula.output = last;
    return formula;
}

void deep_formulas() {
    for (const auto& [gates, blocks] : {std::pair{1000000u, 3u}, {40000u, 10000u}, {20000u, 10000u}}) {
        Control control(5.0, 0, std::uint64_t{512} << 20);
        search(chain(gates, blocks), {}, control);  // any answer, or none in time: but no crash
    }
}

// Clauses come in while questions are asked; a core is a part of the assumptions that is refused by itself.
void sat_questions() {
    constexpr std::uint32_t kVariables = 9;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        Control control;
        Sat sat;
        for (std::uint32_t v = 0; v < kVariables; ++v) sat.variable();
        std::vector<std::vector<Literal>> clauses;
        const auto literal = [&] { return 2 * random.below(kVariables) + random.below(2); };
        const auto satisfiable = [&](const std::vector<Literal>& assumed) {
            for (std::uint32_t a = 0; a < 1u << kVariables; ++a) {
                const auto holds = [&](Literal l) { return (a >> (l >> 1) & 1) != (l & 1); };
                const auto satisfied = [&](const std::vector<Literal>& c) { return std::ranges::any_of(c, holds); };
                if (std::ranges::all_of(assumed, holds) && std::ranges::all_of(clauses, satisfied)) return true;
            }
            return false;
        };
        for (int question = 0; question < 20; ++question) {
            for (auto i = random.below(5); i-- > 0;) {
                std::vector<Literal> clause(1 + random.below(4));
                if (clause.size() == 1 && random.below(3)) clause.resize(3);
                for (auto& l : clause) l = literal();
                clauses.push_back(clause);
                sat.add(clause);
            }
            std::vector<Literal> assumed(random.below(5));
            for (auto& l : assumed) l = literal();
            const bool yes = sat.solve(assumed, control);
            CHECK(yes == satisfiable(assumed));
            if (yes) {
                for (const auto l : assumed) CHECK(sat.holds(l));
                for (const auto& c : clauses) CHECK(std::ranges::any_of(c, [&](Literal l) { return sat.holds(l); }));
            } else {
                for (const auto l : sat.core()) CHECK(std::ranges::find(assumed, l) != assumed.end());
                CHECK(!satisfiable(sat.core()));
            }
        }
    }
    testing::running_seed.reset();
}

void limits_are_kept() {
    Control nodes(0, 1), asked;
    asked.stop();
    const auto formula = chain(3000, 500);
    for (auto* control : {&nodes, &asked}) {
        const auto result = search(formula, {}, *control);
        CHECK(result.value || control->cause() != Cause::none);
    }
}

}  // namespace

int main(int argc, char** argv) {
    random_formulas(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000);
    sat_questions();
    deep_formulas();
    limits_are_kept();
    std::puts("ok");
}
