// Boards of at most 64 cells as a source of parts: regions under the native rules of their game.
#pragma once

#include <bit>
#include <optional>
#include <type_traits>
#include <vector>

#include "cgt/boards/algebra.hpp"
#include "cgt/boards/evaluate.hpp"
#include "cgt/boards/region.hpp"
#include "cgt/boards/region_table.hpp"
#include "cgt/outcome/source.hpp"
#include "cgt/outcome/strips.hpp"

namespace zermelo::cgt::outcome {

// With `both`, either side may make the moves of either. Images that have the negative value have the same one then.
template <class Rules, class Algebra, bool both>
class BoardSource final : public Source {
public:
    using Position = boards::Cells<Rules::planes>;

    BoardSource(const Rules& rules, Arena& arena, unsigned stride, unsigned valued)
        : rules_(rules), algebra_(arena), values_(rules, algebra_), stride_(stride), valued_(valued) {
        if constexpr (kInStrips)
            if (stride == 8) strips_.emplace(arena, values_);
    }

    bool impartial() const override { return both; }

    void options(std::uint32_t part, bool left, Options& into, Control& control) override {
        const Position region = regions_[part];
        const auto emit = [&](const Position& after, bool whole = false) {
            if (whole) add(after, into, control);
            else rules_.split(after, [&](const Position& one) { add(one, into, control); });
            into.end();
        };
        rules_.options(region, left, emit);
        if constexpr (both && !Algebra::impartial) rules_.options(region, !left, emit);
    }
    std::optional<Arena::Id> value(std::uint32_t part, Control& control) override {
        if (both || size(part) > valued_) return std::nullopt;
        return algebra_.id(values_.value(regions_[part], control));
    }
    bool own_negative(std::uint32_t part) const override { return both || own_negative_[part]; }
    Range range(std::uint32_t part) const override {
        if constexpr (both) return {-1, 1, true};
        if constexpr (requires { Rules::all_small; })
            if (Rules::all_small) return {-1, 1, true};
        if constexpr (requires(const Rules& r, const Position& p) { r.most(p); }) {
            const auto most = rules_.most(regions_[part]);
            return {-most[1], most[0]};
        }
        return {-64, 64};
    }
    std::optional<Means> means(std::uint32_t part, Control& control) override {
        if constexpr (kInStrips)
            if (strips_) return strips_->means(regions_[part][0], control);
        static_cast<void>(part), static_cast<void>(control);
        return std::nullopt;
    }
    unsigned size(std::uint32_t part) const override {
        return static_cast<unsigned>(std::popcount(boards::used(regions_[part])));
    }
    bool board(const boards::Board& board, Options& into, Control& control) override {
        rules_.split(position(board), [&](const Position& one) { add(one, into, control); });
        into.end();
        return true;
    }
    unsigned stride() const override { return stride_; }

private:
    static constexpr bool kInStrips = std::is_same_v<Rules, boards::Domineering> && !both;

    Position position(const boards::Board& board) const {
        if constexpr (Rules::images == boards::Images::turned_around) {
            return rules_.position(board.empty, board.left, board.right);
        } else {
            const boards::Grid grid(board.rows, board.columns);
            return rules_.position(boards::spread(grid, board.empty), boards::spread(grid, board.left),
                                   boards::spread(grid, board.right));
        }
    }
    void add(Position region, Options& into, Control& control) {
        if constexpr (!both) {
            if (const auto count = rules_.count(region)) {
                into.add(*count);
                return;
            }
        }
        bool own_negative = false;
        const bool negated = boards::normalise<Rules::images>(rules_.grid, region, own_negative);
        const auto hash = boards::RegionTable<Position>::hash(region);
        if (const auto known = table_.find(region, hash)) {
            into.add(Term{*known, negated && !both});
            return;
        }
        const auto part = static_cast<std::uint32_t>(regions_.size());
        table_.insert(region, hash, part, control);
        control.charge(sizeof(Position));
        regions_.push_back(region);
        own_negative_.push_back(own_negative);
        into.add(Term{part, negated && !both});
    }

    Rules rules_;
    Algebra algebra_;
    boards::Evaluation<Rules, Algebra> values_;
    std::conditional_t<kInStrips, std::optional<Strips>, char> strips_{};
    unsigned stride_, valued_;
    boards::RegionTable<Position> table_;
    std::vector<Position> regions_;
    std::vector<bool> own_negative_;
};

}  // namespace zermelo::cgt::outcome
