// Boards of at most 64 cells as a source of parts: regions under the native rules of their game.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <type_traits>

#include "cgt/boards/algebra.hpp"
#include "cgt/boards/evaluate.hpp"
#include "cgt/boards/region.hpp"
#include "cgt/outcome/source.hpp"
#include "cgt/outcome/strips.hpp"

namespace zermelo::cgt::outcome {

// With `both`, either side may make the moves of either. Images that have the negative value have the same one then.
//
// Rules may bound the value of a region: by `most`, how many moves each side can make at most, or by `all_small`, if
// either both sides can move or none can.
template <class Rules, class Algebra, bool both>
class BoardSource final : public Source {
public:
    using Position = boards::Cells<Rules::planes>;
    static_assert(Rules::planes <= std::tuple_size_v<Region>);

    BoardSource(const Rules& rules, Arena& arena, unsigned stride, unsigned valued)
        : rules_(rules), algebra_(arena), values_(rules, algebra_), stride_(stride), valued_(valued) {
        if constexpr (kInStrips)
            if (stride == 8) strips_.emplace(arena, values_);
    }

    bool impartial() const override { return both; }

    void options(const Region& part, bool left, Options& into, Control&) override {
        const auto emit = [&](const Position& after, bool whole = false) {
            if (whole) add(after, into);
            else rules_.split(after, [&](const Position& one) { add(one, into); });
            into.end();
        };
        rules_.options(cells(part), left, emit);
        if constexpr (both && !Algebra::impartial) rules_.options(cells(part), !left, emit);
    }
    std::optional<Arena::Id> value(const Region& part, Control& control) override {
        if (both || size(part) > valued_) return std::nullopt;
        return algebra_.id(values_.of_region(cells(part), control));
    }
    Walls walls(const Region& part, Control& control) override {
        if constexpr (both) return Walls::infinitesimal();
        if constexpr (requires { Rules::all_small; })
            if (Rules::all_small) return Walls::infinitesimal();
        if constexpr (kInStrips)
            if (strips_) return strips_->walls(part[0], control);
        if constexpr (requires(const Rules& r, const Position& p) { r.most(p); }) {
            const auto most = rules_.most(cells(part));
            return Walls::between(-most[1], most[0]);
        }
        static_cast<void>(control);
        return Walls::between(-64, 64);
    }
    bool close_walls() const override {
        if constexpr (kInStrips) return strips_.has_value();
        return false;
    }
    unsigned size(const Region& part) const override {
        return static_cast<unsigned>(std::popcount(boards::used(cells(part))));
    }
    bool board(const boards::Board& board, Options& into, Control&) override {
        rules_.split(position(board), [&](const Position& one) { add(one, into); });
        into.end();
        return true;
    }
    unsigned stride() const override { return stride_; }

private:
    static constexpr bool kInStrips = std::is_same_v<Rules, boards::Domineering> && !both;

    static Position cells(const Region& region) {
        Position position;
        std::copy_n(region.begin(), Rules::planes, position.begin());
        return position;
    }
    Position position(const boards::Board& board) const {
        if constexpr (Rules::images == boards::Images::turned_around) {
            return rules_.position(board.empty, board.left, board.right);
        } else {
            const boards::Grid grid(board.rows, board.columns);
            return rules_.position(boards::spread(grid, board.empty), boards::spread(grid, board.left),
                                   boards::spread(grid, board.right));
        }
    }
    void add(Position region, Options& into) {
        if constexpr (!both) {
            if (const auto count = rules_.count(region)) {
                into.add(*count);
                return;
            }
        }
        bool own_negative = false;
        const bool negated = boards::normalise<Rules::images>(rules_.grid, region, own_negative);
        Term term{{}, negated && !both, own_negative || both};
        std::copy_n(region.begin(), Rules::planes, term.region.begin());
        into.add(term);
    }

    Rules rules_;
    Algebra algebra_;
    boards::Evaluation<Rules, Algebra> values_;
    std::conditional_t<kInStrips, std::optional<Strips>, char> strips_{};
    unsigned stride_, valued_;
};

}  // namespace zermelo::cgt::outcome
