// Where a search in the order of the prefix stands: bounds of all variables, room of all rows, and what propagation
// makes of them.
//
// Values are counted from the lower bounds, so every variable runs from 0 to its range. The existential player must
// keep each row whatever the other one does; so a row is lost as soon as its least activity is too large, where
// universal variables count at their worst. That a bound of an existential variable follows from a row may rest on the
// worst case of universal variables set after it, but must allow any value of those set before it, which it can answer.
// Universal variables that are held by rows of uncertainty may not be free to take their worst value and count at their
// best.
//
//     TableState state(program);
//     state.ask(bound);                       // the right side of the objective
//     if (!state.propagate()) lost();
//     const auto mark = state.trail.size();
//     state.assume(variable, 1, 1);
//     if (!state.propagate()) state.undo(mark);
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "qip/program/program.hpp"

namespace zermelo::qip::tabling {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

enum class Owner : std::uint8_t {
    exists,
    forall,  // may take any value
    bound,   // universal, in a row of uncertainty that can be broken
};

struct Entry {  // of a column
    std::uint32_t row;
    std::uint32_t position;  // among all terms
    std::int64_t coefficient;
};

// One end of a variable's interval moved.
struct Change {
    std::int64_t before, after;
    std::uint32_t variable;
    std::uint32_t reason;    // the row it follows from; kNone: assumed
    std::uint32_t previous;  // change of the same end, or kNone
    std::uint32_t proof;     // node that shows the change to be right, or kNone
    std::uint32_t stamp;     // of what that node says of the universal player's own rows
    bool upper;
    std::int64_t limit;  // of the end before the change
};

class TableState {
public:
    explicit TableState(const Program& program);

    std::uint32_t variables() const { return static_cast<std::uint32_t>(range.size()); }
    std::uint32_t rows() const { return static_cast<std::uint32_t>(slack.size()); }
    std::span<const Term> terms(std::uint32_t row) const {
        return std::span(term_).subspan(first_[row], first_[row + 1] - first_[row]);
    }
    std::span<const Entry> column(std::uint32_t variable) const {
        return std::span(column_).subspan(column_first_[variable],
                                          column_first_[variable + 1] - column_first_[variable]);
    }
    std::span<const Entry> gaining(std::uint32_t variable) const {  // positive coefficients
        return std::span(column_).subspan(column_first_[variable], column_split_[variable] - column_first_[variable]);
    }
    std::span<const Entry> losing(std::uint32_t variable) const {
        return std::span(column_).subspan(column_split_[variable],
                                          column_first_[variable + 1] - column_split_[variable]);
    }
    bool fixed(std::uint32_t variable) const { return low[variable] == high[variable]; }
    // Up to which bound on the objective the values stay out of reach that are so now; kNoLimit: whatever it is.
    std::int64_t limit(std::uint32_t variable) const {
        return std::min(low[variable] > 0 ? low_limit_[variable] : kNoLimit,
                        high[variable] < range[variable] ? high_limit_[variable] : kNoLimit);
    }

    // Sets the right side of the objective; all bounds must be undone before.
    void ask(std::int64_t bound);
    // Cuts an interval down, without a reason.
    void assume(std::uint32_t variable, std::int64_t from, std::int64_t to);
    // False: row `conflict` cannot be kept.
    bool propagate();
    void undo(std::size_t mark);
    // Takes a variable with one value left out of what `spare` leaves open, or gives it back.
    void pass(std::uint32_t variable);
    void unpass(std::uint32_t variable);
    // Up to which bound on the objective the bounds hold that the conflict rests on.
    std::int64_t conflict_limit() const { return row_limit(conflict); }

    // Constant.
    std::vector<std::int64_t> range;
    std::vector<Owner> owner;
    std::uint32_t first_continuous;  // all variables from there on are continuous; whole numbers are enough for them
    std::uint32_t first_uncertain;
    std::vector<std::int64_t> right;  // for values counted from the lower bounds
    std::vector<std::int64_t> width;  // for each term: how much it and the ones after it can add
    std::uint64_t begin_of(std::uint32_t row) const { return first_[row]; }

    // Bounds, and what they leave: right side less the least activity (universals at their worst), less the largest
    // one.
    std::vector<std::int64_t> low, high, slack, room;
    std::vector<std::int64_t> spare;  // right side less the variables passed, less the least that the others add
    std::uint32_t open = 0;           // rows that can still be broken
    std::uint32_t conflict = kNone;   // row of exists that is lost
    std::uint32_t broken = kNone;     // row of uncertainty that is lost
    std::vector<Change> trail;
    std::vector<std::uint32_t> last_low, last_high;  // latest change of each end

private:
    void raise(std::uint32_t variable, std::int64_t to, std::uint32_t reason, std::int64_t limit);
    void lower(std::uint32_t variable, std::int64_t to, std::uint32_t reason, std::int64_t limit);
    void tighten_row(std::uint32_t row);
    void tighten(std::uint32_t row, const Term& term, std::int64_t space, std::int64_t limit);
    std::int64_t row_limit(std::uint32_t row) const;
    void record(std::uint32_t variable, std::int64_t to, std::uint32_t reason, bool upper, std::int64_t limit);

    void take_slack(const Entry& entry, std::int64_t amount) {
        auto& left = slack[entry.row];
        left -= amount;
        if (left < 0) (entry.row < first_uncertain ? conflict : broken) = entry.row;
        else enqueue(entry.row);
    }
    void give_room(const Entry& entry, std::int64_t amount) {
        auto& left = room[entry.row];
        const bool before = left < 0;
        left += amount;
        open -= before && left >= 0 && entry.row < first_uncertain;
    }
    void take_room(const Entry& entry, std::int64_t amount) {
        auto& left = room[entry.row];
        const bool before = left < 0;
        left -= amount;
        open += !before && left < 0 && entry.row < first_uncertain;
    }
    void enqueue(std::uint32_t row) {
        if (slack[row] < bar_[row] && !queued_[row]) {
            queued_[row] = 1;
            queue_.push_back(row);
        }
    }

    std::vector<std::int64_t> spare_at_first_;  // with 0 as the right side of the objective
    std::vector<std::uint64_t> first_;
    std::vector<Term> term_;
    std::vector<Term> scan_;               // the terms of each row in the order in which propagation looks at them
    std::vector<std::uint8_t> by_weight_;  // rows without free universal variables: heaviest term first
    std::vector<std::uint64_t> column_first_, column_split_;
    std::vector<Entry> column_;
    std::vector<std::int64_t> bar_;  // a row with that much slack implies nothing
    std::vector<std::int64_t> low_limit_, high_limit_;
    std::uint64_t limited_ = 0;  // ends with a limit
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint8_t> queued_;
};

}  // namespace zermelo::qip::tabling
