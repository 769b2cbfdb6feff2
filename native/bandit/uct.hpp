// UCT: tree search that trusts each move as UCB1 does (Kocsis and Szepesvari 2006), with what it can prove.
//
// A simulation descends by mean + c * range * sqrt(log N / n), adds children on the second visit of a leaf, plays
// a random game and backs its result up. Every node also keeps proved bounds on the first role's score, from
// endings upwards (MCTS-Solver: Winands, Bjornsson and Saito 2008; score bounds: Cazenave and Saffidine 2010):
//  - a child that cannot beat what the mover has in hand is closed and no longer visited;
//  - what is in hand is an arm of known value: when no open child's UCB exceeds it, it is what a simulation
//    brings to the node, though the simulation itself goes on to an open child, where there is more to prove.
// A proof is a finite tree of endings. Play cut off for going round in circles counts as endless() in the means
// and proves nothing. Chance nodes draw by probability, and their bounds span those of all outcomes. With more
// than two roles, or two that are not opposed, each role maximises its own mean (max^n) and nothing is proved.
//
// Nodes lie in one arena, siblings next to each other. When it is full the tree stops growing and simulations
// go on (full() says so). A simulation of d plies costs O(d * branching) in the tree, without allocation.
//
//     Uct<G> engine(game, params);                       // params.simulations, exploration, seed, prove
//     Outcome outcome = engine.solve(game.start(), control);
//     std::vector<std::uint64_t> visits = engine.counts();
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

#include "bandit/bandit.hpp"
#include "bandit/rewards.hpp"
#include "zermelo/control.hpp"
#include "zermelo/game.hpp"
#include "zermelo/random.hpp"
#include "zermelo/search.hpp"

namespace zermelo::bandit {

template <class G>
class Uct {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;

    Uct(const G& game, const SearchParams& params)
        : game_(game), params_(params), rewards_(game), random_(params.seed),
          prove_(params.prove && rewards_.opposed()) {
        for (unsigned role = 0; role < weight_.size(); ++role)
            weight_[role] = static_cast<float>(params.exploration * rewards_.range(role));
        if (!is_acyclic(game)) line_limit_ = longest_line();
    }

    // Searches on from what the tree already holds, if `state` is the root of the last search or one move on.
    Outcome solve(const State& state, Control& control) {
        if (const auto end = game_.ending(state); end.over)
            return {.solved = true,
                    .lower = end.score,
                    .upper = end.score,
                    .distance = 0,
                    .estimate = rewards_.gain(rewards_.at_end(state, end.score), 0)};
        const Index root = place(state, control);
        Tally tally;
        try {
            while (!(prove_ && solved(root)) && !(params_.simulations && tally.simulations == params_.simulations)) {
                control.tick();
                simulate(root, state, tally, control);
            }
        } catch (const Stopped&) {
            // The simulation under way is dropped: it had not touched any mean or bound.
        }
        if (root != kTop && prove_) refresh(kTop);
        control.report(stats_[root].lower, stats_[root].upper, static_cast<std::int64_t>(depth_));
        return outcome(root, tally);
    }

    // Visits of each legal move at the root of the tree, in the order of `moves`.
    std::vector<std::uint64_t> counts() const {
        std::vector<std::uint64_t> visits;
        if (used_ == 0) return visits;
        const auto& top = links_[kTop];
        for (Index child = top.first; child < top.first + top.count(); ++child) visits.push_back(stats_[child].visits);
        return visits;
    }
    std::uint64_t table_bytes() const { return charged_ * kNodeBytes; }
    std::uint64_t tree_nodes() const { return used_; }
    bool full() const { return full_; }

private:
    using Index = std::uint32_t;

    // What the descent reads of every sibling: four to a cache line.
    struct Link {
        float mean;     // of the gain of the role that chooses among the siblings; kUnvisited + noise, or kClosed
        float inverse;  // 1 / sqrt(visits)
        Index first;    // first child; kNone: no children yet
        std::uint32_t packed;  // number of children << 8 | turn
        std::uint32_t count() const { return packed >> 8; }
        std::uint32_t turn() const { return packed & 0xff; }
        void set_turn(std::uint32_t turn) { packed = (packed & ~0xffu) | turn; }
    };
    struct Stats {
        double sum;
        std::uint32_t visits;
        Move move;
        std::int32_t lower, upper;
        Bounds bounds() const { return {lower, upper}; }
    };
    struct Step {
        Index node;
        bool in_hand;  // the role to move would rather take what it has proved than what this simulation brings
    };
    struct Tally {
        std::uint64_t simulations = 0;
        double first_sum = 0;
    };

    static constexpr Index kTop = 0, kNone = 0;  // the top is nobody's child
    static constexpr float kUnvisited = 1e30f;
    static constexpr float kClosed = -std::numeric_limits<float>::max();
    static constexpr std::uint32_t kOver = 254, kFresh = 253;
    static constexpr std::uint32_t kChance = Rewards<G>::kChanceTurn;
    static constexpr std::uint64_t kNodeBytes = sizeof(Link) + sizeof(Stats);
    static constexpr std::uint64_t kChargeStep = std::uint64_t{1} << 12;  // nodes
    static constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 16;   // plies between two looks at the limits

    bool solved(Index node) const { return stats_[node].lower == stats_[node].upper; }

    // --- the arena ---

    // Memory is asked for once and touched as the tree grows, so that nothing is ever copied.
    void reserve() {
        auto nodes = std::clamp<std::uint64_t>(params_.table_bytes / kNodeBytes, 1, kNever32);
        while (!stats_) {
            try {
                links_ = std::make_unique_for_overwrite<Link[]>(static_cast<std::size_t>(nodes));
                stats_ = std::make_unique_for_overwrite<Stats[]>(static_cast<std::size_t>(nodes));
            } catch (const std::bad_alloc&) {
                if (nodes == 1) throw;
                nodes /= 2;
            }
        }
        capacity_ = nodes;
    }

    bool allow(std::uint64_t nodes, Control& control) {
        const auto wanted = used_ + nodes;
        if (wanted > capacity_) return false;
        if (wanted > charged_) {
            auto goal = std::min(capacity_, std::max(wanted, charged_ + kChargeStep));
            if ((goal - charged_) * kNodeBytes > control.room()) goal = wanted;
            if ((goal - charged_) * kNodeBytes > control.room()) return false;
            control.charge(static_cast<std::int64_t>((goal - charged_) * kNodeBytes));
            charged_ = goal;
        }
        return true;
    }

    void fresh(Index node, Move move, float mean) {
        links_[node] = {mean, 0, kNone, kFresh};
        stats_[node] = {0, 0, move, static_cast<std::int32_t>(game_.worst()), static_cast<std::int32_t>(game_.best())};
    }

    Index place(const State& state, Control& control) {
        if (top_ && *top_ == state) return open_top(state, control), kTop;
        if (top_ && links_[kTop].count()) {
            const auto& top = links_[kTop];
            for (Index child = top.first; child < top.first + top.count(); ++child)
                if (game_.play(*top_, stats_[child].move) == state) {
                    if (links_[child].turn() == kFresh)
                        links_[child].set_turn(static_cast<std::uint32_t>(game_.turn(state)));
                    return child;
                }
        }
        if (!stats_) reserve();
        top_ = state;
        used_ = 0;
        full_ = !allow(1, control);
        used_ = 1;
        fresh(kTop, kNoMove, 0);
        links_[kTop].set_turn(static_cast<std::uint32_t>(game_.turn(state)));
        open_top(state, control);
        return kTop;
    }
    void open_top(const State& state, Control& control) {
        if (links_[kTop].first == kNone) expand(kTop, state, control);
    }

    // Adds the children of a node; says false if there is no room for them.
    bool expand(Index node, const State& state, Control& control) {
        if (full_) return false;
        list_.clear();
        game_.moves(state, list_);
        if (list_.empty()) throw std::invalid_argument("a position that is not over has no moves");
        if (list_.size() > kMostChildren || !allow(list_.size(), control)) return full_ = true, false;
        const auto first = static_cast<Index>(used_);
        // The order in which new siblings get their first visit is random: no direction of the board comes first.
        auto noise = static_cast<std::uint32_t>(random_.next());
        for (std::size_t i = 0; i < list_.size(); ++i) {
            fresh(first + static_cast<Index>(i), list_[i],
                  kUnvisited * (1 + 0x1p-24f * static_cast<float>(noise >> 8)));
            noise = noise * 0x9e3779b1u + 0x7f4a7c15u;
        }
        used_ += list_.size();
        links_[node].first = first;
        links_[node].packed = static_cast<std::uint32_t>(list_.size()) << 8 | links_[node].turn();
        return true;
    }

    // --- one simulation ---

    void simulate(Index root, const State& root_state, Tally& tally, Control& control) {
        path_.clear();
        path_.push_back({root, false});
        State state = root_state;
        bool proved = false;
        const Reward reward = descend(state, proved, control);
        depth_ = std::max(depth_, path_.size());
        const Reward at_root = back_up(reward, proved, control);
        tally.first_sum += rewards_.gain(at_root, 0);
        ++tally.simulations;
    }

    // Follows the tree to a leaf and plays on from there; `proved` says that the leaf is a new ending.
    Reward descend(State& state, bool& proved, Control& control) {
        while (true) {
            const Index node = path_.back().node;
            if (links_[node].turn() == kFresh) {
                const auto end = game_.ending(state);
                if (end.over) {
                    links_[node].set_turn(kOver);
                    stats_[node].lower = stats_[node].upper = static_cast<std::int32_t>(end.score);
                    proved = prove_;
                } else {
                    links_[node].set_turn(static_cast<std::uint32_t>(game_.turn(state)));
                }
            }
            if (links_[node].turn() == kOver) return rewards_.at_end(state, stats_[node].lower);
            if (prove_ && solved(node)) return rewards_.of(stats_[node].lower);  // below a chance node
            if (links_[node].first == kNone && (stats_[node].visits == 0 || !expand(node, state, control)))
                return playout(state, control);
            if (path_.size() > line_limit_) return rewards_.endless();
            if (path_.size() % kMostSteps == 0) control.check();
            const Index child = select(node, state);
            state = game_.play(state, stats_[child].move);
            path_.push_back({child, false});
        }
    }

    Index select(Index node, const State& state) {
        const Link& link = links_[node];
        if constexpr (ExplicitGame<G>)
            if (link.turn() == kChance) return link.first + draw_edge(game_, state, random_);
        (void)state;
        const float weight = weight_[link.turn()] * root_log_(stats_[node].visits + 1);
        const Link* siblings = &links_[link.first];
        const std::uint32_t count = link.count();
        std::uint32_t chosen = 0;
        float best = siblings[0].mean + weight * siblings[0].inverse;
        for (std::uint32_t i = 1; i < count; ++i) {
            const float value = siblings[i].mean + weight * siblings[i].inverse;
            chosen = value > best ? i : chosen;
            best = std::max(best, value);
        }
        if (prove_ && has_in_hand(node)) path_.back().in_hand = rewards_.gain(in_hand(node), link.turn()) >= best;
        return link.first + chosen;
    }

    bool has_in_hand(Index node) const {
        return links_[node].turn() == 0 ? stats_[node].lower > game_.worst() : stats_[node].upper < game_.best();
    }
    Reward in_hand(Index node) const {
        return rewards_.of(links_[node].turn() == 0 ? stats_[node].lower : stats_[node].upper);
    }

    Reward playout(State state, Control& control) {
        if constexpr (requires {
                          { game_.playout(state, random_) } -> std::same_as<Score>;
                      }) {
            (void)control;
            return {static_cast<double>(game_.playout(state, random_)), nullptr};
        } else {
            for (auto plies = static_cast<std::uint64_t>(path_.size());; ++plies) {
                const auto end = game_.ending(state);
                if (end.over) return rewards_.at_end(state, end.score);
                if (plies > line_limit_) return rewards_.endless();
                if (plies % kMostSteps == 0) control.check();
                state = game_.play(state, any_move(state));
            }
        }
    }

    Move any_move(const State& state) {
        if constexpr (ExplicitGame<G>) {
            const auto& data = game_.data();
            if (data.turn[state.node] == kChance) return draw_edge(game_, state, random_);
            const auto count =
                static_cast<std::uint32_t>(data.first_edge[state.node + 1] - data.first_edge[state.node]);
            if (count == 0) throw std::invalid_argument("a position that is not over has no moves");
            return random_.below(count);
        } else if constexpr (requires {
                                 { game_.random_move(state, random_) } -> std::same_as<Move>;
                             }) {
            return game_.random_move(state, random_);
        } else {
            list_.clear();
            game_.moves(state, list_);
            if (list_.empty()) throw std::invalid_argument("a position that is not over has no moves");
            return list_[random_.below(static_cast<std::uint32_t>(list_.size()))];
        }
    }

    // Adds the result to every mean on the path, and new bounds as far up as they change anything.
    Reward back_up(Reward reward, bool proved, Control& control) {
        for (std::size_t i = path_.size(); i-- > 0;) {
            const auto [node, in_hand_here] = path_[i];
            if (in_hand_here) reward = in_hand(node);
            const auto chooser = i ? links_[path_[i - 1].node].turn() : 0;
            auto& stats = stats_[node];
            auto& link = links_[node];
            ++stats.visits;
            stats.sum += rewards_.gain(reward, chooser);
            if (link.mean != kClosed) {
                const float share = 1.0f / static_cast<float>(stats.visits);
                link.mean = static_cast<float>(stats.sum) * share;
                link.inverse = std::sqrt(share);
            }
            if (proved && i + 1 < path_.size()) {
                proved = refresh(node);
                if (proved && i == 0) control.report(stats.lower, stats.upper, static_cast<std::int64_t>(depth_));
            }
        }
        return reward;
    }

    // Recomputes the bounds of a node from its children's and closes those that cannot help the mover any more.
    bool refresh(Index node) {
        const Link& link = links_[node];
        auto& own = stats_[node];
        const Stats* children = &stats_[link.first];
        Bounds all = children[0].bounds();
        for (std::uint32_t i = 1; i < link.count(); ++i) {
            const Bounds child = children[i].bounds();
            all = link.turn() == 0   ? best_of(all, child)
                  : link.turn() == 1 ? least_of(all, child)
                                     : span_of(all, child);
        }
        const auto lower = static_cast<std::int32_t>(all.lower), upper = static_cast<std::int32_t>(all.upper);
        const bool changed = lower != own.lower || upper != own.upper;
        own.lower = lower;
        own.upper = upper;
        if (link.turn() == kChance) return changed;
        for (std::uint32_t i = 0; i < link.count(); ++i) {
            auto& child = links_[link.first + i];
            if (link.turn() == 0 ? children[i].upper <= lower : children[i].lower >= upper)
                child.mean = kClosed, child.inverse = 0;
        }
        return changed;
    }

    // --- the answer ---

    Outcome outcome(Index root, const Tally& tally) const {
        const auto& stats = stats_[root];
        Outcome result{
            .solved = prove_ && solved(root), .lower = stats.lower, .upper = stats.upper, .move = best_move(root)};
        if (result.solved) result.estimate = rewards_.gain(rewards_.of(stats.lower), 0);
        else
            result.estimate =
                tally.simulations ? tally.first_sum / static_cast<double>(tally.simulations) : rewards_.middle();
        return result;
    }

    // The most visited move, unless what is in hand is proved to be best or better than that move's mean.
    std::int64_t best_move(Index root) const {
        const auto& link = links_[root];
        std::int64_t most = -1, safe = -1;
        for (std::uint32_t i = 0; i < link.count(); ++i) {
            const auto& child = stats_[link.first + i];
            if (most < 0 || child.visits > stats_[link.first + static_cast<Index>(most)].visits) most = i;
            const bool holds = link.turn() == 0 ? child.lower == stats_[root].lower : child.upper == stats_[root].upper;
            if (safe < 0 && holds) safe = i;
        }
        if (!prove_ || link.turn() > 1 || safe < 0 || !(solved(root) || has_in_hand(root))) return most;
        const auto& favourite = stats_[link.first + static_cast<Index>(most)];
        const double mean = favourite.visits ? favourite.sum / favourite.visits : 0;
        return solved(root) || !favourite.visits || mean <= rewards_.gain(in_hand(root), link.turn()) ? safe : most;
    }

    // Long enough for every line without a repetition, and for a good deal of wandering on small graphs.
    std::uint64_t longest_line() const {
        constexpr std::uint64_t enough = 10'000;
        if constexpr (requires { game_.positions(); }) {
            const auto positions = static_cast<std::uint64_t>(game_.positions());
            return std::min(4 * positions, std::max(positions, enough));
        } else {
            return enough;
        }
    }

    static constexpr std::uint64_t kNever32 = 0xfffffffeu;
    static constexpr std::size_t kMostChildren = (std::size_t{1} << 24) - 1;

    const G& game_;
    SearchParams params_;
    Rewards<G> rewards_;
    Random random_;
    RootLog root_log_;
    std::array<float, 256> weight_{};
    bool prove_;
    bool full_ = false;
    std::uint64_t line_limit_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t capacity_ = 0, used_ = 0, charged_ = 0;
    std::unique_ptr<Link[]> links_;
    std::unique_ptr<Stats[]> stats_;
    std::optional<State> top_;
    std::vector<Step> path_;
    std::vector<Move> list_;
    std::size_t depth_ = 0;
};

}  // namespace zermelo::bandit
