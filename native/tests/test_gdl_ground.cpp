// Grounder and interpreter: both against a reasoner that tries every instance, on random programs; what the ground
// rules look like on small rulesheets; and limits.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdl/ground/grounder.hpp"
#include "gdl/datalog/interpreter.hpp"
#include "zermelo/random.hpp"

#include "check.hpp"
#include "written_rules.hpp"

using namespace zermelo;
using namespace zermelo::gdl;
using testing::read;

namespace {

// Ground rules evaluated by going through them until nothing changes, stratum by stratum.
class Ground {
public:
    explicit Ground(GroundRules rules) : rules_(std::move(rules)), rules_of_(rules_.atoms) {
        std::vector<std::vector<std::uint32_t>> reads(rules_.atoms);
        for (std::uint32_t r = 0; r < rules_.head.size(); ++r) {
            CHECK(rules_.head[r] >= rules_.fluents() + rules_.moves() && rules_.head[r] < rules_.atoms);
            CHECK(rules_.first_literal[r] < rules_.first_literal[r + 1]);
            rules_of_[rules_.head[r]].push_back(r);
            for (auto i = rules_.first_literal[r]; i < rules_.first_literal[r + 1]; ++i)
                reads[rules_.head[r]].push_back(rules_.body[i] >> 1);
        }
        const auto first_derived = rules_.fluents() + rules_.moves();
        for (auto atom = first_derived; atom < rules_.atoms; ++atom) CHECK(!rules_of_[atom].empty());
        CHECK(rules_.next.size() == rules_.fluents() && rules_.legal.size() == rules_.moves());
        CHECK(rules_.first_move.size() == rules_.role_names.size() + 1 && rules_.first_move.back() == rules_.moves());
        order_ = strong_components(reads);
    }

    const GroundRules& rules() const { return rules_; }

    void set(const std::set<std::string>& state, const std::vector<std::string>& moves) {
        holds_.assign(rules_.atoms, false);
        for (const auto& fact : state) {
            const auto at = std::ranges::find(rules_.fluent_names, fact);
            CHECK(at != rules_.fluent_names.end());
            holds_[static_cast<std::size_t>(at - rules_.fluent_names.begin())] = true;
        }
        for (std::size_t r = 0; r < moves.size(); ++r)
            for (auto m = rules_.first_move[r]; m < rules_.first_move[r + 1]; ++m)
                if (rules_.move_names[m] == moves[r]) holds_[rules_.fluents() + m] = true;
        for (const auto& group : order_)
            for (bool changed = true; changed;) {
                changed = false;
                for (const auto atom : group)
                    if (!holds_[atom] && std::ranges::any_of(rules_of_[atom], [&](auto r) { return fires(r); }))
                        changed = holds_[atom] = true;
            }
    }

    bool holds(std::uint32_t atom) const { return atom == kAlways || (atom != kNever && holds_[atom]); }
    std::set<std::string> start() const {
        std::set<std::string> state;
        for (std::uint32_t f = 0; f < rules_.fluents(); ++f)
            if (rules_.init[f]) state.insert(rules_.fluent_names[f]);
        return state;
    }
    std::set<std::string> next() const {
        std::set<std::string> state;
        for (std::uint32_t f = 0; f < rules_.fluents(); ++f)
            if (holds(rules_.next[f])) state.insert(rules_.fluent_names[f]);
        return state;
    }
    std::set<std::string> legal(std::uint32_t role) const {
        std::set<std::string> moves;
        for (auto m = rules_.first_move[role]; m < rules_.first_move[role + 1]; ++m)
            if (holds(rules_.legal[m])) moves.insert(rules_.move_names[m]);
        return moves;
    }
    std::set<std::int64_t> goals(std::uint32_t role) const {
        std::set<std::int64_t> values;
        for (const auto& goal : rules_.goals)
            if (goal.role == role && holds(goal.atom)) values.insert(goal.value);
        return values;
    }
    std::set<std::string> sees(std::uint32_t role) const {
        std::set<std::string> percepts;
        for (const auto& percept : rules_.sees)
            if (percept.role == role && holds(percept.atom)) percepts.insert(rules_.percept_names[percept.percept]);
        return percepts;
    }

private:
    bool fires(std::uint32_t r) const {
        for (auto i = rules_.first_literal[r]; i < rules_.first_literal[r + 1]; ++i)
            if (holds_[rules_.body[i] >> 1] == ((rules_.body[i] & 1) != 0)) return false;
        return true;
    }

    GroundRules rules_;
    std::vector<std::vector<std::uint32_t>> rules_of_, order_;
    std::vector<bool> holds_;
};

Ground ground_of(std::string_view text) {
    Control control;
    auto rules = ground(read(text), control);
    CHECK(control.bytes() == 0);
    return Ground(std::move(rules));
}

std::set<std::string> names_of(const Interpreter& game, const std::vector<Interpreter::Id>& terms) {
    std::set<std::string> names;
    for (const auto term : terms) names.insert(game.name(term));
    return names;
}

// What holds in a state, by trying every instance of every rule over three constants again and again. Shares nothing
// with the code under test. Negation alternates as in Van Gelder 1989; the random sheets are stratified, so it ends.
class Brute {
public:
    explicit Brute(const Program& program) : program_(program) {
        for (const auto& rule : program.rules) {
            std::size_t instances = 1;
            for (std::uint32_t v = 0; v < rule.variables; ++v) instances *= 3;
            for (std::size_t i = 0; i < instances; ++i) add(rule, i);
        }
    }

    std::set<std::string> model(const std::set<std::string>& facts) const {
        std::set<std::string> last, now = closure(facts, {});
        while (now != last) last = std::exchange(now, closure(facts, now));
        return now;
    }

private:
    struct Instance {
        std::string head;
        std::vector<std::pair<bool, std::string>> body;
    };

    std::string text(Term term, std::size_t values) const {
        const auto& node = program_.nodes[term];
        if (node.name < 0) {
            for (auto v = -1 - node.name; v > 0; --v) values /= 3;
            return std::string(1, "abc"[values % 3]);
        }
        std::string out = program_.names[static_cast<std::size_t>(node.name)];
        for (std::uint32_t i = 0; i < node.arg_count; ++i) out += " " + text(program_.args[node.first_arg + i], values);
        return node.arg_count ? "(" + out + ")" : out;
    }
    void add(const ProgramRule& rule, std::size_t values) {
        Instance instance{text(rule.head, values), {}};
        for (const auto& literal : rule.body) {
            const auto first = program_.nodes[literal.atom].first_arg;
            if (literal.sign != Sign::distinct)
                instance.body.emplace_back(literal.sign == Sign::holds, text(literal.atom, values));
            else if (text(program_.args[first], values) == text(program_.args[first + 1], values)) return;
        }
        instances_.push_back(std::move(instance));
    }
    std::set<std::string> closure(std::set<std::string> holds, const std::set<std::string>& assumed) const {
        for (bool changed = true; changed;) {
            changed = false;
            const auto granted = [&](const std::pair<bool, std::string>& literal) {
                return literal.first ? holds.contains(literal.second) : !assumed.contains(literal.second);
            };
            for (const auto& [head, body] : instances_)
                if (std::ranges::all_of(body, granted)) changed |= holds.insert(head).second;
        }
        return holds;
    }

    const Program& program_;
    std::vector<Instance> instances_;
};

void check_against_brute(const Program& program, std::uint64_t seed) {
    testing::running_seed = seed;
    Control control;
    const Brute brute(program);
    Interpreter game(program, control);
    Random random(seed);
    auto state = game.start();
    for (int step = 0; step < 4; ++step) {
        std::set<std::string> facts;
        for (const auto fact : state) facts.insert("(true " + game.name(fact) + ")");
        const auto now = brute.model(facts);
        CHECK(now.contains("terminal") == game.terminal(state, control));
        const auto legal = game.legal(state, control);
        std::vector<Interpreter::Id> moves;
        std::size_t said = 0, so = 0;
        for (std::uint32_t r = 0; r < game.roles(); ++r) {
            const auto start = "(legal " + game.role_names()[r] + " ";
            for (const auto move : legal[r]) CHECK(now.contains(start + game.name(move) + ")"));
            said += legal[r].size();
            moves.push_back(legal[r][random.below(static_cast<std::uint32_t>(legal[r].size()))]);
            facts.insert("(does " + game.role_names()[r] + " " + game.name(moves.back()) + ")");
        }
        const auto goals = game.goals(state, control);
        for (const auto value : goals[0]) CHECK(now.contains("(goal r " + std::to_string(value) + ")"));
        for (const auto& atom : now) so += atom.starts_with("(legal ");
        CHECK(said == so);
        const auto after = brute.model(facts);
        state = game.next(state, moves, control);
        for (const auto fact : state) CHECK(after.contains("(next " + game.name(fact) + ")"));
        CHECK(static_cast<std::ptrdiff_t>(state.size()) ==
              std::ranges::count_if(after, [](const auto& atom) { return atom.starts_with("(next "); }));
    }
    testing::running_seed.reset();
}

// Random play; ground rules and interpreter must say the same of every state.
void check_walks(const Program& program, std::uint64_t seed, int walks, int longest,
                 std::uint64_t patience = kPatience) {
    testing::running_seed = seed;
    Control control;
    Ground ground_game(ground(program, control, patience));
    Interpreter game(program, control);
    CHECK(game.role_names() == ground_game.rules().role_names);
    Random random(seed);
    for (int walk = 0; walk < walks; ++walk) {
        auto state = game.start();
        CHECK(names_of(game, state) == ground_game.start());
        for (int step = 0; step < longest; ++step) {
            const auto facts = names_of(game, state);
            ground_game.set(facts, {});
            const bool over = game.terminal(state, control);
            CHECK(over == ground_game.holds(ground_game.rules().terminal));
            const auto goals = game.goals(state, control);
            const auto legal = game.legal(state, control);
            std::vector<Interpreter::Id> moves;
            std::vector<std::string> move_names;
            bool stuck = over;
            for (std::uint32_t r = 0; r < game.roles(); ++r) {
                CHECK(std::set<std::int64_t>(goals[r].begin(), goals[r].end()) == ground_game.goals(r));
                CHECK(names_of(game, legal[r]) == ground_game.legal(r));
                if (legal[r].empty()) {
                    stuck = true;
                    continue;
                }
                moves.push_back(legal[r][random.below(static_cast<std::uint32_t>(legal[r].size()))]);
                move_names.push_back(game.name(moves.back()));
                CHECK(game.term(move_names.back()) == moves.back());
            }
            if (stuck) break;
            ground_game.set(facts, move_names);
            const auto sees = game.sees(state, moves, control);
            for (std::uint32_t r = 0; r < game.roles(); ++r) CHECK(names_of(game, sees[r]) == ground_game.sees(r));
            state = game.next(state, moves, control);
            CHECK(names_of(game, state) == ground_game.next());
        }
    }
    testing::running_seed.reset();
}

// A walker on a ring, who may mark where it stands; marks stay, walls are never moved.
constexpr std::string_view kRing = R"(
(role walker) (role random)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 0)
(init (at 0)) (init (wall 3)) (init (wall 5))
(<= (legal walker (go ?y)) (true (at ?x)) (near ?x ?y) (not (true (wall ?y))))
(<= (legal walker mark) (true (at ?x)) (not (true (marked ?x))))
(<= (legal random tick)) (<= (legal random tock))
(<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
(<= (next (at ?y)) (does walker (go ?y)))
(<= (next (at ?x)) (true (at ?x)) (does walker mark))
(<= (next (marked ?x)) (true (at ?x)) (does walker mark))
(<= (next ?f) (true ?f) (kept ?f))
(<= (kept (marked ?x)) (succ ?x ?y)) (<= (kept (wall ?x)) (succ ?x ?y))
(<= (sees walker (heard ?n)) (does random ?n))
(<= (reach ?x) (true (at ?x)))
(<= (reach ?y) (reach ?x) (near ?x ?y) (not (true (wall ?y))))
(<= unfinished (reach ?x) (not (true (marked ?x))))
(<= terminal (not unfinished))
(<= (goal walker 0) unfinished)
(<= (goal walker 100) (not (goal walker 0)))
(<= (goal random 0) (role random))
)";

void facts_that_never_change_stay_out_of_the_rules() {
    const auto game = ground_of(kRing);
    const auto& rules = game.rules();
    CHECK((rules.role_names == std::vector<std::string>{"walker", "random"}));
    // Nobody can stand on a wall or beyond it, so there is no such fact and no such move.
    CHECK(std::ranges::find(rules.fluent_names, "(at 3)") == rules.fluent_names.end());
    CHECK(std::ranges::find(rules.fluent_names, "(at 4)") == rules.fluent_names.end());
    CHECK(std::ranges::find(rules.move_names, "(go 3)") == rules.move_names.end());
    for (std::uint32_t f = 0; f < rules.fluents(); ++f) {
        const bool wall = rules.fluent_names[f].starts_with("(wall");
        CHECK(wall == (rules.next[f] == kAlways));
        if (wall)
            for (const auto literal : rules.body) CHECK(literal >> 1 != f);
    }
    CHECK(rules.legal[rules.first_move[1]] == kAlways && rules.legal[rules.first_move[1] + 1] == kAlways);
}

// Every piece stays but the one that moves: with n squares, n^3 instances unless the rule is cut.
std::string frame_rules(int squares) {
    std::string text = "(role r) (init (turn 1)) (<= (next (turn 1)) (true (turn 1))) (<= terminal (true (full)))";
    for (int i = 0; i < squares; ++i) {
        const auto s = std::to_string(i);
        text += "(square " + s + ") (init (cell " + s + " " + (i % 3 ? "b" : "x") + "))";
    }
    return text + R"(
(<= (legal r (move ?a ?b)) (true (cell ?a x)) (true (cell ?b b)))
(<= (next (cell ?a b)) (does r (move ?a ?b)))
(<= (next (cell ?b x)) (does r (move ?a ?b)))
(<= (next (cell ?c ?p)) (true (cell ?c ?p)) (does r (move ?a ?b)) (distinct ?c ?a) (distinct ?c ?b))
(<= (goal r 50) (true (cell 0 x)))
)";
}

void a_frame_rule_is_cut() {
    const auto small = ground_of(frame_rules(10)), large = ground_of(frame_rules(20));
    CHECK(large.rules().moves() == 20 * 20);
    // A literal for each square and move, and no factor for the pieces.
    CHECK(large.rules().body.size() < 20 * 20 * 20 + 6 * 20 * 20);
    CHECK(small.rules().body.size() < large.rules().body.size());
    check_walks(read(frame_rules(20)), 1, 2, 10);
}

// (total t) over four numbers: without projection of what is summed already there are 30^4 instances.
void sums_are_projected() {
    std::string text = "(role r) (zero 0)";
    for (int i = 0; i < 130; ++i) text += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
    for (int i = 0; i < 30; ++i) text += "(number " + std::to_string(i) + ")";
    text += R"(
(<= (sum ?x 0 ?x) (succ ?x ?y))
(<= (sum ?x ?y ?z) (sum ?x ?v ?w) (succ ?v ?y) (succ ?w ?z) (number ?y))
(init (a 0)) (init (b 0)) (init (c 0)) (init (d 0))
(<= (legal r (pick ?n)) (number ?n))
(<= (next (a ?n)) (does r (pick ?n))) (<= (next (b ?n)) (true (a ?n)))
(<= (next (c ?n)) (true (b ?n))) (<= (next (d ?n)) (true (c ?n)))
(<= (total ?t) (true (a ?p)) (true (b ?q)) (sum ?p ?q ?s) (true (c ?u)) (sum ?s ?u ?v) (true (d ?w)) (sum ?v ?w ?t))
(<= (goal r ?t) (total ?t))
(<= terminal (total 60))
)";
    const auto game = ground_of(text);
    CHECK(game.rules().goals.size() == 4 * 29 + 1 && game.rules().head.size() < 20000);
    check_walks(read(text), 2, 3, 12);
}

void what_is_asked_for_with_constants_is_made_for_them_only() {
    std::string text = "(role r) (<= (legal r stay)) (<= (goal r ?n) (count 1 2 3 ?n)) (<= terminal (true (on 0)))";
    for (int i = 0; i < 60; ++i) text += "(init (on " + std::to_string(i) + "))";
    text += R"(
(<= (next (on ?x)) (true (on ?x)) (does r stay) (not (true (odd ?x))))
(<= (count ?x ?y ?z 100) (true (on ?x)) (true (on ?y)) (true (on ?z)))
(<= (count ?x ?y ?z 0) (true (on ?x)) (not (true (on ?y))) (true (on ?z)))
)";
    Control control(0, /*nodes*/ 50000);  // all triples would take more
    CHECK(ground(read(text), control).goals.size() <= 2);
}

void a_count_that_calls_itself_is_made_for_the_numbers_that_come_up() {
    std::string text = R"(
(role r) (then a b) (then b c) (then c d) (then d end) (init (full c))
(<= (legal r (fill ?p)) (then ?p ?q) (not (true (full ?p)))) (legal r rest)
(<= (next (full ?p)) (does r (fill ?p))) (<= (next (full ?p)) (true (full ?p)) (not open))
(<= (walk ?p ?n ?m) (then ?p ?q) (here ?p ?n ?k) (walk ?q ?k ?m)) (<= (walk end ?n ?n) (number ?n))
(<= (here ?p ?n ?k) (true (full ?p)) (succ ?n ?k)) (<= (here ?p ?n ?n) (number ?n) (then ?p ?q) (not (true (full ?p))))
(<= open (true (full a)) (number ?n) (succ ?n 3) (not (walk b 0 ?n)))
(<= (goal r ?n) (walk a 0 ?n)) (<= terminal (walk a 0 4)) (<= (number ?n) (succ ?n ?m)) (<= (number ?m) (succ ?n ?m))
)";
    for (int n = 0; n < 200; ++n) text += "(succ " + std::to_string(n) + " " + std::to_string(n + 1) + ")";
    const auto program = read(text);
    Control all, asked;
    CHECK(ground(program, all).goals.size() == ground(program, asked, 1).goals.size());
    all.publish(), asked.publish();
    CHECK(3 * asked.nodes() < all.nodes());
    check_walks(program, 3, 4, 6, 1);
}

void long_rules_are_taken_apart() {
    std::string text = R"(
(role r) (init (x 1)) (init (y 1)) (init (dx 0)) (init (dy 0)) (legal r stop) (track 1 2) (track 2 1) (track 2 2)
(track 3 3) (track 4 3) (track 5 5) (track 7 6) (<= terminal (true (x 7))) (goal r 50)
(<= (number ?n) (succ ?n ?m)) (<= (number ?m) (succ ?n ?m))
(<= (about ?n ?n) (number ?n)) (<= (about ?n ?m) (succ ?n ?m)) (<= (about ?n ?m) (succ ?m ?n))
(<= (add ?n 0 ?n) (number ?n)) (<= (add ?n ?k ?m) (succ ?j ?k) (add ?n ?j ?i) (succ ?i ?m))
(<= (legal r (drive ?u ?v)) (true (dx ?a)) (true (dy ?b)) (about ?a ?u) (about ?b ?v) (distinct ?u ?v)
    (true (x ?x)) (true (y ?y)) (not (true (x ?u))) (add ?x ?u ?p) (add ?y ?v ?q) (track ?p ?q))
(<= (next (x ?p)) (does r (drive ?u ?v)) (true (x ?x)) (add ?x ?u ?p))
(<= (next (y ?q)) (does r (drive ?u ?v)) (true (y ?y)) (add ?y ?v ?q))
(<= (next (dx ?u)) (does r (drive ?u ?v))) (<= (next (dy ?v)) (does r (drive ?u ?v)))
)";
    for (int n = 0; n < 9; ++n) text += "(succ " + std::to_string(n) + " " + std::to_string(n + 1) + ")";
    const auto program = read(text);
    Control whole, apart;
    CHECK(ground(program, whole).move_names.size() == ground(program, apart, 1).move_names.size());
    whole.publish(), apart.publish();
    CHECK(apart.nodes() < whole.nodes());
    check_walks(program, 5, 6, 8, 1);
}

void a_role_does_one_move() {
    const auto game = ground_of(R"(
(role r) (<= (legal r a)) (<= (legal r b)) (<= (legal r c))
(<= (next both) (does r a) (does r b))
(<= (next one) (does r a) (not (does r b)))
(<= terminal (true both)) (<= (goal r 1) (true one))
)");
    const auto& rules = game.rules();
    CHECK((rules.fluent_names == std::vector<std::string>{"one"}));
    CHECK(rules.terminal == kNever);
    CHECK(rules.body.size() == 2);  // one :- a, and the goal
}

void terms_without_bound_are_too_large() {
    Control control;
    for (const auto* text : {"(role r) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (<= (legal r a))",
                             "(role r) (init (n 0)) (<= (next (n (f ?x ?x))) (true (n ?x))) (<= (legal r a))"}) {
        bool thrown = false;
        try {
            ground(read(text), control);
        } catch (const TooLarge&) {
            thrown = true;
        }
        CHECK(thrown);
    }
    // The interpreter follows such a game as far as it is played.
    Interpreter game(read("(role r) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (<= (legal r a))"), control);
    auto state = game.start();
    const auto move = game.legal(state, control)[0][0];
    for (int i = 0; i < 3; ++i) state = game.next(state, std::array{move}, control);
    CHECK((names_of(game, state) == std::set<std::string>{"(n (s (s (s 0))))"}));
}

void limits_are_obeyed() {
    std::string text = "(role r) (<= (legal r (pick ?a ?b ?c ?d ?e)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e))";
    for (int i = 0; i < 100; ++i) text += "(n " + std::to_string(i) + ")";
    const auto program = read(text);
    const auto outcome = [&](Control& control) {
        try {
            ground(program, control);
        } catch (const TooLarge&) {
            return 1;
        } catch (const Stopped&) {
            return 2;
        }
        return 0;
    };
    Control little_memory(0, 0, 10 << 20), little_time(0.05), stopped;
    stopped.stop();
    CHECK(outcome(little_memory) == 1 && little_memory.bytes() == 0);
    CHECK(outcome(little_time) == 1);
    CHECK(outcome(stopped) == 2);
}

void terms_are_read_and_written() {
    Control control;
    Interpreter game(read("(role r) (<= (legal r a)) (init (f (g a) b))"), control);
    CHECK(game.name(game.start()[0]) == "(f (g a) b)" && game.term(" (f  (g a) b )") == game.start()[0]);
    CHECK(game.name(game.term("new")) == "new");
    for (const auto* wrong : {"", "(", ")", "(f a", "a b", "((f) a)", "()", "?x", "(f ?x)"}) {
        bool thrown = false;
        try {
            game.term(wrong);
        } catch (const std::invalid_argument&) {
            thrown = true;
        }
        CHECK(thrown);
    }
}

// A random rulesheet over three constants, in strata: each rule reads lower relations, its own positively.
std::string random_sheet(Random& random) {
    const auto below = [&](int n) { return static_cast<int>(random.below(static_cast<std::uint32_t>(n))); };
    const std::array<std::string, 3> constants{"a", "b", "c"}, variables{"?x", "?y", "?z"};
    const auto pick = [&](const std::array<std::string, 3>& list) { return list[random.below(3)]; };
    std::string text = "(role r) (role s) (init (f a)) (init (g b c)) (d a) (d b) (e a b) (e b c)";
    const auto argument = [&] { return below(4) ? pick(variables) : pick(constants); };
    // Relations by level: d, e static; then f, g fluents and moves; then p0..p3.
    const auto atom = [&](int level) -> std::string {
        const auto kind = below(level > 4 ? level + 4 : level + 2);
        const auto x = argument(), y = argument();
        if (kind == 0) return "(d " + x + ")";
        if (kind == 1) return "(e " + x + " " + y + ")";
        if (kind == 2) return "(true (f " + x + "))";
        if (kind == 3) return "(true (g " + x + " " + y + "))";
        if (level > 4 && kind >= level + 2) return "(does " + std::string(below(2) ? "r" : "s") + " (m " + x + "))";
        return "(p" + std::to_string(below(std::min(4, level - 2))) + " " + x + " " + y + ")";
    };
    const auto rule = [&](const std::string& head, int level, bool recursive, const std::string& self) {
        std::string body;
        for (int i = 0, n = 1 + below(3); i < n; ++i) body += " " + atom(level);
        if (recursive && below(3) == 0) body += " " + self;
        // Whatever else is mentioned is bound by d.
        std::string tail;
        if (below(2)) tail += " (not " + atom(level) + ")";
        if (below(3) == 0) tail += " (distinct " + argument() + " " + argument() + ")";
        const auto all = head + body + tail;
        for (const auto& v : variables)
            if (all.find(v) != std::string::npos) tail += " (d " + v + ")";
        text += "(<= " + head + body + tail + ")\n";
    };
    for (int p = 0; p < 4; ++p)
        for (int i = 0, n = 1 + below(2); i < n; ++i)
            rule("(p" + std::to_string(p) + " " + argument() + " " + argument() + ")", p + 2 > 4 ? 4 : p + 2, true,
                 "(p" + std::to_string(p) + " " + argument() + " " + argument() + ")");
    for (int i = 0; i < 2; ++i) {
        rule("(legal r (m " + argument() + "))", 4, false, "");
        rule("(legal s (m " + argument() + "))", 4, false, "");
        rule("(next (f " + argument() + "))", 6, false, "");
        rule("(next (g " + argument() + " " + argument() + "))", 6, false, "");
        rule("(sees r (h " + argument() + "))", 6, false, "");
    }
    rule("terminal", 4, false, "");
    rule("(goal r 10)", 4, false, "");
    rule("(goal r 20)", 4, false, "");
    return text + "(<= (legal r (m a))) (<= (legal s (m b)))";
}

}  // namespace

int main() {
    facts_that_never_change_stay_out_of_the_rules();
    a_frame_rule_is_cut();
    sums_are_projected();
    what_is_asked_for_with_constants_is_made_for_them_only();
    a_count_that_calls_itself_is_made_for_the_numbers_that_come_up();
    long_rules_are_taken_apart();
    a_role_does_one_move();
    terms_without_bound_are_too_large();
    limits_are_obeyed();
    terms_are_read_and_written();
    check_walks(read(kRing), 3, 20, 30);
    check_walks(read(kRing), 4, 5, 30, 1);
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const auto program = read(random_sheet(random));
        check_walks(program, seed, 3, 6);
        check_walks(program, seed, 2, 6, 1);
        check_against_brute(program, seed);
    }
    return 0;
}
