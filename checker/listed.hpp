// What certificates of sums and of values have in common: numbers as texts, places in lists, and games, each after its
// options. Refuted where the data is not of that form.
#pragma once

#include <optional>
#include <string>

#include "json.hpp"
#include "short_games.hpp"

namespace checker {

const std::vector<Json>& list_of(const Json* item, const std::string& where);
// A whole number in JSON, as far as it goes: larger ones are as large as they get here.
std::optional<std::int64_t> whole_of(const Json& item);
// The place that a number in JSON names in a list of so many.
std::size_t place_in(const Json& item, std::size_t many, const std::string& where);
bool is_text(const Json* item, std::string_view text);
// `left` or `right`: whether it is the first.
bool is_left(const Json* item, const std::string& where);
// An exact number as a text: whole or dyadic ones have a value, others none.
std::optional<Dyadic> number_in(const Json& item, const std::string& where);
// The games of a list: a number as a text, or the places of Left's and of Right's options; in canonical form if asked.
GameIds listed_games(const Json* items, const std::string& where, ShortGames& games, bool canonical);

}  // namespace checker
