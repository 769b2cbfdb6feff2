// Random ground rules, stratified and with positive cycles, and what they mean by the book.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gdl/ground/ground_rules.hpp"
#include "zermelo/random.hpp"

namespace zermelo::testing {

// Derived atoms come in layers: negation looks only into lower layers, positive literals may stay within one and so
// run in circles. One derived atom in three is `next`, `legal` (below any move), `terminal` or a goal.
inline gdl::GroundRules random_rules(Random& random, std::uint32_t fluents, std::uint32_t moves_a_role,
                                     std::uint32_t roles, std::uint32_t derived) {
    gdl::GroundRules rules;
    for (std::uint32_t f = 0; f < fluents; ++f) {
        rules.fluent_names.push_back("f" + std::to_string(f));
        rules.init.push_back(random.below(2) == 0);
    }
    rules.first_move.push_back(0);
    for (std::uint32_t r = 0; r < roles; ++r) {
        rules.role_names.push_back("r" + std::to_string(r));
        for (std::uint32_t m = 0; m < moves_a_role; ++m) rules.move_names.push_back("m" + std::to_string(m));
        rules.first_move.push_back(rules.moves());
    }
    const auto inputs = fluents + rules.moves();
    const auto layers = 2 + random.below(3);
    // The lower half of the derived atoms does not see moves: legal, terminal and goals are drawn from it.
    const auto still = derived / 2;
    rules.atoms = inputs + derived;
    const auto layer_of = [&](std::uint32_t atom) {
        return atom < inputs ? 0u : 1 + (atom - inputs) * layers / derived;
    };
    const auto sees_moves = [&](std::uint32_t atom) {
        return (atom >= fluents && atom < inputs) || atom >= inputs + still;
    };
    for (std::uint32_t d = 0; d < derived; ++d) {
        const auto head = inputs + d;
        for (auto count = random.below(4); count > 0; --count) {
            rules.head.push_back(head);
            for (auto length = 1 + random.below(3); length > 0; --length) {
                std::uint32_t atom;
                do atom = random.below(rules.atoms);
                while (layer_of(atom) > layer_of(head) || (d < still && sees_moves(atom)));
                const bool negative = layer_of(atom) < layer_of(head) && random.below(2) == 0;
                rules.body.push_back(2 * atom + negative);
            }
            rules.first_literal.push_back(static_cast<std::uint32_t>(rules.body.size()));
        }
    }
    const auto any_atom = [&] { return inputs + random.below(derived); };
    const auto still_atom = [&] { return inputs + random.below(still); };
    for (std::uint32_t f = 0; f < fluents; ++f) rules.next.push_back(any_atom());
    for (std::uint32_t m = 0; m < rules.moves(); ++m)
        rules.legal.push_back(std::ranges::find(rules.first_move, m) != rules.first_move.end() ? gdl::kAlways
                                                                                               : still_atom());
    rules.terminal = still_atom();
    for (std::uint32_t r = 0; r < roles; ++r)
        for (std::int64_t value = 0; value <= 100; value += 50) rules.goals.push_back({r, value, still_atom()});
    rules.percept_names = {"light"};
    rules.sees.push_back({0, 0, any_atom()});
    return rules;
}

// The least fixpoint, layer by layer: what an atom's rules say, repeated until nothing changes. Negation looks only at
// atoms whose rules are finished, so a plain sweep over growing layers is the definition itself.
inline std::vector<bool> meaning(const gdl::GroundRules& rules, std::span<const std::uint64_t> state,
                                 std::span<const std::uint32_t> done) {
    const auto inputs = rules.fluents() + rules.moves();
    std::vector<bool> value(rules.atoms);
    for (std::uint32_t f = 0; f < rules.fluents(); ++f) value[f] = state[f / 64] >> (f % 64) & 1;
    for (const auto move : done) value[rules.fluents() + move] = true;
    // Strata by the longest chain of negations.
    std::vector<std::uint32_t> stratum(rules.atoms, 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < rules.head.size(); ++i)
            for (auto at = rules.first_literal[i]; at < rules.first_literal[i + 1]; ++at) {
                const auto atom = rules.body[at] >> 1;
                const auto needed = stratum[atom] + (rules.body[at] & 1 && atom >= inputs ? 1 : 0);
                if (stratum[rules.head[i]] < needed) stratum[rules.head[i]] = needed, changed = true;
            }
    }
    const auto highest = *std::ranges::max_element(stratum);
    for (std::uint32_t s = 0; s <= highest; ++s)
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < rules.head.size(); ++i) {
                const auto head = rules.head[i];
                if (stratum[head] != s || value[head]) continue;
                bool body = true;
                for (auto at = rules.first_literal[i]; at < rules.first_literal[i + 1]; ++at)
                    body = body && value[rules.body[at] >> 1] != static_cast<bool>(rules.body[at] & 1);
                if (body) value[head] = true, changed = true;
            }
        }
    return value;
}

}  // namespace zermelo::testing
