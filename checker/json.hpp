// JSON as certificates of version 1 are written in it (RFC 8259): a value is read whole, or not at all.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace checker {

struct Json {
    enum Kind { kNull, kBool, kWhole, kOther, kString, kList, kObject } kind = kNull;
    std::string text;  // of a string in UTF-8, of a whole number its digits as they are written; `true` of what is true
    std::vector<Json> items;
    std::vector<std::pair<std::string, Json>> members;

    // The member of that name; of several the last, and nullptr if there is none.
    const Json* member(std::string_view name) const;
};

// The value that a text in UTF-8 states; BadInput with the line where it states none.
Json read_json(std::string_view text);

// Whether bytes are a text in UTF-8.
bool is_utf8(std::string_view text);

}  // namespace checker
