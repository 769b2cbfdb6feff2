#include "cgt/outcome/parts.hpp"

#include <algorithm>

namespace zermelo::cgt::outcome {

unsigned Parts::add_source(std::unique_ptr<Source> source) {
    sources_.push_back(std::move(source));
    return static_cast<unsigned>(sources_.size() - 1);
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

const Parts::Facts& Parts::facts(Arena::Id value) {
    const auto found = facts_.find(value);
    if (found != facts_.end()) return found->second;
    return facts_.emplace(value, Facts{Walls::of(thermographs_.of(value)), weight_of(value)}).first->second;
}

Part Parts::part_of_value(Arena::Id value) {
    const Facts& known = facts(value);
    return {{value}, Part::kValues, false, arena_.negate(value) == value, known.weight, known.walls};
}

Part Parts::part_of_region(unsigned source, const Term& term, Control& control) {
    const Walls walls = sources_[source]->walls(term.region, control);
    const bool negated = term.negated && !term.own_negative;
    return {
        term.region, source, negated, term.own_negative, sources_[source]->size(term.region), negated ? -walls : walls};
}

void Parts::add_value(Sum& sum, Arena::Id value) {
    if (arena_.is_number_up_star(value)) sum.rest = arena_.add(sum.rest, value);
    else sum.parts.push_back(part_of_value(value));
}

void Parts::add(Sum& sum, unsigned source, const Term& term, Control& control) {
    if (const auto value = sources_[source]->value(term.region, control))
        add_value(sum, term.negated ? arena_.negate(*value) : *value);
    else sum.parts.push_back(part_of_region(source, term, control));
}

bool Parts::cancels(const Part& a, const Part& b) {
    if (a.source != b.source) return false;
    if (a.is_value()) return arena_.negate(a.value()) == b.value();
    return a.region == b.region && (a.own_negative || a.negated != b.negated);
}

// Takes a part out together with its negative. Sums are small: pairs are found by looking.
bool Parts::cancel(std::vector<Part>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = i + 1; j < parts.size(); ++j) {
            if (!cancels(parts[i], parts[j])) continue;
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
    return false;
}

bool Parts::merge_cheap(Sum& sum) {
    auto& parts = sum.parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].is_value()) continue;
        for (std::size_t j = i + 1; j < parts.size(); ++j) {
            if (!parts[j].is_value()) continue;
            if (std::uint64_t{parts[i].weight} * parts[j].weight > kCheapSum) continue;
            const auto both = arena_.add(parts[i].value(), parts[j].value());
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
            add_value(sum, both);
            return true;
        }
    }
    return false;
}

void Parts::settle(Sum& sum) {
    if (sum.parts.size() < 2) return;
    while (cancel(sum.parts) || merge_cheap(sum)) {
    }
    std::sort(sum.parts.begin(), sum.parts.end());
}

Part Parts::negative(const Part& part) {
    if (part.own_negative) return part;
    if (part.is_value()) return part_of_value(arena_.negate(part.value()));
    Part other = part;
    other.negated = !part.negated;
    other.walls = -part.walls;
    return other;
}

void Parts::negate(Sum& sum) {
    sum.rest = arena_.negate(sum.rest);
    for (Part& part : sum.parts) part = negative(part);
    std::sort(sum.parts.begin(), sum.parts.end());
}

// A part is a word that says where it is from and which halves of the region's words are not 0, then these.
void Parts::write(const Sum& sum, std::vector<std::uint32_t>& words) {
    words.push_back(sum.rest);
    for (const Part& part : sum.parts) {
        const auto head = words.size();
        words.push_back(part.source << 8 | (part.negated ? 2u : 0u) | (part.own_negative ? 1u : 0u));
        for (unsigned half = 0; half < 2 * std::tuple_size_v<Region>; ++half) {
            const auto word = static_cast<std::uint32_t>(part.region[half / 2] >> 32 * (half % 2));
            if (word == 0) continue;
            words[head] |= 4u << half;
            words.push_back(word);
        }
    }
}

void Parts::read(std::span<const std::uint32_t> words, Sum& sum, Control& control) {
    sum.rest = words[0];
    sum.parts.clear();
    for (std::size_t at = 1; at < words.size();) {
        const auto head = words[at++];
        Term term{{}, (head & 2) != 0, (head & 1) != 0};
        for (unsigned half = 0; half < 2 * std::tuple_size_v<Region>; ++half)
            if ((head & 4u << half) != 0) term.region[half / 2] |= std::uint64_t{words[at++]} << 32 * (half % 2);
        const auto source = head >> 8;
        if (source == Part::kValues) sum.parts.push_back(part_of_value(static_cast<Arena::Id>(term.region[0])));
        else sum.parts.push_back(part_of_region(source, term, control));
    }
}

}  // namespace zermelo::cgt::outcome
