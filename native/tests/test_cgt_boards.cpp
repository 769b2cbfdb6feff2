// Values of boards against play: a board has value V if whoever moves second wins the board minus V, on random boards
// of all games. Play uses the moves alone, so it knows nothing of regions, images, tables or canonical forms.
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>

#include "cgt/values/arena.hpp"
#include "cgt/boards/boards.hpp"
#include "cgt/boards/colouring.hpp"
#include "cgt/boards/dominoes.hpp"
#include "cgt/boards/region_table.hpp"
#include "cgt/boards/stones.hpp"
#include "check.hpp"
#include "zermelo/random.hpp"

using namespace zermelo;
using namespace zermelo::cgt;
using namespace zermelo::cgt::boards;

namespace {

template <class Rules>
class Play {
public:
    using Position = Cells<Rules::planes>;

    Play(const Rules& rules, Arena& arena) : rules_(rules), arena_(arena) {}

    // Board <= V: Right, moving second, wins the board minus V. Left may move on the board, or answer a right option of
    // V.
    bool at_most(const Position& board, Arena::Id value) { return compared(board, value, true); }
    bool at_least(const Position& board, Arena::Id value) { return compared(board, value, false); }

private:
    bool compared(const Position& board, Arena::Id value, bool most) {
        const auto key = std::tuple(board, value, most);
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        bool holds = true;
        rules_.options(board, most,
                       [&](const Position& after, bool = false) { holds = holds && !compared(after, value, !most); });
        for (const auto option : most ? arena_.right(value) : arena_.left(value))
            holds = holds && !compared(board, option, !most);
        return known_[key] = holds;
    }

    const Rules& rules_;
    Arena& arena_;
    std::map<std::tuple<Position, Arena::Id, bool>, bool> known_;
};

// A random board with cells of the given kinds.
Board random_board(Random& random, std::string_view kinds, unsigned most) {
    const auto rows = 1 + random.below(4), columns = 1 + random.below(most / rows);
    Board board{rows, columns, 0, 0, 0};
    for (unsigned cell = 0; cell < rows * columns; ++cell) {
        const auto kind = kinds[random.below(static_cast<std::uint32_t>(kinds.size()))];
        const auto bit = std::uint64_t{1} << cell;
        if (kind == '.') board.empty |= bit;
        if (kind == 'x') board.left |= bit;
        if (kind == 'o') board.right |= bit;
    }
    return board;
}

template <class Rules>
bool has_value(const Board& board, Arena& arena, Arena::Id value) {
    const Grid grid(board.rows, board.columns);
    const Rules rules(grid);
    const auto position =
        rules.position(spread(grid, board.empty), spread(grid, board.left), spread(grid, board.right));
    Play<Rules> play(rules, arena);
    return play.at_most(position, value) && play.at_least(position, value);
}

template <class Rules>
void values_hold_in_play(std::string_view game, std::string_view kinds, unsigned most, unsigned count) {
    Arena arena;
    Control control;
    const auto boards = boards_of(game, arena);
    CHECK(boards != nullptr);
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const auto board = random_board(random, kinds, most);
        CHECK(has_value<Rules>(board, arena, boards->value(board, control)));
    }
    testing::running_seed.reset();
}

void whole_boards_hold_in_play() {
    Arena arena;
    Control control;
    const Board square{4, 4, 0xffff, 0, 0}, queens{3, 3, 0b001111110 ^ 0b000000010, 0b000000001, 0b100000000};
    CHECK(has_value<Domineering>(square, arena, boards_of("domineering", arena)->value(square, control)));
    CHECK(has_value<Amazons>(queens, arena, boards_of("amazons", arena)->value(queens, control)));
}

void a_board_stopped_at_a_limit_can_be_asked_again() {
    Arena arena;
    const auto boards = boards_of("domineering", arena);
    const Board board{4, 5, (1u << 20) - 1, 0, 0};
    unsigned stops = 0;
    for (std::uint64_t nodes = 200;; nodes *= 2) {
        Control control(0, nodes);
        try {
            CHECK(boards->value(board, control) == arena.number(1));
            break;
        } catch (const Stopped&) {
            ++stops;
        }
    }
    CHECK(stops > 0 && boards->regions() > 0 && boards->bytes() > 0);
}

void images_of_sets_are_images() {
    Random random(7);
    for (const auto& [rows, columns] :
         std::array<std::array<unsigned, 2>, 5>{{{8, 8}, {3, 5}, {2, 32}, {9, 7}, {1, 64}}}) {
        const Grid grid(rows, columns);
        for (int round = 0; round < 50; ++round) {
            Mask set = random.next() & random.next() & grid.board();
            if (set == 0) continue;
            set >>= grid.offset(set);
            const Box box = grid.box(set);
            Mask mirrored = 0, upside_down = 0, transposed = 0;
            for (unsigned row = 0; row < box.height; ++row)
                for (unsigned column = 0; column < box.width; ++column)
                    if ((set & grid.cell(row, column)) != 0) {
                        mirrored |= grid.cell(row, box.width - 1 - column);
                        upside_down |= grid.cell(box.height - 1 - row, column);
                        if (grid.turns()) transposed |= grid.cell(column, row);
                    }
            CHECK(grid.mirrored(set, box) == mirrored);
            CHECK(grid.upside_down(set, box) == upside_down);
            CHECK(!grid.turns() || Grid::transposed(set) == transposed);
            CHECK(grid.offset(set) == 0);
        }
    }
}

void the_table_finds_what_was_put_in() {
    Control control;
    RegionTable<Cells<2>> table;
    using Key = Cells<2>;
    for (std::uint64_t i = 1; i <= 200000; ++i) {
        const Key key{i * 3, i % 7};
        const auto hash = RegionTable<Key>::hash(key);
        CHECK(!table.find(key, hash));
        table.insert(key, hash, static_cast<std::uint32_t>(i), control);
    }
    for (std::uint64_t i = 1; i <= 200000; ++i) {
        const Key key{i * 3, i % 7};
        CHECK(table.find(key, RegionTable<Key>::hash(key)) == static_cast<std::uint32_t>(i));
    }
    CHECK(table.size() == 200000 && static_cast<std::uint64_t>(control.bytes()) == table.bytes());
}

}  // namespace

int main() {
    images_of_sets_are_images();
    the_table_finds_what_was_put_in();
    values_hold_in_play<Domineering>("domineering", "...#", 14, 200);
    values_hold_in_play<Cram>("cram", "...#", 10, 100);
    values_hold_in_play<Clobber>("clobber", "xxoo.", 10, 200);
    values_hold_in_play<Cannibal>("cannibal", "xxoo.", 8, 100);
    values_hold_in_play<Amazons>("amazons", ".....xo#", 8, 150);
    values_hold_in_play<Konane>("konane", "xxoo..#", 12, 300);
    values_hold_in_play<Col>("col", "....xo#", 9, 150);
    values_hold_in_play<Snort>("snort", "....xo#", 9, 150);
    values_hold_in_play<NoGo>("nogo", "....xo#", 8, 150);
    whole_boards_hold_in_play();
    a_board_stopped_at_a_limit_can_be_asked_again();
    std::puts("boards: ok");
}
