#include "scsp/solver.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace zermelo::scsp {

Solver::Solver(std::shared_ptr<const Instance> instance, Method method) : propagator_(std::move(instance), method) {
    choices_.resize(this->instance().values());
    in_projection_.assign(this->instance().variables(), 0);
    turn_.assign(this->instance().variables(), 0);
    parts_.reserve(this->instance().variables());
    frames_.reserve(this->instance().variables());
    if (!propagator_.begin()) inconsistent_since_ = 0;
}

void Solver::unwind() {
    for (const auto x : propagator_.open()) turn_[x] = 0;
    parts_.clear();
    while (propagator_.levels() > assumed_) propagator_.pop();
    frames_.clear();
    phase_ = Phase::idle;
}

bool Solver::assume(std::span<const Assumption> assumptions) {
    for (const auto& [variable, value] : assumptions)
        if (variable >= instance().variables() || value >= instance().domain(variable))
            throw std::invalid_argument("an assumption about a variable or value that there is not");
    unwind();
    propagator_.push();
    ++assumed_;
    if (!consistent()) return false;
    for (const auto& [variable, value] : assumptions)
        if (!propagator_.assign(variable, value)) {
            inconsistent_since_ = assumed_;
            break;
        }
    // What was assigned before a contradiction waits in the queue: it has to go, too.
    if (!propagator_.propagate()) inconsistent_since_ = assumed_;
    return consistent();
}

void Solver::retract() {
    unwind();
    if (!assumed_) return;
    propagator_.pop();
    if (inconsistent_since_ == assumed_) inconsistent_since_ = kNever;
    --assumed_;
}

void Solver::reset() {
    while (assumed_) retract();
    unwind();
}

void Solver::start() {
    unwind();
    projected_ = false;
    phase_ = Phase::fresh;
}

void Solver::start(std::span<const std::uint32_t> projection) {
    for (const auto variable : projection)
        if (variable >= instance().variables())
            throw std::invalid_argument("a projection onto a variable that there is not");
    unwind();
    for (const auto variable : projection_) in_projection_[variable] = 0;
    projection_.assign(projection.begin(), projection.end());
    for (const auto variable : projection_) in_projection_[variable] = 1;
    projected_ = true;
    phase_ = Phase::fresh;
}

std::uint32_t Solver::choose() {
    const auto best = [&](bool mine) {
        Choice choice;
        for (const auto x : propagator_.open())
            if (!projected_ || (in_projection_[x] != 0) == mine)
                choice.offer(x, propagator_.domains().size(x), propagator_.weighted_degree(x));
        return choice.degree > 0 ? choice.variable : kLeaf;
    };
    // Where no table binds two open variables every value goes with every other. Of those outside the projection one
    // completion is enough.
    if (!projected_ && separate()) return kLeaf;
    const auto variable = best(true);
    return variable != kLeaf || !projected_ ? variable : best(false);
}

void Solver::branch(std::uint32_t variable) {
    const auto& domains = propagator_.domains();
    const auto size = domains.size(variable);
    std::copy_n(domains.values(variable), size, choices_.begin() + domains.first(variable));
    frames_.push_back({variable, 0, size, !projected_ || in_projection_[variable] != 0, false});
}

// One value further; true at a solution.
bool Solver::step(Control& control) {
    auto& frame = frames_.back();
    if (frame.inside) {
        propagator_.pop();
        frame.inside = false;
    }
    if (frame.next == frame.end) {
        frames_.pop_back();
        return false;
    }
    control.tick();
    ++nodes_;
    const auto value = choices_[propagator_.domains().first(frame.variable) + frame.next++];
    propagator_.push();
    frame.inside = true;
    if (!propagator_.assign(frame.variable, value) || !propagator_.propagate()) return false;
    const auto variable = choose();
    if (variable == kLeaf) return true;
    branch(variable);
    return false;
}

// One completion of a projected solution is enough: goes back to the last choice within the projection.
void Solver::drop_completion() {
    while (!frames_.empty() && !frames_.back().projected) {
        if (frames_.back().inside) propagator_.pop();
        frames_.pop_back();
    }
}

// Whether the tables that bind open variables have none in common: since they are consistent, every row of one then
// goes with every row of another.
bool Solver::separate() const {
    return std::ranges::all_of(propagator_.open(), [&](std::uint32_t x) {
        const auto table = propagator_.binding_table(x);
        return table == Propagator::kNobody || (table != Propagator::kSeveral && propagator_.lists_rows(table));
    });
}

// The parts of a leaf.
template <class Variable, class Table>
void Solver::each_part(Variable&& use_variable, Table&& use_table) const {
    for (const auto x : propagator_.open()) {
        if (propagator_.domains().size(x) == 1 || (projected_ && !in_projection_[x])) continue;
        const auto table = propagator_.binding_table(x);
        if (table == Propagator::kNobody) {
            use_variable(x);
        } else {
            const auto columns = instance().columns(instance().tables()[table]);
            const auto first =
                std::ranges::find_if(columns, [&](const auto& column) { return propagator_.is_open(column.variable); });
            if (first->variable == x) use_table(table);
        }
    }
}

// A leaf stands for all combinations of what its parts can be.
void Solver::begin_product() {
    if (counting_ || propagator_.open().empty()) return;
    each_part([&](std::uint32_t x) { parts_.push_back({x, 0, 0}); },
              [&](std::uint32_t table) {
                  parts_.push_back({kLeaf, table, row_from(table, 0)});
                  take_row(table, parts_.back().row);
              });
}

// The next combination, like the next number; false after the last.
bool Solver::turn_product() {
    for (auto& [x, table, row] : parts_) {
        if (x != kLeaf) {
            if (++turn_[x] < propagator_.domains().size(x)) return true;
            turn_[x] = 0;
        } else {
            const auto next = row_from(table, row + 1);
            row = next != kLeaf ? next : row_from(table, 0);
            take_row(table, row);
            if (next != kLeaf) return true;
        }
    }
    for (const auto x : propagator_.open()) turn_[x] = 0;
    parts_.clear();
    return false;
}

// The first possible row of a table from this one on, or kLeaf.
std::uint32_t Solver::row_from(std::uint32_t table, std::uint32_t row) const {
    const auto rows = propagator_.rows(table);
    for (std::size_t w = row / 64; w < rows.size(); ++w, row = 0)
        if (const auto rest = rows[w] >> (row % 64))
            return static_cast<std::uint32_t>(64 * w + row % 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
    return kLeaf;
}

// Its open variables take the values of a row.
void Solver::take_row(std::uint32_t table, std::uint32_t row) {
    const auto& described = instance().tables()[table];
    const auto columns = instance().columns(described);
    for (std::uint32_t c = 0; c < described.arity; ++c)
        if (propagator_.is_open(columns[c].variable))
            turn_[columns[c].variable] =
                propagator_.domains().place(columns[c].variable, instance().entry(described, row, c));
}

bool Solver::next(Control& control) {
    if (phase_ == Phase::idle || phase_ == Phase::done) return false;
    if (phase_ == Phase::fresh) {
        phase_ = Phase::running;
        const auto variable = consistent() ? choose() : kLeaf;
        if (variable == kLeaf) {
            if (consistent()) begin_product();
            else phase_ = Phase::done;
            return consistent();
        }
        branch(variable);
    } else {
        if (!parts_.empty()) control.tick();
        if (turn_product()) return true;
        drop_completion();
    }
    while (!frames_.empty())
        if (step(control)) {
            begin_product();
            return true;
        }
    phase_ = Phase::done;
    return false;
}

std::size_t Solver::fill(std::span<std::int32_t> out, Control& control) {
    const auto size = width();
    std::size_t found = 0;
    auto* place = out.data();
    const auto another = [&] {
        try {
            return next(control);
        } catch (const Stopped&) {
            if (!found) throw;
            return false;
        }
    };
    while ((size ? (found + 1) * size <= out.size() : found == 0) && another()) {
        if (projected_) {
            for (const auto x : projection_) *place++ = static_cast<std::int32_t>(value(x));
        } else {
            for (std::uint32_t x = 0; x < size; ++x) *place++ = static_cast<std::int32_t>(value(x));
        }
        ++found;
    }
    return found;
}

std::uint64_t Solver::solutions_here() const {
    std::uint64_t product = 1;
    const auto times = [&](std::uint64_t size) {
        if (product > std::numeric_limits<std::uint64_t>::max() / size)
            throw std::overflow_error("2^64 solutions or more");
        product *= size;
    };
    each_part([&](std::uint32_t x) { times(propagator_.domains().size(x)); },
              [&](std::uint32_t table) {
                  std::uint64_t rows = 0;
                  for (const auto word : propagator_.rows(table))
                      rows += static_cast<std::uint64_t>(std::popcount(word));
                  times(rows);
              });
    return product;
}

std::uint64_t Solver::count(Control& control) {
    struct Counting {
        bool& flag;
        explicit Counting(bool& f) : flag(f) { flag = true; }
        ~Counting() { flag = false; }
    } counting(counting_);
    std::uint64_t total = 0;
    try {
        while (next(control)) {
            const auto more = solutions_here();
            if (more > std::numeric_limits<std::uint64_t>::max() - total)
                throw std::overflow_error("2^64 solutions or more");
            total += more;
        }
    } catch (const Stopped&) {
        if (!total) throw;
    }
    return total;
}

bool Solver::make_singleton_consistent(Control& control) {
    if (propagator_.method() != Method::mac)
        throw std::invalid_argument("singleton arc consistency needs arc consistency");
    reset();
    const auto& domains = propagator_.domains();
    for (bool again = consistent(); again;) {
        again = false;
        for (std::uint32_t x = 0; x < instance().variables(); ++x) {
            if (domains.size(x) == 1) continue;
            const auto size = domains.size(x);
            std::copy_n(domains.values(x), size, choices_.begin() + domains.first(x));
            for (std::uint32_t i = 0; i < size; ++i) {
                const auto value = choices_[domains.first(x) + i];
                if (!domains.has(x, value) || domains.size(x) == 1) continue;
                control.tick();
                ++nodes_;
                propagator_.push();
                const bool holds = propagator_.assign(x, value) && propagator_.propagate();
                propagator_.pop();
                if (holds) continue;
                again = true;
                if (!propagator_.forbid(x, value) || !propagator_.propagate()) {
                    inconsistent_since_ = 0;
                    return false;
                }
            }
        }
    }
    return consistent();
}

}  // namespace zermelo::scsp
