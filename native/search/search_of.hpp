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
#include "search/graph/layers.hpp"
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
        if constexpr (kOwnStrategies) {
            return engine_.strategy(root_, owner, bound, control);
        } else if constexpr (std::same_as<G, Graph>) {
            // An explicit graph is labelled in linear time, cycles included, whatever engine found the value.
            if (!labels_) labels_ = label_graph(game_->data(), control);
            return strategy_from_labels(game_->data(), *labels_, root_.node, owner, bound, control);
        } else {
            return extract_strategy(*game_, prover(), root_, owner, bound, control);
        }
    }

    std::optional<LayeredStrategy> layers(int owner, Score bound, Control& control) override {
        if constexpr (kLayered) return LayerWriter(*game_, prover(), owner, bound, control).write(root_);
        else return Search::layers(owner, bound, control);
    }
    std::vector<std::uint16_t> line(Score bound, Control& control) override {
        if constexpr (kLayered) return LayerWriter(*game_, prover(), 0, bound, control).line(root_);
        else return Search::line(bound, control);
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
    // Engines that write strategies of their own know ranks for play in circles; an explicit graph has labels.
    static constexpr bool kOwnStrategies =
        requires(Engine& engine, const State& state, Control& control) { engine.strategy(state, 0, Score{}, control); };
    static constexpr bool kLayered = !kOwnStrategies && !std::same_as<G, Graph>;

    // Who is asked what holds: the engine, or alpha-beta where it cannot say.
    auto& prover() {
        if constexpr (Prover<Engine, State>) return engine_;
        else return prover_ ? *prover_ : prover_.emplace(*game_, params_);
    }

    std::shared_ptr<const G> game_;
    State root_;
    SearchParams params_;
    Engine engine_;
    std::optional<AlphaBeta<G>> prover_;
    std::optional<Labels> labels_;
};

}  // namespace zermelo
