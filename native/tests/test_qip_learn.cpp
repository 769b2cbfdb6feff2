// The learning search against the definition, on random programs; its strategies against all that forall may do.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "check.hpp"
#include "qip/learning/learn.hpp"
#include "zermelo/random.hpp"

using namespace zermelo;
using namespace zermelo::qip;

namespace {

using Values = std::vector<std::int64_t>;

std::int64_t between(Random& random, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(high - low + 1)));
}

void add_row(Program& program, std::vector<Term> terms, std::int64_t right) {
    std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.variable < b.variable; });
    program.term.insert(program.term.end(), terms.begin(), terms.end());
    program.first.push_back(program.term.size());
    program.right.push_back(right);
}

void add_blocks(Random& random, Program& program, std::uint32_t variables, std::uint32_t blocks, std::int64_t widest) {
    bool exists = random.below(2);
    for (std::uint32_t v = 0; v < variables; ++v) {
        if (v > 0 && random.below(variables) < blocks) exists = !exists;
        const auto low = random.below(3) == 0 ? between(random, -2, 1) : 0;
        program.exists.push_back(exists);
        program.integer.push_back(1);
        program.lower.push_back(low);
        program.upper.push_back(low + (random.below(3) ? 1 : between(random, 0, widest)));
    }
}

std::vector<Term> random_terms(Random& random, std::vector<std::uint32_t> among, std::uint32_t most) {
    std::vector<Term> terms;
    for (auto left = 1 + random.below(most); left > 0 && !among.empty(); --left) {
        const auto i = random.below(static_cast<std::uint32_t>(among.size()));
        static constexpr std::int64_t kCoefficients[] = {-3, -2, -1, -1, 1, 1, 2, 3, 5};
        terms.push_back({among[i], kCoefficients[random.below(9)]});
        among.erase(among.begin() + i);
    }
    return terms;
}

// A row near what some values give, and sometimes the same with >= : so it binds without ruling everything out.
void add_random_row(Random& random, Program& program, const std::vector<std::uint32_t>& among, std::uint32_t most) {
    auto terms = random_terms(random, among, most);
    std::int64_t sum = 0;
    for (const auto& t : terms)
        sum += t.coefficient * between(random, program.lower[t.variable], program.upper[t.variable]);
    const bool equation = random.below(6) == 0;
    add_row(program, terms, sum + (equation ? 0 : between(random, 0, 2)));
    if (!equation) return;
    for (auto& t : terms) t.coefficient = -t.coefficient;
    add_row(program, terms, -sum);
}

Program random_program(Random& random, std::uint32_t variables, std::uint32_t blocks, std::uint32_t rows,
                       std::int64_t widest) {
    Program program;
    add_blocks(random, program, 1 + random.below(variables), blocks, widest);
    std::vector<std::uint32_t> all, universal;
    for (std::uint32_t v = 0; v < program.variables(); ++v) {
        all.push_back(v);
        if (!program.exists[v]) universal.push_back(v);
    }
    std::vector<Term> goal;
    if (random.below(5)) goal = random_terms(random, all, program.variables());
    for (auto& t : goal) t.coefficient *= between(random, 1, 9);  // many values: many questions
    add_row(program, goal, 0);
    for (auto left = random.below(rows + 1); left > 0; --left) add_random_row(random, program, all, 4);
    const auto before = program.rows();
    if (!universal.empty() && random.below(3) == 0)
        for (auto left = 1 + random.below(3); left > 0; --left) add_random_row(random, program, universal, 3);
    program.uncertainty = program.rows() - before;
    return program;
}

// A formula in disguise: binary variables, clauses.
Program random_clauses(Random& random, std::uint32_t variables, std::uint32_t blocks, std::uint32_t rows) {
    Program program;
    const auto count = 2 + random.below(variables - 1);
    std::vector<std::uint32_t> all;
    bool exists = random.below(2);
    for (std::uint32_t v = 0; v < count; ++v) {
        if (v > 0 && random.below(count) < blocks) exists = !exists;
        all.push_back(v);
        program.exists.push_back(exists);
        program.integer.push_back(1);
        program.lower.push_back(0);
        program.upper.push_back(1);
    }
    std::vector<Term> goal;
    if (random.below(2)) goal = random_terms(random, all, 4);
    add_row(program, goal, 0);
    for (auto left = 1 + random.below(rows); left > 0; --left) {
        auto terms = random_terms(random, all, 4);
        std::int64_t right = -1;
        for (auto& t : terms) {
            t.coefficient = t.coefficient > 0 ? 1 : -1;
            right += t.coefficient > 0;
        }
        add_row(program, terms, right);
    }
    return program;
}

std::int64_t sum_of(const Program& program, std::uint32_t row, const Values& values) {
    std::int64_t sum = 0;
    for (const auto& t : program.terms(row)) sum += t.coefficient * values[t.variable];
    return sum;
}

bool keeps(const Program& program, std::uint32_t from, std::uint32_t to, const Values& values) {
    for (auto r = from; r < to; ++r)
        if (sum_of(program, r, values) > program.right[r]) return false;
    return true;
}

constexpr auto kLost = std::numeric_limits<std::int64_t>::max();     // exists cannot keep the rows
constexpr auto kLawless = std::numeric_limits<std::int64_t>::min();  // forall cannot keep his own

// The value by the definition: a play in which forall's rows are broken counts as his worst, so he avoids it if he can.
std::int64_t by_definition(const Program& program, Values& values, std::uint32_t v) {
    if (v == program.variables()) {
        if (!keeps(program, program.first_uncertain(), program.rows(), values)) return kLawless;
        return keeps(program, 1, program.first_uncertain(), values) ? sum_of(program, 0, values) : kLost;
    }
    auto best = program.exists[v] ? kLost : kLawless;
    for (values[v] = program.lower[v]; values[v] <= program.upper[v]; ++values[v]) {
        const auto value = by_definition(program, values, v + 1);
        best = program.exists[v] ? std::min(best, value) : std::max(best, value);
    }
    return best;
}

// Whether the strategy keeps all rows and its value, whatever forall does and whatever variables of nobody's concern
// are. `next` is the value that the node sets next.
bool wins(const Program& program, const StrategyGraph& graph, std::int64_t value, Values& values, std::uint32_t v,
          std::int64_t node, std::uint64_t next = 0) {
    if (v == program.variables())
        return !keeps(program, program.first_uncertain(), program.rows(), values) ||
               (keeps(program, 1, program.first_uncertain(), values) && sum_of(program, 0, values) <= value);
    const auto* n = node == StrategyGraph::kEnd ? nullptr : &graph.node[static_cast<std::size_t>(node)];
    if (!n || v < n->at || (n->choose && !program.exists[v])) {
        for (values[v] = program.lower[v]; values[v] <= program.upper[v]; ++values[v])
            if (!wins(program, graph, value, values, v + 1, node, next)) return false;
        return true;
    }
    if (n->choose) {
        values[v] = graph.value[n->first + next];
        CHECK(program.lower[v] <= values[v] && values[v] <= program.upper[v]);
        const bool last = n->first + next + 1 == n->end;
        return wins(program, graph, value, values, v + 1, last ? n->then : node, last ? 0 : next + 1);
    }
    CHECK(!program.exists[v]);
    auto first = program.lower[v];
    for (auto i = n->first; i < n->end; ++i) {
        const auto& c = graph.cases[i];
        CHECK(c.lower == first && c.lower <= c.upper);
        first = c.upper + 1;
        for (auto x = c.lower; x <= c.upper; ++x) {
            values[v] = x;
            if (c.breaks >= 0) {
                const auto row = program.first_uncertain() + static_cast<std::uint32_t>(c.breaks);
                std::int64_t least = 0;
                for (const auto& t : program.terms(row))
                    least += t.variable <= v ? t.coefficient * values[t.variable]
                                             : std::min(t.coefficient * program.lower[t.variable],
                                                        t.coefficient * program.upper[t.variable]);
                if (least <= program.right[row]) return false;
            } else if (!wins(program, graph, value, values, v + 1, c.then)) {
                return false;
            }
        }
    }
    return first == program.upper[v] + 1;
}

struct Bounds {
    Values low, high;
};

// Whether the literals from `first` to `end` can all fail, and the bounds then.
bool assume_false(const DerivationSteps& steps, std::uint64_t first, std::uint64_t end, Bounds& bounds) {
    for (auto i = first; i < end; ++i) {
        const auto v = static_cast<std::size_t>(steps.literal[2 * i] / 2);
        if (steps.literal[2 * i] % 2) bounds.low[v] = std::max(bounds.low[v], steps.literal[2 * i + 1] + 1);
        else bounds.high[v] = std::min(bounds.high[v], steps.literal[2 * i + 1] - 1);
        if (bounds.low[v] > bounds.high[v]) return false;
    }
    return true;
}

// Narrows the bounds by a row; false if it cannot hold.
bool narrow(const Program& program, std::uint32_t row, std::int64_t right, Bounds& bounds) {
    auto room = right;
    for (const auto& t : program.terms(row))
        room -= t.coefficient * (t.coefficient > 0 ? bounds.low[t.variable] : bounds.high[t.variable]);
    if (room < 0) return false;
    for (const auto& t : program.terms(row)) {
        const auto steps = room / std::abs(t.coefficient);
        if (t.coefficient > 0)
            bounds.high[t.variable] = std::min(bounds.high[t.variable], bounds.low[t.variable] + steps);
        else bounds.low[t.variable] = std::max(bounds.low[t.variable], bounds.high[t.variable] - steps);
    }
    return true;
}

// Narrows the bounds by an earlier clause, if one literal of it can hold; false if none can.
bool narrow(const DerivationSteps& steps, std::uint64_t first, std::uint64_t end, Bounds& bounds) {
    std::uint64_t open = 0, which = 0;
    for (auto i = first; i < end; ++i) {
        const auto v = static_cast<std::size_t>(steps.literal[2 * i] / 2);
        const auto bound = steps.literal[2 * i + 1];
        if (steps.literal[2 * i] % 2 ? bounds.low[v] > bound : bounds.high[v] < bound) continue;
        ++open;
        which = i;
    }
    if (open == 1) {
        const auto v = static_cast<std::size_t>(steps.literal[2 * which] / 2);
        const auto bound = steps.literal[2 * which + 1];
        if (steps.literal[2 * which] % 2) bounds.high[v] = std::min(bounds.high[v], bound);
        else bounds.low[v] = std::max(bounds.low[v], bound);
    }
    return open > 0;
}

bool breakable(const Program& program, std::uint32_t row) {
    std::int64_t most = 0;
    for (const auto& t : program.terms(row))
        most += std::max(t.coefficient * program.lower[t.variable], t.coefficient * program.upper[t.variable]);
    return most > program.right[row];
}

// Where a variable is dropped that forall's rows bind, all variables that they connect to it are set so that they hold.
void need_lawful(const Program& program, const DerivationSteps& steps, std::uint64_t s, std::uint64_t first) {
    std::vector<std::uint8_t> bound(program.variables(), 0);
    for (auto i = steps.literal_end[s]; i < steps.dropped_end[s]; ++i)
        bound[static_cast<std::size_t>(steps.literal[2 * i] / 2)] = 1;
    for (bool more = true; more;) {
        more = false;
        for (auto r = program.first_uncertain(); r < program.rows(); ++r) {
            const auto terms = program.terms(r);
            if (!breakable(program, r) ||
                std::none_of(terms.begin(), terms.end(), [&](const Term& t) { return bound[t.variable]; }))
                continue;
            for (const auto& t : terms) {
                more = more || !bound[t.variable];
                bound[t.variable] = 1;
            }
        }
    }
    Bounds box{program.lower, program.upper};
    for (std::uint32_t round = 0; round < 100; ++round)
        for (auto r = program.first_uncertain(); r < program.rows(); ++r)
            CHECK(narrow(program, r, program.right[r], box));
    if (!assume_false(steps, first, steps.literal_end[s], box)) return;  // forall's own rows imply the clause
    CHECK(assume_false(steps, steps.literal_end[s], steps.dropped_end[s], box));
    for (auto r = program.first_uncertain(); r < program.rows(); ++r) {
        std::int64_t sum = 0;
        for (const auto& t : program.terms(r)) {
            if (!breakable(program, r) || !bound[t.variable]) continue;
            CHECK(box.low[t.variable] == box.high[t.variable]);
            sum += t.coefficient * box.low[t.variable];
        }
        CHECK(!breakable(program, r) || !bound[program.terms(r).front().variable] || sum <= program.right[r]);
    }
}

// Each clause follows from its antecedents, what is dropped comes after exists' variables in it, the last one is empty.
void check_derivation(const Program& program, const DerivationSteps& steps, std::int64_t asked) {
    const auto first_of = [&](std::uint64_t s) { return s == 0 ? 0 : steps.dropped_end[s - 1]; };
    CHECK(!steps.literal_end.empty() && steps.literal_end.back() == first_of(steps.literal_end.size() - 1));
    for (std::uint64_t s = 0; s < steps.literal_end.size(); ++s) {
        std::int64_t last = -1;
        for (auto i = first_of(s); i < steps.literal_end[s]; ++i)
            if (const auto v = steps.literal[2 * i] / 2; program.exists[static_cast<std::size_t>(v)])
                last = std::max(last, v);
        for (auto i = steps.literal_end[s]; i < steps.dropped_end[s]; ++i) {
            const auto v = steps.literal[2 * i] / 2;
            CHECK(v > last && !program.exists[static_cast<std::size_t>(v)]);
        }
        need_lawful(program, steps, s, first_of(s));
        Bounds bounds{program.lower, program.upper};
        CHECK(assume_false(steps, first_of(s), steps.dropped_end[s], bounds));
        bool possible = true;
        for (auto i = s == 0 ? 0 : steps.antecedent_end[s - 1]; possible && i < steps.antecedent_end[s]; ++i) {
            const auto a = steps.antecedent[i];
            const auto number = a / 2;
            if (a % 2) {
                CHECK(number < s);
                possible = narrow(steps, first_of(number), steps.literal_end[number], bounds);
            } else {
                possible = narrow(program, static_cast<std::uint32_t>(number),
                                  number == 0 ? asked : program.right[number], bounds);
            }
            for (std::uint32_t v = 0; v < program.variables(); ++v)
                possible = possible && bounds.low[v] <= bounds.high[v];
        }
        CHECK(!possible);
    }
}

void compare(const Program& program, std::size_t clauses) {
    Control control;
    LearnParameters parameters;
    parameters.clauses = clauses;
    const auto result = learn(program, parameters, control);
    Values values(program.variables());
    const auto value = by_definition(program, values, 0);
    if (value == kLawless) {
        CHECK(result.status == LearnStatus::lawless);
        return;
    }
    if (value == kLost) {
        CHECK(result.status == LearnStatus::infeasible && result.has_derivation);
        check_derivation(program, result.derivation, std::int64_t{1} << 40);
        return;
    }
    CHECK(result.status == LearnStatus::optimal);
    CHECK(result.upper == value && result.lower == value);
    CHECK(result.has_strategy);
    CHECK(wins(program, result.strategy, value, values, 0, result.strategy.root));
    if (result.has_derivation) check_derivation(program, result.derivation, value - 1);
}

// Things are given to places, at costs; forall closes places or makes rows tighter; then they are given anew.
Program random_assignment(Random& random) {
    Program program;
    const auto things = 2 + random.below(3), places = 2 + random.below(3), stages = 1 + random.below(2);
    std::vector<Term> goal;
    std::vector<std::pair<std::vector<Term>, std::int64_t>> rows;
    std::vector<std::uint32_t> universal;
    const auto add = [&](bool exists, std::int64_t upper) {
        program.exists.push_back(exists);
        program.integer.push_back(1);
        program.lower.push_back(0);
        program.upper.push_back(upper);
        return program.variables() - 1;
    };
    for (std::uint32_t stage = 0; stage <= stages; ++stage) {
        std::vector<std::uint32_t> closed;
        for (std::uint32_t i = 0; stage > 0 && i < 2; ++i)
            universal.push_back(closed.emplace_back(add(false, 1 + random.below(2))));
        std::vector<std::vector<Term>> at(places);
        for (std::uint32_t t = 0; t < things; ++t) {
            std::vector<Term> once;
            for (std::uint32_t place = 0; place < places; ++place) {
                const auto v = add(true, 1);
                once.push_back({v, 1});
                at[place].push_back({v, between(random, 1, 3)});
                goal.push_back({v, between(random, 1, 60)});
            }
            rows.emplace_back(once, 1);
            for (auto& term : once) term.coefficient = -1;
            rows.emplace_back(once, -1);
        }
        const auto extra = add(true, 3);
        goal.push_back({extra, between(random, 20, 90)});
        for (std::uint32_t place = 0; place < places; ++place) {
            auto terms = at[place];
            if (!closed.empty() && random.below(3)) terms.push_back({closed[random.below(2)], between(random, 1, 2)});
            terms.push_back({extra, -between(random, 1, 3)});
            rows.emplace_back(terms, between(random, 2, 2 + static_cast<std::int64_t>(things)));
        }
    }
    add_row(program, goal, 0);
    for (const auto& [terms, right] : rows) add_row(program, terms, right);
    const auto before = program.rows();
    if (random.below(2)) add_random_row(random, program, universal, 3);
    program.uncertainty = program.rows() - before;
    return program;
}

// Too large for the definition, but both proofs together leave nothing open.
void larger_programs_have_proofs_of_both_sides(std::uint64_t cases, std::uint64_t seed) {
    for (std::uint64_t i = 0; i < cases; ++i) {
        testing::running_seed = seed + i;
        Random random(seed + i);
        const auto program = random_assignment(random);
        Control control(0, 20000);
        LearnParameters parameters;
        parameters.clauses = random.below(2) ? 20 : 2000;
        const auto result = learn(program, parameters, control);
        Values values(program.variables());
        if (result.status == LearnStatus::infeasible)
            check_derivation(program, result.derivation, std::int64_t{1} << 40);
        if (result.status != LearnStatus::optimal) continue;
        CHECK(wins(program, result.strategy, result.upper, values, 0, result.strategy.root));
        if (!result.at_best) check_derivation(program, result.derivation, result.upper - 1);
    }
    testing::running_seed.reset();
}

void random_programs_have_the_defined_value(std::uint64_t cases, std::uint64_t seed) {
    for (std::uint64_t i = 0; i < cases; ++i) {
        testing::running_seed = seed + i;
        Random random(seed + i);
        const std::size_t clauses = random.below(2) ? 2 : 2000;  // forgets all the time, or never
        switch (i % 4) {
            case 0: compare(random_program(random, 7, 5, 6, 3), clauses); break;
            case 1: compare(random_program(random, 10, 3, 10, 2), clauses); break;
            case 2: compare(random_clauses(random, 12, 6, 24), clauses); break;
            default: compare(random_clauses(random, 9, 4, 16), clauses); break;
        }
    }
    testing::running_seed.reset();
}

}  // namespace

int main(int count, char** arguments) {
    const auto cases = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 4000;
    const auto seed = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
    random_programs_have_the_defined_value(cases, seed);
    larger_programs_have_proofs_of_both_sides(cases / 10, seed);
    std::puts("ok");
}
