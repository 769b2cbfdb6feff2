// The residual formula of a state: its parts, its exact description, and a table of what is known of residuals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qbf/search/state.hpp"

namespace zermelo::qbf {

// Walks over what is alive.
class Residual {
public:
    Residual(const Network& network, const State& state)
        : network_(network), state_(state), seen_(network.size(), 0), part_(network.size(), 0) {}

    // The tops in groups that share no live node or variable: group i ends before ends[i]. False if there is only one.
    // Bayardo and Pehoushek, "Counting models using connected components", 2000, here on circuits.
    bool split(std::vector<std::uint32_t>& tops, std::vector<std::uint32_t>& ends);

    // A description that no two different residuals share: the set of live nodes and the set of tops.
    std::span<const std::uint32_t> key();

private:
    void next_stamp();
    void describe(std::span<const std::uint32_t> set);
    std::uint32_t joined(std::uint32_t part);
    std::uint32_t label_parts(std::span<const std::uint32_t> tops);

    const Network& network_;
    const State& state_;
    std::vector<std::uint32_t> seen_, part_;  // of each node: when it was reached last, and from which top
    std::vector<std::uint32_t> joins_;        // a part that each part is part of, or itself
    std::vector<std::uint32_t> queue_, key_, order_, sizes_;
    std::uint32_t stamp_ = 0;
};

struct Known {
    bool found = false, value = false;
    std::uint64_t proof = 0;
};

// Two generations of entries: when the younger is full the older is dropped, so memory is bounded and what is in use
// stays.
class Table {
public:
    explicit Table(std::uint64_t bytes);

    bool maybe(Hash hash) const { return slot_of(young_, hash) || slot_of(old_, hash); }
    Known find(Hash hash, std::span<const std::uint32_t> key);
    void store(Hash hash, std::span<const std::uint32_t> key, bool value, std::uint64_t proof);
    std::uint64_t used() const { return young_.bytes() + old_.bytes(); }

private:
    struct Entry {
        Hash hash;
        std::uint64_t key;    // place in keys: its length, then its words
        std::uint64_t proof;  // twice the proof, plus the value
    };
    struct Generation {
        std::vector<Entry> entries;
        std::vector<std::uint32_t> slots;  // entry + 1, 0: free
        std::vector<std::uint32_t> keys;
        std::uint64_t bytes() const { return entries.size() * sizeof(Entry) + (slots.size() + keys.size()) * 4; }
    };
    const Entry* slot_of(const Generation& generation, Hash hash) const;
    bool equal(const Generation& generation, const Entry& entry, std::span<const std::uint32_t> key) const;

    Generation young_, old_;
    std::uint64_t bytes_;
};

}  // namespace zermelo::qbf
