// Graphs of turns: what they are worth is what brute force finds, where everything is in them; values at leaves are
// backed up exactly; a linear model finds a linear truth.
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "bandit/turn/linear_values.hpp"
#include "bandit/turn/turn_graph.hpp"
#include "check.hpp"
#include "small_games.hpp"

using namespace zermelo;
using namespace zermelo::bandit;

namespace {

using testing::Brute, testing::small_game, testing::SmallLane, testing::State;

// Grows turn after turn until no leaf is left: then all of the game is in the graph.
void whole_games_have_their_exact_value(std::uint64_t games) {
    std::uint64_t looked_at = 0;
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        auto game = small_game(seed);
        game.at_once = false;
        Brute brute(game);
        SmallLane lane(game);
        TurnGraph graph(lane, seed);
        Control control;
        const auto root = graph.node_of(State{0});
        CHECK(graph.grow(root, 1'000'000, control));
        std::vector<TurnGraph::Index> order;
        for (bool grown = true; grown;) {
            grown = false;
            graph.order_from(root, order);
            for (const auto node : order)
                if (graph.kind(node) == TurnGraph::Kind::leaf) {
                    CHECK(graph.grow(node, 1'000'000, control));
                    grown = true;
                    break;
                }
        }
        graph.back_up(order);
        // Max^n breaks ties in any way: the value is one of those that brute force allows.
        for (std::uint32_t role = 0; role < game.roles; ++role) {
            if (role == game.chance) continue;
            std::uint32_t players = game.roles - (game.chance != kNobody);
            if (players > 1 && !game.together) continue;
            const auto exact = brute.of(0)[role];
            CHECK(std::abs(100 * graph.values(root)[role] - exact.lower) < 1e-6);
            ++looked_at;
        }
    }
    CHECK(looked_at > games / 4);
}

void too_large_graphs_say_so() {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        auto game = small_game(seed);
        SmallLane lane(game);
        TurnGraph graph(lane, seed);
        Control control;
        const auto root = graph.node_of(State{0});
        if (!graph.grow(root, 0, control)) return;
    }
    CHECK(false);
}

void linear_truths_are_found() {
    const auto game = small_game(1);
    SmallLane lane(game);
    LinearValues model(lane);
    std::vector<std::uint64_t> states;
    std::vector<double> weight, mean;
    const auto truth = [](std::uint64_t s) { return 0.2 + 0.3 * (s & 1) + 0.1 * (s >> 1 & 1) - 0.2 * (s >> 2 & 1); };
    for (std::uint64_t s = 0; s < 16; ++s) {
        states.push_back(s);
        weight.push_back(10'000);
        for (std::uint32_t role = 0; role < game.roles; ++role) mean.push_back(truth(s));
    }
    model.fit(states, weight, mean);
    std::vector<double> found(mean.size());
    model.values(states, found);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - mean[i]) < 1e-3);
}

}  // namespace

int main() {
    whole_games_have_their_exact_value(400);
    too_large_graphs_say_so();
    linear_truths_are_found();
    std::puts("turn: all checks hold");
}
