// The border to Python for networks of tables, which cross it as arrays (zermelo/scsp/mac.py).
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "arrays.hpp"
#include "scsp/solver.hpp"
#include "scsp_bindings.hpp"
#include "zermelo/control.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

std::vector<scsp::Assumption> assumptions_of(const Array<std::uint32_t>& variable, const Array<std::uint32_t>& value) {
    if (variable.size() != value.size()) throw std::invalid_argument("a value for each variable");
    std::vector<scsp::Assumption> assumptions;
    for (std::size_t i = 0; i < variable.size(); ++i) assumptions.push_back({variable.data()[i], value.data()[i]});
    return assumptions;
}

// The next solutions, at most so many; room is made as they come. A limit throws only where nothing was found before.
std::vector<std::int32_t> filled(scsp::Solver& solver, std::size_t most, Control& control) {
    const nb::gil_scoped_release release;
    std::vector<std::int32_t> out;
    const auto width = std::max<std::size_t>(1, solver.width());
    std::size_t found = 0;
    try {
        while (found < most && !solver.exhausted()) {
            const auto chunk = std::min(most - found, std::max<std::size_t>(found, 1024));
            control.charge(static_cast<std::int64_t>(chunk * width * sizeof(std::int32_t)));
            out.resize((found + chunk) * width);
            const auto more = solver.fill(std::span(out).subspan(found * width), control);
            found += more;
            if (more < chunk) break;
        }
    } catch (const Stopped&) {
        if (!found) throw;
    }
    out.resize(found * width);
    control.publish();
    return out;
}

}  // namespace

void bind_scsp(nb::module_& m) {
    nb::class_<scsp::Instance>(m, "ScspInstance", "The hard constraints of a network, compiled.")
        .def(
            "__init__",
            [](scsp::Instance* self, const Array<std::uint32_t>& domain, const Array<std::uint64_t>& scope_first,
               const Array<std::uint32_t>& scope, const Array<std::uint64_t>& rows, const Array<std::int32_t>& entry,
               Control& control) {
                const scsp::Tables tables{to_vector(domain), to_vector(scope_first), to_vector(scope), to_vector(rows),
                                          to_vector(entry)};
                new (self) scsp::Instance(tables, control);
            },
            "domain"_a.noconvert(), "scope_first"_a.noconvert(), "scope"_a.noconvert(), "rows"_a.noconvert(),
            "entry"_a.noconvert(), "control"_a)
        .def_prop_ro("bytes", &scsp::Instance::bytes);

    nb::class_<scsp::Solver>(m, "ScspSolver",
                             "Searches one network under assumptions; native/scsp/solver.hpp says how.")
        .def(
            "__init__",
            [](scsp::Solver* self, std::shared_ptr<scsp::Instance> instance, bool forward_checking) {
                const nb::gil_scoped_release release;
                new (self) scsp::Solver(std::move(instance), forward_checking ? scsp::Method::fc : scsp::Method::mac);
            },
            "instance"_a, "forward_checking"_a = false)
        .def_prop_ro("consistent", &scsp::Solver::consistent)
        .def_prop_ro("nodes", &scsp::Solver::nodes)
        .def_prop_ro("exhausted", &scsp::Solver::exhausted)
        .def(
            "assume",
            [](scsp::Solver& s, const Array<std::uint32_t>& variable, const Array<std::uint32_t>& value) {
                return s.assume(assumptions_of(variable, value));
            },
            "variable"_a.noconvert(), "value"_a.noconvert())
        .def(
            "assume_one",
            [](scsp::Solver& s, std::uint32_t variable, std::uint32_t value) {
                const scsp::Assumption assumption{variable, value};
                return s.assume({&assumption, 1});
            },
            "variable"_a, "value"_a)
        .def("retract", &scsp::Solver::retract)
        .def("reset", &scsp::Solver::reset)
        .def(
            "start",
            [](scsp::Solver& s, const std::optional<std::vector<std::uint32_t>>& projection) {
                if (projection) s.start(*projection);
                else s.start();
            },
            "projection"_a.none())
        .def(
            "fill",
            [](scsp::Solver& s, std::size_t most, Control& control) { return to_numpy(filled(s, most, control)); },
            "most"_a, "control"_a, "The values of the next solutions, one solution after the other.")
        .def(
            "next",
            [](scsp::Solver& s, Control& control) {
                const nb::gil_scoped_release release;
                return s.next(control);
            },
            "control"_a)
        .def(
            "value",
            [](const scsp::Solver& s, std::uint32_t variable) {
                if (variable >= s.instance().variables()) throw std::out_of_range("variable");
                return s.value(variable);
            },
            "variable"_a)
        .def(
            "count",
            [](scsp::Solver& s, Control& control) {
                const nb::gil_scoped_release release;
                const auto found = s.count(control);
                control.publish();
                return found;
            },
            "control"_a)
        .def(
            "values",
            [](const scsp::Solver& s, std::uint32_t variable) {
                if (variable >= s.instance().variables()) throw std::out_of_range("variable");
                const auto values = s.values(variable);
                std::vector<std::uint32_t> sorted(values.begin(), values.end());
                std::ranges::sort(sorted);
                return sorted;
            },
            "variable"_a, "The values that the variable still has.")
        .def(
            "make_singleton_consistent",
            [](scsp::Solver& s, Control& control) {
                const nb::gil_scoped_release release;
                const bool consistent = s.make_singleton_consistent(control);
                control.publish();
                return consistent;
            },
            "control"_a);
}

}  // namespace zermelo
