// A game whose rules are called through a table of functions, its positions opaque words.
//
// Every engine is compiled once for it (games/opaque*.cpp) and so takes every game at the price of indirect calls;
// a game compiles for itself only the engines for which that price matters (engines.hpp: Hot). What a game does
// not offer (symmetry, order, ...) has a neutral stand-in here. The table over ranks is the game's own all the same:
// its sweep makes no indirect call.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bandit/lane.hpp"
#include "search/graph/ranked.hpp"
#include "zermelo/game.hpp"
#include "zermelo/random.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

template <std::size_t N>
struct OpaqueState {
    std::array<std::uint64_t, N> word{};
    bool operator==(const OpaqueState&) const = default;
};

template <std::size_t N>
class Rules {
public:
    using State = OpaqueState<N>;
    virtual ~Rules() = default;
    virtual int turn(const State&) const = 0;
    virtual Ending ending(const State&) const = 0;
    virtual void moves(const State&, std::vector<Move>&) const = 0;
    virtual State play(const State&, Move) const = 0;
    virtual State canon(const State&) const = 0;
    virtual std::string_view images() const { return {}; }  // none
    virtual State least_image(const State& s) const { return s; }
    virtual Closing closing() const { return {}; }
    virtual bool closed(const State&, int owner, Score bound) const { return (void)owner, (void)bound, false; }
    virtual void order(const State&, std::span<Move>) const = 0;
    virtual bool narrow(const State&, std::vector<Move>&) const = 0;
    virtual Bounds bounds(const State&) const = 0;
    virtual Score evaluate(const State&) const = 0;
    // Appends the moves, and where each leads to.
    virtual void successors(const State& s, std::vector<Move>& moves_out, std::vector<State>& out) const {
        const auto begin = moves_out.size();
        moves(s, moves_out);
        for (auto i = begin; i < moves_out.size(); ++i) out.push_back(play(s, moves_out[i]));
    }
    virtual Score playout(const State&, Random&) const = 0;
    virtual std::uint64_t ranks() const { return 0; }  // the positions are not numbered
    virtual std::uint64_t rank(const State&) const { return 0; }
    virtual std::unique_ptr<RankTable> rank_table() const { return nullptr; }
    Score worst = 0, best = 0, unit = 1, step = 1;
};

// A uniformly random game to its end, by the game's own fast way where it has one.
template <SearchGame G>
Score random_playout(const G& game, typename G::State state, Random& random, std::vector<Move>& list) {
    if constexpr (requires {
                      { game.playout(state, random) } -> std::convertible_to<Score>;
                  }) {
        return (void)list, game.playout(state, random);
    } else {
        while (true) {
            const auto end = game.ending(state);
            if (end.over) return end.score;
            if constexpr (requires {
                              { game.random_move(state, random) } -> std::same_as<Move>;
                          }) {
                state = game.play(state, game.random_move(state, random));
            } else {
                list.clear();
                game.moves(state, list);
                state = game.play(state, list[random.below(static_cast<std::uint32_t>(list.size()))]);
            }
        }
    }
}

template <SearchGame G, std::size_t N>
class RulesOf final : public Rules<N> {
    static_assert(sizeof(typename G::State) <= sizeof(OpaqueState<N>));

public:
    using State = OpaqueState<N>;
    using Inner = typename G::State;
    explicit RulesOf(std::shared_ptr<const G> game) : game_(std::move(game)) {
        // The engines would take it for a game that ends: there is no word here for what endless play scores.
        if (!is_acyclic(*game_))
            throw std::logic_error("a game whose positions repeat cannot be played through opaque positions");
        this->worst = game_->worst();
        this->best = game_->best();
        this->unit = evaluation_unit(*game_);
        this->step = score_step(*game_);
    }
    static State pack(const Inner& inner) {
        State state;
        std::memcpy(state.word.data(), &inner, sizeof(Inner));
        return state;
    }
    static Inner unpack(const State& state) {
        Inner inner;
        std::memcpy(static_cast<void*>(&inner), state.word.data(), sizeof(Inner));
        return inner;
    }

    int turn(const State& s) const override { return game_->turn(unpack(s)); }
    Ending ending(const State& s) const override { return game_->ending(unpack(s)); }
    void moves(const State& s, std::vector<Move>& out) const override { game_->moves(unpack(s), out); }
    State play(const State& s, Move move) const override { return pack(game_->play(unpack(s), move)); }
    void successors(const State& s, std::vector<Move>& moves_out, std::vector<State>& out) const override {
        const auto begin = moves_out.size();
        const Inner inner = unpack(s);
        game_->moves(inner, moves_out);
        for (auto i = begin; i < moves_out.size(); ++i) out.push_back(pack(game_->play(inner, moves_out[i])));
    }
    State canon(const State& s) const override {
        if constexpr (HasCanon<G>) return pack(game_->canon(unpack(s)));
        else return s;
    }
    std::string_view images() const override {
        if constexpr (HasImages<G>) return game_->images();
        else return Rules<N>::images();
    }
    State least_image(const State& s) const override {
        if constexpr (HasImages<G>) return pack(game_->least_image(unpack(s)));
        else return Rules<N>::least_image(s);
    }
    Closing closing() const override {
        if constexpr (HasClosing<G>) return game_->closing();
        else return Rules<N>::closing();
    }
    bool closed(const State& s, int owner, Score bound) const override {
        if constexpr (HasClosing<G>) return game_->closed(unpack(s), owner, bound);
        else return Rules<N>::closed(s, owner, bound);
    }
    void order(const State& s, std::span<Move> moves) const override {
        if constexpr (HasOrder<G>) game_->order(unpack(s), moves);
        else (void)s, (void)moves;
    }
    bool narrow(const State& s, std::vector<Move>& out) const override {
        if constexpr (HasNarrow<G>) return game_->narrow(unpack(s), out);
        else return (void)s, (void)out, false;
    }
    Bounds bounds(const State& s) const override { return seen_bounds(*game_, unpack(s)); }
    Score evaluate(const State& s) const override { return horizon_value(*game_, unpack(s)); }
    Score playout(const State& s, Random& random) const override {
        std::vector<Move> list;
        return random_playout(*game_, unpack(s), random, list);
    }
    std::uint64_t ranks() const override {
        if constexpr (HasRank<G>) return game_->ranks();
        else return Rules<N>::ranks();
    }
    std::uint64_t rank(const State& s) const override {
        if constexpr (HasRank<G>) return game_->rank(unpack(s));
        else return Rules<N>::rank(s);
    }
    std::unique_ptr<RankTable> rank_table() const override {
        if constexpr (HasRank<G>) return std::make_unique<Ranked<G>>(*game_);
        else return Rules<N>::rank_table();
    }

private:
    std::shared_ptr<const G> game_;
};

template <std::size_t N>
class Opaque {
public:
    using State = OpaqueState<N>;
    Opaque(std::shared_ptr<const Rules<N>> rules, const State& start) : rules_(std::move(rules)), start_(start) {}

    State start() const { return start_; }
    int turn(const State& s) const { return rules_->turn(s); }
    Ending ending(const State& s) const { return rules_->ending(s); }
    void moves(const State& s, std::vector<Move>& out) const { rules_->moves(s, out); }
    State play(const State& s, Move move) const { return rules_->play(s, move); }
    void successors(const State& s, std::vector<Move>& moves_out, std::vector<State>& out) const {
        rules_->successors(s, moves_out, out);
    }
    Score worst() const { return rules_->worst; }
    Score best() const { return rules_->best; }
    State canon(const State& s) const { return rules_->canon(s); }
    std::string_view images() const { return rules_->images(); }
    State least_image(const State& s) const { return rules_->least_image(s); }
    Closing closing() const { return rules_->closing(); }
    bool closed(const State& s, int owner, Score bound) const { return rules_->closed(s, owner, bound); }
    void order(const State& s, std::span<Move> moves) const { rules_->order(s, moves); }
    bool narrow(const State& s, std::vector<Move>& out) const { return rules_->narrow(s, out); }
    Bounds bounds(const State& s) const { return rules_->bounds(s); }
    Score evaluate(const State& s) const { return rules_->evaluate(s); }
    Score unit() const { return rules_->unit; }
    Score step() const { return rules_->step; }
    Score playout(const State& s, Random& random) const { return rules_->playout(s, random); }
    std::uint64_t ranks() const { return rules_->ranks(); }
    std::uint64_t rank(const State& s) const { return rules_->rank(s); }
    std::unique_ptr<RankTable> rank_table() const { return rules_->rank_table(); }

private:
    std::shared_ptr<const Rules<N>> rules_;
    State start_;
};

// Any engine on opaque positions; compiled for 2, 5 and 18 words.
template <std::size_t N>
std::unique_ptr<Search> opaque_search(std::shared_ptr<const Rules<N>> rules, const OpaqueState<N>& start,
                                      std::string_view engine, const SearchParams& params);

// The same for trees of bandits.
template <std::size_t N>
std::unique_ptr<bandit::Lane> opaque_lane(std::shared_ptr<const Rules<N>> rules, const OpaqueState<N>& start);

template <class State>
constexpr std::size_t opaque_words() {
    static_assert(sizeof(State) <= 18 * 8, "no engine is compiled for positions as large as this");
    return sizeof(State) <= 2 * 8 ? 2 : sizeof(State) <= 5 * 8 ? 5 : 18;
}

template <SearchGame G>
std::unique_ptr<Search> opaque_search_of(std::shared_ptr<const G> game, const typename G::State& start,
                                         std::string_view engine, const SearchParams& params) {
    constexpr auto words = opaque_words<typename G::State>();
    using Packed = RulesOf<G, words>;
    return opaque_search<words>(std::make_shared<const Packed>(std::move(game)), Packed::pack(start), engine, params);
}

template <SearchGame G>
std::unique_ptr<bandit::Lane> opaque_lane_of(std::shared_ptr<const G> game, const typename G::State& start) {
    constexpr auto words = opaque_words<typename G::State>();
    using Packed = RulesOf<G, words>;
    return opaque_lane<words>(std::make_shared<const Packed>(std::move(game)), Packed::pack(start));
}

}  // namespace zermelo
