// Compact tables, arc consistency, forward checking and search against the definition, on random networks.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <set>
#include <vector>

#include "check.hpp"
#include "scsp/solver.hpp"
#include "zermelo/random.hpp"

using namespace zermelo;
using namespace zermelo::scsp;

namespace {

using Values = std::vector<std::int32_t>;

enum class Shape { dense, wide, sparse };

// Wide tables have more than a few words of rows; where they are sparse, a few values leave tables that have nothing in
// common.
Tables random_tables(Random& random, Shape shape) {
    Tables tables;
    const bool wide = shape == Shape::wide, sparse = shape == Shape::sparse;
    const auto n = 1 + random.below(wide ? 5 : sparse ? 9 : 7);
    for (std::uint32_t v = 0; v < n; ++v) tables.domain.push_back(1 + random.below(wide ? 6 : sparse ? 3 : 4));
    for (auto count = random.below(sparse ? 9 : 7); count > 0; --count) {
        std::vector<std::uint32_t> scope;
        for (std::uint32_t v = 0; v < n; ++v)
            if (sparse ? random.below(n) < 3 : random.below(wide ? 4 : 2) != 0) scope.push_back(v);
        for (auto i = scope.size(); i > 1; --i)
            std::swap(scope[i - 1], scope[random.below(static_cast<std::uint32_t>(i))]);
        if (scope.empty()) continue;
        Values entries;
        const auto rows = random.below(20) ? 1 + random.below(wide ? 400 : 40) : 0;
        const auto any = random.below(3) ? 0 : 1 + random.below(4);
        for (std::uint32_t r = 0; r < rows; ++r)
            for (const auto v : scope)
                entries.push_back(random.below(10) < any ? kAny
                                                         : static_cast<std::int32_t>(random.below(tables.domain[v])));
        tables.add(scope, entries);
    }
    return tables;
}

bool satisfies(const Tables& tables, const Values& values) {
    std::size_t entry = 0;
    for (std::uint32_t t = 0; t < tables.tables(); ++t) {
        const auto arity = tables.scope_first[t + 1] - tables.scope_first[t];
        bool allowed = false;
        for (std::uint64_t r = 0; r < tables.rows[t]; ++r, entry += arity) {
            bool fits = true;
            for (std::uint64_t c = 0; c < arity; ++c) {
                const auto wanted = tables.entry[entry + c];
                fits &= wanted == kAny || wanted == values[tables.scope[tables.scope_first[t] + c]];
            }
            allowed |= fits;
        }
        if (!allowed) return false;
    }
    return true;
}

std::set<Values> all_solutions(const Tables& tables) {
    std::set<Values> found;
    Values values(tables.domain.size(), 0);
    for (;;) {
        if (satisfies(tables, values)) found.insert(values);
        std::size_t v = 0;
        while (v < values.size() && ++values[v] == static_cast<std::int32_t>(tables.domain[v])) values[v++] = 0;
        if (v == values.size()) return found;
    }
}

std::set<Values> found_by(Solver& solver, std::size_t batch) {
    Control control;
    std::set<Values> found;
    Values out(solver.width() * batch);
    for (;;) {
        const auto count = solver.fill(out, control);
        for (std::size_t i = 0; i < count; ++i) {
            const auto begin = out.begin() + static_cast<std::ptrdiff_t>(i * solver.width());
            CHECK(found.insert(Values(begin, begin + static_cast<std::ptrdiff_t>(solver.width()))).second);
        }
        if (count < batch) return found;
    }
}

std::set<Values> restricted(const std::set<Values>& all, const std::vector<std::uint32_t>& onto) {
    std::set<Values> found;
    for (const auto& values : all) {
        Values part;
        for (const auto v : onto) part.push_back(values[v]);
        found.insert(part);
    }
    return found;
}

void compare(const Tables& tables, Random& random, Method method) {
    const auto all = all_solutions(tables);
    Control control;
    const auto instance = std::make_shared<const Instance>(tables, control);
    Solver solver(instance, method);
    CHECK(solver.consistent() || all.empty());
    solver.start();
    CHECK(found_by(solver, 1 + random.below(9)) == all);
    solver.start();
    CHECK(solver.count(control) == all.size());
    for (int round = 0; round < 3; ++round) {
        std::vector<Assumption> state;
        for (std::uint32_t v = 0; v < tables.variables(); ++v)
            if (!random.below(3)) state.push_back({v, random.below(tables.domain[v])});
        std::set<Values> some;
        for (const auto& values : all)
            if (std::ranges::all_of(
                    state, [&](const auto& a) { return values[a.variable] == static_cast<std::int32_t>(a.value); }))
                some.insert(values);
        const bool twice = random.below(2);
        const auto half = static_cast<std::ptrdiff_t>(state.size() / 2);
        if (twice) {
            solver.assume(std::span(state).first(static_cast<std::size_t>(half)));
            solver.assume(std::span(state).subspan(static_cast<std::size_t>(half)));
        } else {
            solver.assume(state);
        }
        CHECK(solver.consistent() || some.empty());
        std::vector<std::uint32_t> onto;
        for (std::uint32_t v = 0; v < tables.variables(); ++v)
            if (random.below(2)) onto.push_back(v);
        solver.start(onto);
        if (!onto.empty()) CHECK(found_by(solver, 1 + random.below(9)) == restricted(some, onto));
        else CHECK(solver.next(control) == !some.empty());
        solver.start(onto);
        CHECK(solver.count(control) == restricted(some, onto).size());
        solver.start();
        for (auto more = random.below(4); more > 0 && solver.next(control);) --more;  // leaves a search half done
        solver.retract();
        if (twice) solver.retract();
        CHECK(solver.assumptions() == 0);
    }
    solver.start();
    CHECK(found_by(solver, 7) == all);
}

// Arc consistency and singleton consistency by their definitions, over sets of values.
struct Filtered {
    std::vector<std::vector<bool>> has;
    bool empty = false;
};

void make_arc_consistent(const Tables& tables, Filtered& domains) {
    for (bool again = true; again;) {
        again = false;
        std::size_t entry = 0;
        for (std::uint32_t t = 0; t < tables.tables(); ++t) {
            const auto first = tables.scope_first[t];
            const auto arity = tables.scope_first[t + 1] - first;
            auto supported = domains.has;
            for (std::uint64_t c = 0; c < arity; ++c)
                std::fill(supported[tables.scope[first + c]].begin(), supported[tables.scope[first + c]].end(), false);
            for (std::uint64_t r = 0; r < tables.rows[t]; ++r, entry += arity) {
                bool valid = true;
                for (std::uint64_t c = 0; c < arity; ++c) {
                    const auto wanted = tables.entry[entry + c];
                    const auto& its = domains.has[tables.scope[first + c]];
                    valid &= wanted == kAny ? std::ranges::count(its, true) > 0 : its[static_cast<std::size_t>(wanted)];
                }
                if (!valid) continue;
                for (std::uint64_t c = 0; c < arity; ++c) {
                    const auto wanted = tables.entry[entry + c];
                    const auto v = tables.scope[first + c];
                    if (wanted == kAny) supported[v] = domains.has[v];
                    else supported[v][static_cast<std::size_t>(wanted)] = true;
                }
            }
            again |= supported != domains.has;
            domains.has = supported;
        }
    }
    for (const auto& its : domains.has) domains.empty |= !std::ranges::count(its, true);
}

void compare_consistency(const Tables& tables) {
    Filtered domains;
    for (const auto size : tables.domain) domains.has.emplace_back(size, true);
    make_arc_consistent(tables, domains);
    Control control;
    Solver solver(std::make_shared<const Instance>(tables, control));
    CHECK(solver.consistent() == !domains.empty);
    if (domains.empty) return;
    const auto same = [&] {
        for (std::uint32_t v = 0; v < tables.variables(); ++v)
            for (std::uint32_t value = 0; value < tables.domain[v]; ++value)
                if (solver.allows(v, value) != domains.has[v][value]) return false;
        return true;
    };
    CHECK(same());
    for (bool again = true; again && !domains.empty;) {
        again = false;
        for (std::uint32_t v = 0; v < tables.variables(); ++v)
            for (std::uint32_t value = 0; value < tables.domain[v]; ++value) {
                if (!domains.has[v][value]) continue;
                auto trial = domains;
                std::fill(trial.has[v].begin(), trial.has[v].end(), false);
                trial.has[v][value] = true;
                make_arc_consistent(tables, trial);
                if (!trial.empty) continue;
                again = true;
                domains.has[v][value] = false;
                make_arc_consistent(tables, domains);
            }
    }
    CHECK(solver.make_singleton_consistent(control) == !domains.empty);
    if (!domains.empty) CHECK(same());
}

void limits_stop_a_search_that_can_go_on() {
    Tables tables;
    tables.domain.assign(10, 2);
    tables.add(std::vector<std::uint32_t>{0, 1}, std::vector<std::int32_t>{0, 0, 1, 1});
    Control free;
    Solver solver(std::make_shared<const Instance>(tables, free));
    solver.start();
    Control narrow(0, 100);
    std::size_t found = 0;
    try {
        while (solver.next(narrow)) ++found;
        CHECK(false);
    } catch (const Stopped&) {
        CHECK(narrow.cause() == Cause::nodes);
    }
    while (solver.next(free)) ++found;
    CHECK(found == 512);
}

void free_variables_are_multiplied() {
    Tables tables;
    tables.domain.assign(40, 2);
    tables.add(std::vector<std::uint32_t>{0, 1}, std::vector<std::int32_t>{0, 0, 1, 1});
    Control control;
    Solver solver(std::make_shared<const Instance>(tables, control));
    solver.start();
    CHECK(solver.count(control) == std::uint64_t{1} << 39);
    CHECK(solver.nodes() < 10);
}

// Pairs of variables that are different, and a table that allows whatever they take once the last variable is 0.
Tables pairs(std::uint32_t count) {
    Tables tables;
    tables.domain.assign(2 * count + 1, 3);
    for (std::uint32_t p = 0; p < count; ++p)
        tables.add(std::vector{2 * p, 2 * p + 1}, std::vector<std::int32_t>{0, 1, 0, 2, 1, 0, 1, 2, 2, 0, 2, 1});
    std::vector<std::uint32_t> all;
    std::vector<std::int32_t> rows;
    for (std::uint32_t v = 0; v <= 2 * count; ++v) all.push_back(2 * count - v);
    for (std::int32_t value = 0; value < 3; ++value)
        for (std::uint32_t v = 0; v <= 2 * count; ++v) rows.push_back(v == 0 ? value : value == 0 ? kAny : v % 2);
    tables.add(all, rows);
    return tables;
}

void tables_that_have_nothing_in_common_are_multiplied() {
    Control control;
    Solver many(std::make_shared<const Instance>(pairs(20), control));
    CHECK(many.assume(std::array{Assumption{40, 0}}));
    many.start();
    CHECK(many.count(control) == 3'656'158'440'062'976);  // 6^20
    CHECK(many.nodes() == 0);
    Solver few(std::make_shared<const Instance>(pairs(3), control));
    few.start();
    CHECK(found_by(few, 5) == all_solutions(pairs(3)));
}

// The rows (0, any) and (any, 0) have a tuple in common.
void rows_that_overlap_are_not_counted_twice() {
    Tables tables{.domain = {3, 3}};
    tables.add(std::vector<std::uint32_t>{0, 1}, std::vector<std::int32_t>{0, kAny, kAny, 0});
    Control control;
    Solver solver(std::make_shared<const Instance>(tables, control));
    solver.start();
    CHECK(solver.count(control) == 5);
}

}  // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto tables = random_tables(random, std::array{Shape::dense, Shape::wide, Shape::sparse}[seed % 3]);
        compare(tables, random, Method::mac);
        compare(tables, random, Method::fc);
        compare_consistency(tables);
    }
    limits_stop_a_search_that_can_go_on();
    free_variables_are_multiplied();
    tables_that_have_nothing_in_common_are_multiplied();
    rows_that_overlap_are_not_counted_twice();
    std::puts("networks of tables: ok");
}
