// Sums as lists of parts: what a search over sums needs to know of each part, worked out once.
//
// A sum is number + n.up + nimber, added in closed form as a value of the arena, and a sorted list of parts: regions of
// boards, and values that are nothing so simple. Small regions are replaced by their values; a part and its negative
// are worth nothing together and are left out; two values whose sum is cheap are added.
//
//     Parts parts(arena);
//     Parts::Sum sum = parts.zero();
//     parts.add_value(sum, arena.canonical(...));
//     parts.settle(sum);
//     parts.options(sum.parts[0], control);           // what Left's moves there lead to
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "cgt/outcome/source.hpp"
#include "cgt/values/arena.hpp"
#include "cgt/values/thermograph.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::outcome {

class Parts {
public:
    using Id = std::uint32_t;
    // Where a bound is not met, but everything above it is, it is one unit more: sound, since a unit is a positive
    // number.
    static constexpr Fixed kLargest = Fixed{1} << 30;  // 1024: boards have no larger counts
    static constexpr Fixed kEndless = Fixed{1} << 60;  // in place of a bound: there is none

    struct Sum {
        Arena::Id rest;
        std::vector<Id> parts;
    };
    // An option: what it adds to the rest, and parts.
    struct Option {
        Arena::Id rest;
        std::span<const Id> parts;
    };

    explicit Parts(Arena& arena) : arena_(arena), thermographs_(arena) {}
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    Arena& arena() { return arena_; }
    unsigned add_source(std::unique_ptr<Source> source);
    Source& source(unsigned number) { return *sources_[number].rules; }

    Sum zero() const { return {arena_.zero(), {}}; }
    void add(Sum& sum, unsigned source, Term term, Control& control);
    void add_value(Sum& sum, Arena::Id value);
    void settle(Sum& sum);  // brings a sum to which something was added into order
    void negate(Sum& sum);

    // A part and its negative differ in the last bit, unless it is its own negative.
    Id negative(Id part) const { return pair(part).own_negative ? part : part ^ 1; }
    Fixed lower(Id part) const { return is_negative(part) ? -wide(pair(part).upper) : wide(pair(part).lower); }
    Fixed upper(Id part) const { return is_negative(part) ? -wide(pair(part).lower) : wide(pair(part).upper); }
    Fixed lower_of(Arena::Id value) const;
    Fixed upper_of(Arena::Id value) const;
    Means means(Id part) const {
        const Pair& p = pair(part);
        const Means means{wide(p.low_mean), wide(p.up_mean), wide(p.low_heat), wide(p.up_heat)};
        return is_negative(part) ? Means{-means.up_mean, -means.low_mean, means.up_heat, means.low_heat} : means;
    }
    bool has_value(Id part) const { return pair(part).source == kValues; }
    Arena::Id value(Id part) const { return is_negative(part) ? arena_.negate(pair(part).local) : pair(part).local; }
    std::uint32_t weight(Id part) const { return pair(part).weight; }  // of a value: how large its tree is

    // What Left's moves in a part lead to, each once. The list stays where it is until the next call.
    template <class Visit>
    void options(Id part, Control& control, Visit&& visit) {
        auto at = listed(part, control);
        const auto count = lists_[at++];
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto size = lists_[at + 1];
            visit(Option{lists_[at], std::span<const Id>(lists_).subspan(at + 2, size)});
            at += 2 + size;
        }
    }
    std::size_t option_count(Id part, Control& control) { return lists_[listed(part, control)]; }
    std::uint64_t size() const { return pairs_.size(); }

private:
    static constexpr std::uint32_t kNone = 0xffffffffu, kValues = 0x7fffffffu;
    static constexpr std::uint32_t kMostWeight = 1u << 20;
    static constexpr std::uint64_t kCheapSum = 512;  // product of the weights of two values that are added

    // A part together with its negative.
    struct Pair {
        std::uint32_t local;        // the part in its source, or the value
        std::uint32_t source : 31;  // or kValues
        std::uint32_t own_negative : 1;
        std::array<std::uint32_t, 2> options;  // where they are in lists_
        std::uint32_t weight;
        std::int32_t lower, upper, low_mean, up_mean, low_heat, up_heat;
    };
    static bool is_negative(Id part) { return (part & 1) != 0; }
    const Pair& pair(Id part) const { return pairs_[part >> 1]; }
    static constexpr std::int32_t kNarrowEndless = std::numeric_limits<std::int32_t>::max();
    static Fixed wide(std::int32_t bound) {
        return bound == kNarrowEndless ? kEndless : bound == -kNarrowEndless ? -kEndless : bound;
    }
    static std::int32_t narrow(Fixed bound) {
        if (bound > kLargest) return kNarrowEndless;
        return bound < -kLargest ? -kNarrowEndless : static_cast<std::int32_t>(bound);
    }
    struct Known {
        bool is_value;
        std::uint32_t id;  // of the value or of the part
    };
    struct Listed {
        std::unique_ptr<Source> rules;
        std::vector<Known> known;  // by local part; id kNone where it was not met
    };

    Known known(unsigned source, std::uint32_t part, Control& control);
    Means means_of(Arena::Id value);
    Id part_of_value(Arena::Id value);
    std::uint32_t weight_of(Arena::Id value);
    std::size_t listed(Id part, Control& control) {
        const auto at = pair(part).options[part & 1];
        return at != kNone ? at : list_options(part, control);
    }
    std::size_t list_options(Id part, Control& control);
    Id append(std::uint32_t local, std::uint32_t source, bool own_negative, std::uint32_t weight,
              std::array<Fixed, 2> bounds, const Means& means);
    bool merge_cheap(Sum& sum);

    Arena& arena_;
    Thermographs thermographs_;
    std::vector<Listed> sources_;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> lists_;
    std::unordered_map<Arena::Id, Id> of_value_;
    std::unordered_map<Arena::Id, std::uint32_t> weights_;
};

}  // namespace zermelo::cgt::outcome
