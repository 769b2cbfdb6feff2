// Whole numbers and fractions of any size, as far as a checker needs them: scores are compared, and averages taken
// where chance moves. Nothing is rounded.
#pragma once

#include <algorithm>
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
    // The number itself, if it is below 2^64.
    std::uint64_t low() const { return digit(0) | digit(1) << 32; }
    Natural half() const {
        Natural made = *this;
        for (std::size_t i = 0; i < digits_.size(); ++i)
            made.digits_[i] = digits_[i] >> 1 | static_cast<std::uint32_t>((digit(i + 1) & 1) << 31);
        return made.trimmed();
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
        auto common = divisor(over_, under_);
        if (common == Natural(1)) return *this;
        over_ = quotient(over_, common), under_ = quotient(under_, common);
        return *this;
    }
    // The greatest common divisor, by halving and subtracting (Stein 1967).
    static Natural divisor(Natural one, Natural other) {
        if (one.zero()) return other;
        std::size_t twos = 0;
        while (one.even() && other.even()) one = one.half(), other = other.half(), ++twos;
        while (!one.zero()) {
            while (one.even()) one = one.half();
            while (other.even()) other = other.half();
            if (one < other) std::swap(one, other);
            one = one - other;
        }
        for (; twos; --twos) other = other + other;
        return other;
    }
    // A division without rest: by doubling the divisor as long as it fits, and back.
    static Natural quotient(Natural number, const Natural& divisor) {
        std::vector<Natural> doubled{divisor};
        while (!(number < doubled.back())) doubled.push_back(doubled.back() + doubled.back());
        Natural result;
        for (auto at = doubled.rbegin(); at != doubled.rend(); ++at) {
            result = result + result;
            if (!(number < *at)) number = number - *at, result = result + Natural(1);
        }
        return result;
    }
    bool minus_ = false;
    Natural over_, under_{1};
};

}  // namespace checker
