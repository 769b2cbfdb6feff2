// Bottom-up evaluation of a Datalog's components.
#include <algorithm>
#include <utility>

#include "gdl/datalog/datalog.hpp"

namespace zermelo::gdl {

namespace {

struct TooManySteps {};

// Derives heads. Once the head is bound nothing but the existence of a solution matters, so one is enough; and a level
// that is reached again with the same values of all variables still needed has nothing new to give.
struct Derive {
    const Plan& plan;
    const Rule& rule;
    Relation& target;
    TermPool& terms;
    Workspace& space;
    std::vector<std::uint32_t>& row;
    Datalog& sheet;
    Meter& meter;
    std::uint32_t& rows_made;
    std::uint64_t& steps;
    std::uint64_t most_steps;
    std::vector<Relation> reached = {};  // by level: the values of the variables needed from there on; made on demand
    std::vector<std::uint32_t> key = {};

    bool match(std::uint32_t, std::uint32_t) const {
        if (++steps == most_steps) throw TooManySteps{};
        return true;
    }
    bool enter(std::uint32_t bound) {
        if (bound == plan.head_from) {
            rule.head.make(terms, space.values, space.scratch, row);
            if (target.find(row) != kNone) return false;
        }
        return !plan.forgets[bound] || is_new(bound);
    }
    int leaf() {
        target.insert(row);
        count_row(0);
        return static_cast<int>(plan.head_from) - 1;
    }

    // Memory is measured now and then, not row by row.
    void count_row(std::size_t other_bytes) {
        if (++rows_made % (1u << 16) == 0) meter.holds(sheet.bytes() + other_bytes);
    }

    bool is_new(std::uint32_t bound) {
        constexpr std::uint32_t kTrial = 1024;
        const auto visited = ++space.visits[bound];
        if (visited < kTrial) return true;
        if (reached.empty())
            for (const auto& needed : plan.needed) reached.emplace_back(static_cast<std::uint32_t>(needed.size()));
        auto& seen = reached[bound];
        // Remembering is for levels that are reached often, and only while it finds repetitions.
        if (visited > 8 * kTrial && seen.size() > (visited - kTrial) / 2) return true;
        key.clear();
        for (const auto v : plan.needed[bound]) key.push_back(space.values[v]);
        if (!seen.insert(key).second) return false;
        count_row(seen.bytes());
        return true;
    }
};

}  // namespace

void Datalog::run(const Plan& plan, const Rule& rule, Relation& target, Meter& meter) {
    space_.visits.assign(plan.levels.size() + 1, 0);
    Derive policy{plan, rule, target, terms_, space_, row_, *this, meter, rows_made_, steps_, most_steps_};
    Runner(plan, rule, views_, terms_, space_, meter.control(), policy).run();
}

void Datalog::derive(const Rule& rule, Relation& target, Meter& meter) {
    run(make_plan(rule, views_, {}), rule, target, meter);
}

void Datalog::fire(Firing& firing, Meter& meter) {
    const auto& rule = rules_[firing.rule];
    double size = 1;
    for (const auto& lit : rule.body)
        if (lit.use != Use::distinct) size += views_[lit.view]->size();
    if (firing.planned_for < 0 || size > 4 * firing.planned_for || 4 * size < firing.planned_for) {
        firing.plan = make_plan(rule, views_, {firing.lit, false});
        firing.planned_for = size;
    }
    run(firing.plan, rule, relation_of(rule.predicate), meter);
}

std::vector<std::uint32_t> Datalog::contents(std::size_t number) const {
    std::vector<std::uint32_t> all{0};
    for (const auto& [relation, stand_in] : schedules_[number].assumed) {
        std::vector<std::vector<std::uint32_t>> rows;
        for (std::uint32_t i = 0; i < relations_[relation]->size(); ++i) {
            const auto row = relations_[relation]->row(i);
            rows.emplace_back(row.begin(), row.end());
        }
        std::ranges::sort(rows);
        all.push_back(static_cast<std::uint32_t>(rows.size()));
        all[0] += all.back();
        for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    }
    return all;
}

// Negation within a component by the alternating fixpoint (Van Gelder 1989): each pass negates what the pass before
// derived, so that passes alternate between too much and too little and close in on the well-founded model.
void Datalog::evaluate(std::size_t number, Meter& meter) {
    const auto& assumed = schedules_[number].assumed;
    if (assumed.empty()) return least_fixpoint(number, meter);
    for (const auto& [relation, stand_in] : assumed) clear_relation(stand_in);
    auto last = contents(number);
    std::vector<std::uint32_t> before_last;
    while (true) {
        for (const auto relation : components_[number].relations) clear_relation(relation);
        least_fixpoint(number, meter);
        auto now = contents(number);
        if (now == last || (now == before_last && now[0] <= last[0])) return;
        before_last = std::exchange(last, std::move(now));
        for (const auto& [relation, stand_in] : assumed) {
            clear_relation(stand_in);
            const auto& derived = *relations_[relation];
            for (std::uint32_t i = 0; i < derived.size(); ++i) relations_[stand_in]->insert(derived.row(i));
        }
    }
}

bool Datalog::evaluate_all(Meter& meter, std::uint64_t most_steps) {
    steps_ = 0;
    most_steps_ = most_steps;
    try {
        for (std::size_t c = 0; c < components_.size(); ++c) evaluate(c, meter);
    } catch (const TooManySteps&) {
        return false;
    }
    most_steps_ = 0;
    return true;
}

void Datalog::least_fixpoint(std::size_t number, Meter& meter) {
    auto& [firings, read, grows, assumed] = schedules_[number];
    for (const auto v : read) catch_up(v);
    for (auto& firing : firings)
        if (firing.lit == kNone) fire(firing, meter);
    for (bool more = components_[number].recursive; more;) {
        more = false;
        for (const auto v : grows) {
            catch_up(v);
            more |= views_[v]->fresh() < views_[v]->size();
        }
        for (auto& firing : firings) {
            if (firing.lit == kNone) continue;
            const auto& view = *views_[rules_[firing.rule].body[firing.lit].view];
            if (view.fresh() < view.size()) fire(firing, meter);
        }
        meter.control().check();
    }
}

}  // namespace zermelo::gdl
