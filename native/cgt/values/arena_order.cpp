#include <utility>

#include "cgt/values/arena.hpp"
#include "cgt/values/arena_common.hpp"

namespace zermelo::cgt {

Arena::Answer Arena::quick(Id g, Id h) const {
    if (g == h) return Answer::yes;
    const Node& a = node(g);
    const Node& b = node(h);
    if (a.nimber != kGeneral && b.nimber != kGeneral) {
        if (a.left_stop >> 1 != b.left_stop >> 1)
            return numbers_.less(a.left_stop >> 1, b.left_stop >> 1) ? Answer::yes : Answer::no;
        return not_positive(std::int64_t{a.ups} - b.ups, a.nimber ^ b.nimber) ? Answer::yes : Answer::no;
    }
    if (below(b.left_stop, a.left_stop) || below(b.right_stop, a.right_stop)) return Answer::no;
    if (below(a.left_stop, b.right_stop)) return Answer::yes;
    const auto at = [](Stop stop) { return stop >> 1; };
    if (at(a.left_stop) == at(b.left_stop) && (b.signature.at_most & ~a.signature.at_most) != 0) return Answer::no;
    if (at(a.right_stop) == at(b.right_stop) && (a.signature.at_least & ~b.signature.at_least) != 0) return Answer::no;
    if (at(a.left_stop) == at(b.right_stop) && (a.signature.at_most & b.signature.at_least) != 0) return Answer::yes;
    const auto number = [](const Node& n) { return n.nimber == 0 && n.ups == 0; };
    return number(a) || number(b) ? Answer::no : Answer::unknown;
}

std::uint64_t Arena::order_key(Id g, Id h) const {
    const std::uint64_t a = g == kWhole ? whole_serial_ : g;
    const std::uint64_t b = h == kWhole ? whole_serial_ : h;
    return a << 32 | b;
}

Arena::Answer Arena::known(Id g, Id h) const {
    if (const auto answer = quick(g, h); answer != Answer::unknown) return answer;
    const auto key = order_key(g, h);
    const auto entry = order_cache_[finish(key) & (order_cache_.size() - 1)];
    if (entry >> 32 != key >> 32 || (entry & 0x7fffffffu) != (key & 0x7fffffffu)) return Answer::unknown;
    return (entry & 0x80000000u) != 0 ? Answer::yes : Answer::no;
}

void Arena::remember(Id g, Id h, bool answer) {
    const auto key = order_key(g, h);
    order_cache_[finish(key) & (order_cache_.size() - 1)] = key | (answer ? 0x80000000u : 0u);
}

// A small cache is best as long as it holds what one comparison asks; beyond, comparisons would be made over and over.
void Arena::grow_order_cache() {
    const auto growth = order_cache_.size() * 3 * sizeof(order_cache_[0]);
    if (order_cache_.size() >= kLastOrderCache || growth > room() / 4) return;
    charge(growth);
    LargeVector<std::uint64_t> larger(order_cache_.size() * 4);
    for (const auto entry : order_cache_)
        larger[finish(entry & ~std::uint64_t{0x80000000u}) & (larger.size() - 1)] = entry;
    order_cache_ = std::move(larger);
}

// G <= H exactly if no left option of G is >= H and no right option of H is <= G.
bool Arena::less_equal(Id g, Id h) {
    auto answer = known(g, h);
    if (answer != Answer::unknown) return answer == Answer::yes;
    const Emptied<OrderFrame> emptied(order_stack_);
    const auto base = order_stack_.size();
    std::size_t asked = 0;
    const auto push = [this, &asked](Id a, Id b) {
        tick();
        if (++asked > order_cache_.size()) grow_order_cache();
        const auto lefts = left(a);
        const auto rights = right(b);
        order_stack_.push_back(
            {a, b, lefts.data(), lefts.data() + lefts.size(), rights.data(), rights.data() + rights.size()});
    };
    push(g, h);
    bool last = false;  // the answer for the frame that has just been popped
    while (order_stack_.size() > base) {
        OrderFrame& frame = order_stack_.back();
        bool refuted = last;
        last = false;
        bool waits = false;
        while (!refuted && (frame.next != frame.left_end || frame.right_next != frame.right_end)) {
            const bool of_left = frame.next != frame.left_end;
            const Id a = of_left ? frame.h : *frame.right_next++;
            const Id b = of_left ? *frame.next++ : frame.g;
            answer = known(a, b);
            if (answer == Answer::unknown) {
                push(a, b);
                waits = true;
                break;
            }
            refuted = answer == Answer::yes;
        }
        if (waits) continue;
        const OrderFrame done = order_stack_.back();
        order_stack_.pop_back();
        remember(done.g, done.h, !refuted);
        last = !refuted;
    }
    return last;
}

}  // namespace zermelo::cgt
