#include "gdl/datalog/relation.hpp"

#include <algorithm>

namespace zermelo::gdl {

static std::uint64_t hash_row(std::span<const std::uint32_t> row) {
    std::uint64_t hash = row.size();
    for (const auto value : row) hash = mix(hash, value);
    return hash;
}

std::size_t Relation::slot_of(std::span<const std::uint32_t> row) const {
    const auto mask = slots_.size() - 1;
    auto slot = hash_row(row) & mask;
    while (slots_[slot] != kNone && !std::ranges::equal(this->row(slots_[slot]), row)) slot = (slot + 1) & mask;
    return slot;
}

std::uint32_t Relation::find(std::span<const std::uint32_t> row) const {
    return slots_.empty() ? kNone : slots_[slot_of(row)];
}

std::pair<std::uint32_t, bool> Relation::insert(std::span<const std::uint32_t> row) {
    if (std::size_t{size_} * 2 >= slots_.size()) grow();
    const auto slot = slot_of(row);
    if (slots_[slot] != kNone) return {slots_[slot], false};
    slots_[slot] = size_;
    data_.insert(data_.end(), row.begin(), row.end());
    return {size_++, true};
}

void Relation::grow() {
    slots_.assign(std::max<std::size_t>(8, slots_.size() * 2), kNone);
    for (std::uint32_t i = 0; i < size_; ++i) slots_[slot_of(row(i))] = i;
}

void Relation::clear() {
    size_ = 0;
    data_.clear();
    std::ranges::fill(slots_, kNone);
}

void View::catch_up(const Relation& relation, const TermPool& terms) {
    fresh_ = size();
    registers_.resize(pattern_.registers);
    for (; taken_ < relation.size(); ++taken_) {
        std::ranges::copy(relation.row(taken_), registers_.begin());
        bool matches = true;
        for (const auto& op : pattern_.ops) {
            const auto term = registers_[op.reg];
            if (op.kind == MatchOp::open) {
                const auto args = terms.args(term);
                matches = terms.name(term) == op.value && args.size() == op.count;
                if (matches) std::ranges::copy(args, registers_.begin() + op.base);
            } else {
                matches = term == (op.kind == MatchOp::constant ? op.value : registers_[op.value]);
            }
            if (!matches) break;
        }
        if (!matches) continue;
        for (const auto output : pattern_.outputs) data_.push_back(registers_[output]);
        rows_.push_back(taken_);
        for (auto& index : indexes_) add(*index, size() - 1);
    }
}

void View::clear() {
    data_.clear();
    rows_.clear();
    taken_ = fresh_ = 0;
    for (auto& index : indexes_) {
        std::ranges::fill(index->slots_, kNone);
        index->next_.clear();
        index->keys_ = 0;
    }
}

std::uint32_t View::index_on(std::span<const std::uint32_t> columns) {
    for (std::uint32_t i = 0; i < indexes_.size(); ++i)
        if (std::ranges::equal(indexes_[i]->columns_, columns)) return i;
    indexes_.push_back(std::make_unique<Index>(std::vector(columns.begin(), columns.end())));
    for (std::uint32_t entry = 0; entry < size(); ++entry) add(*indexes_.back(), entry);
    return static_cast<std::uint32_t>(indexes_.size()) - 1;
}

std::uint64_t View::hash(const Index& index, std::uint32_t entry) const {
    std::uint64_t hash = index.columns_.size();
    for (const auto column : index.columns_) hash = mix(hash, value(entry, column));
    return hash;
}

void View::add(Index& index, std::uint32_t entry) const {
    if (std::size_t{index.keys_} * 2 >= index.slots_.size()) grow(index);
    const auto mask = index.slots_.size() - 1;
    auto slot = hash(index, entry) & mask;
    for (; index.slots_[slot] != kNone; slot = (slot + 1) & mask) {
        const auto other = index.slots_[slot];
        if (std::ranges::all_of(index.columns_, [&](auto c) { return value(entry, c) == value(other, c); })) break;
    }
    index.keys_ += index.slots_[slot] == kNone;
    index.next_.push_back(index.slots_[slot]);
    index.slots_[slot] = entry;
}

void View::grow(Index& index) const {
    std::vector<std::uint32_t> old = std::move(index.slots_);
    index.slots_.assign(std::max<std::size_t>(8, old.size() * 2), kNone);
    const auto mask = index.slots_.size() - 1;
    for (const auto entry : old) {
        if (entry == kNone) continue;
        auto slot = hash(index, entry) & mask;
        while (index.slots_[slot] != kNone) slot = (slot + 1) & mask;
        index.slots_[slot] = entry;
    }
}

std::uint32_t View::find(std::uint32_t i, std::span<const std::uint32_t> key) const {
    const auto& index = *indexes_[i];
    if (index.slots_.empty()) return kNone;
    const auto mask = index.slots_.size() - 1;
    for (auto slot = hash_row(key) & mask;; slot = (slot + 1) & mask) {
        const auto entry = index.slots_[slot];
        if (entry == kNone) return kNone;
        std::size_t k = 0;
        while (k < key.size() && value(entry, index.columns_[k]) == key[k]) ++k;
        if (k == key.size()) return entry;
    }
}

double View::distinct(std::uint32_t column) const {
    counts_.resize(columns());
    auto& count = counts_[column];
    if (count.at == 0 || size() > count.at + count.at / 2 || size() < count.at) {
        std::vector<std::uint32_t> values(size());
        for (std::uint32_t entry = 0; entry < size(); ++entry) values[entry] = value(entry, column);
        std::ranges::sort(values);
        count.value = static_cast<double>(std::ranges::unique(values).begin() - values.begin());
        count.at = size();
    }
    return std::max(1.0, count.value);
}

std::size_t View::bytes() const {
    auto words = data_.capacity() + rows_.capacity();
    for (const auto& index : indexes_) words += index->slots_.size() + index->next_.capacity();
    return words * sizeof(std::uint32_t);
}

}  // namespace zermelo::gdl
