// Hex on n x n: black (first) joins top and bottom, white (second) left and right.
//
// Cells are numbered row by row without spare columns (11 x 11 fits two words); shifts that would wrap are masked.
// Connection is a flood fill of whole boards of bits. As in mnk.hpp the state is seen from the mover's side; a
// spare cell behind the board marks the second role's turn.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "games/bridges.hpp"
#include "games/picks.hpp"
#include "zermelo/bits.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

template <std::size_t W>
class Hex {
public:
    using Set = Bits<W>;
    struct State {
        Set own, other;  // the mover's stones (and the mark of the turn), the other's
        bool operator==(const State&) const = default;
    };

    explicit Hex(unsigned size)
        : size_(size), board_(Set::below(size * size)), mark_(Set::cell(64 * W - 1)), bridges_(size) {
        for (unsigned i = 0; i < size; ++i) {
            edge_[0][0] = edge_[0][0] | Set::cell(i);
            edge_[0][1] = edge_[0][1] | Set::cell((size - 1) * size + i);
            edge_[1][0] = edge_[1][0] | Set::cell(i * size);
            edge_[1][1] = edge_[1][1] | Set::cell(i * size + size - 1);
        }
        not_left_ = board_ & ~edge_[1][0];
        not_right_ = board_ & ~edge_[1][1];
        std::vector<Move> order;
        board_.each([&](unsigned cell) { order.push_back(cell); });
        std::stable_sort(order.begin(), order.end(), [&](Move a, Move b) { return off_centre(a) < off_centre(b); });
        centre_.resize(order.size());
        for (unsigned i = 0; i < order.size(); ++i) centre_[order[i]] = i;
    }
    static bool fits(std::int64_t size) {
        constexpr auto kMost = static_cast<std::int64_t>(64 * W);
        return size > 0 && size < kMost && size * size < kMost;
    }

    State start() const { return {}; }
    int turn(const State& s) const { return (s.own & mark_).any() ? 1 : 0; }
    Ending ending(const State& s) const {
        const int mover = turn(s);
        return {joined(s.other, 1 - mover), mover == 0 ? -1 : 1};
    }
    void moves(const State& s, std::vector<Move>& out) const {
        empty(s).each([&](unsigned cell) { out.push_back(cell); });
    }
    State play(const State& s, Move move) const {
        const auto mark = s.own & mark_;
        return {s.other | (mark ^ mark_), (s.own ^ mark) | Set::cell(move)};
    }
    Score worst() const { return -1; }
    Score best() const { return 1; }
    Score step() const { return 2; }  // no draws

    // The smaller of the position and the board turned by half.
    State canon(const State& s) const {
        const auto mark = s.own & mark_;
        const State image{half_turn(s.own ^ mark) | mark, half_turn(s.other)};
        return image.other < s.other || (image.other == s.other && image.own < s.own) ? image : s;
    }

    std::string_view images() const { return "turn"; }
    State least_image(const State& s) const { return canon(s); }
    Closing closing() const {
        static constexpr std::array<std::string_view, 2> kRules{"at-once", "bridges"};
        return kRules;
    }
    // Whoever ends the game wins, so the bound does not matter.
    bool closed(const State& s, int owner, Score) const {
        const bool moves = turn(s) == owner;
        const auto mine = moves ? s.own & board_ : s.other;
        const auto free = empty(s);
        return (moves && joining(mine, free, owner).any()) || bridges_.joined_by_pairs(mine, free, owner);
    }

    // Join at once if you can, or complete a path that cannot be cut; else stay in the region where the other's
    // threats to do so can be met (bridges.hpp). Outside it every move loses, and if it is empty all moves lose alike.
    bool narrow(const State& s, std::vector<Move>& out) const {
        const int mover = turn(s);
        const auto free = empty(s);
        const auto own = s.own & board_;
        if (const auto wins = joining(own, free, mover); wins.any()) return out.push_back(wins.lowest()), true;
        if (const auto threats = joining(s.other, free, 1 - mover); threats.any())
            return out.push_back(threats.lowest()), true;
        if (const auto mine = bridges_.threats(own, free, mover); mine.wins.any())
            return out.push_back(mine.wins.lowest()), true;
        const auto region = bridges_.threats(s.other, free, 1 - mover).region & free;
        if (!region.any()) return out.push_back(free.lowest()), true;
        const auto begin = out.size();
        region.each([&](unsigned cell) { out.push_back(cell); });
        order(s, std::span<Move>(out).subspan(begin));
        return true;
    }
    // First the cells on paths that need few more stones, for the mover and for the other; the centre breaks ties.
    void order(const State& s, std::span<Move> moves) const {
        const int mover = turn(s);
        const auto free = empty(s);
        std::array<typename Bridges<W>::Distances, 4> far;
        for (int side = 0; side < 2; ++side) {
            bridges_.distances(s.own & board_, free, mover, side, far[static_cast<std::size_t>(side)]);
            bridges_.distances(s.other, free, 1 - mover, side, far[static_cast<std::size_t>(2 + side)]);
        }
        const auto weight = [&](Move cell) {
            unsigned sum = 0;
            for (const auto& distances : far) sum += distances[cell];
            return sum << 16 | centre_[cell];
        };
        std::sort(moves.begin(), moves.end(), [&](Move a, Move b) { return weight(a) < weight(b); });
    }

    // Playing on after a side is joined changes nothing, and the full board has exactly one winner (Gale 1979): so a
    // uniformly random game is a uniformly random division of the empty cells (as in MoHex: Arneson, Hayward and
    // Henderson 2010). The division starts from independent fair bits, which makes all sets of one size alike, and
    // is put right by adding or taking away uniformly random cells.
    Score playout(const State& s, Random& random) const {
        const int mover = turn(s);
        const auto free = empty(s);
        const auto count = static_cast<int>(free.count());
        const auto want = (count + 1) / 2;
        Set mine;
        for (auto& word : mine.word) word = random.next();
        mine = mine & free;
        auto have = static_cast<int>(mine.count());
        Picks picks(random);
        const bool add = have < want;
        while (have != want) {
            const auto cell = picks.below(size_ * size_);
            if (!free.has(cell) || mine.has(cell) == add) continue;
            mine.word[cell / 64] ^= std::uint64_t{1} << cell % 64;
            have += add ? 1 : -1;
        }
        return joined((s.own & board_) | mine, mover) == (mover == 0) ? 1 : -1;
    }

private:
    static_assert(64 * W <= Picks::kMost);

    Set empty(const State& s) const { return board_ & ~(s.own | s.other); }
    unsigned off_centre(Move cell) const {
        const auto r = 2 * static_cast<int>(cell / size_) - static_cast<int>(size_ - 1);
        const auto c = 2 * static_cast<int>(cell % size_) - static_cast<int>(size_ - 1);
        // Steps to the centre: cells up-right and down-left touch, the other diagonal does not.
        return static_cast<unsigned>(std::max({std::abs(r), std::abs(c), std::abs(r + c)}));
    }
    // The set and all cells that touch it.
    Set spread(const Set& set) const {
        const auto left = set & not_left_, right = set & not_right_;
        return (set | (set << size_) | (set >> size_) | (right << 1) | (left >> 1) | (left << (size_ - 1)) |
                (right >> (size_ - 1))) &
               board_;
    }
    // What of `stones` is connected with `seeds`, a subset of it.
    Set fill(Set seeds, const Set& stones) const {
        while (true) {
            const auto next = spread(seeds) & stones;
            if (next == seeds) return seeds;
            seeds = next;
        }
    }
    bool joined(const Set& stones, int role) const {
        const auto& [from, to] = edge_[static_cast<std::size_t>(role)];
        auto reached = stones & from;
        if (!reached.any() || !(stones & to).any()) return false;
        while (true) {
            if ((reached & to).any()) return true;
            const auto next = spread(reached) & stones;
            if (next == reached) return false;
            reached = next;
        }
    }
    // Free cells that touch (or lie on) both sides' stones: those that would join them.
    Set joining(const Set& stones, const Set& free, int role) const {
        const auto& [from, to] = edge_[static_cast<std::size_t>(role)];
        const auto near = free & (from | spread(fill(stones & from, stones)));
        return near & (to | spread(fill(stones & to, stones)));
    }
    // Cell i goes to n * n - 1 - i: the order of all bits is reversed.
    Set half_turn(const Set& set) const {
        Set turned;
        for (std::size_t i = 0; i < W; ++i) turned.word[W - 1 - i] = reversed(set.word[i]);
        return turned >> static_cast<unsigned>(64 * W - size_ * size_);
    }
    static std::uint64_t reversed(std::uint64_t word) {
        const auto swap = [&](unsigned by, std::uint64_t mask) { word = (word >> by & mask) | (word & mask) << by; };
        swap(1, 0x5555555555555555ull);
        swap(2, 0x3333333333333333ull);
        swap(4, 0x0f0f0f0f0f0f0f0full);
        swap(8, 0x00ff00ff00ff00ffull);
        swap(16, 0x0000ffff0000ffffull);
        return std::rotl(word, 32);
    }

    unsigned size_;
    Set board_, mark_, not_left_, not_right_;
    std::array<std::array<Set, 2>, 2> edge_{};  // by role: the two sides to join
    Bridges<W> bridges_;
    std::vector<unsigned> centre_;  // by cell: its place in the order from the centre outwards
};

}  // namespace zermelo
