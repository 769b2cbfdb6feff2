// Heaps: moves, endings, the law of ranks, canonical positions, and the closed forms that order moves.
#include <cstdio>
#include <vector>

#include "games/factories.hpp"
#include "games/heaps.hpp"

#include "check.hpp"

using namespace zermelo;

// Every legal move lowers the rank, rank and unrank are inverse, and canon keeps turn, ending and itself.
template <class G>
static void check_ranks(const G& game) {
    std::vector<Move> moves;
    for (std::uint64_t r = 0; r < game.ranks(); ++r) {
        const auto [state, legal] = game.unrank(r);
        CHECK(legal && game.rank(state) == r);
        if (game.ending(state).over) continue;
        moves.clear();
        game.moves(state, moves);
        CHECK(!moves.empty());
        for (const auto move : moves) CHECK(game.rank(game.play(state, move)) < r);
        if constexpr (HasCanon<G>) {
            const auto canon = game.canon(state);
            CHECK(canon.turn == state.turn && game.canon(canon) == canon);
        }
    }
}

// Who wins for the mover, by labelling in the order of ranks; must agree with a search through the factory.
template <class G>
static void check_value(const G& game, AnyGame& erased) {
    std::vector<bool> wins(game.ranks(), false);
    std::vector<Move> moves;
    for (std::uint64_t r = 0; r < game.ranks(); ++r) {
        const auto state = game.unrank(r).state;
        moves.clear();
        if (!game.ending(state).over) game.moves(state, moves);
        for (const auto move : moves)
            if (!wins[game.rank(game.play(state, move))]) wins[r] = true;
    }
    Control control;
    const auto outcome = erased.search("alphabeta", {})->solve(control);
    CHECK(outcome.solved && outcome.lower == (wins[game.rank(game.start())] ? 1 : -1));
}

int main() {
    check_ranks(Nim<3>({3, 0, 5}));
    check_ranks(Wythoff({7, 6}));
    check_ranks(Subtraction(20, {2, 3, 7}));
    check_ranks(Coins({0, 1, 2, 1, 1, 2, 3}));

    for (std::int64_t a = 0; a < 12; ++a)
        for (std::int64_t b = 0; b < 12; ++b) {
            const std::vector<std::int64_t> sizes{a, b};
            const auto left = static_cast<std::uint32_t>(a), right = static_cast<std::uint32_t>(b);
            check_value(Wythoff({left, right}), *make_game("wythoff", sizes));
            check_value(Nim<3>({left, right}), *make_game("nim", sizes));
        }

    // Wythoff's pairs are a permutation of the numbers: each has one partner, which has it as its own.
    for (std::uint32_t size = 0; size < 20000; ++size) CHECK(Wythoff::partner_of(Wythoff::partner_of(size)) == size);
    CHECK(Wythoff::partner_of(3) == 5 && Wythoff::partner_of(0) == 0 && Wythoff::partner_of(2) == 1);

    const std::vector<std::int64_t> heap{100000}, nine(9, 1), negative{-1};
    Control control;
    CHECK(make_game("nim", heap)->search("alphabeta", {})->solve(control).lower == 1);
    CHECK(make_game("nim", nine) == nullptr);
    CHECK(Nim<8>({9, 9, 9, 9, 9, 9, 9, 9}).ranks() == 200000000);
    CHECK(Nim<8>({99, 99, 99, 99, 99, 99, 99, 99}).ranks() == 0);
    CHECK(make_game("nim", negative) == nullptr);
}
