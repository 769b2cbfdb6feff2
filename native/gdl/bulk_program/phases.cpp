#include "gdl/bulk_program/phases.hpp"

#include <algorithm>
#include <numeric>

#include "gdl/datalog/components.hpp"
#include "gdl/circuit/gates.hpp"
#include "zermelo/heed.hpp"

namespace zermelo::gdl::bulk {

namespace {

constexpr std::uint8_t turned(std::uint8_t maybe) { return static_cast<std::uint8_t>((maybe & 1) << 1 | maybe >> 1); }

constexpr std::size_t kLongestPeriod = 12;
constexpr std::size_t kObserved = 3 * kLongestPeriod;  // steps looked at to guess the period
constexpr std::size_t kEffort = 100'000'000;           // literals looked at, so that large circuits start in time

// The circuit in three-valued logic.
class Abstract {
public:
    explicit Abstract(const Circuit& circuit)
        : circuit_(circuit), node_(circuit.nodes(), kEither), sees_moves_(circuit.nodes()) {
        node_[0] = kMaybeFalse;
        for (std::uint32_t m = 0; m < circuit.moves; ++m) sees_moves_[circuit.move_node(m)] = true;
        for (const auto& block : circuit.blocks) {
            bool inside = false;
            for (auto node = block.first; node < block.last; ++node) {
                bool sees = false;
                for (const auto input : circuit.inputs(node)) sees = sees || sees_moves_[node_of(input)];
                sees_moves_[node] = sees;
                inside = inside || sees;
            }
            if (block.cyclic && inside)
                std::fill(sees_moves_.begin() + block.first, sees_moves_.begin() + block.last, true);
        }
    }

    // All nodes, from what is known of the fluents; moves that cannot be legal are not done.
    void evaluate(const Known& known) {
        std::ranges::copy(known, node_.begin() + 1);
        sweep(false);
        for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
            std::uint32_t possible = 0, last = 0;
            for (auto m = circuit_.first_move[role]; m < circuit_.first_move[role + 1]; ++m) {
                const bool legal = value(circuit_.legal[m]) & kMaybeTrue;
                node_[circuit_.move_node(m)] = legal ? kEither : kMaybeFalse;
                if (legal) ++possible, last = m;
            }
            if (possible == 1) node_[circuit_.move_node(last)] = kMaybeTrue;
        }
        sweep(true);
    }
    std::uint8_t value(Literal literal) const {
        const auto maybe = node_[node_of(literal)];
        return negated(literal) ? turned(maybe) : maybe;
    }
    std::size_t open() const {
        std::size_t count = 0;
        for (auto node = circuit_.first_gate(); node < circuit_.nodes(); ++node)
            if (node_[node] == kEither)
                for (const auto input : circuit_.inputs(node)) count += node_[node_of(input)] == kEither;
        return count;
    }
    Known next() const {
        Known known(circuit_.fluents);
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f) known[f] = value(circuit_.next[f]);
        return known;
    }

private:
    std::uint8_t of_gate(std::uint32_t node) const {
        heed();
        // AND is as true as its least true input, OR as its most true one.
        std::uint8_t least = kMaybeTrue, most = kMaybeFalse;
        for (const auto input : circuit_.inputs(node)) {
            const auto maybe = value(input);
            least = static_cast<std::uint8_t>((least & maybe & kMaybeTrue) | ((least | maybe) & kMaybeFalse));
            most = static_cast<std::uint8_t>(((most | maybe) & kMaybeTrue) | (most & maybe & kMaybeFalse));
        }
        return circuit_.gate[node - circuit_.first_gate()] == Gate::all ? least : most;
    }

    void sweep(bool with_moves) {
        for (const auto& block : circuit_.blocks) {
            if (!block.cyclic) {
                for (auto node = block.first; node < block.last; ++node)
                    if (sees_moves_[node] == with_moves) node_[node] = of_gate(node);
            } else if (sees_moves_[block.first] == with_moves) {
                // From false, both bounds of the least fixpoint rise together: a gate gains kMaybeTrue when it may be
                // true, and loses kMaybeFalse when it must be.
                std::fill(node_.begin() + block.first, node_.begin() + block.last, std::uint8_t{kMaybeFalse});
                for (bool changed = true; changed;) {
                    changed = false;
                    for (auto node = block.first; node < block.last; ++node)
                        if (const auto maybe = of_gate(node); maybe != node_[node]) node_[node] = maybe, changed = true;
                }
            }
        }
    }

    const Circuit& circuit_;
    std::vector<std::uint8_t> node_;
    std::vector<bool> sees_moves_;
};

Known start_of(const Circuit& circuit) {
    Known known(circuit.fluents);
    for (std::uint32_t f = 0; f < circuit.fluents; ++f)
        known[f] = circuit.start[f / 64] >> (f % 64) & 1 ? kMaybeTrue : kMaybeFalse;
    return known;
}

// The least common multiple of the periods of fluents that are known in all observed steps and do change.
std::size_t common_period(const std::vector<Known>& steps) {
    std::size_t period = 1;
    for (std::size_t f = 0; f < steps[0].size(); ++f) {
        const auto repeats = [&](std::size_t p) {
            for (std::size_t t = p; t < steps.size(); ++t)
                if (steps[t][f] != steps[t - p][f]) return false;
            return true;
        };
        if (!std::ranges::all_of(steps, [&](const Known& known) { return known[f] != kEither; }) || repeats(1))
            continue;
        for (std::size_t p = 2; p <= kLongestPeriod; ++p)
            if (repeats(p)) {
                if (const auto both = std::lcm(period, p); both <= kLongestPeriod) period = both;
                break;
            }
    }
    return period;
}

}  // namespace

bool agrees(const Known& known, std::span<const std::uint64_t> state) {
    for (std::size_t f = 0; f < known.size(); ++f)
        if (!(known[f] & (state[f / 64] >> (f % 64) & 1 ? kMaybeTrue : kMaybeFalse))) return false;
    return true;
}

Phases no_phases(const Circuit& circuit) { return {{Known(circuit.fluents, kEither)}, {circuit.input.size()}, 0}; }

Phases find_phases(const Circuit& circuit) {
    Abstract abstract(circuit);
    std::vector<Known> steps{start_of(circuit)};
    const auto cost = circuit.input.size() + circuit.fluents + 1;
    if (kObserved * cost > kEffort) return no_phases(circuit);
    while (steps.size() < kObserved) {
        abstract.evaluate(steps.back());
        steps.push_back(abstract.next());
    }
    const auto period = common_period(steps);
    Phases phases{std::vector<Known>(period, Known(circuit.fluents, kUnreached)), std::vector<std::size_t>(period), 0};
    phases.known[0] = steps[0];
    // Round and round until one whole round has taught nothing new.
    std::size_t effort = 0, unchanged = 0;
    for (std::size_t phase = 0; unchanged < period; phase = (phase + 1) % period) {
        if ((effort += cost) > kEffort) return no_phases(circuit);
        abstract.evaluate(phases.known[phase]);
        phases.open[phase] = abstract.open();
        auto& then = phases.known[(phase + 1) % period];
        const auto next = abstract.next();
        bool changed = false;
        for (std::size_t f = 0; f < then.size(); ++f) {
            const auto joined = static_cast<std::uint8_t>(then[f] | next[f]);
            changed = changed || joined != then[f];
            then[f] = joined;
        }
        unchanged = changed ? 0 : unchanged + 1;
    }
    return phases;
}

Phases unroll(const Circuit& circuit, std::size_t most_steps) {
    Abstract abstract(circuit);
    Phases phases{{start_of(circuit)}, {}, 0};
    const auto cost = circuit.input.size() + circuit.fluents + 1;
    for (std::size_t effort = 0; phases.known.size() <= most_steps && effort <= kEffort; effort += cost) {
        abstract.evaluate(phases.known.back());
        phases.open.push_back(abstract.open());
        phases.back = phases.known.size();
        if (abstract.value(circuit.terminal) == kMaybeTrue) return phases;
        auto next = abstract.next();
        for (std::size_t period = 1; period <= std::min(kLongestPeriod, phases.known.size()); ++period)
            if (phases.known[phases.known.size() - period] == next) {
                phases.back = phases.known.size() - period;
                return phases;
            }
        phases.known.push_back(std::move(next));
    }
    return {};
}

namespace {

class Specialiser {
public:
    Specialiser(const Circuit& circuit, const Known& known) : old_(circuit), abstract_(circuit) {
        abstract_.evaluate(known);
        name_moves();
    }

    Special run() {
        mark_needed();
        Gates gates(old_.fluents, special_.circuit.first_move);
        literal_.assign(old_.nodes(), kFalse);
        for (std::uint32_t f = 0; f < old_.fluents; ++f)
            literal_[old_.fluent_node(f)] = constant_or(2 * old_.fluent_node(f), 2 * old_.fluent_node(f));
        for (std::uint32_t m = 0; m < old_.moves; ++m) literal_[old_.move_node(m)] = special_.does[m];
        for (const auto& block : old_.blocks) block.cyclic ? build_cycle(gates, block) : build(gates, block);
        number(gates);
        return std::move(special_);
    }

private:
    Literal constant_or(Literal literal, Literal otherwise) const {
        const auto maybe = abstract_.value(literal);
        return maybe == kMaybeTrue ? kTrue : maybe == kMaybeFalse ? kFalse : otherwise;
    }
    bool constant(std::uint32_t node) const { return abstract_.value(2 * node) != kEither; }
    Literal mapped(Literal literal) const { return literal_[node_of(literal)] ^ (literal & 1); }

    // Keeps the moves among which a role has a choice.
    void name_moves() {
        auto& circuit = special_.circuit;
        circuit.fluents = old_.fluents;
        circuit.start = old_.start;
        special_.does.assign(old_.moves, kFalse);
        for (std::uint32_t role = 0; role < old_.roles(); ++role) {
            std::vector<std::uint32_t> possible;
            for (auto m = old_.first_move[role]; m < old_.first_move[role + 1]; ++m)
                if (abstract_.value(old_.legal[m]) & kMaybeTrue) possible.push_back(m);
            if (possible.empty()) {
                special_.required.push_back(kFalse);
            } else if (possible.size() == 1) {
                special_.does[possible[0]] = kTrue;
                if (abstract_.value(old_.legal[possible[0]]) != kMaybeTrue)
                    special_.required.push_back(old_.legal[possible[0]]);
            } else {
                for (const auto m : possible) {
                    special_.does[m] = 2 * (1 + old_.fluents + static_cast<std::uint32_t>(special_.move.size()));
                    special_.move.push_back(m);
                }
            }
            circuit.first_move.push_back(static_cast<std::uint32_t>(special_.move.size()));
        }
        circuit.moves = static_cast<std::uint32_t>(special_.move.size());
    }

    void mark_needed() {
        needed_.assign(old_.nodes(), false);
        const auto need = [&](Literal literal) {
            if (!constant(node_of(literal))) needed_[node_of(literal)] = true;
        };
        for (const auto m : special_.move) need(old_.legal[m]);
        for (const auto literal : special_.required) need(literal);
        for (const auto literal : old_.next) need(literal);
        for (const auto& goal : old_.goals) need(goal.when);
        need(old_.terminal);
        for (auto block = old_.blocks.rbegin(); block != old_.blocks.rend(); ++block) {
            for (bool again = true; again;) {  // inside a cycle inputs may come later
                again = false;
                for (auto node = block->last; node-- > block->first;) {
                    if (!needed_[node]) continue;
                    for (const auto input : old_.inputs(node))
                        if (!needed_[node_of(input)] && !constant(node_of(input))) {
                            needed_[node_of(input)] = true;
                            again = again || (block->cyclic && node_of(input) >= block->first);
                        }
                }
            }
        }
    }

    void build(Gates& gates, const Block& block) {
        std::vector<Literal> inputs;
        for (auto node = block.first; node < block.last; ++node) {
            if (constant(node)) literal_[node] = constant_or(2 * node, kFalse);
            else if (needed_[node]) {
                inputs.clear();
                for (const auto input : old_.inputs(node)) inputs.push_back(mapped(input));
                literal_[node] =
                    old_.gate[node - old_.first_gate()] == Gate::all ? gates.all(inputs) : gates.any(inputs);
            }
        }
    }

    void build_cycle(Gates& gates, const Block& block) {
        for (auto node = block.first; node < block.last; ++node) {
            if (constant(node)) literal_[node] = constant_or(2 * node, kFalse);
            else if (needed_[node]) literal_[node] = gates.open(old_.gate[node - old_.first_gate()]);
        }
        std::vector<Literal> inputs;
        for (auto node = block.first; node < block.last; ++node) {
            if (constant(node) || !needed_[node]) continue;
            const Literal neutral = old_.gate[node - old_.first_gate()] == Gate::any ? kFalse : kTrue;
            inputs.clear();
            for (const auto input : old_.inputs(node))
                if (mapped(input) != neutral) inputs.push_back(mapped(input));
            std::ranges::sort(inputs);
            inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
            if (inputs.empty()) inputs.push_back(neutral);
            gates.close(literal_[node], inputs);
        }
    }

    // Numbers what the outputs rest on and puts a gate of one use into its user where both are of the same kind.
    void number(const Gates& gates) {
        auto& circuit = special_.circuit;
        for (const auto m : special_.move) circuit.legal.push_back(mapped(old_.legal[m]));
        for (auto& literal : special_.required) literal = mapped(literal);
        for (const auto literal : old_.next) circuit.next.push_back(mapped(literal));
        for (const auto& goal : old_.goals) circuit.goals.push_back({goal.role, goal.value, mapped(goal.when)});
        circuit.terminal = mapped(old_.terminal);

        const auto first = circuit.first_gate();
        const auto gate_count = static_cast<std::uint32_t>(gates.size());
        std::vector<std::uint32_t> roots, uses(gate_count, 0);
        const auto root = [&](Literal literal) {
            if (node_of(literal) >= first)
                roots.push_back(node_of(literal) - first), uses[node_of(literal) - first] = 2;
        };
        for (const auto literal : circuit.legal) root(literal);
        for (const auto literal : special_.required) root(literal);
        root(circuit.terminal);
        for (const auto literal : circuit.next) root(literal);
        for (const auto& goal : circuit.goals) root(goal.when);

        struct Part {
            std::vector<std::uint32_t> gates;
            bool cyclic;
        };
        std::vector<Part> parts;
        components(
            gate_count, roots,
            [&](std::uint32_t index, auto&& visit) {
                for (const auto input : gates.inputs(first + index))
                    if (node_of(input) >= first) ++uses[node_of(input) - first], visit(node_of(input) - first);
            },
            [&](std::span<const std::uint32_t> part, bool cyclic) {
                if (cyclic)
                    for (const auto index : part) uses[index] = 2;  // stays
                if (cyclic || parts.empty() || parts.back().cyclic)
                    parts.push_back({{part.begin(), part.end()}, cyclic});
                else parts.back().gates.push_back(part[0]);
            });

        std::vector<std::vector<Literal>> inputs(gate_count);
        for (const auto& part : parts)
            for (const auto index : part.gates) {
                heed();
                const auto kind = gates.kind(first + index);
                auto& mine = inputs[index];
                for (const auto input : gates.inputs(first + index)) {
                    const auto node = node_of(input);
                    const auto inner = node >= first ? node - first : 0;
                    if (part.cyclic || node < first || uses[inner] != 1 ||
                        (gates.kind(node) == kind) == negated(input)) {
                        mine.push_back(input);
                        continue;
                    }
                    for (const auto literal : inputs[inner]) mine.push_back(literal ^ (input & 1));
                    inputs[inner].clear();  // the gate is gone
                }
                std::ranges::sort(mine);
                mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
            }
        std::vector<std::uint32_t> number(gate_count, 0);
        auto next = first;
        for (const auto& part : parts) {
            const auto begin = next;
            for (const auto index : part.gates)
                if (!inputs[index].empty()) number[index] = next++;
            if (next != begin) circuit.blocks.push_back({begin, next, part.cyclic});
        }
        const auto renumbered = [&](Literal literal) {
            return node_of(literal) < first ? literal : 2 * number[node_of(literal) - first] + (literal & 1);
        };
        for (const auto& part : parts)
            for (const auto index : part.gates) {
                if (inputs[index].empty()) continue;
                circuit.gate.push_back(gates.kind(first + index));
                for (const auto literal : inputs[index]) circuit.input.push_back(renumbered(literal));
                circuit.first_input.push_back(static_cast<std::uint32_t>(circuit.input.size()));
            }
        for (auto& literal : circuit.legal) literal = renumbered(literal);
        for (auto& literal : special_.required) literal = renumbered(literal);
        for (auto& literal : circuit.next) literal = renumbered(literal);
        for (auto& goal : circuit.goals) goal.when = renumbered(goal.when);
        circuit.terminal = renumbered(circuit.terminal);
    }

    const Circuit& old_;
    Abstract abstract_;
    Special special_;
    std::vector<bool> needed_;
    std::vector<Literal> literal_;  // of each old node
};

}  // namespace

Special specialise(const Circuit& circuit, const Known& known) { return Specialiser(circuit, known).run(); }

}  // namespace zermelo::gdl::bulk
