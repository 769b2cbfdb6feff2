// Proofs by the rule `clauses`: that `exists` cannot keep the rows, or not with a better objective.
//
// A clause says that one of some bounds on variables holds. If all of them are assumed to fail, its antecedents - rows,
// earlier clauses, sums of rows - tighten the bounds until one of them cannot hold; then bounds on variables of
// `forall` that are set last may be dropped. The last clause is empty. With scenarios, lines of play of `forall`, each
// variable of `exists` is there once for each beginning of a line, and nothing is dropped.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "program.hpp"
#include "shapes.hpp"

namespace checker {

namespace {

constexpr std::uint64_t kMostLooks = std::uint64_t{1} << 34;

// Bounds of columns, as far as they are said.
using Bounded = std::map<std::size_t, std::pair<Rational, Rational>>;

struct Literal {  // column <= bound where `upper`, else column >= bound
    std::size_t column;
    bool upper;
    Rational bound;
};

struct Row {
    std::vector<std::pair<std::size_t, Rational>> terms;
    Rational right;
    bool strict;
};

// Continuous variables may be taken for integers where they come last, between whole bounds, each row but the objective
// holds one of them at most, and the other numbers of the row are multiples of its coefficient: then the others leave
// it an interval with whole ends, one of which is as good as any value.
Program whole_where_enough(const Program& program) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < program.variables.size(); ++i)
        if (program.variables[i].integer) first = i + 1;
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
        const auto& v = program.variables[i];
        if (i < first ? !v.integer : v.forall || !v.lower || !v.upper || !v.lower->whole() || !v.upper->whole())
            return program;
    }
    for (const auto& row : program.rows) {
        std::vector<Rational> held;
        for (const auto& [variable, coefficient] : row.terms)
            if (std::size_t(variable) >= first) held.push_back(coefficient);
        if (held.empty()) continue;
        if (held.size() > 1 || !(row.right / held[0]).whole()) return program;
        for (const auto& term : row.terms)
            if (!(term.second / held[0]).whole()) return program;
    }
    auto made = program;
    for (auto& variable : made.variables) variable.integer = true;
    return made;
}

// What the rows of `forall` that can be broken leave him.
class Law {
public:
    explicit Law(const Program& program) {
        std::vector<Rational> worst;
        for (const auto& row : program.own) {
            Rational most;
            for (const auto& [number, c] : row.terms) {
                const auto& v = program.variables[std::size_t(number)];
                most += c * (c.sign() > 0 ? *v.upper : *v.lower);
            }
            if (row.right < most) rows_.push_back(row);
        }
        int number = 0;
        for (const auto& rows : connected(rows_)) {
            for (const auto& row : rows)
                for (const auto& term : row.terms) part_[std::size_t(term.first)] = number;
            ++number;
        }
        for (const auto& [held, part] : part_)
            box_[held] = {*program.variables[held].lower, *program.variables[held].upper};
        for (int round = 0; round < 100; ++round) {
            const auto before = box_;
            for (const auto& row : rows_) narrow(row);
            if (before == box_) break;
        }
    }

    // `forall` can see to it that bounds fail which a clause drops: what his rows connect to a variable that is dropped
    // has one value left, and those values keep the rows. `kept` are the bounds under which the literals fail that the
    // clause keeps, `all` with those that it drops.
    void need_free(const std::set<std::size_t>& dropped, const std::optional<Bounded>& kept,
                   const std::optional<Bounded>& all) const {
        if (!within(kept)) return;  // his rows alone imply the clause
        std::set<int> parts;
        for (const auto column : dropped)
            if (const auto at = part_.find(column); at != part_.end()) parts.insert(at->second);
        const auto left = within(all);
        std::map<std::size_t, Rational> chosen;
        for (const auto& [number, part] : part_) {
            if (!parts.contains(part)) continue;
            need_shown(left.has_value(), "forall is not free to set a variable that is dropped");
            const auto at = left->find(number);
            const auto& [low, high] = at == left->end() ? box_.at(number) : at->second;
            need_shown(low == high, "forall is not free to set a variable that is dropped");
            chosen[number] = low;
        }
        for (const auto& row : rows_) {
            if (row.terms.empty() || !chosen.contains(std::size_t(row.terms[0].first))) continue;
            Rational sum;
            for (const auto& [number, c] : row.terms) sum += c * chosen.at(std::size_t(number));
            need_shown(sum <= row.right, "what is dropped breaks a row of forall's own");
        }
    }

private:
    void narrow(const AtMost& row) {
        auto slack = row.right;
        for (const auto& [number, c] : row.terms) {
            const auto& [low, high] = box_[std::size_t(number)];
            slack -= c * (c.sign() < 0 ? high : low);
        }
        for (const auto& [number, c] : row.terms) {
            auto& [low, high] = box_[std::size_t(number)];
            const auto steps = std::max(Rational(0), (slack / c.size()).floor());
            if (c.sign() > 0) high = std::min(high, low + steps);
            else low = std::max(low, high - steps);
        }
    }
    std::optional<Bounded> within(const std::optional<Bounded>& bounds) const {
        if (!bounds) return std::nullopt;
        auto left = *bounds;
        for (auto& [number, range] : left) {
            if (const auto at = box_.find(number); at != box_.end()) {
                range.first = std::max(range.first, at->second.first);
                range.second = std::min(range.second, at->second.second);
            }
            if (range.second < range.first) return std::nullopt;
        }
        return left;
    }

    std::vector<AtMost> rows_;
    std::map<std::size_t, int> part_;  // of each variable in such a row: the number of the part that rows connect
    Bounded box_;
};

class Clauses {
public:
    Clauses(const Program& program, const std::optional<Rational>& value, std::vector<std::vector<Rational>> lines)
        : program_(whole_where_enough(program)), infeasible_(!value), lines_(std::move(lines)) {
        rows_.push_back(program_.asked(value.value_or(Rational())));
        rows_.insert(rows_.end(), program_.rows.begin(), program_.rows.end());
        if (lines_.empty()) rows_.insert(rows_.end(), program_.own.begin(), program_.own.end());
        if (!program_.own.empty()) law_.emplace(program_);
        for (std::size_t i = 0; i < program_.variables.size(); ++i)
            if (program_.variables[i].forall) universal_.push_back(i);
        scenarios_ = std::max<std::size_t>(lines_.size(), 1);
        std::map<std::pair<std::size_t, std::string>, std::size_t> seen;
        for (std::size_t scenario = 0; scenario < scenarios_; ++scenario) {
            if (!lines_.empty()) need_legal(scenario);
            number_columns(scenario, seen);
        }
    }

    void check(const Json& item) {
        const auto& parts = items_of(item, 3, 3);
        const auto kept = assumed(parts[0]), dropped = assumed(parts[2]);
        auto both = kept;
        both.insert(both.end(), dropped.begin(), dropped.end());
        if (!dropped.empty()) need_droppable(kept, dropped, both);
        need_derived(failed(both), parts[1]);
        checked_.push_back(kept);
    }
    bool ends() const { return !checked_.empty() && checked_.back().empty(); }

    // Looks at the form of a clause, which must be right whether or not the clause needs all of it.
    static void need_form(const Json& item) {
        const auto& parts = items_of(item, 3, 3);
        for (const auto* literals : {&parts[0], &parts[2]})
            for (const auto& literal : items_of(*literals)) {
                for (const auto& number : items_of(literal, 4, 4)) exact_whole(number);
                const auto upper = whole(literal.items[1]);
                need_shown(upper == 0 || upper == 1, "a bound is not [variable, 0 or 1, number, scenario]");
            }
        for (const auto& antecedent : items_of(parts[1])) {
            if (antecedent.kind != Json::kList) {
                exact_whole(antecedent);
            } else if (!antecedent.items.empty() && antecedent.items[0].kind == Json::kList) {
                for (const auto& one : antecedent.items) {
                    const auto& three = items_of(one, 3, 3);
                    exact_whole(three[0]), exact_whole(three[1]), exact(three[2]);
                }
            } else {
                for (const auto& number : items_of(antecedent, 2, 2)) exact_whole(number);
            }
        }
    }

private:
    void spend(std::size_t steps) {
        if ((spent_ += steps + 1) > kMostLooks) throw BadInput("the proof is more work than this program does");
    }

    void need_legal(std::size_t scenario) {
        const auto& line = lines_[scenario];
        need_shown(line.size() == universal_.size(), "a scenario does not set all universal variables");
        std::map<int, Rational> value_of;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const auto& v = program_.variables[universal_[i]];
            const bool within = *v.lower <= line[i] && line[i] <= *v.upper && (!v.integer || line[i].whole());
            need_shown(within, "a scenario sets " + v.name + " to what is not within its bounds");
            value_of[int(universal_[i])] = line[i];
        }
        for (const auto& row : program_.own) {
            Rational sum;
            for (const auto& [number, c] : row.terms) sum += c * value_of.at(number);
            need_shown(sum <= row.right, "a scenario breaks a row of forall's own");
        }
    }
    // A variable of `exists` is one column in scenarios in which `forall` has chosen the same before it.
    void number_columns(std::size_t scenario, std::map<std::pair<std::size_t, std::string>, std::size_t>& seen) {
        auto& columns = column_.emplace_back(program_.variables.size(), -1);
        std::string played;
        std::size_t set = 0;
        for (std::size_t i = 0; i < program_.variables.size(); ++i) {
            const auto& v = program_.variables[i];
            if (v.forall && !lines_.empty()) {
                played += " " + lines_[scenario][set++].text();
                continue;
            }
            spend(played.size());
            const auto [at, is_new] = seen.try_emplace({i, played}, variable_.size());
            columns[i] = std::int64_t(at->second);
            if (!is_new) continue;
            variable_.push_back(i);
            low_.push_back(v.lower), high_.push_back(v.upper);
        }
    }

    const Variable& of(std::size_t column) const { return program_.variables[variable_[column]]; }

    std::vector<Literal> assumed(const Json& literals) const {
        std::vector<Literal> made;
        for (const auto& item : literals.items) {
            const auto variable = whole(item.items[0]), scenario = whole(item.items[3]);
            const bool there = scenario >= 0 && scenario < std::int64_t(scenarios_) && variable >= 0 &&
                               variable < std::int64_t(program_.variables.size()) &&
                               column_[std::size_t(scenario)][std::size_t(variable)] >= 0;
            need_shown(there, "there is no such variable in that scenario");
            const auto column = std::size_t(column_[std::size_t(scenario)][std::size_t(variable)]);
            need_shown(of(column).integer, "a bound on a variable that is not an integer");
            made.push_back({column, whole(item.items[1]) == 1, exact_whole(item.items[2])});
        }
        return made;
    }
    // What is dropped comes after the existential variables, and all bounds on it can fail together.
    void need_droppable(const std::vector<Literal>& kept, const std::vector<Literal>& dropped,
                        const std::vector<Literal>& both) const {
        std::set<std::size_t> columns;
        for (const auto& literal : dropped) columns.insert(literal.column);
        for (const auto column : columns) {
            need_shown(of(column).forall, "a variable of exists is dropped");
            for (const auto& literal : kept)
                need_shown(of(literal.column).forall || literal.column < column,
                           "a variable is dropped that is not the last");
        }
        std::vector<Literal> theirs;
        for (const auto& literal : both)
            if (columns.contains(literal.column)) theirs.push_back(literal);
        need_shown(failed(theirs).has_value(), "one of the bounds on a variable that is dropped always holds");
        if (law_) law_->need_free(columns, failed(kept), failed(both));
    }
    // The bounds under which all literals fail; nothing where they cannot.
    std::optional<Bounded> failed(const std::vector<Literal>& literals) const {
        Bounded bounds;
        for (const auto& [column, upper, bound] : literals) {
            const auto at = bounds.try_emplace(column, *low_[column], *high_[column]).first;
            auto& [low, high] = at->second;
            if (upper) low = std::max(low, bound + Rational(1));
            else high = std::min(high, bound - Rational(1));
            if (high < low) return std::nullopt;
        }
        return bounds;
    }
    // Where all bounds fail, an antecedent must be impossible; what comes after that one is not looked at.
    void need_derived(const std::optional<Bounded>& bounds, const Json& antecedents) {
        if (!bounds) return;  // one of them always holds
        for (const auto& [column, range] : *bounds) narrow(column, range.first, range.second);
        bool impossible = false;
        for (const auto& antecedent : antecedents.items)
            if ((impossible = tightened_by(antecedent))) break;
        for (; !moved_.empty(); moved_.pop_back()) {
            auto& [column, low, high] = moved_.back();
            low_[column] = std::move(low), high_[column] = std::move(high);
        }
        need_shown(impossible, "the antecedents leave room");
    }
    void narrow(std::size_t column, Rational low, Rational high) {
        moved_.push_back({column, std::move(low_[column]), std::move(high_[column])});
        low_[column] = std::move(low), high_[column] = std::move(high);
    }

    bool tightened_by(const Json& antecedent) {
        if (antecedent.kind != Json::kList) {
            const auto number = whole(antecedent);
            need_shown(number >= 0 && number < std::int64_t(checked_.size()), "a clause does not come before");
            return tightened_by_clause(checked_[std::size_t(number)]);
        }
        if (antecedent.items[0].kind == Json::kList) return tightened_by_row(sum(antecedent));
        return tightened_by_row(row(antecedent.items[0], antecedent.items[1]));
    }
    // If one literal alone can still hold, its bound holds.
    bool tightened_by_clause(const std::vector<Literal>& literals) {
        spend(literals.size());
        const Literal* only = nullptr;
        for (const auto& literal : literals) {
            if (literal.upper ? literal.bound < *low_[literal.column] : *high_[literal.column] < literal.bound)
                continue;
            if (only) return false;
            only = &literal;
        }
        if (!only) return true;
        auto low = *low_[only->column], high = *high_[only->column];
        if (only->upper) high = std::min(high, only->bound);
        else low = std::max(low, only->bound);
        narrow(only->column, std::move(low), std::move(high));
        return false;
    }
    // What the other terms take at the least leaves the rest to each integer.
    bool tightened_by_row(const Row& row) {
        spend(row.terms.size());
        auto slack = row.right;
        for (const auto& [column, c] : row.terms) {
            const auto& end = c.sign() > 0 ? low_[column] : high_[column];
            if (!end) return false;
            slack -= c * *end;
        }
        if (slack.sign() < 0 || (row.strict && !slack.sign())) return true;
        for (const auto& [column, c] : row.terms) {
            if (!of(column).integer) continue;
            const auto &low = *low_[column], &high = *high_[column], size = c.size();
            if (size * (high - low) <= slack) continue;
            const auto steps = (slack / size).floor();
            if (c.sign() > 0) narrow(column, low, low + steps);
            else narrow(column, high - steps, high);
        }
        return false;
    }

    // A row in a scenario; row 0 asks for better than the value.
    const Row& row(const Json& stated, const Json& of_scenario) {
        const auto number = whole(stated), scenario = whole(of_scenario);
        if (const auto at = made_.find({scenario, number}); at != made_.end()) return at->second;
        const bool there =
            number >= 0 && number < std::int64_t(rows_.size()) && scenario >= 0 && scenario < std::int64_t(scenarios_);
        need_shown(there, "there is no such row in that scenario");
        need_shown(number != 0 || !infeasible_, "what is said to be infeasible is to be refuted without the objective");
        const auto& [terms, limit] = rows_[std::size_t(number)];
        std::map<std::size_t, Rational> left;
        auto right = limit;
        for (const auto& [held, c] : terms) {
            const auto column = column_[std::size_t(scenario)][std::size_t(held)];
            if (column >= 0) {
                left[std::size_t(column)] = c;
                continue;
            }
            const auto place = std::ranges::lower_bound(universal_, std::size_t(held)) - universal_.begin();
            right -= c * lines_[std::size_t(scenario)][std::size_t(place)];
        }
        return made_[{scenario, number}] = rounded(left, right, number == 0);
    }
    Row sum(const Json& stated) {
        std::map<std::size_t, Rational> terms;
        Rational right;
        bool strict = false;
        for (const auto& part : stated.items) {
            const auto multiplier = exact(part.items[2]);
            need_shown(multiplier.sign() >= 0, "the multiplier of a row is negative");
            const auto& one = row(part.items[0], part.items[1]);
            spend(one.terms.size());
            right += multiplier * one.right;
            strict |= one.strict && multiplier.sign() > 0;
            for (const auto& [column, c] : one.terms) terms[column] += multiplier * c;
        }
        std::erase_if(terms, [](const auto& term) { return !term.second.sign(); });
        return rounded(terms, right, strict);
    }
    // With whole coefficients that have no common divisor; so where all variables are integers the right side is whole,
    // too, and to be less is to be less by one (Chvatal).
    Row rounded(const std::map<std::size_t, Rational>& terms, Rational right, bool strict) const {
        std::vector<std::pair<int, Rational>> coefficients;
        for (const auto& [column, c] : terms) coefficients.emplace_back(int(column), c);
        const auto scale = whole_scale(coefficients);
        right = right * scale;
        Row made{{}, {}, false};
        bool whole = true;
        for (const auto& [column, c] : terms) {
            made.terms.emplace_back(column, c * scale);
            whole &= of(column).integer;
        }
        if (!whole) made.right = right, made.strict = strict;
        else made.right = strict ? right.ceil() - Rational(1) : right.floor();
        return made;
    }

    Program program_;
    bool infeasible_;
    std::vector<std::vector<Rational>> lines_;  // by scenario: what `forall` plays
    std::size_t scenarios_ = 1;
    std::vector<AtMost> rows_;
    std::vector<std::size_t> universal_;
    std::optional<Law> law_;
    std::vector<std::vector<std::int64_t>> column_;  // by scenario and variable, -1 where that is set
    std::vector<std::size_t> variable_;              // of each column, as are the following
    std::vector<std::optional<Rational>> low_, high_;
    struct Moved {
        std::size_t column;
        std::optional<Rational> low, high;
    };
    std::vector<Moved> moved_;  // columns whose bounds were narrowed since the start, with what they were
    std::map<std::pair<std::int64_t, std::int64_t>, Row> made_;
    std::vector<std::vector<Literal>> checked_;
    std::uint64_t spent_ = 0;
};

}  // namespace

std::uint64_t check_clauses(const Program& program, const Claim& claim) {
    need_shown(claim.role == "exists" || claim.role == "forall", claim.role + " is not a role of the game");
    need_fields(claim.data, {"value", "scenarios", "clauses"});
    const auto& stated = *claim.data.member("value");
    const auto value = stated.kind == Json::kNull ? std::nullopt : std::optional(exact(stated));
    std::vector<std::vector<Rational>> lines;
    for (const auto& line : items_of(*claim.data.member("scenarios"))) lines.push_back(exact_items(line));
    const auto& clauses = items_of(*claim.data.member("clauses"));
    for (const auto& clause : clauses) Clauses::need_form(clause);
    need_shown(claim.role == "forall", "such a proof is none of exists");
    need_promise(program, claim, value);
    Clauses derivation(program, value, std::move(lines));
    for (std::size_t i = 0; i < clauses.size(); ++i) try {
            derivation.check(clauses[i]);
        } catch (const Refuted& fault) {
            throw Refuted("clause " + std::to_string(i) + ": " + fault.what());
        }
    need_shown(derivation.ends(), "the last clause is not empty");
    return clauses.size();
}

}  // namespace checker
