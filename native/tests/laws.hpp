// Laws that every game's optional members keep, checked along random lines of play.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "check.hpp"
#include "search/graph/extract.hpp"
#include "zermelo/game.hpp"
#include "zermelo/random.hpp"
#include "zermelo/table.hpp"

namespace zermelo::testing {

// Values by plain minimax with memory on moves, play and ending alone. Test boards are small: recursion will do.
template <SearchGame G>
class Minimax {
public:
    explicit Minimax(const G& game) : game_(game) {}

    Score value(const typename G::State& state) {
        if (const auto end = game_.ending(state); end.over) return end.score;
        if (const auto found = known_.find(state); found != known_.end()) return found->second;
        std::vector<Move> moves;
        game_.moves(state, moves);
        const bool first = game_.turn(state) == 0;
        Score best = first ? game_.worst() : game_.best();
        for (const auto move : moves) {
            const auto value_after = value(game_.play(state, move));
            best = first ? std::max(best, value_after) : std::min(best, value_after);
        }
        return known_[state] = best;
    }

private:
    const G& game_;
    std::unordered_map<typename G::State, Score, StateHash<typename G::State>> known_;
};

// On random lines: canon is idempotent, keeps turn, end and number of moves; order permutes the moves; random_move
// is legal; rank falls and unrank undoes it; a playout ends within the scores.
template <SearchGame G>
void check_laws(const G& game, unsigned lines, std::uint64_t seed) {
    Random random(seed);
    std::vector<Move> moves, other;
    for (unsigned line = 0; line < lines; ++line) {
        auto state = game.start();
        while (!game.ending(state).over) {
            moves.clear();
            game.moves(state, moves);
            CHECK(!moves.empty());
            if constexpr (HasCanon<G>) {
                const auto image = game.canon(state);
                other.clear();
                game.moves(image, other);
                CHECK(game.canon(image) == image);
                CHECK(game.turn(image) == game.turn(state));
                CHECK(!game.ending(image).over);
                CHECK(other.size() == moves.size());
            }
            if constexpr (HasOrder<G>) {
                other = moves;
                game.order(state, other);
                CHECK(std::is_permutation(moves.begin(), moves.end(), other.begin(), other.end()));
            }
            if constexpr (HasNarrow<G>) {
                other.clear();
                const bool narrowed = game.narrow(state, other);
                CHECK(narrowed != other.empty());
                for (const auto move : other) CHECK(std::find(moves.begin(), moves.end(), move) != moves.end());
            }
            if constexpr (HasRank<G>) {
                CHECK(game.unrank(game.rank(state)).legal);
                CHECK(game.unrank(game.rank(state)).state == state);
                for (const auto move : moves) CHECK(game.rank(game.play(state, move)) < game.rank(state));
            }
            const auto score = game.playout(state, random);
            CHECK(game.worst() <= score && score <= game.best());
            const auto move = game.random_move(state, random);
            CHECK(std::find(moves.begin(), moves.end(), move) != moves.end());
            state = game.play(state, move);
        }
    }
}

// On random lines, from ply `skip` on: canon keeps the value, and a narrower choice holds a move that does.
template <SearchGame G>
void check_values(const G& game, unsigned lines, std::uint64_t seed, unsigned skip = 0) {
    Random random(seed);
    Minimax<G> exact(game);
    std::vector<Move> choice;
    for (unsigned line = 0; line < lines; ++line) {
        unsigned ply = 0;
        for (auto state = game.start(); !game.ending(state).over;
             state = game.play(state, game.random_move(state, random))) {
            if (ply++ < skip) continue;
            if constexpr (HasCanon<G>) CHECK(exact.value(game.canon(state)) == exact.value(state));
            if constexpr (HasNarrow<G>) {
                choice.clear();
                if (game.narrow(state, choice))
                    CHECK(std::any_of(choice.begin(), choice.end(), [&](Move move) {
                        return exact.value(game.play(state, move)) == exact.value(state);
                    }));
            }
        }
    }
}

}  // namespace zermelo::testing
