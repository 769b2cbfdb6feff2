#include "qip/learn_analysis.hpp"

#include <algorithm>
#include <cstdlib>

namespace zermelo::qip::learning {

// Premises of the conflict (no literal implied) or of what was implied when the trail had `before` entries.
void Analysis::explain(const Reason& reason, const Literal* implied, Index before) {
    premises_.clear();
    open_.clear();
    explained_objective_ = state_.objective_in(reason);
    if (reason.kind == Reason::Kind::row)
        explain_row(reason.number, implied, before);
    else
        explain_clause(reason.number, implied);
}

void Analysis::explain_row(Index row, const Literal* implied, Index before) {
    std::int64_t sum = 0, needed = state_.right(row) + 1;
    const bool own = state_.uncertain(row);
    for (const auto& t : state_.terms(row)) {
        const auto v = t.variable;
        if (implied && v == implied->variable) {
            needed -= t.coefficient * negation(*implied).bound;
            continue;
        }
        const Index side = t.coefficient > 0 ? 0 : 1;
        auto entry = state_.last(v, side);
        while (entry != kNone && entry >= before) entry = state_.trail()[entry].previous;
        const auto root = state_.root(v, side);
        const auto bound = entry == kNone || state_.trail()[entry].level == 0 ? root : state_.trail()[entry].bound;
        sum += t.coefficient * bound;
        const auto size = std::abs(t.coefficient);
        if (state_.root_from_objective(v, side)) explained_objective_ = true;
        if (bound != root) premises_.push_back({{bound, v, side}, size, t.coefficient * (bound - root), entry});
        const auto decided = state_.decided_at(v);
        if (!own && state_.free(v) && (decided == kNone || decided > before) && (!implied || v > implied->variable)) {
            const auto gain = size * (state_.start(v, 1) - state_.start(v, 0));
            if (gain > 0) open_.push_back({v, gain});
            sum += gain;
        }
    }
    weaken(sum - needed);
}

// Premises that the row can do without are dropped, the latest ones first; what is left of the surplus lowers bounds.
void Analysis::weaken(std::int64_t surplus) {
    if (surplus <= 0) return;
    std::sort(premises_.begin(), premises_.end(), [](const Premise& a, const Premise& b) { return a.entry > b.entry; });
    std::erase_if(premises_, [&](const Premise& p) {
        const bool drop = p.gain <= surplus;
        if (drop) surplus -= p.gain;
        return drop;
    });
    std::erase_if(open_, [&](const Open& o) {
        const bool drop = o.gain <= surplus;
        if (drop) surplus -= o.gain;
        return drop;
    });
    for (auto& p : premises_) {
        const auto steps = surplus / p.size;
        p.literal.bound += p.literal.side ? steps : -steps;
        surplus -= steps * p.size;
    }
}

void Analysis::explain_clause(Index clause, const Literal* implied) {
    for (const auto& l : state_.literals(clause)) {
        if (implied && l.variable == implied->variable && l.side == implied->side) continue;
        if (!state_.is_false(l)) {
            open_.push_back({l.variable, 0});  // forall's, and open: he will make it false
            continue;
        }
        const auto premise = negation(l);
        if (state_.root_from_objective(premise.variable, premise.side)) explained_objective_ = true;
        premises_.push_back({premise, 1, 0, state_.entry_of(premise)});
    }
}

bool Analysis::explanation_reaches(Index level) const {
    return std::any_of(premises_.begin(), premises_.end(), [&](const Premise& p) {
        const auto entry = state_.entry_of(p.literal);
        return entry != kNone && state_.trail()[entry].level >= level;
    });
}

void Analysis::take(Index limit) {
    learned_.objective = learned_.objective || explained_objective_;
    for (const auto& o : open_) limit = std::min(limit, o.variable);
    for (const auto& p : premises_) add(p.literal, limit);
}

void Analysis::add(const Literal& literal, Index limit) {
    const auto e = state_.entry_of(literal);
    if (e == kNone) return;
    if (!marked_[e]) {
        marked_[e] = 1;
        need_[e] = literal.bound;
        limit_[e] = limit;
        ++count_[state_.trail()[e].level];
        learned_.seen.push_back(literal.variable);
        return;
    }
    need_[e] = literal.side ? std::min(need_[e], literal.bound) : std::max(need_[e], literal.bound);
    limit_[e] = std::min(limit_[e], limit);
}

void Analysis::resolve(Index e) {
    const auto& entry = state_.trail()[e];
    marked_[e] = 0;
    --count_[entry.level];
    learned_.hints.push_back({entry.reason.kind == Reason::Kind::row ? Hint::Kind::row : Hint::Kind::clause, entry.reason.number, 0});
    take(limit_[e]);
}

void Analysis::pass(Index e) {
    const auto& entry = state_.trail()[e];
    const auto u = entry.variable;
    marked_[e] = 0;
    --count_[entry.level];
    everywhere_ = std::min(everywhere_, u);
    if (learned_.hints.empty() || learned_.hints.back().kind != Hint::Kind::reduce || learned_.hints.back().number != u)
        learned_.hints.push_back({Hint::Kind::reduce, u, state_.lower(u)});
    if (state_.free(u)) return;
    for (Index v = 0; v < u; ++v) {
        if (state_.exists(v) || component_[v] != component_[u] || state_.decided_at(v) == kNone) continue;
        for (Index side = 0; side < 2; ++side) {
            if (state_.root_from_objective(v, side)) learned_.objective = true;
            add({state_.lower(v), v, side}, kNone);
        }
    }
}

const Learned& Analysis::analyse(const Conflict& conflict, const std::vector<std::uint8_t>& universal_level) {
    const auto& trail = state_.trail();
    need_.resize(std::max(need_.size(), trail.size()));
    marked_.resize(std::max(marked_.size(), trail.size()));
    limit_.resize(std::max(limit_.size(), trail.size()));
    count_.resize(std::max<std::size_t>(count_.size(), state_.level() + std::size_t{1}));
    learned_.literals.clear();
    learned_.hints.clear();
    learned_.seen.clear();
    learned_.objective = false;
    learned_.level = 0;
    everywhere_ = kNone;
    const auto size = static_cast<Index>(trail.size());
    learned_.hints.push_back({conflict.reason.kind == Reason::Kind::row ? Hint::Kind::row : Hint::Kind::clause, conflict.reason.number, 0});
    explain(conflict.reason, nullptr, size);
    take(kNone);
    Index asserted = kNone;
    for (auto e = size; e-- > 0;) {
        if (!marked_[e]) continue;
        const auto& entry = trail[e];
        const auto limit = std::min(limit_[e], everywhere_);
        const bool away = state_.exists(entry.variable) && entry.variable > limit;
        if (asserted != kNone && !away) continue;
        if (entry.reason.kind == Reason::Kind::decision) {
            if (state_.exists(entry.variable))
                asserted = e;
            else
                pass(e);
            continue;
        }
        Literal implied = entry.literal();
        implied.bound = need_[e];
        explain(entry.reason, &implied, e);
        limit_[e] = limit;
        if (asserted == kNone && !away && state_.exists(entry.variable) && count_[entry.level] == 1 && !universal_level[entry.level] &&
            explanation_reaches(entry.level))
            asserted = e;
        else
            resolve(e);
    }
    collect(asserted);
    return learned_;
}

// The premises that are left, negated; of several on one bound only the strongest.
void Analysis::collect(Index asserted) {
    const auto& trail = state_.trail();
    if (asserted == kNone) return;
    std::vector<Literal>& out = learned_.literals;
    for (auto e = asserted + 1; e-- > 0;) {
        if (!marked_[e]) continue;
        const auto& entry = trail[e];
        marked_[e] = 0;
        --count_[entry.level];
        const auto literal = negation({need_[e], entry.variable, entry.side});
        const bool again = std::any_of(out.begin(), out.end(), [&](const Literal& l) { return l.variable == literal.variable && l.side == literal.side; });
        if (!again) out.push_back(literal);
    }
    learned_.level = trail[asserted].level;
    // Collected latest first, so the first one is asserted; the second is of the latest level unless levels were mixed.
    std::size_t latest = 1;
    Index level = 0;
    for (std::size_t i = 1; i < out.size(); ++i) {
        const auto l = trail[state_.entry_of(negation(out[i]))].level;
        if (l > level) {
            level = l;
            latest = i;
        }
    }
    if (out.size() > 1) std::swap(out[1], out[latest]);
}

}  // namespace zermelo::qip::learning
