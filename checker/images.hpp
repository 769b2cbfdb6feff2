// The images of a board, from which play is the same: of a position and its images one stands for all.
//
// A claim names them by one word (docs/formats/layers.md). Each game here knows its own word and images; another word,
// or one for a game without images, is refused. Images move cells, or edges of dots and boxes; roles keep their stones.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "certificate.hpp"
#include "games.hpp"

namespace checker {

// Where each bit of a board goes.
using Moved = std::vector<unsigned>;

// The images of a rectangle but itself: bit 0 of a number turns columns round, bit 1 rows, bit 2 exchanges them.
inline std::pair<unsigned, unsigned> turned(unsigned how, unsigned rows, unsigned columns, unsigned r, unsigned c) {
    if (how & 1) c = columns - 1 - c;
    if (how & 2) r = rows - 1 - r;
    return how & 4 ? std::pair{c, r} : std::pair{r, c};
}
inline Moved moved_cells(unsigned how, unsigned rows, unsigned columns) {
    Moved to;
    for (unsigned r = 0; r < rows; ++r)
        for (unsigned c = 0; c < columns; ++c) {
            const auto [row, column] = turned(how, rows, columns, r, c);
            to.push_back(row * columns + column);
        }
    return to;
}
inline Moved moved_edges(unsigned how, unsigned rows, unsigned columns) {
    Moved to;
    const auto number = [&](bool across, unsigned r, unsigned c) {
        return across ? r * columns + c : (rows + 1) * columns + r * (columns + 1) + c;
    };
    for (const bool across : {true, false})
        for (unsigned r = 0; r < rows + across; ++r)
            for (unsigned c = 0; c < columns + !across; ++c) {
                const auto [row, column] = turned(how, rows + across, columns + !across, r, c);
                to.push_back(number(across != ((how & 4) != 0), row, column));
            }
    return to;
}

struct KnownImages {
    std::string word;
    std::vector<Moved> images;
};
template <class Cells>
KnownImages squares(unsigned rows, unsigned columns, const Cells& moved) {
    KnownImages known{"square", {}};
    for (unsigned how = 1; how < (rows == columns ? 8u : 4u); ++how) known.images.push_back(moved(how, rows, columns));
    return known;
}
inline KnownImages images_of(const Connect& g) { return {"mirror", {moved_cells(1, g.rows(), g.columns())}}; }
inline KnownImages images_of(const Breakthrough& g) { return {"mirror", {moved_cells(1, g.rows(), g.columns())}}; }
inline KnownImages images_of(const MNK& g) { return squares(g.rows(), g.columns(), moved_cells); }
inline KnownImages images_of(const Othello& g) { return squares(g.rows(), g.columns(), moved_cells); }
inline KnownImages images_of(const DotsAndBoxes& g) { return squares(g.rows(), g.columns(), moved_edges); }
inline KnownImages images_of(const Hex& g) { return {"turn", {moved_cells(3, g.size(), g.size())}}; }

// A board of bits moved, one look-up a byte.
class MovedBoard {
public:
    explicit MovedBoard(const Moved& to) {
        for (std::size_t cell = 0; cell < to.size(); ++cell)
            for (unsigned byte = 0; byte < 256; ++byte)
                if (byte >> cell % 8 & 1) table_[cell / 8][byte] |= bit(to[cell]);
        bytes_ = (to.size() + 7) / 8;
    }
    Board operator()(Board board) const {
        Board image = 0;
        for (std::size_t byte = 0; byte < bytes_; ++byte) image |= table_[byte][board >> 8 * byte & 255];
        return image;
    }

private:
    std::array<std::array<Board, 256>, 8> table_{};
    std::size_t bytes_;
};

inline Stones image(const MovedBoard& moved, const Stones& s) { return {moved(s.first), moved(s.second)}; }
inline Sided image(const MovedBoard& moved, const Sided& s) { return {moved(s.first), moved(s.second), s.turn}; }
inline Drawn image(const MovedBoard& moved, const Drawn& s) { return {moved(s.edges), s.lead, s.turn}; }
inline bool before(const Stones& a, const Stones& b) {
    return std::tie(a.first, a.second) < std::tie(b.first, b.second);
}
inline bool before(const Sided& a, const Sided& b) { return std::tie(a.first, a.second) < std::tie(b.first, b.second); }
inline bool before(const Drawn& a, const Drawn& b) { return a.edges < b.edges; }

// The images that a claim uses.
template <class Game>
class ImagesOf {
public:
    using State = typename Game::State;
    ImagesOf(const Game& game, const std::string& word) {
        if (word.empty()) return;
        if constexpr (requires { images_of(game); }) {
            const auto known = images_of(game);
            if (word != known.word) throw Refuted("this game has no images of the name " + word);
            for (const auto& to : known.images) boards_.emplace_back(to);
        } else {
            throw Refuted("this game has no images");
        }
    }
    // One and the same for a position and all its images.
    State least(const State& state) const {
        State found = state;
        if constexpr (requires(const Game& game) { images_of(game); })
            for (const auto& moved : boards_)
                if (const State other = image(moved, state); before(other, found)) found = other;
        return found;
    }

private:
    std::vector<MovedBoard> boards_;
};

}  // namespace checker
