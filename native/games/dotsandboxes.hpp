// Dots and boxes: draw an edge between two neighbouring dots; who draws the fourth side of a box owns it and moves
// again. The score is the boxes of the first minus those of the second.
//
// Edges are numbered horizontal ones first, row by row, then vertical ones, row by row. V(G) below is what the
// player to move wins from the edges still to be drawn; see Berlekamp, The Dots and Boxes Game (2000), for chains and
// the double-dealing move, and Barker and Korf, Solving Dots-And-Boxes (AAAI 2012), for their use in search.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "games/permute.hpp"
#include "zermelo/game.hpp"
#include "zermelo/random.hpp"

namespace zermelo {

class DotsAndBoxes {
public:
    struct State {
        std::uint64_t edges;
        std::int32_t lead;  // boxes of the first so far minus boxes of the second
        std::uint32_t turn;
        bool operator==(const State&) const = default;
    };

    DotsAndBoxes(unsigned rows, unsigned columns)
        : rows_(rows), columns_(columns), count_(edge_count(rows, columns)),
          all_(count_ >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count_) - 1), symmetries_(count_) {
        for (unsigned r = 0; r < rows; ++r)
            for (unsigned c = 0; c < columns; ++c) {
                const auto box =
                    bit(horizontal(r, c)) | bit(horizontal(r + 1, c)) | bit(vertical(r, c)) | bit(vertical(r, c + 1));
                boxes_.push_back(box);
                for (auto rest = box; rest; rest &= rest - 1) {
                    auto& [first, second] = beside_[static_cast<std::size_t>(std::countr_zero(rest))];
                    (first ? second : first) = box;
                }
            }
        for (const auto box : boxes_) {
            std::uint64_t outer = 0;
            for (auto rest = box; rest; rest &= rest - 1)
                if (!beside_[static_cast<std::size_t>(std::countr_zero(rest))].second) outer |= rest & (~rest + 1);
            if (std::popcount(outer) > 1) corners_.push_back(outer);
        }
        for (const auto& turn : Turn::all(rows == columns)) symmetries_.add(image(turn));
    }
    static bool fits(std::int64_t rows, std::int64_t columns) {
        return rows >= 1 && columns >= 1 && rows <= 64 && columns <= 64 &&
               rows * (columns + 1) + columns * (rows + 1) <= 64;
    }

    State start() const { return {0, 0, 0}; }
    int turn(const State& s) const { return static_cast<int>(s.turn); }
    Ending ending(const State& s) const { return {s.edges == all_, s.lead}; }
    void moves(const State& s, std::vector<Move>& out) const {
        for (auto rest = all_ & ~s.edges; rest; rest &= rest - 1) out.push_back(edge_of(rest));
    }
    State play(State s, Move move) const {
        s.edges |= bit(move);
        const auto boxes = static_cast<std::int32_t>(completed(s.edges, move));
        if (boxes) s.lead += s.turn == 0 ? boxes : -boxes;
        else s.turn ^= 1;
        return s;
    }
    Score worst() const { return -static_cast<Score>(boxes_.size()); }
    Score best() const { return static_cast<Score>(boxes_.size()); }
    Score step() const { return 2; }  // one box more for one side is one less for the other

    // The least image under the board's symmetries, in each of which the outer edges of one box, which are alike to
    // every box, are drawn in a fixed order.
    State canon(State s) const {
        auto least = settled(s.edges);
        for (std::size_t i = 0; i < symmetries_.count(); ++i)
            least = std::min(least, settled(symmetries_.apply(i, s.edges)));
        s.edges = least;
        return s;
    }

    std::string_view images() const { return "square"; }
    State least_image(State s) const {
        auto least = s.edges;
        for (std::size_t i = 0; i < symmetries_.count(); ++i) least = std::min(least, symmetries_.apply(i, s.edges));
        s.edges = least;
        return s;
    }
    Closing closing() const {
        static constexpr std::array<std::string_view, 1> kRules{"lead"};
        return kRules;
    }
    bool closed(const State& s, int owner, Score bound) const {
        Score left = 0;
        for (const auto box : boxes_) left += (s.edges & box) != box;
        return owner == 0 ? s.lead - left >= bound : s.lead + left <= bound;
    }

    // Where a box can be taken, only a few moves need be looked at.
    // Let edge e take box b in G, and let c be the box across e, U its sides still to be drawn other than e.
    //  A. If e completes every box beside it, V(G) = k + V(G + e), k being their number: e stands alone, and by
    //     induction any other move m gains no more now than after e (and one that passes the turn gives e away).
    //  B. If U has two edges or more, V(G) = 1 + V(G + e). A move m that takes nothing leaves e to the other:
    //     -V(G + m) <= -1 - V(G + m + e) < 1 - V(G + e + m), and m takes nothing after e either. A move outside U that
    //     takes commutes with e, by induction. A move m of U that takes its other box leaves the same game as e does,
    //     with e and m exchanged.
    //  C. If U = {f}, a move m other than f that takes nothing is worse than e, as in B. So a move that takes nothing
    //     is worth a look only if it is the f of every e: the double-dealing move.
    //  D. Even f is worse than e if the box across f has just one more side g to be drawn and g would not take the box
    //     behind it: with Z the rest, f is worth -2 - V(Z), V(Z) >= 1 + V(Z + g), but e, then g, is worth
    //     1 - 2 - V(Z + g): give away the next two instead, and keep one more.
    bool narrow(const State& s, std::vector<Move>& out) const {
        const auto free = all_ & ~s.edges;
        const auto begin = out.size();
        auto deal = free;  // the edges that are f for every capture so far
        for (const auto box : boxes_) {
            const auto e = free & box;
            if (!std::has_single_bit(e)) continue;
            const auto across = other_side(e, box);
            const auto rest = free & across & ~e;
            if (!std::has_single_bit(rest)) {  // A or B
                out.resize(begin);
                out.push_back(edge_of(e));
                return true;
            }
            out.push_back(edge_of(e));
            deal &= rest;
        }
        if (out.size() == begin) return false;
        if (deal && worth_dealing(deal, free, bit(out[begin]))) out.push_back(edge_of(deal));
        return true;
    }

    // Where no box can be taken: first the edges that let none be taken, then those that give the fewest.
    void order(const State& s, std::span<Move> moves) const {
        std::array<unsigned, 64> gift{};
        for (const auto move : moves) gift[move] = given_away(s.edges | bit(move), move);
        std::sort(moves.begin(), moves.end(),
                  [&](Move a, Move b) { return std::pair(gift[a], a) < std::pair(gift[b], b); });
    }

    Move random_move(const State& s, Random& random) const {
        const auto free = all_ & ~s.edges;
        return edge_of(nth_bit(free, random.below(static_cast<std::uint32_t>(std::popcount(free)))));
    }
    // All orders of the remaining edges are equally likely: draw from an urn.
    Score playout(State s, Random& random) const {
        std::array<std::uint8_t, 64> urn{};
        std::uint32_t left = 0;
        for (auto rest = all_ & ~s.edges; rest; rest &= rest - 1)
            urn[left++] = static_cast<std::uint8_t>(edge_of(rest));
        while (left) {
            const auto pick = random.below(left);
            s = play(s, urn[pick]);
            urn[pick] = urn[--left];
        }
        return s.lead;
    }

private:
    static constexpr std::uint64_t bit(unsigned edge) { return std::uint64_t{1} << edge; }
    static Move edge_of(std::uint64_t edges) { return static_cast<Move>(std::countr_zero(edges)); }
    static unsigned edge_count(unsigned rows, unsigned columns) { return rows * (columns + 1) + columns * (rows + 1); }
    unsigned horizontal(unsigned r, unsigned c) const { return r * columns_ + c; }
    unsigned vertical(unsigned r, unsigned c) const { return (rows_ + 1) * columns_ + r * (columns_ + 1) + c; }

    // Where each edge goes, by where its box-sized row or column of edges goes.
    std::vector<unsigned> image(const Turn& turn) const {
        std::vector<unsigned> to;
        for (unsigned r = 0; r <= rows_; ++r)
            for (unsigned c = 0; c < columns_; ++c) {
                const auto [row, column] = turn(rows_ + 1, columns_, r, c);
                to.push_back(turn.transpose ? vertical(row, column) : horizontal(row, column));
            }
        for (unsigned r = 0; r < rows_; ++r)
            for (unsigned c = 0; c <= columns_; ++c) {
                const auto [row, column] = turn(rows_, columns_ + 1, r, c);
                to.push_back(turn.transpose ? horizontal(row, column) : vertical(row, column));
            }
        return to;
    }
    std::uint64_t settled(std::uint64_t edges) const {
        for (const auto outer : corners_) {
            auto drawn = edges & outer;
            auto place = outer;
            edges &= ~outer;
            for (; drawn; drawn &= drawn - 1, place &= place - 1) edges |= place & (~place + 1);
        }
        return edges;
    }
    unsigned completed(std::uint64_t edges, unsigned edge) const {
        const auto& [first, second] = beside_[edge];
        return static_cast<unsigned>((edges & first) == first) +
               static_cast<unsigned>(second && (edges & second) == second);
    }
    // The box on the other side of an edge; empty at the border.
    std::uint64_t other_side(std::uint64_t edge, std::uint64_t box) const {
        const auto& [first, second] = beside_[edge_of(edge)];
        return first == box ? second : first;
    }
    // Rule D of narrow, for the double-dealing move `deal` that follows the capture `e`.
    bool worth_dealing(std::uint64_t deal, std::uint64_t free, std::uint64_t e) const {
        const auto& [first, second] = beside_[edge_of(deal)];
        const auto next = first & e ? second : first;
        const auto last = free & next & ~deal;
        if (!std::has_single_bit(last)) return true;
        const auto behind = other_side(last, next);
        return (free & behind) == last;
    }
    // The boxes that can be taken one after the other once `edge` has been drawn.
    unsigned given_away(std::uint64_t edges, unsigned edge) const {
        unsigned boxes = 0;
        std::array<std::uint64_t, 2> ends{beside_[edge].first, beside_[edge].second};
        for (auto box : ends)
            while (box && std::has_single_bit(box & ~edges)) {
                const auto last = box & ~edges;
                edges |= last;
                ++boxes;
                box = other_side(last, box);
                if (box && (box & ~edges) == 0) ++boxes, box = 0;
            }
        return boxes;
    }

    unsigned rows_, columns_, count_;
    std::uint64_t all_;
    std::vector<std::uint64_t> boxes_;    // the sides of each box
    std::vector<std::uint64_t> corners_;  // the outer sides of the boxes that have more than one
    std::array<std::pair<std::uint64_t, std::uint64_t>, 64> beside_{};  // the boxes beside each edge; 0: none
    Permutations symmetries_;
};

}  // namespace zermelo
