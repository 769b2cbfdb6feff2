// Trees of bandits: every proved bound contains the value that brute force finds, with and without chance, for one to
// three players, one at a time and at once; memory is bounded; the same seed gives the same tree.
#include <cmath>
#include <memory>
#include <vector>

#include "gdl/lane/gdl_lane.hpp"
#include "bandit/tree.hpp"
#include "check.hpp"
#include "random_rules.hpp"
#include "small_games.hpp"

using namespace zermelo;
using namespace zermelo::bandit;
using zermelo::gdl::GdlLane, zermelo::gdl::GdlRules;

namespace {

using testing::Brute, testing::small_game, testing::SmallLane, testing::State;

// Bounds are looked at after every few simulations, so those of half-known trees count as well.
void bounds_contain_the_value(std::uint64_t games) {
    std::uint64_t proved = 0;
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        const auto game = small_game(seed);
        Brute brute(game);
        const auto& exact = brute.of(0);
        for (const bool ahead : {false, true}) {
            Params params;
            params.look_ahead = ahead;
            params.grave = seed % 5 == 0 ? 8 : 0;
            params.choices = 0;
            params.mast = seed % 7 == 0 ? 0.2 : 0;
            params.literal = seed % 11 == 0;
            params.prove = seed % 2 == 0 ? 0.7 : 0;
            params.regret = seed % 4 < 2;
            // Sometimes there is hardly any memory, and nodes are forgotten all the time.
            Tree tree(std::make_unique<SmallLane>(game), State{0}, params, seed % 3 == 0 ? 1 : 1 << 20, seed);
            Control control;
            for (int i = 0; i < 12; ++i) {
                tree.run(40, 0, control);
                testing::check_bounds(tree, game, exact);
            }
            for (std::uint32_t r = 0; r < game.roles; ++r)
                proved += r != game.chance && tree.upper(r) - tree.lower(r) <= kTight;
        }
    }
    CHECK(proved > games);  // of about four times as many
}

// The move that a proof rests on is one of the best.
void proved_moves_are_best(std::uint64_t games) {
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        auto game = small_game(seed);
        game.at_once = false;
        Brute brute(game);
        Tree tree(std::make_unique<SmallLane>(game), State{0}, {}, 1 << 20, seed);
        Control control;
        tree.run(2000, 0, control);
        std::uint32_t mover = kNobody, players = 0;
        for (std::uint32_t r = 0; r < game.roles; ++r) {
            players += r != game.chance;
            if (r != game.chance && game.count(0, r) > 1) mover = r;
        }
        if (mover == kNobody || game.over(0)) continue;
        const auto verdict = tree.verdict(mover);
        if (!verdict.proved || (players > 2 && !game.together)) continue;
        CHECK(std::abs(100 * verdict.value - brute.of(0)[mover].lower) < 1e-4);
        std::vector<std::uint32_t> joint(game.roles, 0);
        joint[mover] = verdict.move;
        CHECK(std::abs(brute.of(game.next(0, joint))[mover].lower - brute.of(0)[mover].lower) < 1e-4);
    }
}

std::shared_ptr<const GdlRules> random_sheet(std::uint64_t seed, std::uint32_t roles) {
    Random random(seed);
    auto rules = testing::random_rules(random, 12, 3, roles, 40);
    if (roles > 1 && seed % 2) rules.role_names.back() = "random";
    const auto circuit = std::make_shared<const gdl::Circuit>(gdl::compile(rules));
    return std::make_shared<const GdlRules>(gdl::SingleLane(circuit).net());
}

void a_seed_gives_the_same_tree_on_rulesheets() {
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        testing::running_seed = seed;
        const auto rules = random_sheet(seed, static_cast<std::uint32_t>(1 + seed % 4));
        for (const auto leaves : {Params::Leaves::single, Params::Leaves::batches}) {
            Params params;
            params.leaves = leaves;
            params.max_steps = 20;
            const auto tree = [&] {
                return Tree(std::make_unique<GdlLane>(rules), rules->circuit->start, params, 1 << 20, seed);
            };
            auto one = tree(), other = tree();
            CHECK(one.in_batches() == (leaves == Params::Leaves::batches && rules->batch_gain > 0));
            Control control;
            CHECK(one.run(3000, 0, control) == other.run(3000, 0, control));
            for (std::uint32_t role = 0; role < rules->circuit->roles(); ++role) {
                const auto x = one.options(role), y = other.options(role);
                for (std::size_t i = 0; i < x.size(); ++i)
                    CHECK(x[i].move == y[i].move && x[i].visits == y[i].visits && x[i].mean == y[i].mean);
            }
        }
    }
}

void what_was_stopped_leaves_no_visits() {
    const auto rules = random_sheet(2, 2);
    for (const std::uint64_t limit : {1u, 7u, 100u, 511u, 512u, 513u, 5000u}) {
        Params params;
        params.leaves = Params::Leaves::batches;
        params.max_steps = 20;
        Tree tree(std::make_unique<GdlLane>(rules), rules->circuit->start, params, 1 << 20, 1);
        Control limited(0, limit);
        const auto done = tree.run(1'000'000, 0, limited);
        std::uint64_t visits = 0;
        for (const auto& option : tree.options(0)) {
            CHECK(option.mean >= 0 && option.mean <= 1.0001);
            visits += option.visits;
        }
        CHECK(visits == done);
    }
}

void a_known_position_keeps_its_tree() {
    const auto game = small_game(8);
    Tree tree(std::make_unique<SmallLane>(game), State{0}, {}, 1 << 20, 1);
    Control control;
    tree.run(500, 0, control);
    const auto nodes = tree.nodes();
    tree.place(State{0});
    CHECK(tree.nodes() == nodes);
}

}  // namespace

int main() {
    bounds_contain_the_value(3000);
    proved_moves_are_best(1500);
    a_seed_gives_the_same_tree_on_rulesheets();
    what_was_stopped_leaves_no_visits();
    a_known_position_keeps_its_tree();
}
