#include <functional>
#include <queue>

#include "gdl/bulk_program/scheduler.hpp"
#include "zermelo/heed.hpp"

namespace zermelo::gdl::bulk {

std::vector<Scheduler::Step> Scheduler::order(Stage stage) {
    // A cyclic block counts as one gate: the node of its first member.
    const auto unit_of = [&](std::uint32_t node) {
        return item(node).block == kNone ? node : base_ + cycles_[item(node).block].first;
    };
    std::vector<std::uint32_t> missing(base_ + items_.size(), 0), readers(circuit_.fluents, 0),
        first_user(base_ + items_.size() + 1, 0), user;
    std::vector<std::uint32_t> writer(circuit_.fluents, kNone);
    const auto each_edge = [&](auto&& visit) {
        for (std::uint32_t i = 0; i < items_.size(); ++i) {
            if (items_[i].stage != stage) continue;
            for (const auto input : inputs(items_[i])) visit(node_of(input), unit_of(base_ + i));
        }
    };
    const auto is_fluent = [&](std::uint32_t node) { return node > 0 && node <= circuit_.fluents; };
    const auto counts = [&](std::uint32_t from, std::uint32_t to) {
        return is_item(from) && item(from).stage == stage && unit_of(from) != to;
    };
    std::size_t left = 0;
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
        if (items_[i].stage != stage) continue;
        if (items_[i].home != kNone) writer[items_[i].home] = base_ + i;
        if (unit_of(base_ + i) == base_ + i) ++left;
    }
    // A fluent's readers other than the gate that writes it.
    const auto holds_up = [&](std::uint32_t from, std::uint32_t to) {
        return is_fluent(from) && writer[from - 1] != kNone && writer[from - 1] != to;
    };
    each_edge([&](std::uint32_t from, std::uint32_t to) {
        if (counts(from, to)) ++missing[to], ++first_user[unit_of(from) + 1];
        if (holds_up(from, to)) ++readers[from - 1];
    });
    for (std::size_t i = 1; i < first_user.size(); ++i) first_user[i] += first_user[i - 1];
    user.resize(first_user.back());
    auto fill = first_user;
    each_edge([&](std::uint32_t from, std::uint32_t to) {
        if (counts(from, to)) user[fill[unit_of(from)]++] = to;
    });

    using Heap = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;
    const auto cyclic = kinds_.size();
    std::vector<Heap> ready(cyclic + 1);  // by kind; the last one for cyclic blocks
    Heap waiting;                         // gates that only wait for the readers of the fluent they write
    std::vector<bool> done(base_ + items_.size());
    const auto offer = [&](std::uint32_t node) {
        if (missing[node] != 0) return;
        if (item(node).home != kNone && readers[item(node).home] != 0) waiting.push(node);
        else ready[item(node).block == kNone ? item(node).kind : cyclic].push(node);
    };
    for (std::uint32_t i = 0; i < items_.size(); ++i)
        if (items_[i].stage == stage && unit_of(base_ + i) == base_ + i) offer(base_ + i);

    std::vector<Step> steps;
    std::size_t kind = 0;
    while (left > 0) {
        heed();
        if (ready[kind].empty()) {
            kind = 0;
            for (std::size_t other = 1; other < cyclic; ++other)
                if (ready[other].size() > ready[kind].size()) kind = other;
            if (ready[kind].empty()) kind = cyclic;
        }
        std::uint32_t node;
        if (!ready[kind].empty()) {
            node = ready[kind].top();
            ready[kind].pop();
            if (done[node]) continue;
        } else {
            // Writers that wait for each other: one of them writes elsewhere and its word is copied at the end.
            node = waiting.top();
            waiting.pop();
            if (done[node]) continue;
            late_.emplace_back(node, item(node).home);
            item(node).home = kNone;
        }
        done[node] = true;
        --left;
        Step members{node};
        if (const auto block = item(node).block; block != kNone)
            for (auto g = cycles_[block].first + 1; g < cycles_[block].last; ++g) members.push_back(base_ + g);
        for (const auto member : members)
            for (const auto input : inputs(item(member)))
                if (const auto from = node_of(input); holds_up(from, node) && --readers[from - 1] == 0)
                    if (const auto next = writer[from - 1]; !done[next] && missing[next] == 0) offer(next);
        for (auto u = first_user[node]; u < first_user[node + 1]; ++u)
            if (--missing[user[u]] == 0) offer(user[u]);
        steps.push_back(std::move(members));
    }
    return steps;
}

}  // namespace zermelo::gdl::bulk
