// What makes a rulesheet mean something: the restrictions of GDL.
#include <algorithm>
#include <functional>
#include <map>

#include "certificate.hpp"
#include "sheet.hpp"

namespace checker {

namespace {

constexpr std::size_t kMostPairs = 1'000'000;

const std::map<std::string, std::size_t> kArguments = {{"role", 1}, {"init", 1},  {"true", 1},     {"legal", 2},
                                                       {"does", 2}, {"next", 1},  {"terminal", 0}, {"goal", 2},
                                                       {"base", 1}, {"input", 2}, {"sees", 2},     {"distinct", 2}};

[[noreturn]] void refuse(const Rule& rule, const std::string& why) {
    throw BadInput("line " + std::to_string(rule.line) + ": " + why);
}

bool whole_number(const std::string& text) {
    const auto digits = std::string_view(text).substr(text.starts_with("+") || text.starts_with("-") ? 1 : 0);
    return !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
}

void need_arguments(const Rule& rule, const Term& atom) {
    const auto known = kArguments.find(atom.name);
    if (known != kArguments.end() && known->second != atom.arguments.size())
        refuse(rule, atom.name + " has another number of arguments");
}

// Relations with a meaning in the right places, with the right number of arguments; goals that are numbers.
void need_places(const Rule& rule) {
    const auto& name = rule.head.name;
    if (name == "true" || name == "does") refuse(rule, name + " as a head, expected it in bodies only");
    need_arguments(rule, rule.head);
    for (const auto& literal : rule.literals) need_arguments(rule, literal.atom);
    if (name == "goal") {
        const auto& score = rule.head.arguments[1];
        if (!score.variable() && !(score.arguments.empty() && whole_number(score.name)))
            refuse(rule, "a goal that is no whole number");
    }
    for (const auto& [holds, atom] : rule.literals) {
        const bool heads_only = atom.name == "init" || atom.name == "next" || atom.name == "sees";
        if (heads_only && name != "base" && name != "input") refuse(rule, atom.name + " in a body");
        if (atom.name == "distinct" && !holds) refuse(rule, "not over distinct: GDL has no equality");
    }
}

// Every variable under `not` or in `distinct` has a value, by the conjunction around it.
void need_values(const Rule& rule, const Body& body, std::set<std::string> known) {
    known.merge(bound(body));
    for (const auto& literal : body.literals) {
        std::set<std::string> used;
        add_variables(literal.atom, used);
        if (!std::ranges::includes(known, used)) refuse(rule, "a variable in " + literal.atom.name + " has no values");
    }
    for (const auto& choice : body.choices)
        for (const auto& branch : choice) need_values(rule, branch, known);
}

// Relations by number, what each asks for, and the rules for each that have a body.
struct Uses {
    std::map<Relation, std::uint32_t> numbers;
    std::vector<std::vector<std::uint32_t>> graph;
    std::vector<std::vector<std::size_t>> rules;

    explicit Uses(const Sheet& sheet) {
        for (std::size_t i = 0; i < sheet.rules.size(); ++i) {
            const auto head = number(relation_of(sheet.rules[i].head));
            for (const auto& literal : sheet.rules[i].literals) {
                const auto used = number(relation_of(literal.atom));
                graph[head].push_back(used);
            }
            if (!sheet.rules[i].fact) rules[head].push_back(i);
        }
    }
    std::uint32_t number(const Relation& relation) {
        const auto [at, is_new] = numbers.try_emplace(relation, std::uint32_t(numbers.size()));
        if (is_new) graph.emplace_back(), rules.emplace_back();
        return at->second;
    }
    bool leads(const Relation& from, const Relation& to) const {
        if (!numbers.contains(from) || !numbers.contains(to)) return false;
        std::vector<std::uint32_t> waiting{numbers.at(from)};
        std::vector<bool> seen(graph.size());
        while (!waiting.empty()) {
            const auto at = waiting.back();
            waiting.pop_back();
            if (at == numbers.at(to)) return true;
            if (seen[at]) continue;
            seen[at] = true;
            waiting.insert(waiting.end(), graph[at].begin(), graph[at].end());
        }
        return false;
    }
};

std::set<Relation> heads_of(const Sheet& sheet, const std::vector<std::size_t>& rules) {
    std::set<Relation> heads;
    for (const auto rule : rules) heads.insert(relation_of(sheet.rules[rule].head));
    return heads;
}

// Whether a function stands in a term around a variable without a value.
bool builds(const Term& term, const std::set<std::string>& known) {
    if (term.arguments.empty()) return false;
    std::set<std::string> used;
    add_variables(term, used);
    return !std::ranges::includes(known, used);  // then the term itself does; a part of it need not be looked at
}

// Refuses a recursion that builds terms for ever: it breaks the recursion restriction (definition 15), and some head
// puts a function around a variable to which no atom outside the circle gives a value.
void need_end(const Sheet& sheet, const std::vector<std::size_t>& rules) {
    const auto heads = heads_of(sheet, rules);
    bool broken = false;
    const Rule* builder = nullptr;
    for (const auto number : rules) {
        const auto& rule = sheet.rules[number];
        const auto outside = bound(rule.body, heads);
        for (const auto& literal : rule.literals) {
            if (!heads.contains(relation_of(literal.atom))) continue;
            for (const auto& argument : literal.atom.arguments) {
                std::set<std::string> used;
                add_variables(argument, used);
                broken |= !std::ranges::count(rule.head.arguments, argument) && !std::ranges::includes(outside, used);
            }
        }
        for (const auto& argument : rule.head.arguments)
            if (builds(argument, outside)) builder = &rule;
    }
    if (broken && builder) refuse(*builder, "recursion builds ever larger terms");
}

}  // namespace

std::set<std::string> bound(const Body& body, const std::set<Relation>& but_not_by) {
    std::set<std::string> found;
    for (const auto& literal : body.literals)
        if (literal.binds() && !but_not_by.contains(relation_of(literal.atom))) add_variables(literal.atom, found);
    for (const auto& choice : body.choices) {
        std::set<std::string> common;
        for (std::size_t i = 0; i < choice.size(); ++i) {
            const auto here = bound(choice[i], but_not_by);
            if (i == 0) common = here;
            else std::erase_if(common, [&](const auto& name) { return !here.contains(name); });
        }
        found.merge(common);
    }
    return found;
}

std::vector<std::vector<std::uint32_t>> connected_groups(const std::vector<std::vector<std::uint32_t>>& graph) {
    constexpr std::uint32_t kNew = ~std::uint32_t{0};
    struct Visit {
        std::uint32_t node;
        std::size_t next;
    };
    std::vector<std::uint32_t> place(graph.size(), kNew), low(graph.size()), open;
    std::vector<bool> done(graph.size());
    std::vector<std::vector<std::uint32_t>> groups;
    std::vector<Visit> visits;
    std::uint32_t count = 0;
    for (std::uint32_t root = 0; root < graph.size(); ++root) {
        if (place[root] == kNew) visits.push_back({root, 0});
        while (!visits.empty()) {
            auto& [node, next] = visits.back();
            if (next == 0 && place[node] == kNew) place[node] = low[node] = count++, open.push_back(node);
            if (next < graph[node].size()) {
                const auto to = graph[node][next++];
                if (place[to] == kNew) visits.push_back({to, 0});
                else if (!done[to]) low[node] = std::min(low[node], place[to]);
                continue;
            }
            if (low[node] == place[node]) {
                auto& group = groups.emplace_back();
                do group.push_back(open.back()), done[open.back()] = true, open.pop_back();
                while (group.back() != node);
            }
            const auto finished = node;
            visits.pop_back();
            if (!visits.empty() && !done[finished])
                low[visits.back().node] = std::min(low[visits.back().node], low[finished]);
        }
    }
    return groups;
}

std::vector<std::vector<std::size_t>> groups_of_rules(const Sheet& sheet) {
    const Uses uses(sheet);
    std::vector<std::vector<std::size_t>> found;
    for (const auto& group : connected_groups(uses.graph)) {
        auto& rules = found.emplace_back();
        for (const auto relation : group)
            rules.insert(rules.end(), uses.rules[relation].begin(), uses.rules[relation].end());
        std::ranges::sort(rules);
        if (rules.empty()) found.pop_back();
    }
    return found;
}

// A group with negation in it may still be about different things: `(goal x 0)` where `(goal x 100)` fails. So there it
// is rules that are followed, to those whose heads may be what they ask for (local stratification: Przymusinski 1988).
std::vector<std::vector<std::size_t>> strata(const Sheet& sheet, const std::vector<std::size_t>& rules) {
    const auto heads = heads_of(sheet, rules);
    std::size_t links = 0;
    bool negation = false;
    for (const auto rule : rules)
        for (const auto& literal : sheet.rules[rule].literals)
            if (heads.contains(relation_of(literal.atom))) ++links, negation |= !literal.holds;
    if (!negation) return {rules};
    if (links * rules.size() > kMostPairs) refuse(sheet.rules[rules[0]], "depends on its own negation in many ways");
    std::vector<std::vector<std::uint32_t>> graph(rules.size());
    std::vector<std::pair<std::size_t, std::size_t>> against;
    for (std::size_t i = 0; i < rules.size(); ++i)
        for (const auto& [holds, atom] : sheet.rules[rules[i]].literals)
            for (std::size_t j = 0; j < rules.size(); ++j)
                if (const auto& head = sheet.rules[rules[j]].head;
                    relation_of(head) == relation_of(atom) && may_be_equal(atom, head)) {
                    graph[i].push_back(std::uint32_t(j));
                    if (!holds) against.emplace_back(i, j);
                }
    const auto groups = connected_groups(graph);
    std::vector<std::size_t> group_of(rules.size());
    std::vector<std::vector<std::size_t>> found;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto& stratum = found.emplace_back();
        for (const auto member : groups[g]) group_of[member] = g, stratum.push_back(rules[member]);
    }
    for (const auto& [one, other] : against)
        if (group_of[one] == group_of[other])
            refuse(sheet.rules[rules[one]], "a relation depends on its own negation, expected negation in layers");
    return found;
}

void need_valid(const Sheet& sheet) {
    for (const std::string name : {"role", "legal", "terminal", "goal"})
        if (std::ranges::none_of(sheet.rules, [&](const Rule& rule) { return rule.head.name == name; }))
            throw BadInput("no rule for " + name);
    for (const auto& rule : sheet.rules) {
        need_places(rule);
        std::set<std::string> asked;
        add_variables(rule.head, asked);
        if (!std::ranges::includes(bound(rule.body), asked)) refuse(rule, "a variable of the head has no values");
        need_values(rule, rule.body, {});
    }
    for (const auto& rules : groups_of_rules(sheet)) {
        const auto heads = heads_of(sheet, rules);
        const bool circle = std::ranges::any_of(rules, [&](std::size_t rule) {
            return std::ranges::any_of(sheet.rules[rule].literals,
                                       [&](const Literal& one) { return heads.contains(relation_of(one.atom)); });
        });
        if (circle) strata(sheet, rules), need_end(sheet, rules);
    }
    const Uses uses(sheet);
    const std::vector<std::string> play = {"true", "does", "next", "sees", "legal", "terminal", "goal"};
    const std::map<std::string, std::vector<std::string>> too_early = {
        {"legal", {"does"}}, {"terminal", {"does"}}, {"goal", {"does"}}, {"init", play}, {"role", play}};
    for (const auto& [name, forbidden] : too_early)
        for (const auto& other : forbidden)
            if (uses.leads({name, kArguments.at(name)}, {other, kArguments.at(other)}))
                throw BadInput(name + " depends on " + other);
}

namespace {

// Whether a condition holds once it is known who watches and who moves.
bool surely_holds(const Literal& literal, const std::function<std::string(const Term&)>& who, const std::string& player,
                  const std::string& other) {
    std::vector<std::string> known;
    for (const auto& term : literal.atom.arguments) known.push_back(who(term));
    if (literal.atom.name == "distinct")
        return literal.holds && !known[0].empty() && !known[1].empty() && known[0] != known[1];
    return literal.holds && relation_of(literal.atom) == Relation{"role", 1} &&
           (known[0] == player || known[0] == other);
}

// Whether a rule tells a player every move of another role, and nothing else tells the same.
bool reveals(const Sheet& sheet, const Rule& rule, const std::string& player, const std::string& other) {
    const auto &watcher = rule.head.arguments[0], &percept = rule.head.arguments[1];
    const Literal* made = nullptr;
    for (const auto& literal : rule.body.literals) {
        if (relation_of(literal.atom) != Relation{"does", 2} || !literal.holds) continue;
        if (made) return false;
        made = &literal;
    }
    if (!rule.body.choices.empty() || !made || percept.variable()) return false;
    const auto &mover = made->atom.arguments[0], &move = made->atom.arguments[1];
    std::set<std::string> said;
    add_variables(percept, said);
    const auto who = [&](const Term& term) -> std::string {
        if (term == mover) return other;  // as below, the two are different terms
        if (term == watcher) return player;
        std::set<std::string> used;
        add_variables(term, used);
        return used.empty() ? text_of(term) : "";
    };
    if (!move.variable() || !said.contains(move.name) || watcher == mover || move == watcher || move == mover)
        return false;
    if (!watcher.variable() && text_of(watcher) != player) return false;
    if (mover.variable() ? !said.contains(mover.name) : text_of(mover) != other) return false;
    for (const auto& literal : rule.body.literals)
        if (&literal != made && !surely_holds(literal, who, player, other)) return false;
    return std::ranges::none_of(sheet.rules, [&](const Rule& another) {
        return &another != &rule && relation_of(another.head) == Relation{"sees", 2} &&
               may_be_equal(percept, another.head.arguments[1]);
    });
}

}  // namespace

// Who knows the start and all moves knows every state. Rules that reveal everything in another way count as hiding
// something (Thielscher 2010 for GDL-II; a sheet without `random` and `sees` is one of GDL-I, where all is told).
bool sees_everything(const Sheet& sheet, const std::vector<std::string>& roles) {
    const bool percepts = std::ranges::any_of(sheet.rules, [](const Rule& rule) { return rule.head.name == "sees"; });
    if (!std::ranges::count(roles, std::string("random")) && !percepts) return true;
    for (const auto& player : roles)
        for (const auto& other : roles)
            if (player != "random" && player != other && std::ranges::none_of(sheet.rules, [&](const Rule& rule) {
                    return relation_of(rule.head) == Relation{"sees", 2} && reveals(sheet, rule, player, other);
                }))
                return false;
    return true;
}

}  // namespace checker
