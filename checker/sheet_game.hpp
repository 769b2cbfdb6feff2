// The game of a rulesheet, as claims speak of it.
//
// In GDL all roles move at once. Where one of them has a choice, it has the turn; where several have, they move at
// once. Where `random` chooses in the same step as players, chance moves after them. Where nobody has a choice, the
// turn is that of the first role whose move is more than a bare name such as `noop`, else that of the first role.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ending.hpp"
#include "sheet_ground.hpp"

namespace checker {

class SheetGame {
public:
    // A position by its number: a state, and the moves of the players in a step that chance has not ended yet.
    struct State {
        std::uint64_t number;
        bool operator==(const State&) const = default;
    };
    using Layered = SheetGame;
    static constexpr bool kFromLibrary = false;
    const SheetGame& layered() const { return *this; }
    explicit SheetGame(const Sheet& sheet);

    const std::vector<std::string>& roles() const { return names_; }
    Score endless(int) const { return names_.size() == 2 ? 50 : 0; }
    State start() const { return start_; }
    int turn(const State& state) const { return looked_at(state).turn; }
    std::string starter(const State& state) const;
    void moves(const State& state, std::vector<std::uint32_t>& out) const;
    State play(const State& state, std::uint32_t move) const;
    bool over(const State& state, int owner, Score& share) const;
    // The roles that move at once, with their moves; and the position after one move of each.
    std::vector<std::pair<int, std::vector<std::uint32_t>>> choosing(const State& state) const;
    State play_at_once(const State& state, const std::vector<std::uint32_t>& moves) const;

    std::string key(const State& state) const;
    std::string text(const State& state, std::uint32_t move) const;
    std::string meant(const std::string& written) const { return written; }
    std::optional<std::uint32_t> move_in_full(const State& state, const std::vector<std::uint32_t>& moves,
                                              const std::string& written) const;

private:
    struct Position {
        std::string facts;                 // a bit for each, in bytes
        std::vector<std::uint32_t> moved;  // in the order of the players: places in ground_.legal
    };
    // What the rules say of a position that is not over.
    struct Look {
        int turn = 0;
        std::vector<std::vector<std::uint32_t>> legal;  // by role of the sheet, in the order of the texts
        bool chance_chooses = false;
    };
    State numbered(Position position) const;
    State played(const State& state, std::vector<std::uint32_t> joint, bool by_chance) const;
    void derive(const std::string& facts) const;
    static bool satisfied(const GroundRule& rule, const std::vector<std::uint8_t>& holds);
    static void work_out(const std::vector<Step>& steps, std::vector<std::uint8_t>& holds);
    const Look& looked_at(const State& state) const;
    std::size_t mover(const State& state) const;

    Ground ground_;
    std::vector<std::string> names_;                    // of the players
    std::vector<std::size_t> players_;                  // places of the players among the roles of the sheet
    std::optional<std::size_t> random_;                 // the place of chance
    std::vector<std::vector<std::uint32_t>> moves_of_;  // by role: places in ground_.legal
    State start_{0};
    // What was worked out is kept: positions are numbered as they are met, and the last state's atoms are remembered.
    mutable std::vector<Position> positions_;
    mutable std::unordered_map<std::string, std::uint64_t> numbers_;
    mutable std::vector<std::uint8_t> holds_;
    mutable std::string derived_;
    mutable bool any_derived_ = false;
    mutable Look look_;
    mutable std::uint64_t looked_ = ~std::uint64_t{0};
};

}  // namespace checker
