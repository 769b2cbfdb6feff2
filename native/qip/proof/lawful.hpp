// What the universal player may do: values that leave him a way to keep his rows of uncertainty.
//
// Where each of his variables has one sign in all these rows, its end of least activity is best for all of them at
// once, so a row is lost exactly when its least activity is too large. Otherwise ways are searched for, and remembered.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "qip/proof/proof.hpp"
#include "qip/program/state.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qip::tabling {

class Lawful {
public:
    Lawful(const TableState& state, Control& control);
    ~Lawful();
    Lawful(const Lawful&) = delete;
    Lawful& operator=(const Lawful&) = delete;

    bool simple() const { return simple_; }
    const std::vector<std::uint32_t>& bound() const { return bound_; }  // the variables that these rows hold
    // Whether the variables from `index` on can keep the rows; those before it are passed.
    bool completes(const TableState& state, std::uint32_t index);
    // Such values, for the variables bound() from the first one at or after `index` on; there must be some.
    void complete(const TableState& state, std::uint32_t index, std::vector<std::int64_t>& values);
    // Where there are none: a node that shows that some row will be broken, by branching on all of his variables.
    std::uint32_t breaks(const TableState& state, std::uint32_t index, ProofNodes& nodes);
    // Forgets nodes, but not what is lawful.
    void forget_proofs() { shown_.clear(); }

private:
    using Key = std::vector<std::int64_t>;  // number of the variable, then what the rows have to spare

    std::size_t position_of(std::uint32_t index) const;
    Key start_key(const TableState& state, std::size_t position) const;
    Key key_after(const Key& key, std::int64_t value) const;
    std::int64_t broken_row(const Key& key) const;  // kKept: none yet
    std::int64_t lawful_value(const Key& key);
    void remember(const Key& key, std::int64_t value);

    Control& control_;
    std::int64_t charged_ = 0;
    bool simple_ = true;
    std::uint32_t first_row_ = 0, rows_ = 0;
    std::vector<std::uint32_t> bound_;
    std::vector<std::int64_t> range_, best_;
    std::vector<std::vector<std::int64_t>> coefficient_;  // by variable in bound_ and row
    std::map<Key, std::int64_t> value_;                   // -1: there is none
    std::map<Key, std::uint32_t> shown_;
};

}  // namespace zermelo::qip::tabling
