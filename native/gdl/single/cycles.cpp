// Gates of recursive rules: what is true of them is worked out once everything before them has settled.
#include <algorithm>
#include <functional>

#include "gdl/single/single.hpp"

namespace zermelo::gdl {

void SingleLane::touch_cycle(std::uint32_t gate, bool up) {
    count_[gate] = static_cast<std::int16_t>(count_[gate] + (up ? 2 : -2));
    const auto cycle = net_->cycle_of[gate];
    auto& touched = touched_[cycle];
    (up == net_->conjunction[gate] ? touched.fell : touched.rose).push_back(gate);
    if (touched.waiting) return;
    touched.waiting = true;
    waiting_.push_back(cycle);
    std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
}

// Least fixpoint of recursive rules, kept by "delete and rederive" (Gupta, Mumick and Subrahmanian, 1993): what rests
// on something that fell is taken back, even if something else seems to support it, for that may be itself; then all
// that the remaining facts support is derived. With additions only, the first part is empty. Here the lowest bit of a
// count says what the cycle's own gates know.
void SingleLane::settle_cycle(std::uint32_t cycle) {
    const auto& net = *net_;
    auto& touched = touched_[cycle];
    touched.waiting = false;
    const auto is_true = [&](std::uint32_t g) { return static_cast<bool>(count_[g] & 1) != net.conjunction[g]; };
    const auto supported = [&](std::uint32_t g) { return (count_[g] > 1) != net.conjunction[g]; };
    // Tells the others in the cycle; puts those that may follow on the list.
    const auto tell = [&](std::uint32_t g, std::vector<std::uint32_t>& follow, bool truth) {
        count_[g] ^= 1;
        const bool up = count_[g] & 1;
        work_ += net.first_inner[g + 1] - net.first_inner[g] + 1;
        for (auto e = net.first_inner[g]; e != net.first_inner[g + 1]; ++e) {
            const auto to = net.inner[e] >> 1;
            const bool against = net.inner[e] & 1;
            count_[to] = static_cast<std::int16_t>(count_[to] + (up != against ? 2 : -2));
            if (is_true(to) != truth) follow.push_back(to);
        }
    };
    fallen_.clear();
    while (!touched.fell.empty()) {
        const auto g = touched.fell.back();
        touched.fell.pop_back();
        if (!is_true(g)) continue;
        was_true_[g] = 1;
        fallen_.push_back(g);
        tell(g, touched.fell, false);
    }
    for (const auto g : fallen_)
        if (supported(g)) touched.rose.push_back(g);
    risen_.clear();
    while (!touched.rose.empty()) {
        const auto g = touched.rose.back();
        touched.rose.pop_back();
        if (is_true(g) || !supported(g)) continue;
        if (!was_true_[g]) risen_.push_back(g);
        tell(g, touched.rose, true);
    }
    // Nodes outside the cycle are told of net changes only, in the usual way.
    for (const auto g : fallen_) {
        was_true_[g] = 0;
        if (is_true(g)) continue;
        count_[g] ^= 1;
        push(g);
    }
    for (const auto g : risen_) {
        count_[g] ^= 1;
        push(g);
    }
}

}  // namespace zermelo::gdl
