// The part of a turn that is the same whatever stands on the score card.
//
// What happens to dice within a turn rests on the dice, not on what was scored before. The positions of a turn then
// are a frame: fluents that change within the turn (the dice), steps between them, and, beside it, the others (the
// card), which stay until a move ends the turn. The frame is made from one turn, grown as a graph, and proved from the
// circuit for all others (Lane::influence): each step that stays in the turn leaves every other fluent as it is, and
// the fluents of the frame that follow, as well as whether its moves are legal, rest on the frame alone, or on a few
// other fluents (whose turn it is), which have to be the same.
//
// So another turn takes no growth: only the moves that end it are played, once for all positions of the frame that
// they do not tell apart (the dice, not how many throws are left), and values are backed up along the frame. A turn of
// yahtzee is solved in a millisecond, not fifteen.
//
//     auto frame = TurnFrame::of(lane, quiet_point, 100'000, control);     // nothing where it does not hold
//     if (frame && frame->fits(other)) frame->solve(other, model);
//     frame->value(role);
//     while (frame->draw(random, next)) ...                                // where the best moves lead
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "bandit/lane.hpp"
#include "bandit/turn/linear_values.hpp"
#include "bandit/turn/turn_graph.hpp"
#include "zermelo/control.hpp"
#include "zermelo/random.hpp"

namespace zermelo::bandit {

class TurnFrame {
public:
    // Null where the turn does not fit into so many nodes, or no frame can be proved.
    static std::unique_ptr<TurnFrame> of(Lane& lane, std::span<const std::uint64_t> start, std::size_t most_nodes,
                                         Control& control);

    // Whether the turn that begins at a position has this frame.
    bool fits(std::span<const std::uint64_t> start) const;
    // Solves such a turn, with what the positions after it are worth by the model.
    void solve(std::span<const std::uint64_t> start, const Values& model);
    std::span<const double> values() const { return std::span(values_).first(roles_); }
    // A position after the turn, by best play and the luck of the dice; false where the game is over.
    bool draw(Random& random, std::vector<std::uint64_t>& next) const;

    std::size_t nodes() const { return nodes_.size(); }
    std::size_t exits() const { return exits_.size(); }

private:
    using Index = std::uint32_t;
    static constexpr Index kNone = 0xffffffffu;

    struct Node {
        std::uint32_t first_edge, edges;
        Index exit;  // kNone: chance moves here
    };
    struct Edge {
        Index child;
        std::uint32_t weight;
    };
    // Positions from where the same moves end the turn in the same way.
    struct Exit {
        std::size_t at;                   // its position in the frame
        bool any, over;                   // the turn can end here; the best such move ends the game
        std::vector<std::uint64_t> next;  // by the best move
    };

    TurnFrame(Lane& lane, std::size_t words, std::uint32_t roles) : lane_(lane), words_(words), roles_(roles) {}
    bool prove(const TurnGraph& graph, std::span<const Index> inner);
    void build(const TurnGraph& graph, std::span<const Index> inner);
    void find_exits(const TurnGraph& graph, std::span<const Index> inner);
    void choose_exit(std::size_t number);
    Index best_of(const Node& here) const;
    void back_up(Index node);
    bool inner_move(std::uint32_t move) const { return move < inner_move_.size() && inner_move_[move]; }

    Lane& lane_;
    std::size_t words_;
    std::uint32_t roles_, mover_ = kNobody;
    std::vector<std::uint64_t> moving_, fixed_;  // the fluents of the frame; others that it rests on
    std::vector<std::uint64_t> told_apart_;      // of the frame, by moves that end the turn
    std::vector<std::uint64_t> start_;
    std::vector<bool> inner_move_;

    std::vector<Node> nodes_;  // parents first, the start at 0
    std::vector<Edge> edges_;
    std::vector<std::uint64_t> places_;  // of each exit, a position in the frame
    std::vector<Exit> exits_;
    std::vector<double> values_, exit_values_;
    std::vector<std::uint64_t> here_, after_;
    std::vector<std::uint32_t> joint_, legal_;
    std::vector<std::size_t> first_;  // of each exit, among the moves from there
    std::vector<Index> leads_to_;     // each of those moves, among the positions after it
    std::vector<std::uint64_t> over_;
    std::map<std::vector<std::uint64_t>, Index> met_;
    std::vector<bool> ended_;
    std::vector<double> rewards_, predicted_;
};

}  // namespace zermelo::bandit
