// Checks a claim that rests on a table from positions to moves: plays the table against every reply.
//
// Every line of play that agrees with the table is walked over, depth first, each position once. A claim holds if
//   - the owner's positions are in the table, with a legal move;
//   - the value of the start is at least what is claimed: the least of its moves' values where a role moves, their
//     average where chance moves, and the owner's share where the game is over;
//   - play by the table ends, by the ranks in it: they fall from each of the owner's positions to his next. Where
//     endless play gives the owner what is claimed no ranks are needed, and positions may come back (but not in a game
//     of chance, whose averages would mean nothing).
// No reply is left out, since moves come from the rules here. docs/certificates.md describes the file.
//
// Beside what layers.hpp asks of a game, this asks for key(state), text(state, move) and endless(owner).
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "exact.hpp"
#include "layers.hpp"

namespace checker {

// The certificate of version 1 that a text in JSON states; BadInput if it states none.
Certificate read_tables(std::string_view text);

// The move that is written so: letter for letter or, if none is, whatever the case of its letters.
template <class Game>
std::optional<std::uint32_t> move_written(const Game& game, const typename Game::State& state,
                                          const std::vector<std::uint32_t>& moves, std::string_view wanted) {
    const auto asked = game.meant(stripped(wanted));
    std::optional<std::uint32_t> found;
    for (const auto move : moves)
        if (game.text(state, move) == asked) return move;
    for (const auto move : moves)
        if (lower(game.text(state, move)) == lower(asked)) {
            if (found) return std::nullopt;  // it fits several
            found = move;
        }
    return found ? found : game.move_in_full(state, moves, std::string(wanted));
}

template <class Game>
class TableCheck {
public:
    using State = typename Game::State;
    // What the owner moves in a position, where no table says it. Such play needs no ranks: it may not repeat.
    using Choice = std::function<std::uint32_t(const State&)>;
    TableCheck(const Game& game, const Claim& claim, int owner, Choice choice = {})
        : game_(game), claim_(claim), owner_(owner), at_least_(Fraction::of(claim.at_least)),
          choice_(std::move(choice)), endless_is_enough_(!choice_ && !(Fraction(game.endless(owner)) < at_least_)) {}

    // How many positions were met from one on; Refuted if the claim does not hold.
    std::uint64_t run(const State& start) {
        enter(start);
        while (!line_.empty()) {
            auto& top = line_.back();
            if (top.tried < top.moves.size()) enter(game_.play(top.state, top.moves[top.tried++]));
            else leave();
        }
        if (value_ && *value_ < at_least_) throw Refuted(claim_.role + " can expect less than is claimed");
        return met_.size();
    }

private:
    struct Frame {  // a position of the line that is walked over
        State state;
        std::vector<std::uint32_t> moves;
        int turn;
        const std::string* rank = nullptr;   // of a position of the owner
        std::optional<Fraction> value = {};  // none as long as every line goes on for ever
        std::string next = {};               // the highest rank among the owner's next positions, empty if he has none
        std::size_t tried = 0;
    };
    struct Found {
        bool open = true;
        std::optional<Fraction> value = {};
        std::string next = {};
    };
    struct Hash {
        std::size_t operator()(const State& state) const { return Met<State>::hash(state); }
    };

    void enter(const State& state) {
        const auto [at, is_new] = met_.try_emplace(state);
        if (!is_new && at->second.open) {
            if (!endless_is_enough_) throw Refuted("a line comes back to an earlier position");
            came_back_ = true;
            if (saw_chance_) throw Refuted("positions repeat in a game of chance");
        } else if (!is_new) {
            take(at->second.value, at->second.next);
        } else if (Score share = 0; ended(game_, state, owner_, share)) {
            at->second = {false, Fraction(share), {}};
            take(at->second.value, {});
        } else {
            open(state);
        }
    }
    void open(const State& state) {
        Frame frame{state, {}, game_.turn(state)};
        if (frame.turn == kSeveral) throw Refuted("several roles move at once: a table of moves proves nothing here");
        game_.moves(state, frame.moves);
        if (frame.moves.empty()) throw Refuted("there is no legal move in a position that is not over");
        if (frame.turn == kChance) {
            saw_chance_ = true;
            if (came_back_) throw Refuted("positions repeat in a game of chance");
        } else if (frame.turn == owner_) {
            if (choice_) choose(frame);
            else look_up(frame);
        }
        line_.push_back(std::move(frame));
    }
    void choose(Frame& frame) const {
        const auto move = choice_(frame.state);
        if (std::ranges::find(frame.moves, move) == frame.moves.end()) throw Refuted("the rule plays no legal move");
        frame.moves = {move};
    }
    void look_up(Frame& frame) const {
        const auto key = game_.key(frame.state);
        const auto entry = claim_.table.find(key);
        if (entry == claim_.table.end()) throw Refuted("the table has no move for " + key);
        const auto move = move_written(game_, frame.state, frame.moves, entry->second.move);
        if (!move) throw Refuted("the table says " + entry->second.move + " for " + key);
        frame.moves = {*move};
        frame.rank = &entry->second.rank;
    }
    void leave() {
        Frame frame = std::move(line_.back());
        line_.pop_back();
        if (frame.turn == owner_ && !choice_) {
            if (!endless_is_enough_ && (frame.rank->empty() || !lower_rank(frame.next, *frame.rank)))
                throw Refuted("ranks do not fall from " + game_.key(frame.state));
            frame.next = *frame.rank;
        }
        if (frame.turn == kChance && frame.value) frame.value = frame.value->divided(frame.moves.size());
        take(frame.value, frame.next);
        met_[frame.state] = {false, std::move(frame.value), std::move(frame.next)};
    }
    // Hands what was found of a position to the one before it in the line.
    void take(const std::optional<Fraction>& value, const std::string& next) {
        if (line_.empty()) {
            value_ = value;
            return;
        }
        auto& before = line_.back();
        if (lower_rank(before.next, next)) before.next = next;
        if (!value) return;
        if (before.turn == kChance) before.value = before.value ? *before.value + *value : *value;
        else if (!before.value || *value < *before.value) before.value = value;
    }
    // Ranks are whole numbers from 0 on without leading zeros; an empty text is below all.
    static bool lower_rank(const std::string& one, const std::string& other) {
        return one.size() != other.size() ? one.size() < other.size() : one < other;
    }

    const Game& game_;
    const Claim& claim_;
    int owner_;
    Fraction at_least_;
    Choice choice_;
    bool endless_is_enough_, came_back_ = false, saw_chance_ = false;
    std::unordered_map<State, Found, Hash> met_;
    std::vector<Frame> line_;
    std::optional<Fraction> value_;
};

}  // namespace checker
