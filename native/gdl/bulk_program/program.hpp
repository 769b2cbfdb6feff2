// A specialised circuit as tapes for the bit-parallel kernel.
//
// Word 0 is false, word 1 takes what nobody reads, word 2 + f holds fluent f; others are reused as values die. The look
// tape computes who may do what, the end tape whether the game is over, the step tape the fluents of the next state,
// where possible directly in their places: a gate that writes a fluent waits until everything else has read it. Moves
// are counted between look and end, since many rulesheets end a game when there are none, and chosen before the step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/bulk_program/instructions.hpp"
#include "gdl/bulk_program/phases.hpp"

namespace zermelo::gdl::bulk {

struct Tape {
    std::vector<Segment> segments;
    std::vector<Run> runs;
    std::vector<std::uint32_t> code, fill;
    TapeView view() const { return {segments.data(), segments.size(), runs.data(), code.data(), fill.data()}; }
};

struct Choice {
    std::vector<std::uint32_t> take, bar, does, first_target, target, first_part, part, part_of, cleared;
    std::uint32_t some = 0;
    std::size_t scratch = 0;  // where its scratch begins
    std::uint32_t first = 0;  // where its record begins
    ChoiceView view() const {
        const auto data = [](const std::vector<std::uint32_t>& list) { return list.empty() ? nullptr : list.data(); };
        return {take.data(),
                data(bar),
                data(does),
                data(first_target),
                data(target),
                data(first_part),
                data(part),
                data(part_of),
                data(cleared),
                static_cast<std::uint32_t>(cleared.size()),
                static_cast<std::uint32_t>(take.size()),
                some};
    }
};

struct GoalPlace {
    std::uint32_t role;
    std::int64_t value;
    Place when;
};

struct Program {
    Tape look, end, step;
    std::vector<Choice> choices;  // of the roles that have one
    std::vector<Place> required;
    Place terminal;
    std::vector<GoalPlace> goals;       // after end; empty if goals are looked at separately
    std::vector<Place> does;            // of each move of the original circuit, after the choice
    std::vector<std::uint32_t> record;  // or the word where the choice records it, in those lanes of which `does` holds
    std::size_t words = 0, scratch = 0, records = 0;
    std::size_t literals = 0;  // read in one step
};

inline constexpr std::uint32_t kNotRecorded = 0xffffffffu;
constexpr std::uint32_t fluent_offset(std::uint32_t fluent) {
    return (2 + fluent) * static_cast<std::uint32_t>(sizeof(Word));
}

// `later` says what is known of the next phase: fluents known there are not computed. `group` says which fluents
// exclude each other (exclusive.hpp), if anything.
Program schedule(const Special& special, const Known& later, bool with_goals,
                 std::span<const std::uint32_t> group = {});
// The goals alone, in the look tape.
Program schedule_goals(const Special& special);
// How many literals a step reads more if it looks at the goals as well, and how many fluents the goals rest on.
std::size_t extra_for_goals(const Special& special);
std::vector<std::uint32_t> support_of_goals(const Circuit& circuit);

}  // namespace zermelo::gdl::bulk
