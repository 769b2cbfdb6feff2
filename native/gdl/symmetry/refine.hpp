// Ordered partitions of the nodes of a rule graph, refined until nodes of one cell look alike from everywhere.
//
// Colour refinement by a worklist (Hopcroft 1971; for ordered partitions McKay, "Practical graph isomorphism", 1981).
// What happens depends on the graph and the order of cells only, never on the numbers of nodes: from two partitions
// that an automorphism turns into each other, the same cells come out at the same places, and the same trace. A sum of
// labels stands for the multiset of arcs into a cell; where two sums agree by accident a cell stays larger than it
// could be, which costs time and never makes a wrong symmetry, since each is compared with the graph in the end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/symmetry/rule_graph.hpp"
#include "zermelo/control.hpp"

namespace zermelo::gdl {

// A cell is named by the place of its first node.
struct Partition {
    std::vector<std::uint32_t> node;    // by place
    std::vector<std::uint32_t> place;   // of each node
    std::vector<std::uint32_t> cell;    // of each place
    std::vector<std::uint32_t> length;  // of each cell

    std::span<const std::uint32_t> members(std::uint32_t cell_at) const {
        return std::span(node).subspan(cell_at, length[cell_at]);
    }
    std::uint32_t cell_of(std::uint32_t v) const { return cell[place[v]]; }
};

class Refiner {
public:
    Refiner(const RuleGraph& graph, Control& control);

    // By colours, refined.
    Partition initial();
    // Puts one node of a cell before the others and refines; the trace of what happened.
    std::uint64_t single_out(Partition& partition, std::uint32_t node);

private:
    std::uint64_t refine(Partition& partition);
    void count_arcs(const Partition& partition, std::uint32_t from);
    void split(Partition& partition, std::uint32_t cell);
    void wait(std::uint32_t cell);

    const RuleGraph& graph_;
    Control& control_;
    std::uint64_t trace_ = 0;
    std::vector<std::uint32_t> waiting_;  // cells whose arcs have yet to be looked at
    std::vector<bool> waits_;
    std::vector<std::uint64_t> sum_;  // of each node: of the labels of arcs into the cell looked at
    std::vector<std::uint32_t> touched_cells_;
    std::vector<std::vector<std::uint32_t>> touched_;  // of each cell: nodes whose sum is not 0
    std::vector<std::uint32_t> parts_;
    std::uint64_t arcs_ = 0;  // looked at since the limits were
};

}  // namespace zermelo::gdl
