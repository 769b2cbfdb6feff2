// Solves quantified integer programs by search in the order of the prefix, with a table of residual problems.
//
// "Is the value at most k?" is decided by trying the variables' values in the order of the prefix: the existential
// player needs one that wins, the universal one must be answered whatever he does. Bounds are propagated on all rows
// (state.hpp), residual problems are looked up (table.hpp), and k is bisected. Each answer is kept as a bound on the
// objective of what is left, so entries serve for all k. A last run at the value writes down how it is reached, and one
// just below it why it cannot be beaten (proof.hpp, refute.hpp).
//
//     Control control(10.0);
//     const auto result = search_by_table(program, {}, control);
//     if (result.status == TableStatus::optimal) std::printf("%lld\n", static_cast<long long>(result.upper));
#pragma once

#include <cstdint>
#include <optional>

#include "qip/program/program.hpp"
#include "qip/proof/proof_arrays.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qip {

struct TableParameters {
    bool table = true;      // remember residual problems
    bool dominance = true;  // a variable that helps or hurts in all rows alike gets one value
    bool bisect = true;     // else the bound is lowered from above
    bool proofs = true;
    std::uint64_t table_bytes = std::uint64_t{1} << 30;
    std::uint64_t proof_bytes = std::uint64_t{1} << 29;
};

enum class TableStatus : std::uint8_t {
    unknown,
    optimal,
    infeasible,
    lawless,  // the universal player cannot keep his own rows
};

struct TableResult {
    TableStatus status = TableStatus::unknown;
    // The value of the objective's terms lies between them. Nothing is known above where `feasible` is false.
    std::int64_t lower = 0, upper = 0;
    bool feasible = false;
    std::optional<ProofArrays> exists, forall;
    std::uint64_t nodes = 0, hits = 0, entries = 0, questions = 0;
    bool table_full = false, proof_full = false;
};

// Continuous variables must be such that whole numbers are enough for them: existential, last in the prefix, at most
// one in each row but the objective, with coefficient 1 or -1. Stops with what it knows when the control says so.
TableResult search_by_table(const Program& program, const TableParameters& parameters, Control& control);

}  // namespace zermelo::qip
