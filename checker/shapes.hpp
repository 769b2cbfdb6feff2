// The data of claims, strictly read: lists of a known length, whole numbers, exact numbers; whatever else is refuted.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "certificate.hpp"
#include "json.hpp"
#include "rational.hpp"

namespace checker {

// In the place of a whole number that is too large to be the number of anything.
inline constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

inline void need_shown(bool holds, const std::string& why) {
    if (!holds) throw Refuted(why);
}

// The data of a claim has these fields and no others.
inline void need_fields(const Json& data, std::initializer_list<std::string_view> names) {
    for (const auto& [name, value] : data.members) {
        bool known = false;
        for (const auto each : names) known |= each == name;
        if (!known) throw Refuted("the data has the field " + name);
    }
    for (const auto name : names)
        if (!data.member(name)) throw Refuted("the data has no field " + std::string(name));
}

inline const std::vector<Json>& items_of(const Json& value) {
    if (value.kind != Json::kList) throw Refuted("something in the data is not a list");
    return value.items;
}

// A list of one of these lengths.
inline const std::vector<Json>& items_of(const Json& value, std::size_t length, std::size_t or_length = 0) {
    const auto& items = items_of(value);
    if (items.size() != length && items.size() != or_length) throw Refuted("a list in the data has another length");
    return items;
}

inline Rational exact_whole(const Json& value) {
    if (value.kind != Json::kWhole) throw Refuted("something in the data is not a whole number");
    return Rational::of(value.text);
}

// A whole number that counts something.
inline std::int64_t whole(const Json& value) { return exact_whole(value).small().value_or(kFar); }

// A whole number, or a text `p/q`.
inline Rational exact(const Json& value) {
    if (value.kind != Json::kString) return exact_whole(value);
    if (!is_score(value.text)) throw Refuted("a text in the data is not an exact number");
    return Rational::of(value.text);
}

inline std::vector<Rational> exact_items(const Json& value) {
    std::vector<Rational> made;
    for (const auto& item : items_of(value)) made.push_back(exact(item));
    return made;
}

}  // namespace checker
