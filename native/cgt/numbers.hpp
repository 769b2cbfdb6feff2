// The dyadic numbers that games have met, each held once, with a key that settles nearly every comparison.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cgt/dyadic.hpp"

namespace zermelo::cgt {

class Numbers {
public:
    static constexpr std::uint32_t zero = 0;

    Numbers() { id(Dyadic(0)); }

    std::uint32_t id(const Dyadic& value);
    const Dyadic& operator[](std::uint32_t number) const { return held_[number].value; }
    std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
        if (a == zero) return b;
        if (b == zero) return a;
        return id(held_[a].value + held_[b].value);
    }
    std::uint32_t negative(std::uint32_t a) { return a == zero ? zero : id(-held_[a].value); }
    bool less(std::uint32_t a, std::uint32_t b) const {
        const auto x = held_[a].key;
        const auto y = held_[b].key;
        // Equal odd keys are two numbers rounded to one place of the grid.
        return x != y || (x & 1) == 0 ? x < y : held_[a].value < held_[b].value;
    }
    std::size_t size() const { return held_.size(); }
    std::size_t bytes() const { return bytes_; }

private:
    struct Held {
        Dyadic value;
        std::int64_t key;  // twice the floor on a fixed grid, and one more if that is not exact
    };
    struct Hash {
        std::size_t operator()(const Dyadic& value) const { return value.hash(); }
    };
    static std::int64_t key_of(const Dyadic& value);

    std::vector<Held> held_;
    std::unordered_map<Dyadic, std::uint32_t, Hash> ids_;
    std::size_t bytes_ = 0;
};

}  // namespace zermelo::cgt
