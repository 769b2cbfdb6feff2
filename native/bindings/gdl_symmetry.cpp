// The border to Python for symmetries of ground games. Permutations cross it as arrays, one after the other.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "arrays.hpp"
#include "gdl/symmetry/automorphism.hpp"
#include "gdl/bulk_program/exclusive.hpp"
#include "gdl/exact/ground_game.hpp"
#include "gdl/symmetry/symmetry.hpp"
#include "gdl_bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

using namespace gdl;

std::vector<Symmetry> symmetries_of(std::uint32_t fluents, std::uint32_t moves, const Array<std::uint32_t>& images) {
    const std::size_t length = std::size_t{fluents} + moves;
    if (length == 0 || images.size() % length != 0) throw std::invalid_argument("permutations of the wrong size");
    std::vector<Symmetry> symmetries;
    for (const auto *at = images.data(), *end = at + images.size(); at != end; at += length)
        symmetries.push_back({{at, at + fluents}, {at + fluents, at + length}});
    return symmetries;
}

std::vector<std::uint32_t> images_of(const std::vector<Symmetry>& symmetries) {
    std::vector<std::uint32_t> images;
    for (const auto& [fluent, move] : symmetries) {
        images.insert(images.end(), fluent.begin(), fluent.end());
        images.insert(images.end(), move.begin(), move.end());
    }
    return images;
}

std::vector<std::uint64_t> words_of(const StateSymmetry& symmetry, const nb::bytes& state) {
    std::vector<std::uint64_t> words(symmetry.words());
    if (state.size() != words.size() * 8) throw std::invalid_argument("a state of the wrong size");
    if (!words.empty()) std::memcpy(words.data(), state.data(), state.size());  // of none there is no address
    return words;
}

void check(const StateSymmetry& symmetry, std::uint32_t element, std::uint32_t move = 0) {
    if (element >= symmetry.order() || (move > 0 && move >= symmetry.moves()))
        throw std::out_of_range("no element or move of that number");
}

nb::bytes turned(const StateSymmetry& symmetry, std::uint32_t element, const std::vector<std::uint64_t>& words) {
    std::vector<std::uint64_t> image(words.size());
    symmetry.turn(element, words, image);
    return nb::bytes(image.data(), image.size() * 8);
}

}  // namespace

void bind_gdl_symmetry(nb::module_& m) {
    nb::class_<StateSymmetry>(m, "StateSymmetry", "A group of symmetries of a ground game; brings states to one form.")
        .def(
            "__init__",
            [](StateSymmetry* self, std::uint32_t fluents, std::uint32_t moves, const Array<std::uint32_t>& generators,
               std::size_t most) {
                const auto given = symmetries_of(fluents, moves, generators);
                new (self) StateSymmetry(fluents, moves, spanned(fluents, moves, given, most));
            },
            "fluents"_a, "moves"_a, "generators"_a.noconvert(), "most"_a,
            "The group that generators span, or a subgroup of at most so many elements.")
        .def_prop_ro("order", &StateSymmetry::order)
        .def(
            "canon",
            [](const StateSymmetry& s, const nb::bytes& state) {
                const auto words = words_of(s, state);
                const auto element = s.least(words);
                return nb::make_tuple(turned(s, element, words), element);
            },
            "state"_a, "The form of a state, and the element that it comes by.")
        .def(
            "turn",
            [](const StateSymmetry& s, std::uint32_t element, const nb::bytes& state) {
                check(s, element);
                return turned(s, element, words_of(s, state));
            },
            "element"_a, "state"_a)
        .def(
            "move_to",
            [](const StateSymmetry& s, std::uint32_t element, std::uint32_t move) {
                check(s, element, move);
                return s.move_to(element, move);
            },
            "element"_a, "move"_a)
        .def(
            "move_from",
            [](const StateSymmetry& s, std::uint32_t element, std::uint32_t move) {
                check(s, element, move);
                return s.move_from(element, move);
            },
            "element"_a, "move"_a);

    m.def(
        "symmetries",
        [](const GroundGame& game, bool keep_start, Control& control) {
            SymmetryGroup group;
            {
                nb::gil_scoped_release release;
                group = find_symmetries(game.rules(), {.keep_start = keep_start}, control);
            }
            return nb::make_tuple(to_numpy(images_of(group.generators)), group.orbits, group.complete);
        },
        "game"_a, "keep_start"_a, "control"_a,
        "Generators of the symmetries, each the images of all fluents and then of all moves; the sizes of orbits whose "
        "product is the order of the group; whether these are all there are.");
    m.def(
        "keep_exclusive",
        [](const GroundGame& game, const Array<std::uint32_t>& generators) {
            const auto& circuit = *game.circuit();
            const auto group = bulk::find_exclusive(circuit);
            const auto given = symmetries_of(circuit.fluents, circuit.moves, generators);
            return std::ranges::all_of(given, [&](const Symmetry& symmetry) { return keeps_groups(symmetry, group); });
        },
        "game"_a, "generators"_a.noconvert(),
        "Whether facts that are known to exclude each other are turned into such facts.");
}

}  // namespace zermelo
