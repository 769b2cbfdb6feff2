// From a rulesheet to rules without variables, over what some reachable state may hold and some role may do.
//
// Possible facts are those of the start and the heads of `next`; possible moves are those of `legal`; `base` and
// `input` are not needed. First the possible atoms of every relation are found, bottom-up and semi-naively
// (gdl/datalog/datalog.hpp), then the rules' instances over them (gdl/ground/instantiate.hpp), cut where they would be
// too many (gdl/ground/split.hpp), then what is decided is taken out (gdl/ground/simplify.hpp).
//
//     Program program = ...;                                   // see gdl/datalog/program.hpp
//     Control control(/*seconds*/ 60, /*nodes*/ 0, /*bytes*/ std::uint64_t{4} << 30);
//     try {
//         GroundRules rules = ground(program, control);
//         rules.fluents(), rules.moves(), rules.atoms, rules.head.size(), rules.body.size();
//     } catch (const TooLarge& too_large) {                    // play it by gdl/datalog/interpreter.hpp
//     }
#pragma once

#include <cstdint>

#include "gdl/ground/ground_rules.hpp"
#include "gdl/datalog/program.hpp"
#include "gdl/datalog/terms.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

// Steps of joins, about a tenth of a second, after which what is possible is found thriftily (datalog.hpp): most sheets
// are done by then.
inline constexpr std::uint64_t kPatience = 4'000'000;

// Throws TooLarge where a limit of the control is reached, Stopped only if it was asked to stop, and
// std::invalid_argument for a program that the validator should have refused.
GroundRules ground(const Program& program, Control& control, std::uint64_t patience = kPatience);

}  // namespace zermelo::gdl
