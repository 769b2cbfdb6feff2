#include "search/graph/partial.hpp"

#include <algorithm>
#include <vector>

#include "search/graph/labels.hpp"
#include "zermelo/control.hpp"

namespace zermelo {

namespace {

// As many edges are labelled in less than a second: an engine that was told to stop may not take longer. Of a larger
// graph the first rows are used, which are those nearest to the root in a graph numbered breadth first.
constexpr std::uint64_t kMostEdgesAfterStop = std::uint64_t{1} << 24;

}  // namespace

Proved bounds_of_part(GraphData& graph, std::size_t rows, bool endless,
                      const std::function<Bounds(std::uint32_t)>& frontier) {
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
        const auto labels =
            endless ? label_graph(graph, free) : label_graph(graph, free, Score{graph.worst} + graph.best);
        (side == 0 ? proved.bounds.lower : proved.bounds.upper) = labels.of[0].value;
        if (side == mover) proved.move = best_edge(graph, labels, 0);
    }
    return proved;
}

}  // namespace zermelo
