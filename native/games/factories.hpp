// The native games by name. Arguments are what the Python rules of the same name were made with.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "games/geography.hpp"
#include "search/graph/graph.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

using Arguments = std::span<const std::int64_t>;

std::unique_ptr<AnyGame> make_graph(GraphData data, std::uint32_t start);

// Null if a strongly connected component is too large for the kernel.
std::unique_ptr<AnyGame> make_geography(GeographyData data);

// Null if there is no native game of that name or it does not take these arguments (too large a board, say).
std::unique_ptr<AnyGame> make_game(std::string_view name, Arguments arguments);

}  // namespace zermelo
