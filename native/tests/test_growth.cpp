// Graphs that grow where a question is decided agree with the labels of the whole graph.
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "search/growth.hpp"
#include "search/graph/labels.hpp"
#include "zermelo/random.hpp"

using namespace zermelo;

namespace {

constexpr std::int32_t kScores = 3, kEndless = 1;

GraphData random_graph(Random& random) {
    const auto nodes = 2 + random.below(60);
    const bool cyclic = random.below(2);
    GraphData graph;
    graph.best = kScores - 1;
    graph.endless = kEndless;
    graph.first_edge.push_back(0);
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const auto first = cyclic ? 0 : node + 1;
        const bool over = first == nodes || (node > 0 && random.below(5) == 0);
        graph.turn.push_back(over ? GraphData::kOver : static_cast<std::uint8_t>(random.below(2)));
        graph.score.push_back(over ? static_cast<std::int32_t>(random.below(kScores)) : 0);
        for (auto edges = over ? 0 : 1 + random.below(3); edges > 0; --edges)
            graph.target.push_back(first + random.below(nodes - first));
        graph.first_edge.push_back(graph.target.size());
    }
    return graph;
}

// The nodes of a growth are the nodes of a graph in the order in which they are met.
class Explorer {
public:
    explicit Explorer(const GraphData& graph) : graph_(graph), number_(graph.turn.size(), Growth::kNone) { meet(0); }
    Growth& growth() { return growth_; }
    void expand(std::uint32_t node) {
        std::vector<std::uint32_t> targets;
        for (const auto target : row_of(graph_, met_[node])) targets.push_back(meet(target));
        growth_.expand(node, graph_.turn[met_[node]], targets);
    }

private:
    std::uint32_t meet(std::uint32_t node) {
        if (number_[node] == Growth::kNone) {
            const bool over = graph_.turn[node] == GraphData::kOver;
            number_[node] = growth_.add(over ? static_cast<std::uint32_t>(graph_.score[node]) : Growth::kNoScore);
            met_.push_back(node);
        }
        return number_[node];
    }

    const GraphData& graph_;
    Growth growth_{2};
    std::vector<std::uint32_t> number_, met_;
};

std::int32_t value(const GraphData& graph) {
    Control control;
    return label_graph(graph, control).of[0].value;
}

void a_part_bounds_the_graph_and_an_answer_is_right() {
    Random random(11);
    const std::vector<std::int32_t> ranks{0, 1, 2};
    for (int round = 0; round < 3000; ++round) {
        testing::running_seed = static_cast<std::uint64_t>(round);
        const auto graph = random_graph(random);
        const auto exact = value(graph);
        Explorer explorer(graph);
        auto& growth = explorer.growth();
        if (!growth.open()) continue;
        while (growth.open()) {
            const auto above = static_cast<std::int32_t>(random.below(kScores - 1));
            const auto question = random.below(2);
            growth.ask(question, {0 > above, 1 > above, 2 > above});
            for (auto steps = 1 + random.below(8); steps > 0; --steps) {
                const auto node = growth.next(growth.answered());
                if (node == Growth::kNone) break;
                explorer.expand(node);
            }
            if (growth.answered()) CHECK((growth.answer(question) == Answer::yes) == (exact > above));
            CHECK(value(growth.part(ranks, 0, kEndless)) <= exact);
            CHECK(value(growth.part(ranks, kScores - 1, kEndless)) >= exact);
        }
        CHECK(value(growth.part(ranks, 0, kEndless)) == exact);
    }
    testing::running_seed.reset();
}

// A win in one move, beside it a chain without end in sight: the question is answered after a handful of positions.
void a_win_is_found_beside_a_long_corridor() {
    Growth growth(2);
    growth.add(Growth::kNoScore);
    growth.ask(0, {false, true});
    int expanded = 0;
    for (auto node = growth.next(); node != Growth::kNone; node = growth.next()) {
        CHECK(++expanded < 10);
        std::vector<std::uint32_t> targets{growth.add(Growth::kNoScore)};
        if (node == 0) targets.push_back(growth.add(1));
        growth.expand(node, 0, targets);
    }
    CHECK(growth.answer(0) == Answer::yes);
}

}  // namespace

int main() {
    a_part_bounds_the_graph_and_an_answer_is_right();
    a_win_is_found_beside_a_long_corridor();
}
