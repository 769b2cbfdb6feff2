// Many games of one rulesheet at once, whose moves somebody else chooses: what agents learn from.
//
// Every game is a lane of the words of the bit-parallel kernel (gdl/bulk_program/instructions.hpp), 512 to a block. The
// circuit is one straight-line program: each gate is an instruction, and negated inputs go into its shape by De
// Morgan's laws. What rests on fluents alone is evaluated after the moves were made, what rests on moves before they
// are. Games that are over stay as they are until they are begun again.
//
//     Batch batch(circuit, 1000);                       // all at the start
//     batch.legal(allowed);                             // game by game, move by move: 0 or 1
//     batch.step(chosen);                               // game by game, the move of each role
//     batch.over(ended); batch.goals(reward);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/bulk/bulk.hpp"
#include "gdl/bulk_program/instructions.hpp"
#include "gdl/circuit/circuit.hpp"
#include "gdl/circuit/play.hpp"

namespace zermelo::gdl {

class Batch {
public:
    // Throws std::invalid_argument if this machine has not the instructions asked for.
    Batch(std::shared_ptr<const Circuit> circuit, std::uint32_t games, Isa isa = best_isa());

    std::uint32_t games() const { return games_; }
    const Circuit& circuit() const { return *circuit_; }

    // Puts those games at the start for which `which` is not 0.
    void begin(std::span<const std::uint8_t> which);
    // A move for each game and role, by number. Those of games that are over are not looked at. Throws
    // std::invalid_argument if one of the others is not legal, and then nothing has been played.
    void step(std::span<const std::uint32_t> moves);

    void fluents(std::span<std::uint8_t> out) const;  // game by game, fluent by fluent
    void legal(std::span<std::uint8_t> out) const;    // game by game, move by move; none where a game is over
    void over(std::span<std::uint8_t> out) const;
    void goals(std::span<std::int64_t> out) const;  // game by game, role by role; kNoGoal without exactly one

private:
    struct Tape {
        std::vector<bulk::Segment> segments;
        std::vector<bulk::Run> runs;
        std::vector<std::uint32_t> code, fill;
    };
    using Words = std::vector<bulk::Word>;  // of each node of the circuit

    void write_tapes();
    static void add(Tape& tape, const Circuit& circuit, const Block& block);
    void run(const Tape& tape, Words& words) const;
    void play(Words& words, std::span<const std::uint32_t> moves, std::uint32_t games);
    void check_moves(std::span<const std::uint32_t> moves) const;
    void spread(std::span<const Literal> literals, Literal barred, std::span<std::uint8_t> out) const;
    bool holds(std::uint32_t game, Literal literal) const;

    std::shared_ptr<const Circuit> circuit_;
    const bulk::Kernel& kernel_;
    std::uint32_t games_;
    Tape look_, move_;              // gates that rest on fluents alone; those that rest on moves
    std::vector<Words> blocks_;     // of 512 games each
    std::vector<bulk::Word> next_;  // of each fluent, in the block that is being played
};

}  // namespace zermelo::gdl
