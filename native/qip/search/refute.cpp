#include "qip/search/refute.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace zermelo::qip::tabling {

std::uint32_t Refutation::of_conflict(std::uint32_t begin) {
    const Lost lost{state_.conflict, static_cast<std::uint32_t>(state_.trail.size()), begin, kNone, 0, 0};
    show_changes(lost);
    return assemble(lost);
}

void Refutation::add_cases(std::uint32_t variable, std::size_t since, std::uint32_t node,
                           std::vector<ProofCase>& cases) {
    for (const bool upper : {false, true})
        for (auto c = upper ? state_.last_high[variable] : state_.last_low[variable]; c != kNone && c >= since;
             c = state_.trail[c].previous) {
            const auto& change = state_.trail[c];
            if (change.reason == kNone) continue;
            ProofCase gone{upper ? change.after + 1 : change.before, upper ? change.before : change.after - 1, node};
            if (node == kNone || !(nodes_.holds_beyond(node, variable, upper) ||
                                   nodes_.holds_for(node, variable, gone.lower, gone.upper))) {
                if (!shown(c)) {
                    const auto lost = lost_by(c);
                    show_changes(lost);
                    state_.trail[c].proof = assemble(lost);
                    state_.trail[c].stamp = stamp;
                }
                gone.then = change.proof;
            }
            cases.push_back(gone);
        }
}

bool Refutation::rises(std::uint32_t variable) const {
    return std::ranges::any_of(sum_,
                               [&](const Term& term) { return term.variable == variable && term.coefficient > 0; });
}

bool Refutation::shown(std::uint32_t change) const {
    return state_.trail[change].proof != kNone && (lawful_.simple() || state_.trail[change].stamp == stamp);
}

Refutation::Lost Refutation::lost_by(std::uint32_t c) const {
    const auto& change = state_.trail[c];
    if (change.variable >= state_.first_continuous) throw Unwritable();
    return {change.reason,
            c,
            change.variable + 1,
            change.variable,
            change.upper ? change.after + 1 : change.before,
            change.upper ? change.before : change.after - 1};
}

std::int64_t Refutation::end_at(std::uint32_t variable, bool upper, std::uint32_t time, std::uint32_t& change) const {
    change = upper ? state_.last_high[variable] : state_.last_low[variable];
    while (change != kNone && change >= time) change = state_.trail[change].previous;
    return change != kNone ? state_.trail[change].after : upper ? state_.range[variable] : 0;
}

void Refutation::add_row(std::uint32_t row, std::int64_t multiplier) {
    weight_.push_back({row, multiplier});
    const auto add = [&](std::int64_t& sum, std::int64_t number) {
        std::int64_t product;
        if (__builtin_mul_overflow(number, multiplier, &product) || __builtin_add_overflow(sum, product, &sum))
            throw Unwritable();
    };
    add(sum_right_, state_.right[row]);
    for (const auto& [v, coefficient] : state_.terms(row)) {
        if (!is_summed_[v]) summed_.push_back(v);
        is_summed_[v] = 1;
        add(in_sum_[v], coefficient);
    }
}

// A continuous variable in the sum whose bound was moved by a row; kNone: there is none.
std::uint32_t Refutation::bound_continuous(std::uint32_t time, std::uint32_t& reason) const {
    for (const auto v : summed_) {
        if (v < state_.first_continuous || in_sum_[v] == 0) continue;
        std::uint32_t change;
        end_at(v, in_sum_[v] < 0, time, change);
        if (change == kNone || state_.trail[change].reason == kNone) continue;
        reason = state_.trail[change].reason;
        return v;
    }
    return kNone;
}

// Puts the terms of the row, or of the sum that takes its place, into sum_.
void Refutation::sum_up(const Lost& lost) {
    weight_.assign(1, {lost.row, 1});
    sum_right_ = state_.right[lost.row];
    sum_ = state_.terms(lost.row);
    if (sum_.empty() || sum_.back().variable < state_.first_continuous) return;
    weight_.clear();
    sum_right_ = 0;
    for (const auto v : summed_) in_sum_[v] = is_summed_[v] = 0;
    summed_.clear();
    add_row(lost.row, 1);
    std::uint32_t reason;
    for (auto v = bound_continuous(lost.time, reason); v != kNone; v = bound_continuous(lost.time, reason)) {
        std::int64_t other = 0;
        for (const auto& term : state_.terms(reason))
            if (term.variable == v) other = std::abs(term.coefficient);
        const auto mine = std::abs(in_sum_[v]), divisor = std::gcd(mine, other), factor = other / divisor;
        const auto scale = [&](std::int64_t& number) {
            if (__builtin_mul_overflow(number, factor, &number)) throw Unwritable();
        };
        for (auto& weight : weight_) scale(weight.multiplier);
        for (const auto s : summed_) scale(in_sum_[s]);
        scale(sum_right_);
        add_row(reason, mine / divisor);
    }
    // No sum of terms may leave 62 bits, as is known of single rows.
    auto left = std::int64_t{1} << 62;
    sum_term_.clear();
    for (const auto v : summed_) {
        std::int64_t most;
        if (__builtin_mul_overflow(in_sum_[v], state_.range[v], &most) || (left -= std::abs(most)) < 0)
            throw Unwritable();
        if (in_sum_[v]) sum_term_.push_back({v, in_sum_[v]});
    }
    if (std::abs(sum_right_) > left) throw Unwritable();
    sum_ = sum_term_;
}

// What the loss of a row rests on at once: as little as possible, the latest changes left out first.
void Refutation::find_needs(const Lost& lost) {
    sum_up(lost);
    support_.clear();
    auto excess = -sum_right_ - 1;
    for (const auto& [v, coefficient] : sum_) {
        const bool rising = coefficient > 0;
        std::uint32_t change;
        if (v == lost.own) {
            excess += coefficient * (rising ? lost.from : lost.to);
        } else if (state_.owner[v] == Owner::forall) {
            // Set before the variable that a bound is shown for, it may have any value; else it is at its worst.
            const auto low = end_at(v, false, lost.time, change), high = end_at(v, true, lost.time, change);
            const bool worst = v >= lost.begin || lost.own == kNone;
            const auto value = rising == worst ? high : low;
            excess += coefficient * value;
            if (v >= lost.begin && low < high)
                support_.push_back({std::abs(coefficient) * (high - low), kNone, {v, value}});
        } else {
            const auto end = end_at(v, !rising, lost.time, change);
            excess += coefficient * end;
            if (change != kNone && state_.trail[change].reason != kNone)
                support_.push_back({coefficient * (end - (rising ? 0 : state_.range[v])), change, {}});
        }
    }
    std::ranges::sort(support_, [](const Support& a, const Support& b) {
        return a.change != b.change ? a.change > b.change : a.gain < b.gain;
    });
    need_.clear();
    worst_.clear();
    for (const auto& support : support_) {
        if (support.gain <= excess) excess -= support.gain;
        else if (support.change == kNone) worst_.push_back(support.worst);
        else need_.push_back(support.change);
    }
}

void Refutation::find_changes(const Lost& lost) {
    if (seen_.size() < state_.trail.size()) seen_.resize(state_.trail.capacity(), 0);
    ++round_;
    change_.clear();
    find_needs(lost);
    pending_ = need_;
    while (!pending_.empty()) {
        auto c = pending_.back();
        pending_.pop_back();
        // Earlier variables have taken values within their bounds by now.
        if (state_.trail[c].variable < lost.begin) continue;
        for (; c != kNone && seen_[c] != round_; c = state_.trail[c].previous) {
            seen_[c] = round_;
            change_.push_back(c);
            find_needs(lost_by(c));
            pending_.insert(pending_.end(), need_.begin(), need_.end());
        }
    }
}

void Refutation::show_changes(const Lost& lost) {
    find_changes(lost);
    // In the order in which they were made, each rests on those before it.
    order_ = change_;
    std::ranges::sort(order_);
    for (const auto c : order_) {
        if (shown(c)) continue;
        const auto node = assemble(lost_by(c));
        state_.trail[c].proof = node;
        state_.trail[c].stamp = stamp;
    }
}

void Refutation::find_steps(const Lost& lost) {
    find_changes(lost);
    std::ranges::sort(change_, {}, [&](std::uint32_t c) { return state_.trail[c].variable; });
    find_needs(lost);
    step_ = worst_;
    for (const auto c : change_)
        if (const auto v = state_.trail[c].variable; step_.empty() || step_.back().at != v || step_.back().value != -1)
            step_.push_back({v, -1});
    if (const auto& bound = lawful_.bound(); !bound.empty()) {
        lawful_.complete(state_, index, completion_);
        for (std::size_t b = bound.size() - completion_.size(), c = 0; b < bound.size(); ++b, ++c)
            if (bound[b] >= lost.begin) step_.push_back({bound[b], completion_[c]});
    }
    std::ranges::sort(step_, {}, &Step::at);
}

std::uint32_t Refutation::leaf(std::uint32_t at, std::size_t& steps) {
    choice_.clear();
    auto first = steps;
    while (first > 0 && step_[first - 1].value >= 0) --first;
    if (first > 0) at = step_[first - 1].at + 1;
    for (auto v = at, s = static_cast<std::uint32_t>(first); s < steps; ++v) {
        if (state_.owner[v] == Owner::exists) continue;
        const bool given = step_[s].at == v;
        choice_.push_back(given ? step_[s].value : 0);
        s += given;
    }
    steps = first;
    return nodes_.refute(at, weight_, choice_);
}

std::uint32_t Refutation::branched(std::uint32_t variable, std::uint32_t then) {
    case_.clear();
    std::int64_t low = 0, high = state_.range[variable];
    const auto changes =
        std::ranges::equal_range(change_, variable, {}, [&](std::uint32_t c) { return state_.trail[c].variable; });
    for (const auto c : changes) {
        const auto& change = state_.trail[c];
        if (change.upper) {
            high = std::min(high, change.after);
            case_.push_back({change.after + 1, change.before, change.proof});
        } else {
            low = std::max(low, change.after);
            case_.push_back({change.before, change.after - 1, change.proof});
        }
    }
    case_.push_back({low, high, then});
    return nodes_.branch(variable, case_);
}

std::uint32_t Refutation::assemble(const Lost& lost) {
    find_steps(lost);
    auto steps = step_.size();
    auto node = leaf(lost.begin, steps);
    while (steps-- > 0) {
        const auto& [at, value] = step_[steps];
        node = value < 0 ? branched(at, node) : nodes_.choose(at, std::span(&value, 1), node);
    }
    return node;
}

}  // namespace zermelo::qip::tabling
