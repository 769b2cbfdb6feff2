// Writes down a strategy once a value is known: from every position the owner can meet, one move that keeps the
// bound; against it, every reply. Each claim is asked of the engine that solved the game, whose table is warm.
//
// Engine needs `bool at_least(state, bound, control)` and `Move hint(state)` (a move to try first, or kNoMove).
#pragma once

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "search/graph/labels.hpp"
#include "zermelo/control.hpp"
#include "zermelo/search.hpp"
#include "zermelo/table.hpp"

namespace zermelo {

template <class State>
struct StateHash {
    std::size_t operator()(const State& state) const { return static_cast<std::size_t>(hash_bytes(state)); }
};

template <SearchGame G, class Engine>
StrategyGraph extract_strategy(const G& game, Engine& engine, const typename G::State& root, int owner, Score bound,
                               Control& control) {
    using State = typename G::State;
    const auto holds = [&](const State& state) {
        return owner == 0 ? engine.at_least(state, bound, control) : !engine.at_least(state, bound + 1, control);
    };
    if (!holds(root)) throw std::invalid_argument("the bound does not hold at the start");
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
    std::vector<Move> moves, tried;
    for (std::size_t node = 0; node < states.size(); ++node) {
        const State state = states[node];
        control.tick();
        if (!game.ending(state).over) {
            moves.clear();
            game.moves(state, moves);
            // An only move keeps the bound because the position does: no need to ask, which on long forced lines
            // that no table remembers would cost the square of their length.
            if (game.turn(state) != owner || moves.size() == 1) {
                for (std::size_t i = 0; i < moves.size(); ++i) link(game.play(state, moves[i]), i);
            } else {
                tried.clear();
                if (const Move first = engine.hint(state); first != kNoMove) tried.push_back(first);
                search_moves(game, state, tried);
                tried.insert(tried.end(), moves.begin(), moves.end());
                bool found = false;
                for (std::size_t i = 0; i < tried.size() && !found; ++i) {
                    if (std::find(tried.begin(), tried.begin() + static_cast<std::ptrdiff_t>(i), tried[i]) !=
                        tried.begin() + static_cast<std::ptrdiff_t>(i))
                        continue;
                    const auto index = std::find(moves.begin(), moves.end(), tried[i]) - moves.begin();
                    if (index == static_cast<std::ptrdiff_t>(moves.size())) continue;
                    const State child = game.play(state, tried[i]);
                    if (holds(child)) link(child, static_cast<std::size_t>(index)), found = true;
                }
                if (!found) throw std::logic_error("a position that keeps the bound has no move that keeps it");
            }
        }
        graph.first_edge.push_back(static_cast<std::uint32_t>(graph.edge_move.size()));
    }
    rank_by_height(graph);
    return graph;
}

}  // namespace zermelo
