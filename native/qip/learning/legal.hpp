// What forall may set: values after which he can still keep his own rows.
#pragma once

#include <cstdint>
#include <vector>

#include "qip/learning/learn.hpp"
#include "qip/learning/state.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qip::learning {

class Legal {
public:
    explicit Legal(const State& state);

    // Of each universal variable: variables that forall's rows connect have the same number; kNone where he has no row.
    const std::vector<Index>& component() const { return component_; }
    // All of them by component.
    const std::vector<std::vector<Index>>& members() const { return members_; }

    // Whether forall can keep his rows if he sets variable u to `value`; all his earlier variables are decided.
    bool allows(Index u, std::int64_t value, Control& control);
    // Whether he can keep them at the start.
    bool possible(Control& control);

    // Values of all members of a component with which forall keeps his rows: those decided, then a completion.
    const std::vector<std::int64_t>& completed(Index component, Control& control);

    // A row that breaks if u is set to `value`, or kNone where only several rows together forbid it.
    Index broken(Index u, std::int64_t value) const;

    // Shows, case by case of his next variables, that setting u to `value` breaks a row: the node that says so.
    std::int64_t refute(Index u, std::int64_t value, StrategyGraph& graph, Control& control);

private:
    bool complete(Index component, Index from, Control& control);
    void measure(Index component, Index from, std::vector<std::int64_t>& room) const;
    bool set(Index v, std::int64_t value, std::vector<std::int64_t>& room, int sign) const;
    std::int64_t best(Index v, std::int64_t coefficient) const {
        return coefficient * state_.start(v, coefficient > 0 ? 0 : 1);
    }
    Index first_broken(Index component, const std::vector<std::int64_t>& room) const;

    const State& state_;
    std::vector<Index> component_;
    std::vector<std::vector<Index>> members_, rows_;  // by component
    std::vector<std::int64_t> value_;                 // the last completion found
    mutable std::vector<std::int64_t> room_;          // by row: right side less the least sum
};

}  // namespace zermelo::qip::learning
