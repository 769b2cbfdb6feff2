#include "cgt/numbers/numbers.hpp"

#include <limits>

namespace zermelo::cgt {

Numbers::Numbers() { id(Dyadic(0)); }

std::int64_t Numbers::key_of(const Dyadic& value) {
    const bool exact = value.exponent() <= kGridBits;
    const Integer scaled = exact ? value.numerator().shifted_left(kGridBits - value.exponent())
                                 : value.numerator().shifted_right(value.exponent() - kGridBits);
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
    if (scaled > Integer(kFar)) return 2 * kFar + 3;
    if (scaled < Integer(-kFar)) return -2 * kFar - 1;
    return 2 * scaled.small() + (exact ? 0 : 1);
}

std::uint32_t Numbers::id(const Dyadic& value) {
    const auto key = key_of(value);
    const auto near = near_zero(0, key);
    if (near != nullptr && *near != kUnmet) return *near;
    const auto [at, fresh] = ids_.try_emplace(value, static_cast<std::uint32_t>(held_.size()));
    if (fresh) {
        held_.push_back({value, key});
        bytes_ += 2 * sizeof(Held) + 64 + 2 * value.numerator().bytes_on_heap();
        if (near != nullptr) *near = at->second;
    }
    return at->second;
}

}  // namespace zermelo::cgt
