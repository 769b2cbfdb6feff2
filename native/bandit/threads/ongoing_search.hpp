// A search that goes on by itself: a forest of bandits in threads of its own, for whoever plays by a clock.
//
// Nobody waits for the search and it waits for nobody: it works in full batches, and publishes its best move after each
// of them. Who plays reads that when the time is up, whatever the search is doing, and tells it where play has gone;
// between two batches (a batch under way is given up) it goes there, keeps what its trees know of the new position, and
// goes on.
//
// What is published carries the turn that it belongs to, so that a move for an earlier position is never taken for one
// of the present position. From the call of search() until the trees stand at the new position there is no finding of
// its turn. A new turn at the position that is searched already (the first move after the time to prepare, or a
// question asked again) interrupts nothing: what was found is a finding of the new turn at once, and the batch under
// way is not given up.
//
//     OngoingSearch run(std::make_unique<Forest>(...), role);
//     run.search(/*turn*/ 1, position, /*seconds*/ 0.75);
//     ...;                                            // anything else, for as long as there is time
//     Finding found = run.best();                     // found.turn == 1 once there is one
//     run.search(2, next_position, 0.75);             // the opponent may think as long as it likes: so do we
//
// All functions may be called from any thread. Memory is that of the trees.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "bandit/threads/forest.hpp"
#include "zermelo/control.hpp"

namespace zermelo::bandit {

struct Finding {
    static constexpr std::uint64_t kNoTurn = ~std::uint64_t{0};

    std::uint64_t turn = kNoTurn;
    std::uint32_t move = kNobody;  // kNobody where the game is over
    double value = 0;              // the expected reward of the role
    bool proved = false;
    bool decided = false;           // nothing is left to find out
    std::uint64_t simulations = 0;  // since this position was told
    std::uint64_t visits = 0;       // of the position, those on the time of others included
    std::uint64_t nodes = 0;
    double cpu_seconds = 0;  // that its threads had, since this position was told
};

class OngoingSearch {
public:
    OngoingSearch(std::unique_ptr<Forest> forest, std::uint32_t role);
    ~OngoingSearch();
    OngoingSearch(const OngoingSearch&) = delete;
    OngoingSearch& operator=(const OngoingSearch&) = delete;

    // Searches from this position until told otherwise. A batch that would not end within so many seconds is not begun,
    // for the answer to be as good as it can be by then; after them the search goes on, by the same measure. 0: there
    // is no clock.
    void search(std::uint64_t turn, std::vector<std::uint64_t> position, double seconds);
    // Rests until told where to search.
    void rest();
    // Ends the thread and gives the memory back; what was published stays. Waits for the rest of a simulation.
    void close();

    Finding best() const;
    bool searching() const;
    std::size_t words() const { return words_; }  // of a position
    bool in_batches() const { return batches_; }

private:
    struct Order {
        std::uint64_t turn;
        std::vector<std::uint64_t> position;
        double seconds;
    };

    void work();
    void search_on(const Order& order);
    void publish(bool running);
    std::shared_ptr<Control> next_control(double seconds);
    void interrupt();

    // Of the first thread alone.
    std::unique_ptr<Forest> forest_;
    const std::uint32_t role_;
    const std::size_t words_;
    const bool batches_;
    std::uint64_t turn_ = Finding::kNoTurn, simulations_ = 0;
    double cpu_seconds_ = 0;  // of the runs that have ended

    mutable std::mutex mutex_;  // of all below; never held while the trees grow
    std::condition_variable changed_;
    std::optional<Order> order_;  // not begun yet
    std::shared_ptr<Control> control_;
    bool resting_ = true, closed_ = false, searching_ = false;
    std::vector<std::uint64_t> position_;  // of the order begun last
    bool told_ = false;                    // what is published is of that position
    std::atomic<bool> renewed_{
        false};  // the order that waits is for the same position: it is begun after the batch under way
    Finding found_;
    std::thread thread_;  // last: it uses all above
};

}  // namespace zermelo::bandit
