#include "games/treblecross.hpp"

#include "laws.hpp"

using namespace zermelo;
using namespace zermelo::testing;

int main() {
    for (unsigned cells = 1; cells <= 16; ++cells) {
        check_laws(Treblecross(cells), 20, cells);
        check_values(Treblecross(cells), 40, cells);
    }
    check_laws(Treblecross(63), 20, 1);
    for (unsigned cells = 3; cells <= 17; cells += 2) {
        const Treblecross game(cells);
        CHECK(Minimax<Treblecross>(game).value(game.start()) == 1);
    }
    // Whatever is called legal stays so after a move.
    const Treblecross game(10);
    std::vector<Move> moves;
    for (std::uint64_t r = 0; r < game.ranks(); ++r) {
        const auto [state, legal] = game.unrank(r);
        if (!legal || game.ending(state).over) continue;
        moves.clear();
        game.moves(state, moves);
        for (const auto move : moves) CHECK(game.unrank(game.rank(game.play(state, move))).legal);
    }
    CHECK(!Treblecross::fits(0));
    CHECK(!Treblecross::fits(64));
}
