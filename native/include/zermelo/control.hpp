// Limits, progress and interruption of a running kernel.
//
// A kernel calls tick() once a node and charge() when it takes memory; both throw Stopped when a limit is
// reached or when another thread has called stop(). Nothing here knows of Python: the thread that waits for
// the kernel reads the published counters.
//
//     Control control(/*seconds*/ 10.0, /*nodes*/ 0, /*bytes*/ 1 << 30);   // 0 means no limit
//     try { while (work()) control.tick(); } catch (const Stopped&) { /* report bounds */ }
//
// A kernel can be told to pause: it then waits where it looks at its limits, with all that it has found, until it is
// told to go on or to stop. A metered control says how much processor time the kernel's thread has used: a share of
// that means the same on an idle machine and on a busy one, a share of the clock does not.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>

#include "zermelo/thread_clock.hpp"

namespace zermelo {

enum class Cause : std::uint8_t { none, asked, seconds, nodes, memory };

struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped by a limit"; }
};

class Control {
public:
    explicit Control(double seconds = 0, std::uint64_t nodes = 0, std::uint64_t bytes = 0)
        : begin_(Clock::now()), seconds_(seconds), node_limit_(nodes ? nodes : kNever),
          byte_limit_(bytes ? bytes : kNever) {
        next_poll_ = std::min<std::uint64_t>(1, node_limit_);
    }
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

    void tick() {
        if (++count_ >= next_poll_) poll();
    }
    // Looks at the limits without counting a node: for long work within one.
    void check() { poll(); }
    // Takes note of memory about to be taken (or, with a negative number, given back). What does not fit is not
    // noted; giving back never throws, so that destructors may do it.
    void charge(std::int64_t bytes) {
        const auto now = bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
        if (bytes <= 0 || static_cast<std::uint64_t>(std::max<std::int64_t>(0, now)) <= byte_limit_) return;
        bytes_.fetch_sub(bytes, std::memory_order_relaxed);
        fail(Cause::memory);
    }
    // Bytes that may still be charged.
    std::uint64_t room() const {
        const auto used = static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes_.load(std::memory_order_relaxed)));
        return used >= byte_limit_ ? 0 : byte_limit_ - used;
    }
    void report(std::int64_t lower, std::int64_t upper, std::int64_t depth) {
        if (quiet_) return;
        lower_.store(lower, std::memory_order_relaxed);
        upper_.store(upper, std::memory_order_relaxed);
        depth_.store(depth, std::memory_order_relaxed);
    }
    void report_depth(std::int64_t depth) { depth_.store(depth, std::memory_order_relaxed); }
    // What proof-number search is at: whether the first role gets at least so much, and the root's two numbers for it.
    // They are published as one word, so that nobody sees one of them without the other.
    void report_proof(std::int64_t question, std::uint32_t proof, std::uint32_t disproof) {
        question_.store(question, std::memory_order_relaxed);
        proof_numbers_.store(std::uint64_t{proof} << 32 | disproof, std::memory_order_relaxed);
    }
    // Counts nodes and looks at the clock: false where that stops the work, for kernels that then keep what they have.
    bool allows(std::uint32_t nodes) {
        try {
            for (std::uint32_t i = 0; i < nodes; ++i) tick();
            check();
        } catch (const Stopped&) {
            return false;
        }
        return true;
    }

    // Drops reports until told otherwise: for an engine at work on a question whose bounds are not those of the game.
    void quiet(bool on) { quiet_ = on; }

    // Called from any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }
    void pause() { paused_.store(true, std::memory_order_relaxed); }
    void resume() {
        const std::lock_guard lock(mutex_);
        paused_.store(false, std::memory_order_relaxed);
        turn_.notify_all();
    }
    // Before the kernel starts: from then on processor time is published, that of the thread which calls tick().
    void meter() { metered_ = true; }
    double processor_seconds() const { return processor_.load(std::memory_order_relaxed); }
    std::uint64_t nodes() const { return std::max(published_.load(std::memory_order_relaxed), std::uint64_t{0}); }
    std::int64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
    std::int64_t lower() const { return lower_.load(std::memory_order_relaxed); }
    std::int64_t upper() const { return upper_.load(std::memory_order_relaxed); }
    std::int64_t depth() const { return depth_.load(std::memory_order_relaxed); }
    std::int64_t question() const { return question_.load(std::memory_order_relaxed); }
    // Proof and disproof number of the question; both 0 where no search by proof numbers has reported.
    std::array<std::uint32_t, 2> proof_numbers() const {
        const auto both = proof_numbers_.load(std::memory_order_relaxed);
        return {static_cast<std::uint32_t>(both >> 32), static_cast<std::uint32_t>(both)};
    }
    Cause cause() const { return cause_.load(std::memory_order_relaxed); }
    // Seconds by the clock; of processor time of the thread that asks, where that is what is counted.
    double elapsed() const {
        return by_processor_ ? thread_seconds() - processor_begin_
                             : std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    // From now on seconds are those of processor time of the calling thread, which has to be the kernel's: two players
    // on a busy machine then have the same.
    void count_processor() { by_processor_ = true, processor_begin_ = thread_seconds(); }

    // Called by the kernel's own thread when it is done, so that the published count is exact.
    void publish() {
        published_.store(count_, std::memory_order_relaxed);
        if (metered_) processor_.store(thread_seconds(), std::memory_order_relaxed);
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    // What happens once in many nodes is compiled once (search/control.cpp), not into every kernel.
    void poll();
    void wait_for_turn();
    [[noreturn]] void fail(Cause cause);

    Clock::time_point begin_;
    double seconds_;
    std::uint64_t node_limit_;
    std::uint64_t byte_limit_;
    std::uint64_t count_ = 0;
    std::uint64_t next_poll_ = 1;
    std::uint64_t poll_every_ = 1;
    double polled_ = 0;
    bool quiet_ = false;
    bool metered_ = false;
    bool by_processor_ = false;
    double processor_begin_ = 0;
    std::mutex mutex_;
    std::condition_variable turn_;
    std::atomic<bool> stop_{false};
    std::atomic<bool> paused_{false};
    std::atomic<double> processor_{0};
    std::atomic<Cause> cause_{Cause::none};
    std::atomic<std::uint64_t> published_{0};
    std::atomic<std::int64_t> bytes_{0};
    std::atomic<std::int64_t> lower_{std::numeric_limits<std::int64_t>::min()};
    std::atomic<std::int64_t> upper_{std::numeric_limits<std::int64_t>::max()};
    std::atomic<std::int64_t> depth_{0};
    std::atomic<std::int64_t> question_{0};
    std::atomic<std::uint64_t> proof_numbers_{0};
};

}  // namespace zermelo
