// The border to Python for trees of bandits.
#include "bandit_bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bandit/gdl_lane.hpp"
#include "bandit/tree.hpp"
#include "gdl/ground_game.hpp"
#include "gdl/symmetry.hpp"
#include "zermelo/control.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

std::vector<std::uint64_t> position_of(std::size_t words, const nb::bytes& bytes) {
    std::vector<std::uint64_t> position(words);
    if (bytes.size() != words * 8) throw std::invalid_argument("a state of the wrong size");
    std::memcpy(position.data(), bytes.data(), bytes.size());
    return position;
}

bandit::Params params_of(double exploration, double share, bool look_ahead, std::uint32_t max_steps, std::uint32_t grave, std::uint32_t choices, double mast, bool literal,
                         std::uint32_t samples, const std::string& kernel) {
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
    params.leaves = kernel == "single" ? Leaves::single : kernel == "bulk" ? Leaves::batches : Leaves::whichever_pays;
    return params;
}

}  // namespace

void bind_bandit(nb::module_& m) {
    using bandit::GdlRules, bandit::Tree;
    using Rules = std::shared_ptr<const GdlRules>;
    using Symmetry = std::shared_ptr<const gdl::StateSymmetry>;
    nb::class_<Rules>(m, "BanditRules", "What all trees of a ground game share.")
        .def("__init__", [](Rules* self, const gdl::GroundGame& game) {
            auto net = game.lane().net();
            nb::gil_scoped_release release;  // the kernel of a large game takes a while
            new (self) Rules(std::make_shared<const GdlRules>(std::move(net)));
        }, "game"_a)
        .def("least", [](const Rules& rules, std::uint32_t role) {
            std::int64_t least = 100;
            for (const auto& goal : rules->circuit->goals)
                if (goal.role == role) least = std::min(least, goal.value);
            return least;
        }, "role"_a, "The lowest goal that the rules name for a role.")
        .def_prop_ro("batch_gain", [](const Rules& rules) { return rules->batch_gain; })
        .def_prop_ro("cooperative", [](const Rules& rules) { return rules->goals_agree; });
    nb::class_<Tree>(m, "BanditTree", "A tree of bandits with proofs on a ground game.")
        .def("__init__", [](Tree* self, const Rules& rules, const nb::bytes& root, std::uint64_t bytes, std::uint64_t seed, double exploration,
                            double share, bool look_ahead, std::uint32_t max_steps, std::uint32_t grave, std::uint32_t choices, double mast, bool literal, std::uint32_t samples,
                            const std::string& kernel, const gdl::StateSymmetry* symmetry) {
            const auto position = position_of(rules->circuit->words(), root);
            const auto params = params_of(exploration, share, look_ahead, max_steps, grave, choices, mast, literal, samples, kernel);
            auto turned = symmetry ? std::make_shared<const gdl::StateSymmetry>(*symmetry) : Symmetry();
            nb::gil_scoped_release release;
            new (self) Tree(std::make_unique<bandit::GdlLane>(rules, std::move(turned)), position, params, bytes, seed);
        }, "rules"_a, "root"_a, "bytes"_a, "seed"_a, nb::kw_only(), "exploration"_a, "share"_a, "look_ahead"_a, "max_steps"_a, "grave"_a = 0, "choices"_a = 8,
             "mast"_a = 0.0, "literal"_a = false, "samples"_a = 10'000, "kernel"_a = "auto", "symmetry"_a.none() = nb::none())
        .def("run", &Tree::run, "simulations"_a, "seconds"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("place", [](Tree& tree, const nb::bytes& position) { tree.place(position_of(tree.root().size(), position)); }, "position"_a)
        .def("verdict", [](const Tree& tree, std::uint32_t role) {
            const auto verdict = tree.verdict(role);
            return nb::make_tuple(verdict.move, verdict.value, verdict.proved);
        }, "role"_a, "The move to play, what it is expected to bring, and whether that is proved.")
        .def("options", [](const Tree& tree, std::uint32_t role) {
            std::vector<nb::tuple> result;
            for (const auto& option : tree.options(role))
                result.push_back(nb::make_tuple(option.move, option.visits, option.mean, option.lower, option.upper));
            return result;
        }, "role"_a, "Each legal move at the root: its number, its visits, its mean reward, bounds on its goal times 2^32.")
        .def("bounds", [](const Tree& tree, std::uint32_t role) { return nb::make_tuple(tree.lower(role), tree.upper(role)); }, "role"_a)
        .def_prop_ro("decided", &Tree::decided, "Whether the best move at the root is proved, if not its value.")
        .def_prop_ro("nodes", &Tree::nodes)
        .def_prop_ro("forgotten", &Tree::forgotten)
        .def_prop_ro("cooperative", &Tree::cooperative)
        .def_prop_ro("amaf_error", &Tree::amaf_error, "How far AMAF was found to be off, at the root.")
        .def_prop_ro("solving_share", &Tree::solving_share, "The part of all work that was solving.")
        .def_prop_ro("kernel", [](const Tree& tree) { return std::string(tree.in_batches() ? "bulk" : "single"); });
}

}  // namespace zermelo
