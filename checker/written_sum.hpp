// Sums in brackets as they are written (docs/formats/sum.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "short_games.hpp"

namespace checker {

enum class PartKind : std::uint8_t { kNumber, kStar, kUp, kOptions, kSum, kMinus, kCopies };

// A part of what was written. `amount` is the number, the size of the nim heap, the ups (downs are below 0) or the
// copies; `left` has the places of Left's options, or of what is added up, made negative or copied.
struct Written {
    PartKind kind;
    Dyadic amount;
    std::vector<std::uint32_t> left, right;
};

// The parts of a sum, each once and before what it is a part of; the last is the whole.
struct WrittenSum {
    std::vector<Written> parts;

    // What the digest is taken of.
    std::string statement() const;
    // What is added up, as scored trees.
    GameIds components(ShortGames& games) const;
    // What it is worth, in canonical form.
    GameId value(ShortGames& games) const;
};

// The sum that a text states; BadInput with the place where it states none.
WrittenSum read_sum(std::string_view text, const std::string& name);

// How many bytes a blank of any script takes there; 0 if there is none.
std::size_t blank_at(std::string_view text, std::size_t at);

}  // namespace checker
