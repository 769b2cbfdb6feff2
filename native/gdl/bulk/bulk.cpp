#include "gdl/bulk/bulk.hpp"

#include <atomic>
#include <exception>
#include <limits>
#include <stdexcept>
#include <thread>

#include "gdl/bulk/machine.hpp"
#include "zermelo/random.hpp"

namespace zermelo::gdl {

using namespace bulk;

bool supported(Isa isa) {
#ifdef ZERMELO_AVX_KERNELS
    if (isa == Isa::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    if (isa == Isa::avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("popcnt");
#endif
    return isa == Isa::baseline;
}

Isa best_isa() { return supported(Isa::avx512) ? Isa::avx512 : supported(Isa::avx2) ? Isa::avx2 : Isa::baseline; }

const Kernel& bulk::kernel_of([[maybe_unused]] Isa isa) {
#ifdef ZERMELO_AVX_KERNELS
    if (isa == Isa::avx512) return avx512_kernel();
    if (isa == Isa::avx2) return avx2_kernel();
#endif
    return baseline_kernel();
}

struct Bulk::Plans {
    Plans(std::shared_ptr<const Circuit> given, Isa chosen)
        : circuit(std::move(given)), isa(chosen), kernel(kernel_of(chosen)), plan(best_plan(*circuit, kernel)) {}

    // For states that agree with no phase: those that play from the start cannot reach.
    const Plan& any_state() const {
        std::call_once(made, [&] { general = std::make_unique<Plan>(*circuit, no_phases(*circuit)); });
        return *general;
    }

    // A machine is some hundred kilobytes of words: searches that ask for few playouts at a time use it again.
    std::unique_ptr<Machine> borrow() const {
        const std::lock_guard lock(mutex);
        if (idle.empty()) return std::make_unique<Machine>(*circuit, kernel);
        auto machine = std::move(idle.back());
        idle.pop_back();
        return machine;
    }
    void give_back(std::unique_ptr<Machine> machine) const {
        const std::lock_guard lock(mutex);
        idle.push_back(std::move(machine));
    }

    Sums play(const Order& order) const {
        const auto words = circuit->words();
        const auto states = words == 0 ? 1 : order.states.size() / words;
        std::vector<std::size_t> phases(states), others(states, 1);
        bool other = false;
        for (std::size_t i = 0; i < states; ++i) {
            phases[i] = plan->phase_of(order.states.subspan(i * words, words));
            if (phases[i] == plan->size()) others[i] = 0, other = true;
        }
        Sums sums;
        const auto rows = order.by_state ? states : 1;
        sums.goal.assign(rows * circuit->roles(), 0);
        sums.count.assign(rows * circuit->roles(), 0);
        if (order.squares) sums.square.assign(rows * circuit->roles(), 0);
        auto machine = borrow();
        machine->play(*plan, order, phases, sums);
        if (other && !sums.abandoned) machine->play(any_state(), order, others, sums);
        give_back(std::move(machine));
        return sums;
    }

    std::shared_ptr<const Circuit> circuit;
    Isa isa;
    const Kernel& kernel;
    std::unique_ptr<Plan> plan;
    mutable std::once_flag made;
    mutable std::unique_ptr<Plan> general;
    mutable std::mutex mutex;
    mutable std::vector<std::unique_ptr<Machine>> idle;
};

Bulk::Bulk(std::shared_ptr<const Circuit> circuit, Isa isa) {
    if (!supported(isa)) throw std::invalid_argument("this machine has no such vector instructions");
    plans_ = std::make_unique<Plans>(std::move(circuit), isa);
}
Bulk::~Bulk() = default;
Bulk::Bulk(Bulk&&) noexcept = default;
Bulk& Bulk::operator=(Bulk&&) noexcept = default;

Isa Bulk::isa() const { return plans_->isa; }
std::size_t Bulk::phases() const { return plans_->plan->size(); }
std::size_t Bulk::literals() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < plans_->plan->size(); ++i) sum += (*plans_->plan)[i].program.literals;
    return sum / plans_->plan->size();
}

Playouts Bulk::run(std::span<const std::uint64_t> start, std::uint64_t playouts, std::uint64_t seed,
                   std::uint64_t max_steps, Control& control, unsigned threads) const {
    threads = std::max(threads, 1u);
    std::atomic<bool> stop{false};
    std::vector<Sums> sums(threads);
    std::vector<std::exception_ptr> errors(threads);
    Random seeds(seed);
    std::vector<Order> orders(threads);
    for (unsigned t = 0; t < threads; ++t) {
        orders[t].states = start;
        orders[t].each = playouts / threads + (t < playouts % threads ? 1 : 0);
        orders[t].seed = seeds.next();
        orders[t].max_steps = max_steps;
        orders[t].stopped = [&stop] { return stop.load(std::memory_order_relaxed); };
    }
    // Only this thread may ask the control.
    orders[0].stopped = [&] {
        try {
            control.check();
        } catch (const Stopped&) {
            stop.store(true, std::memory_order_relaxed);
        }
        return stop.load(std::memory_order_relaxed);
    };
    const auto work = [&](unsigned t) {
        try {
            sums[t] = plans_->play(orders[t]);
        } catch (...) {
            errors[t] = std::current_exception();
            stop.store(true, std::memory_order_relaxed);
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned t = 1; t < threads; ++t) others.emplace_back(work, t);
        work(0);
    }
    for (const auto& error : errors)
        if (error) std::rethrow_exception(error);

    Playouts result;
    result.goal_sum.assign(plans_->circuit->roles(), 0);
    result.goal_count.assign(plans_->circuit->roles(), 0);
    for (const auto& part : sums) {
        result.playouts += part.playouts;
        result.steps += part.steps;
        result.unfinished += part.unfinished;
        for (std::size_t r = 0; r < result.goal_sum.size(); ++r) {
            result.goal_sum[r] += part.goal[r];
            result.goal_count[r] += part.count[r];
        }
    }
    return result;
}

void Bulk::evaluate(std::span<const std::uint64_t> states, std::uint32_t playouts_each, std::uint64_t seed,
                    std::uint64_t max_steps, std::span<double> goal_mean) const {
    Order order;
    order.states = states;
    order.each = playouts_each;
    order.seed = seed;
    order.max_steps = max_steps;
    order.by_state = true;
    const auto sums = plans_->play(order);
    for (std::size_t i = 0; i < sums.goal.size(); ++i)
        goal_mean[i] = sums.count[i] == 0 ? std::numeric_limits<double>::quiet_NaN()
                                          : sums.goal[i] / static_cast<double>(sums.count[i]);
}

bool Bulk::rewards(std::span<const std::uint64_t> states, std::uint32_t playouts_each, std::uint64_t seed,
                   std::uint64_t max_steps, Control& control, std::span<double> mean, std::span<double> square,
                   std::vector<bandit::MoveTally>* tried) const {
    Order order;
    order.tried = tried;
    order.states = states;
    order.each = playouts_each;
    order.seed = seed;
    order.max_steps = max_steps;
    order.by_state = order.as_rewards = order.abandon = true;
    order.squares = !square.empty();
    order.stopped = [&control] {
        try {
            control.check();
        } catch (const Stopped&) {
            return true;
        }
        return false;
    };
    const auto sums = plans_->play(order);
    if (sums.abandoned) return false;
    const auto each = static_cast<double>(playouts_each);
    for (std::size_t i = 0; i < sums.goal.size(); ++i) {
        const auto without = each - static_cast<double>(sums.count[i]);
        mean[i] = (sums.goal[i] + 0.5 * without) / each;
        if (order.squares) square[i] = (sums.square[i] + 0.25 * without) / each;
    }
    return true;
}

std::uint64_t Bulk::work(std::uint32_t playouts, std::uint64_t max_steps) const {
    Order order;
    order.states = plans_->circuit->start;
    order.each = playouts;
    order.max_steps = max_steps;
    return plans_->play(order).work;
}

std::vector<Walk> Bulk::walks(std::span<const std::uint64_t> start, std::uint32_t count, std::uint64_t seed,
                              std::uint64_t max_steps) const {
    count = std::min(count, kLanes);
    std::vector<std::uint64_t> states;
    for (std::uint32_t i = 0; i < count; ++i) states.insert(states.end(), start.begin(), start.end());
    std::vector<Walk> walks(count);
    Order order;
    order.states = states;
    order.seed = seed;
    order.max_steps = max_steps;
    order.by_state = true;
    order.walks = &walks;
    const auto sums = plans_->play(order);
    const auto roles = plans_->circuit->roles();
    for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t r = 0; r < roles; ++r)
            walks[i].goal.push_back(
                sums.count[i * roles + r] == 0 ? kNoGoal : static_cast<std::int64_t>(sums.goal[i * roles + r]));
    return walks;
}

}  // namespace zermelo::gdl
