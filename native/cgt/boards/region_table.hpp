// What is known of regions: a map from whole keys to values, with open addressing, in segments that grow one at a time.
//
// Segments keep the peak low: only one at a time is there twice. A segment grows by a quarter, so that little of it is
// empty.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "zermelo/control.hpp"
#include "zermelo/large_pages.hpp"

namespace zermelo::cgt::boards {

// Key is an array of words of which at least one is not 0 (no region is empty: that marks a free slot).
template <class Key>
class RegionTable {
public:
    static std::uint64_t hash(const Key& key) {
        std::uint64_t hash = 0x9e3779b97f4a7c15ull;
        for (const std::uint64_t word : key) {
            hash = (hash ^ word) * 0xbf58476d1ce4e5b9ull;
            hash ^= hash >> 32;
        }
        hash *= 0x94d049bb133111ebull;
        return hash ^ hash >> 29;
    }
    void prefetch(std::uint64_t hash) const {
#if defined(__GNUC__) || defined(__clang__)
        const auto& segment = segments_[hash >> kSegmentShift];
        if (!segment.slots.empty()) __builtin_prefetch(&segment.slots[segment.home(hash)]);
#else
        static_cast<void>(hash);
#endif
    }
    std::optional<std::uint32_t> find(const Key& key, std::uint64_t hash) const {
        const auto& segment = segments_[hash >> kSegmentShift];
        if (segment.slots.empty()) return std::nullopt;
        const auto wanted = words_of(key);
        for (auto at = segment.home(hash);;) {
            const auto& slot = segment.slots[at];
            if (same(slot.words, wanted)) return slot.value;
            if (same(slot.words, Words{})) return std::nullopt;
            if (++at == segment.slots.size()) at = 0;
        }
    }
    // The key must not be there yet. What the table grows by is charged to the control.
    void insert(const Key& key, std::uint64_t hash, std::uint32_t value, Control& control) {
        auto& segment = segments_[hash >> kSegmentShift];
        if ((segment.used + 1) * 3 > segment.slots.size() * 2) grow(segment, control);
        put(segment, words_of(key), hash, value);
        ++segment.used;
        ++size_;
    }
    template <class Visit>
    void each(Visit&& visit) const {
        for (const auto& segment : segments_)
            for (const auto& slot : segment.slots)
                if (!same(slot.words, Words{})) visit(std::bit_cast<Key>(slot.words), slot.value);
    }
    std::uint64_t size() const { return size_; }
    std::uint64_t bytes() const { return bytes_; }

private:
    static constexpr unsigned kSegmentBits = 4, kSegmentShift = 64 - kSegmentBits;
    // Halves of words: a slot takes 12 bytes, not 16, where the key is one word.
    using Words = std::array<std::uint32_t, 2 * std::tuple_size_v<Key>>;
    struct Slot {
        Words words{};
        std::uint32_t value = 0;
    };
    struct Segment {
        LargeVector<Slot> slots;
        std::size_t used = 0;
        // The next 32 bits of the hash after the segment's, scaled to the number of slots.
        std::size_t home(std::uint64_t hash) const {
            return static_cast<std::size_t>(((hash << kSegmentBits >> 32) * static_cast<std::uint64_t>(slots.size())) >>
                                            32);
        }
    };

    static Words words_of(const Key& key) { return std::bit_cast<Words>(key); }
    // Spelled out: operator== of arrays calls memcmp.
    static bool same(const Words& a, const Words& b) {
        std::uint32_t different = 0;
        for (std::size_t i = 0; i < a.size(); ++i) different |= a[i] ^ b[i];
        return different == 0;
    }
    static std::int64_t bytes_of(std::size_t slots) { return static_cast<std::int64_t>(slots * sizeof(Slot)); }

    static void put(Segment& segment, const Words& words, std::uint64_t hash, std::uint32_t value) {
        auto at = segment.home(hash);
        while (!same(segment.slots[at].words, Words{}))
            if (++at == segment.slots.size()) at = 0;
        segment.slots[at] = {words, value};
    }
    void grow(Segment& segment, Control& control) {
        const auto now = segment.slots.size();
        const auto wanted = now < 4096 ? std::max<std::size_t>(64, 2 * now) : now + now / 4;
        control.charge(bytes_of(wanted));
        Segment larger;
        try {
            larger.slots.resize(wanted);
        } catch (...) {
            control.charge(-bytes_of(wanted));
            throw;
        }
        for (const auto& slot : segment.slots)
            if (!same(slot.words, Words{})) put(larger, slot.words, hash(std::bit_cast<Key>(slot.words)), slot.value);
        larger.used = segment.used;
        segment = std::move(larger);
        control.charge(-bytes_of(now));
        bytes_ += static_cast<std::uint64_t>(bytes_of(wanted - now));
    }

    std::array<Segment, std::size_t{1} << kSegmentBits> segments_;
    std::uint64_t size_ = 0, bytes_ = 0;
};

}  // namespace zermelo::cgt::boards
