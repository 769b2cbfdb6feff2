// The one concept that every search kernel is a template over.
//
// A game is a value that holds the rules (board size, graph, ...); a State is plain data. Scores are the first
// role's; the game is zero-sum, so that is all a two-player kernel needs. `moves` appends in exactly the order
// of the Python rules of the same game: moves cross the border between the languages as positions in that list.
//
//     struct Countdown {                                   // take one or two; who takes the last wins
//         struct State { std::uint32_t left, turn; bool operator==(const State&) const = default; };
//         State start() const { return {7, 0}; }
//         int turn(const State& s) const { return int(s.turn); }
//         Ending ending(const State& s) const { return s.left ? Ending{} : Ending{true, s.turn ? 1 : -1}; }
//         void moves(const State& s, std::vector<Move>& out) const { for (Move m = 1; m <= std::min(2u, s.left); ++m)
//         out.push_back(m); } State play(State s, Move m) const { return {s.left - m, 1 - s.turn}; } Score worst()
//         const { return -1; } Score best() const { return 1; }
//     };
//
// Optional members, each used by the kernels that can profit from it:
//   Score step() const                            every score is worst() plus a multiple of it (default: 1)
//   bool acyclic() const                          false if a position can repeat (default: true)
//   State canon(State) const                      the chosen representative under symmetry, same value and turn
//   void order(const State&, std::span<Move>) const     best moves first
//   bool narrow(const State&, std::vector<Move>&) const appends a non-empty subset of the moves that holds an
//                                                 optimal one, and says true; or appends nothing and says false
//   Bounds bounds(const State&) const             bounds on the value that can be seen at a glance, proved
//   Bounds survey(const State&, Bounds window, bool quiet, std::vector<Move>&) const
//                                                 bounds and narrow at one look, of a position that is not over: says
//                                                 bounds, and where they do not settle the window appends moves, none
//                                                 of which ends the game; quiet: the last move was one of those
//   Score evaluate(const State&) const            heuristic, first role's side, for depth-limited search
//   Score unit() const                            how much of evaluate() is one point of score (default: 1)
//   std::uint64_t ranks() const, rank(State), unrank(r)  a numbering of a superset of the reachable positions
//                                                 with rank(play(s, m)) < rank(s); unrank gives {State, bool legal}
//   std::string_view images() const               the word for the board's symmetries in certificates, and
//   State least_image(const State&) const         one and the same state for a position and all its images
//   Closing closing() const                       the rules by which certificates may close positions, and
//   bool closed(const State&, int owner, Score bound) const   whether one of them shows that the owner, 0 or 1, keeps
//                                                 the first role's score at `bound` at least, or at most; exactly as
//                                                 docs/formats/layers.md says, of a position that is not over
//   Move random_move(const State&, Random&) const one legal move, uniformly
//   Score playout(State, Random&) const           a whole uniformly random game
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace zermelo {

using Score = std::int64_t;
using Move = std::uint32_t;
inline constexpr Move kNoMove = 0xffffffffu;

struct Ending {
    bool over = false;
    Score score = 0;
};

struct Bounds {
    Score lower, upper;
};

using Closing = std::span<const std::string_view>;

constexpr Bounds within(const Bounds& a, const Bounds& b) {
    return {a.lower > b.lower ? a.lower : b.lower, a.upper < b.upper ? a.upper : b.upper};
}

// Whether bounds on a value are all that a search with this window wants to know of it.
constexpr bool settles(const Bounds& seen, const Bounds& window) {
    return seen.lower >= window.upper || seen.upper <= window.lower || seen.lower == seen.upper;
}

// Positions are compared and hashed as bytes, so a State must have no padding.
template <class S>
concept PlainState =
    std::is_trivially_copyable_v<S> && std::has_unique_object_representations_v<S> && std::equality_comparable<S>;

template <class G>
concept SearchGame = PlainState<typename G::State> &&
                     requires(const G& game, const typename G::State& state, std::vector<Move>& out, Move move) {
                         { game.start() } -> std::same_as<typename G::State>;
                         { game.turn(state) } -> std::same_as<int>;
                         { game.ending(state) } -> std::same_as<Ending>;
                         { game.moves(state, out) } -> std::same_as<void>;
                         { game.play(state, move) } -> std::same_as<typename G::State>;
                         { game.worst() } -> std::same_as<Score>;
                         { game.best() } -> std::same_as<Score>;
                     };

template <class G>
concept HasCanon = requires(const G& game, const typename G::State& state) {
    { game.canon(state) } -> std::same_as<typename G::State>;
};
template <class G>
concept HasOrder =
    requires(const G& game, const typename G::State& state, std::span<Move> moves) { game.order(state, moves); };
template <class G>
concept HasNarrow = requires(const G& game, const typename G::State& state, std::vector<Move>& out) {
    { game.narrow(state, out) } -> std::same_as<bool>;
};
template <class G>
concept HasSurvey = requires(const G& game, const typename G::State& state, std::vector<Move>& out) {
    { game.survey(state, Bounds{}, true, out) } -> std::same_as<Bounds>;
};
template <class G>
concept HasEvaluate = requires(const G& game, const typename G::State& state) {
    { game.evaluate(state) } -> std::same_as<Score>;
};
template <class G>
concept HasRank = requires(const G& game, const typename G::State& state, std::uint64_t r) {
    { game.ranks() } -> std::same_as<std::uint64_t>;
    { game.rank(state) } -> std::same_as<std::uint64_t>;
    { game.unrank(r).state } -> std::convertible_to<typename G::State>;
    { game.unrank(r).legal } -> std::convertible_to<bool>;
};

template <class G>
concept HasImages = requires(const G& game, const typename G::State& state) {
    { game.images() } -> std::same_as<std::string_view>;
    { game.least_image(state) } -> std::same_as<typename G::State>;
};
template <class G>
concept HasClosing = requires(const G& game, const typename G::State& state) {
    { game.closing() } -> std::same_as<Closing>;
    { game.closed(state, 0, Score{}) } -> std::same_as<bool>;
};

template <class G>
Bounds seen_bounds(const G& game, const typename G::State& state) {
    if constexpr (requires {
                      { game.bounds(state) } -> std::same_as<Bounds>;
                  })
        return game.bounds(state);
    else return (void)state, Bounds{game.worst(), game.best()};
}

template <class G>
Score evaluation_unit(const G& game) {
    if constexpr (requires {
                      { game.unit() } -> std::same_as<Score>;
                  })
        return game.unit();
    else return (void)game, 1;
}

// What a depth-limited search takes a position at its horizon for, in evaluation units.
template <class G>
Score horizon_value(const G& game, const typename G::State& state) {
    if constexpr (HasEvaluate<G>) return game.evaluate(state);
    else return (void)state, (game.worst() + game.best()) / 2 * evaluation_unit(game);
}

template <class State>
struct Unranked {
    State state;
    bool legal;
};

template <class G>
bool is_acyclic(const G& game) {
    if constexpr (requires {
                      { game.acyclic() } -> std::same_as<bool>;
                  })
        return game.acyclic();
    else return true;
}

// The least score that is at least `bound`: a game without draws has no score between -1 and 1.
template <class G>
Score next_score(const G& game, Score bound) {
    if constexpr (requires {
                      { game.step() } -> std::same_as<Score>;
                  }) {
        if (bound <= game.worst()) return game.worst();
        return game.worst() + (bound - game.worst() + game.step() - 1) / game.step() * game.step();
    } else {
        return (void)game, bound;
    }
}
template <class G>
Score score_step(const G& game) {
    if constexpr (requires {
                      { game.step() } -> std::same_as<Score>;
                  })
        return game.step();
    else return (void)game, 1;
}

template <class G>
typename G::State canonical(const G& game, const typename G::State& state, bool use_symmetry) {
    if constexpr (HasCanon<G>) return use_symmetry ? game.canon(state) : state;
    else return (void)game, (void)use_symmetry, state;
}

// The moves a search looks at: all of them, or the game's narrower choice, best first.
template <class G>
void search_moves(const G& game, const typename G::State& state, std::vector<Move>& out) {
    const auto begin = out.size();
    if constexpr (HasNarrow<G>) {
        if (game.narrow(state, out)) return;
    }
    game.moves(state, out);
    if constexpr (HasOrder<G>) game.order(state, std::span<Move>(out).subspan(begin));
    else (void)begin;
}

}  // namespace zermelo
