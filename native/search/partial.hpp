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

#include <algorithm>
#include <cstdint>
#include <vector>

#include "games/graph.hpp"
#include "search/labels.hpp"
#include "zermelo/control.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

// Bounds on a root's value, and the move that secures the mover's bound.
struct Proved {
    Bounds bounds;
    std::int64_t move = -1;
};

// As many edges are labelled in less than a second: an engine that was told to stop may not take longer. Of a larger
// graph the first rows are used, which are those nearest to the root in a graph numbered breadth first.
inline constexpr std::uint64_t kMostEdgesAfterStop = std::uint64_t{1} << 24;

// Bounds on the value of node 0, given the first `rows` rows of a graph, complete, and frontier(node), bounds on the
// value of any other node. `endless` says whether the graph scores endless play; else it must not have a cycle.
// Cuts the graph down to those rows and takes the frontier for ends.
template <class Frontier>
Proved bounds_of_part(GraphData& graph, std::size_t rows, bool endless, Frontier&& frontier) {
    if (!rows) return {frontier(0)};
    const auto first = graph.first_edge.begin();
    const auto beyond = std::upper_bound(first, first + static_cast<std::ptrdiff_t>(rows) + 1, kMostEdgesAfterStop);
    rows = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, beyond - first - 1));
    graph.first_edge.resize(rows + 1);
    graph.target.resize(static_cast<std::size_t>(graph.first_edge[rows]));
    auto nodes = rows;
    for (const auto target : graph.target) nodes = std::max<std::size_t>(nodes, target + std::size_t{1});
    graph.turn.resize(rows);
    graph.turn.resize(nodes, GraphData::kOver);
    graph.score.resize(nodes);
    std::vector<std::int32_t> upper(nodes - rows);
    for (auto node = rows; node < nodes; ++node) {
        const Bounds bounds = frontier(static_cast<std::uint32_t>(node));
        graph.score[node] = static_cast<std::int32_t>(bounds.lower);
        upper[node - rows] = static_cast<std::int32_t>(bounds.upper);
    }
    Proved proved{};
    const int mover = graph.turn[0];
    Control free;
    for (const int side : {0, 1}) {
        if (side == 1) std::copy(upper.begin(), upper.end(), graph.score.begin() + static_cast<std::ptrdiff_t>(rows));
        const auto labels = endless ? label_graph(graph, free) : label_graph(graph, free, Score{graph.worst} + graph.best);
        (side == 0 ? proved.bounds.lower : proved.bounds.upper) = labels.of[0].value;
        if (side == mover) proved.move = best_edge(graph, labels, 0);
    }
    return proved;
}

}  // namespace zermelo
