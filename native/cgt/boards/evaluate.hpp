// The value of a board: options first, each region once.
//
// A position falls into independent regions whose values add up; a region is normalised (region.hpp) and looked up.
// What has to be known of a game is little:
//
//     struct Rules {
//         static constexpr std::size_t planes;                              // words that hold a position
//         static constexpr Images images;
//         Grid grid;
//         void options(cells, left, emit) const;                           // emit(position) after each move of Left
//         (Right), or
//                                                                          // emit(position, true) if it is one region
//                                                                          still
//         void split(cells, emit) const;                                   // emit(region) for each independent part
//         with a move std::optional<int> count(cells) const;                           // the value of a region if it
//         is plainly an integer
//     };
//
// Values are games in an arena, or nimbers where both sides have the same moves (algebra.hpp). Regions on the way wait
// on an explicit stack, at most one for each move of a play; only regions with a value enter the table. The positions
// after all moves of a region are made first, then their places in the table fetched together, then looked up: the
// memory's latency is paid once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cgt/boards/region.hpp"
#include "cgt/boards/region_table.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::boards {

template <class Rules, class Algebra>
class Evaluation {
public:
    using Value = std::uint32_t;
    using Position = Cells<Rules::planes>;

    Evaluation(const Rules& rules, Algebra& algebra) : rules_(rules), algebra_(algebra) {}

    // Stopped at a limit, it can be asked again: what has been worked out stays.
    Value value(const Position& board, Control& control) {
        Value total = algebra_.zero();
        each_value(board, control, [&](Value one) { total = algebra_.add(total, one); });
        return total;
    }
    // The values of the regions of a board.
    template <class Visit>
    void each_value(const Position& board, Control& control, Visit&& visit) {
        std::vector<Position> regions;
        rules_.split(board, [&](const Position& region) { regions.push_back(region); });
        for (auto& region : regions) {
            if (const auto count = rules_.count(region)) {
                visit(algebra_.integer(*count));
                continue;
            }
            const bool negated = normalise<Rules::images>(rules_.grid, region);
            const Value found = of_region(region, control);
            visit(negated ? algebra_.negate(found) : found);
        }
    }
    // Of one region as normalise() leaves it, in which both sides can move.
    Value of_region(const Position& region, Control& control) {
        const auto hash = RegionTable<Position>::hash(region);
        if (const auto known = table_.find(region, hash)) return *known;
        return worked_out(region, hash, control);
    }
    // The value of a region that has one already, worked out anew from those that moves lead to.
    Value again(const Position& region, Control& control) {
        return worked_out(region, RegionTable<Position>::hash(region), control);
    }
    // Every region that has been worked out, and its value.
    template <class Visit>
    void each(Visit&& visit) const {
        table_.each(visit);
    }
    // Is this a region as normalise() leaves it, for which the table is asked?
    bool is_region(const Position& cells) const {
        if (used(cells) == 0 || rules_.count(cells)) return false;
        unsigned parts = 0;
        bool same = true;
        rules_.split(cells, [&](const Position& part) {
            ++parts;
            same = part == cells;
        });
        Position image = cells;
        return parts == 1 && same && !normalise<Rules::images>(rules_.grid, image) && image == cells;
    }
    // Takes a value that was worked out elsewhere. False if another one is known.
    bool put(const Position& region, Value value, Control& control) {
        const auto hash = RegionTable<Position>::hash(region);
        if (const auto known = table_.find(region, hash)) return *known == value;
        table_.insert(region, hash, value, control);
        return true;
    }
    std::uint64_t regions() const { return table_.size(); }
    std::uint64_t bytes() const { return table_.bytes(); }

private:
    Value worked_out(const Position& region, std::uint64_t hash, Control& control) {
        frames_.clear();
        missing_.clear();
        terms_.clear();
        option_ends_.clear();
        open(region, hash, control);
        for (;;) {
            const Frame& frame = frames_.back();
            if (missing_.size() > frame.first_missing) {
                const Missing next = missing_.back();
                if (const auto known = table_.find(next.region, next.hash)) {
                    terms_[next.term].value = *known;
                    missing_.pop_back();
                } else {
                    open(next.region, next.hash, control);
                }
                continue;
            }
            const Value value = close(frame);
            if (frames_.size() > 1) table_.insert(frame.region, frame.hash, value, control);
            else put(frame.region, value, control);
            terms_.resize(frame.first_term);
            option_ends_.resize(frame.first_option);
            frames_.pop_back();
            if (frames_.empty()) return value;
        }
    }
    // A region after a move, and the term that it is.
    struct Missing {
        Position region;
        std::uint64_t hash;
        std::uint32_t term;
        std::uint32_t small;  // its place among the small ones, or 0
    };
    struct Term {
        Value value;
        bool negated;
    };
    // An option is the sum of its terms; terms and options of all frames lie on common stacks.
    struct Frame {
        Position region;
        std::uint64_t hash;
        std::uint32_t first_missing, first_term, first_option, left_options;
    };

    // Lists the options of a region, term by term, and looks the terms up.
    void open(const Position& region, std::uint64_t hash, Control& control) {
        control.tick();
        control.report_depth(static_cast<std::int64_t>(frames_.size()));
        frames_.push_back({region, hash, static_cast<std::uint32_t>(missing_.size()),
                           static_cast<std::uint32_t>(terms_.size()), static_cast<std::uint32_t>(option_ends_.size()),
                           0});
        fresh_.clear();
        list(region, true);
        frames_.back().left_options = static_cast<std::uint32_t>(option_ends_.size()) - frames_.back().first_option;
        if constexpr (!Algebra::impartial) list(region, false);
        for (const Missing& one : fresh_) {
            if (const auto known = table_.find(one.region, one.hash)) {
                terms_[one.term].value = *known;
                if (one.small != 0) small_[one.small] = terms_[one.term].negated ? algebra_.negate(*known) : *known;
            } else {
                missing_.push_back(one);
            }
        }
    }

    void list(const Position& region, bool left) {
        rules_.options(region, left, [&](const Position& after, bool whole = false) {
            int counts = 0;  // integers of one option are one term: many cancel
            const auto add_part = [&](Position part) {
                if (const auto count = rules_.count(part)) {
                    counts += *count;
                    return;
                }
                const auto small = small_place(part);
                if (small != 0 && small_[small] != kUnknown) {
                    terms_.push_back({small_[small], false});
                    return;
                }
                const bool negated = normalise<Rules::images>(rules_.grid, part);
                const auto hash = RegionTable<Position>::hash(part);
                table_.prefetch(hash);
                fresh_.push_back({part, hash, static_cast<std::uint32_t>(terms_.size()), small});
                terms_.push_back({0, negated});
            };
            if (whole) add_part(after);
            else rules_.split(after, add_part);
            if (counts != 0) terms_.push_back({algebra_.integer(counts), false});
            option_ends_.push_back(static_cast<std::uint32_t>(terms_.size()));
        });
    }

    // Regions of one plane within 4 x 4 cells are met most of all: they have a table of their own, small enough for the
    // processor's cache, by their cells as they are. 0 for other regions.
    std::uint32_t small_place(const Position& region) const {
        if constexpr (Rules::planes == 1) {
            if (!rules_.grid.turns()) return 0;
            const Mask cells = region[0] >> rules_.grid.offset(region[0]);
            if ((cells & ~Mask{0x0f0f0f0f}) != 0) return 0;
            return static_cast<std::uint32_t>((cells & 0xf) | (cells >> 4 & 0xf0) | (cells >> 8 & 0xf00) |
                                              (cells >> 12 & 0xf000));
        }
        return 0;
    }

    // Everything is fetched one pass before it is needed.
    Value close(const Frame& frame) {
        const std::span<Term> terms(terms_.begin() + frame.first_term, terms_.end());
        for (const Term& term : terms) algebra_.prefetch(term.value);
        for (Term& term : terms) {
            if (!term.negated) continue;
            term = {algebra_.negate(term.value), false};
            algebra_.prefetch(term.value);
        }
        auto from = frame.first_term;
        for (auto option = frame.first_option; option < option_ends_.size(); ++option) {
            const auto end = option_ends_[option];
            if (end - from >= 2) algebra_.prefetch_sum(terms_[from].value, terms_[from + 1].value);
            from = end;
        }
        values_.clear();
        from = frame.first_term;
        for (auto option = frame.first_option; option < option_ends_.size(); ++option) {
            const auto end = option_ends_[option];
            Value sum = from < end ? terms_[from++].value : algebra_.zero();
            for (; from < end; ++from) sum = algebra_.add(sum, terms_[from].value);
            values_.push_back(sum);
            algebra_.prefetch(sum);
        }
        const std::span<const Value> all(values_);
        return algebra_.game(all.first(frame.left_options), all.subspan(frame.left_options));
    }

    Rules rules_;
    Algebra& algebra_;
    RegionTable<Position> table_;
    std::vector<Frame> frames_;
    std::vector<Missing> missing_, fresh_;
    static constexpr Value kUnknown = 0xffffffffu;
    std::vector<Value> small_ = std::vector<Value>(Rules::planes == 1 ? 1 << 16 : 0, kUnknown);
    std::vector<Term> terms_;
    std::vector<Value> values_;
    std::vector<std::uint32_t> option_ends_;
};

}  // namespace zermelo::cgt::boards
