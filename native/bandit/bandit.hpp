// What all our Monte Carlo trees have in common: a node is a bandit, and what is proved of its arms decides first.
//
// Confidence bounds. The arms of a node are the moves of the role that chooses there. UCB1 (Auer, Cesa-Bianchi and
// Fischer 2002; in trees: Kocsis and Szepesvari 2006) takes the arm of the highest mean + weight * sqrt(log N / n)
// after n of N visits, where the weight is an exploration constant in units of the rewards.
//
// Score bounds (Cazenave and Saffidine 2010; MCTS-Solver: Winands, Bjornsson and Saito 2008). A node keeps proved
// bounds on a score, from endings upwards. Who chooses has the best of the moves (best_of), its opponent what is left
// then (least_of), and where nobody is known to want either, as in the average of chance, bounds span those of all
// moves (span_of). A move that cannot beat what is in hand is closed: no visit goes there any more.
//
// Two trees are made of it:
//   Uct (uct.hpp)    a template for games whose positions are plain data and whose roles move in turn. It keeps no
//                    positions: 40 bytes a node, a descent plays its moves again. This is the engine `uct` of exact
//                    search, and of players where a game has a native twin.
//   Tree (tree.hpp)  on a lane (lane.hpp), for any number of roles that may move at once, and chance. It keeps
//                    positions, finds them again by whatever way they are reached, values leaves in batches and solves
//                    positions ahead. Its parameters make it plain UCT, MAC-UCB, FC-UCB, GRAVE, MAST.
//
//     RootLog root_log;
//     const float weight = exploration * root_log(visits + 1);                    // the part all arms share
//     const float value = arm.mean + weight / std::sqrt(float(arm.visits));
//     const Bounds bounds = best_of({0, 3}, {1, 2});                              // {1, 3}
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "zermelo/game.hpp"

namespace zermelo::bandit {

// sqrt(log n), the part of UCB1 that all arms of a node share: by table, for large n from its leading bits.
class RootLog {
public:
    RootLog() {
        for (std::size_t n = 1; n < table_.size(); ++n) table_[n] = std::sqrt(std::log(static_cast<float>(n)));
    }
    float operator()(std::uint32_t n) const {
        if (n < table_.size()) return table_[n];
        const int shift = static_cast<int>(std::bit_width(n)) - kBits;
        const float leading = table_[n >> shift];
        return std::sqrt(leading * leading + std::numbers::ln2_v<float> * static_cast<float>(shift));
    }

private:
    static constexpr int kBits = 12;
    std::array<float, std::size_t{1} << kBits> table_{};
};

// Of two moves: what the role that chooses gets, what one gets who is hurt by the choice, and all that may come.
constexpr Bounds best_of(const Bounds& a, const Bounds& b) {
    return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}
constexpr Bounds least_of(const Bounds& a, const Bounds& b) {
    return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
}
constexpr Bounds span_of(const Bounds& a, const Bounds& b) {
    return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

}  // namespace zermelo::bandit
