// What the search on sums uses.
#pragma once

#include <cstdint>

namespace zermelo::cgt::sums {

enum class Cut : std::uint8_t { none, mean, tax };  // no bounds, Hanner's, thermostatic
enum class Strike : std::uint8_t {
    none,
    switches,
    all
};  // no moves struck out, all plain switches but one, whatever compares
enum class Method : std::uint8_t {
    alphabeta,
    berliner,
    palay
};  // the value by alpha-beta, or the best move by B* with a rule

struct Parameters {
    Method method = Method::alphabeta;
    Cut cut = Cut::tax;
    Strike strike = Strike::all;
    bool left_starts = true, right_starts = true;  // which questions are asked
    bool best = true;                              // a best move, and whether it is sente
    bool strategies = false;
    std::uint64_t table_bytes = std::uint64_t{1} << 32;
};

}  // namespace zermelo::cgt::sums
