// What a search knows of sums: a map from whole keys, lists of words, to proof and disproof numbers.
//
// Entries lie one after the other in blocks. When the table has taken all the memory that it may, the half that took
// the least work to find out is forgotten (Nagai's small-tree collection): it is found again the soonest.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zermelo/control.hpp"
#include "zermelo/large_pages.hpp"

namespace zermelo::cgt::outcome {

struct ProofNumbers {
    std::uint32_t phi = 1;    // how far it is to a proof that who is to move wins: 0 if it is proved
    std::uint32_t delta = 1;  // and that he loses
};

class SumTable {
public:
    using Key = std::span<const std::uint32_t>;
    struct Known {
        ProofNumbers numbers;
        std::uint32_t work;  // sums that were looked into for it
    };

    // It takes at most so many bytes, and of a control's room never more than half.
    explicit SumTable(std::size_t most = std::size_t{1} << 29) : most_(most) {}

    static std::uint64_t hash(Key key) {
        std::uint64_t hash = 0x9e3779b97f4a7c15ull ^ key.size();
        for (const std::uint32_t word : key) {
            hash = (hash ^ word) * 0xbf58476d1ce4e5b9ull;
            hash ^= hash >> 29;
        }
        hash *= 0x94d049bb133111ebull;
        return hash ^ hash >> 32;
    }
    void prefetch(std::uint64_t hash) const {
#if defined(__GNUC__) || defined(__clang__)
        if (!slots_.empty()) __builtin_prefetch(&slots_[static_cast<std::size_t>(hash) & (slots_.size() - 1)]);
#else
        static_cast<void>(hash);
#endif
    }
    std::optional<Known> find(Key key, std::uint64_t hash) const {
        if (slots_.empty()) return std::nullopt;
        const auto slot = slots_[place(key, hash)];
        if (slot == 0) return std::nullopt;
        const auto* entry = at(static_cast<std::uint32_t>(slot));
        return Known{{entry[kPhi], entry[kDelta]}, entry[kWork]};
    }
    void store(Key key, std::uint64_t hash, const Known& known, Control& control) {
        if ((size_ + 1) * 4 > slots_.size() * 3) make_room(control);
        auto slot = slots_.empty() ? 0 : place(key, hash);
        if (slots_[slot] == 0) {
            const auto from = append(key.size(), control);
            slot = place(key, hash);  // what has been appended may have made others go
            slots_[slot] = (hash >> 32) << 32 | from;
            auto* entry = at(from);
            entry[kSize] = static_cast<std::uint32_t>(key.size());
            std::copy(key.begin(), key.end(), entry + kHead);
            ++size_;
        }
        auto* entry = at(static_cast<std::uint32_t>(slots_[slot]));
        entry[kPhi] = known.numbers.phi;
        entry[kDelta] = known.numbers.delta;
        entry[kWork] = known.work;
    }
    std::size_t size() const { return size_; }

private:
    enum : std::size_t { kSize, kPhi, kDelta, kWork, kHead };
    static constexpr unsigned kBlockBits = 19;
    static constexpr std::size_t kBlock = std::size_t{1} << kBlockBits;

    std::uint32_t* at(std::uint32_t from) { return blocks_[from >> kBlockBits].data() + (from & (kBlock - 1)); }
    const std::uint32_t* at(std::uint32_t from) const {
        return blocks_[from >> kBlockBits].data() + (from & (kBlock - 1));
    }
    static Key key_of(const std::uint32_t* entry) { return {entry + kHead, entry[kSize]}; }

    std::size_t place(Key key, std::uint64_t hash) const {
        const auto mask = slots_.size() - 1;
        auto slot = static_cast<std::size_t>(hash) & mask;
        for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
            if ((slots_[slot] ^ hash) >> 32 != 0) continue;
            const auto* entry = at(static_cast<std::uint32_t>(slots_[slot]));
            if (entry[kSize] == key.size() && std::equal(key.begin(), key.end(), entry + kHead)) break;
        }
        return slot;
    }
    bool may_take(std::size_t bytes, const Control& control) const {
        return bytes_ + bytes <= most_ && bytes <= control.room() / 2;
    }
    void take(std::size_t bytes, Control& control) {
        control.charge(static_cast<std::int64_t>(bytes));
        bytes_ += bytes;
    }

    // The place of a new entry, which lies in one block; 0 stands for none.
    std::uint32_t append(std::size_t key, Control& control) {
        const auto wanted = kHead + key;
        if ((free_ & (kBlock - 1)) + wanted > kBlock || free_ >> kBlockBits >= blocks_.size()) {
            const auto bytes = kBlock * sizeof(std::uint32_t);
            const auto next = blocks_.empty() ? 0 : (free_ + kBlock - 1) >> kBlockBits;
            if (next >= blocks_.size()) {
                if (blocks_.size() > 1 && (!may_take(bytes, control) || next >> (32 - kBlockBits) != 0)) {
                    forget_half();
                    return append(key, control);
                }
                take(bytes, control);
                blocks_.emplace_back(kBlock);
            }
            end_block(free_);
            free_ = std::max<std::size_t>(next << kBlockBits, 1);
        }
        const auto from = free_;
        free_ += wanted;
        return static_cast<std::uint32_t>(from);
    }
    void make_room(Control& control) {
        const auto wanted = std::max<std::size_t>(4096, 2 * slots_.size());
        const auto bytes = (wanted - slots_.size()) * sizeof(std::uint64_t);
        if (!slots_.empty() && slots_.size() > (1 << 16) && !may_take(bytes + slots_.size() * 8, control)) {
            forget_half();
            return;
        }
        take(bytes, control);
        slots_ = {};  // before there is a larger one
        slots_.resize(wanted);
        each([&](std::uint32_t from) { put(from); });
    }
    void put(std::uint32_t from) {
        const auto hashed = hash(key_of(at(from)));
        const auto mask = slots_.size() - 1;
        auto slot = static_cast<std::size_t>(hashed) & mask;
        while (slots_[slot] != 0) slot = (slot + 1) & mask;
        slots_[slot] = (hashed >> 32) << 32 | from;
    }
    template <class Visit>
    void each(Visit&& visit) {
        for (std::size_t block = 0; block < blocks_.size(); ++block) {
            std::size_t from = (block << kBlockBits) + (block == 0 ? 1 : 0);
            const auto end = std::min(free_, (block + 1) << kBlockBits);
            while (from + kHead < end && at(static_cast<std::uint32_t>(from))[kSize] != 0) {
                const auto size = kHead + at(static_cast<std::uint32_t>(from))[kSize];
                visit(static_cast<std::uint32_t>(from));
                from += size;
            }
        }
    }
    // Entries move down, never past one that has not been looked at: within a block each fits where it was or before.
    void forget_half() {
        std::array<std::size_t, 33> of_work{};
        each([&](std::uint32_t from) {
            of_work[static_cast<std::size_t>(std::bit_width(at(from)[kWork]))] += kHead + at(from)[kSize];
        });
        std::size_t kept = 0, least = of_work.size();
        while (least > 0 && kept + of_work[least - 1] <= free_ / 2) kept += of_work[--least];
        std::size_t to = 1;
        size_ = 0;
        std::fill(slots_.begin(), slots_.end(), 0);
        each([&](std::uint32_t from) {
            if (static_cast<std::size_t>(std::bit_width(at(from)[kWork])) < least) return;
            const auto size = kHead + at(from)[kSize];
            if ((to & (kBlock - 1)) + size > kBlock) {
                end_block(to);
                to = (to + kBlock - 1) >> kBlockBits << kBlockBits;
            }
            if (to != from) std::copy_n(at(from), size, at(static_cast<std::uint32_t>(to)));
            put(static_cast<std::uint32_t>(to));
            to += size;
            ++size_;
        });
        end_block(to);
        free_ = to;
    }
    // What is left of a block has no entries.
    void end_block(std::size_t from) {
        if ((from & (kBlock - 1)) != 0) at(static_cast<std::uint32_t>(from))[kSize] = 0;
    }

    std::size_t most_, bytes_ = 0;
    LargeVector<std::uint64_t> slots_;  // upper half of the hash; where the entry is
    std::vector<LargeVector<std::uint32_t>> blocks_;
    std::size_t free_ = 1, size_ = 0;
};

}  // namespace zermelo::cgt::outcome
