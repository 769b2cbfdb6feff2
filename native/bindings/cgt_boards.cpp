// The border to Python for the values of boards. A board crosses it as rows, columns and three sets of cells, row by
// row from bit 0.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cgt/boards/boards.hpp"
#include "cgt/boards/saved.hpp"
#include "cgt_arena.hpp"
#include "cgt_bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

struct SharedBoards {
    SharedBoards(const std::string& game, SharedArena& in) : arena(in), boards(cgt::boards::boards_of(game, in.arena)) {
        if (!boards) throw nb::value_error("a game without native rules");
    }

    SharedArena& arena;
    std::unique_ptr<cgt::boards::Boards> boards;
};

}  // namespace

void bind_cgt_boards(nb::module_& m) {
    nb::class_<SharedBoards>(m, "CgtBoards",
                             "The values of one game's boards of at most 64 cells, as games of an arena.")
        .def(nb::init<const std::string&, SharedArena&>(), "game"_a, "arena"_a, nb::keep_alive<1, 3>())
        .def(
            "value",
            [](SharedBoards& b, unsigned rows, unsigned columns, std::uint64_t empty, std::uint64_t left,
               std::uint64_t right, Control& control) {
                return b.arena.run(&control,
                                   [&] { return b.boards->value({rows, columns, empty, left, right}, control); });
            },
            "rows"_a, "columns"_a, "empty"_a, "left"_a, "right"_a, "control"_a)
        .def(
            "saved",
            [](SharedBoards& b, unsigned cells) {
                const auto [regions, bytes] =
                    b.arena.run(nullptr, [&] { return cgt::boards::saved(*b.boards, b.arena.arena, cells); });
                return std::pair(regions, nb::bytes(bytes.data(), bytes.size()));
            },
            "cells"_a, "How many regions of at most so many cells there are, and they as bytes for load().")
        .def(
            "load",
            [](SharedBoards& b, const nb::bytes& bytes, Control& control) {
                const std::span<const std::uint8_t> all(static_cast<const std::uint8_t*>(bytes.data()), bytes.size());
                return b.arena.run(&control, [&] { return cgt::boards::load(all, *b.boards, b.arena.arena, control); });
            },
            "bytes"_a, "control"_a, "Takes what was saved; returns how many regions. ValueError for other bytes.")
        .def(
            "follow",
            [](SharedBoards& b, Control& control) {
                return b.arena.run(&control, [&] { return b.boards->follow(control); });
            },
            "control"_a, "Do the values of all regions follow from those of what moves lead to?")
        .def_prop_ro("regions",
                     [](SharedBoards& b) { return b.arena.run(nullptr, [&] { return b.boards->regions(); }); })
        .def_prop_ro("bytes", [](SharedBoards& b) { return b.arena.run(nullptr, [&] { return b.boards->bytes(); }); });
    m.def(
        "cgt_native_games",
        [] {
            std::vector<std::string> names;
            for (const auto name : cgt::boards::native_games()) names.emplace_back(name);
            return names;
        },
        "Names of the rulesets that CgtBoards takes.");
}

}  // namespace zermelo
