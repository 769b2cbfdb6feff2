#include "cgt/outcome/search.hpp"

#include <algorithm>

namespace zermelo::cgt::outcome {

Search::Key Search::push_key(const Parts::Sum& sum) {
    const auto at = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(sum.rest);
    keys_.insert(keys_.end(), sum.parts.begin(), sum.parts.end());
    const Key key{at, static_cast<std::uint32_t>(keys_.size()) - at, 0};
    return {key.at, key.size, SumTable::hash(words(key))};
}

// What can be said without a look at moves. Left, moving first, loses exactly if the sum is at most 0.
std::optional<bool> Search::decided(const Parts::Sum& sum) {
    Arena& arena = parts_.arena();
    if (sum.parts.empty()) return !arena.less_equal(sum.rest, arena.zero());
    Fixed lower = parts_.lower_of(sum.rest), upper = parts_.upper_of(sum.rest);
    // Every number + n.up + nimber has the number as its mean.
    Fixed low_mean = lower, up_mean = upper, heat = 0;
    bool values_only = true;
    std::uint64_t work = 1;
    for (const auto part : sum.parts) {
        // A bound that is missing stays missing: no sum of others makes up for it.
        lower = std::max(-Parts::kEndless, lower + parts_.lower(part));
        upper = std::min(Parts::kEndless, upper + parts_.upper(part));
        const Means means = parts_.means(part);
        low_mean = std::max(-Parts::kEndless, low_mean + means.low_mean);
        up_mean = std::min(Parts::kEndless, up_mean + means.up_mean);
        heat = std::max(heat, means.up_heat);
        values_only = values_only && parts_.has_value(part);
        work *= parts_.weight(part);
    }
    if (upper <= 0) return false;
    if (lower > 0) return true;
    // Means add up, the temperature of a sum is at most the largest of its parts, and the left stop lies between the
    // mean and the mean plus the temperature (Winning Ways, chapter 6; Siegel, theorems II.5.17 to 5.21). So Left,
    // moving first, gets to more than 0 if a game below the sum has a mean above 0, and to less if one above it has its
    // mean by more than its temperature below 0.
    if (low_mean > 0) return true;
    if (up_mean + heat < 0) return false;
    if (!values_only || sum.parts.size() > 2) return std::nullopt;
    const auto rest = parts_.value(sum.parts[0]);
    if (sum.parts.size() == 1) return !arena.less_equal(rest, arena.negate(sum.rest));
    if (work > kCheapComparison) return std::nullopt;
    return !arena.less_equal(arena.add(rest, sum.rest), arena.negate(parts_.value(sum.parts[1])));
}

std::optional<bool> Search::known(const Parts::Sum& sum) {
    if (const auto found = decided(sum)) return found;
    keys_.clear();
    const Key key = push_key(sum);
    if (const auto* numbers = table_.find(words(key), key.hash)) {
        if (numbers->phi == 0) return true;
        if (numbers->delta == 0) return false;
    }
    return std::nullopt;
}

bool Search::wins(const Parts::Sum& sum, Control& control) {
    if (const auto found = known(sum)) return *found;
    keys_.clear();
    children_.clear();
    frames_.clear();
    const Key root = push_key(sum);
    return search(root, control).phi == 0;
}

// How hard it will be to decide a sum: the more it may yet be worth for a side, the harder that side's win is to
// refute.
ProofNumbers Search::guess(const Parts::Sum& sum) const {
    static constexpr Fixed kMost = 1 << 12;
    Fixed lower = 0, upper = 0;
    for (const auto part : sum.parts) lower += parts_.means(part).low_mean, upper += parts_.means(part).up_mean;
    const auto weighed = [](Fixed bound) {
        return 1 + static_cast<std::uint32_t>(std::clamp<Fixed>(bound * 3 / kOne, 0, kMost));
    };
    const Fixed rest = parts_.lower_of(sum.rest);
    return {weighed(-lower - rest), weighed(upper + rest)};
}

// A move to `after`, where Left has just moved. True if it wins at once.
bool Search::add_child(Parts::Sum& after) {
    parts_.negate(after);
    const auto found = decided(after);
    if (found && *found) return false;  // the other wins: nobody needs this move
    if (found) return true;
    const auto mark = keys_.size();
    const Key key = push_key(after);
    ProofNumbers numbers = guess(after);
    if (const auto* known = table_.find(words(key), key.hash)) numbers = *known;
    if (numbers.phi == 0) {
        keys_.resize(mark);
        return false;
    }
    children_.push_back({key, numbers});
    return numbers.delta == 0;
}

// Lists the moves of a position. False if that decides it: its numbers are in the table then.
bool Search::open(const Key& key, std::uint32_t phi_limit, std::uint32_t delta_limit, Control& control) {
    control.tick();
    control.report_depth(static_cast<std::int64_t>(frames_.size()));
    frames_.push_back({key, static_cast<std::uint32_t>(children_.size()), phi_limit, delta_limit, 0});
    before_.rest = keys_[key.at];
    const auto own = words(key).subspan(1);
    before_.parts.assign(own.begin(), own.end());
    bool won = false;
    for (std::size_t i = 0; i < before_.parts.size() && !won; ++i) {
        if (i > 0 && before_.parts[i] == before_.parts[i - 1]) continue;
        parts_.options(before_.parts[i], control, [&](const Parts::Option& option) {
            if (won) return;
            after_.rest = parts_.arena().add(before_.rest, option.rest);
            after_.parts.clear();
            for (std::size_t j = 0; j < before_.parts.size(); ++j)
                if (j != i) after_.parts.push_back(before_.parts[j]);
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
    if (won) close(control, {0, kInfinite});
    return !won;
}

ProofNumbers Search::close(Control& control, ProofNumbers numbers) {
    const Frame frame = frames_.back();
    table_.store(words(frame.key), frame.key.hash, numbers, control);
    if (children_.size() > frame.first_child) keys_.resize(children_[frame.first_child].key.at);
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
        const auto delta_limit = std::min(frame.phi_limit, spare);
        const auto phi_limit = frame.delta_limit >= kInfinite ? kInfinite : frame.delta_limit - (unsolved - 1);
        const Key key = children_[best].key;
        if (!open(key, phi_limit, delta_limit, control)) children_[frames_.back().current].numbers = {0, kInfinite};
    }
}

}  // namespace zermelo::cgt::outcome
