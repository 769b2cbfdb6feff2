// The border to Python for values of ground games and their learning. A model crosses it as arrays.
#include "values_bindings.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "gdl/exact/ground_game.hpp"
#include "gdl/lane/gdl_lane.hpp"
#include "gdl/values/evaluator.hpp"
#include "gdl/learning/self_play.hpp"
#include "gdl/values/value_model.hpp"
#include "zermelo/control.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

using namespace gdl;

void need_same_game(const ValueModel& model, const GroundGame& game) {
    if (model.fluents != game.circuit()->fluents || model.roles != game.circuit()->roles())
        throw std::invalid_argument("values of another game");
}

std::vector<double> values_of(const ValueModel& model, const GroundGame& game, const nb::bytes& states) {
    need_same_game(model, game);
    const auto words = game.circuit()->words();
    if (words == 0 || states.size() % (8 * words) != 0) throw std::invalid_argument("states of the wrong size");
    std::vector<std::uint64_t> packed(states.size() / 8);
    std::memcpy(packed.data(), states.data(), states.size());
    std::vector<double> values;
    const nb::gil_scoped_release release;
    Evaluator evaluator(model, game.lane().net());
    for (std::size_t at = 0; at < packed.size(); at += words) {
        evaluator.load(std::span(packed).subspan(at, words));
        for (std::uint32_t role = 0; role < model.roles; ++role) values.push_back(evaluator.value(role));
    }
    return values;
}

nb::dict to_dict(const Lesson& lesson) {
    nb::dict result;
    result["games"] = lesson.games;
    result["positions"] = lesson.positions;
    result["cut"] = lesson.cut;
    result["error"] = lesson.error;
    result["surprise"] = lesson.surprise;
    result["goals"] = lesson.goals;
    return result;
}

void bind_self_play(nb::module_& m) {
    nb::class_<SelfPlay>(m, "SelfPlay", "Learns values of a ground game by playing it against itself.")
        .def(
            "__init__",
            [](SelfPlay* self, const ValueModel& model, const GroundGame& game, const std::shared_ptr<GdlRules>& rules,
               const Array<float>& coherence, std::uint64_t seed, double rate, double trace, double explore,
               std::uint32_t opening, std::uint32_t max_steps) {
                need_same_game(model, game);
                if (coherence.size() != 0 && coherence.size() != 2 * model.weights.size())
                    throw std::invalid_argument("two numbers of coherence for each weight");
                new (self)
                    SelfPlay(model, rules, {seed, rate, trace, explore, opening, max_steps}, to_vector(coherence));
            },
            "model"_a, "game"_a, "rules"_a, "coherence"_a.noconvert(), nb::kw_only(), "seed"_a, "rate"_a, "trace"_a,
            "explore"_a, "opening"_a, "max_steps"_a)
        .def(
            "play",
            [](SelfPlay& self, std::uint64_t first, std::uint64_t games, Control& control) {
                Lesson lesson;
                {
                    const nb::gil_scoped_release release;
                    lesson = self.play(first, games, control);
                }
                return to_dict(lesson);
            },
            "first"_a, "games"_a, "control"_a, "Plays games of these numbers and learns from each.")
        .def(
            "show",
            [](SelfPlay& self, std::int64_t role, std::uint64_t seed, std::uint64_t games, Control& control) {
                const auto who = role < 0 ? SelfPlay::kEverybody : static_cast<std::uint32_t>(role);
                Lesson lesson;
                {
                    const nb::gil_scoped_release release;
                    lesson = self.show(who, seed, games, control);
                }
                return to_dict(lesson);
            },
            "role"_a, "seed"_a, "games"_a, "control"_a,
            "Games in which a role (-1: all) plays what is valued most, the others at random; nothing is learnt.")
        .def_prop_ro("by_turns", &SelfPlay::by_turns, "Whether the turns of the game are solved.")
        .def("weights", [](const SelfPlay& self) { return to_numpy(std::vector(self.model().weights)); })
        .def("coherence", [](const SelfPlay& self) { return to_numpy(std::vector(self.coherence())); });
}

// The ground rules as arrays, for those who choose features: rules in CSR form over numbered atoms (fluents, moves,
// derived), then the atoms of next and legal, and those of goals and the end.
nb::tuple rules_of(const GroundGame& game) {
    const auto& rules = game.rules();
    std::vector<std::uint32_t> ends{rules.terminal};
    for (const auto& goal : rules.goals) ends.push_back(goal.atom);
    return nb::make_tuple(to_numpy(std::vector(rules.head)), to_numpy(std::vector(rules.first_literal)),
                          to_numpy(std::vector(rules.body)), to_numpy(std::vector(rules.next)),
                          to_numpy(std::vector(rules.legal)), to_numpy(std::move(ends)));
}

}  // namespace

void bind_values(nb::module_& m) {
    m.def("ground_rules", &rules_of, "game"_a,
          "The arrays head, first_literal, body, next, legal, and the atoms of the end and of goals.");
    nb::class_<ValueModel>(m, "ValueModel", "What states of a ground game are worth, as a sum of weights.")
        .def(
            "__init__",
            [](ValueModel* self, std::uint32_t roles, const Array<std::uint32_t>& cell_of,
               const Array<std::uint32_t>& digit_of, const Array<std::uint32_t>& cell_size,
               const Array<std::uint32_t>& tuple_first, const Array<std::uint32_t>& tuple_cells,
               const Array<std::uint32_t>& tuple_table, std::uint32_t tables, const Array<std::uint32_t>& count_first,
               const Array<std::uint32_t>& count_of, const Array<std::int32_t>& count_by,
               const Array<std::int32_t>& count_most, const Array<std::uint32_t>& mobility, std::int32_t mobility_most,
               std::int64_t context, std::uint32_t outputs, const Array<std::int32_t>& role_output,
               const Array<std::uint8_t>& role_against, bool logistic, const Array<std::int32_t>& weights) {
                ValueModel model;
                model.fluents = static_cast<std::uint32_t>(cell_of.size());
                model.roles = roles;
                model.cell_of = to_vector(cell_of);
                model.digit_of = to_vector(digit_of);
                model.cell_size = to_vector(cell_size);
                model.tuple_first = to_vector(tuple_first);
                model.tuple_cells = to_vector(tuple_cells);
                model.tuple_table = to_vector(tuple_table);
                model.tables = tables;
                model.count_first = to_vector(count_first);
                model.count_of = to_vector(count_of);
                model.count_by = to_vector(count_by);
                model.count_most = to_vector(count_most);
                model.mobility = to_vector(mobility);
                model.mobility_most = mobility_most;
                model.context = context < 0 ? kNoCell : static_cast<std::uint32_t>(context);
                model.outputs = outputs;
                model.role_output = to_vector(role_output);
                model.role_against = to_vector(role_against);
                model.link = logistic ? Link::logistic : Link::linear;
                model.weights = to_vector(weights);
                model.settle();
                new (self) ValueModel(std::move(model));
            },
            nb::kw_only(), "roles"_a, "cell_of"_a.noconvert(), "digit_of"_a.noconvert(), "cell_size"_a.noconvert(),
            "tuple_first"_a.noconvert(), "tuple_cells"_a.noconvert(), "tuple_table"_a.noconvert(), "tables"_a,
            "count_first"_a.noconvert(), "count_of"_a.noconvert(), "count_by"_a.noconvert(), "count_most"_a.noconvert(),
            "mobility"_a.noconvert(), "mobility_most"_a, "context"_a, "outputs"_a, "role_output"_a.noconvert(),
            "role_against"_a.noconvert(), "logistic"_a, "weights"_a.noconvert())
        .def(
            "values",
            [](const ValueModel& model, const GroundGame& game, const nb::bytes& states) {
                return to_numpy(values_of(model, game, states));
            },
            "game"_a, "states"_a, "For each of the states, one after the other, what it is worth to each role.");
    bind_self_play(m);
}

}  // namespace zermelo
