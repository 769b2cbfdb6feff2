#include "qip/search.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "qip/lawful.hpp"
#include "qip/refute.hpp"
#include "qip/state.hpp"
#include "qip/table.hpp"

namespace zermelo::qip {

namespace tabling {

namespace {

// Intervals this wide are halved, others tried value by value.
constexpr std::int64_t kWide = 8;

struct ProofTooLarge {};

enum class Proving : std::uint8_t { nothing, exists, forall };

// What a residual problem came to. The bound is on the whole objective: at most that if won, at least that if lost.
struct Verdict {
    bool won = false;
    bool within = false;  // of part of a variable's interval, whose cases are written down already
    std::int64_t bound = 0;
    std::uint32_t node = kNone;
    std::int64_t value = -1;  // that decided it
};

// A variable whose values are tried, some at a time.
struct Level {
    std::uint32_t index;
    std::uint32_t reached;  // variables before it are passed
    std::size_t mark;       // of the trail
    std::size_t cases;
    std::uint64_t entry;
    std::int64_t bound;     // of the values tried so far
    std::int64_t low, high; // all values
    std::int64_t from, to;  // tried now
    std::int64_t first;     // tried first
    std::int64_t next;      // tried next, unless it is the first one
    std::int32_t step;      // which way
    std::uint32_t stamp;
    Owner owner;
    bool started;
    bool inner;    // tries a part of the interval of the level before
    bool halves;
    bool one;      // one value stands for all
    bool tainted;  // variables passed since had values ruled out by the bound on the objective
};

class TableSearch {
public:
    TableSearch(const Program& program, const TableParameters& parameters, Control& control)
        : program_(program),
          parameters_(parameters),
          control_(control),
          state_(program),
          table_(state_, parameters.table ? std::min(parameters.table_bytes, control.room() / 2) : 0, control),
          lawful_(state_),
          refutation_(state_, lawful_, nodes_) {}

    TableResult run();

private:
    Verdict decide(std::int64_t bound);
    bool descend(std::uint32_t index, Verdict& verdict);
    bool look_up(std::uint32_t index, std::uint64_t& entry, Verdict& verdict);
    void open_level(std::uint32_t index, bool inner, std::uint64_t entry);
    void plan(Level& level);
    bool next_part(Level& level);
    bool try_part(Verdict& verdict);
    bool lawful_part(Level& level);
    Verdict lost_row(Level& level);
    bool resolve(Verdict& verdict);
    void wrap(const Level& level, Verdict& verdict);
    void close(Verdict& verdict);
    void keep(const Level& level, const Verdict& verdict);
    std::uint32_t won_leaf(std::uint32_t index);
    void find_value(TableResult& result);
    void prove(TableResult& result);
    std::optional<ProofArrays> proof(Proving proving, std::int64_t bound, TableResult& result);

    const Program& program_;
    const TableParameters& parameters_;
    Control& control_;
    TableState state_;
    ResidualTable table_;
    ProofNodes nodes_;
    Lawful lawful_;
    Refutation refutation_;
    Proving proving_ = Proving::nothing;
    std::int64_t asked_ = 0;
    std::vector<Level> level_;
    std::vector<ProofCase> case_, forced_case_;
    std::vector<std::int64_t> value_;
    std::uint32_t stamps_ = 0;
    std::uint64_t hits_ = 0, questions_ = 0;
};

Verdict TableSearch::decide(std::int64_t bound) {
    ++questions_;
    asked_ = bound;
    level_.clear();
    case_.clear();
    state_.undo(0);
    state_.ask(bound);
    refutation_.stamp = ++stamps_;
    Level root{};
    root.index = kNone;
    root.owner = Owner::exists;
    level_.push_back(root);
    Verdict verdict;
    bool decided;
    if (state_.propagate())
        decided = descend(0, verdict);
    else {
        verdict = lost_row(level_.back());
        decided = true;
    }
    for (;;) {
        if (!decided) {
            decided = try_part(verdict);
        } else if (level_.size() == 1) {
            wrap(level_.back(), verdict);
            for (auto v = level_.back().reached; v-- > 0;) state_.unpass(v);
            state_.undo(0);
            if (!verdict.won && level_.back().tainted) verdict.bound = std::min(verdict.bound, asked_ + 1);
            return verdict;
        } else {
            decided = resolve(verdict);
        }
    }
}

// Goes on to the next variable with a choice. True: decided before that.
bool TableSearch::descend(std::uint32_t index, Verdict& verdict) {
    auto& parent = level_.back();
    for (; state_.open && state_.fixed(index); ++index) {
        if (index != parent.index && state_.cut_by_objective(index)) parent.tainted = true;
        state_.pass(index);
    }
    parent.reached = index;
    if (!state_.open) {
        verdict = {true, false, asked_ - state_.room[0], proving_ == Proving::exists ? won_leaf(index) : kNone};
        return true;
    }
    const bool inner = index == parent.index;
    auto entry = kNoEntry;
    if (!inner && parameters_.table && table_.probes(index) && look_up(index, entry, verdict)) return true;
    open_level(index, inner, entry);
    return false;
}

bool TableSearch::look_up(std::uint32_t index, std::uint64_t& entry, Verdict& verdict) {
    entry = table_.find_or_add(state_, index);
    if (entry == kNoEntry) return false;
    const auto& known = table_[entry];
    const auto left = state_.residual[0];
    const bool won = known.upper <= left, lost = known.lower > left;
    if (!won && !lost) return false;
    auto bound = won ? known.upper : known.lower;
    if (proving_ == (won ? Proving::exists : Proving::forall)) {
        if (known.proof == kNone || (won ? known.proof_bound > left : known.proof_bound <= left)) return false;
        bound = known.proof_bound;
    }
    ++hits_;
    verdict = {won, false, bound == kInfinite ? bound : bound + asked_ - left, known.proof};
    return true;
}

void TableSearch::open_level(std::uint32_t index, bool inner, std::uint64_t entry) {
    Level level{};
    level.index = level.reached = index;
    level.mark = state_.trail.size();
    level.cases = case_.size();
    level.entry = entry;
    level.owner = state_.owner[index];
    level.bound = level.owner != Owner::exists ? -kInfinite : state_.cut_by_objective(index) ? asked_ + 1 : kInfinite;
    level.low = state_.low[index];
    level.high = state_.high[index];
    level.inner = inner;
    level.stamp = refutation_.stamp;
    plan(level);
    level_.push_back(level);
}

// Which values are tried in which order.
void TableSearch::plan(Level& level) {
    const bool exists = level.owner == Owner::exists;
    std::int32_t rising = 0, falling = 0;  // rows that larger, smaller values bring nearer to their right side
    std::int64_t cost = 0;
    for (const auto& [row, position, coefficient] : state_.column(level.index)) {
        if (row == 0)
            cost = coefficient;
        else if (state_.residual[row] >= state_.most[position])
            continue;
        ++(coefficient > 0 ? rising : falling);
    }
    bool low_first = cost ? cost > 0 : rising > falling;
    level.one = parameters_.dominance && level.owner != Owner::bound && (rising == 0 || falling == 0);
    if (level.one) low_first = falling == 0;
    if (!exists) low_first = !low_first;
    level.first = low_first ? level.low : level.high;
    level.step = low_first ? 1 : -1;
    level.halves = !level.one && level.owner != Owner::bound && level.high - level.low >= kWide;
    if (!level.one && level.entry != kNoEntry)
        if (const auto move = table_[level.entry].move; move >= level.low && move <= level.high) {
            level.first = move;
            level.step = move - level.low <= level.high - move ? 1 : -1;
        }
    level.next = level.step > 0 ? level.low : level.high;
}

// Sets from .. to; false: all are tried.
bool TableSearch::next_part(Level& level) {
    if (level.one) {
        if (level.started) return false;
        level.started = true;
        level.from = level.to = level.first;
        return true;
    }
    if (level.halves) {
        // A value that was good before, then what lies below and above it; else the two halves. next counts the parts.
        const bool known = level.first > level.low && level.first < level.high;
        const auto middle = known ? level.first : level.low + (level.high - level.low) / 2;
        if (!level.started) level.started = true, level.next = known ? 0 : 1;
        const auto part = level.next++;
        if (part > 2) return false;
        const bool below = (part == 1) == (level.step > 0);
        level.from = part == 0 ? middle : below ? level.low : middle + 1;
        level.to = part == 0 ? middle : below ? middle - known : level.high;
        return true;
    }
    if (!level.started) {
        level.started = true;
        level.from = level.to = level.first;
        return true;
    }
    if (level.next == level.first) level.next += level.step;
    if (level.next < level.low || level.next > level.high) return false;
    level.from = level.to = level.next;
    level.next += level.step;
    return true;
}

bool TableSearch::try_part(Verdict& verdict) {
    auto& level = level_.back();
    if (!next_part(level)) {
        verdict = {level.owner != Owner::exists, level.inner, level.bound, kNone};
        close(verdict);
        return true;
    }
    control_.tick();
    state_.assume(level.index, level.from, level.to);
    if (level.owner == Owner::bound && !lawful_part(level)) {
        state_.undo(level.mark);
        return false;
    }
    if (state_.propagate()) return descend(level.index, verdict);
    verdict = lost_row(level);
    return true;
}

bool TableSearch::lawful_part(Level& level) {
    if (state_.broken != kNone) {
        if (proving_ == Proving::exists) case_.push_back({level.from, level.to, kEnd, state_.broken - state_.first_uncertain});
        return false;
    }
    if (lawful_.simple()) return true;
    refutation_.stamp = ++stamps_;
    state_.pass(level.index);
    const bool completes = lawful_.completes(state_, level.index + 1);
    if (!completes && proving_ == Proving::exists) case_.push_back({level.from, level.to, lawful_.breaks(state_, level.index + 1, nodes_)});
    state_.unpass(level.index);
    return completes;
}

Verdict TableSearch::lost_row(Level& level) {
    const auto row = state_.conflict;
    Verdict verdict{false, false, kInfinite, kNone};
    if (state_.conflict_tainted())
        verdict.bound = asked_ + 1;
    else if (row == 0)
        verdict.bound = asked_ - state_.slack[0];
    if (level.index == kNone) {
        level.reached = 0;
        refutation_.index = 0;
        if (proving_ == Proving::forall) verdict.node = refutation_.of_conflict(0);
        return verdict;
    }
    level.reached = level.index;
    if (proving_ != Proving::forall) return verdict;
    const bool passes = state_.fixed(level.index);
    if (passes) state_.pass(level.index);
    refutation_.index = level.index + passes;
    verdict.node = refutation_.of_conflict(level.index + 1);
    if (passes) state_.unpass(level.index);
    // Of an interval the universal player takes the value that is worst for the row.
    if (level.owner == Owner::forall && level.from < level.to)
        for (const auto& term : state_.terms(row))
            if (term.variable == level.index && term.coefficient > 0) level.from = level.to;
    return verdict;
}

// Where all rows hold whatever comes: existential variables that were cut down take a value that is left.
std::uint32_t TableSearch::won_leaf(std::uint32_t index) {
    value_.clear();
    std::size_t needed = 0;
    while (index < state_.variables() && state_.owner[index] != Owner::exists) ++index;
    for (auto v = index; v < state_.variables(); ++v) {
        if (state_.owner[v] != Owner::exists) continue;
        value_.push_back(state_.low[v]);
        if (state_.low[v] > 0 || state_.high[v] < state_.range[v]) needed = value_.size();
    }
    return nodes_.choose(index, std::span(value_).first(needed), kEnd);
}

// Extends a node to the variables that were passed after the level's own.
void TableSearch::wrap(const Level& level, Verdict& verdict) {
    if (verdict.within || proving_ != (verdict.won ? Proving::exists : Proving::forall)) return;
    const auto begin = level.index == kNone ? 0 : level.index;
    if (verdict.won) {
        value_.clear();
        auto at = begin;
        for (auto v = begin; v < level.reached; ++v) {
            if (state_.owner[v] != Owner::exists) continue;
            if (value_.empty()) at = v;
            value_.push_back(state_.low[v]);
        }
        verdict.node = nodes_.choose(at, value_, verdict.node);
        return;
    }
    refutation_.index = level.reached;
    for (auto v = level.reached; v-- > begin;) {
        if (v == level.index || state_.owner[v] != Owner::exists || state_.range[v] == 0) continue;
        forced_case_.clear();
        refutation_.add_cases(v, 0, forced_case_);
        forced_case_.push_back({state_.low[v], state_.high[v], verdict.node});
        verdict.node = nodes_.branch(v, state_.range[v], forced_case_);
    }
}

// Hands what the part came to to its level. True: that decides the level, which is closed.
bool TableSearch::resolve(Verdict& verdict) {
    auto& level = level_.back();
    wrap(level, verdict);
    const bool exists = level.owner == Owner::exists;
    if (!verdict.won && proving_ == Proving::forall && !verdict.within) {
        if (!exists) {
            verdict.node = nodes_.choose(level.index, std::span(&level.from, 1), verdict.node);
        } else if (level.one) {
            case_.push_back({level.low, level.high, verdict.node});
        } else {
            refutation_.index = level.reached;
            refutation_.add_cases(level.index, level.mark, case_);
            case_.push_back({state_.low[level.index], state_.high[level.index], verdict.node});
        }
    }
    if (verdict.won && proving_ == Proving::exists && !verdict.within && !exists)
        case_.push_back({level.one ? level.low : level.from, level.one ? level.high : level.to, verdict.node});
    if (!verdict.within) verdict.value = exists ? state_.low[level.index] : level.from;
    for (auto v = level.reached; v-- > level.index;) state_.unpass(v);
    state_.undo(level.mark);
    refutation_.stamp = level.stamp;
    if (!verdict.won && level.tainted) verdict.bound = std::min(verdict.bound, asked_ + 1);
    level.tainted = false;
    verdict.within = level.inner;
    if (verdict.won == exists) {
        close(verdict);
        return true;
    }
    level.bound = exists ? std::min(level.bound, verdict.bound) : std::max(level.bound, verdict.bound);
    return false;
}

// All that the level is for is known; the state is as it was when it was opened.
void TableSearch::close(Verdict& verdict) {
    const auto& level = level_.back();
    const bool exists = level.owner == Owner::exists;
    if (verdict.won != exists && proving_ == (verdict.won ? Proving::exists : Proving::forall)) {
        if (exists) {
            refutation_.index = level.index;
            refutation_.add_cases(level.index, level.inner ? level_[level_.size() - 2].mark : 0, case_);
        }
        if (!level.inner) verdict.node = nodes_.branch(level.index, state_.range[level.index], std::span(case_).subspan(level.cases));
    }
    if (!level.inner) case_.resize(level.cases);
    if (nodes_.bytes() > parameters_.proof_bytes) throw ProofTooLarge();
    keep(level, verdict);
    level_.pop_back();
}

void TableSearch::keep(const Level& level, const Verdict& verdict) {
    if (level.entry == kNoEntry) return;
    auto& known = table_[level.entry];
    const auto left = state_.residual[0];
    const auto bound = verdict.bound == kInfinite ? kInfinite : verdict.bound - (asked_ - left);
    if (verdict.won) {
        known.upper = std::min(known.upper, bound);
        if (level.owner == Owner::exists) known.move = verdict.value;
        if (proving_ == Proving::exists) known.proof = verdict.node, known.proof_bound = bound;
    } else {
        known.lower = std::max(known.lower, bound);
        if (level.owner != Owner::exists) known.move = verdict.value;
        if (proving_ == Proving::forall) known.proof = verdict.node, known.proof_bound = bound == kInfinite ? bound : left + 1;
    }
}

void TableSearch::find_value(TableResult& result) {
    const auto objective = state_.terms(0);
    const auto first = state_.begin_of(0);
    const auto least = objective.empty() ? 0 : state_.least[first], most = objective.empty() ? 0 : state_.most[first];
    result.lower = least;
    result.upper = most;
    control_.report(least, most, 0);
    auto verdict = decide(most);
    if (!verdict.won) {
        result.status = TableStatus::infeasible;
        return;
    }
    result.feasible = true;
    result.upper = verdict.bound;
    while (result.lower < result.upper) {
        control_.report(result.lower, result.upper, 0);
        verdict = decide(parameters_.bisect ? result.lower + (result.upper - 1 - result.lower) / 2 : result.upper - 1);
        if (verdict.won)
            result.upper = verdict.bound;
        else
            result.lower = std::max(verdict.bound, asked_ + 1);
    }
    result.status = TableStatus::optimal;
}

std::optional<ProofArrays> TableSearch::proof(Proving proving, std::int64_t bound, TableResult& result) {
    nodes_.clear();
    lawful_.forget_proofs();
    table_.forget_proofs();
    proving_ = proving;
    try {
        const auto verdict = decide(bound);
        if (verdict.won != (proving == Proving::exists)) throw std::logic_error("a proof contradicts the search");
        return nodes_.reachable(verdict.node, program_, proving == Proving::exists);
    } catch (const ProofTooLarge&) {
        result.proof_full = true;
        return std::nullopt;
    }
}

void TableSearch::prove(TableResult& result) {
    if (result.status == TableStatus::infeasible) {
        result.forall = proof(Proving::forall, result.upper, result);
        return;
    }
    result.exists = proof(Proving::exists, result.upper, result);
    result.forall = proof(Proving::forall, result.upper - 1, result);
}

TableResult TableSearch::run() {
    TableResult result;
    try {
        for (auto r = state_.first_uncertain; r < state_.rows(); ++r)
            if (state_.slack[r] < 0) result.status = TableStatus::lawless;
        if (result.status == TableStatus::unknown && !lawful_.simple() && !lawful_.completes(state_, 0)) result.status = TableStatus::lawless;
        if (result.status == TableStatus::unknown) {
            find_value(result);
            if (parameters_.proofs) prove(result);
        }
    } catch (const Stopped&) {
    }
    control_.publish();
    std::int64_t shift = 0;
    for (const auto& [variable, coefficient] : program_.terms(0)) shift += coefficient * program_.lower[variable];
    result.lower += shift;
    result.upper += shift;
    result.nodes = control_.nodes();
    result.hits = hits_;
    result.entries = table_.size();
    result.questions = questions_;
    result.table_full = table_.full();
    return result;
}

}  // namespace

}  // namespace tabling

TableResult search_by_table(const Program& program, const TableParameters& parameters, Control& control) {
    check(program);
    if (std::ranges::any_of(program.integer, [](std::uint8_t whole) { return !whole; }))
        throw std::invalid_argument("all variables must be integers");
    for (std::uint32_t v = 0; v < program.variables(); ++v)
        if (program.lower[v] > program.upper[v]) throw std::invalid_argument("a variable has no value");
    return tabling::TableSearch(program, parameters, control).run();
}

}  // namespace zermelo::qip
