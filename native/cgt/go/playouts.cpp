#include "cgt/go/playouts.hpp"

#include <array>
#include <stdexcept>

#include "zermelo/random.hpp"

namespace zermelo::go {

namespace {

constexpr int kWidth = kLargestBoard + 2;
constexpr int kCells = kWidth * kWidth;

enum Cell : std::uint8_t { kEmpty, kBlack, kWhite, kEdge };

Cell other_of(Cell side) { return side == kBlack ? kWhite : kBlack; }

// A board with an edge around it. Chains are circular lists; each knows the number, the sum and the sum of squares of
// its liberties, counted once for every stone beside them: one liberty is all there is where n * squares = sum^2.
class Board {
public:
    Board(std::uint32_t size, std::string_view stones) : size_(static_cast<int>(size)) {
        cells_.fill(kEdge);
        for (int row = 0; row < size_; ++row)
            for (int column = 0; column < size_; ++column) {
                const auto at = place(row, column);
                cells_[at] = kEmpty;
                where_[at] = free_count_;
                free_[free_count_++] = static_cast<std::int16_t>(at);
            }
        for (int row = 0; row < size_; ++row)
            for (int column = 0; column < size_; ++column) {
                const auto stone = stones[static_cast<std::size_t>(row * size_ + column)];
                if (stone != '.') put(place(row, column), stone == 'x' ? kBlack : kWhite);
            }
        ko_ = 0;
    }

    static int place(int row, int column) { return (row + 1) * kWidth + column + 1; }
    Cell at(int point) const { return cells_[point]; }
    int free_count() const { return free_count_; }
    int free_at(int index) const { return free_[index]; }
    bool in_atari(int point) const {
        const auto& chain = chains_[head_[point]];
        return chain.count * chain.squares == chain.sum * chain.sum;
    }
    int only_liberty(int point) const {
        const auto& chain = chains_[head_[point]];
        return static_cast<int>(chain.sum / chain.count);
    }
    int last() const { return last_; }

    bool legal(int point, Cell side) const {
        if (point == ko_ || cells_[point] != kEmpty) return false;
        for (const auto step : kSteps) {
            const auto near = cells_[point + step];
            if (near == kEmpty) return true;
            if (near == side && !in_atari(point + step)) return true;
            if (near == other_of(side) && in_atari(point + step)) return true;
        }
        return false;
    }

    // An empty point with own stones on all sides and not too many of the other side at its corners.
    bool own_eye(int point, Cell side) const {
        for (const auto step : kSteps)
            if (cells_[point + step] != side && cells_[point + step] != kEdge) return false;
        int edges = 0, others = 0;
        for (const auto step : {-kWidth - 1, -kWidth + 1, kWidth - 1, kWidth + 1}) {
            edges += cells_[point + step] == kEdge;
            others += cells_[point + step] == other_of(side);
        }
        return others + (edges > 0) < 2;
    }

    // Liberties of the chain that a move would make, counted up to two; captures count as liberties.
    int liberties_after(int point, Cell side) const {
        std::array<int, 8> seen{};
        int found = 0;
        const auto add = [&](int liberty) {
            if (liberty == point || found >= 2) return;
            for (int i = 0; i < found; ++i)
                if (seen[i] == liberty) return;
            seen[found++] = liberty;
        };
        for (const auto step : kSteps) {
            const auto near = point + step;
            if (cells_[near] == kEmpty) add(near);
            else if (cells_[near] == other_of(side) && in_atari(near)) add(near);
            else if (cells_[near] == side && !in_atari(near)) {
                auto stone = near;
                do {
                    for (const auto inner : kSteps)
                        if (cells_[stone + inner] == kEmpty) add(stone + inner);
                    stone = next_[stone];
                } while (stone != near && found < 2);
            }
        }
        return found;
    }

    void play(int point, Cell side) {
        ko_ = 0;
        last_ = point;
        put(point, side);
        int captured = 0, where = 0;
        for (const auto step : kSteps) {
            const auto near = point + step;
            if (cells_[near] == other_of(side) && chains_[head_[near]].count == 0) {
                captured += take(near);
                where = near;
            }
        }
        if (captured == 1 && next_[point] == point && in_atari(point)) ko_ = where;
    }
    void pass() { ko_ = last_ = 0; }

    static constexpr std::array<int, 4> kSteps{-kWidth, -1, 1, kWidth};

private:
    struct Chain {
        std::int64_t count = 0, sum = 0, squares = 0;
    };

    void put(int point, Cell side) {
        cells_[point] = side;
        const auto last = free_[--free_count_];
        free_[where_[point]] = last;
        where_[last] = where_[point];
        head_[point] = static_cast<std::int16_t>(point);
        next_[point] = static_cast<std::int16_t>(point);
        chains_[point] = {};
        for (const auto step : kSteps) {
            const auto near = point + step;
            if (cells_[near] == kEmpty) count(chains_[head_[point]], near, 1);
            else if (cells_[near] != kEdge) count(chains_[head_[near]], point, -1);
        }
        for (const auto step : kSteps)
            if (cells_[point + step] == side && head_[point + step] != head_[point]) join(point, point + step);
    }

    static void count(Chain& chain, std::int64_t liberty, std::int64_t times) {
        chain.count += times;
        chain.sum += times * liberty;
        chain.squares += times * liberty * liberty;
    }

    void join(int one, int other) {
        const auto kept = head_[one], gone = head_[other];
        auto& chain = chains_[kept];
        chain.count += chains_[gone].count;
        chain.sum += chains_[gone].sum;
        chain.squares += chains_[gone].squares;
        auto stone = other;
        do {
            head_[stone] = kept;
            stone = next_[stone];
        } while (stone != other);
        std::swap(next_[one], next_[other]);
    }

    int take(int point) {
        int taken = 0;
        auto stone = point;
        do {
            const auto following = next_[stone];
            cells_[stone] = kEmpty;
            where_[stone] = free_count_;
            free_[free_count_++] = static_cast<std::int16_t>(stone);
            for (const auto step : kSteps) {
                const auto near = stone + step;
                if (cells_[near] == kBlack || cells_[near] == kWhite) count(chains_[head_[near]], stone, 1);
            }
            ++taken;
            stone = following;
        } while (stone != point);
        return taken;
    }

    int size_;
    std::array<Cell, kCells> cells_{};
    std::array<std::int16_t, kCells> head_{}, next_{}, free_{};
    std::array<int, kCells> where_{};
    std::array<Chain, kCells> chains_{};
    int free_count_ = 0, ko_ = 0, last_ = 0;
};

// A stone that was just played is captured, or a chain saved that it put into atari; 0 where there is nothing to do.
int urgent(const Board& board, Cell side) {
    const auto last = board.last();
    if (last == 0) return 0;
    if (board.at(last) == other_of(side) && board.in_atari(last)) {
        const auto point = board.only_liberty(last);
        if (board.legal(point, side)) return point;
    }
    for (const auto step : Board::kSteps) {
        const auto near = last + step;
        if (board.at(near) != side || !board.in_atari(near)) continue;
        const auto point = board.only_liberty(near);
        if (board.legal(point, side) && board.liberties_after(point, side) > 1) return point;
    }
    return 0;
}

int chosen(const Board& board, Cell side, Random& random) {
    if (random.below(8) != 0)
        if (const auto point = urgent(board, side)) return point;
    const auto count = board.free_count();
    if (count == 0) return 0;
    const auto first = static_cast<int>(random.below(static_cast<std::uint32_t>(count)));
    for (int i = 0; i < count; ++i) {
        const auto point = board.free_at((first + i) % count);
        if (board.legal(point, side) && !board.own_eye(point, side)) return point;
    }
    return 0;
}

}  // namespace

std::vector<std::int32_t> ownership(std::uint32_t size, std::string_view stones, std::uint32_t playouts,
                                    std::uint64_t seed, Control& control) {
    if (size < 1 || size > kLargestBoard || stones.size() != std::size_t{size} * size)
        throw std::invalid_argument("no square board of at most 19 rows");
    std::vector<std::int32_t> owned(stones.size());
    Random random(seed);
    const Board start(size, stones);
    const auto longest = 3 * size * size;
    for (std::uint32_t i = 0; i < playouts; ++i) {
        control.tick();
        auto board = start;
        auto side = i % 2 == 0 ? kBlack : kWhite;
        int passes = 0;
        for (std::uint32_t move = 0; move < longest && passes < 2; ++move, side = other_of(side)) {
            const auto point = chosen(board, side, random);
            if (point == 0) board.pass(), ++passes;
            else board.play(point, side), passes = 0;
        }
        for (std::uint32_t point = 0; point < owned.size(); ++point) {
            const auto at = Board::place(static_cast<int>(point / size), static_cast<int>(point % size));
            auto owner = board.at(at);
            if (owner == kEmpty) {
                bool black = false, white = false;
                for (const auto step : Board::kSteps)
                    black |= board.at(at + step) == kBlack, white |= board.at(at + step) == kWhite;
                if (black != white) owner = black ? kBlack : kWhite;
            }
            owned[point] += owner == kBlack ? 1 : owner == kWhite ? -1 : 0;
        }
    }
    return owned;
}

}  // namespace zermelo::go
