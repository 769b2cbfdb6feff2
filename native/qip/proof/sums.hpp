// Sums of rows that contradict themselves, as rows of their own: what they hold, and how much they have to spare.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "qip/proof/proof_arrays.hpp"
#include "qip/program/state.hpp"

namespace zermelo::qip::tabling {

class RowSums {
public:
    explicit RowSums(const TableState& state) : state_(state) {}

    // The number of the sum, after those of the rows; kNone: there are too many, or its numbers are too large.
    std::uint32_t number(std::span<const Weight> weights);
    std::uint32_t size() const { return static_cast<std::uint32_t>(sum_.size()); }
    // 0: the sum does not hold the variable.
    std::int64_t coefficient(std::uint32_t number, std::uint32_t variable) const;
    // As TableState::spare, the variables before `index` being passed.
    std::int64_t spare(std::uint32_t number, std::uint32_t index) const;

private:
    static constexpr std::size_t kMostSums = std::size_t{1} << 16;

    struct Sum {
        std::vector<Weight> weight;
        // Variables, their coefficients, and what the rows' least activities from there on lack to that of the sum.
        std::vector<std::uint32_t> variable;
        std::vector<std::int64_t> coefficient, lack;
    };

    const TableState& state_;
    std::vector<Sum> sum_;
    std::map<std::vector<std::int64_t>, std::uint32_t> known_;
};

}  // namespace zermelo::qip::tabling
