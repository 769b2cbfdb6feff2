#include "zermelo/control.hpp"

#include <mutex>

namespace zermelo {

namespace {
constexpr std::uint64_t kPollEvery = 1024;
constexpr double kPollSeconds = 0.01;
}  // namespace

void Control::poll() {
    publish();
    if (paused_.load(std::memory_order_relaxed)) wait_for_turn();
    if (stop_.load(std::memory_order_relaxed)) fail(Cause::asked);
    if (count_ >= node_limit_) fail(Cause::nodes);
    const double now = elapsed();
    if (seconds_ > 0 && now >= seconds_) fail(Cause::seconds);
    // A node may take a nanosecond or, where rules are large, a millisecond: looks come by the clock.
    if (now - polled_ > kPollSeconds) poll_every_ = std::max<std::uint64_t>(1, poll_every_ / 4);
    else poll_every_ = std::min(kPollEvery, poll_every_ * 2);
    polled_ = now;
    next_poll_ = std::min(count_ + poll_every_, node_limit_);
}

// A call to stop, or the end of the time, is noticed within a few hundredths of a second.
void Control::wait_for_turn() {
    std::unique_lock lock(mutex_);
    while (paused_.load(std::memory_order_relaxed) && !stop_.load(std::memory_order_relaxed) &&
           !(seconds_ > 0 && elapsed() >= seconds_))
        turn_.wait_for(lock, std::chrono::milliseconds(20));
}

void Control::fail(Cause cause) {
    publish();
    cause_.store(cause, std::memory_order_relaxed);
    throw Stopped();
}

}  // namespace zermelo
