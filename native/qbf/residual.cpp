#include "qbf/residual.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::qbf {

void Residual::next_stamp() {
    if (++stamp_ != 0) return;
    std::ranges::fill(seen_, 0);
    stamp_ = 1;
}

bool Residual::split(std::vector<std::uint32_t>& tops, std::vector<std::uint32_t>& ends) {
    const auto all = state_.tops();
    tops.clear();
    ends.clear();
    next_stamp();
    // From each top not yet reached: everything it shares nodes with, upwards and downwards through what is alive.
    for (const auto start : all) {
        if (seen_[start] == stamp_) continue;
        seen_[start] = stamp_;
        queue_.assign(1, start);
        tops.push_back(start);
        while (!queue_.empty()) {
            if (ends.empty() && tops.size() == all.size()) return false;
            const auto n = queue_.back();
            queue_.pop_back();
            const auto reach = [&](std::uint32_t m) {
                if (seen_[m] == stamp_ || !state_.alive(m)) return;
                seen_[m] = stamp_;
                queue_.push_back(m);
                if (state_.top(m)) tops.push_back(m);
            };
            if (network_.kind[n] == NodeKind::leaf) {
                if (network_.opposite[n] != Network::kNone) reach(network_.opposite[n]);
            } else {
                // A live top among the inputs counts as decided there: it is no link.
                for (const auto c : network_.children(n))
                    if (!state_.top(c)) reach(c);
            }
            if (!state_.top(n))
                for (const auto p : network_.parents(n)) reach(p);
        }
        ends.push_back(static_cast<std::uint32_t>(tops.size()));
    }
    // Large ones first: if one decides all it is most likely one of them, and small ones cost little after them.
    order_.resize(ends.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    const auto begin_of = [&](std::uint32_t i) { return i ? ends[i - 1] : 0; };
    std::ranges::stable_sort(order_, std::ranges::greater{}, [&](std::uint32_t i) { return ends[i] - begin_of(i); });
    queue_.clear();
    key_.clear();
    for (const auto i : order_) {
        queue_.insert(queue_.end(), tops.begin() + begin_of(i), tops.begin() + ends[i]);
        key_.push_back(static_cast<std::uint32_t>(queue_.size()));
    }
    tops.assign(queue_.begin(), queue_.end());
    ends.assign(key_.begin(), key_.end());
    return true;
}

// The tops in ascending order, into the queue: through a set of bits, since they are many and their numbers small.
void Residual::sort_tops() {
    for (const auto n : state_.tops()) bits_[n / 64] |= std::uint64_t{1} << (n % 64);
    queue_.clear();
    for (std::size_t w = 0; w < bits_.size(); ++w) {
        for (auto word = bits_[w]; word; word &= word - 1)
            queue_.push_back(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(word)));
        bits_[w] = 0;
    }
}

std::span<const std::uint32_t> Residual::key() {
    sort_tops();
    next_stamp();
    key_.assign(1, static_cast<std::uint32_t>(queue_.size()));
    key_.insert(key_.end(), queue_.begin(), queue_.end());
    for (const auto n : queue_) seen_[n] = stamp_;
    std::uint32_t word = 0, bits = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        for (const auto c : network_.children(queue_[i])) {
            const bool alive = state_.alive(c) && !state_.top(c);
            word |= static_cast<std::uint32_t>(alive) << bits;
            if (++bits == 32) {
                key_.push_back(word);
                word = bits = 0;
            }
            if (!alive || seen_[c] == stamp_) continue;
            seen_[c] = stamp_;
            if (network_.kind[c] != NodeKind::leaf) queue_.push_back(c);
        }
    }
    if (bits) key_.push_back(word);
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
    return generation.keys[entry.key] == key.size() && std::ranges::equal(std::span(generation.keys).subspan(entry.key + 1, key.size()), key);
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
