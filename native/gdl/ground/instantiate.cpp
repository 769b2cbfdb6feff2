#include "gdl/ground/instantiate.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>

#include "gdl/ground/split.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::uint32_t kLeftOut = kNone;  // a literal that holds anyway
constexpr std::size_t kMaxLiterals = 1u << 30;

class Instantiator {
public:
    Instantiator(Datalog& sheet, Meter& meter) : sheet_(sheet), meter_(meter), splitter_(sheet, meter) {}

    RawRules run() {
        number_atoms();
        for (auto& view : sheet_.views()) view->catch_up(sheet_.relation(view->relation()), sheet_.terms());
        for (const auto& group : sheet_.rule_order()) {
            for (const auto r : group) {
                const auto& rule = sheet_.rules()[r];
                if (sheet_.predicates()[rule.predicate].dynamic) take(rule);
            }
            for (const auto r : group) close(sheet_.rules()[r].predicate);
        }
        for (std::uint32_t a = out_.first_next(); a < out_.first_legal() + out_.moves; ++a)
            if (out_.fate[a] == Fate::open) settle(a, Fate::never);
        return std::move(out_);
    }

    struct Emit;

private:
    // Atoms of a predicate, by rows of its relation.
    struct Atoms {
        std::uint32_t relation = 0;
        std::vector<std::uint32_t> of_row;
        bool grows = false;  // an auxiliary predicate, whose rows are made with its rules
    };

    std::uint32_t new_atoms(std::uint32_t count, Fate fate) {
        const auto first = static_cast<std::uint32_t>(out_.fate.size());
        if (out_.fate.size() + count > (1u << 30)) throw TooLarge("more than 2^30 atoms");
        out_.fate.resize(out_.fate.size() + count, fate);
        used_.resize(out_.fate.size());
        return first;
    }

    void number(std::uint32_t predicate, std::uint32_t first) {
        auto& atoms = atoms_[predicate].of_row;
        atoms.resize(sheet_.relation_of(predicate).size());
        for (std::uint32_t i = 0; i < atoms.size(); ++i) atoms[i] = first + i;
    }

    void number_atoms() {
        atoms_.resize(sheet_.predicates().size());
        for (std::uint32_t p = 0; p < atoms_.size(); ++p) atoms_[p].relation = sheet_.predicates()[p].relation;
        out_.fluents = sheet_.relation_of(keyword::fluent).size();
        out_.moves = sheet_.relation_of(keyword::move).size();
        new_atoms(out_.fluents + out_.moves, Fate::ruled);
        new_atoms(out_.fluents + out_.moves, Fate::open);
        number(keyword::fluent, 0);
        number(keyword::move, out_.fluents);
        number(keyword::next, out_.first_next());
        number(keyword::legal, out_.first_legal());
        for (std::uint32_t p = 0; p < atoms_.size(); ++p) {
            if (!sheet_.predicates()[p].dynamic || (p >= keyword::fluent && p <= keyword::legal)) continue;
            const auto count = sheet_.relation_of(p).size();
            number(p, new_atoms(count, Fate::open));
        }
        if (!atoms_[keyword::terminal].of_row.empty()) out_.terminal = atoms_[keyword::terminal].of_row[0];
        out_.goal = atoms_[keyword::goal].of_row;
        out_.sees = atoms_[keyword::sees].of_row;
        find_roles_of_moves();
    }

    void find_roles_of_moves() {
        for (std::uint32_t m = 0; m < out_.moves; ++m) {
            const auto role = sheet_.relation_of(keyword::move).row(m).first(1);
            out_.role_of_move.push_back(sheet_.relation_of(keyword::role).find(role));
            if (out_.role_of_move.back() == kNone) settle(out_.fluents + m, Fate::never);
        }
    }

    void settle(std::uint32_t atom, Fate fate) {
        out_.fate[atom] = fate;
        if (used_[atom]) out_.stale = true;
    }

    // After the last rule of a predicate: its atoms without rules never hold.
    void close(std::uint32_t predicate) {
        for (const auto atom : atoms_[predicate].of_row)
            if (out_.fate[atom] == Fate::open) settle(atom, Fate::never);
    }

    struct Pending {
        Rule rule;
        std::string text;  // of a part
        bool projected = false;
    };

    // Instances of a rule, after cutting it as long as that pays. Parts are cut in turn; a part is finished before
    // the rule that reads it is looked at again, so that its true size is known.
    void take(const Rule& written) {
        std::vector<Pending> waiting{{written, {}}};
        while (!waiting.empty()) {
            if (auto cut = splitter_.best_cut(waiting.back().rule)) {
                auto text = fingerprint(cut->part);
                if (replace(waiting.back().rule, *cut, text))
                    waiting.push_back({std::move(cut->part), std::move(text)});
                continue;
            }
            // Projections join what a cut might have kept apart, so cuts come first.
            if (!waiting.back().projected) {
                splitter_.project_statics(waiting.back().rule);
                waiting.back().projected = true;
                continue;
            }
            const auto& [rule, text, projected] = waiting.back();
            emit(rule);
            if (atoms_[rule.predicate].grows) {
                close(rule.predicate);
                parts_.emplace(text, rule.predicate);
                sheet_.catch_up(sheet_.plain_view(atoms_[rule.predicate].relation));
            }
            waiting.pop_back();
        }
    }

    // Puts the head of a part in the place of its literals; false if an equal part exists already.
    bool replace(Rule& rule, Cut& cut, const std::string& text) {
        auto& part = cut.part;
        const auto place = parts_.find(text);
        const bool is_new = place == parts_.end();
        const auto predicate = is_new ? static_cast<std::uint32_t>(atoms_.size()) : place->second;
        if (is_new) {
            Atoms atoms;
            atoms.grows = true;
            atoms.relation = sheet_.add_relation(static_cast<std::uint32_t>(part.head_variables.size()));
            atoms_.push_back(std::move(atoms));
            part.predicate = predicate;
            for (const auto v : part.head_variables) part.head.results.push_back({Operand::variable, v});
        }
        Lit lit;
        lit.use = Use::atom;
        lit.predicate = predicate;
        lit.view = sheet_.plain_view(atoms_[predicate].relation);
        lit.variables = part.head_variables;
        std::vector<Lit> body;
        for (std::uint32_t i = 0; i < rule.body.size(); ++i)
            if (std::ranges::find(cut.replaced, i) == cut.replaced.end()) body.push_back(std::move(rule.body[i]));
        body.push_back(std::move(lit));
        rule.body = std::move(body);
        return is_new;
    }

    // The same for parts that differ in the names of variables only (if they are written in the same order).
    static std::string fingerprint(const Rule& part) {
        std::vector<std::uint32_t> seen;
        std::string text;
        const auto put = [&](std::uint32_t number) { text += std::to_string(number) + ' '; };
        const auto variable = [&](std::uint32_t v) {
            const auto at = std::ranges::find(seen, v) - seen.begin();
            if (at == static_cast<std::ptrdiff_t>(seen.size())) seen.push_back(v);
            put(static_cast<std::uint32_t>(at));
        };
        const auto operand = [&](const Operand& o) {
            put(o.kind);
            o.kind == Operand::variable ? variable(o.value) : put(o.value);
        };
        for (const auto v : part.head_variables) variable(v);
        for (const auto& lit : part.body) {
            put(static_cast<std::uint32_t>(lit.use));
            if (lit.use == Use::distinct) {
                for (const auto& op : lit.terms.ops) put(op.name), put(op.count);
                for (const auto& o : lit.terms.operands) operand(o);
                for (const auto& o : lit.terms.results) operand(o);
            } else {
                put(lit.predicate);
                put(lit.view);
                for (const auto v : lit.variables) variable(v);
            }
        }
        return text;
    }

    void emit(const Rule& rule);

    Datalog& sheet_;
    Meter& meter_;
    Splitter splitter_;
    RawRules out_;
    std::vector<Atoms> atoms_;
    std::vector<bool> used_;
    std::map<std::string, std::uint32_t> parts_;
    Workspace space_;
};

// Writes down instances.
struct Instantiator::Emit {
    Instantiator& to;
    const Plan& plan;
    const Rule& rule;
    std::vector<std::uint32_t> emitted;  // literals that may become part of a ground rule
    std::vector<Literal> literal;        // for each literal of the body
    std::vector<std::uint32_t> row;
    std::vector<Literal> body;
    std::uint32_t head = kNone;

    Emit(Instantiator& instantiator, const Plan& p, const Rule& r)
        : to(instantiator), plan(p), rule(r), literal(r.body.size(), kLeftOut) {
        for (std::uint32_t i = 0; i < r.body.size(); ++i)
            if (r.body[i].use == Use::atom || r.body[i].use == Use::negated) emitted.push_back(i);
    }

    bool match(std::uint32_t i, std::uint32_t at) {
        const auto& lit = rule.body[i];
        if (lit.use != Use::atom && lit.use != Use::negated) return true;
        const auto atom = at == kNone ? kNone : to.atoms_[lit.predicate].of_row[at];
        const auto fate = at == kNone ? Fate::never : to.out_.fate[atom];
        const bool negated = lit.use == Use::negated;
        if (fate == (negated ? Fate::always : Fate::never)) return false;
        literal[i] = fate == Fate::always || fate == Fate::never ? kLeftOut : 2 * atom + negated;
        return true;
    }

    bool enter(std::uint32_t bound) {
        if (bound == plan.head_from) head = kNone;
        return true;
    }

    int leaf() {
        const auto again = static_cast<int>(plan.levels.size()) - 1;
        if (head == kNone) find_head();
        if (to.out_.fate[head] == Fate::always) return static_cast<int>(plan.head_from) - 1;
        body.clear();
        for (const auto i : emitted)
            if (literal[i] != kLeftOut && !add(literal[i])) return again;
        if (body.empty()) {
            to.settle(head, Fate::always);
            return static_cast<int>(plan.head_from) - 1;
        }
        write();
        return again;
    }

    void find_head() {
        auto& atoms = to.atoms_[rule.predicate];
        auto& relation = to.sheet_.relation(atoms.relation);
        rule.head.make(to.sheet_.terms(), to.space_.values, to.space_.scratch, row);
        auto at = relation.find(row);
        if (at == kNone) {
            if (!atoms.grows) throw std::logic_error("an instance has a head that is not possible");
            at = relation.insert(row).first;
            atoms.of_row.push_back(to.new_atoms(1, Fate::open));
        }
        head = atoms.of_row[at];
    }

    bool is_move(Literal l) const { return (l >> 1) - to.out_.fluents < to.out_.moves; }
    std::uint32_t role_of(Literal l) const { return to.out_.role_of_move[(l >> 1) - to.out_.fluents]; }

    // False if the body cannot hold with this literal. A role does exactly one move.
    bool add(Literal l) {
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (body[i] == l) return true;
            if ((body[i] ^ 1) == l) return false;
            if (!is_move(l) || !is_move(body[i]) || role_of(l) != role_of(body[i])) continue;
            const bool here = l & 1, there = body[i] & 1;
            if (!here && !there) return false;
            if (here && !there) return true;
            if (there && !here) {
                body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
                --i;
            }
        }
        body.push_back(l);
        return true;
    }

    void write() {
        auto& out = to.out_;
        // Instances that differ in what was left out follow each other.
        if (!out.head.empty() && out.head.back() == head) {
            const auto last = std::span(out.body).subspan(out.first_literal[out.first_literal.size() - 2]);
            if (std::ranges::equal(last, body)) return;
        }
        out.head.push_back(head);
        out.body.insert(out.body.end(), body.begin(), body.end());
        if (out.body.size() > kMaxLiterals) throw TooLarge("more than 2^30 literals");
        out.first_literal.push_back(static_cast<std::uint32_t>(out.body.size()));
        out.fate[head] = Fate::ruled;
        for (const auto l : body) to.used_[l >> 1] = true;
        if (out.head.size() % (1u << 16) == 0) to.meter_.holds(to.sheet_.bytes() + out.bytes());
    }
};

void Instantiator::emit(const Rule& rule) {
    const auto plan = make_plan(rule, sheet_.views(), {kNone, true});
    Emit policy(*this, plan, rule);
    Runner(plan, rule, sheet_.views(), sheet_.terms(), space_, meter_.control(), policy).run();
    meter_.holds(sheet_.bytes() + out_.bytes());
}

}  // namespace

RawRules instantiate(Datalog& sheet, Meter& meter) { return Instantiator(sheet, meter).run(); }

}  // namespace zermelo::gdl
