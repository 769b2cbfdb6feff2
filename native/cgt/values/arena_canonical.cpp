#include <algorithm>
#include <optional>
#include <utility>

#include "cgt/values/arena.hpp"
#include "cgt/values/arena_common.hpp"

namespace zermelo::cgt {

// Keeps the best options first found among the rest: the one that stops best with the other side to move is dominated
// by none but those with the same stops. Most options are dominated by the first.
void Arena::remove_dominated(std::vector<Id>& options, bool keep_larger) {
    const auto better = [&](const Node& a, const Node& b) {
        const Stop a_next = keep_larger ? a.right_stop : b.left_stop, b_next = keep_larger ? b.right_stop : a.left_stop;
        if (a_next != b_next) return below(b_next, a_next);
        return keep_larger ? below(b.left_stop, a.left_stop) : below(a.right_stop, b.right_stop);
    };
    for (std::size_t kept = 0; kept < options.size(); ++kept) {
        std::size_t best = kept;
        for (std::size_t i = kept + 1; i < options.size(); ++i)
            if (better(node(options[i]), node(options[best]))) best = i;
        std::swap(options[kept], options[best]);
        const Id found = options[kept];
        const Node& game = node(found);
        for (std::size_t i = 0; i < kept;) {
            const Node& other = node(options[i]);
            const bool dominated = other.left_stop == game.left_stop && other.right_stop == game.right_stop &&
                                   (keep_larger ? less_equal(options[i], found) : less_equal(found, options[i]));
            if (!dominated) {
                ++i;
                continue;
            }
            options.erase(options.begin() + static_cast<std::ptrdiff_t>(i));
            --kept;
        }
        std::size_t end = kept + 1;
        for (std::size_t i = end; i < options.size(); ++i) {
            const Id other = options[i];
            if (!(keep_larger ? less_equal(other, found) : less_equal(found, other))) options[end++] = other;
        }
        options.resize(end);
    }
}

// The response through which the whole game's option reverses, or kNone.
Arena::Id Arena::reversing(Id option, bool left_side) {
    for (const Id response : left_side ? right(option) : left(option)) {
        if (left_side ? less_equal(response, kWhole) : less_equal(kWhole, response)) return response;
    }
    return kNone;
}

// The value of the whole does not change, so an option found not to reverse need not be tried again.
void Arena::bypass_reversible(std::vector<Id>& options, bool left_side) {
    pending_.assign(options.begin(), options.end());
    options.clear();
    bool bypassed = false;
    while (!pending_.empty()) {
        const Id option = pending_.back();
        pending_.pop_back();
        if (bypassed && std::find(options.begin(), options.end(), option) != options.end()) continue;
        const Id response = reversing(option, left_side);
        if (response == kNone) {
            options.push_back(option);
            continue;
        }
        bypassed = true;
        const auto replacing = left_side ? left(response) : right(response);
        pending_.insert(pending_.end(), replacing.begin(), replacing.end());
    }
    if (bypassed) remove_dominated(options, left_side);
}

// Makes kWhole the game with these options.
void Arena::set_whole(std::span<const Id> left, std::span<const Id> right) {
    if (--whole_serial_ <= kMostGames / 2) {
        std::fill(order_cache_.begin(), order_cache_.end(), 0);
        whole_serial_ = kMostGames;
    }
    constexpr std::uint32_t at = 1;  // in the first block; at 0 it would look as if there were no options
    const auto count = left.size() + right.size() + 2 + at;
    if (count > whole_memory_.size()) {
        charge((2 * count - whole_memory_.size()) * sizeof(Id));
        whole_memory_.assign(2 * count, 0);
        blocks_[0] = whole_memory_.data();
    }
    Id* list = blocks_[0] + at;
    *list++ = static_cast<Id>(left.size());
    *list++ = static_cast<Id>(right.size());
    list = std::copy(left.begin(), left.end(), list);
    std::copy(right.begin(), right.end(), list);
    node(kWhole).options = at;
    judge(node(kWhole), left, right);
}

Arena::Id Arena::canonical(std::span<const Id> left, std::span<const Id> right) {
    tick();
    const auto assign = [](std::vector<Id>& to, std::span<const Id> from) {
        to.assign(from.begin(), from.end());
        std::sort(to.begin(), to.end());
        to.erase(std::unique(to.begin(), to.end()), to.end());
    };
    assign(left_, left);
    assign(right_, right);
    Stop low = 0;
    Stop high = 0;
    for (std::size_t i = 0; i < left_.size(); ++i) {
        if (const auto stop = node(left_[i]).right_stop; i == 0 || below(low, stop)) low = stop;
    }
    for (std::size_t i = 0; i < right_.size(); ++i) {
        if (const auto stop = node(right_[i]).left_stop; i == 0 || below(stop, high)) high = stop;
    }
    // A number fits between the options if it is above all left stops' bounds and below all right ones: it is the
    // simplest.
    if (left_.empty() || right_.empty() || below(low, high)) {
        std::optional<Bound> lowest;
        std::optional<Bound> highest;
        if (!left_.empty()) lowest = Bound{numbers_[low >> 1], (low & 1) == 0};
        if (!right_.empty()) highest = Bound{numbers_[high >> 1], (high & 1) == 1};
        return number(simplest(lowest, highest));
    }
    if (left_ == right_) {  // impartial: the least heap that is missing
        const auto heap = [this](Id option) { return node(option).nimber; };
        const auto is_heap = [this](Id option) {
            const Node& n = node(option);
            return n.nimber != kGeneral && n.ups == 0 && n.left_stop >> 1 == Numbers::zero;
        };
        if (std::all_of(left_.begin(), left_.end(), is_heap)) {
            std::sort(left_.begin(), left_.end(), [&](Id a, Id b) { return heap(a) < heap(b); });
            std::uint32_t least = 0;
            while (least < left_.size() && heap(left_[least]) == least) ++least;
            return nimber(least);
        }
    }
    remove_dominated(left_, true);
    remove_dominated(right_, false);
    set_whole(left_, right_);
    bypass_reversible(left_, true);
    bypass_reversible(right_, false);
    std::sort(left_.begin(), left_.end());
    std::sort(right_.begin(), right_.end());
    return intern(left_, right_);
}

}  // namespace zermelo::cgt
