// Connect k: a stone dropped into a column falls on top of the ones below; k in a row win. 6, 7, 4 is Connect Four.
//
// Cells are numbered column by column from the bottom, with one spare cell on top of each column, so that shifts
// do not wrap and the cell a stone falls to is next to the topmost stone (the layout of Tromp's Fhourstones). As in
// mnk.hpp the state is seen from the mover's side and the last spare cell marks the second role's turn.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
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
        for (unsigned c = 0; c < columns; ++c)
            column_.push_back(Set::below(rows) << (c * height_)), order_.push_back(c);
        for (unsigned r = rows % 2; r < rows; r += 2) led_ = led_ | (bottom_ << r);
        const auto off_centre = [&](Move c) {
            return c * 2 > columns - 1 ? c * 2 - (columns - 1) : columns - 1 - c * 2;
        };
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

    Bounds bounds(const State& s) const { return bounds_within(s, landings(s.own | s.other), {worst(), best()}); }

    // The smaller of the position and its mirror image.
    State canon(const State& s) const {
        const auto mark = s.own & mark_;
        const State image{mirror(s.own ^ mark) | mark, mirror(s.other)};
        return image.other < s.other || (image.other == s.other && image.own < s.own) ? image : s;
    }

    std::string_view images() const { return "mirror"; }
    State least_image(const State& s) const { return canon(s); }
    Closing closing() const {
        static constexpr std::array<std::string_view, 3> kRules{"at-once", "lines", "claimeven"};
        return kRules;
    }
    // What bounds_within says, of one role and without a window. Whoever ends the game has a line or fills the board.
    bool closed(const State& s, int owner, Score bound) const {
        const Score claimed = owner == 0 ? bound : -bound;
        const bool moves = turn(s) == owner;
        const auto own = s.own & board_;
        const auto &mine = moves ? own : s.other, &theirs = moves ? s.other : own;
        const auto free = board_ & ~(own | s.other), landing = landings(s.own | s.other);
        if (moves && ((lines_.completions(mine, free) & landing).any() || (claimed <= 0 && free.count() == 1)))
            return true;
        if (claimed <= 0 && !lines_.complete(theirs | free)) return true;
        if (moves == (free.count() % 2 == 0)) return false;
        const auto reached = (free & led_) | landing;
        return !lines_.complete(theirs | reached) && (claimed <= 0 || lines_.complete(mine | (free & ~reached)));
    }

    // Win at once if you can; else stop the other from winning at once (against two such threats every move loses
    // alike); else do not lift the other to a cell that completes a line of his, unless there is nothing else.
    bool narrow(const State& s, std::vector<Move>& out) const {
        const auto own = s.own & board_;
        const auto free = board_ & ~(s.own | s.other);
        const auto landing = landings(s.own | s.other);
        if (const auto wins = lines_.completions(own, free) & landing; wins.any())
            return out.push_back(column_of(wins)), true;
        const auto threats = lines_.completions(s.other, free);
        if (const auto now = threats & landing; now.any()) return out.push_back(column_of(now)), true;
        const auto safe = landing & ~(threats >> 1);
        if (!safe.any()) return out.push_back(column_of(landing)), true;
        add_ordered(own, free, safe, out);
        return true;
    }
    // The same, with a value where narrow's choice has one: to win at once, or to leave the other such a win. After
    // a move chosen here the other cannot win at once, so in a quiet position there is no need to look.
    Bounds survey(const State& s, const Bounds& window, bool quiet, std::vector<Move>& out) const {
        const auto own = s.own & board_;
        const auto free = board_ & ~(s.own | s.other);
        const auto landing = landings(s.own | s.other);
        const Score win = turn(s) == 0 ? best() : worst();
        if (!quiet && (lines_.completions(own, free) & landing).any()) return {win, win};
        const auto threats = lines_.completions(s.other, free);
        if (const auto now = threats & landing; now.any()) {
            auto second = now;
            second.drop_lowest();
            if (second.any() || ((now << 1) & threats).any()) return {-win, -win};
            if (now == free) return {0, 0};
            return out.push_back(column_of(now)), Bounds{worst(), best()};
        }
        const auto safe = landing & ~(threats >> 1);
        if (!safe.any()) return {-win, -win};
        const auto seen = bounds_within(s, landing, window);
        if (!settles(seen, window)) add_ordered(own, free, safe, out);
        return seen;
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
        for (unsigned left = 0, right = columns_ - 1; left <= right && right < columns_; ++left, --right) {
            const auto apart = (right - left) * height_;
            image = image | ((set & column_[left]) << apart) | ((set & column_[right]) >> apart);
        }
        return image;
    }
    // Who has no line left that the other has not broken cannot win any more; looked at only for the roles whose win
    // the window asks for.
    //
    // And claimeven (Allis, A knowledge-based approach of Connect-Four, 1988): when one role, the leader, is to move
    // and the number of free cells is even, the other can always follow. He answers in the leader's column where that
    // had an even number of free cells, and in a second column with an odd number where it had an odd one: such columns
    // come in pairs, and are even from then on. If the follower is to move himself, he first evens out one of them. So
    // the leader gets no more than the cells landed on now and those with an odd number of cells above them, and the
    // follower, unless a line ends the game before, gets all the others.
    Bounds bounds_within(const State& s, const Set& landing, const Bounds& window) const {
        const bool first_moves = turn(s) == 0;
        const auto own = s.own & board_;
        const auto& first = first_moves ? own : s.other;
        const auto& second = first_moves ? s.other : own;
        const auto free = board_ & ~(first | second);
        Bounds seen{worst(), best()};
        if (window.upper > 0 && !lines_.complete(first | free)) seen.upper = 0;
        if (window.lower < 0 && !lines_.complete(second | free)) seen.lower = 0;
        if (settles(seen, window)) return seen;
        const bool first_follows = first_moves == (free.count() % 2 != 0);
        if (!lines_.complete((first_follows ? second : first) | (free & led_) | landing)) {
            (first_follows ? seen.lower : seen.upper) = 0;
            if (!settles(seen, window) && lines_.complete((first_follows ? first : second) | (free & ~led_ & ~landing)))
                seen.lower = seen.upper = first_follows ? best() : worst();
        }
        return seen;
    }
    // Adds the moves that leave the most cells on which the mover would complete a line first, then those on the most
    // lines that are still open, then the middle.
    void add_ordered(const Set& own, const Set& free, const Set& safe, std::vector<Move>& out) const {
        const auto begin = out.size();
        for (const auto c : order_)
            if ((safe & column_[c]).any()) out.push_back(c);
        // Near the end of the board the order is not worth its price.
        if (out.size() - begin > 1 && free.count() > kUnsortedCells)
            sort_by_threats(own, free, safe, std::span<Move>(out).subspan(begin));
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
            const auto count = lines_.completions(own | cell, free & ~cell).count() * 9 * lines_.k() +
                               open_lines(cell.lowest(), own, board_ & ~(own | free));
            std::size_t j = i;
            for (; j > 0 && threats[j - 1] < count; --j) threats[j] = threats[j - 1], moves[j] = moves[j - 1];
            threats[j] = count, moves[j] = move;
        }
    }

    unsigned rows_, columns_, height_;
    Set board_, bottom_, mark_;
    Set led_;  // cells with an odd number of cells above them
    Lines<W> lines_;
    std::vector<Set> column_;
    std::array<std::vector<Set>, 64 * W> through_;  // the lines through each cell
    std::vector<Move> order_;                       // columns, the middle first
};

}  // namespace zermelo
