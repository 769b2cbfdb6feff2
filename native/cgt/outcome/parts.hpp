// Sums as lists of parts.
//
// A sum is number + n.up + nimber, added in closed form as a value of the arena, and a sorted list of parts: regions of
// boards, and values that are nothing so simple. Small regions are replaced by their values; a part and its negative
// are worth nothing together and are left out; two values whose sum is cheap are added.
//
//     Parts parts(arena);
//     Parts::Sum sum = parts.zero();
//     parts.add_value(sum, arena.canonical(...));
//     parts.settle(sum);
//     parts.options(sum.parts[0], control, [](const Parts::Sum& after) { ... });     // what Left's moves there lead to
//
// Nothing is kept of regions. Of values it is: there are few, and they need a thermograph.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "cgt/outcome/source.hpp"
#include "cgt/outcome/walls.hpp"
#include "cgt/values/arena.hpp"
#include "cgt/values/thermograph.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::outcome {

struct Part {
    Region region;         // of a value its id
    std::uint32_t source;  // or kValues
    bool negated, own_negative;
    std::uint32_t weight;  // of a value: how large its tree is; of a region its cells
    Walls walls;

    static constexpr std::uint32_t kValues = 0x00ffffffu;
    bool is_value() const { return source == kValues; }
    Arena::Id value() const { return static_cast<Arena::Id>(region[0]); }
    std::strong_ordering operator<=>(const Part& other) const {
        if (const auto order = source <=> other.source; order != 0) return order;
        if (const auto order = region <=> other.region; order != 0) return order;
        return negated <=> other.negated;
    }
    bool operator==(const Part& other) const { return (*this <=> other) == 0; }
};

class Parts {
public:
    struct Sum {
        Arena::Id rest;
        std::vector<Part> parts;
    };

    explicit Parts(Arena& arena) : arena_(arena), thermographs_(arena) {}
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    Arena& arena() { return arena_; }
    unsigned add_source(std::unique_ptr<Source> source);
    Source& source(unsigned number) { return *sources_[number]; }

    Sum zero() const { return {arena_.zero(), {}}; }
    void add(Sum& sum, unsigned source, const Term& term, Control& control);
    void add_value(Sum& sum, Arena::Id value);
    void settle(Sum& sum);  // brings a sum to which something was added into order
    void negate(Sum& sum);
    const Walls& walls_of(Arena::Id value) { return facts(value).walls; }

    // Are the bounds of all parts close enough to order moves by?
    bool close_walls(const Sum& sum) const {
        return std::ranges::all_of(
            sum.parts, [&](const Part& part) { return part.is_value() || sources_[part.source]->close_walls(); });
    }

    // What Left's moves in a part lead to; some of them may be the same.
    template <class Visit>
    void options(const Part& part, Control& control, Visit&& visit) {
        if (part.is_value()) {
            const auto left = arena_.left(part.value());
            for (const auto option : left) {
                option_.rest = arena_.zero();
                option_.parts.clear();
                add_value(option_, option);
                visit(std::as_const(option_));
            }
            return;
        }
        listed_.clear();
        sources_[part.source]->options(part.region, !part.negated, listed_, control);
        for (std::size_t option = 0; option < listed_.size(); ++option) {
            option_.rest = arena_.zero();
            option_.parts.clear();
            const int integer = part.negated ? -listed_.integer(option) : listed_.integer(option);
            if (integer != 0) option_.rest = arena_.number(integer);
            for (Term term : listed_.terms(option)) {
                term.negated = term.negated != part.negated;
                add(option_, part.source, term, control);
            }
            visit(std::as_const(option_));
        }
    }

    // A sum as words, and back. Equal sums, once settled, have equal words.
    static void write(const Sum& sum, std::vector<std::uint32_t>& words);
    void read(std::span<const std::uint32_t> words, Sum& sum, Control& control);

private:
    static constexpr std::uint32_t kMostWeight = 1u << 20;
    static constexpr std::uint64_t kCheapSum = 512;  // product of the weights of two values that are added

    struct Facts {
        Walls walls;
        std::uint32_t weight;
    };

    const Facts& facts(Arena::Id value);
    Part part_of_value(Arena::Id value);
    Part part_of_region(unsigned source, const Term& term, Control& control);
    std::uint32_t weight_of(Arena::Id value);
    Part negative(const Part& part);
    bool cancels(const Part& a, const Part& b);
    bool cancel(std::vector<Part>& parts);
    bool merge_cheap(Sum& sum);

    Arena& arena_;
    Thermographs thermographs_;
    std::vector<std::unique_ptr<Source>> sources_;
    std::unordered_map<Arena::Id, Facts> facts_;
    std::unordered_map<Arena::Id, std::uint32_t> weights_;
    Options listed_;
    Sum option_;
};

}  // namespace zermelo::cgt::outcome
