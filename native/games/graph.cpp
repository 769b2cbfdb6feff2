#include "search/graph/graph.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "bandit/game_lane.hpp"
#include "games/factories.hpp"
#include "search/bounded.hpp"
#include "search/graph/dp.hpp"
#include "search/engines.hpp"

namespace zermelo {

namespace {

// A named engine on opaque positions, for Deepening: a fresh search for each horizon.
template <class B>
class Indirect {
public:
    Indirect(const B& game, const SearchParams& params, std::string engine)
        : game_(std::make_shared<const B>(game)), params_(params), engine_(std::move(engine)) {}
    Outcome solve(const typename B::State& root, Control& control) {
        search_ = opaque_search_of(game_, root, engine_, params_);
        return search_->solve(control);
    }
    std::uint64_t table_bytes() const { return search_ ? search_->table_bytes() : 0; }

private:
    std::shared_ptr<const B> game_;
    SearchParams params_;
    std::string engine_;
    std::unique_ptr<Search> search_;
};

// Any engine on an explicit graph. An acyclic one is searched as it is, a cyclic one with ever longer horizons;
// strategies are read off the labels of the whole graph, which take linear time, cycles included.
class GraphSearch final : public Search {
public:
    GraphSearch(std::shared_ptr<const Graph> game, const Graph::State& root, std::string_view engine,
                const SearchParams& params)
        : game_(std::move(game)), root_(root), params_(params), engine_(engine), deepening_(*game_, params, engine_) {}

    Outcome solve(Control& control) override { return solve_from(root_, control); }
    Outcome solve_move(std::uint32_t index, Control& control) override {
        std::vector<Move> moves;
        game_->moves(root_, moves);
        return solve_from(game_->play(root_, moves.at(index)), control);
    }
    StrategyGraph strategy(int owner, Score bound, Control& control) override {
        if (!labels_) labels_ = label_graph(game_->data(), control);
        return strategy_from_labels(game_->data(), *labels_, root_.node, owner, bound, control);
    }
    std::uint64_t table_bytes() const override { return search_ ? search_->table_bytes() : deepening_.table_bytes(); }

private:
    Outcome solve_from(const Graph::State& state, Control& control) {
        if (!game_->acyclic()) return deepening_.solve(state, control);
        search_ = opaque_search_of(game_, state, engine_, params_);
        return search_->solve(control);
    }

    std::shared_ptr<const Graph> game_;
    Graph::State root_;
    SearchParams params_;
    std::string engine_;
    Deepening<Graph, Indirect> deepening_;
    std::unique_ptr<Search> search_;
    std::optional<Labels> labels_;
};

class GraphGame final : public GameOf<Graph, false> {
public:
    using GameOf::GameOf;
    std::unique_ptr<AnyGame> after(std::uint32_t index) const override {
        return std::make_unique<GraphGame>(game_, game_->play(state_, index));
    }
    std::unique_ptr<Search> search(std::string_view engine, const SearchParams& params) const override {
        if (engine == "dp") return std::make_unique<SearchOf<Graph, Dp<Graph>>>(game_, state_, params);
        if (engine == "uct") return std::make_unique<SearchOf<Graph, bandit::Uct<Graph>>>(game_, state_, params);
        return std::make_unique<GraphSearch>(game_, state_, engine, params);
    }
    std::unique_ptr<bandit::Lane> lane() const override {
        return std::make_unique<bandit::GameLane<Graph>>(game_, state_);
    }
};

}  // namespace

Graph::Graph(GraphData data, std::uint32_t start) : data_(std::move(data)), start_(start) {
    const auto nodes = data_.turn.size();
    if (data_.first_edge.size() != nodes + 1 || data_.score.size() != nodes || start >= nodes ||
        data_.first_edge.back() != data_.target.size())
        throw std::invalid_argument("graph arrays do not fit together");
    for (const auto target : data_.target)
        if (target >= nodes) throw std::invalid_argument("an edge leaves the graph");
    acyclic_ = find_acyclic();
    if (!acyclic_) {  // endless play is an outcome of its own
        data_.worst = std::min(data_.worst, data_.endless);
        data_.best = std::max(data_.best, data_.endless);
    }
    for (const auto turn : data_.turn) has_chance_ |= turn == GraphData::kChance;
}

// Kahn's algorithm: a graph is acyclic iff every node can be taken after all its predecessors.
bool Graph::find_acyclic() const {
    std::vector<std::uint32_t> waiting(data_.turn.size(), 0), ready;
    for (const auto target : data_.target) ++waiting[target];
    for (std::uint32_t node = 0; node < waiting.size(); ++node)
        if (!waiting[node]) ready.push_back(node);
    std::size_t taken = 0;
    while (!ready.empty()) {
        const auto node = ready.back();
        ready.pop_back();
        ++taken;
        for (auto e = data_.first_edge[node]; e < data_.first_edge[node + 1]; ++e)
            if (--waiting[data_.target[e]] == 0) ready.push_back(data_.target[e]);
    }
    return taken == waiting.size();
}

std::unique_ptr<AnyGame> make_graph(GraphData data, std::uint32_t start) {
    auto graph = std::make_shared<const Graph>(std::move(data), start);
    const auto first = graph->start();
    return std::make_unique<GraphGame>(std::move(graph), first);
}

}  // namespace zermelo
