#include "cgt/boards/boards.hpp"

#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

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

// Boards with the same stride share what is known of their regions.
template <class Rules, class Algebra>
Found sum(std::span<const Board> boards, Algebra& algebra, Control& control) {
    struct Shared {
        explicit Shared(const Grid& grid, Algebra& algebra, Control& control) : rules(grid), evaluation(rules, algebra, control) {}
        Rules rules;
        Evaluation<Rules, Algebra> evaluation;
    };
    std::map<unsigned, std::unique_ptr<Shared>> of_stride;
    Found found{algebra.zero(), 0};
    for (const auto& board : boards) {
        const Grid grid(board.rows, board.columns);
        auto& shared = of_stride[grid.stride()];
        if (!shared) shared = std::make_unique<Shared>(grid, algebra, control);
        const auto position = shared->rules.position(spread(grid, board.empty), spread(grid, board.left), spread(grid, board.right));
        found.value = algebra.add(found.value, shared->evaluation.value(position));
    }
    for (const auto& [stride, shared] : of_stride) found.regions += shared->evaluation.regions();
    control.publish();
    return found;
}

template <class Rules>
Found partizan(std::span<const Board> boards, Arena& arena, Control& control) {
    Games games(arena);
    return sum<Rules>(boards, games, control);
}

template <class Rules>
Found impartial(std::span<const Board> boards, Arena& arena, Control& control) {
    Nimbers nimbers;
    const auto found = sum<Rules>(boards, nimbers, control);
    return {arena.nimber(found.value), found.regions};
}

using Worker = Found (*)(std::span<const Board>, Arena&, Control&);
constexpr std::array<std::string_view, 9> kNames{"amazons", "cannibal", "clobber", "col", "cram", "domineering", "konane", "nogo", "snort"};
constexpr std::array<Worker, 9> kWorkers{partizan<Amazons>,     partizan<Cannibal>, partizan<Clobber>, partizan<Col>,  impartial<Cram>,
                                         partizan<Domineering>, partizan<Konane>,   partizan<NoGo>,    partizan<Snort>};

}  // namespace

std::span<const std::string_view> native_games() { return kNames; }

Found value_of_boards(std::string_view game, std::span<const Board> boards, Arena& arena, Control& control) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == game) return kWorkers[i](boards, arena, control);
    throw std::invalid_argument("no native rules of " + std::string(game));
}

}  // namespace zermelo::cgt::boards
