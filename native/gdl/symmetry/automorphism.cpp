#include "gdl/symmetry/automorphism.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "gdl/symmetry/refine.hpp"
#include "gdl/symmetry/rule_graph.hpp"

namespace zermelo::gdl {

namespace {

class Orbits {
public:
    explicit Orbits(std::uint32_t nodes) : parent_(nodes), size_(nodes, 1) {
        std::iota(parent_.begin(), parent_.end(), 0u);
    }

    std::uint32_t of(std::uint32_t v) {
        while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
        return v;
    }
    void join(std::uint32_t v, std::uint32_t w) {
        v = of(v), w = of(w);
        if (v == w) return;
        if (size_[v] < size_[w]) std::swap(v, w);
        parent_[w] = v;
        size_[v] += size_[w];
    }
    std::uint32_t size(std::uint32_t v) { return size_[of(v)]; }

private:
    std::vector<std::uint32_t> parent_, size_;
};

class Automorphisms {
public:
    Automorphisms(const RuleGraph& graph, const SymmetryParams& params, Control& control)
        : graph_(graph), params_(params), control_(control), refiner_(graph, control), orbits_(graph.nodes()) {}

    void run(SymmetryGroup& found) {
        make_base();
        bool all = true;
        for (auto level = fluent_levels_; level-- > 0;) {
            all = try_level(level, found) && all;
            found.orbits.push_back(orbits_.size(base_[level].chosen));
        }
        std::ranges::reverse(found.orbits);
        found.complete = all;
    }

private:
    struct Level {
        Partition before;
        std::uint32_t cell, chosen;
        std::uint64_t trace;  // of singling it out
    };

    // The smallest cell of several nodes among the fluents, or when they are all told apart, among the moves.
    std::optional<std::uint32_t> cell_to_choose_from(const Partition& partition) const {
        for (const auto& [first, last] :
             {std::pair{0u, graph_.fluents}, std::pair{graph_.fluents, graph_.fluents + graph_.moves}}) {
            std::optional<std::uint32_t> best;
            for (auto v = first; v < last; ++v) {
                const auto cell = partition.cell_of(v), length = partition.length[cell];
                if (length < 2) continue;
                if (!best || std::pair{length, cell} < std::pair{partition.length[*best], *best}) best = cell;
            }
            if (best) return best;
        }
        return std::nullopt;
    }

    void make_base() {
        leaf_ = refiner_.initial();
        while (const auto cell = cell_to_choose_from(leaf_)) {
            const auto chosen = std::ranges::min(leaf_.members(*cell));
            control_.charge(std::int64_t{4} * graph_.nodes() * static_cast<std::int64_t>(sizeof(std::uint32_t)));
            base_.push_back({leaf_, *cell, chosen, 0});
            base_.back().trace = refiner_.single_out(leaf_, chosen);
            if (chosen < graph_.fluents) fluent_levels_ = base_.size();
        }
    }

    // Says whether everything that might be an image of the chosen node was tried to the end.
    bool try_level(std::size_t level, SymmetryGroup& found) {
        const auto& [before, cell, chosen, trace] = base_[level];
        bool all = true;
        std::vector<std::uint32_t> candidates(before.members(cell).begin(), before.members(cell).end());
        std::ranges::sort(candidates);
        std::vector<std::uint32_t> refused;
        for (const auto candidate : candidates) {
            const auto orbit = orbits_.of(candidate);
            if (orbit == orbits_.of(chosen)) continue;
            if (std::ranges::any_of(refused, [&](std::uint32_t v) { return orbits_.of(v) == orbit; })) continue;
            const auto verdict = search(level, candidate, found);
            if (verdict == Verdict::found) continue;
            refused.push_back(candidate);
            all = all && verdict == Verdict::none;
        }
        return all;
    }

    enum class Verdict { found, none, given_up };

    // A symmetry that keeps the base before `level` and takes what was chosen there to `candidate`.
    Verdict search(std::size_t level, std::uint32_t candidate, SymmetryGroup& found) {
        struct Step {
            Partition partition;                    // in which an image of the next of the base is to be chosen
            std::vector<std::uint32_t> candidates;  // the best last
        };
        std::vector<Step> path;
        path.push_back({base_[level].before, {candidate}});
        for (std::uint32_t tried = 0; !path.empty();) {
            auto& [partition, candidates] = path.back();
            if (candidates.empty()) {
                path.pop_back();
                continue;
            }
            if (++tried > params_.most_tried) return Verdict::given_up;
            const auto& here = base_[level + path.size() - 1];
            const auto image = candidates.back();
            candidates.pop_back();
            auto after = partition;
            if (refiner_.single_out(after, image) != here.trace || !same_cells(after, level + path.size())) continue;
            if (level + path.size() == base_.size()) {
                if (accept(after, found)) return Verdict::found;
                continue;
            }
            const auto& next = base_[level + path.size()];
            const auto members = after.members(next.cell);
            Step step{Partition(), {members.begin(), members.end()}};
            std::ranges::sort(step.candidates, std::greater<>());
            // What can stay in its place does: symmetries that move little are found soonest and read best.
            if (const auto own = std::ranges::find(step.candidates, next.chosen); own != step.candidates.end())
                std::rotate(own, own + 1, step.candidates.end());
            step.partition = std::move(after);
            path.push_back(std::move(step));
        }
        return Verdict::none;
    }

    bool same_cells(const Partition& partition, std::size_t level) const {
        return partition.cell == (level < base_.size() ? base_[level].before : leaf_).cell;
    }

    bool accept(const Partition& turned, SymmetryGroup& found) {
        // Nodes that are still not told apart have no symmetry between them that moves fluents or moves: any will do,
        // or none.
        std::vector<std::uint32_t> image(graph_.nodes());
        for (std::uint32_t at = 0; at < graph_.nodes(); ++at) image[leaf_.node[at]] = turned.node[at];
        if (!is_automorphism(graph_, image)) return false;
        Symmetry symmetry{{image.begin(), image.begin() + graph_.fluents}, {}};
        for (std::uint32_t m = 0; m < graph_.moves; ++m)
            symmetry.move.push_back(image[graph_.fluents + m] - graph_.fluents);
        for (std::uint32_t v = 0; v < graph_.nodes(); ++v) orbits_.join(v, image[v]);
        found.generators.push_back(std::move(symmetry));
        return true;
    }

    const RuleGraph& graph_;
    const SymmetryParams& params_;
    Control& control_;
    Refiner refiner_;
    std::vector<Level> base_;
    std::size_t fluent_levels_ = 0;  // levels of the base where a fluent was chosen; they come first
    Partition leaf_;                 // at the end of the base
    Orbits orbits_;
};

void search_graph(const RuleGraph& graph, const SymmetryParams& params, Control& control, SymmetryGroup& found) {
    Automorphisms(graph, params, control).run(found);
}

double log_order(const SymmetryGroup& group) {
    double sum = 0;
    for (const auto orbit : group.orbits) sum += std::log2(static_cast<double>(orbit));
    return sum;
}

}  // namespace

SymmetryGroup find_symmetries(const GroundRules& rules, const SymmetryParams& params, Control& control) {
    SymmetryGroup by_rules, by_functions;
    try {
        search_graph(rule_graph(rules, {.keep_start = params.keep_start}, control), params, control, by_rules);
        const auto graph = rule_graph(rules, {.keep_start = params.keep_start, .goal_functions = true}, control);
        if (graph.goals) search_graph(graph, params, control, by_functions);
    } catch (const TooManyNodes&) {  // the goals stay as they are written
    } catch (const Stopped&) {
        if (control.cause() == Cause::asked) throw;
        by_rules.complete = by_functions.complete = false;
    }
    return log_order(by_functions) > log_order(by_rules) ? by_functions : by_rules;
}

}  // namespace zermelo::gdl
