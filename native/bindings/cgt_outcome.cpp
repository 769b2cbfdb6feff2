// The border to Python for the outcomes of sums. A sum is put together term by term, then asked about.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cgt/outcome/listed_source.hpp"
#include "cgt/outcome/nimbers.hpp"
#include "cgt/outcome/search.hpp"
#include "cgt_arena.hpp"
#include "cgt_bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

using cgt::outcome::Parts;

struct OutcomeSearch {
    explicit OutcomeSearch(SharedArena& in) : arena(in), parts(in.arena), search(parts) {}

    SharedArena& arena;
    Parts parts;
    cgt::outcome::Search search;
    cgt::outcome::Options listed;
};

struct Nimbers {
    Nimbers(SharedArena& in, const std::string& game, unsigned rows, unsigned columns)
        : arena(in), search(impartial_source(in, game, rows, columns)) {}

    static std::unique_ptr<cgt::outcome::Source> impartial_source(SharedArena& in, const std::string& game,
                                                                  unsigned rows, unsigned columns) {
        auto source = cgt::outcome::source_of(game, {rows, columns, 0, 0, 0}, in.arena);
        if (!source || !source->impartial()) throw nb::value_error("not an impartial game with native rules");
        return source;
    }

    SharedArena& arena;
    cgt::outcome::NimberSearch search;
    cgt::outcome::Options listed;
};

// Functions of Python, called with its lock held: a search runs without it.
std::unique_ptr<cgt::outcome::Source> listed_by(cgt::Arena& arena, nb::callable options, nb::callable facts,
                                                unsigned valued) {
    using cgt::outcome::ListedSource;
    const auto list = [options](std::uint32_t part, bool left) {
        const nb::gil_scoped_acquire acquire;
        ListedSource::Listing listing;
        for (const auto& option : nb::cast<std::vector<std::vector<std::uint32_t>>>(options(part, left))) {
            auto& terms = listing.emplace_back();
            for (const auto term : option) terms.push_back({term / 2, term % 2 == 1});
        }
        return listing;
    };
    const auto look = [facts](std::uint32_t part) -> ListedSource::Facts {
        const nb::gil_scoped_acquire acquire;
        const auto [lower, upper, size] = nb::cast<std::tuple<int, int, unsigned>>(facts(part));
        return {lower, upper, size};
    };
    return std::make_unique<cgt::outcome::ListedSource>(arena, list, look, valued);
}

}  // namespace

void bind_cgt_outcome(nb::module_& m) {
    nb::class_<Parts::Sum>(m, "CgtSum", "A sum of parts, as a search over sums holds it.");
    nb::class_<OutcomeSearch>(m, "CgtOutcome", "Who wins sums of boards and values, without their value.")
        .def(nb::init<SharedArena&>(), "arena"_a, nb::keep_alive<1, 2>())
        .def(
            "source",
            [](OutcomeSearch& s, const std::string& game, unsigned rows, unsigned columns,
               std::optional<unsigned> valued) {
                auto source = cgt::outcome::source_of(game, {rows, columns, 0, 0, 0}, s.arena.arena, valued);
                if (!source) throw nb::value_error("a game without native rules");
                return s.parts.add_source(std::move(source));
            },
            "game"_a, "rows"_a, "columns"_a, "valued"_a = nb::none())
        .def(
            "listed_source",
            [](OutcomeSearch& s, nb::callable options, nb::callable facts, unsigned valued) {
                return s.parts.add_source(listed_by(s.arena.arena, std::move(options), std::move(facts), valued));
            },
            "options"_a, "facts"_a, "valued"_a,
            "Rules by functions: options(part, left) lists terms 2 * part + negated, facts(part) is (lower, upper, "
            "size).")
        .def("zero", [](OutcomeSearch& s) { return s.parts.zero(); })
        .def(
            "add_board",
            [](OutcomeSearch& s, Parts::Sum& sum, unsigned source, unsigned rows, unsigned columns, std::uint64_t empty,
               std::uint64_t left, std::uint64_t right, bool negated, Control& control) {
                s.arena.run(&control, [&] {
                    s.listed.clear();
                    s.parts.source(source).board({rows, columns, empty, left, right}, s.listed, control);
                    for (auto term : s.listed.terms(0)) {
                        term.negated = term.negated != negated;
                        s.parts.add(sum, source, term, control);
                    }
                    const int integer = s.listed.integer(0);
                    s.parts.add_value(sum, s.arena.arena.number(negated ? -integer : integer));
                    s.parts.settle(sum);
                });
            },
            "sum"_a, "source"_a, "rows"_a, "columns"_a, "empty"_a, "left"_a, "right"_a, "negated"_a, "control"_a)
        .def(
            "add_part",
            [](OutcomeSearch& s, Parts::Sum& sum, unsigned source, std::uint32_t part, bool negated, Control& control) {
                s.arena.run(&control, [&] {
                    s.parts.add(sum, source, cgt::outcome::ListedSource::term({part, negated}), control);
                    s.parts.settle(sum);
                });
            },
            "sum"_a, "source"_a, "part"_a, "negated"_a, "control"_a)
        .def(
            "add_value",
            [](OutcomeSearch& s, Parts::Sum& sum, cgt::Arena::Id value, Control& control) {
                s.arena.run(&control, [&] {
                    s.parts.add_value(sum, s.arena.checked(value));
                    s.parts.settle(sum);
                });
            },
            "sum"_a, "value"_a, "control"_a)
        .def(
            "wins",
            [](OutcomeSearch& s, const Parts::Sum& sum, bool left, Control& control) {
                return s.arena.run(&control, [&] {
                    Parts::Sum seen = sum;
                    if (!left) s.parts.negate(seen);
                    const bool found = s.search.wins(seen, control);
                    control.publish();
                    return found;
                });
            },
            "sum"_a, "left"_a, "control"_a, "Does the side that moves first win?")
        .def(
            "known",
            [](OutcomeSearch& s, const Parts::Sum& sum, bool left) {
                return s.arena.run(nullptr, [&] {
                    Parts::Sum seen = sum;
                    if (!left) s.parts.negate(seen);
                    return s.search.known(seen);
                });
            },
            "sum"_a, "left"_a)
        .def_prop_ro("positions", [](OutcomeSearch& s) { return s.search.positions(); });
    nb::class_<Nimbers>(m, "CgtNimbers", "Nim-values of boards of a game in which both sides have the same moves.")
        .def(nb::init<SharedArena&, const std::string&, unsigned, unsigned>(), "arena"_a, "game"_a, "rows"_a,
             "columns"_a, nb::keep_alive<1, 2>())
        .def(
            "value",
            [](Nimbers& n, unsigned rows, unsigned columns, std::uint64_t empty, std::uint64_t left,
               std::uint64_t right, Control& control) {
                return n.arena.run(&control, [&] {
                    n.listed.clear();
                    n.search.source().board({rows, columns, empty, left, right}, n.listed, control);
                    std::uint32_t total = 0;
                    for (const auto& term : n.listed.terms(0)) total ^= n.search.value(term.region, control);
                    control.publish();
                    return total;
                });
            },
            "rows"_a, "columns"_a, "empty"_a, "left"_a, "right"_a, "control"_a)
        .def(
            "worth",
            [](Nimbers& n, unsigned rows, unsigned columns, std::uint64_t empty, std::uint64_t left,
               std::uint64_t right, std::uint32_t heap, bool known, Control& control) {
                return n.arena.run(&control, [&]() -> std::optional<bool> {
                    n.listed.clear();
                    n.search.source().board({rows, columns, empty, left, right}, n.listed, control);
                    if (known) return n.search.known_worth(n.listed.terms(0), heap, control);
                    const bool found = n.search.worth(n.listed.terms(0), heap, control);
                    control.publish();
                    return found;
                });
            },
            "rows"_a, "columns"_a, "empty"_a, "left"_a, "right"_a, "heap"_a, "known"_a, "control"_a,
            "Is a board worth a nim heap of this size? With known nothing is searched.")
        .def_prop_ro("parts", [](Nimbers& n) { return n.search.parts(); });
}

}  // namespace zermelo
