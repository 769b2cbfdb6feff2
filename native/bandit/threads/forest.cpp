#include "bandit/threads/forest.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <thread>
#include <utility>

#include "zermelo/thread_clock.hpp"

#ifdef __linux__
#include <pthread.h>
#endif

namespace zermelo::bandit {

namespace {

constexpr std::chrono::microseconds kReportEvery{500};

Report report_of(const Tree& tree, std::uint32_t role) {
    return {tree.verdict(role), tree.options(role), tree.lower(role), tree.upper(role),
            tree.decided(),     tree.visits(),      tree.nodes()};
}

bool is_known(const Option& option) { return option.upper - option.lower <= kTight; }

// Two trees' reports of one root. What one of them has proved is proved.
void add(Report& all, const Report& more) {
    if (more.verdict.proved && !all.verdict.proved) all.verdict = more.verdict;
    all.decided = all.decided || more.decided;
    all.in_hand = std::max(all.in_hand, more.in_hand);
    all.at_most = std::min(all.at_most, more.at_most);
    all.visits += more.visits;
    all.nodes += more.nodes;
    all.simulations += more.simulations;
    all.cpu_seconds += more.cpu_seconds;
    for (std::size_t i = 0; i < std::min(all.options.size(), more.options.size()); ++i) {
        auto& option = all.options[i];
        const auto& other = more.options[i];
        const auto visits = option.visits + other.visits;
        if (visits > 0) option.mean = (option.visits * option.mean + other.visits * other.mean) / visits;
        option.visits = visits;
        option.lower = std::max(option.lower, other.lower);
        option.upper = std::min(option.upper, other.upper);
    }
}

}  // namespace

Forest::Forest(std::vector<std::unique_ptr<Tree>> trees) : trees_(std::move(trees)) {
    for (std::size_t i = 1; i < trees_.size(); ++i) left_.push_back(std::make_unique<Left>());
}

void Forest::place(std::span<const std::uint64_t> state) {
    for (const auto& tree : trees_) tree->place(state);
}

bool Forest::decided() const {
    return std::ranges::any_of(trees_, [](const auto& tree) { return tree->decided(); });
}

std::uint64_t Forest::nodes() const {
    std::uint64_t nodes = 0;
    for (const auto& tree : trees_) nodes += tree->nodes();
    return nodes;
}

std::uint64_t Forest::visits() const {
    std::uint64_t visits = 0;
    for (const auto& tree : trees_) visits += tree->visits();
    return visits;
}

// --- growing ---

std::uint64_t Forest::run(std::uint64_t simulations, double seconds, Control& control, const Tree::Each& each,
                          std::uint32_t role) {
    done_ = 0;
    cpu_begin_ = thread_seconds();
    const auto count = [&](std::uint64_t done) {
        done_ = done;
        if (each) each(done);
    };
    return trees_.size() == 1 ? trees_[0]->run(simulations, seconds, control, count)
                              : run_all(simulations, seconds, control, count, role);
}

std::uint64_t Forest::run_all(std::uint64_t simulations, double seconds, Control& control, const Tree::Each& each,
                              std::uint32_t role) {
    const auto share = simulations / trees_.size(), own = simulations - share * (trees_.size() - 1);
    const auto seconds_left = seconds > 0 ? std::max(1e-3, seconds - control.elapsed()) : 0;
    std::vector<std::unique_ptr<Control>> controls;
    for (std::size_t i = 0; i < left_.size(); ++i) {
        leave(i, role, 0, 0);
        controls.push_back(std::make_unique<Control>(seconds_left));
    }
    std::vector<std::jthread> threads;  // waited for at the end, however that comes about
    struct Stop {
        std::vector<std::unique_ptr<Control>>& controls;
        bool& running;
        bool wanted = true;
        ~Stop() {
            running = false;
            for (auto& control : controls)
                if (wanted) control->stop();
        }
    };
    {
        Stop stop{controls, running_};
        running_ = true;
        for (std::size_t i = 0; i < left_.size(); ++i)
            threads.emplace_back([&, i] { grow(i, share, seconds_left, *controls[i], control, role); });
        done_ = trees_[0]->run(own, seconds, control, each);
        stop.wanted = done_ < own;  // else the others do their share
    }
    threads.clear();
    auto done = done_;
    for (const auto& left : left_) done += left->report.simulations;
    drop_lost();
    return done;
}

// One of the other trees, in its own thread. Where it has decided the root, the first need not go on.
void Forest::grow(std::size_t number, std::uint64_t simulations, double seconds, Control& control, Control& first,
                  std::uint32_t role) {
    using Clock = std::chrono::steady_clock;
#ifdef __linux__
    pthread_setname_np(pthread_self(), "zermelo.search");
#endif
    auto& tree = *trees_[number + 1];
    auto told = Clock::now();
    try {
        const auto done = tree.run(simulations, seconds, control, [&](std::uint64_t count) {
            if (const auto now = Clock::now(); now - told >= kReportEvery) {
                told = now;
                leave(number, role, count, thread_seconds());
            }
        });
        leave(number, role, done, thread_seconds());
        if (tree.decided()) first.stop();
    } catch (const std::bad_alloc&) {
        const std::scoped_lock lock(left_[number]->mutex);
        left_[number]->lost = true;
    }
}

void Forest::leave(std::size_t number, std::uint32_t role, std::uint64_t done, double cpu_seconds) {
    auto report = role == kNobody ? Report{} : report_of(*trees_[number + 1], role);
    report.simulations = done;
    report.cpu_seconds = cpu_seconds;
    const std::scoped_lock lock(left_[number]->mutex);
    left_[number]->report = std::move(report);
}

void Forest::drop_lost() {
    for (auto i = left_.size(); i-- > 0;) {
        if (!left_[i]->lost) continue;
        left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
        trees_.erase(trees_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
}

// --- what to play ---

Report Forest::report(std::uint32_t role) const {
    auto all = report_of(*trees_[0], role);
    all.simulations = done_;
    all.cpu_seconds = thread_seconds() - cpu_begin_;
    for (std::size_t i = 0; i < left_.size(); ++i) {
        const std::scoped_lock lock(left_[i]->mutex);
        if (running_) {
            add(all, left_[i]->report);
            continue;
        }
        auto more = report_of(*trees_[i + 1], role);
        more.simulations = left_[i]->report.simulations;
        more.cpu_seconds = left_[i]->report.cpu_seconds;
        add(all, more);
    }
    if (!left_.empty() && !all.verdict.proved && first().moves_stand_alone(role)) all.verdict = chosen(all, role);
    return all;
}

// As Tree::verdict, from what all trees have found of each move.
Verdict Forest::chosen(const Report& all, std::uint32_t role) const {
    const Option* best = nullptr;
    const auto value = [&](const Option& option) {
        return is_known(option) ? first().reward_of(option.lower) : option.mean;
    };
    const auto better = [&](const Option& option) {
        if (best == nullptr) return true;
        const bool known = is_known(option), best_known = is_known(*best);
        if (first().plain()) return std::pair(option.visits, option.mean) > std::pair(best->visits, best->mean);
        if (known) return value(option) > value(*best) || (!best_known && value(option) == value(*best));
        if (best_known) return option.visits > 0 && option.mean > value(*best);
        return first().secure(option, role) > first().secure(*best, role);
    };
    for (const auto& option : all.options) {
        // What cannot beat what is in hand is out; where two trees hold moves of one value against each other, both
        // are known by now, and stay.
        if (option.upper <= all.in_hand && option.lower < all.in_hand) continue;
        if (better(option)) best = &option;
    }
    return best == nullptr ? all.verdict : Verdict{best->move, value(*best), false};
}

}  // namespace zermelo::bandit
