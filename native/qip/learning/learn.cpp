#include "qip/learning/learn.hpp"

#include <algorithm>
#include <cstdlib>

#include "qip/learning/analysis.hpp"
#include "qip/learning/legal.hpp"
#include "qip/learning/log.hpp"
#include "qip/learning/order.hpp"
#include "qip/learning/state.hpp"
#include "qip/learning/strategy.hpp"

namespace zermelo::qip {

namespace learning {

struct Block {
    bool exists;
    Index first, end;
};

std::vector<Block> blocks_of(const Program& program) {
    std::vector<Block> blocks;
    for (Index v = 0; v < program.variables(); ++v) {
        if (blocks.empty() || blocks.back().exists != (program.exists[v] != 0))
            blocks.push_back({program.exists[v] != 0, v, v});
        blocks.back().end = v + 1;
    }
    return blocks;
}

std::vector<Index> block_of_each(const std::vector<Block>& blocks) {
    std::vector<Index> numbers;
    for (Index b = 0; b < blocks.size(); ++b) numbers.insert(numbers.end(), blocks[b].end - blocks[b].first, b);
    return numbers;
}

class Search {
public:
    Search(const Program& program, const LearnParameters& parameters, Control& control)
        : program_(program), control_(control), state_(program), legal_(state_),
          log_(parameters.forall_proof, std::min(parameters.proof_bytes, control.room() / 4)),
          analysis_(state_, legal_, log_, control), blocks_(blocks_of(program)),
          order_(block_of_each(blocks_), static_cast<Index>(blocks_.size())),
          recorder_(parameters.exists_proof, std::min(parameters.proof_bytes, control.room() / 4)),
          reduce_at_(parameters.clauses) {
        prepare();
    }

    void run(LearnResult& result);

private:
    struct Level {
        std::size_t trail;
        Index variable, block;
        Index slot;  // among forall's decisions, or kNone
    };
    // A decision of forall: the values that are dealt with, and for which of his earlier values that holds.
    struct Slot {
        std::size_t first_case;
        Recorder::Mark mark;
        std::vector<std::int64_t> low, high;
    };

    void prepare();
    bool decide(std::int64_t asked);
    bool descend();
    bool fail(const Conflict& conflict);
    bool succeed();
    void pop_level();
    void charge();
    void restore_order();
    void set_existential(Index v, Index block);
    void open_universal(Index v, Index block);
    bool next_value(Index u, Slot& slot, std::int64_t& value);
    bool covered(const Slot& slot, std::int64_t value) const;
    void rule_out(Index u, Slot& slot, std::int64_t value);
    void reach();
    void restrict_to_slack(Index row, std::int64_t slack);
    std::int64_t replies(Index from, Index to, std::int64_t then);

    const Program& program_;
    Control& control_;
    State state_;
    Legal legal_;
    Log log_;
    Analysis analysis_;
    std::vector<Block> blocks_;
    Order order_;
    Recorder recorder_;
    std::vector<Level> levels_;
    std::vector<std::uint8_t> universal_level_{0};  // by level; level 0 is before all decisions
    std::vector<Slot> slots_;
    Index depth_ = 0;  // slots in use
    std::vector<StrategyGraph::Case> cases_;
    std::vector<Index> mixed_;              // rows with universal variables
    std::vector<std::int64_t> low_, high_;  // by variable: for which values of forall the success holds
    std::vector<std::int64_t> killer_, values_;
    std::vector<std::uint8_t> high_first_;
    Index last_exists_ = 0;  // one past the last existential variable that some row holds
    std::int64_t root_ = StrategyGraph::kEnd;
    std::uint64_t conflicts_ = 0, successes_ = 0, literals_ = 0, skipped_ = 0, nodes_ = 0, searches_ = 0;
    std::uint64_t charged_ = 0;
    std::size_t reduce_at_;      // clauses
    Log::Number last_step_ = 0;  // of the last search that failed
};

void Search::prepare() {
    const auto n = program_.variables();
    low_.resize(n);
    high_.resize(n);
    killer_.assign(program_.upper.begin(), program_.upper.end());
    high_first_.assign(n, 0);
    for (Index v = 0; v < n; ++v) {
        if (!state_.used(v)) continue;
        // Exists goes where the objective falls, elsewhere to the high end: to choose something mostly decides more
        // than not to.
        std::int64_t objective = 0, up = 0, down = 0;
        for (const auto& [row, coefficient] : state_.column(v)) {
            if (row == 0) objective = coefficient;
            ++(coefficient > 0 ? up : down);
        }
        high_first_[v] = objective <= 0;
        if (state_.exists(v)) {
            last_exists_ = v + 1;
            order_.insert(v);
        } else if (objective < 0 || (objective == 0 && down > up)) {
            killer_[v] = program_.lower[v];
        }
    }
    for (Index r = 0; r < state_.first_uncertain(); ++r) {
        const auto terms = state_.terms(r);
        if (state_.alive(r) &&
            std::any_of(terms.begin(), terms.end(), [this](const Term& t) { return !state_.exists(t.variable); }))
            mixed_.push_back(r);
    }
}

void Search::restore_order() {
    for (const auto v : state_.released())
        if (state_.exists(v) && !state_.fixed(v)) order_.insert(v);
    state_.released().clear();
}

// Whether exists reaches a value of at most `asked`.
bool Search::decide(std::int64_t asked) {
    ++searches_;
    levels_.clear();
    universal_level_.resize(1);
    cases_.clear();
    depth_ = 0;
    recorder_.start();
    state_.ask(asked);
    analysis_.restart();
    for (Index v = 0; v < program_.variables(); ++v)
        if (state_.exists(v) && state_.used(v)) order_.insert(v);
    if (const auto conflict = state_.start_clauses(); conflict.found()) return fail(conflict);
    for (;;) {
        ++nodes_;
        control_.tick();
        if (const auto conflict = state_.propagate(control_); conflict.found()) {
            if (!fail(conflict)) return false;
        } else if (!descend() && succeed()) {
            return true;
        }
    }
}

// Takes the next decision; false where there is none left to take.
bool Search::descend() {
    for (Index b = levels_.empty() ? 0 : levels_.back().block; b < blocks_.size(); ++b) {
        const auto& block = blocks_[b];
        if (block.exists) {
            for (auto v = order_.take(b); v != kNone; v = order_.take(b)) {
                if (state_.fixed(v)) continue;
                set_existential(v, b);
                return true;
            }
        } else {
            for (auto v = block.first; v < block.end; ++v) {
                // What forall sets after all of exists' variables is counted at its worst unless his rows bind it.
                if (!state_.used(v) || state_.decided_at(v) != kNone || (state_.free(v) && v >= last_exists_)) continue;
                open_universal(v, b);
                return true;
            }
        }
    }
    return false;
}

void Search::set_existential(Index v, Index block) {
    levels_.push_back({state_.trail().size(), v, block, kNone});
    universal_level_.push_back(0);
    state_.new_level();
    const auto low = state_.lower(v), high = state_.upper(v);
    const bool up = high_first_[v];
    const auto step = high - low > 8 ? (high - low) / 2 : 0;
    state_.decide(up ? Literal{high - step, v, 0} : Literal{low + step, v, 1});
    if (!state_.fixed(v)) order_.insert(v);
}

void Search::open_universal(Index v, Index block) {
    if (depth_ == slots_.size()) slots_.emplace_back();
    auto& slot = slots_[depth_];
    slot.first_case = cases_.size();
    slot.mark = recorder_.mark();
    slot.low.assign(program_.lower.begin(), program_.lower.begin() + v);
    slot.high.assign(program_.upper.begin(), program_.upper.begin() + v);
    levels_.push_back({state_.trail().size(), v, block, depth_++});
    universal_level_.push_back(1);
    std::int64_t value = 0;
    next_value(v, slot, value);  // there is one: so far forall has kept his rows
    state_.new_level();
    state_.decide_universal(v, value);
}

bool Search::covered(const Slot& slot, std::int64_t value) const {
    return std::any_of(cases_.begin() + static_cast<std::ptrdiff_t>(slot.first_case), cases_.end(),
                       [value](const auto& c) { return c.lower <= value && value <= c.upper; });
}

// A value of u that forall may set and that is not dealt with; false where there is none left.
bool Search::next_value(Index u, Slot& slot, std::int64_t& value) {
    for (bool preferred = true;;) {
        auto candidate = killer_[u];
        if (!preferred || covered(slot, candidate)) {
            preferred = false;
            candidate = program_.lower[u];
            for (bool moved = true; moved;) {
                moved = false;
                for (auto i = slot.first_case; i < cases_.size(); ++i) {
                    if (cases_[i].lower > candidate || candidate > cases_[i].upper) continue;
                    candidate = cases_[i].upper + 1;
                    moved = true;
                }
            }
            if (candidate > program_.upper[u]) return false;
        }
        preferred = false;
        if (state_.free(u) || legal_.allows(u, candidate, control_)) {
            value = candidate;
            return true;
        }
        rule_out(u, slot, candidate);
    }
}

// Forall must not set u to the value, because of what he set before.
void Search::rule_out(Index u, Slot& slot, std::int64_t value) {
    const auto row = legal_.broken(u, value);
    for (const auto v : legal_.members()[legal_.component()[u]]) {
        if (v >= u) break;
        slot.low[v] = slot.high[v] = state_.lower(v);
    }
    const bool one = row != kNone;
    const auto then =
        one || !recorder_.recording() ? StrategyGraph::kEnd : legal_.refute(u, value, recorder_.graph(), control_);
    const auto breaks = one ? static_cast<std::int64_t>(row - state_.first_uncertain()) : -1;
    cases_.push_back({value, value, then, breaks});
}

void Search::pop_level() {
    const auto& level = levels_.back();
    if (level.slot != kNone) {
        state_.undecide(level.variable);
        auto& slot = slots_[level.slot];
        cases_.resize(slot.first_case);
        recorder_.back_to(slot.mark);
        --depth_;
    }
    levels_.pop_back();
    universal_level_.pop_back();
}

// Learns from a conflict and goes back to where it could have been avoided; false where exists has lost.
bool Search::fail(const Conflict& conflict) {
    ++conflicts_;
    const auto& learned = analysis_.analyse(conflict, universal_level_);
    for (const auto v : learned.seen)
        if (state_.exists(v)) order_.bump(v);
    order_.decay();
    for (const auto c : learned.clauses) state_.note_use(c);
    for (const auto& [u, value] : learned.refuters) killer_[u] = value;
    if (learned.literals.empty()) {
        last_step_ = learned.step;
        return false;
    }
    literals_ += learned.literals.size();
    const auto trail = levels_[learned.level - 1].trail;
    while (levels_.size() >= learned.level) pop_level();
    state_.undo(learned.level - 1, trail);
    restore_order();
    const auto clause = state_.add(learned.literals, learned.objective, learned.step, learned.spread);
    state_.assert_first(clause);
    if (state_.clause_count() >= reduce_at_) {
        state_.reduce();
        reduce_at_ = std::max(reduce_at_ + reduce_at_ / 8, 2 * state_.clause_count());
    }
    charge();
    return true;
}

void Search::charge() {
    const auto bytes = state_.bytes() + log_.size_in_bytes() + recorder_.size_in_bytes();
    if (bytes < charged_ + (std::uint64_t{1} << 20)) return;
    control_.charge(static_cast<std::int64_t>(bytes - charged_));
    charged_ = bytes;
}

// For which values of forall the replies on the trail keep all rows: each row's slack is shared out among his
// variables, the later ones first, whose siblings come next.
void Search::reach() {
    for (const auto& level : levels_) {
        if (level.slot == kNone) continue;
        low_[level.variable] = program_.lower[level.variable];
        high_[level.variable] = program_.upper[level.variable];
    }
    for (const auto r : mixed_) restrict_to_slack(r, state_.right(r) - state_.least(r));
}

void Search::restrict_to_slack(Index row, std::int64_t slack) {
    const auto excess_of = [this](const Term& t) {
        if (state_.decided_at(t.variable) == kNone) return std::int64_t{0};
        const auto end = t.coefficient > 0 ? high_[t.variable] : low_[t.variable];
        return t.coefficient * (end - state_.lower(t.variable));
    };
    std::int64_t excess = -slack;
    for (const auto& t : state_.terms(row)) excess += excess_of(t);
    if (excess <= 0) return;
    for (const auto& t : state_.terms(row)) {
        const auto size = std::abs(t.coefficient);
        const auto cut = std::min(excess_of(t), excess);
        if (cut <= 0) continue;
        const auto steps = (cut + size - 1) / size;
        (t.coefficient > 0 ? high_ : low_)[t.variable] -= t.coefficient > 0 ? steps : -steps;
        excess -= steps * size;
        if (excess <= 0) return;
    }
}

// A node that sets exists' variables between two of forall's as they are set now.
std::int64_t Search::replies(Index from, Index to, std::int64_t then) {
    if (!recorder_.recording()) return StrategyGraph::kEnd;
    values_.clear();
    for (auto v = from; v < to; ++v)
        if (program_.exists[v]) values_.push_back(state_.lower(v));
    return values_.empty() ? then : recorder_.choose(from, values_, then);
}

// Exists has kept all rows: goes on with what forall might have done instead. True where nothing is left.
bool Search::succeed() {
    ++successes_;
    charge();
    reach();
    auto then = StrategyGraph::kEnd;
    auto at = program_.variables();
    while (!levels_.empty()) {
        const auto level = levels_.back();
        if (level.slot == kNone) {
            levels_.pop_back();
            universal_level_.pop_back();
            continue;
        }
        const auto u = level.variable;
        auto& slot = slots_[level.slot];
        cases_.push_back({low_[u], high_[u], replies(u + 1, at, then), -1});
        skipped_ += static_cast<std::uint64_t>(high_[u] - low_[u]);
        for (const auto& earlier : levels_) {
            if (earlier.slot == kNone || earlier.variable >= u) continue;
            slot.low[earlier.variable] = std::max(slot.low[earlier.variable], low_[earlier.variable]);
            slot.high[earlier.variable] = std::min(slot.high[earlier.variable], high_[earlier.variable]);
        }
        state_.undo(static_cast<Index>(levels_.size() - 1), level.trail);
        state_.undecide(u);
        restore_order();
        std::int64_t value = 0;
        if (next_value(u, slot, value)) {
            state_.new_level();
            state_.decide_universal(u, value);
            return false;
        }
        then = recorder_.branch(u, std::span(cases_).subspan(slot.first_case));
        at = u;
        for (const auto& earlier : levels_) {
            if (earlier.slot == kNone || earlier.variable >= u) continue;
            low_[earlier.variable] = slot.low[earlier.variable];
            high_[earlier.variable] = slot.high[earlier.variable];
        }
        cases_.resize(slot.first_case);
        --depth_;
        levels_.pop_back();
        universal_level_.pop_back();
    }
    root_ = replies(0, at, then);
    return true;
}

void Search::run(LearnResult& result) {
    std::int64_t least = 0, most = 0;
    for (const auto& t : program_.terms(0)) {
        least += std::min(t.coefficient * program_.lower[t.variable], t.coefficient * program_.upper[t.variable]);
        most += std::max(t.coefficient * program_.lower[t.variable], t.coefficient * program_.upper[t.variable]);
    }
    result.lower = least;
    result.upper = most;
    const auto count = [&] {
        result.nodes = nodes_;
        result.conflicts = conflicts_;
        result.successes = successes_;
        result.clauses = state_.clause_count();
        result.literals = literals_;
        result.skipped = skipped_;
        result.searches = searches_;
        control_.publish();
    };
    const auto take_derivation = [&] {
        result.has_derivation = log_.recording();
        result.derivation = log_.needed_for(last_step_);
    };
    try {
        if (!legal_.possible(control_)) {
            result.status = LearnStatus::lawless;
            return count();
        }
        for (auto asked = most;;) {
            if (decide(asked)) {
                result.feasible = true;
                result.has_strategy = recorder_.recording();
                result.upper = asked;
                if (result.has_strategy) {
                    result.strategy = recorder_.shared(root_);
                    result.upper = std::min(asked, worst(result.strategy, program_, 0));
                }
            } else if (!result.feasible) {
                result.status = LearnStatus::infeasible;
                take_derivation();
                return count();
            } else {
                result.lower = asked + 1;
            }
            control_.report(result.lower, result.upper, 0);
            if (result.lower >= result.upper) break;
            asked = result.lower + (result.upper - 1 - result.lower) / 2;
        }
        result.status = LearnStatus::optimal;
        result.at_best = result.upper == least;
        if (!result.at_best) take_derivation();
    } catch (const Stopped&) {
        result.status = LearnStatus::unknown;
    }
    count();
}

}  // namespace learning

LearnResult learn(const Program& program, const LearnParameters& parameters, Control& control) {
    check(program);
    LearnResult result;
    learning::Search(program, parameters, control).run(result);
    return result;
}

}  // namespace zermelo::qip
