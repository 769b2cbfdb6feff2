// Traces a conflict back to a clause that every winning strategy of exists satisfies.
//
// All that holds on the trail follows from rows and clauses and from the decisions before it. The premises of the
// conflict are resolved with their reasons, latest first, until one premise is left of the latest level and it is
// exists' (the first unique implication point, Marques-Silva and Sakallah, "GRASP", 1999). A universal decision that the
// conflict rests on is dropped: forall would take it again. That is universal reduction, and it needs that no existential
// premise lies after the universal variable; those that do were not decided (decisions follow the blocks), so they are
// resolved away first. The same holds where a row counted an open universal variable at its worst. A variable that
// forall's own rows bind is dropped only in exchange for his earlier variables on which its legality rests.
#pragma once

#include <cstdint>
#include <vector>

#include "qip/learn_state.hpp"

namespace zermelo::qip::learning {

// One step of a derivation, in the order of the trail from the conflict upwards.
struct Hint {
    enum class Kind : std::uint8_t { row, clause, reduce } kind;
    Index number;        // of a row or a variable; of a clause its place among the clauses
    std::int64_t value;  // what forall set
};

struct Learned {
    std::vector<Literal> literals;  // the first one is asserted, the second is of the latest level of the others
    bool objective = false;
    Index level = 0;  // on which the first one's negation was set; 0 where there is none: exists has lost
    std::vector<Hint> hints;
    std::vector<Index> seen;  // variables that had a part in it
};

class Analysis {
public:
    Analysis(const State& state, std::vector<Index> component) : state_(state), component_(std::move(component)) {}

    // `universal_level[l]` says whether forall decided on level l.
    const Learned& analyse(const Conflict& conflict, const std::vector<std::uint8_t>& universal_level);

private:
    struct Premise {
        Literal literal;
        std::int64_t size, gain;  // |coefficient|; what it adds to the least sum
        Index entry;
    };
    struct Open {
        Index variable;
        std::int64_t gain;
    };
    void explain(const Reason& reason, const Literal* implied, Index before);
    void explain_row(Index row, const Literal* implied, Index before);
    void explain_clause(Index clause, const Literal* implied);
    void weaken(std::int64_t surplus);
    bool explanation_reaches(Index level) const;
    void take(Index limit);
    void add(const Literal& literal, Index limit);
    void resolve(Index entry);
    void pass(Index entry);
    void collect(Index first);

    const State& state_;
    std::vector<Index> component_;  // of universal variables: those that forall's rows connect have the same number
    std::vector<std::int64_t> need_;
    std::vector<std::uint8_t> marked_;
    std::vector<Index> limit_;
    std::vector<Index> count_;  // marked entries by level
    std::vector<Premise> premises_;
    std::vector<Open> open_;
    bool explained_objective_ = false;
    Index everywhere_ = kNone;  // all existential premises after this variable are resolved away
    Learned learned_;
};

}  // namespace zermelo::qip::learning
