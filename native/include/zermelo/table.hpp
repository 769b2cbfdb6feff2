// A memory-bounded transposition table that compares whole keys: no proof rests on a hash alone.
//
// Value needs `bool empty() const` (true when default-constructed) and `std::uint32_t weight() const` (how much
// it would cost to lose it). The table doubles while its budget lasts, then replaces the lightest of a bucket.
//
//     Table<State, Bounds> table(64 << 20);
//     if (Bounds* known = table.find(key)) ...
//     table.put(key, bounds);
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "zermelo/game.hpp"

namespace zermelo {

template <class Key>
std::uint64_t hash_bytes(const Key& key) {
    static_assert(std::has_unique_object_representations_v<Key>);
    constexpr std::size_t words = (sizeof(Key) + 7) / 8;
    std::array<std::uint64_t, words> data{};
    std::memcpy(data.data(), &key, sizeof(Key));
    std::uint64_t hash = 0x9e3779b97f4a7c15ull;
    for (const auto word : data) {
        hash ^= word;
        hash *= 0xbf58476d1ce4e5b9ull;
        hash ^= hash >> 32;
    }
    hash *= 0x94d049bb133111ebull;
    return hash ^ (hash >> 29);
}

template <class Key, class Value>
class Table {
public:
    explicit Table(std::uint64_t max_bytes) {
        std::uint64_t slots = kBucket;
        while (slots * 2 * sizeof(Slot) <= max_bytes && slots < (std::uint64_t{1} << 40)) slots *= 2;
        max_slots_ = slots;
        slots_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(max_slots_, kFirstSlots)));
    }

    const Value* find(const Key& key) const {
        const Slot* bucket = &slots_[place_of(key)];
        for (std::size_t i = 0; i < kBucket; ++i)
            if (!bucket[i].value.empty() && bucket[i].key == key) return &bucket[i].value;
        return nullptr;
    }
    Value* find(const Key& key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

    void put(const Key& key, const Value& value) { claim(key) = value; }

    // The value of the key, to be changed in place; if it was not there, an empty one that must be filled at once.
    Value& claim(const Key& key) {
        if (used_ * 4 > slots_.size() * 3 && slots_.size() < max_slots_) grow();
        return place(key);
    }

    void clear() {
        for (auto& slot : slots_) slot = Slot{};
        used_ = 0;
    }
    std::uint64_t bytes() const { return slots_.size() * sizeof(Slot); }
    std::uint64_t used() const { return used_; }

private:
    struct Slot {
        Key key{};
        Value value{};
    };
    static constexpr std::size_t kBucket = 4;
    static constexpr std::uint64_t kFirstSlots =
        std::bit_floor((std::uint64_t{1} << 18) / sizeof(Slot));  // a quarter of a megabyte

    std::size_t place_of(const Key& key) const {
        return static_cast<std::size_t>(hash_bytes(key)) & (slots_.size() - 1) & ~(kBucket - 1);
    }
    Value& place(const Key& key) {
        Slot* bucket = &slots_[place_of(key)];
        Slot* victim = bucket;
        for (std::size_t i = 0; i < kBucket; ++i) {
            if (bucket[i].value.empty()) {
                ++used_;
                bucket[i].key = key;
                return bucket[i].value;
            }
            if (bucket[i].key == key) return bucket[i].value;
            if (bucket[i].value.weight() < victim->value.weight()) victim = &bucket[i];
        }
        *victim = Slot{key, Value{}};
        return victim->value;
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        used_ = 0;
        for (const auto& slot : old)
            if (!slot.value.empty()) place(slot.key) = slot.value;
    }

    std::vector<Slot> slots_;
    std::uint64_t max_slots_;
    std::uint64_t used_ = 0;
};

}  // namespace zermelo
