// What the search needs of a number: it is a template over 64 bits, 128 bits (where every sum that can arise provably
// fits) and integers of any size.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cgt/numbers/integer.hpp"

namespace zermelo::cgt::sums {

__extension__ typedef __int128 Wide;

template <class T>
struct NumberOf;

template <>
struct NumberOf<std::int64_t> {
    static constexpr unsigned bits = 63;
    static std::int64_t from(const Integer& number) { return number.small(); }
    static Integer integer(std::int64_t number) { return number; }
    static double approximate(std::int64_t number) { return static_cast<double>(number); }
};

template <>
struct NumberOf<Wide> {
    static constexpr unsigned bits = 127;
    static Wide from(const Integer& number) {
        Wide made = number.negative() ? -1 : 0;
        const auto bytes = number.to_bytes();
        for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) made = made * 256 + *byte;
        return made;
    }
    static double approximate(Wide number) { return static_cast<double>(number); }
    static Integer integer(Wide number) {
        const auto low = static_cast<std::uint64_t>(number);
        const Integer high(static_cast<std::int64_t>(number >> 64));
        return high.shifted_left(64) + Integer(static_cast<std::int64_t>(low >> 32)).shifted_left(32) +
               Integer(static_cast<std::int64_t>(low & 0xffffffffu));
    }
};

template <>
struct NumberOf<Integer> {
    static constexpr unsigned bits = ~0u;
    static Integer from(const Integer& number) { return number; }
    static Integer integer(const Integer& number) { return number; }
    static double approximate(const Integer& number) {  // beyond all doubles infinite
        const auto bytes = number.to_bytes();
        double made = number.negative() ? -1 : 0;
        for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) made = made * 256 + *byte;
        return made;
    }
};

template <class T>
bool is_odd(const T& number) {
    if constexpr (std::is_same_v<T, Integer>) return number.odd();
    else return (number & 1) != 0;
}

// Towards minus infinity.
template <class T>
T halved(const T& number, unsigned times) {
    if constexpr (std::is_same_v<T, Integer>) return number.shifted_right(times);
    else return number >> times;
}

template <class T>
T doubled(const T& number, unsigned times) {
    if constexpr (std::is_same_v<T, Integer>) return number.shifted_left(times);
    else return static_cast<T>(number * (T(1) << times));
}

// By doubling and adding: numbers of any size know no other product.
template <class T>
T multiple(const T& number, std::uint32_t count) {
    if (count == 1) return number;
    T total(0), power = number;
    for (; count != 0; count >>= 1) {
        if ((count & 1) != 0) total = total + power;
        if (count > 1) power = power + power;
    }
    return total;
}

// The greatest multiple of 2^times that is not above, the least that is not below.
template <class T>
T rounded_down(const T& number, unsigned times) {
    return times == 0 ? number : doubled(halved(number, times), times);
}
template <class T>
T rounded_up(const T& number, unsigned times) {
    return times == 0 ? number : T(0) - rounded_down<T>(T(0) - number, times);
}

}  // namespace zermelo::cgt::sums
