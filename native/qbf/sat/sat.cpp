#include "qbf/sat/sat.hpp"

#include <algorithm>

namespace zermelo::qbf {

namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

// 1 1 2 1 1 2 4 ... (Luby, Sinclair and Zuckerman, 1993)
std::uint64_t luby(std::uint64_t i) {
    std::uint64_t size = 1, power = 0;
    while (size < i + 1) {
        size = 2 * size + 1;
        ++power;
    }
    while (size - 1 != i) {
        size = (size - 1) / 2;
        --power;
        i %= size;
    }
    return std::uint64_t{1} << power;
}

}  // namespace

std::uint32_t Sat::variable(bool decided) {
    const auto v = variables();
    value_.push_back(kFree);
    phase_.push_back(1);
    seen_.push_back(0);
    level_.push_back(0);
    reason_.push_back(kNoClause);
    activity_.push_back(0);
    place_.push_back(kNowhere);
    watches_.resize(watches_.size() + 2);
    decided_.push_back(decided);
    if (decided) insert(v);
    return v;
}

std::uint64_t Sat::bytes() const { return arena_.capacity() * 12 + value_.size() * 100; }

void Sat::add(std::span<const Literal> clause) {
    cancel(0);
    if (contradiction_) return;
    auto& in = learnt_;
    in.assign(clause.begin(), clause.end());
    std::ranges::sort(in);
    in.erase(std::unique(in.begin(), in.end()), in.end());
    for (std::size_t i = 0; i < in.size(); ++i)
        if (is_true(in[i]) || (i && in[i] == negate(in[i - 1]))) return;
    std::erase_if(in, [&](Literal literal) { return is_false(literal); });
    if (in.empty()) {
        contradiction_ = true;
    } else if (in.size() == 1) {
        enqueue(in[0], kNoClause);
        contradiction_ = propagate() != kNoClause;
    } else {
        attach(in, false, 0);
    }
}

Sat::Clause Sat::attach(std::span<const Literal> clause, bool is_learnt, std::uint32_t glue) {
    const auto made = static_cast<Clause>(arena_.size());
    arena_.push_back(static_cast<std::uint32_t>(clause.size()) << 1 | is_learnt);
    arena_.push_back(glue);
    arena_.insert(arena_.end(), clause.begin(), clause.end());
    watches_[negate(clause[0])].push_back({made, clause[1]});
    watches_[negate(clause[1])].push_back({made, clause[0]});
    if (is_learnt) learnts_.push_back(made);
    return made;
}

void Sat::enqueue(Literal literal, Clause reason) {
    const auto v = literal >> 1;
    value_[v] = literal & 1;
    level_[v] = decision_level();
    reason_[v] = reason;
    trail_.push_back(literal);
}

Sat::Clause Sat::propagate() {
    while (head_ < trail_.size()) {
        const auto truth = trail_[head_++];
        const auto lie = negate(truth);
        auto& watches = watches_[truth];
        std::size_t kept = 0;
        for (std::size_t i = 0; i < watches.size(); ++i) {
            const auto watch = watches[i];
            if (is_true(watch.blocker)) {
                watches[kept++] = watch;
                continue;
            }
            auto lits = literals(watch.clause);
            if (lits[0] == lie) std::swap(lits[0], lits[1]);
            const Watch moved{watch.clause, lits[0]};
            if (lits[0] != watch.blocker && is_true(lits[0])) {
                watches[kept++] = moved;
                continue;
            }
            std::size_t k = 2;
            while (k < lits.size() && is_false(lits[k])) ++k;
            if (k < lits.size()) {
                std::swap(lits[1], lits[k]);
                watches_[negate(lits[1])].push_back(moved);
                continue;
            }
            watches[kept++] = moved;
            if (!is_false(lits[0])) {
                enqueue(lits[0], watch.clause);
                continue;
            }
            for (++i; i < watches.size(); ++i) watches[kept++] = watches[i];
            watches.resize(kept);
            head_ = trail_.size();
            return watch.clause;
        }
        watches.resize(kept);
    }
    return kNoClause;
}

void Sat::bump(std::uint32_t variable) {
    if ((activity_[variable] += step_) > 1e100) {
        for (auto& a : activity_) a *= 1e-100;
        step_ *= 1e-100;
    }
    if (place_[variable] != kNowhere) sift_up(place_[variable]);
}

void Sat::analyze(Clause conflict) {
    learnt_.assign(1, 0);
    toclear_.clear();
    std::uint32_t open = 0;
    auto at = trail_.size();
    Literal pivot = kNowhere;
    for (auto clause = conflict;;) {
        for (const auto literal : literals(clause)) {
            const auto v = literal >> 1;
            if (literal == pivot || seen_[v] || level_[v] == 0) continue;
            seen_[v] = 1;
            toclear_.push_back(literal);
            bump(v);
            if (level_[v] == decision_level()) ++open;
            else learnt_.push_back(literal);
        }
        while (!seen_[trail_[--at] >> 1]) {
        }
        pivot = trail_[at];
        clause = reason_[pivot >> 1];
        seen_[pivot >> 1] = 0;
        if (--open == 0) break;
    }
    learnt_[0] = negate(pivot);
    std::erase_if(learnt_, [&](Literal literal) { return literal != learnt_[0] && redundant(literal); });
    for (const auto literal : toclear_) seen_[literal >> 1] = 0;
}

// Whether a literal of the learnt clause follows from the others.
bool Sat::redundant(Literal literal) {
    if (reason_[literal >> 1] == kNoClause) return false;
    stack_.assign(1, literal);
    const auto top = toclear_.size();
    while (!stack_.empty()) {
        const auto p = stack_.back();
        stack_.pop_back();
        for (const auto q : literals(reason_[p >> 1])) {
            const auto v = q >> 1;
            if (v == p >> 1 || seen_[v] || level_[v] == 0) continue;
            if (reason_[v] == kNoClause) {
                for (auto i = top; i < toclear_.size(); ++i) seen_[toclear_[i] >> 1] = 0;
                toclear_.resize(top);
                return false;
            }
            seen_[v] = 1;
            toclear_.push_back(q);
            stack_.push_back(q);
        }
    }
    return true;
}

// The assumptions from which the negation of an assumption was derived.
void Sat::final_core(Literal failed) {
    core_.assign(1, failed);
    if (level_[failed >> 1] == 0 || limits_.empty()) return;
    seen_[failed >> 1] = 1;
    for (auto i = trail_.size(); i-- > limits_[0];) {
        const auto v = trail_[i] >> 1;
        if (!seen_[v]) continue;
        seen_[v] = 0;
        if (reason_[v] == kNoClause) {
            core_.push_back(trail_[i]);
        } else {
            for (const auto q : literals(reason_[v]))
                if (q >> 1 != v && level_[q >> 1] > 0) seen_[q >> 1] = 1;
        }
    }
}

void Sat::cancel(std::uint32_t level) {
    if (decision_level() <= level) return;
    for (auto i = trail_.size(); i-- > limits_[level];) {
        const auto v = trail_[i] >> 1;
        phase_[v] = value_[v];
        value_[v] = kFree;
        if (place_[v] == kNowhere && decided_[v]) insert(v);
    }
    trail_.resize(limits_[level]);
    limits_.resize(level);
    head_ = trail_.size();
}

Literal Sat::decide() {
    while (!heap_.empty()) {
        const auto v = heap_.front();
        const auto last = heap_.back();
        heap_.pop_back();
        place_[v] = kNowhere;
        if (!heap_.empty()) {
            heap_[0] = last;
            place_[last] = 0;
            sift_down(0);
        }
        if (value_[v] == kFree) return 2 * v + phase_[v];
    }
    return kNowhere;
}

// Drops the half of the learnt clauses that span most levels, and gives their room back.
void Sat::reduce() {
    cancel(0);
    std::vector<Clause> ranked = learnts_;
    std::ranges::stable_sort(ranked, [&](Clause a, Clause b) { return arena_[a + 1] < arena_[b + 1]; });
    std::vector<bool> dropped(arena_.size(), false);
    for (std::size_t i = ranked.size() / 2; i < ranked.size(); ++i)
        if (arena_[ranked[i] + 1] > 2) dropped[ranked[i]] = true;
    std::vector<std::uint32_t> old;
    old.swap(arena_);
    learnts_.clear();
    for (auto& watches : watches_) watches.clear();
    std::vector<Literal> kept;
    for (std::size_t c = 0; c < old.size();) {
        const auto length = old[c] >> 1;
        if (!dropped[c]) {
            const auto begin = old.begin() + static_cast<std::ptrdiff_t>(c + kHeader);
            kept.assign(begin, begin + length);
            // Nothing but units is decided now: a clause with a true one is done with, false ones are left out.
            const bool satisfied = std::ranges::any_of(kept, [&](Literal literal) { return is_true(literal); });
            std::erase_if(kept, [&](Literal literal) { return is_false(literal); });
            if (!satisfied) attach(kept, old[c] & 1, old[c + 1]);
        }
        c += kHeader + length;
    }
    for (const auto literal : trail_) reason_[literal >> 1] = kNoClause;
}

bool Sat::solve(std::span<const Literal> assumptions, Control& control) {
    core_.clear();
    if (contradiction_) return false;
    // Each assumption has a level of its own: those that begin as last time stay where they are.
    std::uint32_t same = 0;
    const auto most = std::min<std::size_t>({assumptions.size(), assumed_.size(), decision_level()});
    while (same < most && assumptions[same] == assumed_[same]) ++same;
    cancel(same);
    assumed_.assign(assumptions.begin(), assumptions.end());
    std::uint64_t restarts = 0, budget = 100, since = 0;
    for (;;) {
        const auto conflict = propagate();
        if (conflict != kNoClause) {
            ++conflicts_;
            if (++since % 256 == 0) control.check();
            if (decision_level() == 0) {
                contradiction_ = true;
                return false;
            }
            analyze(conflict);
            std::uint32_t back = 0;
            for (std::size_t i = 1; i < learnt_.size(); ++i)
                if (level_[learnt_[i] >> 1] > back) {
                    back = level_[learnt_[i] >> 1];
                    std::swap(learnt_[1], learnt_[i]);
                }
            stack_.clear();
            for (const auto literal : learnt_) stack_.push_back(level_[literal >> 1]);
            std::ranges::sort(stack_);
            const auto glue = static_cast<std::uint32_t>(std::unique(stack_.begin(), stack_.end()) - stack_.begin());
            cancel(back);
            enqueue(learnt_[0], learnt_.size() == 1 ? kNoClause : attach(learnt_, true, glue));
            step_ /= 0.95;
            continue;
        }
        if (learnts_.size() > next_reduce_) {
            next_reduce_ += 1000;
            reduce();
            continue;
        }
        if (since >= budget) {
            budget = since + 100 * luby(++restarts);
            cancel(static_cast<std::uint32_t>(assumptions.size()));
            continue;
        }
        Literal next = kNowhere;
        while (decision_level() < assumptions.size()) {
            const auto assumed = assumptions[decision_level()];
            if (is_false(assumed)) {
                final_core(assumed);
                return false;
            }
            if (is_free(assumed)) {
                next = assumed;
                break;
            }
            limits_.push_back(static_cast<std::uint32_t>(trail_.size()));
        }
        if (next == kNowhere && (next = decide()) == kNowhere) {
            model_ = value_;
            return true;
        }
        limits_.push_back(static_cast<std::uint32_t>(trail_.size()));
        enqueue(next, kNoClause);
    }
}

void Sat::insert(std::uint32_t variable) {
    place_[variable] = static_cast<std::uint32_t>(heap_.size());
    heap_.push_back(variable);
    sift_up(place_[variable]);
}

void Sat::sift_up(std::uint32_t at) {
    const auto v = heap_[at];
    while (at > 0 && before(v, heap_[(at - 1) / 2])) {
        heap_[at] = heap_[(at - 1) / 2];
        place_[heap_[at]] = at;
        at = (at - 1) / 2;
    }
    heap_[at] = v;
    place_[v] = at;
}

void Sat::sift_down(std::uint32_t at) {
    const auto v = heap_[at];
    for (;;) {
        auto child = 2 * at + 1;
        if (child >= heap_.size()) break;
        if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
        if (!before(heap_[child], v)) break;
        heap_[at] = heap_[child];
        place_[heap_[at]] = at;
        at = child;
    }
    heap_[at] = v;
    place_[v] = at;
}

}  // namespace zermelo::qbf
