// Wins of the existential player that no later move of the universal one can change.
//
// A variable of hers that only helps or only hurts in the rows that can still be broken takes its better end; rows that
// hold by then whatever comes are gone, which may settle other variables in the same way (the pure literals of
// formulas). If no row is left, she has won with values that do not look at his later moves. That is how a broken rule
// of his ends the play (the device x_Delta, zermelo/qip/rules.py): an indicator may be set, and with it all rows hold.
// A search in the order of the prefix would go through all that he may do first.
//
// A value of his that loses so whatever his other variables are is one that he will not take, so other values may be
// looked at as if he had not: where he does, he loses for that.
//
//     CertainWin certain_win(state);
//     if (certain_win.worth(index)) certain_win.find_losing(index);
//     const auto mark = state.trail.size();
//     state.assume(index, 1, 1);
//     if (certain_win.wins(index)) ...           // her values are assumed
//     state.undo(mark);
#pragma once

#include <cstdint>
#include <vector>

#include "qip/program/state.hpp"

namespace zermelo::qip::tabling {

class CertainWin {
public:
    explicit CertainWin(TableState& state);

    // Whether it has been of use for the universal variables around this one.
    bool worth(std::uint32_t variable) const { return block_[block_of_[variable]].worth(); }
    std::uint32_t block_begin(std::uint32_t variable) const { return block_[block_of_[variable]].begin; }
    std::uint32_t block_end(std::uint32_t variable) const { return block_[block_of_[variable]].end; }
    // Whether no row can be broken any more. True: the values that this takes are assumed; false: the state is as
    // before. The universal variable before was the last to be cut down. With `kept` he takes no value that loses at
    // once later in this block.
    bool wins(std::uint32_t variable, bool kept);
    // The other value of a variable with two values that loses at once; -1: none is known.
    std::int64_t losing(std::uint32_t variable) const { return losing_[variable]; }
    void set_losing(std::uint32_t variable, std::int64_t value) { losing_[variable] = value; }

private:
    struct Block {
        std::uint32_t begin = 0, end = 0;
        std::uint64_t tried = 0, won = 0;
        std::vector<std::uint32_t> latest;  // what was settled when it was of use the last time, in order
        bool worth() const { return begin < end && (tried < kFewTries || won * kWorth >= tried); }
    };
    static constexpr std::uint64_t kFewTries = 256, kWorth = 32;

    void add_candidates(std::uint32_t row);
    bool settle(std::uint32_t variable);
    bool settle_all(std::vector<std::uint32_t>& latest);

    TableState& state_;
    std::vector<Block> block_;
    std::vector<std::uint32_t> block_of_;
    std::vector<std::int64_t> losing_;
    std::vector<std::uint32_t> pending_;
    std::vector<std::uint8_t> is_pending_;
    std::vector<std::uint32_t> closed_, settled_;  // rows, variables
};

}  // namespace zermelo::qip::tabling
