// Tree search on ground games: leaves valued one at a time and in batches, against exact expectations of random play.
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "check.hpp"
#include "gdl/bulk/bulk.hpp"
#include "gdl/tree.hpp"
#include "random_rules.hpp"

using namespace zermelo;
using namespace zermelo::gdl;

namespace {

using State = std::vector<std::uint64_t>;
constexpr std::uint32_t kSteps = 5;  // of a playout

std::shared_ptr<const Circuit> random_circuit(std::uint64_t seed, std::uint32_t roles = 2) {
    Random random(seed);
    return std::make_shared<const Circuit>(compile(testing::random_rules(random, 12, 3, roles, 40)));
}

// The mean reward of each role if all play at random, by looking at every joint move.
class Expectation {
public:
    explicit Expectation(const Circuit& circuit) : circuit_(circuit) {}

    const std::vector<double>& of(const State& state, std::uint32_t steps) {
        const auto key = std::pair{state, steps};
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        const auto node = evaluate(circuit_, state, {});
        std::vector<double> mean(circuit_.roles(), 0.5);
        std::vector<std::vector<std::uint32_t>> legal(circuit_.roles());
        std::size_t joints = 1;
        for (std::uint32_t r = 0; r < circuit_.roles(); ++r) {
            for (auto m = circuit_.first_move[r]; m < circuit_.first_move[r + 1]; ++m)
                if (holds(node, circuit_.legal[m])) legal[r].push_back(m);
            joints *= legal[r].size();
        }
        if (holds(node, circuit_.terminal)) {
            for (std::uint32_t r = 0; r < circuit_.roles(); ++r) mean[r] = reward(node, r);
        } else if (steps > 0 && joints > 0) {
            mean.assign(circuit_.roles(), 0);
            for (std::size_t j = 0; j < joints; ++j) {
                std::vector<std::uint32_t> done;
                auto rest = j;
                for (const auto& moves : legal) done.push_back(moves[rest % moves.size()]), rest /= moves.size();
                const auto& after = of(next(state, done), steps - 1);
                for (std::uint32_t r = 0; r < circuit_.roles(); ++r) mean[r] += after[r] / static_cast<double>(joints);
            }
        }
        return known_.emplace(key, mean).first->second;
    }

    State next(const State& state, const std::vector<std::uint32_t>& done) const {
        const auto node = evaluate(circuit_, state, done);
        State after(circuit_.words());
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f)
            after[f / 64] |= static_cast<std::uint64_t>(holds(node, circuit_.next[f])) << (f % 64);
        return after;
    }

private:
    double reward(const std::vector<bool>& node, std::uint32_t role) const {
        std::vector<std::int64_t> goals;
        for (const auto& goal : circuit_.goals)
            if (goal.role == role && holds(node, goal.when)) goals.push_back(goal.value);
        return goals.size() == 1 ? std::clamp(static_cast<double>(goals[0]) / 100, 0.0, 1.0) : 0.5;
    }

    const Circuit& circuit_;
    std::map<std::pair<State, std::uint32_t>, std::vector<double>> known_;
};

void rewards_of_leaves_are_those_of_random_play() {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        testing::running_seed = seed;
        const auto circuit = random_circuit(seed);
        const Bulk bulk(circuit);
        Expectation expectation(*circuit);
        State states;
        std::vector<double> exact;
        for (const auto& walk : bulk.walks(circuit->start, 6, seed, 3)) {
            const auto& state = walk.states.back();
            states.insert(states.end(), state.begin(), state.end());
            const auto& mean = expectation.of(state, kSteps);
            exact.insert(exact.end(), mean.begin(), mean.end());
        }
        Control control;
        std::vector<double> mean(exact.size());
        CHECK(bulk.rewards(states, 20'000, seed, kSteps, control, mean));
        for (std::size_t i = 0; i < mean.size(); ++i)
            CHECK(std::abs(mean[i] - exact[i]) < 6 * 0.5 / std::sqrt(20'000.0));  // six deviations at most
    }
}

// Without a choice at the root, its only arm has the mean of all playouts below: with a single one, exactly those of
// random play from there.
void the_first_batch_plays_at_random_from_the_leaves() {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        testing::running_seed = seed;
        const auto circuit = random_circuit(seed);
        Expectation expectation(*circuit);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> exact;
        double sum = 0, expected = 0;
        std::uint64_t visits = 0;
        for (std::uint64_t run = 1; run <= 60; ++run) {
            Tree tree(circuit, circuit->start, 1 << 20, run, Leaves::single);
            Control control;
            if (tree.run(1, {0.7, kSteps}, control) == 0) break;  // the game is over at the start
            std::vector<std::uint32_t> joint;
            for (std::uint32_t role = 0; role < 2; ++role)
                for (const auto& arm : tree.arms(role))
                    if (arm.visits != 0) joint.push_back(arm.move);
            CHECK(joint.size() == 2);
            expected += expectation.of(expectation.next(circuit->start, joint), kSteps)[0];
            for (const auto& arm : tree.arms(0)) sum += arm.reward, visits += arm.visits;
        }
        CHECK(std::abs(sum - expected) <= 6 * 0.5 * std::sqrt(static_cast<double>(visits)) + 1e-9);
    }
}

std::uint64_t visits_at_the_root(const Tree& tree, std::uint32_t role) {
    std::uint64_t visits = 0;
    for (const auto& arm : tree.arms(role)) {
        CHECK(arm.reward >= 0 && arm.reward <= arm.visits + 1e-6);
        visits += arm.visits;
    }
    return visits;
}

void a_simulation_is_a_visit_and_a_seed_gives_the_same_tree() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        testing::running_seed = seed;
        const auto circuit = random_circuit(seed, static_cast<std::uint32_t>(1 + seed % 3));
        for (const auto leaves : {Leaves::single, Leaves::bulk, Leaves::whichever_pays}) {
            Tree one(circuit, circuit->start, 1 << 20, seed, leaves),
                other(circuit, circuit->start, 1 << 20, seed, leaves);
            CHECK(leaves == Leaves::whichever_pays || one.in_batches() == (leaves == Leaves::bulk));
            Control control;
            const auto done = one.run(3000, {0.7, 20}, control);
            CHECK(done == other.run(3000, {0.7, 20}, control));
            CHECK(done == 3000 || done == 0);
            for (std::uint32_t role = 0; role < circuit->roles(); ++role) {
                if (done != 0) CHECK(visits_at_the_root(one, role) == done);
                for (std::size_t i = 0; i < one.arms(role).size(); ++i) {
                    const auto &x = one.arms(role)[i], &y = other.arms(role)[i];
                    CHECK(x.move == y.move && x.visits == y.visits && x.reward == y.reward);
                }
            }
        }
    }
}

void what_was_stopped_leaves_no_visits() {
    const auto circuit = random_circuit(2);
    for (const std::uint64_t limit : {1u, 7u, 8u, 100u, 511u, 512u, 513u, 5000u}) {
        Tree tree(circuit, circuit->start, 1 << 20, 1, Leaves::bulk);
        Control limited(0, limit);
        const auto done = tree.run(1'000'000, {0.7, 20}, limited);
        CHECK(done < limit + 8);  // leaves are counted whole
        CHECK(visits_at_the_root(tree, 0) == done);
        Control stopped;
        stopped.stop();
        CHECK(tree.run(1'000'000, {0.7, 20}, stopped) <= 64 * 8);
    }
}

// One role and one step: move m leads to the goal m * 100 / moves.
std::shared_ptr<const Circuit> one_step(std::uint32_t moves) {
    Circuit circuit;
    circuit.fluents = moves + 1;
    circuit.moves = moves;
    circuit.first_move = {0, moves};
    circuit.role_names = {"you"};
    circuit.legal.assign(moves, kTrue);
    for (std::uint32_t m = 0; m < moves; ++m) {
        circuit.next.push_back(2 * circuit.move_node(m));
        circuit.goals.push_back({0, 100 * m / moves, 2 * circuit.fluent_node(m)});
    }
    circuit.next.push_back(kTrue);
    circuit.terminal = 2 * circuit.fluent_node(moves);
    circuit.start.assign((circuit.fluents + 63) / 64, 0);
    return std::make_shared<const Circuit>(std::move(circuit));
}

void the_best_move_is_visited_most() {
    for (const std::uint32_t moves : {2u, 5u, 30u})
        for (const auto leaves : {Leaves::single, Leaves::bulk}) {
            Tree tree(one_step(moves), std::vector<std::uint64_t>((moves + 64) / 64), 1 << 20, 1, leaves);
            Control control;
            CHECK(tree.run(20'000, {}, control) == 20'000);
            const auto best = std::ranges::max_element(tree.arms(0), {}, &Arm::visits);
            CHECK(best->move == moves - 1);
            CHECK(std::abs(best->reward / best->visits - (100 * (moves - 1) / moves) / 100.0) < 1e-9);
        }
}

}  // namespace

int main() {
    rewards_of_leaves_are_those_of_random_play();
    the_first_batch_plays_at_random_from_the_leaves();
    a_simulation_is_a_visit_and_a_seed_gives_the_same_tree();
    what_was_stopped_leaves_no_visits();
    the_best_move_is_visited_most();
}
