// Who is asked whether a claim holds while a strategy is written down, whatever engine it is.
//
// Strategies are written by asking the engine that solved the game, whose table is warm. The question costs a call
// through a table of functions and its answer a search, so what writes (extract.hpp, layers.hpp) is
// compiled once a game, not once for each engine of a game.
//
//     ProverOf<G::State, Pns<G>> prover(engine);
//     Claim claim(game, prover, /*owner*/ 0, /*bound*/ 1, control);
//     claim.holds(game.start());
//     claim.kept(state, moves);                            // the place in `moves` of one that keeps the bound
#pragma once

#include <algorithm>
#include <concepts>
#include <stdexcept>
#include <vector>

#include "zermelo/control.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

template <class State>
class Prover {
public:
    virtual ~Prover() = default;
    virtual bool at_least(const State&, Score bound, Control&) = 0;
    // A move to try first, or kNoMove.
    virtual Move hint(const State&) = 0;
    // A move that a table knows to decide whether the first role gets at least `bound`, or kNoMove.
    virtual Move table_move(const State&, Score bound) = 0;
};

template <class Engine, class State>
concept Proves = requires(Engine& engine, const State& state, Control& control) {
    { engine.at_least(state, Score{}, control) } -> std::same_as<bool>;
    { engine.hint(state) } -> std::same_as<Move>;
};

template <class State, Proves<State> Engine>
class ProverOf final : public Prover<State> {
public:
    explicit ProverOf(Engine& engine) : engine_(engine) {}
    bool at_least(const State& state, Score bound, Control& control) override {
        return engine_.at_least(state, bound, control);
    }
    Move hint(const State& state) override { return engine_.hint(state); }
    Move table_move(const State& state, Score bound) override {
        if constexpr (requires { engine_.table_move(state, bound); }) return engine_.table_move(state, bound);
        else return (void)state, (void)bound, kNoMove;
    }

private:
    Engine& engine_;
};

// That a role gets at least (role 1: lets the first role get at most) a bound.
template <SearchGame G>
class Claim {
public:
    using State = typename G::State;
    Claim(const G& game, Prover<State>& prover, int role, Score score, Control& control)
        : owner(role), bound(score), game_(game), prover_(prover), control_(control) {}

    bool holds(const State& state) {
        return owner == 0 ? prover_.at_least(state, bound, control_) : !prover_.at_least(state, bound + 1, control_);
    }
    // A move that keeps the bound in a position where it holds and the owner moves.
    std::size_t kept(const State& state, const std::vector<Move>& moves) {
        tried_.clear();
        if (const Move first = prover_.hint(state); first != kNoMove) tried_.push_back(first);
        search_moves(game_, state, tried_);
        tried_.insert(tried_.end(), moves.begin(), moves.end());
        for (auto move = tried_.begin(); move != tried_.end(); ++move) {
            if (std::find(tried_.begin(), move, *move) != move) continue;
            const auto index = static_cast<std::size_t>(std::find(moves.begin(), moves.end(), *move) - moves.begin());
            if (index < moves.size() && holds(game_.play(state, *move))) return index;
        }
        throw std::logic_error("a position that keeps the bound has no move that keeps it");
    }
    Move table_move(const State& state) { return prover_.table_move(state, owner == 0 ? bound : bound + 1); }

    int owner;
    const Score bound;

private:
    const G& game_;
    Prover<State>& prover_;
    Control& control_;
    std::vector<Move> tried_;
};

}  // namespace zermelo
