#include "qip/learning/analysis.hpp"

#include <algorithm>
#include <cstdlib>

namespace zermelo::qip::learning {

Analysis::Analysis(const State& state, Legal& legal, Log& log, Control& control)
    : state_(state), log_(log), legal_(legal), control_(control), passed_(legal.members().size(), kNone) {
    root_entry_.assign(2 * std::size_t{state.variables()}, kNone);
}

void Analysis::restart() {
    root_step_.clear();
    std::fill(root_entry_.begin(), root_entry_.end(), kNone);
}

// Premises of the conflict (no literal implied) or of what was implied when the trail had `before` entries.
void Analysis::explain(const Reason& reason, const Literal* implied, Index before) {
    premises_.clear();
    open_.clear();
    explained_roots_.clear();
    explained_objective_ = state_.objective_in(reason);
    via_ = antecedent_of(reason);
    if (reason.kind == Reason::Kind::row) {
        explain_row(reason.number, implied, before);
    } else {
        learned_.clauses.push_back(reason.number);
        explain_clause(reason.number, implied);
    }
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
        from_root({root, v, side}, explained_roots_);
        if (bound != root) premises_.push_back({{bound, v, side}, size, t.coefficient * (bound - root), entry});
        const auto decided = state_.decided_at(v);
        if (!own && state_.free(v) && (decided == kNone || decided > before) && (!implied || v > implied->variable)) {
            const auto gain = size * (state_.start(v, 1) - state_.start(v, 0));
            if (gain > 0) open_.push_back({{state_.start(v, 1 - side), v, side}, gain});
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
            open_.push_back({negation(l), 0});  // forall's, and open: he will make it false
            continue;
        }
        const auto premise = negation(l);
        if (state_.root_from_objective(premise.variable, premise.side)) explained_objective_ = true;
        if (state_.entry_of(premise) == kNone) from_root(premise, explained_roots_);
        else premises_.push_back({premise, 1, 0, kNone});
    }
}

bool Analysis::is_derived(Index entry) const { return derived_[entry].serial == state_.trail()[entry].serial; }

// Premises of an entry, none of them after a universal variable that was counted on the way.
void Analysis::explain_entry(Index entry, std::int64_t need) {
    const auto& e = state_.trail()[entry];
    Literal implied = e.literal();
    implied.bound = need;
    explain(e.reason, &implied, entry);
    if (open_.empty()) return;
    if (!is_derived(entry)) derive_all(e.reason, entry, derived_[entry]);
    explain_by(derived_[entry]);
}

void Analysis::explain_conflict(const Conflict& conflict) {
    explain(conflict.reason, nullptr, static_cast<Index>(state_.trail().size()));
    if (open_.empty()) return;
    derive_all(conflict.reason, kNone, conflict_);
    explain_by(conflict_);
}

// The premises of a derived clause were set by decisions or after some: none of them holds from the root on.
void Analysis::explain_by(const Derived& derived) {
    premises_.clear();
    open_.clear();
    explained_roots_.clear();
    for (const auto& p : derived.premises) premises_.push_back({p, 1, 0, kNone});
    explained_objective_ = derived.objective;
    via_ = Log::step(derived.step);
}

// Derives the clause of an entry (or of the conflict: kNone), and of all entries that it needs.
void Analysis::derive_all(const Reason& reason, Index entry, Derived& out) {
    pending_.clear();
    Index missing = kNone;
    while (!derive(reason, entry, out, missing)) {
        pending_.push_back(missing);
        while (!pending_.empty()) {
            const auto next = pending_.back();
            if (derive(state_.trail()[next].reason, next, derived_[next], missing)) pending_.pop_back();
            else pending_.push_back(missing);
        }
    }
}

// Resolves away what lies after the first open universal variable. False where the clause of `missing` is needed first.
bool Analysis::derive(const Reason& reason, Index entry, Derived& out, Index& missing) {
    const auto& trail = state_.trail();
    const bool conflict = entry == kNone;
    const Literal implied = conflict ? Literal{} : trail[entry].literal();
    explain(reason, conflict ? nullptr : &implied, conflict ? static_cast<Index>(trail.size()) : entry);
    Index limit = kNone;
    std::vector<Literal> dropped;
    for (const auto& o : open_) {
        limit = std::min(limit, o.worst.variable);
        dropped.push_back(negation(o.worst));
    }
    std::vector<Log::Number> antecedents, roots;
    bool objective = false;
    away_.clear();
    touched_.clear();
    const auto place = [&] {
        objective = objective || explained_objective_;
        antecedents.push_back(via_);
        roots.insert(roots.end(), explained_roots_.begin(), explained_roots_.end());
        for (const auto& p : premises_) {
            if (const auto e = state_.entry_of(p.literal); e != kNone && kept_.add(e, p.literal)) {
                const bool is_away = state_.exists(p.literal.variable) && p.literal.variable > limit;
                (is_away ? away_ : touched_).push_back(e);
                if (is_away) std::push_heap(away_.begin(), away_.end());
            }
        }
    };
    place();
    bool complete = true;
    while (!away_.empty()) {
        std::pop_heap(away_.begin(), away_.end());
        const auto e = away_.back();
        away_.pop_back();
        Literal of = trail[e].literal();
        of.bound = kept_.need[e];
        kept_.marked[e] = 0;
        if (!complete) continue;
        explain(trail[e].reason, &of, e);
        if (!open_.empty()) {
            if (!is_derived(e)) {
                missing = e;
                complete = false;
                continue;
            }
            explain_by(derived_[e]);
        }
        place();
    }
    out.premises.clear();
    for (const auto e : touched_) {
        out.premises.push_back({kept_.need[e], trail[e].variable, trail[e].side});
        kept_.marked[e] = 0;
    }
    if (!complete) return false;
    out.serial = conflict ? 0 : trail[entry].serial;
    out.objective = objective;
    if (log_.recording()) {
        literals_.clear();
        for (const auto& p : out.premises) literals_.push_back(negation(p));
        if (!conflict) literals_.push_back(implied);
        roots.insert(roots.end(), antecedents.rbegin(), antecedents.rend());
        out.step = log_.add(literals_, roots, dropped);
    }
    return true;
}

// Which step says that a bound holds before all decisions, unless it holds from the start.
void Analysis::from_root(const Literal& literal, std::vector<Log::Number>& roots) const {
    if (!log_.recording()) return;
    const auto start = state_.start(literal.variable, literal.side);
    if (literal.side ? start <= literal.bound : start >= literal.bound) return;
    roots.push_back(Log::step(root_step_[root_entry_[code(literal.variable, literal.side)]]));
}

bool Analysis::explanation_reaches(Index level) const {
    return std::any_of(premises_.begin(), premises_.end(), [&](const Premise& p) {
        const auto entry = state_.entry_of(p.literal);
        return entry != kNone && state_.trail()[entry].level >= level;
    });
}

// Takes the explanation at hand into the clause.
void Analysis::take(Index entry) {
    learned_.objective = learned_.objective || explained_objective_;
    antecedents_.emplace_back(entry, via_);
    roots_.insert(roots_.end(), explained_roots_.begin(), explained_roots_.end());
    for (const auto& p : premises_) add(p.literal);
}

void Analysis::add(const Literal& literal) {
    if (const auto e = state_.entry_of(literal); e != kNone && marks_.add(e, literal)) {
        ++count_[state_.trail()[e].level];
        learned_.seen.push_back(literal.variable);
    }
}

void Analysis::pass(Index e) {
    const auto& entry = state_.trail()[e];
    const auto u = entry.variable;
    everywhere_ = std::min(everywhere_, u);
    dropped_.push_back(negation({marks_.need[e], u, entry.side}));
    if (learned_.refuters.empty() || learned_.refuters.back().first != u)
        learned_.refuters.emplace_back(u, state_.lower(u));
    if (state_.free(u)) return;
    const auto c = legal_.component()[u];
    passed_[c] = u;  // the earliest comes last
    for (const auto v : legal_.members()[c]) {
        if (v >= u) break;
        for (Index side = 0; side < 2; ++side) add({state_.lower(v), v, side});
    }
}

const Learned& Analysis::analyse(const Conflict& conflict, const std::vector<std::uint8_t>& universal_level) {
    const auto& trail = state_.trail();
    marks_.fit(trail.size());
    kept_.fit(trail.size());
    if (known_.size() < trail.size()) known_.resize(trail.size());
    if (derived_.size() < trail.size()) derived_.resize(trail.size());
    count_.resize(std::max<std::size_t>(count_.size(), state_.level() + std::size_t{1}));
    learned_.literals.clear();
    learned_.seen.clear();
    learned_.clauses.clear();
    learned_.refuters.clear();
    learned_.objective = false;
    learned_.level = 0;
    antecedents_.clear();
    roots_.clear();
    dropped_.clear();
    everywhere_ = kNone;
    if (log_.recording()) log_roots();
    explain_conflict(conflict);
    take(kNone);
    Index asserted = kNone;
    for (auto e = static_cast<Index>(trail.size()); e-- > 0;) {
        if (!marks_.marked[e]) continue;
        const auto& entry = trail[e];
        const bool exists = state_.exists(entry.variable);
        const bool away = exists && entry.variable > everywhere_;
        if (asserted != kNone && !away) continue;
        const bool decided = entry.reason.kind == Reason::Kind::decision;
        if (decided && exists) {
            asserted = e;
            continue;
        }
        if (!decided) explain_entry(e, marks_.need[e]);
        if (asserted == kNone && !away && exists && count_[entry.level] == 1 && !universal_level[entry.level] &&
            explanation_reaches(entry.level)) {
            asserted = e;
            continue;
        }
        marks_.marked[e] = 0;
        --count_[entry.level];
        if (decided) pass(e);
        else take(e);
    }
    if (asserted != kNone) {
        minimise(asserted);
        collect(asserted);
    }
    write_step();
    return learned_;
}

// Whether it is known if a premise follows from those of the clause.
bool Analysis::is_settled(const Literal& literal, bool& holds) {
    const auto e = state_.entry_of(literal);
    if (e == kNone) {
        holds = true;
        return true;
    }
    if (marks_.marked[e]) {
        holds = literal.side ? marks_.need[e] <= literal.bound : marks_.need[e] >= literal.bound;
        return true;
    }
    holds = known_[e] == Known::follows;
    if (known_[e] == Known::nothing && state_.trail()[e].reason.kind != Reason::Kind::decision) return false;
    return true;
}

// Whether an entry follows from the premises of the clause through reasons, followed depth first.
bool Analysis::follows(Index entry, const Literal& needed) {
    const auto& trail = state_.trail();
    frames_.clear();
    followed_.clear();
    followed_roots_.clear();
    const auto open = [&](Index e, std::int64_t need) {
        explain_entry(e, need);
        frames_.push_back({e, followed_.size(), followed_.size(), followed_roots_.size(), via_, explained_objective_});
        followed_roots_.insert(followed_roots_.end(), explained_roots_.begin(), explained_roots_.end());
        for (const auto& p : premises_) followed_.push_back(p.literal);
    };
    open(entry, needed.bound);
    while (!frames_.empty()) {
        auto& top = frames_.back();
        if (top.next == followed_.size()) {  // all of its premises follow
            antecedents_.emplace_back(top.entry, top.via);
            roots_.insert(roots_.end(), followed_roots_.begin() + static_cast<std::ptrdiff_t>(top.first_root),
                          followed_roots_.end());
            followed_roots_.resize(top.first_root);
            learned_.objective = learned_.objective || top.objective;
            if (top.entry != entry) {
                known_[top.entry] = Known::follows;
                looked_at_.push_back(top.entry);
            }
            followed_.resize(top.first);
            frames_.pop_back();
            continue;
        }
        bool holds = false;
        if (is_settled(followed_[top.next], holds)) {
            ++top.next;
            if (holds) continue;
            for (const auto& frame : frames_) {
                if (frame.entry == entry) continue;
                known_[frame.entry] = Known::fails;
                looked_at_.push_back(frame.entry);
            }
            return false;
        }
        const auto e = state_.entry_of(followed_[top.next]);
        ++top.next;
        open(e, trail[e].bound);
    }
    return true;
}

// Leaves out premises that follow from the others (Sorensson and Biere, "Minimizing learned clauses", 2009).
void Analysis::minimise(Index asserted) {
    const auto& trail = state_.trail();
    looked_at_.clear();
    away_.clear();
    for (auto e = asserted; e-- > 0;) {
        // Forall's stay: what he may do rests on them.
        if (!marks_.marked[e] || !state_.exists(trail[e].variable) || trail[e].reason.kind == Reason::Kind::decision)
            continue;
        if (follows(e, {marks_.need[e], trail[e].variable, trail[e].side})) away_.push_back(e);
    }
    for (const auto e : away_) {
        marks_.marked[e] = 0;
        --count_[trail[e].level];
    }
    for (const auto e : looked_at_) known_[e] = Known::nothing;
}

// The premises that are left, negated; of several on one bound only the strongest.
void Analysis::collect(Index asserted) {
    const auto& trail = state_.trail();
    auto& out = learned_.literals;
    for (auto e = asserted + 1; e-- > 0;) {
        if (!marks_.marked[e]) continue;
        const auto& entry = trail[e];
        marks_.marked[e] = 0;
        --count_[entry.level];
        const auto literal = negation({marks_.need[e], entry.variable, entry.side});
        const bool again = std::any_of(out.begin(), out.end(), [&](const Literal& l) {
            return l.variable == literal.variable && l.side == literal.side;
        });
        if (!again) out.push_back(literal);
    }
    learned_.level = trail[asserted].level;
    // Collected latest first, so the first one is asserted; the second is to be of the latest level of the others.
    std::size_t latest = 1;
    Index level = 0;
    learned_.spread = 1;
    auto before = learned_.level;
    for (std::size_t i = 1; i < out.size(); ++i) {
        const auto l = trail[state_.entry_of(negation(out[i]))].level;
        learned_.spread += l != before;  // levels fall along the clause
        before = l;
        if (l > level) {
            level = l;
            latest = i;
        }
    }
    if (out.size() > 1) std::swap(out[1], out[latest]);
}

// Where variables were dropped that forall's rows bind: how he goes on so that he keeps the rows.
void Analysis::drop_lines() {
    for (Index c = 0; c < passed_.size(); ++c) {
        if (passed_[c] == kNone) continue;
        if (log_.recording()) {
            const auto& line = legal_.completed(c, control_);
            for (const auto v : legal_.members()[c]) {
                if (v < passed_[c]) continue;
                if (line[v] > state_.start(v, 0)) dropped_.push_back({line[v] - 1, v, 1});
                if (line[v] < state_.start(v, 1)) dropped_.push_back({line[v] + 1, v, 0});
            }
        }
        passed_[c] = kNone;
    }
}

void Analysis::write_step() {
    drop_lines();
    if (!log_.recording()) return;
    if (learned_.literals.empty() && dropped_.empty() && roots_.empty() && antecedents_.size() == 1 &&
        antecedents_[0].second % 2) {
        learned_.step = antecedents_[0].second / 2;  // the conflict's own clause is empty
        return;
    }
    std::sort(roots_.begin(), roots_.end());
    roots_.erase(std::unique(roots_.begin(), roots_.end()), roots_.end());
    order_ = roots_;
    std::sort(antecedents_.begin(), antecedents_.end());
    for (const auto& [entry, antecedent] : antecedents_) order_.push_back(antecedent);
    learned_.step = log_.add(learned_.literals, order_, dropped_);
}

// States each bound that was set before all decisions as a step of its own.
void Analysis::log_roots() {
    const auto& trail = state_.trail();
    for (auto e = static_cast<Index>(root_step_.size()); e < trail.size() && trail[e].level == 0; ++e) {
        const auto& entry = trail[e];
        order_.clear();
        literals_.clear();
        const auto before = [&](Index v, Index side) {
            auto i = state_.last(v, side);
            while (i != kNone && i >= e) i = trail[i].previous;
            if (i != kNone) order_.push_back(Log::step(root_step_[i]));
        };
        if (entry.reason.kind == Reason::Kind::row) {
            for (const auto& t : state_.terms(entry.reason.number)) {
                if (t.variable == entry.variable) continue;
                const Index side = t.coefficient > 0 ? 0 : 1;
                before(t.variable, side);
                if (!state_.uncertain(entry.reason.number) && state_.free(t.variable) && t.variable > entry.variable)
                    literals_.push_back(negation({state_.start(t.variable, 1 - side), t.variable, side}));
            }
        } else {
            for (const auto& l : state_.literals(entry.reason.number))
                if (l.variable != entry.variable || l.side != entry.side) before(l.variable, 1 - l.side);
        }
        order_.push_back(antecedent_of(entry.reason));
        const auto literal = entry.literal();
        root_step_.push_back(log_.add({&literal, 1}, order_, literals_));
        root_entry_[code(entry.variable, entry.side)] = e;
    }
}

}  // namespace zermelo::qip::learning
