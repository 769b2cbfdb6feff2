#include "cgt/go/playouts.hpp"

#include <array>
#include <cmath>
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

// A move that has been tried in the tree above the lines at random; 0 is a pass.
struct Branch {
    int point = 0;
    std::uint32_t visits = 0;
    double sum = 0;  // of Black's margins
    std::uint32_t first = 0, count = 0;
};

constexpr std::uint32_t kExpandAfter = 12;
constexpr double kWidening = 0.2;  // margins are parts of the board, a chain some hundredths of it

// Lines that begin with moves which have done well (UCT, Kocsis and Szepesvari 2006) and go on at random.
class Tree {
public:
    Tree(const Board& start, Cell starter, std::uint32_t size, bool learning)
        : start_(start), starter_(starter), longest_(3 * size * size), learning_(learning), branches_(1) {}

    Board line(Random& random) {
        auto board = start_;
        auto side = starter_;
        path_.assign(1, 0);
        std::uint32_t at = 0;
        int passes = 0;
        while (branches_[at].count > 0 && passes < 2) {
            at = best(at, side);
            path_.push_back(at);
            make(board, side, branches_[at].point, passes);
        }
        if (learning_ && branches_[at].visits >= kExpandAfter && passes < 2) expand(at, board, side, random);
        for (std::uint32_t move = 0; move < longest_ && passes < 2; ++move)
            make(board, side, chosen(board, side, random), passes);
        return board;
    }

    void learn(double margin) {
        for (const auto at : path_) ++branches_[at].visits, branches_[at].sum += margin;
    }

private:
    static void make(Board& board, Cell& side, int point, int& passes) {
        if (point == 0) board.pass(), ++passes;
        else board.play(point, side), passes = 0;
        side = other_of(side);
    }

    std::uint32_t best(std::uint32_t at, Cell side) const {
        const auto& parent = branches_[at];
        const auto known = std::log(static_cast<double>(parent.visits) + 1);
        auto found = parent.first;
        double most = -1e9;
        for (auto i = parent.first; i < parent.first + parent.count; ++i) {
            const auto& branch = branches_[i];
            if (branch.visits == 0) return i;
            const auto mean = branch.sum / branch.visits;
            const auto value = (side == kBlack ? mean : -mean) + kWidening * std::sqrt(known / branch.visits);
            if (value > most) most = value, found = i;
        }
        return found;
    }

    void expand(std::uint32_t at, const Board& board, Cell side, Random& random) {
        const auto first = static_cast<std::uint32_t>(branches_.size());
        branches_.push_back({});
        for (int i = 0; i < board.free_count(); ++i) {
            const auto point = board.free_at(i);
            if (board.legal(point, side) && !board.own_eye(point, side)) branches_.push_back({point, 0, 0, 0, 0});
        }
        const auto count = static_cast<std::uint32_t>(branches_.size()) - first;
        for (std::uint32_t i = 1; i < count; ++i)
            std::swap(branches_[first + i], branches_[first + random.below(i + 1)]);
        branches_[at].first = first;
        branches_[at].count = count;
    }

    const Board& start_;
    Cell starter_;
    std::uint32_t longest_;
    bool learning_;
    std::vector<Branch> branches_;
    std::vector<std::uint32_t> path_;
};

Cell owner_of(const Board& board, int at) {
    if (board.at(at) != kEmpty) return board.at(at);
    bool black = false, white = false;
    for (const auto step : Board::kSteps)
        black |= board.at(at + step) == kBlack, white |= board.at(at + step) == kWhite;
    return black == white ? kEmpty : black ? kBlack : kWhite;
}

}  // namespace

std::vector<std::int32_t> ownership(std::uint32_t size, std::string_view stones, std::uint32_t playouts,
                                    std::uint64_t seed, bool learning, Control& control) {
    if (size < 1 || size > kLargestBoard || stones.size() != std::size_t{size} * size)
        throw std::invalid_argument("no square board of at most 19 rows");
    std::vector<std::int32_t> owned(stones.size());
    Random random(seed);
    const Board start(size, stones);
    std::array<Tree, 2> trees{Tree(start, kBlack, size, learning), Tree(start, kWhite, size, learning)};
    for (std::uint32_t i = 0; i < playouts; ++i) {
        control.tick();
        auto& tree = trees[i % 2];
        const auto board = tree.line(random);
        std::int32_t margin = 0;
        for (std::uint32_t point = 0; point < owned.size(); ++point) {
            const auto owner =
                owner_of(board, Board::place(static_cast<int>(point / size), static_cast<int>(point % size)));
            const auto one = owner == kBlack ? 1 : owner == kWhite ? -1 : 0;
            owned[point] += one;
            margin += one;
        }
        tree.learn(static_cast<double>(margin) / static_cast<double>(owned.size()));
    }
    return owned;
}

}  // namespace zermelo::go
