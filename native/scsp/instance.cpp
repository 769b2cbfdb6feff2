#include "scsp/instance.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <stdexcept>

namespace zermelo::scsp {

namespace {

constexpr std::uint64_t kWordBits = 64;

template <class T>
std::uint64_t bytes_of(const std::vector<T>& vector) {
    return vector.capacity() * sizeof(T);
}

}  // namespace

void Tables::add(std::span<const std::uint32_t> table_scope, std::span<const std::int32_t> tuples) {
    if (table_scope.empty() ? !tuples.empty() : tuples.size() % table_scope.size())
        throw std::invalid_argument("a tuple has a value for each variable of its scope");
    scope.insert(scope.end(), table_scope.begin(), table_scope.end());
    scope_first.push_back(scope.size());
    rows.push_back(table_scope.empty() ? 1 : tuples.size() / table_scope.size());
    entry.insert(entry.end(), tuples.begin(), tuples.end());
}

void check(const Tables& tables) {
    constexpr auto kMost = std::uint64_t{std::numeric_limits<std::int32_t>::max()};
    if (tables.domain.size() > kMost || tables.scope.size() > kMost || tables.rows.size() > kMost)
        throw std::invalid_argument("a network of so many variables or tables");
    for (const auto size : tables.domain)
        if (size == 0 || size > kMost) throw std::invalid_argument("a variable has at least one value");
    if (tables.scope_first.size() != tables.rows.size() + 1 || tables.scope_first.front() != 0 ||
        tables.scope_first.back() != tables.scope.size())
        throw std::invalid_argument("scopes begin where the ones before them end");
    std::vector<std::uint32_t> last_seen(tables.domain.size(), std::numeric_limits<std::uint32_t>::max());
    std::uint64_t entries = 0;
    for (std::uint32_t t = 0; t < tables.tables(); ++t) {
        const auto begin = tables.scope_first[t];
        const auto end = tables.scope_first[t + 1];
        if (begin > end || end > tables.scope.size())
            throw std::invalid_argument("scopes begin where the ones before them end");
        for (auto s = begin; s < end; ++s) {
            const auto variable = tables.scope[s];
            if (variable >= tables.variables()) throw std::invalid_argument("a scope has a variable that there is not");
            if (last_seen[variable] == t) throw std::invalid_argument("a scope has a variable twice");
            last_seen[variable] = t;
        }
        const auto arity = end - begin;
        const auto rows = tables.rows[t];
        if (arity == 0) continue;
        if (rows > kMost || rows > (tables.entry.size() - entries) / arity)
            throw std::invalid_argument("tables have more tuples than there are");
        for (std::uint64_t r = 0; r < rows; ++r)
            for (auto s = begin; s < end; ++s) {
                const auto value = tables.entry[entries++];
                if (value < kAny || (value >= 0 && static_cast<std::uint32_t>(value) >= tables.domain[tables.scope[s]]))
                    throw std::invalid_argument("a tuple has a value that its variable does not have");
            }
    }
    if (entries != tables.entry.size()) throw std::invalid_argument("tables have fewer tuples than there are");
}

Instance::Instance(const Tables& tables, Control& control) : domain_(tables.domain) {
    check(tables);
    std::uint64_t wide_values = 0, narrow_values = 0, words = 0;
    for (const auto size : domain_) values_ += size;
    for (std::uint32_t t = 0; t < tables.tables(); ++t) {
        const auto size = (tables.rows[t] + kWordBits - 1) / kWordBits;
        words += size;
        for (auto s = tables.scope_first[t]; s < tables.scope_first[t + 1]; ++s) {
            const std::uint64_t values = tables.domain[tables.scope[s]];
            if (size > kNarrow) wide_values += values;
            else narrow_values += values * size;
        }
    }
    if (std::max({values_, words, wide_values, narrow_values}) >= std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("a network with so many values");
    // What compiling takes at the most: a run for each entry of a wide table.
    const auto expected = 8 * (narrow_values + wide_values) + 16 * tables.entry.size() + 8 * tables.scope.size();
    control.charge(static_cast<std::int64_t>(expected));
    masks_.reserve(narrow_values);
    run_first_.reserve(wide_values + 1);
    run_first_.push_back(0);
    std::size_t begin = 0;
    std::vector<std::uint32_t> degree(domain_.size() + 1, 0);
    for (std::uint32_t t = 0; t < tables.tables(); ++t) {
        const auto arity = static_cast<std::uint32_t>(tables.scope_first[t + 1] - tables.scope_first[t]);
        const auto rows = tables.rows[t];
        refuted_ |= rows == 0;
        const std::span<const std::int32_t> entries(tables.entry.data() + begin, arity ? rows * arity : 0);
        begin += entries.size();
        if (arity == 0 || rows == 0) continue;
        Table table{columns(),
                    arity,
                    static_cast<std::uint32_t>((rows + kWordBits - 1) / kWordBits),
                    words_,
                    rows,
                    entries_.size(),
                    std::ranges::find(entries, kAny) != entries.end()};
        for (std::uint32_t c = 0; c < arity; ++c) {
            const auto variable = tables.scope[tables.scope_first[t] + c];
            columns_.push_back({variable, 0, 0});
            ++degree[variable];
        }
        words_ += table.words;
        overlapping_.resize(words_, 0);
        if (table.words <= kNarrow) compile_narrow(table, entries);
        else compile_wide(table, entries);
        tables_.push_back(table);
    }
    runs_.shrink_to_fit();
    adjacent_first_.assign(domain_.size() + 1, 0);
    for (std::size_t v = 0; v < domain_.size(); ++v) adjacent_first_[v + 1] = adjacent_first_[v] + degree[v];
    adjacent_.resize(columns_.size());
    auto place = adjacent_first_;
    for (std::uint32_t t = 0; t < tables_.size(); ++t)
        for (const auto& column : columns(tables_[t])) adjacent_[place[column.variable]++] = t;
    control.charge(static_cast<std::int64_t>(bytes()) - static_cast<std::int64_t>(expected));
}

void Instance::compile_narrow(Table& table, std::span<const std::int32_t> entries) {
    std::array<std::uint64_t, kNarrow> any;
    for (std::uint32_t c = 0; c < table.arity; ++c) {
        auto& column = columns_[table.first_column + c];
        column.first = static_cast<std::uint32_t>(masks_.size());
        masks_.resize(masks_.size() + std::size_t{domain_[column.variable]} * table.words, 0);
        any.fill(0);
        for (std::uint64_t r = 0; r < table.rows; ++r) {
            const auto value = entries[r * table.arity + c];
            auto& word = value == kAny
                             ? any[r / kWordBits]
                             : masks_[column.first + static_cast<std::size_t>(value) * table.words + r / kWordBits];
            word |= std::uint64_t{1} << (r % kWordBits);
        }
        for (std::size_t m = column.first; m < masks_.size(); ++m) masks_[m] |= any[(m - column.first) % table.words];
        column.any = table.words == 1 ? any[0] : any_words_.size();
        if (table.words > 1) any_words_.insert(any_words_.end(), any.begin(), any.begin() + table.words);
    }
    list_rows(table, entries);
}

// Keeps the entries of a narrow table, and which rows have a tuple in common with another.
void Instance::list_rows(const Table& table, std::span<const std::int32_t> entries) {
    std::array<std::uint64_t, kNarrow> alike;
    for (std::uint64_t r = 0; r < table.rows; ++r) {
        alike.fill(~std::uint64_t{0});
        for (std::uint32_t c = 0; c < table.arity; ++c) {
            const auto value = entries[r * table.arity + c];
            entries_.push_back(static_cast<std::uint32_t>(value));
            if (value == kAny) continue;
            const auto* mask = masks(columns_[table.first_column + c]) + static_cast<std::size_t>(value) * table.words;
            for (std::uint32_t w = 0; w < table.words; ++w) alike[w] &= mask[w];
        }
        alike[r / kWordBits] &= ~(std::uint64_t{1} << (r % kWordBits));
        for (auto w = table.words; w-- > 0;)
            for (auto others = alike[w]; others != 0; others &= others - 1)
                if (64 * w + static_cast<std::uint64_t>(std::countr_zero(others)) < table.rows)
                    overlapping_[table.first_word + r / kWordBits] |= std::uint64_t{1} << (r % kWordBits);
    }
}

void Instance::compile_wide(Table& table, std::span<const std::int32_t> entries) {
    std::vector<std::uint64_t> count;
    for (std::uint32_t c = 0; c < table.arity; ++c) {
        auto& column = columns_[table.first_column + c];
        const auto domain = domain_[column.variable];
        column.first = static_cast<std::uint32_t>(run_first_.size() - 1);
        column.any = kNone;
        // Rows of a value, counted word by word: rows come in order, so a word that is not the last one seen is new.
        count.assign(2 * std::size_t{domain}, 0);
        for (std::uint64_t r = 0; r < table.rows; ++r) {
            const auto value = entries[r * table.arity + c];
            if (value == kAny) {
                if (column.any == kNone) {
                    column.any = any_words_.size();
                    any_words_.resize(any_words_.size() + table.words, 0);
                }
                any_words_[column.any + r / kWordBits] |= std::uint64_t{1} << (r % kWordBits);
                continue;
            }
            const auto v = static_cast<std::size_t>(value);
            if (count[2 * v + 1] != r / kWordBits + 1) ++count[2 * v], count[2 * v + 1] = r / kWordBits + 1;
        }
        for (std::uint32_t v = 0; v < domain; ++v) run_first_.push_back(run_first_.back() + count[2 * v]);
        runs_.resize(run_first_.back());
        for (std::uint32_t v = 0; v < domain; ++v) count[2 * v] = run_first_[column.first + v], count[2 * v + 1] = 0;
        for (std::uint64_t r = 0; r < table.rows; ++r) {
            const auto value = entries[r * table.arity + c];
            if (value == kAny) continue;
            const auto v = static_cast<std::size_t>(value);
            const auto word = r / kWordBits;
            if (count[2 * v + 1] != word + 1) {
                count[2 * v + 1] = word + 1;
                runs_[count[2 * v]++] = {0, static_cast<std::uint32_t>(word)};
            }
            runs_[count[2 * v] - 1].bits |= std::uint64_t{1} << (r % kWordBits);
        }
    }
}

std::uint64_t Instance::bytes() const {
    return bytes_of(domain_) + bytes_of(tables_) + bytes_of(columns_) + bytes_of(masks_) + bytes_of(run_first_) +
           bytes_of(runs_) + bytes_of(any_words_) + bytes_of(adjacent_first_) + bytes_of(adjacent_) +
           bytes_of(entries_) + bytes_of(overlapping_);
}

}  // namespace zermelo::scsp
