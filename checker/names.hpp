// How games of the library write positions and moves in certificates of version 1, and what else tables ask of a game.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "games.hpp"

namespace checker {

inline std::string letters(unsigned column) {  // a to z, then aa, ab and so on
    std::string name;
    for (++column; column; column = (column - 1) / 26) name.insert(name.begin(), char('a' + (column - 1) % 26));
    return name;
}
inline std::string cell_name(unsigned cell, unsigned columns) {
    return letters(cell % columns) + std::to_string(cell / columns + 1);
}
inline std::string cells(Board first, Board second, unsigned count, const char* marks) {
    std::string text = "'";
    for (unsigned cell = 0; cell < count; ++cell)
        text += has(first, cell) ? marks[0] : has(second, cell) ? marks[1] : '.';
    return text + "'";
}

inline std::string key_of(const Rows& game, const Stones& s) {
    return cells(s.first, s.second, game.rows() * game.columns(), "xo");
}
inline std::string name_of(const MNK& game, const Stones&, std::uint32_t cell) {
    return cell_name(cell, game.columns());
}
inline std::string name_of(const Connect&, const Stones&, std::uint32_t column) { return letters(column); }

inline std::string key_of(const Hex& game, const Stones& s) {
    return cells(s.first, s.second, game.size() * game.size(), "bw");
}
inline std::string name_of(const Hex& game, const Stones&, std::uint32_t cell) { return cell_name(cell, game.size()); }

template <class Game>
std::string key_of(const Game& game, const Sided& s) {
    return "(" + cells(s.first, s.second, game.rows() * game.columns(), "bw") + "," + std::to_string(s.turn) + ")";
}
inline std::string name_of(const Breakthrough& game, const Sided& s, std::uint32_t move) {
    const auto name = [&](unsigned cell) {  // row 1 is at the bottom
        return letters(cell % game.columns()) + std::to_string(game.rows() - cell / game.columns());
    };
    const auto from = move / 3, to = (s.turn ? from - game.columns() : from + game.columns()) + move % 3 - 1;
    return name(from) + name(to);
}
inline std::string name_of(const Othello& game, const Sided&, std::uint32_t cell) {
    return cell == Othello::kPass ? "pass" : cell_name(cell, game.columns());
}

inline std::string key_of(const DotsAndBoxes&, const Drawn& s) {
    return "(" + std::to_string(s.edges) + "," + std::to_string(s.lead) + "," + std::to_string(s.turn) + ")";
}
// An edge by its two dots: to the right of the first, or down from it.
inline std::string name_of(const DotsAndBoxes& game, const Drawn&, std::uint32_t edge) {
    const auto across = (game.rows() + 1) * game.columns();
    const bool down = edge >= across;
    const auto width = down ? game.columns() + 1 : game.columns(), at = down ? edge - across : edge;
    const auto row = at / width, column = at % width;
    return letters(column) + std::to_string(row + 1) + letters(column + !down) + std::to_string(row + 1 + down);
}

// A move as somebody wrote it, as the game writes it.
template <class Game>
std::string meant_by(const Game&, const std::string& written) {
    return written;
}
// The dots of an edge may come in either order.
inline std::string meant_by(const DotsAndBoxes& game, const std::string& written) {
    const auto wanted = lower(written);
    std::size_t second = 1;
    while (second < wanted.size() && !(wanted[second] >= 'a' && wanted[second] <= 'z')) ++second;
    if (second >= wanted.size()) return written;
    const auto swapped = wanted.substr(second) + wanted.substr(0, second);
    std::vector<std::uint32_t> all;
    game.moves(game.start(), all);
    for (const auto edge : all)
        if (name_of(game, game.start(), edge) == swapped) return swapped;
    return written;
}

// The rules of a game with all of this.
template <class Rules>
class Library : public Rules {
public:
    using Rules::Rules;
    using State = typename Rules::State;
    using Layered = Rules;  // what layers are checked by
    static constexpr bool kFromLibrary = true;
    const Layered& layered() const { return *this; }

    std::vector<std::string> roles() const { return {Rules::roles()[0], Rules::roles()[1]}; }
    Score endless(int) const { return 0; }
    std::string starter(const State& state) const { return Rules::roles()[std::size_t(this->turn(state))]; }
    std::string key(const State& state) const { return key_of(layered(), state); }
    std::string text(const State& state, std::uint32_t move) const { return name_of(layered(), state, move); }
    std::string meant(const std::string& written) const { return meant_by(layered(), written); }
    std::optional<std::uint32_t> move_in_full(const State&, const std::vector<std::uint32_t>&,
                                              const std::string&) const {
        return std::nullopt;
    }
};

}  // namespace checker
