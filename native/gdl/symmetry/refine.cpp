#include "gdl/symmetry/refine.hpp"

#include <algorithm>
#include <numeric>

namespace zermelo::gdl {

namespace {

constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Short, so that no sum of them is ever 0.
constexpr std::uint64_t weight(std::uint32_t label) { return mixed(0x9e3779b97f4a7c15u * (label + 1)) >> 32 | 1; }

constexpr std::uint64_t kArcsBetweenChecks = 1 << 16;

}  // namespace

Refiner::Refiner(const RuleGraph& graph, Control& control)
    : graph_(graph), control_(control), waits_(graph.nodes()), sum_(graph.nodes()), touched_(graph.nodes()) {}

Partition Refiner::initial() {
    const auto nodes = graph_.nodes();
    Partition partition{std::vector<std::uint32_t>(nodes), std::vector<std::uint32_t>(nodes),
                        std::vector<std::uint32_t>(nodes), std::vector<std::uint32_t>(nodes)};
    std::iota(partition.node.begin(), partition.node.end(), 0u);
    std::ranges::stable_sort(partition.node, {}, [&](std::uint32_t v) { return graph_.colour[v]; });
    std::uint32_t first = 0;
    for (std::uint32_t at = 0; at < nodes; ++at) {
        if (at > 0 && graph_.colour[partition.node[at]] != graph_.colour[partition.node[at - 1]]) first = at;
        partition.place[partition.node[at]] = at;
        partition.cell[at] = first;
        ++partition.length[first];
        if (first == at) wait(at);
    }
    refine(partition);
    return partition;
}

std::uint64_t Refiner::single_out(Partition& partition, std::uint32_t node) {
    const auto cell = partition.cell_of(node), at = partition.place[node], length = partition.length[cell];
    std::swap(partition.node[cell], partition.node[at]);
    partition.place[partition.node[at]] = at;
    partition.place[node] = cell;
    partition.length[cell] = 1;
    partition.length[cell + 1] = length - 1;
    std::fill_n(partition.cell.begin() + cell + 1, length - 1, cell + 1);
    wait(cell);
    return refine(partition);
}

void Refiner::wait(std::uint32_t cell) {
    if (waits_[cell]) return;
    waits_[cell] = true;
    waiting_.push_back(cell);
}

std::uint64_t Refiner::refine(Partition& partition) {
    trace_ = 0;
    try {
        while (!waiting_.empty()) {
            const auto from = waiting_.back();
            waiting_.pop_back();
            waits_[from] = false;
            count_arcs(partition, from);
            std::ranges::sort(touched_cells_);
            for (const auto cell : touched_cells_) split(partition, cell);
            touched_cells_.clear();
        }
    } catch (const Stopped&) {
        for (const auto cell : waiting_) waits_[cell] = false;
        waiting_.clear();
        throw;
    }
    return trace_;
}

void Refiner::count_arcs(const Partition& partition, std::uint32_t from) {
    if (arcs_ >= kArcsBetweenChecks) arcs_ = 0, control_.check();
    for (const auto v : partition.members(from)) {
        arcs_ += graph_.arcs_of(v).size();
        for (const auto& [node, label] : graph_.arcs_of(v)) {
            const auto cell = partition.cell_of(node);
            if (partition.length[cell] == 1) {
                trace_ += mixed(cell ^ weight(label));  // nothing to split, but something to compare
                continue;
            }
            if (sum_[node] == 0) {
                if (touched_[cell].empty()) touched_cells_.push_back(cell);
                touched_[cell].push_back(node);
            }
            sum_[node] += weight(label);
        }
    }
}

void Refiner::split(Partition& partition, std::uint32_t cell) {
    auto& touched = touched_[cell];
    std::ranges::sort(touched, {}, [&](std::uint32_t v) { return sum_[v]; });
    const auto length = partition.length[cell];
    const auto count = static_cast<std::uint32_t>(touched.size());
    trace_ = mixed(trace_ + mixed(cell + (std::uint64_t{count} << 32)));
    // Untouched nodes stay in front, the others follow by their sums.
    for (auto at = cell + length, i = count; i > 0;) {
        const auto v = touched[--i];
        --at;
        const auto other = partition.node[at];
        const auto was = partition.place[v];
        std::swap(partition.node[at], partition.node[was]);
        partition.place[other] = was;
        partition.place[v] = at;
    }
    auto& parts = parts_;
    parts.clear();
    if (count < length) parts.push_back(cell);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i > 0 && sum_[touched[i]] == sum_[touched[i - 1]]) continue;
        parts.push_back(cell + length - count + i);
        trace_ = mixed(trace_ + sum_[touched[i]] + mixed(parts.back()));
    }
    for (const auto v : touched) sum_[v] = 0;
    touched.clear();
    if (parts.size() == 1) return;
    const bool waited = waits_[cell];
    std::uint32_t largest = 0, longest = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto end = p + 1 < parts.size() ? parts[p + 1] : cell + length;
        partition.length[parts[p]] = end - parts[p];
        if (parts[p] != cell) std::fill(partition.cell.begin() + parts[p], partition.cell.begin() + end, parts[p]);
        if (end - parts[p] > longest) longest = end - parts[p], largest = parts[p];
    }
    // What the whole cell was looked at for, the largest part follows from the others.
    for (const auto part : parts)
        if (waited || part != largest) wait(part);
}

}  // namespace zermelo::gdl
