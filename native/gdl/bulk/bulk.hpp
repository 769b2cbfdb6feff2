// BP: hundreds of random playouts at once, one bit each in the words of the circuit.
//
// 512 lanes play in step. Each step evaluates the circuit's AND and OR gates once for all lanes, chooses a uniformly
// random legal move for each role in each lane without ever looking at a lane by itself, and gives lanes that have
// finished another playout. Where roles take turns, lanes are kept in phase and the circuit is specialised for each
// phase. Playouts are started until their number is reached and every playout that was started is played to its end: to
// stop by the clock and drop what is under way would favour short games. Where the control stops the run, those under
// way get as many more steps as the longest so far took (at least 64); what is then left counts as unfinished.
//
// The same seed gives the same playouts on every instruction set.
//
//     Bulk bulk(circuit);
//     Playouts sum = bulk.run(circuit->start, 100'000, /*seed*/ 1, /*max_steps*/ 1000, control);
//     bulk.rewards(leaves, 8, seed, 1000, control, mean);      // 8 playouts from each leaf of a search tree
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bandit/lane.hpp"
#include "gdl/circuit/circuit.hpp"
#include "gdl/circuit/play.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

enum class Isa : std::uint8_t { baseline, avx2, avx512 };

bool supported(Isa isa);
Isa best_isa();

namespace bulk {
struct Kernel;
// The functions for one instruction set.
const Kernel& kernel_of(Isa isa);
}  // namespace bulk

// One playout in full: states[0] is the start, and step t leads from states[t] to states[t + 1] by moves[t].
struct Walk {
    std::vector<std::vector<std::uint64_t>> states;
    std::vector<std::vector<std::uint32_t>> moves;  // one for each role
    bool finished = false;                          // in a terminal state
    std::vector<std::int64_t> goal;                 // for each role, kNoGoal unless it has exactly one
};

class Bulk {
public:
    // Throws std::invalid_argument if this machine has not the instructions asked for.
    explicit Bulk(std::shared_ptr<const Circuit> circuit, Isa isa = best_isa());
    ~Bulk();
    Bulk(Bulk&&) noexcept;
    Bulk& operator=(Bulk&&) noexcept;

    // Random playouts from one position. A playout that has made max_steps steps, or in which a role has no legal move,
    // is unfinished. When the control stops, no more are started. The result depends on seed and threads alone.
    Playouts run(std::span<const std::uint64_t> start, std::uint64_t playouts, std::uint64_t seed,
                 std::uint64_t max_steps, Control& control, unsigned threads = 1) const;

    // For each of the states, one after the other, the mean goal of each role over the playouts that gave it one;
    // a role that got none has not-a-number.
    void evaluate(std::span<const std::uint64_t> states, std::uint32_t playouts_each, std::uint64_t seed,
                  std::uint64_t max_steps, std::span<double> goal_mean) const;

    // For each of the states and roles the mean reward: a goal over 100, from 0 to 1, and one half for a playout that
    // has not ended after max_steps or without exactly one goal. The mean square too, where it has a place, and what
    // players chose in the playouts is added to `tried`. False if the control stopped it: then nothing is known.
    bool rewards(std::span<const std::uint64_t> states, std::uint32_t playouts_each, std::uint64_t seed,
                 std::uint64_t max_steps, Control& control, std::span<double> mean, std::span<double> square = {},
                 std::vector<bandit::MoveTally>* tried = nullptr) const;

    // How much work a batch of playouts from the start is, in operands read. The same on every machine.
    std::uint64_t work(std::uint32_t playouts, std::uint64_t max_steps) const;

    // Up to 512 playouts with all that happened in them.
    std::vector<Walk> walks(std::span<const std::uint64_t> start, std::uint32_t count, std::uint64_t seed,
                            std::uint64_t max_steps) const;

    Isa isa() const;
    std::size_t phases() const;    // of the specialised programs
    std::size_t literals() const;  // read in one step, on average over the phases

private:
    struct Plans;
    std::unique_ptr<Plans> plans_;
};

}  // namespace zermelo::gdl
