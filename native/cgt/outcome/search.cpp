#include "cgt/outcome/search.hpp"

#include <algorithm>

namespace zermelo::cgt::outcome {

Search::Key Search::push_key(const Parts::Sum& sum) {
    const auto at = static_cast<std::uint32_t>(keys_.size());
    Parts::write(sum, keys_);
    const Key key{at, static_cast<std::uint32_t>(keys_.size()) - at, 0};
    return {key.at, key.size, SumTable::hash(words(key))};
}

Walls Search::walls_of(const Parts::Sum& sum) {
    Walls walls = parts_.walls_of(sum.rest);
    for (const Part& part : sum.parts) walls += part.walls;
    return walls;
}

// What can be said without a look at moves. Left, moving first, loses exactly if the sum is at most 0.
std::optional<bool> Search::decided(const Parts::Sum& sum, const Walls& walls) {
    Arena& arena = parts_.arena();
    if (sum.parts.empty()) return !arena.less_equal(sum.rest, arena.zero());
    if (walls.first_wins()) return true;
    if (walls.first_loses()) return false;
    if (sum.parts.size() > 2) return std::nullopt;
    std::uint64_t work = 1;
    for (const Part& part : sum.parts) {
        if (!part.is_value()) return std::nullopt;
        work *= part.weight;
    }
    const auto value = sum.parts[0].value();
    if (sum.parts.size() == 1) return !arena.less_equal(value, arena.negate(sum.rest));
    if (work > kCheapComparison) return std::nullopt;
    return !arena.less_equal(arena.add(value, sum.rest), arena.negate(sum.parts[1].value()));
}

std::optional<bool> Search::known(const Parts::Sum& sum) {
    if (const auto found = decided(sum, walls_of(sum))) return found;
    keys_.clear();
    const Key key = push_key(sum);
    if (const auto found = table_.find(words(key), key.hash)) {
        if (found->numbers.phi == 0) return true;
        if (found->numbers.delta == 0) return false;
    }
    return std::nullopt;
}

bool Search::wins(const Parts::Sum& sum, Control& control) {
    if (const auto found = known(sum)) return *found;
    keys_.clear();
    children_.clear();
    frames_.clear();
    depth_first_ = parts_.close_walls(sum);
    const Key root = push_key(sum);
    return search(root, control).phi == 0;
}

// How hard it will be to decide a sum: the more it may yet be worth for a side, the harder that side's win is to
// refute. Depth first the second number alone counts: it puts the moves in order.
ProofNumbers Search::guess(const Walls& walls) const {
    static constexpr std::int64_t kMost = 1 << 12;
    if (depth_first_) {
        const auto middle = std::int64_t{walls.low_mean()} + walls.high_mean();
        static constexpr std::int64_t kHalf = 1 << 26;
        return {1, static_cast<std::uint32_t>(std::clamp(middle, 1 - kHalf, kHalf) + kHalf)};
    }
    const auto weighed = [](std::int64_t bound) {
        return 1 + static_cast<std::uint32_t>(std::clamp<std::int64_t>(bound * 3 / Walls::kOne, 0, kMost));
    };
    return {weighed(-walls.low_mean()), weighed(walls.high_mean())};
}

// A move to `after`, where Left has just moved. True if it wins at once.
bool Search::add_child(Parts::Sum& after) {
    parts_.negate(after);
    const Walls walls = walls_of(after);
    const auto found = decided(after, walls);
    if (found && *found) return false;  // the other wins: nobody needs this move
    if (found) return true;
    const Key key = push_key(after);
    table_.prefetch(key.hash);
    children_.push_back({key, guess(walls)});
    return false;
}

// Takes what is known of the moves from the table, and lost ones away. True if one is known to win.
bool Search::look_up_children(std::uint32_t first) {
    auto to = first;
    for (auto i = first; i < children_.size(); ++i) {
        Child child = children_[i];
        if (const auto known = table_.find(words(child.key), child.key.hash)) child.numbers = known->numbers;
        if (child.numbers.delta == 0) return true;
        if (child.numbers.phi != 0) children_[to++] = child;
    }
    children_.resize(to);
    return false;
}

// Lists the moves of a position. False if that decides it: its numbers are in the table then.
bool Search::open(const Key& key, std::uint32_t phi_limit, std::uint32_t delta_limit, Control& control) {
    control.tick();
    control.report_depth(static_cast<std::int64_t>(frames_.size()));
    const auto known = table_.find(words(key), key.hash);
    const auto first = static_cast<std::uint32_t>(children_.size());
    frames_.push_back({key, first, static_cast<std::uint32_t>(keys_.size()), phi_limit, delta_limit, 0, opened_++,
                       known ? known->work : 0});
    parts_.read(words(key), before_, control);
    bool won = false;
    for (std::size_t i = 0; i < before_.parts.size() && !won; ++i) {
        if (i > 0 && before_.parts[i] == before_.parts[i - 1]) continue;
        base_.parts = before_.parts;
        base_.parts.erase(base_.parts.begin() + static_cast<std::ptrdiff_t>(i));
        parts_.options(before_.parts[i], control, [&](const Parts::Sum& option) {
            if (won) return;
            after_.rest = parts_.arena().add(before_.rest, option.rest);
            after_.parts = base_.parts;
            after_.parts.insert(after_.parts.end(), option.parts.begin(), option.parts.end());
            parts_.settle(after_);
            won = add_child(after_);
        });
    }
    const auto rest_options = parts_.arena().left(before_.rest);
    for (std::size_t i = 0; i < rest_options.size() && !won; ++i) {
        after_.rest = rest_options[i];
        after_.parts = before_.parts;
        won = add_child(after_);
    }
    won = won || look_up_children(first);
    if (won) close(control, {0, kInfinite});
    return !won;
}

ProofNumbers Search::close(Control& control, ProofNumbers numbers) {
    const Frame frame = frames_.back();
    const auto work = opened_ - frame.opened + frame.work;
    table_.store(words(frame.key), frame.key.hash,
                 {numbers, static_cast<std::uint32_t>(std::min<std::uint64_t>(work, 0xffffffffu))}, control);
    keys_.resize(frame.first_word);
    children_.resize(frame.first_child);
    frames_.pop_back();
    return numbers;
}

ProofNumbers Search::numbers_of(const Frame& frame, std::uint32_t& best, std::uint32_t& second,
                                std::uint32_t& unsolved) const {
    std::uint32_t least = kInfinite, most = 0;
    second = kInfinite;
    unsolved = 0;
    for (auto i = frame.first_child; i < children_.size(); ++i) {
        const auto& numbers = children_[i].numbers;
        if (numbers.phi == 0) continue;
        ++unsolved;
        most = std::max(most, numbers.phi);
        if (numbers.delta < least) {
            second = least;
            least = numbers.delta;
            best = i;
        } else {
            second = std::min(second, numbers.delta);
        }
    }
    if (unsolved == 0) return {kInfinite, 0};
    if (least == 0) return {0, kInfinite};
    return {least, std::min(kInfinite - 1, most + unsolved - 1)};
}

ProofNumbers Search::search(const Key& root, Control& control) {
    ProofNumbers result;
    if (!open(root, kInfinite, kInfinite, control)) return {0, kInfinite};
    for (;;) {
        Frame& frame = frames_.back();
        std::uint32_t best = 0, second = 0, unsolved = 0;
        const auto numbers = numbers_of(frame, best, second, unsolved);
        if (numbers.phi >= frame.phi_limit || numbers.delta >= frame.delta_limit || numbers.phi == 0 ||
            numbers.delta == 0) {
            result = close(control, numbers);
            if (frames_.empty()) return result;
            children_[frames_.back().current].numbers = result;
            continue;
        }
        frame.current = best;
        // A child is left when another is clearly cheaper, not at once: looking elsewhere costs as well.
        const auto spare = std::min(kInfinite, second + second / 4 + 1);
        const auto delta_limit = depth_first_ ? kInfinite : std::min(frame.phi_limit, spare);
        const auto phi_limit = frame.delta_limit >= kInfinite ? kInfinite : frame.delta_limit - (unsolved - 1);
        const Key key = children_[best].key;
        // Another order of moves may have come to it since it was listed.
        if (const auto found = table_.find(words(key), key.hash);
            found && (found->numbers.phi >= phi_limit || found->numbers.delta >= delta_limit ||
                      found->numbers.phi == 0 || found->numbers.delta == 0)) {
            children_[best].numbers = found->numbers;
            continue;
        }
        if (!open(key, phi_limit, delta_limit, control)) children_[frames_.back().current].numbers = {0, kInfinite};
    }
}

}  // namespace zermelo::cgt::outcome
