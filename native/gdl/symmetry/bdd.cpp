#include "gdl/symmetry/bdd.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace zermelo::gdl {

namespace {

constexpr std::size_t kKnown = std::size_t{1} << 16, kSmallest = 1 << 10;
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 31) - 1;  // products fit a word
constexpr std::uint64_t kHalf = (kPrime + 1) / 2;

}  // namespace

Bdd::Bdd(std::uint32_t variables, std::size_t most_nodes)
    : variables_(variables), most_nodes_(most_nodes), known_(kKnown) {
    if (variables > kMostVariables) throw TooManyNodes();
    nodes_ = {{variables, kFalse, kFalse}, {variables, kTrue, kTrue}};
    place_all(kSmallest);
}

std::size_t Bdd::find(std::uint32_t variable, Function low, Function high) const {
    auto at = hash(variable, low, high) & (place_.size() - 1);
    for (; place_[at] != kFalse; at = (at + 1) & (place_.size() - 1)) {
        const auto& known = nodes_[place_[at]];
        if (known.variable == variable && known.low == low && known.high == high) break;
    }
    return at;
}

void Bdd::place_all(std::size_t room) {
    place_.assign(room, kFalse);
    for (Function n = 2; n < nodes_.size(); ++n) place_[find(nodes_[n].variable, nodes_[n].low, nodes_[n].high)] = n;
}

Bdd::Function Bdd::node(std::uint32_t variable, Function low, Function high) {
    if (low == high) return low;
    const auto at = find(variable, low, high);
    if (place_[at] != kFalse) return place_[at];
    if (nodes_.size() >= most_nodes_) throw TooManyNodes();
    const auto made = place_[at] = static_cast<Function>(nodes_.size());
    nodes_.push_back({variable, low, high});
    if (2 * nodes_.size() > place_.size()) place_all(2 * place_.size());
    return made;
}

void Bdd::forget(std::size_t nodes) {
    nodes_.resize(nodes);
    place_all(place_.size());
    known_.assign(kKnown, {});
}

Bdd::Function Bdd::combined(Function f, Function g, Operation operation) {
    if (f > g) std::swap(f, g);
    if (operation == kBoth) {
        if (f == kFalse || f == g) return f;
        if (f == kTrue) return g;
    } else if (operation == kAny) {
        if (f == kFalse) return g;
        if (f == kTrue || f == g) return f;
    } else {
        if (f == kFalse) return g;
        if (f == g) return kFalse;
    }
    auto& known = known_[hash(f, g, operation) % kKnown];
    if (known.f == f && known.g == g && known.operation == operation) return known.result;
    const auto top = std::min(nodes_[f].variable, nodes_[g].variable);
    const auto part = [&](Function of, bool high) {
        return nodes_[of].variable != top ? of : high ? nodes_[of].high : nodes_[of].low;
    };
    const auto low = combined(part(f, false), part(g, false), operation);
    const auto high = combined(part(f, true), part(g, true), operation);
    const auto result = node(top, low, high);
    known = {f, g, result, operation};
    return result;
}

std::vector<std::uint64_t> Bdd::influence(Function f) const {
    // The share of cases in which each node holds, from the leaves up (a node comes after those it leads to), and in
    // which it is met, from the root down.
    std::vector<std::uint64_t> holds(std::size_t{f} + 2), met(std::size_t{f} + 2), result(variables_);
    holds[kTrue] = 1;
    for (Function n = 2; n <= f; ++n)
        holds[n] = (holds[nodes_[n].low] + holds[nodes_[n].high]) % kPrime * kHalf % kPrime;
    met[f] = 1;
    for (auto n = f; n >= 2; --n) {
        if (met[n] == 0) continue;
        const auto& [variable, low, high] = nodes_[n];
        const auto share = met[n] * kHalf % kPrime;
        met[low] = (met[low] + share) % kPrime;
        met[high] = (met[high] + share) % kPrime;
        result[variable] = (result[variable] + met[n] * (holds[high] + kPrime - holds[low])) % kPrime;
    }
    return result;
}

}  // namespace zermelo::gdl
