#include "qip/walkover.hpp"

#include <algorithm>

namespace zermelo::qip::tabling {

Walkover::Walkover(TableState& state) : state_(state), block_of_(state.variables()), losing_(state.variables(), -1), is_pending_(state.variables(), 0) {
    block_.push_back({0, 0});  // of the existential variables
    for (std::uint32_t v = 0; v < state.variables(); ++v) {
        if (state.owner[v] == Owner::exists) continue;
        if (v == 0 || state.owner[v - 1] == Owner::exists) block_.push_back({v, v});
        block_.back().end = v + 1;
        block_of_[v] = static_cast<std::uint32_t>(block_.size() - 1);
    }
}

void Walkover::add_candidates(std::uint32_t row) {
    for (const auto& term : state_.terms(row)) {
        const auto v = term.variable;
        if (state_.owner[v] != Owner::exists || state_.fixed(v) || is_pending_[v]) continue;
        is_pending_[v] = 1;
        pending_.push_back(v);
    }
}

bool Walkover::settle() {
    const auto open = [&](const Entry& entry) { return state_.room[entry.row] < 0; };
    while (state_.open && !pending_.empty()) {
        const auto v = pending_.back();
        pending_.pop_back();
        is_pending_[v] = 0;
        const bool rising = std::ranges::any_of(state_.gaining(v), open), falling = std::ranges::any_of(state_.losing(v), open);
        if (rising == falling) continue;
        const auto by = state_.high[v] - state_.low[v];
        const auto value = rising ? state_.low[v] : state_.high[v];
        state_.assume(v, value, value);
        for (const auto& entry : rising ? state_.gaining(v) : state_.losing(v))
            if (const auto room = state_.room[entry.row]; room >= 0 && room < std::abs(entry.coefficient) * by) add_candidates(entry.row);
    }
    for (const auto v : pending_) is_pending_[v] = 0;
    pending_.clear();
    return state_.open == 0;
}

bool Walkover::wins(std::uint32_t variable, bool kept) {
    auto& block = block_[block_of_[variable]];
    const auto mark = state_.trail.size();
    if (kept)
        for (auto v = variable + 1; v < block.end; ++v)
            if (losing_[v] >= 0 && !state_.fixed(v)) state_.assume(v, 1 - losing_[v], 1 - losing_[v]);
    for (const auto& entry : state_.column(variable))
        if (state_.room[entry.row] >= 0) add_candidates(entry.row);
    const bool tries = !pending_.empty();
    const bool won = settle();
    block.tried += tries;
    block.won += won;
    if (!won) state_.undo(mark);
    return won;
}

}  // namespace zermelo::qip::tabling
