// Monte-Carlo tree search on a ground game: any number of roles, simultaneous moves, chance.
//
// Each role keeps its own bandit (UCB1, Auer et al. 2002) in every node and the roles choose independently: decoupled
// UCT (Finnsson and Björnsson 2008). Where one role has a choice this is plain UCT. The role `random` is sampled, never
// selected. Rewards are goal values / 100. A playout that does not end within its steps counts one half for everyone.
//
// Leaves are valued in one of two ways. SL plays one random game from each. BP plays several from each of a batch of
// leaves, all at once; so that the leaves of a batch differ, a visit counts at once, while means are of what has been
// observed (WU-UCT: Liu et al. 2020). A batch pays where it takes no longer than a quarter of its games
// by SL, which holds unless rules are recursive or hardly anything changes in a step. This
// is decided by counting work, not by the clock: the same seed gives the same tree. Nodes keep their positions, so that
// the rules are asked once for a leaf, however deep it lies.
//
//     Tree tree(circuit, circuit->start, 1 << 28, /*seed*/ 1);
//     tree.run(10000, {}, control);
//     for (const auto& arm : tree.arms(0)) ...;             // visits and mean reward of each legal move
//     tree.advance(joint);                                  // what is known below that joint move is kept
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gdl/bulk/bulk.hpp"
#include "gdl/single/single.hpp"
#include "zermelo/control.hpp"
#include "zermelo/random.hpp"

namespace zermelo::gdl {

struct TreeParams {
    double exploration = 0.7;
    std::uint32_t max_steps = 1000;  // of one playout
};

// Which kernel plays the random games from the leaves.
enum class Leaves : std::uint8_t { single, bulk, whichever_pays };

struct Arm {
    std::uint32_t move;
    std::uint32_t visits = 0;
    std::uint32_t observed = 0;  // visits whose reward is known
    double reward = 0;           // the sum

    double mean() const { return observed ? reward / observed : 0; }
};

class Tree {
public:
    Tree(std::shared_ptr<const Circuit> circuit, std::span<const std::uint64_t> root, std::uint64_t bytes,
         std::uint64_t seed, Leaves leaves = Leaves::whichever_pays);

    // Adds simulations until there are enough or the control stops them; how many there were. A simulation is one
    // random game and one visit to each node above its leaf. What is less than a batch is made one at a time.
    std::uint64_t run(std::uint64_t simulations, const TreeParams& params, Control& control);

    std::span<const Arm> arms(std::uint32_t role) const { return arms_of(root_, role); }
    std::span<const std::uint64_t> root() const { return state_of(root_); }
    std::size_t nodes() const { return nodes_.size(); }
    bool in_batches() const { return bulk_.has_value(); }

    // The root becomes the position after a joint move of legal moves.
    void advance(std::span<const std::uint32_t> joint);
    // Starts anew from a position.
    void reset(std::span<const std::uint64_t> root);

private:
    using Index = std::uint32_t;
    static constexpr Index kNone = 0xffffffffu;
    struct Node {
        std::uint32_t first_arm;   // arms of all roles, one role after the other
        std::uint32_t first_role;  // into role_end_: where each role's arms end
        std::uint32_t visits = 0;
        std::uint32_t end = kNone;  // where play is over: into end_rewards_
        bool over() const { return end != kNone; }
    };
    struct Child {
        Index parent = kNone, child = kNone;
    };

    struct Path {
        std::size_t first, last;  // in path_
    };

    std::span<const Arm> arms_of(Index node, std::uint32_t role) const;
    std::span<Arm> arms_of(Index node, std::uint32_t role);
    std::span<const std::uint64_t> state_of(Index node) const {
        return std::span(states_).subspan(node * words_, words_);
    }
    Index make_node();
    Child& slot(Index parent, std::span<const std::uint32_t> joint);
    void grow_children();
    std::uint32_t choose(Index node, std::uint32_t role, double exploration);
    Index descend(const TreeParams& params);
    void simulate(const TreeParams& params);
    std::uint64_t simulate_batch(const TreeParams& params, Control& control);
    void pick_joint(Index node, double exploration);
    void collect_rewards();
    std::span<const double> rewards_at(Index end) const {
        return std::span(end_rewards_).subspan(nodes_[end].end, roles_);
    }
    void count_visits(Path path, std::uint32_t visits);
    void add_rewards(Path path, std::uint32_t visits, std::span<const double> reward);
    bool batches_pay() const;
    bool full() const { return nodes_.size() >= most_nodes_ || arms_.size() >= most_arms_; }

    std::shared_ptr<const Circuit> circuit_;
    SingleLane lane_;
    std::optional<Bulk> bulk_;                                      // where leaves are valued in batches
    std::uint64_t simulations_ = 0, single_until_ = 0, pause_ = 0;  // no batch before so many simulations
    Random random_;
    std::uint32_t roles_;
    std::uint32_t chance_;  // the role called random, or kNone
    std::size_t words_;     // of a position
    Index root_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint64_t> states_;  // the position of each node
    std::vector<double> end_rewards_;    // of each role, where play is over
    std::vector<Arm> arms_;
    std::vector<std::uint32_t> role_end_;
    std::vector<Child> children_;         // open addressing, keyed by parent and joint move
    std::vector<std::uint32_t> reached_;  // the joint move that led to each node
    std::size_t most_nodes_, most_arms_;

    // Reused by every simulation.
    struct Visit {
        Index node;
        std::uint32_t first_choice;  // into choices_
    };
    std::vector<Visit> path_;   // of a batch, one path after the other
    std::vector<Path> leaves_;  // whose value is not known yet
    std::vector<std::uint64_t> leaf_states_;
    std::vector<double> leaf_rewards_;
    std::vector<std::uint32_t> choices_;  // arm of each role
    std::vector<std::uint32_t> joint_;
    std::vector<double> reward_;
    std::vector<std::uint32_t> legal_;
};

}  // namespace zermelo::gdl
