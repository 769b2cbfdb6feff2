#include "qip/program/table.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace zermelo::qip::tabling {

namespace {

// Most rows, summed over all cuts, whose residuals are written down; with more, only some cuts are looked up.
constexpr std::uint64_t kMostFields = std::uint64_t{1} << 21;

std::uint64_t mixed_key(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    return hash ^ (hash >> 29);
}

}  // namespace

ResidualTable::ResidualTable(const TableState& state, std::uint64_t bytes, Control& control)
    : limit_(bytes), control_(control) {
    lay_out(state);
    slot_.assign(1 << 12, 0);
    charged_ = field_.size() * sizeof(Field) + slot_.size() * 8;
    control_.charge(static_cast<std::int64_t>(charged_));
}

ResidualTable::~ResidualTable() { control_.charge(-static_cast<std::int64_t>(charged_)); }

void ResidualTable::lay_out(const TableState& state) {
    const auto n = state.variables();
    // How many rows are cut before each variable; where all cuts take too much, only those through few rows are kept.
    std::vector<std::int64_t> cut(n + 1, 0);
    for (std::uint32_t r = 1; r < state.rows(); ++r)
        if (const auto terms = state.terms(r); !terms.empty()) {
            ++cut[terms.front().variable + 1];
            --cut[terms.back().variable + 1];
        }
    std::partial_sum(cut.begin(), cut.end(), cut.begin());
    const auto total = [&](std::int64_t widest) {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < n; ++i)
            if (cut[i] <= widest) sum += static_cast<std::uint64_t>(cut[i]);
        return sum;
    };
    auto widest = static_cast<std::int64_t>(state.rows());
    while (widest > 0 && total(widest) > kMostFields) widest -= std::max<std::int64_t>(1, widest / 8);

    field_first_.assign(n + 2, 0);
    probes_.assign(n + 1, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        probes_[i] = cut[i] <= widest;
        field_first_[i + 1] = field_first_[i] + static_cast<std::uint64_t>(probes_[i] ? cut[i] : 0);
    }
    field_first_[n + 1] = field_first_[n];
    field_.resize(field_first_[n]);
    auto next = field_first_;
    for (std::uint32_t r = 1; r < state.rows(); ++r) {
        const auto terms = state.terms(r);
        std::vector<std::int64_t> divisor(terms.size() + 1, 0);
        for (auto t = terms.size(); t-- > 0;) divisor[t] = std::gcd(divisor[t + 1], terms[t].coefficient);
        for (std::size_t t = 1; t < terms.size(); ++t) {
            Field field{state.width[state.begin_of(r) + t], divisor[t], r, 0};
            if (field.width > 0)
                field.bits = static_cast<std::uint32_t>(
                    std::bit_width(static_cast<std::uint64_t>((field.width - 1) / field.divisor + 1)));
            for (auto i = terms[t - 1].variable + 1; i <= terms[t].variable; ++i)
                if (probes_[i]) field_[next[i]++] = field;
        }
    }
    key_words_.assign(n + 1, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        std::uint64_t bits = 0;
        for (auto f = field_first_[i]; f < field_first_[i + 1]; ++f) bits += field_[f].bits;
        key_words_[i] = static_cast<std::uint32_t>((bits + 63) / 64 + 1);
    }
    key_.assign(*std::ranges::max_element(key_words_) + 1, 0);
}

void ResidualTable::write_key(const TableState& state, std::uint32_t index) {
    key_[0] = index;
    std::size_t word = 1;
    std::uint64_t collected = 0;
    std::uint32_t filled = 0;
    for (const auto& field : fields(index)) {
        const auto spare = state.spare[field.row];
        if (field.bits == 0) continue;
        std::uint64_t code = 0;
        if (spare < field.width) {
            code = static_cast<std::uint64_t>(spare);
            if (field.divisor > 1) code /= static_cast<std::uint64_t>(field.divisor);
            ++code;
        }
        collected |= code << filled;
        filled += field.bits;
        if (filled >= 64) {
            key_[word++] = collected;
            filled -= 64;
            collected = filled ? code >> (field.bits - filled) : 0;
        }
    }
    if (filled) key_[word++] = collected;
    while (word < key_words_[index]) key_[word++] = 0;
}

std::uint64_t ResidualTable::find_or_add(const TableState& state, std::uint32_t index) {
    write_key(state, index);
    const auto words = key_words_[index];
    std::uint64_t hash = words;
    for (std::uint32_t w = 0; w < words; ++w) hash = mixed_key(hash, key_[w]);
    hash = mixed_key(hash, hash >> 32);
    const auto tag = hash >> 32;
    auto mask = slot_.size() - 1;
    auto place = tag & mask;
    for (; slot_[place]; place = (place + 1) & mask) {
        if (slot_[place] >> 32 != tag) continue;
        const auto entry = (slot_[place] & 0xffffffffull) - 1;
        if (known_[entry].index == index &&
            std::equal(key_.begin(), key_.begin() + words, word_.begin() + static_cast<std::ptrdiff_t>(place_[entry])))
            return entry;
    }
    if (full_ || !make_room(words)) return kNoEntry;
    if (known_.size() * 2 >= slot_.size()) {
        rehash();
        mask = slot_.size() - 1;
        for (place = tag & mask; slot_[place];) place = (place + 1) & mask;
    }
    const auto entry = known_.size();
    slot_[place] = tag << 32 | (entry + 1);
    known_.emplace_back().index = index;
    place_.push_back(word_.size());
    word_.insert(word_.end(), key_.begin(), key_.begin() + words);
    return entry;
}

bool ResidualTable::make_room(std::uint64_t words) {
    const auto grown = [](auto& vector, std::uint64_t more) {
        return vector.size() + more > vector.capacity()
                   ? std::max<std::uint64_t>(1024, vector.capacity() * 3 / 2 + more)
                   : 0;
    };
    const auto known = grown(known_, 1), place = grown(place_, 1), word = grown(word_, words);
    const auto slots = known_.size() * 2 >= slot_.size() ? slot_.size() * 2 : 0;
    if (!known && !place && !word && !slots) return true;
    const auto bytes = field_.size() * sizeof(Field) + slot_.capacity() * 8 + known_.capacity() * sizeof(Known) +
                       place_.capacity() * 8 + word_.capacity() * 8;
    // While a vector is copied, both copies are there.
    const auto peak = bytes + known * sizeof(Known) + (place + word + slots) * 8;
    if (peak > limit_ || known_.size() + 1 >= 0xffffffffull) {
        full_ = true;
        return false;
    }
    const auto more = static_cast<std::int64_t>(peak - std::min(peak, charged_));
    control_.charge(more);
    charged_ += static_cast<std::uint64_t>(more);
    if (known) known_.reserve(known);
    if (place) place_.reserve(place);
    if (word) word_.reserve(word);
    return true;
}

void ResidualTable::rehash() {
    std::vector<std::uint64_t> slots(slot_.size() * 2, 0);
    const auto mask = slots.size() - 1;
    for (const auto slot : slot_) {
        if (!slot) continue;
        auto place = (slot >> 32) & mask;
        while (slots[place]) place = (place + 1) & mask;
        slots[place] = slot;
    }
    slot_ = std::move(slots);
}

void ResidualTable::forget_proofs() {
    for (auto& known : known_) known.proof = kNone;
}

}  // namespace zermelo::qip::tabling
