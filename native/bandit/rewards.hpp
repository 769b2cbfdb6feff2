// What a simulation brings to each role, so that one tree search serves zero-sum games given by a score and
// explicit graphs with chance and any number of roles given by utilities.
//
//     Rewards<G> rewards(game);
//     Reward reward = rewards.at_end(state, score);
//     double gain = rewards.gain(reward, role);            // in score units (utilities where a graph has them)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "zermelo/game.hpp"
#include "zermelo/random.hpp"

namespace zermelo::bandit {

// A game held as compressed rows (Graph): its chance nodes and utilities can be read.
template <class G>
concept ExplicitGame = SearchGame<G> && requires(const G& game, const typename G::State& state) {
    { game.data().utility.size() } -> std::convertible_to<std::size_t>;
    { game.data().probability.size() } -> std::convertible_to<std::size_t>;
    { game.has_chance() } -> std::same_as<bool>;
    { state.node } -> std::convertible_to<std::uint32_t>;
};

struct Reward {
    double first = 0;             // the first role's, where there is no row
    const double* row = nullptr;  // one utility for each role
};

template <class G>
class Rewards {
public:
    explicit Rewards(const G& game) : game_(game) {
        if (game.worst() < std::numeric_limits<std::int32_t>::min() ||
            game.best() > std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument("uct takes scores of up to 32 bits");
        if constexpr (ExplicitGame<G>) read_graph();
        if (ranges_.empty()) ranges_.assign(2, static_cast<double>(game.best() - game.worst()));
    }

    Reward at_end(const typename G::State& state, Score score) const {
        if constexpr (ExplicitGame<G>)
            if (has_rows_) return {0, row(state.node)};
        return (void)state, of_score(score);
    }
    // A proved score. Its row is that of an ending with this score: all of them agree where proofs are taken.
    Reward of(Score score) const {
        if constexpr (ExplicitGame<G>) {
            if (has_rows_) {
                const auto found = std::lower_bound(endings_.begin(), endings_.end(),
                                                    std::pair(static_cast<std::int32_t>(score), std::uint32_t{0}));
                return {0, found == endings_.end() ? endless_.data() : row(found->second)};
            }
        }
        return of_score(score);
    }
    Reward endless() const {
        if (has_rows_) return {0, endless_.data()};
        if constexpr (requires { game_.endless(); }) return of_score(game_.endless());
        else return of_score(std::clamp<Score>(0, game_.worst(), game_.best()));
    }
    // Chance chooses for nobody: its children keep the first role's gain.
    static double gain(const Reward& reward, unsigned role) {
        if constexpr (ExplicitGame<G>)
            if (reward.row) return reward.row[role == kChanceTurn ? 0 : role];
        return role == 1 ? -reward.first : reward.first;
    }
    double range(unsigned role) const { return role < ranges_.size() ? ranges_[role] : 0; }
    // Half way between the first role's worst and best, for want of any knowledge.
    double middle() const { return middle_; }
    // Whether bounds on the first role's score may be proved: the other role, if any, wants the opposite.
    bool opposed() const { return opposed_; }

    static constexpr unsigned kChanceTurn = 255;

private:
    static Reward of_score(Score score) { return {static_cast<double>(score), nullptr}; }
    const double* row(std::uint32_t node) const {
        if constexpr (ExplicitGame<G>) return game_.data().utility.data() + std::size_t{node} * game_.data().roles;
        else return nullptr;
    }

    void read_graph() {
        const auto& data = game_.data();
        const std::size_t nodes = data.turn.size(), roles = data.roles;
        has_rows_ = !data.utility.empty();
        if (roles == 0 || (has_rows_ ? data.utility.size() != nodes * roles : roles > 2))
            throw std::invalid_argument("uct needs a utility for each node and role");
        if (game_.has_chance() && data.probability.size() != data.target.size())
            throw std::invalid_argument("uct needs a probability for each edge of a game with chance");
        for (const auto turn : data.turn)
            if (turn != data.kChance && turn != data.kOver && turn >= std::max<std::size_t>(roles, 2))
                throw std::invalid_argument("a role that the game does not have is to move");
        opposed_ = roles <= 2;
        if (!has_rows_) return;
        for (std::uint32_t node = 0; node < nodes; ++node)
            if (data.turn[node] == data.kOver) endings_.emplace_back(data.score[node], node);
        std::sort(endings_.begin(), endings_.end());
        measure(roles);
        endless_ = endless_row(roles);
    }

    void measure(std::size_t roles) {
        std::vector<double> low(roles, std::numeric_limits<double>::infinity()),
            high(roles, -std::numeric_limits<double>::infinity());
        double low_sum = low[0], high_sum = high[0];
        for (const auto& ending : endings_) {
            const auto* utility = row(ending.second);
            for (std::size_t role = 0; role < roles; ++role) {
                if (!std::isfinite(utility[role])) throw std::invalid_argument("a utility is not a finite number");
                low[role] = std::min(low[role], utility[role]);
                high[role] = std::max(high[role], utility[role]);
            }
            const double sum = roles == 2 ? utility[0] + utility[1] : 0;
            low_sum = std::min(low_sum, sum);
            high_sum = std::max(high_sum, sum);
        }
        ranges_.assign(roles, 0);
        if (endings_.empty()) return;
        for (std::size_t role = 0; role < roles; ++role) ranges_[role] = high[role] - low[role];
        middle_ = (low[0] + high[0]) / 2;
        // Two roles whose utilities add up to the same everywhere, up to rounding of what were exact numbers.
        opposed_ = opposed_ && high_sum - low_sum <= 1e-9 * (1 + ranges_[0]);
    }

    // A graph gives only the rank of endless play: the mean of the endings of that rank, or of those next to it.
    std::vector<double> endless_row(std::size_t roles) const {
        std::vector<double> mean(roles, 0);
        const auto rank = game_.data().endless;
        const auto by_rank = [](const auto& ending, std::int32_t score) { return ending.first < score; };
        const auto begin = std::lower_bound(endings_.begin(), endings_.end(), rank, by_rank);
        auto last = begin, first = begin;
        while (last != endings_.end() && last->first == rank) ++last;
        if (first == last) {
            if (last != endings_.end()) ++last;
            if (first != endings_.begin()) --first;
        }
        for (auto ending = first; ending != last; ++ending)
            for (std::size_t role = 0; role < roles; ++role)
                mean[role] += row(ending->second)[role] / static_cast<double>(last - first);
        return mean;
    }

    const G& game_;
    std::vector<double> ranges_;
    std::vector<double> endless_;
    std::vector<std::pair<std::int32_t, std::uint32_t>> endings_;  // score, node; sorted
    double middle_ = (static_cast<double>(game_.worst()) + static_cast<double>(game_.best())) / 2;
    bool has_rows_ = false;
    bool opposed_ = true;
};

// An edge of a chance node, drawn by its probability.
template <ExplicitGame G>
std::uint32_t draw_edge(const G& game, const typename G::State& state, Random& random) {
    const auto& data = game.data();
    const auto first = data.first_edge[state.node], end = data.first_edge[state.node + 1];
    double left = random.unit();
    auto chosen = first;
    for (auto edge = first; edge < end; ++edge) {
        if (data.probability[edge] <= 0) continue;
        chosen = edge;
        left -= data.probability[edge];
        if (left < 0) break;
    }
    return static_cast<std::uint32_t>(chosen - first);
}

}  // namespace zermelo::bandit
