// Exact dyadic rationals m / 2^k, the numbers that are short games, and the simplest one of an interval.
//
//     Dyadic half(1, 1);
//     half + half == Dyadic(1);
//     simplest({Dyadic(1, 2), false}, {Dyadic(3), false});       // 1: the earliest born strictly between 1/4 and 3
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "cgt/numbers/integer.hpp"

namespace zermelo::cgt {

class Dyadic {
public:
    Dyadic(Integer numerator = 0, std::uint32_t exponent = 0) : numerator_(std::move(numerator)), exponent_(exponent) {
        reduce();
    }
    Dyadic(std::int64_t numerator) : numerator_(numerator), exponent_(0) {}  // NOLINT: an integer is a dyadic
    Dyadic(int numerator) : numerator_(numerator), exponent_(0) {}           // NOLINT

    const Integer& numerator() const { return numerator_; }
    std::uint32_t exponent() const {
        return exponent_;
    }  // of the denominator; 0 for integers, otherwise the numerator is odd
    bool is_integer() const { return exponent_ == 0; }
    int sign() const { return numerator_.sign(); }

    Dyadic operator-() const { return {-numerator_, exponent_}; }
    Dyadic operator+(const Dyadic& other) const {
        if (exponent_ == other.exponent_) return {numerator_ + other.numerator_, exponent_};
        return exponent_ > other.exponent_ ? add_coarser(other) : other.add_coarser(*this);
    }
    Dyadic operator-(const Dyadic& other) const { return *this + -other; }
    Dyadic halved() const { return {numerator_, checked_sum(exponent_, 1)}; }
    Integer floor() const { return numerator_.shifted_right(exponent_); }

    std::strong_ordering operator<=>(const Dyadic& other) const {
        if (exponent_ == other.exponent_) return numerator_ <=> other.numerator_;
        if (exponent_ > other.exponent_)
            return numerator_ <=> other.numerator_.shifted_left(exponent_ - other.exponent_);
        return numerator_.shifted_left(other.exponent_ - exponent_) <=> other.numerator_;
    }
    bool operator==(const Dyadic& other) const {
        return exponent_ == other.exponent_ && numerator_ == other.numerator_;
    }

    std::size_t hash() const { return numerator_.hash() * 31 + exponent_; }
    // m or m/d in decimal.
    std::string text() const {
        return exponent_ == 0 ? numerator_.decimal()
                              : numerator_.decimal() + "/" + Integer(1).shifted_left(exponent_).decimal();
    }

private:
    static std::uint32_t checked_sum(std::uint32_t a, std::uint32_t b) {
        if (b > std::numeric_limits<std::uint32_t>::max() - a)
            throw std::overflow_error("a denominator beyond 2^(2^32)");
        return a + b;
    }
    Dyadic add_coarser(const Dyadic& other) const {
        return {numerator_ + other.numerator_.shifted_left(exponent_ - other.exponent_), exponent_};
    }
    void reduce() {
        if (exponent_ == 0) return;
        if (numerator_.sign() == 0) {
            exponent_ = 0;
            return;
        }
        const auto common = std::min(exponent_, numerator_.trailing_zeros());
        if (common == 0) return;
        numerator_ = numerator_.shifted_right(common);
        exponent_ -= common;
    }

    Integer numerator_;
    std::uint32_t exponent_;
};

// An end of an interval.
struct Bound {
    Dyadic at;
    bool included;
};

namespace detail {

// The simplest number of an interval without zero whose lower end is not negative.
inline Dyadic simplest_positive(const Bound& low, const std::optional<Bound>& high) {
    const auto below_high = [&](const Dyadic& x) { return !high || x < high->at || (high->included && x == high->at); };
    // A number of the grid of 2^-k that is the first in the interval, on the coarsest grid that has one: the earliest
    // born.
    for (std::uint32_t k = 0;; ++k) {
        const Integer scaled = Dyadic(low.at.numerator().shifted_left(k), low.at.exponent()).floor();
        const Dyadic on_grid(scaled, k);
        const Dyadic first = low.included && on_grid == low.at ? on_grid : Dyadic(scaled + 1, k);
        if (below_high(first)) return first;
    }
}

}  // namespace detail

// Conway's simplicity rule: the earliest born number of a nonempty interval; a missing end is infinite.
inline Dyadic simplest(const std::optional<Bound>& low, const std::optional<Bound>& high) {
    const bool above_low = !low || low->at.sign() < 0 || (low->included && low->at.sign() == 0);
    const bool below_high = !high || high->at.sign() > 0 || (high->included && high->at.sign() == 0);
    if (above_low && below_high) return 0;
    if (!above_low) return detail::simplest_positive(*low, high);
    std::optional<Bound> mirrored;
    if (low) mirrored = Bound{-low->at, low->included};
    return -detail::simplest_positive({-high->at, high->included}, mirrored);
}

}  // namespace zermelo::cgt
