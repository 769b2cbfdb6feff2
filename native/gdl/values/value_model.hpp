// What a state is worth to each role, as a sum of learnt weights: an n-tuple network (Bledsoe and Browning 1959; for
// games Lucas 2008, Jaskowski 2014) with a linear part.
//
// A *cell* is a group of fluents of which usually one holds, such as what stands on one square; its digit tells which:
// the sum of the numbers of its fluents that hold, modulo its size, so it is defined in every state. A *tuple* is a few
// cells: their digits are an index into its table of weights. Tuples that symmetries of the rules turn into each other
// share a table. A *count* is a sum of whole numbers over the fluents that hold (pieces of a kind, a counter), which a
// weight multiplies; mobility is another, the number of a role's legal moves. All weights are there once for each digit
// of the *context*, a small cell such as whose turn it is.
//
// Weights are whole numbers, 2^24 to the unit, so that a sum is the same in whatever order it is made, and a state that
// differs a little from the last costs that little (evaluator.hpp). The sum goes through a link: the logistic function
// where goals are wins and losses, none where they are points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace zermelo::gdl {

inline constexpr std::uint32_t kNoCell = 0xffffffffu;
inline constexpr double kWeightUnit = 1 << 24;

enum class Link : std::uint8_t { logistic, linear };

struct ValueModel {
    std::uint32_t fluents = 0, roles = 0;
    std::vector<std::uint32_t> cell_of, digit_of;  // of each fluent; kNoCell: in no cell
    std::vector<std::uint32_t> cell_size;          // digits of each cell
    std::vector<std::uint32_t> tuple_first{0};     // tuple t: tuple_cells[tuple_first[t] .. tuple_first[t + 1])
    std::vector<std::uint32_t> tuple_cells;
    std::vector<std::uint32_t> tuple_table;  // of each tuple
    std::uint32_t tables = 0;
    std::vector<std::uint32_t> count_first{0};  // of each fluent: the counts it is in ...
    std::vector<std::uint32_t> count_of;
    std::vector<std::int32_t> count_by;    // ... and what it adds to them
    std::vector<std::int32_t> count_most;  // of each count: its size, roughly
    std::vector<std::uint32_t> mobility;   // roles whose legal moves are counted; after the other counts
    std::int32_t mobility_most = 1;
    std::uint32_t context = kNoCell;
    std::uint32_t outputs = 1;
    std::vector<std::int32_t> role_output;   // of each role, -1 for chance
    std::vector<std::uint8_t> role_against;  // its value is one minus the output
    Link link = Link::logistic;
    std::vector<std::int32_t> weights;  // for each context: tables one after the other, then counts; outputs innermost

    // What follows from the rest.
    std::vector<std::size_t> table_first;  // of each table, within a context
    std::size_t context_size = 0;          // weights of a context
    std::uint32_t contexts = 1;

    std::size_t tuples() const { return tuple_table.size(); }
    std::size_t counts() const { return count_most.size(); }  // without mobility
    std::size_t all_counts() const { return counts() + mobility.size(); }
    std::size_t first_count() const { return table_first.back(); }  // place of the first count's weight

    // Computes what follows; throws std::invalid_argument where the parts do not fit together.
    void settle();
};

}  // namespace zermelo::gdl
