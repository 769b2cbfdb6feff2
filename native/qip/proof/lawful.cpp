#include "qip/proof/lawful.hpp"

#include <algorithm>

namespace zermelo::qip::tabling {

Lawful::Lawful(const TableState& state, Control& control)
    : control_(control), first_row_(state.first_uncertain), rows_(state.rows() - state.first_uncertain) {
    std::vector<std::size_t> place(state.variables(), 0);
    for (std::uint32_t v = 0; v < state.variables(); ++v) {
        if (state.owner[v] != Owner::bound) continue;
        place[v] = bound_.size();
        bound_.push_back(v);
        range_.push_back(state.range[v]);
    }
    coefficient_.assign(bound_.size(), std::vector<std::int64_t>(rows_, 0));
    best_.assign(bound_.size(), 0);
    for (std::uint32_t q = 0; q < rows_; ++q)
        for (const auto& [variable, coefficient] : state.terms(first_row_ + q))
            if (state.owner[variable] == Owner::bound) coefficient_[place[variable]][q] = coefficient;
    for (auto b = bound_.size(); b-- > 0;) {
        bool up = false, down = false;
        for (std::uint32_t q = 0; q < rows_; ++q) {
            const auto a = coefficient_[b][q];
            up = up || a > 0;
            down = down || a < 0;
        }
        simple_ = simple_ && !(up && down);
        best_[b] = up ? 0 : range_[b];
    }
}

Lawful::~Lawful() { control_.charge(-charged_); }

void Lawful::remember(const Key& key, std::int64_t value) {
    const auto bytes = static_cast<std::int64_t>(128 + key.size() * sizeof(std::int64_t));
    control_.charge(bytes);
    charged_ += bytes;
    value_[key] = value;
}

std::size_t Lawful::position_of(std::uint32_t index) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(bound_, index) - bound_.begin());
}

Lawful::Key Lawful::start_key(const TableState& state, std::size_t position) const {
    Key key{static_cast<std::int64_t>(position)};
    key.insert(key.end(), state.spare.begin() + first_row_, state.spare.end());
    return key;
}

Lawful::Key Lawful::key_after(const Key& key, std::int64_t value) const {
    auto next = key;
    const auto b = static_cast<std::size_t>(next[0]++);
    for (std::uint32_t q = 0; q < rows_; ++q)
        next[q + 1] -= coefficient_[b][q] * (coefficient_[b][q] > 0 ? value : value - range_[b]);
    return next;
}

std::int64_t Lawful::broken_row(const Key& key) const {
    for (std::uint32_t q = 0; q < rows_; ++q)
        if (key[q + 1] < 0) return q;
    return kKept;
}

std::int64_t Lawful::lawful_value(const Key& key) {
    if (broken_row(key) != kKept) return -1;
    if (static_cast<std::size_t>(key[0]) == bound_.size()) return 0;
    struct Level {
        Key key;
        std::int64_t next = 0;
    };
    enum class Last { entered, failed, found };
    std::vector<Level> levels{{key}};
    for (auto last = Last::entered; !levels.empty();) {
        control_.tick();
        auto& level = levels.back();
        const auto b = static_cast<std::size_t>(level.key[0]);
        if (last == Last::found) {
            remember(level.key, level.next - 1);
            levels.pop_back();
            continue;
        }
        if (last == Last::entered) {
            const auto known = b < bound_.size() ? value_.find(level.key) : value_.end();
            if (b == bound_.size() || known != value_.end()) {
                last = b == bound_.size() || known->second >= 0 ? Last::found : Last::failed;
                levels.pop_back();
                continue;
            }
        }
        last = Last::failed;
        while (level.next <= range_[b])
            if (auto next = key_after(level.key, level.next++); broken_row(next) == kKept) {
                levels.push_back({std::move(next)});
                last = Last::entered;
                break;
            }
        if (last == Last::entered) continue;
        remember(level.key, -1);
        levels.pop_back();
    }
    return value_.at(key);
}

bool Lawful::completes(const TableState& state, std::uint32_t index) {
    return lawful_value(start_key(state, position_of(index))) >= 0;
}

void Lawful::complete(const TableState& state, std::uint32_t index, std::vector<std::int64_t>& values) {
    const auto position = position_of(index);
    values.assign(best_.begin() + static_cast<std::ptrdiff_t>(position), best_.end());
    if (simple_) return;
    auto key = start_key(state, position);
    for (auto& value : values) {
        value = lawful_value(key);
        key = key_after(key, value);
    }
}

std::uint32_t Lawful::breaks(const TableState& state, std::uint32_t index, ProofNodes& nodes) {
    struct Level {
        Key key;
        std::int64_t next = 0;
        std::vector<ProofCase> cases{};
    };
    std::vector<Level> levels;
    levels.push_back({start_key(state, position_of(index))});
    for (;;) {
        control_.tick();
        auto& level = levels.back();
        const auto b = static_cast<std::size_t>(level.key[0]);
        bool deeper = false;
        while (!deeper && level.next <= range_[b]) {
            auto next = key_after(level.key, level.next);
            if (const auto row = broken_row(next); row != kKept) {
                level.cases.push_back({level.next, level.next, kEnd, row});
                ++level.next;
            } else if (const auto shown = shown_.find(next); shown != shown_.end()) {
                level.cases.push_back({level.next, level.next, shown->second});
                ++level.next;
            } else {
                levels.push_back({std::move(next)});
                deeper = true;
            }
        }
        if (deeper) continue;
        const auto node = nodes.branch(bound_[b], level.cases);
        shown_[level.key] = node;
        levels.pop_back();
        if (levels.empty()) return node;
    }
}

}  // namespace zermelo::qip::tabling
