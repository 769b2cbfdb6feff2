#include "bandit/threads/ongoing_search.hpp"

#include <chrono>
#include <limits>
#include <new>
#include <utility>

#ifdef __linux__
#include <pthread.h>
#endif

namespace zermelo::bandit {

namespace {

constexpr std::chrono::microseconds kNewsEvery{500};  // single simulations may take less than it takes to publish

}  // namespace

OngoingSearch::OngoingSearch(std::unique_ptr<Forest> forest, std::uint32_t role)
    : forest_(std::move(forest)), role_(role), words_(forest_->first().root().size()),
      batches_(forest_->first().in_batches()), thread_([this] { work(); }) {}

OngoingSearch::~OngoingSearch() { close(); }

void OngoingSearch::search(std::uint64_t turn, std::vector<std::uint64_t> position, double seconds) {
    const std::scoped_lock lock(mutex_);
    const bool same = searching_ && !resting_ && position == position_ && (!order_ || renewed_);
    order_ = Order{turn, std::move(position), seconds};
    resting_ = false;
    renewed_ = same;
    if (!same) return interrupt();
    if (!told_ || found_.turn == turn) return;
    found_.turn = turn;
    found_.simulations = 0;
    found_.cpu_seconds = 0;
}

void OngoingSearch::rest() {
    const std::scoped_lock lock(mutex_);
    order_.reset();
    resting_ = true;
    interrupt();
}

void OngoingSearch::close() {
    {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        interrupt();
    }
    if (!thread_.joinable()) return;
    thread_.join();
    forest_.reset();  // large: who closes may wait for that, who forgets about a run that is closed need not
}

void OngoingSearch::interrupt() {
    if (control_) control_->stop();
    changed_.notify_all();
}

Finding OngoingSearch::best() const {
    const std::scoped_lock lock(mutex_);
    return found_;
}

bool OngoingSearch::searching() const {
    const std::scoped_lock lock(mutex_);
    return searching_;
}

void OngoingSearch::work() {
#ifdef __linux__
    pthread_setname_np(pthread_self(), "zermelo.search");
#endif
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return closed_ || order_; });
        if (closed_) return;
        const auto order = std::move(*order_);
        order_.reset();
        position_ = order.position;
        told_ = renewed_ = false;
        searching_ = true;
        lock.unlock();
        bool failed = false;
        try {
            search_on(order);
        } catch (const std::bad_alloc&) {
            failed = true;  // the tree may be in any state: what was published is all there will be
        }
        lock.lock();
        searching_ = false;
        if (failed) return;
    }
}

// Null where there is something else to do.
std::shared_ptr<Control> OngoingSearch::next_control(double seconds) {
    auto control = std::make_shared<Control>(seconds);
    const std::scoped_lock lock(mutex_);
    if (closed_ || resting_ || order_) return nullptr;
    return control_ = std::move(control);
}

void OngoingSearch::search_on(const Order& order) {
    using Clock = std::chrono::steady_clock;
    if (turn_ != order.turn) {  // else it goes on after a rest
        turn_ = order.turn;
        simulations_ = 0;
        cpu_seconds_ = 0;
        forest_->place(order.position);
    }
    publish(false);
    while (!forest_->decided()) {
        const auto control = next_control(order.seconds);
        if (!control) return;
        auto told = Clock::now();
        const auto done = forest_->run(
            std::numeric_limits<std::uint64_t>::max(), order.seconds, *control,
            [&](std::uint64_t) {
                if (renewed_.load(std::memory_order_relaxed)) control->stop();
                if (const auto now = Clock::now(); now - told >= kNewsEvery) {
                    told = now;
                    publish(true);
                }
            },
            role_);
        simulations_ += done;
        cpu_seconds_ += forest_->report(role_).cpu_seconds;
        publish(false);
    }
}

void OngoingSearch::publish(bool running) {
    const auto report = forest_->report(role_);
    const auto& verdict = report.verdict;
    const Finding found{turn_,          verdict.move,   verdict.value,
                        verdict.proved, report.decided, simulations_ + (running ? report.simulations : 0),
                        report.visits,  report.nodes,   cpu_seconds_ + (running ? report.cpu_seconds : 0)};
    const std::scoped_lock lock(mutex_);
    if (order_ && order_->turn != turn_) return;  // who plays has gone on: what counts now is the next finding
    found_ = found;
    told_ = true;
}

}  // namespace zermelo::bandit
