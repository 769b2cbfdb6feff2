// The border to Python for trees of bandits.
#include "bandit_bindings.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gdl/lane/gdl_lane.hpp"
#include "bandit/threads/forest.hpp"
#include "bandit/threads/ongoing_search.hpp"
#include "bandit/tree.hpp"
#include "bandit/turn/turn.hpp"
#include "gdl/exact/ground_game.hpp"
#include "gdl/symmetry/symmetry.hpp"
#include "zermelo/control.hpp"
#include "zermelo/heed.hpp"
#include "zermelo/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

std::vector<std::uint64_t> position_of(std::size_t words, const nb::bytes& bytes) {
    std::vector<std::uint64_t> position(words);
    if (bytes.size() != words * 8) throw std::invalid_argument("a state of the wrong size");
    if (!position.empty()) std::memcpy(position.data(), bytes.data(), bytes.size());  // of none there is no address
    return position;
}

using gdl::GdlRules;
using Places = std::vector<std::pair<std::int64_t, std::int64_t>>;

bandit::Params params_of(double exploration, double share, bool look_ahead, std::uint32_t max_steps,
                         std::uint32_t grave, std::uint32_t choices, double mast, bool literal, std::uint32_t samples,
                         std::uint32_t joint, const std::string& kernel, bool plain, double trust, double prior,
                         double prove, bool regret, std::uint32_t turn) {
    using Leaves = bandit::Params::Leaves;
    if (kernel != "single" && kernel != "bulk" && kernel != "auto") throw std::invalid_argument("no such kernel");
    bandit::Params params;
    params.exploration = exploration;
    params.share = share;
    params.look_ahead = look_ahead;
    params.max_steps = max_steps;
    params.grave = grave;
    params.choices = choices;
    params.mast = mast;
    params.literal = literal;
    params.samples = samples;
    params.most_ahead = joint;
    params.plain = plain;
    params.trust = trust;
    params.prior = prior;
    params.regret = regret;
    params.prove = prove;
    params.turn = turn;
    params.leaves = kernel == "single" ? Leaves::single : kernel == "bulk" ? Leaves::batches : Leaves::whichever_pays;
    return params;
}

bandit::StageRules stage_of(std::shared_ptr<scsp::Instance> instance, const Places& facts, const Places& state,
                            const Places& moves, const std::vector<std::int64_t>& results,
                            std::vector<std::vector<std::int32_t>> goals) {
    using bandit::StageRules;
    const auto number = [](std::int64_t value) {
        return value < 0 ? StageRules::kNone : static_cast<std::uint32_t>(value);
    };
    std::vector<scsp::Assumption> fact_places;
    std::vector<StageRules::StateVariable> state_variables;
    std::vector<StageRules::MoveVariable> move_variables;
    std::vector<StageRules::Result> role_results;
    if (goals.size() != results.size()) throw std::invalid_argument("goals for each result");
    for (const auto& [variable, value] : facts) fact_places.push_back({number(variable), number(value)});
    for (const auto& [variable, absent] : state) state_variables.push_back({number(variable), number(absent)});
    for (const auto& [variable, first] : moves) move_variables.push_back({number(variable), number(first)});
    for (std::size_t role = 0; role < results.size(); ++role)
        role_results.push_back({number(results[role]), std::move(goals[role])});
    return {std::move(instance), std::move(fact_places), std::move(state_variables), std::move(move_variables),
            std::move(role_results)};
}

// All that a tree is made from.
struct TreePlan {
    std::shared_ptr<GdlRules> rules;
    std::shared_ptr<const gdl::StateSymmetry> symmetry;
    std::vector<std::uint64_t> root;
    bandit::Params params;
    std::uint64_t bytes, seed;
    std::shared_ptr<bandit::StageRules> stage;
    std::shared_ptr<gdl::ValueModel> values;
    std::uint32_t threads;

    std::unique_ptr<bandit::Lane> lane() const { return std::make_unique<gdl::GdlLane>(rules, symmetry, values); }

    // They share the memory. The first tree is that of a single thread.
    bandit::Forest forest() const {
        std::vector<std::unique_ptr<bandit::Tree>> trees;
        Random seeds(seed);
        for (std::uint32_t i = 0; i < threads; ++i)
            trees.push_back(std::make_unique<bandit::Tree>(lane(), root, params, bytes / threads,
                                                           i == 0 ? seed : seeds.next(), stage));
        return bandit::Forest(std::move(trees));
    }
};

bandit::Forest forest_of(std::unique_ptr<bandit::Tree> tree) {
    std::vector<std::unique_ptr<bandit::Tree>> trees;
    trees.push_back(std::move(tree));
    return bandit::Forest(std::move(trees));
}

void bind_plan(nb::module_& m) {
    nb::class_<TreePlan>(m, "BanditPlan", "What a tree of bandits is made from.")
        .def(
            "__init__",
            [](TreePlan* self, std::shared_ptr<GdlRules> rules, const nb::bytes& root, std::uint64_t bytes,
               std::uint64_t seed, double exploration, double share, bool look_ahead, std::uint32_t max_steps,
               std::uint32_t grave, std::uint32_t choices, double mast, bool literal, std::uint32_t samples,
               const std::string& kernel, const gdl::StateSymmetry* symmetry, std::uint32_t joint,
               std::shared_ptr<bandit::StageRules> stage, bool plain, std::shared_ptr<gdl::ValueModel> values,
               double trust, double prior, double prove, bool regret, std::uint32_t threads, std::uint32_t turn) {
                auto position = position_of(rules->circuit->words(), root);
                const auto params = params_of(exploration, share, look_ahead, max_steps, grave, choices, mast, literal,
                                              samples, joint, kernel, plain, trust, prior, prove, regret, turn);
                const auto& circuit = *rules->circuit;
                if (values && (values->fluents != circuit.fluents || values->roles != circuit.roles()))
                    throw std::invalid_argument("values of another game");
                const bool fits = !stage || (stage->moves.size() == rules->circuit->roles() &&
                                             stage->facts.size() <= 64 * position.size());
                if (!fits) throw std::invalid_argument("a stage of another game");
                if (threads == 0) throw std::invalid_argument("no threads");
                auto turned = symmetry ? std::make_shared<const gdl::StateSymmetry>(*symmetry) : nullptr;
                new (self) TreePlan{std::move(rules),
                                    std::move(turned),
                                    std::move(position),
                                    params,
                                    bytes,
                                    seed,
                                    std::move(stage),
                                    std::move(values),
                                    threads};
            },
            "rules"_a, "root"_a, "bytes"_a, "seed"_a, nb::kw_only(), "exploration"_a, "share"_a = 0.9,
            "look_ahead"_a = true, "max_steps"_a, "grave"_a = 0, "choices"_a = 8, "mast"_a = 0.0, "literal"_a = false,
            "samples"_a = 10'000, "kernel"_a = "auto", "symmetry"_a.none() = nb::none(), "joint"_a = 1024,
            "stage"_a.none() = nb::none(), "plain"_a = false, "values"_a.none() = nb::none(), "trust"_a = 1.0,
            "prior"_a = 1.0, "prove"_a = 0.0, "regret"_a = false, "threads"_a = 1, "turn"_a = 0);
}

void bind_turn(nb::module_& m) {
    using bandit::TurnSolver;
    nb::class_<TurnSolver>(m, "TurnSolver", "Exact expectimax to the end of a turn.")
        .def(
            "__init__",
            [](TurnSolver* self, const TreePlan& plan) {
                new (self) TurnSolver(plan.lane(), plan.seed, plan.params.max_steps);
            },
            "plan"_a)
        .def(
            "place",
            [](TurnSolver& solver, const nb::bytes& position, std::size_t most_nodes, Control& control) {
                const auto state = position_of(solver.words(), position);
                const nb::gil_scoped_release release;
                return solver.place(state, most_nodes, control);
            },
            "position"_a, "most_nodes"_a, "control"_a, "Whether the turn from a position fits.")
        .def("refine", &TurnSolver::refine, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("best", [](const TurnSolver& solver) { return nb::make_tuple(solver.best().move, solver.best().value); })
        .def("moves",
             [](const TurnSolver& solver) {
                 std::vector<nb::tuple> result;
                 for (const auto& [move, value] : solver.moves()) result.push_back(nb::make_tuple(move, value));
                 return result;
             })
        .def_prop_ro("nodes", &TurnSolver::nodes)
        .def_prop_ro("leaves", &TurnSolver::leaves)
        .def_prop_ro("games", &TurnSolver::games)
        .def_prop_ro("turns", &TurnSolver::turns)
        .def_prop_ro("exact", &TurnSolver::exact);
}

void bind_run(nb::module_& m) {
    using bandit::Finding, bandit::OngoingSearch;
    nb::class_<Finding>(m, "BanditFinding", "What a search that goes on by itself has published last.")
        .def_prop_ro(
            "turn",
            [](const Finding& found) {
                return found.turn == Finding::kNoTurn ? -1 : static_cast<std::int64_t>(found.turn);
            },
            "-1 where there is nothing yet.")
        .def_prop_ro(
            "move",
            [](const Finding& found) {
                return found.move == bandit::kNobody ? -1 : static_cast<std::int64_t>(found.move);
            },
            "-1 where the game is over.")
        .def_ro("value", &Finding::value)
        .def_ro("proved", &Finding::proved)
        .def_ro("decided", &Finding::decided)
        .def_ro("simulations", &Finding::simulations, "Since this position was told.")
        .def_ro("visits", &Finding::visits, "Of the position, those before it was told included.")
        .def_ro("nodes", &Finding::nodes)
        .def_ro("cpu_seconds", &Finding::cpu_seconds);
    nb::class_<OngoingSearch>(m, "OngoingSearch", "Trees of bandits that search in threads of their own.")
        .def(
            "__init__",
            [](OngoingSearch* self, const TreePlan& plan, std::uint32_t role) {
                if (role >= plan.rules->circuit->roles()) throw std::out_of_range("no role of that number");
                const nb::gil_scoped_release release;
                new (self) OngoingSearch(std::make_unique<bandit::Forest>(plan.forest()), role);
            },
            "plan"_a, "role"_a)
        .def(
            "search",
            [](OngoingSearch& run, std::uint64_t turn, const nb::bytes& position, double seconds) {
                run.search(turn, position_of(run.words(), position), seconds);
            },
            "turn"_a, "position"_a, "seconds"_a,
            "Searches from this position until told otherwise; seconds is when an answer is wanted, 0 for never.")
        .def("rest", &OngoingSearch::rest, nb::call_guard<nb::gil_scoped_release>())
        .def("close", &OngoingSearch::close, nb::call_guard<nb::gil_scoped_release>(),
             "Ends the threads, and waits for that.")
        .def("best", &OngoingSearch::best)
        .def_prop_ro("searching", &OngoingSearch::searching)
        .def_prop_ro("kernel",
                     [](const OngoingSearch& run) { return std::string(run.in_batches() ? "bulk" : "single"); });
}

}  // namespace

void bind_bandit(nb::module_& m) {
    using bandit::Forest, bandit::StageRules, bandit::Tree;
    nb::class_<GdlRules>(m, "BanditRules", "What all trees of a ground game share.")
        .def(
            "__init__",
            [](GdlRules* self, const gdl::GroundGame& game, Control* control, bool batches) {
                auto net = game.lane().net();
                nb::gil_scoped_release release;  // the kernel of a large game takes a while
                const auto heeding = control ? std::make_unique<Heeding>(*control) : nullptr;
                new (self) GdlRules(std::move(net), batches);
            },
            "game"_a, "control"_a.none() = nb::none(), "batches"_a = true)
        .def(
            "least",
            [](const GdlRules& rules, std::uint32_t role) {
                std::int64_t least = 100;
                for (const auto& goal : rules.circuit->goals)
                    if (goal.role == role) least = std::min(least, goal.value);
                return least;
            },
            "role"_a, "The lowest goal that the rules name for a role.")
        .def(
            "most_joint_moves",
            [](const std::shared_ptr<GdlRules>& rules, std::uint32_t games, std::uint32_t steps) {
                const nb::gil_scoped_release release;
                gdl::GdlLane lane(rules);
                return bandit::most_joint_moves(lane, rules->circuit->start, games, steps);
            },
            "games"_a, "steps"_a,
            "The most joint moves of the players in a position of some random games; 2^63 where they are more.")
        .def_prop_ro("batch_gain", [](const GdlRules& rules) { return rules.batch_gain; })
        .def_prop_ro(
            "interchangeable", [](const GdlRules& rules) { return rules.interchange.names(); },
            "Constants that may change places without any change to what a position is worth, such as dice.")
        .def_prop_ro("cooperative", [](const GdlRules& rules) { return rules.goals_agree; });
    nb::class_<StageRules>(m, "BanditStage", "The one-stage problem of a game as a network, for trees of bandits.")
        .def(
            "__init__",
            [](StageRules* self, std::shared_ptr<scsp::Instance> instance, const Places& facts, const Places& state,
               const Places& moves, const std::vector<std::int64_t>& results,
               std::vector<std::vector<std::int32_t>> goals) {
                new (self) StageRules(stage_of(std::move(instance), facts, state, moves, results, std::move(goals)));
            },
            "instance"_a, "facts"_a, "state"_a, "moves"_a, "results"_a, "goals"_a)
        .def_prop_ro("variables", [](const StageRules& stage) { return stage.instance->variables(); });
    bind_plan(m);
    nb::class_<Forest>(m, "BanditTree", "A tree of bandits with proofs, or several of them in threads of their own.")
        .def(
            "__init__",
            [](Forest* self, const TreePlan& plan) {
                const nb::gil_scoped_release release;
                new (self) Forest(plan.forest());
            },
            "plan"_a)
        .def(
            "__init__",
            [](Forest* self, const AnyGame& game, std::uint64_t bytes, std::uint64_t seed, double exploration,
               double share, bool look_ahead, std::uint32_t max_steps) {
                const nb::gil_scoped_release release;
                bandit::Params params;
                params.exploration = exploration;
                params.share = share;
                params.look_ahead = look_ahead;
                params.max_steps = max_steps;
                auto lane = game.lane();
                const std::vector<std::uint64_t> root(lane->state().begin(), lane->state().end());
                new (self) Forest(forest_of(std::make_unique<Tree>(std::move(lane), root, params, bytes, seed)));
            },
            "game"_a, "bytes"_a, "seed"_a, nb::kw_only(), "exploration"_a, "share"_a, "look_ahead"_a, "max_steps"_a,
            "On a game of the search kernels, of one role or of two that are opposed, without chance.")
        .def(
            "run",
            [](Forest& tree, std::uint64_t simulations, double seconds, Control& control) {
                return tree.run(simulations, seconds, control);
            },
            "simulations"_a, "seconds"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "place",
            [](Forest& tree, const nb::bytes& position) {
                tree.place(position_of(tree.first().root().size(), position));
            },
            "position"_a)
        .def(
            "place_game", [](Forest& tree, const AnyGame& game) { tree.place(game.lane()->state()); }, "game"_a,
            "The same for a game of the search kernels.")
        .def(
            "verdict",
            [](const Forest& tree, std::uint32_t role) {
                const auto verdict = tree.report(role).verdict;
                return nb::make_tuple(verdict.move, verdict.value, verdict.proved);
            },
            "role"_a, "The move to play, what it is expected to bring, and whether that is proved.")
        .def(
            "strategy", [](const Forest& tree, std::uint32_t role) { return tree.first().strategy(role); }, "role"_a,
            "How much a role plays each of its options at the root, by what it played on average; sums to 1.")
        .def(
            "options",
            [](const Forest& tree, std::uint32_t role) {
                std::vector<nb::tuple> result;
                const auto report = tree.report(role);
                for (const auto& option : report.options)
                    result.push_back(
                        nb::make_tuple(option.move, option.visits, option.mean, option.lower, option.upper));
                return result;
            },
            "role"_a,
            "Each legal move at the root: its number, its visits, its mean reward, bounds on its goal times 2^32.")
        .def(
            "bounds",
            [](const Forest& tree, std::uint32_t role) {
                const auto report = tree.report(role);
                return nb::make_tuple(report.in_hand, report.at_most);
            },
            "role"_a)
        .def_prop_ro("decided", &Forest::decided, "Whether the best move at the root is proved, if not its value.")
        .def(
            "mean", [](const Forest& tree, std::uint32_t role) { return tree.first().mean(role); }, "role"_a,
            "What the simulations from the root brought a role on average, from 0 to 1.")
        .def_prop_ro("visits", &Forest::visits, "Of the root.")
        .def_prop_ro("nodes", &Forest::nodes)
        .def_prop_ro(
            "stages",
            [](const Forest& tree) {
                const auto counts = tree.first().stages();
                return nb::make_tuple(counts.asked, counts.told, counts.solutions);
            },
            "Of one-stage problems given to MAC: how many, how many told anything, and how many joint moves were "
            "found.")
        .def_prop_ro(
            "turns", [](const Forest& tree) { return tree.first().turns(); },
            "Turns beyond those of positions asked for that were solved.")
        .def_prop_ro(
            "proving_share", [](const Forest& tree) { return tree.first().proving_share(); },
            "The part of all work that went into proofs ahead.")
        .def_prop_ro("forgotten", [](const Forest& tree) { return tree.first().forgotten(); })
        .def_prop_ro("cooperative", [](const Forest& tree) { return tree.first().cooperative(); })
        .def_prop_ro(
            "amaf_error", [](const Forest& tree) { return tree.first().amaf_error(); },
            "How far AMAF was found to be off, at the root.")
        .def_prop_ro(
            "solving_share", [](const Forest& tree) { return tree.first().solving_share(); },
            "The part of all work that was solving.")
        .def_prop_ro("kernel",
                     [](const Forest& tree) { return std::string(tree.first().in_batches() ? "bulk" : "single"); });
    bind_run(m);
    bind_turn(m);
}

}  // namespace zermelo
