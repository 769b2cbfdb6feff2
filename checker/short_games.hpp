// Short games by number: scores, and positions with options of both sides, equal ones once.
//
// Between the options of a position some number may fit; then the position is the simplest such number (Conway, On
// Numbers and Games, the simplicity theorem), and is kept as one. So 2^200 costs nothing, and nobody need ever move in
// a number: a sum of a game and a number has the game's options, each with the number added (number translation).
// Nothing here recurses: pairs and games that are not known yet wait on a stack.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dyadic.hpp"
#include "work.hpp"

namespace checker {

using GameId = std::uint32_t;
using GameIds = std::vector<GameId>;

// Where alternating play stops: the score, and whether Left is to move then; at equal scores Left would rather not be.
struct Stop {
    Dyadic score;
    bool left_next;
    bool operator<(const Stop& other) const {
        const auto order = score <=> other.score;
        return order < 0 || (order == 0 && left_next && !other.left_next);
    }
};

// The simplest number above what Left's best option stops at and below what Right's does, if there is one: a score
// itself may be it where the side whose option stops there would have to move again.
std::optional<Dyadic> simplest_between(const std::optional<Stop>& above, const std::optional<Stop>& below);

class ShortGames {
public:
    explicit ShortGames(Work& work) : work_(work) { number(0); }
    static constexpr GameId kZero = 0;

    GameId number(const Dyadic& value);
    // The game with these options as they are.
    GameId node(GameIds left, GameIds right);
    bool is_number(GameId game) const { return games_[game].is_number; }
    const Dyadic& value(GameId game) const { return games_[game].value; }
    const GameIds& options(GameId game, bool left) const { return left ? games_[game].left : games_[game].right; }
    const Stop& stop(GameId game, bool left_first) const {
        return left_first ? games_[game].left_first : games_[game].right_first;
    }
    std::size_t size() const { return games_.size(); }
    Work& work() const { return work_; }

    GameId negative(GameId game);
    // The game with a number added to every score.
    GameId moved(GameId game, const Dyadic& by);
    GameId nimber(std::uint64_t size);
    GameId up() { return node({kZero}, {nimber(1)}); }

    bool less_equal(GameId one, GameId other);
    // The game with these options, all canonical, in canonical form: no option dominated, none reversible.
    GameId canonical(const GameIds& left, const GameIds& right);
    // Of games in canonical form, in canonical form.
    GameId sum(GameId one, GameId other);
    GameId copies(const Integer& count, GameId game);
    // The one game that some games are together, as their options are.
    GameId together(const GameIds& games);

private:
    struct Game {
        bool is_number;
        Dyadic value;
        GameIds left, right;
        Stop left_first, right_first;
    };
    GameId added(Game game);
    std::optional<bool> known_less(GameId one, GameId other) const;
    bool all_found(GameId game, std::vector<GameId>& stack, const std::unordered_map<GameId, GameId>& known) const;
    GameId rebuilt(GameId game, std::unordered_map<GameId, GameId>& known,
                   const std::function<Dyadic(const Dyadic&)>& to, bool turned);
    GameIds not_reversible(GameIds open, GameId whole, bool left);
    GameIds best(const GameIds& options, bool left);
    bool parts_summed(GameId one, GameId other, std::vector<std::pair<GameId, GameId>>& stack) const;
    std::optional<GameId> known_sum(GameId one, GameId other) const;
    GameIds summed_options(GameId one, GameId other, bool left) const;

    struct HashNumber {
        std::size_t operator()(const Dyadic& number) const { return number.hash(); }
    };
    Work& work_;
    std::vector<Game> games_;
    std::unordered_map<Dyadic, GameId, HashNumber> numbers_;
    std::map<std::pair<GameIds, GameIds>, GameId> nodes_;
    std::unordered_map<GameId, GameId> negatives_;
    std::unordered_map<std::uint64_t, bool> less_;
    std::unordered_map<std::uint64_t, GameId> sums_;
};

}  // namespace checker
