// Writes down a strategy once a value is known: from every position the owner can meet, one move that keeps the
// bound; against it, every reply.
#pragma once

#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "search/graph/labels.hpp"
#include "search/graph/prover.hpp"
#include "zermelo/control.hpp"
#include "zermelo/search.hpp"
#include "zermelo/table.hpp"

namespace zermelo {

template <class State>
struct StateHash {
    std::size_t operator()(const State& state) const { return static_cast<std::size_t>(hash_bytes(state)); }
};

template <SearchGame G>
StrategyGraph extract_strategy(const G& game, Prover<typename G::State>& prover, const typename G::State& root,
                               int owner, Score bound, Control& control) {
    using State = typename G::State;
    Claim claim(game, prover, owner, bound, control);
    if (!claim.holds(root)) throw std::invalid_argument("the bound does not hold at the start");
    StrategyGraph graph;
    std::vector<State> states{root};
    std::unordered_map<State, std::uint32_t, StateHash<State>> number{{root, 0}};
    constexpr auto kNodeBytes = static_cast<std::int64_t>(2 * sizeof(State) + 64);
    const auto link = [&](const State& state, std::size_t index) {
        const auto [entry, fresh] = number.try_emplace(state, static_cast<std::uint32_t>(states.size()));
        if (fresh) states.push_back(state), control.charge(kNodeBytes);
        graph.edge_move.push_back(static_cast<std::uint32_t>(index));
        graph.edge_target.push_back(entry->second);
    };
    std::vector<Move> moves;
    for (std::size_t node = 0; node < states.size(); ++node) {
        const State state = states[node];
        control.tick();
        if (!game.ending(state).over) {
            moves.clear();
            game.moves(state, moves);
            // An only move keeps the bound because the position does: no need to ask, which on long forced lines
            // that no table remembers would cost the square of their length.
            const bool chosen = game.turn(state) == owner && moves.size() > 1;
            const auto begin = chosen ? claim.kept(state, moves) : 0, end = chosen ? begin + 1 : moves.size();
            for (auto i = begin; i < end; ++i) link(game.play(state, moves[i]), i);
        }
        graph.first_edge.push_back(static_cast<std::uint32_t>(graph.edge_move.size()));
    }
    rank_by_height(graph);
    return graph;
}

}  // namespace zermelo
