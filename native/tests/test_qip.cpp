// The table search on quantified programs against the definition, on random programs; its proofs against all plays.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include "check.hpp"
#include "qip/search/search.hpp"
#include "zermelo/random.hpp"

using namespace zermelo;
using namespace zermelo::qip;

namespace {

using Values = std::vector<std::int64_t>;

void add_row(Program& program, std::vector<Term> terms, std::int64_t right) {
    std::ranges::sort(terms, {}, &Term::variable);
    program.term.insert(program.term.end(), terms.begin(), terms.end());
    program.first.push_back(program.term.size());
    program.right.push_back(right);
}

Program random_program(Random& random, std::uint32_t most_variables, std::uint32_t widest) {
    Program program;
    const auto n = 1 + random.below(most_variables);
    bool exists = random.below(2);
    for (std::uint32_t v = 0; v < n; ++v) {
        if (random.below(2)) exists = !exists;
        program.exists.push_back(exists);
        program.integer.push_back(1);
        program.lower.push_back(static_cast<std::int64_t>(random.below(3)) - 1);
        program.upper.push_back(program.lower.back() + (random.below(3) ? 1 : random.below(widest + 1)));
    }
    const auto some_terms = [&](bool universal) {
        std::vector<Term> terms;
        for (std::uint32_t v = 0; v < n; ++v)
            if ((!universal || !program.exists[v]) && random.below(2))
                terms.push_back({v, (random.below(2) ? 1 : -1) * static_cast<std::int64_t>(1 + random.below(4))});
        return terms;
    };
    const auto near = [&](const std::vector<Term>& terms) {  // what some values give, and a little more
        std::int64_t sum = random.below(3);
        for (const auto& [v, a] : terms)
            sum += a * (program.lower[v] +
                        random.below(static_cast<std::uint32_t>(program.upper[v] - program.lower[v] + 1)));
        return sum;
    };
    add_row(program, random.below(5) ? some_terms(false) : std::vector<Term>(), 0);
    for (auto rows = random.below(6); rows > 0; --rows) {
        const auto terms = some_terms(false);
        add_row(program, terms, near(terms));
    }
    program.uncertainty = random.below(3) ? 0 : 1 + random.below(3);
    for (std::uint32_t q = 0; q < program.uncertainty; ++q) {
        const auto terms = some_terms(true);
        add_row(program, terms, near(terms));
    }
    return program;
}

std::int64_t activity(const Program& program, std::uint32_t row, const Values& values) {
    std::int64_t sum = 0;
    for (const auto& [v, a] : program.terms(row)) sum += a * values[v];
    return sum;
}

bool keeps(const Program& program, std::uint32_t from, std::uint32_t to, const Values& values) {
    for (auto r = from; r < to; ++r)
        if (activity(program, r, values) > program.right[r]) return false;
    return true;
}

// Whether forall can keep his rows, the first `index` variables being set.
bool lawful(const Program& program, Values& values, std::uint32_t index) {
    while (index < program.variables() && program.exists[index]) ++index;
    if (index == program.variables()) return keeps(program, program.first_uncertain(), program.rows(), values);
    for (auto value = program.lower[index]; value <= program.upper[index]; ++value) {
        values[index] = value;
        if (lawful(program, values, index + 1)) return true;
    }
    return false;
}

constexpr auto kLost = std::numeric_limits<std::int64_t>::max();

// The value by the definition; kLost: infeasible.
std::int64_t value_of(const Program& program, Values& values, std::uint32_t index) {
    if (index == program.variables())
        return keeps(program, 1, program.first_uncertain(), values) ? activity(program, 0, values) : kLost;
    auto best = program.exists[index] ? kLost : std::numeric_limits<std::int64_t>::min();
    for (auto value = program.lower[index]; value <= program.upper[index]; ++value) {
        values[index] = value;
        auto copy = values;
        if (!program.exists[index] && !lawful(program, copy, index + 1)) continue;
        const auto found = value_of(program, values, index + 1);
        best = program.exists[index] ? std::min(best, found) : std::max(best, found);
    }
    return best;
}

// Follows a proof through every play that it allows.
class Follower {
public:
    Follower(const Program& program, const ProofArrays& proof, bool exists, std::int64_t value)
        : program_(program), proof_(proof), exists_(exists), value_(value), values_(program.variables(), 0) {}

    void all() { follow(0, static_cast<std::int64_t>(proof_.kind.size()) - 1); }

private:
    std::span<const std::int64_t> data(std::int64_t node) const {
        const auto n = static_cast<std::size_t>(node);
        return std::span(proof_.data).subspan(proof_.first[n], proof_.first[n + 1] - proof_.first[n]);
    }

    void follow(std::uint32_t index, std::int64_t node) {
        if (node < 0) {
            CHECK(exists_);
            return to_the_end(index, {}, [&] {
                if (keeps(program_, program_.first_uncertain(), program_.rows(), values_))
                    CHECK(keeps(program_, 1, program_.first_uncertain(), values_) &&
                          activity(program_, 0, values_) <= value_);
            });
        }
        const auto at = proof_.at[static_cast<std::size_t>(node)];
        CHECK(index <= at);
        if (index < at) return any(index, node);
        const auto numbers = data(node);
        switch (static_cast<NodeKind>(proof_.kind[static_cast<std::size_t>(node)])) {
            case NodeKind::choose: return choose(index, numbers.subspan(1), numbers[0], node);
            case NodeKind::branch: return branch(index, numbers, node);
            case NodeKind::refute:
                CHECK(!exists_);
                CHECK(numbers[0] == 1);
                return to_the_end(index, numbers.subspan(3), [&] {
                    const auto row = static_cast<std::uint32_t>(numbers[1]);
                    CHECK(keeps(program_, program_.first_uncertain(), program_.rows(), values_));
                    CHECK(row == 0 ? value_ != kLost && activity(program_, 0, values_) >= value_
                                   : activity(program_, row, values_) > program_.right[row]);
                });
        }
    }

    void any(std::uint32_t index, std::int64_t node) {
        for (values_[index] = program_.lower[index]; values_[index] <= program_.upper[index]; ++values_[index])
            follow(index + 1, node);
    }

    void choose(std::uint32_t index, std::span<const std::int64_t> left, std::int64_t then, std::int64_t node) {
        if (left.empty()) {
            CHECK(then < node);
            return follow(index, then);
        }
        CHECK(index < program_.variables());
        if (static_cast<bool>(program_.exists[index]) == exists_) {
            CHECK(program_.lower[index] <= left[0] && left[0] <= program_.upper[index]);
            values_[index] = left[0];
            return choose(index + 1, left.subspan(1), then, node);
        }
        for (values_[index] = program_.lower[index]; values_[index] <= program_.upper[index]; ++values_[index])
            choose(index + 1, left, then, node);
    }

    void branch(std::uint32_t index, std::span<const std::int64_t> cases, std::int64_t node) {
        CHECK(static_cast<bool>(program_.exists[index]) != exists_);
        for (values_[index] = program_.lower[index]; values_[index] <= program_.upper[index]; ++values_[index]) {
            std::size_t found = 0;
            for (std::size_t c = 0; c < cases.size(); c += 4) {
                if (values_[index] < cases[c] || values_[index] > cases[c + 1]) continue;
                ++found;
                CHECK(cases[c + 2] < node);
                if (cases[c + 3] < 0) {
                    follow(index + 1, cases[c + 2]);
                } else {
                    const auto row = program_.first_uncertain() + static_cast<std::uint32_t>(cases[c + 3]);
                    CHECK(exists_);
                    to_the_end(index + 1, {}, [&] { CHECK(activity(program_, row, values_) > program_.right[row]); });
                }
            }
            CHECK(found == 1);
        }
    }

    template <class Test>
    void to_the_end(std::uint32_t index, std::span<const std::int64_t> choices, const Test& test) {
        if (index == program_.variables()) {
            CHECK(choices.empty());
            return test();
        }
        if (!program_.exists[index] && !choices.empty()) {
            values_[index] = choices[0];
            return to_the_end(index + 1, choices.subspan(1), test);
        }
        for (values_[index] = program_.lower[index]; values_[index] <= program_.upper[index]; ++values_[index])
            to_the_end(index + 1, choices, test);
    }

    const Program& program_;
    const ProofArrays& proof_;
    bool exists_;
    std::int64_t value_;
    Values values_;
};

void test_random(std::uint64_t seed, std::uint32_t variables, std::uint32_t widest) {
    testing::running_seed = seed;
    Random random(seed);
    const auto program = random_program(random, variables, widest);
    TableParameters parameters;
    parameters.table = random.below(4) != 0;
    parameters.dominance = random.below(4) != 0;
    parameters.bisect = random.below(4) != 0;
    Control control;
    const auto result = search_by_table(program, parameters, control);
    Values values(program.variables(), 0);
    if (!lawful(program, values, 0)) {
        CHECK(result.status == TableStatus::lawless);
        return;
    }
    const auto value = value_of(program, values, 0);
    CHECK(result.status == (value == kLost ? TableStatus::infeasible : TableStatus::optimal));
    CHECK(result.forall && result.exists.has_value() == (value != kLost));
    if (value != kLost) {
        CHECK(result.upper == value && result.lower == value);
        Follower(program, *result.exists, true, value).all();
    }
    Follower(program, *result.forall, false, value).all();
}

// Pairs of a universal and an existential variable that must be equal.
void test_long_prefix() {
    testing::running_seed.reset();
    Program program;
    constexpr std::uint32_t n = 100000;
    for (std::uint32_t v = 0; v < n; ++v) {
        program.exists.push_back(v % 2);
        program.integer.push_back(1);
        program.lower.push_back(0);
        program.upper.push_back(1);
    }
    add_row(program, {{1, -1}}, 0);
    for (std::uint32_t v = 0; v < n; v += 2) {
        add_row(program, {{v, 1}, {v + 1, -1}}, 0);
        add_row(program, {{v, -1}, {v + 1, 1}}, 0);
    }
    Control control;
    const auto result = search_by_table(program, {}, control);
    CHECK(result.status == TableStatus::optimal && result.upper == 0);
    CHECK(result.exists && result.forall);
}

// Subset sums that no table helps with.
void test_limits() {
    Program program;
    Random random(7);
    std::vector<Term> terms;
    std::int64_t sum = 0;
    for (std::uint32_t v = 0; v < 40; ++v) {
        program.exists.push_back(v % 5 != 4);
        program.integer.push_back(1);
        program.lower.push_back(0);
        program.upper.push_back(1);
        terms.push_back({v, static_cast<std::int64_t>(1000000 + random.below(9000000))});
        sum += terms.back().coefficient;
    }
    auto objective = terms;
    for (auto& term : objective) term.coefficient = -term.coefficient;
    add_row(program, objective, 0);
    add_row(program, terms, sum / 2);
    Control control(0, 50000);
    const auto result = search_by_table(program, {}, control);
    CHECK(control.cause() == Cause::nodes && result.status == TableStatus::unknown);
    CHECK(-sum <= result.lower && (!result.feasible || (result.lower <= result.upper && result.upper < 0)));
    Control small(0, 200000, 3 << 20);
    CHECK(search_by_table(program, {}, small).table_full);
}

}  // namespace

int main(int argc, char** argv) {
    const auto count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 40000;
    for (std::uint64_t seed = 0; seed < count; ++seed) test_random(seed, 7, 2);
    for (std::uint64_t seed = 0; seed < count / 8; ++seed) test_random(1000000 + seed, 4, 12);
    test_long_prefix();
    test_limits();
    std::puts("quantified programs by table search: all right");
}
