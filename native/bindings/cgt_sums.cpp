// The border to Python for sums of scored trees. They cross it as arrays (zermelo/cgt/sums.py); numbers as bytes, since
// they may be of any size.
#include <stdexcept>

#include "arrays.hpp"
#include "cgt/sums/solve.hpp"
#include "cgt_bindings.hpp"
#include "zermelo/control.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

namespace sums = cgt::sums;

sums::Problem sum_problem(const Array<std::uint8_t>& numbers, std::size_t width, const Array<std::uint32_t>& first_left,
                          const Array<std::uint32_t>& left, const Array<std::uint32_t>& first_right,
                          const Array<std::uint32_t>& right, const Array<std::uint32_t>& components,
                          const Array<std::uint32_t>& copies) {
    if (width == 0 || numbers.size() % width != 0) throw std::invalid_argument("so many bytes for each number");
    sums::Problem problem{{},
                          to_vector(first_left),
                          to_vector(left),
                          to_vector(first_right),
                          to_vector(right),
                          to_vector(components),
                          to_vector(copies)};
    for (std::size_t at = 0; at < numbers.size(); at += width)
        problem.number.push_back(cgt::Integer::from_bytes({numbers.data() + at, width}));
    sums::check(problem);
    return problem;
}

nb::bytes sum_number(const cgt::Integer& number) {
    const auto bytes = number.to_bytes();
    return nb::bytes(bytes.data(), bytes.size());
}

nb::object sum_strategy(std::optional<sums::Strategy>& strategy) {
    if (!strategy) return nb::none();
    nb::list taxes;
    for (const auto& tax : strategy->tax) taxes.append(sum_number(tax));
    return nb::make_tuple(to_numpy(std::move(strategy->first)), to_numpy(std::move(strategy->components)),
                          to_numpy(std::move(strategy->copies)), to_numpy(std::move(strategy->left_moves)),
                          to_numpy(std::move(strategy->bounded)), to_numpy(std::move(strategy->from)),
                          to_numpy(std::move(strategy->to)), taxes, to_numpy(std::move(strategy->reply_from)),
                          to_numpy(std::move(strategy->reply_to)), to_numpy(std::move(strategy->over)),
                          to_numpy(std::move(strategy->under)));
}

}  // namespace

void bind_cgt_sums(nb::module_& m) {
    nb::class_<sums::Problem>(m, "SumProblem", "A sum of scored trees, checked.")
        .def(
            "__init__",
            [](sums::Problem* self, const Array<std::uint8_t>& numbers, std::size_t width,
               const Array<std::uint32_t>& first_left, const Array<std::uint32_t>& left,
               const Array<std::uint32_t>& first_right, const Array<std::uint32_t>& right,
               const Array<std::uint32_t>& components, const Array<std::uint32_t>& copies) {
                new (self) sums::Problem(
                    sum_problem(numbers, width, first_left, left, first_right, right, components, copies));
            },
            "numbers"_a.noconvert(), "width"_a, "first_left"_a.noconvert(), "left"_a.noconvert(),
            "first_right"_a.noconvert(), "right"_a.noconvert(), "components"_a.noconvert(), "copies"_a.noconvert());

    nb::enum_<sums::Method>(m, "SumMethod")
        .value("alphabeta", sums::Method::alphabeta)
        .value("berliner", sums::Method::berliner)
        .value("palay", sums::Method::palay);
    nb::enum_<sums::Cut>(m, "SumCut")
        .value("none", sums::Cut::none)
        .value("mean", sums::Cut::mean)
        .value("tax", sums::Cut::tax);
    nb::enum_<sums::Strike>(m, "SumStrike")
        .value("none", sums::Strike::none)
        .value("switches", sums::Strike::switches)
        .value("all", sums::Strike::all);

    nb::class_<sums::Parameters>(m, "SumParameters", "What the search on sums uses.")
        .def(nb::init<>())
        .def_rw("method", &sums::Parameters::method)
        .def_rw("cut", &sums::Parameters::cut)
        .def_rw("strike", &sums::Parameters::strike)
        .def_rw("left_starts", &sums::Parameters::left_starts)
        .def_rw("right_starts", &sums::Parameters::right_starts)
        .def_rw("best", &sums::Parameters::best)
        .def_rw("strategies", &sums::Parameters::strategies)
        .def_rw("table_bytes", &sums::Parameters::table_bytes);

    nb::class_<sums::Answer>(m, "SumAnswer", "What is known of a sum with one side to start.")
        .def_ro("bounded", &sums::Answer::bounded)
        .def_ro("best_known", &sums::Answer::best_known)
        .def_ro("sente", &sums::Answer::sente)
        .def_ro("from_position", &sums::Answer::from)
        .def_ro("to_position", &sums::Answer::to)
        .def_prop_ro(
            "lower", [](const sums::Answer& a) { return sum_number(a.lower); }, "Little-endian, signed.")
        .def_prop_ro(
            "upper", [](const sums::Answer& a) { return sum_number(a.upper); }, "Little-endian, signed.")
        .def_prop_ro(
            "left", [](sums::Answer& a) { return sum_strategy(a.left); },
            "The arrays of Left's strategy; they can be taken once.")
        .def_prop_ro(
            "right", [](sums::Answer& a) { return sum_strategy(a.right); },
            "The arrays of Right's strategy; they can be taken once.");

    nb::class_<sums::Result>(m, "SumResult")
        .def_prop_ro(
            "left_first", [](sums::Result& r) -> sums::Answer& { return r.starter[0]; },
            nb::rv_policy::reference_internal)
        .def_prop_ro(
            "right_first", [](sums::Result& r) -> sums::Answer& { return r.starter[1]; },
            nb::rv_policy::reference_internal)
        .def_ro("nodes", &sums::Result::nodes)
        .def_ro("hits", &sums::Result::hits)
        .def_ro("cuts", &sums::Result::cuts)
        .def_ro("entries", &sums::Result::entries)
        .def_ro("compared", &sums::Result::compared)
        .def_ro("scale", &sums::Result::scale)
        .def_ro("bits", &sums::Result::bits)
        .def_ro("positions", &sums::Result::positions)
        .def_ro("taxes", &sums::Result::taxes);

    m.def("sum_solve", &sums::solve, "problem"_a, "parameters"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Solves a sum of scored trees, or gives the bounds proved before a limit.");
}

}  // namespace zermelo
