// What a tree needs of a game: positions as words, a cursor that plays, random games from where the cursor is.
//
// Every role moves in every step, as in a rulesheet; a role with one legal move has no choice. Chance is a role too,
// whose moves are equally likely. Goals are whole numbers between lowest(role) and highest(role).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "zermelo/control.hpp"
#include "zermelo/random.hpp"

namespace zermelo::bandit {

inline constexpr std::uint32_t kNobody = 0xffffffffu;

// In how many random games from a state a player chose a move, and what they brought that player.
struct MoveTally {
    std::uint32_t state, move, count;
    float sum;  // of rewards
};

// What a step by given moves depends on: sets of fluents, as positions are.
struct Influence {
    std::vector<std::uint64_t> kept;      // that stay as they are in every position
    std::vector<std::uint64_t> reads;     // for each fluent, what its next value rests on
    std::vector<std::uint64_t> legal;     // what it rests on that the moves are legal
    std::vector<std::uint64_t> terminal;  // what the end rests on
};

class Lane {
public:
    virtual ~Lane() = default;

    // Another lane on the same game, null where there is none to be had.
    virtual std::unique_ptr<Lane> copy() const { return nullptr; }
    virtual std::uint32_t roles() const = 0;
    virtual std::uint32_t chance() const = 0;  // kNobody where there is none
    virtual std::size_t words() const = 0;     // of a position
    // All moves of all roles are numbers below this. 0: any numbers, which mean something in their position alone.
    virtual std::uint32_t moves() const = 0;

    virtual void load(std::span<const std::uint64_t> state) = 0;
    // Positions near this one will be loaded for a while.
    virtual void mark() {}
    virtual std::span<const std::uint64_t> state() const = 0;
    virtual bool terminal() const = 0;
    virtual void legal_moves(std::uint32_t role, std::vector<std::uint32_t>& sorted) const = 0;
    virtual std::uint32_t legal_count(std::uint32_t role) const = 0;
    virtual std::uint32_t legal(std::uint32_t role, std::uint32_t i) const = 0;
    virtual void play(std::span<const std::uint32_t> joint) = 0;

    // At the end: the role's goal, the middle where the rules name none or several. Divided by scale() it is a reward.
    virtual std::int32_t goal(std::uint32_t role) = 0;
    virtual std::int32_t lowest(std::uint32_t role) const = 0;
    virtual std::int32_t highest(std::uint32_t role) const = 0;
    virtual std::int32_t scale() const = 0;
    // All players have the same goal in every position, by the letter of the rules.
    virtual bool goals_agree() const = 0;

    // Random moves until the end, or until the steps are used up; the number of steps.
    virtual std::uint32_t playout(Random& random, std::uint32_t max_steps) = 0;
    // Work so far, in units that are the same on every machine.
    virtual std::uint64_t work() const = 0;

    // Random games from many leaves at once: how often faster a game is than alone (0: there is no such way), what
    // `lanes` of them take, and their play. The rewards are the means of each role from each state, with the means of
    // their squares; false where the control stopped. What players chose in them is added to `tried`, unless that is
    // null.
    static constexpr std::uint32_t kLanes = 512;
    virtual double batch_gain() const { return 0; }
    virtual std::uint64_t batch_work() const { return 0; }
    virtual bool batch(std::span<const std::uint64_t> /*states*/, std::uint32_t /*playouts*/, std::uint64_t /*seed*/,
                       std::uint32_t /*max_steps*/, Control& /*control*/, std::span<double> /*mean*/,
                       std::span<double> /*square*/, std::vector<MoveTally>* /*tried*/) {
        return false;
    }

    // What a position that is no end is worth to each role, from 0 to 1, by values that were learnt before; the lane
    // itself may be anywhere. Only where there are some.
    virtual bool has_values() const { return false; }
    virtual void values(std::span<const std::uint64_t> /*state*/, std::span<double> /*worth*/) {}
    // Positions that differ only in the order of things like dice have one form: they are worth the same, as far as
    // samples tell. Moves of the form need not be those of the position.
    virtual bool lumps() const { return false; }
    virtual void lump(std::span<std::uint64_t> /*state*/) const {}
    // Grows wherever play changes something for good.
    virtual std::uint64_t progress(std::span<const std::uint64_t> /*state*/) const { return 0; }
    // What each role would have if the game ended in a position, from 0 to 1.
    virtual void rewards_now(std::span<const std::uint64_t> /*state*/, std::span<double> rewards) {
        std::fill(rewards.begin(), rewards.end(), 0.5);
    }
    // The influence of a joint move where the known fluents are as in the state. False: nothing can be said.
    virtual bool influence(std::span<const std::uint32_t> /*joint*/, std::span<const std::uint64_t> /*known*/,
                           std::span<const std::uint64_t> /*state*/, Influence& /*found*/) const {
        return false;
    }
    // The moves of a role are numbered from the first to the one before the last.
    virtual std::pair<std::uint32_t, std::uint32_t> moves_of(std::uint32_t /*role*/) const { return {0, 0}; }

    // Positions that the rules treat alike have one form. The element turns moves in the form into moves in the
    // position.
    virtual bool symmetric() const { return false; }
    virtual std::uint32_t canon(std::span<const std::uint64_t> state, std::span<std::uint64_t> form) const {
        std::copy(state.begin(), state.end(), form.begin());
        return 0;
    }
    virtual std::uint32_t move_from(std::uint32_t, std::uint32_t move) const { return move; }
};

}  // namespace zermelo::bandit
