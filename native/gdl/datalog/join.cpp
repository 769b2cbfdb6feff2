#include "gdl/datalog/join.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace zermelo::gdl {

void Maker::make(TermPool& terms, std::span<const std::uint32_t> values, std::vector<std::uint32_t>& scratch,
                 std::vector<std::uint32_t>& out) const {
    out.clear();
    if (ops.empty()) {
        for (const auto& [kind, value] : results) out.push_back(kind == Operand::variable ? values[value] : value);
        return;
    }
    scratch.clear();
    const auto of = [&](const Operand& operand) {
        return operand.kind == Operand::variable ? values[operand.value]
               : operand.kind == Operand::fixed  ? operand.value
                                                 : scratch[operand.value];
    };
    for (const auto& op : ops) {
        out.clear();
        for (std::uint32_t i = 0; i < op.count; ++i) out.push_back(of(operands[op.first + i]));
        scratch.push_back(terms.intern(op.name, out));
    }
    out.clear();
    for (const auto& result : results) out.push_back(of(result));
}

namespace {

// Entries of a view that agree with given values in some columns, on average over the keys that occur.
double fanout(const View& view, const std::vector<std::uint32_t>& columns) {
    const double size = view.size();
    if (columns.empty() || size == 0) return size;
    double keys = 1;
    for (const auto column : columns) keys = std::min(size, keys * view.distinct(column));
    return size / keys;
}

class Planner {
public:
    Planner(const Rule& rule, Views& views, const PlanOptions& options)
        : rule_(rule), views_(views), options_(options), bound_by_(rule.variables, kNone), placed_(rule.body.size()) {}

    Plan make() {
        place_checks(plan_.first);
        note_head();
        while (true) {
            const auto lit = pick();
            if (lit == kNone) break;
            place(lit);
            place_checks(plan_.levels.back().checks);
            note_head();
        }
        for (std::size_t i = 0; i < placed_.size(); ++i)
            if (!placed_[i] && wanted(rule_.body[i]))
                throw std::invalid_argument("a rule has a variable that no positive literal binds");
        if (!head_bound_) throw std::invalid_argument("a rule's head has a variable that its body does not bind");
        note_needed();
        return std::move(plan_);
    }

private:
    bool wanted(const Lit& lit) const { return lit.use != Use::negated || options_.negated; }
    static bool generates(const Lit& lit) { return lit.use == Use::atom || lit.use == Use::filter; }
    bool bound(std::uint32_t variable) const { return bound_by_[variable] != kNone; }
    bool all_bound(const std::vector<std::uint32_t>& variables) const {
        return std::ranges::all_of(variables, [&](auto v) { return bound(v); });
    }
    std::uint64_t levels_of(const std::vector<std::uint32_t>& variables) const {
        std::uint64_t levels = 0;
        for (const auto v : variables) levels |= std::uint64_t{1} << (bound_by_[v] & 63);
        return levels;
    }

    void note_head() {
        if (head_bound_ || !all_bound(rule_.head_variables)) return;
        head_bound_ = true;
        plan_.head_from = static_cast<std::uint32_t>(plan_.levels.size());
    }

    void place_checks(std::vector<Check>& checks) {
        for (std::uint32_t i = 0; i < rule_.body.size(); ++i) {
            const auto& lit = rule_.body[i];
            if (placed_[i] || i == options_.fresh_first || !wanted(lit) || !all_bound(lit.variables)) continue;
            Check check{i, lit.use, lit.view, 0, lit.variables, levels_of(lit.variables)};
            if (lit.use != Use::distinct) {
                std::vector<std::uint32_t> columns(lit.variables.size());
                for (std::uint32_t c = 0; c < columns.size(); ++c) columns[c] = c;
                check.index = views_[lit.view]->index_on(columns);
            }
            checks.push_back(std::move(check));
            placed_[i] = true;
        }
        // Comparing two values is cheaper than looking something up.
        std::ranges::stable_partition(checks, [](const Check& check) { return check.use == Use::distinct; });
    }

    std::uint32_t pick() const {
        if (plan_.levels.empty() && options_.fresh_first != kNone) return options_.fresh_first;
        std::uint32_t best = kNone;
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < rule_.body.size(); ++i) {
            const auto& lit = rule_.body[i];
            if (placed_[i] || !generates(lit)) continue;
            const auto entries = fanout(*views_[lit.view], bound_columns(lit));
            if (entries < least) {
                least = entries;
                best = i;
            }
        }
        return best;
    }

    std::vector<std::uint32_t> bound_columns(const Lit& lit) const {
        std::vector<std::uint32_t> columns;
        for (std::uint32_t c = 0; c < lit.variables.size(); ++c)
            if (bound(lit.variables[c])) columns.push_back(c);
        return columns;
    }

    // A variable is needed as long as a later level looks at it or, until the head is made, the head does. Looking up
    // the head's row again and again costs no more than remembering, so there levels count as forgetting nothing.
    void note_needed() {
        const auto levels = static_cast<std::uint32_t>(plan_.levels.size());
        std::vector<std::uint32_t> last_use(rule_.variables, 0);
        for (const auto v : rule_.head_variables) last_use[v] = levels + 1;
        for (std::uint32_t k = 0; k < levels; ++k) {
            for (const auto v : plan_.levels[k].key) last_use[v] = std::max(last_use[v], k + 1);
            for (const auto& check : plan_.levels[k].checks)
                for (const auto v : check.key) last_use[v] = std::max(last_use[v], k + 1);
        }
        plan_.needed.resize(levels + 1);
        plan_.forgets.resize(levels + 1);
        for (std::uint32_t k = 0; k <= levels; ++k) {
            bool others = false;
            for (std::uint32_t v = 0; v < rule_.variables; ++v) {
                if (bound_by_[v] == kNone || bound_by_[v] >= k) continue;
                if (last_use[v] > k) plan_.needed[k].push_back(v);
                else others = true;
            }
            plan_.forgets[k] = others && k + 1 <= levels && k != plan_.head_from;
        }
    }

    void place(std::uint32_t i) {
        const auto& lit = rule_.body[i];
        auto& view = *views_[lit.view];
        Level level;
        level.lit = i;
        level.view = lit.view;
        const auto columns = bound_columns(lit);
        for (const auto c : columns) level.key.push_back(lit.variables[c]);
        level.levels = levels_of(level.key);
        level.fresh = i == options_.fresh_first;
        if (!columns.empty()) level.index = view.index_on(columns);
        const auto depth = static_cast<std::uint32_t>(plan_.levels.size());
        for (std::uint32_t c = 0; c < lit.variables.size(); ++c)
            if (!bound(lit.variables[c])) level.binds.emplace_back(c, lit.variables[c]);
        for (const auto& [column, variable] : level.binds) bound_by_[variable] = depth;
        placed_[i] = true;
        plan_.levels.push_back(std::move(level));
    }

    const Rule& rule_;
    Views& views_;
    const PlanOptions& options_;
    std::vector<std::uint32_t> bound_by_;
    std::vector<bool> placed_;
    bool head_bound_ = false;
    Plan plan_;
};

}  // namespace

Plan make_plan(const Rule& rule, Views& views, const PlanOptions& options) {
    return Planner(rule, views, options).make();
}

}  // namespace zermelo::gdl
