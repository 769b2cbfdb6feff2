// The border to Python for the values of boards. A board crosses it as rows, columns and three sets of cells, row by
// row from bit 0.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <vector>

#include "cgt/boards/boards.hpp"
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
