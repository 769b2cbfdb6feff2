#include "cgt/boards/boards.hpp"

#include <array>
#include <map>

#include "cgt/boards/algebra.hpp"
#include "cgt/boards/colouring.hpp"
#include "cgt/boards/dominoes.hpp"
#include "cgt/boards/evaluate.hpp"
#include "cgt/boards/stones.hpp"

namespace zermelo::cgt::boards {

namespace {

// Bits row by row without gaps, to cells of the grid.
Mask spread(const Grid& grid, std::uint64_t bits) {
    Mask cells = 0;
    for (unsigned row = 0; row < grid.rows(); ++row)
        for (unsigned column = 0; column < grid.columns(); ++column)
            if ((bits >> (row * grid.columns() + column) & 1) != 0) cells |= grid.cell(row, column);
    return cells;
}

template <class Rules, class Algebra>
class BoardsOf final : public Boards {
public:
    explicit BoardsOf(Arena& arena) : algebra_(arena) {}

    Arena::Id value(const Board& board, Control& control) override {
        const Grid grid(board.rows, board.columns);
        const Rules rules(grid);
        const auto position = rules.position(spread(grid, board.empty), spread(grid, board.left), spread(grid, board.right));
        // Boards with one stride share what is known of their regions.
        const auto found = of_stride_.try_emplace(grid.stride(), rules, algebra_).first->second.value(position, control);
        control.publish();
        return algebra_.id(found);
    }
    std::uint64_t regions() const override {
        std::uint64_t sum = 0;
        for (const auto& [stride, evaluation] : of_stride_) sum += evaluation.regions();
        return sum;
    }
    std::uint64_t bytes() const override {
        std::uint64_t sum = 0;
        for (const auto& [stride, evaluation] : of_stride_) sum += evaluation.bytes();
        return sum;
    }

private:
    Algebra algebra_;
    std::map<unsigned, Evaluation<Rules, Algebra>> of_stride_;
};

template <class Rules, class Algebra = Games>
std::unique_ptr<Boards> made(Arena& arena) {
    return std::make_unique<BoardsOf<Rules, Algebra>>(arena);
}

constexpr std::array<std::string_view, 9> kNames{"amazons", "cannibal", "clobber", "col", "cram", "domineering", "konane", "nogo", "snort"};
constexpr std::array<std::unique_ptr<Boards> (*)(Arena&), kNames.size()> kMakers{
    made<Amazons>, made<Cannibal>, made<Clobber>, made<Col>, made<Cram, Nimbers>, made<Domineering>, made<Konane>, made<NoGo>, made<Snort>};

}  // namespace

std::span<const std::string_view> native_games() { return kNames; }

std::unique_ptr<Boards> boards_of(std::string_view game, Arena& arena) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == game) return kMakers[i](arena);
    return nullptr;
}

}  // namespace zermelo::cgt::boards
