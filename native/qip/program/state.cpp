#include "qip/program/state.hpp"

#include <algorithm>
#include <cstdlib>

namespace zermelo::qip::tabling {

TableState::TableState(const Program& program)
    : first_uncertain(program.first_uncertain()), first_(program.first), term_(program.term) {
    const auto n = program.variables();
    const auto m = program.rows();
    range.resize(n);
    owner.resize(n);
    for (std::uint32_t v = 0; v < n; ++v) {
        range[v] = program.upper[v] - program.lower[v];
        owner[v] = program.exists[v] ? Owner::exists : Owner::forall;
    }
    first_continuous = n;
    while (first_continuous > 0 && !program.integer[first_continuous - 1]) --first_continuous;
    right = program.right;
    right[0] = 0;
    width.resize(term_.size());
    for (std::uint32_t r = 0; r < m; ++r) {
        std::int64_t small = 0, large = 0;
        for (auto t = first_[r + 1]; t-- > first_[r];) {
            const auto& [variable, coefficient] = term_[t];
            if (r > 0) right[r] -= coefficient * program.lower[variable];
            const auto spread = coefficient * range[variable];
            small += std::min<std::int64_t>(spread, 0);
            large += std::max<std::int64_t>(spread, 0);
            width[t] = large - small;
        }
        if (r >= first_uncertain && large > right[r])
            for (const auto& term : terms(r)) owner[term.variable] = Owner::bound;
    }

    column_first_.assign(n + 1, 0);
    for (const auto& term : term_) ++column_first_[term.variable + 1];
    for (std::uint32_t v = 0; v < n; ++v) column_first_[v + 1] += column_first_[v];
    column_split_.assign(column_first_.begin(), column_first_.end() - 1);
    column_.resize(term_.size());
    for (const bool positive : {true, false}) {
        for (std::uint32_t r = 0; r < m; ++r)
            for (auto t = first_[r]; t < first_[r + 1]; ++t)
                if (const auto& [variable, coefficient] = term_[t]; (coefficient > 0) == positive)
                    column_[column_split_[variable]++] = {r, static_cast<std::uint32_t>(t), coefficient};
        if (positive) continue;
        for (std::uint32_t v = 0; v < n; ++v) {
            const auto entries = column(v);
            column_split_[v] = column_first_[v] + static_cast<std::uint64_t>(std::ranges::count_if(
                                                      entries, [](const Entry& e) { return e.coefficient > 0; }));
        }
    }

    scan_ = term_;
    by_weight_.assign(m, 0);
    bar_.assign(m, 0);
    for (std::uint32_t r = 0; r < first_uncertain; ++r) {
        const auto weight = [&](const Term& t) {
            return owner[t.variable] == Owner::exists ? std::abs(t.coefficient) * range[t.variable] : 0;
        };
        for (const auto& term : terms(r)) bar_[r] = std::max(bar_[r], weight(term));
        by_weight_[r] = std::ranges::none_of(
            terms(r), [&](const Term& t) { return owner[t.variable] == Owner::forall && range[t.variable] > 0; });
        if (by_weight_[r])
            std::ranges::stable_sort(std::span(scan_).subspan(first_[r], first_[r + 1] - first_[r]), std::greater{},
                                     weight);
    }

    low.assign(n, 0);
    high = range;
    low_limit_.assign(n, kNoLimit);
    high_limit_.assign(n, kNoLimit);
    last_low.assign(n, kNone);
    last_high.assign(n, kNone);
    queued_.assign(m, 0);
    queue_.reserve(m);
    slack = room = spare = right;
    for (std::uint32_t r = 0; r < m; ++r) {
        for (const auto& [variable, coefficient] : terms(r)) {
            const auto spread = coefficient * range[variable];
            const bool worst = owner[variable] == Owner::forall && r < first_uncertain;
            slack[r] -= worst ? std::max<std::int64_t>(spread, 0) : std::min<std::int64_t>(spread, 0);
            room[r] -= std::max<std::int64_t>(spread, 0);
            spare[r] -= std::min<std::int64_t>(spread, 0);
        }
        open += room[r] < 0 && r < first_uncertain;
    }
    spare_at_first_ = spare;
}

void TableState::ask(std::int64_t bound) {
    const auto more = bound - right[0];
    const bool before = room[0] < 0;
    right[0] += more;
    spare = spare_at_first_;
    spare[0] += bound;
    slack[0] += more;
    room[0] += more;
    open = open - before + (room[0] < 0);
    conflict = broken = kNone;
    for (std::uint32_t r = 0; r < first_uncertain; ++r) {
        if (slack[r] < 0 && conflict == kNone) conflict = r;
        if (slack[r] >= 0) enqueue(r);
    }
}

void TableState::record(std::uint32_t variable, std::int64_t to, std::uint32_t reason, bool upper, std::int64_t limit) {
    auto& last = upper ? last_high[variable] : last_low[variable];
    // An end that is assumed further in has no limit any more: whoever assumes it sees to the other values.
    auto& own = upper ? high_limit_[variable] : low_limit_[variable];
    trail.push_back({upper ? high[variable] : low[variable], to, variable, reason, last, kNone, 0, upper, own});
    limited_ = limited_ + (limit != kNoLimit) - (own != kNoLimit);
    own = limit;
    last = static_cast<std::uint32_t>(trail.size() - 1);
}

void TableState::raise(std::uint32_t variable, std::int64_t to, std::uint32_t reason, std::int64_t limit) {
    const auto by = to - low[variable];
    record(variable, to, reason, false, limit);
    low[variable] = to;
    if (owner[variable] == Owner::forall) {
        for (const auto& entry : losing(variable)) {
            slack[entry.row] -= entry.coefficient * by;
            give_room(entry, -entry.coefficient * by);
        }
        return;
    }
    for (const auto& entry : gaining(variable)) take_slack(entry, entry.coefficient * by);
    for (const auto& entry : losing(variable)) give_room(entry, -entry.coefficient * by);
}

void TableState::lower(std::uint32_t variable, std::int64_t to, std::uint32_t reason, std::int64_t limit) {
    const auto by = high[variable] - to;
    record(variable, to, reason, true, limit);
    high[variable] = to;
    if (owner[variable] == Owner::forall) {
        for (const auto& entry : gaining(variable)) {
            slack[entry.row] += entry.coefficient * by;
            give_room(entry, entry.coefficient * by);
        }
        return;
    }
    for (const auto& entry : gaining(variable)) give_room(entry, entry.coefficient * by);
    for (const auto& entry : losing(variable)) take_slack(entry, -entry.coefficient * by);
}

void TableState::assume(std::uint32_t variable, std::int64_t from, std::int64_t to) {
    if (from > low[variable]) raise(variable, from, kNone, kNoLimit);
    if (to < high[variable]) lower(variable, to, kNone, kNoLimit);
    // Later existential variables need no longer allow for the values that are gone.
    if (owner[variable] == Owner::forall)
        for (const auto& entry : column(variable)) enqueue(entry.row);
}

void TableState::undo(std::size_t mark) {
    while (trail.size() > mark) {
        const auto& change = trail.back();
        const auto v = change.variable;
        const bool worst = owner[v] == Owner::forall;
        auto& limit = change.upper ? high_limit_[v] : low_limit_[v];
        limited_ = limited_ + (change.limit != kNoLimit) - (limit != kNoLimit);
        limit = change.limit;
        if (change.upper) {
            const auto by = change.before - high[v];
            high[v] = change.before;
            last_high[v] = change.previous;
            for (const auto& entry : gaining(v)) {
                if (worst) slack[entry.row] -= entry.coefficient * by;
                take_room(entry, entry.coefficient * by);
            }
            if (!worst)
                for (const auto& entry : losing(v)) slack[entry.row] -= entry.coefficient * by;
        } else {
            const auto by = low[v] - change.before;
            low[v] = change.before;
            last_low[v] = change.previous;
            for (const auto& entry : losing(v)) {
                if (worst) slack[entry.row] += entry.coefficient * by;
                take_room(entry, -entry.coefficient * by);
            }
            if (!worst)
                for (const auto& entry : gaining(v)) slack[entry.row] += entry.coefficient * by;
        }
        trail.pop_back();
    }
    for (const auto row : queue_) queued_[row] = 0;
    queue_.clear();
    conflict = broken = kNone;
}

std::int64_t TableState::row_limit(std::uint32_t row) const {
    auto limit = kNoLimit;
    if (limited_ == 0) return limit;
    for (const auto& [variable, coefficient] : terms(row))
        limit = std::min(limit, coefficient > 0 ? low_limit_[variable] : high_limit_[variable]);
    return limit;
}

void TableState::tighten(std::uint32_t row, const Term& term, std::int64_t space, std::int64_t limit) {
    const auto v = term.variable;
    const auto weight = std::abs(term.coefficient);
    // What the division leaves, less one, could be added to the right side.
    if (row == 0) limit = std::min(limit, right[0] + weight - 1 - space % weight);
    if (term.coefficient > 0) lower(v, low[v] + space / weight, row, limit);
    else raise(v, high[v] - space / weight, row, limit);
}

void TableState::tighten_row(std::uint32_t row) {
    auto space = slack[row];
    // What a row tightens is the ends that its slack does not rest on, so the limit stays the same.
    std::int64_t limit = 0;
    bool limited = false;
    const auto tighten_term = [&](const Term& term) {
        if (!limited) limit = row_limit(row);
        limited = true;
        tighten(row, term, space, limit);
    };
    const auto scanned = std::span(scan_).subspan(first_[row], first_[row + 1] - first_[row]);
    if (by_weight_[row]) {
        for (const auto& term : scanned) {
            const auto v = term.variable;
            const auto weight = std::abs(term.coefficient);
            if (weight * range[v] <= space || owner[v] != Owner::exists) return;
            if (weight * (high[v] - low[v]) > space) tighten_term(term);
        }
        return;
    }
    for (const auto& term : scanned) {
        const auto v = term.variable;
        if (low[v] == high[v]) continue;
        const auto spread = std::abs(term.coefficient) * (high[v] - low[v]);
        if (owner[v] == Owner::exists) {
            if (spread > space) tighten_term(term);
        } else if (owner[v] == Owner::forall) {
            space += spread;
        }
    }
}

bool TableState::propagate() {
    // Bounds may creep towards each other one by one; what is found so far is right, so it may stop.
    auto steps = std::size_t{4096} + 4 * rows();
    for (std::size_t next = 0; next < queue_.size() && conflict == kNone; ++next) {
        const auto row = queue_[next];
        queued_[row] = 0;
        if (slack[row] >= bar_[row]) continue;
        if (steps-- == 0) break;
        tighten_row(row);
    }
    for (const auto row : queue_) queued_[row] = 0;
    queue_.clear();
    return conflict == kNone;
}

void TableState::pass(std::uint32_t variable) {
    if (const auto above = low[variable])
        for (const auto& entry : gaining(variable)) spare[entry.row] -= entry.coefficient * above;
    if (const auto below = range[variable] - low[variable])
        for (const auto& entry : losing(variable)) spare[entry.row] += entry.coefficient * below;
}

void TableState::unpass(std::uint32_t variable) {
    if (const auto above = low[variable])
        for (const auto& entry : gaining(variable)) spare[entry.row] += entry.coefficient * above;
    if (const auto below = range[variable] - low[variable])
        for (const auto& entry : losing(variable)) spare[entry.row] -= entry.coefficient * below;
}

}  // namespace zermelo::qip::tabling
