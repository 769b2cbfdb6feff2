// Traces a conflict back to a clause that every winning strategy of exists satisfies.
//
// All that holds on the trail follows from rows and clauses and from the decisions before it. The premises of the
// conflict are resolved with their reasons, latest first, until one premise is left of the latest level and it is
// exists' (the first unique implication point, Marques-Silva and Sakallah, "GRASP", 1999). A universal decision that
// the conflict rests on is dropped: forall would take it again. That is universal reduction, and it needs that no
// existential premise lies after the universal variable; those that do were not decided (decisions follow the blocks),
// so they are resolved away first. Where a row counted an open universal variable at its worst, the same is done before
// the row is used: that gives a clause of its own. A variable that forall's own rows bind is dropped only in exchange
// for his earlier variables on which its legality rests; in the log, all later ones that the rows connect are dropped
// with it, so that it shows how he goes on.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "qip/learning/legal.hpp"
#include "qip/learning/log.hpp"
#include "qip/learning/state.hpp"

namespace zermelo::qip::learning {

struct Learned {
    std::vector<Literal> literals;  // the first one is asserted, the second is of the latest level of the others
    bool objective = false;         // row 0 had a part in it
    Index level = 0;                // on which the first one's negation was set; 0: there is none, exists has lost
    Log::Number step = 0;
    Index spread = 0;                                      // levels of the literals
    std::vector<Index> clauses;                            // that had a part in it
    std::vector<Index> seen;                               // variables that had a part in it
    std::vector<std::pair<Index, std::int64_t>> refuters;  // what forall set
};

class Analysis {
public:
    Analysis(const State& state, Legal& legal, Log& log, Control& control);

    // The trail was emptied.
    void restart();
    // `universal_level[l]` says whether forall decided on level l.
    const Learned& analyse(const Conflict& conflict, const std::vector<std::uint8_t>& universal_level);

private:
    struct Premise {
        Literal literal;
        std::int64_t size, gain;  // |coefficient|; what it adds to the least sum
        Index entry;
    };
    struct Open {
        Literal worst;
        std::int64_t gain;
    };
    // Why an entry holds, where its row counted open universal variables: premises before all of them.
    struct Derived {
        std::uint64_t serial = 0;  // of the entry, to tell it from later ones at its place
        bool objective = false;
        Log::Number step = 0;
        std::vector<Literal> premises;
    };
    // Marks on trail entries, with the bound that is needed of each.
    struct Marks {
        std::vector<std::int64_t> need;
        std::vector<std::uint8_t> marked;
        void fit(std::size_t size) {
            if (marked.size() >= size) return;
            need.resize(size);
            marked.resize(size);
        }
        bool add(Index entry, const Literal& literal) {
            const bool first = !marked[entry];
            marked[entry] = 1;
            need[entry] = first          ? literal.bound
                          : literal.side ? std::min(need[entry], literal.bound)
                                         : std::max(need[entry], literal.bound);
            return first;
        }
    };

    void explain(const Reason& reason, const Literal* implied, Index before);
    void explain_row(Index row, const Literal* implied, Index before);
    void explain_clause(Index clause, const Literal* implied);
    void weaken(std::int64_t surplus);
    void explain_entry(Index entry, std::int64_t need);
    void explain_conflict(const Conflict& conflict);
    void explain_by(const Derived& derived);
    bool derive(const Reason& reason, Index entry, Derived& out, Index& missing);
    void derive_all(const Reason& reason, Index entry, Derived& out);
    bool is_derived(Index entry) const;
    bool explanation_reaches(Index level) const;
    void take(Index entry);
    void add(const Literal& literal);
    void from_root(const Literal& literal, std::vector<Log::Number>& roots) const;
    void pass(Index entry);
    void minimise(Index asserted);
    bool follows(Index entry, const Literal& needed);
    bool is_settled(const Literal& literal, bool& holds);
    void collect(Index asserted);
    void log_roots();
    void drop_lines();
    void write_step();
    Log::Number antecedent_of(const Reason& reason) const {
        return reason.kind == Reason::Kind::row ? Log::row(reason.number)
                                                : Log::step(state_.clause(reason.number).lemma);
    }

    const State& state_;
    Log& log_;
    Legal& legal_;
    Control& control_;
    std::vector<Index> passed_;  // of each component of forall's rows: the first variable that was dropped, or kNone
    Marks marks_, kept_;
    std::vector<Index> count_;  // marked entries by level
    // The explanation at hand.
    std::vector<Premise> premises_;
    std::vector<Open> open_;
    bool explained_objective_ = false;
    Log::Number via_ = 0;
    std::vector<Log::Number> explained_roots_;
    // Clauses derived for entries, by place on the trail; the last is for the conflict.
    std::vector<Derived> derived_;
    Derived conflict_;
    std::vector<Index> away_, touched_, pending_;
    // The step under way: antecedents with the entries that they set.
    std::vector<std::pair<Index, Log::Number>> antecedents_;
    std::vector<Log::Number> roots_, order_;
    // Minimisation: what is known of entries, and the explanations being followed.
    enum class Known : std::uint8_t { nothing, follows, fails };
    struct Frame {
        Index entry;
        std::size_t first, next;  // in `followed_`
        std::size_t first_root;   // in `followed_roots_`
        Log::Number via;
        bool objective;
    };
    std::vector<Known> known_;
    std::vector<Index> looked_at_;
    std::vector<Frame> frames_;
    std::vector<Literal> followed_;
    std::vector<Log::Number> followed_roots_;
    std::vector<Literal> dropped_, literals_;
    // Of the entries before all decisions: the steps that state them.
    std::vector<Log::Number> root_step_;
    std::vector<Index> root_entry_;  // by bound
    Index everywhere_ = kNone;       // all existential premises after this variable are resolved away
    Learned learned_;
};

}  // namespace zermelo::qip::learning
