#include "cgt/numbers/integer.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace zermelo::cgt {

Integer Integer::from_limbs(Limbs limbs) {
    const auto superfluous = [](std::uint32_t top, std::uint32_t below) {
        return (top == 0 && (below >> 31) == 0) || (top == 0xffffffffu && (below >> 31) != 0);
    };
    while (limbs.size() > 1 && superfluous(limbs.back(), limbs[limbs.size() - 2])) limbs.pop_back();
    Integer result;
    if (limbs.size() > 2) {
        result.limbs_ = std::move(limbs);
        return result;
    }
    const std::uint64_t low = limbs.empty() ? 0 : limbs[0];
    const std::uint64_t high =
        limbs.size() == 2 ? limbs[1] : (!limbs.empty() && top_negative(limbs) ? 0xffffffffu : 0u);
    result.small_ = static_cast<std::int64_t>(low | high << 32);
    return result;
}

Integer::Limbs Integer::limbs() const {
    if (!is_small()) return limbs_;
    const auto bits = static_cast<std::uint64_t>(small_);
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

Integer Integer::from_bytes(std::span<const std::uint8_t> bytes) {
    const bool below_zero = !bytes.empty() && (bytes.back() >> 7) != 0;
    Limbs limbs(bytes.size() / 4 + 1, below_zero ? 0xffffffffu : 0u);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto shift = static_cast<std::uint32_t>(i % 4 * 8);
        limbs[i / 4] = (limbs[i / 4] & ~(0xffu << shift)) | static_cast<std::uint32_t>(bytes[i]) << shift;
    }
    return from_limbs(std::move(limbs));
}

std::vector<std::uint8_t> Integer::to_bytes() const {
    std::vector<std::uint8_t> bytes;
    for (const auto limb : limbs()) {
        for (std::uint32_t shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(limb >> shift));
    }
    return bytes;
}

std::uint32_t Integer::trailing_zeros() const {
    if (is_small())
        return small_ == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(small_)));
    std::uint32_t limb = 0;
    while (limbs_[limb] == 0) ++limb;
    return limb * 32 + static_cast<std::uint32_t>(std::countr_zero(limbs_[limb]));
}

Integer Integer::operator-() const {
    if (is_small() && small_ != std::numeric_limits<std::int64_t>::min()) return -small_;
    Limbs result = limbs();
    result.push_back(top_negative(result) ? 0xffffffffu : 0u);  // minus the least number needs a bit more
    std::uint64_t carry = 1;
    for (auto& limb : result) {
        const std::uint64_t sum = static_cast<std::uint64_t>(static_cast<std::uint32_t>(~limb)) + carry;
        limb = static_cast<std::uint32_t>(sum);
        carry = sum >> 32;
    }
    return from_limbs(std::move(result));
}

Integer Integer::add_large(const Integer& other) const {
    Limbs a = limbs();
    Limbs b = other.limbs();
    const auto length = std::max(a.size(), b.size()) + 1;
    a.resize(length, top_negative(a) ? 0xffffffffu : 0u);
    b.resize(length, top_negative(b) ? 0xffffffffu : 0u);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < length; ++i) {
        const std::uint64_t sum = static_cast<std::uint64_t>(a[i]) + b[i] + carry;
        a[i] = static_cast<std::uint32_t>(sum);
        carry = sum >> 32;
    }
    return from_limbs(std::move(a));
}

Integer Integer::shifted_left(std::uint32_t bits) const {
    if (is_small()) {
        if (small_ == 0) return 0;
        const auto magnitude = static_cast<std::uint64_t>(small_ < 0 ? ~small_ : small_);
        if (bits < static_cast<std::uint32_t>(std::countl_zero(magnitude)))
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(small_) << bits);
    }
    const Limbs from = limbs();
    const std::uint32_t fill = top_negative(from) ? 0xffffffffu : 0u;
    const std::uint32_t whole = bits / 32;
    const std::uint32_t part = bits % 32;
    Limbs result(from.size() + whole + 1, 0);
    std::uint32_t below = 0;
    for (std::size_t i = 0; i <= from.size(); ++i) {
        const std::uint32_t limb = i < from.size() ? from[i] : fill;
        result[i + whole] = part == 0 ? limb : (limb << part | below >> (32 - part));
        below = limb;
    }
    return from_limbs(std::move(result));
}

Integer Integer::shifted_right(std::uint32_t bits) const {
    if (is_small()) return small_ >> std::min(bits, 63u);
    const std::uint32_t fill = top_negative(limbs_) ? 0xffffffffu : 0u;
    const std::uint32_t whole = bits / 32;
    const std::uint32_t part = bits % 32;
    if (whole >= limbs_.size()) return fill == 0 ? 0 : -1;
    Limbs result(limbs_.size() - whole);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::uint32_t limb = limbs_[i + whole];
        const std::uint32_t above = i + whole + 1 < limbs_.size() ? limbs_[i + whole + 1] : fill;
        result[i] = part == 0 ? limb : (limb >> part | above << (32 - part));
    }
    return from_limbs(std::move(result));
}

std::strong_ordering Integer::compare_large(const Integer& other) const {
    if (negative() != other.negative()) return negative() ? std::strong_ordering::less : std::strong_ordering::greater;
    // Of one sign: the longer one is further from zero, and of one length two's complement is ordered as unsigned
    // numbers are.
    if (limbs_.size() != other.limbs_.size()) {
        return (limbs_.size() < other.limbs_.size()) != negative() ? std::strong_ordering::less
                                                                   : std::strong_ordering::greater;
    }
    return std::lexicographical_compare_three_way(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(),
                                                  other.limbs_.rend());
}

std::size_t Integer::hash() const {
    std::uint64_t h = static_cast<std::uint64_t>(small_) * 0x9e3779b97f4a7c15ull;
    for (const auto limb : limbs_) h = (h ^ limb) * 0xff51afd7ed558ccdull + (h >> 29);
    return h ^ h >> 32;
}

std::string Integer::decimal() const {
    if (is_small()) return std::to_string(small_);
    Limbs magnitude = negative() ? (-*this).limbs() : limbs_;
    std::string digits;
    while (!magnitude.empty()) {
        std::uint64_t remainder = 0;
        for (std::size_t i = magnitude.size(); i-- > 0;) {
            const std::uint64_t value = remainder << 32 | magnitude[i];
            magnitude[i] = static_cast<std::uint32_t>(value / 1000000000u);
            remainder = value % 1000000000u;
        }
        while (!magnitude.empty() && magnitude.back() == 0) magnitude.pop_back();
        for (int digit = 0; digit < 9 && (remainder != 0 || !magnitude.empty()); ++digit) {
            digits.push_back(static_cast<char>('0' + remainder % 10));
            remainder /= 10;
        }
    }
    if (negative()) digits.push_back('-');
    std::reverse(digits.begin(), digits.end());
    return digits;
}

}  // namespace zermelo::cgt
