// A tree of bandits with proofs: MAC-UCB and its relatives on any lane; without them, where that is asked for: UCT.
//
// A node is a position, found again by its words however it was reached. Whoever has a choice there has a bandit
// (UCB1: Auer, Cesa-Bianchi and Fischer 2002); roles that choose at once each have their own (decoupled UCT), unless
// all goals agree: then the arms are joint moves. Where these are too many for a list, those that were tried are the
// arms, and their number grows with the root of the visits (progressive widening: Couetoux et al. 2011). Chance is
// drawn, evenly.
//
// Solving comes before sampling. When a position enters the tree its one-stage problem is solved: every joint move is
// played, successors that end the game get their exact value and those known already are linked. Each node keeps proved
// bounds on what every player gets (score bounds: Cazenave and Saffidine 2010), from endings upwards:
//  - one player, or several with one goal: the best move;
//  - two players: each one's maximin; where both choose at once, the pure maximin below and the pure minimax above,
//    between which the value of the matrix lies;
//  - more: max^n. A mover's bounds are those of its best move; the others' span all moves that may be its best;
//    where several choose at once each is sure of its pure maximin, and nothing more is known;
//  - chance: the average, rounded outwards.
// Where joint moves are too many to be played one by one, and the network of a round is there, its one-stage problem is
// solved by MAC (bandit/solving/stage.hpp). What that proves, of the ends that one round can reach:
//  - several with one goal: the joint move that is best among those that end the game proves the lower bound. The
//    upper bound is what the best joint move brings if play that goes on counts as a win: the same where nothing that
//    goes on could be better;
//  - roles against each other: one joint move proves nothing, since the others need not play it. A role is sure of a
//    goal by a move of its own if no joint move with it, and no way to go on, brings less: a refutation, move by move.
//    From above, two players: the least over the other's moves of what the best answer can bring; more: what no joint
//    move exceeds.
// A limit on the work of a stage leaves out what is not proved by then. Where joint moves have no list and one goal is
// shared, a joint move that led to a position of proved value proves as much of the node.
//
// The lower bound in hand is the threshold of the player who decides: moves that cannot beat it are closed. What is in
// hand is an arm of known value; where it looks best it is what the simulation brings, while the simulation itself goes
// on to an open move, where there is more to prove. No proof rests on a hash: positions are compared whole.
//
// Memory is bounded: when it is used up, the half of the nodes that was visited least recently is forgotten.
//
//     Tree tree(std::make_unique<gdl::GdlLane>(rules), start, params, /*bytes*/ 1 << 28, /*seed*/ 1);
//     tree.run(10'000, /*seconds*/ 0, control);
//     Verdict verdict = tree.verdict(role);
//     tree.place(position);                       // keeps what is known if the position has been met
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "bandit/bandit.hpp"
#include "bandit/lane.hpp"
#include "bandit/solving/stage.hpp"
#include "bandit/turn/turn.hpp"
#include "zermelo/control.hpp"
#include "zermelo/random.hpp"

namespace zermelo::bandit {

// A proved bound: a goal times 2^32.
using Bound = std::int64_t;
inline constexpr Bound kUnit = Bound{1} << 32;
inline constexpr Bound kTight = Bound{1} << 16;  // bounds this close are equal: averages are rounded outwards

struct Params {
    double exploration = 0.7;
    double share = 0.9;      // the most of all work that solving may take; the rest is playouts
    bool look_ahead = true;  // solve the one-stage problem of a new position; else see an end when it is reached
    std::uint32_t most_ahead = 1024;  // joint moves of a one-stage problem that are played one by one; beyond: MAC
    std::uint32_t max_steps = 1000;   // of a playout
    // A turn with chance in it that has no more positions than this is solved as a graph (bandit/turn/turn.hpp). 0:
    // none is.
    std::uint32_t turn = 0;
    // Statistics of moves wherever they were played (AMAF) guide the choice, taken from the closest node above with at
    // least so many simulations: GRAVE (Cazenave 2015). 0: none.
    std::uint32_t grave = 0;
    std::uint32_t choices = 8;  // only where a player has so many, on average: of a few moves each is soon known itself
    // Playouts prefer moves that were good wherever they were played: MAST (Finnsson and Bjornsson 2008), by Gibbs
    // sampling at this temperature. 0: all moves alike, as where leaves are valued in batches.
    double mast = 0;
    // Plain decoupled UCT (Finnsson and Bjornsson 2008): nothing is proved, every role chooses for itself whatever the
    // goals are, confidence bounds are as wide as rewards may be, and the move visited most is played.
    bool plain = false;
    // As Koriche et al. (2016) print it: a bandit at one level at a time, everything below at random, and one threshold
    // for all players.
    bool literal = false;
    std::uint32_t samples = 10'000;  // of a level
    // Where the lane has learnt values: how much of a leaf's reward is its value, the rest is random games; and the
    // weight of priors from the values of successors (PUCT: Rosin 2011, Silver et al. 2017). 0: none.
    double trust = 1, prior = 1;
    // The most of all work that the search for forced wins and losses may take (solving/prover.cpp).
    double prove = 0;
    // Roles that choose at once play by regret matching, and what they played on average (solving/at_once.cpp); else
    // each by UCB1, and the best move.
    bool regret = false;
    enum class Leaves : std::uint8_t { single, batches, whichever_pays } leaves = Leaves::whichever_pays;
};

// What is known of a move at the root.
struct Option {
    std::uint32_t move;
    std::uint32_t visits;
    double mean;         // of the role's reward
    Bound lower, upper;  // of its goal
};

struct Verdict {
    std::uint32_t move;
    double value;  // the expected reward
    bool proved;
};

// One-stage problems that were solved by MAC.
struct StageCounts {
    std::uint64_t asked;      // positions
    std::uint64_t told;       // of those, where bounds got closer
    std::uint64_t solutions;  // joint moves found
};

class Tree {
public:
    // Without the rules of a stage no one-stage problem is solved by MAC.
    Tree(std::unique_ptr<Lane> lane, std::span<const std::uint64_t> root, const Params& params, std::uint64_t bytes,
         std::uint64_t seed, std::shared_ptr<const StageRules> stage = {});

    // Adds simulations until there are enough, the root is decided or the control stops them; how many there were. The
    // control's clock is looked at often; a batch is not begun where one would not end within the seconds (0: no
    // clock). `each` is called after every batch and every simulation that is made alone, with how many there were.
    using Each = std::function<void(std::uint64_t done)>;
    std::uint64_t run(std::uint64_t simulations, double seconds, Control& control, const Each& each = {});
    // The root becomes this position.
    void place(std::span<const std::uint64_t> state);

    // Nothing at the root is left to find out: its value is proved, or one move is proved to be best.
    bool decided() const;
    std::vector<Option> options(std::uint32_t role) const;
    Verdict verdict(std::uint32_t role) const;
    // The strategy of a role at the root: how much each of its options was played on average where roles choose at
    // once, and else how often it was visited; sums to 1.
    std::vector<double> strategy(std::uint32_t role) const;
    Bound lower(std::uint32_t role) const { return bounds_[at(root_, role)].lower; }
    Bound upper(std::uint32_t role) const { return bounds_[at(root_, role)].upper; }
    std::span<const std::uint64_t> root() const { return state_of(root_); }
    std::size_t nodes() const { return nodes_.size(); }
    // Of the root.
    std::uint32_t visits() const { return nodes_[root_].visits; }
    // What the simulations brought a role on average.
    double mean(std::uint32_t role) const { return mean_of(root_, role); }
    // Whether the root's options tell all that the verdict rests on: not where a move is part of a joint one, is drawn,
    // or was found by solving a turn.
    bool moves_stand_alone(std::uint32_t role) const {
        return nodes_[root_].kind != Kind::joint && sure_arm(root_, role) == kNone && !params_.literal &&
               !turn_solved_ && !by_regret(root_);
    }
    // What a move is worth at least, by and large.
    template <class Move>
    double secure(const Move& move, std::uint32_t role) const;
    double reward_of(Bound bound) const { return static_cast<double>(bound) / (static_cast<double>(kUnit) * scale_); }
    bool plain() const { return params_.plain; }
    bool in_batches() const { return batches_; }
    bool cooperative() const { return together_; }
    double solving_share() const;
    // The part of all work that went into the search for forced wins and losses.
    double proving_share() const {
        const auto all = static_cast<double>(proving_ + solving_ + playing_);
        return all > 0 ? static_cast<double>(proving_) / all : 0;
    }
    // How far AMAF was found to be off, at the root.
    double amaf_error() const { return std::sqrt(amaf_bias_) / 2; }
    std::uint64_t forgotten() const { return forgotten_; }
    // Turns beyond those of the root that were solved.
    std::uint64_t turns() const { return turn_ ? turn_->turns() : 0; }
    StageCounts stages() const { return {stages_asked_, stages_told_, stage_ ? stage_->solutions() : 0}; }

private:
    using Index = std::uint32_t;
    static constexpr Index kNone = 0xffffffffu;

    enum class Kind : std::uint8_t {
        over,      // the game ends here, or somebody cannot move
        decision,  // one player has a choice
        chance,    // only chance has
        several,   // several roles have: each its own bandit
        joint,     // several have, and one goal: arms are joint moves of the players
    };
    static constexpr std::uint32_t kMostLeaves = 64;  // of a batch
    enum class Mark : std::uint8_t { open, known, closed };

    struct Node {
        std::uint32_t first_arm;
        std::uint32_t first_edge;  // of several and joint: a child for every joint move, chance last; kNone: too many
        std::uint32_t visits;
        std::uint32_t observed;  // visits whose reward is known
        std::uint32_t stamp;     // when it was visited last
        std::uint16_t version;   // of its bounds
        std::uint16_t distance;  // to the end by best play, where proved
        std::uint8_t chooser;    // of a decision
        Kind kind;
        bool solved_ahead;           // its one-stage problem
        bool solved;                 // the bounds of all players meet
        bool shared;                 // an end that many positions share: it has no position of its own
        bool primed = false;         // its arms have priors
        std::uint16_t question = 0;  // that its numbers are about
        std::uint32_t proof = 1, disproof = 1;
    };
    struct Arm {
        std::uint32_t move;
        std::uint32_t visits;
        std::uint32_t observed;  // of those, where it is not the child's
        Index child;             // of decisions and chance
        float mean;
        std::uint16_t version;  // of the child's bounds when they were used last
        Mark mark;
        float prior = 0;  // how likely it is to be chosen, by learnt values
    };
    struct Edge {
        Index child;
        std::uint16_t version;
    };
    struct Step {
        Index node;
        std::uint32_t
            choice;  // arm of a decision or of chance; elsewhere index of the joint move, or where it stands in picked_
        Index child;
        Index in_hand;  // the child whose known value the mover prefers to the simulation's, or kNone
    };
    struct Path {
        std::size_t first, last;
        Index leaf;
    };
    struct Played {
        std::uint32_t move, role;
    };
    // What was found at a node whose joint moves have no list: for each role an arm, and the goal that it is sure to
    // bring; a joint move where one goal is shared.
    struct Sure {
        std::vector<std::uint32_t> arm;  // kNone: none
        std::vector<Bound> lower;
        Index ending;  // of known value, that the joint move leads to, or kNone
    };
    // A joint move that was tried at a node whose joint moves have no list.
    struct Tried {
        std::vector<std::uint32_t> arm;  // of each role
        Index child;
    };
    // Where roles choose at once: for each arm of the node, what having played it always would have gained, and how
    // much it was played.
    struct Regrets {
        std::vector<float> regret, played;
    };
    // Of the rewards of random games.
    struct Spread {
        double weight, sum, square;
    };
    struct Tally {
        std::uint32_t count = 0;
        float sum = 0;
    };

    std::size_t at(Index node, std::uint32_t role) const { return std::size_t{node} * roles_ + role; }
    std::span<const std::uint64_t> state_of(Index node) const {
        return std::span(states_).subspan(std::size_t{node} * words_, words_);
    }
    std::uint32_t arms_begin(Index node, std::uint32_t role) const {
        return role ? role_end_[at(node, role - 1)] : nodes_[node].first_arm;
    }
    std::uint32_t arms_count(Index node, std::uint32_t role) const {
        return role_end_[at(node, role)] - arms_begin(node, role);
    }
    std::span<Arm> arms_of(Index node, std::uint32_t role) {
        return std::span(arms_).subspan(arms_begin(node, role), arms_count(node, role));
    }
    std::span<const Arm> arms_of(Index node, std::uint32_t role) const {
        return std::span(arms_).subspan(arms_begin(node, role), arms_count(node, role));
    }
    bool is_player(std::uint32_t role) const { return role != chance_; }
    Bounds bounds_of(Index child, std::uint32_t role) const {
        return child == kNone ? widest_[role] : bounds_[at(child, role)];
    }

    // --- positions ---
    void reserve(std::uint64_t bytes);
    void clear();
    std::uint64_t hash(std::span<const std::uint64_t> state) const;
    std::size_t slot(std::span<const std::uint64_t> state) const;
    Index here();
    Index make_node();
    Index make_ending();
    Index add_node(Kind kind);
    void place_arms(Index node);
    bool has_room() const;
    void forget();

    // --- joint moves ---
    std::uint32_t player_joints(Index node) const;
    std::uint32_t all_joints(Index node) const;
    // Whether joint moves have an index. Where they are too many, a joint move is the arm of each role, in picked_.
    bool numbered(Index node) const {
        return nodes_[node].kind == Kind::decision || nodes_[node].kind == Kind::chance ||
               nodes_[node].first_edge != kNone;
    }
    void read_joint(Index node, std::uint32_t index);
    Index& child_of(Index node, std::uint32_t index);
    Index child_after(Index node, std::uint32_t index);

    // --- one simulation ---
    struct Leaf {
        Index node;
        bool exact;  // its value is known
    };
    template <class Value>
    std::uint32_t best_open(std::span<const Arm> arms, Index* in_hand, Value&& value);
    std::uint32_t choose(std::span<Arm> arms, std::uint32_t role, std::uint32_t visits, Index* in_hand);
    std::uint32_t choose_by_all(std::span<Arm> arms, std::uint32_t role, std::uint32_t visits, Index* in_hand);
    std::uint32_t choose_literally(Index node, std::uint32_t role, std::span<Arm> arms, std::uint32_t visits);
    std::uint32_t pick(Index node, std::uint32_t role, std::span<Arm> arms, std::uint32_t visits, Index* in_hand);
    double index_of(const Arm& arm, std::uint32_t visits) const;
    std::uint32_t choose_by_priors(std::span<Arm> arms, std::uint32_t role, std::uint32_t visits, Index* in_hand);
    void prime(Index node);
    bool has_priors(Index node) const { return valued_ && params_.prior > 0 && nodes_[node].kind == Kind::decision; }
    void mix_in_value(Index node, std::span<double> reward);
    std::uint32_t draw(Index node, std::uint32_t count);
    std::uint32_t choose_step(Index node, Index& in_hand);
    std::uint32_t choose_for_each(Index node);
    const Tried* tried_again(Index node) const;
    void note_tried(Index node, std::uint32_t choice, Index child);
    Leaf descend();
    void simulate();
    std::uint64_t simulate_batch(double seconds, Control& control);
    void count_visits(const Path& path, std::uint32_t visits);
    void add_rewards(const Path& path, std::uint32_t visits, std::span<const double> reward);
    void count_in_arms(const Step& step, std::uint32_t visits);
    void add_to_arms(const Step& step, std::uint32_t visits, std::span<const double> reward);
    template <class Use>
    void each_arm(const Step& step, Use&& use);
    double mean_of(Index node, std::uint32_t role) const {
        return nodes_[node].observed ? sums_[at(node, role)] / nodes_[node].observed : 0.5;
    }
    // Twice the standard deviation of the role's rewards: 1 where it wins and loses by turns.
    double spread(std::uint32_t role) const { return params_.plain ? 1 : spreads_[role]; }
    void fade_spreads();
    void add_to_spread(std::uint32_t role, double games, double mean, double square);
    void exact_rewards(Index node, std::span<double> reward) const;
    std::uint32_t leaves_now() const;
    void next_level(std::span<const double> reward, std::uint32_t visits);

    // --- statistics of moves wherever they are played ---
    bool traces() const { return params_.grave != 0 || params_.mast > 0; }
    void trace_path(const Path& path);
    void traced_playout();
    std::uint32_t preferred(std::uint32_t role, std::uint32_t count);
    void learn(const Path& path, std::span<const double> reward);
    void learn_batch(std::uint32_t playouts);
    std::size_t tallies_of(Index node);
    void measure_bias();

    // --- roles that choose at once ---
    bool by_regret(Index node) const;
    Regrets& regrets_of(Index node);
    void mix_of(Index node, std::uint32_t role, const Regrets& all);
    std::uint32_t choose_by_regret(Index node);
    void add_regrets(const Step& step, std::uint32_t visits);
    std::uint32_t saddle_arm(std::uint32_t role) const;
    std::uint32_t drawn_arm(std::uint32_t role) const;

    // --- the search for forced wins and losses ---
    struct Numbers {
        std::uint32_t proof, disproof;
        bool operator==(const Numbers&) const = default;
    };
    bool ask();
    bool may_prove() const;
    void prove(Control& control);
    Numbers numbers_of(Index node) const;
    Numbers numbers_anew(Index node) const;
    std::uint32_t most_proving(Index node) const;
    bool back_up_numbers();
    // --- turns ---
    bool in_turn(double seconds, Control& control);
    std::uint64_t run_turn(std::uint64_t simulations, double seconds, Control& control, const Each& each);

    // --- proofs ---
    bool may_solve_ahead(Index node) const;
    bool crowded(Index node) const;
    void solve_ahead(Index node);
    void solve_stage(Index node);
    bool stage_of_one(Index node, Control& limit);
    bool stage_together(Index node, Control& limit);
    bool stage_at_once(Index node, Control& limit);
    Bounds stage_bounds(Index node, std::uint32_t role, Sure& sure, Control& limit);
    std::uint32_t arm_of(Index node, std::uint32_t role, std::uint32_t move) const;
    std::uint32_t sure_arm(Index node, std::uint32_t role) const;
    Index sure_ending(Index node) const;
    void keep_only(Index node, const Sure& sure);
    void prove_by_path(const Step& step);
    void back_up_proofs(const Path& path);
    bool back_up_proof(const Step& step);
    bool refresh(Index node);
    bool keep(Index node);
    void bound_decision(Index node);
    void bound_several(Index node);
    void bound_mover(Index node, std::uint32_t mover, std::uint32_t moves);
    void bound_at_once(Index node, std::uint32_t joints);
    void mark_arms(Index node);
    std::uint16_t distance_of(Index node) const;

    std::unique_ptr<Lane> lane_;
    std::unique_ptr<Stage> stage_;  // where there is one
    std::unique_ptr<TurnSolver> turn_;
    bool turn_tried_ = false, turn_solved_ = false;  // that of the root
    Params params_;
    Random random_;
    RootLog root_log_;
    std::uint32_t roles_, chance_, players_ = 0;
    std::size_t words_;
    double scale_;
    bool together_;  // one goal: one joint policy
    bool batches_ = false;
    bool valued_;  // there are learnt values
    Index root_ = 0;

    std::vector<Node> nodes_;
    std::vector<std::uint64_t> states_;
    std::vector<std::uint32_t> role_end_;  // where each role's arms end
    std::vector<double> sums_;             // of rewards
    std::vector<Bounds> bounds_;
    std::vector<Arm> arms_;
    std::vector<Edge> edges_;
    std::vector<Index> table_;                                       // open addressing by position
    std::unordered_map<std::uint64_t, std::vector<Index>> endings_;  // by a hash of their goals
    std::unordered_map<Index, Sure> sure_;
    std::unordered_map<Index, std::vector<Tried>> tried_;
    std::unordered_map<Index, Regrets> regrets_;
    double draw_ = 0;  // which move of a mixed strategy is played at the root
    std::uint64_t stages_asked_ = 0, stages_told_ = 0;
    std::chrono::steady_clock::time_point deadline_;
    bool timed_ = false;
    std::size_t most_nodes_ = 0, most_arms_ = 0, most_edges_ = 0, most_tallies_ = 0;
    std::vector<Bounds> widest_;

    std::size_t arms_a_node_ = 1;
    std::uint64_t simulations_ = 0, single_until_ = 0, pause_ = 0, forgotten_ = 0;
    std::uint64_t solving_ = 0, playing_ = 0, batch_work_ = 0;  // work
    std::uint64_t proving_ = 0;
    double useful_ = 0.1;            // how often, of late, a look of the prover told anything
    std::uint32_t asker_ = kNobody;  // who asks whether it gets `target_`
    Bound target_ = 0;
    std::uint16_t question_ = 0;
    bool answered_ = false;  // or hopeless
    Index asked_at_ = kNone;
    std::vector<Step> line_;  // of the prover
    double found_ = 0.05;     // how often, of late, solving ahead told anything
    double batch_seconds_ = 0, forget_seconds_ = 0, descent_work_ = 0;
    std::vector<Spread> moments_;  // for each role
    std::vector<double> spreads_;

    std::uint32_t element_ = 0;                         // turns moves at the root into moves of the position
    std::unordered_map<Index, std::uint32_t> tallied_;  // which nodes have tallies, and where
    std::vector<Tally> tallies_;                        // for each of those, one for each move
    std::vector<Tally> overall_;                        // of each move
    std::vector<double> weight_;                        // in playouts
    double amaf_bias_ = 0.01;                           // four times the square of what AMAF is off by
    std::size_t reference_ = kNowhere;                  // whose tallies guide the descent
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    std::size_t depth_ = 0, level_ = 0;  // of the descent; of the bandit that samples, where it is but one
    std::uint32_t level_visits_ = 0;
    bool below_level_ = false;
    double threshold_ = 0;  // of all players
    std::vector<double> level_sums_;

    // Reused by every simulation.
    std::vector<Step> path_;
    std::vector<std::uint32_t> picked_;  // arms of joint moves that have no index, role after role
    std::vector<Path> leaves_;
    std::vector<std::uint64_t> leaf_states_;
    std::vector<double> leaf_rewards_, leaf_squares_, reward_, worth_;
    std::vector<std::uint32_t> joint_, legal_;
    std::vector<std::int32_t> goals_;
    std::vector<Bounds> averages_, fresh_, lines_;
    std::vector<std::uint64_t> position_, form_;
    std::vector<Played> trace_;
    std::vector<std::size_t> trace_at_;                         // where the moves after each step of the path begin
    std::vector<MoveTally> played_out_;                         // what was played in the playouts of a batch
    std::vector<std::size_t> leaf_tallies_, leaf_tallies_end_;  // those that each leaf's playouts count in
    std::vector<std::uint32_t> met_;                            // by move: in which count it was met last
    std::uint32_t counts_ = 0;
    std::vector<double> scores_, mixes_, gains_;
    std::vector<std::size_t> places_;
};

// The secure child (Chaslot et al. 2008). The move visited most is the same after many simulations; after one or two
// batches all have been visited about as often.
template <class Move>
double Tree::secure(const Move& move, std::uint32_t role) const {
    return move.visits == 0 ? -INFINITY : move.mean - 2 * spread(role) / std::sqrt(static_cast<double>(move.visits));
}

// The open arm of the highest value; one of infinite value at once. Where a known arm is better still, in_hand is its
// child. From a random place on, so that ties and untried moves are taken in no fixed order.
template <class Value>
std::uint32_t Tree::best_open(std::span<const Arm> arms, Index* in_hand, Value&& value) {
    const auto count = static_cast<std::uint32_t>(arms.size());
    const auto offset = random_.below(count);
    float best_value = -1, known_value = -1;
    std::uint32_t best = kNone, known = kNone;
    for (std::uint32_t k = 0; k < count; ++k) {
        const auto i = k + offset < count ? k + offset : k + offset - count;
        const auto& arm = arms[i];
        if (arm.mark == Mark::closed) continue;
        if (arm.mark == Mark::known) {
            if (arm.mean > known_value) known_value = arm.mean, known = i;
            continue;
        }
        const float here = value(arm);
        if (here == INFINITY) return i;
        if (here > best_value) best_value = here, best = i;
    }
    if (best == kNone) return known == kNone ? offset : known;
    if (known != kNone && known_value >= best_value && in_hand != nullptr) *in_hand = arms[known].child;
    return best;
}

}  // namespace zermelo::bandit
