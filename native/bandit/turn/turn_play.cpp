// The tree's turns: where the rest of a turn fits the clock it is solved exactly, and nothing is sampled by the tree.
#include <limits>

#include "bandit/tree.hpp"

namespace zermelo::bandit {

namespace {

constexpr double kGrowingShare = 0.4;  // of the clock; what does not fit into it is left to the tree

}  // namespace

// Whether the root's turn is solved by its graph. The first call for a position grows it. Only for a player who is
// alone: in games of two (pickomino, yahtzee) no gain over the tree was measured.
bool Tree::in_turn(double seconds, Control& control) {
    if (params_.turn == 0 || !(batches_ || valued_) || chance_ == kNobody || players_ > 1 || params_.plain ||
        params_.literal)
        return false;
    if (turn_tried_) return turn_solved_;
    turn_tried_ = true;
    if (nodes_[root_].kind != Kind::decision || nodes_[root_].solved) return false;
    if (!turn_) turn_ = std::make_unique<TurnSolver>(lane_->copy(), random_.next(), params_.max_steps);
    Control growing(seconds > 0 ? std::max(1e-4, kGrowingShare * (seconds - control.elapsed())) : 0);
    turn_solved_ = turn_->place(state_of(root_), params_.turn, growing);
    // Something has to be known of the leaves, however late it is.
    Control unlimited;
    if (turn_solved_ && !turn_->informed()) turn_->refine(unlimited);
    return turn_solved_;
}

std::uint64_t Tree::run_turn(std::uint64_t simulations, double seconds, Control& control, const Each& each) {
    std::uint64_t done = 0;
    double longest = 0;
    while (done < simulations && (seconds <= 0 || control.elapsed() + longest < seconds)) {
        const auto begin = control.elapsed();
        const auto more = turn_->refine(control);
        if (more == 0) break;
        longest = std::max(0.8 * longest, control.elapsed() - begin);
        done += more;
        simulations_ += more;
        if (each) each(done);
        if (!control.allows(static_cast<std::uint32_t>(more))) break;
    }
    control.publish();
    return done;
}

}  // namespace zermelo::bandit
