// Depth-first proof-number search: df-pn (Nagai 2002) with the 1+epsilon trick (Pawlewicz and Lew 2007).
//
// Of every open position it keeps an estimate of how many open leaves must be proved to prove "the first role gets
// at least v" (the proof number) and how many disproved to disprove it (Allis 1994), and always works on a leaf that
// counts for both. Finds narrow, deep wins that a search of fixed order misses; needs the memory of one table.
// A position is expanded once for every time the search comes back to it; coming back is rare where thresholds
// overshoot the second best child by the factor 1 + epsilon.
//
// Where all children count, their numbers are not added up: many lines lead to one position, and sums count it once
// for each, doubling with every level. The largest number plus one for each further open child (weak proof-number
// search: Ueda, Hashimoto, Hashimoto and Iida 2008) does not; it proves 6,6,4 in a row with half the nodes and is
// within a half of the sums, either way, on drawn boards.
// A fresh position starts with the number of its moves on the side that has to answer all of them (mobility: Saito,
// Chaslot, Uiterwijk and van den Herik 2006).
//
// Sound on DAGs: numbers only say where to look next, a proof is a proof of all (some) children, whatever the
// numbers were. Each open position keeps its children's numbers in its frame, so that a full table costs repeated
// work but neither a wrong answer nor a loop. Needs an acyclic game; a cyclic one goes through Deepening.
//
//     Pns<G> engine(game, params);
//     Outcome outcome = engine.solve(game.start(), control);
//     bool wins = engine.at_least(state, 1, control);
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "search/threshold.hpp"
#include "zermelo/control.hpp"
#include "zermelo/game.hpp"
#include "zermelo/search.hpp"
#include "zermelo/table.hpp"

namespace zermelo {

// Proof and disproof number. Indexed by role: role 0 wants the first small, role 1 the second.
using ProofNumbers = std::array<std::uint32_t, 2>;

// What is known of a position: proved bounds, which serve every threshold, and numbers for two thresholds at a time.
struct ProofEntry {
    std::int32_t lower = 1, upper = 0;  // lower > upper marks an empty slot
    std::uint32_t work = 0;
    std::array<std::int32_t, 2> bound{};
    std::array<ProofNumbers, 2> numbers{};  // {0, 0}: none
    bool empty() const { return lower > upper; }
    std::uint32_t weight() const { return work; }
    // Two questions are asked in turn; a third drives out the older of them.
    void note(std::int32_t question, const ProofNumbers& found) {
        const bool second = numbers[1][0] && bound[1] == question;
        if (!second && numbers[0][0] && bound[0] != question) bound[1] = bound[0], numbers[1] = numbers[0];
        bound[second] = question;
        numbers[second] = found;
    }
};

template <class G>
class Pns {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;

    Pns(const G& game, const SearchParams& params)
        : game_(game), params_(params), table_(params.table_bytes), growth_(1 + std::max(0.0, params.epsilon)) {}

    Outcome solve(const State& root, Control& control) { return solve_by_thresholds(game_, *this, root, control); }

    bool at_least(const State& state, Score score, Control& control) {
        const Score bound = next_score(game_, score);
        if (const auto end = game_.ending(state); end.over) return end.score >= bound;
        if (bound <= game_.worst() || bound > game_.best()) return bound <= game_.worst();
        last_bound_ = bound;
        if (const auto* known = table_.find(canonical(game_, state, params_.symmetry))) {
            if (known->lower >= bound) return true;
            if (known->upper < bound) return false;
        }
        return ask(state, bound, kNoBudget, control) == Answer::yes;
    }
    Move hint(const State& state) { return proving_move(game_, state, last_bound_, params_.symmetry, table_); }

    Answer ask(const State& root, Score bound, std::uint64_t budget, Control& control) {
        bound_ = bound;
        nodes_ = 0;
        decisive_ = kNoMove;
        frames_.clear();
        children_.clear();
        open(root, {kInfinite, kInfinite}, control);
        while (true) {
            Frame& top = frames_.back();
            const auto survey = look(top);
            const auto& n = survey.numbers;
            if (frames_.size() == 1) {
                control.report_depth(static_cast<std::int64_t>(deepest_));
                control.report_proof(bound_, n[0], n[1]);
            }
            if (n[0] >= top.limits[0] || n[1] >= top.limits[1] || nodes_ >= budget) {
                close(survey);
                if (!frames_.empty()) continue;
                return n[0] == 0 ? Answer::yes : n[1] == 0 ? Answer::no : Answer::open;
            }
            const auto mine = static_cast<std::size_t>(top.turn), theirs = 1 - mine;
            const auto& best = children_[top.children + survey.best];
            ProofNumbers limits;
            limits[mine] = std::min(top.limits[mine], beyond(survey.second));
            limits[theirs] = top.limits[theirs] == kInfinite ? kInfinite : top.limits[theirs] - survey.others;
            top.chosen = survey.best;
            open(past_forced(game_.play(top.state, best.move)), limits, control);
        }
    }
    Move decisive() const { return decisive_; }
    std::uint64_t table_bytes() const { return table_.bytes(); }

private:
    static constexpr std::uint32_t kInfinite = 0xffffffffu;  // solved; open numbers saturate below it

    struct Child {
        Move move;
        ProofNumbers numbers;
    };
    struct Frame {
        State state;
        std::size_t children;  // its own are children_[children ..] while it is on top
        std::size_t chosen;
        std::uint64_t nodes_before;
        ProofNumbers limits;
        int turn;
    };
    struct Survey {
        ProofNumbers numbers;
        std::uint32_t second;  // the mover's number of the second best child
        std::uint32_t others;  // open children besides the largest
        std::size_t best;
    };

    void open(const State& state, ProofNumbers limits, Control& control) {
        const int turn = game_.turn(state);
        frames_.push_back({state, children_.size(), 0, nodes_, limits, turn});
        deepest_ = std::max(deepest_, frames_.size());
        moves_.clear();
        search_moves(game_, state, moves_);
        for (const auto move : moves_) {
            children_.push_back({move, numbers_of(game_.play(state, move), control)});
            if (children_.back().numbers[static_cast<std::size_t>(turn)] == 0) return;  // the others no longer matter
        }
    }

    ProofNumbers numbers_of(State state, Control& control) {
        constexpr ProofNumbers yes{0, kInfinite}, no{kInfinite, 0};
        while (true) {
            control.tick();
            ++nodes_;
            if (const auto end = game_.ending(state); end.over) return end.score >= bound_ ? yes : no;
            const auto seen = seen_bounds(game_, state);
            if (seen.lower >= bound_) return yes;
            if (seen.upper < bound_) return no;
            if (!is_forced(state)) break;
            state = game_.play(state, counted_.front());
        }
        if (const auto* known = table_.find(canonical(game_, state, params_.symmetry))) {
            if (known->lower >= bound_) return yes;
            if (known->upper < bound_) return no;
            for (std::size_t i = 0; i < 2; ++i)
                if (known->numbers[i][0] && known->bound[i] == bound_) return known->numbers[i];
        }
        // One move suffices for the mover, each must be answered by the other.
        if (counted_.empty()) game_.moves(state, counted_);
        ProofNumbers fresh{1, 1};
        fresh[game_.turn(state) == 0 ? 1 : 0] =
            static_cast<std::uint32_t>(std::min<std::size_t>(counted_.size(), 1u << 20));
        return fresh;
    }

    // Narrows the moves, into counted_, and says whether that leaves a single one. Forced replies are played on at
    // once: they have the value of what follows and need no numbers of their own.
    bool is_forced(const State& state) {
        counted_.clear();
        if constexpr (HasNarrow<G>) return game_.narrow(state, counted_) && counted_.size() == 1;
        else return (void)state, false;
    }
    State past_forced(State state) {
        while (!game_.ending(state).over && is_forced(state)) state = game_.play(state, counted_.front());
        return state;
    }

    // The mover needs one child (the least of its numbers), the other role all of them.
    Survey look(const Frame& frame) const {
        const auto mine = static_cast<std::size_t>(frame.turn), theirs = 1 - mine;
        std::uint32_t least = kInfinite, second = kInfinite, largest = 0, open = 0;
        std::size_t best = 0;
        for (auto i = frame.children; i < children_.size(); ++i) {
            const auto& n = children_[i].numbers;
            if (n[mine] < least) second = least, least = n[mine], best = i - frame.children;
            else second = std::min(second, n[mine]);
            largest = std::max(largest, n[theirs]);
            open += n[theirs] != 0;
        }
        const auto others = open ? open - 1 : 0;
        Survey survey{{}, second, others, best};
        survey.numbers[mine] = least;
        survey.numbers[theirs] = largest == kInfinite ? kInfinite : std::min(largest, kInfinite - 1 - others) + others;
        return survey;
    }

    void close(const Survey& survey) {
        const Frame frame = frames_.back();
        const auto& n = survey.numbers;
        if (frames_.size() == 1 && n[static_cast<std::size_t>(frame.turn)] == 0)
            decisive_ = children_[frame.children + survey.best].move;
        frames_.pop_back();
        children_.resize(frame.children);
        if (!frames_.empty()) children_[frames_.back().children + frames_.back().chosen].numbers = n;
        ProofEntry& entry = table_.claim(canonical(game_, frame.state, params_.symmetry));
        if (entry.empty())
            entry.lower = static_cast<std::int32_t>(game_.worst()),
            entry.upper = static_cast<std::int32_t>(game_.best());
        const auto bound = static_cast<std::int32_t>(bound_);
        if (n[0] == 0) entry.lower = std::max(entry.lower, bound);
        else if (n[1] == 0) entry.upper = std::min(entry.upper, bound - static_cast<std::int32_t>(score_step(game_)));
        else entry.note(bound, n);
        entry.work = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(entry.work + (nodes_ - frame.nodes_before), 0xffffffffu));
    }

    std::uint32_t beyond(std::uint32_t second) const {
        if (second >= kInfinite - 1) return second;
        return static_cast<std::uint32_t>(std::clamp(std::ceil(second * growth_), second + 1.0, kInfinite - 1.0));
    }

    const G& game_;
    SearchParams params_;
    Table<State, ProofEntry> table_;
    double growth_;
    std::vector<Frame> frames_;
    std::vector<Child> children_;
    std::vector<Move> moves_, counted_;
    Score bound_ = 0, last_bound_ = 0;
    std::uint64_t nodes_ = 0;
    std::size_t deepest_ = 0;  // open positions on one path, at most so far
    Move decisive_ = kNoMove;
};

}  // namespace zermelo
