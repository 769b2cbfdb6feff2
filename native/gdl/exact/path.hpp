// A puzzle (one role, no chance) solved by one line of play to an end with the best goal value that the rules name.
//
// Breadth first, and it stops at the first such end: a line needs no proof but itself. So the first of two passes may
// leave out what it only believes to be of no use:
//   - states that differ from one met before in nothing but clocks: fluents that change by themselves, whatever is
//     played (`step 7`). What is known to be there after fewer steps is seldom worse.
//   - a move that could as well have been made before the last one: where two moves lead to the same state in either
//     order, one order is enough (the sleep sets of Godefroid, Partial-order methods for the verification of concurrent
//     systems, 1996, one move deep). Which moves commute is learnt from states of random games.
// If that pass ends without a line, the second one leaves nothing out; if that ends without one, there is none, and
// the best end met is what the puzzle is worth. To prove that takes every state, which is dp's task: this search says
// `solved` only with a line to the best value.
//
//     PathSearch search(circuit, circuit->start, 0, 100);
//     Outcome outcome = search.solve(control);              // move, distance
//     search.strategy(0, 100, control);                     // the line, ranks counting down
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gdl/circuit/circuit.hpp"
#include "zermelo/search.hpp"

namespace zermelo::gdl {

// The fluents that change by themselves, as a mask: their next values depend on nothing but one another.
std::vector<std::uint64_t> clocks(const Circuit& circuit);

class PathSearch final : public Search {
public:
    PathSearch(std::shared_ptr<const Circuit> circuit, std::span<const std::uint64_t> start, Score worst, Score best);

    Outcome solve(Control& control) override;
    Outcome solve_move(std::uint32_t index, Control& control) override;
    StrategyGraph strategy(int owner, Score bound, Control& control) override;
    std::uint64_t table_bytes() const override { return bytes_; }
    std::vector<std::uint64_t> counts() const override { return {nodes_, bytes_}; }

private:
    struct Found {
        Score score;                      // of the best end met, worst - 1 if none was
        std::vector<std::uint32_t> line;  // to it, as places in the lists of legal moves
    };

    Found find(std::span<const std::uint64_t> root, Control& control);
    Outcome outcome_of(const Found& found) const;

    std::shared_ptr<const Circuit> circuit_;
    std::vector<std::uint64_t> start_;
    Score worst_, best_;
    std::optional<Found> line_;  // from the start
    std::uint64_t nodes_ = 0, bytes_ = 0;
};

}  // namespace zermelo::gdl
