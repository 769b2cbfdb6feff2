// Networks of table constraints, compiled once for many searches.
//
// A table lists the tuples that its scope may take; an entry of a tuple may be kAny, any value (short tuples: Jefferson
// and Nightingale 2013). Compiled, every value of every column knows the rows that allow it: as a mask where a table is
// narrow, of a few words, else as those words in which it has rows at all, so that memory is linear in the text of
// the table and not rows times values.
//
//     Tables tables{.domain = {2, 2}};
//     tables.add({{0, 1}}, {{0, 0, 1, 1}});                  // two variables that are equal
//     Control control;
//     auto instance = std::make_shared<const Instance>(tables, control);
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "zermelo/control.hpp"

namespace zermelo::scsp {

inline constexpr std::int32_t kAny = -1;

// The hard constraints of a network as plain arrays.
struct Tables {
    std::vector<std::uint32_t> domain;          // how many values each variable has
    std::vector<std::uint64_t> scope_first{0};  // where the scope of each table begins, and where the last one ends
    std::vector<std::uint32_t> scope;
    std::vector<std::uint64_t> rows;  // how many tuples each table has
    std::vector<std::int32_t> entry;  // tuple after tuple, table after table

    std::uint32_t variables() const { return static_cast<std::uint32_t>(domain.size()); }
    std::uint32_t tables() const { return static_cast<std::uint32_t>(rows.size()); }
    // Adds a table: its tuples one after the other.
    void add(std::span<const std::uint32_t> table_scope, std::span<const std::int32_t> tuples);
};

// Throws std::invalid_argument with what is wrong, unless the arrays fit together and all values lie in their domains.
void check(const Tables& tables);

class Instance {
public:
    // Takes note of its memory in the control, for as long as that lives.
    Instance(const Tables& tables, Control& control);

    struct Column {  // of a table: a variable of its scope
        std::uint32_t variable;
        std::uint32_t first;  // of its values, among masks (narrow tables) or runs (wide tables)
        std::uint64_t
            any;  // rows that allow every value: themselves in a table of one word, else where they begin, or kNone
    };
    struct Table {
        std::uint32_t first_column;
        std::uint32_t arity;
        std::uint32_t words;
        std::uint32_t first_word;  // of the table, among the words of all tables
        std::uint64_t rows;
        std::uint64_t first_entry;  // of a narrow table
        bool short_rows;            // some row allows every value of a column
    };
    struct Run {  // the rows of one value that lie in one word
        std::uint64_t bits;
        std::uint32_t word;
    };
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    static constexpr std::uint32_t kNarrow = 4;  // words of a narrow table, at most

    std::uint32_t variables() const { return static_cast<std::uint32_t>(domain_.size()); }
    std::uint32_t domain(std::uint32_t variable) const { return domain_[variable]; }
    const std::vector<Table>& tables() const { return tables_; }
    std::span<const Column> columns(const Table& table) const {
        return {columns_.data() + table.first_column, table.arity};
    }
    // Narrow tables: the rows that allow each value of a column, value after value.
    const std::uint64_t* masks(const Column& column) const { return masks_.data() + column.first; }
    // Wide tables: the rows that hold a value of a column, without those of kAny.
    std::span<const Run> runs(const Column& column, std::uint32_t value) const {
        const auto begin = run_first_[column.first + value];
        return {runs_.data() + begin, run_first_[column.first + value + 1] - begin};
    }
    const std::uint64_t* any_words(const Column& column) const {
        return column.any == kNone ? nullptr : any_words_.data() + column.any;
    }
    // The tables of a variable.
    std::span<const std::uint32_t> tables_of(std::uint32_t variable) const {
        return {adjacent_.data() + adjacent_first_[variable],
                adjacent_first_[variable + 1] - adjacent_first_[variable]};
    }
    // Narrow tables: the value in a column of a row, if it is one.
    std::uint32_t entry(const Table& table, std::uint32_t row, std::uint32_t column) const {
        return entries_[table.first_entry + std::size_t{row} * table.arity + column];
    }
    // Narrow tables: the rows that have a tuple in common with another, word by word.
    const std::uint64_t* overlapping(const Table& table) const { return overlapping_.data() + table.first_word; }
    std::uint32_t words() const { return words_; }
    std::uint32_t columns() const { return static_cast<std::uint32_t>(columns_.size()); }
    std::uint64_t values() const { return values_; }
    // Whether a table allows nothing at all.
    bool refuted() const { return refuted_; }
    std::uint64_t bytes() const;

private:
    void list_rows(const Table& table, std::span<const std::int32_t> entries);
    void compile_narrow(Table& table, std::span<const std::int32_t> entries);
    void compile_wide(Table& table, std::span<const std::int32_t> entries);

    std::vector<std::uint32_t> domain_;
    std::vector<Table> tables_;
    std::vector<Column> columns_;
    std::vector<std::uint64_t> masks_;
    std::vector<std::uint64_t> run_first_;
    std::vector<Run> runs_;
    std::vector<std::uint64_t> any_words_;
    std::vector<std::uint32_t> entries_;
    std::vector<std::uint64_t> overlapping_;
    std::vector<std::uint32_t> adjacent_first_;
    std::vector<std::uint32_t> adjacent_;
    std::uint32_t words_ = 0;
    std::uint64_t values_ = 0;
    bool refuted_ = false;
};

}  // namespace zermelo::scsp
