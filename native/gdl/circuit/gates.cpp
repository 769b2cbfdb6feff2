#include "gdl/circuit/gates.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "zermelo/heed.hpp"

namespace zermelo::gdl {

namespace {

// In the language of OR: an AND is the same with every literal (and constant) turned round.
constexpr Literal turned(Gate kind, Literal literal) { return kind == Gate::any ? literal : negate(literal); }

std::uint64_t hash_of(Gate kind, std::span<const Literal> inputs) {
    std::uint64_t hash = kind == Gate::all ? 0x9e3779b97f4a7c15u : 0xc2b2ae3d27d4eb4fu;
    for (const auto literal : inputs) hash = (hash ^ literal) * 0xff51afd7ed558ccdu, hash ^= hash >> 29;
    return hash;
}

}  // namespace

Gates::Gates(std::uint32_t fluents, std::span<const std::uint32_t> first_move)
    : first_move_node_(1 + fluents), first_gate_(1 + fluents + first_move.back()),
      first_move_(first_move.begin(), first_move.end()) {
    role_of_move_.resize(first_move.back());
    for (std::uint32_t role = 0; role + 1 < first_move.size(); ++role)
        for (auto move = first_move[role]; move < first_move[role + 1]; ++move) role_of_move_[move] = role;
}

Literal Gates::open(Gate kind) {
    const auto node = first_gate_ + static_cast<std::uint32_t>(gates_.size());
    gates_.push_back({kind, 0, 0});
    return 2 * node;
}

void Gates::close(Literal gate, std::span<const Literal> inputs) {
    auto& entry = gates_[node_of(gate) - first_gate_];
    entry.first = static_cast<std::uint32_t>(inputs_.size());
    entry.count = static_cast<std::uint32_t>(inputs.size());
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
}

Literal Gates::consed(Gate kind, std::span<const Literal> inputs) {
    heed();
    const auto hash = hash_of(kind, inputs);
    for (auto [at, end] = known_.equal_range(hash); at != end; ++at)
        if (this->kind(at->second) == kind && std::ranges::equal(this->inputs(at->second), inputs))
            return 2 * at->second;
    const auto gate = open(kind);
    close(gate, inputs);
    known_.emplace(hash, node_of(gate));
    return gate;
}

Literal Gates::make(Gate kind, std::span<const Literal> given) {
    const Literal neutral = kind == Gate::any ? kFalse : kTrue;
    std::vector<Literal> inputs(given.begin(), given.end());
    std::ranges::sort(inputs);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    for (std::size_t i = 0; i + 1 < inputs.size(); ++i)
        if (inputs[i] == negate(inputs[i + 1])) return negate(neutral);  // sorted: x and not x are neighbours
    if (std::ranges::binary_search(inputs, negate(neutral))) return negate(neutral);
    std::erase(inputs, neutral);
    if (unite_sets_of_moves(kind, inputs) || apply_law_of_moves(kind, inputs)) return negate(neutral);
    if (inputs.empty()) return neutral;
    if (inputs.size() == 1) return inputs[0];
    return consed(kind, inputs);
}

// The role whose moves the gate is an OR of, or kNever.
std::uint32_t Gates::role_of_set(Literal literal) const {
    if (node_of(literal) < first_gate_ || kind(node_of(literal)) != Gate::any) return kNever;
    const auto members = inputs(node_of(literal));
    if (members.empty() || !is_move(members.front()) || !is_move(members.back())) return kNever;
    const auto role = role_of_move_[node_of(members.front()) - first_move_node_];
    const auto belongs = [&](Literal l) {
        return is_move(l) && !negated(l) && role_of_move_[node_of(l) - first_move_node_] == role;
    };
    return std::ranges::all_of(members, belongs) ? role : kNever;
}

// Replaces sets of one role's moves by their union (seen as OR; an AND intersects), written out or as what is left
// over, where that is less than half as long as the sets were. Says true where the gate becomes constant.
bool Gates::unite_sets_of_moves(Gate kind, std::vector<Literal>& inputs) {
    for (std::uint32_t role = 0; role + 1 < first_move_.size(); ++role) {
        std::vector<Literal> sets, others;
        std::size_t length = 0;
        for (const auto literal : inputs) {
            const bool single = is_move(literal) && role_of_move_[node_of(literal) - first_move_node_] == role;
            const bool is_set = single || role_of_set(literal) == role;
            (is_set ? sets : others).push_back(literal);
            if (is_set) length += single ? 1 : this->inputs(node_of(literal)).size();
        }
        if (sets.size() < 2 || std::ranges::all_of(sets, [&](Literal l) { return is_move(l); })) continue;
        const auto low = first_move_node_ + first_move_[role], count = first_move_[role + 1] - first_move_[role];
        std::vector<bool> held(count);
        for (const auto literal : sets) {
            const bool outside = negated(turned(kind, literal));  // all moves but these
            std::vector<bool> members(count);
            if (is_move(literal)) members[node_of(literal) - low] = true;
            else
                for (const auto member : this->inputs(node_of(literal))) members[node_of(member) - low] = true;
            for (std::uint32_t m = 0; m < count; ++m) held[m] = held[m] || members[m] != outside;
        }
        const auto size = static_cast<std::size_t>(std::ranges::count(held, true));
        if (size == count) return true;
        if (2 * std::min(size, count - size) >= length) continue;
        for (std::uint32_t m = 0; m < count; ++m)
            if (held[m]) others.push_back(turned(kind, 2 * (low + m)));
        std::ranges::sort(others);
        inputs = std::move(others);
    }
    return false;
}

// Says true where the law makes the gate constant: true for OR, false for AND.
bool Gates::apply_law_of_moves(Gate kind, std::vector<Literal>& inputs) {
    if (std::ranges::none_of(inputs, [&](Literal l) { return is_move(l); })) return false;
    std::vector<Literal> kept, moves;
    for (const auto literal : inputs) (is_move(literal) ? moves : kept).push_back(literal);
    const bool alone = kept.empty();
    // One role after the other; `moves` is sorted by node, so each role's stand together.
    for (std::size_t i = 0; i < moves.size();) {
        const auto role = role_of_move_[node_of(moves[i]) - first_move_node_];
        const auto low = first_move_node_ + first_move_[role], high = first_move_node_ + first_move_[role + 1];
        std::vector<std::uint32_t> held, barred;  // seen as OR: moves, and moves negated
        for (; i < moves.size() && node_of(moves[i]) < high; ++i)
            (negated(turned(kind, moves[i])) ? barred : held).push_back(node_of(moves[i]));
        if (barred.size() > 1) return true;  // not a or not b
        if (barred.size() == 1) {
            kept.push_back(turned(kind, 2 * barred[0] + 1));  // implied by every other move
            continue;
        }
        const auto all_moves = high - low;
        if (held.size() == all_moves) return true;
        const bool complement = 2 * held.size() > all_moves;
        std::vector<Literal> group;
        if (complement) {
            for (auto node = low, at = 0u; node < high; ++node) {
                if (at < held.size() && held[at] == node) ++at;
                else group.push_back(2 * node);
            }
        } else {
            for (const auto node : held) group.push_back(2 * node);
        }
        if (group.size() == 1) {
            kept.push_back(turned(kind, complement ? negate(group[0]) : group[0]));
        } else if (!complement && kind == Gate::any && (alone && moves.size() == held.size())) {
            kept.insert(kept.end(), group.begin(), group.end());  // this gate is that OR
        } else {
            const auto gate = consed(Gate::any, group);
            kept.push_back(turned(kind, complement ? negate(gate) : gate));
        }
    }
    std::ranges::sort(kept);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    for (std::size_t i = 0; i + 1 < kept.size(); ++i)
        if (kept[i] == negate(kept[i + 1])) return true;
    inputs = std::move(kept);
    return false;
}

namespace {

constexpr std::size_t kLargeSet = 8;
using Bits = std::vector<std::uint64_t>;

std::size_t count_without(const Bits& these, const Bits& those) {
    std::size_t count = 0;
    for (std::size_t w = 0; w < these.size(); ++w)
        count += static_cast<std::size_t>(std::popcount(these[w] & ~those[w]));
    return count;
}

struct Cluster {
    Bits base;  // the union of its members
    std::vector<std::pair<std::uint32_t, Bits>> members;
};

// Greedy: the largest sets first, each to the union that it changes least, if that is worth it.
std::vector<Cluster> clusters_of(std::vector<std::pair<std::uint32_t, Bits>> sets) {
    const auto size = [](const Bits& bits) { return count_without(bits, Bits(bits.size())); };
    std::ranges::stable_sort(sets, std::greater<>(), [&](const auto& set) { return size(set.second); });
    std::vector<Cluster> clusters;
    for (auto& set : sets) {
        Cluster* best = nullptr;
        auto least = size(set.second) / 2;
        for (auto& cluster : clusters) {
            heed();
            // What is new to the union is missing from every other member.
            const auto cost = count_without(cluster.base, set.second) +
                              count_without(set.second, cluster.base) * (1 + cluster.members.size());
            if (cost < least) least = cost, best = &cluster;
        }
        if (best == nullptr) best = &clusters.emplace_back(Cluster{Bits(set.second.size()), {}});
        for (std::size_t w = 0; w < set.second.size(); ++w) best->base[w] |= set.second[w];
        best->members.push_back(std::move(set));
    }
    return clusters;
}

}  // namespace

void Gates::share_sets_of_moves(const std::vector<bool>& live) {
    for (std::uint32_t role = 0; role + 1 < first_move_.size(); ++role) {
        const auto low = first_move_node_ + first_move_[role];
        const std::size_t words = (first_move_[role + 1] - first_move_[role] + 63) / 64;
        std::vector<std::pair<std::uint32_t, Bits>> sets;
        for (std::uint32_t i = 0; i < live.size(); ++i) {
            const auto node = first_gate_ + i;
            if (!live[i] || gates_[i].count < kLargeSet || role_of_set(2 * node) != role) continue;
            Bits bits(words);
            for (const auto member : inputs(node))
                bits[(node_of(member) - low) / 64] |= std::uint64_t{1} << ((node_of(member) - low) % 64);
            sets.emplace_back(node, std::move(bits));
        }
        const auto moves_in = [&](const Bits& bits, const Bits& without) {
            std::vector<Literal> moves;
            for (std::size_t w = 0; w < words; ++w)
                for (auto rest = bits[w] & ~without[w]; rest != 0; rest &= rest - 1)
                    moves.push_back(2 * (low + static_cast<std::uint32_t>(64 * w) +
                                         static_cast<std::uint32_t>(std::countr_zero(rest))));
            return moves;
        };
        for (const auto& cluster : clusters_of(std::move(sets))) {
            if (cluster.members.size() < 3) continue;
            const auto base = consed(Gate::any, moves_in(cluster.base, Bits(words)));
            for (const auto& [node, bits] : cluster.members) {
                const auto missing = moves_in(cluster.base, bits);
                if (missing.empty() || missing.size() + 2 >= gates_[node - first_gate_].count) continue;
                const Literal parts[] = {base, negate(missing.size() == 1 ? missing[0] : consed(Gate::any, missing))};
                close(2 * node, parts);
                gates_[node - first_gate_].kind = Gate::all;
            }
        }
    }
}

}  // namespace zermelo::gdl
