// The rules of six games of the library, written a second time from the words of their pages: boards of at most 64
// cells.
//
// The order of moves is part of the format (docs/formats/layers.md): columns from the left, cells row by row from the
// top, pawns row by row and each to the left, ahead, to the right; edges across before edges down. Scores are the first
// role's.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "certificate.hpp"

namespace checker {

using Board = std::uint64_t;
using Roles = std::array<std::string, 2>;

inline bool has(Board board, unsigned cell) { return board >> cell & 1; }
inline Board bit(unsigned cell) { return Board{1} << cell; }
// Whether an odd number of cells is in a set; cheaper than to count them.
inline bool odd(Board board) { return __builtin_parityll(board); }

// A direction in which lines run: from cell to cell, and the cells at which a line of k fits on the board.
struct Way {
    unsigned step;
    Board starts;
};
inline std::vector<Way> ways(unsigned rows, unsigned columns, unsigned k) {
    std::vector<Way> found;
    const int reach = int(k) - 1;
    for (const auto& [down, right] : {std::array{0, 1}, std::array{1, 0}, std::array{1, 1}, std::array{1, -1}}) {
        Way way{static_cast<unsigned>(down * int(columns) + right), 0};
        for (int r = 0; r + down * reach < int(rows); ++r)
            for (int c = 0; c < int(columns); ++c)
                if (const int last = c + right * reach; last >= 0 && last < int(columns))
                    way.starts |= bit(unsigned(r) * columns + unsigned(c));
        if (way.starts) found.push_back(way);
    }
    return found;
}

struct Stones {
    Board first, second;
    bool operator==(const Stones&) const = default;
};

// Roles put a stone on a board in turn, the first with as many stones as the second; k in a row win.
class Rows {
public:
    using State = Stones;
    Rows(unsigned rows, unsigned columns, unsigned k) : rows_(rows), columns_(columns), k_(k) {
        full_ = rows * columns == 64 ? ~Board{0} : bit(rows * columns) - 1;
        ways_ = ways(rows, columns, k);
    }
    Roles roles() const { return {"x", "o"}; }
    unsigned rows() const { return rows_; }
    unsigned columns() const { return columns_; }
    unsigned k() const { return k_; }
    State start() const { return {0, 0}; }
    int turn(const State& s) const { return odd(s.first | s.second); }
    bool over(const State& s, Score& score) const {
        score = complete(s.first) ? 1 : complete(s.second) ? -1 : 0;
        return score != 0 || (s.first | s.second) == full_;
    }
    // The same after a move from a position that is not over: who made it is the only one who can have a line.
    bool over_by_move(const State& s, Score& score) const {
        const bool by_first = turn(s) == 1;
        score = !complete(by_first ? s.first : s.second) ? 0 : by_first ? 1 : -1;
        return score != 0 || (s.first | s.second) == full_;
    }

    Board full() const { return full_; }
    // Whether the stones hold a line.
    bool complete(Board stones) const {
        Board found = 0;
        for (const auto& way : ways_) {
            auto run = stones & way.starts;
            for (unsigned i = 1; i < k_; ++i) run &= stones >> i * way.step;
            found |= run;
        }
        return found != 0;
    }
    // The cells that lack a line for these stones: one more stone there completes it.
    Board completing(Board stones) const {
        Board found = 0;
        for (const auto& way : ways_) {
            std::array<Board, 65> before;  // starts of lines whose first cells hold stones
            before[0] = way.starts;
            for (unsigned i = 0; i < k_; ++i) before[i + 1] = before[i] & stones >> i * way.step;
            auto after = ~Board{0};  // the same of the last cells
            for (unsigned i = k_; i-- > 0;) {
                found |= (before[i] & after) << i * way.step;
                after &= stones >> i * way.step;
            }
        }
        return found;
    }

protected:
    State with(const State& s, unsigned cell) const {
        return turn(s) == 0 ? State{s.first | bit(cell), s.second} : State{s.first, s.second | bit(cell)};
    }
    unsigned rows_, columns_, k_;
    Board full_ = 0;
    std::vector<Way> ways_;  // none where no line fits
};

// mnk: any empty cell.
class MNK : public Rows {
public:
    using Rows::Rows;
    void moves(const State& s, std::vector<std::uint32_t>& out) const {
        for (auto left = full_ & ~(s.first | s.second); left; left &= left - 1)
            out.push_back(unsigned(std::countr_zero(left)));
    }
    State play(const State& s, std::uint32_t cell) const { return with(s, cell); }
    Board landings(const State& s) const { return full_ & ~(s.first | s.second); }
};

// connect: a stone falls to the lowest empty cell of a column.
class Connect : public Rows {
public:
    Connect(unsigned rows, unsigned columns, unsigned k) : Rows(rows, columns, k) {
        for (unsigned cell = 0; cell < rows * columns; ++cell) columns_of_[cell % columns] |= bit(cell);
    }
    void moves(const State& s, std::vector<std::uint32_t>& out) const {
        for (unsigned c = 0; c < columns_; ++c)
            if (!has(s.first | s.second, c)) out.push_back(c);
    }
    State play(const State& s, std::uint32_t column) const {
        const auto stone = landings(s) & columns_of_[column];
        return turn(s) == 0 ? State{s.first | stone, s.second} : State{s.first, s.second | stone};
    }
    // Cells one row up.
    Board above(Board cells) const { return columns_ < 64 ? cells >> columns_ : 0; }
    // The cells to which a stone can fall.
    Board landings(const State& s) const {
        const auto taken = s.first | s.second;
        return full_ & ~taken & (above(taken) | ~above(full_));
    }

private:
    std::array<Board, 64> columns_of_{};
};

// hex: the first role joins top and bottom, the second left and right.
class Hex {
public:
    using State = Stones;
    explicit Hex(unsigned size) : size_(size), full_(size * size == 64 ? ~Board{0} : bit(size * size) - 1) {
        for (unsigned r = 0; r < size; ++r) {
            top_ |= bit(r), bottom_ |= bit(size * (size - 1) + r);
            left_ |= bit(r * size), right_ |= bit(r * size + size - 1);
        }
    }
    Roles roles() const { return {"first", "second"}; }
    unsigned size() const { return size_; }
    Board free(const State& s) const { return full_ & ~(s.first | s.second); }
    State start() const { return {0, 0}; }
    int turn(const State& s) const { return odd(s.first | s.second); }
    void moves(const State& s, std::vector<std::uint32_t>& out) const {
        for (auto free = full_ & ~(s.first | s.second); free; free &= free - 1)
            out.push_back(unsigned(std::countr_zero(free)));
    }
    State play(const State& s, std::uint32_t cell) const {
        return turn(s) == 0 ? State{s.first | bit(cell), s.second} : State{s.first, s.second | bit(cell)};
    }
    bool over(const State& s, Score& score) const {
        score = joined(s.first, top_, bottom_) ? 1 : joined(s.second, left_, right_) ? -1 : 0;
        return score != 0;
    }
    bool over_by_move(const State& s, Score& score) const {  // only who moved can have joined his sides
        score = turn(s) == 1 ? joined(s.first, top_, bottom_) : -joined(s.second, left_, right_);
        return score != 0;
    }

private:
    // A cell touches those left and right, straight above and above to the right, straight below and below to the left.
    bool joined(Board stones, Board side, Board opposite) const {
        for (Board reached = stones & side, before = 0; reached != before;) {
            if (reached & opposite) return true;
            before = reached;
            const auto rightward = (reached & ~right_) << 1, leftward = (reached & ~left_) >> 1;
            const auto up = reached >> size_, down = reached << size_;
            const auto up_right = (reached & ~right_) >> (size_ - 1), down_left = (reached & ~left_) << (size_ - 1);
            reached |= stones & (rightward | leftward | up | down | (size_ > 1 ? up_right | down_left : 0));
        }
        return false;
    }
    unsigned size_;
    Board full_, top_ = 0, bottom_ = 0, left_ = 0, right_ = 0;
};

struct Sided {
    Board first, second, turn;
    bool operator==(const Sided&) const = default;
};

// breakthrough: the first role's pawns start at the top and move down.
class Breakthrough {
public:
    using State = Sided;
    Breakthrough(unsigned rows, unsigned columns, unsigned pawns) : rows_(rows), columns_(columns) {
        for (unsigned cell = 0; cell < rows * columns; ++cell) {
            if (cell < pawns * columns) start_.first |= bit(cell);
            if (cell >= (rows - pawns) * columns) start_.second |= bit(cell);
            if (cell < columns) top_ |= bit(cell);
            if (cell >= (rows - 1) * columns) bottom_ |= bit(cell);
        }
    }
    Roles roles() const { return {"black", "white"}; }
    unsigned rows() const { return rows_; }
    unsigned columns() const { return columns_; }
    State start() const { return start_; }
    int turn(const State& s) const { return int(s.turn); }
    // A move is its pawn's cell and where it goes: 0 to the left, 1 straight ahead, 2 to the right, as columns are
    // seen.
    void moves(const State& s, std::vector<std::uint32_t>& out) const {
        const auto own = s.turn ? s.second : s.first, enemy = s.turn ? s.first : s.second;
        for (unsigned cell = 0; cell < rows_ * columns_; ++cell) {
            const auto row = cell / columns_, column = cell % columns_;
            if (!has(own, cell) || (s.turn ? row == 0 : row == rows_ - 1)) continue;
            for (unsigned side = 0; side < 3; ++side) {
                if ((side == 0 && column == 0) || (side == 2 && column == columns_ - 1)) continue;
                const auto target = to(s, cell, side);
                if (!has(own, target) && !(side == 1 && has(enemy, target))) out.push_back(cell * 3 + side);
            }
        }
    }
    State play(const State& s, std::uint32_t move) const {
        const auto from = bit(move / 3), target = bit(to(s, move / 3, move % 3));
        return s.turn ? State{s.first & ~target, (s.second & ~from) | target, 0}
                      : State{(s.first & ~from) | target, s.second & ~target, 1};
    }
    bool over(const State& s, Score& score) const {
        score = (s.first & bottom_) || !s.second ? 1 : (s.second & top_) || !s.first ? -1 : 0;
        return score != 0;
    }

private:
    unsigned to(const State& s, unsigned cell, unsigned side) const {
        return (s.turn ? cell - columns_ : cell + columns_) + side - 1;
    }
    unsigned rows_, columns_;
    Board top_ = 0, bottom_ = 0;
    State start_{0, 0, 0};
};

// othello: a disc turns the runs of enemy discs between it and another of its own; who cannot move passes.
class Othello {
public:
    using State = Sided;
    static constexpr std::uint32_t kPass = 64;
    Othello(unsigned rows, unsigned columns) : rows_(rows), columns_(columns) {}
    Roles roles() const { return {"black", "white"}; }
    unsigned rows() const { return rows_; }
    unsigned columns() const { return columns_; }
    State start() const {
        const auto corner = (rows_ / 2 - 1) * columns_ + columns_ / 2 - 1;
        return {bit(corner + 1) | bit(corner + columns_), bit(corner) | bit(corner + columns_ + 1), 0};
    }
    int turn(const State& s) const { return int(s.turn); }
    void moves(const State& s, std::vector<std::uint32_t>& out) const {
        placements(s, out);
        if (out.empty() && can_place(passed(s))) out.push_back(kPass);
    }
    State play(const State& s, std::uint32_t cell) const {
        if (cell == kPass) return passed(s);
        const auto turned = turned_over(s, cell);
        return s.turn ? State{s.first & ~turned, s.second | turned | bit(cell), 0}
                      : State{s.first | turned | bit(cell), s.second & ~turned, 1};
    }
    bool over(const State& s, Score& score) const {
        const auto first = std::popcount(s.first), second = std::popcount(s.second);
        score = first > second ? 1 : first < second ? -1 : 0;
        return !can_place(s) && !can_place(passed(s));
    }

private:
    static State passed(const State& s) { return {s.first, s.second, s.turn ^ 1}; }
    bool can_place(const State& s) const {
        for (unsigned cell = 0; cell < rows_ * columns_; ++cell)
            if (!has(s.first | s.second, cell) && turned_over(s, cell)) return true;
        return false;
    }
    void placements(const State& s, std::vector<std::uint32_t>& out) const {
        for (unsigned cell = 0; cell < rows_ * columns_; ++cell)
            if (!has(s.first | s.second, cell) && turned_over(s, cell)) out.push_back(cell);
    }
    Board turned_over(const State& s, unsigned cell) const {
        const auto own = s.turn ? s.second : s.first, enemy = s.turn ? s.first : s.second;
        Board turned = 0;
        for (int down = -1; down <= 1; ++down)
            for (int right = -1; right <= 1; ++right) {
                Board run = 0;
                int r = int(cell / columns_) + down, c = int(cell % columns_) + right;
                const auto inside = [&] { return r >= 0 && r < int(rows_) && c >= 0 && c < int(columns_); };
                const auto here = [&] { return unsigned(r) * columns_ + unsigned(c); };
                if (down == 0 && right == 0) continue;
                for (; inside() && has(enemy, here()); r += down, c += right) run |= bit(here());
                if (inside() && has(own, here())) turned |= run;
            }
        return turned;
    }
    unsigned rows_, columns_;
};

struct Drawn {
    Board edges;
    std::int64_t lead;
    std::uint64_t turn;
    bool operator==(const Drawn&) const = default;
};

// dots and boxes: who draws the fourth side of a box owns it and moves again; the score is the difference.
class DotsAndBoxes {
public:
    using State = Drawn;
    DotsAndBoxes(unsigned rows, unsigned columns)
        : rows_(rows), columns_(columns), edges_((rows + 1) * columns + rows * (columns + 1)) {
        for (unsigned r = 0; r < rows; ++r)
            for (unsigned c = 0; c < columns; ++c) {
                const auto top = r * columns + c, left = (rows + 1) * columns + r * (columns + 1) + c;
                boxes_.push_back(bit(top) | bit(top + columns) | bit(left) | bit(left + 1));
            }
    }
    Roles roles() const { return {"first", "second"}; }
    unsigned rows() const { return rows_; }
    unsigned columns() const { return columns_; }
    const std::vector<Board>& boxes() const { return boxes_; }
    State start() const { return {0, 0, 0}; }
    int turn(const State& s) const { return int(s.turn); }
    void moves(const State& s, std::vector<std::uint32_t>& out) const {
        for (unsigned edge = 0; edge < edges_; ++edge)
            if (!has(s.edges, edge)) out.push_back(edge);
    }
    State play(const State& s, std::uint32_t edge) const {
        const auto edges = s.edges | bit(edge);
        std::int64_t closed = 0;
        for (const auto box : boxes_) closed += has(box, edge) && (edges & box) == box;
        return {edges, s.lead + (s.turn ? -closed : closed), closed ? s.turn : s.turn ^ 1};
    }
    bool over(const State& s, Score& score) const {
        score = s.lead;
        return unsigned(std::popcount(s.edges)) == edges_;
    }

private:
    unsigned rows_, columns_, edges_;
    std::vector<Board> boxes_;
};

}  // namespace checker
