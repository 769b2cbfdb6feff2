#include "games/breakthrough.hpp"

#include "laws.hpp"

using namespace zermelo;
using namespace zermelo::testing;

int main() {
    check_laws(Breakthrough(8, 8, 2), 20, 1);
    check_laws(Breakthrough(2, 32, 1), 5, 2);
    check_laws(Breakthrough(32, 2, 3), 5, 3);
    check_values(Breakthrough(4, 3, 1), 200, 4);
    check_values(Breakthrough(5, 3, 1), 100, 5);
    check_values(Breakthrough(3, 4, 1), 100, 6);
    check_values(Breakthrough(5, 2, 2), 100, 7);

    // Each of eight pawns has three steps, the two at the ends two.
    const Breakthrough game(8, 8, 2);
    std::vector<Move> moves;
    game.moves(game.start(), moves);
    CHECK(moves.size() == 22);

    CHECK(!Breakthrough::fits(4, 1, 1));
    CHECK(!Breakthrough::fits(3, 3, 2));
    CHECK(!Breakthrough::fits(9, 8, 2));
}
