// Proofs by the rule `program`: a graph of choices, cases and refutations, each of which leads to earlier ones only.
//
// Each step holds where some conditions do: terms come to at most a number, whatever the open variables are. A step
// notes by how much a condition departs from "every variable is open": for one that has a value, by how much that is
// better than its worst. The largest amount counts where cases meet; the root is tested. A row is broken where it, its
// signs changed, comes to more; rows times multipliers contradict each other where their sum does (Farkas).
#include <algorithm>
#include <map>
#include <unordered_map>

#include "program.hpp"
#include "shapes.hpp"

namespace checker {

namespace {

constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 32;
constexpr std::size_t kMostKept = std::size_t{1} << 26;
constexpr std::int64_t kDone = -1;  // in the place of a step: all is kept, whatever is left open

struct Interval {
    std::size_t variable;
    Rational low, high;
};

struct Case {
    Rational low, high;
    std::int64_t then;
    std::optional<std::int64_t> breaks;
};

struct Scenario {
    std::vector<Rational> choices;
    std::vector<std::pair<std::int64_t, Rational>> multipliers;
};

struct Node {
    char kind;  // c: the owner's next values; b: cases of the other's value; r: rows that contradict each other
    std::int64_t at;
    std::vector<Rational> values;
    std::int64_t then = kDone;
    std::vector<Case> cases;
    std::vector<Scenario> scenarios;
};

Case read_case(const Json& item) {
    const auto& parts = items_of(item, 3, 4);
    return {exact(parts[0]), exact(parts[1]), whole(parts[2]),
            parts.size() > 3 ? std::optional(whole(parts[3])) : std::nullopt};
}

Scenario read_scenario(const Json& item) {
    const auto& parts = items_of(item, 2, 2);
    Scenario made{exact_items(parts[0]), {}};
    const auto& flat = items_of(parts[1]);
    need_shown(flat.size() % 2 == 0, "multipliers are not [row, multiplier, ...]");
    for (std::size_t i = 0; i < flat.size(); i += 2) made.multipliers.emplace_back(whole(flat[i]), exact(flat[i + 1]));
    std::ranges::sort(made.multipliers, {}, [](const auto& pair) { return pair.first; });
    for (std::size_t i = 1; i < made.multipliers.size(); ++i)
        need_shown(made.multipliers[i - 1].first != made.multipliers[i].first, "a row has two multipliers");
    return made;
}

Node read_node(const Json& item) {
    const auto& parts = items_of(item, 3, 4);
    need_shown(parts[0].kind == Json::kString, "not a choice, cases or a refutation");
    const auto& kind = parts[0].text;
    Node made{kind.size() == 1 ? kind[0] : '?', whole(parts[1]), {}, kDone, {}, {}};
    if (made.kind == 'c' && parts.size() == 4) {
        made.values = exact_items(parts[2]);
        made.then = whole(parts[3]);
    } else if (made.kind == 'b' && parts.size() == 3) {
        for (const auto& one : items_of(parts[2])) made.cases.push_back(read_case(one));
    } else {
        need_shown(made.kind == 'r' && parts.size() == 3, "not a choice, cases or a refutation");
        for (const auto& one : items_of(parts[2])) made.scenarios.push_back(read_scenario(one));
    }
    return made;
}

std::vector<std::int64_t> followers(const Node& node) {
    std::vector<std::int64_t> found;
    if (node.kind == 'c') found = {node.then};
    for (const auto& one : node.cases) found.push_back(one.then);
    return found;
}

// By condition, rising: how much more its terms come to than if every variable were open.
using Need = std::vector<std::pair<std::size_t, Rational>>;

struct Condition {
    Rational right, most;  // with every variable open the terms come to `most`
    bool strict;
};

class Steps {
public:
    Steps(const Program& program, bool forall, const std::optional<Rational>& value, std::vector<Node> nodes)
        : program_(program), nodes_(std::move(nodes)), forall_(forall), infeasible_(!value),
          end_(program.variables.size()), columns_(end_) {
        rows_.push_back(program.asked(value.value_or(Rational())));
        rows_.insert(rows_.end(), program.rows.begin(), program.rows.end());
        int last = -1;
        for (std::size_t i = 0; i < end_; ++i) {
            of_[program.variables[i].forall].push_back(i);
            if (program.variables[i].integer && !program.variables[i].forall) last = int(i);
        }
        // Of these variables of forall the two ends are enough: see mixed() below.
        mixed_.assign(end_, false);
        for (auto i = std::size_t(std::max(last, 0)); i < end_ && !forall; ++i) mixed_[i] = true;
        for (const auto& row : program.own)
            for (const auto& term : row.terms) mixed_[std::size_t(term.first)] = false;
        if (!forall_) need_values();
        for (const auto& row : forall_ ? program.own : rows_) condition(row.terms, row.right, false);
        for (std::size_t i = 0; i < conditions_.size(); ++i) open_.emplace_back(i, Rational());
    }

    void check() {
        need_shown(!nodes_.empty() || !forall_, "a proof of forall without a step proves nothing");
        std::vector<std::size_t> last_use(nodes_.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            for (const auto follower : followers(nodes_[i]))
                if (follower >= 0 && follower < std::int64_t(i)) last_use[std::size_t(follower)] = i;
        needs_.resize(nodes_.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            try {
                needs_[i] = need_of(i);
            } catch (const Refuted& fault) {
                throw Refuted("node " + std::to_string(i) + ": " + fault.what());
            }
            kept_ += needs_[i].size();
            for (const auto follower : followers(nodes_[i]))
                if (follower >= 0 && last_use[std::size_t(follower)] == i) {
                    kept_ -= needs_[std::size_t(follower)].size();
                    Need().swap(needs_[std::size_t(follower)]);
                }
            if (kept_ > kMostKept) throw BadInput("the proof takes more memory than this program uses");
        }
        for (const auto& [made, amount] : nodes_.empty() ? open_ : needs_.back()) {
            const auto& condition = conditions_[made];
            const auto comes_to = condition.most + amount;
            need_shown(comes_to < condition.right || (comes_to == condition.right && !condition.strict),
                       "what is left open may come to more than the limit");
        }
    }

private:
    const Variable& variable(std::size_t number) const { return program_.variables[number]; }

    void spend(std::size_t steps) {
        if ((spent_ += steps + 1) > kMostSteps) throw BadInput("the proof is more work than this program does");
    }

    // The number of a new condition, whose coefficients are made whole.
    std::size_t condition(const Terms& terms, const Rational& right, bool strict) {
        const auto number = conditions_.size();
        const auto scale = whole_scale(terms);
        Rational most;
        for (const auto& [held, coefficient] : terms) {
            const auto& of = variable(std::size_t(held));
            const auto scaled = coefficient * scale;
            const auto& end = scaled.sign() > 0 ? of.upper : of.lower;
            const auto worst = end ? scaled * *end : Rational();
            columns_[std::size_t(held)].emplace_back(number, std::pair(scaled, worst));
            most += worst;
        }
        conditions_.push_back({right * scale, most, strict});
        return number;
    }
    // A variable without the bound at which it is worst must get a value in every line of play: a condition whose terms
    // come to 1 as long as it is open.
    void need_values() {
        std::map<int, bool> unbounded;
        for (const auto& row : rows_)
            for (const auto& [held, coefficient] : row.terms) {
                const auto& of = variable(std::size_t(held));
                if (!(coefficient.sign() > 0 ? of.upper : of.lower)) unbounded[held] = true;
            }
        for (const auto& [held, yes] : unbounded) {
            columns_[std::size_t(held)].emplace_back(conditions_.size(), std::pair(Rational(0), Rational(1)));
            conditions_.push_back({Rational(0), Rational(1), false});
        }
    }

    Need need_of(std::size_t number) {
        const auto& node = nodes_[number];
        need_shown(node.at >= 0 && node.at <= std::int64_t(end_), "it does not begin at the number of a variable");
        const auto at = std::size_t(node.at);
        if (node.kind == 'r') return refuted(node, at);
        if (node.kind == 'c') {
            const auto assigned = chosen(at, node.values, forall_);
            return before(need_after(number, node.then, assigned.empty() ? at : assigned.back().variable + 1),
                          assigned);
        }
        need_cover(node, at);
        Need all;
        for (const auto& one : node.cases) {
            const auto after = one.breaks ? need_broken(*one.breaks, one.then) : need_after(number, one.then, at + 1);
            raise(all, before(after, {{at, one.low, one.high}}));
        }
        return all;
    }
    // What is needed by a step to which one leads that has set the variables before `first`.
    const Need& need_after(std::size_t number, std::int64_t then, std::size_t first) const {
        need_shown(then >= kDone && then < std::int64_t(number), "it does not lead to an earlier node");
        need_shown(then != kDone || !forall_, "a line of a proof of forall ends without a contradiction");
        if (then == kDone) return open_;
        need_shown(nodes_[std::size_t(then)].at >= std::int64_t(first),
                   "it leads to a node that begins before it is done");
        return needs_[std::size_t(then)];
    }
    Need need_broken(std::int64_t row, std::int64_t then) {
        need_shown(!forall_, "a case of exists cannot break a row of forall");
        need_shown(row >= 0 && row < std::int64_t(program_.own.size()) && then == kDone, "no row of forall is broken");
        const auto& [terms, right] = program_.own[std::size_t(row)];
        std::map<int, Rational> sum;
        for (const auto& [held, coefficient] : terms) sum[held] = -coefficient;
        return contradiction(end_, sum, right, false);
    }
    // What is needed before variables get values in intervals, given what is needed after.
    Need before(const Need& after, const std::vector<Interval>& assigned) {
        Need changed = after;
        spend(changed.size());
        for (const auto& [number, low, high] : assigned) {
            const auto& column = columns_[number];
            const auto change = [&](Rational& amount, const std::pair<Rational, Rational>& entry) {
                const auto& [coefficient, worst] = entry;
                amount += coefficient * (coefficient.sign() > 0 ? high : low) - worst;
            };
            spend(std::min(changed.size(), column.size()));
            if (changed.size() < column.size()) {
                for (auto& [made, amount] : changed) {
                    const auto entry =
                        std::ranges::lower_bound(column, made, {}, [](const auto& e) { return e.first; });
                    if (entry != column.end() && entry->first == made) change(amount, entry->second);
                }
            } else {
                for (const auto& [made, entry] : column) {
                    const auto at = std::ranges::lower_bound(changed, made, {}, [](const auto& e) { return e.first; });
                    if (at != changed.end() && at->first == made) change(at->second, entry);
                }
            }
        }
        return changed;
    }
    // Makes a need that of both.
    void raise(Need& one, const Need& other) {
        spend(one.size() + other.size());
        Need both;
        both.reserve(std::max(one.size(), other.size()));
        for (std::size_t i = 0, j = 0; i < one.size() || j < other.size();) {
            if (j == other.size() || (i < one.size() && one[i].first < other[j].first)) both.push_back(one[i++]);
            else if (i == one.size() || other[j].first < one[i].first) both.push_back(other[j++]);
            else both.emplace_back(one[i].first, std::max(one[i].second, other[j].second)), ++i, ++j;
        }
        one = std::move(both);
    }

    // Rows times multipliers, added up over scenarios, leave no values. A variable of `exists` is one and the same in
    // scenarios in which `forall` has chosen the same before it.
    Need refuted(const Node& node, std::size_t at) {
        need_shown(forall_, "a proof of exists refutes nothing");
        struct Copy {
            std::size_t variable;
            Rational coefficient;
        };
        Need found;
        std::map<std::pair<std::size_t, std::string>, Rational> copies;
        Rational right;
        bool better = false;
        const auto& universal = of_[true];
        const auto place = [&](std::size_t number) {
            return std::ranges::lower_bound(universal, number) - universal.begin();
        };
        const auto first = place(at);
        for (const auto& scenario : node.scenarios) {
            const auto assigned = chosen(at, scenario.choices, true);
            raise(found, before(open_, assigned));
            std::unordered_map<std::size_t, Rational> value_of;
            std::vector<std::string> played{""};  // what was chosen, up to each place
            for (const auto& [number, value, same] : assigned) {
                value_of[number] = value;
                played.push_back(played.back() + " " + value.text());
                spend(played.back().size());
            }
            for (const auto& [row, multiplier] : scenario.multipliers) {
                need_shown(row >= 0 && row < std::int64_t(rows_.size()), "there is no such row");
                need_shown(multiplier.sign() >= 0, "the multiplier of a row is negative");
                need_shown(row != 0 || !multiplier.sign() || !infeasible_,
                           "the objective contradicts nothing in a proof that rows cannot be kept");
                const auto& [terms, limit] = rows_[std::size_t(row)];
                right += multiplier * limit;
                better |= row == 0 && multiplier.sign() > 0;
                spend(terms.size());
                for (const auto& [held, coefficient] : terms) {
                    const auto number = std::size_t(held);
                    if (const auto value = value_of.find(number); value != value_of.end()) {
                        right -= multiplier * coefficient * value->second;
                    } else {
                        const auto earlier = std::max<std::ptrdiff_t>(0, place(number) - first);
                        const auto before = std::min(std::size_t(earlier), played.size() - 1);
                        copies[{number, played[before]}] += multiplier * coefficient;
                    }
                }
            }
        }
        std::map<int, Rational> sum;
        for (const auto& [copy, coefficient] : copies) {
            const auto& of = variable(copy.first);
            const auto& bound = coefficient.sign() < 0 ? of.upper : of.lower;
            need_shown(bound || !coefficient.sign(), of.name + " has no bound to contradict");
            if (copy.first >= at && bound) right -= coefficient * *bound;
            sum[int(copy.first)] -= coefficient;
        }
        raise(found, contradiction(at, sum, right, better));
        return found;
    }
    // A sum, its signs changed, is less than -`right`, or as much where the objective is to be `better`. What the
    // variables from `at` on add was taken off the right side. Sums of the same terms are one condition.
    Need contradiction(std::size_t at, const std::map<int, Rational>& sum, const Rational& right, bool better) {
        Terms held;
        for (const auto& term : sum)
            if (term.second.sign()) held.push_back(term);
        const auto scale = whole_scale(held);
        std::string name = better ? "better" : "";
        for (auto& [number, coefficient] : held) {
            coefficient = coefficient * scale;
            name += " " + std::to_string(number) + ":" + coefficient.text();
        }
        spend(name.size());
        const auto [entry, is_new] = numbers_.try_emplace(name, conditions_.size());
        if (is_new) condition(held, Rational(0), !better);
        Rational later;
        for (const auto& [number, coefficient] : held) {
            if (std::size_t(number) < at) continue;
            const auto& column = columns_[std::size_t(number)];
            later += std::ranges::lower_bound(column, entry->second, {}, [](const auto& e) {
                         return e.first;
                     })->second.second;
        }
        return {{entry->second, right * scale - later}};
    }

    // The next variables of a role with their values.
    std::vector<Interval> chosen(std::size_t at, const std::vector<Rational>& values, bool of_forall) const {
        const auto& own = of_[of_forall];
        const auto first = std::size_t(std::ranges::lower_bound(own, at) - own.begin());
        need_shown(values.size() <= own.size() - first, "it has more values than there are variables");
        std::vector<Interval> assigned;
        for (std::size_t i = 0; i < values.size(); ++i) {
            need_value(own[first + i], values[i]);
            assigned.push_back({own[first + i], values[i], values[i]});
        }
        return assigned;
    }
    void need_value(std::size_t number, const Rational& value) const {
        const auto& of = variable(number);
        const bool within = (!of.lower || *of.lower <= value) && (!of.upper || value <= *of.upper);
        need_shown(within, of.name + " gets a value that is not within its bounds");
        need_shown(!of.integer || value.whole(), of.name + " gets a value that is not whole");
    }
    // The cases leave out no value. The two ends are enough where all later variables of `exists` are continuous and no
    // row of `forall` holds the variable (Lorenz, Martin and Wolf 2010).
    void need_cover(const Node& node, std::size_t at) const {
        need_shown(at < end_, "cases of a variable that is not there");
        const auto& of = variable(at);
        need_shown(of.forall != forall_, "cases of a variable that the owner sets");
        need_shown(of.lower && of.upper, "no cases cover a variable that has no bounds");
        need_shown(!node.cases.empty(), "no case of a variable");
        std::vector<std::pair<Rational, Rational>> cases;
        for (const auto& one : node.cases) {
            need_value(at, one.low), need_value(at, one.high);
            need_shown(one.low <= one.high, "a case is empty");
            cases.emplace_back(one.low, one.high);
        }
        std::ranges::sort(cases);
        const auto last = std::ranges::max_element(cases, {}, [](const auto& one) { return one.second; });
        if (mixed_[at] && cases[0].first == *of.lower && last->second == *of.upper) return;
        const Rational step = of.integer ? 1 : 0;
        auto reached = *of.lower - step;
        for (const auto& [low, high] : cases)
            if (low <= reached + step) reached = std::max(reached, high);
        need_shown(*of.upper <= reached, "a value of " + of.name + " is in no case");
    }

    const Program& program_;
    std::vector<Node> nodes_;
    bool forall_, infeasible_;
    std::size_t end_;
    std::vector<AtMost> rows_;
    std::vector<std::size_t> of_[2];  // the variables of exists, and of forall
    std::vector<bool> mixed_;
    // Of each variable: the conditions that hold it, with its coefficient and what it adds at the most.
    std::vector<std::vector<std::pair<std::size_t, std::pair<Rational, Rational>>>> columns_;
    std::vector<Condition> conditions_;
    std::unordered_map<std::string, std::size_t> numbers_;  // of conditions that rows contradict, by their terms
    Need open_;                                             // where all is kept and every variable is open
    std::vector<Need> needs_;                               // of steps that later ones may lead to
    std::size_t kept_ = 0;
    std::uint64_t spent_ = 0;
};

}  // namespace

void need_promise(const Program& program, const Claim& claim, const std::optional<Rational>& value) {
    const bool exists = claim.role == "exists";
    need_shown(!exists || value, "such a proof is none of exists");
    const auto promise = exists ? program.score(value) : -program.most_for_exists(value);
    need_shown(Rational::of(claim.at_least) <= promise, "the proof promises less than is claimed");
}

std::uint64_t check_program_proof(const Program& program, const Claim& claim) {
    need_shown(claim.role == "exists" || claim.role == "forall", claim.role + " is not a role of the game");
    need_fields(claim.data, {"value", "nodes"});
    const auto& stated = *claim.data.member("value");
    const auto value = stated.kind == Json::kNull ? std::nullopt : std::optional(exact(stated));
    std::vector<Node> nodes;
    for (const auto& item : items_of(*claim.data.member("nodes"))) nodes.push_back(read_node(item));
    need_promise(program, claim, value);
    const auto steps = nodes.size();
    Steps(program, claim.role == "forall", value, std::move(nodes)).check();
    return steps;
}

}  // namespace checker
