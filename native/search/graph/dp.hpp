// Dynamic programming: the value of every reachable position, each looked at a constant number of times.
//
// An explicit graph is labelled as it stands. The positions of any other game are enumerated into one and labelled
// by retrograde analysis (labels.hpp), which gives values and distances, cyclic games included. Where a game ranks
// its positions there is a second way: sweep a table of two bits a rank (ranked.hpp), which has no index, no edges
// and no distances. The rule: the second way is open if the table up to the root's rank fits into memory (what the
// limit leaves; without a limit, the larger of params.table_bytes and 1 GiB). Enumeration is tried first even then,
// but only up to ranks / 128 positions (at least 262,144; with 16 moves each on average) and half the memory, since a
// position enumerated takes some thirty times as long as a rank swept. So small or sparse games get distances, large
// dense ones get speed, and neither costs much more than the better way alone. A game too large to be numbered says
// so by ranks() == 0.
//
// Nodes counted by the control: positions enumerated plus positions labelled, or ranks swept.
//
// A limit leaves something proved (partial.hpp). The positions enumerated until then are labelled twice, with those
// still to be expanded at their worst and at their best; labels that are final already count as ends. An explicit
// graph or a ranked table that is labelled only in part is looked at near the root, until the look meets what is
// labelled or has seen a few thousand positions. None of this counts as nodes; it takes a fraction of a second and no
// memory to speak of, since the index is given up for it.
//
//     Dp<G> engine(game, params);
//     Outcome outcome = engine.solve(game.start(), control);   // value, move, distance
//     engine.solve(child, control);                            // looked up
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "search/graph/graph.hpp"
#include "search/graph/extract.hpp"
#include "search/graph/labels.hpp"
#include "search/graph/ranked.hpp"
#include "search/graph/reachable.hpp"
#include "zermelo/control.hpp"
#include "zermelo/search.hpp"

namespace zermelo {

// The explicit graph already is what enumeration would make of it.
class ExplicitGraph {
public:
    explicit ExplicitGraph(const Graph& game) : game_(game) {}
    bool explore(const Graph::State&, const Budget&, Control&) { return true; }
    std::uint32_t find(const Graph::State& state) const { return state.node; }
    const GraphData& graph() const { return game_.data(); }
    std::uint64_t bytes() const { return 0; }
    void forget(Control&) {}

private:
    const Graph& game_;
};

template <class G>
class Dp {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;

    Dp(const G& game, const SearchParams& params)
        : game_(game), params_(params), positions_(game), table_(rank_table_of(game)) {}

    Outcome solve(const State& root, Control& control) {
        Outcome outcome{.lower = game_.worst(), .upper = game_.best()};
        if (const auto end = game_.ending(root); end.over)
            return {.solved = true, .lower = end.score, .upper = end.score, .distance = 0};
        control.report(outcome.lower, outcome.upper, 0);
        try {
            prepare(root, control, &outcome);
            outcome = solved_outcome(root);
        } catch (const Stopped&) {
        }
        control.report(outcome.lower, outcome.upper, std::max<std::int64_t>(0, outcome.distance));
        return outcome;
    }

    bool at_least(const State& state, Score bound, Control& control) {
        if (const auto end = game_.ending(state); end.over) return end.score >= bound;
        prepare(state, control);
        return look_up(state).value >= bound;
    }

    // A best move of a position within what is labelled.
    Move hint(const State& state) {
        if (!known(state) || game_.ending(state).over) return kNoMove;
        const auto index = best_move(state, look_up(state));
        return index < 0 ? kNoMove : moves_[static_cast<std::size_t>(index)];
    }

    StrategyGraph strategy(const State& root, int owner, Score bound, Control& control) {
        prepare(root, control);
        if (!labels_) {
            ProverOf<State, Dp> prover(*this);
            return extract_strategy(game_, prover, root, owner, bound, control);
        }
        return strategy_from_labels(positions_.graph(), *labels_, positions_.find(root), owner, bound, control);
    }

    std::uint64_t table_bytes() const { return positions_.bytes() + (labels_ ? labels_->bytes() : 0) + swept_bytes(); }
    std::vector<std::uint64_t> counts() const {
        return {labels_ ? labels_->of.size() : table_ ? table_->labelled() : 0, table_bytes()};
    }

private:
    static constexpr bool kRanked = requires(const G& game, const State& state) { game.ranks(), game.rank(state); };
    static constexpr bool kExplicit = std::same_as<G, Graph>;
    static constexpr std::uint64_t kFew = std::uint64_t{1} << 18;
    // What a look from the root may take after a stop: given rows are read again, ranked positions are expanded anew.
    static constexpr Budget kGlance{.positions = kExplicit ? std::uint64_t{1} << 16 : std::uint64_t{1} << 12,
                                    .bytes = std::uint64_t{8} << 20};
    using Positions = std::conditional_t<kExplicit, ExplicitGraph, Reachable<G>>;

    // What is known of one position; the distance is -1 if it is not known or if there is none.
    struct Known {
        Score value;
        std::int64_t distance;
    };

    // Null if the game does not number its positions; then ranks() is 0, if there is such a member.
    static std::unique_ptr<RankTable> rank_table_of(const G& game) {
        if constexpr (HasRank<G>) return std::make_unique<Ranked<G>>(game);
        else if constexpr (kRanked) return game.rank_table();
        else return (void)game, nullptr;
    }
    std::uint64_t swept_bytes() const { return table_ ? table_->bytes() : 0; }

    std::optional<Score> final_value(const State& state) const {
        if (!part_.of.empty()) {
            const auto node = positions_.find(state);
            return node != kNowhere ? final_value(node) : std::nullopt;
        }
        if constexpr (kRanked) {
            if (!labels_ && known(state)) return table_->value(game_.rank(state));
        }
        return std::nullopt;
    }
    std::optional<Score> final_value(std::uint32_t node) const {
        if (node >= part_.of.size() || part_.of[node].distance < 0) return std::nullopt;
        return part_.of[node].value;
    }

    // What was proved before a limit, from whatever there is: positions, labels of some of them, ranks swept.
    void take_proved(const State& root, Outcome& outcome) {
        if (const auto node = positions_.find(root); final_value(node)) {
            const auto label = part_.of[node];
            outcome = {.solved = true,
                       .lower = label.value,
                       .upper = label.value,
                       .move = best_edge(positions_.graph(), part_, node),
                       .distance = label.distance};
            return;
        }
        const auto proved = proved_of(root);
        const auto [lower, upper] = within(within(proved.bounds, part_.rest), {game_.worst(), game_.best()});
        const bool better = game_.turn(root) == 0 ? lower > game_.worst() : upper < game_.best();
        outcome = {.solved = lower == upper,
                   .lower = lower,
                   .upper = upper,
                   .move = better || lower == upper ? proved.move : -1};
    }

    Proved proved_of(const State& root) {
        if constexpr (!kExplicit) {
            const bool swept = swept_bytes() && positions_.graph().first_edge.empty();
            if (!swept) return positions_.proved([this](std::uint32_t node) { return final_value(node); }, part_.rest);
        }
        if constexpr (kExplicit || kRanked) {
            return Reachable<G>(game_).glance(
                root, kGlance, [this](const State& state) { return final_value(state); }, part_.rest);
        } else {
            return {{game_.worst(), game_.best()}};
        }
    }

    Outcome solved_outcome(const State& root) {
        const auto here = look_up(root);
        return {.solved = true,
                .lower = here.value,
                .upper = here.value,
                .move = best_move(root, here),
                .distance = here.distance};
    }

    bool known(const State& state) const {
        if (labels_) return positions_.find(state) != kNowhere;
        if constexpr (kRanked) return game_.ranks() && table_->covers(game_.rank(state));
        else return false;
    }

    Known look_up(const State& state) const {
        if constexpr (kRanked) {
            if (!labels_) return {table_->value(game_.rank(state)), -1};
        }
        const auto& label = labels_->of[positions_.find(state)];
        return {label.value, label.distance};
    }

    // Leaves the moves of the state in moves_.
    std::int64_t best_move(const State& state, const Known& here) {
        moves_.clear();
        game_.moves(state, moves_);
        const auto wanted = here.distance < 0 ? -1 : here.distance - 1;
        for (std::size_t i = 0; i < moves_.size(); ++i)
            if (const auto next = look_up(game_.play(state, moves_[i]));
                next.value == here.value && next.distance == wanted)
                return static_cast<std::int64_t>(i);
        return -1;
    }

    // Makes the value of root known. If a limit stops it, what was proved until then goes to `outcome`, where given.
    void prepare(const State& root, Control& control, Outcome* outcome = nullptr) {
        try {
            enumerate_and_label(root, control);
        } catch (const Stopped&) {
            if (outcome) take_proved(root, *outcome);
            forget_part(control);
            throw;
        } catch (...) {
            forget_part(control);
            throw;
        }
    }

    void forget_part(Control& control) {
        part_ = {};
        positions_.forget(control);
    }

    void enumerate_and_label(const State& root, Control& control) {
        if (known(root)) return;
        if (labels_) {
            control.charge(-static_cast<std::int64_t>(labels_->bytes()));
            labels_.reset();
            positions_.forget(control);
        }
        if constexpr (kRanked) {
            const auto top = game_.ranks() ? game_.rank(root) : std::numeric_limits<std::uint64_t>::max();
            const auto room = room_for_table(control);
            if (top < std::numeric_limits<std::uint64_t>::max() / 8 && table_->bytes_for(top) <= room) {
                const auto few = std::max(kFew, top / 128);
                const Budget budget{.positions = few, .edges = 16 * few, .bytes = room / 2};
                if (table_->bytes() || !positions_.explore(root, budget, control)) return table_->sweep(top, control);
                return label_positions(control);
            }
        }
        if (!positions_.explore(root, {}, control)) throw std::length_error("there are too many positions to number");
        label_positions(control);
    }

    std::uint64_t room_for_table(const Control& control) const {
        const auto room = control.room();
        const bool limited = room <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        return limited ? room : std::max<std::uint64_t>(params_.table_bytes, std::uint64_t{1} << 30);
    }

    void label_positions(Control& control) {
        if constexpr (requires { game_.endless(); }) label_graph_into(part_, positions_.graph(), control);
        else label_graph_into(part_, positions_.graph(), control, game_.worst() + game_.best());
        labels_ = std::move(part_);
        part_ = {};
    }

    const G& game_;
    SearchParams params_;
    Positions positions_;
    std::unique_ptr<RankTable> table_;
    std::optional<Labels> labels_;  // of all positions
    Labels part_;                   // while labelling is under way
    std::vector<Move> moves_;
};

}  // namespace zermelo
