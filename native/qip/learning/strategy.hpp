// Records how exists wins while the search succeeds, from the leaves up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qip/learning/learn.hpp"

namespace zermelo::qip::learning {

class Recorder {
public:
    Recorder(bool wanted, std::uint64_t bytes) : recording_(wanted), bytes_(bytes) {}

    struct Mark {
        std::size_t node, value, cases;
    };
    // What comes after a mark is dropped when the search gives up the branch.
    Mark mark() const { return {graph_.node.size(), graph_.value.size(), graph_.cases.size()}; }
    void back_to(const Mark& mark) {
        graph_.node.resize(mark.node);
        graph_.value.resize(mark.value);
        graph_.cases.resize(mark.cases);
    }
    void start() {
        back_to({0, 0, 0});
        lost_ = false;
    }
    std::uint64_t size_in_bytes() const {
        return graph_.node.size() * sizeof(StrategyGraph::Node) + graph_.value.size() * 8 +
               graph_.cases.size() * sizeof(StrategyGraph::Case);
    }
    bool recording() const { return recording_ && !lost_; }

    std::int64_t choose(std::uint32_t at, std::span<const std::int64_t> values, std::int64_t then);
    std::int64_t branch(std::uint32_t at, std::span<const StrategyGraph::Case> cases);  // in any order; may overlap
    StrategyGraph& graph() { return graph_; }

    // The graph below the root with equal parts shared.
    StrategyGraph shared(std::int64_t root) const;

private:
    bool fits();

    bool recording_, lost_ = false;
    std::uint64_t bytes_;
    StrategyGraph graph_;
    std::vector<StrategyGraph::Case> sorted_;
};

// The largest value of a linear form (coefficients by variable) that the strategy leads to.
std::int64_t worst(const StrategyGraph& graph, const Program& program, std::uint32_t row);

}  // namespace zermelo::qip::learning
