// Checks a claim that is written down layer by layer: plays the owner's moves against every reply.
//
// From each position of a layer the owner makes the move that the certificate has for it, the other role every legal
// move. The positions that are met, each once and in the order in which they are first met, are the next layer; ends
// are looked at at once and must give the owner what is claimed. The claim holds if the last layer leads to ends only:
// no reply is left out, since moves come from the rules here, and no line goes on for ever, since it has a position in
// every layer that it reaches. Memory: the positions of two layers and a table of places.
//
// Positions that a rule of the claim closes are left like ends (closing.hpp); of a position and its images one stands
// for all where the claim says so (images.hpp).
//
// A game has: a State that is compared and hashed; start(); turn(state), a role's place, kChance or kSeveral;
// moves(state, out), in the order that the format's page gives; play(state, move); over, as ending.hpp asks for it.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "certificate.hpp"
#include "closing.hpp"
#include "ending.hpp"
#include "images.hpp"

namespace checker {

// The positions of a layer in the order in which they were met, each once.
template <class State>
class Met {
public:
    explicit Met(std::size_t expected = 0) {
        std::size_t size = 1024;
        while (size < 2 * expected) size *= 2;
        slots_.assign(size, Slot{});
    }
    static std::uint64_t hash(const State& state) {
        static_assert(sizeof(State) % 8 == 0, "positions are hashed as words");
        std::uint64_t mixed = 0x9e3779b97f4a7c15;
        for (std::size_t at = 0; at < sizeof(State); at += 8) {
            std::uint64_t word;
            std::memcpy(&word, reinterpret_cast<const char*>(&state) + at, 8);
            mixed = (mixed ^ word) * 0xff51afd7ed558ccd;
            mixed ^= mixed >> 32;
        }
        return mixed;
    }
    void prefetch(std::uint64_t hashed) const { __builtin_prefetch(&slots_[hashed & (slots_.size() - 1)]); }
    // A position with the least of its images, by which it is found again, and the hash of that.
    template <class Least>
    void add(const State& state, const State& least, std::uint64_t hashed, const Least& least_of) {
        if (2 * (states_.size() + 1) > slots_.size()) grow(least_of);
        const auto tag = static_cast<std::uint32_t>(hashed >> 32);
        auto at = hashed & (slots_.size() - 1);
        for (; slots_[at].place; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].tag == tag && least_of(states_[slots_[at].place - 1]) == least) return;
        if (states_.size() == std::numeric_limits<std::uint32_t>::max() - 1) throw BadInput("a layer is too large");
        states_.push_back(state);
        slots_[at] = {static_cast<std::uint32_t>(states_.size()), tag};
    }
    std::vector<State> take() { return std::move(states_); }

private:
    struct Slot {
        std::uint32_t place = 0, tag = 0;  // the place of a position plus 1, and half of its hash
    };
    template <class Least>
    void grow(const Least& least_of) {
        slots_.assign(2 * slots_.size(), Slot{});
        for (std::size_t place = 0; place < states_.size(); ++place) {
            const auto hashed = hash(least_of(states_[place]));
            auto at = hashed & (slots_.size() - 1);
            while (slots_[at].place) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = {static_cast<std::uint32_t>(place + 1), static_cast<std::uint32_t>(hashed >> 32)};
        }
    }
    std::vector<Slot> slots_;
    std::vector<State> states_;
};

template <class Game>
class LayerCheck {
public:
    using State = typename Game::State;
    LayerCheck(const Game& game, const Claim& claim, int owner, Score at_least)
        : game_(game), claim_(claim), owner_(owner), at_least_(at_least), wide_(claim.width == "2"),
          images_(game, claim.images), closing_(game, claim.closed, owner, at_least) {}

    // The first layer: where play begins, unless the game is over or closed there.
    std::vector<State> first(const State& start) {
        Score share = 0;
        if (ended(game_, start, owner_, share)) return need(share, 0), std::vector<State>{};
        return closing_.closes(start) ? std::vector<State>{} : std::vector<State>{start};
    }
    // Reads the layers from a first one on; what lies beyond the last. Refuted if something is wrong.
    std::vector<State> run(std::vector<State> layer) {
        for (depth_ = 0; depth_ < claim_.layers.size(); ++depth_) {
            if (layer.size() != claim_.layers[depth_].positions) refute("it has another number of positions");
            positions_ += layer.size();
            layer = next(layer, claim_.layers[depth_].moves);
        }
        if (at_ != claim_.moves.size()) refute("it has more moves than layers");
        return layer;
    }
    void need_none(const std::vector<State>& left) const {
        if (!left.empty()) refute("the strategy ends before play does");
    }
    std::uint64_t positions() const { return positions_; }

private:
    // Between what is met and what is added lie so many positions, whose slots are on their way to the cache by then.
    static constexpr std::size_t kAhead = 16;
    struct Waiting {
        State state, least;
        std::uint64_t hashed;
    };

    std::vector<State> next(const std::vector<State>& layer, std::uint64_t left) {
        Met<State> met(layer.size());
        std::vector<std::uint32_t> moves;
        std::vector<Waiting> waiting(kAhead);
        std::size_t count = 0;
        const auto least_of = [&](const State& state) { return images_.least(state); };
        const auto meet = [&](const State& state) {
            Score share = 0;
            if (ended_by_move(game_, state, owner_, share)) return need(share, 1);
            if (closing_.closes(state)) return;
            auto& slot = waiting[count % kAhead];
            if (count++ >= kAhead) met.add(slot.state, slot.least, slot.hashed, least_of);
            const State least = least_of(state);
            slot = {state, least, Met<State>::hash(least)};
            met.prefetch(slot.hashed);
        };
        for (const State& state : layer) {
            const auto turn = game_.turn(state);
            if (turn < 0) refute("chance or several roles move: a list of moves proves nothing");
            moves.clear();
            game_.moves(state, moves);
            if (moves.empty()) refute("there is no legal move in a position that is not over");
            if (turn == owner_) {
                if (!left--) refute("a move is missing");
                const auto place = next_place();
                if (place >= moves.size()) refute("a move names no legal one");
                meet(game_.play(state, moves[place]));
            } else {
                for (const auto move : moves) meet(game_.play(state, move));
            }
        }
        if (left) refute("it has more moves than positions in which the owner moves");
        for (auto at = count > kAhead ? count - kAhead : 0; at < count; ++at)
            met.add(waiting[at % kAhead].state, waiting[at % kAhead].least, waiting[at % kAhead].hashed, least_of);
        return met.take();
    }
    std::size_t next_place() {
        const std::size_t low = claim_.moves[at_++];
        return wide_ ? low | std::size_t{claim_.moves[at_++]} << 8 : low;
    }
    void need(Score share, unsigned later) const {
        if (share < at_least_)
            refute("a line of " + std::to_string(depth_ + later) + " moves gives " + claim_.role + " " +
                   std::to_string(share) + ", the claim is at least " + std::to_string(at_least_));
    }
    [[noreturn]] void refute(const std::string& why) const {
        throw Refuted("layer " + std::to_string(depth_) + ": " + why);
    }

    const Game& game_;
    const Claim& claim_;
    int owner_;
    Score at_least_;
    bool wide_;
    ImagesOf<Game> images_;
    ClosingOf<Game> closing_;
    std::uint64_t positions_ = 0;
    std::size_t at_ = 0, depth_ = 0;
};

}  // namespace checker
