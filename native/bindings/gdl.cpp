// The border to Python for ground games. States cross it as bytes, moves and fluents as numbers.
#include "gdl_bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "gdl/batch/batch.hpp"
#include "gdl/bulk/bulk.hpp"
#include "gdl/exact/expand.hpp"
#include "gdl/exact/ground_game.hpp"
#include "gdl/ground/grounder.hpp"
#include "gdl/datalog/interpreter.hpp"
#include "gdl/exact/searchable.hpp"
#include "gdl/exact/turns.hpp"
#include "zermelo/control.hpp"
#include "zermelo/heed.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

using namespace gdl;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::vector<std::uint64_t> words_of(const Circuit& circuit, const nb::bytes& bytes) {
    std::vector<std::uint64_t> words(circuit.words());
    if (bytes.size() != words.size() * 8) throw std::invalid_argument("a state of the wrong size");
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());  // of none there is no address
    return words;
}

nb::bytes bytes_of(std::span<const std::uint64_t> words) { return nb::bytes(words.data(), words.size() * 8); }

void check_role(const Circuit& circuit, std::uint32_t role) {
    if (role >= circuit.roles()) throw std::out_of_range("no role of that number");
}

// The code specialised to a move relies on its being legal.
void check_joint(GroundGame& game, std::span<const std::uint64_t> state, std::span<const std::uint32_t> joint) {
    const auto& circuit = *game.circuit();
    if (joint.size() != circuit.roles()) throw std::invalid_argument("a joint move has one move for each role");
    for (std::uint32_t role = 0; role < joint.size(); ++role) {
        const auto legal = game.legal(state, role);
        if (std::ranges::find(legal, joint[role]) == legal.end())
            throw std::invalid_argument("a move that is not legal");
    }
}

Program program_of(std::vector<std::string> names, const Array<std::int32_t>& node_name,
                   const Array<std::uint32_t>& node_first_arg, const Array<std::uint32_t>& node_arg_count,
                   const Array<std::uint32_t>& args, const Array<std::uint32_t>& rule_head,
                   const Array<std::uint32_t>& rule_first_literal, const Array<std::uint32_t>& rule_variables,
                   const Array<std::uint8_t>& literal_sign, const Array<std::uint32_t>& literal_atom) {
    Program program{std::move(names), {}, to_vector(args), {}};
    for (std::size_t i = 0; i < node_name.size(); ++i)
        program.nodes.push_back({node_name.data()[i], node_first_arg.data()[i], node_arg_count.data()[i]});
    for (std::size_t i = 0; i < rule_head.size(); ++i) {
        ProgramRule rule{rule_head.data()[i], {}, rule_variables.data()[i]};
        for (auto at = rule_first_literal.data()[i]; at < rule_first_literal.data()[i + 1]; ++at)
            rule.body.push_back({static_cast<Sign>(literal_sign.data()[at]), literal_atom.data()[at]});
        program.rules.push_back(std::move(rule));
    }
    return program;
}

std::unique_ptr<GroundGame> ground_game(const Program& program, Control& control) {
    const auto begin = Clock::now();
    const Heeding heeding(control);  // what comes after the ground rules is as long
    auto rules = ground(program, control);
    const auto grounded = Clock::now();
    auto circuit = compile(rules);
    const GroundFigures figures{std::chrono::duration<double>(grounded - begin).count(), seconds_since(grounded),
                                rules.head.size(), rules.body.size()};
    return std::make_unique<GroundGame>(std::move(circuit), std::move(rules), figures);
}

// The circuit as arrays, for encoders: gates in CSR form, blocks as rows (first node, last node + 1, cyclic), goals as
// rows (role, value, literal).
nb::tuple arrays_of(const Circuit& circuit) {
    std::vector<std::uint8_t> kind;
    kind.reserve(circuit.gate.size());
    for (const auto gate : circuit.gate) kind.push_back(gate == Gate::any);
    std::vector<std::uint32_t> block;
    for (const auto& [first, last, cyclic] : circuit.blocks) block.insert(block.end(), {first, last, cyclic ? 1u : 0u});
    std::vector<std::int64_t> goal;
    for (const auto& [role, value, when] : circuit.goals)
        goal.insert(goal.end(), {std::int64_t{role}, value, std::int64_t{when}});
    return nb::make_tuple(to_numpy(std::move(kind)), to_numpy(std::vector(circuit.first_input)),
                          to_numpy(std::vector(circuit.input)), to_numpy(std::move(block)),
                          to_numpy(std::vector(circuit.next)), to_numpy(std::vector(circuit.legal)), circuit.terminal,
                          to_numpy(std::move(goal)));
}

nb::dict to_dict(const Playouts& played) {
    nb::dict result;
    result["playouts"] = played.playouts;
    result["steps"] = played.steps;
    result["unfinished"] = played.unfinished;
    result["goal_sum"] = played.goal_sum;
    result["goal_count"] = played.goal_count;
    return result;
}

void bind_ground_game(nb::module_& m) {
    nb::class_<GroundGame>(m, "GroundGame", "A rulesheet as a circuit that is played natively.")
        .def_prop_ro("roles", [](const GroundGame& g) { return g.circuit()->role_names; })
        .def_prop_ro("fluents", [](const GroundGame& g) { return g.circuit()->fluent_names; })
        .def_prop_ro(
            "moves", [](const GroundGame& g) { return g.circuit()->move_names; },
            "The moves of all roles, one role after the other.")
        .def_prop_ro("percepts", [](const GroundGame& g) { return g.circuit()->percept_names; })
        .def_prop_ro("first_move", [](const GroundGame& g) { return g.circuit()->first_move; })
        .def_prop_ro("gates", [](const GroundGame& g) { return g.circuit()->gate.size(); })
        .def_prop_ro(
            "inputs", [](const GroundGame& g) { return g.circuit()->input.size(); }, "The literals of all gates.")
        .def_prop_ro("rules", [](const GroundGame& g) { return g.figures().rules; })
        .def_prop_ro("literals", [](const GroundGame& g) { return g.figures().literals; })
        .def_prop_ro("ground_seconds", [](const GroundGame& g) { return g.figures().ground_seconds; })
        .def_prop_ro("compile_seconds", [](const GroundGame& g) { return g.figures().compile_seconds; })
        .def("start", [](const GroundGame& g) { return bytes_of(g.circuit()->start); })
        .def(
            "circuit", [](const GroundGame& g) { return arrays_of(*g.circuit()); },
            "The arrays kind (1: OR, 0: AND), first_input, input, block, next, legal, the literal terminal, and goal.")
        .def(
            "terminal", [](GroundGame& g, const nb::bytes& state) { return g.terminal(words_of(*g.circuit(), state)); },
            "state"_a)
        .def(
            "legal",
            [](GroundGame& g, const nb::bytes& state, std::uint32_t role) {
                check_role(*g.circuit(), role);
                return g.legal(words_of(*g.circuit(), state), role);
            },
            "state"_a, "role"_a)
        .def(
            "goals",
            [](GroundGame& g, const nb::bytes& state, std::uint32_t role) {
                check_role(*g.circuit(), role);
                return g.goals(words_of(*g.circuit(), state), role);
            },
            "state"_a, "role"_a)
        .def(
            "next",
            [](GroundGame& g, const nb::bytes& state, const std::vector<std::uint32_t>& joint) {
                const auto words = words_of(*g.circuit(), state);
                check_joint(g, words, joint);
                return bytes_of(g.next(words, joint));
            },
            "state"_a, "joint"_a)
        .def(
            "sees",
            [](GroundGame& g, const nb::bytes& state, const std::vector<std::uint32_t>& joint, std::uint32_t role) {
                const auto words = words_of(*g.circuit(), state);
                check_role(*g.circuit(), role);
                check_joint(g, words, joint);
                return g.sees(words, joint, role);
            },
            "state"_a, "joint"_a, "role"_a)
        .def(
            "searchable",
            [](const GroundGame& g, const nb::bytes& state, Control* control) {
                const auto words = words_of(*g.circuit(), state);
                nb::gil_scoped_release release;
                const auto heeding = control ? std::make_unique<Heeding>(*control) : nullptr;
                return searchable(g.circuit(), words);
            },
            "state"_a, "control"_a.none() = nb::none(),
            "The game from a state on as the search kernels take it, or None.")
        .def(
            "expand",
            [](const GroundGame& g, Control& control) {
                nb::gil_scoped_release release;
                return std::make_unique<Expansion>(expand(g.circuit(), control));
            },
            "control"_a)
        .def(
            "playouts_single",
            [](const GroundGame& g, const nb::bytes& state, std::uint64_t count, std::uint32_t max_steps,
               std::uint64_t seed, unsigned threads, Control& control) {
                const auto words = words_of(*g.circuit(), state);
                Playouts played;
                {
                    nb::gil_scoped_release release;
                    played = run_single(g.lane(), words, count, max_steps, seed, threads, control);
                }
                return to_dict(played);
            },
            "state"_a, "count"_a, "max_steps"_a, "seed"_a, "threads"_a, "control"_a,
            "Random playouts one at a time; count 0 means until the control stops.")
        .def(
            "bulk",
            [](const GroundGame& g) {
                nb::gil_scoped_release release;
                return std::make_unique<Bulk>(g.circuit());
            },
            "The kernel that plays hundreds of games at once.");

    nb::class_<Program>(m, "GdlProgram", "The plain rules of a rulesheet (gdl/lower.py).")
        .def(
            "__init__",
            [](Program* self, std::vector<std::string> names, const Array<std::int32_t>& node_name,
               const Array<std::uint32_t>& node_first_arg, const Array<std::uint32_t>& node_arg_count,
               const Array<std::uint32_t>& args, const Array<std::uint32_t>& rule_head,
               const Array<std::uint32_t>& rule_first_literal, const Array<std::uint32_t>& rule_variables,
               const Array<std::uint8_t>& literal_sign, const Array<std::uint32_t>& literal_atom) {
                new (self)
                    Program(program_of(std::move(names), node_name, node_first_arg, node_arg_count, args, rule_head,
                                       rule_first_literal, rule_variables, literal_sign, literal_atom));
            },
            "names"_a, "node_name"_a.noconvert(), "node_first_arg"_a.noconvert(), "node_arg_count"_a.noconvert(),
            "args"_a.noconvert(), "rule_head"_a.noconvert(), "rule_first_literal"_a.noconvert(),
            "rule_variables"_a.noconvert(), "literal_sign"_a.noconvert(), "literal_atom"_a.noconvert());
    m.def("ground", &ground_game, "program"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Grounds a program and compiles it.");
}

void bind_bulk(nb::module_& m) {
    nb::class_<Bulk>(m, "Bulk", "Bit-parallel random playouts.")
        .def_prop_ro("isa",
                     [](const Bulk& bulk) {
                         return std::string(bulk.isa() == Isa::avx512 ? "avx512"
                                            : bulk.isa() == Isa::avx2 ? "avx2"
                                                                      : "baseline");
                     })
        .def_prop_ro("phases", &Bulk::phases)
        .def_prop_ro("literals", &Bulk::literals)
        .def(
            "run",
            [](const Bulk& bulk, const GroundGame& game, const nb::bytes& state, std::uint64_t count,
               std::uint64_t max_steps, std::uint64_t seed, unsigned threads, Control& control) {
                const auto words = words_of(*game.circuit(), state);
                Playouts played;
                {
                    nb::gil_scoped_release release;
                    played = bulk.run(words, count, seed, max_steps, control, threads);
                }
                return to_dict(played);
            },
            "game"_a, "state"_a, "count"_a, "max_steps"_a, "seed"_a, "threads"_a, "control"_a);
}

template <class T>
auto filled(std::size_t size, const Batch& batch, void (Batch::*fill)(std::span<T>) const) {
    std::vector<T> out(size);
    {
        nb::gil_scoped_release release;
        (batch.*fill)(out);
    }
    return to_numpy(std::move(out));
}

void bind_batch(nb::module_& m) {
    nb::class_<Batch>(m, "Batch", "Many games of one rulesheet at once, whose moves somebody else chooses.")
        .def(
            "__init__",
            [](Batch* self, const GroundGame& game, std::uint32_t games) { new (self) Batch(game.circuit(), games); },
            "game"_a, "games"_a)
        .def(
            "begin",
            [](Batch& batch, const Array<std::uint8_t>& which) {
                const std::span flags(which.data(), which.size());
                nb::gil_scoped_release release;
                batch.begin(flags);
            },
            "which"_a.noconvert(), "Puts games at the start.")
        .def(
            "step",
            [](Batch& batch, const Array<std::uint32_t>& moves) {
                const std::span chosen(moves.data(), moves.size());
                nb::gil_scoped_release release;
                batch.step(chosen);
            },
            "moves"_a.noconvert(), "Plays the move of each role, game by game.")
        .def(
            "fluents",
            [](const Batch& batch) {
                return filled(std::size_t{batch.games()} * batch.circuit().fluents, batch, &Batch::fluents);
            },
            "Game by game, fluent by fluent: 0 or 1.")
        .def(
            "legal",
            [](const Batch& batch) {
                return filled(std::size_t{batch.games()} * batch.circuit().moves, batch, &Batch::legal);
            },
            "Game by game, move by move: 0 or 1.")
        .def("over", [](const Batch& batch) { return filled(batch.games(), batch, &Batch::over); })
        .def(
            "goals",
            [](const Batch& batch) {
                return filled(std::size_t{batch.games()} * batch.circuit().roles(), batch, &Batch::goals);
            },
            "Game by game, role by role; -1 without exactly one.");
}

// Asked one question at a time, so a question that never ends can only be stopped by its control.
void bind_interpreter(nb::module_& m) {
    using Moves = std::vector<Interpreter::Id>;
    nb::class_<Interpreter>(m, "Interpreter", "A rulesheet played from its rules, one state at a time.")
        .def(
            "__init__",
            [](Interpreter* self, const Program& program, Control& control) {
                nb::gil_scoped_release release;
                new (self) Interpreter(program, control);
            },
            "program"_a, "control"_a)
        .def_prop_ro("roles", [](const Interpreter& i) { return i.role_names(); })
        .def("start", &Interpreter::start)
        .def("terminal", &Interpreter::terminal, "state"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("legal", &Interpreter::legal, "state"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("goals", &Interpreter::goals, "state"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "next",
            [](Interpreter& i, const Interpreter::State& state, const Moves& moves, Control& control) {
                return i.next(state, moves, control);
            },
            "state"_a, "moves"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "sees",
            [](Interpreter& i, const Interpreter::State& state, const Moves& moves, Control& control) {
                return i.sees(state, moves, control);
            },
            "state"_a, "moves"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("name", &Interpreter::name, "term"_a)
        .def("term", [](Interpreter& i, const std::string& kif) { return i.term(kif); }, "kif"_a);
}

void bind_expansion(nb::module_& m) {
    nb::class_<Expansion>(m, "Expansion", "All positions of a ground game as an explicit graph.")
        .def_prop_ro("nodes", &Expansion::nodes)
        .def(
            "state",
            [](const Expansion& e, std::size_t node) {
                if (node >= e.nodes()) throw std::out_of_range("no node of that number");
                return bytes_of(std::span(e.states).subspan(node * e.words, e.words));
            },
            "node"_a)
        .def(
            "pending",
            [](const Expansion& e, std::size_t node) {
                return e.pending.at(node) == kNobody ? std::int64_t{-1} : e.pending.at(node);
            },
            "node"_a, "The move already made in this step where chance is to move, or -1.")
        .def(
            "take",
            [](Expansion& e) {
                return nb::make_tuple(to_numpy(std::move(e.first_edge)), to_numpy(std::move(e.target)),
                                      to_numpy(std::move(e.turn)), to_numpy(std::move(e.ends)),
                                      to_numpy(std::move(e.scores)));
            },
            "The arrays first_edge, target, turn, ends, scores; they are empty afterwards.");
}

}  // namespace

void bind_gdl(nb::module_& m) {
    nb::exception<NotSearchable>(m, "NotSearchable");
    nb::exception<TooLarge>(m, "TooLarge");
    bind_ground_game(m);
    bind_bulk(m);
    bind_batch(m);
    bind_interpreter(m);
    bind_expansion(m);
    bind_gdl_symmetry(m);
}

}  // namespace zermelo
