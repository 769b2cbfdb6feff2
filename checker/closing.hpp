// Rules that close a position: they show at a glance that the owner gets what is claimed from there on.
//
// docs/formats/layers.md defines each and proves it. A claim names the rules that it uses; one that is not known for
// the game is refused. The position is never over when a rule is asked.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

#include "certificate.hpp"
#include "ending.hpp"
#include "games.hpp"

namespace checker {

// at-once: the owner is to move, and one of his moves ends the game with at least what is claimed.
template <class Game>
bool ends_at_once(const Game& game, const typename Game::State& state, int owner, Score at_least) {
    if (game.turn(state) != owner) return false;
    thread_local std::vector<std::uint32_t> moves;
    moves.clear();
    game.moves(state, moves);
    for (const auto move : moves) {
        Score share = 0;
        if (ended_by_move(game, game.play(state, move), owner, share) && share >= at_least) return true;
    }
    return false;
}

// The same of k in a row, where a move that ends the game makes a line or fills the board.
template <class Game>
bool row_at_once(const Game& game, const Stones& s, int owner, Score at_least) {
    if (game.turn(s) != owner || at_least > 1) return false;
    const auto stones = owner == 0 ? s.first : s.second, free = game.full() & ~(s.first | s.second);
    if (at_least <= 0 && (free & (free - 1)) == 0) return true;
    return (game.landings(s) & game.completing(stones)) != 0;
}
inline bool ends_at_once(const Connect& game, const Stones& s, int owner, Score at_least) {
    return row_at_once(game, s, owner, at_least);
}
inline bool ends_at_once(const MNK& game, const Stones& s, int owner, Score at_least) {
    return row_at_once(game, s, owner, at_least);
}

inline Board own(const Stones& s, int owner) { return owner == 0 ? s.first : s.second; }
inline Board others(const Stones& s, int owner) { return owner == 0 ? s.second : s.first; }

// lines: every line holds a stone of the owner.
inline bool lines_are_broken(const Rows& game, const Stones& s, int owner, Score at_least) {
    return at_least <= 0 && !game.complete(game.full() & ~own(s, owner));
}

// claimeven: the other leads, the owner follows in his column.
class Claimeven {
public:
    explicit Claimeven(const Connect& game) : game_(game) {
        for (unsigned cell = 0; cell < game.rows() * game.columns(); ++cell)
            if (cell / game.columns() % 2 == 1) odd_above_ |= bit(cell);
    }
    bool closes(const Stones& s, int owner, Score at_least) const {
        const auto free = game_.full() & ~(s.first | s.second);
        if (!odd(free) == (game_.turn(s) == owner) || at_least > 1) return false;
        const auto led = game_.landings(s) | (free & odd_above_);
        if (game_.complete(others(s, owner) | led)) return false;
        return at_least <= 0 || game_.complete(own(s, owner) | (free & ~led));
    }

private:
    const Connect& game_;
    Board odd_above_ = 0;
};

// pairs: each line that the owner has not broken gets two free cells of its own, greedily in a fixed order.
class LinePairs {
public:
    explicit LinePairs(const MNK& game) : game_(game) {
        const int rows = int(game.rows()), columns = int(game.columns()), k = int(game.k());
        for (const auto& [down, right] : {std::array{0, 1}, std::array{1, 0}, std::array{1, 1}, std::array{1, -1}}) {
            for (int r = 0; r < rows; ++r)
                for (int c = 0; c < columns; ++c) {
                    const int last_row = r + down * (k - 1), last = c + right * (k - 1);
                    if (last_row >= rows || last < 0 || last >= columns) continue;
                    Board line = 0;
                    for (int i = 0; i < k; ++i) line |= bit(unsigned((r + i * down) * columns + c + i * right));
                    lines_.push_back(line);
                }
            if (k == 1) break;  // a cell is one line, not four
        }
    }
    bool closes(const Stones& s, int owner, Score at_least) const {
        if (at_least > 0) return false;
        const auto stones = own(s, owner), free = game_.full() & ~(s.first | s.second);
        return taken(lines_, stones, free) || taken(std::views::reverse(lines_), stones, free);
    }

private:
    template <class Lines>
    static bool taken(const Lines& lines, Board stones, Board free) {
        std::array<Board, 32> pairs{};
        std::size_t count = 0;
        for (const Board line : lines) {
            if (line & stones) continue;
            bool held = false;
            for (std::size_t i = 0; i < count && !held; ++i) held = (line & pairs[i]) == pairs[i];
            if (held) continue;
            const auto left = line & free, others = left & (left - 1);
            if (!others) return false;
            pairs[count] = (left & (~left + 1)) | (others & (~others + 1));
            free &= ~pairs[count++];
        }
        return true;
    }
    const MNK& game_;
    std::vector<Board> lines_;
};

// bridges: pairs of free cells, taken greedily in a fixed order, join the owner's stones from side to side.
class BridgePairs {
public:
    explicit BridgePairs(const Hex& game) : game_(game), size_(int(game.size())) {
        for (int role = 0; role < 2; ++role)
            for (int r = 0; r < size_; ++r)
                for (int c = 0; c < size_; ++c) {
                    add(role, {r, c}, {r, c + 1}, {r - 1, c + 1}, {r + 1, c});
                    add(role, {r, c}, {r + 1, c}, {r, c + 1}, {r + 1, c - 1});
                    add(role, {r, c}, {r + 1, c - 1}, {r, c - 1}, {r + 1, c});
                }
    }
    bool closes(const Stones& s, int owner, Score at_least) const {
        if (at_least > 1) return false;
        const auto& pairs = pairs_[std::size_t(owner)];
        const auto stones = own(s, owner), free = game_.free(s);
        const auto groups = groups_of(stones, owner);
        return joined(pairs, stones, free, groups) || joined(std::views::reverse(pairs), stones, free, groups);
    }

private:
    struct Place {
        int row, column;
    };
    struct Bridge {
        unsigned one, two, from, to;  // two cells, and the two places that touch both
    };
    static constexpr unsigned kSides = 64;  // the places 64 and 65 are the owner's two sides
    using Groups = std::array<std::uint8_t, 66>;

    bool inside(Place p) const { return p.row >= 0 && p.row < size_ && p.column >= 0 && p.column < size_; }
    unsigned cell(Place p) const { return unsigned(p.row * size_ + p.column); }
    // A cell, or the side that a place beyond the board lies behind; 66: behind a side of the other.
    unsigned place(int role, Place p) const {
        if (inside(p)) return cell(p);
        const bool own_side = role == 0 ? p.column >= 0 && p.column < size_ : p.row >= 0 && p.row < size_;
        return !own_side ? 66 : (role == 0 ? p.row : p.column) < 0 ? kSides : kSides + 1;
    }
    void add(int role, Place one, Place two, Place from, Place to) {
        if (!inside(two) || place(role, from) == 66 || place(role, to) == 66) return;
        pairs_[std::size_t(role)].push_back({cell(one), cell(two), place(role, from), place(role, to)});
    }
    static unsigned found(const Groups& groups, unsigned at) {
        while (groups[at] != at) at = groups[at];
        return at;
    }
    static void join(Groups& groups, unsigned a, unsigned b) {
        groups[found(groups, a)] = static_cast<std::uint8_t>(found(groups, b));
    }
    Groups groups_of(Board stones, int owner) const {
        Groups groups;
        std::iota(groups.begin(), groups.end(), std::uint8_t{0});
        for (auto left = stones; left; left &= left - 1) {
            const auto here = unsigned(std::countr_zero(left));
            const int r = int(here) / size_, c = int(here) % size_, along = owner == 0 ? r : c;
            for (const Place near : {Place{r, c + 1}, Place{r + 1, c}, Place{r + 1, c - 1}})
                if (inside(near) && has(stones, cell(near))) join(groups, here, cell(near));
            if (along == 0) join(groups, here, kSides);
            if (along == size_ - 1) join(groups, here, kSides + 1);
        }
        return groups;
    }
    template <class Pairs>
    static bool joined(const Pairs& pairs, Board stones, Board free, Groups groups) {
        const auto owned = [&](unsigned at) { return at >= kSides || has(stones, at); };
        for (const auto& pair : pairs) {
            if (!has(free, pair.one) || !has(free, pair.two) || !owned(pair.from) || !owned(pair.to)) continue;
            if (found(groups, pair.from) == found(groups, pair.to)) continue;
            join(groups, pair.from, pair.to);
            free &= ~(bit(pair.one) | bit(pair.two));
        }
        return found(groups, kSides) == found(groups, kSides + 1);
    }
    const Hex& game_;
    int size_;
    std::array<std::vector<Bridge>, 2> pairs_;
};

// The rules of a game but `at-once`: their names, and whether the one at a place in that list closes a position.
template <class Game>
class OwnRules {
public:
    explicit OwnRules(const Game&) {}
    static std::vector<std::string> names() { return {}; }
    bool closes(std::size_t, const typename Game::State&, int, Score) const { return false; }
};
template <>
class OwnRules<Connect> {
public:
    explicit OwnRules(const Connect& game) : game_(game), claimeven_(game) {}
    static std::vector<std::string> names() { return {"lines", "claimeven"}; }
    bool closes(std::size_t rule, const Stones& s, int owner, Score at_least) const {
        return rule == 0 ? lines_are_broken(game_, s, owner, at_least) : claimeven_.closes(s, owner, at_least);
    }

private:
    const Connect& game_;
    Claimeven claimeven_;
};
template <>
class OwnRules<MNK> {
public:
    explicit OwnRules(const MNK& game) : game_(game), pairs_(game) {}
    static std::vector<std::string> names() { return {"lines", "pairs"}; }
    bool closes(std::size_t rule, const Stones& s, int owner, Score at_least) const {
        return rule == 0 ? lines_are_broken(game_, s, owner, at_least) : pairs_.closes(s, owner, at_least);
    }

private:
    const MNK& game_;
    LinePairs pairs_;
};
template <>
class OwnRules<Hex> {
public:
    explicit OwnRules(const Hex& game) : bridges_(game) {}
    static std::vector<std::string> names() { return {"bridges"}; }
    bool closes(std::size_t, const Stones& s, int owner, Score at_least) const {
        return bridges_.closes(s, owner, at_least);
    }

private:
    BridgePairs bridges_;
};
// lead: it is enough even if the other gets every box that nobody owns yet.
template <>
class OwnRules<DotsAndBoxes> {
public:
    explicit OwnRules(const DotsAndBoxes& game) : game_(game) {}
    static std::vector<std::string> names() { return {"lead"}; }
    bool closes(std::size_t, const Drawn& s, int owner, Score at_least) const {
        Score open = 0;
        for (const auto box : game_.boxes()) open += (s.edges & box) != box;
        return (owner == 0 ? s.lead : -s.lead) - open >= at_least;
    }

private:
    const DotsAndBoxes& game_;
};

// The rules that a claim uses.
template <class Game>
class ClosingOf {
public:
    using State = typename Game::State;
    ClosingOf(const Game& game, const std::vector<std::string>& rules, int owner, Score at_least)
        : game_(game), own_(game), owner_(owner), at_least_(at_least) {
        const auto names = OwnRules<Game>::names();
        for (const auto& rule : rules) {
            const auto found = std::ranges::find(names, rule);
            if (rule == "at-once") at_once_ = true;
            else if (found != names.end()) rules_.push_back(static_cast<std::size_t>(found - names.begin()));
            else throw Refuted("no rule of the name " + rule + " closes positions of this game");
        }
    }
    bool closes(const State& state) const {
        if (at_once_ && ends_at_once(game_, state, owner_, at_least_)) return true;
        for (const auto rule : rules_)
            if (own_.closes(rule, state, owner_, at_least_)) return true;
        return false;
    }

private:
    const Game& game_;
    OwnRules<Game> own_;
    std::vector<std::size_t> rules_;
    int owner_;
    Score at_least_;
    bool at_once_ = false;
};

}  // namespace checker
