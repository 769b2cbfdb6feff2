#include "qip/learning/state.hpp"

#include <algorithm>
#include <cstdlib>

namespace zermelo::qip::learning {

State::State(const Program& program) : variables_(program.variables()), first_uncertain_(program.first_uncertain()) {
    load(program);
    index_columns();
    reset_bounds();
}

void State::load(const Program& program) {
    exists_ = program.exists;
    first_ = program.first;
    term_ = program.term;
    right_ = program.right;
    start_.resize(2 * std::size_t{variables_});
    for (Index v = 0; v < variables_; ++v) {
        start_[code(v, 0)] = program.lower[v];
        start_[code(v, 1)] = program.upper[v];
    }
    free_.assign(variables_, 0);
    used_.assign(variables_, 0);
    for (Index v = 0; v < variables_; ++v) free_[v] = !exists_[v];
    watch_.resize(2 * std::size_t{variables_});
    last_.assign(2 * std::size_t{variables_}, kNone);
    decided_.assign(variables_, kNone);
    queued_.assign(rows(), 0);
}

// A row enters the columns only if some values break it. Its least sum counts existential variables at their best for
// the row and free universal ones at their worst: forall may set them so.
void State::index_columns() {
    std::vector<std::uint8_t> alive(rows(), 1);
    for (Index r = 0; r < rows(); ++r) {
        std::int64_t most = 0;
        for (const auto& t : terms(r)) most += t.coefficient * start_[code(t.variable, t.coefficient > 0 ? 1 : 0)];
        alive[r] = r == 0 || most > right_[r];
        for (const auto& t : terms(r)) {
            if (!alive[r]) continue;
            used_[t.variable] = 1;
            if (uncertain(r)) free_[t.variable] = 0;
        }
    }
    std::vector<Index> per_variable(variables_ + std::size_t{1}), per_bound(2 * std::size_t{variables_} + 1);
    const auto part_of = [this](const Term& t) {
        return code(t.variable, (t.coefficient > 0) == (free_[t.variable] != 0) ? 1 : 0);
    };
    start_least_.assign(rows(), 0);
    span_.assign(rows(), 0);
    for (Index r = 0; r < rows(); ++r) {
        for (const auto& t : terms(r)) {
            start_least_[r] += t.coefficient * start_[part_of(t)];
            if (!alive[r]) continue;
            ++per_variable[t.variable + 1];
            ++per_bound[part_of(t) + std::size_t{1}];
            const auto width = std::abs(t.coefficient) * (start_[code(t.variable, 1)] - start_[code(t.variable, 0)]);
            if (exists_[t.variable] || uncertain(r)) span_[r] = std::max(span_[r], width);
        }
        if (!alive[r]) start_least_[r] = right_[r];
    }
    for (std::size_t i = 1; i < per_variable.size(); ++i) per_variable[i] += per_variable[i - 1];
    for (std::size_t i = 1; i < per_bound.size(); ++i) per_bound[i] += per_bound[i - 1];
    first_column_ = per_variable;
    first_part_ = per_bound;
    column_.resize(per_variable.back());
    part_.resize(per_bound.back());
    for (Index r = 0; r < rows(); ++r) {
        if (!alive[r]) continue;
        for (const auto& t : terms(r)) {
            column_[per_variable[t.variable]++] = {r, t.coefficient};
            part_[per_bound[part_of(t)]++] = {r, t.coefficient};
        }
    }
    for (Index r = 0; r < rows(); ++r)
        if (!alive[r]) span_[r] = -1;
}

void State::reset_bounds() {
    bound_ = root_ = start_;
    root_objective_.assign(bound_.size(), 0);
    least_ = start_least_;
    std::fill(last_.begin(), last_.end(), kNone);
    std::fill(decided_.begin(), decided_.end(), kNone);
    trail_.clear();
    again_.clear();
    trail_head_ = 0;
    level_ = 0;
    queue_.clear();
    queue_head_ = 0;
    for (Index r = 0; r < rows(); ++r) {
        queued_[r] = span_[r] >= 0;
        if (queued_[r]) queue_.push_back(r);
    }
}

void State::ask(std::int64_t value) {
    right_[0] = value;
    reset_bounds();
    for (auto& list : watch_) list.clear();
    single_.clear();
    std::size_t kept = 0, end = 0;
    for (const auto& old : clauses_) {
        if (old.objective && old.asked < value) continue;
        auto clause = old;
        std::copy(literal_.begin() + static_cast<std::ptrdiff_t>(old.first),
                  literal_.begin() + static_cast<std::ptrdiff_t>(old.first + old.size),
                  literal_.begin() + static_cast<std::ptrdiff_t>(end));
        clause.first = end;
        end += clause.size;
        clauses_[kept++] = clause;
    }
    clauses_.resize(kept);
    literal_.resize(end);
    for (Index c = 0; c < clauses_.size(); ++c) {
        if (clauses_[c].size == 1) {
            single_.push_back(c);
            continue;
        }
        const auto list = std::span(literal_).subspan(clauses_[c].first, clauses_[c].size);
        std::size_t front = 0;
        for (std::size_t i = 0; i < list.size() && front < 2; ++i)
            if (exists(list[i].variable)) std::swap(list[i], list[front++]);
        watch(c, list[0], list[1]);
        watch(c, list[1], list[0]);
    }
}

Conflict State::start_clauses() {
    for (const auto c : single_) {
        const auto& literal = literal_[clauses_[c].first];
        if (is_false(literal)) return {{Reason::Kind::clause, c}};
        if (!is_true(literal)) push(literal, {Reason::Kind::clause, c}, 0);
    }
    return {};
}

void State::queue(Index row) {
    if (!queued_[row] && right_[row] - least_[row] < std::max<std::int64_t>(span_[row], 0)) {
        queued_[row] = 1;
        queue_.push_back(row);
    }
}

void State::push(const Literal& literal, const Reason& reason, Index low) {
    const auto c = code(literal.variable, literal.side);
    const auto before = bound_[c];
    trail_.push_back({literal.bound, before, literal.variable, literal.side, level_, last_[c], low, reason, ++serial_});
    last_[c] = static_cast<Index>(trail_.size() - 1);
    bound_[c] = literal.bound;
    const auto change = literal.bound - before;
    for (auto i = first_part_[c]; i < first_part_[c + 1]; ++i) {
        const auto [row, coefficient] = part_[i];
        least_[row] += coefficient * change;
        queue(row);
    }
    if (level_ > 0) return;
    root_[c] = literal.bound;
    bool objective = objective_in(reason);
    if (reason.kind == Reason::Kind::row)
        for (const auto& t : terms(reason.number))
            objective = objective || (t.variable != literal.variable &&
                                      (root_objective_[code(t.variable, 0)] || root_objective_[code(t.variable, 1)]));
    else if (reason.kind == Reason::Kind::clause)
        for (const auto& l : literals(reason.number))
            objective = objective || ((l.variable != literal.variable || l.side != literal.side) &&
                                      root_objective_[code(l.variable, 1 - l.side)]);
    root_objective_[c] = objective;
}

void State::decide_universal(Index v, std::int64_t value) {
    decided_[v] = static_cast<Index>(trail_.size());
    if (lower(v) < value) decide({value, v, 0});
    if (upper(v) > value) decide({value, v, 1});
    if (free(v))
        for (const auto& [row, coefficient] : column(v)) queue(row);
}

void State::undo(Index level, std::size_t trail_size) {
    while (trail_.size() > trail_size) {
        const auto& e = trail_.back();
        const auto c = code(e.variable, e.side);
        const auto change = e.before - e.bound;
        for (auto i = first_part_[c]; i < first_part_[c + 1]; ++i) least_[part_[i].first] += part_[i].second * change;
        if (bound_[c] == bound_[c ^ 1u]) released_.push_back(e.variable);
        bound_[c] = e.before;
        last_[c] = e.previous;
        if (e.low <= level && e.reason.kind == Reason::Kind::clause) again_.push_back(e.reason.number);
        trail_.pop_back();
    }
    level_ = level;
    for (auto i = queue_head_; i < queue_.size(); ++i) queued_[queue_[i]] = 0;
    queue_.clear();
    queue_head_ = 0;
    trail_head_ = trail_.size();
    while (!again_.empty()) {
        const auto c = again_.back();
        again_.pop_back();
        assert_first(c);
    }
}

Index State::entry_of(const Literal& literal) const {
    const auto enough = [&literal](std::int64_t bound) {
        return literal.side ? bound <= literal.bound : bound >= literal.bound;
    };
    if (enough(root(literal.variable, literal.side))) return kNone;
    auto e = last(literal.variable, literal.side);
    while (enough(trail_[e].before)) e = trail_[e].previous;
    return e;
}

// Sets the one literal of a clause that is not false, if there is such a one.
void State::assert_first(Index c) {
    const Literal* open = nullptr;
    Index low = 0;
    for (const auto& l : literals(c)) {
        if (is_true(l)) return;
        if (!is_false(l)) {
            if (open || !exists(l.variable)) return;
            open = &l;
        } else if (const auto e = entry_of(negation(l)); e != kNone) {
            low = std::max(low, trail_[e].level);
        }
    }
    if (open) push(*open, {Reason::Kind::clause, c}, low);
}

bool State::propagate_row(Index row) {
    const auto slack = right_[row] - least_[row];
    if (slack < 0) return false;
    if (slack >= span_[row]) return true;
    const bool own = uncertain(row);
    std::int64_t spread = 0;  // of universal variables that are still open: later variables may reply to them
    for (const auto& t : terms(row)) {
        const auto v = t.variable;
        const auto width = upper(v) - lower(v);
        if (width == 0) continue;
        const auto size = std::abs(t.coefficient);
        if (!exists(v) && !own) {
            if (free(v)) spread += size * width;
            continue;
        }
        const auto room = slack + spread;
        if (size * width <= room) continue;
        const auto steps = room / size;
        // Rows like x < y < x narrow wide bounds by one forever: after a while only large steps count.
        if (trail_.size() > patience_ && width - steps < width / 64) continue;
        if (t.coefficient > 0) push({lower(v) + steps, v, 1}, {Reason::Kind::row, row}, level_);
        else push({upper(v) - steps, v, 0}, {Reason::Kind::row, row}, level_);
    }
    return true;
}

Conflict State::propagate_clauses(Index changed) {
    auto& list = watch_[changed];
    const Index v = changed / 2,
                side = changed % 2;  // the literals that this change can make false have the other side
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto w = list[i];
        const bool still = side == 0 ? bound_[changed] <= w.bound : bound_[changed] >= w.bound;
        if (still || (w.other % 2 ? bound_[w.other] <= w.other_bound : bound_[w.other] >= w.other_bound)) {
            list[kept++] = w;
            continue;
        }
        const auto& clause = clauses_[w.clause];
        Literal* const l = literal_.data() + clause.first;
        if (l[0].variable == v && l[0].side != side) std::swap(l[0], l[1]);
        if (is_true(l[0])) {
            list[kept++] = {w.bound, l[0].bound, code(l[0].variable, l[0].side), w.clause};
            continue;
        }
        bool moved = false;
        for (Index j = 2; j < clause.size && !moved; ++j) {
            if (is_false(l[j])) continue;
            std::swap(l[1], l[j]);
            watch(w.clause, l[1], l[0]);
            moved = true;
        }
        if (moved) continue;
        list[kept++] = w;
        const auto open = l[0].variable;
        const bool wrong = is_false(l[0]);
        if (!wrong && exists(open)) {
            push(l[0], {Reason::Kind::clause, w.clause}, level_);
        } else if (wrong || (free(open) && decided_[open] == kNone)) {
            for (++i; i < list.size(); ++i) list[kept++] = list[i];
            list.resize(kept);
            return {{Reason::Kind::clause, w.clause}};
        }
    }
    list.resize(kept);
    return {};
}

Conflict State::propagate(Control& control) {
    patience_ = trail_.size() + 1000 + 4 * std::size_t{variables_};
    for (;;) {
        if (trail_head_ < trail_.size()) {
            const auto& e = trail_[trail_head_++];
            if (const auto conflict = propagate_clauses(code(e.variable, e.side)); conflict.found()) return conflict;
        } else if (queue_head_ < queue_.size()) {
            const auto row = queue_[queue_head_++];
            queued_[row] = 0;
            if (++visits_ % 4096 == 0) control.check();
            if (!propagate_row(row)) return {{Reason::Kind::row, row}};
        } else {
            queue_.clear();
            queue_head_ = 0;
            return {};
        }
    }
}

Index State::add(std::span<const Literal> literals, bool objective, std::uint64_t lemma, Index spread) {
    const auto c = static_cast<Index>(clauses_.size());
    clauses_.push_back(
        {literal_.size(), static_cast<Index>(literals.size()), objective, asked(), lemma, spread, period_});
    literal_.insert(literal_.end(), literals.begin(), literals.end());
    if (literals.size() == 1) {
        single_.push_back(c);
    } else {
        watch(c, literals[0], literals[1]);
        watch(c, literals[1], literals[0]);
    }
    return c;
}

void State::reduce() {
    std::vector<std::uint8_t> keep(clauses_.size(), 0);
    for (const auto& e : trail_)
        if (e.reason.kind == Reason::Kind::clause) keep[e.reason.number] = 1;
    std::vector<Index> loose;
    for (Index c = 0; c < clauses_.size(); ++c) {
        if (keep[c]) continue;
        if (clauses_[c].size <= 2 || clauses_[c].spread <= 2) keep[c] = 1;
        else loose.push_back(c);
    }
    std::sort(loose.begin(), loose.end(), [this](Index a, Index b) {
        const auto &x = clauses_[a], &y = clauses_[b];
        const bool x_used = x.used == period_, y_used = y.used == period_;
        return x_used != y_used ? x_used : x.spread != y.spread ? x.spread < y.spread : a > b;
    });
    for (std::size_t i = 0; i < loose.size() / 2; ++i) keep[loose[i]] = 1;
    std::vector<Index> place(clauses_.size(), kNone);
    Index kept = 0;
    std::uint64_t end = 0;
    for (auto& list : watch_) list.clear();
    single_.clear();
    for (Index c = 0; c < clauses_.size(); ++c) {
        if (!keep[c]) continue;
        auto clause = clauses_[c];
        std::copy_n(literal_.begin() + static_cast<std::ptrdiff_t>(clause.first), clause.size,
                    literal_.begin() + static_cast<std::ptrdiff_t>(end));
        clause.first = end;
        end += clause.size;
        place[c] = kept;
        clauses_[kept] = clause;
        if (clause.size == 1) {
            single_.push_back(kept);
        } else {  // the first two keep their watches, so nothing is missed
            watch(kept, literal_[clause.first], literal_[clause.first + 1]);
            watch(kept, literal_[clause.first + 1], literal_[clause.first]);
        }
        ++kept;
    }
    clauses_.resize(kept);
    literal_.resize(end);
    for (auto& e : trail_)
        if (e.reason.kind == Reason::Kind::clause) e.reason.number = place[e.reason.number];
    ++period_;
}

}  // namespace zermelo::qip::learning
