#include <algorithm>
#include <utility>

#include "cgt/values/arena.hpp"
#include "cgt/values/arena_common.hpp"

namespace zermelo::cgt {

Arena::Id Arena::negate(Id root) {
    const Emptied<Id> emptied(negate_stack_);
    const auto base = negate_stack_.size();
    negate_stack_.push_back(root);
    while (negate_stack_.size() > base) {
        const Id g = negate_stack_.back();
        const Node held = node(g);
        if (held.negative != kNone) {
            negate_stack_.pop_back();
            continue;
        }
        tick();
        Id opposite = kNone;
        if (held.nimber != kGeneral) {
            opposite = of_parts(numbers_.negative(held.left_stop >> 1), -held.ups, held.nimber);
        } else {
            const auto list = options(held);
            const auto before = negate_stack_.size();
            for (const Id option : list.all()) {
                if (node(option).negative == kNone) negate_stack_.push_back(option);
            }
            if (negate_stack_.size() > before) continue;
            made_.clear();
            for (const Id option : list.right()) made_.push_back(node(option).negative);
            for (const Id option : list.left()) made_.push_back(node(option).negative);
            const auto count = list.right().size();
            const auto middle = made_.begin() + static_cast<std::ptrdiff_t>(count);
            std::sort(made_.begin(), middle);
            std::sort(middle, made_.end());
            opposite = intern({made_.data(), count}, {made_.data() + count, made_.size() - count});
        }
        node(g).negative = opposite;
        node(opposite).negative = g;
        negate_stack_.pop_back();
    }
    return node(root).negative;
}

Arena::Id Arena::sum_of_parts(const Node& a, const Node& b) {
    return of_parts(numbers_.sum(a.left_stop >> 1, b.left_stop >> 1), checked_ups(std::int64_t{a.ups} + b.ups),
                    a.nimber ^ b.nimber);
}

void Arena::remember_sum(Id g, Id h, Id sum) {
    const auto growth = sum_cache_.size() * 3 * sizeof(SumEntry);
    if (++sums_made_ > sum_cache_.size() && sum_cache_.size() < kLastSumCache &&
        (cap_ == 0 || bytes_ + growth < cap_ / 2)) {
        charge(growth);
        LargeVector<SumEntry> larger(sum_cache_.size() * 4);
        sum_cache_.swap(larger);
        for (const auto& entry : larger) {
            if (entry.g != kNone) sum_cache_[sum_place(entry.g, entry.h)] = entry;
        }
    }
    sum_cache_[sum_place(g, h)] = {g, h, sum};
}

// The sum without looking at options, or kNone.
Arena::Id Arena::easy_sum(Id g, Id h) {
    if (g == zero_) return h;
    if (h == zero_) return g;
    const Node& a = node(g);
    const Node& b = node(h);
    if (a.negative == h) return zero_;
    const auto low = std::min(g, h);
    const auto high = std::max(g, h);
    const auto& entry = sum_cache_[sum_place(low, high)];
    if (entry.g == low && entry.h == high) return entry.sum;
    if (a.nimber == kGeneral || b.nimber == kGeneral) return kNone;
    const Id sum = sum_of_parts(a, b);
    remember_sum(low, high, sum);
    return sum;
}

Arena::Id Arena::finish_sum(std::uint32_t base, std::uint32_t left_count, bool translation) {
    const auto begin = sum_values_.begin() + base;
    const auto middle = begin + left_count;
    if (translation) {
        std::sort(begin, middle);
        std::sort(middle, sum_values_.end());
    }
    const std::span<const Id> lefts(begin, middle);
    const std::span<const Id> rights(middle, sum_values_.end());
    return translation ? intern(lefts, rights) : canonical(lefts, rights);
}

// Frames hold the game that is not a number + n.up + nimber first. Where the second is a number, its own moves are
// never needed and the options translated are in canonical form (number translation theorem); where it has a number
// part, that is added last, since the rest of the sum is met with many numbers.
Arena::Id Arena::add(Id first, Id second) {
    if (const Id easy = easy_sum(first, second); easy != kNone) return easy;
    const Emptied<SumFrame> emptied_frames(sum_stack_);
    const Emptied<Id> emptied_values(sum_values_);
    const auto push = [this](Id g, Id h) {
        if (node(g).nimber != kGeneral || (node(h).nimber == kGeneral && h < g)) std::swap(g, h);
        sum_stack_.push_back({g, h, 0, static_cast<std::uint32_t>(sum_values_.size())});
    };
    const auto base = sum_stack_.size();
    push(first, second);
    while (sum_stack_.size() > base) {
        tick();
        const auto [g, h, begun, from] = sum_stack_.back();
        const Node& b = node(h);
        const bool translation = b.nimber == 0 && b.ups == 0;
        const bool split = b.nimber != kGeneral && !translation && b.left_stop >> 1 != Numbers::zero;
        auto next = begun;
        bool waits = false;
        const auto ask = [&](Id x, Id y) {
            const Id easy = easy_sum(x, y);
            if (easy == kNone) {
                push(x, y);
                waits = true;
                return;
            }
            sum_values_.push_back(easy);
            ++next;
        };
        Id sum = kNone;
        if (split) {
            const auto number = b.left_stop >> 1;
            const Id rest = of_parts(Numbers::zero, b.ups, b.nimber);
            if (next == 0) ask(g, rest);
            if (!waits && next == 1) ask(sum_values_[from], of_number(number));
            if (!waits) sum = sum_values_[from + 1];
        } else {
            const auto gl = left(g);
            const auto gr = right(g);
            const auto hl = translation ? std::span<const Id>() : left(h);
            const auto hr = translation ? std::span<const Id>() : right(h);
            const auto left_count = gl.size() + hl.size();
            const auto total = left_count + gr.size() + hr.size();
            while (!waits && next < total) {
                auto i = std::size_t{next};
                if (i < gl.size()) {
                    ask(gl[i], h);
                } else if ((i -= gl.size()) < hl.size()) {
                    ask(g, hl[i]);
                } else if ((i -= hl.size()) < gr.size()) {
                    ask(gr[i], h);
                } else {
                    ask(g, hr[i - gr.size()]);
                }
            }
            if (!waits) sum = finish_sum(from, static_cast<std::uint32_t>(left_count), translation);
        }
        if (waits) {
            sum_stack_[sum_stack_.size() - 2].next = next + 1;  // the frame just pushed leaves its value behind
            continue;
        }
        remember_sum(std::min(g, h), std::max(g, h), sum);
        sum_values_.resize(from);
        sum_stack_.pop_back();
        if (sum_stack_.size() > base) sum_values_.push_back(sum);
        else return sum;
    }
    return kNone;
}

}  // namespace zermelo::cgt
