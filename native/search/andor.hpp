// AND/OR search with memory: a position is labelled true if the first role can get at least v.
//
// Where the first role moves it is the OR of its children, where the second moves the AND, and, as in the
// short-circuit evaluation of the textbook's `result && AndOr(child)`, the first child that decides ends the
// search. Depth first, moves in the order of the rules, all of them; labels are kept in a table, so that every
// position is labelled once as long as the table holds it: O(positions * moves) time for one threshold.
// Needs an acyclic game; a cyclic one goes through Deepening.
//
//     AndOr<G> engine(game, params);
//     Outcome outcome = engine.solve(game.start(), control);
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/threshold.hpp"
#include "zermelo/control.hpp"
#include "zermelo/game.hpp"
#include "zermelo/search.hpp"
#include "zermelo/table.hpp"

namespace zermelo {

// The label of a position for every threshold at once: true up to lower, false above upper.
struct TruthLabel {
    std::int32_t lower = 1, upper = 0;  // lower > upper marks an empty slot
    std::uint32_t work = 0;
    bool empty() const { return lower > upper; }
    std::uint32_t weight() const { return work; }
};

template <class G>
class AndOr {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;

    AndOr(const G& game, const SearchParams& params) : game_(game), params_(params), table_(params.table_bytes) {}

    Outcome solve(const State& root, Control& control) { return solve_by_thresholds(game_, *this, root, control); }

    bool at_least(const State& state, Score bound, Control& control) {
        last_bound_ = bound_ = next_score(game_, bound);
        const auto known = label(state);
        return (known == Answer::open ? ask(state, bound_, kNoBudget, control) : known) == Answer::yes;
    }
    Move hint(const State& state) { return proving_move(game_, state, last_bound_, params_.symmetry, table_); }

    Answer ask(const State& root, Score bound, std::uint64_t budget, Control& control) {
        bound_ = bound;
        nodes_ = 0;
        frames_.clear();
        moves_.clear();
        open(root);
        while (true) {
            Frame& top = frames_.back();
            if (top.next == moves_.size()) {
                // Every child went against the mover.
                if (const auto answer = unwind(top.turn == 0 ? Answer::no : Answer::yes); answer != Answer::open)
                    return answer;
                continue;
            }
            control.tick();
            if (++nodes_ >= budget) return Answer::open;
            const auto child = game_.play(top.state, moves_[top.next++]);
            const auto known = label(child);
            if (known == Answer::open) open(child);
            else if ((known == Answer::yes) == (top.turn == 0)) {
                if (const auto answer = unwind(known); answer != Answer::open) return answer;
            }
        }
    }
    Move decisive() const { return decisive_; }
    std::uint64_t table_bytes() const { return table_.bytes(); }

private:
    struct Frame {
        State state;
        std::size_t moves_begin, next;
        std::uint64_t nodes_before;
        int turn;
    };

    void open(const State& state) {
        frames_.push_back({state, moves_.size(), moves_.size(), nodes_, game_.turn(state)});
        game_.moves(state, moves_);
    }

    Answer label(const State& state) {
        if (const auto end = game_.ending(state); end.over) return end.score >= bound_ ? Answer::yes : Answer::no;
        if (bound_ <= game_.worst() || bound_ > game_.best()) return bound_ <= game_.worst() ? Answer::yes : Answer::no;
        const auto* known = table_.find(canonical(game_, state, params_.symmetry));
        if (known && known->lower >= bound_) return Answer::yes;
        if (known && known->upper < bound_) return Answer::no;
        return Answer::open;
    }

    // Labels the top position, and the ones below it as long as the label decides them. Says the label once the
    // root has it.
    Answer unwind(Answer answer) {
        while (true) {
            const Frame frame = frames_.back();
            decisive_ = frame.next > frame.moves_begin ? moves_[frame.next - 1] : kNoMove;
            remember(frame, answer);
            frames_.pop_back();
            moves_.resize(frame.moves_begin);
            if (frames_.empty()) return answer;
            if ((answer == Answer::yes) != (frames_.back().turn == 0)) return Answer::open;
        }
    }

    void remember(const Frame& frame, Answer answer) {
        auto& known = table_.claim(canonical(game_, frame.state, params_.symmetry));
        if (known.empty())
            known.lower = static_cast<std::int32_t>(game_.worst()),
            known.upper = static_cast<std::int32_t>(game_.best());
        const auto bound = static_cast<std::int32_t>(bound_);
        if (answer == Answer::yes) known.lower = std::max(known.lower, bound);
        else known.upper = std::min(known.upper, bound - static_cast<std::int32_t>(score_step(game_)));
        known.work = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(known.work + (nodes_ - frame.nodes_before), 0xffffffffu));
    }

    const G& game_;
    SearchParams params_;
    Table<State, TruthLabel> table_;
    std::vector<Frame> frames_;
    std::vector<Move> moves_;
    Score bound_ = 0, last_bound_ = 0;
    std::uint64_t nodes_ = 0;
    Move decisive_ = kNoMove;
};

}  // namespace zermelo
