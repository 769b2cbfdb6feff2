// The bit-parallel kernel against plain evaluation of the circuit: every step of every walk, on random games with
// cycles, phases and step counters; and its choice of moves against the uniform distribution.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "check.hpp"
#include "gdl/bulk/bulk.hpp"
#include "gdl/bulk_program/exclusive.hpp"
#include "gdl/bulk_program/phases.hpp"
#include "random_rules.hpp"

using namespace zermelo;
using namespace zermelo::gdl;

namespace {

using State = std::vector<std::uint64_t>;

Literal add_gate(Circuit& circuit, Gate kind, std::vector<Literal> inputs) {
    const auto node = circuit.nodes();
    circuit.gate.push_back(kind);
    circuit.input.insert(circuit.input.end(), inputs.begin(), inputs.end());
    circuit.first_input.push_back(static_cast<std::uint32_t>(circuit.input.size()));
    circuit.blocks.push_back({node, node + 1, false});
    return 2 * node;
}
Literal fluent(const Circuit& circuit, std::uint32_t f) { return 2 * circuit.fluent_node(f); }
void set_start(Circuit& circuit, std::uint32_t f, bool value) {
    circuit.start[f / 64] &= ~(std::uint64_t{1} << (f % 64));
    circuit.start[f / 64] |= static_cast<std::uint64_t>(value) << (f % 64);
}

// A token that goes round the first fluents; it decides which of the moves beyond each role's first are legal.
void take_turns(Circuit& circuit, std::uint32_t period) {
    for (std::uint32_t f = 0; f < period; ++f) {
        circuit.next[f] = fluent(circuit, (f + period - 1) % period);
        set_start(circuit, f, f == 0);
    }
    for (std::uint32_t role = 0; role < circuit.roles(); ++role)
        for (auto m = circuit.first_move[role] + 1; m < circuit.first_move[role + 1]; ++m)
            circuit.legal[m] = add_gate(circuit, Gate::all, {circuit.legal[m], fluent(circuit, m % period)});
}

// A token that goes along a chain of fluents; at the end of it the game is over.
void count_steps(Circuit& circuit, std::uint32_t first, std::uint32_t last) {
    for (auto f = first; f < last; ++f) {
        circuit.next[f] = f == first ? kFalse : fluent(circuit, f - 1);
        set_start(circuit, f, f == first);
    }
    circuit.terminal = add_gate(circuit, Gate::any, {circuit.terminal, fluent(circuit, last - 1)});
}

std::shared_ptr<const Circuit> random_circuit(Random& random) {
    const auto fluents = 20 + random.below(80), roles = 1 + random.below(3);
    auto circuit = compile(testing::random_rules(random, fluents, 1 + random.below(40), roles, 4 + random.below(120)));
    if (random.below(3) != 0) take_turns(circuit, 2 + random.below(3));
    if (random.below(2) != 0) count_steps(circuit, 6, 8 + random.below(10));
    return std::make_shared<const Circuit>(std::move(circuit));
}

State next_state(const Circuit& circuit, const State& state, const std::vector<std::uint32_t>& done) {
    const auto node = evaluate(circuit, state, done);
    State next(circuit.words());
    for (std::uint32_t f = 0; f < circuit.fluents; ++f)
        next[f / 64] |= static_cast<std::uint64_t>(holds(node, circuit.next[f])) << (f % 64);
    return next;
}

std::int64_t goal_of(const Circuit& circuit, const std::vector<bool>& node, std::uint32_t role) {
    std::int64_t value = kNoGoal, count = 0;
    for (const auto& goal : circuit.goals)
        if (goal.role == role && holds(node, goal.when)) value = goal.value, ++count;
    return count == 1 ? value : kNoGoal;
}

void check_walk(const Circuit& circuit, const Walk& walk, std::uint64_t max_steps) {
    CHECK(!walk.states.empty());
    CHECK(walk.moves.size() + 1 == walk.states.size());
    for (std::size_t t = 0; t < walk.states.size(); ++t) {
        const auto node = evaluate(circuit, walk.states[t], {});
        const bool last = t + 1 == walk.states.size();
        CHECK(holds(node, circuit.terminal) == (last && walk.finished));
        if (!last) {
            CHECK(walk.moves[t].size() == circuit.roles());
            for (std::uint32_t r = 0; r < circuit.roles(); ++r) {
                const auto m = walk.moves[t][r];
                CHECK(m >= circuit.first_move[r] && m < circuit.first_move[r + 1]);
                CHECK(holds(node, circuit.legal[m]));
            }
            CHECK(next_state(circuit, walk.states[t], walk.moves[t]) == walk.states[t + 1]);
        } else if (walk.finished) {
            for (std::uint32_t r = 0; r < circuit.roles(); ++r) CHECK(walk.goal[r] == goal_of(circuit, node, r));
        } else {
            CHECK(t == max_steps);  // the first move of each role is always legal
        }
    }
}

std::vector<Isa> instruction_sets() {
    std::vector<Isa> sets;
    for (const auto isa : {Isa::baseline, Isa::avx2, Isa::avx512})
        if (supported(isa)) sets.push_back(isa);
    return sets;
}

void every_step_of_a_walk_is_what_the_circuit_says() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto circuit = random_circuit(random);
        std::vector<Playouts> sums;
        std::vector<std::vector<Walk>> walks;
        for (const auto isa : instruction_sets()) {
            const Bulk bulk(circuit, isa);
            walks.push_back(bulk.walks(circuit->start, 40, seed, 12));
            Control control;
            sums.push_back(bulk.run(circuit->start, 700, seed, 12, control));
        }
        for (const auto& walk : walks[0]) {
            CHECK(walk.states[0] == circuit->start);
            check_walk(*circuit, walk, 12);
        }
        CHECK(sums[0].playouts == 700);
        for (std::size_t i = 1; i < sums.size(); ++i) {
            CHECK(sums[i].steps == sums[0].steps && sums[i].unfinished == sums[0].unfinished);
            CHECK(sums[i].goal_sum == sums[0].goal_sum && sums[i].goal_count == sums[0].goal_count);
            for (std::size_t w = 0; w < walks[0].size(); ++w)
                CHECK(walks[i][w].states == walks[0][w].states && walks[i][w].moves == walks[0][w].moves);
        }
    }
}

// What is told of the playouts from each state is what was done in them: moves where a player had a choice, each once,
// with what the playouts brought that player.
void check_tried(const std::shared_ptr<const Circuit>& circuit, std::uint64_t seed, std::uint64_t max_steps) {
    constexpr std::uint32_t kStates = 40;
    const Bulk bulk(circuit);
    const auto walks = bulk.walks(circuit->start, kStates, seed, max_steps);
    State states;
    for (std::uint32_t i = 0; i < kStates; ++i)
        states.insert(states.end(), circuit->start.begin(), circuit->start.end());
    const auto roles = circuit->roles();
    std::vector<double> mean(kStates * roles), square(kStates * roles);
    std::vector<bandit::MoveTally> tried;
    Control control;
    CHECK(bulk.rewards(states, 1, seed, max_steps, control, mean, square, &tried));
    for (std::size_t i = 0; i < mean.size(); ++i) CHECK(square[i] == mean[i] * mean[i]);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> told;
    for (const auto& one : tried) {
        CHECK(one.count == 1);
        CHECK((told.emplace(std::pair(one.state, one.move), one.sum).second));
    }
    for (std::uint32_t i = 0; i < kStates; ++i) {
        std::map<std::uint32_t, bool> chosen;  // by move, whether there was a choice
        for (std::size_t t = 0; t < walks[i].moves.size(); ++t) {
            const auto node = evaluate(*circuit, walks[i].states[t], {});
            for (std::uint32_t r = 0; r < roles; ++r) {
                std::uint32_t legal = 0;
                for (auto m = circuit->first_move[r]; m < circuit->first_move[r + 1]; ++m)
                    legal += holds(node, circuit->legal[m]);
                chosen[walks[i].moves[t][r]] |= legal > 1;
            }
        }
        for (const auto& [move, free] : chosen) {
            const auto found = told.find({i, move});
            CHECK(found != told.end() || !free);
            if (found == told.end()) continue;
            std::uint32_t role = 0;
            while (circuit->first_move[role + 1] <= move) ++role;
            CHECK(std::abs(found->second - mean[i * roles + role]) < 1e-6);
            told.erase(found);
        }
    }
    CHECK(told.empty());
}

void what_was_played_is_told() {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        check_tried(random_circuit(random), seed, 12);
    }
}

// Whatever the state, also where it agrees with no phase: each is followed for one step.
void playouts_begin_in_any_state() {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto circuit = random_circuit(random);
        const Bulk bulk(circuit);
        State states;
        for (std::uint32_t i = 0; i < 70; ++i) {
            State state = circuit->start;
            if (i % 3 == 0)
                for (std::uint32_t f = 0; f < circuit->fluents; ++f) {
                    state[f / 64] &= ~(std::uint64_t{1} << (f % 64));
                    state[f / 64] |= static_cast<std::uint64_t>(random.below(2)) << (f % 64);
                }
            if (i % 3 == 1) state = bulk.walks(circuit->start, 1, random.next(), 1 + random.below(9))[0].states.back();
            check_walk(*circuit, bulk.walks(state, 2, seed, 5)[1], 5);
            states.insert(states.end(), state.begin(), state.end());
        }
        // No steps at all: what is known is the goals of the terminal states.
        std::vector<double> mean(70 * circuit->roles());
        bulk.evaluate(states, 3, seed, 0, mean);
        for (std::uint32_t i = 0; i < 70; ++i) {
            const auto node = evaluate(*circuit, std::span(states).subspan(i * circuit->words(), circuit->words()), {});
            for (std::uint32_t r = 0; r < circuit->roles(); ++r) {
                const auto goal = holds(node, circuit->terminal) ? goal_of(*circuit, node, r) : kNoGoal;
                const auto got = mean[i * circuit->roles() + r];
                CHECK(goal == kNoGoal ? std::isnan(got) : got == static_cast<double>(goal));
            }
        }
    }
}

void the_special_circuit_means_the_same_where_its_knowledge_holds() {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto circuit = random_circuit(random);
        State state(circuit->words());
        bulk::Known known(circuit->fluents, bulk::kEither);
        for (std::uint32_t f = 0; f < circuit->fluents; ++f) {
            const auto value = random.below(2);
            state[f / 64] |= std::uint64_t{value} << (f % 64);
            if (random.below(3) != 0) known[f] = value ? bulk::kMaybeTrue : bulk::kMaybeFalse;
        }
        CHECK(bulk::agrees(known, state));
        const auto special = bulk::specialise(*circuit, known);
        const auto before = evaluate(*circuit, state, {});
        std::vector<std::uint32_t> done;
        for (std::uint32_t r = 0; r < circuit->roles(); ++r) {
            std::uint32_t m;
            do m = circuit->first_move[r] + random.below(circuit->first_move[r + 1] - circuit->first_move[r]);
            while (!holds(before, circuit->legal[m]));
            done.push_back(m);
        }
        std::vector<std::uint32_t> kept;
        for (std::uint32_t m = 0; m < special.move.size(); ++m)
            if (std::ranges::find(done, special.move[m]) != done.end()) kept.push_back(m);
        const auto node = evaluate(*circuit, state, done), same = evaluate(special.circuit, state, kept);
        for (std::uint32_t f = 0; f < circuit->fluents; ++f)
            CHECK(holds(node, circuit->next[f]) == holds(same, special.circuit.next[f]));
        for (std::uint32_t m = 0; m < circuit->moves; ++m)
            CHECK(holds(same, special.does[m]) == (std::ranges::find(done, m) != done.end()));
        for (std::uint32_t m = 0; m < special.move.size(); ++m)
            CHECK(holds(node, circuit->legal[special.move[m]]) == holds(same, special.circuit.legal[m]));
        for (std::size_t g = 0; g < circuit->goals.size(); ++g)
            CHECK(holds(node, circuit->goals[g].when) == holds(same, special.circuit.goals[g].when));
        CHECK(holds(node, circuit->terminal) == holds(same, special.circuit.terminal));
        for (const auto literal : special.required) CHECK(holds(same, literal));
    }
}

// One role; fluent m says whether move m is legal; after one move the game is over, with goal 1.
Circuit one_choice(std::uint32_t moves) {
    Circuit circuit;
    circuit.fluents = moves + 1;
    circuit.moves = moves;
    circuit.first_move = {0, moves};
    for (std::uint32_t m = 0; m < moves; ++m) {
        circuit.legal.push_back(fluent(circuit, m));
        circuit.next.push_back(fluent(circuit, m));
    }
    circuit.next.push_back(kTrue);
    circuit.terminal = fluent(circuit, moves);
    circuit.goals.push_back({0, 1, kTrue});
    circuit.start.assign((circuit.fluents + 63) / 64, 0);
    return circuit;
}

void moves_are_chosen_uniformly_among_the_legal_ones() {
    for (const std::uint32_t moves : {2u, 3u, 7u, 8u, 9u, 17u, 40u, 65u, 130u, 700u}) {
        auto circuit = one_choice(moves);
        Random random(moves);
        std::vector<std::uint32_t> legal;
        for (std::uint32_t m = 0; m < moves; ++m)
            if (m == 0 || random.below(3) != 0) legal.push_back(m);
        for (const auto m : legal) set_start(circuit, m, true);
        // What is legal must not be known before: another state is played from.
        const State state = circuit.start;
        circuit.start.assign(circuit.start.size(), 0);
        const Bulk bulk(std::make_shared<const Circuit>(circuit));
        std::vector<double> count(moves);
        const auto rounds = 1 + 20 * legal.size() / 512;
        for (std::uint64_t seed = 1; seed <= rounds; ++seed)
            for (const auto& walk : bulk.walks(state, 512, seed, 10)) {
                CHECK(walk.finished && walk.moves.size() == 1);
                ++count[walk.moves[0][0]];
            }
        const auto expected = 512.0 * static_cast<double>(rounds) / static_cast<double>(legal.size());
        double chi = 0;
        for (const auto m : legal) chi += (count[m] - expected) * (count[m] - expected) / expected;
        const auto freedom = static_cast<double>(legal.size() - 1);
        CHECK(chi < freedom + 5 * std::sqrt(2 * freedom) + 5);  // one in a million or so
        CHECK(chi > freedom - 5 * std::sqrt(2 * freedom) - 5);
    }
}

void playouts_that_cannot_end_are_unfinished() {
    auto circuit = one_choice(3);
    circuit.terminal = kFalse;
    set_start(circuit, 1, true);
    Control control;
    const auto endless = Bulk(std::make_shared<const Circuit>(circuit)).run(circuit.start, 1000, 1, 17, control);
    CHECK(endless.playouts == 1000 && endless.unfinished == 1000 && endless.steps == 17'000);
    set_start(circuit, 1, false);  // no legal move
    const auto stuck = Bulk(std::make_shared<const Circuit>(circuit)).run(circuit.start, 1000, 1, 17, control);
    CHECK(stuck.playouts == 1000 && stuck.unfinished == 1000 && stuck.steps == 0 && stuck.goal_count[0] == 0);
}

void a_stopped_control_ends_the_run() {
    auto circuit = one_choice(3);
    set_start(circuit, 1, true);
    Control control;
    control.stop();
    const auto sums =
        Bulk(std::make_shared<const Circuit>(circuit)).run(circuit.start, 1'000'000'000'000, 1, 17, control);
    CHECK(sums.playouts < 1'000'000'000 && sums.unfinished == 0);
    CHECK(sums.goal_count[0] == sums.playouts);
}

void threads_share_the_playouts() {
    Random random(7);
    const auto circuit = random_circuit(random);
    const Bulk bulk(circuit);
    Control control;
    const auto once = bulk.run(circuit->start, 3001, 5, 12, control, 3),
               again = bulk.run(circuit->start, 3001, 5, 12, control, 3);
    CHECK(once.playouts == 3001 && once.steps == again.steps && once.goal_sum == again.goal_sum);
}

// Plain playouts, one at a time, have the same means.
void means_are_those_of_plain_playouts() {
    for (const std::uint64_t seed : {3, 4, 5}) {
        testing::running_seed = seed;
        Random random(seed);
        auto circuit = compile(testing::random_rules(random, 30, 4, 2, 60));
        count_steps(circuit, 6, 11);
        const Bulk bulk(std::make_shared<const Circuit>(circuit));
        std::vector<double> sum(2), squares(2), count(2);
        double steps = 0, step_squares = 0;
        constexpr int kPlain = 1500;
        for (int i = 0; i < kPlain; ++i) {
            State state = circuit.start;
            double length = 0;
            for (;; ++length) {
                const auto node = evaluate(circuit, state, {});
                if (holds(node, circuit.terminal)) {
                    for (std::uint32_t r = 0; r < 2; ++r)
                        if (const auto goal = static_cast<double>(goal_of(circuit, node, r)); goal >= 0)
                            sum[r] += goal, squares[r] += goal * goal, ++count[r];
                    break;
                }
                std::vector<std::uint32_t> done;
                for (std::uint32_t r = 0; r < 2; ++r) {
                    std::vector<std::uint32_t> legal;
                    for (auto m = circuit.first_move[r]; m < circuit.first_move[r + 1]; ++m)
                        if (holds(node, circuit.legal[m])) legal.push_back(m);
                    done.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
                }
                state = next_state(circuit, state, done);
            }
            steps += length;
            step_squares += length * length;
        }
        Control control;
        const auto many = bulk.run(circuit.start, 60'000, seed, 100, control);
        CHECK(many.playouts == 60'000 && many.unfinished == 0);
        const auto close = [](double mean, double x, double xx, double n) {
            const auto deviation = std::sqrt(std::max(0.0, xx / n - x / n * (x / n)) / n);
            return std::abs(mean - x / n) <= 6 * deviation + 1e-9;
        };
        CHECK(close(static_cast<double>(many.steps) / 60'000, steps, step_squares, kPlain));
        std::vector<double> mean(2);
        bulk.evaluate(circuit.start, 60'000, seed + 1, 100, mean);
        for (std::uint32_t r = 0; r < 2; ++r) {
            if (count[r] == 0) continue;
            CHECK(close(many.goal_sum[r] / static_cast<double>(many.goal_count[r]), sum[r], squares[r], count[r]));
            CHECK(close(mean[r], sum[r], squares[r], count[r]));
        }
    }
}

void phases_are_found_where_roles_take_turns() {
    Random random(11);
    auto circuit = compile(testing::random_rules(random, 30, 4, 2, 60));
    take_turns(circuit, 3);
    const auto phases = bulk::find_phases(circuit);
    CHECK(phases.known.size() % 3 == 0);
    for (std::size_t p = 0; p < phases.known.size(); ++p)
        for (std::uint32_t f = 0; f < 3; ++f)
            CHECK(phases.known[p][f] == (p % 3 == f ? bulk::kMaybeTrue : bulk::kMaybeFalse));
    CHECK(bulk::agrees(phases.known[0], circuit.start));
}

// Twenty steps, each with gates of its own: knowing the step leaves a small part of the circuit.
Circuit a_game_of_steps(Random& random) {
    constexpr std::uint32_t kSteps = 20, kBoard = 60, kMoves = 12;
    Circuit circuit;
    circuit.fluents = kBoard + kSteps;
    circuit.moves = kMoves;
    circuit.first_move = {0, kMoves};
    circuit.start.assign((circuit.fluents + 63) / 64, 0);
    circuit.terminal = kFalse;
    circuit.next.resize(circuit.fluents);
    circuit.legal.assign(kMoves, kTrue);
    const auto cell = [&] { return fluent(circuit, random.below(kBoard)) ^ random.below(2); };
    for (std::uint32_t m = 1; m < kMoves; ++m) circuit.legal[m] = add_gate(circuit, Gate::any, {cell(), cell()});
    for (std::uint32_t f = 0; f < kBoard; ++f) {
        std::vector<Literal> cases;
        for (std::uint32_t step = 0; step < kSteps; ++step)
            cases.push_back(add_gate(
                circuit, Gate::all,
                {fluent(circuit, kBoard + step),
                 add_gate(circuit, Gate::any, {cell(), cell(), 2 * circuit.move_node(random.below(kMoves))})}));
        circuit.next[f] = add_gate(circuit, Gate::any, cases);
    }
    count_steps(circuit, kBoard, kBoard + kSteps);
    for (std::int64_t value = 0; value < 3; ++value)
        circuit.goals.push_back({0, value, add_gate(circuit, Gate::all, {cell(), cell()})});
    return circuit;
}

void lanes_in_step_play_the_same_game() {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto circuit = std::make_shared<const Circuit>(a_game_of_steps(random));
        const auto steps = bulk::unroll(*circuit, 100);
        const Bulk bulk(circuit);
        CHECK(steps.known.size() == 20 && bulk.phases() == 20);
        const auto walks = bulk.walks(circuit->start, 30, seed, 100);
        State leaves;
        for (const auto& walk : walks) {
            check_walk(*circuit, walk, 100);
            CHECK(walk.finished && walk.moves.size() == 19);
            for (std::size_t t = 0; t < walk.states.size(); ++t) CHECK(bulk::agrees(steps.known[t], walk.states[t]));
            const auto& leaf = walk.states[random.below(20)];
            check_walk(*circuit, bulk.walks(leaf, 3, seed, 100)[2], 100);
            leaves.insert(leaves.end(), leaf.begin(), leaf.end());
        }
        // From leaves at different steps, taken up as the machine gets to their steps.
        std::vector<double> mean(30), last(1);
        bulk.evaluate(leaves, 40, seed, 100, mean);
        const auto& end = walks[0].states.back();
        bulk.evaluate(end, 40, seed, 100, last);
        CHECK(walks[0].goal[0] == kNoGoal ? std::isnan(last[0]) : last[0] == static_cast<double>(walks[0].goal[0]));
        Control control;
        const auto sums = bulk.run(circuit->start, 2000, seed, 100, control);
        CHECK(sums.playouts == 2000 && sums.steps == 2000 * 19 && sums.unfinished == 0);
    }
}

// Pieces of three kinds that go from any square to any other which a wall does not bar, in place of what stands there;
// whoever comes to a square builds or breaks the wall next to it. Hundreds of moves, few of them legal; without any the
// game is over. A second role may do one of a few things that mean nothing.
Circuit a_game_of_pieces(Random& random) {
    constexpr std::uint32_t kSquares = 12, kKinds = 3, kPieces = kSquares * kKinds;
    Circuit circuit;
    circuit.fluents = kPieces + kSquares;
    circuit.moves = kPieces * kSquares + 3;
    circuit.first_move = {0, kPieces * kSquares, circuit.moves};
    circuit.start.assign(1, 0);
    circuit.legal.assign(circuit.moves, kTrue);
    circuit.next.resize(circuit.fluents);
    const auto piece = [](std::uint32_t square, std::uint32_t kind) { return kKinds * square + kind; };
    const auto move = [&](std::uint32_t from, std::uint32_t kind, std::uint32_t to) {
        return kSquares * piece(from, kind) + to;
    };
    std::vector<Literal> moves_there;
    for (std::uint32_t from = 0; from < kSquares; ++from)
        for (std::uint32_t kind = 0; kind < kKinds; ++kind)
            for (std::uint32_t to = 0; to < kSquares; ++to) {
                const auto wall = fluent(circuit, kPieces + to);
                const auto legal =
                    from == to ? kFalse
                               : add_gate(circuit, Gate::all, {fluent(circuit, piece(from, kind)), negate(wall)});
                circuit.legal[move(from, kind, to)] = legal;
                if (from != to) moves_there.push_back(legal);
            }
    for (std::uint32_t square = 0; square < kSquares; ++square) {
        std::vector<Literal> affected;
        std::vector<std::vector<Literal>> arrives(kKinds);
        for (std::uint32_t other = 0; other < kSquares; ++other)
            for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
                if (other == square) continue;
                arrives[kind].push_back(2 * circuit.move_node(move(other, kind, square)));
                affected.push_back(arrives[kind].back());
                affected.push_back(2 * circuit.move_node(move(square, kind, other)));
            }
        const auto changes = add_gate(circuit, Gate::any, affected);
        for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
            const auto stays = add_gate(circuit, Gate::all, {fluent(circuit, piece(square, kind)), negate(changes)});
            arrives[kind].push_back(stays);
            circuit.next[piece(square, kind)] = add_gate(circuit, Gate::any, arrives[kind]);
        }
        // The wall: built by one certain move, broken by another, and sometimes both at once by a piece of the last
        // kind.
        const auto wall = fluent(circuit, kPieces + square);
        const auto one = 2 * circuit.move_node(move((square + 1) % kSquares, 0, (square + 3) % kSquares));
        const auto two = add_gate(circuit, Gate::all,
                                  {2 * circuit.move_node(move((square + 2) % kSquares, 1, (square + 5) % kSquares)),
                                   fluent(circuit, piece(square, 2))});
        circuit.next[kPieces + square] =
            add_gate(circuit, Gate::any, {one, two, add_gate(circuit, Gate::all, {wall, negate(changes)})});
        if (square % 2 == 0) set_start(circuit, piece(square, random.below(kKinds)), true);
        else set_start(circuit, kPieces + square, random.below(2));
    }
    circuit.terminal = negate(add_gate(circuit, Gate::any, moves_there));
    for (std::int64_t value = 0; value < 3; ++value)
        circuit.goals.push_back({0, value, fluent(circuit, piece(0, static_cast<std::uint32_t>(value)))});
    return circuit;
}

void roles_with_hundreds_of_moves_play_by_the_rules() {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto circuit = std::make_shared<const Circuit>(a_game_of_pieces(random));
        const auto group = bulk::find_exclusive(*circuit);
        for (std::uint32_t f = 0; f < 36; ++f) {
            CHECK(group[f] != bulk::kNoGroup);
            for (std::uint32_t g = 0; g < 36; ++g) CHECK((group[f] == group[g]) == (f / 3 == g / 3));
        }
        check_tried(circuit, seed, 30);
        std::vector<std::vector<Walk>> walks;
        std::vector<Playouts> sums;
        // From the start, and from a state in which two pieces stand on one square: play cannot get there.
        State crowded = circuit->start;
        crowded[0] |= 7;
        for (const auto isa : instruction_sets()) {
            const Bulk bulk(circuit, isa);
            walks.push_back(bulk.walks(circuit->start, 60, seed, 25));
            for (auto& walk : bulk.walks(crowded, 20, seed, 25)) walks.back().push_back(std::move(walk));
            Control control;
            sums.push_back(bulk.run(circuit->start, 1500, seed, 40, control));
        }
        for (const auto& walk : walks[0]) check_walk(*circuit, walk, 25);
        for (std::size_t i = 1; i < walks.size(); ++i) {
            CHECK(sums[i].steps == sums[0].steps && sums[i].goal_sum == sums[0].goal_sum);
            for (std::size_t w = 0; w < walks[0].size(); ++w)
                CHECK(walks[i][w].states == walks[0][w].states && walks[i][w].moves == walks[0][w].moves);
        }
    }
}

// The first move of very many walks.
void slots_of_several_moves_are_chosen_uniformly() {
    Random random(1);
    const auto circuit = std::make_shared<const Circuit>(a_game_of_pieces(random));
    const Bulk bulk(circuit);
    const auto node = evaluate(*circuit, circuit->start, {});
    std::map<std::uint32_t, double> count;
    for (std::uint32_t m = 0; m < circuit->first_move[1]; ++m)
        if (holds(node, circuit->legal[m])) count[m] = 0;
    constexpr std::uint32_t kRounds = 20;
    for (std::uint64_t seed = 1; seed <= kRounds; ++seed)
        for (const auto& walk : bulk.walks(circuit->start, 512, seed, 1)) ++count.at(walk.moves[0][0]);
    const auto expected = 512.0 * kRounds / static_cast<double>(count.size());
    double chi = 0;
    for (const auto& [m, times] : count) chi += (times - expected) * (times - expected) / expected;
    const auto freedom = static_cast<double>(count.size() - 1);
    CHECK(std::abs(chi - freedom) < 5 * std::sqrt(2 * freedom) + 5);
}

}  // namespace

int main() {
    every_step_of_a_walk_is_what_the_circuit_says();
    what_was_played_is_told();
    playouts_begin_in_any_state();
    the_special_circuit_means_the_same_where_its_knowledge_holds();
    moves_are_chosen_uniformly_among_the_legal_ones();
    playouts_that_cannot_end_are_unfinished();
    a_stopped_control_ends_the_run();
    threads_share_the_playouts();
    means_are_those_of_plain_playouts();
    phases_are_found_where_roles_take_turns();
    lanes_in_step_play_the_same_game();
    roles_with_hundreds_of_moves_play_by_the_rules();
    slots_of_several_moves_are_chosen_uniformly();
}
