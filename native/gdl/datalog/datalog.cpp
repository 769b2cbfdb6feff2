#include "gdl/datalog/datalog.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "gdl/datalog/components.hpp"

namespace zermelo::gdl {

std::vector<std::vector<std::uint32_t>> strong_components(const std::vector<std::vector<std::uint32_t>>& edges) {
    std::vector<std::vector<std::uint32_t>> found;
    std::vector<std::uint32_t> nodes(edges.size());
    std::iota(nodes.begin(), nodes.end(), 0u);
    components(
        static_cast<std::uint32_t>(edges.size()), nodes,
        [&](std::uint32_t node, auto&& visit) { std::ranges::for_each(edges[node], visit); },
        [&](std::span<const std::uint32_t> group, bool) { found.emplace_back(group.begin(), group.end()); });
    return found;
}

Datalog::Datalog(const Program& program, Reading reading, bool thrifty)
    : program_(program), reading_(reading), thrifty_(thrifty && reading == Reading::possible) {
    add_keywords();
    closed_.resize(program.nodes.size());
    ground_.assign(program.nodes.size(), kNone);
    for (Term t = 0; t < program.nodes.size(); ++t)
        closed_[t] = program.nodes[t].name >= 0 && std::ranges::all_of(args(t), [&](Term arg) { return closed_[arg]; });
    find_cone();
    share_relations();
    mark_dynamic();
    find_demand();
    find_asked();
    compile_rules();
    make_components();
}

std::span<const Term> Datalog::args(Term term) const {
    const auto& node = program_.nodes[term];
    return std::span(program_.args).subspan(node.first_arg, node.arg_count);
}

void Datalog::add_keywords() {
    names_ = program_.names;
    by_name_.assign(names_.size(), kNone);
    for (std::uint32_t i = 0; i < names_.size(); ++i) number_of_name_.emplace(names_[i], i);
    for (const auto& [name, arity] : {std::pair{"role", 1u},
                                      {"init", 1u},
                                      {"true", 1u},
                                      {"does", 2u},
                                      {"next", 1u},
                                      {"legal", 2u},
                                      {"terminal", 0u},
                                      {"goal", 2u},
                                      {"sees", 2u}}) {
        const auto number = name_number(name);
        by_name_.resize(names_.size(), kNone);
        add_predicate(number, arity);
    }
}

std::int64_t Datalog::integer(TermPool::Id id) const {
    const auto text = kif(id);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument("the goal value " + text + " is not an integer");
    return value;
}

std::uint32_t Datalog::name_number(const std::string& name) {
    const auto [place, is_new] = number_of_name_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(name);
    return place->second;
}

std::uint32_t Datalog::add_predicate(std::uint32_t name, std::uint32_t arity) {
    const auto p = static_cast<std::uint32_t>(predicates_.size());
    predicates_.push_back({name, arity, kNone});
    chain_.push_back(by_name_[name]);
    by_name_[name] = p;
    return p;
}

std::uint32_t Datalog::predicate_of(Term atom) {
    const auto& node = program_.nodes[atom];
    if (node.name < 0) throw std::invalid_argument("a variable stands where an atom is expected");
    const auto name = static_cast<std::uint32_t>(node.name);
    for (auto p = by_name_[name]; p != kNone; p = chain_[p])
        if (predicates_[p].arity == node.arg_count) return p;
    return add_predicate(name, node.arg_count);
}

// Only the rules on which the game depends; `base` and `input` are there for other kinds of reasoners.
void Datalog::find_cone() {
    std::vector<std::vector<std::uint32_t>> rules_for;
    std::vector<std::uint32_t> waiting;
    std::vector<bool> seen;
    const auto see = [&](std::uint32_t p) {
        if (seen.size() < predicates_.size()) seen.resize(predicates_.size());
        if (seen[p]) return;
        seen[p] = true;
        waiting.push_back(p);
    };
    for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
        const auto p = predicate_of(program_.rules[r].head);
        if (rules_for.size() < predicates_.size()) rules_for.resize(predicates_.size());
        rules_for[p].push_back(r);
    }
    in_cone_.assign(program_.rules.size(), false);
    for (auto p = keyword::role; p <= keyword::sees; ++p) see(p);
    while (!waiting.empty()) {
        const auto p = waiting.back();
        waiting.pop_back();
        if (p >= rules_for.size()) continue;
        for (const auto r : rules_for[p]) {
            in_cone_[r] = true;
            for (const auto& literal : program_.rules[r].body)
                if (literal.sign != Sign::distinct) see(predicate_of(literal.atom));
        }
    }
}

void Datalog::share_relations() {
    for (auto& p : predicates_) p.relation = add_relation(p.arity);
    if (reading_ == Reading::exact) return;
    predicates_[keyword::next].relation = predicates_[keyword::fluent].relation;
    predicates_[keyword::legal].relation = predicates_[keyword::move].relation;
}

void Datalog::mark_dynamic() {
    std::vector<std::vector<std::uint32_t>> readers(predicates_.size());
    for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
        if (!in_cone_[r]) continue;
        for (const auto& literal : program_.rules[r].body)
            if (literal.sign != Sign::distinct)
                readers[predicate_of(literal.atom)].push_back(predicate_of(program_.rules[r].head));
    }
    std::vector<std::uint32_t> waiting;
    const auto mark = [&](std::uint32_t p) {
        if (predicates_[p].dynamic) return;
        predicates_[p].dynamic = true;
        waiting.push_back(p);
    };
    for (auto p = keyword::fluent; p <= keyword::sees; ++p) mark(p);
    while (!waiting.empty()) {
        const auto p = waiting.back();
        waiting.pop_back();
        for (const auto reader : readers[p]) mark(reader);
    }
    for (const auto p : {keyword::init, keyword::role})
        if (predicates_[p].dynamic)
            throw std::invalid_argument(names_[predicates_[p].name] + " must not depend on the state");
}

// Constants that rules ask a predicate's arguments for, passed down through the rules that derive it: magic sets
// (Bancilhon et al. 1986) reduced to constants. (count h1 h2 i1 ?n), defined for any cells, is made for these only.
void Datalog::find_demand() {
    constexpr std::size_t kMany = 16;
    demand_.resize(predicates_.size());
    for (std::uint32_t p = 0; p < predicates_.size(); ++p) {
        demand_[p].resize(predicates_[p].arity);
        for (auto& argument : demand_[p]) argument.anything = p <= keyword::sees;
    }
    const auto join = [&](Demand& into, const Demand& from) {
        const auto before = std::pair(into.anything, into.terms.size());
        into.anything |= from.anything;
        for (const auto term : from.terms)
            if (std::ranges::find(into.terms, term) == into.terms.end()) into.terms.push_back(term);
        if (into.terms.size() > kMany) into.anything = true;
        if (into.anything) into.terms.clear();
        return before != std::pair(into.anything, into.terms.size());
    };
    // From the head's demand for a variable to what a body asks for.
    const auto asked = [&](Term term, const ProgramRule& rule) -> Demand {
        if (closed_[term]) return {false, {term}, kNone};
        const auto head = args(rule.head);
        const auto& of_head = demand_[predicate_of(rule.head)];
        for (std::size_t i = 0; i < head.size(); ++i)
            if (head[i] == term && !of_head[i].anything) return of_head[i];
        return {true, {}, kNone};
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
            if (!in_cone_[r]) continue;
            for (const auto& literal : program_.rules[r].body) {
                if (literal.sign == Sign::distinct) continue;
                const auto asks = args(literal.atom);
                auto& demand = demand_[predicate_of(literal.atom)];
                for (std::size_t i = 0; i < asks.size(); ++i)
                    if (!demand[i].anything) changed |= join(demand[i], asked(asks[i], program_.rules[r]));
            }
        }
    }
}

// Adds to a rule's body that its head is asked for. What a closed argument rules out, a filter without rows does.
void Datalog::restrict(Rule& rule, const ProgramRule& written) {
    const auto head = args(written.head);
    for (std::size_t i = 0; i < head.size(); ++i) {
        auto& demand = demand_[rule.predicate][i];
        if (demand.anything || !(closed_[head[i]] || program_.nodes[head[i]].name < 0)) continue;
        if (closed_[head[i]] && std::ranges::find(demand.terms, head[i]) != demand.terms.end()) continue;
        if (demand.view == kNone) {
            const auto relation = add_relation(1);
            for (const auto term : demand.terms) relations_[relation]->insert(std::array{ground(term)});
            demand.view = plain_view(relation);
            catch_up(demand.view);
        }
        Lit lit;
        lit.use = Use::filter;
        lit.predicate = kNone;
        lit.view = demand.view;
        if (closed_[head[i]]) {
            const auto nothing = add_relation(0);
            lit.view = plain_view(nothing);
        } else {
            lit.variables = {static_cast<std::uint32_t>(-1 - program_.nodes[head[i]].name)};
        }
        rule.body.push_back(std::move(lit));
    }
}

TermPool::Id Datalog::ground(Term term) {
    // A term's arguments have smaller numbers, so a walk down and a sort give an order to make them in.
    std::vector<Term> waiting{term}, needed;
    while (!waiting.empty()) {
        const auto here = waiting.back();
        waiting.pop_back();
        if (ground_[here] != kNone) continue;
        needed.push_back(here);
        for (const auto arg : args(here)) waiting.push_back(arg);
    }
    std::ranges::sort(needed);
    std::vector<TermPool::Id> made;
    for (const auto here : needed) {
        if (ground_[here] != kNone) continue;
        made.clear();
        for (const auto arg : args(here)) made.push_back(ground_[arg]);
        ground_[here] = terms_.intern(static_cast<std::uint32_t>(program_.nodes[here].name), made);
    }
    return ground_[term];
}

static std::uint32_t variable_number(const TermNode& node) { return static_cast<std::uint32_t>(-1 - node.name); }

Pattern Datalog::compile_pattern(std::span<const Term> terms, std::vector<std::uint32_t>& variables) {
    Pattern pattern;
    std::vector<std::pair<Term, std::uint32_t>> waiting;
    pattern.registers = static_cast<std::uint32_t>(terms.size());
    std::uint32_t reg = 0;
    for (const auto arg : terms) waiting.emplace_back(arg, reg++);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        const auto [term, at] = waiting[i];
        const auto& node = program_.nodes[term];
        if (closed_[term]) {
            pattern.ops.push_back({MatchOp::constant, at, ground(term), 0, 0});
        } else if (node.name < 0) {
            const auto v = variable_number(node);
            const auto old = std::ranges::find(variables, v);
            if (old != variables.end()) {
                pattern.ops.push_back({MatchOp::same, at, pattern.outputs[old - variables.begin()], 0, 0});
            } else {
                variables.push_back(v);
                pattern.outputs.push_back(at);
            }
        } else {
            const auto name = static_cast<std::uint32_t>(node.name);
            pattern.ops.push_back({MatchOp::open, at, name, node.arg_count, pattern.registers});
            for (const auto arg : args(term)) waiting.emplace_back(arg, pattern.registers++);
        }
    }
    return pattern;
}

Maker Datalog::compile_maker(std::span<const Term> roots, std::vector<std::uint32_t>& variables) {
    Maker maker;
    std::vector<Term> waiting(roots.begin(), roots.end()), open_terms;
    while (!waiting.empty()) {
        const auto term = waiting.back();
        waiting.pop_back();
        const auto& node = program_.nodes[term];
        if (closed_[term]) continue;
        if (node.name < 0) {
            const auto v = variable_number(node);
            if (std::ranges::find(variables, v) == variables.end()) variables.push_back(v);
            continue;
        }
        open_terms.push_back(term);
        for (const auto arg : args(term)) waiting.push_back(arg);
    }
    std::ranges::sort(open_terms);
    const auto repeated = std::ranges::unique(open_terms);
    open_terms.erase(repeated.begin(), repeated.end());
    const auto operand = [&](Term term) -> Operand {
        if (closed_[term]) return {Operand::fixed, ground(term)};
        if (program_.nodes[term].name < 0) return {Operand::variable, variable_number(program_.nodes[term])};
        const auto at = std::ranges::lower_bound(open_terms, term) - open_terms.begin();
        return {Operand::made, static_cast<std::uint32_t>(at)};
    };
    for (const auto term : open_terms) {
        const auto& node = program_.nodes[term];
        const auto first = static_cast<std::uint32_t>(maker.operands.size());
        maker.ops.push_back({static_cast<std::uint32_t>(node.name), first, node.arg_count});
        for (const auto arg : args(term)) maker.operands.push_back(operand(arg));
    }
    for (const auto root : roots) maker.results.push_back(operand(root));
    return maker;
}

Lit Datalog::compile_literal(const BodyLiteral& literal) {
    Lit lit;
    if (literal.sign == Sign::distinct) {
        if (args(literal.atom).size() != 2) throw std::invalid_argument("distinct takes two terms");
        lit.use = Use::distinct;
        lit.terms = compile_maker(args(literal.atom), lit.variables);
        return lit;
    }
    lit.predicate = predicate_of(literal.atom);
    const auto& predicate = predicates_[lit.predicate];
    lit.view = view(predicate.relation, compile_pattern(args(literal.atom), lit.variables));
    const bool decided = reading_ == Reading::exact || !predicate.dynamic;
    if (literal.sign == Sign::holds) lit.use = predicate.dynamic ? Use::atom : Use::filter;
    else lit.use = decided ? Use::absent : Use::negated;
    return lit;
}

Rule Datalog::compile_rule(const ProgramRule& rule) {
    Rule compiled;
    compiled.predicate = predicate_of(rule.head);
    compiled.head = compile_maker(args(rule.head), compiled.head_variables);
    compiled.variables = rule.variables;
    for (const auto& literal : rule.body) compiled.body.push_back(compile_literal(literal));
    return compiled;
}

void Datalog::compile_rules() {
    for (std::uint32_t r = 0; r < program_.rules.size(); ++r) {
        if (!in_cone_[r]) continue;
        const auto& rule = program_.rules[r];
        rules_.push_back(compile_rule(rule));
        restrict(rules_.back(), rule);
        if (const auto& asked = asked_[rules_.back().predicate]; asked.worth)
            rules_.back().body.push_back(is_asked(rule.head, asked));
        bool repeats = false;
        if (rules_.back().predicate == keyword::next)
            for (const auto& literal : rule.body)
                repeats |= literal.sign == Sign::holds && predicate_of(literal.atom) == keyword::fluent &&
                           args(literal.atom)[0] == args(rule.head)[0];
        repeats_itself_.push_back(repeats && reading_ == Reading::possible);
    }
    written_rules_ = rules_.size();
    taken_apart_.assign(written_rules_, false);
    if (reading_ == Reading::exact) return;
    Rule start;  // true(f) :- init(f)
    start.predicate = keyword::fluent;
    start.variables = 1;
    start.head.results.push_back({Operand::variable, 0});
    start.head_variables = {0};
    start.body.push_back({Use::filter, keyword::init, plain_view(predicates_[keyword::init].relation), {0}, {}});
    add_rule(std::move(start));
    for (std::uint32_t r = 0; r < program_.rules.size(); ++r)
        if (in_cone_[r]) add_asking_rules(program_.rules[r]);
    for (std::uint32_t r = 0; r < written_rules_; ++r)
        if (thrifty_ && !repeats_itself_[r] && predicates_[rules_[r].predicate].dynamic)
            taken_apart_[r] = take_apart(rules_[r]);
}

void Datalog::add_rule(Rule rule) {
    rules_.push_back(std::move(rule));
    repeats_itself_.push_back(false);
    taken_apart_.push_back(false);
}

void Datalog::make_components() {
    std::vector<std::vector<std::uint32_t>> reads(relations_.size()), rules_for(relations_.size());
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
        const auto head = predicates_[rules_[r].predicate].relation;
        rules_for[head].push_back(r);
        for (const auto& lit : rules_[r].body)
            if (lit.use != Use::distinct) reads[head].push_back(views_[lit.view]->relation());
    }
    component_of_.assign(relations_.size(), kNone);
    for (auto& group : strong_components(reads)) {
        std::vector<std::uint32_t> rules;
        for (const auto relation : group) {
            const auto& its = rules_for[relation];
            rules.insert(rules.end(), its.begin(), its.end());
        }
        if (rules.empty()) continue;
        std::ranges::sort(rules);  // the order of the rulesheet, which is the order of the roles
        for (const auto relation : group) component_of_[relation] = static_cast<std::uint32_t>(components_.size());
        Component component;
        component.relations = std::move(group);
        components_.push_back(std::move(component));
        schedule(rules);
    }
}

static void drop_repeated(std::vector<std::uint32_t>& list) {
    std::ranges::sort(list);
    const auto repeated = std::ranges::unique(list);
    list.erase(repeated.begin(), repeated.end());
}

// How to evaluate the component just made: every rule once in full, then again for what is new in each literal of the
// component itself.
void Datalog::schedule(const std::vector<std::uint32_t>& rules) {
    const auto here = static_cast<std::uint32_t>(components_.size()) - 1;
    auto& component = components_.back();
    Schedule schedule;
    const auto moves = predicates_[keyword::move].relation;
    component.on_moves = std::ranges::find(component.relations, moves) != component.relations.end();
    for (const auto r : rules) {
        const auto& rule = rules_[r];
        component.dynamic |= predicates_[rule.predicate].dynamic;
        if (repeats_itself_[r] || taken_apart_[r]) continue;
        schedule.firings.push_back({r, kNone, {}});
        for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
            const auto& lit = rule.body[i];
            if (lit.use == Use::distinct) continue;
            schedule.read.push_back(lit.view);
            const auto relation = views_[lit.view]->relation();
            const auto from = component_of_[relation];
            component.on_moves |= relation == moves || (from != kNone && components_[from].on_moves);
            if (from != kNone && from != here) component.reads.push_back(from);
            if (from != here || lit.use == Use::negated) continue;
            if (lit.use == Use::absent) {
                const auto& assumed = schedule.assumed;
                auto stand_in = std::ranges::find_if(assumed, [&](const auto& a) { return a.first == relation; });
                if (stand_in == assumed.end()) {
                    schedule.assumed.emplace_back(relation, add_relation(relations_[relation]->arity()));
                    stand_in = assumed.end() - 1;
                }
                auto pattern = views_[lit.view]->pattern();
                rules_[r].body[i].view = view(stand_in->second, std::move(pattern));
                schedule.read.push_back(rules_[r].body[i].view);
                continue;
            }
            component.recursive = true;
            schedule.firings.push_back({r, i, {}});
            schedule.grows.push_back(lit.view);
        }
    }
    drop_repeated(schedule.read);
    drop_repeated(schedule.grows);
    drop_repeated(component.reads);
    schedules_.push_back(std::move(schedule));
}

std::vector<std::vector<std::uint32_t>> Datalog::rule_order() const {
    std::vector<std::vector<std::uint32_t>> reads(predicates_.size()), rules_for(predicates_.size());
    for (std::uint32_t r = 0; r < written_rules_; ++r) {
        rules_for[rules_[r].predicate].push_back(r);
        for (const auto& lit : rules_[r].body)
            if (lit.use != Use::distinct && lit.predicate != kNone) reads[rules_[r].predicate].push_back(lit.predicate);
    }
    std::vector<std::vector<std::uint32_t>> order;
    for (const auto& group : strong_components(reads)) {
        order.emplace_back();
        for (const auto p : group) order.back().insert(order.back().end(), rules_for[p].begin(), rules_for[p].end());
        if (order.back().empty()) order.pop_back();
    }
    return order;
}

void Datalog::clear_relation(std::uint32_t relation) {
    relations_[relation]->clear();
    for (const auto v : views_of_[relation]) views_[v]->clear();
}

std::uint32_t Datalog::add_relation(std::uint32_t arity) {
    relations_.push_back(std::make_unique<Relation>(arity));
    views_of_.emplace_back();
    return static_cast<std::uint32_t>(relations_.size()) - 1;
}

std::uint32_t Datalog::view(std::uint32_t relation, Pattern pattern) {
    for (const auto v : views_of_[relation])
        if (views_[v]->pattern() == pattern) return v;
    views_.push_back(std::make_unique<View>(relation, std::move(pattern)));
    const auto v = static_cast<std::uint32_t>(views_.size()) - 1;
    views_of_[relation].push_back(v);
    return v;
}

std::uint32_t Datalog::plain_view(std::uint32_t relation) {
    Pattern pattern;
    pattern.registers = relations_[relation]->arity();
    for (std::uint32_t c = 0; c < pattern.registers; ++c) pattern.outputs.push_back(c);
    return view(relation, std::move(pattern));
}

std::size_t Datalog::bytes() const {
    auto total = terms_.bytes();
    for (const auto& relation : relations_) total += relation->bytes();
    for (const auto& view : views_) total += view->bytes();
    return total;
}

}  // namespace zermelo::gdl
