// The search for forced wins and losses several stages ahead: proof numbers on the tree's own nodes.
//
// A question is whether a role is sure of so much (Allis 1994): a win where it looks good, more than a loss where it
// does not. The position with the fewest left to show is looked at next, without a single random game; what is found
// are bounds like any others. So the same node, its proofs and its moves that are closed serve both searches.
//
// Its part of the work follows what it finds: it is as large as the part of its looks that brought a node closer
// bounds.
#include <algorithm>

#include "bandit/tree.hpp"

namespace zermelo::bandit {

namespace {

constexpr std::uint32_t kInfinite = 1u << 30;
constexpr std::uint32_t kPiece = 64;   // positions that are looked at between two looks at the share
constexpr std::size_t kLongest = 400;  // of a line: longer ones go in circles
constexpr double kLeastPart = 0.05;    // of its share, however little it finds
constexpr double kGenerous = 2;        // where every other look tells anything it has all of its share
constexpr double kForgets = 1.0 / 16;  // a piece of proving counts so much of all before it

std::uint32_t sum_of(std::uint32_t a, std::uint32_t b) { return std::min(a + b, kInfinite); }

}  // namespace

// What to ask at the root; whether that is a question.
bool Tree::ask() {
    const auto& here = nodes_[root_];
    if (here.solved || here.kind != Kind::decision) return false;
    const auto role = std::uint32_t{here.chooser};
    const auto& own = bounds_[at(root_, role)];
    if (own.upper - own.lower <= kTight) return false;
    const auto middle = reward_of(own.lower) / 2 + reward_of(own.upper) / 2;
    const Bound target = mean_of(root_, role) >= middle ? own.upper - kTight : own.lower + kTight + 1;
    if (role != asker_ || target != target_) {
        asker_ = role, target_ = target;
        if (++question_ == 0) question_ = 1;
        line_.clear();
    }
    return true;
}

bool Tree::may_prove() const {
    if (params_.prove <= 0 || params_.plain || params_.literal || answered_) return false;
    const auto share = params_.prove * std::clamp(kGenerous * useful_, kLeastPart, 1.0);
    return static_cast<double>(proving_) <= share * static_cast<double>(proving_ + playing_) &&
           2 * nodes_.size() <= most_nodes_ && 2 * arms_.size() <= most_arms_;
}

Tree::Numbers Tree::numbers_of(Index node) const {
    if (node == kNone) return {1, 1};
    const auto& bounds = bounds_[at(node, asker_)];
    if (bounds.lower >= target_) return {0, kInfinite};
    if (bounds.upper < target_) return {kInfinite, 0};
    const auto& here = nodes_[node];
    if (here.solved) return {kInfinite, kInfinite};
    if (here.question == question_) return {here.proof, here.disproof};
    // Not looked at for this question: what the moves tell.
    const auto moves = here.kind == Kind::decision || here.kind == Kind::chance ? arms_count(node, here.chooser) : 1;
    return here.kind == Kind::decision && here.chooser == asker_ ? Numbers{1, moves} : Numbers{moves, 1};
}

Tree::Numbers Tree::numbers_anew(Index node) const {
    const auto& here = nodes_[node];
    const bool all = here.kind == Kind::chance;
    const bool own = here.kind == Kind::joint || (here.kind == Kind::decision && (here.chooser == asker_ || together_));
    Numbers result{own ? kInfinite : 0, own || all ? 0 : kInfinite};
    const auto add = [&](const Numbers& numbers) {
        result.proof = own ? std::min(result.proof, numbers.proof) : sum_of(result.proof, numbers.proof);
        result.disproof =
            own || all ? sum_of(result.disproof, numbers.disproof) : std::min(result.disproof, numbers.disproof);
    };
    const auto arms = arms_of(node, here.chooser);
    for (const auto& arm : arms)
        if (arm.mark != Mark::closed) add(numbers_of(arm.child));
    return result;
}

// The move whose position has the least left to show; kNone where there is none.
std::uint32_t Tree::most_proving(Index node) const {
    const auto& here = nodes_[node];
    const bool own = here.chooser == asker_ || together_;
    const auto arms = arms_of(node, here.chooser);
    std::uint32_t best = kNone;
    Numbers least{kInfinite, kInfinite};
    for (std::uint32_t i = 0; i < arms.size(); ++i) {
        if (arms[i].mark == Mark::closed) continue;
        const auto numbers = numbers_of(arms[i].child);
        if (numbers.proof == 0 || numbers.disproof == 0 || (arms[i].child != kNone && nodes_[arms[i].child].solved))
            continue;
        const bool better = here.kind == Kind::chance ? numbers.proof + numbers.disproof < least.proof + least.disproof
                            : own                     ? numbers.proof < least.proof
                                                      : numbers.disproof < least.disproof;
        if (best == kNone || better) best = i, least = numbers;
    }
    return best;
}

// Takes the numbers and bounds of the line anew, from its end to the first that does not change, where the next look
// begins. Whether any bounds got closer.
bool Tree::back_up_numbers() {
    bool told = false;
    while (!line_.empty()) {
        const auto step = line_.back();
        const bool closer = back_up_proof(step);
        told = told || closer;
        auto& here = nodes_[step.node];
        const auto before = numbers_of(step.node), now = numbers_anew(step.node);
        const bool known = here.question == question_;
        here.question = question_;
        here.proof = now.proof, here.disproof = now.disproof;
        if (known && !closer && before == numbers_of(step.node)) break;
        line_.pop_back();
    }
    if (!line_.empty()) line_.pop_back();
    return told;
}

// Looks at a few positions. Each look goes down to a move that was never made, makes it, and takes numbers and bounds
// anew on the way back.
void Tree::prove(Control& control) {
    if (asked_at_ != root_) answered_ = !ask();
    asked_at_ = root_;
    const auto begin = lane_->work();
    std::uint32_t told = 0, looks = 0;
    line_.clear();
    for (; looks < kPiece && !answered_; ++looks) {
        auto node = line_.empty() ? root_ : line_.back().child;
        bool made = false;
        while (!made) {
            const auto kind = nodes_[node].kind;
            const auto choice = kind == Kind::decision || kind == Kind::chance ? most_proving(node) : kNone;
            if (choice == kNone || line_.size() >= kLongest) break;
            auto child = child_of(node, choice);
            made = child == kNone;
            if (made) child = child_after(node, choice);
            line_.push_back({node, choice, child, kNone});
            node = child;
            nodes_[node].stamp = static_cast<std::uint32_t>(simulations_);
        }
        if (line_.size() >= kLongest || line_.empty()) answered_ = true;
        if (!made && !line_.empty() && node == line_.back().child) {
            // Roles choose at once, or nothing is open: what was proved on another way counts, and no more is to be
            // found here.
            refresh(node);
            auto& here = nodes_[node];
            here.question = question_, here.proof = here.disproof = kInfinite;
        }
        told += back_up_numbers();
        const auto numbers = numbers_of(root_);
        if (numbers.proof == 0 || numbers.disproof == 0 ||
            (numbers.proof >= kInfinite && numbers.disproof >= kInfinite))
            answered_ = !ask() || numbers_of(root_) == numbers;
        control.tick();
    }
    if (looks > 0) useful_ += kForgets * (static_cast<double>(told) / looks - useful_);
    proving_ += lane_->work() - begin;
}

}  // namespace zermelo::bandit
