// Win, draw and loss (any score) of every position of an explicit graph, cycles included, with distances.
//
// An acyclic graph takes one backward pass in reverse topological order. A cyclic one is a deterministic
// graphical game (Washburn 1990): play ends with a score or goes on forever, which is worth `endless`. Retrograde
// analysis (Thompson 1986) labels it in two sweeps. The first role can force a score of at least t > endless
// exactly in its attractor of the ends with such a score; attractors for falling t are nested, so one sweep that
// takes the ends in falling order and never forgets a counter of unresolved successors labels all values above
// `endless`. The mirror image labels those below, and who is in neither attractor can play on forever. Linear in
// the edges however many scores there are, but for sorting the ends (Andersson, Hansen, Miltersen, Sorensen 2008).
//
// Distance: plies to the end when both play best moves only (score first), the side that is better off than by
// endless play shortens and the other prolongs. Where the value equals endless play nobody is better off: then it
// is the length of the shortest line of best moves, and -1 if no line of best moves ends (a draw by repetition).
//
//     Labels labels = label_graph(graph, control);
//     labels.of[node].value, labels.of[node].distance
//     label_graph_into(labels, graph, control);     // if stopped, labels holds what was found: see Labels
//     StrategyGraph proof = strategy_from_labels(graph, labels, node, /*owner*/ 0, /*bound*/ 1, control);
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "search/graph/graph.hpp"
#include "zermelo/control.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

struct Label {
    std::int32_t value = 0;
    std::int32_t distance = -1;
};

// Labels of a graph, or of a part of it if labelling was stopped: then those with a distance are final, and the values
// of all others lie within `rest`.
struct Labels {
    std::vector<Label> of;
    bool acyclic = true;
    Bounds rest{std::numeric_limits<Score>::min(), std::numeric_limits<Score>::max()};
    std::uint64_t bytes() const { return of.capacity() * sizeof(Label); }
};

// The moves of a node; an end has none, whatever its row says.
inline std::span<const std::uint32_t> row_of(const GraphData& graph, std::size_t node) {
    if (graph.turn[node] == GraphData::kOver) return {};
    const auto begin = static_cast<std::size_t>(graph.first_edge[node]);
    return std::span(graph.target).subspan(begin, static_cast<std::size_t>(graph.first_edge[node + 1]) - begin);
}

// Labels every node. The level for distances (see above) is that of endless play unless twice_level is given, for
// acyclic games that give no score to endless play; then a cycle is a std::logic_error. Throws Stopped at a limit; what
// was labelled until then is left in `labels`, no longer charged.
void label_graph_into(Labels& labels, const GraphData& graph, Control& control,
                      std::optional<Score> twice_level = std::nullopt);
Labels label_graph(const GraphData& graph, Control& control, std::optional<Score> twice_level = std::nullopt);

// A best move by the labels, as a position in the row: one that keeps the value and comes nearer to the end as the
// distance tells; -1 where the game is over.
std::int64_t best_edge(const GraphData& graph, const Labels& labels, std::uint32_t node);

// Writes down how `owner` gets at least (role 1: gives at most) `bound` from a node. If the owner can force the game
// to end so, which is always so for a bound better than endless play, every one of its moves lowers the distance of
// that attractor, and rank is the distance. Else the moves stay where the bound holds: a closed set, not ranked,
// in which every play that ends keeps the bound and endless play keeps it too.
StrategyGraph strategy_from_labels(const GraphData& graph, const Labels& labels, std::uint32_t root, int owner,
                                   Score bound, Control& control);

// Longest distance to a leaf in an acyclic strategy graph: it falls along every edge.
void rank_by_height(StrategyGraph& graph);

}  // namespace zermelo
