#include "cgt/outcome/parts.hpp"

#include <algorithm>

#include "cgt/outcome/units.hpp"

namespace zermelo::cgt::outcome {

unsigned Parts::add_source(std::unique_ptr<Source> source) {
    sources_.push_back({std::move(source), {}});
    return static_cast<unsigned>(sources_.size() - 1);
}

Fixed Parts::lower_of(Arena::Id value) const {
    const Dyadic stop = arena_.right_stop(value);
    const auto at = units_below(stop, kLargest);
    if (!at) return stop.sign() > 0 ? kLargest : -kEndless;
    return arena_.less_equal(arena_.number(stop), value) ? *at : *at - 1;
}

Fixed Parts::upper_of(Arena::Id value) const { return -lower_of(arena_.negate(value)); }

Parts::Id Parts::append(std::uint32_t local, std::uint32_t source, bool own_negative, std::uint32_t weight,
                        std::array<Fixed, 2> bounds, const Means& means) {
    // What is below the lowest bound that can be held has none; above the highest, that one is good enough.
    const auto low = [](Fixed bound) { return narrow(std::min(bound, kLargest)); };
    const auto up = [](Fixed bound) { return narrow(std::max(bound, -kLargest)); };
    Pair pair{
        local,         source & kValues,    own_negative,      {kNone, kNone},     weight,           low(bounds[0]),
        up(bounds[1]), low(means.low_mean), up(means.up_mean), up(means.low_heat), up(means.up_heat)};
    pairs_.push_back(pair);
    return static_cast<Id>(2 * (pairs_.size() - 1));
}

Parts::Known Parts::known(unsigned source, std::uint32_t part, Control& control) {
    auto& listed = sources_[source];
    if (listed.known.size() <= part) listed.known.resize(part + 1 + part / 4, {false, kNone});
    if (listed.known[part].id != kNone) return listed.known[part];
    Known found{true, 0};
    if (const auto value = listed.rules->value(part, control)) {
        found.id = *value;
    } else {
        const auto range = listed.rules->range(part);
        const Fixed upper = range.infinitesimal ? 1 : range.upper * kOne;
        const Fixed lower = range.infinitesimal ? -1 : range.lower * kOne;
        const bool own_negative = listed.rules->own_negative(part);
        const auto weight = listed.rules->size(part);
        Means means{lower, upper};
        if (const auto better = listed.rules->means(part, control)) {
            if (better->low_mean > lower) means.low_mean = better->low_mean, means.low_heat = better->low_heat;
            if (better->up_mean < upper) means.up_mean = better->up_mean, means.up_heat = better->up_heat;
        }
        const Id id = append(part, source, own_negative, weight, {lower, upper}, means);
        control.charge(sizeof(Pair) + sizeof(Known));
        found = {false, id};
    }
    listed.known[part] = found;
    return found;
}

std::uint32_t Parts::weight_of(Arena::Id value) {
    const auto simple = [&](Arena::Id g) {
        return 1 + static_cast<std::uint32_t>(std::abs(arena_.ups(g))) + std::min(arena_.heap(g), 64u);
    };
    if (arena_.is_number_up_star(value)) return simple(value);
    std::vector<Arena::Id> stack{value};
    while (!stack.empty()) {
        const auto g = stack.back();
        if (weights_.contains(g)) {
            stack.pop_back();
            continue;
        }
        std::uint32_t weight = 1;
        bool ready = true;
        for (const auto side : {arena_.left(g), arena_.right(g)}) {
            for (const auto option : side) {
                if (arena_.is_number_up_star(option)) weight += simple(option);
                else if (const auto found = weights_.find(option); found != weights_.end()) weight += found->second;
                else stack.push_back(option), ready = false;
                weight = std::min(weight, kMostWeight);
            }
        }
        if (!ready) continue;
        weights_.emplace(g, weight);
        stack.pop_back();
    }
    return weights_.at(value);
}

Means Parts::means_of(Arena::Id value) {
    const auto& drawn = thermographs_.of(value);
    const auto low = units_below(drawn.mean, kLargest), up = units_below(-drawn.mean, kLargest);
    const auto heat = units_below(-drawn.temperature, kLargest);
    if (!low || !up || !heat) return {-kEndless, kEndless};
    const Fixed heated = std::max<Fixed>(0, -*heat);
    return {*low, -*up, heated, heated};
}

Parts::Id Parts::part_of_value(Arena::Id value) {
    if (const auto found = of_value_.find(value); found != of_value_.end()) return found->second;
    const auto negative = arena_.negate(value);
    const auto lower = lower_of(value), upper = upper_of(value);
    const auto weight = weight_of(value);
    const Means means = means_of(value);
    const Id id = append(value, kValues, negative == value, weight, {lower, upper}, means);
    of_value_.emplace(value, id);
    of_value_.emplace(negative, this->negative(id));
    return id;
}

void Parts::add_value(Sum& sum, Arena::Id value) {
    if (arena_.is_number_up_star(value)) sum.rest = arena_.add(sum.rest, value);
    else sum.parts.push_back(part_of_value(value));
}

void Parts::add(Sum& sum, unsigned source, Term term, Control& control) {
    const auto found = known(source, term.part, control);
    if (found.is_value) add_value(sum, term.negated ? arena_.negate(found.id) : found.id);
    else sum.parts.push_back(term.negated ? negative(found.id) : found.id);
}

// Sums are small: pairs are found by looking.
void Parts::settle(Sum& sum) {
    auto& parts = sum.parts;
    do {
        std::sort(parts.begin(), parts.end());
        for (std::size_t i = 0; i < parts.size();) {
            const Id other = negative(parts[i]);
            auto found = other == parts[i] ? parts.begin() + static_cast<std::ptrdiff_t>(i) + 1
                                           : std::lower_bound(parts.begin(), parts.end(), other);
            if (found == parts.end() || *found != other) {
                ++i;
                continue;
            }
            const auto at = static_cast<std::size_t>(found - parts.begin());
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(std::max(i, at)));
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(std::min(i, at)));
            i = 0;
        }
    } while (merge_cheap(sum));
}

bool Parts::merge_cheap(Sum& sum) {
    auto& parts = sum.parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!has_value(parts[i])) continue;
        for (std::size_t j = i + 1; j < parts.size(); ++j) {
            if (!has_value(parts[j])) continue;
            if (std::uint64_t{weight(parts[i])} * weight(parts[j]) > kCheapSum) continue;
            const auto both = arena_.add(value(parts[i]), value(parts[j]));
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
            add_value(sum, both);
            return true;
        }
    }
    return false;
}

void Parts::negate(Sum& sum) {
    sum.rest = arena_.negate(sum.rest);
    for (Id& part : sum.parts) part = negative(part);
    std::sort(sum.parts.begin(), sum.parts.end());
}

std::size_t Parts::list_options(Id id, Control& control) {
    const Pair part = pair(id);
    const bool negated = is_negative(id);
    std::vector<Sum> found;
    if (part.source == kValues) {
        const auto left = arena_.left(value(id));
        const std::vector<Arena::Id> options(left.begin(), left.end());
        for (const auto option : options) {
            found.push_back(zero());
            add_value(found.back(), option);
        }
    } else {
        Options listed;
        sources_[part.source].rules->options(part.local, !negated, listed, control);
        for (std::size_t option = 0; option < listed.size(); ++option) {
            Sum sum = zero();
            const int integer = negated ? -listed.integer(option) : listed.integer(option);
            if (integer != 0) sum.rest = arena_.number(integer);
            for (const Term& term : listed.terms(option))
                add(sum, part.source, {term.part, term.negated != negated}, control);
            settle(sum);
            found.push_back(std::move(sum));
        }
        const auto before = [](const Sum& a, const Sum& b) {
            return a.rest != b.rest ? a.rest < b.rest : a.parts < b.parts;
        };
        std::sort(found.begin(), found.end(), before);
        const auto same = [](const Sum& a, const Sum& b) { return a.rest == b.rest && a.parts == b.parts; };
        found.erase(std::unique(found.begin(), found.end(), same), found.end());
    }
    std::size_t words = 1;
    for (const Sum& sum : found) words += 2 + sum.parts.size();
    control.charge(static_cast<std::int64_t>(words * sizeof(std::uint32_t)));
    const auto at = lists_.size();
    pairs_[id >> 1].options[id & 1] = static_cast<std::uint32_t>(at);
    lists_.push_back(static_cast<std::uint32_t>(found.size()));
    for (const Sum& sum : found) {
        lists_.push_back(sum.rest);
        lists_.push_back(static_cast<std::uint32_t>(sum.parts.size()));
        lists_.insert(lists_.end(), sum.parts.begin(), sum.parts.end());
    }
    return at;
}

}  // namespace zermelo::cgt::outcome
