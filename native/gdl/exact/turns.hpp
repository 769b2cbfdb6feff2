// Whose turn it is: a rulesheet lets every role move in every step; search wants one at a time.
//
// A role has a choice where it has more than one legal move. One player with a choice is to move; chance is where only
// `random` has one. Where both have, the player moves first, which loses nothing: he would not have seen the dice
// either way. Where nobody has a choice, the first player whose move is more than a bare word (not a `noop`) is to
// move. Two players with a choice move at once. gdl/game.py says the same in Python.
#pragma once

#include <cstdint>
#include <optional>

#include "gdl/single/single.hpp"

namespace zermelo::gdl {

struct Turn {
    std::uint32_t player = kNobody;  // the player to move, kNobody where only chance is
    bool chance = false;             // random has a choice, after the player if there is one
    bool several = false;            // two players have a choice
    bool stuck = false;              // a role has no legal move
};

inline Turn turn_of(const SingleLane& lane, std::uint32_t random) {
    Turn turn;
    const auto& circuit = lane.circuit();
    std::uint32_t busy = kNobody, first = kNobody;
    for (std::uint32_t role = 0; role < circuit.roles(); ++role) {
        const auto count = lane.legal_count(role);
        if (count == 0) turn.stuck = true;
        if (role == random) {
            turn.chance = count > 1;
            continue;
        }
        if (first == kNobody) first = role;
        if (count > 1) {
            turn.several = turn.several || turn.player != kNobody;
            if (turn.player == kNobody) turn.player = role;
        } else if (count == 1 && busy == kNobody && circuit.move_names[lane.legal(role, 0)].starts_with('(')) {
            busy = role;
        }
    }
    if (turn.player == kNobody && !turn.chance) turn.player = busy != kNobody ? busy : first;
    return turn;
}

}  // namespace zermelo::gdl
