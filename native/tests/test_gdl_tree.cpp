// Plain tree search on ground games: leaves valued one at a time and in batches, against exact expectations of random
// play.
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "bandit/tree.hpp"
#include "check.hpp"
#include "gdl/bulk/bulk.hpp"
#include "gdl/lane/gdl_lane.hpp"
#include "random_rules.hpp"

using namespace zermelo;
using namespace zermelo::gdl;
using bandit::Tree;
using Leaves = bandit::Params::Leaves;

namespace {

using State = std::vector<std::uint64_t>;
constexpr std::uint32_t kSteps = 5;  // of a playout

std::shared_ptr<const Circuit> random_circuit(std::uint64_t seed, std::uint32_t roles = 2) {
    Random random(seed);
    return std::make_shared<const Circuit>(compile(testing::random_rules(random, 12, 3, roles, 40)));
}

// Plain UCT: nothing is proved, so that the visits are those of the bandits alone.
Tree plain_tree(std::shared_ptr<const Circuit> circuit, std::uint64_t seed, Leaves leaves, std::uint32_t steps) {
    bandit::Params params;
    params.plain = true;
    params.leaves = leaves;
    params.max_steps = steps;
    const auto rules = std::make_shared<const GdlRules>(SingleLane(circuit).net());
    return Tree(std::make_unique<GdlLane>(rules), circuit->start, params, 1 << 20, seed);
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
            auto tree = plain_tree(circuit, run, Leaves::single, kSteps);
            Control control;
            if (tree.run(1, 0, control) == 0) break;  // the game is over at the start
            std::vector<std::uint32_t> joint;
            for (std::uint32_t role = 0; role < 2; ++role) {
                const auto arms = tree.options(role);
                const auto tried = std::ranges::find_if(arms, [](const auto& arm) { return arm.visits != 0; });
                joint.push_back(tried == arms.end() ? arms[0].move : tried->move);  // who has no choice has no bandit
            }
            expected += expectation.of(expectation.next(circuit->start, joint), kSteps)[0];
            sum += tree.mean(0), ++visits;
        }
        CHECK(std::abs(sum - expected) <= 6 * 0.5 * std::sqrt(static_cast<double>(visits)) + 1e-9);
    }
}

// Of a role with a choice.
void check_visits(const Tree& tree, std::uint32_t role, std::uint64_t done) {
    std::uint64_t visits = 0;
    for (const auto& arm : tree.options(role)) {
        CHECK(arm.mean >= 0 && arm.mean <= 1 + 1e-6);
        visits += arm.visits;
    }
    // More where play comes back to the root, which is where some of it ends for being long.
    CHECK(visits <= tree.visits() && (visits >= done || (visits == 0 && tree.options(role).size() <= 1)));
}

void a_simulation_is_a_visit_and_a_seed_gives_the_same_tree() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        testing::running_seed = seed;
        const auto circuit = random_circuit(seed, static_cast<std::uint32_t>(1 + seed % 3));
        for (const auto leaves : {Leaves::single, Leaves::batches, Leaves::whichever_pays}) {
            auto one = plain_tree(circuit, seed, leaves, 20), other = plain_tree(circuit, seed, leaves, 20);
            Control control;
            const auto done = one.run(3000, 0, control);
            CHECK(done == other.run(3000, 0, control));
            CHECK(done == 3000 || done == 0);
            for (std::uint32_t role = 0; role < circuit->roles(); ++role) {
                if (done != 0) check_visits(one, role, done);
                const auto ours = one.options(role), theirs = other.options(role);
                for (std::size_t i = 0; i < ours.size(); ++i) {
                    const auto &x = ours[i], &y = theirs[i];
                    CHECK(x.move == y.move && x.visits == y.visits && x.mean == y.mean);
                }
            }
        }
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
        for (const auto leaves : {Leaves::single, Leaves::batches}) {
            auto tree = plain_tree(one_step(moves), 1, leaves, 1000);
            Control control;
            CHECK(tree.run(20'000, 0, control) == 20'000);
            const auto arms = tree.options(0);
            const auto best = std::ranges::max_element(arms, {}, &bandit::Option::visits);
            CHECK(best->move == moves - 1 && tree.verdict(0).move == best->move && !tree.verdict(0).proved);
            CHECK(std::abs(best->mean - (100 * (moves - 1) / moves) / 100.0) < 1e-6);
        }
}

}  // namespace

int main() {
    rewards_of_leaves_are_those_of_random_play();
    the_first_batch_plays_at_random_from_the_leaves();
    a_simulation_is_a_visit_and_a_seed_gives_the_same_tree();
    the_best_move_is_visited_most();
}
