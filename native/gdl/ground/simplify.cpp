#include "gdl/ground/simplify.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

namespace zermelo::gdl {

namespace {

class Settler {
public:
    Settler(RawRules& rules, const std::vector<bool>& init, Meter& meter) : rules_(rules), init_(init), meter_(meter) {}

    void run() {
        index();
        for (std::uint32_t a = 0; a < rules_.fate.size(); ++a)
            if (settled(a)) waiting_.push_back(a);
        do {
            propagate();
        } while (find_unfounded() || find_constant());
    }

private:
    bool settled(std::uint32_t a) const { return rules_.fate[a] == Fate::never || rules_.fate[a] == Fate::always; }
    std::span<const Literal> body(std::uint32_t r) const {
        const auto begin = rules_.first_literal[r];
        return std::span(rules_.body).subspan(begin, rules_.first_literal[r + 1] - begin);
    }
    std::span<const std::uint32_t> occurrences(Literal l) const {
        return std::span(occurrence_).subspan(first_[l], first_[l + 1] - first_[l]);
    }
    bool is_input(std::uint32_t a) const { return a < rules_.first_next(); }

    void index() {
        const auto atoms = rules_.fate.size();
        const auto words = rules_.body.size() + 3 * atoms + rules_.head.size() * 2;
        meter_.holds(rules_.bytes() + words * sizeof(std::uint32_t));
        first_.assign(2 * atoms + 1, 0);
        for (const auto l : rules_.body) ++first_[l + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        occurrence_.resize(rules_.body.size());
        auto at = first_;
        alive_.assign(rules_.rules(), true);
        left_.resize(rules_.rules());
        supports_.assign(atoms, 0);
        for (std::uint32_t r = 0; r < rules_.rules(); ++r) {
            for (const auto l : body(r)) occurrence_[at[l]++] = r;
            left_[r] = static_cast<std::uint32_t>(body(r).size());
            ++supports_[rules_.head[r]];
        }
    }

    void settle(std::uint32_t a, Fate fate) {
        if (settled(a)) return;
        rules_.fate[a] = fate;
        waiting_.push_back(a);
    }

    void kill(std::uint32_t r) {
        if (!alive_[r]) return;
        alive_[r] = false;
        if (--supports_[rules_.head[r]] == 0) settle(rules_.head[r], Fate::never);
    }

    void propagate() {
        while (!waiting_.empty()) {
            const auto a = waiting_.back();
            waiting_.pop_back();
            const bool holds = rules_.fate[a] == Fate::always;
            for (const auto r : occurrences(2 * a + (holds ? 1 : 0))) kill(r);
            for (const auto r : occurrences(2 * a + (holds ? 0 : 1)))
                if (--left_[r] == 0 && alive_[r]) settle(rules_.head[r], Fate::always);
            follow_time(a, holds);
            meter_.control().tick();
        }
    }

    void follow_time(std::uint32_t a, bool holds) {
        if (a >= rules_.first_next() && a < rules_.first_legal()) {
            const auto fluent = a - rules_.first_next();
            if (init_[fluent] == holds) settle(fluent, holds ? Fate::always : Fate::never);
        } else if (a >= rules_.first_legal() && a < rules_.first_legal() + rules_.moves && !holds) {
            settle(rules_.fluents + a - rules_.first_legal(), Fate::never);
        }
    }

    // What follows from `facts`; negative literals must be granted unless `negative_counts`, and then nothing grants
    // them. Over time, what is next is true and what is legal is done.
    std::vector<bool> closure(std::vector<std::uint32_t> facts, bool negative_counts, bool over_time) {
        std::vector<bool> in(rules_.fate.size());
        std::vector<std::uint32_t> left(rules_.rules());
        for (std::uint32_t r = 0; r < rules_.rules(); ++r)
            for (const auto l : body(r))
                left[r] += l & 1 ? negative_counts && !settled(l >> 1) : rules_.fate[l >> 1] != Fate::always;
        const auto add = [&](std::uint32_t a) {
            if (in[a]) return;
            in[a] = true;
            facts.push_back(a);
        };
        auto start = std::move(facts);
        facts.clear();
        for (const auto a : start) add(a);
        for (std::uint32_t r = 0; r < rules_.rules(); ++r)
            if (alive_[r] && left[r] == 0) add(rules_.head[r]);
        while (!facts.empty()) {
            const auto a = facts.back();
            facts.pop_back();
            const bool has_input = a >= rules_.first_next() && a < rules_.first_legal() + rules_.moves;
            if (over_time && has_input) add(a - rules_.first_next());
            if (rules_.fate[a] == Fate::always) continue;  // not counted
            for (const auto r : occurrences(2 * a))
                if (--left[r] == 0 && alive_[r]) add(rules_.head[r]);
        }
        return in;
    }

    // Atoms that no play can make true: not in the least fixpoint over time when negation is taken for granted.
    bool find_unfounded() {
        std::vector<std::uint32_t> facts;
        for (std::uint32_t a = 0; a < rules_.fate.size(); ++a)
            if (rules_.fate[a] == Fate::always || (a < rules_.fluents && init_[a] && !settled(a))) facts.push_back(a);
        const auto possible = closure(std::move(facts), false, true);
        for (std::uint32_t a = 0; a < rules_.fate.size(); ++a)
            if (!possible[a] && !settled(a)) settle(a, Fate::never);
        return !waiting_.empty();
    }

    // Fluents true at the start that keep each other true: the greatest set that derives its own next.
    bool find_constant() {
        std::vector<std::uint32_t> kept;
        for (std::uint32_t a = 0; a < rules_.fluents; ++a)
            if (init_[a] && !settled(a)) kept.push_back(a);
        while (!kept.empty()) {
            const auto derived = closure(kept, true, false);
            const auto before = kept.size();
            std::erase_if(kept, [&](auto a) {
                const auto next = rules_.first_next() + a;
                return !derived[next] && rules_.fate[next] != Fate::always;
            });
            if (kept.size() == before) break;
            meter_.control().check();
        }
        for (const auto a : kept) settle(a, Fate::always);
        return !waiting_.empty();
    }

    RawRules& rules_;
    const std::vector<bool>& init_;
    Meter& meter_;
    std::vector<std::uint32_t> first_, occurrence_, left_, supports_, waiting_;
    std::vector<bool> alive_;
};

class Numberer {
public:
    Numberer(Datalog& sheet, const RawRules& rules, const std::vector<bool>& init, Meter& meter)
        : sheet_(sheet), rules_(rules), init_(init), meter_(meter), number_(rules.fate.size(), kNone) {}

    GroundRules run() {
        name_roles();
        name_fluents();
        name_moves();
        group_rules();
        mark_needed();
        write_rules();
        write_outputs();
        return std::move(out_);
    }

private:
    void name_roles() {
        const auto& roles = sheet_.relation_of(keyword::role);
        for (std::uint32_t i = 0; i < roles.size(); ++i) out_.role_names.push_back(sheet_.kif(roles.row(i)[0]));
    }

    struct Named {
        std::string name;
        std::uint32_t role, atom;
        auto operator<=>(const Named& other) const {
            if (const auto by_role = role <=> other.role; by_role != 0) return by_role;
            return name <=> other.name;
        }
        bool operator==(const Named&) const = default;
    };

    void name_fluents() {
        const auto& fluents = sheet_.relation_of(keyword::fluent);
        std::vector<Named> named;
        for (std::uint32_t i = 0; i < rules_.fluents; ++i)
            if (rules_.fate[i] != Fate::never) named.push_back({sheet_.kif(fluents.row(i)[0]), 0, i});
        std::ranges::sort(named);
        for (auto& [name, role, atom] : named) {
            number_[atom] = static_cast<std::uint32_t>(out_.fluent_names.size());
            out_.fluent_names.push_back(std::move(name));
            out_.init.push_back(init_[atom]);
            fluents_.push_back(atom);
        }
    }

    void name_moves() {
        out_.first_move.assign(out_.role_names.size() + 1, 0);
        const auto& moves = sheet_.relation_of(keyword::move);
        std::vector<Named> named;
        for (std::uint32_t i = 0; i < rules_.moves; ++i)
            if (rules_.fate[rules_.fluents + i] != Fate::never)
                named.push_back({sheet_.kif(moves.row(i)[1]), rules_.role_of_move[i], i});
        std::ranges::sort(named);
        for (auto& [name, role, move] : named) {
            number_[rules_.fluents + move] = static_cast<std::uint32_t>(fluents_.size() + out_.move_names.size());
            out_.move_names.push_back(std::move(name));
            ++out_.first_move[role + 1];
            moves_.push_back(move);
        }
        std::partial_sum(out_.first_move.begin(), out_.first_move.end(), out_.first_move.begin());
    }

    bool undecided(std::uint32_t a) const { return rules_.fate[a] == Fate::ruled || rules_.fate[a] == Fate::open; }

    void group_rules() {
        first_rule_.assign(rules_.fate.size() + 1, 0);
        for (const auto h : rules_.head) ++first_rule_[h + 1];
        std::partial_sum(first_rule_.begin(), first_rule_.end(), first_rule_.begin());
        by_head_.resize(rules_.head.size());
        auto at = first_rule_;
        for (std::uint32_t r = 0; r < rules_.head.size(); ++r) by_head_[at[rules_.head[r]]++] = r;
    }

    // The literals of a rule that are still undecided; false if the rule is dead.
    bool read(std::uint32_t r, std::vector<Literal>& literals) const {
        literals.clear();
        for (auto i = rules_.first_literal[r]; i < rules_.first_literal[r + 1]; ++i) {
            const auto l = rules_.body[i];
            const auto fate = rules_.fate[l >> 1];
            if (fate == (l & 1 ? Fate::always : Fate::never)) return false;
            if (undecided(l >> 1)) literals.push_back(l);
        }
        return true;
    }

    void need(std::uint32_t a) {
        if (a == kNone || is_input(a) || needed_[a] || !undecided(a)) return;
        needed_[a] = true;
        waiting_.push_back(a);
    }
    bool is_input(std::uint32_t a) const { return a < rules_.first_next(); }

    template <class Visit>
    void each_value(std::uint32_t predicate, const std::vector<std::uint32_t>& atoms, Visit visit) {
        for (std::uint32_t i = 0; i < atoms.size(); ++i) {
            const auto row = sheet_.relation_of(predicate).row(i);
            const auto role = sheet_.relation_of(keyword::role).find(row.first(1));
            if (role != kNone && rules_.fate[atoms[i]] != Fate::never) visit(role, row[1], atoms[i]);
        }
    }

    void mark_needed() {
        needed_.assign(rules_.fate.size(), false);
        for (const auto f : fluents_) need(rules_.first_next() + f);
        for (const auto m : moves_) need(rules_.first_legal() + m);
        need(rules_.terminal);
        each_value(keyword::goal, rules_.goal, [&](auto, auto, auto atom) { need(atom); });
        each_value(keyword::sees, rules_.sees, [&](auto, auto, auto atom) { need(atom); });
        std::vector<Literal> literals;
        while (!waiting_.empty()) {
            const auto a = waiting_.back();
            waiting_.pop_back();
            for (auto i = first_rule_[a]; i < first_rule_[a + 1]; ++i)
                if (read(by_head_[i], literals))
                    for (const auto l : literals) need(l >> 1);
            meter_.control().tick();
        }
        auto next = static_cast<std::uint32_t>(fluents_.size() + moves_.size());
        for (std::uint32_t a = rules_.first_next(); a < needed_.size(); ++a)
            if (needed_[a]) number_[a] = next++;
        out_.atoms = next;
    }

    void write_rules() {
        std::size_t rules = 0, literals = 0;
        std::vector<Literal> body;
        const auto each = [&](auto visit) {
            for (std::uint32_t a = rules_.first_next(); a < needed_.size(); ++a) {
                if (!needed_[a]) continue;
                for (auto i = first_rule_[a]; i < first_rule_[a + 1]; ++i)
                    if (read(by_head_[i], body)) visit(a);
            }
        };
        each([&](auto) { ++rules, literals += body.size(); });
        const auto words = 2 * rules + literals + by_head_.size() + 3 * number_.size();
        meter_.holds(sheet_.bytes() + rules_.bytes() + words * sizeof(std::uint32_t));
        out_.head.reserve(rules);
        out_.first_literal.reserve(rules + 1);
        out_.body.reserve(literals);
        each([&](auto a) {
            out_.head.push_back(number_[a]);
            for (const auto l : body) out_.body.push_back(2 * number_[l >> 1] + (l & 1));
            out_.first_literal.push_back(static_cast<std::uint32_t>(out_.body.size()));
        });
    }

    std::uint32_t final_atom(std::uint32_t a) const {
        if (a == kNone || rules_.fate[a] == Fate::never) return kNever;
        return rules_.fate[a] == Fate::always ? kAlways : number_[a];
    }

    void write_outputs() {
        for (const auto f : fluents_) out_.next.push_back(final_atom(rules_.first_next() + f));
        for (const auto m : moves_) out_.legal.push_back(final_atom(rules_.first_legal() + m));
        out_.terminal = final_atom(rules_.terminal);
        each_value(keyword::goal, rules_.goal, [&](auto role, auto value, auto atom) {
            out_.goals.push_back({role, sheet_.integer(value), final_atom(atom)});
        });
        std::ranges::sort(out_.goals, {}, [](const GroundGoal& g) { return std::pair(g.role, g.value); });
        std::vector<std::pair<std::string, GroundPercept>> percepts;
        each_value(keyword::sees, rules_.sees, [&](auto role, auto value, auto atom) {
            percepts.push_back({sheet_.kif(value), {role, 0, final_atom(atom)}});
            out_.percept_names.push_back(percepts.back().first);
        });
        std::ranges::sort(out_.percept_names);
        const auto repeated = std::ranges::unique(out_.percept_names);
        out_.percept_names.erase(repeated.begin(), repeated.end());
        for (auto& [name, percept] : percepts) {
            const auto place = std::ranges::lower_bound(out_.percept_names, name);
            percept.percept = static_cast<std::uint32_t>(place - out_.percept_names.begin());
            out_.sees.push_back(percept);
        }
        std::ranges::sort(out_.sees, {}, [](const GroundPercept& s) { return std::pair(s.role, s.percept); });
    }

    Datalog& sheet_;
    const RawRules& rules_;
    const std::vector<bool>& init_;
    Meter& meter_;
    GroundRules out_;
    std::vector<std::uint32_t> number_;           // the final number of each atom
    std::vector<std::uint32_t> fluents_, moves_;  // in their final order
    std::vector<std::uint32_t> first_rule_, by_head_, waiting_;
    std::vector<bool> needed_;
};

}  // namespace

void settle_fates(RawRules& rules, const std::vector<bool>& init, Meter& meter) { Settler(rules, init, meter).run(); }

GroundRules number_rules(Datalog& sheet, const RawRules& rules, const std::vector<bool>& init, Meter& meter) {
    return Numberer(sheet, rules, init, meter).run();
}

}  // namespace zermelo::gdl
