// The border to Python: thin, no rules, no search. Every long call releases the interpreter lock.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bandit_bindings.hpp"
#include "cgt_bindings.hpp"
#include "games/factories.hpp"
#include "gdl_bindings.hpp"
#include "growth_bindings.hpp"
#include "qbf_bindings.hpp"
#include "qip_bindings.hpp"
#include "qip_learn_bindings.hpp"
#include "scsp_bindings.hpp"
#include "values_bindings.hpp"
#include "search/aside.hpp"
#include "zermelo/control.hpp"
#include "zermelo/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo;

namespace {

const char* name_of(Cause cause) {
    switch (cause) {
        case Cause::none: return "none";
        case Cause::asked: return "interrupt";
        case Cause::seconds: return "time";
        case Cause::nodes: return "nodes";
        case Cause::memory: return "memory";
    }
    return "none";
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "Native kernels of Zermelo. Use the Python interface; this module is private.";

    nb::exception<Stopped>(m, "Stopped");

    nb::class_<Control>(m, "Control", "Limits and progress of one native run.")
        .def(nb::init<double, std::uint64_t, std::uint64_t>(), "seconds"_a = 0.0, "nodes"_a = 0, "memory"_a = 0)
        .def("stop", &Control::stop)
        .def("pause", &Control::pause,
             "The kernel waits, with all that it has found, where it next looks at its limits.")
        .def("resume", &Control::resume)
        .def("meter", &Control::meter, "Has the processor time of the kernel's thread published; before it starts.")
        .def("count_processor", &Control::count_processor,
             "From now on seconds are those of processor time of this thread, which has to be the one that works.")
        .def_prop_ro("processor_seconds", &Control::processor_seconds)
        .def_prop_ro("nodes", &Control::nodes)
        .def_prop_ro("memory", &Control::bytes)
        .def_prop_ro("lower", &Control::lower)
        .def_prop_ro("upper", &Control::upper)
        .def_prop_ro("depth", &Control::depth)
        .def_prop_ro("question", &Control::question, "What the proof numbers are about: at least so much.")
        .def_prop_ro(
            "proof_numbers",
            [](const Control& c) {
                const auto numbers = c.proof_numbers();
                return std::pair(numbers[0], numbers[1]);
            },
            "Proof and disproof number at the root; both 0 where no search by proof numbers has reported.")
        .def_prop_ro("elapsed", &Control::elapsed)
        .def_prop_ro("cause", [](const Control& c) { return std::string(name_of(c.cause())); });

    nb::class_<SearchParams>(m, "SearchParams")
        .def(nb::init<>())
        .def_rw("table_bytes", &SearchParams::table_bytes)
        .def_rw("depth_limit", &SearchParams::depth_limit)
        .def_rw("epsilon", &SearchParams::epsilon)
        .def_rw("exploration", &SearchParams::exploration)
        .def_rw("simulations", &SearchParams::simulations)
        .def_rw("seed", &SearchParams::seed)
        .def_rw("symmetry", &SearchParams::symmetry)
        .def_rw("prove", &SearchParams::prove);

    nb::class_<Outcome>(m, "Outcome")
        .def_ro("solved", &Outcome::solved)
        .def_ro("lower", &Outcome::lower)
        .def_ro("upper", &Outcome::upper)
        .def_ro("move", &Outcome::move)
        .def_ro("distance", &Outcome::distance)
        .def_ro("estimate", &Outcome::estimate);

    nb::class_<StrategyGraph>(m, "StrategyGraph")
        .def_ro("ranked", &StrategyGraph::ranked)
        // Lists, since Python goes through them one by one: arrays would load numpy for the smallest game.
        .def(
            "take",
            [](StrategyGraph& g) {
                auto taken = nb::make_tuple(g.first_edge, g.edge_move, g.edge_target, g.rank);
                g.first_edge = {}, g.edge_move = {}, g.edge_target = {}, g.rank = {};
                return taken;
            },
            "The lists first_edge, edge_move, edge_target, rank; the graph is empty afterwards.");

    nb::class_<LayeredStrategy>(m, "LayeredStrategy")
        .def_ro("positions", &LayeredStrategy::positions)
        .def_ro("line", &LayeredStrategy::line)
        .def_ro("beyond", &LayeredStrategy::beyond)
        .def_ro("images", &LayeredStrategy::images)
        .def_ro("closed", &LayeredStrategy::closed)
        .def(
            "take",
            [](LayeredStrategy& s) -> nb::typed<nb::list, nb::bytes> {
                nb::typed<nb::list, nb::bytes> layers;
                for (auto& moves : s.moves) {
                    // Two bytes each, the lower first, on every machine.
                    std::string bytes;
                    bytes.reserve(2 * moves.size());
                    for (const auto move : moves)
                        bytes.push_back(static_cast<char>(move & 0xff)), bytes.push_back(static_cast<char>(move >> 8));
                    layers.append(nb::bytes(bytes.data(), bytes.size()));
                    moves = {};
                }
                return layers;
            },
            "The owner's moves in each layer, two bytes a move; they are gone from here afterwards.");

    nb::class_<Search>(m, "Search")
        .def(
            "solve",
            [](Search& s, Control& c) {
                auto o = s.solve(c);
                c.publish();
                return o;
            },
            "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "solve_move",
            [](Search& s, std::uint32_t i, Control& c) {
                auto o = s.solve_move(i, c);
                c.publish();
                return o;
            },
            "index"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("strategy", &Search::strategy, "owner"_a, "bound"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("layers", &Search::layers, "owner"_a, "bound"_a, "control"_a, "brief"_a = false,
             nb::call_guard<nb::gil_scoped_release>())
        .def("trunk", &Search::trunk, "owner"_a, "bound"_a, "control"_a, "until"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def("part", &Search::part, "first"_a, "count"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("line", &Search::line, "bound"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("counts", &Search::counts)
        .def_prop_ro("full", &Search::full)
        .def_prop_ro("table_bytes", &Search::table_bytes);

    nb::class_<AnyGame>(m, "Game")
        .def("after", &AnyGame::after, "index"_a)
        .def_prop_ro("turn", &AnyGame::turn)
        .def_prop_ro("over", [](const AnyGame& g) { return g.ending().over; })
        .def_prop_ro("score", [](const AnyGame& g) { return g.ending().score; })
        .def_prop_ro("move_count", &AnyGame::move_count)
        .def_prop_ro("worst", &AnyGame::worst)
        .def_prop_ro("best", &AnyGame::best)
        .def_prop_ro("acyclic", &AnyGame::acyclic)
        .def_prop_ro("engines", &AnyGame::engines)
        .def(
            "search",
            [](const AnyGame& g, const std::string& engine, const SearchParams& p) { return g.search(engine, p); },
            "engine"_a, "params"_a, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "solve_aside",
            [](const AnyGame& g, const std::string& engine, const SearchParams& p, Control& c, int nicer) {
                return solve_aside(g, engine, p, c, nicer);
            },
            "engine"_a, "params"_a, "control"_a, "nicer"_a, nb::call_guard<nb::gil_scoped_release>(),
            "The outcome of a search in a native thread that gives way to others.")
        .def("playouts", &AnyGame::playouts, "count"_a, "seed"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("perft", &AnyGame::perft, "depth"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>());

    m.def(
        "game",
        [](const std::string& name, const std::vector<std::int64_t>& arguments) { return make_game(name, arguments); },
        "name"_a, "arguments"_a, "The native rules of a library game, or None.");

    m.def(
        "graph",
        [](const Array<std::uint64_t>& first_edge, const Array<std::uint32_t>& target, const Array<std::uint8_t>& turn,
           const Array<std::int32_t>& score, std::int32_t worst, std::int32_t best, std::int32_t endless,
           std::uint32_t start, std::uint8_t roles, const Array<double>& utility, const Array<double>& probability) {
            return make_graph({to_vector(first_edge), to_vector(target), to_vector(turn), to_vector(score), worst, best,
                               endless, roles, to_vector(utility), to_vector(probability)},
                              start);
        },
        "first_edge"_a.noconvert(), "target"_a.noconvert(), "turn"_a.noconvert(), "score"_a.noconvert(), "worst"_a,
        "best"_a, "endless"_a, "start"_a, "roles"_a, "utility"_a.noconvert(), "probability"_a.noconvert(),
        "An explicit game graph in compressed rows.");

    m.def(
        "geography",
        [](const Array<std::uint64_t>& first_edge, const Array<std::uint32_t>& target,
           const Array<std::uint32_t>& component, std::uint32_t start, std::optional<std::uint32_t> bound) {
            return make_geography({to_vector(first_edge), to_vector(target), to_vector(component), start, bound});
        },
        "first_edge"_a.noconvert(), "target"_a.noconvert(), "component"_a.noconvert(), "start"_a, "bound"_a.none(),
        "Generalized geography on a graph in compressed rows, or None if a component is too large.");

    bind_gdl(m);
    bind_growth(m);
    bind_bandit(m);
    bind_values(m);
    bind_qbf(m);
    bind_qip(m);
    bind_qip_learn(m);
    bind_cgt(m);
    bind_cgt_boards(m);
    bind_cgt_sums(m);
    bind_cgt_outcome(m);
    bind_cgt_go(m);
    bind_scsp(m);
}
