// UCT, and the other tree on the lane of a game, against brute force on random small games: proofs, bounds at any
// moment, chance, three roles, memory.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "search/graph/graph.hpp"
#include "games/mnk.hpp"
#include "bandit/game_lane.hpp"
#include "bandit/tree.hpp"
#include "bandit/uct.hpp"

#include "check.hpp"

using namespace zermelo;
using bandit::Uct;

namespace {

struct Shape {
    std::uint32_t nodes = 20;
    std::uint32_t degree = 3;
    bool chance = false;
    bool cyclic = false;
    std::uint8_t roles = 2;
    bool rows = false;
};

// Edges lead to later nodes unless the shape is cyclic; the last quarter of the nodes is over.
GraphData random_graph(const Shape& shape, Random& random) {
    GraphData data;
    data.worst = -2, data.best = 2, data.endless = 0;
    data.roles = shape.roles;
    data.first_edge.push_back(0);
    const auto inner = shape.nodes - shape.nodes / 4;
    for (std::uint32_t node = 0; node < shape.nodes; ++node) {
        const bool over = node >= inner;
        const bool chance = !over && shape.chance && random.below(3) == 0;
        data.turn.push_back(over     ? GraphData::kOver
                            : chance ? GraphData::kChance
                                     : static_cast<std::uint8_t>(random.below(shape.roles)));
        data.score.push_back(over ? static_cast<std::int32_t>(random.below(5)) - 2 : 0);
        const auto edges = over ? 0 : 1 + random.below(shape.degree);
        for (std::uint32_t i = 0; i < edges; ++i) {
            const auto low = shape.cyclic ? 0 : node + 1;
            data.target.push_back(low +
                                  random.below(std::min(shape.nodes - low, 8u + (shape.cyclic ? shape.nodes : 0))));
            data.probability.push_back(chance ? 1.0 / edges : 0.0);
        }
        data.first_edge.push_back(data.target.size());
        if (shape.rows) {
            for (std::uint8_t role = 0; role < shape.roles; ++role)
                data.utility.push_back(shape.roles == 2 ? (role ? -1.0 : 1.0) * data.score.back()
                                       : over           ? random.unit()
                                                        : 0.0);
        }
    }
    return data;
}

// Backward induction over a graph whose edges lead to later nodes; expectations at chance nodes.
std::vector<double> brute_force(const GraphData& data) {
    std::vector<double> value(data.turn.size(), 0);
    for (std::size_t node = value.size(); node-- > 0;) {
        if (data.turn[node] == GraphData::kOver) {
            value[node] = data.score[node];
            continue;
        }
        double best = data.turn[node] == 0 ? -1e9 : data.turn[node] == 1 ? 1e9 : 0;
        for (auto e = data.first_edge[node]; e < data.first_edge[node + 1]; ++e) {
            const double child = value[data.target[e]];
            if (data.turn[node] == GraphData::kChance) best += data.probability[e] * child;
            else best = data.turn[node] == 0 ? std::max(best, child) : std::min(best, child);
        }
        value[node] = best;
    }
    return value;
}

// The value of a cyclic game: each threshold is a reachability game, iterated to its fixpoint.
Score brute_force_cyclic(const GraphData& data, std::uint32_t start) {
    const auto reaches = [&](int role, auto wanted) -> bool {
        std::vector<bool> won(data.turn.size());
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t node = 0; node < won.size(); ++node) {
                if (won[node]) continue;
                bool any = false, all = true;
                for (auto e = data.first_edge[node]; e < data.first_edge[node + 1]; ++e) {
                    any |= won[data.target[e]];
                    all &= won[data.target[e]];
                }
                const bool now = data.turn[node] == GraphData::kOver ? wanted(data.score[node])
                                 : data.turn[node] == role           ? any
                                                                     : all;
                if (now) won[node] = true, changed = true;
            }
        }
        return won[start];
    };
    for (Score bound = data.best; bound > data.endless; --bound)
        if (reaches(0, [&](Score score) { return score >= bound; })) return bound;
    for (Score bound = data.worst; bound < data.endless; ++bound)
        if (reaches(1, [&](Score score) { return score <= bound; })) return bound;
    return data.endless;
}

SearchParams with(std::uint64_t simulations, std::uint64_t seed) {
    SearchParams params;
    params.simulations = simulations;
    params.seed = seed;
    params.table_bytes = 4 << 20;
    return params;
}

void acyclic_games_are_proved_and_agree_with_brute_force() {
    Random random(1);
    for (int round = 0; round < 3000; ++round) {
        const auto data = random_graph({.nodes = 8 + random.below(20), .rows = round % 2 == 0}, random);
        const auto value = brute_force(data);
        const Graph game(data, 0);
        Uct<Graph> uct(game, with(200'000, static_cast<std::uint64_t>(round)));
        Control control;
        const auto outcome = uct.solve(game.start(), control);
        CHECK(outcome.solved);
        CHECK(static_cast<double>(outcome.lower) == value[0] && static_cast<double>(outcome.upper) == value[0]);
        CHECK(outcome.estimate == value[0]);
        CHECK(value[game.play({0}, static_cast<Move>(outcome.move)).node] == value[0]);
    }
}

void bounds_are_sound_whenever_the_search_is_stopped() {
    Random random(2);
    for (int round = 0; round < 2000; ++round) {
        const auto data =
            random_graph({.nodes = 10 + random.below(30), .chance = round % 2 == 0, .rows = round % 4 < 2}, random);
        const auto value = brute_force(data);
        const Graph game(data, 0);
        Uct<Graph> uct(game, with(1 + random.below(100), static_cast<std::uint64_t>(round)));
        for (int part = 0; part < 4; ++part) {
            Control control;
            const auto outcome = uct.solve(game.start(), control);
            CHECK(static_cast<double>(outcome.lower) <= value[0] && value[0] <= static_cast<double>(outcome.upper));
            CHECK(outcome.solved == (outcome.lower == outcome.upper));
            CHECK(outcome.move >= 0 && outcome.move < static_cast<std::int64_t>(data.first_edge[1]));
        }
    }
}

// Bounds of both roles on the lane of a game, looked at after every few simulations.
void trees_on_the_lane_of_a_game_prove_what_is_true() {
    Random random(4);
    std::uint64_t proved = 0;
    for (int round = 0; round < 1500; ++round) {
        const bool cyclic = round % 3 == 0;
        const auto data = random_graph({.nodes = 8 + random.below(20), .cyclic = cyclic}, random);
        const auto game = std::make_shared<const Graph>(data, 0);
        const auto value = cyclic ? brute_force_cyclic(data, 0) : static_cast<Score>(brute_force(data)[0]);
        bandit::Params params;
        params.look_ahead = round % 2 == 0;
        params.max_steps = 50;
        auto lane = std::make_unique<bandit::GameLane<Graph>>(game, game->start());
        const std::vector<std::uint64_t> root(lane->state().begin(), lane->state().end());
        bandit::Tree tree(std::move(lane), root, params, 1 << 20, static_cast<std::uint64_t>(round));
        Control control;
        for (int part = 0; part < 10; ++part) {
            tree.run(1u << part, 0, control);
            const auto first = (value - game->worst()) * bandit::kUnit, second = (game->best() - value) * bandit::kUnit;
            CHECK(tree.lower(0) <= first && first <= tree.upper(0));
            CHECK(tree.lower(1) <= second && second <= tree.upper(1));
        }
        CHECK(cyclic || tree.decided());
        proved += tree.lower(0) == tree.upper(0);
    }
    CHECK(proved > 750);
}

void a_search_one_move_on_keeps_what_is_known() {
    Random random(3);
    for (int round = 0; round < 500; ++round) {
        const auto data = random_graph({.nodes = 10 + random.below(20)}, random);
        const auto value = brute_force(data);
        const Graph game(data, 0);
        Uct<Graph> uct(game, with(100'000, 5));
        Control control;
        CHECK(uct.solve(game.start(), control).solved);
        for (Move move = 0; move < data.first_edge[1]; ++move) {
            const auto child = game.play(game.start(), move);
            const auto outcome = uct.solve(child, control);
            CHECK(outcome.solved && static_cast<double>(outcome.lower) == value[child.node]);
        }
        CHECK(uct.counts().size() == data.first_edge[1]);
        const auto again = uct.solve(game.start(), control);
        CHECK(again.solved && static_cast<double>(again.lower) == value[0]);
    }
}

void nothing_is_proved_by_going_round_in_circles() {
    Random random(4);
    int solved = 0;
    for (int round = 0; round < 1000; ++round) {
        const auto data = random_graph({.nodes = 6 + random.below(12), .cyclic = true}, random);
        const auto value = brute_force_cyclic(data, 0);
        const Graph game(data, 0);
        Uct<Graph> uct(game, with(2000, static_cast<std::uint64_t>(round)));
        Control control;
        const auto outcome = uct.solve(game.start(), control);
        CHECK(outcome.lower <= value && value <= outcome.upper);
        solved += outcome.solved;
    }
    CHECK(solved > 0);
    // Two positions and no end: every simulation is cut off and counts as endless play.
    const Graph circle({.first_edge = {0, 1, 2},
                        .target = {1, 0},
                        .turn = {0, 1},
                        .score = {0, 0},
                        .worst = -1,
                        .best = 3,
                        .endless = 2,
                        .utility = {},
                        .probability = {}},
                       0);
    Uct<Graph> uct(circle, with(100, 1));
    Control control;
    const auto outcome = uct.solve(circle.start(), control);
    CHECK(!outcome.solved && outcome.lower == -1 && outcome.upper == 3 && outcome.estimate == 2);
}

void estimates_approach_expected_values() {
    Random random(5);
    for (int round = 0; round < 100; ++round) {
        const auto data = random_graph({.nodes = 16, .degree = 2, .chance = true, .rows = round % 2 == 0}, random);
        const auto value = brute_force(data);
        const Graph game(data, 0);
        Uct<Graph> uct(game, with(20'000, static_cast<std::uint64_t>(round)));
        Control control;
        const auto outcome = uct.solve(game.start(), control);
        CHECK(std::abs(outcome.estimate - value[0]) < 0.15);
    }
}

void chance_follows_the_probabilities() {
    const Graph coin({.first_edge = {0, 2, 2, 2},
                      .target = {1, 2},
                      .turn = {GraphData::kChance, GraphData::kOver, GraphData::kOver},
                      .score = {0, 0, 1},
                      .worst = 0,
                      .best = 1,
                      .utility = {0, 0, -10, 10, 30, -30},
                      .probability = {0.75, 0.25}},
                     0);
    Uct<Graph> uct(coin, with(40'000, 1));
    Control control;
    const auto outcome = uct.solve(coin.start(), control);
    CHECK(!outcome.solved && std::abs(outcome.estimate) < 0.5);
    CHECK(std::abs(static_cast<double>(uct.counts()[0]) - 30'000) < 600);
}

void each_of_three_roles_takes_what_is_best_for_itself() {
    // Role 0 chooses between leaving the choice to role 1 or to role 2; both want what role 0 gets least of.
    const auto over = GraphData::kOver;
    const Graph game(
        {.first_edge = {0, 2, 4, 6, 6, 6, 6, 6},
         .target = {1, 2, 3, 4, 5, 6},
         .turn = {0, 1, 2, over, over, over, over},
         .score = {0, 0, 0, 3, 0, 1, 2},
         .worst = 0,
         .best = 3,
         .roles = 3,
         .utility = {0, 0, 0, 0, 0, 0, 0, 0, 0, /* 3 */ 9, 1, 0, /* 4 */ 0, 5, 0, /* 5 */ 2, 0, 1, /* 6 */ 4, 0, 7},
         .probability = {}},
        0);
    Uct<Graph> uct(game, with(20'000, 1));
    Control control;
    const auto outcome = uct.solve(game.start(), control);
    CHECK(!outcome.solved && outcome.move == 1);  // to role 2, who takes 7 and leaves 4
    CHECK(std::abs(outcome.estimate - 4) < 0.5);
    const auto visits = uct.counts();
    CHECK(visits.size() == 2 && visits[1] > 5 * visits[0] && visits[0] + visits[1] == 20'000);

    Random random(6);
    for (int round = 0; round < 300; ++round) {
        const Graph any(
            random_graph({.nodes = 20, .chance = true, .cyclic = round % 2 == 1, .roles = 3, .rows = true}, random), 0);
        Uct<Graph> run(any, with(300, 1));
        const auto result = run.solve(any.start(), control);
        CHECK(!result.solved && result.lower == -2 && result.upper == 2 && result.move >= 0);
        CHECK(result.estimate >= 0 && result.estimate <= 1);
    }
}

void two_roles_that_are_not_opposed_prove_nothing() {
    const auto over = GraphData::kOver;
    const Graph game({.first_edge = {0, 2, 2, 2},
                      .target = {1, 2},
                      .turn = {1, over, over},
                      .score = {0, 0, 1},
                      .worst = 0,
                      .best = 1,
                      .utility = {0, 0, 0, 0, 1, 1},
                      .probability = {}},
                     0);
    Uct<Graph> uct(game, with(1000, 1));
    Control control;
    const auto outcome = uct.solve(game.start(), control);
    CHECK(!outcome.solved && outcome.lower == 0 && outcome.upper == 1);
    CHECK(outcome.move == 1);  // role 1 wants the first role's win: it is its own
}

void the_memory_limit_holds_and_the_search_goes_on() {
    const Mnk<1> game(5, 5, 4);
    auto params = with(20'000, 1);
    params.table_bytes = 100'000;
    Uct<Mnk<1>> small(game, params);
    Control control;
    auto outcome = small.solve(game.start(), control);
    control.publish();
    CHECK(small.full() && small.table_bytes() <= 100'000 && control.nodes() == 20'000);
    CHECK(static_cast<std::uint64_t>(control.bytes()) == small.table_bytes());

    Uct<Mnk<1>> limited(game, with(20'000, 1));
    Control tight(0, 0, 50'000);
    outcome = limited.solve(game.start(), tight);
    tight.publish();
    CHECK(limited.full() && tight.bytes() <= 50'000 && tight.nodes() == 20'000 && tight.cause() == Cause::none);
    CHECK(outcome.move >= 0 && outcome.estimate > -1 && outcome.estimate < 1);

    Uct<Mnk<1>> hopeless(game, with(1000, 1));
    Control none(0, 0, 1);
    outcome = hopeless.solve(game.start(), none);
    CHECK(hopeless.full() && outcome.move == -1 && !outcome.solved);
}

void limits_stop_the_search() {
    const Mnk<1> game(5, 5, 4);
    Uct<Mnk<1>> uct(game, with(0, 1));
    Control control(0, 5000, 0);
    const auto outcome = uct.solve(game.start(), control);
    CHECK(!outcome.solved && control.cause() == Cause::nodes);
    std::uint64_t visits = 0;
    for (const auto n : uct.counts()) visits += n;
    CHECK(uct.counts().size() == 25 && visits == 4999);
}

void tic_tac_toe_is_proved_a_draw() {
    const Mnk<1> game(3, 3, 3);
    Uct<Mnk<1>> uct(game, with(200'000, 1));
    Control control;
    auto outcome = uct.solve(game.start(), control);
    CHECK(outcome.solved && outcome.lower == 0 && outcome.upper == 0 && outcome.estimate == 0);

    auto params = with(30'000, 1);
    params.prove = false;
    Uct<Mnk<1>> plain(game, params);
    outcome = plain.solve(game.start(), control);
    CHECK(!outcome.solved && outcome.lower == -1 && outcome.upper == 1 && outcome.move == 4);
    CHECK(std::abs(outcome.estimate) < 0.5);
}

void the_same_seed_gives_the_same_search() {
    const Mnk<1> game(4, 4, 4);
    std::array<std::vector<std::uint64_t>, 3> visits;
    for (std::size_t i = 0; i < visits.size(); ++i) {
        Uct<Mnk<1>> uct(game, with(3000, i == 2 ? 8 : 7));
        Control control;
        uct.solve(game.start(), control);
        visits[i] = uct.counts();
    }
    CHECK(visits[0] == visits[1] && visits[0] != visits[2]);
}

void a_line_of_any_length_fits() {
    // A path: its tree is as deep as the graph, and every simulation walks all of it.
    GraphData data;
    constexpr std::uint32_t length = 3000;
    for (std::uint32_t node = 0; node <= length; ++node) {
        data.first_edge.push_back(node);
        data.turn.push_back(node == length ? GraphData::kOver : static_cast<std::uint8_t>(node % 2));
        data.score.push_back(node == length ? 1 : 0);
        if (node < length) data.target.push_back(node + 1);
    }
    data.first_edge.push_back(length);
    data.worst = -1, data.best = 1;
    const Graph game(std::move(data), 0);
    Uct<Graph> uct(game, with(2 * length, 1));
    Control control;
    const auto outcome = uct.solve(game.start(), control);
    CHECK(outcome.solved && outcome.lower == 1 && outcome.move == 0);
}

void broken_graphs_are_refused() {
    const auto refused = [](GraphData data) {
        const Graph game(std::move(data), 0);
        try {
            Uct<Graph> uct(game, with(10, 1));
            Control control;
            uct.solve(game.start(), control);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    const GraphData good{.first_edge = {0, 1, 1},
                         .target = {1},
                         .turn = {0, GraphData::kOver},
                         .score = {0, 0},
                         .worst = -1,
                         .best = 1,
                         .utility = {},
                         .probability = {}};
    CHECK(!refused(good));
    auto bad = good;
    bad.utility = {1.0};
    CHECK(refused(bad));
    bad = good, bad.roles = 3;
    CHECK(refused(bad));
    bad = good, bad.turn[0] = GraphData::kChance;
    CHECK(refused(bad));
    bad = good, bad.turn[0] = 7;
    CHECK(refused(bad));
    bad = good, bad.turn[1] = 1;  // neither over nor with a move
    CHECK(refused(bad));
}

}  // namespace

int main() {
    acyclic_games_are_proved_and_agree_with_brute_force();
    bounds_are_sound_whenever_the_search_is_stopped();
    trees_on_the_lane_of_a_game_prove_what_is_true();
    a_search_one_move_on_keeps_what_is_known();
    nothing_is_proved_by_going_round_in_circles();
    estimates_approach_expected_values();
    chance_follows_the_probabilities();
    each_of_three_roles_takes_what_is_best_for_itself();
    two_roles_that_are_not_opposed_prove_nothing();
    the_memory_limit_holds_and_the_search_goes_on();
    limits_stop_the_search();
    tic_tac_toe_is_proved_a_draw();
    the_same_seed_gives_the_same_search();
    a_line_of_any_length_fits();
    broken_graphs_are_refused();
    std::puts("uct: all checks hold");
}
