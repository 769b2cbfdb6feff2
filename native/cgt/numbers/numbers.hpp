// The dyadic numbers that games have met, each held once, with a key that settles nearly every comparison.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cgt/numbers/dyadic.hpp"

namespace zermelo::cgt {

class Numbers {
public:
    static constexpr std::uint32_t zero = 0;

    Numbers();

    std::uint32_t id(const Dyadic& value);
    const Dyadic& operator[](std::uint32_t number) const { return held_[number].value; }
    std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
        if (a == zero) return b;
        if (b == zero) return a;
        const auto near = near_zero(held_[a].key, held_[b].key);
        return near != nullptr && *near != kUnmet ? *near : id(held_[a].value + held_[b].value);
    }
    std::uint32_t negative(std::uint32_t a) {
        const auto near = near_zero(0, -held_[a].key);
        return near != nullptr && *near != kUnmet ? *near : id(-held_[a].value);
    }
    bool less(std::uint32_t a, std::uint32_t b) const {
        const auto x = held_[a].key;
        const auto y = held_[b].key;
        // Equal odd keys are two numbers rounded to one place of the grid.
        return x != y || (x & 1) == 0 ? x < y : held_[a].value < held_[b].value;
    }
    std::size_t size() const { return held_.size(); }
    std::size_t bytes() const { return bytes_; }

private:
    static constexpr std::uint32_t kGridBits = 20;

    struct Held {
        Dyadic value;
        std::int64_t key;  // twice the floor on a fixed grid, and one more if that is not exact
    };
    struct Hash {
        std::size_t operator()(const Dyadic& value) const { return value.hash(); }
    };
    static std::int64_t key_of(const Dyadic& value);

    // Eighths between -256 and 256, where most numbers are, are found by their keys without a look at their values.
    static constexpr std::uint32_t kUnmet = 0xffffffffu;
    static constexpr std::uint32_t kEighth = kGridBits + 1 - 3;
    static constexpr std::int64_t kNear = 256 * 8;
    // Where the id of the number with the sum of two keys stands, if it is one of those; null for others.
    std::uint32_t* near_zero(std::int64_t a, std::int64_t b) {
        constexpr std::int64_t bound = kNear << kEighth;
        if (((a | b) & 1) != 0) return nullptr;  // rounded: two such keys may add up to that of another number
        if (a <= -bound || a >= bound || b <= -bound || b >= bound) return nullptr;
        const std::int64_t key = a + b;
        if (key <= -bound || key >= bound || (key & ((std::int64_t{1} << kEighth) - 1)) != 0) return nullptr;
        return &near_[static_cast<std::size_t>((key >> kEighth) + kNear)];
    }

    std::vector<Held> held_;
    std::unordered_map<Dyadic, std::uint32_t, Hash> ids_;
    std::vector<std::uint32_t> near_ = std::vector<std::uint32_t>(2 * kNear, kUnmet);
    std::size_t bytes_ = 2 * kNear * sizeof(std::uint32_t);
};

}  // namespace zermelo::cgt
