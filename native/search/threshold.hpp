// From yes/no questions to a value: "can the first role get at least v?" for the thresholds v that still matter.
//
// An engine that answers such questions (a prover: AND/OR search, proof-number search) becomes an engine for
// games of any number of scores. Win/draw/loss has two thresholds, and which is the easier one is not known in
// advance; so two questions, at the thirds of the open range, are asked in turn under budgets that double. The
// last pair of budgets is at least half of all the work: the wrong question costs a constant factor, never more.
//
//     Outcome outcome = solve_by_thresholds(game, prover, root, control);
//
// Prover needs `Answer ask(state, bound, budget, control)`, which looks at about `budget` positions before it
// says `open` (a bound is always a possible score), and `Move decisive()`: after an answer in the mover's favour, the
// move that secures it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "zermelo/control.hpp"
#include "zermelo/game.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

enum class Answer : std::uint8_t { open, no, yes };

inline constexpr std::uint64_t kNoBudget = std::numeric_limits<std::uint64_t>::max();

// Where a move stands in the list of legal moves; -1 if it is not in it.
template <SearchGame G>
std::int64_t position_of_move(const G& game, const typename G::State& state, Move move) {
    std::vector<Move> all;
    game.moves(state, all);
    const auto found = std::find(all.begin(), all.end(), move);
    return found == all.end() ? -1 : found - all.begin();
}

// Whether the question is already answered, by the ending or by a table of bounds. Positions are looked up under their
// own keys, so it serves mirror images as well; forced replies, which a table need not keep, are played on.
template <SearchGame G, class BoundsTable>
Answer known_answer(const G& game, typename G::State state, Score bound, bool symmetry, BoundsTable& table,
                    std::vector<Move>& scratch) {
    while (true) {
        if (const auto end = game.ending(state); end.over) return end.score >= bound ? Answer::yes : Answer::no;
        if (const auto* known = table.find(canonical(game, state, symmetry))) {
            if (known->lower >= bound) return Answer::yes;
            if (known->upper < bound) return Answer::no;
        }
        if constexpr (!HasNarrow<G>) return Answer::open;
        scratch.clear();
        search_moves(game, state, scratch);
        if (scratch.size() != 1) return Answer::open;
        state = game.play(state, scratch.front());
    }
}

// A move already known to give the mover its side of the question.
template <SearchGame G, class BoundsTable>
Move proving_move(const G& game, const typename G::State& state, Score bound, bool symmetry, BoundsTable& table) {
    if (game.ending(state).over) return kNoMove;
    std::vector<Move> list, scratch;
    search_moves(game, state, list);
    const auto wanted = game.turn(state) == 0 ? Answer::yes : Answer::no;
    for (const auto move : list)
        if (known_answer(game, game.play(state, move), bound, symmetry, table, scratch) == wanted) return move;
    return kNoMove;
}

template <SearchGame G, class Prover>
Outcome solve_by_thresholds(const G& game, Prover& prover, const typename G::State& root, Control& control) {
    constexpr std::uint64_t kFirstBudget = 1 << 14;
    if (const auto end = game.ending(root); end.over)
        return {.solved = true, .lower = end.score, .upper = end.score, .distance = 0};
    const int turn = game.turn(root);
    const Score step = score_step(game);
    Outcome outcome{.lower = game.worst(), .upper = game.best()};
    auto& [solved, lower, upper, move, distance, estimate] = outcome;
    try {
        for (std::uint64_t budget = kFirstBudget; lower < upper;) {
            control.report(lower, upper, control.depth());
            const Score third = ((upper - lower) / step - 1) / 3 * step;
            std::array<Score, 2> questions{upper - third, lower + step + third};
            const bool one = questions[0] == questions[1];
            if (turn == 1) std::swap(questions[0], questions[1]);  // "does the mover win?" comes first
            Answer answer = Answer::open;
            for (const auto bound : questions) {
                answer = prover.ask(root, bound, one ? kNoBudget : budget, control);
                if (answer == Answer::open) continue;
                if (answer == Answer::yes) lower = bound;
                else upper = bound - step;
                if ((answer == Answer::yes) == (turn == 0)) move = position_of_move(game, root, prover.decisive());
                break;
            }
            if (answer == Answer::open) budget = std::max(budget, budget * 2);
        }
        solved = true;
        // The mover could not do better than the worst there is: every move is as good as any.
        if (move < 0) move = 0;
    } catch (const Stopped&) {
    }
    control.report(lower, upper, control.depth());
    return outcome;
}

}  // namespace zermelo
