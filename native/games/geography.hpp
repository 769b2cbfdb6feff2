// Generalized geography: a token moves along the edges of a directed graph, never to a node it has been on;
// whoever cannot move loses. Deciding it is PSPACE-complete (Schaefer 1978), so what a position holds matters:
// once the token leaves a strongly connected component it never comes back, so only the nodes visited in the
// token's own component can change what follows. On an acyclic graph a position is a node and whose turn it is.
//
//     GeographyData data{.first_edge = {0, 1, 2, 2}, .target = {1, 2}, .component = {0, 1, 2}};   // 0 -> 1 -> 2
//     auto game = make_geography(std::move(data));                                                // second wins
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "zermelo/bits.hpp"
#include "zermelo/game.hpp"

namespace zermelo {

struct GeographyData {
    std::vector<std::uint64_t> first_edge;  // nodes + 1
    std::vector<std::uint32_t> target;      // edges, none from a node to itself
    std::vector<std::uint32_t> component;   // of each node; no edge leads to a higher one, so none is entered twice
    std::uint32_t start = 0;
    std::optional<std::uint32_t> bound = {};  // plies after which nobody may move any more

    void check() const {
        const auto nodes = component.size();
        if (first_edge.size() != nodes + 1 || first_edge.front() != 0 || first_edge.back() != target.size() ||
            start >= nodes || !std::is_sorted(first_edge.begin(), first_edge.end()))
            throw std::invalid_argument("graph arrays do not fit together");
        for (std::size_t node = 0; node < nodes; ++node) {
            if (component[node] >= nodes) throw std::invalid_argument("a component is not below the number of nodes");
            for (auto e = first_edge[node]; e < first_edge[node + 1]; ++e) {
                if (target[e] >= nodes || target[e] == node)
                    throw std::invalid_argument("an edge leaves the graph or goes nowhere");
                if (component[target[e]] > component[node])
                    throw std::invalid_argument("components are not in topological order");
            }
        }
    }
};

// Each node's number within its component, and the size of the largest component.
inline std::pair<std::vector<std::uint32_t>, std::uint32_t> numbers_within(
    const std::vector<std::uint32_t>& component) {
    std::vector<std::uint32_t> size(component.size(), 0), number;
    number.reserve(component.size());
    for (const auto c : component) number.push_back(size[c]++);
    return {std::move(number), size.empty() ? 0 : *std::max_element(size.begin(), size.end())};
}

// W words hold the visited nodes of the largest component.
template <std::size_t W>
class Geography {
public:
    struct State {
        std::uint32_t node;
        std::uint32_t clock;  // plies played where there is a bound, else only whether they are odd
        Bits<W> visited;      // nodes of the token's component it has left, by their number within it
        bool operator==(const State&) const = default;
    };

    Geography(GeographyData data, std::vector<std::uint32_t> number)
        : data_(std::move(data)), number_(std::move(number)) {}

    State start() const { return {data_.start, 0, {}}; }
    int turn(const State& s) const { return static_cast<int>(s.clock & 1); }
    Ending ending(const State& s) const {
        const bool stuck = s.clock == data_.bound ||
                           std::none_of(row_begin(s.node), row_end(s.node), [&](auto to) { return open(s, to); });
        return stuck ? Ending{true, turn(s) ? 1 : -1} : Ending{};
    }
    void moves(const State& s, std::vector<Move>& out) const {
        std::copy_if(row_begin(s.node), row_end(s.node), std::back_inserter(out), [&](auto to) { return open(s, to); });
    }
    State play(const State& s, Move to) const {
        State next{to, data_.bound ? s.clock + 1 : s.clock ^ 1, {}};
        if (inside(s.node, to)) next.visited = s.visited | Bits<W>::cell(number_[s.node]);
        return next;
    }
    Score worst() const { return -1; }
    Score best() const { return 1; }
    Score step() const { return 2; }  // no draws

    // First where the other has the fewest ways on: a dead end wins at once (Warnsdorff's rule for knight's tours).
    void order(const State& s, std::span<Move> moves) const {
        constexpr std::size_t kMostSorted = 64;
        if (moves.size() < 2) return;
        if (moves.size() > kMostSorted) {
            std::partition(moves.begin(), moves.end(), [&](auto to) { return ways_on(play(s, to)) == 0; });
            return;
        }
        std::array<std::pair<std::size_t, Move>, kMostSorted> keyed;
        for (std::size_t i = 0; i < moves.size(); ++i) keyed[i] = {ways_on(play(s, moves[i])), moves[i]};
        std::sort(keyed.begin(), keyed.begin() + static_cast<std::ptrdiff_t>(moves.size()));
        for (std::size_t i = 0; i < moves.size(); ++i) moves[i] = keyed[i].second;
    }

private:
    auto row_begin(std::uint32_t node) const {
        return data_.target.begin() + static_cast<std::ptrdiff_t>(data_.first_edge[node]);
    }
    auto row_end(std::uint32_t node) const { return row_begin(node + 1); }
    bool inside(std::uint32_t node, std::uint32_t to) const { return data_.component[node] == data_.component[to]; }
    bool open(const State& s, std::uint32_t to) const { return !inside(s.node, to) || !s.visited.has(number_[to]); }
    std::size_t ways_on(const State& s) const {
        return static_cast<std::size_t>(
            std::count_if(row_begin(s.node), row_end(s.node), [&](auto to) { return open(s, to); }));
    }

    GeographyData data_;
    std::vector<std::uint32_t> number_;
};

}  // namespace zermelo
