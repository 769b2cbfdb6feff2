// Random games that end soon, and what they are worth by looking at everything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "bandit/lane.hpp"
#include "bandit/tree.hpp"
#include "check.hpp"
#include "zermelo/random.hpp"

namespace zermelo::testing {

using bandit::kNobody;
using bandit::Lane;
using State = std::vector<std::uint64_t>;

// A random game that ends: a counter of steps is part of the position, so that every play is short. Layers of goals and
// legal moves come from random rules.
struct Small {
    std::uint32_t roles, chance, depth;
    std::uint64_t seed;
    bool together, at_once;

    std::uint64_t mixed(std::uint64_t a, std::uint64_t b) const {
        auto z = (a * 0x9e3779b97f4a7c15u) ^ (b + seed * 0xbf58476d1ce4e5b9u);
        z = (z ^ (z >> 30)) * 0x94d049bb133111ebu;
        return z ^ (z >> 27);
    }
    // A position is its step and a number below 6, so that many plays meet.
    std::uint32_t step(std::uint64_t state) const { return static_cast<std::uint32_t>(state >> 8); }
    bool over(std::uint64_t state) const {
        return step(state) >= depth || (step(state) > 0 && mixed(state, 1) % 5 == 0);
    }
    std::uint32_t count(std::uint64_t state, std::uint32_t role) const {
        if (at_once) return 1 + static_cast<std::uint32_t>(mixed(state, 10 + role) % 3);
        return mixed(state, 2) % roles == role ? 1 + static_cast<std::uint32_t>(mixed(state, 3) % 3) : 1;
    }
    std::int32_t goal(std::uint64_t state, std::uint32_t role) const {
        const auto value = static_cast<std::int32_t>(mixed(state, together ? 20 : 20 + role) % 5 * 25);
        return value;
    }
    std::uint64_t next(std::uint64_t state, std::span<const std::uint32_t> joint) const {
        auto h = state;
        for (const auto move : joint) h = mixed(h, 100 + move);
        return (static_cast<std::uint64_t>(step(state) + 1) << 8) | h % 6;
    }
};

class SmallLane final : public Lane {
public:
    explicit SmallLane(const Small& game) : game_(game), state_(1, 0) {}
    std::uint32_t roles() const override { return game_.roles; }
    std::uint32_t chance() const override { return game_.chance; }
    std::uint32_t moves() const override { return 3; }
    std::size_t words() const override { return 1; }
    void load(std::span<const std::uint64_t> state) override { state_.assign(state.begin(), state.end()); }
    std::span<const std::uint64_t> state() const override { return state_; }
    bool terminal() const override { return game_.over(state_[0]); }
    void legal_moves(std::uint32_t role, std::vector<std::uint32_t>& sorted) const override {
        sorted.clear();
        for (std::uint32_t i = 0; i < legal_count(role); ++i) sorted.push_back(i);
    }
    std::uint32_t legal_count(std::uint32_t role) const override { return game_.count(state_[0], role); }
    std::uint32_t legal(std::uint32_t, std::uint32_t i) const override { return i; }
    void play(std::span<const std::uint32_t> joint) override { ++work_, state_[0] = game_.next(state_[0], joint); }
    std::int32_t goal(std::uint32_t role) override { return game_.goal(state_[0], role); }
    std::int32_t lowest(std::uint32_t) const override { return 0; }
    std::int32_t highest(std::uint32_t) const override { return 100; }
    std::int32_t scale() const override { return 100; }
    bool goals_agree() const override { return game_.together; }
    std::uint32_t playout(Random& random, std::uint32_t max_steps) override {
        std::vector<std::uint32_t> joint(roles());
        std::uint32_t step = 0;
        for (; step < max_steps && !terminal(); ++step) {
            for (std::uint32_t role = 0; role < roles(); ++role) joint[role] = random.below(legal_count(role));
            play(joint);
        }
        return step;
    }
    std::uint64_t work() const override { return work_; }

private:
    Small game_;
    State state_;
    std::uint64_t work_ = 0;
};

struct Span {
    double lower, upper;
};

// What each player may get, by looking at everything: for one or two players and where all agree its value (or, where
// two choose at once, the pure bounds on it), for more the least and the most over all ways to break ties of max^n.
class Brute {
public:
    explicit Brute(const Small& game) : game_(game) {
        for (std::uint32_t r = 0; r < game.roles; ++r) players_ += r != game.chance;
    }
    const std::vector<Span>& of(std::uint64_t state) {
        if (const auto known = known_.find(state); known != known_.end()) return known->second;
        std::vector<Span> value(game_.roles, {0, 0});
        if (game_.over(state)) {
            for (std::uint32_t r = 0; r < game_.roles; ++r)
                value[r] = {double(game_.goal(state, r)), double(game_.goal(state, r))};
            return known_.emplace(state, value).first->second;
        }
        std::vector<std::uint32_t> counts, joint(game_.roles);
        std::uint32_t joints = 1, outcomes = 1, choosers = 0, mover = 0;
        for (std::uint32_t r = 0; r < game_.roles; ++r) {
            counts.push_back(game_.count(state, r));
            if (r == game_.chance) {
                outcomes = counts[r];
                continue;
            }
            joints *= counts[r];
            if (counts[r] > 1) ++choosers, mover = r;
        }
        std::vector<std::vector<Span>> after(joints, std::vector<Span>(game_.roles, {0, 0}));
        std::vector<std::vector<std::uint32_t>> digits(joints);
        for (std::uint32_t j = 0; j < joints; ++j) {
            auto rest = j;
            for (std::uint32_t r = 0; r < game_.roles; ++r) {
                if (r == game_.chance) continue;
                joint[r] = rest % counts[r];
                rest /= counts[r];
            }
            digits[j] = joint;
            for (std::uint32_t o = 0; o < outcomes; ++o) {
                if (game_.chance != kNobody) joint[game_.chance] = o;
                const auto& child = of(game_.next(state, joint));
                for (std::uint32_t r = 0; r < game_.roles; ++r) {
                    after[j][r].lower += child[r].lower / outcomes;
                    after[j][r].upper += child[r].upper / outcomes;
                }
            }
        }
        for (std::uint32_t r = 0; r < game_.roles; ++r) {
            if (r == game_.chance) continue;
            if (choosers <= 1 || game_.together) value[r] = one_chooses(after, mover, r);
            else value[r] = all_choose(after, digits, counts, r);
        }
        return known_.emplace(state, value).first->second;
    }

private:
    Span one_chooses(const std::vector<std::vector<Span>>& after, std::uint32_t mover, std::uint32_t role) const {
        Span result = after[0][role];
        if (role == mover || game_.together) {
            for (const auto& a : after)
                result = {std::max(result.lower, a[role].lower), std::max(result.upper, a[role].upper)};
        } else if (players_ == 2) {
            for (const auto& a : after)
                result = {std::min(result.lower, a[role].lower), std::min(result.upper, a[role].upper)};
        } else {
            double sure = 0;
            for (const auto& a : after) sure = std::max(sure, a[mover].lower);
            result = {1e9, -1e9};
            for (const auto& a : after)
                if (a[mover].upper >= sure)
                    result = {std::min(result.lower, a[role].lower), std::max(result.upper, a[role].upper)};
        }
        return result;
    }
    Span all_choose(const std::vector<std::vector<Span>>& after, const std::vector<std::vector<std::uint32_t>>& digits,
                    const std::vector<std::uint32_t>& counts, std::uint32_t role) const {
        Span result{-1e9, players_ == 2 ? 1e9 : -1e9};
        for (std::uint32_t mine = 0; mine < counts[role]; ++mine) {
            double worst = 1e9;
            for (std::size_t j = 0; j < after.size(); ++j)
                if (digits[j][role] == mine) worst = std::min(worst, after[j][role].lower);
            result.lower = std::max(result.lower, worst);
        }
        for (std::size_t j = 0; j < after.size(); ++j) {
            double best = -1e9;
            for (std::size_t i = 0; i < after.size(); ++i) {
                bool same = true;
                for (std::uint32_t r = 0; r < counts.size(); ++r)
                    same = same && (r == role || r == game_.chance || digits[i][r] == digits[j][r]);
                if (same) best = std::max(best, after[i][role].upper);
            }
            result.upper = players_ == 2 ? std::min(result.upper, best) : std::max(result.upper, best);
        }
        return result;
    }

    const Small& game_;
    std::uint32_t players_ = 0;
    std::map<std::uint64_t, std::vector<Span>> known_;
};

inline Small small_game(std::uint64_t seed) {
    Random random(seed);
    const bool dice = random.below(2) == 0;
    const auto players = 1 + random.below(3);
    const auto roles = players + dice;
    return {roles, dice ? random.below(roles) : kNobody, 2 + random.below(4),
            seed,  players == 1 || random.below(4) == 0, random.below(3) == 0};
}

// What a tree has proved of its root does not exclude what each player has there.
inline void check_bounds(const bandit::Tree& tree, const Small& game, const std::vector<Span>& exact) {
    const auto of_bound = [](bandit::Bound bound) {
        return static_cast<double>(bound) / static_cast<double>(bandit::kUnit);
    };
    for (std::uint32_t r = 0; r < game.roles; ++r) {
        if (r == game.chance) continue;
        CHECK(of_bound(tree.lower(r)) <= exact[r].upper + 1e-4);
        CHECK(of_bound(tree.upper(r)) >= exact[r].lower - 1e-4);
    }
}

}  // namespace zermelo::testing
