// Why propagation was right, as nodes of a proof of the universal player.
//
// A bound that propagation moved stands for values that a single row rules out, given earlier bounds; a conflict is a
// row that cannot be kept. The steps that lead to it are put into the order of the prefix: each variable whose bounds
// were used branches, the values that were ruled out lead to the row that did it, the others lead on. Universal
// variables that counted at their worst are chosen where they stand; whichever row is to be broken by then is settled,
// since bounds of earlier variables only may rest on them. One node for each step is enough.
//
// Continuous variables do not branch: a bound of theirs that a row rests on is replaced by the row it comes from, times
// what makes the variable cancel out (Fourier and Motzkin).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qip/proof/lawful.hpp"
#include "qip/proof/proof.hpp"
#include "qip/program/state.hpp"

namespace zermelo::qip::tabling {

// The proof cannot be written down: a number is too large, or a continuous variable would have to branch.
struct Unwritable {};

class Refutation {
public:
    Refutation(TableState& state, Lawful& lawful, ProofNodes& nodes)
        : state_(state), lawful_(lawful), nodes_(nodes), in_sum_(state.variables(), 0),
          is_summed_(state.variables(), 0) {}

    // The conflict of the state: for variables from `index` on.
    std::uint32_t of_conflict(std::uint32_t index);
    // The values that propagation took from a variable since the trail had the given length. Where a node is given that
    // begins after the variable and holds for them too, it is taken. The variable is the next to be passed.
    void add_cases(std::uint32_t variable, std::size_t since, std::uint32_t node, std::vector<ProofCase>& cases);
    // Changes whenever universal variables of `lawful` are set otherwise.
    std::uint32_t stamp = 0;
    std::uint32_t index = 0;  // of the first variable that is not passed
    // Whether larger values of a variable make the row worse that the latest node of a conflict breaks.
    bool rises(std::uint32_t variable) const;

private:
    // A row that is lost, by the bounds that held when the trail was `time` long, whatever variables from `begin` on
    // do.
    struct Lost {
        std::uint32_t row;
        std::uint32_t time;
        std::uint32_t begin;
        std::uint32_t own;      // variable that is known to lie among the values ruled out, or kNone
        std::int64_t from, to;  // these values
    };
    struct Step {
        std::uint32_t at;
        std::int64_t value;  // of a universal variable; -1: an existential one
    };

    Lost lost_by(std::uint32_t change) const;
    std::int64_t end_at(std::uint32_t variable, bool upper, std::uint32_t time, std::uint32_t& change) const;
    void sum_up(const Lost& lost);
    void add_row(std::uint32_t row, std::int64_t multiplier);
    std::uint32_t bound_continuous(std::uint32_t time, std::uint32_t& reason) const;
    void find_needs(const Lost& lost);
    void find_changes(const Lost& lost);
    void show_changes(const Lost& lost);
    bool shown(std::uint32_t change) const;
    std::uint32_t assemble(const Lost& lost);
    void find_steps(const Lost& lost);
    std::uint32_t leaf(std::uint32_t at, std::size_t& steps);
    std::uint32_t branched(std::uint32_t variable, std::uint32_t then);

    TableState& state_;
    Lawful& lawful_;
    ProofNodes& nodes_;
    struct Support {
        std::int64_t gain;     // what it adds to the row's least activity
        std::uint32_t change;  // of an existential variable, or kNone
        Step worst;            // of a universal one
    };
    std::vector<Weight> weight_;         // the rows that are added up
    std::vector<std::int64_t> in_sum_;   // coefficient of each variable
    std::vector<std::uint32_t> summed_;  // variables in the sum
    std::vector<std::uint8_t> is_summed_;
    std::int64_t sum_right_ = 0;
    std::span<const Term> sum_;
    std::vector<Term> sum_term_;
    std::vector<Support> support_;
    std::vector<std::uint32_t> need_;    // changes that a row's loss rests on at once
    std::vector<Step> worst_;            // universal variables that must take their worst value
    std::vector<std::uint32_t> change_;  // all changes it rests on, at variables from lost.begin on
    std::vector<std::uint32_t> pending_, order_;
    std::vector<std::uint64_t> seen_;
    std::uint64_t round_ = 0;
    std::vector<Step> step_;
    std::vector<ProofCase> case_;
    std::vector<std::int64_t> choice_, completion_;
};

}  // namespace zermelo::qip::tabling
