// Residual problems that were met before, with what is known of them.
//
// After the first `index` variables are set, the rest of the program is determined by the residual right sides of the
// rows that hold variables on both sides of that cut. Of a right side only the class matters: as large as the largest
// activity left, the row is gone; else it may be rounded down to a multiple of the coefficients' common divisor. The
// objective is no part of the key: an entry bounds the least objective of the variables left, so it serves for every
// bound that is asked. Whole keys are compared; no answer rests on a hash alone.
//
//     ResidualTable table(state, bytes, control);
//     if (table.probes(index)) { const auto entry = table.find_or_add(state, index); table[entry].lower ... }
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "qip/program/state.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qip::tabling {

inline constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max();
inline constexpr std::uint64_t kNoEntry = std::numeric_limits<std::uint64_t>::max();

// What is known of the rest of a program: its value lies between the bounds. kInfinite as the lower one: infeasible.
struct Known {
    std::int64_t lower = -kInfinite, upper = kInfinite;
    std::int64_t move = -1;        // of the owner of the variable at the cut: reaches his bound
    std::int64_t proof_bound = 0;  // what the proof shows
    std::uint32_t proof = kNone;   // a node of the proof under way
    std::uint32_t index;
};

class ResidualTable {
public:
    ResidualTable(const TableState& state, std::uint64_t bytes, Control& control);
    ~ResidualTable();
    ResidualTable(const ResidualTable&) = delete;
    ResidualTable& operator=(const ResidualTable&) = delete;

    bool probes(std::uint32_t index) const { return probes_[index]; }
    // kNoEntry: not known, and no memory to add it.
    std::uint64_t find_or_add(const TableState& state, std::uint32_t index);
    Known& operator[](std::uint64_t entry) { return known_[entry]; }
    std::uint64_t size() const { return known_.size(); }
    bool full() const { return full_; }
    void forget_proofs();

    // The rows cut before a variable, where it is looked up.
    struct Field {
        std::int64_t width;    // how much the variables left can add
        std::int64_t divisor;  // of their coefficients
        std::uint32_t row;
        std::uint32_t bits;
    };
    std::span<const Field> fields(std::uint32_t index) const {
        return std::span(field_).subspan(field_first_[index], field_first_[index + 1] - field_first_[index]);
    }

private:
    void lay_out(const TableState& state);
    void write_key(const TableState& state, std::uint32_t index);
    bool make_room(std::uint64_t words);
    void rehash();

    std::vector<std::uint8_t> probes_;  // for each index
    std::vector<std::uint64_t> field_first_;
    std::vector<Field> field_;
    std::vector<std::uint32_t> key_words_;  // for each index
    std::vector<std::uint64_t> key_;
    std::vector<std::uint64_t> slot_;  // upper half of the hash, number of the entry plus one
    std::vector<Known> known_;
    std::vector<std::uint64_t> place_;  // of each entry's key
    std::vector<std::uint64_t> word_;
    std::uint64_t limit_, charged_ = 0;
    bool full_ = false;
    Control& control_;
};

}  // namespace zermelo::qip::tabling
