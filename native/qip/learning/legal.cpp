#include "qip/learning/legal.hpp"

#include <algorithm>
#include <numeric>

namespace zermelo::qip::learning {

Legal::Legal(const State& state)
    : state_(state), component_(state.variables(), kNone), value_(state.variables(), 0), room_(state.rows(), 0) {
    std::vector<Index> parent(state.variables());
    std::iota(parent.begin(), parent.end(), Index{0});
    const auto find = [&parent](Index v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (auto r = state.first_uncertain(); r < state.rows(); ++r) {
        if (!state.alive(r)) continue;
        for (const auto& t : state.terms(r)) parent[find(t.variable)] = find(state.terms(r).front().variable);
    }
    for (Index v = 0; v < state.variables(); ++v) value_[v] = state.start(v, 0);
    for (Index v = 0; v < state.variables(); ++v) {
        if (state.exists(v) || state.free(v)) continue;
        const auto top = find(v);
        if (component_[top] == kNone) {
            component_[top] = static_cast<Index>(members_.size());
            members_.emplace_back();
            rows_.emplace_back();
        }
        component_[v] = component_[top];
        members_[component_[v]].push_back(v);
    }
    for (auto r = state.first_uncertain(); r < state.rows(); ++r)
        if (state.alive(r) && !state.terms(r).empty()) rows_[component_[state.terms(r).front().variable]].push_back(r);
}

// The room that rows have with the variables before `from` decided and all others at their best.
void Legal::measure(Index component, Index from, std::vector<std::int64_t>& room) const {
    for (const auto r : rows_[component]) {
        room[r] = state_.right(r);
        for (const auto& t : state_.terms(r))
            room[r] -= t.variable < from ? t.coefficient * state_.lower(t.variable) : best(t.variable, t.coefficient);
    }
}

// Sets a variable (sign 1) or takes it back (-1); false if a row has no room left.
bool Legal::set(Index v, std::int64_t value, std::vector<std::int64_t>& room, int sign) const {
    bool kept = true;
    for (const auto& [row, coefficient] : state_.column(v)) {
        if (!state_.uncertain(row)) continue;
        room[row] -= sign * (coefficient * value - best(v, coefficient));
        kept = kept && room[row] >= 0;
    }
    return kept;
}

Index Legal::first_broken(Index component, const std::vector<std::int64_t>& room) const {
    for (const auto r : rows_[component])
        if (room[r] < 0) return r;
    return kNone;
}

bool Legal::allows(Index u, std::int64_t value, Control& control) {
    const auto c = component_[u];
    if (c == kNone) return true;
    bool same = value_[u] == value;
    for (const auto v : members_[c]) {
        if (v >= u) break;
        same = same && value_[v] == state_.lower(v);
    }
    if (same && complete(c, state_.variables(), control)) return true;  // the completion of last time
    measure(c, u, room_);
    if (!set(u, value, room_, 1)) return false;
    for (const auto v : members_[c]) {
        if (v < u) value_[v] = state_.lower(v);
    }
    value_[u] = value;
    return complete(c, u + 1, control);
}

const std::vector<std::int64_t>& Legal::completed(Index component, Control& control) {
    auto from = state_.variables();
    for (const auto v : members_[component]) {
        if (state_.decided_at(v) == kNone) {
            from = v;
            break;
        }
        value_[v] = state_.lower(v);
    }
    measure(component, from, room_);
    complete(component, from, control);
    return value_;
}

bool Legal::possible(Control& control) {
    for (auto r = state_.first_uncertain(); r < state_.rows(); ++r)
        if (state_.terms(r).empty() && state_.right(r) < 0) return false;
    for (Index c = 0; c < members_.size(); ++c) {
        measure(c, 0, room_);
        if (first_broken(c, room_) != kNone || !complete(c, 0, control)) return false;
    }
    return true;
}

// Looks for values of the members from `from` on, depth first; rows have the room `room_`. With nothing to look for,
// says whether the values found last keep all rows.
bool Legal::complete(Index component, Index from, Control& control) {
    const auto& all = members_[component];
    if (from == state_.variables()) {
        return std::all_of(rows_[component].begin(), rows_[component].end(), [&](Index r) {
            std::int64_t sum = 0;
            for (const auto& t : state_.terms(r)) sum += t.coefficient * value_[t.variable];
            return sum <= state_.right(r);
        });
    }
    const auto first = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), from) - all.begin());
    auto i = first;
    bool forward = true;
    for (;;) {
        if (forward && i == all.size()) return true;
        control.tick();
        const auto v = all[i];
        if (forward) {
            value_[v] = state_.start(v, 0);
        } else {
            set(v, value_[v], room_, -1);
            ++value_[v];
        }
        while (value_[v] <= state_.start(v, 1) && !set(v, value_[v], room_, 1)) {
            set(v, value_[v], room_, -1);
            ++value_[v];
        }
        forward = value_[v] <= state_.start(v, 1);
        if (forward) {
            ++i;
        } else {
            if (i == first) return false;
            --i;
        }
    }
}

Index Legal::broken(Index u, std::int64_t value) const {
    measure(component_[u], u, room_);
    set(u, value, room_, 1);
    return first_broken(component_[u], room_);
}

std::int64_t Legal::refute(Index u, std::int64_t value, StrategyGraph& graph, Control& control) {
    const auto c = component_[u];
    const auto& all = members_[c];
    measure(c, u, room_);
    set(u, value, room_, 1);
    struct Frame {
        Index variable;
        std::int64_t value;
        std::vector<StrategyGraph::Case> cases;
    };
    std::vector<Frame> stack;
    auto i = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), u + 1) - all.begin());
    stack.push_back({all[i], state_.start(all[i], 0), {}});
    for (;;) {
        control.tick();
        auto& top = stack.back();
        if (top.value > state_.start(top.variable, 1)) {
            const auto begin = graph.cases.size();
            graph.cases.insert(graph.cases.end(), top.cases.begin(), top.cases.end());
            graph.node.push_back({top.variable, false, begin, graph.cases.size(), StrategyGraph::kEnd});
            const auto node = static_cast<std::int64_t>(graph.node.size() - 1);
            stack.pop_back();
            if (stack.empty()) return node;
            auto& below = stack.back();
            below.cases.push_back({below.value, below.value, node, -1});
            set(below.variable, below.value, room_, -1);
            ++below.value;
            --i;
            continue;
        }
        if (!set(top.variable, top.value, room_, 1)) {
            const auto row = static_cast<std::int64_t>(first_broken(c, room_) - state_.first_uncertain());
            set(top.variable, top.value, room_, -1);
            if (!top.cases.empty() && top.cases.back().breaks == row) top.cases.back().upper = top.value;
            else top.cases.push_back({top.value, top.value, StrategyGraph::kEnd, row});
            ++top.value;
            continue;
        }
        ++i;
        stack.push_back({all[i], state_.start(all[i], 0), {}});
    }
}

}  // namespace zermelo::qip::learning
