// The border to Python for quantified formulas. Formulas and functions cross it as arrays (zermelo/qbf/packed.py).
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "arrays.hpp"
#include "qbf/sat/herbrand.hpp"
#include "qbf/search/search.hpp"
#include "qbf_bindings.hpp"
#include "zermelo/control.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

using namespace qbf;

Formula formula_of(const Array<std::uint8_t>& exists, const Array<std::uint32_t>& first_variable,
                   const Array<std::uint8_t>& kind, const Array<std::uint64_t>& first_input,
                   const Array<std::uint32_t>& input, Literal output) {
    Formula formula;
    for (std::size_t b = 0; b < exists.size(); ++b) formula.exists.push_back(exists.data()[b] != 0);
    formula.first_variable = to_vector(first_variable);
    for (std::size_t g = 0; g < kind.size(); ++g) formula.gates.kind.push_back(static_cast<Kind>(kind.data()[g]));
    formula.gates.first_input = to_vector(first_input);
    formula.gates.input = to_vector(input);
    formula.output = output;
    check(formula);
    return formula;
}

nb::tuple arrays_of(Functions& functions) {
    std::vector<std::uint8_t> kind;
    for (const auto k : functions.gates.kind) kind.push_back(static_cast<std::uint8_t>(k));
    return nb::make_tuple(to_numpy(std::move(kind)), to_numpy(std::move(functions.gates.first_input)),
                          to_numpy(std::move(functions.gates.input)), to_numpy(std::move(functions.output)));
}

nb::object functions_of(SearchResult& result) {
    return result.functions ? nb::object(arrays_of(*result.functions)) : nb::none();
}

// Functions that leave some variables of forall's last block open, with the functions of these; or nothing, if a limit
// came first.
nb::object completed(const Formula& formula, const Array<std::uint32_t>& open, const Array<std::uint8_t>& kind,
                     const Array<std::uint64_t>& first_input, const Array<std::uint32_t>& input,
                     const Array<std::uint32_t>& output, Control& control) {
    Functions functions;
    for (std::size_t g = 0; g < kind.size(); ++g) functions.gates.kind.push_back(static_cast<Kind>(kind.data()[g]));
    functions.gates.first_input = to_vector(first_input);
    functions.gates.input = to_vector(input);
    functions.output = to_vector(output);
    check_functions(formula, functions);
    const auto expanded = to_vector(open);
    if (!expandable(formula, expanded))
        throw std::invalid_argument("open variables that are not of one block of forall");
    try {
        answer_copies(formula, expanded, functions, SearchParameters{}.elimination_gates, control);
    } catch (const Stopped&) {
        return nb::none();
    }
    return arrays_of(functions);
}

}  // namespace

void bind_qbf(nb::module_& m) {
    nb::class_<SearchParameters>(m, "QbfParameters", "What the search on quantified circuits uses.")
        .def(nb::init<>())
        .def_rw("table", &SearchParameters::table)
        .def_rw("components", &SearchParameters::components)
        .def_rw("sat", &SearchParameters::sat)
        .def_rw("restructure", &SearchParameters::restructure)
        .def_rw("functions", &SearchParameters::functions)
        .def_rw("complete", &SearchParameters::complete)
        .def_rw("expansion_gates", &SearchParameters::expansion_gates)
        .def_rw("case_inputs", &SearchParameters::case_inputs)
        .def_rw("table_bytes", &SearchParameters::table_bytes)
        .def_rw("proof_bytes", &SearchParameters::proof_bytes)
        .def_rw("sat_after", &SearchParameters::sat_after)
        .def_rw("ordering", &SearchParameters::ordering);

    nb::class_<SearchResult>(m, "QbfResult")
        .def_ro("value", &SearchResult::value)
        .def_prop_ro(
            "functions", [](SearchResult& r) { return functions_of(r); },
            "The arrays of the winner's functions; they can be taken once.")
        .def_ro("open", &SearchResult::open, "Variables of the winner without a function.")
        .def_ro("nodes", &SearchResult::nodes)
        .def_ro("hits", &SearchResult::hits)
        .def_ro("splits", &SearchResult::splits)
        .def_ro("sat_calls", &SearchResult::sat_calls)
        .def_ro("network", &SearchResult::network)
        .def_ro("expanded", &SearchResult::expanded);

    nb::class_<Formula>(m, "QbfFormula", "A prenex formula, checked.")
        .def(
            "__init__",
            [](Formula* self, const Array<std::uint8_t>& exists, const Array<std::uint32_t>& first_variable,
               const Array<std::uint8_t>& kind, const Array<std::uint64_t>& first_input,
               const Array<std::uint32_t>& input, Literal output) {
                new (self) Formula(formula_of(exists, first_variable, kind, first_input, input, output));
            },
            "exists"_a.noconvert(), "first_variable"_a.noconvert(), "kind"_a.noconvert(), "first_input"_a.noconvert(),
            "input"_a.noconvert(), "output"_a);

    m.def("qbf_search", &search, "formula"_a, "parameters"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Decides a formula by search on its circuit.");
    m.def("qbf_complete", &completed, "formula"_a, "open"_a.noconvert(), "kind"_a.noconvert(),
          "first_input"_a.noconvert(), "input"_a.noconvert(), "output"_a.noconvert(), "control"_a,
          "The functions with those of open variables.");
}

}  // namespace zermelo
