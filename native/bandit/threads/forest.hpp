// Several trees of bandits from one root, each in a thread of its own, whose visits are added up (root parallelisation:
// Chaslot, Winands and van den Herik 2008).
//
// The trees share nothing while they grow, so that no thread waits for another, whatever a simulation takes; what is
// proved in one of them holds for all. One tree is what it would be without a forest: the same simulations in the same
// order.
//
// A tree is nothing that two threads may look at, so each leaves a report of its root now and then while it grows; that
// of the first tree, which grows in the thread that calls run(), is always new.
//
//     Forest forest(std::move(trees));                  // each with a seed of its own
//     forest.run(10'000, /*seconds*/ 0, control);       // in all
//     Verdict verdict = forest.report(role).verdict;
//     forest.place(position);
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "bandit/tree.hpp"
#include "zermelo/control.hpp"

namespace zermelo::bandit {

// What is known at a root, for one role.
struct Report {
    Verdict verdict{kNobody, 0, false};
    std::vector<Option> options;
    Bound in_hand = 0, at_most = 0;  // proved of the role's goal
    bool decided = false;
    std::uint64_t visits = 0, nodes = 0;
    std::uint64_t simulations = 0;  // of the run
    double cpu_seconds = 0;         // of the run
};

class Forest {
public:
    // At least one tree; all have the same rules, parameters and root.
    explicit Forest(std::vector<std::unique_ptr<Tree>> trees);
    Forest(Forest&&) = default;
    Forest(const Forest&) = delete;

    // As Tree::run, for all trees together; `each` is called by the first, with how many simulations that has made.
    // While they run, reports may be asked for about this role alone.
    std::uint64_t run(std::uint64_t simulations, double seconds, Control& control, const Tree::Each& each = {},
                      std::uint32_t role = kNobody);
    void place(std::span<const std::uint64_t> state);

    // Asked for by the thread that calls run(): afterwards, or meanwhile by `each`.
    Report report(std::uint32_t role) const;

    // Not while it runs.
    bool decided() const;
    std::uint64_t nodes() const;
    std::uint64_t visits() const;
    const Tree& first() const { return *trees_.front(); }

private:
    // One of the other trees, with what it has left for who asks.
    struct Left {
        mutable std::mutex mutex;
        Report report;
        bool lost = false;  // there was no memory: the tree may be in any state
    };

    std::uint64_t run_all(std::uint64_t simulations, double seconds, Control& control, const Tree::Each& each,
                          std::uint32_t role);
    void grow(std::size_t number, std::uint64_t simulations, double seconds, Control& control, Control& first,
              std::uint32_t role);
    void leave(std::size_t number, std::uint32_t role, std::uint64_t done, double cpu_seconds);
    void drop_lost();
    Verdict chosen(const Report& all, std::uint32_t role) const;

    std::vector<std::unique_ptr<Tree>> trees_;
    std::vector<std::unique_ptr<Left>> left_;  // of each tree but the first
    bool running_ = false;
    std::uint64_t done_ = 0;  // by the first tree
    double cpu_begin_ = 0;    // of its thread
};

}  // namespace zermelo::bandit
