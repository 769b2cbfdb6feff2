// Every engine against plain backward induction on thousands of random games: acyclic and cyclic, few and many
// scores, turns that need not alternate, symmetric ones, ones that narrow and order their moves; with tiny tables,
// with limits that interrupt, with a horizon; and the strategies they give checked edge by edge.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "search/graph/graph.hpp"
#include "games/mnk.hpp"
#include "search/alphabeta.hpp"
#include "search/andor.hpp"
#include "search/bounded.hpp"
#include "search/graph/extract.hpp"
#include "search/minimax.hpp"
#include "search/mtdf.hpp"
#include "search/pns.hpp"
#include "zermelo/random.hpp"

#include "check.hpp"

using namespace zermelo;

namespace {

struct Shape {
    std::uint32_t nodes, most_edges;
    std::int32_t worst, best, step;
    bool cyclic, alternating;
};

// Node 0 is never over. In an acyclic graph edges lead to larger numbers.
GraphData random_graph(const Shape& shape, Random& random) {
    GraphData graph;
    graph.worst = shape.worst, graph.best = shape.best;
    const auto score = [&] {
        return shape.worst + shape.step * static_cast<std::int32_t>(random.below(
                                              static_cast<std::uint32_t>((shape.best - shape.worst) / shape.step + 1)));
    };
    graph.endless = score();
    graph.first_edge.push_back(0);
    for (std::uint32_t node = 0; node < shape.nodes; ++node) {
        const bool last = node + 1 == shape.nodes;
        const bool over = node > 0 && (random.below(5) == 0 || (last && !shape.cyclic));
        graph.turn.push_back(over ? GraphData::kOver
                                  : static_cast<std::uint8_t>(shape.alternating ? node & 1 : random.below(2)));
        graph.score.push_back(over ? score() : 0);
        if (!over) {
            for (auto i = random.below(shape.most_edges) + 1; i > 0; --i)
                graph.target.push_back(shape.cyclic ? random.below(shape.nodes)
                                                    : node + 1 + random.below(std::min(6u, shape.nodes - node - 1)));
        }
        graph.first_edge.push_back(graph.target.size());
    }
    return graph;
}

// The oracle for acyclic graphs whose edges lead to larger numbers.
std::vector<Score> backward_induction(const GraphData& graph) {
    std::vector<Score> value(graph.turn.size());
    for (auto node = value.size(); node-- > 0;) {
        if (graph.turn[node] == GraphData::kOver) {
            value[node] = graph.score[node];
            continue;
        }
        value[node] = value[graph.target[graph.first_edge[node]]];
        for (auto e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e) {
            const auto child = value[graph.target[e]];
            value[node] = graph.turn[node] == 0 ? std::max(value[node], child) : std::min(value[node], child);
        }
    }
    return value;
}

// The oracle for any graph: for each threshold a reachability game, of the first role where the threshold is above
// endless play, else of the second; the attractor by iteration to the fixpoint.
std::vector<Score> retrograde(const GraphData& graph) {
    const auto nodes = graph.turn.size();
    std::vector<Score> value(nodes, graph.worst);
    for (Score bound = graph.worst + 1; bound <= graph.best; ++bound) {
        const int attacker = bound > graph.endless ? 0 : 1;
        std::vector<bool> reached(nodes, false);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t node = 0; node < nodes; ++node) {
                if (reached[node]) continue;
                bool now = false;
                if (graph.turn[node] == GraphData::kOver) {
                    now = (graph.score[node] >= bound) == (attacker == 0);
                } else {
                    bool some = false, all = true;
                    for (auto e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e)
                        some |= reached[graph.target[e]], all &= reached[graph.target[e]];
                    now = graph.turn[node] == attacker ? some : all;
                }
                if (now) reached[node] = changed = true;
            }
        }
        for (std::size_t node = 0; node < nodes; ++node)
            if (reached[node] == (attacker == 0)) value[node] = bound;
    }
    return value;
}

// A graph game with everything optional that a game may offer. Each position comes in two mirror images, which list
// their moves in opposite order; `narrow` keeps a best move and drops others; `evaluate` is arbitrary.
class Fancy {
public:
    struct State {
        std::uint32_t node, image;
        bool operator==(const State&) const = default;
    };
    Fancy(const GraphData& graph, std::vector<Score> value, Score step, std::uint32_t seed)
        : graph_(graph), value_(std::move(value)), step_(step), seed_(seed) {}

    State start() const { return {0, seed_ & 1}; }
    int turn(const State& s) const { return graph_.turn[s.node]; }
    Ending ending(const State& s) const { return {graph_.turn[s.node] == GraphData::kOver, graph_.score[s.node]}; }
    void moves(const State& s, std::vector<Move>& out) const {
        for (Move move = 0; move < count(s); ++move) out.push_back(100 + move);
    }
    State play(const State& s, Move move) const {
        const auto edge = s.image ? count(s) - 1 - (move - 100) : move - 100;
        const auto target = graph_.target[graph_.first_edge[s.node] + edge];
        return {target, mix(target, edge) & 1};
    }
    Score worst() const { return graph_.worst; }
    Score best() const { return graph_.best; }
    Score step() const { return step_; }
    State canon(const State& s) const { return {s.node, 0}; }
    void order(const State& s, std::span<Move> moves) const {
        std::sort(moves.begin(), moves.end(), [&](Move a, Move b) { return mix(s.node, a) < mix(s.node, b); });
    }
    bool narrow(const State& s, std::vector<Move>& out) const {
        if (mix(s.node, 7) % 3) return false;
        bool has_best = false;
        for (Move move = 100; move < 100 + count(s); ++move) {
            const bool good = value_[play(s, move).node] == value_[s.node];
            if ((good && !has_best) || mix(s.node, move) % 2) out.push_back(move), has_best |= good;
        }
        return true;
    }
    Score evaluate(const State& s) const { return static_cast<Score>(mix(s.node, 3) % 41) - 20; }
    Score unit() const { return 10; }
    Score value(const State& s) const { return value_[s.node]; }

private:
    Move count(const State& s) const {
        return static_cast<Move>(graph_.first_edge[s.node + 1] - graph_.first_edge[s.node]);
    }
    std::uint32_t mix(std::uint32_t a, std::uint32_t b) const {
        auto x = (a * 2654435761u) ^ (b * 40503u) ^ seed_;
        x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
        return x;
    }
    const GraphData& graph_;
    std::vector<Score> value_;
    Score step_;
    std::uint32_t seed_;
};

// An explicit graph whose values are known.
class Known : public Graph {
public:
    Known(const GraphData& data, std::vector<Score> value) : Graph(data, 0), value_(std::move(value)) {}
    Score value(const State& s) const { return value_[s.node]; }

private:
    std::vector<Score> value_;
};

template <class G>
Score value_after(const G& game, const typename G::State& state, std::int64_t index) {
    std::vector<Move> moves;
    game.moves(state, moves);
    CHECK(index >= 0 && static_cast<std::size_t>(index) < moves.size());
    return game.value(game.play(state, moves[static_cast<std::size_t>(index)]));
}

template <class G>
void check_solved(const G& game, const typename G::State& root, const Outcome& outcome) {
    CHECK(outcome.solved);
    CHECK(outcome.lower == game.value(root) && outcome.upper == outcome.lower);
    if (!game.ending(root).over) CHECK(value_after(game, root, outcome.move) == game.value(root));
}

template <class G>
void check_strategy(const G& game, const typename G::State& root, int owner, Score bound, const StrategyGraph& graph) {
    const auto nodes = graph.first_edge.size() - 1;
    CHECK(graph.ranked && graph.rank.size() == nodes);
    std::vector<std::vector<typename G::State>> at(nodes);  // the position of a node, once reached
    std::vector<std::uint32_t> waiting{0};
    at[0].push_back(root);
    while (!waiting.empty()) {
        const auto node = waiting.back();
        waiting.pop_back();
        const auto state = at[node].front();
        const auto first = graph.first_edge[node], end = graph.first_edge[node + 1];
        if (const auto ending = game.ending(state); ending.over) {
            CHECK(first == end && (owner == 0 ? ending.score >= bound : ending.score <= bound));
            continue;
        }
        std::vector<Move> moves;
        game.moves(state, moves);
        CHECK(end - first == (game.turn(state) == owner ? 1 : moves.size()));
        for (auto e = first; e < end; ++e) {
            if (game.turn(state) != owner) CHECK(graph.edge_move[e] == e - first);
            CHECK(graph.edge_move[e] < moves.size() && graph.edge_target[e] < nodes);
            const auto target = graph.edge_target[e];
            CHECK(graph.rank[target] < graph.rank[node]);
            const auto child = game.play(state, moves[graph.edge_move[e]]);
            if (at[target].empty()) at[target].push_back(child), waiting.push_back(target);
            CHECK(at[target].front() == child);
        }
    }
}

template <class Engine, class G>
void check_engine(const G& game, const SearchParams& params, Random& random) {
    const auto root = game.start();
    Engine engine(game, params);
    Control control;
    check_solved(game, root, engine.solve(root, control));
    check_solved(game, root, engine.solve(root, control));  // warm
    std::vector<Move> moves;
    game.moves(root, moves);
    for (const auto move : moves) {
        const auto child = game.play(root, move);
        check_solved(game, child, engine.solve(child, control));
    }
    // A fresh engine is interrupted at a random node, and goes on afterwards.
    Engine interrupted(game, params);
    for (int i = 0; i < 3; ++i) {
        Control limited(0, 1 + random.below(40));
        const auto part = interrupted.solve(root, limited);
        CHECK(part.lower <= game.value(root) && game.value(root) <= part.upper);
        if (part.solved) check_solved(game, root, part);
    }
    check_solved(game, root, interrupted.solve(root, control));
    if constexpr (requires { engine.at_least(root, Score{}, control); }) {
        Engine asked(game, params);
        for (int i = 0; i < 4; ++i) {
            const auto bound =
                game.worst() - 1 +
                static_cast<Score>(random.below(static_cast<std::uint32_t>(game.best() - game.worst() + 3)));
            CHECK(asked.at_least(root, bound, control) == (game.value(root) >= bound));
        }
        check_solved(game, root, asked.solve(root, control));
        ProverOf<typename G::State, Engine> prover(asked);
        for (const int owner : {0, 1})
            check_strategy(game, root, owner, game.value(root),
                           extract_strategy(game, prover, root, owner, game.value(root), control));
    }
}

template <class G>
void check_engines(const G& game, const SearchParams& params, Random& random) {
    check_engine<AlphaBeta<G>>(game, params, random);
    check_engine<Mtdf<G>>(game, params, random);
    check_engine<Pns<G>>(game, params, random);
    check_engine<AndOr<G>>(game, params, random);
    check_engine<Minimax<G>>(game, params, random);
}

constexpr std::pair<std::int32_t, std::int32_t> kRanges[] = {{0, 1},  {-1, 1},     {-1, 1}, {0, 3},
                                                             {-7, 5}, {-50, 1000}, {4, 4}};

void engines_agree_with_backward_induction() {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto [worst, best] = kRanges[random.below(std::size(kRanges))];
        const std::int32_t step = (best - worst) % 2 == 0 && random.below(3) == 0 ? 2 : 1;
        const auto data = random_graph(
            {2 + random.below(30), 1 + random.below(5), worst, best, step, false, random.below(2) == 0}, random);
        const auto value = backward_induction(data);
        SearchParams params;
        params.table_bytes = random.below(2) ? 1024 : 1 << 20;
        params.epsilon = 0.25 * random.below(5);
        params.symmetry = random.below(4) != 0;
        check_engines(Known(data, value), params, random);
        check_engines(Fancy(data, value, step, static_cast<std::uint32_t>(random.next())), params, random);
    }
}

template <template <class> class Engine>
void check_cyclic(const Known& game, const SearchParams& params, Random& random) {
    Deepening<Known, Engine> engine(game, params);
    Control control;
    const auto outcome = engine.solve(game.start(), control);
    CHECK(outcome.solved && outcome.lower == game.value(game.start()) && outcome.upper == outcome.lower);
    Deepening<Known, Engine> interrupted(game, params);
    Control limited(0, 1 + random.below(200));
    const auto part = interrupted.solve(game.start(), limited);
    CHECK(part.lower <= outcome.lower && outcome.lower <= part.upper);
}

void cyclic_games_come_out_right_by_deepening() {
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto [worst, best] = kRanges[random.below(5)];
        const auto data = random_graph({2 + random.below(9), 1 + random.below(3), worst, best, 1, true, false}, random);
        const auto value = retrograde(data);
        if (Graph(data, 0).acyclic()) continue;
        SearchParams params;
        params.table_bytes = random.below(4) ? 1 << 18 : 1024;
        const Known game(data, value);
        check_cyclic<AlphaBeta>(game, params, random);
        check_cyclic<Mtdf>(game, params, random);
        check_cyclic<Pns>(game, params, random);
        check_cyclic<AndOr>(game, params, random);
        check_cyclic<Minimax>(game, params, random);
    }
}

// Plain minimax stopped after every number of nodes: bounds hold, what it publishes is what it returns, the move keeps
// the mover's bound, and in most games that it has looked at for half of its nodes it has proved something.
void minimax_stopped_anywhere_keeps_what_it_has_proved() {
    std::uint64_t games = 0, proved = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto [worst, best] = kRanges[random.below(6)];
        const auto data = random_graph(
            {10 + random.below(30), 2 + random.below(4), worst, best, 1, false, random.below(2) == 0}, random);
        const Known game(data, backward_induction(data));
        const auto root = game.start();
        Control free;
        Minimax<Known>(game, {}).solve(root, free);
        free.publish();
        if (free.nodes() < 8) continue;
        for (std::uint64_t nodes = 1; nodes <= free.nodes(); ++nodes) {
            Minimax<Known> engine(game, {});
            Control limited(0, nodes);
            const auto part = engine.solve(root, limited);
            CHECK(part.lower <= game.value(root) && game.value(root) <= part.upper &&
                  part.solved == (part.lower == part.upper));
            CHECK(limited.cause() == Cause::nodes && limited.lower() == part.lower && limited.upper() == part.upper);
            const bool first = game.turn(root) == 0;
            if (first ? part.lower > game.worst() : part.upper < game.best())
                CHECK(first ? value_after(game, root, part.move) >= part.lower
                            : value_after(game, root, part.move) <= part.upper);
            if (nodes == free.nodes() / 2) ++games, proved += part.lower > game.worst() || part.upper < game.best();
        }
    }
    CHECK(games > 100 && 2 * proved > games);
}

// The same without narrowing, which is free to drop moves that only look better at a horizon.
class Wide : public Fancy {
public:
    using Fancy::Fancy;
    bool narrow(const State&, std::vector<Move>&) const { return false; }
};

// What a search to a horizon must say: plain recursion on all moves.
Score to_horizon(const Wide& game, const Wide::State& state, int depth) {
    if (const auto end = game.ending(state); end.over) return end.score * game.unit();
    if (depth == 0) return game.evaluate(state);
    std::vector<Move> moves;
    game.moves(state, moves);
    Score best = to_horizon(game, game.play(state, moves[0]), depth - 1);
    for (const auto move : moves) {
        const auto value = to_horizon(game, game.play(state, move), depth - 1);
        best = game.turn(state) == 0 ? std::max(best, value) : std::min(best, value);
    }
    return best;
}

template <class Engine, class G>
void check_horizon(const G& game, SearchParams params, Score expected) {
    Engine engine(game, params);
    Control control;
    const auto outcome = engine.solve(game.start(), control);
    CHECK(!outcome.solved && outcome.lower == game.worst() && outcome.upper == game.best());
    CHECK(outcome.estimate == static_cast<double>(expected) / static_cast<double>(game.unit()));
    if (params.depth_limit > 0) CHECK(outcome.move >= 0);
    if constexpr (requires { engine.at_least(game.start(), Score{}, control); }) {
        // A guess in the table is no proof.
        CHECK(engine.at_least(game.start(), game.value(game.start()), control));
        CHECK(!engine.at_least(game.start(), game.value(game.start()) + 1, control));
        CHECK(engine.solve(game.start(), control).estimate == outcome.estimate);
    }
}

void depth_limited_engines_agree_with_plain_recursion() {
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto data =
            random_graph({2 + random.below(24), 1 + random.below(4), -1, 1, 1, false, random.below(2) == 0}, random);
        const auto value = backward_induction(data);
        SearchParams params;
        params.table_bytes = random.below(2) ? 1024 : 1 << 20;
        params.depth_limit = static_cast<std::int32_t>(random.below(6));
        const Wide game(data, value, 1, static_cast<std::uint32_t>(random.next()));
        const auto expected = to_horizon(game, game.start(), params.depth_limit);
        check_horizon<AlphaBeta<Wide>>(game, params, expected);
        check_horizon<Mtdf<Wide>>(game, params, expected);
        check_horizon<Minimax<Wide>>(game, params, expected);
    }
}

template <class Engine>
void check_path(const Known& game) {
    SearchParams params;
    params.table_bytes = 1 << 16;
    Engine engine(game, params);
    Control control;
    check_solved(game, game.start(), engine.solve(game.start(), control));
}

void a_path_of_a_million_positions_is_no_deeper_than_memory() {
    constexpr std::uint32_t kLength = 1'000'000;
    GraphData data;
    data.worst = -1, data.best = 1;
    for (std::uint32_t node = 0; node < kLength; ++node) {
        data.first_edge.push_back(node);
        data.turn.push_back(static_cast<std::uint8_t>(node & 1));
        data.target.push_back(node + 1);
    }
    data.first_edge.push_back(kLength), data.first_edge.push_back(kLength);
    data.turn.push_back(GraphData::kOver);
    data.score.assign(kLength + 1, 0);
    data.score.back() = 1;
    const Known game(data, std::vector<Score>(kLength + 1, 1));
    check_path<AlphaBeta<Known>>(game);
    check_path<Mtdf<Known>>(game);
    check_path<Pns<Known>>(game);
    check_path<AndOr<Known>>(game);
    check_path<Minimax<Known>>(game);
}

template <template <class> class Engine>
Score value_of_mnk(unsigned rows, unsigned columns, unsigned k) {
    using Board = Mnk<1>;
    const Board game(rows, columns, k);
    Engine<Board> engine(game, SearchParams{});
    Control control;
    const auto outcome = engine.solve(game.start(), control);
    CHECK(outcome.solved);
    return outcome.lower;
}

void small_boards_have_their_known_values() {
    CHECK(value_of_mnk<AlphaBeta>(3, 3, 3) == 0 && value_of_mnk<Mtdf>(3, 3, 3) == 0 && value_of_mnk<Pns>(3, 3, 3) == 0);
    CHECK(value_of_mnk<AndOr>(3, 3, 3) == 0 && value_of_mnk<Minimax>(3, 3, 3) == 0);
    CHECK(value_of_mnk<AlphaBeta>(4, 3, 3) == 1 && value_of_mnk<Mtdf>(4, 3, 3) == 1 && value_of_mnk<Pns>(4, 3, 3) == 1);
    CHECK(value_of_mnk<AndOr>(4, 3, 3) == 1);
}

}  // namespace

int main() {
    minimax_stopped_anywhere_keeps_what_it_has_proved();
    engines_agree_with_backward_induction();
    cyclic_games_come_out_right_by_deepening();
    depth_limited_engines_agree_with_plain_recursion();
    a_path_of_a_million_positions_is_no_deeper_than_memory();
    small_boards_have_their_known_values();
    std::puts("search: ok");
}
