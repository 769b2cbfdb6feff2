// What is known of sums that have been met: a lower and an upper bound on each, relative to its numbers.
//
// A sum is its hot components in order, equal ones counted, and who is to move; whole keys are compared, so nothing
// rests on a hash. A key is written in halves of words: a component up to three times, then by a mark, itself and a
// count. The table doubles while its budget lasts, then replaces the entry of a bucket that was cheapest to find.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "cgt/sums/problem.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::sums {

template <class T>
class IntervalTable {
public:
    struct Entry {
        T lower, upper;
        std::uint32_t length_and_side = 0;  // of the key; 0: nobody's
        std::uint32_t effort = 0;           // nodes it took, about
        std::uint32_t hash = 0;             // seen first, to pass by most others
        std::uint32_t best = kNone;         // the option that was best, numbered as in the forest
        bool empty() const { return length_and_side == 0; }
    };
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    // Keys of at most `longest` components out of so many kinds.
    IntervalTable(std::size_t longest, Id kinds, std::uint64_t bytes, Control& control)
        : control_(control), halves_(kinds > kMark ? 2 : 1),
          stride_(std::max<std::size_t>(
              1, std::min<std::size_t>(longest * halves_, std::size_t{kinds} * (2 * halves_ + 2)))) {
        most_ = kBucket;
        while (most_ * 2 * slot_bytes() <= bytes) most_ *= 2;
        resize(std::min<std::uint64_t>(most_, kFirst));
    }
    IntervalTable(const IntervalTable&) = delete;
    IntervalTable& operator=(const IntervalTable&) = delete;
    ~IntervalTable() { control_.charge(-static_cast<std::int64_t>(entries_.size() * slot_bytes())); }

    const Entry* find(std::span<const Part> key, std::uint64_t hash, bool left_moves) const {
        const std::size_t bucket = bucket_of(hash, left_moves);
        for (std::size_t slot = bucket; slot < bucket + kBucket; ++slot)
            if (matches(slot, key, hash, left_moves)) return &entries_[slot];
        return nullptr;
    }
    // Narrows what is known.
    void put(std::span<const Part> key, std::uint64_t hash, bool left_moves, const T& lower, const T& upper,
             std::uint32_t best, std::uint32_t effort) {
        if (used_ * 4 > entries_.size() * 3 && entries_.size() < most_) grow();
        const std::size_t bucket = bucket_of(hash, left_moves);
        std::size_t victim = bucket;
        for (std::size_t slot = bucket; slot < bucket + kBucket; ++slot) {
            if (entries_[slot].empty()) {
                victim = slot;
                ++used_;
                break;
            }
            if (matches(slot, key, hash, left_moves)) {
                Entry& entry = entries_[slot];
                if (lower > entry.lower) entry.lower = lower;
                if (upper < entry.upper) entry.upper = upper;
                if (best != kNone) entry.best = best;
                entry.effort = std::max(entry.effort, effort);
                return;
            }
            if (entries_[slot].effort < entries_[victim].effort) victim = slot;
        }
        entries_[victim] = {
            lower, upper, length_and_side(key, left_moves), effort, static_cast<std::uint32_t>(hash >> 32), best};
        write(victim, key);
    }
    std::uint64_t used() const { return used_; }

private:
    static constexpr std::size_t kBucket = 4;
    static constexpr std::uint64_t kFirst = 1024;
    static constexpr Id kMark = 0xffff;                // no component of a table with short keys has this number
    static constexpr std::uint32_t kMostRepeated = 3;  // beyond it a count takes no more room

    std::uint64_t slot_bytes() const { return sizeof(Entry) + stride_ * sizeof(std::uint16_t); }
    std::size_t bucket_of(std::uint64_t hash, bool left_moves) const {
        hash = (hash + (left_moves ? 1 : 0)) * 0x9e3779b97f4a7c15ull;
        return static_cast<std::size_t>(hash >> 20) & (entries_.size() - 1) & ~(kBucket - 1);
    }
    bool matches(std::size_t slot, std::span<const Part> key, std::uint64_t hash, bool left_moves) const {
        const Entry& entry = entries_[slot];
        if (entry.hash != static_cast<std::uint32_t>(hash >> 32)) return false;
        if (entry.length_and_side != length_and_side(key, left_moves)) return false;
        const std::uint16_t* at = keys_.data() + slot * stride_;
        for (const auto& [kind, count] : key) {
            if (count <= kMostRepeated) {
                for (std::uint32_t i = 0; i < count; ++i, at += halves_)
                    if (!reads(at, kind)) return false;
            } else {
                if (!reads(at, mark_) || !reads(at + halves_, kind) || wide(at + 2 * halves_) != count) return false;
                at += 2 * halves_ + 2;
            }
        }
        return true;
    }
    void write(std::size_t slot, std::span<const Part> key) {
        std::uint16_t* at = keys_.data() + slot * stride_;
        const auto put = [&](std::uint32_t number, std::size_t halves) {
            *at++ = static_cast<std::uint16_t>(number & 0xffff);
            if (halves == 2) *at++ = static_cast<std::uint16_t>(number >> 16);
        };
        for (const auto& [kind, count] : key) {
            if (count <= kMostRepeated) {
                for (std::uint32_t i = 0; i < count; ++i) put(kind, halves_);
            } else {
                put(mark_, halves_);
                put(kind, halves_);
                put(count, 2);
            }
        }
    }
    static std::uint32_t wide(const std::uint16_t* at) { return std::uint32_t{at[0]} | std::uint32_t{at[1]} << 16; }
    Id kind_at(const std::uint16_t* at) const { return halves_ == 1 ? Id{at[0]} : wide(at); }
    bool reads(const std::uint16_t* at, Id kind) const { return kind_at(at) == kind; }
    std::uint32_t length_and_side(std::span<const Part> key, bool left_moves) const {
        std::size_t length = 0;
        for (const Part& part : key) length += part.count <= kMostRepeated ? part.count * halves_ : 2 * halves_ + 2;
        return static_cast<std::uint32_t>(2 * length + (left_moves ? 1 : 0)) + 2;
    }
    // What the marks of the components of a key add up to.
    std::uint64_t summed(const std::uint16_t* at, std::size_t length) const {
        std::uint64_t hash = 0;
        for (const auto* const end = at + length; at != end;) {
            const bool counted = reads(at, mark_);
            hash += counted ? mark(kind_at(at + halves_)) * wide(at + 2 * halves_) : mark(kind_at(at));
            at += counted ? 2 * halves_ + 2 : halves_;
        }
        return hash;
    }
    void resize(std::uint64_t slots) {
        control_.charge(static_cast<std::int64_t>(slots * slot_bytes()));
        entries_.resize(static_cast<std::size_t>(slots));
        keys_.resize(static_cast<std::size_t>(slots) * stride_);
    }
    // A larger table is made beside the old one; where there is no room for both, the old one is the largest there will
    // be.
    void grow() {
        const std::uint64_t slots = entries_.size() * 2;
        if (control_.room() < slots * slot_bytes()) {
            most_ = entries_.size();
            return;
        }
        std::vector<Entry> old_entries;
        std::vector<std::uint16_t> old_keys;
        old_entries.swap(entries_);
        old_keys.swap(keys_);
        resize(slots);
        // The full hash is not kept: it is added up again from the marks of the components.
        used_ = 0;
        for (std::size_t slot = 0; slot < old_entries.size(); ++slot) {
            if (old_entries[slot].empty()) continue;
            const std::size_t length = (old_entries[slot].length_and_side - 2) / 2;
            const std::uint64_t hash = summed(old_keys.data() + slot * stride_, length);
            const std::size_t bucket = bucket_of(hash, old_entries[slot].length_and_side % 2 == 1);
            for (std::size_t to = bucket; to < bucket + kBucket; ++to)
                if (entries_[to].empty()) {
                    entries_[to] = std::move(old_entries[slot]);
                    std::copy_n(old_keys.data() + slot * stride_, length, keys_.data() + to * stride_);
                    ++used_;
                    break;
                }
        }
        control_.charge(-static_cast<std::int64_t>(old_entries.size() * slot_bytes()));
    }

    Control& control_;
    std::size_t halves_, stride_;
    const Id mark_ = halves_ == 1 ? kMark : ~Id{0};
    std::uint64_t most_ = 0, used_ = 0;
    std::vector<Entry> entries_;
    std::vector<std::uint16_t> keys_;
};

}  // namespace zermelo::cgt::sums
