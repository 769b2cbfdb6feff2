// Decides quantified integer programs by search that learns from its failures and from its successes.
//
// The question "is the value at most K?" turns the objective into a row; K falls until exists fails. Both roles set
// their variables in the order of the blocks, within a block of exists in the order of recent conflicts (Moskewicz and
// others, "Chaff", 2001). Bounds are propagated over rows and clauses. A conflict is traced back to a clause over
// bounds (x <= k, x >= k) that every winning strategy of exists satisfies: resolution and universal reduction, Kleine
// Buening, Karpinski and Floegel, "Resolution for quantified Boolean formulas", 1995, here on rows of integers. A
// success says for which values of the universal variables the same replies win, and their siblings are skipped.
//
//     Control control(10.0);
//     const auto result = learn(program, {}, control);
//     if (result.status == LearnStatus::optimal) std::printf("%lld\n", static_cast<long long>(result.upper));
//
// docs/qip-learning.md has the theory.
#pragma once

#include <cstdint>
#include <vector>

#include "qip/program/program.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qip {

struct LearnParameters {
    bool exists_proof = true;    // record how exists reaches the value
    bool forall_proof = true;    // record why nothing better can be reached
    std::size_t clauses = 2000;  // so many are kept at first before those of little use are forgotten
    std::uint64_t proof_bytes = std::uint64_t{512} << 20;
};

enum class LearnStatus : std::uint8_t {
    optimal,
    infeasible,
    unknown,
    lawless
};  // lawless: forall cannot keep his own rows

// How exists reaches a value, in the form of zermelo/qip/proof.py: nodes with what they lead to first. A node either
// chooses values for exists' next variables or has cases of forall's variable `at`.
struct StrategyGraph {
    static constexpr std::int64_t kEnd = -1;
    struct Node {
        std::uint32_t at;
        bool choose;
        std::uint64_t first, end;  // in `value` or in `cases`
        std::int64_t then;         // of a choice
    };
    struct Case {
        std::int64_t lower, upper;
        std::int64_t then;    // a node, or kEnd
        std::int64_t breaks;  // a row of forall that he breaks, or -1
    };
    std::vector<Node> node;
    std::vector<std::int64_t> value;
    std::vector<Case> cases;
    std::int64_t root = kEnd;
};

// Why nothing better can be reached, in the form of zermelo/qip/derivation.py: clauses of literals, each a pair of
// 2 * variable + (1: at most, 0: at least) and the bound; of each clause its literals, then those dropped; antecedents
// are 2 * row or 2 * clause + 1. The ends are counted in literals and in antecedents.
struct DerivationSteps {
    std::vector<std::int64_t> literal;
    std::vector<std::uint64_t> literal_end, dropped_end, antecedent, antecedent_end;
};

struct LearnResult {
    LearnStatus status = LearnStatus::unknown;
    bool feasible = false;              // a strategy has been found; its value is `upper`
    std::int64_t lower = 0, upper = 0;  // bounds of the value of row 0's terms
    bool has_strategy = false;
    StrategyGraph strategy;
    bool at_best = false;  // the value is the least that row 0's terms can be: nothing needs to be derived
    bool has_derivation = false;
    DerivationSteps derivation;
    std::uint64_t nodes = 0, conflicts = 0, successes = 0, clauses = 0, literals = 0, skipped = 0, searches = 0;
};

LearnResult learn(const Program& program, const LearnParameters& parameters, Control& control);

}  // namespace zermelo::qip
