// Writes a strategy down in the order in which its checker meets the positions: layer after layer.
//
// The first layer is the start. From each position of a layer the owner makes one move and the other role every move;
// what is met by it, each position once and in the order in which it is first met, is the next layer, and ends are
// looked at and left. So the positions need not be written down at all: the owner's moves say where play goes, and
// whoever reads them makes the same positions in the same order. A proof takes a byte for each position in which the
// owner moves and none for the others; to check it takes memory for two layers. Play that could go on for ever would
// have layers without end, so that a list of layers that ends also proves that play does.
//
//     LayerWriter(game, prover, /*owner*/ 0, /*bound*/ 1, control).write(game.start())
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/graph/prover.hpp"
#include "zermelo/control.hpp"
#include "zermelo/search.hpp"
#include "zermelo/table.hpp"

namespace zermelo {

// Positions that were met, each with nothing: open addressing, doubled when it is half full.
template <class State>
class MetStates {
public:
    explicit MetStates(std::size_t expected = 16) { reserve(expected); }
    bool add(const State& state) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        return place(state);
    }
    bool has(const State& state) const {
        const auto mask = slots_.size() - 1;
        for (auto at = static_cast<std::size_t>(hash_bytes(state)) & mask; used_[at]; at = (at + 1) & mask)
            if (slots_[at] == state) return true;
        return false;
    }
    void clear_for(std::size_t expected) { count_ = 0, reserve(expected); }
    std::size_t bytes() const { return slots_.size() * (sizeof(State) + 1); }

private:
    void reserve(std::size_t expected) {
        std::size_t size = 16;
        while (size < 2 * expected) size *= 2;
        slots_.assign(size, State{});
        used_.assign(size, 0);
    }
    void grow() {
        auto slots = std::move(slots_);
        auto used = std::move(used_);
        count_ = 0;
        reserve(slots.size());
        for (std::size_t i = 0; i < slots.size(); ++i)
            if (used[i]) place(slots[i]);
    }
    bool place(const State& state) {
        const auto mask = slots_.size() - 1;
        auto at = static_cast<std::size_t>(hash_bytes(state)) & mask;
        for (; used_[at]; at = (at + 1) & mask)
            if (slots_[at] == state) return false;
        slots_[at] = state, used_[at] = 1;
        return ++count_, true;
    }
    std::vector<State> slots_;
    std::vector<std::uint8_t> used_;
    std::size_t count_ = 0;
};

// What a strategy is written down with: every line to its end, or the images and closed positions that the game knows.
struct LayerForm {
    bool brief = false;
    std::uint64_t most = ~std::uint64_t{0};  // positions; one that meets more is given up
};

template <SearchGame G>
class LayerWriter {
public:
    using State = typename G::State;
    LayerWriter(const G& game, Prover<State>& prover, int owner, Score bound, Control& control, LayerForm form = {})
        : game_(game), claim_(game, prover, owner, bound, control), control_(control), form_(form) {}

    // Nothing if it meets more positions than it may. Stops before the first layer of at least `until` positions.
    std::optional<LayeredStrategy> write(const State& root, std::size_t until = ~std::size_t{0}) {
        if (!claim_.holds(root)) throw std::invalid_argument("the bound does not hold at the start");
        std::vector<State> roots;
        if (!game_.ending(root).over && !closed(root)) roots.push_back(root);
        auto strategy = write_from(std::move(roots), until);
        if (strategy && !strategy->moves.empty()) strategy->line = longest_line(root, *strategy);
        if (strategy && form_.brief) play_on(root, strategy->line);
        return strategy;
    }

    // From positions in which the bound holds, each once.
    std::optional<LayeredStrategy> write_from(std::vector<State> roots, std::size_t until) {
        LayeredStrategy strategy;
        if constexpr (HasImages<G>)
            if (form_.brief) strategy.images = game_.images();
        if constexpr (HasClosing<G>)
            if (form_.brief) strategy.closed.assign(game_.closing().begin(), game_.closing().end());
        layer_ = std::move(roots);
        ways_.clear();
        std::uint64_t total = 0;
        while (!layer_.empty() && layer_.size() < until) {
            if ((total += layer_.size()) > form_.most) return std::nullopt;
            strategy.positions.push_back(layer_.size());
            strategy.moves.push_back(next_layer());
            std::swap(layer_, next_);
        }
        strategy.beyond = layer_.size();
        return strategy;
    }
    // The layer that it stopped before.
    std::vector<State> take_frontier() { return std::move(layer_); }

    // A line on which both roles keep the bound, as a draw is played.
    std::vector<std::uint16_t> line(State state) {
        std::vector<std::uint16_t> line;
        met_.clear_for(0);
        while (!game_.ending(state).over && line.size() < kLongestLine) {
            control_.tick();
            moves_.clear();
            game_.moves(state, moves_);
            claim_.owner = game_.turn(state);
            line.push_back(static_cast<std::uint16_t>(moves_.size() == 1 ? 0 : kept(state)));
            state = game_.play(state, moves_[line.back()]);
        }
        return line;
    }

private:
    static constexpr std::size_t kLongestLine = 1000;
    // How a position was first met: from which one of the layer before, by which of the moves there.
    struct Way {
        std::uint32_t from;
        std::uint16_t move;
    };
    static constexpr std::size_t kMostWays = std::size_t{1} << 24;

    // The owner's moves in this layer, and what they and all replies lead to.
    std::vector<std::uint16_t> next_layer() {
        std::vector<std::uint16_t> chosen;
        met_.clear_for(layer_.size());
        next_.clear();
        ways_.emplace_back();
        for (std::size_t at = 0; at < layer_.size(); ++at) {
            control_.tick();
            const State state = layer_[at];
            moves_.clear();
            game_.moves(state, moves_);
            if (moves_.size() > 0xffff) throw std::length_error("too many moves in one position for a list of layers");
            if (game_.turn(state) == claim_.owner) {
                const auto index = moves_.size() == 1 ? 0 : kept(state);
                chosen.push_back(static_cast<std::uint16_t>(index));
                meet(state, at, index);
            } else {
                for (std::size_t index = 0; index < moves_.size(); ++index) meet(state, at, index);
            }
        }
        const auto bytes = static_cast<std::int64_t>((layer_.capacity() + next_.capacity()) * sizeof(State) +
                                                     met_.bytes() + kept_ways_ * sizeof(Way));
        control_.charge(bytes - charged_ + static_cast<std::int64_t>(2 * chosen.size()));
        charged_ = bytes;
        return chosen;
    }
    void meet(const State& state, std::size_t from, std::size_t index) {
        const State child = game_.play(state, moves_[index]);
        if (game_.ending(child).over || closed(child) || !met_.add(image(child))) return;
        next_.push_back(child);
        if (kept_ways_ < kMostWays) {
            ways_.back().push_back({static_cast<std::uint32_t>(from), static_cast<std::uint16_t>(index)});
            ++kept_ways_;
        }
    }
    bool closed(const State& state) const {
        if constexpr (HasClosing<G>) return form_.brief && game_.closed(state, claim_.owner, claim_.bound);
        else return (void)state, false;
    }
    State image(const State& state) const {
        if constexpr (HasImages<G>) return form_.brief ? game_.least_image(state) : state;
        else return state;
    }
    // One of the lines that last longest; of a long proof as far as ways were kept.
    std::vector<std::uint16_t> longest_line(const State& root, const LayeredStrategy& strategy) {
        std::vector<std::uint16_t> line;
        auto last = ways_.size();
        while (last > 0 && ways_[last - 1].empty()) --last;
        for (std::size_t at = 0, layer = last; layer > 0; --layer) {
            line.push_back(ways_[layer - 1][at].move);
            at = ways_[layer - 1][at].from;
        }
        std::reverse(line.begin(), line.end());
        if (last + 1 == strategy.moves.size()) line.push_back(last_move(root, line, strategy.moves.back()));
        return line;
    }
    // From a closed position to the end of the game: the owner keeps the bound, the other makes any move.
    void play_on(State state, std::vector<std::uint16_t>& line) {
        met_.clear_for(0);
        for (std::size_t ply = 0; ply < kLongestLine && !game_.ending(state).over; ++ply) {
            moves_.clear();
            game_.moves(state, moves_);
            if (ply >= line.size())
                line.push_back(static_cast<std::uint16_t>(game_.turn(state) == claim_.owner ? kept(state) : 0));
            state = game_.play(state, moves_[line[ply]]);
        }
    }
    // What ends the line: the owner's first move in the last layer, or any reply.
    std::uint16_t last_move(State state, const std::vector<std::uint16_t>& line,
                            const std::vector<std::uint16_t>& last) {
        for (const auto index : line) {
            moves_.clear();
            game_.moves(state, moves_);
            state = game_.play(state, moves_[index]);
        }
        return game_.turn(state) == claim_.owner ? last.front() : std::uint16_t{0};
    }
    // A move that keeps the bound, as a position in the list of moves.
    std::size_t kept(const State& state) {
        if (form_.brief)
            if (const auto move = cheapest(state); move != kNoMove)
                return static_cast<std::size_t>(std::find(moves_.begin(), moves_.end(), move) - moves_.begin());
        return claim_.kept(state, moves_);
    }
    // One that is known to keep it and costs little: the only one worth a look; one that ends the game, is closed, or
    // leads to what is in the next layer already; what the search found.
    Move cheapest(const State& state) {
        tried_.clear();
        search_moves(game_, state, tried_);
        if (tried_.size() == 1) return tried_.front();
        for (const auto move : tried_) {
            const State child = game_.play(state, move);
            if (const auto end = game_.ending(child); end.over) {
                if (claim_.owner == 0 ? end.score >= claim_.bound : end.score <= claim_.bound) return move;
            } else if (closed(child) || met_.has(image(child))) {
                return move;
            }
        }
        return claim_.table_move(state);
    }
    const G& game_;
    Claim<G> claim_;
    Control& control_;
    LayerForm form_;
    MetStates<State> met_;
    std::vector<State> layer_, next_;
    std::vector<std::vector<Way>> ways_;  // to the positions of each layer but the first
    std::size_t kept_ways_ = 0;
    std::vector<Move> moves_, tried_;
    std::int64_t charged_ = 0;
};

}  // namespace zermelo
