// Which existential variable of a block is set next: the one with most recent conflicts (Moskewicz and others, "Chaff:
// Engineering an efficient SAT solver", 2001), from a binary heap for each block.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "qip/learning/state.hpp"

namespace zermelo::qip::learning {

class Order {
public:
    Order(std::vector<Index> block_of, Index blocks) : block_of_(std::move(block_of)), heap_(blocks) {
        activity_.assign(block_of_.size(), 0);
        place_.assign(block_of_.size(), kNone);
    }

    void insert(Index v) {
        if (place_[v] != kNone) return;
        auto& heap = heap_[block_of_[v]];
        heap.push_back(v);
        place_[v] = static_cast<Index>(heap.size() - 1);
        up(heap, place_[v]);
    }
    // The first variable of the block, taken out; kNone where there is none.
    Index take(Index block) {
        auto& heap = heap_[block];
        if (heap.empty()) return kNone;
        const auto top = heap.front();
        place_[top] = kNone;
        const auto moved = heap.back();
        heap.pop_back();
        if (!heap.empty()) {
            heap.front() = moved;
            place_[moved] = 0;
            down(heap, 0);
        }
        return top;
    }
    void start(Index v, double activity) { activity_[v] = activity; }
    void bump(Index v) {
        activity_[v] += step_;
        if (activity_[v] > 1e100) {
            for (auto& a : activity_) a *= 1e-100;
            step_ *= 1e-100;
        }
        if (place_[v] != kNone) up(heap_[block_of_[v]], place_[v]);
    }
    void decay() { step_ *= 1 / 0.95; }

private:
    bool before(Index a, Index b) const {
        return activity_[a] > activity_[b] || (activity_[a] == activity_[b] && a < b);
    }
    void up(std::vector<Index>& heap, Index i) {
        const auto v = heap[i];
        for (; i > 0 && before(v, heap[(i - 1) / 2]); i = (i - 1) / 2) {
            heap[i] = heap[(i - 1) / 2];
            place_[heap[i]] = i;
        }
        heap[i] = v;
        place_[v] = i;
    }
    void down(std::vector<Index>& heap, Index i) {
        const auto v = heap[i];
        for (;;) {
            auto child = 2 * i + 1;
            if (child >= heap.size()) break;
            if (child + 1 < heap.size() && before(heap[child + 1], heap[child])) ++child;
            if (!before(heap[child], v)) break;
            heap[i] = heap[child];
            place_[heap[i]] = i;
            i = child;
        }
        heap[i] = v;
        place_[v] = i;
    }

    std::vector<Index> block_of_;
    std::vector<std::vector<Index>> heap_;
    std::vector<double> activity_;
    std::vector<Index> place_;
    double step_ = 1;
};

}  // namespace zermelo::qip::learning
