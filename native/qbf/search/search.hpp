// Decides quantified Boolean formulas by search in the order of the prefix, on the circuit.
//
// Each node of the search is a residual formula (state.hpp). Its variables are tried in the order of the blocks
// (Cadoli, Giovanardi and Schaerf, "An algorithm to evaluate quantified Boolean formulae", 1998); whoever owns the
// variable needs one value that wins, the other role both. Residuals that were decided before are looked up, those that
// fall apart are decided part by part, those of one quantifier go to a SAT solver.
//
//     Control control(10.0);
//     const auto result = search(formula, {}, control);
//     if (result.value) std::puts(*result.value ? "true" : "false");
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "qbf/circuit/formula.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qbf {

struct SearchParameters {
    bool table = true;        // remember residuals
    bool components = true;   // decide parts that share nothing one by one
    bool sat = true;          // a SAT solver for residuals of one quantifier
    bool restructure = true;  // share work within the circuit first
    bool functions = true;    // record the winner's functions
    bool complete = true;     // those of an expanded block that forall answers, too, however many gates they take
    std::uint64_t expansion_gates = 200000;     // most gates of an expansion of the innermost universal block; 0: none
    std::uint64_t elimination_gates = 1 << 16;  // most gates made to quantify copies' variables away; 0: rules at once
    std::uint64_t case_inputs =
        4096;  // functions of more inputs may have the last block written without cases; 0: all, where it can be done
    std::uint64_t table_bytes = std::uint64_t{256} << 20;
    std::uint64_t proof_bytes = std::uint64_t{256} << 20;
    std::uint32_t sat_after =
        400;  // nodes that a residual of one quantifier is searched before the SAT solver is asked
    std::uint32_t ordering = 0;
};

struct SearchResult {
    std::optional<bool> value;  // none: stopped, see the control
    std::optional<Functions> functions;
    std::vector<std::uint32_t>
        open;  // variables of the winner for which there is no function: those of the expanded block, or none
    std::uint64_t nodes = 0, hits = 0, splits = 0, sat_calls = 0, events = 0, network = 0, expanded = 0;
};

SearchResult search(const Formula& formula, const SearchParameters& parameters, Control& control);

}  // namespace zermelo::qbf
