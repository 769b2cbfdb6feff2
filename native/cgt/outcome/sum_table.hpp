// What a search knows of sums: a map from whole keys, lists of words, to proof and disproof numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "zermelo/control.hpp"
#include "zermelo/large_pages.hpp"

namespace zermelo::cgt::outcome {

struct ProofNumbers {
    std::uint32_t phi = 1;    // how far it is to a proof that who is to move wins: 0 if it is proved
    std::uint32_t delta = 1;  // and that he loses
};

class SumTable {
public:
    static std::uint64_t hash(std::span<const std::uint32_t> key) {
        std::uint64_t hash = 0x9e3779b97f4a7c15ull ^ key.size();
        for (const std::uint32_t word : key) {
            hash = (hash ^ word) * 0xbf58476d1ce4e5b9ull;
            hash ^= hash >> 29;
        }
        hash *= 0x94d049bb133111ebull;
        return hash ^ hash >> 32;
    }
    const ProofNumbers* find(std::span<const std::uint32_t> key, std::uint64_t hash) const {
        if (slots_.empty()) return nullptr;
        const auto at = place(key, hash);
        return slots_[at] == 0 ? nullptr : &entries_[(slots_[at] & 0xffffffffu) - 1].numbers;
    }
    void store(std::span<const std::uint32_t> key, std::uint64_t hash, ProofNumbers numbers, Control& control) {
        if ((entries_.size() + 1) * 3 > slots_.size() * 2) grow(control);
        const auto at = place(key, hash);
        if (slots_[at] != 0) {
            entries_[(slots_[at] & 0xffffffffu) - 1].numbers = numbers;
            return;
        }
        reserve(words_, key.size(), control);
        reserve(entries_, 1, control);
        entries_.push_back({words_.size(), static_cast<std::uint32_t>(key.size()), numbers});
        words_.insert(words_.end(), key.begin(), key.end());
        slots_[at] = (hash >> 32) << 32 | entries_.size();
    }
    std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        std::uint64_t words;
        std::uint32_t size;
        ProofNumbers numbers;
    };

    std::size_t place(std::span<const std::uint32_t> key, std::uint64_t hash) const {
        const auto mask = slots_.size() - 1;
        auto at = static_cast<std::size_t>(hash) & mask;
        for (; slots_[at] != 0; at = (at + 1) & mask) {
            if ((slots_[at] ^ hash) >> 32 != 0) continue;
            const auto& entry = entries_[(slots_[at] & 0xffffffffu) - 1];
            if (entry.size == key.size() && std::equal(key.begin(), key.end(), words_.begin() + offset(entry))) break;
        }
        return at;
    }
    static std::ptrdiff_t offset(const Entry& entry) { return static_cast<std::ptrdiff_t>(entry.words); }

    template <class Vector>
    static void reserve(Vector& vector, std::size_t more, Control& control) {
        if (vector.size() + more <= vector.capacity()) return;
        const auto wanted = std::max<std::size_t>(1024, vector.capacity() + vector.capacity() / 2 + more);
        charge(control, (wanted - vector.capacity()) * sizeof(typename Vector::value_type));
        vector.reserve(wanted);
    }
    static void charge(Control& control, std::size_t bytes) { control.charge(static_cast<std::int64_t>(bytes)); }

    void grow(Control& control) {
        const auto wanted = std::max<std::size_t>(4096, 2 * slots_.size());
        charge(control, (wanted - slots_.size()) * sizeof(std::uint64_t));
        LargeVector<std::uint64_t> larger(wanted);
        const auto mask = wanted - 1;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const std::span<const std::uint32_t> key(words_.data() + entries_[i].words, entries_[i].size);
            const auto hashed = hash(key);
            auto at = static_cast<std::size_t>(hashed) & mask;
            while (larger[at] != 0) at = (at + 1) & mask;
            larger[at] = (hashed >> 32) << 32 | (i + 1);
        }
        slots_ = std::move(larger);
    }

    LargeVector<std::uint64_t> slots_;  // upper half of the hash; which entry, counted from 1
    LargeVector<Entry> entries_;
    LargeVector<std::uint32_t> words_;
};

}  // namespace zermelo::cgt::outcome
