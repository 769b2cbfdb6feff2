// Quantified integer programs in normal form, as the kernels take them.
//
// Variables are numbered in the order of the prefix. Every row is an upper bound on a linear form with whole
// coefficients; row 0 is the objective, which is minimised (its right side is what the caller asks for), the last
// `uncertainty` rows bind the universal player and hold his variables only. zermelo/qip/packed.py writes the same form
// and sees to it that no sum of a row's terms can leave 62 bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::qip {

struct Term {
    std::uint32_t variable;
    std::int64_t coefficient;
};

struct Program {
    std::vector<std::uint8_t> exists;   // for each variable: does the existential player set it?
    std::vector<std::uint8_t> integer;  // for each variable; others are continuous
    std::vector<std::int64_t> lower, upper;
    std::vector<std::uint64_t> first{0};  // row r has the terms first[r] .. first[r + 1] - 1, by variable
    std::vector<Term> term;
    std::vector<std::int64_t> right;
    std::uint32_t uncertainty = 0;

    std::uint32_t variables() const { return static_cast<std::uint32_t>(exists.size()); }
    std::uint32_t rows() const { return static_cast<std::uint32_t>(right.size()); }
    std::uint32_t first_uncertain() const { return rows() - uncertainty; }
    std::span<const Term> terms(std::uint32_t row) const {
        return std::span(term).subspan(first[row], first[row + 1] - first[row]);
    }
};

// Throws std::invalid_argument unless all of it is as said above.
void check(const Program& program);

}  // namespace zermelo::qip
