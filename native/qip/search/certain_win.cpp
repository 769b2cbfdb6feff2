#include "qip/search/certain_win.hpp"

#include <algorithm>
#include <cstdlib>

namespace zermelo::qip::tabling {

CertainWin::CertainWin(TableState& state)
    : state_(state), block_of_(state.variables()), losing_(state.variables(), -1), is_pending_(state.variables(), 0) {
    block_.emplace_back();  // of the existential variables
    for (std::uint32_t v = 0; v < state.variables(); ++v) {
        if (state.owner[v] == Owner::exists) continue;
        if (v == 0 || state.owner[v - 1] == Owner::exists) block_.emplace_back().begin = v;
        block_.back().end = v + 1;
        block_of_[v] = static_cast<std::uint32_t>(block_.size() - 1);
    }
}

void CertainWin::add_candidates(std::uint32_t row) {
    for (const auto& term : state_.terms(row)) {
        const auto v = term.variable;
        if (state_.owner[v] != Owner::exists || state_.fixed(v) || is_pending_[v]) continue;
        is_pending_[v] = 1;
        pending_.push_back(v);
    }
}

// Takes the better end of a variable, if there is one.
bool CertainWin::settle(std::uint32_t variable) {
    const auto open = [&](const Entry& entry) { return state_.room[entry.row] < 0; };
    const bool rising = std::ranges::any_of(state_.gaining(variable), open),
               falling = std::ranges::any_of(state_.losing(variable), open);
    if (rising == falling) return false;
    const auto by = state_.high[variable] - state_.low[variable];
    const auto value = rising ? state_.low[variable] : state_.high[variable];
    state_.assume(variable, value, value);
    for (const auto& entry : rising ? state_.gaining(variable) : state_.losing(variable))
        if (const auto room = state_.room[entry.row]; room >= 0 && room < std::abs(entry.coefficient) * by)
            closed_.push_back(entry.row);
    return true;
}

bool CertainWin::settle_all(std::vector<std::uint32_t>& latest) {
    settled_.clear();
    closed_.clear();
    const auto settle_next = [&](std::uint32_t v) {
        if (!state_.fixed(v) && settle(v)) settled_.push_back(v);
    };
    // Few variables are settled by what was done now; those after them are mostly the same as the last time, and need
    // not be found again.
    const auto begin = pending_.size();
    for (std::size_t p = 0; p < begin && state_.open; ++p) settle_next(pending_[p]);
    if (!settled_.empty())
        for (std::size_t v = 0; v < latest.size() && state_.open; ++v) settle_next(latest[v]);
    for (const auto v : pending_) is_pending_[v] = 0;
    pending_.clear();
    for (std::size_t next = 0; next < closed_.size() && state_.open;) {
        add_candidates(closed_[next++]);
        for (; !pending_.empty() && state_.open; pending_.pop_back()) {
            is_pending_[pending_.back()] = 0;
            settle_next(pending_.back());
        }
    }
    for (const auto v : pending_) is_pending_[v] = 0;
    pending_.clear();
    if (state_.open) return false;
    latest.swap(settled_);
    return true;
}

bool CertainWin::wins(std::uint32_t variable, bool kept) {
    auto& block = block_[block_of_[variable]];
    const auto mark = state_.trail.size();
    if (kept)
        for (auto v = variable + 1; v < block.end; ++v)
            if (losing_[v] >= 0 && !state_.fixed(v)) state_.assume(v, 1 - losing_[v], 1 - losing_[v]);
    for (const auto& entry : state_.column(variable))
        if (state_.room[entry.row] >= 0) add_candidates(entry.row);
    const bool tries = !pending_.empty();
    const bool won = settle_all(block.latest);
    block.tried += tries;
    block.won += won;
    if (!won) state_.undo(mark);
    return won;
}

}  // namespace zermelo::qip::tabling
