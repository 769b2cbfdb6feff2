// Where a search stands in a network: values, what is still needed, what is alive; with undo.
//
// At any time the formula is equivalent to a conjunction (or, dually, a disjunction) of its *tops*. In conjunctive mode
// tops are OR gates that must come out true: "X and F" equals "X and F with X true", so to all other gates X counts as
// true at once. Requirements go down: an AND that must be true passes it to its inputs, an OR to its last undecided
// one; an existential literal that must be true is chosen, a universal one loses the game for exists. With a single top
// left the formula is that gate: the mode flips, and its inputs are what must be false for forall. This is propagation
// in both duals (Goultiaeva and Bacchus, "Exploiting QBF duality on a circuit representation", 2010) without a second
// solver. A node is alive while a top can be reached from it through undecided gates; variables without live literals
// are of no consequence, those with live literals of one sign are chosen by their owner ("pure").
//
// The residual formula is fixed by the set of live nodes and of tops: a live gate's other inputs are decided, and not
// in a way that decides it. So a hash over these two sets, kept up to date, is a hash of the residual.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "qbf/circuit/network.hpp"

namespace zermelo::qbf {

// Only to find a residual sooner: what is found is compared as a whole.
using Hash = std::uint64_t;

// A list with a known longest length: to append is one store, with no look at whether there is room.
class Trail {
public:
    explicit Trail(std::size_t longest) : items_(longest) {}
    void push(std::uint32_t item) { items_[size_++] = item; }
    void pop() { --size_; }
    void shrink(std::uint32_t size) { size_ = size; }
    void clear() { size_ = 0; }
    std::uint32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::uint32_t& operator[](std::uint32_t i) { return items_[i]; }
    std::uint32_t front() const { return items_[0]; }
    std::uint32_t back() const { return items_[size_ - 1]; }
    std::span<const std::uint32_t> from(std::uint32_t first) const {
        return std::span(items_).subspan(first, size_ - first);
    }

private:
    std::vector<std::uint32_t> items_;
    std::uint32_t size_ = 0;
};

class State {
public:
    explicit State(const Network& network);

    // All consequences of the formula itself.
    void begin();
    // A choice for a variable, and its consequences.
    void choose(std::uint32_t variable, bool value);
    // Forgets some tops, which share no live variable with the others: what is left is looked at on its own.
    void set_aside(std::span<const std::uint32_t> tops);

    std::optional<bool> result() const { return result_; }
    // Literals that the winner has to choose for result() to come true, beyond those on the trail.
    const std::vector<std::uint32_t>& last_literals() const { return last_; }

    // All that has happened is in lists that only grow; this is where they end.
    struct Mark {
        std::uint32_t values, deaths, dead_variables, tops, choices;
        bool mode;
        Hash hash;
    };
    Mark mark() const;
    void undo(const Mark& mark);
    // The choices since the first so many; a literal is twice the variable, plus one where false.
    std::span<const std::uint32_t> choices(std::uint32_t from) const { return choices_.from(from); }

    bool conjunctive() const { return mode_; }
    Hash hash() const { return hash_; }
    bool alive(std::uint32_t node) const { return node_[node].active; }
    // The live nodes and the tops, 32 to a word.
    std::span<const std::uint32_t> live_set() const { return live_set_; }
    std::span<const std::uint32_t> top_set() const { return top_set_; }
    bool top(std::uint32_t node) const { return node_[node].top; }
    // The tops, in no particular order.
    std::span<const std::uint32_t> tops() const { return top_list_.from(0); }
    bool alive_variable(std::uint32_t v) const {
        const auto& leaf = network_.variable[v].leaf;
        return (leaf[0] != Network::kNone && node_[leaf[0]].active) ||
               (leaf[1] != Network::kNone && node_[leaf[1]].active);
    }
    std::uint8_t value(std::uint32_t node) const { return node_[node].value; }
    // Users that are alive; and how many there can be.
    std::uint32_t uses(std::uint32_t node) const;
    std::uint32_t most_uses(std::uint32_t node) const {
        return static_cast<std::uint32_t>(network_.parents(node).size());
    }
    // Variables alive in a level, and in all levels of a quantifier.
    std::uint32_t alive_in_level(std::uint32_t level) const { return level_alive_[level]; }
    std::uint32_t alive_of(bool exists) const { return owner_alive_[exists]; }
    std::uint64_t events() const { return events_; }
    static std::uint64_t bytes(const Network& network);

    static constexpr std::uint8_t kUndecided = 2;

private:
    void set_value(std::uint32_t node, bool value);
    void leave(std::uint32_t node);
    void link_top(std::uint32_t node);
    void unlink_top(std::uint32_t node);
    void remove_top(std::uint32_t node);
    void assign(std::uint32_t variable, bool value);
    void require(std::uint32_t node);
    void require_last(std::uint32_t gate);
    void lose() { result_ = !mode_; }
    void run();
    void settle_values();
    void settle_value(std::uint32_t node);
    void settle_leave(std::uint32_t node);
    void flip();
    void choose_pure();
    void despair(std::uint32_t gate);
    void watch_inputs(std::uint32_t gate);
    void watch_other_input(std::uint32_t watch);
    void watch_another(std::uint32_t gate, std::uint32_t slot, std::uint32_t kept);
    void move_watch(std::uint32_t watch, std::uint32_t input);
    // Undecided, and not a literal that the side who wants the gate to fail will make fail.
    bool hopeful(std::uint32_t input, NodeKind gate) const {
        return node_[input].value == kUndecided && hopeless_[input] != gate;
    }
    bool owner(std::uint32_t variable) const { return network_.exists[network_.variable[variable].level]; }

    const Network& network_;
    // All that a step of propagation looks at, as small as it can be.
    struct Node {
        std::uint8_t value = kUndecided;
        bool active = true, top = false;
        NodeKind kind = NodeKind::leaf;
    };
    std::vector<Node> node_;
    std::vector<NodeKind> hopeless_;  // of a literal: the gates that its owner wants to fail by it
    // Watched, so that undoing costs nothing (Moskewicz and others, "Chaff", 2001): what is undecided or alive where
    // the search stands was so before. An undecided gate watches an undecided input (watch 2g), a top two of them (2g
    // and 2g + 1), one of them hopeful; gates that are decided or dead watch whatever they did. Lists of watches are
    // circular.
    std::vector<std::uint32_t> watched_, next_watch_, previous_watch_;
    // Each node that is alive and no top watches one of its users that is alive.
    std::vector<std::uint32_t> first_fed_, next_fed_, user_;  // user_: its place in Network::parent
    std::vector<std::uint32_t> level_alive_;
    std::uint32_t owner_alive_[2] = {0, 0};
    static void toggle(std::vector<std::uint32_t>& set, std::uint32_t node) {
        set[node / 32] ^= std::uint32_t{1} << (node % 32);
    }
    std::vector<std::uint32_t> live_set_, top_set_;
    std::vector<Hash> node_hash_;
    Hash hash_ = 0;
    // The trail. In tops_: twice the node, plus one where it was removed.
    // On the way to any position a node gets a value once, dies once, becomes a top once and is removed once.
    Trail values_, deaths_, dead_variables_, tops_, choices_;
    std::uint32_t next_value_ = 0, next_death_ = 0;  // the first ones whose consequences are not drawn
    Trail top_list_;
    std::vector<std::uint32_t> top_place_;
    bool mode_ = true;
    std::optional<bool> result_;
    std::vector<std::uint32_t> last_, pending_, required_;
    Trail pure_;  // each variable once for each of its literals
    std::uint64_t events_ = 0;
};

}  // namespace zermelo::qbf
