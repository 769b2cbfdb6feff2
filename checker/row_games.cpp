// Games on one row: toads and frogs with its relatives, toppling dominoes, coins that are turned; and sheep.
#include <algorithm>
#include <set>

#include "grid.hpp"
#include "names.hpp"

namespace checker {

namespace {

// The cells of one row in small letters.
std::string one_row(std::string_view text, std::string_view allowed, const char* what) {
    if (text.size() > 10'000) throw BadInput("a board of over 10,000 cells");
    if (std::pair<std::uint64_t, std::uint64_t> size; size_of(text, size))
        throw BadInput("this game has no board to start from, expected its cells");
    const auto small = lower(text);
    if (small.empty() || small.find_first_not_of(allowed) != std::string::npos)
        throw BadInput(std::string("expected one row of ") + what);
    return small;
}

std::string turned(std::string row) {
    std::ranges::reverse(row);
    return row;
}

std::string exchanged(std::string row) {
    for (auto& c : row) c = c == 'x' ? 'o' : c == 'o' ? 'x' : c;
    return row;
}

std::size_t leading(std::string_view text, std::string_view signs) {
    return std::min(text.find_first_not_of(signs), text.size());
}

// Toads move to the right, frogs to the left: they slide onto free cells or, where the next cell is taken, jump.
class Toads : public BoardRules {
public:
    struct Strides {
        std::size_t least = 1, most = 1, jump = 1;
        bool friends = false;  // whether these are jumped over as well
    };
    explicit Toads(std::size_t jump) : strides_{1, 1, jump, false} {}
    std::string read(std::string_view text) const override { return one_row(text, ".xo", ". x o"); }
    BoardMoves moves(const std::string& row, bool left) const override { return moved(strides_, row, left); }
    Texts parts(const std::string& row) const override { return parted(strides_.jump, row); }
    Texts opposite(const std::string& row) const override { return {turned(exchanged(row))}; }

    static BoardMoves moved(const Strides& strides, const std::string& row, bool left) {
        BoardMoves found;
        const char animal = left ? 'x' : 'o';
        for (std::size_t cell = 0; cell < row.size(); ++cell) {
            if (row[cell] != animal) continue;
            const auto way = left ? row.substr(cell + 1) : turned(row.substr(0, cell));
            const auto room = leading(way, ".");
            const auto crowd = leading(way, strides.friends ? "xo" : left ? "o" : "x");
            std::size_t first = strides.least, last = std::min(room, strides.most);
            if (!room) first = last = crowd + 1;
            if (!room && (crowd > strides.jump || crowd >= way.size() || way[crowd] != '.')) continue;
            for (auto length = first; length <= last; ++length) {
                const auto target = left ? cell + length : cell - length;
                auto after = row;
                after[cell] = '.', after[target] = animal;
                found.push_back({letters(unsigned(cell)) + letters(unsigned(target)), after});
            }
        }
        return found;
    }

    // Parts between which nothing will ever pass. Let j be one more than animals jump over. A block that begins with j
    // toads and ends with j frogs never moves again: every toad in it has j animals before it, and so has every frog;
    // nobody jumps over it either. At the right end of a row, and before such a block, a block needs no frogs at its
    // end, and toads alone may be any number; at the left end likewise with frogs.
    static Texts parted(std::size_t jump, const std::string& row) {
        const std::string toads(jump + 1, 'x'), frogs(jump + 1, 'o');
        Texts pieces{""};
        for (std::size_t begin = 0; begin < row.size();) {
            const auto length = row[begin] == '.' ? leading(row.substr(begin), ".") : leading(row.substr(begin), "xo");
            const auto block = row.substr(begin, length);
            const auto from = block.find(toads), to = block.rfind(frogs);
            begin += length;
            if (from != std::string::npos && to != std::string::npos && to > from) {
                pieces.back() += block.substr(0, from);
                pieces.push_back(block.substr(to + frogs.size()));
            } else {
                pieces.back() += block;
            }
        }
        Texts found;
        for (const auto& piece : pieces)
            for (const auto& part : going_apart(jump, loose(piece, toads, frogs)))
                if (part.find('.') != std::string::npos && part.find_first_of("xo") != std::string::npos)
                    found.push_back(part);
        return found;
    }

private:
    // A piece without what is stuck at its two ends.
    static std::string loose(const std::string& piece, const std::string& toads, const std::string& frogs) {
        const auto first = piece.substr(0, piece.find('.'));
        const auto stuck = first.rfind(frogs);
        auto rest = piece.substr(stuck == std::string::npos ? leading(first, "o") : stuck + frogs.size());
        const auto free = rest.rfind('.');
        const auto begin = free == std::string::npos ? 0 : free + 1;
        const auto last = rest.substr(begin);
        const auto held = last.find(toads);
        const auto kept = held != std::string::npos ? held : last.size() - leading(turned(last), "x");
        return rest.substr(0, begin + kept);
    }
    // Where all on the left are frogs and all on the right toads, they part; if nobody jumps, so do a frog and the next
    // toad to its right wherever they are.
    static Texts going_apart(std::size_t jump, const std::string& piece) {
        const auto toad = piece.find('x'), frog = piece.rfind('o');
        if (jump) {
            const bool apart = toad != std::string::npos && (frog == std::string::npos || toad > frog);
            return apart ? Texts{piece.substr(0, toad), piece.substr(toad)} : Texts{piece};
        }
        Texts found{""};
        for (std::size_t at = 0; at < piece.size(); ++at) {
            found.back() += piece[at];
            const auto next = piece.find_first_not_of('.', at + 1);
            if (piece[at] == 'o' && next != std::string::npos && piece[next] == 'x') found.emplace_back();
        }
        for (auto& part : found)
            if (part.find('o') == std::string::npos) part.erase(0, leading(part, "."));
        return found;
    }
    Strides strides_;
};

// `1,2,1,1:x..xo.o`: the least and the longest slide, the most animals that are jumped over, 1 if friends may be.
class GeneralToads : public BoardRules {
public:
    std::string read(std::string_view text) const override {
        const auto colon = text.find(':');
        if (colon == std::string_view::npos) throw BadInput("expected four numbers, a colon and a row");
        const auto said = cut_at(text.substr(0, colon), ',');
        if (said.size() != 4) throw BadInput("expected four numbers before the row");
        Texts numbers;
        for (const auto& one : said) {
            if (stripped(one).size() > 6) throw BadInput("expected at most 6 digits");
            numbers.push_back(std::to_string(number(stripped(one), "a number before the row")));
        }
        const bool written = stripped(said[3]) == "0" || stripped(said[3]) == "1";
        const auto strides = told(numbers);
        if (!written || strides.least < 1 || strides.most < strides.least)
            throw BadInput("expected slides of at least 1, the longest not below the least, and 0 or 1 for friends");
        return joined_by(numbers, ",") + ":" + one_row(stripped(text.substr(colon + 1)), ".xo", ". x o");
    }
    BoardMoves moves(const std::string& position, bool left) const override {
        const auto colon = position.find(':') + 1;
        auto found = Toads::moved(told(cut_at(position.substr(0, colon - 1), ',')), position.substr(colon), left);
        for (auto& move : found) move.after = position.substr(0, colon) + move.after;
        return found;
    }
    Texts parts(const std::string& position) const override {
        const auto colon = position.find(':') + 1;
        auto found = Toads::parted(told(cut_at(position.substr(0, colon - 1), ',')).jump, position.substr(colon));
        for (auto& part : found) part = position.substr(0, colon) + part;
        return found;
    }

private:
    static Toads::Strides told(const Texts& numbers) {
        const auto at = [&](std::size_t i) { return std::size_t(number(numbers[i], "a stride")); };
        return {at(0), at(1), at(2), at(3) == 1};
    }
};

// A domino of one's own, or one of both sides, falls to either side, and all on that side with it.
class ToppledDominoes : public BoardRules {
public:
    std::string read(std::string_view text) const override { return text.empty() ? "" : one_row(text, "xo#", "x o #"); }
    BoardMoves moves(const std::string& row, bool left) const override {
        BoardMoves found;
        for (std::size_t at = 0; at < row.size(); ++at) {
            if (row[at] == (left ? 'o' : 'x')) continue;
            found.push_back({std::to_string(at + 1) + "<", row.substr(at + 1)});
            found.push_back({std::to_string(at + 1) + ">", row.substr(0, at)});
        }
        return found;
    }
    Texts parts(const std::string& row) const override { return row.empty() ? Texts() : Texts{row}; }
    Texts equal(const std::string& row) const override { return {row, turned(row)}; }
    Texts opposite(const std::string& row) const override { return equal(exchanged(row)); }
    Texts alike(const std::string& row) const override { return equal(row); }
};

// Coins of a row are turned, the last of them from heads to tails. A position is the game and the coins up to the last
// head: `mock:THH`.
class Turning : public BoardRules {
public:
    std::string read(std::string_view text) const override {
        const auto colon = text.find(':');
        const auto name = stripped(text.substr(0, colon));
        if (colon == std::string_view::npos ||
            (name != "mock" && name != "ruler" && name != "turtles" && name != "twins"))
            throw BadInput("expected mock, ruler, turtles or twins, a colon and coins");
        const auto row = lower(stripped(text.substr(colon + 1)));
        if (row.size() > 200 || row.find_first_not_of("ht") != std::string::npos)
            throw BadInput("expected up to 200 coins H or T");
        return shown(name, row);
    }
    BoardMoves moves(const std::string& position, bool) const override {
        const auto name = position.substr(0, position.find(':'));
        const auto row = lower(position.substr(name.size() + 1));
        BoardMoves found;
        for (std::size_t last = 0; last < row.size(); ++last) {
            if (row[last] != 'h') continue;
            for (auto coins : others(name, last)) {
                coins.push_back(last);
                auto after = row;
                Texts names;
                for (const auto at : coins)
                    after[at] = row[at] == 'h' ? 't' : 'h', names.push_back(letters(unsigned(at)));
                found.push_back({joined_by(names, row.size() <= 26 ? "" : ","), shown(name, after)});
            }
        }
        return found;
    }
    // Every head alone: to turn a coin back is to add a second copy of it, and equal impartial games cancel.
    Texts parts(const std::string& position) const override {
        const auto name = position.substr(0, position.find(':') + 1), row = position.substr(name.size());
        Texts found;
        for (std::size_t at = 0; at < row.size(); ++at)
            if (row[at] == 'H') found.push_back(name + std::string(at, 'T') + "H");
        return found;
    }

private:
    static std::string shown(const std::string& name, const std::string& row) {
        std::string kept = row.substr(0, row.find_last_of('h') + 1);
        for (auto& c : kept) c = c == 'h' ? 'H' : 'T';
        return name + ":" + kept;
    }
    // Coins before the last that may be turned with it.
    static std::vector<std::vector<std::size_t>> others(const std::string& name, std::size_t last) {
        std::vector<std::vector<std::size_t>> found;
        if (name == "ruler") {
            for (std::size_t first = 0; first <= last; ++first) {
                found.emplace_back();
                for (auto at = first; at < last; ++at) found.back().push_back(at);
            }
            return found;
        }
        if (name != "twins") found.push_back({});
        for (std::size_t one = 0; one < last; ++one) found.push_back({one});
        for (std::size_t one = 0; name == "mock" && one < last; ++one)
            for (auto two = one + 1; two < last; ++two) found.push_back({one, two});
        return found;
    }
};

// A herd of at least two splits, and a part of it walks over hexagons until something stops it.
class Sheep : public BoardRules {
public:
    std::string read(std::string_view text) const override {
        Texts rows;
        std::size_t width = 0;
        for (const auto& line : cut_at(text, '|')) {
            Texts herds;
            for (const auto& word : words(line)) {
                const auto digits = word.starts_with("-") ? word.substr(1) : word;
                const bool herd = !digits.empty() && digits.size() <= 2 &&
                                  digits.find_first_not_of("0123456789") == std::string::npos;
                if (word != "#" && !(herd && number(digits, "a herd") <= 50))
                    throw BadInput("expected a herd of up to 50 sheep, or #");
                const auto size = word == "#" ? "#" : std::to_string(number(digits, "a herd"));
                herds.push_back(word.starts_with("-") && size != "0" ? "-" + size : size);
            }
            if (rows.empty()) width = herds.size();
            if (herds.empty() || herds.size() != width || width * (rows.size() + 1) > 400)
                throw BadInput("expected rows of the same length, up to 400 cells in all");
            rows.push_back(joined_by(herds, ","));
        }
        return joined_by(rows, "|");
    }
    BoardMoves moves(const std::string& position, bool left) const override {
        const Field field(position);
        BoardMoves found;
        for (int cell = 0; cell < int(field.herds.size()); ++cell) {
            const int sheep = field.sheep(cell) * (left ? 1 : -1);
            for (const auto& step : kHexagons) {
                int end = cell;
                if (sheep < 2) break;
                for (int next = field.beside(end, step); next >= 0 && field.herds[std::size_t(next)] == "0";
                     next = field.beside(end, step))
                    end = next;
                for (int walking = 1; end != cell && walking < sheep; ++walking) {
                    auto after = field;
                    after.herds[std::size_t(cell)] = std::to_string(left ? sheep - walking : walking - sheep);
                    after.herds[std::size_t(end)] = std::to_string(left ? walking : -walking);
                    found.push_back({field.name(cell) + field.name(end) + "*" + std::to_string(walking), after.text()});
                }
            }
        }
        return found;
    }
    // Herds of one never move: they part the board as blocked cells do.
    Texts parts(const std::string& position) const override {
        const Field field(position);
        std::vector<int> points;
        for (int cell = 0; cell < int(field.herds.size()); ++cell)
            if (const auto& herd = field.herds[std::size_t(cell)]; herd != "#" && herd != "1" && herd != "-1")
                points.push_back(cell);
        Texts found;
        const auto near = [&](int cell) {
            std::vector<int> beside;
            for (const auto& step : kHexagons) beside.push_back(field.beside(cell, step));
            return beside;
        };
        for (const auto& part : hanging_together(points, near)) {
            const auto free =
                std::ranges::count_if(part, [&](int cell) { return field.herds[std::size_t(cell)] == "0"; });
            if (free && std::size_t(free) < part.size()) found.push_back(field.drawn(part));
        }
        return found;
    }

private:
    // Up, to the upper right, right, down, to the lower left, left.
    inline static const Steps kHexagons{{-1, 0}, {-1, 1}, {0, 1}, {1, 0}, {1, -1}, {0, -1}};
    struct Field {
        int columns = 0;
        Texts herds;
        explicit Field(const std::string& position) {
            for (const auto& row : cut_at(position, '|')) {
                const auto cells = cut_at(row, ',');
                columns = int(cells.size());
                herds.insert(herds.end(), cells.begin(), cells.end());
            }
        }
        Field(int wide, Texts cells) : columns(wide), herds(std::move(cells)) {}
        int sheep(int cell) const {
            const auto& herd = herds[std::size_t(cell)];
            if (herd == "#") return 0;
            const bool minus = herd.starts_with("-");
            return int(number(herd.substr(minus ? 1 : 0), "a herd")) * (minus ? -1 : 1);
        }
        int beside(int cell, const std::pair<int, int>& step) const {
            const int row = cell / columns + step.first, column = cell % columns + step.second;
            const bool inside = row >= 0 && row * columns < int(herds.size()) && column >= 0 && column < columns;
            return inside ? row * columns + column : -1;
        }
        std::string name(int cell) const { return cell_name(unsigned(cell), unsigned(columns)); }
        std::string text() const {
            Texts rows;
            for (std::size_t at = 0; at < herds.size(); at += std::size_t(columns))
                rows.push_back(
                    joined_by({herds.begin() + std::ptrdiff_t(at), herds.begin() + std::ptrdiff_t(at) + columns}, ","));
            return joined_by(rows, "|");
        }
        std::string drawn(const std::vector<int>& part) const {
            int west = columns, east = 0;
            for (const auto cell : part) west = std::min(west, cell % columns), east = std::max(east, cell % columns);
            const int top = part.front() / columns, bottom = part.back() / columns;
            Texts cells;
            for (int row = top; row <= bottom; ++row)
                for (int column = west; column <= east; ++column)
                    cells.push_back(std::ranges::binary_search(part, row * columns + column)
                                        ? herds[std::size_t(row * columns + column)]
                                        : "#");
            return Field(east - west + 1, cells).text();
        }
    };
    // What stands between blanks and commas.
    static Texts words(std::string_view line) {
        Texts found(1);
        for (std::size_t at = 0; at < line.size(); ++at) {
            const bool blank = line[at] == ',' || stripped(line.substr(at, 1)).empty();
            if (!blank) found.back() += line[at];
            else if (!found.back().empty()) found.emplace_back();
        }
        if (found.back().empty()) found.pop_back();
        return found;
    }
};

}  // namespace

RulesOf row_games() {
    return {{"dominoes", [] { return std::make_unique<ToppledDominoes>(); }},
            {"elephants", [] { return std::make_unique<Toads>(0); }},
            {"gentoads", [] { return std::make_unique<GeneralToads>(); }},
            {"sheep", [] { return std::make_unique<Sheep>(); }},
            {"toads", [] { return std::make_unique<Toads>(1); }},
            {"turning", [] { return std::make_unique<Turning>(); }}};
}

}  // namespace checker
