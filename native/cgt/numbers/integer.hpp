// A signed integer of any size. Nearly all numbers that games meet fit into 64 bits and are held inline; a result that
// does not fit is promoted, and one that fits again comes back, so that equal integers are held alike.
//
//     Integer a = Integer(1).shifted_left(200) - Integer(1);
//     a.decimal();                                   // "1606938044258990275541962092341162602522202993782792835301375"
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace zermelo::cgt {

class Integer {
public:
    Integer(std::int64_t value = 0) : small_(value) {}  // NOLINT: an integer is an Integer
    // Two's complement, least significant byte first, as Python's int.to_bytes(..., "little", signed=True).
    static Integer from_bytes(std::span<const std::uint8_t> bytes);

    bool is_small() const { return limbs_.empty(); }
    std::int64_t small() const { return small_; }  // when is_small()
    bool negative() const { return is_small() ? small_ < 0 : top_negative(limbs_); }
    bool odd() const { return ((is_small() ? static_cast<std::uint64_t>(small_) : limbs_[0]) & 1) != 0; }
    int sign() const { return negative() ? -1 : (is_small() && small_ == 0 ? 0 : 1); }
    // How often two divides it; 0 for zero.
    std::uint32_t trailing_zeros() const;

    Integer operator-() const;
    Integer operator+(const Integer& other) const {
        std::int64_t sum = 0;
        if (is_small() && other.is_small() && !__builtin_add_overflow(small_, other.small_, &sum)) return sum;
        return add_large(other);
    }
    Integer operator-(const Integer& other) const {
        std::int64_t difference = 0;
        if (is_small() && other.is_small() && !__builtin_sub_overflow(small_, other.small_, &difference))
            return difference;
        return add_large(-other);
    }
    Integer shifted_left(std::uint32_t bits) const;
    // Rounds towards minus infinity.
    Integer shifted_right(std::uint32_t bits) const;

    std::strong_ordering operator<=>(const Integer& other) const {
        if (is_small() && other.is_small()) return small_ <=> other.small_;
        return compare_large(other);
    }
    bool operator==(const Integer& other) const { return small_ == other.small_ && limbs_ == other.limbs_; }

    std::size_t hash() const;
    std::size_t bytes_on_heap() const { return limbs_.capacity() * sizeof(std::uint32_t); }
    std::vector<std::uint8_t> to_bytes() const;
    std::string decimal() const;

private:
    using Limbs = std::vector<std::uint32_t>;  // two's complement, least significant first, no superfluous top limb

    static bool top_negative(const Limbs& limbs) { return (limbs.back() >> 31) != 0; }
    static Integer from_limbs(Limbs limbs);
    Limbs limbs() const;
    Integer add_large(const Integer& other) const;
    std::strong_ordering compare_large(const Integer& other) const;

    std::int64_t small_;  // 0 when limbs_ are in use
    Limbs limbs_;         // more than 64 bits, or empty
};

}  // namespace zermelo::cgt
