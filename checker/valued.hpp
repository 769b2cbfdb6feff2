// Claims about sums in brackets and about boards: by a strategy for a sum, by a value, by who wins boards.
#pragma once

#include <string>
#include <vector>

#include "short_games.hpp"
#include "written_sum.hpp"

namespace checker {

// BadInput unless the claim rests on a rule that is known here; Refuted unless it is one of some rules and is about the
// start of play, by one side for one side to begin.
void need_form(const Claim& claim, const std::vector<std::string>& line, std::initializer_list<std::string_view> rules);

// Left begins, so he wins unless the value is at most 0: Refuted unless the claim follows from that.
void need_winner(ShortGames& games, const Claim& claim, GameId value);

// The game that a value in canonical form names, as certificates of boards write it; Refuted where it names none.
GameId named_value(ShortGames& games, std::string_view text);

// Checks a claim about a sum; how many sums or games were looked at.
std::uint64_t check_sum_claim(const WrittenSum& sum, const Claim& claim, const std::vector<std::string>& line);

}  // namespace checker
