// SL, the kernel for tree search: one game at a time, from any position, on a circuit.
//
// A position is changed by flips that run through the counters of layout.hpp, so a step costs what it changes;
// legal moves are dense lists, so a random one costs nothing; goals and percepts are computed only when asked for.
//
//     SingleLane lane(circuit);                  // in the start position
//     lane.mark();
//     for (int i = 0; i < 1000; ++i) {
//         lane.rewind();                         // back to the mark, by copying one block of memory
//         lane.playout(random, 500);
//         if (lane.terminal()) sum += lane.goal(0);
//     }
//
// Moves played have to be legal: the code specialised to a move relies on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/circuit/circuit.hpp"
#include "gdl/circuit/play.hpp"
#include "gdl/single/layout.hpp"
#include "gdl/single/effects.hpp"
#include "zermelo/control.hpp"
#include "zermelo/random.hpp"

namespace zermelo::gdl {

namespace single {
class Profile;
}

class SingleLane {
public:
    explicit SingleLane(std::shared_ptr<const Circuit> circuit);
    // Shares the layout; for another thread, or for a copy of the position.
    explicit SingleLane(std::shared_ptr<const single::Net> net);
    SingleLane(const SingleLane& other);
    SingleLane& operator=(const SingleLane&) = delete;

    const Circuit& circuit() const { return *net_->circuit; }
    const std::shared_ptr<const single::Net>& net() const { return net_; }

    void load(std::span<const std::uint64_t> state);
    std::span<const std::uint64_t> state() const { return {state_, words_}; }
    bool terminal() const { return holds(net_->terminal); }
    std::uint32_t legal_count(std::uint32_t role) const;
    // The i-th legal move, in no particular order.
    std::uint32_t legal(std::uint32_t role, std::uint32_t i) const;
    void legal_moves(std::uint32_t role, std::vector<std::uint32_t>& sorted) const;
    // One legal move for each role.
    void play(std::span<const std::uint32_t> joint);

    // The role's goal value; kNoGoal where none or several hold.
    std::int32_t goal(std::uint32_t role);
    void goals(std::uint32_t role, std::vector<std::int64_t>& values);
    // What the role perceives when the joint move is played from here.
    void sees(std::span<const std::uint32_t> joint, std::uint32_t role, std::vector<std::uint32_t>& percepts);

    // Random legal moves until the game is over, a role cannot move, or the steps are used up; the number of steps.
    std::uint32_t playout(Random& random, std::uint32_t max_steps);

    // How much work all steps so far were: connections along which gates were told of changes. The same on every
    // machine.
    std::uint64_t work() const { return work_; }

    // mark() remembers the position, rewind() goes back to it. The mark is the start position at first.
    void mark();
    void rewind();

private:
    friend class single::Profile;
    bool holds(Literal l) const { return (count_[l >> 1] > 1) != static_cast<bool>(l & 1); }
    void place();
    void start_from_nothing();
    void flip(std::uint32_t fluent);
    void push(std::uint32_t node);
    void settle();
    void tell_leaves();
    void settle_cycle(std::uint32_t cycle);
    void act_on(std::span<const std::uint32_t> acts, bool up);
    void touch_cycle(std::uint32_t gate, bool up);
    void shut(std::uint32_t switched, bool up);
    void turn(std::uint32_t list, bool up);
    void draw(std::uint32_t line, bool on);
    void set(std::uint32_t gate, bool up);
    void allow(std::uint32_t move, bool legal);
    void finish_play(std::span<const std::uint32_t> joint);
    void do_moves(std::span<const std::uint32_t> joint);
    std::size_t collect_watched(std::size_t n);
    std::size_t collect_effects(std::span<const std::uint32_t> joint, std::size_t n);
    bool choose(Random& random);
    std::uint32_t pick(std::uint32_t role, std::uint32_t i) const;
    void run_tape(const single::Tape& tape);
    bool run_stretch(const single::Tape& tape, const single::Stretch& stretch);
    void relax();

    std::shared_ptr<const single::Net> net_;
    single::Effects effects_;
    std::size_t words_ = 0;

    // One block: what a position is (copied by mark and rewind), then room for tapes.
    std::vector<std::byte> arena_, marked_;
    std::size_t kept_bytes_ = 0;
    std::uint64_t* state_ = nullptr;
    std::uint32_t* end_ = nullptr;       // of each group's legal moves
    std::uint32_t* list_ = nullptr;      // each group's moves, those in front legal under its guard
    std::uint32_t* position_ = nullptr;  // of each move in the list
    std::uint32_t* done_ = nullptr;      // the last move of each role, kNone at first
    std::uint32_t* watch_ = nullptr;     // watch_[0] busy fluents that may have to change: watch_[1] ...
    std::uint32_t* open_ = nullptr;      // for each list of switched gates, how many are on it
    std::uint32_t* on_list_ = nullptr;
    std::uint32_t* place_on_ = nullptr;  // of each switched gate on its list
    std::uint32_t* lines_on_ = nullptr;  // for each side of a product, how many of its lines are on
    std::uint32_t* line_on_ = nullptr;   // their indices on the side
    std::uint32_t* line_at_ = nullptr;   // for each line, where it is among them
    std::uint8_t* in_watch_ = nullptr;
    std::int16_t* count_ = nullptr;  // 2 * counter, plus 1 where the others know that the node is up

    std::vector<std::uint32_t> stack_;  // nodes whose flip the others may not know
    std::size_t top_ = 0;
    std::vector<std::uint32_t> leaves_;  // the same of leaves
    std::size_t leaves_top_ = 0;
    std::uint64_t work_ = 0;
    std::vector<std::uint32_t> joint_;
    bool goals_known_ = false;

    struct Touched {
        std::vector<std::uint32_t> fell, rose;
        bool waiting = false;
    };
    std::vector<Touched> touched_;        // for each cycle
    std::vector<std::uint32_t> waiting_;  // cycles, a heap: the first in order on top
    std::vector<std::uint32_t> fallen_, risen_;
    std::vector<std::uint8_t> was_true_;  // for each node, while its cycle is settled
};

// Random playouts from a position: `count` of them, or as many as the control allows where count is 0.
Playouts run_single(const SingleLane& lane, std::span<const std::uint64_t> from, std::uint64_t count,
                    std::uint32_t max_steps, std::uint64_t seed, unsigned threads, Control& control);

}  // namespace zermelo::gdl
