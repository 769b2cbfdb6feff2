// Symmetries of ground rules: games made of equal parts, against brute force over all permutations and the rules by the
// book.
#include <algorithm>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "gdl/symmetry/automorphism.hpp"
#include "gdl/symmetry/rule_graph.hpp"
#include "gdl/symmetry/symmetry.hpp"
#include "random_rules.hpp"

using namespace zermelo;
using namespace zermelo::gdl;

namespace {

using State = std::vector<std::uint64_t>;

// Equal games side by side under the same roles: the moves of each part are moves of their own, play is over when any
// part is, and a goal holds where it does in any part. Parts can be exchanged.
GroundRules side_by_side(const GroundRules& part, std::uint32_t parts) {
    GroundRules all;
    all.role_names = part.role_names;
    all.percept_names = part.percept_names;
    const auto fluents = part.fluents(), moves = part.moves(), inputs = fluents + moves, derived = part.atoms - inputs;
    all.first_move = {0};
    std::vector<std::vector<std::uint32_t>> move_number(parts, std::vector<std::uint32_t>(moves));
    for (std::uint32_t p = 0; p < parts; ++p)
        for (std::uint32_t f = 0; f < fluents; ++f)
            all.fluent_names.push_back(part.fluent_names[f]), all.init.push_back(part.init[f]);
    for (std::uint32_t role = 0; role + 1 < part.first_move.size(); ++role) {
        for (std::uint32_t p = 0; p < parts; ++p)
            for (auto m = part.first_move[role]; m < part.first_move[role + 1]; ++m)
                move_number[p][m] = all.moves(), all.move_names.push_back(part.move_names[m]);
        all.first_move.push_back(all.moves());
    }
    const auto all_inputs = parts * inputs;
    const auto atom = [&](std::uint32_t p, std::uint32_t a) {
        if (a >= kAlways) return a;
        return a < fluents  ? p * fluents + a
               : a < inputs ? parts * fluents + move_number[p][a - fluents]
                            : all_inputs + p * derived + (a - inputs);
    };
    all.next.resize(parts * fluents);
    all.legal.resize(parts * moves);
    all.atoms = all_inputs + parts * derived;
    const auto add_rule = [&](std::uint32_t head, std::vector<Literal> body) {
        all.head.push_back(head);
        all.body.insert(all.body.end(), body.begin(), body.end());
        all.first_literal.push_back(static_cast<std::uint32_t>(all.body.size()));
    };
    for (std::uint32_t p = 0; p < parts; ++p) {
        for (std::size_t r = 0; r < part.head.size(); ++r) {
            std::vector<Literal> body;
            for (auto at = part.first_literal[r]; at < part.first_literal[r + 1]; ++at)
                body.push_back(2 * atom(p, part.body[at] >> 1) + (part.body[at] & 1));
            if (p % 2 == 1) std::ranges::reverse(body);  // the order of literals says nothing
            add_rule(atom(p, part.head[r]), body);
        }
        for (std::uint32_t f = 0; f < fluents; ++f) all.next[p * fluents + f] = atom(p, part.next[f]);
        for (std::uint32_t m = 0; m < moves; ++m) all.legal[move_number[p][m]] = atom(p, part.legal[m]);
    }
    const auto any = [&](std::uint32_t of) {
        if (of >= kAlways) return of;
        const auto head = all.atoms++;
        for (std::uint32_t p = 0; p < parts; ++p) add_rule(head, {2 * atom(p, of)});
        return head;
    };
    all.terminal = any(part.terminal);
    for (const auto& [role, value, when] : part.goals) all.goals.push_back({role, value, any(when)});
    return all;
}

std::vector<bool> turned(const std::vector<bool>& held, const std::vector<std::uint32_t>& to) {
    std::vector<bool> image(held.size());
    for (std::size_t i = 0; i < held.size(); ++i) image[to[i]] = held[i];
    return image;
}

bool value_of(const std::vector<bool>& meaning, std::uint32_t atom) {
    return atom == kAlways || (atom != kNever && meaning[atom]);
}

// In a random state and joint move, what is next, legal, over and reached is what it is in the image, turned.
void check_commutes(const GroundRules& rules, const Symmetry& symmetry, Random& random) {
    StateSymmetry one(rules.fluents(), rules.moves(),
                      std::vector{identity_symmetry(rules.fluents(), rules.moves()), symmetry});
    State state(one.words()), image(one.words());
    for (std::uint32_t f = 0; f < rules.fluents(); ++f)
        state[f / 64] |= static_cast<std::uint64_t>(random.below(2)) << (f % 64);
    one.turn(1, state, image);
    std::vector<std::uint32_t> joint, other;
    for (std::uint32_t role = 0; role + 1 < rules.first_move.size(); ++role) {
        const auto low = rules.first_move[role], high = rules.first_move[role + 1];
        joint.push_back(low + random.below(high - low));
        other.push_back(symmetry.move[joint.back()]);
        CHECK(other.back() >= low && other.back() < high);
    }
    const auto here = testing::meaning(rules, state, joint), there = testing::meaning(rules, image, other);
    const auto read = [](const std::vector<bool>& meaning, const std::vector<std::uint32_t>& atoms) {
        std::vector<bool> values;
        for (const auto atom : atoms) values.push_back(value_of(meaning, atom));
        return values;
    };
    CHECK(turned(read(here, rules.next), symmetry.fluent) == read(there, rules.next));
    CHECK(turned(read(here, rules.legal), symmetry.move) == read(there, rules.legal));
    CHECK(value_of(here, rules.terminal) == value_of(there, rules.terminal));
    for (const auto& goal : rules.goals) CHECK(value_of(here, goal.atom) == value_of(there, goal.atom));
}

void test_parts_can_be_exchanged() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        auto part = testing::random_rules(random, 6, 3, 2, 24);
        const auto parts = 2 + random.below(3);
        const auto rules = side_by_side(part, parts);
        Control control(20);
        const auto group = find_symmetries(rules, {.keep_start = true}, control);
        CHECK(group.complete);
        std::uint64_t order = 1, least = 1;
        for (const auto orbit : group.orbits) order *= orbit;
        for (std::uint32_t p = 2; p <= parts; ++p) least *= p;
        CHECK(order % least == 0);
        for (const auto& symmetry : group.generators) {
            for (int i = 0; i < 4; ++i) check_commutes(rules, symmetry, random);
            for (std::uint32_t f = 0; f < rules.fluents(); ++f) CHECK(rules.init[f] == rules.init[symmetry.fluent[f]]);
        }
        const auto elements = spanned(rules.fluents(), rules.moves(), group.generators, 5000);
        if (order <= 5000) CHECK(elements.size() == order);
    }
}

// Every permutation of the nodes of a small graph, against the search.
void test_orders_are_those_of_brute_force() {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        // One role, one move: fluents that become what a few others were.
        GroundRules rules;
        const auto fluents = 3 + random.below(4);
        rules.role_names = {"a"};
        rules.move_names = {"go"};
        rules.first_move = {0, 1};
        rules.legal = {kAlways};
        rules.atoms = 2 * fluents + 1;
        for (std::uint32_t f = 0; f < fluents; ++f) {
            rules.fluent_names.push_back("f" + std::to_string(f));
            rules.init.push_back(false);
            rules.next.push_back(fluents + 1 + f);
            for (auto count = random.below(3); count > 0; --count) {
                rules.head.push_back(fluents + 1 + f);
                rules.body.push_back(2 * random.below(fluents) + random.below(2));
                rules.first_literal.push_back(static_cast<std::uint32_t>(rules.body.size()));
            }
        }
        const auto bodies_of = [&](std::uint32_t f, const std::vector<std::uint32_t>& to) {
            std::vector<Literal> bodies;
            for (std::size_t r = 0; r < rules.head.size(); ++r)
                if (rules.head[r] == fluents + 1 + f)
                    bodies.push_back(2 * to[rules.body[r] >> 1] + (rules.body[r] & 1));
            std::ranges::sort(bodies);
            bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
            return bodies;
        };
        std::vector<std::uint32_t> same(fluents), to(fluents);
        std::iota(same.begin(), same.end(), 0u);
        std::iota(to.begin(), to.end(), 0u);
        std::uint64_t expected = 0, order = 1;
        do {
            bool keeps = true;
            for (std::uint32_t f = 0; f < fluents && keeps; ++f) keeps = bodies_of(f, to) == bodies_of(to[f], same);
            expected += keeps;
        } while (std::next_permutation(to.begin(), to.end()));
        Control control(20);
        const auto group = find_symmetries(rules, {}, control);
        for (const auto orbit : group.orbits) order *= orbit;
        CHECK(group.complete && order == expected);
        CHECK(spanned(fluents, 1, group.generators, 1000).size() == expected);
    }
}

void test_a_form_is_the_same_for_all_images() {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto fluents = 60 + random.below(20), moves = 5u;
        std::vector<Symmetry> generators;
        for (int g = 0; g < 2; ++g) {
            auto generator = identity_symmetry(fluents, moves);
            for (int swaps = 0; swaps < 3; ++swaps)
                std::swap(generator.fluent[random.below(fluents)], generator.fluent[random.below(fluents)]);
            std::swap(generator.move[0], generator.move[1 + random.below(moves - 1)]);
            generators.push_back(generator);
        }
        const auto elements = spanned(fluents, moves, generators, 64);
        CHECK(!elements.empty() && elements.size() <= 64);
        const StateSymmetry symmetry(fluents, moves, elements);
        State state(symmetry.words()), image(state), form(state), other(state);
        for (std::uint32_t f = 0; f < fluents; ++f)
            state[f / 64] |= static_cast<std::uint64_t>(random.below(2)) << (f % 64);
        symmetry.canon(state, form);
        for (std::uint32_t e = 0; e < symmetry.order(); ++e) {
            symmetry.turn(e, state, image);
            const auto by = symmetry.canon(image, other);
            CHECK(other == form);
            symmetry.turn(by, image, other);
            CHECK(other == form);
            for (std::uint32_t m = 0; m < moves; ++m) CHECK(symmetry.move_from(e, symmetry.move_to(e, m)) == m);
        }
    }
}

void test_a_search_that_is_stopped_returns_what_it_knows() {
    Random random(7);
    const auto rules = side_by_side(testing::random_rules(random, 8, 3, 2, 30), 5);
    Control control(1e-9);
    const auto group = find_symmetries(rules, {}, control);
    for (const auto& symmetry : group.generators) check_commutes(rules, symmetry, random);
}

}  // namespace

int main() {
    test_parts_can_be_exchanged();
    test_orders_are_those_of_brute_force();
    test_a_form_is_the_same_for_all_images();
    test_a_search_that_is_stopped_returns_what_it_knows();
}
