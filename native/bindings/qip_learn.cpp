// The border to Python for the learning search on quantified programs. Strategies and derivations cross it as arrays
// (zermelo/qip/learning.py).
#include "qip/learning/learn.hpp"

#include "arrays.hpp"
#include "qip_learn_bindings.hpp"
#include "zermelo/control.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

// Nodes as at, choose, end of what they hold, then; values; cases as lower, upper, then, breaks.
nb::object strategy_arrays(const qip::LearnResult& result) {
    if (!result.has_strategy) return nb::none();
    const auto& graph = result.strategy;
    std::vector<std::int64_t> node, cases;
    for (const auto& n : graph.node)
        node.insert(node.end(), {static_cast<std::int64_t>(n.at), n.choose, static_cast<std::int64_t>(n.first),
                                 static_cast<std::int64_t>(n.end), n.then});
    for (const auto& c : graph.cases) cases.insert(cases.end(), {c.lower, c.upper, c.then, c.breaks});
    return nb::make_tuple(to_numpy(std::move(node)), to_numpy(std::vector<std::int64_t>(graph.value)),
                          to_numpy(std::move(cases)));
}

// Literals, where the literals and the dropped ones of each clause end, antecedents, where those of each clause end.
nb::object derivation_arrays(const qip::LearnResult& result) {
    if (!result.has_derivation) return nb::none();
    auto steps = result.derivation;
    return nb::make_tuple(to_numpy(std::move(steps.literal)), to_numpy(std::move(steps.literal_end)),
                          to_numpy(std::move(steps.dropped_end)), to_numpy(std::move(steps.antecedent)),
                          to_numpy(std::move(steps.antecedent_end)));
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
        .def_rw("clauses", &qip::LearnParameters::clauses)
        .def_rw("proof_bytes", &qip::LearnParameters::proof_bytes);

    nb::class_<qip::LearnResult>(m, "QipLearnResult")
        .def_prop_ro("status", [](const qip::LearnResult& r) { return name_of(r.status); })
        .def_ro("feasible", &qip::LearnResult::feasible)
        .def_ro("lower", &qip::LearnResult::lower)
        .def_ro("upper", &qip::LearnResult::upper)
        .def_prop_ro("strategy", &strategy_arrays, "The arrays of exists' strategy, or None.")
        .def_ro("at_best", &qip::LearnResult::at_best)
        .def_prop_ro("derivation", &derivation_arrays,
                     "The arrays of the derivation that nothing better can be reached, or None.")
        .def_ro("nodes", &qip::LearnResult::nodes)
        .def_ro("conflicts", &qip::LearnResult::conflicts)
        .def_ro("successes", &qip::LearnResult::successes)
        .def_ro("clauses", &qip::LearnResult::clauses)
        .def_ro("literals", &qip::LearnResult::literals)
        .def_ro("skipped", &qip::LearnResult::skipped)
        .def_ro("searches", &qip::LearnResult::searches);

    m.def("qip_learn", &qip::learn, "program"_a, "parameters"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Solves a program by search that learns from failures and successes.");
}

}  // namespace zermelo
