// Games on boards of cells, from the words of docs/cgt-rulesets.md.
#include <algorithm>
#include <set>

#include "grid.hpp"

namespace checker {

namespace {

std::string put(Grid grid, std::initializer_list<std::pair<int, char>> changes) {
    for (const auto& [cell, content] : changes) grid[cell] = content;
    return grid.text();
}

char stone_of(bool left) { return left ? 'x' : 'o'; }

// Games in which the two colours do the same: turning changes nothing, exchanging the colours the sign.
class ColourRules : public GridRules {
public:
    using GridRules::GridRules;
    Texts equal(const std::string& position) const override { return all_eight(Grid(position)); }
    Texts opposite(const std::string& position) const override { return all_eight(Grid(position).exchanged()); }
    Texts alike(const std::string& position) const override { return equal(position); }

protected:
    static std::string empty(int rows, int columns) { return Grid(rows, columns, '.').text(); }
};

// Domineering: Left lays dominoes upright, Right flat; in cram both lay them either way.
class Dominoes : public GridRules {
public:
    explicit Dominoes(bool cram) : GridRules(".#"), cram_(cram) {}
    BoardMoves moves(const std::string& position, bool left) const override {
        const Grid grid(position);
        BoardMoves found;
        for (const auto& step : kStraight) {
            const bool flat = step == std::pair{0, 1}, upright = step == std::pair{1, 0};
            if (!(cram_ ? flat || upright : left ? upright : flat)) continue;
            for (int cell = 0; cell < grid.size(); ++cell)
                if (const int next = grid.beside(cell, step); grid[cell] == '.' && grid.at(next) == '.')
                    found.push_back({grid.name(cell) + grid.name(next), put(grid, {{cell, '#'}, {next, '#'}})});
        }
        return found;
    }
    Texts parts(const std::string& position) const override {
        const Grid grid(position);
        Texts found;
        for (const auto& room : grid.regions(".", kStraight))
            if (room.size() > 1) found.push_back(grid.drawn(room, '#'));
        return found;
    }
    Texts equal(const std::string& position) const override {
        return cram_ ? all_eight(Grid(position)) : mirrored(Grid(position));
    }
    Texts opposite(const std::string& position) const override {
        return cram_ ? Texts() : mirrored(Grid(position).transposed());
    }
    Texts alike(const std::string& position) const override { return equal(position); }

protected:
    std::string start(int rows, int columns) const override { return Grid(rows, columns, '.').text(); }

private:
    bool cram_;
};

// A stone moves onto a neighbour of the other colour and takes it; cannibals take their own as well.
class Clobber : public ColourRules {
public:
    explicit Clobber(bool cannibal) : ColourRules(".xo#"), cannibal_(cannibal) {}
    BoardMoves moves(const std::string& position, bool left) const override {
        const Grid grid(position);
        BoardMoves found;
        for (int cell = 0; cell < grid.size(); ++cell) {
            if (grid[cell] != stone_of(left)) continue;
            for (const auto& step : kStraight) {
                const int next = grid.beside(cell, step);
                const auto prey = grid.at(next);
                if (prey == stone_of(!left) || (cannibal_ && prey == stone_of(left)))
                    found.push_back(
                        {grid.name(cell) + grid.name(next), put(grid, {{cell, '.'}, {next, stone_of(left)}})});
            }
        }
        return found;
    }
    Texts parts(const std::string& position) const override {
        const Grid grid(position);
        Texts found;
        for (const auto& crowd : grid.regions("xo", kStraight)) {
            const auto has = [&](char stone) {
                return std::ranges::any_of(crowd, [&](int c) { return grid[c] == stone; });
            };
            if (crowd.size() > 1 && (cannibal_ || (has('x') && has('o')))) found.push_back(grid.drawn(crowd, '.'));
        }
        return found;
    }

protected:
    std::string start(int rows, int columns) const override {
        Grid grid(rows, columns, 'x');
        for (int cell = 0; cell < grid.size(); ++cell)
            if ((cell / columns + cell % columns) % 2) grid[cell] = 'o';
        return grid.text();
    }

private:
    bool cannibal_;
};

// Regions by steps of a king in which some stone has room.
Texts with_room(const Grid& grid) {
    Texts found;
    for (const auto& region : grid.regions(".xo", kAround)) {
        const auto part = grid.drawn(region, '#');
        if (part.find('.') != std::string::npos && part.find_first_of("xo") != std::string::npos) found.push_back(part);
    }
    return found;
}

// A queen moves, and from where she stands then shoots a cell that is blocked for good.
class Amazons : public ColourRules {
public:
    Amazons() : ColourRules(".xo#") {}
    BoardMoves moves(const std::string& position, bool left) const override {
        const Grid grid(position);
        BoardMoves found;
        for (int cell = 0; cell < grid.size(); ++cell) {
            if (grid[cell] != stone_of(left)) continue;
            for (const auto target : seen(grid, cell)) {
                auto moved = grid;
                moved[cell] = '.', moved[target] = stone_of(left);
                for (const auto shot : seen(moved, target))
                    found.push_back(
                        {grid.name(cell) + grid.name(target) + "/" + grid.name(shot), put(moved, {{shot, '#'}})});
            }
        }
        return found;
    }
    Texts parts(const std::string& position) const override { return with_room(Grid(position)); }

private:
    static std::vector<int> seen(const Grid& grid, int from) {
        std::vector<int> found;
        for (const auto& step : kAround)
            for (int cell = grid.beside(from, step); grid.at(cell) == '.'; cell = grid.beside(cell, step))
                found.push_back(cell);
        return found;
    }
};

// Stones are placed so that every block, of either colour, keeps an empty cell beside it.
class NoGo : public ColourRules {
public:
    NoGo() : ColourRules(".xo#") {}
    std::string read(std::string_view text) const override {
        auto position = ColourRules::read(text);
        if (!all_breathe(Grid(position))) throw BadInput("a block without a liberty, expected one for every block");
        return position;
    }
    BoardMoves moves(const std::string& position, bool left) const override {
        const Grid grid(position);
        BoardMoves found;
        for (int cell = 0; cell < grid.size(); ++cell) {
            if (grid[cell] != '.') continue;
            auto after = grid;
            after[cell] = stone_of(left);
            if (all_breathe(after)) found.push_back({grid.name(cell), after.text()});
        }
        return found;
    }
    // Empty cells with the blocks beside them: blocks of different colours say nothing to each other.
    Texts parts(const std::string& position) const override {
        const Grid grid(position);
        std::vector<int> points;
        for (int cell = 0; cell < grid.size(); ++cell)
            if (grid[cell] != '#') points.push_back(cell);
        const auto near = [&](int cell) {
            std::vector<int> found;
            for (const auto& step : kStraight)
                if (const int next = grid.beside(cell, step); next >= 0)
                    if (grid[cell] == '.' || grid[next] == '.' || grid[cell] == grid[next]) found.push_back(next);
            return found;
        };
        Texts found;
        for (const auto& part : hanging_together(points, near))
            if (std::ranges::any_of(part, [&](int cell) { return grid[cell] == '.'; }))
                found.push_back(grid.drawn(part, '#'));
        return found;
    }

protected:
    std::string start(int rows, int columns) const override { return empty(rows, columns); }

private:
    static bool all_breathe(const Grid& grid) {
        for (const auto* colour : {"x", "o"})
            for (const auto& block : grid.regions(colour, kStraight)) {
                const bool breathes = std::ranges::any_of(block, [&](int cell) {
                    return std::ranges::any_of(kStraight,
                                               [&](auto step) { return grid.at(grid.beside(cell, step)) == '.'; });
                });
                if (!breathes) return false;
            }
        return true;
    }
};

// Col and snort: cells take colours; in col none beside its own colour, in snort none beside the other.
class Colouring : public ColourRules {
public:
    explicit Colouring(bool col) : ColourRules(".xo#"), col_(col) {}
    BoardMoves moves(const std::string& position, bool left) const override {
        const Grid grid(position);
        BoardMoves found;
        for (int cell = 0; cell < grid.size(); ++cell)
            if (may(grid, cell, left)) found.push_back({grid.name(cell), put(grid, {{cell, stone_of(left)}})});
        return found;
    }
    // Empty cells that still bear on each other, as two neighbours may yet take two colours that must not be side by
    // side, with the coloured cells beside them. What a cell may take only ever shrinks: such links never come back.
    Texts parts(const std::string& position) const override {
        const Grid grid(position);
        std::vector<int> points;
        for (int cell = 0; cell < grid.size(); ++cell)
            if (may(grid, cell, true) || may(grid, cell, false)) points.push_back(cell);
        const auto near = [&](int cell) {
            std::vector<int> found;
            for (const auto& step : kStraight)
                for (const bool left : {true, false})
                    if (const int next = grid.beside(cell, step); next >= 0)
                        if (may(grid, cell, left) && may(grid, next, col_ ? left : !left)) found.push_back(next);
            return found;
        };
        Texts found;
        for (const auto& part : hanging_together(points, near)) {
            std::set<int> shown(part.begin(), part.end());
            for (const auto cell : part)
                for (const auto& step : kStraight)
                    if (const int next = grid.beside(cell, step); grid.at(next) == 'x' || grid.at(next) == 'o')
                        shown.insert(next);
            found.push_back(grid.drawn({shown.begin(), shown.end()}, '#'));
        }
        return found;
    }

protected:
    std::string start(int rows, int columns) const override { return empty(rows, columns); }

private:
    bool may(const Grid& grid, int cell, bool left) const {
        const auto unwanted = stone_of(col_ ? left : !left);
        return grid[cell] == '.' &&
               std::ranges::none_of(kStraight, [&](auto step) { return grid.at(grid.beside(cell, step)) == unwanted; });
    }
    bool col_;
};

// A stone jumps over one of the other side onto the empty cell behind, once or several times straight on.
class Konane : public ColourRules {
public:
    Konane() : ColourRules(".xo#") {}
    BoardMoves moves(const std::string& position, bool left) const override {
        const Grid grid(position);
        BoardMoves found;
        for (int cell = 0; cell < grid.size(); ++cell) {
            if (grid[cell] != stone_of(left)) continue;
            for (const auto& step : kStraight) {
                auto after = grid;
                after[cell] = '.';
                for (int from = cell;;) {
                    const int over = grid.beside(from, step), target = grid.beside(from, step, 2);
                    if (grid.at(over) != stone_of(!left) || grid.at(target) != '.') break;
                    after[over] = '.';
                    found.push_back({grid.name(cell) + grid.name(target), put(after, {{target, stone_of(left)}})});
                    from = target;
                }
            }
        }
        return found;
    }
    // Cells joined by jumps that some play might yet make: a jump looks at its own three cells and changes no other.
    // Where stones might get to is overestimated: each stays where it was and also jumps, over whatever might be there.
    Texts parts(const std::string& position) const override {
        const Grid grid(position);
        std::set<int> reach[2];
        for (int cell = 0; cell < grid.size(); ++cell)
            if (grid[cell] == 'x' || grid[cell] == 'o') reach[grid[cell] == 'o'].insert(cell);
        std::map<int, std::set<int>> links;
        for (bool grew = true; grew;) {
            grew = false;
            for (const int mine : {0, 1})
                for (const auto cell : std::vector<int>(reach[mine].begin(), reach[mine].end()))
                    for (const auto& step : kStraight) {
                        const int over = grid.beside(cell, step), target = grid.beside(cell, step, 2);
                        if (!reach[1 - mine].contains(over) || target < 0 || grid[target] == '#') continue;
                        for (const auto& [one, other] : {std::pair{cell, over}, std::pair{over, target}})
                            links[one].insert(other), links[other].insert(one);
                        grew |= reach[mine].insert(target).second;
                    }
        }
        std::vector<int> points;
        for (const auto& [cell, others] : links) points.push_back(cell);
        Texts found;
        for (const auto& part : hanging_together(points, [&](int cell) {
                 const auto& others = links.at(cell);
                 return std::vector<int>(others.begin(), others.end());
             }))
            found.push_back(grid.drawn(part, '#'));
        return found;
    }
};

// A stone with an empty cell on either side parts into two: up and down for Left, to both sides for Right.
class Fission : public GridRules {
public:
    Fission() : GridRules(".x#") {}
    BoardMoves moves(const std::string& position, bool left) const override {
        const Grid grid(position);
        const std::pair<int, int> step = left ? std::pair{1, 0} : std::pair{0, 1};
        BoardMoves found;
        for (int cell = 0; cell < grid.size(); ++cell) {
            const int one = grid.beside(cell, step, -1), other = grid.beside(cell, step);
            if (grid[cell] == 'x' && grid.at(one) == '.' && grid.at(other) == '.')
                found.push_back({grid.name(cell), put(grid, {{one, 'x'}, {cell, '.'}, {other, 'x'}})});
        }
        return found;
    }
    Texts equal(const std::string& position) const override { return mirrored(Grid(position)); }
    Texts opposite(const std::string& position) const override { return mirrored(Grid(position).transposed()); }
    Texts alike(const std::string& position) const override { return equal(position); }

protected:
    std::string start(int rows, int columns) const override {
        return put(Grid(rows, columns, '.'), {{(rows - 1) / 2 * columns + (columns - 1) / 2, 'x'}});
    }
};

// Pawns go straight on to an empty cell or take aslant; nobody moves once one is across.
class Hexapawn : public GridRules {
public:
    Hexapawn() : GridRules(".xo#") {}
    BoardMoves moves(const std::string& position, bool left) const override {
        const Grid grid(position);
        BoardMoves found;
        const auto width = std::size_t(grid.columns);
        const auto first = grid.cells.substr(0, width), last = grid.cells.substr(grid.cells.size() - width);
        if (first.find('o') != std::string::npos || last.find('x') != std::string::npos) return found;
        const int ahead = left ? 1 : -1;
        for (int cell = 0; cell < grid.size(); ++cell) {
            if (grid[cell] != stone_of(left)) continue;
            for (const int aside : {0, -1, 1}) {
                const int target = grid.beside(cell, {ahead, aside});
                if (grid.at(target) == (aside ? stone_of(!left) : '.'))
                    found.push_back(
                        {grid.name(cell) + grid.name(target), put(grid, {{cell, '.'}, {target, stone_of(left)}})});
            }
        }
        return found;
    }

protected:
    std::string start(int rows, int columns) const override {
        if (rows < 3) throw BadInput("expected at least three rows");
        Grid grid(rows, columns, '.');
        for (int column = 0; column < columns; ++column) grid[column] = 'x', grid[grid.size() - 1 - column] = 'o';
        return grid.text();
    }
};

// A king steps, and the cell that it leaves is blocked; kings in hand may be put on empty cells. `1,0,1:x..` has the
// kings in Left's and in Right's hand and 1 if these must be put first; without hands there is the board alone.
class KingDirt : public ColourRules {
public:
    KingDirt() : ColourRules(".xo#") {}
    std::string read(std::string_view text) const override {
        const auto colon = text.find(':');
        if (colon == std::string_view::npos) return ColourRules::read(text);
        std::uint64_t numbers[3];
        const auto said = cut_at(text.substr(0, colon), ',');
        if (said.size() != 3) throw BadInput("expected two numbers of kings and 0 or 1");
        for (std::size_t i = 0; i < 3; ++i) {
            const auto digits = stripped(said[i]);
            if (digits.size() > (i < 2 ? 4 : 1)) throw BadInput("expected at most 4 digits");
            numbers[i] = number(digits, "kings");
        }
        if (numbers[2] > 1) throw BadInput("expected 0 or 1 for kings that must be put first");
        auto rest = text.substr(colon + 1);
        while (!rest.empty() && stripped(rest.substr(0, 1)).empty()) rest.remove_prefix(1);
        return shown({numbers[0], numbers[1]}, numbers[2], ColourRules::read(rest));
    }
    BoardMoves moves(const std::string& position, bool left) const override {
        const auto [hands, first, board] = told(position);
        const Grid grid(board);
        BoardMoves found;
        const auto held = hands[left ? 0 : 1];
        for (int cell = 0; held && cell < grid.size(); ++cell) {
            if (grid[cell] != '.') continue;
            auto rest = hands;
            --rest[left ? 0 : 1];
            found.push_back({grid.name(cell), shown(rest, first, put(grid, {{cell, stone_of(left)}}))});
        }
        for (int cell = 0; !(held && first) && cell < grid.size(); ++cell)
            for (const auto& step : kAround)
                if (const int next = grid.beside(cell, step); grid[cell] == stone_of(left) && grid.at(next) == '.')
                    found.push_back({grid.name(cell) + grid.name(next),
                                     shown(hands, first, put(grid, {{cell, '#'}, {next, stone_of(left)}}))});
        return found;
    }
    Texts parts(const std::string& position) const override {
        return has_hands(position) ? Texts{position} : with_room(Grid(position));
    }
    Texts equal(const std::string& position) const override {
        return has_hands(position) ? Texts{position} : ColourRules::equal(position);
    }
    Texts opposite(const std::string& position) const override {
        return has_hands(position) ? Texts() : ColourRules::opposite(position);
    }

protected:
    std::string start(int rows, int columns) const override { return empty(rows, columns); }

private:
    using Hands = std::array<std::uint64_t, 2>;
    struct Told {
        Hands hands;
        std::uint64_t first;
        std::string board;
    };
    static bool has_hands(const std::string& position) { return position.find(':') != std::string::npos; }
    static std::string shown(const Hands& hands, std::uint64_t first, const std::string& board) {
        if (!hands[0] && !hands[1]) return board;
        return std::to_string(hands[0]) + "," + std::to_string(hands[1]) + "," + std::to_string(first) + ":" + board;
    }
    static Told told(const std::string& position) {
        const auto colon = position.find(':');
        if (colon == std::string::npos) return {{0, 0}, 0, position};
        const auto said = cut_at(position.substr(0, colon), ',');
        return {
            {number(said[0], "kings"), number(said[1], "kings")}, number(said[2], "first"), position.substr(colon + 1)};
    }
};

}  // namespace

RulesOf grid_games() {
    return {{"amazons", [] { return std::make_unique<Amazons>(); }},
            {"cannibal", [] { return std::make_unique<Clobber>(true); }},
            {"clobber", [] { return std::make_unique<Clobber>(false); }},
            {"col", [] { return std::make_unique<Colouring>(true); }},
            {"cram", [] { return std::make_unique<Dominoes>(true); }},
            {"domineering", [] { return std::make_unique<Dominoes>(false); }},
            {"fission", [] { return std::make_unique<Fission>(); }},
            {"hexapawn", [] { return std::make_unique<Hexapawn>(); }},
            {"kingdirt", [] { return std::make_unique<KingDirt>(); }},
            {"konane", [] { return std::make_unique<Konane>(); }},
            {"nogo", [] { return std::make_unique<NoGo>(); }},
            {"snort", [] { return std::make_unique<Colouring>(false); }}};
}

}  // namespace checker
