// What is known of sums that have been met: a lower and an upper bound on each, relative to its numbers.
//
// A sum is its hot components in order, and who is to move; whole keys are compared, so nothing rests on a hash. The table doubles
// while its budget lasts, then replaces the entry of a bucket that was cheapest to find.
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
        std::uint32_t count_and_side = 0;  // 0: nobody's
        std::uint32_t effort = 0;          // nodes it took, about
        std::uint32_t hash = 0;            // seen first, to pass by most others
        std::uint32_t best = kNone;        // the option that was best, numbered as in the forest
        bool empty() const { return count_and_side == 0; }
    };
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    // Keys of at most `longest` components out of so many kinds.
    IntervalTable(std::size_t longest, Id kinds, std::uint64_t bytes, Control& control)
        : control_(control), halves_(kinds > 0x10000 ? 2 : 1), stride_(std::max<std::size_t>(1, longest * halves_)) {
        most_ = kBucket;
        while (most_ * 2 * slot_bytes() <= bytes) most_ *= 2;
        resize(std::min<std::uint64_t>(most_, kFirst));
    }
    IntervalTable(const IntervalTable&) = delete;
    IntervalTable& operator=(const IntervalTable&) = delete;
    ~IntervalTable() { control_.charge(-static_cast<std::int64_t>(entries_.size() * slot_bytes())); }

    const Entry* find(std::span<const Id> key, std::uint64_t hash, bool left_moves) const {
        const std::size_t bucket = bucket_of(hash, left_moves);
        for (std::size_t slot = bucket; slot < bucket + kBucket; ++slot)
            if (matches(slot, key, hash, left_moves)) return &entries_[slot];
        return nullptr;
    }
    // Narrows what is known.
    void put(std::span<const Id> key, std::uint64_t hash, bool left_moves, const T& lower, const T& upper, std::uint32_t best, std::uint32_t effort) {
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
        entries_[victim] = {lower, upper, static_cast<std::uint32_t>(2 * key.size() + (left_moves ? 1 : 0)) + 2, effort, static_cast<std::uint32_t>(hash >> 32), best};
        write(victim, key);
    }
    std::uint64_t used() const { return used_; }

private:
    static constexpr std::size_t kBucket = 4;
    static constexpr std::uint64_t kFirst = 1024;

    std::uint64_t slot_bytes() const { return sizeof(Entry) + stride_ * sizeof(std::uint16_t); }
    std::size_t bucket_of(std::uint64_t hash, bool left_moves) const {
        hash = (hash + (left_moves ? 1 : 0)) * 0x9e3779b97f4a7c15ull;
        return static_cast<std::size_t>(hash >> 20) & (entries_.size() - 1) & ~(kBucket - 1);
    }
    bool matches(std::size_t slot, std::span<const Id> key, std::uint64_t hash, bool left_moves) const {
        const Entry& entry = entries_[slot];
        if (entry.hash != static_cast<std::uint32_t>(hash >> 32)) return false;
        if (entry.count_and_side != static_cast<std::uint32_t>(2 * key.size() + (left_moves ? 1 : 0)) + 2) return false;
        const std::uint16_t* at = keys_.data() + slot * stride_;
        if (halves_ == 1) return std::equal(key.begin(), key.end(), at, [](Id id, std::uint16_t half) { return id == half; });
        for (const Id id : key) {
            if (at[0] != (id & 0xffff) || at[1] != id >> 16) return false;
            at += 2;
        }
        return true;
    }
    void write(std::size_t slot, std::span<const Id> key) {
        std::uint16_t* at = keys_.data() + slot * stride_;
        for (const Id id : key) {
            *at++ = static_cast<std::uint16_t>(id & 0xffff);
            if (halves_ == 2) *at++ = static_cast<std::uint16_t>(id >> 16);
        }
    }
    void resize(std::uint64_t slots) {
        control_.charge(static_cast<std::int64_t>(slots * slot_bytes()));
        entries_.resize(static_cast<std::size_t>(slots));
        keys_.resize(static_cast<std::size_t>(slots) * stride_);
    }
    // A larger table is made beside the old one; where there is no room for both, the old one is the largest there will be.
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
            std::uint64_t hash = 0;
            const std::uint16_t* at = old_keys.data() + slot * stride_;
            const std::uint32_t count = (old_entries[slot].count_and_side - 2) / 2;
            for (std::uint32_t i = 0; i < count; ++i, at += halves_) hash += mark(halves_ == 1 ? Id{at[0]} : Id{at[0]} | Id{at[1]} << 16);
            const std::size_t bucket = bucket_of(hash, old_entries[slot].count_and_side % 2 == 1);
            for (std::size_t to = bucket; to < bucket + kBucket; ++to)
                if (entries_[to].empty()) {
                    entries_[to] = std::move(old_entries[slot]);
                    std::copy_n(old_keys.data() + slot * stride_, count * halves_, keys_.data() + to * stride_);
                    ++used_;
                    break;
                }
        }
        control_.charge(-static_cast<std::int64_t>(old_entries.size() * slot_bytes()));
    }

    Control& control_;
    std::size_t halves_, stride_;
    std::uint64_t most_ = 0, used_ = 0;
    std::vector<Entry> entries_;
    std::vector<std::uint16_t> keys_;
};

}  // namespace zermelo::cgt::sums
