// Boards of cells: rows with `|` between them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boards.hpp"

namespace checker {

using Steps = std::vector<std::pair<int, int>>;  // down, to the right

inline const Steps kStraight{{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
inline const Steps kAround{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

struct Grid {
    int rows, columns;
    std::string cells;

    Grid(int high, int wide, char content)
        : rows(high), columns(wide), cells(std::size_t(high) * std::size_t(wide), content) {}
    explicit Grid(const std::string& text);
    std::string text() const;
    int size() const { return rows * columns; }
    char operator[](int cell) const { return cells[std::size_t(cell)]; }
    char& operator[](int cell) { return cells[std::size_t(cell)]; }
    // The cell some steps away; -1 off the board.
    int beside(int cell, std::pair<int, int> step, int times = 1) const {
        const int row = cell / columns + step.first * times, column = cell % columns + step.second * times;
        return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : -1;
    }
    // What is on a cell; off the board a stroke.
    char at(int cell) const { return cell < 0 ? '|' : (*this)[cell]; }
    std::string name(int cell) const;
    bool has(std::string_view contents) const { return cells.find_first_of(contents) != std::string::npos; }
    // The smallest board that holds some cells; whatever else lies on it is outside.
    std::string drawn(const std::vector<int>& part, char outside) const;
    // Cells of some kinds that steps join.
    std::vector<std::vector<int>> regions(std::string_view kinds, const Steps& steps) const;
    Grid transposed() const;
    Grid exchanged() const;  // the colours
};

// A board with its mirror images; and with what turning makes of them.
Texts mirrored(const Grid& grid);
Texts all_eight(const Grid& grid);

// Whether a text is a size such as `4x5`.
bool size_of(std::string_view text, std::pair<std::uint64_t, std::uint64_t>& size);

// Games on boards of cells, read alike.
class GridRules : public BoardRules {
public:
    explicit GridRules(std::string_view allowed) : allowed_(allowed) {}
    std::string read(std::string_view text) const override;

protected:
    // The position to start from, where the game has one for every size.
    virtual std::string start(int, int) const {
        throw BadInput("this game has no board to start from, expected its cells");
    }

private:
    std::string_view allowed_;
};

}  // namespace checker
