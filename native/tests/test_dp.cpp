// Dynamic programming against plain value iteration on thousands of random graphs, strategies checked edge by edge,
// and the compact table against enumeration.
#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/factories.hpp"
#include "search/graph/graph.hpp"
#include "games/mnk.hpp"
#include "search/graph/dp.hpp"
#include "search/graph/labels.hpp"
#include "zermelo/random.hpp"

#include "check.hpp"
#include "ranked_games.hpp"

using namespace zermelo;
using testing::Ternary, testing::TwoHeaps;

namespace {

struct Shape {
    std::uint32_t nodes, most_edges;
    bool cyclic;
    std::int32_t scores, endless;
    std::uint32_t roles;
};

GraphData random_graph(const Shape& shape, Random& random) {
    GraphData graph;
    graph.best = shape.scores - 1;
    graph.endless = shape.endless;
    graph.first_edge.push_back(0);
    for (std::uint32_t node = 0; node < shape.nodes; ++node) {
        const bool last = node + 1 == shape.nodes;
        const bool over = random.below(4) == 0 || (last && !shape.cyclic);
        graph.turn.push_back(over ? GraphData::kOver : static_cast<std::uint8_t>(random.below(shape.roles)));
        graph.score.push_back(over ? static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(shape.scores)))
                                   : 0);
        if (!over)
            for (auto i = random.below(shape.most_edges) + 1; i > 0; --i)
                graph.target.push_back(shape.cyclic ? random.below(shape.nodes)
                                                    : node + 1 + random.below(shape.nodes - node - 1));
        graph.first_edge.push_back(graph.target.size());
    }
    return graph;
}

// V_0 = endless, V_{h+1} by the rules: exact after as many rounds as there are positions.
std::vector<std::int32_t> value_iteration(const GraphData& graph) {
    const auto nodes = graph.turn.size();
    std::vector<std::int32_t> value(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
        value[node] = graph.turn[node] == GraphData::kOver ? graph.score[node] : graph.endless;
    for (std::size_t round = 0; round < nodes; ++round) {
        auto next = value;
        for (std::size_t node = 0; node < nodes; ++node) {
            if (graph.turn[node] == GraphData::kOver) continue;
            const auto row = row_of(graph, node);
            next[node] = value[row[0]];
            for (const auto target : row)
                next[node] =
                    graph.turn[node] == 0 ? std::max(next[node], value[target]) : std::min(next[node], value[target]);
        }
        value = next;
    }
    return value;
}

// Layer by layer from the definition, over moves that keep the value only.
std::vector<std::int32_t> plain_distances(const GraphData& graph, const std::vector<std::int32_t>& value) {
    const auto nodes = graph.turn.size();
    std::vector<std::int32_t> distance(nodes, -1);
    for (std::size_t node = 0; node < nodes; ++node)
        if (graph.turn[node] == GraphData::kOver) distance[node] = 0;
    for (std::int32_t layer = 1; layer <= static_cast<std::int32_t>(nodes); ++layer) {
        const auto before = distance;
        for (std::size_t node = 0; node < nodes; ++node) {
            if (before[node] >= 0) continue;
            std::size_t keep = 0, done = 0;
            for (const auto target : row_of(graph, node))
                if (value[target] == value[node]) ++keep, done += before[target] >= 0;
            const bool hurries =
                value[node] == graph.endless || (value[node] > graph.endless) == (graph.turn[node] == 0);
            if (hurries ? done > 0 : done == keep) distance[node] = layer;
        }
    }
    return distance;
}

// Every claim a checker would make of a strategy, from the rules alone.
void check_strategy(const GraphData& graph, std::uint32_t root, int owner, Score bound, const StrategyGraph& s) {
    const auto count = s.first_edge.size() - 1;
    CHECK(s.edge_move.size() == s.edge_target.size() && s.first_edge.back() == s.edge_move.size());
    CHECK(s.rank.size() == (s.ranked ? count : 0));
    std::vector<std::int64_t> node_of(count, -1);
    node_of[0] = root;
    for (std::size_t i = 0; i < count; ++i) {
        CHECK(node_of[i] >= 0);  // breadth first: every node was met from an earlier one
        const auto node = static_cast<std::size_t>(node_of[i]);
        const auto row = row_of(graph, node);
        const auto edges = s.first_edge[i + 1] - s.first_edge[i];
        if (graph.turn[node] == GraphData::kOver) {
            CHECK(edges == 0 && (owner == 0 ? graph.score[node] >= bound : graph.score[node] <= bound));
            continue;
        }
        CHECK(edges == (graph.turn[node] == owner ? 1 : row.size()));
        for (std::uint32_t e = 0; e < edges; ++e) {
            const auto move = s.edge_move[s.first_edge[i] + e], to = s.edge_target[s.first_edge[i] + e];
            CHECK(move < row.size() && to < count && (graph.turn[node] == owner || move == e));
            CHECK(node_of[to] < 0 || node_of[to] == row[move]);
            node_of[to] = row[move];
            if (s.ranked) CHECK(s.rank[to] < s.rank[i]);
        }
    }
    if (!s.ranked) CHECK(owner == 0 ? bound <= graph.endless : bound >= graph.endless);
}

// The same for any game: its positions are enumerated, moves in their order.
template <class G>
void check_strategy(const G& game, int owner, Score bound, const StrategyGraph& strategy) {
    Control control;
    Reachable<G> positions(game);
    CHECK(positions.explore(game.start(), {}, control));
    check_strategy(positions.graph(), 0, owner, bound, strategy);
}

void check_graph(const GraphData& data) {
    Control control;
    const auto labels = label_graph(data, control);
    const auto value = value_iteration(data);
    const auto distance = plain_distances(data, value);
    for (std::uint32_t node = 0; node < data.turn.size(); ++node) {
        CHECK(labels.of[node].value == value[node]);
        CHECK(labels.of[node].distance == distance[node]);
        CHECK((best_edge(data, labels, node) < 0) == (data.turn[node] == GraphData::kOver));
    }
    for (std::uint32_t root = 0; root < data.turn.size(); root += 3)
        for (int owner = 0; owner < 2; ++owner)
            for (Score bound = data.worst; bound <= data.best; ++bound) {
                const bool holds = owner == 0 ? value[root] >= bound : value[root] <= bound;
                bool refused = false;
                try {
                    check_strategy(data, root, owner, bound,
                                   strategy_from_labels(data, labels, root, owner, bound, control));
                } catch (const std::invalid_argument&) {
                    refused = true;
                }
                CHECK(refused == !holds);
            }
}

void random_graphs_agree_with_value_iteration() {
    Random random(2024);
    for (int round = 0; round < 6000; ++round) {
        const auto scores = static_cast<std::int32_t>(2 + random.below(round % 2 ? 2 : 6));
        const Shape shape{.nodes = 2 + random.below(22),
                          .most_edges = 1 + random.below(4),
                          .cyclic = round % 3 != 0,
                          .scores = scores,
                          .endless = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(scores))),
                          .roles = 1 + static_cast<std::uint32_t>(round % 5 != 0)};
        check_graph(random_graph(shape, random));
    }
}

void every_engine_writes_its_strategy_on_a_graph() {
    Random random(7);
    for (int round = 0; round < 300; ++round) {
        const auto data = random_graph(
            {.nodes = 12, .most_edges = 3, .cyclic = round % 2 == 0, .scores = 3, .endless = 1, .roles = 2}, random);
        const auto value = value_iteration(data)[0];
        const auto game = make_graph(data, 0);
        for (const std::string engine : {"alphabeta", "dp"}) {
            Control control;
            const auto search = game->search(engine, {});
            const auto outcome = search->solve(control);
            CHECK(outcome.solved && outcome.lower == value);
            for (int owner = 0; owner < 2; ++owner)
                check_strategy(data, 0, owner, value, search->strategy(owner, value, control));
            if (data.turn[0] == GraphData::kOver) continue;
            CHECK(outcome.move >= 0 &&
                  search->solve_move(static_cast<std::uint32_t>(outcome.move), control).lower == value);
        }
    }
}

GraphData path_graph(std::uint32_t nodes) {
    GraphData graph;
    graph.best = 2;
    graph.endless = 1;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        graph.first_edge.push_back(node);
        graph.turn.push_back(node + 1 < nodes ? static_cast<std::uint8_t>(node % 2) : GraphData::kOver);
        graph.score.push_back(node + 1 < nodes ? 0 : 2);
        if (node + 1 < nodes) graph.target.push_back(node + 1);
    }
    graph.first_edge.push_back(graph.target.size());
    return graph;
}

void a_path_of_three_million_nodes_is_labelled() {
    constexpr std::uint32_t nodes = 3'000'000;
    for (const bool cyclic : {false, true}) {
        auto data = path_graph(nodes);
        if (cyclic) {  // the first move may also be a step back onto itself
            data.target.insert(data.target.begin(), 0);
            for (std::size_t node = 1; node <= nodes; ++node) ++data.first_edge[node];
        }
        const Graph game(std::move(data), 0);
        CHECK(game.acyclic() == !cyclic);
        Control control;
        Dp<Graph> engine(game, {});
        const auto outcome = engine.solve({0}, control);
        CHECK(outcome.solved && outcome.lower == 2 && outcome.distance == nodes - 1 &&
              outcome.move == (cyclic ? 1 : 0));
        const auto strategy = engine.strategy({0}, 0, 2, control);
        CHECK(strategy.ranked && strategy.first_edge.size() == nodes + 1 && strategy.rank[0] == nodes - 1);
    }
}

void limits_stop_labelling() {
    const Graph game(path_graph(100'000), 0);
    Control memory(0, 0, 100'000), nodes(0, 5'000, 0), asked;
    asked.stop();
    for (auto* control : {&memory, &nodes, &asked}) {
        Dp<Graph> engine(game, {});
        const auto outcome = engine.solve({0}, *control);
        CHECK(!outcome.solved && outcome.lower == 0 && outcome.upper == 2 && control->cause() != Cause::none);
        CHECK(control->bytes() == 0);
        Control free;
        CHECK(engine.solve({0}, free).lower == 2);
    }
}

void a_graph_with_chance_is_refused() {
    auto data = path_graph(3);
    data.turn[1] = GraphData::kChance;
    Control control;
    bool refused = false;
    try {
        label_graph(data, control);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused && control.bytes() == 0);
}

void a_memory_limit_stops_enumeration() {
    const Ternary<false> game{3, 3, 3};
    for (const std::uint64_t bytes : {1'000ull, 20'000ull, 60'000ull, 200'000ull}) {
        Dp<Ternary<false>> engine(game, {});
        Control control(0, 0, bytes);
        const auto outcome = engine.solve(game.start(), control);
        CHECK(outcome.lower <= 0 && outcome.upper >= 0 && control.cause() == Cause::memory && control.bytes() == 0);
        Control free;
        CHECK(engine.solve(game.start(), free).solved &&
              static_cast<std::uint64_t>(free.bytes()) == engine.table_bytes());
    }
}

void the_compact_table_agrees_with_enumeration() {
    for (const Score scale : {Score{1}, Score{100}, Score{1'000'000}}) {
        const Ternary<true> game{3, 3, 3, scale};
        const Ternary<false> plain{3, 3, 3, scale};
        Control control;
        Ranked<Ternary<true>> table(game);
        const auto middle = game.rank(game.play(game.start(), 4));
        table.sweep(middle, control);  // the sweep may be carried on later
        CHECK(table.covers(middle) && !table.covers(middle + 1));
        table.sweep(game.ranks() - 1, control);
        CHECK(table.bytes() == table.bytes_for(game.ranks() - 1));
        Reachable<Ternary<false>> reachable(plain);
        CHECK(reachable.explore(plain.start(), {}, control));
        const auto labels = label_graph(reachable.graph(), control, 0);
        CHECK(labels.of.size() == 5478 && labels.acyclic && labels.of[0].value == 0 && labels.of[0].distance == 9);
        std::uint64_t seen = 0;
        for (std::uint64_t r = 0; r < game.ranks(); ++r) {
            const auto at = game.unrank(r);
            if (!at.legal) continue;
            CHECK(game.rank(at.state) == r);
            const auto node = reachable.find({at.state.x, at.state.o});
            if (node == kNowhere) continue;
            ++seen;
            CHECK(table.value(r) == labels.of[node].value);
        }
        CHECK(seen == 5478 && !reachable.explore(plain.start(), {.positions = 5477}, control));
    }
}

void two_heaps_are_won_unless_they_are_equal() {
    // Small: enumerated, with distances. Large: swept.
    for (const auto& [a, b, swept] : {std::tuple{7u, 12u, false}, std::tuple{9u, 9u, false},
                                      std::tuple{250u, 300u, true}, std::tuple{260u, 260u, true}}) {
        const TwoHeaps game{a, b};
        Control control;
        Dp<TwoHeaps> engine(game, {});
        const auto outcome = engine.solve(game.start(), control);
        CHECK(outcome.solved && outcome.lower == (a == b ? -1 : 1) && (outcome.distance < 0) == swept);
        const auto before = engine.counts();
        CHECK(before.size() == 2 && before[0] >= (a + 1) * (b + 1) && before[1] == engine.table_bytes());
        std::vector<Move> moves;
        game.moves(game.start(), moves);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const auto next = game.play(game.start(), moves[i]);
            const auto after = engine.solve(next, control);
            CHECK(after.solved && after.lower == (next.a == next.b ? 1 : -1));
            if (static_cast<std::int64_t>(i) == outcome.move) CHECK(after.lower == outcome.lower);
        }
        CHECK(engine.counts() == before);
        const int winner = a == b ? 1 : 0;
        if (a + b > 100) continue;
        check_strategy(game, winner, outcome.lower, engine.strategy(game.start(), winner, outcome.lower, control));
    }
}

// Whenever memory allows only the table, the table it is, and strategies come out of it as well.
void a_tight_memory_limit_is_met_by_the_table() {
    const Ternary<true> game{3, 3, 3};
    Control control(0, 0, 6'000);
    Dp<Ternary<true>> engine(game, {});
    const auto outcome = engine.solve(game.start(), control);
    CHECK(outcome.solved && outcome.lower == 0 && outcome.distance == -1 && engine.table_bytes() == (19683 + 3) / 4);
    Control free;
    for (int owner = 0; owner < 2; ++owner)
        check_strategy(game, owner, 0, engine.strategy(game.start(), owner, 0, free));
}

// A cyclic game of its own rules: two tokens on a ring of n fields, the mover steps its token either way; meeting the
// other token wins for the mover.
struct Ring {
    struct State {
        std::uint32_t a, b, turn;
        bool operator==(const State&) const = default;
    };
    std::uint32_t size, gap;
    State start() const { return {0, gap, 0}; }
    int turn(const State& s) const { return static_cast<int>(s.turn); }
    Ending ending(const State& s) const { return s.a == s.b ? Ending{true, s.turn ? 1 : -1} : Ending{}; }
    void moves(const State&, std::vector<Move>& out) const { out.push_back(1), out.push_back(size - 1); }
    State play(State s, Move m) const {
        auto& own = s.turn ? s.b : s.a;
        own = (own + m) % size;
        s.turn ^= 1;
        return s;
    }
    Score worst() const { return -1; }
    Score best() const { return 1; }
    Score endless() const { return 0; }
    bool acyclic() const { return false; }
};

void a_cyclic_game_is_enumerated_solved_and_written_down() {
    int draws = 0;
    for (std::uint32_t gap = 1; gap < 9; ++gap) {
        const Ring game{9, gap};
        Control control;
        Dp<Ring> engine(game, {});
        const auto outcome = engine.solve(game.start(), control);
        Reachable<Ring> positions(game);
        CHECK(positions.explore(game.start(), {}, control));
        const auto value = value_iteration(positions.graph());
        CHECK(outcome.solved && outcome.lower == value[0] &&
              outcome.distance == plain_distances(positions.graph(), value)[0]);
        draws += outcome.lower == 0;
        for (int owner = 0; owner < 2; ++owner)
            check_strategy(game, owner, outcome.lower, engine.strategy(game.start(), owner, outcome.lower, control));
    }
    CHECK(draws > 0 && draws < 8);
}

// A library game that has symmetries as well as ranks, both ways.
void tic_tac_toe_is_a_draw_by_labels_and_by_table() {
    const Mnk<1> game(3, 3, 3);
    Control free, tight(0, 0, 6'000);
    for (auto* control : {&free, &tight}) {
        Dp<Mnk<1>> engine(game, {});
        const auto outcome = engine.solve(game.start(), *control);
        CHECK(outcome.solved && outcome.lower == 0 && outcome.distance == (control == &free ? 9 : -1));
        Control other;
        for (int owner = 0; owner < 2; ++owner)
            check_strategy(game, owner, 0, engine.strategy(game.start(), owner, 0, other));
        std::vector<Move> moves;
        game.moves(game.start(), moves);
        for (const auto move : moves) {
            const auto after = engine.solve(game.play(game.start(), move), *control);
            CHECK(after.solved && after.lower == 0 && after.move >= 0);
        }
    }
}

// A game stopped after every possible number of nodes: the bounds hold always and the move keeps what it proves; they
// are better than those of the rules at some stop, and exact at the last.
template <class G>
void check_stops(const G& game, Score value, std::uint64_t step = 1, std::uint64_t memory = 0) {
    std::uint64_t narrower = 0;
    Outcome outcome;
    for (std::uint64_t nodes = 1;; nodes += step) {
        Dp<G> engine(game, {});
        Control control(0, nodes, memory);
        outcome = engine.solve(game.start(), control);
        CHECK(outcome.lower <= value && value <= outcome.upper && outcome.solved == (outcome.lower == outcome.upper));
        CHECK(control.lower() == outcome.lower && control.upper() == outcome.upper);
        narrower += outcome.lower > game.worst() || outcome.upper < game.best();
        if (outcome.move >= 0) {
            std::vector<Move> moves;
            game.moves(game.start(), moves);
            Control free;
            const auto after =
                engine.solve(game.play(game.start(), moves[static_cast<std::size_t>(outcome.move)]), free);
            CHECK(after.solved &&
                  (game.turn(game.start()) == 0 ? after.lower >= outcome.lower : after.lower <= outcome.upper));
        }
        if (control.cause() == Cause::none) break;
        CHECK(control.cause() == Cause::nodes && (control.bytes() == 0 || memory));
    }
    CHECK(outcome.solved && narrower > 0);
}

void bounds_hold_wherever_enumeration_stops() {
    check_stops(Ternary<false>{3, 3, 3}, 0, 97);
    check_stops(Ternary<false>{2, 3, 2}, 1);
    for (const std::uint32_t heap : {5u, 6u}) check_stops(TwoHeaps{5, heap}, heap == 5 ? -1 : 1);
    for (std::uint32_t gap = 1; gap < 9; ++gap) {
        const Ring game{9, gap};
        Control free;
        check_stops(game, Dp<Ring>(game, {}).solve(game.start(), free).lower);
    }
}

// So little memory that only the table fits: ranks are swept from the ends towards the root.
void bounds_hold_wherever_the_sweep_stops() {
    check_stops(Ternary<true>{3, 3, 3}, 0, 311, 6'000);
    check_stops(Ternary<true>{2, 3, 2}, 1, 7, 600);
}

void bounds_hold_wherever_labelling_stops() {
    Random random(77);
    std::uint64_t stops = 0, exact = 0;
    for (int round = 0; round < 1500; ++round) {
        const auto scores = static_cast<std::int32_t>(2 + random.below(5));
        const Shape shape{.nodes = 2 + random.below(22),
                          .most_edges = 1 + random.below(4),
                          .cyclic = round % 3 != 0,
                          .scores = scores,
                          .endless = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(scores))),
                          .roles = 1 + static_cast<std::uint32_t>(round % 5 != 0)};
        const auto data = random_graph(shape, random);
        const auto value = value_iteration(data);
        for (std::uint64_t nodes = 1; nodes <= 2 * shape.nodes; ++nodes) {
            // The labels alone: what has a distance is final, and all the rest lies where it is said to.
            Control control(0, nodes);
            Labels labels;
            try {
                label_graph_into(labels, data, control);
            } catch (const Stopped&) {
                ++stops;
                for (std::size_t node = 0; node < value.size(); ++node)
                    CHECK(labels.of[node].distance >= 0
                              ? labels.of[node].value == value[node]
                              : labels.rest.lower <= value[node] && value[node] <= labels.rest.upper);
            }
            // The engine, from every root. Graphs as small as these are seen whole from the root.
            const Graph game(data, static_cast<std::uint32_t>(nodes % shape.nodes));
            Control limited(0, nodes);
            const auto outcome = Dp<Graph>(game, {}).solve(game.start(), limited);
            CHECK(outcome.lower == value[game.start().node] && outcome.solved);
            exact += limited.cause() != Cause::none;
        }
    }
    CHECK(stops > 0 && exact > 0);
}

// Some rows of a graph, with bounds on the other nodes: all that is consistent with them lies within what is proved.
void bounds_of_a_part_hold_and_are_attained() {
    Random random(78);
    for (int round = 0; round < 3000; ++round) {
        const auto scores = static_cast<std::int32_t>(2 + random.below(4));
        const Shape shape{.nodes = 2 + random.below(14),
                          .most_edges = 1 + random.below(3),
                          .cyclic = round % 3 != 0,
                          .scores = scores,
                          .endless = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(scores))),
                          .roles = 2};
        const auto data = random_graph(shape, random);
        const auto value = value_iteration(data);
        std::vector<Bounds> known;
        for (const Score v : value)
            known.push_back({v - static_cast<Score>(random.below(2)), v + static_cast<Score>(random.below(2))});
        const auto rows = random.below(shape.nodes + 1);
        auto part = data, low = data, high = data;
        const auto proved = bounds_of_part(part, rows, true, [&](std::uint32_t node) { return known[node]; });
        CHECK(proved.bounds.lower <= value[0] && value[0] <= proved.bounds.upper);
        for (std::size_t node = rows; node < shape.nodes; ++node) {
            low.turn[node] = high.turn[node] = GraphData::kOver;
            low.score[node] = static_cast<std::int32_t>(known[node].lower);
            high.score[node] = static_cast<std::int32_t>(known[node].upper);
        }
        CHECK(proved.bounds.lower == value_iteration(low)[0] && proved.bounds.upper == value_iteration(high)[0]);
        if (rows == shape.nodes) CHECK(proved.bounds.lower == value[0] && proved.bounds.upper == value[0]);
    }
}

}  // namespace

int main() {
    bounds_of_a_part_hold_and_are_attained();
    bounds_hold_wherever_enumeration_stops();
    bounds_hold_wherever_the_sweep_stops();
    bounds_hold_wherever_labelling_stops();
    random_graphs_agree_with_value_iteration();
    every_engine_writes_its_strategy_on_a_graph();
    a_path_of_three_million_nodes_is_labelled();
    limits_stop_labelling();
    a_memory_limit_stops_enumeration();
    a_graph_with_chance_is_refused();
    the_compact_table_agrees_with_enumeration();
    two_heaps_are_won_unless_they_are_equal();
    a_tight_memory_limit_is_met_by_the_table();
    a_cyclic_game_is_enumerated_solved_and_written_down();
    tic_tac_toe_is_a_draw_by_labels_and_by_table();
}
