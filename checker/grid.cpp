#include "grid.hpp"

#include <algorithm>

#include "names.hpp"

namespace checker {

Texts cut_at(std::string_view text, char sign) {
    Texts pieces;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(sign, begin), text.size());
        pieces.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return pieces;
}

std::string joined_by(const Texts& pieces, std::string_view sign) {
    std::string text;
    for (std::size_t i = 0; i < pieces.size(); ++i) (text += i ? sign : "") += pieces[i];
    return text;
}

std::vector<std::vector<int>> hanging_together(const std::vector<int>& points,
                                               const std::function<std::vector<int>(int)>& near) {
    if (points.empty()) return {};
    std::vector<bool> left(std::size_t(*std::ranges::max_element(points)) + 1);
    for (const auto point : points) left[std::size_t(point)] = true;
    std::vector<std::vector<int>> found;
    for (std::size_t seed = 0; seed < left.size(); ++seed) {
        if (!left[seed]) continue;
        left[seed] = false;
        std::vector<int> group{int(seed)};
        for (std::size_t i = 0; i < group.size(); ++i)
            for (const auto point : near(group[i]))
                if (point >= 0 && std::size_t(point) < left.size() && left[std::size_t(point)])
                    left[std::size_t(point)] = false, group.push_back(point);
        std::ranges::sort(group);
        found.push_back(std::move(group));
    }
    return found;
}

Grid::Grid(const std::string& text) : rows(0), columns(0) {
    for (const auto& row : cut_at(text, '|')) cells += row, columns = int(row.size()), ++rows;
}

std::string Grid::text() const {
    std::string made;
    for (int row = 0; row < rows; ++row)
        (made += row ? "|" : "") += cells.substr(std::size_t(row * columns), std::size_t(columns));
    return made;
}

std::string Grid::name(int cell) const { return cell_name(unsigned(cell), unsigned(columns)); }

std::string Grid::drawn(const std::vector<int>& part, char outside) const {
    int top = rows, bottom = 0, west = columns, east = 0;
    for (const auto cell : part) {
        top = std::min(top, cell / columns), bottom = std::max(bottom, cell / columns);
        west = std::min(west, cell % columns), east = std::max(east, cell % columns);
    }
    Grid made(bottom - top + 1, east - west + 1, outside);
    for (const auto cell : part) made[(cell / columns - top) * made.columns + cell % columns - west] = (*this)[cell];
    return made.text();
}

std::vector<std::vector<int>> Grid::regions(std::string_view kinds, const Steps& steps) const {
    std::vector<int> points;
    for (int cell = 0; cell < size(); ++cell)
        if (kinds.find((*this)[cell]) != std::string_view::npos) points.push_back(cell);
    return hanging_together(points, [&](int cell) {
        std::vector<int> near;
        for (const auto& step : steps) near.push_back(beside(cell, step));
        return near;
    });
}

Grid Grid::transposed() const {
    Grid made(columns, rows, '.');
    for (int cell = 0; cell < size(); ++cell) made[cell % columns * rows + cell / columns] = (*this)[cell];
    return made;
}

Grid Grid::exchanged() const {
    auto made = *this;
    for (auto& c : made.cells) c = c == 'x' ? 'o' : c == 'o' ? 'x' : c;
    return made;
}

Texts mirrored(const Grid& grid) {
    Texts found;
    for (const bool upside_down : {false, true})
        for (const bool sideways : {false, true}) {
            auto image = grid;
            for (int cell = 0; cell < grid.size(); ++cell) {
                const int row = cell / grid.columns, column = cell % grid.columns;
                const int from = (upside_down ? grid.rows - 1 - row : row) * grid.columns +
                                 (sideways ? grid.columns - 1 - column : column);
                image[cell] = grid[from];
            }
            found.push_back(image.text());
        }
    return found;
}

Texts all_eight(const Grid& grid) {
    auto found = mirrored(grid);
    const auto turned = mirrored(grid.transposed());
    found.insert(found.end(), turned.begin(), turned.end());
    return found;
}

bool size_of(std::string_view text, std::pair<std::uint64_t, std::uint64_t>& size) {
    const auto cross = text.find_first_of("x*");
    if (cross == std::string_view::npos) return false;
    const auto high = stripped(text.substr(0, cross)), wide = stripped(text.substr(cross + 1));
    const auto plain = [](const std::string& digits) {
        return !digits.empty() && digits.size() <= 9 && digits.find_first_not_of("0123456789") == std::string::npos;
    };
    if (!plain(high) || !plain(wide)) return false;
    size = {number(high, "rows"), number(wide, "columns")};
    return true;
}

std::string GridRules::read(std::string_view text) const {
    constexpr std::size_t kMostCells = 10'000;
    if (std::pair<std::uint64_t, std::uint64_t> size; size_of(text, size)) {
        if (!size.first || !size.second || size.first > kMostCells / size.second)
            throw BadInput("a board of " + std::string(text) + ", expected at least one cell and at most 10,000");
        return start(int(size.first), int(size.second));
    }
    if (text.size() > kMostCells) throw BadInput("a board of over 10,000 cells");
    const auto small = lower(text);
    for (std::size_t at = 0; at < small.size(); ++at)
        if (small[at] != '|' && allowed_.find(small[at]) == std::string_view::npos)
            throw BadInput("unexpected character " + std::to_string(at + 1) + " of the board, expected one of " +
                           std::string(allowed_));
    const auto rows = cut_at(small, '|');
    for (const auto& row : rows)
        if (row.empty() || row.size() != rows[0].size())
            throw BadInput("a row of " + std::to_string(row.size()) + " cells, expected as many as in the first row");
    return small;
}

}  // namespace checker
