// Where the parts of a sum come from: rules that say into which parts a part falls after each move.
//
// A part is a number within its source, the same for all that a symmetry makes equal; a term is a part or its negative.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cgt/boards/boards.hpp"
#include "cgt/values/arena.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::outcome {

struct Term {
    std::uint32_t part;
    bool negated;
};

// Options one after the other: each is a list of terms and a whole number.
class Options {
public:
    void clear() { terms_.clear(), integers_.clear(), ends_.clear(), integer_ = 0; }
    void add(Term term) { terms_.push_back(term); }
    void add(int integer) { integer_ += integer; }
    void end() {
        ends_.push_back(static_cast<std::uint32_t>(terms_.size()));
        integers_.push_back(integer_);
        integer_ = 0;
    }
    std::size_t size() const { return ends_.size(); }
    std::span<const Term> terms(std::size_t option) const {
        const std::size_t from = option == 0 ? 0 : ends_[option - 1];
        return std::span(terms_).subspan(from, ends_[option] - from);
    }
    int integer(std::size_t option) const { return integers_[option]; }

private:
    std::vector<Term> terms_;
    std::vector<std::uint32_t> ends_;
    std::vector<int> integers_;
    int integer_ = 0;
};

// Numbers between which the value of a part lies; an infinitesimal lies between all that are not 0.
struct Range {
    int lower, upper;
    bool infinitesimal = false;
};

// Bounds are in units of 2^-20.
using Fixed = std::int64_t;
constexpr Fixed kOne = Fixed{1} << 20;

// Games L <= G <= U that a part G lies between: a lower bound for the mean of L, and upper ones for the mean of U and
// for the temperatures of -L and U.
struct Means {
    Fixed low_mean, up_mean, low_heat = 0, up_heat = 0;
};

class Source {
public:
    virtual ~Source() = default;

    virtual bool impartial() const = 0;
    // Adds the options of a side in a part to a list that is empty.
    virtual void options(std::uint32_t part, bool left, Options& into, Control& control) = 0;
    // The value of a part that is small enough to have it worked out at once.
    virtual std::optional<Arena::Id> value(std::uint32_t part, Control& control) = 0;
    virtual bool own_negative(std::uint32_t part) const = 0;
    virtual Range range(std::uint32_t part) const = 0;
    // Means of games between which the part lies, where the rules know better ones than the range.
    virtual std::optional<Means> means(std::uint32_t, Control&) { return std::nullopt; }
    virtual unsigned size(std::uint32_t part) const = 0;  // the larger, the harder
    // Adds the terms of a board to a list that is empty; false where this source does not take boards.
    virtual bool board(const boards::Board& board, Options& into, Control& control) = 0;
    // Boards with another width have other parts, in a source of their own; 0 where all share one.
    virtual unsigned stride() const = 0;
};

// The rules of a game with native ones, for boards like this one; "impartial-" before the name gives both sides the
// moves of either. Null for other names. Parts of at most so many cells are replaced by their values, or of as many as
// suits the game.
std::unique_ptr<Source> source_of(std::string_view game, const boards::Board& like, Arena& arena,
                                  std::optional<unsigned> valued = std::nullopt);

}  // namespace zermelo::cgt::outcome
