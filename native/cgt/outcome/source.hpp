// Where the parts of a sum come from: rules that say into which parts a part falls after each move.
//
// A part is a region, the same for all that a symmetry makes equal; a term is a part or its negative. Sources keep no
// list of the regions that they have met: a search meets many more than it ever looks into.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cgt/boards/boards.hpp"
#include "cgt/outcome/walls.hpp"
#include "cgt/values/arena.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::outcome {

// Planes of cells, or whatever else a source tells its parts apart by; not all 0.
using Region = std::array<std::uint64_t, 3>;

struct Term {
    Region region;
    bool negated;
    bool own_negative;  // the region is its own negative
};

// Options one after the other: each is a list of terms and a whole number.
class Options {
public:
    void clear() { terms_.clear(), integers_.clear(), ends_.clear(), integer_ = 0; }
    void add(const Term& term) { terms_.push_back(term); }
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

class Source {
public:
    virtual ~Source() = default;

    virtual bool impartial() const = 0;
    // Adds the options of a side in a part to a list that is empty.
    virtual void options(const Region& part, bool left, Options& into, Control& control) = 0;
    // The value of a part that is small enough to have it worked out at once.
    virtual std::optional<Arena::Id> value(const Region& part, Control& control) = 0;
    // Bounds of a part that has no value.
    virtual Walls walls(const Region& part, Control& control) = 0;
    // Are these so close that they tell good moves from bad ones?
    virtual bool close_walls() const { return false; }
    virtual unsigned size(const Region& part) const = 0;  // the larger, the harder
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
