#include "gdl/lane/influence.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace zermelo::gdl {

namespace {

// Nodes by what they are once moves and known fluents are put in: a literal of the circuit that they equal. A gate that
// equals none before it stands for itself.
class Propagation {
public:
    Propagation(const Circuit& circuit, std::span<const std::uint32_t> joint, std::span<const std::uint64_t> known,
                std::span<const std::uint64_t> state)
        : circuit_(circuit), equal_(circuit.nodes()), reads_(circuit.nodes() * circuit.words(), 0) {
        equal_[0] = kFalse;
        for (std::uint32_t f = 0; f < circuit.fluents; ++f) {
            const auto node = circuit.fluent_node(f);
            equal_[node] = 2 * node;
            if (known[f / 64] >> (f % 64) & 1) equal_[node] = state[f / 64] >> (f % 64) & 1 ? kTrue : kFalse;
            else reads_[node * circuit.words() + f / 64] |= std::uint64_t{1} << (f % 64);
        }
        for (std::uint32_t m = 0; m < circuit.moves; ++m) equal_[circuit.move_node(m)] = kFalse;
        for (const auto move : joint) equal_[circuit.move_node(move)] = kTrue;
        for (const auto& block : circuit.blocks)
            if (block.cyclic) close(block);
            else
                for (auto node = block.first; node < block.last; ++node) simplify(node);
    }

    Literal equal(Literal literal) const { return equal_[node_of(literal)] ^ (literal & 1); }
    void add_reads(Literal literal, std::span<std::uint64_t> to) const {
        const auto node = node_of(equal(literal));
        for (std::size_t w = 0; w < circuit_.words(); ++w) to[w] |= reads_[node * circuit_.words() + w];
    }

private:
    void simplify(std::uint32_t node) {
        const bool all = circuit_.gate[node - circuit_.first_gate()] == Gate::all;
        const Literal idle = all ? kTrue : kFalse, decides = negate(idle);
        list_.clear();
        for (const auto input : circuit_.inputs(node)) {
            const auto literal = equal(input);
            if (literal == decides) {
                equal_[node] = decides;
                return;
            }
            if (literal != idle) list_.push_back(literal);
        }
        std::ranges::sort(list_);
        list_.erase(std::ranges::unique(list_).begin(), list_.end());
        for (std::size_t i = 0; i + 1 < list_.size(); ++i)
            if (list_[i] == negate(list_[i + 1])) {
                equal_[node] = decides;
                return;
            }
        if (list_.empty()) equal_[node] = idle;
        else if (list_.size() == 1) equal_[node] = list_[0];
        else {
            const auto [found, fresh] = same_.try_emplace({all, list_}, 2 * node);
            equal_[node] = found->second;
            if (fresh) read_inputs(node, list_);
        }
    }

    void read_inputs(std::uint32_t node, std::span<const Literal> inputs) {
        const auto words = circuit_.words();
        for (const auto input : inputs)
            for (std::size_t w = 0; w < words; ++w) reads_[node * words + w] |= reads_[node_of(input) * words + w];
    }

    // Gates that refer to each other read all that any of them reads.
    void close(const Block& block) {
        const auto words = circuit_.words();
        std::vector<std::uint64_t> all(words, 0);
        for (auto node = block.first; node < block.last; ++node)
            for (const auto input : circuit_.inputs(node))
                if (node_of(input) < block.first) add_reads(input, all);
        for (auto node = block.first; node < block.last; ++node) {
            equal_[node] = 2 * node;
            std::ranges::copy(all, reads_.begin() + static_cast<std::ptrdiff_t>(node * words));
        }
    }

    const Circuit& circuit_;
    std::vector<Literal> equal_;
    std::vector<std::uint64_t> reads_;  // of each node
    std::map<std::pair<bool, std::vector<Literal>>, Literal> same_;
    std::vector<Literal> list_;
};

}  // namespace

bandit::Influence influence_of(const Circuit& circuit, std::span<const std::uint32_t> joint,
                               std::span<const std::uint64_t> known, std::span<const std::uint64_t> state) {
    const auto words = circuit.words();
    const Propagation put(circuit, joint, known, state);
    bandit::Influence found;
    found.kept.assign(words, 0);
    found.reads.assign(circuit.fluents * words, 0);
    found.legal.assign(words, 0);
    found.terminal.assign(words, 0);
    for (std::uint32_t f = 0; f < circuit.fluents; ++f) {
        if (put.equal(circuit.next[f]) == 2 * circuit.fluent_node(f))
            found.kept[f / 64] |= std::uint64_t{1} << (f % 64);
        put.add_reads(circuit.next[f], std::span(found.reads).subspan(f * words, words));
    }
    for (const auto move : joint) put.add_reads(circuit.legal[move], found.legal);
    put.add_reads(circuit.terminal, found.terminal);
    return found;
}

}  // namespace zermelo::gdl
