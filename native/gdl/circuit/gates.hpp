// A factory of hash-consed gates that knows what the two-valued logic and the law of moves allow to leave out.
//
// The law of moves: in every step each role does exactly one of its moves. So two different moves of one role exclude
// each other, one of them makes the negation of all others redundant, and a large OR of a role's moves is the
// negation of the OR of all its other moves, whichever is smaller. ORs of one role's moves are sets of moves: they are
// united and intersected as such where that makes them small.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "gdl/circuit/circuit.hpp"

namespace zermelo::gdl {

class Gates {
public:
    // The law is about moves only; the gates' inputs are nodes 1..fluents + moves.
    Gates(std::uint32_t fluents, std::span<const std::uint32_t> first_move);

    Literal all(std::span<const Literal> inputs) { return make(Gate::all, inputs); }
    Literal any(std::span<const Literal> inputs) { return make(Gate::any, inputs); }

    // A gate whose inputs are given later: the way into a cycle. Never shared.
    Literal open(Gate kind);
    void close(Literal gate, std::span<const Literal> inputs);

    // The last step: many large sets of moves that are nearly the same become one of them without a few. Only `live`
    // gates count. No gate may be made afterwards.
    void share_sets_of_moves(const std::vector<bool>& live);

    std::uint32_t first_gate() const { return first_gate_; }
    std::size_t size() const { return gates_.size(); }
    Gate kind(std::uint32_t node) const { return gates_[node - first_gate_].kind; }
    std::span<const Literal> inputs(std::uint32_t node) const {
        const auto& gate = gates_[node - first_gate_];
        return std::span(inputs_).subspan(gate.first, gate.count);
    }

private:
    struct Entry {
        Gate kind;
        std::uint32_t first, count;
    };
    Literal make(Gate kind, std::span<const Literal> inputs);
    bool apply_law_of_moves(Gate kind, std::vector<Literal>& inputs);
    bool unite_sets_of_moves(Gate kind, std::vector<Literal>& inputs);
    std::uint32_t role_of_set(Literal literal) const;
    bool is_move(Literal literal) const {
        return node_of(literal) >= first_move_node_ && node_of(literal) < first_gate_;
    }
    Literal consed(Gate kind, std::span<const Literal> inputs);

    std::uint32_t first_move_node_, first_gate_;
    std::vector<std::uint32_t> first_move_;
    std::vector<std::uint32_t> role_of_move_;
    std::vector<Entry> gates_;
    std::vector<Literal> inputs_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> known_;  // hash -> node, compared in full
};

}  // namespace zermelo::gdl
