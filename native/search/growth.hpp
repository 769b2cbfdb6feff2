// A graph that grows where a question is decided: the positions of a game that are found one by one.
//
// Whoever knows the rules (a class in Python, a ground game) asks which position to expand next, and says where its
// moves lead. Of four positions three are chosen by proof numbers (Allis 1994; depth first with thresholds: Nagai 2002)
// for the question "does the first role get a score that counts as yes?", and one in the order in which they were met,
// so that a small game is known as a whole in the end whatever the question.
//
// Positions may repeat. Numbers only say where to look next: a zero is derived from zeros alone, so a question counts
// as answered only by a finite tree of moves, which is a proof with cycles too. What cannot be proved so, a draw by
// endless play, is for the labels of the part (labels.hpp): with all open positions taken for the worst (best) there
// is, its value is a lower (upper) bound of the game's.
//
// Numbers are kept for two questions, asked in turn. Where all children count the largest number counts, plus one for
// each further open child, as in pns.hpp.
//
//     Growth growth(2);                                    // two roles
//     growth.add(Growth::kNoScore);                        // the start is open
//     growth.ask(0, {false, true});                        // score 0 counts as no, score 1 as yes
//     for (auto node = growth.next(); node != Growth::kNone; node = growth.next())
//         growth.expand(node, turn_of(node), children_of(node));   // after add() for each that is new
//     growth.answer(0);
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "search/graph/graph.hpp"
#include "search/threshold.hpp"

namespace zermelo {

class Growth {
public:
    static constexpr std::uint32_t kNone = 0xffffffffu, kNoScore = kNone;
    static constexpr std::uint8_t kOpen = 253;

    explicit Growth(std::uint8_t roles) : roles_(roles) {}

    // A new node, open or an end with the score of that number; nodes count from 0, the start.
    std::uint32_t add(std::uint32_t score);
    // The row of an open node, with the role to move.
    void expand(std::uint32_t node, std::uint8_t turn, std::span<const std::uint32_t> targets);
    // The node to expand next; kNone when there is none, or when the question under way is answered. `widely`: in the
    // order in which they were met.
    std::uint32_t next(bool widely = false);

    // Goes on with one of two questions; `yes` tells which scores count, by number.
    void ask(std::uint32_t question, std::vector<bool> yes);
    // A score that has become known: how it counts in both questions.
    void add_score(bool first, bool second);
    Answer answer(std::uint32_t question) const;
    bool answered() const { return asked_ && answer(question_) != Answer::open; }

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(turn_.size()); }
    std::uint32_t expanded() const { return expanded_; }
    std::uint32_t open() const { return open_; }
    std::uint8_t roles() const { return roles_; }
    // What a node and an edge take here, and in the part that is labelled.
    static constexpr std::int64_t kNodeBytes = 96, kEdgeBytes = 12;

    // The graph with all open nodes for ends of the rank `open`; `rank` is that of each score by number.
    GraphData part(std::span<const std::int32_t> rank, std::int32_t open, std::int32_t endless) const;
    const std::vector<std::uint8_t>& turns() const { return turn_; }
    const std::vector<std::uint32_t>& scores() const { return score_; }

private:
    using Numbers = std::array<std::uint32_t, 2>;  // by role: the first wants the first small
    struct Frame {
        std::uint32_t node;
        Numbers limit;
    };
    struct Look {
        Numbers numbers;
        std::uint32_t best = kNone;                    // the child to go on with
        std::uint32_t second = kInfinite, others = 0;  // the next best number of the mover, and how many are open
    };
    static constexpr std::uint32_t kInfinite = 1u << 30, kStuck = 1u << 28;
    static constexpr int kMostSteps = 20'000, kMostStuck = 32, kWidely = 4;

    std::span<const std::uint32_t> row(std::uint32_t node) const {
        return std::span(target_).subspan(first_[node], count_[node]);
    }
    Numbers fresh(std::uint32_t question, std::uint32_t node) const;
    Look look(std::uint32_t question, std::uint32_t node) const;
    void push(std::uint32_t node, const Numbers& limit);
    void pop();
    std::uint32_t by_proof();

    std::uint8_t roles_;
    std::vector<std::uint8_t> turn_, on_path_;
    std::vector<std::uint32_t> score_, count_, target_, order_;  // order_: of expansion
    std::vector<std::uint64_t> first_;
    std::array<std::vector<Numbers>, 2> numbers_;
    std::array<std::vector<bool>, 2> yes_;
    std::vector<Frame> path_;
    std::uint32_t expanded_ = 0, open_ = 0, breadth_ = 0, question_ = 0, picks_ = 0;
    bool asked_ = false;
};

}  // namespace zermelo
