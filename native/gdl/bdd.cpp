#include "gdl/bdd.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace zermelo::gdl {

namespace {

constexpr std::size_t kKnown = std::size_t{1} << 16;
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 31) - 1;  // products fit a word
constexpr std::uint64_t kHalf = (kPrime + 1) / 2;

}  // namespace

Bdd::Bdd(std::uint32_t variables, std::size_t most_nodes) : variables_(variables), most_nodes_(most_nodes), known_(kKnown) {
    if (variables > kMostVariables) throw TooManyNodes();
    nodes_ = {{variables, kFalse, kFalse}, {variables, kTrue, kTrue}};
}

Bdd::Function Bdd::node(std::uint32_t variable, Function low, Function high) {
    if (low == high) return low;
    const auto [at, fresh] = unique_.try_emplace({variable, low, high}, static_cast<Function>(nodes_.size()));
    if (!fresh) return at->second;
    if (nodes_.size() >= most_nodes_) {
        unique_.erase(at);
        throw TooManyNodes();
    }
    nodes_.push_back({variable, low, high});
    return at->second;
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
    auto& known = known_[KeyHash()({f, g, operation}) % kKnown];
    if (known.f == f && known.g == g && known.operation == operation) return known.result;
    const auto top = std::min(nodes_[f].variable, nodes_[g].variable);
    const auto part = [&](Function of, bool high) { return nodes_[of].variable != top ? of : high ? nodes_[of].high : nodes_[of].low; };
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
    for (Function n = 2; n <= f; ++n) holds[n] = (holds[nodes_[n].low] + holds[nodes_[n].high]) % kPrime * kHalf % kPrime;
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
