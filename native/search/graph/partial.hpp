// What a graph proves of its first node when only some of its rows are known.
//
// Positions met but not expanded are a frontier, of which only bounds are known (the worst and the best score, if
// nothing better). Values rise with the scores of the ends, cycles or not: a position may be replaced by an end with
// its value, and an attractor of ends of at least t only grows when a score is raised. So labelling the known part
// with the frontier at its lower bounds proves a lower bound, and with the frontier at its upper bounds an upper one;
// endless play within the known part is scored as in any other graph. No other bounds could be proved from the same
// knowledge: both labellings are the values of games that agree with it.
//
//     Proved proved = bounds_of_part(graph, rows, /*endless*/ false, [](std::uint32_t) { return Bounds{-1, 1}; });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "search/graph/graph.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

// Bounds on a root's value, and the move that secures the mover's bound.
struct Proved {
    Bounds bounds;
    std::int64_t move = -1;
};

// Bounds on the value of node 0, given the first `rows` rows of a graph, complete, and frontier(node), bounds on the
// value of any other node. `endless` says whether the graph scores endless play; else it must not have a cycle.
// Cuts the graph down to those rows and takes the frontier for ends.
Proved bounds_of_part(GraphData& graph, std::size_t rows, bool endless,
                      const std::function<Bounds(std::uint32_t)>& frontier);

}  // namespace zermelo
