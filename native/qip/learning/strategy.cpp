#include "qip/learning/strategy.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace zermelo::qip::learning {

bool Recorder::fits() {
    if (!recording()) return false;
    lost_ = size_in_bytes() > bytes_;
    return !lost_;
}

std::int64_t Recorder::choose(std::uint32_t at, std::span<const std::int64_t> values, std::int64_t then) {
    if (!fits()) return StrategyGraph::kEnd;
    const auto first = graph_.value.size();
    graph_.value.insert(graph_.value.end(), values.begin(), values.end());
    graph_.node.push_back({at, true, first, graph_.value.size(), then});
    return static_cast<std::int64_t>(graph_.node.size() - 1);
}

std::int64_t Recorder::branch(std::uint32_t at, std::span<const StrategyGraph::Case> cases) {
    if (!fits()) return StrategyGraph::kEnd;
    sorted_.assign(cases.begin(), cases.end());
    std::sort(sorted_.begin(), sorted_.end(), [](const auto& a, const auto& b) { return a.lower < b.lower; });
    const auto first = graph_.cases.size();
    auto next = sorted_.front().lower;
    for (auto c : sorted_) {
        if (c.upper < next) continue;
        c.lower = next;
        next = c.upper + 1;
        if (graph_.cases.size() > first && graph_.cases.back().then == c.then && graph_.cases.back().breaks == c.breaks)
            graph_.cases.back().upper = c.upper;
        else graph_.cases.push_back(c);
    }
    if (graph_.cases.size() == first + 1 && graph_.cases.back().breaks < 0) {  // all values alike: nothing to ask
        const auto then = graph_.cases.back().then;
        graph_.cases.pop_back();
        return then;
    }
    graph_.node.push_back({at, false, first, graph_.cases.size(), StrategyGraph::kEnd});
    return static_cast<std::int64_t>(graph_.node.size() - 1);
}

namespace {

std::uint64_t mixed(std::uint64_t hash, std::int64_t word) {
    hash = (hash ^ static_cast<std::uint64_t>(word)) * 0x9e3779b97f4a7c15ull;
    return hash ^ (hash >> 29);
}

}  // namespace

StrategyGraph Recorder::shared(std::int64_t root) const {
    StrategyGraph out;
    if (root == StrategyGraph::kEnd) return out;
    std::vector<std::uint8_t> reached(graph_.node.size());
    reached[static_cast<std::size_t>(root)] = 1;
    const auto reach = [&reached](std::int64_t node) {
        if (node != StrategyGraph::kEnd) reached[static_cast<std::size_t>(node)] = 1;
    };
    for (auto n = static_cast<std::size_t>(root) + 1; n-- > 0;) {
        if (!reached[n]) continue;
        const auto& node = graph_.node[n];
        if (node.choose) reach(node.then);
        for (auto c = node.first; !node.choose && c < node.end; ++c) reach(graph_.cases[c].then);
    }
    std::vector<std::int64_t> place(graph_.node.size(), StrategyGraph::kEnd);
    const auto placed = [&place](std::int64_t node) {
        return node == StrategyGraph::kEnd ? node : place[static_cast<std::size_t>(node)];
    };
    std::unordered_multimap<std::uint64_t, std::size_t> known;
    for (std::size_t n = 0; n <= static_cast<std::size_t>(root); ++n) {
        if (!reached[n]) continue;
        auto node = graph_.node[n];
        auto hash = mixed(mixed(node.choose, node.at), placed(node.then));
        const auto value = out.value.size();
        const auto cases = out.cases.size();
        for (auto i = node.first; i < node.end; ++i) {
            if (node.choose) {
                out.value.push_back(graph_.value[i]);
                hash = mixed(hash, graph_.value[i]);
            } else {
                auto c = graph_.cases[i];
                c.then = placed(c.then);
                const bool joined =
                    out.cases.size() > cases && out.cases.back().then == c.then && out.cases.back().breaks == c.breaks;
                if (joined) out.cases.back().upper = c.upper;
                else out.cases.push_back(c);
            }
        }
        if (!node.choose && out.cases.size() == cases + 1 && out.cases.back().breaks < 0) {
            place[n] = out.cases.back().then;
            out.cases.pop_back();
            continue;
        }
        for (auto i = cases; i < out.cases.size(); ++i) {
            const auto& c = out.cases[i];
            hash = mixed(mixed(mixed(mixed(hash, c.lower), c.upper), c.then), c.breaks);
        }
        node.then = placed(node.then);
        node.first = node.choose ? value : cases;
        node.end = node.choose ? out.value.size() : out.cases.size();
        const auto same = [&](const StrategyGraph::Node& other) {
            if (other.at != node.at || other.choose != node.choose || other.then != node.then ||
                other.end - other.first != node.end - node.first)
                return false;
            for (std::uint64_t i = 0; i < node.end - node.first; ++i) {
                if (node.choose) {
                    if (out.value[other.first + i] != out.value[node.first + i]) return false;
                } else {
                    const auto &a = out.cases[other.first + i], &b = out.cases[node.first + i];
                    if (a.lower != b.lower || a.upper != b.upper || a.then != b.then || a.breaks != b.breaks)
                        return false;
                }
            }
            return true;
        };
        const auto [begin, end] = known.equal_range(hash);
        const auto found = std::find_if(begin, end, [&](const auto& entry) { return same(out.node[entry.second]); });
        if (found != end) {
            place[n] = static_cast<std::int64_t>(found->second);
            out.value.resize(value);
            out.cases.resize(cases);
            continue;
        }
        place[n] = static_cast<std::int64_t>(out.node.size());
        known.emplace(hash, out.node.size());
        out.node.push_back(node);
    }
    out.root = place[static_cast<std::size_t>(root)];
    return out;
}

std::int64_t worst(const StrategyGraph& graph, const Program& program, std::uint32_t row) {
    const auto n = program.variables();
    std::vector<std::int64_t> coefficient(n), most(n + std::size_t{1});  // most[v]: variables before v at their largest
    for (const auto& t : program.terms(row)) coefficient[t.variable] = t.coefficient;
    for (std::uint32_t v = 0; v < n; ++v)
        most[v + std::size_t{1}] =
            most[v] + std::max(coefficient[v] * program.lower[v], coefficient[v] * program.upper[v]);
    std::vector<std::int64_t> value(graph.node.size());
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();  // forall breaks his own rows
    const auto plus = [](std::int64_t a, std::int64_t b) { return b == kLeast ? kLeast : a + b; };
    // What follows a variable: any values up to where the node begins, then the node.
    const auto after = [&](std::uint32_t from, std::int64_t node) {
        if (node == StrategyGraph::kEnd) return most[n] - most[from];
        return plus(most[graph.node[static_cast<std::size_t>(node)].at] - most[from],
                    value[static_cast<std::size_t>(node)]);
    };
    for (std::size_t i = 0; i < graph.node.size(); ++i) {
        const auto& node = graph.node[i];
        if (node.choose) {
            std::int64_t sum = 0;
            auto v = node.at;
            for (auto k = node.first; k < node.end; ++v) {
                if (program.exists[v]) sum += coefficient[v] * graph.value[k++];
                else sum += most[v + std::size_t{1}] - most[v];
            }
            value[i] = plus(sum, after(v, node.then));
            continue;
        }
        value[i] = kLeast;
        for (auto k = node.first; k < node.end; ++k) {
            const auto& c = graph.cases[k];
            if (c.breaks >= 0) continue;
            const auto here = std::max(coefficient[node.at] * c.lower, coefficient[node.at] * c.upper);
            value[i] = std::max(value[i], plus(here, after(node.at + 1, c.then)));
        }
    }
    return after(0, graph.root);
}

}  // namespace zermelo::qip::learning
