// How far the animals of a row go, by the name of their game.
#pragma once

#include <optional>
#include <string_view>

namespace zermelo::cgt::boards {

struct Strides {
    unsigned least_slide = 1, longest_slide = 1, longest_jump = 1;
    bool over_friends = false;
};

// Of "toads", "elephants", or "gentoads" with four numbers behind it: the least and the longest slide, the longest
// jump, and 1 if friends may be jumped over.
std::optional<Strides> strides_of(std::string_view game);

}  // namespace zermelo::cgt::boards
