#include "gdl/bulk_program/exclusive.hpp"

#include <algorithm>
#include <map>

namespace zermelo::gdl::bulk {

namespace {

constexpr int kDepth = 8;                         // of gates that a proof looks into
constexpr std::size_t kProofEffort = 20'000;      // pairs of literals in one proof ...
constexpr std::size_t kWholeEffort = 20'000'000;  // ... and in all

class Prover {
public:
    explicit Prover(const Circuit& circuit) : circuit_(circuit), opaque_(circuit.nodes()) {
        for (const auto& block : circuit.blocks)
            if (block.cyclic) std::fill(opaque_.begin() + block.first, opaque_.begin() + block.last, true);
        for (std::uint32_t role = 0; role < circuit.roles(); ++role)
            role_.insert(role_.end(), circuit.first_move[role + 1] - circuit.first_move[role], role);
    }

    // Whether two fluents exclude each other next if they do now.
    bool stays(std::uint32_t f, std::uint32_t g) {
        if (spent_ > kWholeEffort) return false;
        first_ = 2 * circuit_.fluent_node(f);
        second_ = 2 * circuit_.fluent_node(g);
        left_ = kProofEffort;
        const bool proved = excludes(circuit_.next[f], circuit_.next[g], kDepth);
        spent_ += kProofEffort - left_;
        return proved;
    }

    // The other inputs of an AND under which a fluent stays as it is: what a group of fluents has in common.
    std::vector<Literal> frame(std::uint32_t f) const {
        const auto self = 2 * circuit_.fluent_node(f);
        const auto others = [&](Literal literal) {
            std::vector<Literal> rest;
            bool found = false;
            if (is(literal, Gate::all))
                each_input(literal, [&](Literal input) { input == self ? void(found = true) : rest.push_back(input); });
            if (!found) rest.clear();
            std::ranges::sort(rest);
            return rest;
        };
        auto rest = others(circuit_.next[f]);
        if (rest.empty() && is(circuit_.next[f], Gate::any))
            each_input(circuit_.next[f], [&](Literal input) {
                if (rest.empty()) rest = others(input);
            });
        return rest;
    }

private:
    bool is_gate(Literal literal) const {
        return node_of(literal) >= circuit_.first_gate() && !opaque_[node_of(literal)];
    }
    // An AND (all) or an OR (any), negation moved to the inputs.
    bool is(Literal literal, Gate kind) const {
        return is_gate(literal) &&
               (circuit_.gate[node_of(literal) - circuit_.first_gate()] == kind) != negated(literal);
    }
    template <class Visit>
    void each_input(Literal literal, Visit&& visit) const {
        for (const auto input : circuit_.inputs(node_of(literal))) visit(input ^ (literal & 1));
    }
    template <class Test>
    bool all_inputs(Literal literal, Test&& test) const {
        return std::ranges::all_of(circuit_.inputs(node_of(literal)),
                                   [&](Literal input) { return test(input ^ (literal & 1)); });
    }
    template <class Test>
    bool some_input(Literal literal, Test&& test) const {
        return std::ranges::any_of(circuit_.inputs(node_of(literal)),
                                   [&](Literal input) { return test(input ^ (literal & 1)); });
    }

    bool atoms_exclude(Literal x, Literal y) const {
        if (x == kFalse || y == kFalse || x == negate(y)) return true;
        if ((x == first_ && y == second_) || (x == second_ && y == first_)) return true;
        const auto move = [&](Literal literal) {
            const auto node = node_of(literal);
            return !negated(literal) && node > circuit_.fluents && node < circuit_.first_gate();
        };
        const auto role = [&](Literal literal) { return role_[node_of(literal) - circuit_.move_node(0)]; };
        return move(x) && move(y) && x != y && role(x) == role(y);
    }

    // The depth is bounded, so that this does not recur as deep as circuits are.
    bool excludes(Literal x, Literal y, int depth) {
        if (left_ == 0) return false;
        --left_;
        if (atoms_exclude(x, y)) return true;
        if (depth == 0) return false;
        if (is(x, Gate::any)) return all_inputs(x, [&](Literal input) { return excludes(input, y, depth - 1); });
        if (is(y, Gate::any)) return all_inputs(y, [&](Literal input) { return excludes(x, input, depth - 1); });
        if (is(x, Gate::all) && some_input(x, [&](Literal input) { return excludes(input, y, depth - 1); }))
            return true;
        return is(y, Gate::all) && some_input(y, [&](Literal input) { return excludes(x, input, depth - 1); });
    }

    const Circuit& circuit_;
    std::vector<bool> opaque_;         // gates of cyclic blocks
    std::vector<std::uint32_t> role_;  // of each move
    Literal first_ = 0, second_ = 0;
    std::size_t left_ = 0, spent_ = 0;
};

}  // namespace

std::vector<std::uint32_t> find_exclusive(const Circuit& circuit) {
    Prover prover(circuit);
    std::map<std::vector<Literal>, std::vector<std::uint32_t>> alike;
    for (std::uint32_t f = 0; f < circuit.fluents; ++f)
        if (auto frame = prover.frame(f); !frame.empty()) alike[std::move(frame)].push_back(f);
    std::vector<std::uint32_t> group(circuit.fluents, kNoGroup);
    std::uint32_t groups = 0;
    for (const auto& [frame, fluents] : alike) {
        std::vector<std::vector<std::uint32_t>> cliques;
        for (const auto f : fluents) {
            const auto fits = [&](const std::vector<std::uint32_t>& clique) {
                return std::ranges::all_of(clique, [&](std::uint32_t g) { return prover.stays(f, g); });
            };
            const auto clique = std::ranges::find_if(cliques, fits);
            if (clique != cliques.end()) clique->push_back(f);
            else if (cliques.size() < 4) cliques.push_back({f});
        }
        for (const auto& clique : cliques) {
            const auto held =
                std::ranges::count_if(clique, [&](std::uint32_t f) { return circuit.start[f / 64] >> (f % 64) & 1; });
            if (clique.size() < 2 || held > 1) continue;
            for (const auto f : clique) group[f] = groups;
            ++groups;
        }
    }
    return group;
}

}  // namespace zermelo::gdl::bulk
