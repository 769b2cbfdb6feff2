// The symmetries of a ground game: automorphisms of its rule graph, found by refinement and singling out.
//
// One path of singling out fluents until none is left to choose gives a base: a symmetry is known by what it does to
// it. From its end backwards, each node of a cell from which the base was chosen is tried as the image of the chosen
// one, the base before it kept in place; what is found joins nodes into orbits, and a node in the orbit of one that was
// tried need not be (McKay 1981; Sims 1970 for the product of the orbits' sizes, the order of the group). Every
// symmetry is compared with the graph arc by arc before it counts. Symmetries that move moves alone change no state and
// are not looked for; moves are turned along as they have to be, or in one of the ways they can be.
//
// The graph is searched twice: with the goals as they are written, and as functions; the larger group counts.
//
//     auto group = find_symmetries(rules, {}, control);
//     StateSymmetry symmetry(rules.fluents(), rules.moves(), spanned(rules.fluents(), rules.moves(), group.generators,
//     64));
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/ground/ground_rules.hpp"
#include "gdl/symmetry/symmetry.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

struct SymmetryParams {
    // Only symmetries that keep the start state, and so take reachable states to reachable states.
    bool keep_start = false;
    std::uint32_t most_tried = 1000;  // nodes singled out for one symmetry before it is given up
};

struct SymmetryGroup {
    std::vector<Symmetry> generators;   // those that keep more of the base first
    std::vector<std::uint64_t> orbits;  // the order of the group is their product
    bool complete = false;              // nothing was given up: the graph has no others
};

// What was found by the time the control stops it is returned; only being asked to stop is thrown.
SymmetryGroup find_symmetries(const GroundRules& rules, const SymmetryParams& params, Control& control);

}  // namespace zermelo::gdl
