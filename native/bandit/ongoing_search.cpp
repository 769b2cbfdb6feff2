#include "bandit/ongoing_search.hpp"

#include <chrono>
#include <ctime>
#include <limits>
#include <new>
#include <utility>

#ifdef __linux__
#include <pthread.h>
#endif

namespace zermelo::bandit {

namespace {

constexpr std::chrono::microseconds kNewsEvery{500};  // single simulations may take less than it takes to publish

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

OngoingSearch::OngoingSearch(std::unique_ptr<Tree> tree, std::uint32_t role)
    : tree_(std::move(tree)), role_(role), words_(tree_->root().size()), batches_(tree_->in_batches()),
      thread_([this] { work(); }) {}

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
    tree_.reset();  // large: who closes may wait for that, who forgets about a run that is closed need not
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
        cpu_begin_ = thread_seconds();
        tree_->place(order.position);
    }
    publish();
    while (!tree_->decided()) {
        const auto control = next_control(order.seconds);
        if (!control) return;
        auto told = Clock::now();
        simulations_ += tree_->run(std::numeric_limits<std::uint64_t>::max() - simulations_, order.seconds, *control,
                                   [&](std::uint64_t done) {
                                       if (renewed_.load(std::memory_order_relaxed)) control->stop();
                                       if (const auto now = Clock::now(); now - told >= kNewsEvery) {
                                           told = now;
                                           publish(done);
                                       }
                                   });
        publish();
    }
}

void OngoingSearch::publish(std::uint64_t more) {
    const auto verdict = tree_->verdict(role_);
    const Finding found{turn_,           verdict.move,     verdict.value,
                        verdict.proved,  tree_->decided(), simulations_ + more,
                        tree_->visits(), tree_->nodes(),   thread_seconds() - cpu_begin_};
    const std::scoped_lock lock(mutex_);
    if (order_ && order_->turn != turn_) return;  // who plays has gone on: what counts now is the next finding
    found_ = found;
    told_ = true;
}

}  // namespace zermelo::bandit
