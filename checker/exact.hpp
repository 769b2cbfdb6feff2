// Whole numbers and fractions of any size, as far as a checker needs them: scores are compared, and averages taken
// where chance moves. Nothing is rounded.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace checker {

// A whole number from 0 on: digits to the base 2^32, the lowest first, none of them a leading zero.
class Natural {
public:
    Natural(std::uint64_t number = 0) {
        for (; number; number >>= 32) digits_.push_back(static_cast<std::uint32_t>(number));
    }
    static Natural decimal(std::string_view text) {
        Natural made;
        for (std::size_t at = 0; at < text.size();) {
            std::uint64_t some = 0, power = 1;  // of up to nine digits
            for (; power < 1'000'000'000 && at < text.size(); power *= 10)
                some = some * 10 + static_cast<std::uint64_t>(text[at++] - '0');
            made = made * Natural(power) + Natural(some);
        }
        return made;
    }
    bool zero() const { return digits_.empty(); }
    bool even() const { return digits_.empty() || digits_[0] % 2 == 0; }
    bool operator==(const Natural&) const = default;
    bool operator<(const Natural& other) const {
        if (digits_.size() != other.digits_.size()) return digits_.size() < other.digits_.size();
        return std::lexicographical_compare(digits_.rbegin(), digits_.rend(), other.digits_.rbegin(),
                                            other.digits_.rend());
    }
    Natural operator+(const Natural& other) const {
        Natural sum;
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < std::max(digits_.size(), other.digits_.size()) || carry; ++i, carry >>= 32) {
            carry += digit(i);
            carry += other.digit(i);
            sum.digits_.push_back(static_cast<std::uint32_t>(carry));
        }
        return sum;
    }
    Natural operator-(const Natural& smaller) const {  // which must not be larger
        Natural rest;
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            const auto taken = smaller.digit(i) + borrow;
            rest.digits_.push_back(static_cast<std::uint32_t>(digit(i) - taken));
            borrow = digit(i) < taken;
        }
        return rest.trimmed();
    }
    Natural operator*(const Natural& other) const {
        Natural product;
        product.digits_.assign(digits_.size() + other.digits_.size(), 0);
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; j < other.digits_.size() || carry; ++j, carry >>= 32) {
                carry += product.digits_[i + j];
                carry += std::uint64_t{digits_[i]} * other.digit(j);
                product.digits_[i + j] = static_cast<std::uint32_t>(carry);
            }
        }
        return product.trimmed();
    }
    // How often another number, which is not 0, goes into this one, and what is left.
    std::pair<Natural, Natural> divided(const Natural& other) const;
    std::string decimal() const;
    std::size_t size() const { return digits_.size(); }
    // The number itself if it is below 2^64, else what is left of it there.
    std::uint64_t low() const { return digit(0) | digit(1) << 32; }
    Natural half() const {
        Natural made = *this;
        for (std::size_t i = 0; i < digits_.size(); ++i)
            made.digits_[i] = digits_[i] >> 1 | static_cast<std::uint32_t>((digit(i + 1) & 1) << 31);
        return made.trimmed();
    }
    std::size_t bits() const {
        return digits_.empty() ? 0 : 32 * digits_.size() - std::size_t(std::countl_zero(digits_.back()));
    }
    // How often 2 divides it; of 0 never.
    std::size_t twos() const {
        std::size_t at = 0;
        while (at < digits_.size() && !digits_[at]) ++at;
        return at == digits_.size() ? 0 : 32 * at + std::size_t(std::countr_zero(digits_[at]));
    }
    Natural shifted_up(std::size_t by) const {
        if (zero()) return {};
        Natural made;
        made.digits_.assign(by / 32, 0);
        for (std::size_t i = 0; i <= digits_.size(); ++i)
            made.digits_.push_back(
                static_cast<std::uint32_t>((digit(i) << 32 | (i ? digit(i - 1) : 0)) >> (32 - by % 32)));
        return made.trimmed();
    }
    Natural shifted_down(std::size_t by) const {  // what is left of the point
        Natural made;
        for (std::size_t i = by / 32; i < digits_.size(); ++i)
            made.digits_.push_back(static_cast<std::uint32_t>((digit(i + 1) << 32 | digit(i)) >> by % 32));
        return made.trimmed();
    }
    Natural operator^(const Natural& other) const {
        Natural made;
        for (std::size_t i = 0; i < std::max(digits_.size(), other.digits_.size()); ++i)
            made.digits_.push_back(static_cast<std::uint32_t>(digit(i) ^ other.digit(i)));
        return made.trimmed();
    }
    // The quotient, and the rest in the place of the number.
    static Natural quotient(Natural& number, const Natural& divisor) {
        auto [whole, rest] = number.divided(divisor);
        number = std::move(rest);
        return whole;
    }
    // The greatest common divisor, by halving and subtracting (Stein 1967).
    static Natural divisor(Natural one, Natural other) {
        if (one.zero() || other.zero()) return one.zero() ? other : one;
        const auto twos = std::min(one.twos(), other.twos());
        other = other.shifted_down(other.twos());
        while (!one.zero()) {
            one = one.shifted_down(one.twos());
            if (one < other) std::swap(one, other);
            one = one - other;
        }
        return other.shifted_up(twos);
    }

private:
    std::uint64_t digit(std::size_t at) const { return at < digits_.size() ? digits_[at] : 0; }
    Natural& trimmed() {
        while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
        return *this;
    }
    std::vector<std::uint32_t> digits_;
};

// A fraction in lowest terms where an average was taken; signs and zeros are compared by value.
class Fraction {
public:
    Fraction(std::int64_t number = 0)
        : minus_(number < 0), over_(number < 0 ? 0 - static_cast<std::uint64_t>(number) : std::uint64_t(number)) {}
    // Of a text `p` or `p/q` whose form was looked at.
    static Fraction of(std::string_view text) {
        Fraction made;
        made.minus_ = text.starts_with("-");
        text.remove_prefix(made.minus_ ? 1 : 0);
        const auto bar = text.find('/');
        made.over_ = Natural::decimal(text.substr(0, bar));
        if (bar != std::string_view::npos) made.under_ = Natural::decimal(text.substr(bar + 1));
        return made;
    }
    bool operator<(const Fraction& other) const {
        const auto left = over_ * other.under_, right = other.over_ * under_;
        if (left.zero() && right.zero()) return false;
        const bool minus = minus_ && !left.zero(), other_minus = other.minus_ && !right.zero();
        if (minus != other_minus) return minus;
        return minus ? right < left : left < right;
    }
    Fraction operator+(const Fraction& other) const {
        Fraction sum;
        sum.under_ = under_ == other.under_ ? under_ : under_ * other.under_;
        const auto left = under_ == other.under_ ? over_ : over_ * other.under_;
        const auto right = under_ == other.under_ ? other.over_ : other.over_ * under_;
        sum.minus_ = minus_;
        if (minus_ == other.minus_) sum.over_ = left + right;
        else if (right < left) sum.over_ = left - right;
        else sum.over_ = right - left, sum.minus_ = other.minus_;
        return sum;
    }
    Fraction divided(std::uint64_t parts) const {
        Fraction made = *this;
        made.under_ = under_ * Natural(parts);
        return made.reduced();
    }

private:
    Fraction& reduced() {
        const auto common = Natural::divisor(over_, under_);
        if (common == Natural(1)) return *this;
        over_ = Natural::quotient(over_, common), under_ = Natural::quotient(under_, common);
        return *this;
    }
    bool minus_ = false;
    Natural over_, under_{1};
};

}  // namespace checker
