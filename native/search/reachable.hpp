// The positions reachable from a root, numbered breadth first, as an explicit graph in compressed rows.
//
// The index is open addressing over node numbers; a slot's tag only saves looking, the whole position decides.
// With symmetry on, positions are merged with their mirror images: moves then lead to representatives.
//
//     Reachable<G> reachable(game, /*symmetry*/ true);
//     if (reachable.explore(root, {.positions = 1'000'000}, control)) label_graph(reachable.graph(), control);
//     std::uint32_t node = reachable.find(state);            // or kNowhere
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "games/graph.hpp"
#include "zermelo/control.hpp"
#include "zermelo/game.hpp"
#include "zermelo/table.hpp"

namespace zermelo {

inline constexpr std::uint32_t kNowhere = 0xffffffffu;

// How much an enumeration may take before it gives up without failing.
struct Budget {
    std::uint64_t positions = kNowhere - 1;
    std::uint64_t bytes = std::numeric_limits<std::int64_t>::max();
};

template <class G>
class Reachable {
    static_assert(SearchGame<G>);

public:
    using State = typename G::State;
    Reachable(const G& game, bool symmetry) : game_(game), symmetry_(symmetry) {}

    // Replaces what was known by the positions reachable from root; says false, and forgets all, if they go beyond
    // the budget. Throws Stopped at a limit of the control and forgets all then too.
    bool explore(const State& root, const Budget& budget, Control& control) {
        clear();
        budget_ = budget;
        try {
            run(root, control);
        } catch (const OverBudget&) {
            return forget(control), false;
        } catch (...) {
            forget(control);
            throw;
        }
        return true;
    }

    std::uint32_t find(const State& state) const {
        if (slots_.empty()) return kNowhere;
        const State key = canonical(game_, state, symmetry_);
        const auto hash = hash_bytes(key);
        for (auto at = place(hash);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].node == kNowhere) return kNowhere;
            if (slots_[at].tag == tag_of(hash) && states_[slots_[at].node] == key) return slots_[at].node;
        }
    }
    const GraphData& graph() const { return graph_; }
    std::uint64_t bytes() const { return static_cast<std::uint64_t>(charged_); }
    bool symmetry() const { return symmetry_; }
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
        std::uint64_t hash;
    };

    static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
    std::size_t place(std::uint64_t hash) const { return static_cast<std::size_t>(hash) & (slots_.size() - 1); }

    void run(const State& root, Control& control) {
        graph_.worst = narrow_score(game_.worst());
        graph_.best = narrow_score(game_.best());
        if constexpr (requires { game_.endless(); }) graph_.endless = narrow_score(game_.endless());
        append(graph_.first_edge, std::uint64_t{0}, control);
        resize_index(std::size_t{1} << 10, control);
        const State start = canonical(game_, root, symmetry_);
        insert({start, hash_bytes(start)}, control);
        std::vector<Move> moves;
        std::vector<Child> children;
        for (std::size_t node = 0; node < states_.size(); ++node) {
            control.tick();
            const State state = states_[node];
            const auto end = game_.ending(state);
            append(graph_.turn, end.over ? GraphData::kOver : static_cast<std::uint8_t>(game_.turn(state)), control);
            append(graph_.score, end.over ? narrow_score(end.score) : 0, control);
            if (!end.over) {
                moves.clear();
                children.clear();
                game_.moves(state, moves);
                // All hashes first, so that the index's cache misses overlap.
                for (const auto move : moves) {
                    const State key = canonical(game_, game_.play(state, move), symmetry_);
                    children.push_back({key, hash_bytes(key)});
                    __builtin_prefetch(&slots_[place(children.back().hash)]);
                }
                for (const auto& child : children) append(graph_.target, insert(child, control), control);
                if (states_.size() > budget_.positions) throw OverBudget();
            }
            append(graph_.first_edge, static_cast<std::uint64_t>(graph_.target.size()), control);
        }
    }

    std::uint32_t insert(const Child& child, Control& control) {
        for (auto at = place(child.hash);; at = (at + 1) & (slots_.size() - 1)) {
            auto& slot = slots_[at];
            if (slot.node == kNowhere) {
                const auto node = static_cast<std::uint32_t>(states_.size());
                append(states_, child.key, control);
                slot = {node, tag_of(child.hash)};
                if (states_.size() * 3 > slots_.size() * 2) resize_index(slots_.size() * 2, control);
                return node;
            }
            if (slot.tag == tag_of(child.hash) && states_[slot.node] == child.key) return slot.node;
        }
    }

    void resize_index(std::size_t size, Control& control) {
        take(size * sizeof(Slot), control);
        std::vector<Slot> old(size);
        old.swap(slots_);
        for (std::uint32_t node = 0; node < states_.size(); ++node) {
            const auto hash = hash_bytes(states_[node]);
            auto at = place(hash);
            while (slots_[at].node != kNowhere) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = {node, tag_of(hash)};
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
    bool symmetry_;
    Budget budget_;
    GraphData graph_;
    std::vector<State> states_;
    std::vector<Slot> slots_;
    std::int64_t charged_ = 0;
};

}  // namespace zermelo
