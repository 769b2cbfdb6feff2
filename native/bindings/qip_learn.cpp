// The border to Python for the learning search on quantified programs. Programs, strategies and derivations cross it as
// arrays (zermelo/qip/packed.py, zermelo/qip/learning.py).
#include "qip/learn.hpp"

#include <stdexcept>

#include "arrays.hpp"
#include "qip_learn_bindings.hpp"
#include "zermelo/control.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

struct QipLearner {
    qip::Program program;
};

QipLearner learner_of(const Array<std::uint8_t>& exists, const Array<std::uint8_t>& integer, const Array<std::int64_t>& lower,
                      const Array<std::int64_t>& upper, const Array<std::uint64_t>& first, const Array<std::uint32_t>& variable,
                      const Array<std::int64_t>& coefficient, const Array<std::int64_t>& right, std::uint32_t uncertainty) {
    if (variable.size() != coefficient.size()) throw std::invalid_argument("a coefficient for each term");
    QipLearner learner{{to_vector(exists), to_vector(integer), to_vector(lower), to_vector(upper), to_vector(first), {}, to_vector(right), uncertainty}};
    for (std::size_t t = 0; t < variable.size(); ++t) learner.program.term.push_back({variable.data()[t], coefficient.data()[t]});
    qip::check(learner.program);
    return learner;
}

// Nodes as at, choose, end of what they hold, then; values; cases as lower, upper, then, breaks.
nb::object strategy_arrays(const qip::LearnResult& result) {
    if (!result.has_strategy) return nb::none();
    const auto& graph = result.strategy;
    std::vector<std::int64_t> node, cases;
    for (const auto& n : graph.node)
        node.insert(node.end(), {static_cast<std::int64_t>(n.at), n.choose, static_cast<std::int64_t>(n.first), static_cast<std::int64_t>(n.end), n.then});
    for (const auto& c : graph.cases) cases.insert(cases.end(), {c.lower, c.upper, c.then, c.breaks});
    return nb::make_tuple(to_numpy(std::move(node)), to_numpy(std::vector<std::int64_t>(graph.value)), to_numpy(std::move(cases)));
}

const char* name_of(qip::LearnStatus status) {
    switch (status) {
        case qip::LearnStatus::optimal: return "optimal";
        case qip::LearnStatus::infeasible: return "infeasible";
        case qip::LearnStatus::lawless: return "lawless";
        default: return "unknown";
    }
}

}  // namespace

void bind_qip_learn(nb::module_& m) {
    nb::class_<qip::LearnParameters>(m, "QipLearnParameters", "What the learning search on quantified programs uses.")
        .def(nb::init<>())
        .def_rw("exists_proof", &qip::LearnParameters::exists_proof)
        .def_rw("forall_proof", &qip::LearnParameters::forall_proof)
        .def_rw("proof_bytes", &qip::LearnParameters::proof_bytes);

    nb::class_<qip::LearnResult>(m, "QipLearnResult")
        .def_prop_ro("status", [](const qip::LearnResult& r) { return name_of(r.status); })
        .def_ro("feasible", &qip::LearnResult::feasible)
        .def_ro("lower", &qip::LearnResult::lower)
        .def_ro("upper", &qip::LearnResult::upper)
        .def_prop_ro("strategy", &strategy_arrays, "The arrays of exists' strategy, or None.")
        .def_ro("nodes", &qip::LearnResult::nodes)
        .def_ro("conflicts", &qip::LearnResult::conflicts)
        .def_ro("successes", &qip::LearnResult::successes)
        .def_ro("clauses", &qip::LearnResult::clauses)
        .def_ro("literals", &qip::LearnResult::literals)
        .def_ro("skipped", &qip::LearnResult::skipped)
        .def_ro("searches", &qip::LearnResult::searches);

    nb::class_<QipLearner>(m, "QipLearner", "The learning search on a quantified integer program in normal form, checked.")
        .def("__init__", [](QipLearner* self, const Array<std::uint8_t>& exists, const Array<std::uint8_t>& integer, const Array<std::int64_t>& lower,
                            const Array<std::int64_t>& upper, const Array<std::uint64_t>& first, const Array<std::uint32_t>& variable,
                            const Array<std::int64_t>& coefficient, const Array<std::int64_t>& right, std::uint32_t uncertainty) {
                 new (self) QipLearner(learner_of(exists, integer, lower, upper, first, variable, coefficient, right, uncertainty));
             },
             "exists"_a.noconvert(), "integer"_a.noconvert(), "lower"_a.noconvert(), "upper"_a.noconvert(), "first"_a.noconvert(),
             "variable"_a.noconvert(), "coefficient"_a.noconvert(), "right"_a.noconvert(), "uncertainty"_a)
        .def("run", [](const QipLearner& self, const qip::LearnParameters& parameters, Control& control) { return qip::learn(self.program, parameters, control); },
             "parameters"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace zermelo
