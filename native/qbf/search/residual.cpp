#include "qbf/search/residual.hpp"

#include <algorithm>

namespace zermelo::qbf {

void Residual::next_stamp() {
    if (++stamp_ != 0) return;
    std::ranges::fill(seen_, 0);
    stamp_ = 1;
}

std::uint32_t Residual::joined(std::uint32_t part) {
    while (joins_[part] != part) part = joins_[part] = joins_[joins_[part]];
    return part;
}

// Gives each top a part and joins parts that meet on their way down (Tarjan, "Efficiency of a good but not linear set
// union algorithm", 1975); returns how many are left. It stops where all are one.
std::uint32_t Residual::label_parts(std::span<const std::uint32_t> tops) {
    next_stamp();
    joins_.resize(tops.size());
    for (std::uint32_t i = 0; i < joins_.size(); ++i) joins_[i] = i;
    auto left = static_cast<std::uint32_t>(tops.size());
    for (std::uint32_t i = 0; i < tops.size(); ++i) {
        auto here = i;
        queue_.assign(1, tops[i]);
        while (!queue_.empty()) {
            const auto n = queue_.back();
            queue_.pop_back();
            for (const auto c : network_.children(n)) {
                // A live top among the inputs counts as decided there: it is no link.
                if (!state_.alive(c) || state_.top(c)) continue;
                const bool leaf = network_.kind[c] == NodeKind::leaf;
                const auto met =
                    leaf ? std::min(c, network_.opposite[c]) : c;  // both literals of a variable are one link
                if (seen_[met] != stamp_) {
                    seen_[met] = stamp_;
                    part_[met] = here;
                    if (!leaf) queue_.push_back(c);
                } else if (part_[met] != here) {
                    const auto there = joined(part_[met]);
                    part_[met] = there;
                    if (there == here) continue;
                    joins_[here] = there;
                    here = there;
                    if (--left == 1) return 1;
                }
            }
        }
    }
    return left;
}

bool Residual::split(std::vector<std::uint32_t>& tops, std::vector<std::uint32_t>& ends) {
    const auto all = state_.tops();
    if (label_parts(all) == 1) return false;
    sizes_.assign(all.size(), 0);
    for (std::uint32_t i = 0; i < all.size(); ++i) ++sizes_[joined(i)];
    // Large ones first: if one decides all it is most likely one of them, and small ones cost little after them.
    order_.clear();
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (sizes_[i]) order_.push_back(i);
    std::ranges::stable_sort(order_, std::ranges::greater{}, [&](std::uint32_t i) { return sizes_[i]; });
    ends.clear();
    std::uint32_t end = 0;
    for (const auto i : order_) {
        const auto begin = end;
        ends.push_back(end += sizes_[i]);
        sizes_[i] = begin;  // where its next top goes
    }
    tops.resize(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) tops[sizes_[joined(i)]++] = all[i];
    return true;
}

// A set of nodes by its words that are not empty, and before each 32 of them which they are.
void Residual::describe(std::span<const std::uint32_t> set) {
    for (std::size_t begin = 0; begin < set.size(); begin += 32) {
        const auto place = key_.size();
        key_.push_back(0);
        std::uint32_t filled = 0;
        for (std::uint32_t k = 0; k < 32 && begin + k < set.size(); ++k) {
            if (!set[begin + k]) continue;
            filled |= std::uint32_t{1} << k;
            key_.push_back(set[begin + k]);
        }
        key_[place] = filled;
    }
}

std::span<const std::uint32_t> Residual::key() {
    key_.clear();
    describe(state_.live_set());
    describe(state_.top_set());
    return key_;
}

Table::Table(std::uint64_t bytes) : bytes_(bytes) {
    for (auto* generation : {&young_, &old_}) generation->slots.assign(1024, 0);
}

const Table::Entry* Table::slot_of(const Generation& generation, Hash hash) const {
    const auto mask = generation.slots.size() - 1;
    for (auto at = hash & mask; generation.slots[at]; at = (at + 1) & mask) {
        const auto& entry = generation.entries[generation.slots[at] - 1];
        if (entry.hash == hash) return &entry;
    }
    return nullptr;
}

bool Table::equal(const Generation& generation, const Entry& entry, std::span<const std::uint32_t> key) const {
    return generation.keys[entry.key] == key.size() &&
           std::ranges::equal(std::span(generation.keys).subspan(entry.key + 1, key.size()), key);
}

Known Table::find(Hash hash, std::span<const std::uint32_t> key) {
    if (const auto* entry = slot_of(young_, hash); entry && equal(young_, *entry, key))
        return {true, static_cast<bool>(entry->proof & 1), entry->proof >> 1};
    if (const auto* entry = slot_of(old_, hash); entry && equal(old_, *entry, key)) {
        const Known known{true, static_cast<bool>(entry->proof & 1), entry->proof >> 1};
        store(hash, key, known.value, known.proof);
        return known;
    }
    return {};
}

void Table::store(Hash hash, std::span<const std::uint32_t> key, bool value, std::uint64_t proof) {
    if (slot_of(young_, hash)) return;  // the same residual, or a clash of hashes: the first one stays
    const auto more = sizeof(Entry) + (key.size() + 1) * 4 + 16;
    if (young_.bytes() + more > bytes_ / 2) {
        std::swap(young_, old_);
        young_.entries.clear();
        young_.keys.clear();
        young_.slots.assign(1024, 0);
        if (more > bytes_ / 2) return;
    }
    young_.entries.push_back({hash, young_.keys.size(), proof << 1 | value});
    young_.keys.push_back(static_cast<std::uint32_t>(key.size()));
    young_.keys.insert(young_.keys.end(), key.begin(), key.end());
    if (young_.entries.size() * 2 > young_.slots.size()) {
        young_.slots.assign(young_.slots.size() * 2, 0);
        const auto mask = young_.slots.size() - 1;
        for (std::uint32_t i = 0; i < young_.entries.size(); ++i) {
            auto at = young_.entries[i].hash & mask;
            while (young_.slots[at]) at = (at + 1) & mask;
            young_.slots[at] = i + 1;
        }
    } else {
        const auto mask = young_.slots.size() - 1;
        auto at = hash & mask;
        while (young_.slots[at]) at = (at + 1) & mask;
        young_.slots[at] = static_cast<std::uint32_t>(young_.entries.size());
    }
}

}  // namespace zermelo::qbf
