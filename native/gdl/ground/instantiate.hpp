// The second half of grounding: every rule's instances over the possible atoms, as rules over atom numbers.
//
// All relations are complete by now, so sizes are known and each instance is met once. What is decided already is
// left out of the bodies; a rule that would have too many instances is first taken apart (gdl/ground/split.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/datalog/datalog.hpp"
#include "gdl/ground/ground_rules.hpp"
#include "gdl/datalog/meter.hpp"

namespace zermelo::gdl {

enum class Fate : std::uint8_t { open, ruled, never, always };  // open: no rule so far

struct RawRules {
    std::vector<Fate> fate;  // for each atom
    std::vector<std::uint32_t> head;
    std::vector<std::uint32_t> first_literal{0};
    std::vector<Literal> body;
    bool stale = false;  // a fate was settled after literals of the atom had been written

    // Atoms: fluents, then moves, then for each of them whether it is next or legal, then all others.
    std::uint32_t fluents = 0, moves = 0;
    std::vector<std::uint32_t> role_of_move;  // kNone for terms that are not roles
    std::uint32_t first_next() const { return fluents + moves; }
    std::uint32_t first_legal() const { return 2 * fluents + moves; }
    std::uint32_t terminal = kNone;
    std::vector<std::uint32_t> goal, sees;  // for each row of the relation

    std::uint32_t rules() const { return static_cast<std::uint32_t>(head.size()); }
    std::size_t bytes() const {
        return fate.capacity() + (head.capacity() + first_literal.capacity() + body.capacity()) * sizeof(std::uint32_t);
    }
};

RawRules instantiate(Datalog& sheet, Meter& meter);

}  // namespace zermelo::gdl
