// Whole numbers of any size with a sign, and dyadic rationals: the numbers that games are, and walls of thermographs.
// Small ones, which are nearly all, take no memory of their own.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "exact.hpp"

namespace checker {

class Integer {
public:
    Integer(std::int64_t number = 0) : small_(number) { settle(number < 0, number == INT64_MIN); }
    // Of digits, perhaps with a minus before them.
    static Integer decimal(std::string_view text) {
        const bool minus = text.starts_with("-");
        return {minus, Natural::decimal(text.substr(minus ? 1 : 0))};
    }
    Integer(bool minus, const Natural& size) {
        if (size.bits() < 63) {
            small_ = static_cast<std::int64_t>(size.low()) * (minus ? -1 : 1);
        } else {
            large_ = true, minus_ = minus, size_ = size;
        }
    }
    bool negative() const { return large_ ? minus_ : small_ < 0; }
    bool zero() const { return !large_ && small_ == 0; }
    bool even() const { return large_ ? size_.even() : small_ % 2 == 0; }
    bool fits() const { return !large_; }
    std::int64_t small() const { return small_; }
    Natural size() const {
        return large_ ? size_ : Natural(small_ < 0 ? 0 - static_cast<std::uint64_t>(small_) : std::uint64_t(small_));
    }
    // Words of memory that it is wide, about: what work on it costs.
    std::size_t words() const { return large_ ? 1 + size_.bits() / 32 : 1; }
    bool operator==(const Integer& other) const {
        return large_ == other.large_ &&
               (large_ ? minus_ == other.minus_ && size_ == other.size_ : small_ == other.small_);
    }
    std::strong_ordering operator<=>(const Integer& other) const {
        if (!large_ && !other.large_) return small_ <=> other.small_;
        if (negative() != other.negative()) return other.negative() <=> negative();
        const auto one = size(), two = other.size();
        if (one == two) return std::strong_ordering::equal;
        return (one < two) != negative() ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    Integer operator-() const { return large_ ? Integer(!minus_, size_) : Integer(-small_); }
    Integer operator+(const Integer& other) const {
        if (!large_ && !other.large_) return Integer(small_ + other.small_);  // both are below 2^62
        if (negative() == other.negative()) return {negative(), size() + other.size()};
        const auto one = size(), two = other.size();
        return two < one ? Integer(negative(), one - two) : Integer(other.negative(), two - one);
    }
    Integer operator-(const Integer& other) const { return *this + -other; }
    Integer operator*(const Integer& other) const {
        std::int64_t small = 0;
        if (!large_ && !other.large_ && !__builtin_mul_overflow(small_, other.small_, &small)) return Integer(small);
        return {negative() != other.negative(), size() * other.size()};
    }
    Integer shifted_up(std::size_t by) const {
        if (!large_ && by < 62 && std::abs(small_) < std::int64_t{1} << (61 - by))
            return Integer(small_ * (std::int64_t{1} << by));
        return {negative(), size().shifted_up(by)};
    }
    // The whole number that is at most this over 2 to a power.
    Integer floor_shifted(std::size_t by) const {
        if (!large_) return Integer(small_ >> std::min<std::size_t>(by, 63));
        const auto down = size_.shifted_down(by);
        return minus_ ? Integer(true, size_.twos() < by ? down + Natural(1) : down) : Integer(false, down);
    }
    std::size_t twos() const {
        return large_ ? size_.twos() : small_ ? std::size_t(std::countr_zero(std::uint64_t(small_))) : 0;
    }
    // A division that leaves no rest.
    Integer divided(const Natural& by) const {
        auto left = size();
        auto found = Natural::quotient(left, by);
        return {negative(), found};
    }
    std::string text() const { return (negative() ? "-" : "") + size().decimal(); }

private:
    void settle(bool minus, bool least) {
        const auto size = minus ? 0 - static_cast<std::uint64_t>(small_) : static_cast<std::uint64_t>(small_);
        if (least || size >> 62) large_ = true, minus_ = minus, size_ = Natural(size), small_ = 0;
    }
    std::int64_t small_ = 0;  // of those below 2^62
    bool large_ = false, minus_ = false;
    Natural size_;
};

// A whole number over a power of two, in lowest terms.
class Dyadic {
public:
    Dyadic(std::int64_t number = 0) : over_(number) {}
    Dyadic(Integer over, std::size_t power) : over_(std::move(over)), power_(power) {
        if (power_ == 0) return;
        if (over_.zero()) power_ = 0;
        if (const auto common = std::min(power_, over_.twos())) over_ = over_.floor_shifted(common), power_ -= common;
    }
    bool operator==(const Dyadic&) const = default;
    std::strong_ordering operator<=>(const Dyadic& other) const {
        if (power_ == other.power_) return over_ <=> other.over_;
        const auto most = std::max(power_, other.power_);
        return raised(most) <=> other.raised(most);
    }
    Dyadic operator-() const { return {-over_, power_}; }
    Dyadic operator+(const Dyadic& other) const {
        const auto most = std::max(power_, other.power_);
        return {raised(most) + other.raised(most), most};
    }
    Dyadic operator-(const Dyadic& other) const { return *this + -other; }
    Dyadic times(const Integer& count) const { return {over_ * count, power_}; }
    Dyadic half() const { return {over_, power_ + 1}; }
    bool zero() const { return over_.zero(); }
    bool negative() const { return over_.negative(); }
    bool whole() const { return power_ == 0; }
    // Over 2 to this power it is a whole number.
    std::size_t power() const { return power_; }
    const Integer& over() const { return over_; }
    // The whole number of parts of size 1 / 2^power that is at most this.
    Integer floor(std::size_t power) const {
        return power >= power_ ? over_.shifted_up(power - power_) : over_.floor_shifted(power_ - power);
    }
    std::size_t words() const { return over_.words(); }
    std::string text() const { return over_.text() + (power_ ? "/" + Natural(1).shifted_up(power_).decimal() : ""); }
    std::size_t hash() const {
        return std::hash<std::uint64_t>{}((over_.fits() ? std::uint64_t(over_.small()) : over_.size().low()) * 31 +
                                          power_);
    }

private:
    Integer raised(std::size_t power) const { return over_.shifted_up(power - power_); }
    Integer over_;
    std::size_t power_ = 0;
};

// The number p / q, where q is a power of two in lowest terms; false if it is none.
inline bool dyadic_of(const Integer& over, const Natural& under, Dyadic& found) {
    const auto twos = under.twos();
    const auto odd = under.shifted_down(twos);
    auto rest = over.size();
    const auto whole = Natural::quotient(rest, odd);
    if (!rest.zero()) return false;
    found = Dyadic(Integer(over.negative(), whole), twos);
    return true;
}

}  // namespace checker
