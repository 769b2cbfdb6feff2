// Relations over ground terms, and the views by which rule bodies read them.
//
// A relation is a growing list of different rows. A view lists the rows that match one pattern of a rule body, such as
// (true (cell ?x 1 ?p)), flattened to the values of the pattern's variables; an index finds a view's entries by the
// values of some columns. Views take over new rows only when told to (catch_up), which gives semi-naive evaluation its
// stages for free: what a stage adds is seen in the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gdl/datalog/terms.hpp"

namespace zermelo::gdl {

class Relation {
public:
    explicit Relation(std::uint32_t arity) : arity_(arity) {}

    std::uint32_t arity() const { return arity_; }
    std::uint32_t size() const { return size_; }
    std::span<const std::uint32_t> row(std::uint32_t i) const {
        return std::span(data_).subspan(std::size_t{i} * arity_, arity_);
    }
    // The row's number, and whether it is new.
    std::pair<std::uint32_t, bool> insert(std::span<const std::uint32_t> row);
    std::uint32_t find(std::span<const std::uint32_t> row) const;  // kNone if absent
    void clear();
    std::size_t bytes() const { return (data_.capacity() + slots_.size()) * sizeof(std::uint32_t); }

private:
    std::size_t slot_of(std::span<const std::uint32_t> row) const;
    void grow();

    std::uint32_t arity_;
    std::uint32_t size_ = 0;
    std::vector<std::uint32_t> data_;
    std::vector<std::uint32_t> slots_;
};

// How to take a row apart. Registers 0..arity-1 hold the row; `open` takes a function term apart into new registers.
struct MatchOp {
    enum Kind : std::uint32_t { constant, same, open } kind;
    std::uint32_t reg;
    std::uint32_t value;  // constant: the term; same: another register; open: the function's name
    std::uint32_t count;  // open: its number of arguments
    std::uint32_t base;   // open: the first register for them
    bool operator==(const MatchOp&) const = default;
};

struct Pattern {
    std::vector<MatchOp> ops;
    std::uint32_t registers = 0;
    std::vector<std::uint32_t> outputs;  // the register of each column
    bool operator==(const Pattern&) const = default;
};

class Index {
public:
    explicit Index(std::vector<std::uint32_t> columns) : columns_(std::move(columns)) {}
    const std::vector<std::uint32_t>& columns() const { return columns_; }
    std::uint32_t keys() const { return keys_; }

private:
    friend class View;
    std::vector<std::uint32_t> columns_;
    std::vector<std::uint32_t> slots_;  // the latest entry with a key; the others are chained to it
    std::vector<std::uint32_t> next_;   // for each entry
    std::uint32_t keys_ = 0;
};

class View {
public:
    View(std::uint32_t relation, Pattern pattern) : relation_(relation), pattern_(std::move(pattern)) {}

    std::uint32_t relation() const { return relation_; }
    const Pattern& pattern() const { return pattern_; }
    std::uint32_t columns() const { return static_cast<std::uint32_t>(pattern_.outputs.size()); }
    std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
    std::uint32_t fresh() const { return fresh_; }  // the entries fresh()..size()-1 are new since the last catch_up
    void catch_up(const Relation& relation, const TermPool& terms);
    void settle() { fresh_ = size(); }
    void clear();

    std::uint32_t row(std::uint32_t entry) const { return rows_[entry]; }
    std::uint32_t value(std::uint32_t entry, std::uint32_t column) const {
        return data_[std::size_t{entry} * columns() + column];
    }
    // Made on first use; stays valid for good.
    std::uint32_t index_on(std::span<const std::uint32_t> columns);
    const Index& index(std::uint32_t i) const { return *indexes_[i]; }
    // The latest entry with this key, or kNone; follow() gives the others.
    std::uint32_t find(std::uint32_t index, std::span<const std::uint32_t> key) const;
    std::uint32_t follow(std::uint32_t index, std::uint32_t entry) const { return indexes_[index]->next_[entry]; }
    // Number of different values in a column, exact when last counted and recounted when the view has grown by half.
    double distinct(std::uint32_t column) const;
    std::size_t bytes() const;

private:
    void add(Index& index, std::uint32_t entry) const;
    void grow(Index& index) const;
    std::uint64_t hash(const Index& index, std::uint32_t entry) const;

    std::uint32_t relation_;
    Pattern pattern_;
    std::vector<std::uint32_t> data_, rows_;
    std::uint32_t taken_ = 0;  // rows of the relation looked at
    std::uint32_t fresh_ = 0;
    std::vector<std::unique_ptr<Index>> indexes_;
    struct Count {
        std::uint32_t at = 0;
        double value = 0;
    };
    mutable std::vector<Count> counts_;
    std::vector<std::uint32_t> registers_;
};

}  // namespace zermelo::gdl
