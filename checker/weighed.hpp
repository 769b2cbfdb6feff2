// Any game that this program knows as rules with exact scores, for claims by the rules expectation and equilibrium.
#pragma once

#include "rules.hpp"

namespace checker {

template <class Game>
class Adapted : public Rules {
public:
    using State = typename Game::State;
    Adapted(const Game& game, const State& start) : game_(game) { start_ = numbered(start); }

    std::vector<std::string> roles() const override {
        const auto& names = game_.roles();
        return {names.begin(), names.end()};
    }
    Place start() override { return start_; }
    std::optional<Scores> result(Place place) override {
        Scores scores;
        for (std::size_t role = 0; role < game_.roles().size(); ++role) {
            Score share = 0;
            if (!ended(game_, states_[place], int(role), share)) return std::nullopt;
            scores.emplace_back(share);
        }
        return scores;
    }
    int turn(Place place) override { return game_.turn(states_[place]); }
    std::vector<Move> moves(Place place) override {
        std::vector<std::uint32_t> found;
        game_.moves(states_[place], found);
        return {found.begin(), found.end()};
    }
    std::vector<Rational> chances(Place place) override {
        const auto count = std::int64_t(moves(place).size());
        return std::vector<Rational>(std::size_t(count), Rational(1) / Rational(std::max<std::int64_t>(count, 1)));
    }
    Place play(Place place, Move move) override {
        return numbered(game_.play(states_[place], static_cast<std::uint32_t>(move)));
    }
    Scores endless() override {
        Scores scores;
        for (std::size_t role = 0; role < game_.roles().size(); ++role) scores.emplace_back(game_.endless(int(role)));
        return scores;
    }
    std::string text(Place place, Move move) override {
        return game_.text(states_[place], static_cast<std::uint32_t>(move));
    }
    std::string key(Place place) override { return game_.key(states_[place]); }
    std::vector<std::pair<int, std::vector<std::string>>> movers(Place place) override {
        if constexpr (kAtOnce) {
            if (turn(place) != kSeveral) return Rules::movers(place);
            std::vector<std::pair<int, std::vector<std::string>>> found;
            for (const auto& [role, moves] : game_.choosing(states_[place])) {
                auto& texts = found.emplace_back(role, std::vector<std::string>()).second;
                for (const auto move : moves) texts.push_back(game_.text(states_[place], move));
            }
            return found;
        } else {
            return Rules::movers(place);
        }
    }
    Place joint(Place place, const std::vector<std::size_t>& places) override {
        if constexpr (kAtOnce) {
            if (turn(place) != kSeveral) return Rules::joint(place, places);
            const auto state = states_[place];
            const auto choosing = game_.choosing(state);
            std::vector<std::uint32_t> moves;
            for (std::size_t i = 0; i < places.size(); ++i) moves.push_back(choosing[i].second[places[i]]);
            return numbered(game_.play_at_once(state, moves));
        } else {
            return Rules::joint(place, places);
        }
    }

private:
    // Whether there are positions in which several roles move at once.
    static constexpr bool kAtOnce = requires(const Game& game, const State& state) { game.choosing(state); };
    Place numbered(const State& state) { return states_.number(game_.key(state), state); }

    const Game& game_;
    Numbered<State> states_;
    Place start_ = 0;
};

inline bool is_weighed(const Claim& claim) { return claim.rule == "expectation" || claim.rule == "equilibrium"; }

// How many positions a claim was tested in that weighs moves; Refuted if it does not hold.
template <class Game>
std::uint64_t check_weighed(const Game& game, const Claim& claim, const typename Game::State& start) {
    Rational::begin_work();
    Adapted<Game> rules(game, start);
    const auto first = rules.start();
    const auto found =
        claim.rule == "expectation" ? check_expectation(rules, first, claim) : check_equilibrium(rules, first, claim);
    return found.steps;
}

}  // namespace checker
