// A search under way: one engine on one game from one position, with the types taken off.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/graph/graph.hpp"
#include "search/alphabeta.hpp"
#include "search/graph/extract.hpp"
#include "search/graph/labels.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

template <class Engine, class State>
concept Prover = requires(Engine& engine, const State& state, Control& control) {
    { engine.at_least(state, Score{}, control) } -> std::same_as<bool>;
    { engine.hint(state) } -> std::same_as<Move>;
};

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

}  // namespace zermelo
