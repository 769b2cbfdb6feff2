// Pockets of a Go board: can a side hold what its chains enclose, if it answers every intrusion there?
//
// A pocket is a connected set of points without stones of the holder; the chains around it are single nodes of its
// graph, since no line that matters loses one of them. The invader moves first, anywhere in the pocket, or passes; the
// holder answers there. The holder has held the pocket when Benson's theorem ("Life in the game of Go", 1976) settles
// all of it: that is safety under alternating play (Mueller, "Playing it safe", 1997). What a chain around needs of the
// pocket:
//   0  nothing, it lives by other means;
//   1  one eye: it has a second one elsewhere, so it cannot be captured here;
//   2  two eyes.
// A chain that needs eyes must have a liberty in the pocket after every answer, or have joined one that needs nothing.
// The invader retakes kos at once, the holder never does. A line that repeats a position is lost for the holder, so a
// proof has no circles. The invader may pass, the holder must always move, to the end: so a seki is not held.
//
// The search is df-pn (Nagai 2002) over exact keys, with an explicit stack; nodes are bounded by the control.
//
//     Pocket pocket({...});                    // neighbours, points, needs
//     auto proof = hold(pocket, invaders, control, 100000);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zermelo/control.hpp"

namespace zermelo::go {

using Points = std::uint64_t;

// The graph of a pocket: points first, then the chains around it.
struct Pocket {
    Pocket(std::span<const Points> near, std::uint32_t points, std::span<const std::uint8_t> needs);

    std::vector<Points> near;
    std::uint32_t points;        // nodes below are points, the others chains
    Points inside = 0;           // all points
    Points chains = 0;           // all chains
    Points need[3] = {0, 0, 0};  // the chains by what they need
};

inline constexpr std::uint8_t kNoPoint = 64;

// Stones on the points of a pocket, and the point at which the side to move may not retake a ko.
struct Stones {
    Points own = 0, other = 0;
    std::uint8_t banned = kNoPoint;

    bool operator==(const Stones&) const = default;
};

// Are all points of the pocket the holder's, by Benson's theorem alone?
bool settled(const Pocket& pocket, const Stones& stones);

// The answer to a position in which the holder is to move.
struct Answer {
    Stones stones;
    std::uint8_t point;
};

// The holder's answers to everything, nothing if there are none within so many nodes.
std::optional<std::vector<Answer>> hold(const Pocket& pocket, Points invaders, Control& control, std::uint64_t nodes);

}  // namespace zermelo::go
