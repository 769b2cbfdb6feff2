#include "gdl/ground/split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace zermelo::gdl {

namespace {

constexpr double kWorthCutting = 2000;    // literals; smaller rules are left as they were written
constexpr double kWorthProjecting = 1e5;  // rows made beyond the size of what is read
constexpr double kGain = 0.5;             // a cut must save at least half
constexpr std::size_t kMaxLits = 64;      // longer bodies are not cut
constexpr std::size_t kMaxPaired = 24;    // in longer bodies no two literals are tried together
constexpr std::size_t kConfirmed = 3;     // cuts sampled, the most promising first
constexpr int kSamples = 48;

bool positive(const Lit& lit) { return lit.use == Use::atom || lit.use == Use::filter; }
bool emitted(const Lit& lit) { return lit.use == Use::atom || lit.use == Use::negated; }
bool contains(const std::vector<std::uint32_t>& list, std::uint32_t value) {
    return std::ranges::find(list, value) != list.end();
}

std::vector<bool> variables_of(const Rule& rule) {
    std::vector<bool> in(rule.variables);
    for (const auto& lit : rule.body)
        for (const auto v : lit.variables) in[v] = true;
    return in;
}

bool safe(const Rule& rule) {
    std::vector<bool> bound(rule.variables);
    for (const auto& lit : rule.body)
        if (positive(lit))
            for (const auto v : lit.variables) bound[v] = true;
    const auto all = [&](const auto& list) { return std::ranges::all_of(list, [&](auto v) { return bound[v]; }); };
    const auto all_in = [&](const Lit& lit) { return all(lit.variables); };
    return all(rule.head_variables) && std::ranges::all_of(rule.body, all_in);
}

double width(const Rule& rule) { return 2 + static_cast<double>(std::ranges::count_if(rule.body, emitted)); }

}  // namespace

std::uint32_t Splitter::projection(std::uint32_t view, const std::vector<std::uint32_t>& columns) {
    const auto [place, is_new] = projections_.emplace(std::pair(view, columns), 0);
    if (is_new) {
        const auto relation = sheet_.add_relation(static_cast<std::uint32_t>(columns.size()));
        const auto& source = *sheet_.views()[view];
        std::vector<std::uint32_t> row(columns.size());
        for (std::uint32_t entry = 0; entry < source.size(); ++entry) {
            for (std::size_t c = 0; c < columns.size(); ++c) row[c] = source.value(entry, columns[c]);
            sheet_.relation(relation).insert(row);
        }
        place->second = sheet_.plain_view(relation);
        sheet_.catch_up(place->second);
    }
    return place->second;
}

void Splitter::add_guards(const Rule& rule, const std::vector<bool>& inside, Rule& part) {
    const auto mine = variables_of(part);
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        const auto& lit = rule.body[i];
        if (inside[i] || !positive(lit)) continue;
        std::vector<std::uint32_t> columns;
        Lit guard;
        guard.use = Use::filter;
        for (std::uint32_t c = 0; c < lit.variables.size(); ++c)
            if (mine[lit.variables[c]]) {
                columns.push_back(c);
                guard.variables.push_back(lit.variables[c]);
            }
        if (columns.empty()) continue;
        guard.view = columns.size() == lit.variables.size() ? lit.view : projection(lit.view, columns);
        guard.predicate = lit.predicate;
        part.body.push_back(std::move(guard));
    }
}

void Splitter::project_statics(Rule& rule) {
    std::vector<bool> is_static(rule.variables, true);
    for (const auto v : rule.head_variables) is_static[v] = false;
    for (const auto& lit : rule.body)
        if (emitted(lit))
            for (const auto v : lit.variables) is_static[v] = false;
    while (true) {
        // One connected group of such variables, with the literals that mention them.
        std::vector<bool> inside(rule.body.size());
        std::vector<std::uint32_t> group;
        for (std::size_t i = 0; i < rule.body.size() && group.empty(); ++i)
            for (const auto v : rule.body[i].variables)
                if (is_static[v]) group.push_back(v);
        if (group.empty()) return;
        for (std::size_t g = 0; g < group.size(); ++g)
            for (std::size_t i = 0; i < rule.body.size(); ++i)
                if (contains(rule.body[i].variables, group[g])) {
                    inside[i] = true;
                    for (const auto v : rule.body[i].variables)
                        if (is_static[v] && !contains(group, v)) group.push_back(v);
                }
        for (const auto v : group) is_static[v] = false;
        Rule part;
        part.variables = rule.variables;
        for (std::size_t i = 0; i < rule.body.size(); ++i)
            if (inside[i]) part.body.push_back(rule.body[i]);
        const auto mentioned = variables_of(part);
        for (std::uint32_t v = 0; v < rule.variables; ++v)
            if (mentioned[v] && !contains(group, v)) part.head_variables.push_back(v);
        add_guards(rule, inside, part);
        double read = kWorthProjecting;
        for (const auto& lit : part.body)
            if (positive(lit)) read += 4.0 * sheet_.views()[lit.view]->size();
        if (!safe(part) || formula(part) > read) continue;
        for (const auto v : part.head_variables) part.head.results.push_back({Operand::variable, v});
        const auto relation = sheet_.add_relation(static_cast<std::uint32_t>(part.head_variables.size()));
        sheet_.derive(part, sheet_.relation(relation), meter_);
        Lit lit;
        lit.use = Use::filter;
        lit.view = sheet_.plain_view(relation);
        lit.variables = part.head_variables;
        sheet_.catch_up(lit.view);
        std::vector<Lit> body;
        for (std::size_t i = 0; i < rule.body.size(); ++i)
            if (!inside[i]) body.push_back(std::move(rule.body[i]));
        body.push_back(std::move(lit));
        rule.body = std::move(body);
    }
}

// Instances, if columns are independent and the smaller set of values is contained in the larger (Selinger 1979).
double Splitter::formula(const Rule& rule) const {
    double size = 1;
    std::vector<double> least(rule.variables, 0);
    for (const auto& lit : rule.body) {
        if (!positive(lit)) continue;
        const auto& view = *sheet_.views()[lit.view];
        size *= view.size();
        for (std::uint32_t c = 0; c < lit.variables.size(); ++c) {
            auto& smallest = least[lit.variables[c]];
            const auto here = view.distinct(c);
            if (smallest > 0) size /= std::max(smallest, here);
            smallest = smallest > 0 ? std::min(smallest, here) : here;
        }
    }
    return size;
}

double Splitter::sampled(const Rule& rule) {
    const auto plan = make_plan(rule, sheet_.views(), {});
    if (plan.levels.empty()) return 1;
    const auto& views = sheet_.views();
    std::vector<std::uint32_t> values(rule.variables), key, scratch, made;
    const auto passes = [&](const Check& check) {
        if (check.use == Use::distinct) {
            rule.body[check.lit].terms.make(sheet_.terms(), values, scratch, made);
            return made[0] != made[1];
        }
        key.clear();
        for (const auto v : check.key) key.push_back(values[v]);
        return (views[check.view]->find(check.index, key) != kNone) != (check.use == Use::absent);
    };
    double sum = 0;
    for (int s = 0; s < kSamples; ++s) {
        double weight = 1;
        for (const auto& level : plan.levels) {
            const auto& view = *views[level.view];
            std::uint32_t chosen = kNone, count = 0;
            if (level.index == kNone) {
                count = view.size();
                if (count > 0) chosen = static_cast<std::uint32_t>(random() % count);
            } else {
                key.clear();
                for (const auto v : level.key) key.push_back(values[v]);
                for (auto e = view.find(level.index, key); e != kNone; e = view.follow(level.index, e))
                    if (random() % ++count == 0) chosen = e;
            }
            weight *= count;
            if (count == 0) break;
            for (const auto& [column, variable] : level.binds) values[variable] = view.value(chosen, column);
            if (!std::ranges::all_of(level.checks, passes)) weight = 0;
            if (weight == 0) break;
        }
        sum += weight;
    }
    return sum / kSamples;
}

// Sets of variables to be rid of: one or two that occur together, and all of one literal or of two.
std::vector<std::vector<std::uint32_t>> Splitter::choices(const Rule& rule) {
    std::vector<std::vector<std::uint32_t>> found, free_of;
    const auto choose = [&](std::vector<std::uint32_t> set) {
        std::ranges::sort(set);
        const auto repeated = std::ranges::unique(set);
        set.erase(repeated.begin(), repeated.end());
        if (!set.empty() && std::ranges::find(found, set) == found.end()) found.push_back(std::move(set));
    };
    for (const auto& lit : rule.body) {
        auto& free = free_of.emplace_back();
        for (const auto v : lit.variables)
            if (!contains(rule.head_variables, v)) free.push_back(v);
        choose(free);
        for (std::size_t a = 0; a < free.size(); ++a)
            for (std::size_t b = a; b < free.size(); ++b) choose({free[a], free[b]});
    }
    if (rule.body.size() > kMaxPaired) return found;
    for (std::size_t a = 0; a < free_of.size(); ++a)
        for (std::size_t b = a + 1; b < free_of.size(); ++b) {
            auto both = free_of[a];
            both.insert(both.end(), free_of[b].begin(), free_of[b].end());
            choose(std::move(both));
        }
    return found;
}

// The cut that makes a part of all literals marked, with its cost by the formula; none if it is not a proper one.
std::optional<Splitter::Option> Splitter::weigh(const Rule& rule, const std::vector<bool>& inside) {
    Option option;
    auto& part = option.cut.part;
    Rule rest;
    part.variables = rest.variables = rule.variables;
    for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
        (inside[i] ? part : rest).body.push_back(rule.body[i]);
        if (inside[i]) option.cut.replaced.push_back(i);
    }
    if (rest.body.empty() || std::ranges::none_of(part.body, emitted)) return {};
    const auto mentioned = variables_of(part), outside = variables_of(rest);
    // Both parts must be smaller than the rule, or cutting would not end.
    if (mentioned == variables_of(rule) && std::ranges::none_of(rest.body, emitted)) return {};
    for (std::uint32_t v = 0; v < rule.variables; ++v)
        if (mentioned[v] && (outside[v] || contains(rule.head_variables, v))) part.head_variables.push_back(v);
    add_guards(rule, inside, part);
    if (!safe(part)) return {};
    const auto instances = formula(part);
    double heads = 1, shared = 1;
    for (const auto v : part.head_variables) {
        const auto values = values_of(part, v);
        heads *= values;
        if (outside[v]) shared *= values;
    }
    option.part = instances * width(part);
    option.rest = formula(rest) * std::max(1.0, std::min(heads, instances) / shared) * (width(rest) + 1);
    return option;
}

double Splitter::values_of(const Rule& rule, std::uint32_t variable) const {
    double values = std::numeric_limits<double>::infinity();
    for (const auto& lit : rule.body)
        for (std::uint32_t c = 0; positive(lit) && c < lit.variables.size(); ++c)
            if (lit.variables[c] == variable) values = std::min(values, sheet_.views()[lit.view]->distinct(c));
    return values;
}

std::optional<Cut> Splitter::best_cut(const Rule& rule) {
    if (rule.body.size() < 2 || rule.body.size() > kMaxLits) return {};
    if (formula(rule) * width(rule) < kWorthCutting / 10) return {};
    const auto whole = sampled(rule) * width(rule);
    if (whole < kWorthCutting) return {};
    std::vector<Option> options;
    std::vector<std::vector<bool>> tried;
    for (const auto& set : choices(rule)) {
        std::vector<bool> inside(rule.body.size());
        for (std::size_t i = 0; i < rule.body.size(); ++i)
            inside[i] = std::ranges::any_of(rule.body[i].variables, [&](auto v) { return contains(set, v); });
        if (std::ranges::find(tried, inside) != tried.end()) continue;
        tried.push_back(inside);
        if (auto option = weigh(rule, inside)) options.push_back(std::move(*option));
        meter_.control().check();
    }
    std::ranges::sort(options, {}, [](const Option& option) { return option.part + option.rest; });
    for (std::size_t i = 0; i < options.size() && i < kConfirmed; ++i) {
        auto& [cut, part, rest] = options[i];
        if (sampled(cut.part) * width(cut.part) + rest < kGain * whole) return std::move(cut);
    }
    return {};
}

}  // namespace zermelo::gdl
