// A ground game whose positions are found where they matter: a growing graph (search/growth.hpp) with SL for its rules.
//
// One or two roles, one of them with a choice at a time, no chance, and scores of two that add up to the same number:
// NotSearchable where a position or an end that was met is otherwise. Positions may repeat, and may have any number of
// fluents. States are kept once and compared whole.
//
//     Growing growing(SingleLane(circuit), circuit->start);
//     growing.growth().ask(0, yes);                   // by the places of growing.scores()
//     growing.grow(10'000, false, control);           // so many positions, or until the question is answered
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/circuit/circuit.hpp"
#include "gdl/single/single.hpp"
#include "search/growth.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

class Growing {
public:
    Growing(const SingleLane& rules, std::span<const std::uint64_t> start);

    Growth& growth() { return growth_; }
    // What the first role can score at all, in rising order; and what two roles' scores add up to.
    const std::vector<std::int64_t>& scores() const { return scores_; }
    std::int64_t total() const { return total_; }
    std::span<const std::uint64_t> state(std::uint32_t node) const {
        return std::span(states_).subspan(std::size_t{node} * words_, words_);
    }
    // Ticks once a position that is expanded, charges memory for all, throws Stopped at a limit: what was found is
    // kept.
    void grow(std::uint64_t positions, bool widely, Control& control);

private:
    void expand(std::uint32_t node, Control& control);
    std::uint32_t node_of(std::span<const std::uint64_t> words, Control& control);
    std::uint32_t score_here();
    std::size_t slot(std::span<const std::uint64_t> words) const;
    void rehash(std::size_t slots);

    SingleLane lane_;
    const Circuit& circuit_;
    std::size_t words_;
    Growth growth_;
    std::vector<std::int64_t> scores_, values_;
    std::int64_t total_ = 0;
    bool ended_ = false;  // an end was met: total_ is known
    std::vector<std::uint64_t> states_, here_;
    std::vector<std::uint32_t> slots_, list_, joint_, targets_;
};

}  // namespace zermelo::gdl
