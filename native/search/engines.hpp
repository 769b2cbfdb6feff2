// Every engine for every game. A game's translation unit includes this once.
//
// All engines reach a game through opaque.hpp, where they are compiled once. erase_hot() compiles alphabeta, pns and
// uct for the game itself as well: use it for the games whose speed is measured.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/alphabeta.hpp"
#include "search/opaque.hpp"
#include "search/pns.hpp"
#include "search/search_of.hpp"
#include "bandit/game_lane.hpp"
#include "bandit/uct.hpp"
#include "zermelo/random.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

template <SearchGame G, bool Hot>
class GameOf : public AnyGame {
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
    std::vector<std::string> engines() const override {
        return {"alphabeta", "dp", "pns", "andor", "minimax", "mtdf", "uct"};
    }

    std::unique_ptr<Search> search(std::string_view engine, const SearchParams& params) const override {
        if constexpr (Hot) {
            if (engine == "alphabeta") return std::make_unique<SearchOf<G, AlphaBeta<G>>>(game_, state_, params);
            if (engine == "pns") return std::make_unique<SearchOf<G, Pns<G>>>(game_, state_, params);
            if (engine == "uct") return std::make_unique<SearchOf<G, bandit::Uct<G>>>(game_, state_, params);
        }
        return opaque_search_of(game_, state_, engine, params);
    }

    std::unique_ptr<bandit::Lane> lane() const override {
        if constexpr (Hot) return std::make_unique<bandit::GameLane<G>>(game_, state_);
        else return opaque_lane_of(game_, state_);
    }

    std::int64_t playouts(std::uint64_t count, std::uint64_t seed, Control& control) const override {
        Random random(seed);
        std::vector<Move> list;
        Score sum = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            control.tick();
            sum += random_playout(*game_, state_, random, list);
        }
        control.publish();
        return sum;
    }

    std::uint64_t perft(int depth, Control& control) const override { return perft(state_, depth, control); }

private:
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

protected:
    std::shared_ptr<const G> game_;
    State state_;
};

template <bool Hot, SearchGame G>
std::unique_ptr<AnyGame> erase_as(G game) {
    auto shared = std::make_shared<const G>(std::move(game));
    const auto start = shared->start();
    return std::make_unique<GameOf<G, Hot>>(std::move(shared), start);
}

template <SearchGame G>
std::unique_ptr<AnyGame> erase(G game) {
    return erase_as<false>(std::move(game));
}
template <SearchGame G>
std::unique_ptr<AnyGame> erase_hot(G game) {
    return erase_as<true>(std::move(game));
}

}  // namespace zermelo
