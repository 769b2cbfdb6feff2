// Play on boards move by move, as tables of moves need it: who cannot move in any of them has lost, and Left begins.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "board_sum.hpp"
#include "ending.hpp"

namespace checker {

class BoardGame {
public:
    struct State {
        std::uint64_t number;
        bool operator==(const State&) const = default;
    };
    using Layered = BoardGame;
    static constexpr bool kFromLibrary = false;
    explicit BoardGame(const BoardSum& boards) : boards_(boards) {
        Texts start;
        for (const auto& term : boards.terms) start.push_back(term.position);
        numbered(start, true);
    }
    const Layered& layered() const { return *this; }
    std::vector<std::string> roles() const { return {"left", "right"}; }
    Score endless(int) const { return 0; }
    State start() const { return {0}; }
    int turn(const State& state) const { return at(state).left ? 0 : 1; }
    std::string starter(const State& state) const { return roles()[std::size_t(turn(state))]; }
    void moves(const State& state, std::vector<std::uint32_t>& out) const {
        for (std::uint32_t move = 0; move < options(state).size(); ++move) out.push_back(move);
    }
    State play(const State& state, std::uint32_t move) const {
        const auto option = options(state)[move];
        auto boards = at(state).boards;
        boards[option.place] = option.after;
        return numbered(boards, !at(state).left);
    }
    bool over(const State& state, Score& score) const {
        score = at(state).left ? -1 : 1;
        return options(state).empty();
    }
    std::string key(const State& state) const { return key_of(at(state).boards, at(state).left); }
    std::string text(const State& state, std::uint32_t move) const {
        const auto& option = options(state)[move];
        const bool several = boards_.mixed || boards_.terms.size() > 1;
        return (several ? std::to_string(option.place + 1) + ":" : "") + option.name;
    }
    std::string meant(const std::string& written) const { return written; }
    std::optional<std::uint32_t> move_in_full(const State&, const std::vector<std::uint32_t>&,
                                              const std::string&) const {
        return std::nullopt;
    }

private:
    struct Option {
        std::size_t place;
        std::string name, after;
    };
    struct Position {
        Texts boards;
        bool left;
        std::optional<std::vector<Option>> options = {};
    };
    Position& at(const State& state) const { return positions_[state.number]; }
    const std::vector<Option>& options(const State& state) const {
        auto& position = at(state);
        if (position.options) return *position.options;
        position.options.emplace();
        for (std::size_t place = 0; place < position.boards.size(); ++place)
            for (auto& move : boards_.terms[place].rules->moves(position.boards[place], position.left)) {
                work_.step(1 + move.after.size() / 8);
                work_.keep(2 + move.after.size() / 64);
                position.options->push_back({place, std::move(move.name), std::move(move.after)});
            }
        return *position.options;
    }
    std::string key_of(const Texts& boards, bool left) const {
        Texts shown;
        for (std::size_t i = 0; i < boards.size(); ++i)
            shown.push_back(boards_.mixed ? boards_.terms[i].name + ":" + boards[i] : boards[i]);
        return joined_by(shown, boards_.mixed ? " + " : "+") + (left ? " left" : " right");
    }
    State numbered(const Texts& boards, bool left) const {
        const auto [found, is_new] = numbers_.try_emplace(key_of(boards, left), positions_.size());
        if (is_new) work_.keep(2 + found->first.size() / 32), positions_.push_back({boards, left});
        return {found->second};
    }
    const BoardSum& boards_;
    mutable Work work_;
    mutable std::vector<Position> positions_;
    mutable std::unordered_map<std::string, std::uint64_t> numbers_;
};

}  // namespace checker
