#include "games/graph.hpp"

#include "games/factories.hpp"
#include "search/engines.hpp"

namespace zermelo {

std::unique_ptr<AnyGame> make_graph(GraphData data, std::uint32_t start) { return erase(Graph(std::move(data), start)); }

}  // namespace zermelo
