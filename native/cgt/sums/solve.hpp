// The exact solution of a sum of scored trees.
//
// Values are whole numbers that order outcomes: twice the score, plus 1 if Left starts and moves last, less 1 if Right
// starts and moves last (forest.hpp says why). When a limit comes first, the bounds that were proved till then.
//
//     Control control(10.0);
//     const Result result = solve(problem, Parameters{}, control);
//     result.starter[0].lower == result.starter[0].upper;      // Left starts, and the value is known
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cgt/sums/parameters.hpp"
#include "cgt/sums/problem.hpp"
#include "cgt/sums/strategy_arrays.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::sums {

struct Answer {
    bool bounded = false;     // the bounds below mean something
    bool best_known = false;  // a best move is
    bool sente = false;       // it is best to answer it in the same component, and nowhere else
    Id from = 0, to = 0;      // a best move, in positions of the problem
    Integer lower, upper;
    std::optional<Strategy> left, right;  // Left's for the lower bound, Right's for the upper
};

struct Result {
    std::array<Answer, 2> starter;  // Left, Right
    std::uint64_t nodes = 0, hits = 0, cuts = 0, entries = 0;
    std::uint64_t compared = 0;   // positions in comparisons of moves
    std::uint32_t scale = 0;      // taxes are times 2^scale
    std::uint32_t bits = 0;       // of the numbers that were used; 0: any number
    std::uint32_t positions = 0;  // that are hot
    std::uint32_t taxes = 0;      // at which bounds were looked at
};

Result solve(const Problem& problem, const Parameters& parameters, Control& control);

}  // namespace zermelo::cgt::sums
