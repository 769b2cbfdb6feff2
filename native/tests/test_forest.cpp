// Several trees that grow at once: what they have proved together contains the value that brute force finds; what is
// chosen when the root is decided is a best move; simulations are shared out and counted; one tree in a forest is the
// tree alone; a forest stops when told to.
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include "bandit/threads/forest.hpp"
#include "check.hpp"
#include "small_games.hpp"

using namespace zermelo;
using namespace zermelo::bandit;

namespace {

using testing::Brute, testing::small_game, testing::SmallLane, testing::State;

std::unique_ptr<Tree> small_tree(const testing::Small& game, std::uint64_t seed, std::uint64_t bytes = 1 << 20) {
    return std::make_unique<Tree>(std::make_unique<SmallLane>(game), State{0}, Params{}, bytes, seed);
}

Forest small_forest(const testing::Small& game, std::uint64_t seed, std::uint64_t threads,
                    std::uint64_t bytes = 1 << 20) {
    std::vector<std::unique_ptr<Tree>> trees;
    for (std::uint64_t i = 0; i < threads; ++i) trees.push_back(small_tree(game, seed + i, bytes));
    return Forest(std::move(trees));
}

void bounds_contain_the_value(std::uint64_t games) {
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        const auto game = small_game(seed);
        Brute brute(game);
        const auto& exact = brute.of(0);
        auto forest = small_forest(game, seed, 1 + seed % 3, seed % 5 == 0 ? 1 : 1 << 20);
        Control control;
        for (int piece = 0; piece < 4 && !forest.decided(); ++piece) {
            forest.run(40, 0, control);
            for (std::uint32_t role = 0; role < game.roles; ++role) {
                if (role == game.chance) continue;
                const auto report = forest.report(role);
                CHECK(static_cast<double>(report.in_hand - kTight) <= exact[role].upper * static_cast<double>(kUnit));
                CHECK(static_cast<double>(report.at_most + kTight) >= exact[role].lower * static_cast<double>(kUnit));
                CHECK(report.verdict.move < game.count(0, role));
            }
        }
    }
}

void what_is_proved_is_a_best_move(std::uint64_t games) {
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        auto game = small_game(seed);
        if (game.at_once || game.chance != kNobody || game.roles > 2) continue;
        std::uint32_t mover = 0;
        while (mover < game.roles && game.count(0, mover) == 1) ++mover;
        if (mover == game.roles) continue;
        Brute brute(game);
        auto forest = small_forest(game, seed, 3);
        Control control;
        forest.run(30'000, 0, control);
        const auto report = forest.report(mover);
        if (!report.decided) continue;
        std::vector<std::uint32_t> joint(game.roles, 0);
        joint[mover] = report.verdict.move;
        CHECK(std::abs(brute.of(game.next(0, joint))[mover].lower - brute.of(0)[mover].lower) < 1e-4);
    }
}

void one_tree_is_the_tree_alone() {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const auto game = small_game(seed);
        const auto role = game.chance == 0 ? 1u : 0u;
        if (role >= game.roles) continue;
        auto forest = small_forest(game, seed, 1);
        const auto tree = small_tree(game, seed);
        Control one, other;
        CHECK(forest.run(300, 0, one) == tree->run(300, 0, other));
        const auto report = forest.report(role);
        const auto verdict = tree->verdict(role);
        CHECK(report.verdict.move == verdict.move && report.verdict.value == verdict.value);
        CHECK(report.nodes == tree->nodes() && report.visits == tree->visits());
    }
}

// A game that is never decided.
testing::Small long_game() {
    auto game = small_game(8);
    game.depth = 4000;
    game.at_once = true;
    game.together = false;
    game.roles = 2;
    game.chance = kNobody;
    while (game.count(0, 0) == 1) ++game.seed;  // the first role has a choice
    return game;
}

void simulations_are_shared_out_and_counted() {
    for (std::uint64_t threads = 1; threads <= 4; ++threads) {
        auto forest = small_forest(long_game(), 1, threads, 1 << 24);
        Control control;
        std::uint64_t told = 0;
        const auto done = forest.run(1003, 0, control, [&](std::uint64_t count) { told = count; }, 0);
        if (forest.decided()) continue;
        CHECK(done == 1003 && forest.visits() == done);
        CHECK(told == 1003 - 1003 / threads * (threads - 1));
        const auto report = forest.report(0);
        CHECK(report.simulations == done && report.visits == done && report.options.size() > 1);
        std::uint64_t visits = 0;
        for (const auto& option : report.options) visits += option.visits;
        CHECK(visits == done);
    }
}

void a_forest_stops_when_told_to() {
    auto forest = small_forest(long_game(), 1, 3, 1 << 24);
    Control control;
    std::jthread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        control.stop();
    });
    CHECK(forest.run(~std::uint64_t{0}, 0, control) > 0 || forest.decided());
    Control timed(0.02);
    forest.run(~std::uint64_t{0}, 0.02, timed);
}

}  // namespace

int main() {
    bounds_contain_the_value(600);
    what_is_proved_is_a_best_move(300);
    one_tree_is_the_tree_alone();
    simulations_are_shared_out_and_counted();
    a_forest_stops_when_told_to();
}
