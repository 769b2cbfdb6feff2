// Where a search stands in a network: values, what is still needed, what is alive; with undo.
//
// At any time the formula is equivalent to a conjunction (or, dually, a disjunction) of its *tops*. In conjunctive mode
// tops are OR gates that must come out true: "X and F" equals "X and F with X true", so to all other gates X counts as true
// at once. Requirements go down: an AND that must be true passes it to its inputs, an OR to its last undecided one; an
// existential literal that must be true is chosen, a universal one loses the game for exists. With a single top left the
// formula is that gate: the mode flips, and its inputs are what must be false for forall. This is propagation in both
// duals (Goultiaeva and Bacchus, "Exploiting QBF duality on a circuit representation", 2010) without a second solver.
// A node is alive while a top can be reached from it through undecided gates; variables without live literals are of
// no consequence, those with live literals of one sign are chosen by their owner ("pure").
//
// The residual formula is fixed by the set of live nodes and of tops: a live gate's other inputs are decided, and not in a
// way that decides it. So a hash over these two sets, kept up to date, is a hash of the residual.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "qbf/network.hpp"

namespace zermelo::qbf {

struct Hash {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Hash&) const = default;
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

    std::uint64_t mark() const { return trail_.size(); }
    void undo(std::uint64_t mark);
    // Calls visit(literal) for each variable chosen since a mark; a literal is twice the variable, plus one where false.
    template <class Visit>
    void chosen_since(std::uint64_t mark, Visit visit) const {
        for (auto i = mark; i < trail_.size(); ++i)
            if ((trail_[i] & 7) == kChoice) visit(static_cast<std::uint32_t>(trail_[i] >> 3));
    }

    bool conjunctive() const { return mode_; }
    Hash hash() const { return hash_; }
    bool alive(std::uint32_t node) const { return node_[node].active; }
    bool top(std::uint32_t node) const { return node_[node].top; }
    // The tops, in no particular order.
    void list_tops(std::vector<std::uint32_t>& tops) const { tops.assign(top_list_.begin(), top_list_.end()); }
    bool alive_variable(std::uint32_t v) const {
        const auto& leaf = network_.variable[v].leaf;
        return (leaf[0] != Network::kNone && node_[leaf[0]].active) || (leaf[1] != Network::kNone && node_[leaf[1]].active);
    }
    std::uint8_t value(std::uint32_t node) const { return node_[node].value; }
    std::uint32_t uses(std::uint32_t node) const { return node_[node].live; }
    // Variables alive in a level, and in all levels of a quantifier.
    std::uint32_t alive_in_level(std::uint32_t level) const { return level_alive_[level]; }
    std::uint32_t alive_of(bool exists) const { return owner_alive_[exists]; }
    std::uint64_t events() const { return events_; }
    static std::uint64_t bytes(const Network& network);

    static constexpr std::uint8_t kUndecided = 2;

private:
    enum Event : std::uint64_t { kValue, kLeave, kTop, kUntop, kFlip, kChoice };

    void push(Event event, std::uint32_t node) { trail_.push_back(std::uint64_t{node} << 3 | event); }
    void set_value(std::uint32_t node, bool value);
    void leave(std::uint32_t node);
    void link_top(std::uint32_t node);
    void unlink_top(std::uint32_t node);
    void add_top(std::uint32_t node);
    void remove_top(std::uint32_t node);
    void assign(std::uint32_t variable, bool value);
    void require(std::uint32_t node);
    void require_last(std::uint32_t gate);
    void lose() { result_ = !mode_; }
    void run();
    void settle_value(std::uint32_t node);
    void settle_leave(std::uint32_t node);
    void flip();
    void choose_pure();
    void despair(std::uint32_t gate);
    void narrow(std::uint32_t gate);
    bool owner(std::uint32_t variable) const { return network_.exists[network_.variable[variable].level]; }

    const Network& network_;
    // All that a step of propagation looks at, side by side.
    struct Node {
        std::uint8_t value = kUndecided;
        bool active = true, gone = false, top = false;  // gone: its death has been passed on
        NodeKind kind = NodeKind::leaf;
        NodeKind hopeless = NodeKind::leaf;  // of a literal: the gates that its owner wants to fail by it
        std::uint32_t undecided = 0;         // inputs
        std::uint32_t live = 0;              // users that are alive
        std::uint32_t hope = 0;              // undecided inputs, but for literals of the side that wants the gate to fail
    };
    std::vector<Node> node_;
    std::vector<std::uint32_t> level_alive_;
    std::uint32_t owner_alive_[2] = {0, 0};
    std::vector<Hash> node_hash_, top_hash_;
    Hash hash_;
    std::vector<std::uint64_t> trail_;
    std::uint64_t next_ = 0;  // the first event on the trail whose consequences are not drawn
    std::vector<std::uint32_t> top_list_, top_place_;
    bool mode_ = true;
    std::optional<bool> result_;
    std::vector<std::uint32_t> last_, pending_, pure_;
    std::uint64_t events_ = 0;
};

}  // namespace zermelo::qbf
