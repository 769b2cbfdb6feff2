#include "sheet_ground.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <unordered_set>

#include "certificate.hpp"

namespace checker {

namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::size_t kMostInstances = 2'000'000, kMostAlternatives = 100'000, kMostTermDepth = 128;
constexpr std::uint32_t kUnbound = ~std::uint32_t{0};

// A term of a rule: a variable by its slot, a term without variables by its number, or a function around others.
struct Pattern {
    int slot = -1;
    std::uint32_t term = kUnbound, name = 0;
    std::vector<Pattern> arguments = {};
};

struct Atom {
    bool holds;
    std::uint32_t relation;
    std::vector<Pattern> arguments;
};

struct Clause {  // a rule without disjunctions
    Atom head;
    std::vector<Atom> positive, negative;
    std::vector<std::pair<Pattern, Pattern>> distinct;
    std::size_t slots;
};

// The atoms of a relation that are known, and indexes of them by some arguments.
struct Known {
    Words atoms;
    std::map<std::uint64_t, std::unordered_map<Words, Words, WordsHash>> indexes;
};

class Grounder {
public:
    explicit Grounder(const Sheet& sheet) : sheet_(sheet) {}
    Ground run();

private:
    // Terms are numbered as {0, word} or {1, word, arguments...}, atoms as {relation, arguments...}.
    std::uint32_t word(const std::string& text) {
        const auto [at, is_new] = words_.try_emplace(text, std::uint32_t(spelled_.size()));
        if (is_new) spelled_.push_back(text);
        return at->second;
    }
    std::uint32_t relation(const Relation& asked) {
        const auto [at, is_new] = relations_.try_emplace(asked, std::uint32_t(known_.size()));
        if (is_new) known_.emplace_back(), changing_.push_back(asked.first == "true" || asked.first == "does");
        return at->second;
    }
    Term term_of(std::uint32_t number) const {
        const auto& words = terms_.words(number);
        Term term{spelled_[words[1]], {}};
        for (std::size_t i = 2; i < words.size(); ++i) term.arguments.push_back(term_of(words[i]));
        return term;
    }

    Pattern pattern(const Term& term, std::map<std::string, int>& slots) {
        if (term.variable()) return {slots.try_emplace(term.name, int(slots.size())).first->second};
        Pattern made{-1, kUnbound, word(term.name)};
        bool whole = true;
        Words words{term.arguments.empty() ? 0u : 1u, made.name};
        for (const auto& argument : term.arguments) {
            made.arguments.push_back(pattern(argument, slots));
            whole &= made.arguments.back().term != kUnbound;
            words.push_back(made.arguments.back().term);
        }
        if (whole) made.term = number_of(words);
        return made;
    }
    Atom atom(const Literal& literal, std::map<std::string, int>& slots) {
        Atom made{literal.holds, relation(relation_of(literal.atom)), {}};
        for (const auto& argument : literal.atom.arguments) made.arguments.push_back(pattern(argument, slots));
        return made;
    }
    // The alternatives of a body, each a list of literals.
    std::vector<std::vector<Literal>> alternatives(const Body& body) {
        std::vector<std::vector<Literal>> found{body.literals};
        for (const auto& choice : body.choices) {
            std::vector<std::vector<Literal>> longer;
            for (const auto& branch : choice)
                for (const auto& inner : alternatives(branch))
                    for (const auto& before : found) {
                        longer.push_back(before);
                        longer.back().insert(longer.back().end(), inner.begin(), inner.end());
                        if (longer.size() > kMostAlternatives) throw BadInput("a rule has too many alternatives");
                    }
            found = std::move(longer);
        }
        return found;
    }
    void add_clauses(const Rule& rule, std::vector<Clause>& into) {
        for (const auto& literals : alternatives(rule.body)) {
            std::map<std::string, int> slots;
            Clause clause;
            for (const auto& literal : literals) {
                if (literal.atom.name != "distinct") {
                    auto made = atom(literal, slots);
                    (literal.holds ? clause.positive : clause.negative).push_back(std::move(made));
                } else {
                    auto one = pattern(literal.atom.arguments[0], slots);
                    clause.distinct.emplace_back(std::move(one), pattern(literal.atom.arguments[1], slots));
                }
            }
            clause.head = atom({true, rule.head}, slots);
            clause.slots = slots.size();
            into.push_back(std::move(clause));
        }
    }

    std::uint32_t number_of(const Words& words) {
        const auto before = terms_.size();
        const auto number = terms_.number(words);
        if (number == before) {
            std::uint32_t depth = 0;
            for (std::size_t i = 2; i < words.size(); ++i) depth = std::max(depth, depths_[words[i]] + 1);
            if (depth > kMostTermDepth) throw BadInput("terms grow without end");
            depths_.push_back(depth);
        }
        return number;
    }
    std::uint32_t build(const Pattern& pattern, const Words& values) {
        if (pattern.slot >= 0) return values[std::size_t(pattern.slot)];
        if (pattern.term != kUnbound) return pattern.term;
        Words words{1, pattern.name};
        for (const auto& argument : pattern.arguments) words.push_back(build(argument, values));
        return number_of(words);
    }
    Words build(const Atom& atom, const Words& values) {
        Words words{atom.relation};
        for (const auto& argument : atom.arguments) words.push_back(build(argument, values));
        return words;
    }
    bool bound(const Pattern& pattern, const Words& values) const {
        if (pattern.slot >= 0) return values[std::size_t(pattern.slot)] != kUnbound;
        return pattern.term != kUnbound ||
               std::ranges::all_of(pattern.arguments, [&](const auto& part) { return bound(part, values); });
    }
    bool match(const Pattern& pattern, std::uint32_t term, Words& values) const {
        if (pattern.slot >= 0) {
            auto& value = values[std::size_t(pattern.slot)];
            if (value == kUnbound) value = term;
            return value == term;
        }
        if (pattern.term != kUnbound) return pattern.term == term;
        const auto& words = terms_.words(term);
        if (words.size() != pattern.arguments.size() + 2 || words[1] != pattern.name) return false;
        for (std::size_t i = 0; i < pattern.arguments.size(); ++i)
            if (!match(pattern.arguments[i], words[i + 2], values)) return false;
        return true;
    }

    // The known atoms that may be a literal's, by the arguments that have values.
    const Words& candidates(const Atom& literal, const Words& values) {
        auto& known = known_[literal.relation];
        std::uint64_t given = 0;
        Words key;
        for (std::size_t i = 0; i < literal.arguments.size() && i < 64; ++i)
            if (bound(literal.arguments[i], values))
                given |= 1ull << i, key.push_back(build(literal.arguments[i], values));
        if (!given) return known.atoms;
        auto [index, is_new] = known.indexes.try_emplace(given);
        if (is_new)
            for (const auto atom : known.atoms) enter(index->second, given, atom);
        static const Words kNone;
        const auto found = index->second.find(key);
        return found == index->second.end() ? kNone : found->second;
    }
    void enter(std::unordered_map<Words, Words, WordsHash>& index, std::uint64_t given, std::uint32_t atom) {
        Words key;
        for (std::size_t i = 0; i + 1 < atoms_.words(atom).size() && i < 64; ++i)
            if (given >> i & 1) key.push_back(atoms_.words(atom)[i + 1]);
        index[key].push_back(atom);
    }
    void activate(std::uint32_t atom) {
        if (active_.size() <= atom) active_.resize(atoms_.size());
        if (active_[atom]) return;
        active_[atom] = true;
        auto& known = known_[atoms_.words(atom)[0]];
        known.atoms.push_back(atom);
        for (auto& [given, index] : known.indexes) enter(index, given, atom);
    }
    bool is_active(const Words& words) const {
        const auto* found = atoms_.find(words);
        return found && *found < active_.size() && active_[*found];
    }

    // Finds all values for which the literals from a set of places on hold, with the fewest candidates first.
    void join(const Clause& clause, std::uint64_t left, const Words& values, std::vector<Words>& found) {
        for (const auto& [one, other] : clause.distinct)
            if (bound(one, values) && bound(other, values) && build(one, values) == build(other, values)) return;
        std::size_t best = clause.positive.size();
        const Words* fewest = nullptr;
        for (std::size_t i = 0; i < clause.positive.size(); ++i) {
            if (!(left >> i & 1)) continue;
            const auto& some = candidates(clause.positive[i], values);
            if (!fewest || some.size() < fewest->size()) fewest = &some, best = i;
        }
        if (!fewest) {
            for (const auto& literal : clause.negative)
                if (!changing_[literal.relation] && is_active(build(literal, values))) return;
            found.push_back(values);
            return;
        }
        const Words some = *fewest;  // indexes may grow meanwhile
        for (const auto atom : some) extend(clause, left, best, atom, values, found);
    }
    void extend(const Clause& clause, std::uint64_t left, std::size_t place, std::uint32_t atom, Words values,
                std::vector<Words>& found) {
        const auto& literal = clause.positive[place];
        for (std::size_t i = 0; i < literal.arguments.size(); ++i)
            if (!match(literal.arguments[i], atoms_.words(atom)[i + 1], values)) return;
        join(clause, left & ~(1ull << place), values, found);
    }

    // Applies clauses until they give nothing new. Where instances are asked for, they are noted.
    void saturate(const std::vector<Clause>& clauses, bool noted);
    void note(const std::vector<Clause>& clauses, std::size_t which, const std::vector<Words>& found, bool noted,
              std::deque<std::uint32_t>& waiting);
    void add_alike(std::uint32_t atom, std::deque<std::uint32_t>& waiting);

    void classify();
    void collect(Ground& made, const std::vector<Clause>& clauses);
    std::vector<Step> steps(const std::vector<GroundRule>& rules, const std::vector<bool>& with_moves,
                            std::vector<Step>& of_moves) const;

    const Sheet& sheet_;
    std::unordered_map<std::string, std::uint32_t> words_;
    std::vector<std::string> spelled_;
    Interned terms_, atoms_;
    std::vector<std::uint32_t> depths_;
    std::map<Relation, std::uint32_t> relations_;
    std::vector<Known> known_;
    std::vector<bool> changing_;  // by relation: whether it rests on state or moves
    std::vector<bool> active_;    // by atom
    std::vector<std::size_t> needed_, fixed_;
    struct Instance {
        std::size_t clause;
        Words values;
    };
    std::vector<Instance> instances_;
    std::unordered_set<Words, WordsHash> seen_;
};

void Grounder::note(const std::vector<Clause>& clauses, std::size_t which, const std::vector<Words>& found, bool noted,
                    std::deque<std::uint32_t>& waiting) {
    for (const auto& values : found) {
        if (noted) {
            auto mark = values;
            mark.push_back(std::uint32_t(which));
            if (!seen_.insert(std::move(mark)).second) continue;
            if (instances_.size() == kMostInstances) throw BadInput("without variables the sheet is too large");
            instances_.push_back({which, values});
        }
        const auto head = atoms_.number(build(clauses[which].head, values));
        if (head > kMostInstances) throw BadInput("without variables the sheet is too large");
        waiting.push_back(head);
    }
}

// A fact that can be next can be true, a move that can be legal can be made.
void Grounder::add_alike(std::uint32_t atom, std::deque<std::uint32_t>& waiting) {
    const auto words = atoms_.words(atom);
    const auto copy = [&](const Relation& from, const Relation& to) {
        if (words[0] != relation(from)) return;
        auto other = words;
        other[0] = relation(to);
        waiting.push_back(atoms_.number(other));
    };
    copy({"init", 1}, {"true", 1});
    copy({"next", 1}, {"true", 1});
    copy({"legal", 2}, {"does", 2});
}

void Grounder::saturate(const std::vector<Clause>& clauses, bool noted) {
    std::deque<std::uint32_t> waiting;
    std::map<std::uint32_t, std::vector<std::pair<std::size_t, std::size_t>>> asking;  // relation: clause, literal
    for (std::size_t which = 0; which < clauses.size(); ++which) {
        const auto& clause = clauses[which];
        if (clause.positive.size() > 64) throw BadInput("a rule has more than 64 conditions");
        bool possible = true;
        for (std::size_t i = 0; i < clause.positive.size(); ++i) {
            asking[clause.positive[i].relation].emplace_back(which, i);
            possible &= !known_[clause.positive[i].relation].atoms.empty();
        }
        if (!possible) continue;
        std::vector<Words> found;
        const auto all = clause.positive.size() == 64 ? ~0ull : (1ull << clause.positive.size()) - 1;
        join(clause, all, Words(clause.slots, kUnbound), found);
        note(clauses, which, found, noted, waiting);
    }
    if (noted)
        for (const auto atom : Words(known_[relation({"init", 1})].atoms)) add_alike(atom, waiting);
    while (!waiting.empty()) {
        const auto atom = waiting.front();
        waiting.pop_front();
        if (atom < active_.size() && active_[atom]) continue;
        activate(atom);
        if (noted) add_alike(atom, waiting);
        const auto here = asking.find(atoms_.words(atom)[0]);
        if (here == asking.end()) continue;
        for (const auto& [which, place] : here->second) {
            std::vector<Words> found;
            const auto& clause = clauses[which];
            const auto all = clause.positive.size() == 64 ? ~0ull : (1ull << clause.positive.size()) - 1;
            extend(clause, all, place, atom, Words(clause.slots, kUnbound), found);
            note(clauses, which, found, noted, waiting);
        }
    }
}

// Which rules matter to play, and which relations rest on state or moves.
void Grounder::classify() {
    std::map<Relation, std::vector<std::size_t>> stating;
    for (std::size_t i = 0; i < sheet_.rules.size(); ++i) stating[relation_of(sheet_.rules[i].head)].push_back(i);
    std::vector<Relation> waiting = {{"role", 1}, {"init", 1}, {"legal", 2}, {"next", 1}, {"terminal", 0}, {"goal", 2}};
    std::set<Relation> reached(waiting.begin(), waiting.end());
    while (!waiting.empty()) {
        const auto at = waiting.back();
        waiting.pop_back();
        relation(at);
        for (const auto rule : stating[at]) {
            needed_.push_back(rule);
            for (const auto& literal : sheet_.rules[rule].literals)
                if (reached.insert(relation_of(literal.atom)).second) waiting.push_back(relation_of(literal.atom));
        }
    }
    std::ranges::sort(needed_);
    for (const auto& always : {Relation{"legal", 2}, Relation{"next", 1}, Relation{"terminal", 0}, Relation{"goal", 2}})
        changing_[relation(always)] = true;
    for (bool more = true; more;) {
        more = false;
        for (const auto number : needed_) {
            const auto head = relation(relation_of(sheet_.rules[number].head));
            const bool changes = std::ranges::any_of(sheet_.rules[number].literals, [&](const Literal& one) {
                return changing_[relation(relation_of(one.atom))];
            });
            if (changes && !changing_[head]) changing_[head] = more = true;
        }
    }
}

Ground Grounder::run() {
    classify();
    const std::set<std::size_t> needed(needed_.begin(), needed_.end());
    std::vector<Clause> facts, changing;
    for (const auto number : needed_) {
        const bool changes = changing_[relation(relation_of(sheet_.rules[number].head))];
        if (changes) add_clauses(sheet_.rules[number], changing);
        else if (sheet_.rules[number].fact) add_clauses(sheet_.rules[number], facts);
    }
    saturate(facts, false);
    for (const auto& group : groups_of_rules(sheet_)) {
        std::vector<std::size_t> rules;
        for (const auto rule : group)
            if (needed.contains(rule) && !changing_[relation(relation_of(sheet_.rules[rule].head))])
                rules.push_back(rule);
        if (rules.empty()) continue;
        for (const auto& stratum : strata(sheet_, rules)) {
            std::vector<Clause> clauses;
            for (const auto rule : stratum) add_clauses(sheet_.rules[rule], clauses);
            saturate(clauses, false);
        }
    }
    saturate(changing, true);
    Ground made;
    collect(made, changing);
    return made;
}

void Grounder::collect(Ground& made, const std::vector<Clause>& clauses) {
    std::vector<GroundRule> rules;
    for (const auto& [which, values] : instances_) {
        GroundRule rule{atoms_.number(build(clauses[which].head, values)), {}, {}};
        for (const auto& literal : clauses[which].positive)
            if (changing_[literal.relation]) rule.holds.push_back(atoms_.number(build(literal, values)));
        for (const auto& literal : clauses[which].negative)
            if (const auto words = build(literal, values); changing_[literal.relation] && is_active(words))
                rule.fails.push_back(atoms_.number(words));
        if (rule.holds.empty() && rule.fails.empty()) made.always.push_back(rule.head);
        else rules.push_back(std::move(rule));
    }
    made.atoms = atoms_.size();
    // What rests on moves: whatever a rule gives from a move, or from something that rests on one.
    std::vector<bool> with_moves(made.atoms);
    for (const auto atom : known_[relation({"does", 2})].atoms) with_moves[atom] = true;
    for (bool more = true; more;) {
        more = false;
        for (const auto& rule : rules) {
            const auto moved = [&](std::uint32_t atom) { return with_moves[atom]; };
            if (with_moves[rule.head] ||
                (std::ranges::none_of(rule.holds, moved) && std::ranges::none_of(rule.fails, moved)))
                continue;
            with_moves[rule.head] = more = true;
        }
    }
    made.of_state = steps(rules, with_moves, made.of_moves);

    const auto argument = [&](std::uint32_t atom, std::size_t place) { return atoms_.words(atom)[place + 1]; };
    for (const auto& rule : sheet_.rules)
        if (relation_of(rule.head) == Relation{"role", 1} && rule.fact)
            if (const auto role = text_of(rule.head.arguments[0]); !std::ranges::count(made.roles, role))
                made.roles.push_back(role);
    std::set<std::string> derived;
    for (const auto atom : known_[relation({"role", 1})].atoms) derived.insert(text_of(term_of(argument(atom, 0))));
    for (const auto& role : derived)
        if (!std::ranges::count(made.roles, role)) made.roles.push_back(role);

    std::vector<std::pair<std::string, std::uint32_t>> facts;
    for (const auto atom : known_[relation({"true", 1})].atoms)
        facts.emplace_back(text_of(term_of(argument(atom, 0))), atom);
    std::ranges::sort(facts);
    std::map<std::uint32_t, std::uint32_t> places;
    for (const auto& [text, atom] : facts) {
        places[argument(atom, 0)] = std::uint32_t(made.facts.size());
        made.facts.push_back(text);
        made.fact_atoms.push_back(atom);
    }
    for (const auto atom : known_[relation({"init", 1})].atoms) made.start.push_back(places.at(argument(atom, 0)));
    for (const auto atom : known_[relation({"next", 1})].atoms)
        made.next.emplace_back(atom, places.at(argument(atom, 0)));
    made.terminal = known_[relation({"terminal", 0})].atoms;
    const auto pairs = [&](const Relation& which, std::vector<Ground::Pair>& into) {
        for (const auto atom : known_[relation(which)].atoms) {
            auto term = term_of(argument(atom, 1));
            const auto role = text_of(term_of(argument(atom, 0)));
            Words done = atoms_.words(atom);
            done[0] = relation({"does", 2});
            const auto* number = atoms_.find(done);
            into.push_back({role, text_of(term), std::move(term), atom, number ? *number : atom});
        }
        std::ranges::sort(into, {}, [](const Ground::Pair& pair) { return pair.text; });
    };
    pairs({"legal", 2}, made.legal);
    pairs({"goal", 2}, made.goal);
}

// Atoms in an order in which they can be worked out, each with its rules.
std::vector<Step> Grounder::steps(const std::vector<GroundRule>& rules, const std::vector<bool>& with_moves,
                                  std::vector<Step>& of_moves) const {
    std::vector<std::vector<std::uint32_t>> graph(atoms_.size());
    std::vector<std::vector<const GroundRule*>> stating(atoms_.size());
    for (const auto& rule : rules) {
        stating[rule.head].push_back(&rule);
        graph[rule.head].insert(graph[rule.head].end(), rule.holds.begin(), rule.holds.end());
        graph[rule.head].insert(graph[rule.head].end(), rule.fails.begin(), rule.fails.end());
    }
    std::vector<Step> of_state;
    std::vector<bool> inside(atoms_.size());
    for (const auto& group : connected_groups(graph)) {
        Step step{false, group, {}};
        for (const auto atom : group) inside[atom] = true;
        for (const auto atom : group)
            for (const auto* rule : stating[atom]) {
                step.rules.push_back(*rule);
                step.circle |= std::ranges::any_of(rule->holds, [&](auto other) { return inside[other]; });
                if (std::ranges::any_of(rule->fails, [&](auto other) { return inside[other]; }))
                    throw BadInput("an atom depends on its own negation");
            }
        for (const auto atom : group) inside[atom] = false;
        if (!step.rules.empty()) (with_moves[group[0]] ? of_moves : of_state).push_back(std::move(step));
    }
    return of_state;
}

}  // namespace

std::uint32_t Interned::number(const std::vector<std::uint32_t>& words) {
    const auto [at, is_new] = numbers_.try_emplace(words, std::uint32_t(list_.size()));
    if (is_new) list_.push_back(&at->first);
    return at->second;
}

const std::uint32_t* Interned::find(const std::vector<std::uint32_t>& words) const {
    const auto at = numbers_.find(words);
    return at == numbers_.end() ? nullptr : &at->second;
}

Ground ground(const Sheet& sheet) { return Grounder(sheet).run(); }

}  // namespace checker
