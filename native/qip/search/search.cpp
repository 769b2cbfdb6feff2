#include "qip/search/search.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "qip/proof/lawful.hpp"
#include "qip/search/refute.hpp"
#include "qip/program/state.hpp"
#include "qip/program/table.hpp"
#include "qip/search/certain_win.hpp"

namespace zermelo::qip {

namespace tabling {

namespace {

// Intervals this wide are halved, others tried value by value.
constexpr std::int64_t kWide = 8;
// Nodes of a proof that is worth a second try; of a first try.
constexpr std::size_t kLargeProof = 256;
constexpr std::uint32_t kFewNodes = 4096;
// Nodes that are tried again at all variables together, about.
constexpr std::size_t kMostShown = 1 << 21;
// Rows that are tried as additions to that of the objective, to begin with.
// Bytes by which the memory of a proof is charged.
constexpr std::int64_t kProofStep = 1 << 20;

struct ProofTooLarge {
    bool bytes;  // else it has more nodes than it may for now
};

enum class Proving : std::uint8_t { nothing, exists, forall };

// What a residual problem came to. The bound is on the whole objective: at most that if won, at least that if lost.
struct Verdict {
    bool won = false;
    bool within = false;  // of part of a variable's interval, whose cases are written down already
    std::int64_t bound = 0;
    std::uint32_t node = kNone;
    std::int64_t value = -1;  // that decided it
};

// The least objective that a limit on it leaves open.
std::int64_t beyond(std::int64_t limit) { return limit == kNoLimit ? kInfinite : limit + 1; }

// A variable whose values are tried, some at a time.
struct Level {
    std::uint32_t index;
    std::uint32_t reached;  // variables before it are passed
    std::size_t mark;       // of the trail
    std::size_t cases;
    std::uint64_t entry;
    std::int64_t bound;      // of the values tried so far
    std::int64_t limit;      // up to which the bound on the objective rules out values of variables passed since
    std::int64_t low, high;  // all values
    std::int64_t from, to;   // tried now
    std::int64_t first;      // tried first
    std::int64_t next;       // tried next, unless it is the first one
    std::int32_t step;       // which way
    std::uint32_t stamp;
    Owner owner;
    bool started;
    bool inner;  // tries a part of the interval of the level before
    bool halves;
    bool one;  // one value stands for all
};

class TableSearch {
public:
    TableSearch(const Program& program, const TableParameters& parameters, Control& control)
        : program_(program), parameters_(parameters), control_(control), state_(program),
          table_(state_, parameters.table ? std::min(parameters.table_bytes, control.room() / 2) : 0, control),
          nodes_(state_, parameters.proof_bytes / 2), lawful_(state_, control), refutation_(state_, lawful_, nodes_),
          certain_win_(state_), lost_at_once_(state_.variables()) {}
    ~TableSearch() { control_.charge(-static_cast<std::int64_t>(proof_charged_)); }
    TableSearch(const TableSearch&) = delete;
    TableSearch& operator=(const TableSearch&) = delete;

    TableResult run();

private:
    Verdict decide(std::int64_t bound);
    bool descend(std::uint32_t index, Verdict& verdict);
    bool look_up(std::uint32_t index, std::uint64_t& entry, Verdict& verdict);
    void open_level(std::uint32_t index, bool inner, std::uint64_t entry);
    void plan(Level& level);
    bool next_part(Level& level);
    bool try_part(Verdict& verdict);
    bool walks_over(Level& level, Verdict& verdict);
    void find_losing(std::uint32_t index);
    bool lawful_part(Level& level);
    Verdict lost_row(Level& level);
    bool resolve(Verdict& verdict);
    void wrap(const Level& level, Verdict& verdict);
    void add_case(Level& level, std::uint32_t node);
    void close(Verdict& verdict);
    void keep(const Level& level, const Verdict& verdict);
    bool answered(const Level& level) const {
        return proving_ == (level.owner == Owner::exists ? Proving::forall : Proving::exists);
    }
    std::uint32_t shown_before(std::uint32_t index);
    void show(std::uint32_t index, std::uint32_t node);
    std::uint32_t won_leaf(std::uint32_t index);
    void find_value(TableResult& result);
    void prove(TableResult& result);
    ProofArrays proof_in_order(std::int64_t bound);
    std::optional<ProofArrays> proof(Proving proving, std::int64_t bound, TableResult& result);

    const Program& program_;
    const TableParameters& parameters_;
    Control& control_;
    TableState state_;
    ResidualTable table_;
    ProofNodes nodes_;
    Lawful lawful_;
    Refutation refutation_;
    CertainWin certain_win_;
    // What the existential player has against values that lose at once (certain_win.hpp): a bound and a node.
    struct Punished {
        std::int64_t bound;
        std::uint32_t node;
    };
    std::vector<Punished> lost_at_once_;
    Proving proving_ = Proving::nothing;
    bool ascending_ = false;
    std::uint32_t node_limit_ = kNone;
    std::int64_t asked_ = 0;
    std::vector<Level> level_;
    std::vector<ProofCase> case_, forced_case_;
    std::vector<std::int64_t> value_;
    // For each variable the nodes that were found to hold before it, the latest ones, and why they did not hold again.
    struct Shown {
        std::uint32_t node, doubt;
    };
    std::vector<Shown> shown_;
    std::vector<std::uint32_t> shown_count_;
    std::uint32_t shown_most_ = 0;
    std::uint64_t proof_charged_ = 0;
    std::int64_t objective_shift_ = 0;
    std::vector<std::int64_t> objective_width_;  // of the variables from each one on
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
    root.limit = kNoLimit;
    level_.push_back(root);
    Verdict verdict;
    bool decided;
    if (state_.propagate()) decided = descend(0, verdict);
    else {
        verdict = lost_row(level_.back());
        decided = true;
    }
    for (;;) {
        if (!decided) {
            decided = try_part(verdict);
        } else if (level_.size() == 1) {
            wrap(level_.back(), verdict);
            state_.undo(0);
            if (!verdict.won) verdict.bound = std::min(verdict.bound, beyond(level_.back().limit));
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
        parent.limit = std::min(parent.limit, state_.limit(index));
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
    const auto left = state_.spare[0];
    if (entry != kNoEntry) {
        const auto& known = table_[entry];
        const bool won = known.upper <= left, lost = known.lower > left;
        auto bound = won ? known.upper : known.lower;
        bool found = won || lost;
        if (found && proving_ == (won ? Proving::exists : Proving::forall)) {
            found = known.proof != kNone && (won ? known.proof_bound <= left : known.proof_bound > left);
            bound = known.proof_bound;
        }
        if (found) {
            ++hits_;
            verdict = {won, false, bound == kInfinite ? bound : bound + asked_ - left, known.proof};
            return true;
        }
        if ((won && proving_ == Proving::forall) || (lost && proving_ == Proving::exists)) return false;
    }
    if (proving_ == Proving::nothing) return false;
    const auto node = shown_before(index);
    if (node == kNone) return false;
    verdict = {proving_ == Proving::exists, false, asked_ + (proving_ == Proving::forall), node};
    if (entry != kNoEntry) {
        auto& known = table_[entry];
        known.proof = node;
        known.proof_bound = left + (proving_ == Proving::forall);
        if (verdict.won) known.upper = std::min(known.upper, known.proof_bound);
        else known.lower = std::max(known.lower, known.proof_bound);
    }
    return true;
}

// A node that was found for other residuals and holds for these; kNone: there is none.
std::uint32_t TableSearch::shown_before(std::uint32_t index) {
    const auto first = shown_.begin() + static_cast<std::ptrdiff_t>(std::size_t{index} * shown_most_);
    for (auto& [node, doubt] : std::span(first, std::min(shown_count_[index], shown_most_)))
        if (nodes_.holds_at(node, index, table_.fields(index), objective_width_[index], doubt)) return node;
    return kNone;
}

void TableSearch::show(std::uint32_t index, std::uint32_t node) {
    auto& count = shown_count_[index];
    shown_[std::size_t{index} * shown_most_ + count % shown_most_] = {node, 0};
    if (++count == 2 * shown_most_) count = shown_most_;
}

void TableSearch::open_level(std::uint32_t index, bool inner, std::uint64_t entry) {
    Level level{};
    level.index = level.reached = index;
    level.mark = state_.trail.size();
    level.cases = case_.size();
    level.entry = entry;
    level.owner = state_.owner[index];
    level.bound = level.owner == Owner::exists ? beyond(state_.limit(index)) : -kInfinite;
    level.limit = kNoLimit;
    level.low = state_.low[index];
    level.high = state_.high[index];
    level.inner = inner;
    level.stamp = refutation_.stamp;
    plan(level);
    if (level.owner == Owner::forall && certain_win_.worth(index) &&
        (level_.back().index == kNone || level_.back().index < certain_win_.block_begin(index)))
        find_losing(index);
    level_.push_back(level);
    control_.report_depth(std::ssize(level_));
}

// Which values are tried in which order.
void TableSearch::plan(Level& level) {
    const bool exists = level.owner == Owner::exists;
    std::int32_t rising = 0, falling = 0;  // rows that larger, smaller values bring nearer to their right side
    std::int64_t cost = 0;
    for (const auto& [row, position, coefficient] : state_.column(level.index)) {
        if (row == 0) cost = coefficient;
        else if (state_.spare[row] >= state_.width[position]) continue;
        ++(coefficient > 0 ? rising : falling);
    }
    bool low_first = cost ? cost > 0 : rising > falling;
    level.one = parameters_.dominance && level.owner != Owner::bound && (rising == 0 || falling == 0);
    if (level.one) low_first = falling == 0;
    if (!exists) low_first = !low_first;
    level.first = low_first ? level.low : level.high;
    level.step = low_first ? 1 : -1;
    level.halves = !level.one && level.owner != Owner::bound && level.high - level.low >= kWide;
    if (answered(level) && !level.one) {
        // All values must be shown; one node may hold for many of them, often so if it answers the best value.
        level.halves = false;
        if (ascending_) level.first = level.low, level.step = 1;
    } else if (!level.one && level.entry != kNoEntry)
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
    if (state_.propagate()) return walks_over(level, verdict) || descend(level.index, verdict);
    verdict = lost_row(level);
    return true;
}

// Looks for values of the universal variables from here to the end of their block that lose at once.
void TableSearch::find_losing(std::uint32_t index) {
    const auto end = certain_win_.block_end(index);
    for (auto v = index; v < end; ++v) certain_win_.set_losing(v, -1);
    const auto mark = state_.trail.size();
    for (auto v = index; v < end; ++v) {
        if (state_.owner[v] != Owner::forall || state_.range[v] != 1) continue;
        for (const std::int64_t value : {0, 1}) {
            state_.assume(v, value, value);
            if (certain_win_.wins(v, false)) {
                certain_win_.set_losing(v, value);
                lost_at_once_[v] = {asked_ - state_.room[0], proving_ == Proving::exists ? won_leaf(v + 1) : kNone};
            }
            state_.undo(mark);
            if (certain_win_.losing(v) >= 0) break;
        }
    }
}

// Whether what the universal player did is enough to lose.
bool TableSearch::walks_over(Level& level, Verdict& verdict) {
    if (level.owner != Owner::forall || !certain_win_.worth(level.index)) return false;
    level.reached = level.index;
    if (level.from == level.to && certain_win_.losing(level.index) == level.from) {
        const auto& [bound, node] = lost_at_once_[level.index];
        verdict = {true, false, bound, node};
        return true;
    }
    const auto mark = state_.trail.size();
    if (!certain_win_.wins(level.index, true)) return false;
    verdict = {true, false, asked_ - state_.room[0], proving_ == Proving::exists ? won_leaf(level.index + 1) : kNone};
    state_.undo(mark);
    for (auto v = certain_win_.block_end(level.index); --v > level.index;) {
        const auto value = certain_win_.losing(v);
        if (value < 0 || state_.fixed(v)) continue;
        const auto& [bound, node] = lost_at_once_[v];
        verdict.bound = std::max(verdict.bound, bound);
        if (proving_ != Proving::exists) continue;
        forced_case_.assign({{value, value, node}, {1 - value, 1 - value, verdict.node}});
        verdict.node = nodes_.branch(v, forced_case_);
    }
    return true;
}

bool TableSearch::lawful_part(Level& level) {
    if (state_.broken != kNone) {
        if (proving_ == Proving::exists)
            case_.push_back({level.from, level.to, kEnd, state_.broken - state_.first_uncertain});
        return false;
    }
    if (lawful_.simple()) return true;
    refutation_.stamp = ++stamps_;
    state_.pass(level.index);
    const bool completes = lawful_.completes(state_, level.index + 1);
    if (!completes && proving_ == Proving::exists)
        case_.push_back({level.from, level.to, lawful_.breaks(state_, level.index + 1, nodes_)});
    state_.unpass(level.index);
    return completes;
}

Verdict TableSearch::lost_row(Level& level) {
    Verdict verdict{false, false, beyond(state_.conflict_limit()), kNone};
    if (state_.conflict == 0) verdict.bound = std::min(verdict.bound, asked_ - state_.slack[0]);
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
    if (level.owner == Owner::forall && level.from < level.to && refutation_.rises(level.index)) level.from = level.to;
    return verdict;
}

// Where all rows hold whatever comes: existential variables that were cut down take a value that is left, the one that
// gives room to more rows.
std::uint32_t TableSearch::won_leaf(std::uint32_t index) {
    value_.clear();
    std::size_t needed = 0;
    while (index < state_.variables() && state_.owner[index] != Owner::exists) ++index;
    for (auto v = index; v < state_.variables(); ++v) {
        if (state_.owner[v] != Owner::exists) continue;
        const auto column = state_.column(v);
        const auto rising = std::ranges::count_if(column, [](const Entry& entry) { return entry.coefficient > 0; });
        value_.push_back(2 * rising < std::ssize(column) ? state_.high[v] : state_.low[v]);
        if (state_.low[v] > 0 || state_.high[v] < state_.range[v]) needed = value_.size();
    }
    return nodes_.choose(index, std::span(value_).first(needed), kEnd);
}

// Takes back the variables that were passed after the level's own, and extends the node to them.
void TableSearch::wrap(const Level& level, Verdict& verdict) {
    const auto begin = level.index == kNone ? 0 : level.index;
    const bool shows = !verdict.within && proving_ == (verdict.won ? Proving::exists : Proving::forall);
    if (shows && verdict.won) {
        value_.clear();
        auto at = begin;
        for (auto v = begin; v < level.reached; ++v) {
            if (state_.owner[v] != Owner::exists) continue;
            if (value_.empty()) at = v;
            value_.push_back(state_.low[v]);
        }
        verdict.node = nodes_.choose(at, value_, verdict.node);
    }
    for (auto v = level.reached; v-- > begin;) {
        state_.unpass(v);
        if (!shows || verdict.won || v == level.index || state_.owner[v] != Owner::exists || state_.range[v] == 0)
            continue;
        forced_case_.clear();
        refutation_.index = v;
        refutation_.add_cases(v, 0, verdict.node, forced_case_);
        forced_case_.push_back({state_.low[v], state_.high[v], verdict.node});
        verdict.node = nodes_.branch(v, forced_case_);
    }
}

// Hands what the part came to to its level. True: that decides the level, which is closed.
bool TableSearch::resolve(Verdict& verdict) {
    auto& level = level_.back();
    wrap(level, verdict);
    const bool exists = level.owner == Owner::exists;
    const bool shows = !verdict.within && proving_ == (verdict.won ? Proving::exists : Proving::forall);
    if (!verdict.within) verdict.value = exists ? state_.low[level.index] : level.from;
    state_.undo(level.mark);
    refutation_.stamp = level.stamp;
    if (shows && exists != verdict.won) {
        add_case(level, verdict.node);
    } else if (shows && !verdict.won && !nodes_.holds_for(verdict.node, level.index, 0, state_.range[level.index])) {
        verdict.node = nodes_.choose(level.index, std::span(&level.from, 1), verdict.node);
    }
    if (!verdict.won) verdict.bound = std::min(verdict.bound, beyond(level.limit));
    level.limit = kNoLimit;
    verdict.within = level.inner;
    if (verdict.won == exists) {
        close(verdict);
        return true;
    }
    level.bound = exists ? std::min(level.bound, verdict.bound) : std::max(level.bound, verdict.bound);
    return false;
}

// The node answers the values tried, maybe more of those to come, maybe others that were answered before.
void TableSearch::add_case(Level& level, std::uint32_t node) {
    const auto reach = nodes_.reach(node, level.index);
    for (auto& other : std::span(case_).subspan(level.cases))
        if (other.breaks == kKept && reach.from <= other.lower && other.upper <= reach.to) other.then = node;
    ProofCase answered{level.from, level.to, node};
    if (level.one) answered.lower = level.low, answered.upper = level.high;
    else if (level.step > 0) answered.upper = std::max(level.to, std::min(reach.to, level.high));
    else answered.lower = std::min(level.from, std::max(reach.from, level.low));
    level.next = level.step > 0 ? answered.upper + 1 : answered.lower - 1;
    if (level.index >= state_.first_continuous && (answered.lower > 0 || answered.upper < state_.range[level.index]))
        throw Unwritable();
    case_.push_back(answered);
    // The other values may cost up to what is asked.
    if (proving_ == Proving::exists) level.bound = asked_;
}

// All that the level is for is known; the state is as it was when it was opened.
void TableSearch::close(Verdict& verdict) {
    const auto& level = level_.back();
    const bool exists = level.owner == Owner::exists;
    if (verdict.won != exists && answered(level)) {
        if (exists) {
            refutation_.index = level.index;
            refutation_.add_cases(level.index, 0, case_.back().then, case_);
        }
        verdict.node = nodes_.branch(level.index, std::span(case_).subspan(level.cases));
    }
    if (!level.inner && proving_ == (verdict.won ? Proving::exists : Proving::forall) && verdict.node != kEnd)
        show(level.index, verdict.node);
    case_.resize(level.cases);
    if (proving_ != Proving::nothing && nodes_.size() > node_limit_) throw ProofTooLarge{false};
    if (const auto bytes = nodes_.bytes(); bytes > proof_charged_) {
        if (bytes > parameters_.proof_bytes) throw ProofTooLarge{true};
        control_.charge(kProofStep);
        proof_charged_ += kProofStep;
    }
    keep(level, verdict);
    level_.pop_back();
}

void TableSearch::keep(const Level& level, const Verdict& verdict) {
    if (level.entry == kNoEntry) return;
    auto& known = table_[level.entry];
    const auto left = state_.spare[0];
    const auto bound = verdict.bound == kInfinite ? kInfinite : verdict.bound - (asked_ - left);
    if (verdict.won) {
        known.upper = std::min(known.upper, bound);
        if (level.owner == Owner::exists) known.move = verdict.value;
        if (proving_ == Proving::exists) known.proof = verdict.node, known.proof_bound = left;
    } else {
        known.lower = std::max(known.lower, bound);
        if (level.owner != Owner::exists) known.move = verdict.value;
        if (proving_ == Proving::forall)
            known.proof = verdict.node, known.proof_bound = bound == kInfinite ? bound : left + 1;
    }
}

void TableSearch::find_value(TableResult& result) {
    const auto least = state_.right[0] - state_.spare[0],
               most = least + (state_.terms(0).empty() ? 0 : state_.width[state_.begin_of(0)]);
    result.lower = least;
    result.upper = most;
    control_.report(least + objective_shift_, most + objective_shift_, 0);
    auto verdict = decide(most);
    if (!verdict.won) {
        result.status = TableStatus::infeasible;
        return;
    }
    result.feasible = true;
    result.upper = verdict.bound;
    while (result.lower < result.upper) {
        control_.report(result.lower + objective_shift_, result.upper + objective_shift_, 0);
        verdict = decide(parameters_.bisect ? result.lower + (result.upper - 1 - result.lower) / 2 : result.upper - 1);
        if (verdict.won) result.upper = verdict.bound;
        else result.lower = std::max(verdict.bound, asked_ + 1);
    }
    result.status = TableStatus::optimal;
}

// Which value's answer holds for others too is a matter of luck: two orders are tried, with growing numbers of nodes,
// and once one has come to an end, the other must do with half of that.
std::optional<ProofArrays> TableSearch::proof(Proving proving, std::int64_t bound, TableResult& result) {
    std::optional<ProofArrays> best;
    proving_ = proving;
    ascending_ = false;
    std::uint32_t full = 0;
    for (std::uint32_t tried = 0; full < 2; ++tried, ascending_ = !ascending_) {
        if (!best) node_limit_ = kFewNodes << std::min(tried / 2 * 4, 16u);
        try {
            auto found = proof_in_order(bound);
            const bool second = best.has_value();
            if (!best || found.data.size() < best->data.size()) best = std::move(found);
            if (second || best->kind.size() < kLargeProof) break;
            node_limit_ = nodes_.size() / 2;
        } catch (const Unwritable&) {
            if (best) break;
            ++full;
        } catch (const ProofTooLarge& too_large) {
            if (best) break;
            full += too_large.bytes;
        } catch (const Stopped&) {
            if (!best) throw;
            break;
        }
    }
    if (!best) result.proof_full = true;
    return best;
}

ProofArrays TableSearch::proof_in_order(std::int64_t bound) {
    nodes_.begin(proving_ == Proving::exists ? Side::exists : Side::forall);
    shown_most_ = static_cast<std::uint32_t>(std::clamp<std::size_t>(kMostShown / (state_.variables() + 1), 4, 64));
    shown_.resize(shown_most_ * (state_.variables() + std::size_t{1}));
    shown_count_.assign(state_.variables() + std::size_t{1}, 0);
    lawful_.forget_proofs();
    table_.forget_proofs();
    const auto verdict = decide(bound);
    if (verdict.won != (proving_ == Proving::exists)) throw std::logic_error("a proof contradicts the search");
    return nodes_.reachable(verdict.node, program_);
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
    for (const auto& [variable, coefficient] : program_.terms(0))
        objective_shift_ += coefficient * program_.lower[variable];
    objective_width_.assign(state_.variables() + std::size_t{1}, 0);
    for (auto v = state_.variables(); v-- > 0;) {
        objective_width_[v] = objective_width_[v + 1];
        for (const auto& entry : state_.column(v))
            if (entry.row == 0) objective_width_[v] = state_.width[entry.position];
    }
    try {
        for (auto r = state_.first_uncertain; r < state_.rows(); ++r)
            if (state_.slack[r] < 0) result.status = TableStatus::lawless;
        if (result.status == TableStatus::unknown && !lawful_.simple() && !lawful_.completes(state_, 0))
            result.status = TableStatus::lawless;
        if (result.status == TableStatus::unknown) {
            find_value(result);
            if (parameters_.proofs) prove(result);
        }
    } catch (const Stopped&) {
    }
    control_.publish();
    result.lower += objective_shift_;
    result.upper += objective_shift_;
    result.nodes = control_.nodes();
    result.hits = hits_;
    result.entries = table_.size();
    result.questions = questions_;
    result.table_full = table_.full();
    return result;
}

}  // namespace

}  // namespace tabling

namespace {

// Continuous variables come last, each row but the objective holds one of them at most, with coefficient 1 or -1. Then
// each lies between whole numbers that the others set, and the ends are enough.
void need_whole_values(const Program& program) {
    const auto need = [](bool holds, const char* what) {
        if (!holds) throw std::invalid_argument(what);
    };
    auto last = program.variables();
    while (last > 0 && !program.integer[last - 1] && program.exists[last - 1]) --last;
    for (std::uint32_t v = 0; v < last; ++v)
        need(program.integer[v], "continuous variables come last and are existential");
    for (std::uint32_t r = 1; r < program.rows(); ++r) {
        std::uint32_t held = 0;
        for (const auto& term : program.terms(r)) {
            if (term.variable < last) continue;
            need(++held == 1 && std::abs(term.coefficient) == 1,
                 "a row holds one continuous variable at most, as it is");
        }
    }
}

}  // namespace

TableResult search_by_table(const Program& program, const TableParameters& parameters, Control& control) {
    check(program);
    need_whole_values(program);
    for (std::uint32_t v = 0; v < program.variables(); ++v)
        if (program.lower[v] > program.upper[v]) throw std::invalid_argument("a variable has no value");
    return tabling::TableSearch(program, parameters, control).run();
}

}  // namespace zermelo::qip
