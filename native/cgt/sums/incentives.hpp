// Which moves are never needed beside which others.
//
// Left's move from p to a is as good as his move from q to b wherever both can be made, if a - p >= b - q, that is if
// Left, moving second, wins a + q - p - b: the incentives of moves are compared as games (Berlekamp, Conway and Guy,
// Winning Ways, chapter 6). Of plain switches only the hottest is left, of left-heavy trees a handful. The comparison
// plays the four games out, with a table of its own; where bounds do not decide it at once and it takes too many
// positions, the answer is "not known", and the move stays.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "cgt/sums/forest.hpp"

namespace zermelo::cgt::sums {

template <class T>
class Incentives {
public:
    Incentives(const Forest<T>& forest, Control& control) : forest_(forest), control_(control) {
        for (const bool of_left : {true, false}) {
            auto& side = sides_[of_left];
            const auto& all = of_left ? forest.left : forest.right;
            const auto& first = of_left ? forest.first_left : forest.first_right;
            side.from.resize(all.size());
            for (Id p = 0; p < forest.hot; ++p)
                for (std::uint32_t m = first[p]; m < first[p + 1]; ++m) side.from[m] = p;
            side.rank = ranks(side.from, all, of_left);
            side.words = (all.size() + 63) / 64;
            side.rows.resize(all.size());
            side.met.assign(side.words, 0);
            side.dominated.assign(side.words, 0);
        }
        memory_.resize(kSlots);
    }

    // Of moves in the order of the forest, strikes out those that another one makes superfluous.
    void strike(std::vector<std::uint32_t>& moves, bool of_left) {
        auto& side = sides_[of_left];
        std::fill(side.met.begin(), side.met.end(), 0);
        std::fill(side.dominated.begin(), side.dominated.end(), 0);
        for (const auto move : moves) side.met[move / 64] |= bit(move);
        for (const auto move : moves) {
            Row& row = side.rows[move];
            if (row.known.empty()) open(row, side.words);
            for (std::size_t w = 0; w < side.words; ++w) {
                auto open_questions = side.met[w] & ~row.known[w];
                while (open_questions != 0) {
                    const auto other = static_cast<std::uint32_t>(w * 64) +
                                       static_cast<std::uint32_t>(std::countr_zero(open_questions));
                    open_questions &= open_questions - 1;
                    ask(move, other, of_left);
                }
                side.dominated[w] |= row.over[w];
            }
        }
        std::erase_if(moves, [&](std::uint32_t move) { return (side.dominated[move / 64] & bit(move)) != 0; });
    }

    // Whether the second move is struck out by the first.
    bool over(std::uint32_t move, std::uint32_t other, bool of_left) {
        auto& side = sides_[of_left];
        Row& row = side.rows[move];
        if (row.known.empty()) open(row, side.words);
        if ((row.known[other / 64] & bit(other)) == 0) ask(move, other, of_left);
        return (row.over[other / 64] & bit(other)) != 0;
    }
    std::uint32_t rank(std::uint32_t move, bool of_left) const { return sides_[of_left].rank[move]; }
    Id from(std::uint32_t move, bool of_left) const { return sides_[of_left].from[move]; }
    std::uint64_t positions() const { return positions_; }

private:
    struct Row {
        std::vector<std::uint64_t> known, over;
    };
    struct Side {
        std::vector<Id> from;
        std::vector<std::uint32_t> rank;  // better means first; of moves that compare, the better one is never behind
        std::vector<Row> rows;
        std::vector<std::uint64_t> met, dominated;
        std::size_t words = 0;
    };
    // Two games and two that are turned round: a + q - p - b.
    using Four = std::array<Id, 4>;
    struct Memory {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;
        bool wins = false;
    };
    static constexpr std::size_t kSlots = 1 << 14;
    static constexpr std::uint32_t kMostPositions = 6000;  // in one comparison
    static constexpr std::uint32_t kMostHeight = 60;       // of all four: what bounds the recursion
    static constexpr Id kMostIds = 1 << 15;

    static std::uint64_t bit(std::uint32_t move) { return std::uint64_t{1} << (move % 64); }

    void open(Row& row, std::size_t words) {
        control_.charge(static_cast<std::int64_t>(2 * words * sizeof(std::uint64_t)));
        row.known.assign(words, 0);
        row.over.assign(words, 0);
    }

    // Only moves behind may be struck out, so that there is always one left that struck out all others in the end.
    void ask(std::uint32_t move, std::uint32_t other, bool of_left) {
        auto& side = sides_[of_left];
        Row& row = side.rows[move];
        row.known[other / 64] |= bit(other);
        if (side.rank[move] < side.rank[other] && at_least(move, other, of_left)) row.over[other / 64] |= bit(other);
    }

    // By the mean of the incentive: a game that is not below another has no smaller mean.
    std::vector<std::uint32_t> ranks(const std::vector<Id>& from, const std::vector<typename Forest<T>::Option>& all,
                                     bool of_left) const {
        std::vector<T> key;
        for (std::size_t m = 0; m < all.size(); ++m) {
            const T incentive = forest_.mean[all[m].to] - forest_.mean[from[m]];
            key.push_back(of_left ? T(0) - incentive : incentive);
        }
        std::vector<std::uint32_t> order(all.size()), rank(all.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
        for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
        return rank;
    }

    bool at_least(std::uint32_t move, std::uint32_t other, bool of_left) {
        const auto& side = sides_[of_left];
        const auto& all = of_left ? forest_.left : forest_.right;
        const Id p = side.from[move], a = all[move].to, q = side.from[other], b = all[other].to;
        if (p == q && a == b) return true;
        if (forest_.is_plain(p) && forest_.is_plain(q)) return forest_.temperature[p] >= forest_.temperature[q];
        // For Right the four games are turned round.
        Four game = of_left ? Four{a, q, p, b} : Four{p, b, a, q};
        if (a == b) game = of_left ? Four{q, kNothing, p, kNothing} : Four{p, kNothing, q, kNothing};
        if (p == q) game = of_left ? Four{a, kNothing, b, kNothing} : Four{b, kNothing, a, kNothing};
        return second_wins(game);
    }

    // Does Left, moving second, win?
    bool second_wins(const Four& game) {
        T mean(0);
        std::uint32_t height = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            if (game[i] == kNothing) continue;
            mean = i < 2 ? mean + forest_.mean[game[i]] : mean - forest_.mean[game[i]];
            height += forest_.height[game[i]];
        }
        // Comparing is kept from taking much longer than the search itself.
        if (work_ > kFree + 4 * control_.nodes() || forest_.size >= kMostIds) return false;
        if (const auto told = by_tax(game, mean)) return *told;
        if (height > kMostHeight) return false;
        ++stamp_;
        left_ = kMostPositions;
        const bool wins = wins_from(game, false);
        positions_ += kMostPositions - left_;
        work(kMostPositions - left_);
        return wins;
    }

    // Thermostatic bounds on the score with Right to move, where they tell whether it can be below 0.
    std::optional<bool> by_tax(const Four& game, const T& mean) {
        for (std::size_t k = 0; k < forest_.grid(); ++k) {
            if (k % 16 == 0) work(1);
            T low = mean - forest_.taxes[k], high = mean, widest(0);
            for (std::size_t i = 0; i < 4; ++i) {
                if (game[i] == kNothing || !forest_.is_hot(game[i])) continue;
                const std::size_t cell = static_cast<std::size_t>(game[i]) * forest_.grid() + k;
                const T &above = (i < 2 ? forest_.above : forest_.below)[cell],
                        &below = (i < 2 ? forest_.below : forest_.above)[cell];
                low = low - below;
                high = high + above;
                if (const T width = above + below; width > widest) widest = width;
            }
            if (low >= T(0)) return true;
            if (high - widest < T(0)) return false;
        }
        return std::nullopt;
    }

    // Whether Left wins with best play; where the positions run out Left is taken to have lost, which only ever makes
    // the answer "no". At most kMostHeight deep.
    bool wins_from(const Four& game, bool left_moves) {
        if (left_ == 0) return false;
        --left_;
        std::uint64_t key = left_moves ? 1 : 0;
        for (const Id id : game) key = key << 15 | (id == kNothing ? kMostIds - 1 : id);
        Memory& slot = memory_[(key * 0x9e3779b97f4a7c15ull) >> 50];
        if (slot.stamp == stamp_ && slot.key == key) return slot.wins;
        bool moved = false, wins = !left_moves;
        for (std::size_t i = 0; i < 4 && wins != left_moves; ++i) {
            if (game[i] == kNothing || !forest_.is_hot(game[i])) continue;
            moved = true;
            for (const auto& option : forest_.options(game[i], left_moves == (i < 2))) {
                Four next = game;
                next[i] = option.to;
                wins = wins_from(next, !left_moves);
                if (wins == left_moves) break;
            }
        }
        if (!moved) {
            T score(0);
            for (std::size_t i = 0; i < 4; ++i)
                if (game[i] != kNothing)
                    score = i < 2 ? score + forest_.number_of(game[i]) : score - forest_.number_of(game[i]);
            wins = left_moves ? score > T(0) : score >= T(0);
        }
        if (left_ > 0) slot = {key, stamp_, wins};
        return wins;
    }

    void work(std::uint64_t amount) {
        work_ += amount;
        if (work_ < look_again_) return;
        look_again_ = work_ + 10'000;
        control_.check();
    }

    static constexpr Id kNothing = ~Id{0};
    static constexpr std::uint64_t kFree = 2'000'000;

    const Forest<T>& forest_;
    Control& control_;
    std::array<Side, 2> sides_;
    std::vector<Memory> memory_;
    std::uint32_t stamp_ = 0, left_ = 0;
    std::uint64_t positions_ = 0, work_ = 0, look_again_ = 0;
};

}  // namespace zermelo::cgt::sums
