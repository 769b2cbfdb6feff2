// A game of the search kernels as the lane of a tree: roles in turn, scores opposed, nothing left to chance.
//
// Positions are the game's own states, word by word; moves are its own moves, in its own order. Who is not to move has
// one move, to pass. A goal is what lies between the score and the role's worst one. A game of one role is one in which
// the second never moves.
//
//     Tree tree(std::make_unique<GameLane<Countdown>>(game, start), words, params, /*bytes*/ 1 << 28, /*seed*/ 1);
#pragma once

#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bandit/lane.hpp"
#include "zermelo/game.hpp"

namespace zermelo::bandit {

template <SearchGame G>
class GameLane final : public Lane {
public:
    using State = typename G::State;
    GameLane(std::shared_ptr<const G> game, const State& state) : game_(std::move(game)), state_(state) {
        if (game_->best() - game_->worst() > std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument("a tree of bandits takes scores of up to 31 bits");
        if constexpr (requires { game_->has_chance(); })
            if (game_->has_chance()) throw std::invalid_argument("a lane of the search kernels has no chance");
        moved();
    }

    std::uint32_t roles() const override { return 2; }
    std::uint32_t chance() const override { return kNobody; }
    std::uint32_t moves() const override { return 0; }
    std::size_t words() const override { return kWords; }

    void load(std::span<const std::uint64_t> state) override {
        std::memcpy(static_cast<void*>(&state_), state.data(), sizeof(State));
        moved();
    }
    std::span<const std::uint64_t> state() const override { return words_; }
    bool terminal() const override { return ending().over; }
    void legal_moves(std::uint32_t role, std::vector<std::uint32_t>& sorted) const override {
        if (!moves_role(role)) return sorted.assign(1, 0);
        sorted = listed();
    }
    std::uint32_t legal_count(std::uint32_t role) const override {
        return moves_role(role) ? static_cast<std::uint32_t>(listed().size()) : 1;
    }
    std::uint32_t legal(std::uint32_t role, std::uint32_t i) const override {
        return moves_role(role) ? listed()[i] : 0;
    }
    void play(std::span<const std::uint32_t> joint) override {
        work_ += kPlayWork;
        state_ = game_->play(state_, joint[static_cast<std::size_t>(game_->turn(state_))]);
        moved();
    }

    std::int32_t goal(std::uint32_t role) override {
        const auto score = ending().score;
        return static_cast<std::int32_t>(role == 0 ? score - game_->worst() : game_->best() - score);
    }
    std::int32_t lowest(std::uint32_t) const override { return 0; }
    std::int32_t highest(std::uint32_t) const override {
        return static_cast<std::int32_t>(game_->best() - game_->worst());
    }
    std::int32_t scale() const override { return std::max(highest(0), 1); }
    bool goals_agree() const override { return false; }

    // By the game's own random games where it has them: the state stays behind, and what is asked next is their end.
    std::uint32_t playout(Random& random, std::uint32_t max_steps) override {
        if constexpr (requires {
                          { game_->playout(state_, random) } -> std::convertible_to<Score>;
                      }) {
            work_ += kPlayoutWork;
            ending_ = Ending{true, static_cast<Score>(game_->playout(state_, random))};
            return max_steps;
        } else {
            std::uint32_t step = 0;
            for (; step < max_steps && !terminal(); ++step) {
                const auto& all = listed();
                state_ = game_->play(state_, all[random.below(static_cast<std::uint32_t>(all.size()))]);
                ending_.reset();
                list_.clear();
            }
            work_ += step;
            return step;
        }
    }
    std::uint64_t work() const override { return work_; }

private:
    static constexpr std::size_t kWords = (sizeof(State) + 7) / 8;
    static constexpr std::uint64_t kPlayWork = 4;      // a position is packed, looked up, and has its moves listed
    static constexpr std::uint64_t kPlayoutWork = 64;  // a game of some dozens of plies, each about a fourth of that

    bool moves_role(std::uint32_t role) const { return static_cast<std::uint32_t>(game_->turn(state_)) == role; }
    const Ending& ending() const {
        if (!ending_) ending_ = game_->ending(state_);
        return *ending_;
    }
    const std::vector<Move>& listed() const {
        if (list_.empty()) game_->moves(state_, list_);
        if (list_.empty()) throw std::invalid_argument("a position that is not over has no moves");
        return list_;
    }
    void moved() {
        ending_.reset();
        list_.clear();
        std::memcpy(words_.data(), &state_, sizeof(State));
    }

    std::shared_ptr<const G> game_;
    State state_;
    std::array<std::uint64_t, kWords> words_{};
    mutable std::optional<Ending> ending_;
    mutable std::vector<Move> list_;
    std::uint64_t work_ = 0;
};

}  // namespace zermelo::bandit
