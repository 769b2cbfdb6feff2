// The border to Python for quantified programs. Programs and proofs cross it as arrays (zermelo/qip/packed.py).
#include <stdexcept>

#include "arrays.hpp"
#include "qip/program/program.hpp"
#include "qip/search/search.hpp"
#include "qip_bindings.hpp"
#include "zermelo/control.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

qip::Program program_of(const Array<std::uint8_t>& exists, const Array<std::uint8_t>& integer,
                        const Array<std::int64_t>& lower, const Array<std::int64_t>& upper,
                        const Array<std::uint64_t>& first, const Array<std::uint32_t>& variable,
                        const Array<std::int64_t>& coefficient, const Array<std::int64_t>& right,
                        std::uint32_t uncertainty) {
    if (variable.size() != coefficient.size()) throw std::invalid_argument("a coefficient for each term");
    qip::Program program{to_vector(exists), to_vector(integer), to_vector(lower),
                         to_vector(upper),  to_vector(first),   {},
                         to_vector(right),  uncertainty};
    for (std::size_t t = 0; t < variable.size(); ++t)
        program.term.push_back({variable.data()[t], coefficient.data()[t]});
    qip::check(program);
    return program;
}

nb::object proof_of(std::optional<qip::ProofArrays>& proof) {
    if (!proof) return nb::none();
    return nb::make_tuple(to_numpy(std::move(proof->kind)), to_numpy(std::move(proof->at)),
                          to_numpy(std::move(proof->first)), to_numpy(std::move(proof->data)));
}

}  // namespace

void bind_qip(nb::module_& m) {
    nb::class_<qip::Program>(m, "QipProgram", "A quantified integer program in normal form, checked.")
        .def(
            "__init__",
            [](qip::Program* self, const Array<std::uint8_t>& exists, const Array<std::uint8_t>& integer,
               const Array<std::int64_t>& lower, const Array<std::int64_t>& upper, const Array<std::uint64_t>& first,
               const Array<std::uint32_t>& variable, const Array<std::int64_t>& coefficient,
               const Array<std::int64_t>& right, std::uint32_t uncertainty) {
                new (self) qip::Program(
                    program_of(exists, integer, lower, upper, first, variable, coefficient, right, uncertainty));
            },
            "exists"_a.noconvert(), "integer"_a.noconvert(), "lower"_a.noconvert(), "upper"_a.noconvert(),
            "first"_a.noconvert(), "variable"_a.noconvert(), "coefficient"_a.noconvert(), "right"_a.noconvert(),
            "uncertainty"_a);

    nb::class_<qip::TableParameters>(m, "QipTableParameters", "What the table search on quantified programs uses.")
        .def(nb::init<>())
        .def_rw("table", &qip::TableParameters::table)
        .def_rw("dominance", &qip::TableParameters::dominance)
        .def_rw("bisect", &qip::TableParameters::bisect)
        .def_rw("proofs", &qip::TableParameters::proofs)
        .def_rw("table_bytes", &qip::TableParameters::table_bytes)
        .def_rw("proof_bytes", &qip::TableParameters::proof_bytes);

    nb::enum_<qip::TableStatus>(m, "QipTableStatus")
        .value("unknown", qip::TableStatus::unknown)
        .value("optimal", qip::TableStatus::optimal)
        .value("infeasible", qip::TableStatus::infeasible)
        .value("lawless", qip::TableStatus::lawless);

    nb::class_<qip::TableResult>(m, "QipTableResult")
        .def_ro("status", &qip::TableResult::status)
        .def_ro("lower", &qip::TableResult::lower)
        .def_ro("upper", &qip::TableResult::upper)
        .def_ro("feasible", &qip::TableResult::feasible)
        .def_prop_ro(
            "exists", [](qip::TableResult& r) { return proof_of(r.exists); },
            "The arrays of the proof; they can be taken once.")
        .def_prop_ro(
            "forall", [](qip::TableResult& r) { return proof_of(r.forall); },
            "The arrays of the proof; they can be taken once.")
        .def_ro("nodes", &qip::TableResult::nodes)
        .def_ro("hits", &qip::TableResult::hits)
        .def_ro("entries", &qip::TableResult::entries)
        .def_ro("questions", &qip::TableResult::questions)
        .def_ro("table_full", &qip::TableResult::table_full)
        .def_ro("proof_full", &qip::TableResult::proof_full);

    m.def("qip_table_search", &qip::search_by_table, "program"_a, "parameters"_a, "control"_a,
          nb::call_guard<nb::gil_scoped_release>(), "Solves a program by search with a table of residual problems.");
}

}  // namespace zermelo
