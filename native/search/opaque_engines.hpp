// Every engine, compiled for opaque positions of N words. Included by one translation unit for each N.
#pragma once

#include <stdexcept>
#include <utility>

#include "search/alphabeta.hpp"
#include "search/andor.hpp"
#include "search/graph/dp.hpp"
#include "search/minimax.hpp"
#include "search/mtdf.hpp"
#include "search/opaque.hpp"
#include "search/pns.hpp"
#include "search/search_of.hpp"
#include "bandit/game_lane.hpp"
#include "bandit/uct.hpp"

namespace zermelo {

template <std::size_t N>
std::unique_ptr<Search> opaque_search(std::shared_ptr<const Rules<N>> rules, const OpaqueState<N>& start,
                                      std::string_view engine, const SearchParams& params) {
    using G = Opaque<N>;
    const auto game = std::make_shared<const G>(std::move(rules), start);
    if (engine == "alphabeta") return std::make_unique<SearchOf<G, AlphaBeta<G>>>(game, start, params);
    if (engine == "pns") return std::make_unique<SearchOf<G, Pns<G>>>(game, start, params);
    if (engine == "andor") return std::make_unique<SearchOf<G, AndOr<G>>>(game, start, params);
    if (engine == "minimax") return std::make_unique<SearchOf<G, Minimax<G>>>(game, start, params);
    if (engine == "mtdf") return std::make_unique<SearchOf<G, Mtdf<G>>>(game, start, params);
    if (engine == "uct") return std::make_unique<SearchOf<G, bandit::Uct<G>>>(game, start, params);
    if (engine == "dp") return std::make_unique<SearchOf<G, Dp<G>>>(game, start, params);
    throw std::invalid_argument("no engine of that name");
}

template <std::size_t N>
std::unique_ptr<bandit::Lane> opaque_lane(std::shared_ptr<const Rules<N>> rules, const OpaqueState<N>& start) {
    return std::make_unique<bandit::GameLane<Opaque<N>>>(std::make_shared<const Opaque<N>>(std::move(rules), start),
                                                         start);
}

}  // namespace zermelo
