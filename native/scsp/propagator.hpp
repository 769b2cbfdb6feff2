// Generalized arc consistency of tables, and forward checking, on one state that can be taken back.
//
// Compact tables: the rows of a table that are still possible are a reversible sparse bit set (Demeulenaere, Hartert,
// Lecoutre, Perez, Perron, Regin and Schaus 2016), also with short tuples (Verhaeghe, Lecoutre and Schaus 2017). A
// table that is looked at drops the rows that lost a value, then every variable the values that lost all their rows. It
// is then consistent; it is looked at again only when another one takes a value from it, and not when only one of
// its variables was free, since then every value left to that one is allowed; nor when a row that is possible allows
// everything to all free variables.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scsp/domains.hpp"
#include "scsp/instance.hpp"

namespace zermelo::scsp {

enum class Method : std::uint8_t {
    mac,  // maintains arc consistency (Sabin and Freuder 1994)
    fc,   // forward checking: a table acts when one of its variables is left (nFC0: Bessiere, Meseguer, Freuder and
          // Larrosa 2002)
};

class Propagator {
public:
    Propagator(std::shared_ptr<const Instance> instance, Method method);

    const Instance& instance() const { return *instance_; }
    const Domains& domains() const { return domains_; }
    Method method() const { return method_; }

    // The state before any level: everything that follows from the tables alone. False if that is a contradiction.
    bool begin();
    // Opens a level: what follows is undone by the pop that belongs to it.
    void push();
    void pop();
    std::uint32_t levels() const { return static_cast<std::uint32_t>(marks_.size()); }

    // Gives a variable a value, or takes one away; false if that leaves none. What follows waits for propagate().
    bool assign(std::uint32_t x, std::uint32_t value);
    bool forbid(std::uint32_t x, std::uint32_t value);
    // Draws all conclusions; false on a contradiction, of which the table concerned takes note by its weight.
    bool propagate();

    // Variables without a value: in mac those with more values than one, in fc those not assigned.
    std::span<const std::uint32_t> open() const { return {open_.data(), open_count_}; }
    bool is_open(std::uint32_t x) const { return open_place_[x] < open_count_; }
    bool binds(std::uint32_t t) const { return state_[t].open > 1; }
    // The table that binds an open variable to another, or kNobody; kSeveral where there are several.
    std::uint32_t binding_table(std::uint32_t x) const {
        std::uint32_t found = kNobody;
        for (const auto t : instance_->tables_of(x))
            if (binds(t)) {
                if (found != kNobody) return kSeveral;
                found = t;
            }
        return found;
    }
    // The rows of a table that are possible, word by word.
    std::span<const std::uint64_t> rows(std::uint32_t t) const {
        return std::span(word_).subspan(instance_->tables()[t].first_word, instance_->tables()[t].words);
    }
    // Whether each of them is one assignment to the open variables, and all are different.
    bool lists_rows(std::uint32_t t) const;
    // How often the tables that still bind the variable to another open one have failed, plus how many they are
    // (Boussemart, Hemery, Lecoutre and Sais 2004).
    std::uint64_t weighted_degree(std::uint32_t x) const {
        std::uint64_t sum = 0;
        for (const auto t : instance_->tables_of(x))
            if (binds(t)) sum += state_[t].weight;
        return sum;
    }

    static constexpr std::uint32_t kNobody = ~std::uint32_t{0}, kSeveral = kNobody - 1;

private:
    static constexpr std::int32_t kFree = std::int32_t{1} << 30;
    struct TableState {
        std::uint64_t stamp = 0;  // the node at which `seen` was written
        std::int32_t open = 0;    // variables without a value; less than none where whatever they take is allowed
        std::uint32_t live = 0;   // words that have a row, the first ones of the table's index
        std::uint64_t live_stamp = 0;
        std::uint64_t weight = 1;
        bool queued = false;
    };
    struct WordChange {
        std::uint64_t bits;
        std::uint32_t word;
    };
    struct LiveChange {
        std::uint32_t table;
        std::uint32_t live;
    };
    struct Mark {
        std::size_t domain;
        std::size_t word;
        std::size_t live;
        std::size_t freed;
        std::uint32_t open;
    };

    void enqueue(std::uint32_t t);
    void clear_queue();
    // A variable has lost values, by the hand of a table or by none.
    void changed(std::uint32_t x, std::uint32_t source);
    void close(std::uint32_t x);
    void leave_open(std::uint32_t x);
    bool advance(std::uint32_t x);  // forward checking after an assignment
    bool revise(std::uint32_t t, bool all);
    template <std::uint32_t W>
    bool revise_narrow(std::uint32_t t, bool all);
    bool revise_wide(std::uint32_t t, bool all);
    bool restrict_wide(std::uint32_t t, const Instance::Column& column, std::uint32_t before);
    template <std::uint32_t W>
    void filter_narrow(const Instance::Column& column, const std::uint64_t* rows);
    bool advance_narrow(std::uint32_t t, const Instance::Column& column);
    void filter(std::uint32_t t, const Instance::Column& column);
    void filter_wide(std::uint32_t t, const Instance::Column& column);
    bool supported(std::uint32_t t, const Instance::Column& column, std::uint32_t value);
    void set_word(std::uint32_t word, std::uint64_t bits) {
        if (word_stamp_[word] != domains_.node()) {
            word_stamp_[word] = domains_.node();
            word_trail_.push_back({word_[word], word});
        }
        word_[word] = bits;
    }
    std::uint32_t before(const TableState& state, std::uint32_t column, std::uint32_t x) const {
        return state.stamp == domains_.node() ? seen_[column] : domains_.size_at_node(x);
    }
    // A word of the rows of a narrow table that allow every value of a column.
    template <std::uint32_t W>
    std::uint64_t any_word(const Instance::Column& column, std::uint32_t word) const {
        if constexpr (W == 1) return column.any;
        else return instance_->any_words(column)[word];
    }
    void saw_all(std::uint32_t t);
    template <std::uint32_t W>
    bool allows_all_narrow(std::uint32_t t, const std::uint64_t* rows) const;
    bool allows_all_wide(std::uint32_t t) const;
    void free(std::uint32_t t) {
        state_[t].open -= kFree;
        freed_.push_back(t);
    }

    std::shared_ptr<const Instance> instance_;
    Method method_;
    Domains domains_;
    std::vector<TableState> state_;
    std::vector<std::uint32_t> seen_;  // sizes of domains when a table was last looked at
    std::vector<std::uint64_t> word_;
    std::vector<std::uint64_t> word_stamp_;
    std::vector<std::uint32_t> word_index_;
    std::vector<std::uint64_t> scratch_;
    std::vector<std::uint32_t> residue_;  // of each value in a wide table: the run that supported it last
    std::vector<WordChange> word_trail_;
    std::vector<LiveChange> live_trail_;
    std::vector<std::uint32_t> freed_;  // tables that allow whatever is left, the latest last
    std::vector<Mark> marks_;
    std::vector<std::uint32_t> queue_;  // a ring
    std::uint32_t queue_head_ = 0;
    std::uint32_t queue_size_ = 0;
    std::vector<std::uint32_t> open_;
    std::vector<std::uint32_t> open_place_;
    std::uint32_t open_count_ = 0;
};

}  // namespace zermelo::scsp
