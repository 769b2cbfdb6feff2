// The rule `sum`: a strategy for a sum of scored trees, played against every reply (docs/formats/sum-certificate.md).
#pragma once

#include "short_games.hpp"

namespace checker {

// How many sums were met; Refuted if the claim about a sum of these components does not hold.
std::uint64_t check_strategy(ShortGames& games, const GameIds& components, const Claim& claim);

}  // namespace checker
