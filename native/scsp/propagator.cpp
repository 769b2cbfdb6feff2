#include "scsp/propagator.hpp"

#include <algorithm>
#include <array>

namespace zermelo::scsp {

Propagator::Propagator(std::shared_ptr<const Instance> instance, Method method)
    : instance_(std::move(instance)), method_(method), domains_(*instance_), state_(instance_->tables().size()),
      seen_(instance_->columns()), word_(instance_->words()), word_stamp_(instance_->words(), 0),
      word_index_(instance_->words()), queue_(instance_->tables().size()), open_(instance_->variables()),
      open_place_(instance_->variables()), open_count_(instance_->variables()) {
    std::uint32_t most = 0;
    std::uint64_t wide_values = 0;
    for (std::uint32_t t = 0; t < state_.size(); ++t) {
        const auto& table = instance_->tables()[t];
        state_[t].open = static_cast<std::int32_t>(table.arity);
        state_[t].live = table.words;
        most = std::max(most, table.words);
        for (std::uint32_t w = 0; w < table.words; ++w) {
            const auto rows = std::min<std::uint64_t>(64, table.rows - 64 * std::uint64_t{w});
            word_[table.first_word + w] = rows == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
            word_index_[table.first_word + w] = w;
        }
        if (table.words > Instance::kNarrow)
            for (const auto& column : instance_->columns(table))
                wide_values = std::max<std::uint64_t>(wide_values, column.first + instance_->domain(column.variable));
    }
    scratch_.resize(most);
    residue_.resize(wide_values, 0);
    for (std::uint32_t x = 0; x < open_.size(); ++x) open_[x] = open_place_[x] = x;
}

bool Propagator::begin() {
    if (instance_->refuted()) return false;
    if (method_ == Method::fc) {
        for (std::uint32_t t = 0; t < state_.size(); ++t)
            if (state_[t].open == 1 && !revise(t, true)) return false;
        return true;
    }
    for (std::uint32_t x = 0; x < instance_->variables(); ++x)
        if (domains_.size(x) == 1) close(x);
    for (std::uint32_t t = 0; t < state_.size(); ++t)
        if (!revise(t, true)) {
            clear_queue();
            return false;
        }
    return propagate();
}

void Propagator::push() {
    marks_.push_back({domains_.mark(), word_trail_.size(), live_trail_.size(), freed_.size(), open_count_});
    domains_.new_node();
}

void Propagator::pop() {
    const auto mark = marks_.back();
    marks_.pop_back();
    while (word_trail_.size() > mark.word) {
        word_[word_trail_.back().word] = word_trail_.back().bits;
        word_trail_.pop_back();
    }
    while (live_trail_.size() > mark.live) {
        state_[live_trail_.back().table].live = live_trail_.back().live;
        live_trail_.pop_back();
    }
    for (; freed_.size() > mark.freed; freed_.pop_back()) state_[freed_.back()].open += kFree;
    for (auto place = open_count_; place < mark.open; ++place)
        for (const auto t : instance_->tables_of(open_[place])) ++state_[t].open;
    open_count_ = mark.open;
    domains_.undo(mark.domain);
}

void Propagator::leave_open(std::uint32_t x) {
    const auto place = open_place_[x];
    const auto last = open_[--open_count_];
    open_[place] = last;
    open_place_[last] = place;
    open_[open_count_] = x;
    open_place_[x] = open_count_;
}

void Propagator::close(std::uint32_t x) {
    leave_open(x);
    for (const auto t : instance_->tables_of(x)) --state_[t].open;
}

void Propagator::enqueue(std::uint32_t t) {
    if (state_[t].queued) return;
    state_[t].queued = true;
    auto end = queue_head_ + queue_size_++;
    if (end >= queue_.size()) end -= static_cast<std::uint32_t>(queue_.size());
    queue_[end] = t;
}

void Propagator::clear_queue() {
    for (; queue_size_; --queue_size_) {
        state_[queue_[queue_head_]].queued = false;
        if (++queue_head_ == queue_.size()) queue_head_ = 0;
    }
}

void Propagator::changed(std::uint32_t x, std::uint32_t source) {
    if (method_ == Method::fc) return;
    const bool closes = domains_.size(x) == 1;
    for (const auto t : instance_->tables_of(x)) {
        auto& state = state_[t];
        // A table whose only open variable is this one has seen all others: whatever is left is allowed.
        if (binds(t) && t != source) enqueue(t);
        if (closes) --state.open;
    }
    if (closes) leave_open(x);
}

bool Propagator::assign(std::uint32_t x, std::uint32_t value) {
    if (!domains_.has(x, value)) return false;
    if (method_ == Method::fc) {
        if (!is_open(x)) return true;
        domains_.assign(x, value);
        close(x);
        return advance(x);
    }
    if (domains_.size(x) > 1) {
        domains_.assign(x, value);
        changed(x, kNobody);
    }
    return true;
}

bool Propagator::forbid(std::uint32_t x, std::uint32_t value) {
    if (!domains_.has(x, value)) return true;
    if (domains_.size(x) == 1) return false;
    domains_.remove(x, value);
    changed(x, kNobody);
    return true;
}

bool Propagator::propagate() {
    while (queue_size_) {
        const auto t = queue_[queue_head_];
        if (++queue_head_ == queue_.size()) queue_head_ = 0;
        --queue_size_;
        state_[t].queued = false;
        if (!revise(t, false)) {
            ++state_[t].weight;
            clear_queue();
            return false;
        }
    }
    return true;
}

bool Propagator::advance(std::uint32_t x) {
    for (const auto t : instance_->tables_of(x)) {
        const auto& table = instance_->tables()[t];
        const auto columns = instance_->columns(table);
        const auto& column = *std::ranges::find(columns, x, &Instance::Column::variable);
        const bool possible = table.words <= Instance::kNarrow ? advance_narrow(t, column)
                                                               : restrict_wide(t, column, instance_->domain(x));
        if (!possible) return ++state_[t].weight, false;
        if (state_[t].open != 1) continue;
        const auto& last = *std::ranges::find_if(columns, [&](const auto& c) { return is_open(c.variable); });
        filter(t, last);
        if (!domains_.size(last.variable)) return ++state_[t].weight, false;
    }
    return true;
}

// Keeps the rows that allow the value of a variable.
bool Propagator::advance_narrow(std::uint32_t t, const Instance::Column& column) {
    const auto& table = instance_->tables()[t];
    const auto* mask = instance_->masks(column) + std::size_t{*domains_.values(column.variable)} * table.words;
    std::uint64_t some = 0;
    for (std::uint32_t w = 0; w < table.words; ++w) {
        const auto rows = word_[table.first_word + w] & mask[w];
        some |= rows;
        set_word(table.first_word + w, rows);
    }
    return some != 0;
}

bool Propagator::revise(std::uint32_t t, bool all) {
    switch (instance_->tables()[t].words) {
        case 1: return revise_narrow<1>(t, all);
        case 2: return revise_narrow<2>(t, all);
        case 3: return revise_narrow<3>(t, all);
        case 4: return revise_narrow<4>(t, all);
        default: return revise_wide(t, all);
    }
}

void Propagator::filter(std::uint32_t t, const Instance::Column& column) {
    const auto& table = instance_->tables()[t];
    const auto* rows = word_.data() + table.first_word;
    switch (table.words) {
        case 1: return filter_narrow<1>(column, rows);
        case 2: return filter_narrow<2>(column, rows);
        case 3: return filter_narrow<3>(column, rows);
        case 4: return filter_narrow<4>(column, rows);
        default: return filter_wide(t, column);
    }
}

// Takes note of the domains as they are now.
void Propagator::saw_all(std::uint32_t t) {
    const auto& table = instance_->tables()[t];
    auto column = table.first_column;
    for (const auto& c : instance_->columns(table)) seen_[column++] = domains_.size(c.variable);
    state_[t].stamp = domains_.node();
}

template <std::uint32_t W>
bool Propagator::revise_narrow(std::uint32_t t, bool all) {
    const auto& table = instance_->tables()[t];
    const auto columns = instance_->columns(table);
    auto* words = word_.data() + table.first_word;
    std::array<std::uint64_t, W> rows;
    std::copy_n(words, W, rows.begin());
    std::uint32_t number = table.first_column;
    std::uint32_t only = kNobody;  // the one variable that changed, which then cannot lose a value here
    std::uint32_t count = 0;
    for (const auto& column : columns) {
        const auto x = column.variable;
        const auto size = domains_.size(x);
        const auto earlier = before(state_[t], number++, x);
        if (size == earlier) continue;
        ++count;
        only = x;
        const auto* values = domains_.values(x);
        const auto* masks = instance_->masks(column);
        std::array<std::uint64_t, W> mask{};
        // From what is left, or from what is gone: whichever is less.
        const bool reset = size <= earlier - size;
        for (auto i = reset ? 0 : size; i < (reset ? size : earlier); ++i)
            for (std::uint32_t w = 0; w < W; ++w) mask[w] |= masks[std::size_t{values[i]} * W + w];
        for (std::uint32_t w = 0; w < W; ++w) rows[w] &= reset ? mask[w] : ~mask[w] | any_word<W>(column, w);
    }
    std::uint64_t some = 0, changes = 0;
    for (std::uint32_t w = 0; w < W; ++w) {
        some |= rows[w];
        changes |= rows[w] ^ words[w];
    }
    if (!some) return false;
    if (changes || all) {
        if (count != 1 || all) only = kNobody;
        for (const auto& column : columns) {
            const auto size = domains_.size(column.variable);
            if (column.variable == only || size == 1) continue;
            filter_narrow<W>(column, rows.data());
            if (domains_.size(column.variable) == size) continue;
            if (!domains_.size(column.variable)) return false;
            changed(column.variable, t);
        }
    }
    if (table.short_rows && binds(t) && allows_all_narrow<W>(t, rows.data())) free(t);
    // Nothing brings a table that binds no open variables into the queue again: it need not remember.
    if (!binds(t)) return true;
    for (std::uint32_t w = 0; w < W; ++w)
        if (rows[w] != words[w]) set_word(table.first_word + w, rows[w]);
    saw_all(t);
    return true;
}

// Whether a row that is possible allows every value of all open variables.
template <std::uint32_t W>
bool Propagator::allows_all_narrow(std::uint32_t t, const std::uint64_t* rows) const {
    std::array<std::uint64_t, W> all;
    for (std::uint32_t w = 0; w < W; ++w) all[w] = rows[w];
    for (const auto& column : instance_->columns(instance_->tables()[t])) {
        if (domains_.size(column.variable) == 1) continue;
        std::uint64_t some = 0;
        for (std::uint32_t w = 0; w < W; ++w) some |= all[w] &= any_word<W>(column, w);
        if (!some) return false;
    }
    return true;
}

bool Propagator::allows_all_wide(std::uint32_t t) const {
    const auto& table = instance_->tables()[t];
    for (const auto& column : instance_->columns(table))
        if (column.any == Instance::kNone && domains_.size(column.variable) > 1) return false;
    for (std::uint32_t i = 0; i < state_[t].live; ++i) {
        const auto w = word_index_[table.first_word + i];
        auto all = word_[table.first_word + w];
        for (const auto& column : instance_->columns(table))
            if (domains_.size(column.variable) > 1) all &= instance_->any_words(column)[w];
        if (all) return true;
    }
    return false;
}

bool Propagator::lists_rows(std::uint32_t t) const {
    const auto& table = instance_->tables()[t];
    if (method_ != Method::mac || table.words > Instance::kNarrow) return false;
    const auto* overlapping = instance_->overlapping(table);
    const auto possible = rows(t);
    for (std::uint32_t w = 0; w < table.words; ++w) {
        if (possible[w] & overlapping[w]) return false;
        if (!table.short_rows) continue;
        for (const auto& column : instance_->columns(table)) {
            const auto any = table.words == 1 ? column.any : instance_->any_words(column)[w];
            if (possible[w] & any && domains_.size(column.variable) > 1) return false;
        }
    }
    return true;
}

template <std::uint32_t W>
void Propagator::filter_narrow(const Instance::Column& column, const std::uint64_t* rows) {
    std::uint64_t any = 0;
    for (std::uint32_t w = 0; w < W; ++w) any |= rows[w] & any_word<W>(column, w);
    if (any) return;
    const auto* masks = instance_->masks(column);
    const auto x = column.variable;
    const auto* values = domains_.values(x);
    for (auto i = domains_.size(x); i-- > 0;) {
        std::uint64_t some = 0;
        for (std::uint32_t w = 0; w < W; ++w) some |= masks[std::size_t{values[i]} * W + w] & rows[w];
        if (!some) domains_.remove_at(x, i);
    }
}

bool Propagator::revise_wide(std::uint32_t t, bool all) {
    const auto& table = instance_->tables()[t];
    const auto columns = instance_->columns(table);
    std::uint32_t number = table.first_column;
    std::uint32_t only = kNobody;
    std::uint32_t count = 0;
    for (const auto& column : columns) {
        const auto earlier = before(state_[t], number++, column.variable);
        if (domains_.size(column.variable) == earlier) continue;
        ++count;
        only = column.variable;
        if (!restrict_wide(t, column, earlier)) return false;
    }
    if (count != 1 || all) only = kNobody;
    for (const auto& column : columns)
        if (column.variable != only && domains_.size(column.variable) > 1) {
            const auto size = domains_.size(column.variable);
            filter_wide(t, column);
            if (!domains_.size(column.variable)) return false;
            if (domains_.size(column.variable) != size) changed(column.variable, t);
        }
    if (table.short_rows && binds(t) && allows_all_wide(t)) free(t);
    if (binds(t)) saw_all(t);
    return true;
}

// Drops the rows of values that the variable lost since it had `before` of them.
bool Propagator::restrict_wide(std::uint32_t t, const Instance::Column& column, std::uint32_t before) {
    auto& state = state_[t];
    const auto first = instance_->tables()[t].first_word;
    const auto x = column.variable;
    const auto size = domains_.size(x);
    const auto* values = domains_.values(x);
    const auto* any = instance_->any_words(column);
    const bool reset = size <= before - size;  // from what is left, or from what is gone: whichever is less
    for (std::uint32_t i = 0; i < state.live; ++i) {
        const auto w = word_index_[first + i];
        scratch_[w] = reset && any ? any[w] : 0;
    }
    for (auto i = reset ? 0 : size; i < (reset ? size : before); ++i)
        for (const auto& run : instance_->runs(column, values[i])) scratch_[run.word] |= run.bits;
    const auto flip = reset ? std::uint64_t{0} : ~std::uint64_t{0};
    const auto live = state.live;
    for (auto i = live; i-- > 0;) {
        const auto w = word_index_[first + i];
        const auto rows = word_[first + w] & (scratch_[w] ^ flip);
        if (rows == word_[first + w]) continue;
        set_word(first + w, rows);
        if (rows) continue;
        if (state.live_stamp != domains_.node()) {
            state.live_stamp = domains_.node();
            live_trail_.push_back({t, state.live});
        }
        --state.live;
        std::swap(word_index_[first + i], word_index_[first + state.live]);
    }
    return state.live > 0;
}

bool Propagator::supported(std::uint32_t t, const Instance::Column& column, std::uint32_t value) {
    const auto* words = word_.data() + instance_->tables()[t].first_word;
    const auto runs = instance_->runs(column, value);
    auto& residue = residue_[column.first + value];
    if (runs.empty()) return false;
    if (runs[residue].bits & words[runs[residue].word]) return true;
    for (std::uint32_t r = 0; r < runs.size(); ++r)
        if (runs[r].bits & words[runs[r].word]) {
            residue = r;
            return true;
        }
    return false;
}

void Propagator::filter_wide(std::uint32_t t, const Instance::Column& column) {
    const auto first = instance_->tables()[t].first_word;
    if (const auto* any = instance_->any_words(column))
        for (std::uint32_t i = 0; i < state_[t].live; ++i) {
            const auto w = word_index_[first + i];
            if (any[w] & word_[first + w]) return;
        }
    const auto x = column.variable;
    const auto* values = domains_.values(x);
    for (auto i = domains_.size(x); i-- > 0;)
        if (!supported(t, column, values[i])) domains_.remove_at(x, i);
}

}  // namespace zermelo::scsp
