// Whose turn it is, and what the owner of a claim gets where a game is over.
#pragma once

#include "certificate.hpp"

namespace checker {

inline constexpr int kChance = -1, kSeveral = -2;  // whose turn it is, where it is not a role's
inline constexpr int kNobody = -3;                 // the owner of a claim that the one role of a game gets no more

// Whether the game is over, and what the owner gets then. A game tells the first role's score, and the other's is its
// opposite; one with more roles, or only one, tells the owner's share itself.
template <class Game>
bool ended(const Game& game, const typename Game::State& state, int owner, Score& share) {
    if constexpr (requires { game.over(state, owner, share); }) {
        return game.over(state, owner, share);
    } else {
        const bool over = game.over(state, share);
        if (owner != 0) share = -share;
        return over;
    }
}

// The same of a position that a move led to from one that is not over: some games see that more quickly.
template <class Game>
bool ended_by_move(const Game& game, const typename Game::State& state, int owner, Score& share) {
    if constexpr (requires { game.over_by_move(state, share); }) {
        const bool over = game.over_by_move(state, share);
        if (owner != 0) share = -share;
        return over;
    } else {
        return ended(game, state, owner, share);
    }
}

}  // namespace checker
