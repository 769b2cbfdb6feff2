// Every engine for every game, with the types taken off. A game's translation unit includes this once.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/alphabeta.hpp"
#include "search/andor.hpp"
#include "search/bounded.hpp"
#include "search/dp.hpp"
#include "search/extract.hpp"
#include "search/labels.hpp"
#include "search/minimax.hpp"
#include "search/mtdf.hpp"
#include "search/pns.hpp"
#include "search/uct.hpp"
#include "zermelo/random.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

template <class Engine, class State>
concept Prover = requires(Engine& engine, const State& state, Control& control) {
    { engine.at_least(state, Score{}, control) } -> std::same_as<bool>;
    { engine.hint(state) } -> std::same_as<Move>;
};

// A search under way: one engine on one game from one position.
template <SearchGame G, class Engine>
class SearchOf final : public Search {
public:
    using State = typename G::State;
    SearchOf(std::shared_ptr<const G> game, const State& root, const SearchParams& params)
        : game_(std::move(game)), root_(root), params_(params), engine_(*game_, params) {}

    Outcome solve(Control& control) override { return engine_.solve(root_, control); }

    Outcome solve_move(std::uint32_t index, Control& control) override {
        std::vector<Move> moves;
        game_->moves(root_, moves);
        return engine_.solve(game_->play(root_, moves.at(index)), control);
    }

    StrategyGraph strategy(int owner, Score bound, Control& control) override {
        if constexpr (requires { engine_.strategy(root_, owner, bound, control); }) {
            return engine_.strategy(root_, owner, bound, control);
        } else if constexpr (std::same_as<G, Graph>) {
            // An explicit graph is labelled in linear time, cycles included, whatever engine found the value.
            if (!labels_) labels_ = label_graph(game_->data(), control);
            return strategy_from_labels(game_->data(), *labels_, root_.node, owner, bound, control);
        } else if constexpr (Prover<Engine, State>) {
            return extract_strategy(*game_, engine_, root_, owner, bound, control);
        } else {
            if (!prover_) prover_.emplace(*game_, params_);
            return extract_strategy(*game_, *prover_, root_, owner, bound, control);
        }
    }

    std::uint64_t table_bytes() const override { return engine_.table_bytes(); }
    std::vector<std::uint64_t> counts() const override {
        if constexpr (requires { engine_.counts(); }) return engine_.counts();
        else return {};
    }
    bool full() const override {
        if constexpr (requires { engine_.full(); }) return engine_.full();
        else return false;
    }

private:
    std::shared_ptr<const G> game_;
    State root_;
    SearchParams params_;
    Engine engine_;
    std::optional<AlphaBeta<G>> prover_;
    std::optional<Labels> labels_;
};

template <SearchGame G>
class GameOf final : public AnyGame {
public:
    using State = typename G::State;
    GameOf(std::shared_ptr<const G> game, const State& state) : game_(std::move(game)), state_(state) {}

    std::unique_ptr<AnyGame> after(std::uint32_t index) const override {
        return std::make_unique<GameOf>(game_, game_->play(state_, moves().at(index)));
    }
    int turn() const override { return game_->turn(state_); }
    Ending ending() const override { return game_->ending(state_); }
    std::uint32_t move_count() const override { return ending().over ? 0 : static_cast<std::uint32_t>(moves().size()); }
    Score worst() const override { return game_->worst(); }
    Score best() const override { return game_->best(); }
    bool acyclic() const override { return is_acyclic(*game_); }
    std::vector<std::string> engines() const override { return {"alphabeta", "dp", "pns", "andor", "minimax", "mtdf", "uct"}; }

    std::unique_ptr<Search> search(std::string_view engine, const SearchParams& params) const override {
        if (engine == "alphabeta") return acyclic_engine<AlphaBeta>(params);
        if (engine == "dp") return std::make_unique<SearchOf<G, Dp<G>>>(game_, state_, params);
        if (engine == "pns") return acyclic_engine<Pns>(params);
        if (engine == "andor") return acyclic_engine<AndOr>(params);
        if (engine == "minimax") return acyclic_engine<Minimax>(params);
        if (engine == "mtdf") return acyclic_engine<Mtdf>(params);
        if (engine == "uct") return std::make_unique<SearchOf<G, Uct<G>>>(game_, state_, params);
        throw std::invalid_argument("no engine of that name for this game");
    }

    std::int64_t playouts(std::uint64_t count, std::uint64_t seed, Control& control) const override {
        Random random(seed);
        std::vector<Move> list;
        Score sum = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            control.tick();
            sum += playout(*game_, state_, random, list);
        }
        control.publish();
        return sum;
    }

    std::uint64_t perft(int depth, Control& control) const override { return perft(state_, depth, control); }

private:
    // Engines for acyclic games reach cyclic ones through Deepening.
    template <template <class> class Engine>
    std::unique_ptr<Search> acyclic_engine(const SearchParams& params) const {
        if constexpr (requires { game_->endless(); }) {
            if (!game_->acyclic()) return std::make_unique<SearchOf<G, Deepening<G, Engine>>>(game_, state_, params);
        }
        return std::make_unique<SearchOf<G, Engine<G>>>(game_, state_, params);
    }

    std::vector<Move> moves() const {
        std::vector<Move> list;
        game_->moves(state_, list);
        return list;
    }
    std::uint64_t perft(const State& state, int depth, Control& control) const {
        control.tick();
        if (depth == 0) return 1;
        if (game_->ending(state).over) return 0;
        std::vector<Move> list;
        game_->moves(state, list);
        std::uint64_t lines = 0;
        for (const auto move : list) lines += perft(game_->play(state, move), depth - 1, control);
        return lines;
    }
    static Score playout(const G& game, State state, Random& random, std::vector<Move>& list) {
        if constexpr (requires { game.playout(state, random); }) {
            return game.playout(state, random);
        } else {
            while (true) {
                const auto end = game.ending(state);
                if (end.over) return end.score;
                list.clear();
                game.moves(state, list);
                state = game.play(state, list[random.below(static_cast<std::uint32_t>(list.size()))]);
            }
        }
    }

    std::shared_ptr<const G> game_;
    State state_;
};

template <SearchGame G>
std::unique_ptr<AnyGame> erase(G game) {
    auto shared = std::make_shared<const G>(std::move(game));
    const auto start = shared->start();
    return std::make_unique<GameOf<G>>(std::move(shared), start);
}

}  // namespace zermelo
