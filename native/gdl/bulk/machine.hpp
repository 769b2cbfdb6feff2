// The lanes of the bit-parallel kernel: which playout each plays, when it ends and what it brings.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gdl/bulk/bulk.hpp"
#include "gdl/bulk_program/phases.hpp"
#include "gdl/bulk_program/program.hpp"

namespace zermelo::gdl::bulk {

struct Phase {
    std::once_flag built;
    Program program;
    std::vector<std::uint32_t> unknown;   // fluents
    std::vector<Place> shown;             // moves that players choose and that have a word of their own
    std::vector<std::uint32_t> shown_at;  // by offset of the move
    std::vector<Place> recorded;          // the others, by the word that records them
    std::vector<std::uint32_t> first_recorded, recorded_at;
    std::vector<std::uint32_t> goal_unknown, goal_true, goal_false;  // those that separate goals rest on, by offset
};

// The programs for all phases of play, made when first needed.
class Plan {
public:
    // `group` says which fluents exclude each other, if anything.
    Plan(const Circuit& circuit, Phases phases, std::vector<std::uint32_t> group = {});

    std::size_t size() const { return phases_.known.size(); }
    std::size_t after(std::size_t phase) const { return phase + 1 == size() ? phases_.back : phase + 1; }
    const Known& known(std::size_t phase) const { return phases_.known[phase]; }
    // The first phase that the state agrees with, or size().
    std::size_t phase_of(std::span<const std::uint64_t> state) const;
    const Phase& operator[](std::size_t number) const;

    // Goals that cost more than setting lanes aside are evaluated apart, for many finished playouts together.
    bool separate_goals() const { return separate_goals_; }
    const Program& goals() const { return goals_; }

private:
    bool at_most_one(std::span<const std::uint64_t> state) const;
    void build(Phase& phase, std::size_t number) const;
    void list_moves(Phase& phase) const;

    const Circuit& circuit_;
    std::vector<std::uint32_t> group_;
    Phases phases_;
    std::vector<std::uint64_t> must_, may_;  // words of fluents that must, and may, hold: phase by phase
    std::unique_ptr<Phase[]> phase_;
    bool separate_goals_;
    Program goals_;
    std::vector<std::uint32_t> goal_support_;
};

// What is to be played: each state a number of times.
struct Order {
    std::span<const std::uint64_t> states;
    std::uint64_t each = 1, seed = 0, max_steps = 0;
    bool by_state = false;          // sums for each state, not for all together
    bool as_rewards = false;        // goals over 100, from 0 to 1
    bool squares = false;           // sums of squares too, by_state
    std::function<bool()> stopped;  // asked now and then, if given
    bool abandon = false;           // once stopped, at once: what is under way counts for nothing
    std::vector<bandit::MoveTally>* tried =
        nullptr;                         // to be added to: what was played in the playouts, by_state, as_rewards
    std::vector<Walk>* walks = nullptr;  // to be written, one for each state: at most 512, by_state, each played once
};

struct Sums {
    std::uint64_t playouts = 0, steps = 0, unfinished = 0;
    std::uint64_t work = 0;  // operands read
    bool abandoned = false;
    std::vector<double> goal, square;  // state by state, role by role
    std::vector<std::uint64_t> count;
};

// The plan for a game: phases that come round, or one for each step, if that is less work though lanes that have
// finished must then wait for the last one.
std::unique_ptr<Plan> best_plan(const Circuit& circuit, const Kernel& kernel);

class Machine {
public:
    Machine(const Circuit& circuit, const Kernel& kernel) : circuit_(circuit), kernel_(kernel) {}

    // Plays those states that agree with a phase of the plan; phases[i] is that of state i or plan.size().
    void play(const Plan& plan, const Order& order, std::span<const std::size_t> phases, Sums& sums);
    std::uint64_t longest() const { return longest_; }  // playout, in steps

private:
    struct Start {
        std::uint32_t state;
        std::uint64_t left;
    };
    using States = std::array<std::uint32_t, kLanes>;

    void begin(std::span<const std::size_t> phases);
    void step(std::size_t phase);
    void refill(std::size_t phase);
    std::uint32_t enough_idle(const Phase& here) const;
    void load_same(std::size_t phase, std::uint32_t state, const Word& mask);
    void load_each(const Word& mask);
    void end(std::size_t phase, const Word& over);
    void set_aside(const Phase& here, const Word& over);
    void flush();
    void give_up(const Word& lanes);
    void leave(const Word& lanes);
    void tally(std::span<const GoalPlace> goals, const Word* words, const Word& over, const States& state);
    Word expired();
    bool poll(const Phase& here);
    void note_state(std::size_t phase);
    void note_moves(const Program& program);
    void add_played(const Phase& here, const Choice& choice);
    void tell_tried();

    const Circuit& circuit_;
    const Kernel& kernel_;
    const Plan* plan_ = nullptr;
    const Order* order_ = nullptr;
    Sums* sums_ = nullptr;
    std::vector<Word> words_, scratch_, aside_, record_;
    Done done_;
    std::vector<Word> played_;    // of each move, in which lanes
    std::vector<double> reward_;  // of each lane, role by role
    Word left_{};                 // lanes that have finished, and what was played in them is still to be told
    RandomState random_{};
    Word live_{}, waiting_{};                    // lanes at play; lanes set aside whose goals are not yet known
    std::array<std::uint64_t, kLanes> began_{};  // in steps of the machine
    States state_{}, aside_state_{};             // of the playout in each lane
    std::uint64_t now_ = 0, oldest_ = 0, longest_ = 0, patience_ = 0, next_poll_ = 0;
    std::vector<std::vector<Start>> starts_;  // by phase
    std::size_t loaded_phase_ = 0;
    std::uint32_t loaded_state_ = 0;
    std::vector<std::uint32_t> loaded_true_, loaded_false_;  // offsets of the fluents of the state last loaded
};

}  // namespace zermelo::gdl::bulk
