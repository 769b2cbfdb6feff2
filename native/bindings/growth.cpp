// The border to Python for graphs that grow where a question is decided.
#include "growth_bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "arrays.hpp"
#include "games/factories.hpp"
#include "gdl/exact/ground_game.hpp"
#include "gdl/exact/growing.hpp"
#include "search/growth.hpp"
#include "zermelo/control.hpp"
#include "zermelo/heed.hpp"
#include "zermelo/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

using gdl::GroundGame;
using gdl::Growing;

// Targets may be new nodes: `fresh` has for each of these the number of its score, or -1 where play goes on.
void add_row(Growth& growth, std::uint32_t node, std::uint8_t turn, const std::vector<std::uint32_t>& targets,
             const std::vector<std::int64_t>& fresh) {
    if (node >= growth.nodes() || growth.turns()[node] != Growth::kOpen || turn >= growth.roles())
        throw std::invalid_argument("not an open node, or not a role");
    for (const auto target : targets)
        if (target >= growth.nodes() + fresh.size()) throw std::invalid_argument("an edge leaves the graph");
    for (const auto score : fresh) growth.add(score < 0 ? Growth::kNoScore : static_cast<std::uint32_t>(score));
    growth.expand(node, turn, targets);
}

std::unique_ptr<AnyGame> part(const Growth& growth, const std::vector<std::int32_t>& rank, std::int32_t open,
                              std::int32_t endless) {
    for (const auto score : growth.scores())
        if (score != Growth::kNoScore && score >= rank.size()) throw std::invalid_argument("a score without a rank");
    return make_graph(growth.part(rank, open, endless), 0);
}

nb::tuple rows(const Growth& growth) {
    const std::vector<std::int32_t> none(growth.scores().size());
    auto data = growth.part(none, 0, 0);
    auto scores = growth.scores();
    return nb::make_tuple(to_numpy(std::move(data.first_edge)), to_numpy(std::move(data.target)),
                          to_numpy(std::vector<std::uint8_t>(growth.turns())), to_numpy(std::move(scores)));
}

}  // namespace

void bind_growth(nb::module_& m) {
    nb::class_<Growth>(m, "Growth", "A graph of positions that grows where a question is decided.")
        .def(
            "__init__",
            [](Growth* self, std::uint8_t roles, std::optional<std::uint32_t> score) {
                if (roles < 1 || roles > 2) throw std::invalid_argument("one or two roles");
                new (self) Growth(roles);
                self->add(score.value_or(Growth::kNoScore));
            },
            "roles"_a, "score"_a.none() = nb::none(),
            "One node, the start; with the number of its score if it is an end.")
        .def(
            "next",
            [](Growth& growth, bool widely) {
                const auto node = growth.next(widely);
                return node == Growth::kNone ? std::int64_t{-1} : std::int64_t{node};
            },
            "widely"_a = false, "The node to expand next; -1 if there is none, or the question is answered.")
        .def("expand", &add_row, "node"_a, "turn"_a, "targets"_a, "fresh"_a)
        .def("ask", &Growth::ask, "question"_a, "yes"_a)
        .def("add_score", &Growth::add_score, "first"_a, "second"_a)
        .def_prop_ro("answered", &Growth::answered)
        .def_prop_ro("roles", &Growth::roles)
        .def_prop_ro("nodes", &Growth::nodes)
        .def_prop_ro("expanded", &Growth::expanded)
        .def_prop_ro("open", &Growth::open, "How many nodes have no row yet.")
        .def("part", &part, "rank"_a, "open"_a, "endless"_a, nb::call_guard<nb::gil_scoped_release>(),
             "The graph as a game, with all open nodes for ends of one rank.")
        .def("rows", &rows, "The arrays first_edge, target, turn (253: open, 254: over) and the numbers of scores.");

    nb::class_<Growing>(m, "Growing", "The positions of a ground game, found where a question is decided.")
        .def(
            "__init__",
            [](Growing* self, const GroundGame& game, const nb::bytes& state, Control& control) {
                std::vector<std::uint64_t> words(game.circuit()->words());
                if (state.size() != words.size() * 8) throw std::invalid_argument("a state of the wrong size");
                if (!words.empty()) std::memcpy(words.data(), state.data(), state.size());
                nb::gil_scoped_release release;  // the lane of a large game takes seconds
                const Heeding heeding(control);
                new (self) Growing(game.lane(), words);
            },
            "game"_a, "state"_a, "control"_a)
        .def_prop_ro("growth", &Growing::growth, nb::rv_policy::reference_internal)
        .def_prop_ro("scores", &Growing::scores, "What the first role can score at all, in rising order.")
        .def_prop_ro("total", &Growing::total, "What the scores of two roles add up to.")
        .def(
            "state",
            [](Growing& growing, std::uint32_t node) {
                if (node >= growing.growth().nodes()) throw std::out_of_range("no node of that number");
                const auto words = growing.state(node);
                return nb::bytes(words.data(), words.size() * 8);
            },
            "node"_a)
        .def("grow", &Growing::grow, "positions"_a, "widely"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Up to so many positions, or until the question is answered; throws Stopped at a limit.");
}

}  // namespace zermelo
