// Nim-values of parts of games in which both sides have the same moves (Lemoine and Viennot 2012).
//
// A part is worth *n exactly if who moves first loses on it together with a nim heap of n, and with no smaller one. So
// a part is asked for n = 0, 1, 2, ... whether a move leads to something that loses together with *n; most moves need
// not be looked at. Of what a move leads to, all parts but the largest are worked out, and the largest is only asked
// whether it is worth what is missing.
//
//     NimberSearch search(source_of("impartial-clobber", board, arena));
//     search.value(region, control);
//
// A part is worth at most its longest play, and no more than it has options. On 64 cells that is below 64 in nearly
// every game, so heaps are bits of a word; a part that is worth more ends the search with std::overflow_error. Calls
// nest no deeper than play.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "cgt/boards/region_table.hpp"
#include "cgt/outcome/source.hpp"

namespace zermelo::cgt::outcome {

class NimberSearch {
public:
    explicit NimberSearch(std::unique_ptr<Source> source) : source_(std::move(source)) {}

    Source& source() { return *source_; }
    // Throws Stopped at limits, and may then be asked again.
    std::uint32_t value(const Region& region, Control& control) { return value(number(region, control), control); }
    // Are these parts together worth a nim heap of this size? The largest is only asked whether it makes up for the
    // others, which often takes a tenth of the time that its value takes.
    bool worth(std::span<const Term> terms, std::uint32_t heap, Control& control) {
        const auto parts = reduced(terms, control);
        if (parts.empty()) return heap == 0;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) heap ^= value(parts[i], control);
        if (heap >= kMost) throw std::overflow_error("a nim heap of 64 or more");
        return loses(parts.back(), heap, control);
    }
    // The same as far as it is known without a search.
    std::optional<bool> known_worth(std::span<const Term> terms, std::uint32_t heap, Control& control) {
        const auto parts = reduced(terms, control);
        if (parts.empty()) return heap == 0;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            if (at(parts[i]).value == kUnknown) return std::nullopt;
            heap ^= at(parts[i]).value;
        }
        if (at(parts.back()).value != kUnknown) return at(parts.back()).value == heap;
        if (heap < kMost && excluded(parts.back(), heap)) return false;
        return std::nullopt;
    }
    std::size_t parts() const { return known_.size(); }

private:
    std::uint32_t value(std::uint32_t part, Control& control) {
        std::uint32_t heap = 0;
        while (!loses(part, heap, control))
            if (++heap == kMost) throw std::overflow_error("a part that is worth a nim heap of 64 or more");
        return heap;
    }

    static constexpr std::uint8_t kUnknown = 0xff;
    static constexpr std::uint32_t kNone = 0xffffffffu, kMost = 64;

    struct Known {
        std::uint64_t excluded = 0;  // heaps that are not its value
        std::uint32_t options = kNone;
        std::uint8_t value = kUnknown;
    };

    Known& at(std::uint32_t part) {
        if (known_.size() <= part) known_.resize(part + 1 + part / 4);
        return known_[part];
    }

    // Parts go by numbers: each is met in many lists.
    std::uint32_t number(const Region& region, Control& control) {
        const auto hash = boards::RegionTable<Region>::hash(region);
        if (const auto known = numbers_.find(region, hash)) return *known;
        const auto part = static_cast<std::uint32_t>(regions_.size());
        numbers_.insert(region, hash, part, control);
        control.charge(sizeof(Region));
        regions_.push_back(region);
        return part;
    }

    // Does who moves first lose on this part together with a heap of this size?
    bool loses(std::uint32_t part, std::uint32_t heap, Control& control) {
        if (const Known& known = at(part); known.value != kUnknown) return known.value == heap;
        if (excluded(part, heap)) return false;
        for (std::uint32_t smaller = 0; smaller < heap; ++smaller)
            if (!excluded(part, smaller) && loses(part, smaller, control)) return false;
        control.tick();
        if (at(part).options == kNone) list(part, control);
        auto from = at(part).options;
        for (auto left = lists_[from++]; left > 0; --left) {
            const auto size = lists_[from];
            std::uint32_t rest = heap;
            for (std::uint32_t i = 1; i < size; ++i) rest ^= value(lists_[from + i], control);
            if (size == 0 ? rest == 0 : loses(lists_[from + size], rest, control)) {
                at(part).excluded |= std::uint64_t{1} << heap;
                return false;
            }
            from += 1 + size;
        }
        at(part).value = static_cast<std::uint8_t>(heap);
        return true;
    }
    bool excluded(std::uint32_t part, std::uint32_t heap) { return (at(part).excluded >> heap & 1) != 0; }

    // Parts by their numbers, the largest last. Two equal ones are worth nothing.
    std::vector<std::uint32_t> reduced(std::span<const Term> terms, Control& control) {
        std::vector<std::uint32_t> parts;
        for (const Term& term : terms) parts.push_back(number(term.region, control));
        std::sort(parts.begin(), parts.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto x = size(a), y = size(b);
            return x != y ? x < y : a < b;
        });
        std::vector<std::uint32_t> odd;
        for (const auto one : parts) {
            if (!odd.empty() && odd.back() == one) odd.pop_back();
            else odd.push_back(one);
        }
        return odd;
    }
    // Options with few cells left come first: they are settled the soonest.
    void list(std::uint32_t part, Control& control) {
        Options listed;
        source_->options(regions_[part], true, listed, control);
        std::vector<std::vector<std::uint32_t>> found;
        for (std::size_t option = 0; option < listed.size(); ++option)
            found.push_back(reduced(listed.terms(option), control));
        const auto work = [&](const std::vector<std::uint32_t>& parts) {
            std::pair<unsigned, unsigned> sizes{0, 0};
            for (const auto one : parts) sizes = {std::max(sizes.first, size(one)), sizes.second + size(one)};
            return sizes;
        };
        std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
            const auto x = work(a), y = work(b);
            return x != y ? x < y : a < b;
        });
        found.erase(std::unique(found.begin(), found.end()), found.end());
        std::size_t words = 1;
        for (const auto& parts : found) words += 1 + parts.size();
        control.charge(static_cast<std::int64_t>(words * sizeof(std::uint32_t)));
        const auto place = static_cast<std::uint32_t>(lists_.size());
        lists_.push_back(static_cast<std::uint32_t>(found.size()));
        for (const auto& parts : found) {
            lists_.push_back(static_cast<std::uint32_t>(parts.size()));
            lists_.insert(lists_.end(), parts.begin(), parts.end());
        }
        at(part).options = place;
    }

    unsigned size(std::uint32_t part) const { return source_->size(regions_[part]); }

    std::unique_ptr<Source> source_;
    boards::RegionTable<Region> numbers_;
    std::vector<Region> regions_;
    std::vector<Known> known_;
    std::vector<std::uint32_t> lists_;
};

}  // namespace zermelo::cgt::outcome
