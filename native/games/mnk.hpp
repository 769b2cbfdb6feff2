// k in a row on a board of rows x columns: tic-tac-toe is 3, 3, 3; gomoku (free style) is n, n, 5.
//
// Rows are stored with one spare column, so that shifting a set of stones never wraps from one row into the next.
// The state is seen from the mover's side, so that the end of the game asks of one set only: has the one who just
// moved a line? The last spare cell, in the mover's set, is the second role's mark that it is his turn.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "games/lines.hpp"
#include "games/permute.hpp"
#include "games/picks.hpp"
#include "zermelo/bits.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

template <std::size_t W>
class Mnk {
public:
    using Set = Bits<W>;
    struct State {
        Set own, other;  // the mover's stones (and the mark of the turn), the other's
        bool operator==(const State&) const = default;
    };

    Mnk(unsigned rows, unsigned columns, unsigned k)
        : rows_(rows), columns_(columns), stride_(columns + 1), board_(cells(rows, columns)),
          mark_(Set::cell(rows * stride_ - 1)), lines_(k, {1, stride_, stride_ + 1, stride_ - 1}, board_) {
        board_.each([&](unsigned cell) { order_.push_back(cell); });
        std::vector<unsigned> weight(64 * W);
        for (const auto& line : lines_.masks()) line.each([&](unsigned cell) { ++weight[cell]; });
        std::stable_sort(order_.begin(), order_.end(), [&](Move a, Move b) { return weight[a] > weight[b]; });
        make_symmetries();
        make_ranks();
    }
    static bool fits(std::int64_t rows, std::int64_t columns) {
        constexpr auto kMost = static_cast<std::int64_t>(64 * W);
        return rows > 0 && columns > 0 && rows <= kMost && columns < kMost && rows * (columns + 1) <= kMost;
    }

    State start() const { return {}; }
    int turn(const State& s) const { return (s.own & mark_).any() ? 1 : 0; }
    Ending ending(const State& s) const {
        if (lines_.complete(s.other)) return {true, turn(s) == 0 ? -1 : 1};
        return {!empty(s).any(), 0};
    }
    void moves(const State& s, std::vector<Move>& out) const {
        empty(s).each([&](unsigned cell) { out.push_back(cell); });
    }
    State play(const State& s, Move move) const {
        const auto mark = s.own & mark_;
        return {s.other | (mark ^ mark_), (s.own ^ mark) | Set::cell(move)};
    }
    static constexpr Score worst() { return -1; }
    static constexpr Score best() { return 1; }
    // evaluate() counts a line won as 600 points; on large boards the open lines alone could add up to more.
    Score unit() const { return std::max<Score>(600, 301 + static_cast<Score>(lines_.masks().size())); }

    // Who has no line left that the other has not broken cannot win any more.
    Bounds bounds(const State& s) const {
        const bool own = lines_.complete(board_ & ~s.other), other = lines_.complete(board_ & ~s.own);
        return turn(s) == 0 ? Bounds{other ? -1 : 0, own ? 1 : 0} : Bounds{own ? -1 : 0, other ? 1 : 0};
    }

    // The smallest of its mirror images. Late positions are left alone: few of them meet their images, and the
    // work grows with the stones.
    State canon(const State& s) const {
        const auto mark = s.own & mark_;
        const auto own = s.own ^ mark;
        if (own.count() + s.other.count() > kCanonStones) return s;
        State best{own, s.other};
        for (const auto& image : symmetries_) {
            const State turned{turn_set(own, image), turn_set(s.other, image)};
            if (turned.other < best.other || (turned.other == best.other && turned.own < best.own)) best = turned;
        }
        best.own = best.own | mark;
        return best;
    }

    std::string_view images() const { return "square"; }
    State least_image(const State& s) const {
        const auto mark = s.own & mark_;
        const auto own = s.own ^ mark;
        State best{own, s.other};
        for (std::size_t i = 0; i < symmetries_.size(); ++i) {
            const auto other = turned(i, s.other);
            if (best.other < other) continue;
            const State image{turned(i, own), other};
            if (other < best.other || image.own < best.own) best = image;
        }
        best.own = best.own | mark;
        return best;
    }
    Closing closing() const {
        static constexpr std::array<std::string_view, 2> kRules{"at-once", "pairs"};
        return kRules;
    }
    bool closed(const State& s, int owner, Score bound) const {
        const Score claimed = owner == 0 ? bound : -bound;
        const bool moves = turn(s) == owner;
        const auto own = s.own & board_;
        const auto free = empty(s);
        if (claimed <= 0 && kept_by_pairs(moves ? own : s.other, free)) return true;
        return moves && (lines_.completions(own, free).any() || (claimed <= 0 && free.count() == 1));
    }

    // Win at once if you can; else stop the other from winning at once (against two such threats every move loses
    // alike). Else leave out dead cells, on which no line of either side can be completed any more: a stone there
    // is a pass, and any other cell is at least as good, because whoever passes could have taken it and then play as
    // if the two cells were exchanged (an extra stone does no harm). If all are dead the game is drawn whatever
    // is played. Moves that threaten to win come first.
    bool narrow(const State& s, std::vector<Move>& out) const {
        const auto own = s.own & board_;
        const auto free = empty(s);
        const auto mine = lines_.lacking(own, free);
        if (mine.one.any()) return out.push_back(mine.one.lowest()), true;
        const auto threats = lines_.completions(s.other, free);
        if (threats.any()) return out.push_back(threats.lowest()), true;
        const auto live = free & (lines_.cover(board_ & ~own) | lines_.cover(board_ & ~s.other));
        if (!live.any()) return out.push_back(free.lowest()), true;
        append_ordered(live & mine.two, out);
        append_ordered(live & ~mine.two, out);
        return true;
    }
    // Cells on many lines first.
    void order(const State&, std::span<Move> moves) const {
        Set set;
        for (const auto move : moves) set = set | Set::cell(move);
        std::size_t next = 0;
        for (const auto cell : order_)
            if (set.has(cell)) moves[next++] = cell;
    }

    // The textbook quality of a tic-tac-toe position: 200 for an open line that lacks one stone, 300 for two or
    // more, 600 for a complete one; and the number of lines that can still be completed. First role minus second.
    Score evaluate(const State& s) const {
        const auto own = s.own & board_;
        const Score quality = points(own, s.other) - points(s.other, own);
        return turn(s) == 0 ? quality : -quality;
    }

    // Boards of up to 20 cells are numbered in base 3 with the digits o = 0, x = 1, empty = 2, so that a move makes
    // the number smaller. Larger boards have no numbering: ranks() is 0.
    std::uint64_t ranks() const
        requires(W == 1)
    {
        return ranks_;
    }
    std::uint64_t rank(const State& s) const {
        const auto& [x, o] = sides(s);
        std::uint64_t rank = ranks_ - 1;
        for (unsigned i = 0; i < rank_bytes_.size(); ++i) {
            rank -= rank_bytes_[i][x.word[0] >> 8 * i & 255];
            rank -= 2 * rank_bytes_[i][o.word[0] >> 8 * i & 255];
        }
        return rank;
    }
    void ranks_after(const State& s, std::uint64_t rank, std::vector<std::uint64_t>& out) const {
        const std::uint64_t fall = turn(s) == 0 ? 1 : 2;  // from empty = 2 to x = 1 or o = 0
        empty(s).each([&](unsigned cell) { out.push_back(rank - fall * power_[cell]); });
    }
    Unranked<State> unrank(std::uint64_t rank) const {
        Set x, o;
        int ahead = 0;  // x's stones minus o's
        for (const auto& digits : rank_digits_) {
            const auto& five = digits[rank % kFiveDigits];
            rank /= kFiveDigits;
            x.word[0] |= five.x, o.word[0] |= five.o, ahead += five.ahead;
        }
        const bool first = ahead == 0;
        return {first ? State{x, o} : State{o | mark_, x}, first || ahead == 1};
    }

    // Uniformly random cells in turn, until a line or the end of the board.
    Score playout(const State& s, Random& random) const {
        if (const auto end = ending(s); end.over) return end.score;
        std::array<std::uint16_t, 64 * W> free;
        std::uint32_t left = 0;
        empty(s).each([&](unsigned cell) { free[left++] = static_cast<std::uint16_t>(cell); });
        auto mover = s.own & board_, waiting = s.other;
        Score sign = turn(s) == 0 ? 1 : -1;
        Picks picks(random);
        while (left) {
            const auto pick = picks.below(left);
            const unsigned cell = free[pick];
            free[pick] = free[--left];
            mover.word[cell / 64] |= std::uint64_t{1} << cell % 64;
            if (lines_.complete_through(mover, cell)) return sign;
            std::swap(mover, waiting);
            sign = -sign;
        }
        return 0;
    }

private:
    static_assert(64 * W <= Picks::kMost);
    static constexpr unsigned kCanonStones = 8;
    static constexpr unsigned kRankCells = 20;
    static constexpr unsigned kFiveDigits = 243;
    using Image = std::array<std::uint16_t, 64 * W>;  // where each cell goes
    struct Five {
        std::uint64_t x, o;
        int ahead;
    };

    // The rule `pairs` of certificates (docs/formats/layers.md): every line that is not broken gets two free cells of
    // its own, greedily and in a fixed order, so that a checker finds the same ones.
    bool kept_by_pairs(const Set& stones, const Set& free) const {
        const auto& lines = lines_.masks();
        return !lines_.complete(board_ & ~stones) || paired(lines.begin(), lines.end(), stones, free) ||
               paired(lines.rbegin(), lines.rend(), stones, free);
    }
    template <class Line>
    static bool paired(Line line, Line end, const Set& stones, Set free) {
        std::array<Set, 32 * W> pairs;
        unsigned count = 0;
        for (; line != end; ++line) {
            if ((*line & stones).any()) continue;
            bool held = false;
            for (unsigned i = 0; i < count && !held; ++i) held = (pairs[i] & *line) == pairs[i];
            if (held) continue;
            auto left = *line & free;
            if (left.count() < 2) return false;
            const auto one = Set::cell(left.lowest());
            left.drop_lowest();
            pairs[count] = one | Set::cell(left.lowest());
            free = free & ~pairs[count++];
        }
        return true;
    }
    static Set cells(unsigned rows, unsigned columns) {
        Set board;
        for (unsigned r = 0; r < rows; ++r)
            for (unsigned c = 0; c < columns; ++c) board = board | Set::cell(r * (columns + 1) + c);
        return board;
    }
    Set empty(const State& s) const { return board_ & ~(s.own | s.other); }
    std::pair<Set, Set> sides(const State& s) const {
        const auto own = s.own & board_;
        return turn(s) == 0 ? std::pair{own, s.other} : std::pair{s.other, own};
    }
    void append_ordered(const Set& set, std::vector<Move>& out) const {
        if (!set.any()) return;
        for (const auto cell : order_)
            if (set.has(cell)) out.push_back(cell);
    }
    Score points(const Set& own, const Set& other) const {
        Score possible = 0, nearly = 0, reward = 0;
        for (const auto& line : lines_.masks()) {
            if ((line & other).any()) continue;
            ++possible;
            const auto count = (line & own).count();
            if (count == lines_.k()) reward = 600;
            else if (count + 1 == lines_.k()) ++nearly;
        }
        if (reward == 0 && nearly) reward = nearly > 1 ? 300 : 200;
        return reward + possible;
    }

    static Set turn_set(const Set& set, const Image& image) {
        Set turned;
        set.each([&](unsigned cell) { turned.word[image[cell] / 64] |= std::uint64_t{1} << image[cell] % 64; });
        return turned;
    }
    Set turned(std::size_t which, const Set& set) const {
        if constexpr (W == 1) return {{byte_symmetries_.apply(which, set.word[0])}};
        else return turn_set(set, symmetries_[which]);
    }
    // The other seven images of a square board, the other three of an oblong one.
    void make_symmetries() {
        for (unsigned which = 1; which < (rows_ == columns_ ? 8u : 4u); ++which) {
            Image image{};
            board_.each([&](unsigned cell) {
                auto r = cell / stride_, c = cell % stride_;
                if (which & 1) r = rows_ - 1 - r;
                if (which & 2) c = columns_ - 1 - c;
                if (which & 4) std::swap(r, c);
                image[cell] = static_cast<std::uint16_t>(r * stride_ + c);
            });
            symmetries_.push_back(image);
            if constexpr (W == 1)
                byte_symmetries_.add(std::vector<unsigned>(image.begin(), image.begin() + rows_ * stride_));
        }
    }
    void make_ranks() {
        const auto count = board_.count();
        if (W > 1 || count > kRankCells) return;
        std::vector<unsigned> all;
        board_.each([&](unsigned cell) { all.push_back(cell); });
        rank_bytes_.resize(rows_ * stride_ / 8 + 1);
        ranks_ = 1;
        power_.resize(64);
        for (const auto cell : all) {
            power_[cell] = ranks_;
            for (unsigned byte = 0; byte < 256; ++byte)
                if (byte >> cell % 8 & 1) rank_bytes_[cell / 8][byte] += ranks_;
            ranks_ *= 3;
        }
        for (std::size_t begin = 0; begin < all.size(); begin += 5) {
            auto& digits = rank_digits_.emplace_back();
            for (unsigned number = 0; number < kFiveDigits; ++number) {
                auto& five = digits[number] = Five{};
                auto rest = number;
                for (auto i = begin; i < std::min(begin + 5, all.size()); ++i, rest /= 3) {
                    if (rest % 3 == 0) five.o |= std::uint64_t{1} << all[i], --five.ahead;
                    if (rest % 3 == 1) five.x |= std::uint64_t{1} << all[i], ++five.ahead;
                }
            }
        }
    }

    unsigned rows_, columns_, stride_;
    Set board_, mark_;
    Lines<W> lines_;
    std::vector<Move> order_;  // cells on many lines first
    std::vector<Image> symmetries_;
    Permutations byte_symmetries_{64};  // the same, for boards of one word
    std::uint64_t ranks_ = 0;
    std::vector<std::uint64_t> power_;                        // by cell: the power of 3 of its digit
    std::vector<std::array<std::uint64_t, 256>> rank_bytes_;  // by byte of the board: the sum of its cells' powers of 3
    std::vector<std::array<Five, kFiveDigits>> rank_digits_;  // by five digits: their stones
};

}  // namespace zermelo
