// All positions of a ground game, each visited once, as an explicit graph in compressed rows.
//
// A node is a state, or a state with the player's move where chance has yet to move in the same step (turns.hpp).
// Takes any number of roles and chance; several players with a choice at once are refused with NotSearchable.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gdl/circuit/circuit.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

inline constexpr std::uint8_t kChanceTurn = 255, kOverTurn = 254;

struct Expansion {
    std::size_t words = 0;
    std::vector<std::uint64_t> states;   // words a node
    std::vector<std::uint32_t> pending;  // the player's move, kNobody where none is
    std::vector<std::uint64_t> first_edge{0};
    std::vector<std::uint32_t> target;  // in the order of the moves
    std::vector<std::uint8_t> turn;     // among the players (random not counted), kChanceTurn or kOverTurn
    std::vector<std::uint32_t> ends;    // the nodes where play is over
    std::vector<std::int64_t> scores;   // of each player at each end
    std::size_t nodes() const { return pending.size(); }
};

// Ticks once a position and charges its memory; throws Stopped at a limit.
Expansion expand(std::shared_ptr<const Circuit> circuit, Control& control);

}  // namespace zermelo::gdl
