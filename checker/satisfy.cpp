#include "satisfy.hpp"

#include <algorithm>

namespace checker {

Clauses::Clauses(std::size_t variables)
    : watched_(2 * variables), values_(variables, kOpen), last_(variables), depths_(variables),
      reasons_(variables, kNone), weights_(variables) {
    for (std::uint32_t variable = 0; variable < variables; ++variable) waiting_.push({0, variable});
}

void Clauses::add(std::vector<Signed> clause) {
    std::ranges::sort(clause);
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    for (std::size_t i = 1; i < clause.size(); ++i)
        if (clause[i] == (clause[i - 1] ^ 1) && clause[i] & 1) return;  // it always holds
    clauses_.push_back({std::move(clause), false});
}

void Clauses::watch(std::uint32_t clause) {
    for (std::size_t i = 0; i < 2; ++i) watched_[clauses_[clause].literals[i]].push_back(clause);
}

void Clauses::set(Signed literal, std::uint32_t reason) {
    const auto variable = literal >> 1;
    values_[variable] = literal & 1 ? kFalse : kTrue;
    depths_[variable] = static_cast<std::uint32_t>(chosen_.size());
    reasons_[variable] = reason;
    trail_.push_back(literal);
}

// Sets what clauses with one literal left demand. The clause that has become false; kNone if none has.
std::uint32_t Clauses::conflict() {
    while (read_ < trail_.size()) {
        const Signed gone = trail_[read_++] ^ 1;
        auto& watching = watched_[gone];
        std::size_t kept = 0;
        for (std::size_t i = 0; i < watching.size(); ++i) {
            const auto at = watching[i];
            auto& literals = clauses_[at].literals;
            ++steps_;
            if (literals[0] == gone) std::swap(literals[0], literals[1]);
            if (value(literals[0]) == kTrue) {
                watching[kept++] = at;
                continue;
            }
            std::size_t other = 2;
            while (other < literals.size() && value(literals[other]) == kFalse) ++other;
            if (other < literals.size()) {
                std::swap(literals[1], literals[other]);
                watched_[literals[1]].push_back(at);  // another list: that literal is not false
                continue;
            }
            watching[kept++] = at;
            if (value(literals[0]) == kFalse) {
                while (++i < watching.size()) watching[kept++] = watching[i];
                watching.resize(kept);
                return at;
            }
            set(literals[0], at);
        }
        watching.resize(kept);
    }
    return kNone;
}

void Clauses::raise(std::uint32_t variable) {
    weights_[variable] += step_;
    if (weights_[variable] > 1e100) {
        for (auto& weight : weights_) weight *= 1e-100;
        step_ *= 1e-100;
    }
    if (values_[variable] == kOpen) waiting_.push({weights_[variable], variable});
}

// The clause that a conflict teaches: false now, with one literal of the last choice, which comes first.
std::vector<Signed> Clauses::learn(std::uint32_t clause) {
    std::vector<Signed> learnt{0};
    std::vector<bool> seen(values_.size());
    const auto depth = chosen_.size();
    std::size_t open = 0, at = trail_.size();
    for (;;) {
        for (const Signed literal : clauses_[clause].literals) {
            const auto variable = literal >> 1;
            if (seen[variable] || value(literal) != kFalse || depths_[variable] == 0) continue;
            seen[variable] = true;
            raise(variable);
            if (depths_[variable] == depth) ++open;
            else learnt.push_back(literal);
        }
        do --at;
        while (!seen[trail_[at] >> 1]);
        if (--open == 0) break;
        clause = reasons_[trail_[at] >> 1];
    }
    learnt[0] = trail_[at] ^ 1;
    for (std::size_t i = 2; i < learnt.size(); ++i)  // the second is false longest but the first
        if (depths_[learnt[i] >> 1] > depths_[learnt[1] >> 1]) std::swap(learnt[1], learnt[i]);
    return learnt;
}

void Clauses::back_to(std::size_t depth) {
    if (chosen_.size() <= depth) return;
    const auto from = chosen_[depth];
    for (auto at = from; at < trail_.size(); ++at) {
        const auto variable = trail_[at] >> 1;
        last_[variable] = values_[variable];
        values_[variable] = kOpen;
        waiting_.push({weights_[variable], variable});
    }
    trail_.resize(from);
    chosen_.resize(depth);
    read_ = trail_.size();
}

bool Clauses::choose() {
    while (!waiting_.empty()) {
        const auto variable = waiting_.top().second;
        waiting_.pop();
        if (values_[variable] != kOpen) continue;
        chosen_.push_back(trail_.size());
        set(2 * variable + (last_[variable] == kTrue ? 0 : 1), kNone);
        return true;
    }
    return false;
}

// With nothing chosen: drops what always holds, literals that never do, and half of what was learnt if it is much.
bool Clauses::tidy() {
    const bool much = learnt_ > 20'000;
    std::size_t seen = 0;
    for (auto& list : watched_) list.clear();
    std::vector<Kept> kept;
    for (auto& clause : clauses_) {
        const bool drop = much && clause.learnt && clause.literals.size() > 4 && 2 * ++seen < learnt_;
        if (drop || std::ranges::any_of(clause.literals, [&](Signed l) { return value(l) == kTrue; })) continue;
        std::erase_if(clause.literals, [&](Signed l) { return value(l) == kFalse; });
        if (clause.literals.empty()) return false;
        if (clause.literals.size() == 1) set(clause.literals[0], kNone);
        else kept.push_back(std::move(clause));
    }
    clauses_ = std::move(kept);
    learnt_ = 0;
    for (std::uint32_t at = 0; at < clauses_.size(); ++at) watch(at), learnt_ += clauses_[at].learnt;
    read_ = 0;
    return conflict() == kNone;
}

// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...
std::uint64_t Clauses::luby(std::uint64_t number) {
    std::uint64_t size = 1;
    while (size < number + 1) size = 2 * size + 1;
    for (; size - 1 != number; number %= size) size = (size - 1) / 2;
    return (size + 1) / 2;
}

bool Clauses::satisfiable() {
    for (std::uint64_t round = 0;; ++round) {
        back_to(0);
        if (!tidy()) return false;
        for (auto left = 128 * luby(round); left;) {
            const auto clause = conflict();
            if (clause == kNone) {
                if (!choose()) return true;
                continue;
            }
            if (chosen_.empty()) return false;
            auto learnt = learn(clause);
            back_to(learnt.size() == 1 ? 0 : depths_[learnt[1] >> 1]);
            step_ /= 0.95;
            --left;
            const auto first = learnt[0];
            if (learnt.size() == 1) {
                set(first, kNone);
                continue;
            }
            clauses_.push_back({std::move(learnt), true});
            ++learnt_;
            watch(static_cast<std::uint32_t>(clauses_.size() - 1));
            set(first, static_cast<std::uint32_t>(clauses_.size() - 1));
        }
    }
}

}  // namespace checker
