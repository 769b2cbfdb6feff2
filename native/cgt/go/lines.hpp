// All lines of play in a region of a Go board: every position, the moves of both sides in it, and what each leaves.
//
// A position has a letter for each point: '.' empty, 'x' and 'o' stones that may be captured, 'X' and 'O' stones that
// are safe for good, '#' points that do not belong to it. After a move all is settled that Benson's theorem ("Life in
// the game of Go", 1976) settles, with eyes in which the other side can never live, and what stays open falls into
// parts that safe stones keep apart. The same in plain Python is zermelo.cgt.go.tree.explore.
//
//     auto lines = explore(near, "X.O", 1000, control);       // one position, two moves that settle it
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "zermelo/control.hpp"

namespace zermelo::go {

using Neighbours = std::vector<std::vector<std::uint32_t>>;

struct SettledParts {
    std::int32_t score = 0;          // the area that has become somebody's
    std::vector<std::string> parts;  // what is open
};

SettledParts settle(const Neighbours& near, const std::string& stones);

struct LineStep {
    std::uint32_t point;
    bool black;
    std::vector<std::uint32_t> captured;
    std::int32_t score;
    std::vector<std::uint32_t> parts;  // numbers of positions
};

struct RegionLines {
    std::vector<std::string> positions;  // the first is the region itself
    std::vector<std::vector<LineStep>> steps;
};

// Nothing where there are more positions than that.
std::optional<RegionLines> explore(const Neighbours& near, const std::string& root, std::uint64_t most,
                                   Control& control);

}  // namespace zermelo::go
