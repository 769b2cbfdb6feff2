// Strongly connected components of a graph given by its successors (Tarjan 1972), with a stack of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "zermelo/heed.hpp"

namespace zermelo::gdl {

// Calls found(component, cyclic) for each component that the roots reach, what it points at first. `successors(node,
// visit)` calls visit(target) for each edge; it is asked once a node. A node with an edge to itself is cyclic.
template <class Successors, class Found>
void components(std::uint32_t nodes, std::span<const std::uint32_t> roots, Successors&& successors, Found&& found) {
    struct Frame {
        std::uint32_t node, at, end;
    };
    constexpr std::uint32_t kDone = 0xffffffffu;
    std::vector<std::uint32_t> index(nodes, 0), low(nodes, 0), open, edges;
    std::vector<bool> loops(nodes);
    std::vector<Frame> stack;
    std::uint32_t next_index = 1;
    const auto enter = [&](std::uint32_t node) {
        heed();
        index[node] = low[node] = next_index++;
        open.push_back(node);
        const auto begin = static_cast<std::uint32_t>(edges.size());
        successors(node, [&](std::uint32_t target) {
            if (target == node) loops[node] = true;
            else edges.push_back(target);
        });
        stack.push_back({node, begin, static_cast<std::uint32_t>(edges.size())});
    };
    for (const auto root : roots) {
        if (index[root]) continue;
        enter(root);
        while (!stack.empty()) {
            auto& frame = stack.back();
            if (frame.at < frame.end) {
                const auto target = edges[frame.at++];
                if (!index[target]) enter(target);
                else if (index[target] != kDone) low[frame.node] = std::min(low[frame.node], index[target]);
                continue;
            }
            const auto node = frame.node;
            stack.pop_back();
            // Its edges were the last on the list: those of its descendants are gone already.
            edges.resize(stack.empty() ? 0 : stack.back().end);
            if (!stack.empty()) low[stack.back().node] = std::min(low[stack.back().node], low[node]);
            if (low[node] != index[node]) continue;
            const auto begin =
                static_cast<std::size_t>(std::find(open.rbegin(), open.rend(), node).base() - open.begin()) - 1;
            const std::vector<std::uint32_t> component(open.begin() + static_cast<std::ptrdiff_t>(begin), open.end());
            open.resize(begin);
            for (const auto member : component) index[member] = kDone;
            found(std::span<const std::uint32_t>(component), component.size() > 1 || loops[node]);
        }
    }
}

}  // namespace zermelo::gdl
