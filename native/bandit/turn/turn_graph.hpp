// All that may happen from a position to the end of the turn, every position once: expectimax on a graph.
//
// A turn is a row of decisions of one player with chance between them. It ends at a quiet point: before chance moves
// for somebody else, or, of a player who is alone, before chance moves after something was changed for good (a box was
// filled, a tile was taken). Until then positions are few: those that differ in the order of dice alone are one
// (Lane::lump), as are those that are reached in several ways, so that five dice thrown one by one, three times, have
// 1,400 positions, not 7,776^3. Where outcomes of chance lead to one position they are one edge, with their number.
//
// Values are backed up exactly: the average over the outcomes of chance, the best move for who decides. What quiet
// points are worth is told from outside; ends are known.
//
//     TurnGraph graph(lane);
//     const auto root = graph.root(state);
//     if (graph.grow(root, 100'000, control))            // false: more positions than that
//         for (auto leaf : graph.leaves()) graph.set(leaf, values_of(graph.state(leaf)));
//     graph.back_up();
//     graph.value(root, role);
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "bandit/lane.hpp"
#include "zermelo/control.hpp"
#include "zermelo/random.hpp"

namespace zermelo::bandit {

class TurnGraph {
public:
    using Index = std::uint32_t;
    static constexpr Index kNone = 0xffffffffu;

    enum class Kind : std::uint8_t {
        unseen,    // nothing is known of it yet
        leaf,      // a quiet point, or what did not fit
        decision,  // one player chooses
        chance,
        over,
    };
    struct Edge {
        Index child;
        std::uint32_t move;    // of who decides: the first that leads there
        std::uint32_t weight;  // how many outcomes of chance lead there
    };

    // A joint move that was played, and where it led.
    struct Step {
        std::uint32_t joint;  // its place among joints()
        Index node, child;
    };

    // The lane is used by others between calls.
    TurnGraph(Lane& lane, std::uint64_t seed);

    // The node of a position, which is not grown by this.
    Index node_of(std::span<const std::uint64_t> state);
    // Grows the turn that begins, or goes on, at a node; false if there are more than so many nodes.
    bool grow(Index from, std::size_t most_nodes, Control& control);
    void clear();
    // From now on every step is kept, as it was played.
    void record() { recording_ = true; }
    std::span<const Step> steps() const { return steps_; }
    std::span<const std::uint32_t> joint(std::uint32_t number) const {
        return std::span(joints_).subspan(std::size_t{number} * roles_, roles_);
    }
    std::uint32_t joints() const { return static_cast<std::uint32_t>(joints_.size() / roles_); }

    std::size_t nodes() const { return nodes_.size(); }
    Kind kind(Index node) const { return nodes_[node].kind; }
    std::uint32_t chooser(Index node) const { return nodes_[node].chooser; }
    std::span<const Edge> edges(Index node) const {
        return std::span(edges_).subspan(nodes_[node].first_edge, nodes_[node].edges);
    }
    std::span<const std::uint64_t> state(Index node) const {
        return std::span(states_).subspan(std::size_t{node} * words_, words_);
    }

    // Below a node: children before parents, where no position repeats. Leaves and ends are among them.
    void order_from(Index root, std::vector<Index>& order) const;
    // Takes the values of all nodes in the order from those of leaves and ends.
    void back_up(std::span<const Index> order);
    std::span<double> values(Index node) { return std::span(values_).subspan(std::size_t{node} * roles_, roles_); }
    std::span<const double> values(Index node) const {
        return std::span(values_).subspan(std::size_t{node} * roles_, roles_);
    }

private:
    struct Node {
        Kind kind;
        std::uint8_t chooser;
        std::uint32_t edges;
        std::size_t first_edge;
    };
    struct Choices {
        std::uint32_t players = 0, mover = kNobody, outcomes = 1;
        bool stuck = false;
    };

    Index find(std::span<const std::uint64_t> state);
    Index add(std::span<const std::uint64_t> state);
    std::size_t slot(std::span<const std::uint64_t> state) const;
    Choices choices();
    bool quiet(Index node, std::uint32_t mover);
    void look(Index node);
    void expand(Index node, const Choices& here);
    Index next_by(Index from, std::uint32_t role, std::uint32_t move);
    void join(std::size_t first, Index child, std::uint32_t move, std::uint32_t weight);
    double back_up_one(Index node);
    void note(Index node, Index child);

    Lane& lane_;
    Random random_;
    std::uint32_t roles_, chance_;
    std::size_t words_;
    bool alone_;  // one player, or one goal
    std::vector<Node> nodes_;
    std::vector<std::uint64_t> states_;
    std::vector<double> values_;
    std::vector<Edge> edges_;
    std::vector<Index> table_;
    bool recording_ = false;
    std::vector<Step> steps_;
    std::vector<std::uint32_t> joints_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> joint_number_;
    std::vector<std::uint32_t> joint_, moves_, outcomes_;
    std::vector<std::uint64_t> form_, here_;
};

}  // namespace zermelo::bandit
