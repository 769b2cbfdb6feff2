// Laws of the native board games that Python does not see: numbering, symmetry, quality, lines.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "games/connect.hpp"
#include "games/hex.hpp"
#include "games/mnk.hpp"
#include "search/alphabeta.hpp"

#include "check.hpp"

using namespace zermelo;

namespace {

static_assert(SearchGame<Mnk<1>> && HasCanon<Mnk<1>> && HasOrder<Mnk<1>> && HasNarrow<Mnk<1>> && HasEvaluate<Mnk<1>> &&
              HasRank<Mnk<1>>);
static_assert(SearchGame<Connect<2>> && HasCanon<Connect<2>> && HasOrder<Connect<2>> && HasNarrow<Connect<2>> &&
              HasSurvey<Connect<2>>);
static_assert(SearchGame<Hex<2>> && HasCanon<Hex<2>> && HasOrder<Hex<2>> && HasNarrow<Hex<2>>);

template <class G>
std::vector<Move> moves_of(const G& game, const typename G::State& state) {
    std::vector<Move> list;
    game.moves(state, list);
    return list;
}

// Visits the positions of some random games.
template <class G, class Visit>
void wander(const G& game, int games, Visit visit) {
    Random random(17);
    for (int i = 0; i < games; ++i) {
        auto state = game.start();
        while (true) {
            visit(state);
            if (game.ending(state).over) break;
            const auto list = moves_of(game, state);
            state = game.play(state, list[random.below(static_cast<std::uint32_t>(list.size()))]);
        }
    }
}

template <class G>
void check_symmetry_keeps_what_matters(const G& game, int games) {
    wander(game, games, [&](const typename G::State& state) {
        const auto image = game.canon(state);
        CHECK(game.canon(image) == image);
        CHECK(game.turn(image) == game.turn(state));
        CHECK(game.ending(image).over == game.ending(state).over);
        CHECK(game.ending(image).score == game.ending(state).score);
        CHECK(moves_of(game, image).size() == moves_of(game, state).size());
    });
}

template <class G>
void check_order_and_narrow_choose_from_the_moves(const G& game, int games) {
    wander(game, games, [&](const typename G::State& state) {
        if (game.ending(state).over) return;
        const auto all = moves_of(game, state);
        auto ordered = all;
        game.order(state, ordered);
        std::sort(ordered.begin(), ordered.end());
        CHECK(ordered == all);
        std::vector<Move> chosen{kNoMove};  // what was there stays
        const bool narrowed = game.narrow(state, chosen);
        CHECK(chosen.front() == kNoMove);
        chosen.erase(chosen.begin());
        CHECK(narrowed == !chosen.empty());
        std::sort(chosen.begin(), chosen.end());
        CHECK(std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end());
        CHECK(std::includes(all.begin(), all.end(), chosen.begin(), chosen.end()));
    });
}

// A wrong mirror map would not send a game onto the same class of positions.
template <class G, class Reflect>
void check_reflected_games_have_one_canon(const G& game, int games, Reflect reflect) {
    Random random(23);
    for (int i = 0; i < games; ++i) {
        auto state = game.start(), image = state;
        while (!game.ending(state).over) {
            const auto list = moves_of(game, state);
            const auto move = list[random.below(static_cast<std::uint32_t>(list.size()))];
            state = game.play(state, move);
            image = game.play(image, reflect(move));
            CHECK(game.canon(state) == game.canon(image));
        }
    }
}

// The bare rules: no symmetry, no narrowing, no ordering.
template <class G>
struct Plain {
    using State = typename G::State;
    const G& game;
    State start() const { return game.start(); }
    int turn(const State& s) const { return game.turn(s); }
    Ending ending(const State& s) const { return game.ending(s); }
    void moves(const State& s, std::vector<Move>& out) const { game.moves(s, out); }
    State play(const State& s, Move move) const { return game.play(s, move); }
    Score worst() const { return game.worst(); }
    Score best() const { return game.best(); }
};

// Positions with at most `left` moves, from random games, have the same value with and without what the game offers.
template <class G>
void check_values_are_kept(const G& game, int games, std::size_t left) {
    SearchParams params;
    params.table_bytes = 16 << 20;
    const Plain<G> plain{game};
    AlphaBeta<Plain<G>> slow(plain, params);
    AlphaBeta<G> fast(game, params);
    wander(game, games, [&](const typename G::State& state) {
        if (game.ending(state).over || moves_of(game, state).size() > left) return;
        Control control;
        const auto expected = slow.solve(state, control), found = fast.solve(state, control);
        CHECK(expected.solved && found.solved && expected.lower == found.lower);
    });
}

// What is seen at a glance is true; what a survey leaves to be searched does not end the game and holds a best move;
// after it a survey may be quiet.
template <class G>
void check_surveys(const G& game, int games, std::size_t left) {
    SearchParams params;
    params.table_bytes = 16 << 20;
    const Plain<G> plain{game};
    AlphaBeta<Plain<G>> slow(plain, params);
    Control control;
    const auto value_of = [&](const typename G::State& state) { return slow.solve(state, control).lower; };
    wander(game, games, [&](const typename G::State& state) {
        if (game.ending(state).over || moves_of(game, state).size() > left) return;
        const auto value = value_of(state);
        const auto holds = [&](const Bounds& seen) { return seen.lower <= value && value <= seen.upper; };
        CHECK(holds(game.bounds(state)));
        for (const auto& window : {Bounds{-1, 0}, Bounds{0, 1}, Bounds{-1, 1}}) {
            std::vector<Move> chosen, loud, quiet;
            const auto seen = game.survey(state, window, false, chosen);
            CHECK(holds(seen));
            if (settles(seen, window)) continue;
            CHECK(!chosen.empty());
            bool kept = false;
            for (const auto move : chosen) {
                const auto next = game.play(state, move);
                CHECK(!game.ending(next).over);
                kept |= value_of(next) == value;
                loud.clear(), quiet.clear();
                const auto one = game.survey(next, window, false, loud), other = game.survey(next, window, true, quiet);
                CHECK(one.lower == other.lower && one.upper == other.upper && loud == quiet);
            }
            CHECK(kept);
        }
    });
}

void check_ranks(const Mnk<1>& game, std::uint64_t expected) {
    CHECK(game.ranks() == expected);
    wander(game, 50, [&](const Mnk<1>::State& state) {
        const auto rank = game.rank(state);
        CHECK(rank < game.ranks());
        const auto back = game.unrank(rank);
        CHECK(back.legal && back.state == state);
        std::vector<std::uint64_t> after, lower;
        for (const auto move : moves_of(game, state)) lower.push_back(game.rank(game.play(state, move)));
        for (const auto next : lower) CHECK(next < rank);
        game.ranks_after(state, rank, after);
        CHECK(after == lower);
    });
}

void check_every_rank_of_tic_tac_toe() {
    const Mnk<1> game(3, 3, 3);
    std::uint64_t legal = 0;
    for (std::uint64_t rank = 0; rank < game.ranks(); ++rank) {
        const auto [state, good] = game.unrank(rank);
        if (!good) continue;
        ++legal;
        CHECK(game.rank(state) == rank);
    }
    // Boards with as many x as o or one more: the sum of 9! / (x! o! (9 - x - o)!).
    CHECK(legal == 6046);
    CHECK(Mnk<1>(7, 3, 3).ranks() == 0);
}

Mnk<1>::State after(const Mnk<1>& game, std::initializer_list<Move> line) {
    auto state = game.start();
    for (const auto move : line) state = game.play(state, move);
    return state;
}

// Cells of the 3 x 3 board are 0..2, 4..6, 8..10.
void check_quality() {
    const Mnk<1> game(3, 3, 3);
    CHECK(game.evaluate(game.start()) == 0);
    CHECK(game.evaluate(after(game, {0})) == 8 - 5);
    CHECK(game.evaluate(after(game, {5})) == 8 - 4);
    CHECK(game.evaluate(after(game, {0, 5, 1})) == 204 - 4);
    CHECK(game.evaluate(after(game, {0, 5, 2, 10, 8})) == 302 - 2);
    CHECK(game.evaluate(after(game, {0, 4, 1, 5, 2})) == 603 - 202);
}

// Lines against cell-by-cell counting.
template <std::size_t W>
void check_lines(unsigned rows, unsigned columns, unsigned k) {
    const auto stride = columns + 1;
    Bits<W> board;
    std::vector<std::vector<unsigned>> all;
    for (int r = 0; r < static_cast<int>(rows); ++r)
        for (int c = 0; c < static_cast<int>(columns); ++c) {
            board = board | Bits<W>::cell(static_cast<unsigned>(r) * stride + static_cast<unsigned>(c));
            for (const auto& [down, right] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
                const auto steps = static_cast<int>(k) - 1;
                const int last_r = r + down * steps, last_c = c + right * steps;
                if (last_r >= static_cast<int>(rows) || last_c < 0 || last_c >= static_cast<int>(columns)) continue;
                auto& line = all.emplace_back();
                for (int i = 0; i <= steps; ++i)
                    line.push_back(static_cast<unsigned>(r + down * i) * stride + static_cast<unsigned>(c + right * i));
            }
        }
    const Lines<W> lines(k, {1, stride, stride + 1, stride - 1}, board);
    CHECK(lines.masks().size() == (k == 1 ? all.size() / 4 : all.size()));
    Random random(rows * 100 + columns * 10 + k);
    for (int trial = 0; trial < 300; ++trial) {
        Bits<W> stones, free;
        for (std::size_t i = 0; i < W; ++i)
            stones.word[i] = random.next() | (trial % 2 ? random.next() : 0), free.word[i] = random.next();
        stones = stones & board, free = free & board & ~stones;
        bool complete = false;
        Bits<W> one, two, cover;
        for (const auto& line : all) {
            unsigned count = 0, open = 0;
            for (const auto cell : line) count += stones.has(cell), open += free.has(cell);
            complete |= count == k;
            for (const auto cell : line) {
                if (count == k) cover = cover | Bits<W>::cell(cell);
                if (free.has(cell) && count + open == k && open == 1) one = one | Bits<W>::cell(cell);
                if (free.has(cell) && count + open == k && open == 2) two = two | Bits<W>::cell(cell);
            }
        }
        CHECK(lines.complete(stones) == complete);
        CHECK(lines.cover(stones) == cover);
        CHECK(lines.completions(stones, free) == one);
        CHECK(lines.lacking(stones, free).one == one);
        CHECK(lines.lacking(stones, free).two == two);
    }
}

// Each bound's choices come out alike often: chi-squared with bound - 1 degrees of freedom, far in the tail.
void check_picks_are_uniform() {
    Random random(99);
    Picks picks(random);
    for (const std::uint32_t bound : {1u, 2u, 3u, 7u, 9u, 121u, 361u, 511u}) {
        std::vector<double> seen(bound);
        const double each = 400;
        for (std::uint32_t i = 0; i < bound * 400; ++i) {
            const auto pick = picks.below(bound);
            CHECK(pick < bound);
            seen[pick] += 1;
        }
        double chi = 0;
        for (const auto count : seen) chi += (count - each) * (count - each) / each;
        CHECK(chi < bound + 6 * std::sqrt(2.0 * bound) + 10);
    }
}

}  // namespace

int main() {
    for (const unsigned k : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
        check_lines<1>(3, 3, k);
        check_lines<1>(6, 7, k);
        check_lines<1>(1, 20, k);
        check_lines<1>(10, 1, k);
        check_lines<2>(9, 9, k);
        check_lines<6>(19, 19, k);
    }
    check_ranks(Mnk<1>(3, 3, 3), 19683);
    check_ranks(Mnk<1>(4, 4, 4), 43046721);
    check_ranks(Mnk<1>(5, 4, 4), 3486784401);
    check_ranks(Mnk<1>(1, 20, 3), 3486784401);
    check_ranks(Mnk<1>(20, 1, 3), 3486784401);
    check_every_rank_of_tic_tac_toe();
    check_quality();
    check_symmetry_keeps_what_matters(Mnk<1>(4, 4, 3), 50);
    check_symmetry_keeps_what_matters(Mnk<1>(3, 5, 3), 50);
    check_symmetry_keeps_what_matters(Mnk<6>(15, 15, 5), 3);
    check_symmetry_keeps_what_matters(Connect<1>(6, 7, 4), 50);
    check_symmetry_keeps_what_matters(Connect<2>(8, 9, 4), 20);
    check_symmetry_keeps_what_matters(Hex<1>(5), 50);
    check_symmetry_keeps_what_matters(Hex<2>(11), 10);
    check_reflected_games_have_one_canon(Connect<1>(6, 7, 4), 50, [](Move m) { return 6 - m; });
    check_reflected_games_have_one_canon(Connect<2>(8, 9, 4), 20, [](Move m) { return 8 - m; });
    check_reflected_games_have_one_canon(Hex<1>(5), 50, [](Move m) { return 24 - m; });
    check_reflected_games_have_one_canon(Hex<2>(11), 10, [](Move m) { return 120 - m; });
    check_order_and_narrow_choose_from_the_moves(Mnk<1>(4, 4, 3), 50);
    check_order_and_narrow_choose_from_the_moves(Mnk<2>(9, 9, 5), 5);
    check_order_and_narrow_choose_from_the_moves(Connect<1>(6, 7, 4), 50);
    check_order_and_narrow_choose_from_the_moves(Connect<2>(8, 9, 4), 20);
    check_order_and_narrow_choose_from_the_moves(Hex<1>(5), 50);
    check_order_and_narrow_choose_from_the_moves(Hex<2>(11), 5);
    check_values_are_kept(Mnk<1>(4, 4, 3), 40, 10);
    check_values_are_kept(Mnk<1>(4, 4, 4), 40, 10);
    check_values_are_kept(Mnk<1>(3, 6, 4), 40, 10);
    check_values_are_kept(Connect<1>(4, 4, 3), 40, 4);
    check_values_are_kept(Connect<1>(4, 4, 4), 20, 4);
    check_values_are_kept(Connect<1>(5, 3, 3), 40, 3);
    check_values_are_kept(Hex<1>(3), 40, 9);
    check_values_are_kept(Hex<1>(4), 60, 11);
    check_values_are_kept(Hex<1>(5), 60, 12);
    check_values_are_kept(Hex<2>(8), 10, 11);
    check_surveys(Connect<1>(4, 4, 4), 40, 4);
    check_surveys(Connect<1>(4, 4, 3), 60, 4);
    check_surveys(Connect<1>(5, 3, 3), 60, 3);
    check_surveys(Connect<1>(3, 5, 3), 60, 5);
    check_surveys(Connect<1>(3, 5, 4), 60, 5);
    check_surveys(Connect<1>(2, 7, 3), 60, 7);
    check_surveys(Connect<1>(2, 7, 4), 60, 7);
    check_surveys(Connect<1>(4, 3, 2), 60, 7);
    check_surveys(Connect<1>(2, 3, 1), 60, 7);
    check_surveys(Connect<2>(4, 4, 4), 10, 4);
    check_picks_are_uniform();
    std::puts("boards: all laws hold");
}
