// Walks over the positions of a game, without recursion.
#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "cgt/values/arena.hpp"

namespace zermelo::cgt {

// Every position reached from the root once, options before what they are options of; a position for which settled()
// holds is listed but its options are not followed.
template <class Settled>
std::vector<Arena::Id> positions(Arena& arena, Arena::Id root, Settled settled) {
    std::vector<Arena::Id> found;
    std::unordered_set<Arena::Id> met{root};
    struct Frame {
        Arena::Id g;
        std::size_t next;
    };
    std::vector<Frame> stack{{root, 0}};
    while (!stack.empty()) {
        auto& [g, next] = stack.back();
        if (next == 0 && settled(g)) {
            found.push_back(g);
            stack.pop_back();
            continue;
        }
        const auto left = arena.left(g);
        const auto right = arena.right(g);
        if (next == left.size() + right.size()) {
            found.push_back(g);
            stack.pop_back();
            continue;
        }
        arena.tick();
        const auto option = next < left.size() ? left[next] : right[next - left.size()];
        ++next;
        if (met.insert(option).second) stack.push_back({option, 0});
    }
    return found;
}

}  // namespace zermelo::cgt
