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
#include "search/graph/prover.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

// An engine that writes strategies of its own knows ranks for play in circles.
template <class Engine, class State>
concept Writes = requires(Engine& engine, const State& state, Control& control) {
    { engine.strategy(state, 0, Score{}, control) } -> std::same_as<StrategyGraph>;
};

template <SearchGame G>
class SearchFrom : public Search {
public:
    using State = typename G::State;
    SearchFrom(std::shared_ptr<const G> game, const State& root, const SearchParams& params)
        : game_(std::move(game)), root_(root), params_(params) {}

    Outcome solve(Control& control) override { return solve_from(root_, control); }
    Outcome solve_move(std::uint32_t index, Control& control) override {
        std::vector<Move> moves;
        game_->moves(root_, moves);
        return solve_from(game_->play(root_, moves.at(index)), control);
    }

protected:
    virtual Outcome solve_from(const State&, Control&) = 0;

    std::shared_ptr<const G> game_;
    State root_;
    SearchParams params_;
};

// Strategies of a game, whatever engine found the value: compiled once a game. An engine that cannot be asked has
// alpha-beta asked beside it.
template <SearchGame G>
class WritingSearch : public SearchFrom<G> {
public:
    using State = typename G::State;
    using SearchFrom<G>::SearchFrom;

    StrategyGraph strategy(int owner, Score bound, Control& control) override {
        return extract_strategy(*game_, prover(), root_, owner, bound, control);
    }
    std::optional<LayeredStrategy> layers(int owner, Score bound, Control& control, bool brief) override {
        const auto written = [&](LayerForm form) {
            return LayerWriter<G>(*game_, prover(), owner, bound, control, form).write(root_);
        };
        if (!can_be_brief()) return written({});
        if (!brief)
            if (auto plain = written({.most = kMostPlain})) return plain;
        return written({.brief = true});
    }
    std::optional<LayeredStrategy> trunk(int owner, Score bound, Control& control, std::uint64_t until) override {
        LayerWriter<G> writer(*game_, prover(), owner, bound, control, {.brief = can_be_brief()});
        auto strategy = writer.write(root_, static_cast<std::size_t>(until));
        frontier_ = {owner, bound, writer.take_frontier()};
        return strategy;
    }
    LayeredStrategy part(std::uint64_t first, std::uint64_t count, Control& control) const override {
        const auto size = frontier_.positions.size();
        if (first > size || count > size - first) throw std::out_of_range("no such positions to go on from");
        const auto begin = frontier_.positions.begin() + static_cast<std::ptrdiff_t>(first);
        auto params = params_;
        params.table_bytes = kPartTable;  // whatever the number of threads
        // A search of its own on top of what was found, which it does not change.
        const auto* before = searched();
        auto engine = before ? AlphaBeta<G>(*game_, params, *before) : AlphaBeta<G>(*game_, params);
        ProverOf<State, AlphaBeta<G>> prover(engine);
        LayerWriter<G> writer(*game_, prover, frontier_.owner, frontier_.bound, control, {.brief = can_be_brief()});
        return *writer.write_from({begin, begin + static_cast<std::ptrdiff_t>(count)}, ~std::size_t{0});
    }
    std::vector<std::uint16_t> line(Score bound, Control& control) override {
        return LayerWriter<G>(*game_, prover(), 0, bound, control).line(root_);
    }

protected:
    using SearchFrom<G>::game_, SearchFrom<G>::root_, SearchFrom<G>::params_;
    // Who is asked what holds.
    virtual Prover<State>& prover() {
        if (!beside_) beside_.emplace(*game_, params_);
        return beside_->prover;
    }
    // What alpha-beta has found so far, if it was asked.
    virtual const AlphaBeta<G>* searched() const { return beside_ ? &beside_->engine : nullptr; }

private:
    // A strategy that meets no more positions is written down without images and closed positions, so that it also
    // stands in tables and says how long play takes.
    static constexpr std::uint64_t kMostPlain = std::uint64_t{1} << 16;
    static constexpr std::uint64_t kPartTable = std::uint64_t{64} << 20;

    // What trunk() stopped before.
    struct Frontier {
        int owner = 0;
        Score bound = 0;
        std::vector<State> positions;
    };
    struct Beside {
        Beside(const G& game, const SearchParams& params) : engine(game, params), prover(engine) {}
        AlphaBeta<G> engine;
        ProverOf<State, AlphaBeta<G>> prover;
    };

    bool can_be_brief() const {
        if constexpr (HasImages<G>)
            if (!game_->images().empty()) return true;
        if constexpr (HasClosing<G>)
            if (!game_->closing().empty()) return true;
        return false;
    }

    std::optional<Beside> beside_;
    Frontier frontier_;
};

// One engine, within what its game has for all of them.
template <class Base, class Engine>
class EngineSearch : public Base {
public:
    using State = typename Base::State;
    template <class Game>
    EngineSearch(Game game, const State& root, const SearchParams& params)
        : Base(std::move(game), root, params), engine_(*this->game_, params) {}

    std::uint64_t table_bytes() const override { return engine_.table_bytes(); }
    std::vector<std::uint64_t> counts() const override {
        if constexpr (requires { engine_.counts(); }) return engine_.counts();
        else return {};
    }
    bool full() const override {
        if constexpr (requires { engine_.full(); }) return engine_.full();
        else return false;
    }

protected:
    Outcome solve_from(const State& state, Control& control) override { return engine_.solve(state, control); }

    Engine engine_;
};

template <SearchGame G, class Engine>
class SearchOf final : public EngineSearch<WritingSearch<G>, Engine> {
    using EngineSearch<WritingSearch<G>, Engine>::EngineSearch;
};

template <SearchGame G, class Engine>
    requires(Proves<Engine, typename G::State> && !Writes<Engine, typename G::State>)
class SearchOf<G, Engine> final : public EngineSearch<WritingSearch<G>, Engine> {
public:
    using EngineSearch<WritingSearch<G>, Engine>::EngineSearch;

protected:
    Prover<typename G::State>& prover() override { return prover_; }
    const AlphaBeta<G>* searched() const override {
        if constexpr (std::same_as<Engine, AlphaBeta<G>>) return &this->engine_;
        else return nullptr;
    }

private:
    ProverOf<typename G::State, Engine> prover_{this->engine_};
};

template <SearchGame G, class Engine>
    requires Writes<Engine, typename G::State>
class SearchOf<G, Engine> final : public EngineSearch<SearchFrom<G>, Engine> {
public:
    using EngineSearch<SearchFrom<G>, Engine>::EngineSearch;
    StrategyGraph strategy(int owner, Score bound, Control& control) override {
        return this->engine_.strategy(this->root_, owner, bound, control);
    }
};

// An explicit graph is labelled in linear time, cycles included, whatever engine found the value.
template <class Engine>
    requires(!Proves<Engine, Graph::State>)
class SearchOf<Graph, Engine> final : public EngineSearch<SearchFrom<Graph>, Engine> {
public:
    using EngineSearch<SearchFrom<Graph>, Engine>::EngineSearch;
    StrategyGraph strategy(int owner, Score bound, Control& control) override {
        if (!labels_) labels_ = label_graph(this->game_->data(), control);
        return strategy_from_labels(this->game_->data(), *labels_, this->root_.node, owner, bound, control);
    }

private:
    std::optional<Labels> labels_;
};

}  // namespace zermelo
