// The border to Python for Go: pockets that a side holds, and who owns what after many lines at random.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cgt/go/lines.hpp"
#include "cgt/go/playouts.hpp"
#include "cgt/go/pocket.hpp"
#include "cgt_bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

void bind_cgt_go(nb::module_& m) {
    using Row = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>;
    m.def(
        "go_hold",
        [](const std::vector<std::uint64_t>& near, std::uint32_t points, const std::vector<std::uint8_t>& needs,
           std::uint64_t invaders, std::uint64_t nodes, Control& control) -> std::optional<std::vector<Row>> {
            const go::Pocket pocket(near, points, needs);
            const auto answers = go::hold(pocket, invaders, control, nodes);
            if (!answers) return std::nullopt;
            std::vector<Row> rows;
            for (const auto& a : *answers) rows.emplace_back(a.stones.own, a.stones.other, a.stones.banned, a.point);
            return rows;
        },
        "near"_a, "points"_a, "needs"_a, "invaders"_a, "nodes"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>(),
        "The answers by which a pocket is held, as rows of own stones, others, the ko and the answer; or None.");
    m.def(
        "go_settled",
        [](const std::vector<std::uint64_t>& near, std::uint32_t points, const std::vector<std::uint8_t>& needs,
           std::uint64_t own,
           std::uint64_t others) { return go::settled(go::Pocket(near, points, needs), {own, others}); },
        "near"_a, "points"_a, "needs"_a, "own"_a, "others"_a, "Is a pocket held without any answer?");
    using Step = std::tuple<std::uint32_t, bool, std::vector<std::uint32_t>, std::int32_t, std::vector<std::uint32_t>>;
    using Lines = std::tuple<std::vector<std::string>, std::vector<std::vector<Step>>>;
    m.def(
        "go_explore",
        [](const go::Neighbours& near, const std::string& root, std::uint64_t most,
           Control& control) -> std::optional<Lines> {
            if (root.size() != near.size()) throw std::invalid_argument("a letter is needed for each point");
            for (const auto& row : near)
                for (const auto point : row)
                    if (point >= near.size()) throw std::invalid_argument("a neighbour that is no point");
            auto found = go::explore(near, root, most, control);
            if (!found) return std::nullopt;
            std::vector<std::vector<Step>> steps;
            for (auto& row : found->steps) {
                auto& taken = steps.emplace_back();
                for (auto& step : row)
                    taken.emplace_back(step.point, step.black, std::move(step.captured), step.score,
                                       std::move(step.parts));
            }
            return Lines{std::move(found->positions), std::move(steps)};
        },
        "near"_a, "root"_a, "most"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>(),
        "Positions of a region, and for each its moves: point, is it Black's, captures, score, parts; or None.");
    m.def(
        "go_ownership",
        [](std::uint32_t size, const std::string& stones, std::uint32_t playouts, std::uint64_t seed,
           Control& control) { return go::ownership(size, stones, playouts, seed, control); },
        "size"_a, "stones"_a, "playouts"_a, "seed"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>(),
        "For each point how often Black owned it in the end less how often White did.");
}

}  // namespace zermelo
