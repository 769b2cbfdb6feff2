// A search under way: one engine on one game from one position, with the types taken off.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <stdexcept>
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

    std::optional<LayeredStrategy> layers(int owner, Score bound, Control& control, bool brief) override {
        if constexpr (kLayered) {
            const auto written = [&](LayerForm form) {
                return LayerWriter(*game_, prover(), owner, bound, control, form).write(root_);
            };
            if (!can_be_brief()) return written({});
            if (!brief)
                if (auto plain = written({.most = kMostPlain})) return plain;
            return written({.brief = true});
        } else {
            return Search::layers(owner, bound, control, brief);
        }
    }
    std::optional<LayeredStrategy> trunk(int owner, Score bound, Control& control, std::uint64_t until) override {
        if constexpr (kLayered) {
            LayerWriter writer(*game_, prover(), owner, bound, control, {.brief = can_be_brief()});
            auto strategy = writer.write(root_, static_cast<std::size_t>(until));
            frontier_ = {owner, bound, writer.take_frontier()};
            return strategy;
        } else {
            return Search::trunk(owner, bound, control, until);
        }
    }
    LayeredStrategy part(std::uint64_t first, std::uint64_t count, Control& control) const override {
        if constexpr (kLayered) {
            const auto size = frontier_.positions.size();
            if (first > size || count > size - first) throw std::out_of_range("no such positions to go on from");
            const auto begin = frontier_.positions.begin() + static_cast<std::ptrdiff_t>(first);
            auto params = params_;
            params.table_bytes = kPartTable;  // whatever the number of threads
            auto engine = aside(params);
            LayerWriter writer(*game_, engine, frontier_.owner, frontier_.bound, control, {.brief = can_be_brief()});
            return *writer.write_from({begin, begin + static_cast<std::ptrdiff_t>(count)}, ~std::size_t{0});
        } else {
            return Search::part(first, count, control);
        }
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
    // A strategy that meets no more positions is written down without images and closed positions, so that it also
    // stands in tables and says how long play takes.
    static constexpr std::uint64_t kMostPlain = std::uint64_t{1} << 16;
    static constexpr bool kLayered = !kOwnStrategies && !std::same_as<G, Graph>;

    // What trunk() stopped before.
    struct Frontier {
        int owner = 0;
        Score bound = 0;
        std::vector<State> positions;
    };
    static constexpr std::uint64_t kPartTable = std::uint64_t{64} << 20;

    // A search of its own on top of what was found, which it does not change.
    AlphaBeta<G> aside(const SearchParams& params) const {
        if constexpr (std::same_as<Engine, AlphaBeta<G>>) return {*game_, params, engine_};
        else if (prover_) return {*game_, params, *prover_};
        else return {*game_, params};
    }
    bool can_be_brief() const {
        if constexpr (HasImages<G>)
            if (!game_->images().empty()) return true;
        if constexpr (HasClosing<G>)
            if (!game_->closing().empty()) return true;
        return false;
    }

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
    Frontier frontier_;
};

}  // namespace zermelo
