// Connect k: a stone dropped into a column falls on top of the ones below; k in a row win. 6, 7, 4 is Connect Four.
//
// Cells are numbered column by column from the bottom, with one spare cell on top of each column, so that shifts
// do not wrap and the cell a stone falls to is next to the topmost stone (the layout of Tromp's Fhourstones). As in
// mnk.hpp the state is seen from the mover's side and the last spare cell marks the second role's turn.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "games/lines.hpp"
#include "games/picks.hpp"
#include "zermelo/bits.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

template <std::size_t W>
class Connect {
public:
    using Set = Bits<W>;
    struct State {
        Set own, other;  // the mover's stones (and the mark of the turn), the other's
        bool operator==(const State&) const = default;
    };

    Connect(unsigned rows, unsigned columns, unsigned k)
        : rows_(rows), columns_(columns), height_(rows + 1), board_(cells(rows, columns, rows)),
          bottom_(cells(rows, columns, 1)), mark_(Set::cell(columns * height_ - 1)),
          lines_(k, {1, height_, height_ + 1, height_ - 1}, board_) {
        for (const auto& line : lines_.masks()) line.each([&](unsigned cell) { through_[cell].push_back(line); });
        for (unsigned c = 0; c < columns; ++c) column_.push_back(Set::below(rows) << (c * height_)), order_.push_back(c);
        const auto off_centre = [&](Move c) { return c * 2 > columns - 1 ? c * 2 - (columns - 1) : columns - 1 - c * 2; };
        std::stable_sort(order_.begin(), order_.end(), [&](Move a, Move b) { return off_centre(a) < off_centre(b); });
    }
    static bool fits(std::int64_t rows, std::int64_t columns) {
        constexpr auto kMost = static_cast<std::int64_t>(64 * W);
        return rows > 0 && columns > 0 && rows < kMost && columns <= kMost && (rows + 1) * columns <= kMost;
    }

    State start() const { return {}; }
    int turn(const State& s) const { return (s.own & mark_).any() ? 1 : 0; }
    Ending ending(const State& s) const {
        if (lines_.complete(s.other)) return {true, turn(s) == 0 ? -1 : 1};
        return {!(board_ & ~(s.own | s.other)).any(), 0};
    }
    void moves(const State& s, std::vector<Move>& out) const {
        const auto landing = landings(s.own | s.other);
        for (Move c = 0; c < columns_; ++c)
            if ((landing & column_[c]).any()) out.push_back(c);
    }
    State play(const State& s, Move move) const {
        const auto mark = s.own & mark_;
        return {s.other | (mark ^ mark_), (s.own ^ mark) | (landings(s.own | s.other) & column_[move])};
    }
    Score worst() const { return -1; }
    Score best() const { return 1; }

    // Who has no line left that the other has not broken cannot win any more.
    Bounds bounds(const State& s) const {
        const bool own = lines_.complete(board_ & ~s.other), other = lines_.complete(board_ & ~s.own);
        return turn(s) == 0 ? Bounds{other ? -1 : 0, own ? 1 : 0} : Bounds{own ? -1 : 0, other ? 1 : 0};
    }

    // The smaller of the position and its mirror image.
    State canon(const State& s) const {
        const auto mark = s.own & mark_;
        const State image{mirror(s.own ^ mark) | mark, mirror(s.other)};
        return image.other < s.other || (image.other == s.other && image.own < s.own) ? image : s;
    }

    // Win at once if you can; else stop the other from winning at once (against two such threats every move loses
    // alike); else do not lift the other to a cell that completes a line of his, unless there is nothing else.
    // Moves that leave the most cells on which the mover would complete a line come first, then those on the most
    // lines that are still open, then the middle.
    bool narrow(const State& s, std::vector<Move>& out) const {
        const auto own = s.own & board_;
        const auto free = board_ & ~(s.own | s.other);
        auto landing = landings(s.own | s.other);
        if (const auto wins = lines_.completions(own, free) & landing; wins.any()) return out.push_back(column_of(wins)), true;
        const auto threats = lines_.completions(s.other, free);
        if (const auto now = threats & landing; now.any()) return out.push_back(column_of(now)), true;
        const auto safe = landing & ~(threats >> 1);
        if (!safe.any()) return out.push_back(column_of(landing)), true;
        const auto begin = out.size();
        for (const auto c : order_)
            if ((safe & column_[c]).any()) out.push_back(c);
        // Near the end of the board the order is not worth its price.
        if (out.size() - begin > 1 && free.count() > kUnsortedCells) sort_by_threats(own, free, safe, std::span<Move>(out).subspan(begin));
        return true;
    }
    // The middle first.
    void order(const State&, std::span<Move> moves) const {
        const auto rank = [&](Move move) { return std::find(order_.begin(), order_.end(), move); };
        std::sort(moves.begin(), moves.end(), [&](Move a, Move b) { return rank(a) < rank(b); });
    }

    // Uniformly random open columns in turn, until a line or the end of the board.
    Score playout(const State& s, Random& random) const {
        if (const auto end = ending(s); end.over) return end.score;
        std::array<std::uint16_t, 64 * W> top;  // by column: the cell a stone falls to
        std::array<std::uint16_t, 64 * W> open;
        std::uint32_t left = 0;
        const auto landing = landings(s.own | s.other);
        landing.each([&](unsigned cell) {
            const auto c = cell / height_;
            top[c] = static_cast<std::uint16_t>(cell);
            open[left++] = static_cast<std::uint16_t>(c);
        });
        auto mover = s.own & board_, waiting = s.other;
        Score sign = turn(s) == 0 ? 1 : -1;
        Picks picks(random);
        while (left) {
            const auto pick = picks.below(left);
            const unsigned c = open[pick];
            const unsigned cell = top[c]++;
            if (cell + 1 == c * height_ + rows_) open[pick] = open[--left];
            mover.word[cell / 64] |= std::uint64_t{1} << cell % 64;
            if (lines_.complete_through(mover, cell)) return sign;
            std::swap(mover, waiting);
            sign = -sign;
        }
        return 0;
    }

private:
    static constexpr unsigned kUnsortedCells = 8;
    static Set cells(unsigned rows, unsigned columns, unsigned high) {
        Set board;
        for (unsigned c = 0; c < columns; ++c)
            for (unsigned r = 0; r < high; ++r) board = board | Set::cell(c * (rows + 1) + r);
        return board;
    }
    Set landings(const Set& taken) const { return ((taken << 1) | bottom_) & board_ & ~taken; }
    Move column_of(const Set& cells) const { return cells.lowest() / height_; }
    Set mirror(const Set& set) const {
        Set image;
        for (unsigned c = 0; c < columns_; ++c) image = image | (((set & column_[c]) >> (c * height_)) << ((columns_ - 1 - c) * height_));
        return image;
    }
    // How many lines through a cell each side could still complete, added up.
    unsigned open_lines(unsigned cell, const Set& own, const Set& other) const {
        unsigned count = 0;
        for (const auto& line : through_[cell]) count += !(line & other).any() + !(line & own).any();
        return count;
    }
    void sort_by_threats(const Set& own, const Set& free, const Set& safe, std::span<Move> moves) const {
        std::array<unsigned, 64 * W> threats;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const auto move = moves[i];
            const auto cell = safe & column_[move];
            // A cell lies on at most 4 k lines, each open to at most two sides, so threats come first.
            const auto count = lines_.completions(own | cell, free & ~cell).count() * 9 * lines_.k() + open_lines(cell.lowest(), own, board_ & ~(own | free));
            std::size_t j = i;
            for (; j > 0 && threats[j - 1] < count; --j) threats[j] = threats[j - 1], moves[j] = moves[j - 1];
            threats[j] = count, moves[j] = move;
        }
    }

    unsigned rows_, columns_, height_;
    Set board_, bottom_, mark_;
    Lines<W> lines_;
    std::vector<Set> column_;
    std::array<std::vector<Set>, 64 * W> through_;  // the lines through each cell
    std::vector<Move> order_;  // columns, the middle first
};

}  // namespace zermelo
