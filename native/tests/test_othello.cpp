#include "games/othello.hpp"

#include "laws.hpp"

using namespace zermelo;
using namespace zermelo::testing;

namespace {

std::uint64_t lines(const Othello& game, const Othello::State& state, int depth) {
    if (depth == 0) return 1;
    std::vector<Move> moves;
    game.moves(state, moves);
    std::uint64_t sum = 0;
    for (const auto move : moves) sum += lines(game, game.play(state, move), depth - 1);
    return sum;
}

}  // namespace

int main() {
    const Othello game(8, 8);
    // Published counts; the first lines that hold a pass have nine plies.
    const std::vector<std::uint64_t> counts{4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288};
    for (std::size_t i = 0; i < counts.size(); ++i)
        CHECK(lines(game, game.start(), static_cast<int>(i) + 1) == counts[i]);
    check_laws(game, 10, 1);
    check_laws(Othello(4, 16), 10, 2);
    check_laws(Othello(16, 4), 10, 3);
    check_laws(Othello(6, 10), 10, 4);
    check_values(Othello(4, 4), 20, 5);
    CHECK(!Othello::fits(2, 4));
    CHECK(!Othello::fits(5, 4));
    CHECK(!Othello::fits(8, 10));
}
