// A best move by B*: bounds on every move, and search only until one move is at least as good as all others can be.
//
// At the root either the move that looks best is made surer (prove-best) or its strongest rival made weaker
// (disprove-rest; Berliner, The B* Tree Search Algorithm, 1979; Yedwab 1985, section 5.2.1). Bounds are thermostatic at
// first, and most values lie near the middle of their range. Where the middle of the best is well above those of all
// rivals, a number between them is looked for: whether the best is worth that much, and every rival no more, are
// questions with two answers, each far cheaper than a value. Where the moves look alike, the best is asked how much it
// is worth, up to what the rival promises. Searches with just these windows and one table for all of them answer, and
// each answer becomes a bound. That takes fewer nodes than to open the tree best-first does, whose bounds have to be
// found anew in every node. The value itself may stay open.
//
//     BStar<T> search(context, Method::palay);
//     search.run(components, /*left_moves*/ true);
//     search.best_move();
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "cgt/sums/alphabeta.hpp"

namespace zermelo::cgt::sums {

template <class T>
class BStar {
public:
    BStar(AlphaBeta<T>& context, Method rule) : context_(context), rule_(rule) {}

    // Looks for a best move of a sum that is not over. Bounds are good whenever Stopped is thrown.
    void run(std::span<const Part> components, bool left_moves) {
        left_moves_ = left_moves;
        context_.set(components);
        context_.list(left_moves, moves_);
        context_.bounds_here(left_moves);
        context_.sort_by_gain(left_moves, moves_);
        arms_.clear();
        for (const auto move : moves_) {
            context_.play(move, left_moves);
            const Range<T> seen = context_.sum().over() ? Range<T>{T(0), T(0)} : context_.bounds_here(!left_moves);
            context_.undo(move, left_moves);
            const T& gain = context_.option(move, left_moves).gain;
            arms_.push_back(left_moves ? Arm{seen.lower + gain, seen.upper + gain}
                                       : Arm{T(0) - seen.upper - gain, T(0) - seen.lower - gain});
        }
        while (!decided()) ask(prove() ? best_ : rival_);
    }

    Range<T> range() const {
        T sure = arms_[0].sure, promise = arms_[0].promise;
        for (const Arm& arm : arms_) sure = std::max(sure, arm.sure), promise = std::max(promise, arm.promise);
        return left_moves_ ? Range<T>{sure, promise} : Range<T>{T(0) - promise, T(0) - sure};
    }
    std::uint32_t best_move() const { return moves_[best_]; }
    // The root and those of its moves that were only looked at; what was searched is counted by the context.
    std::uint64_t listed() const {
        return 1 +
               static_cast<std::uint64_t>(std::ranges::count_if(arms_, [](const Arm& arm) { return arm.effort == 0; }));
    }
    bool started() const { return !arms_.empty(); }

private:
    // What a move is sure to give the mover and what it promises him, larger being better.
    struct Arm {
        T sure, promise;
        std::uint64_t effort = 0;
        bool solved() const { return sure == promise; }
        T twice_middle() const { return sure + promise; }
    };

    // Sets the best move and its strongest rival; whether nothing is left to prove. The best is the first that may
    // still be best in the order of gains at the going rate: where many moves are nearly equal, what they promise says
    // little.
    bool decided() {
        surest_ = arms_[0].sure;
        for (const Arm& arm : arms_) surest_ = std::max(surest_, arm.sure);
        best_ = 0;
        while (arms_[best_].promise <= surest_ && arms_[best_].sure < surest_) ++best_;
        if (arms_.size() == 1) return true;
        rival_ = best_ == 0 ? 1 : 0;
        for (std::uint32_t at = 0; at < arms_.size(); ++at)
            if (at != best_ && arms_[at].promise > arms_[rival_].promise) rival_ = at;
        if (arms_[best_].sure >= arms_[rival_].promise) return true;
        part();
        return false;
    }

    // Looks for a number between the middle of the best's range and those of all rivals'.
    void part() {
        const Arm& best = arms_[best_];
        T rivals = arms_[rival_].twice_middle();
        for (std::uint32_t at = 0; at < arms_.size(); ++at)
            if (at != best_) rivals = std::max(rivals, arms_[at].twice_middle());
        const auto& forest = context_.forest();
        const T between = rounded_down<T>(halved<T>(best.twice_middle() + rivals, 2), forest.scale);
        threshold_ = std::min(std::max(between, surest_ + forest.bonus), std::min(best.promise, arms_[rival_].promise));
        apart_ = threshold_ > best.sure &&
                 halved<T>(best.twice_middle() - rivals, 1) > halved<T>(best.promise - best.sure, kFarApart);
        ahead_ = best.effort > 0 && best.sure + best.sure >= rivals;
    }

    bool prove() const {
        const Arm &best = arms_[best_], &rival = arms_[rival_];
        if (best.solved()) return false;
        if (rival.solved() || rival.sure > best.sure) return true;
        return rule_ == Method::palay ? prove_by_chance() : prove_by_effort();
    }
    // Berliner: the side of the question that has been looked into less.
    bool prove_by_effort() const {
        std::uint64_t rivals = 0;
        for (std::uint32_t at = 0; at < arms_.size(); ++at)
            if (at != best_ && arms_[at].promise > arms_[best_].sure) rivals += arms_[at].effort;
        return arms_[best_].effort <= rivals;
    }
    // Palay: as if every value were spread evenly over its range, the more probable of "the best is above all that the
    // rivals promise" and "every rival is below what the best is sure of"; with a number between them, the best until
    // it is sure of more than the middle of every rival. This only guides the search.
    bool prove_by_chance() const {
        if (apart_) return !ahead_;
        const Arm &best = arms_[best_], &rival = arms_[rival_];
        const double prove = share(best.promise - rival.promise, best.promise - best.sure);
        double disprove = 1;
        for (std::uint32_t at = 0; at < arms_.size(); ++at) {
            if (at == best_ || arms_[at].promise <= best.sure) continue;
            disprove *= arms_[at].sure >= best.sure
                            ? 0.0
                            : share(best.sure - arms_[at].sure, arms_[at].promise - arms_[at].sure);
        }
        return prove >= disprove;
    }
    static double share(const T& part, const T& whole) {
        const double of = NumberOf<T>::approximate(whole);
        return std::isfinite(of) ? NumberOf<T>::approximate(part) / of : 0.5;
    }

    void ask(std::uint32_t at) {
        Arm& arm = arms_[at];
        const T& bonus = context_.forest().bonus;
        T least = std::max(arm.sure, arms_[best_].sure),
          enough = least + bonus;  // of a rival: is it worth more than the best is sure of?
        if (at == best_) {
            enough = apart_ ? threshold_ : std::min(arm.promise, arms_[rival_].promise);
            least = apart_ ? threshold_ - bonus : std::max(arm.sure, surest_ - bonus);
        }
        const auto before = context_.nodes();
        const auto move = moves_[at];
        const T& gain = context_.option(move, left_moves_).gain;
        context_.play(move, left_moves_);
        const T found = left_moves_ ? context_.value(false, least - gain, enough - gain)
                                    : context_.value(true, T(0) - enough - gain, T(0) - least - gain);
        context_.undo(move, left_moves_);
        const T worth = left_moves_ ? found + gain : T(0) - found - gain;
        if (worth > least) arm.sure = std::max(arm.sure, worth);
        if (worth < enough) arm.promise = std::min(arm.promise, worth);
        arm.effort += context_.nodes() - before;
    }

    static constexpr unsigned kFarApart = 3;  // more than the range of the best halved so often

    AlphaBeta<T>& context_;
    Method rule_;
    bool left_moves_ = true;
    T surest_{};                          // what some move is sure to give
    T threshold_{};                       // between the best and its rivals
    bool apart_ = false, ahead_ = false;  // whether that is worth a question, and whether the best has come to be above
                                          // the middle of all rivals
    std::uint32_t best_ = 0, rival_ = 0;
    std::vector<std::uint32_t> moves_;
    std::vector<Arm> arms_;
};

}  // namespace zermelo::cgt::sums
