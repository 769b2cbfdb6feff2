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

#include <cstdint>
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
    static constexpr Fixed kLargest = Fixed{1} << 40;
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

    Id negative(Id part) const { return parts_[part].negative; }
    Fixed lower(Id part) const { return parts_[part].lower; }
    Fixed upper(Id part) const { return parts_[part].upper; }
    Fixed lower_of(Arena::Id value) const;
    Fixed upper_of(Arena::Id value) const;
    const Means& means(Id part) const { return parts_[part].means; }
    bool has_value(Id part) const { return parts_[part].source == kValues; }
    Arena::Id value(Id part) const { return parts_[part].local; }
    std::uint32_t weight(Id part) const { return parts_[part].weight; }  // of a value: how large its tree is

    // What Left's moves in a part lead to, each once. The list stays where it is until the next call.
    template <class Visit>
    void options(Id part, Control& control, Visit&& visit) {
        if (parts_[part].options == kNone) list_options(part, control);
        auto at = parts_[part].options;
        const auto count = lists_[at++];
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto size = lists_[at + 1];
            visit(Option{lists_[at], std::span<const Id>(lists_).subspan(at + 2, size)});
            at += 2 + size;
        }
    }
    std::size_t option_count(Id part, Control& control) {
        if (parts_[part].options == kNone) list_options(part, control);
        return lists_[parts_[part].options];
    }
    std::uint64_t size() const { return parts_.size(); }

private:
    static constexpr std::uint32_t kNone = 0xffffffffu, kValues = 0xffffffffu;
    static constexpr std::uint32_t kMostWeight = 1u << 20;
    static constexpr std::uint64_t kCheapSum = 512;  // product of the weights of two values that are added

    struct Part {
        Id negative;
        std::uint32_t source;   // or kValues
        std::uint32_t local;    // the part in its source, or the value
        std::uint32_t options;  // where they are in lists_
        std::uint32_t weight;
        bool negated;
        Fixed lower, upper;
        Means means;
    };
    struct Known {
        bool is_value;
        std::uint32_t id;  // of the value or of the part
    };
    struct Listed {
        std::unique_ptr<Source> rules;
        std::vector<Known> known;  // by local part; id kNone where it was not met
    };

    Known known(unsigned source, std::uint32_t part, Control& control);
    static Means mirrored(const Means& means) {
        return {-means.up_mean, -means.low_mean, means.up_heat, means.low_heat};
    }
    Means means_of(Arena::Id value);
    Id part_of_value(Arena::Id value);
    std::uint32_t weight_of(Arena::Id value);
    void list_options(Id part, Control& control);
    Id append(const Part& part);
    bool merge_cheap(Sum& sum);

    Arena& arena_;
    Thermographs thermographs_;
    std::vector<Listed> sources_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> lists_;
    std::unordered_map<Arena::Id, Id> of_value_;
    std::unordered_map<Arena::Id, std::uint32_t> weights_;
    Options listed_;
    std::vector<std::uint64_t> order_;
};

}  // namespace zermelo::cgt::outcome
