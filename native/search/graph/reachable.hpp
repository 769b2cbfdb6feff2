// The positions reachable from a root, numbered breadth first, as an explicit graph in compressed rows.
//
// The index is open addressing over node numbers. A slot keeps 32 bits of the hash, which say where it belongs (so
// that growing never touches the positions) and spare most looks; the whole position decides. Successors of several
// positions are looked up together, so that their cache misses overlap.
// Mirror images stay apart: canon() need not map all images of a position to one, and then a legal move could lead
// out of the merged set.
//
//     Reachable<G> reachable(game);
//     if (reachable.explore(root, {.positions = 1'000'000}, control)) label_graph(reachable.graph(), control);
//     std::uint32_t node = reachable.find(state);            // or kNowhere
//     Proved proved = reachable.proved(known);               // after a stop: bounds on the root's value
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/graph/graph.hpp"
#include "search/graph/partial.hpp"
#include "zermelo/control.hpp"
#include "zermelo/game.hpp"
#include "zermelo/table.hpp"

namespace zermelo {

inline constexpr std::uint32_t kNowhere = 0xffffffffu;

// How much an enumeration may take before it gives up without failing.
struct Budget {
    std::uint64_t positions = std::uint64_t{1} << 31;  // what an index of 32-bit places holds with ease
    std::uint64_t edges = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t bytes = std::numeric_limits<std::int64_t>::max();
};

template <class G>
class Reachable {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;
    explicit Reachable(const G& game) : game_(game) {}

    // Replaces what was known by the positions reachable from root; says false, and forgets all, if they go beyond
    // the budget. Throws Stopped at a limit of the control; then proved() may be asked before all is forgotten.
    bool explore(const State& root, const Budget& budget, Control& control) {
        clear();
        budget_ = budget;
        try {
            run(root, control);
        } catch (const OverBudget&) {
            return forget(control), false;
        } catch (const Stopped&) {
            throw;
        } catch (...) {
            forget(control);
            throw;
        }
        return true;
    }

    // What can be proved of a root by looking at the positions near it, as many as the budget allows. settled(state)
    // may say the value of a position, which is then an end; `rest` bounds the values of all others.
    Proved glance(const State& root, const Budget& budget, std::function<std::optional<Score>(const State&)> settled,
                  const Bounds& rest) {
        clear();
        budget_ = budget;
        settled_ = std::move(settled);
        Control free;
        try {
            run(root, free);
        } catch (const OverBudget&) {
        }
        const auto proved = this->proved([](std::uint32_t) { return std::nullopt; }, rest);
        clear();
        settled_ = nullptr;
        return proved;
    }

    // Bounds on the root's value from the positions taken down so far. known(node) may say the value of a node, and
    // `rest` bounds the values of those not taken down. The index is given up first, which is more than the labels
    // take, and the graph is left cut: forget it.
    template <class KnownValue>
    Proved proved(KnownValue&& known, const Bounds& rest) {
        slots_ = {};
        auto rows = std::min(graph_.turn.size(), graph_.score.size());
        rows = std::min(rows, graph_.first_edge.empty() ? 0 : graph_.first_edge.size() - 1);
        while (rows && graph_.first_edge[rows] > graph_.target.size()) --rows;
        const bool endless = requires { game_.endless(); };
        return bounds_of_part(graph_, rows, endless, [&](std::uint32_t node) -> Bounds {
            if (node >= states_.size()) return {game_.worst(), game_.best()};
            if (const std::optional<Score> value = known(node)) return {*value, *value};
            if (const auto end = ending(states_[node]); end.over) return {end.score, end.score};
            return within(seen_bounds(game_, states_[node]), rest);
        });
    }

    std::uint32_t find(const State& state) const {
        if (slots_.empty()) return kNowhere;
        const auto tag = tag_of(state);
        for (auto at = place(tag);; at = next(at)) {
            if (slots_[at].node == kNowhere) return kNowhere;
            if (slots_[at].tag == tag && states_[slots_[at].node] == state) return slots_[at].node;
        }
    }
    const GraphData& graph() const { return graph_; }
    std::uint64_t bytes() const { return static_cast<std::uint64_t>(charged_); }
    void clear() {
        graph_ = {};
        states_ = {};
        slots_ = {};
        charged_ = 0;
    }
    void forget(Control& control) {
        control.charge(-charged_);
        clear();
    }

private:
    struct OverBudget {};
    struct Slot {
        std::uint32_t node = kNowhere;
        std::uint32_t tag = 0;
    };
    struct Child {
        State key;
        std::uint32_t tag;
    };
    static constexpr std::size_t kBatch = 16;  // positions whose successors are looked up together

    static std::uint32_t tag_of(const State& state) { return static_cast<std::uint32_t>(hash_bytes(state) >> 32); }
    std::size_t place(std::uint32_t tag) const { return tag & (slots_.size() - 1); }
    std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

    Ending ending(const State& state) const {
        if (settled_)
            if (const auto value = settled_(state)) return {true, *value};
        return game_.ending(state);
    }

    void run(const State& root, Control& control) {
        graph_.worst = narrow_score(game_.worst());
        graph_.best = narrow_score(game_.best());
        if constexpr (requires { game_.endless(); }) graph_.endless = narrow_score(game_.endless());
        append(graph_.first_edge, std::uint64_t{0}, control);
        resize_index(64, control);
        insert({root, tag_of(root)}, control);
        std::vector<Move> moves;
        std::vector<Child> children;
        for (std::size_t head = 0; head < states_.size();) {
            const auto stop = std::min(states_.size(), head + kBatch);
            children.clear();
            for (; head < stop; ++head) {
                control.tick();
                expand(states_[head], moves, children, control);
            }
            for (const auto& child : children)
                if (const auto node = slots_[place(child.tag)].node; node != kNowhere)
                    __builtin_prefetch(&states_[node]);
            for (const auto& child : children) append(graph_.target, insert(child, control), control);
            if (states_.size() > budget_.positions || graph_.target.size() > budget_.edges) throw OverBudget();
        }
    }

    // Takes down one position and what its moves lead to.
    void expand(const State& state, std::vector<Move>& moves, std::vector<Child>& children, Control& control) {
        const auto end = ending(state);
        append(graph_.turn, end.over ? GraphData::kOver : static_cast<std::uint8_t>(game_.turn(state)), control);
        append(graph_.score, end.over ? narrow_score(end.score) : 0, control);
        if (!end.over) {
            moves.clear();
            const auto meet = [&](const State& key) {
                children.push_back({key, tag_of(key)});
                __builtin_prefetch(&slots_[place(children.back().tag)]);
            };
            if constexpr (requires { game_.successors(state, moves, next_); }) {  // one indirect call, not one a move
                next_.clear();
                game_.successors(state, moves, next_);
                for (const auto& key : next_) meet(key);
            } else {
                game_.moves(state, moves);
                for (const auto move : moves) meet(game_.play(state, move));
            }
        }
        append(graph_.first_edge, static_cast<std::uint64_t>(graph_.target.size() + children.size()), control);
    }

    std::uint32_t insert(const Child& child, Control& control) {
        for (auto at = place(child.tag);; at = next(at)) {
            auto& slot = slots_[at];
            if (slot.node == kNowhere) {
                const auto node = static_cast<std::uint32_t>(states_.size());
                append(states_, child.key, control);
                slot = {node, child.tag};
                if (states_.size() * 3 > slots_.size() * 2) resize_index(slots_.size() * 2, control);
                return node;
            }
            if (slot.tag == child.tag && states_[slot.node] == child.key) return slot.node;
        }
    }

    void resize_index(std::size_t size, Control& control) {
        take(size * sizeof(Slot), control);
        std::vector<Slot> old(size);
        old.swap(slots_);
        for (const auto& slot : old) {
            if (slot.node == kNowhere) continue;
            auto at = place(slot.tag);
            while (slots_[at].node != kNowhere) at = next(at);
            slots_[at] = slot;
        }
        give_back(old.size() * sizeof(Slot), control);
    }

    // push_back that has its growth charged before it happens; old and new storage exist side by side for a moment.
    template <class T>
    void append(std::vector<T>& list, const T& value, Control& control) {
        if (list.size() == list.capacity()) {
            const auto before = list.capacity() * sizeof(T);
            const auto after = std::max<std::size_t>(64, list.capacity() + list.capacity() / 2);
            take(after * sizeof(T), control);
            list.reserve(after);
            give_back(before, control);
        }
        list.push_back(value);
    }
    void take(std::size_t more, Control& control) {
        if (bytes() + more > budget_.bytes) throw OverBudget();
        control.charge(static_cast<std::int64_t>(more));
        charged_ += static_cast<std::int64_t>(more);
    }
    void give_back(std::size_t less, Control& control) {
        control.charge(-static_cast<std::int64_t>(less));
        charged_ -= static_cast<std::int64_t>(less);
    }

    static std::int32_t narrow_score(Score score) {
        if (score < std::numeric_limits<std::int32_t>::min() || score > std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument("labels hold scores of 32 bits");
        return static_cast<std::int32_t>(score);
    }

    const G& game_;
    Budget budget_;
    std::function<std::optional<Score>(const State&)> settled_;  // during a glance
    GraphData graph_;
    std::vector<State> states_;
    std::vector<State> next_;  // of the position being expanded
    std::vector<Slot> slots_;
    std::int64_t charged_ = 0;
};

}  // namespace zermelo
