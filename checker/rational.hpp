// Exact numbers of any size for the proofs that count with them: programs, expectations, equilibria.
//
// A number is kept in lowest terms. As long as both parts fit into 64 bits they are; that is nearly always, and fast.
// Longer ones are bounded in length and in the work that one certificate may cause, so that a file whose numbers grow
// and grow is refused.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exact.hpp"

namespace checker {

class Rational {
public:
    Rational(std::int64_t number = 0);
    // Of a text `p` or `p/q` whose form was looked at, perhaps with a sign.
    static Rational of(std::string_view text);
    // Lets the next certificate begin with all of its work.
    static void begin_work();

    int sign() const;
    bool whole() const;
    Rational above() const;  // the numerator, with the sign
    Rational below() const;  // the denominator
    Rational floor() const;
    Rational ceil() const { return -(-*this).floor(); }
    Rational size() const { return sign() < 0 ? -*this : *this; }
    // A whole number of at most 62 bits, as itself.
    std::optional<std::int64_t> small() const;
    std::string text() const;

    Rational operator-() const;
    Rational operator+(const Rational& other) const {
        std::int64_t sum;
        if (is_word() && other.is_word() && !__builtin_add_overflow(over_, other.over_, &sum) && fits(sum)) return sum;
        return sum_with(other, false);
    }
    Rational operator-(const Rational& other) const {
        std::int64_t rest;
        if (is_word() && other.is_word() && !__builtin_sub_overflow(over_, other.over_, &rest) && fits(rest))
            return rest;
        return sum_with(other, true);
    }
    Rational operator*(const Rational& other) const {
        std::int64_t product;
        if (is_word() && other.is_word() && !__builtin_mul_overflow(over_, other.over_, &product) && fits(product))
            return product;
        return product_with(other);
    }
    Rational operator/(const Rational& other) const;  // which is not 0
    Rational& operator+=(const Rational& other) { return *this = *this + other; }
    Rational& operator-=(const Rational& other) { return *this = *this - other; }
    bool operator==(const Rational& other) const { return (*this <=> other) == 0; }
    std::strong_ordering operator<=>(const Rational& other) const {
        return is_word() && other.is_word() ? over_ <=> other.over_ : compared(other);
    }
    static Rational common_divisor(const Rational& one, const Rational& other);  // of whole numbers

private:
    struct Wide {
        bool minus;
        Natural over, under;
    };
    static constexpr std::int64_t kMost = std::int64_t{1} << 62;
    static bool fits(std::int64_t number) { return -kMost < number && number < kMost; }
    bool is_word() const { return under_ == 1; }
    Wide wide() const;
    static Rational made(Wide wide);  // in lowest terms already
    static Rational reduced(Wide wide);
    Rational sum_with(const Rational& other, bool turned) const;
    Rational product_with(const Rational& other) const;
    std::strong_ordering compared(const Rational& other) const;

    std::int64_t over_, under_ = 1;     // under_ is 0 where the number is wide
    std::shared_ptr<const Wide> wide_;  // so that copies cost nothing
};

// The least common multiple of the denominators over the greatest common divisor of the numerators: what makes
// coefficients whole, without a common divisor.
Rational whole_scale(const std::vector<std::pair<int, Rational>>& terms);

}  // namespace checker
