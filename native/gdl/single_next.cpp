#include "gdl/single_next.hpp"

#include <algorithm>
#include <limits>

namespace zermelo::gdl::single {

namespace {

constexpr std::size_t kDirect = std::size_t{1} << 20;   // joint moves looked up without hashing

}  // namespace

Effects::Effects(const Net& net) : net_(&net) {
    const auto& circuit = *net.circuit;
    std::size_t product = 1;
    for (std::uint32_t r = 0; r < circuit.roles(); ++r) {
        scale_.push_back(product);
        const std::size_t moves = circuit.first_move[r + 1] - circuit.first_move[r];
        offset_ += product * circuit.first_move[r];
        product = moves == 0 || product > kDirect ? product : product * moves;
    }
    if (product <= kDirect)
        direct_.resize(product);
    else
        table_.resize(std::size_t{1} << 12);
    code_.push_back(0);
    result_.resize(circuit.nodes());
    for (std::uint32_t n = 0; n < circuit.nodes(); ++n) result_[n] = 2 * n;
}

// The slot of a joint move in the table: where it is, or where it goes.
std::size_t Effects::find(std::span<const std::uint32_t> done) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15ull;
    for (const auto m : done) {
        hash = (hash ^ m) * 0xff51afd7ed558ccdull;
        hash ^= hash >> 32;
    }
    const auto mask = table_.size() - 1;
    for (auto slot = static_cast<std::size_t>(hash) & mask;; slot = (slot + 1) & mask) {
        const auto at = table_[slot];
        if (at == 0 || std::equal(done.begin(), done.end(), code_.begin() + static_cast<std::ptrdiff_t>(at - done.size()))) return slot;
    }
}

void Effects::flush() {
    ++flushes_;
    kept_ = 0;
    code_.assign(1, 0);
    std::fill(direct_.begin(), direct_.end(), 0u);
    std::fill(table_.begin(), table_.end(), 0u);
}

std::uint32_t Effects::make(std::span<const std::uint32_t> done, std::size_t slot) {
    specialise(done);
    if (code_.size() + input_.size() + first_.size() + 2 * change_.size() + done.size() + 8 > net_->store) {
        flush();
        if (direct_.empty()) slot = find(done);
    }
    if (direct_.empty()) {
        if (2 * ++kept_ > table_.size()) {
            std::vector<std::uint32_t> old(2 * table_.size(), 0);
            old.swap(table_);
            for (const auto at : old) {
                if (at == 0) continue;
                table_[find({code_.data() + (at - done.size()), done.size()})] = at;
            }
            slot = find(done);
        }
        code_.insert(code_.end(), done.begin(), done.end());
    }
    const auto at = static_cast<std::uint32_t>(code_.size());
    (direct_.empty() ? table_ : direct_)[slot] = at;
    emit();
    return at;
}

std::vector<std::uint32_t> Effects::changed(std::span<const std::uint32_t> done) {
    specialise(done);
    std::vector<std::uint32_t> fluents;
    for (const auto& [f, l] : change_) fluents.push_back(f);
    return fluents;
}

// A true AND has true inputs and a false OR false ones, and so on down: facts to fold with. This holds in a fixpoint
// of recursive rules as well.
void Effects::assume(Literal literal) {
    const auto& circuit = *net_->circuit;
    stack_.push_back(literal);
    while (!stack_.empty()) {
        const auto l = stack_.back();
        stack_.pop_back();
        const auto n = node_of(l);
        if (n == 0 || result_[n] != 2 * n) continue;
        result_[n] = negated(l) ? kFalse : kTrue;
        assumed_.push_back(n);
        if (n < circuit.first_gate()) continue;
        const bool all = circuit.gate[n - circuit.first_gate()] == Gate::all;
        if (all == negated(l)) continue;
        for (const auto in : circuit.inputs(n)) stack_.push_back(in ^ static_cast<Literal>(negated(l)));
    }
}

Literal Effects::fold(std::uint32_t node) {
    const auto& circuit = *net_->circuit;
    const bool all = circuit.gate[node - circuit.first_gate()] == Gate::all;
    const Literal strong = all ? kFalse : kTrue;
    part_.clear();
    for (const auto l : circuit.inputs(node)) {
        const auto r = resolve(l);
        if (r == strong) return strong;
        if (r != negate(strong)) part_.push_back(r);
    }
    std::sort(part_.begin(), part_.end());
    part_.erase(std::unique(part_.begin(), part_.end()), part_.end());
    for (std::size_t i = 0; i + 1 < part_.size(); ++i)
        if (part_[i + 1] == negate(part_[i])) return strong;
    if (part_.empty()) return negate(strong);
    if (part_.size() == 1) return part_[0];
    input_.insert(input_.end(), part_.begin(), part_.end());
    first_.push_back(static_cast<std::uint32_t>(input_.size()));
    conjunction_.push_back(all);
    return 2 * (circuit.nodes() + static_cast<std::uint32_t>(conjunction_.size()) - 1);
}

void Effects::specialise(std::span<const std::uint32_t> done) {
    const auto& circuit = *net_->circuit;
    first_.assign(1, 0);
    input_.clear();
    conjunction_.clear();
    change_.clear();
    for (const auto m : done) assume(circuit.legal[m]);
    for (std::uint32_t m = 0; m < circuit.moves; ++m) result_[circuit.move_node(m)] = kFalse;
    for (const auto m : done) result_[circuit.move_node(m)] = kTrue;
    for (const auto n : net_->cold_gates)
        if (result_[n] == 2 * n) result_[n] = fold(n);
    for (const auto f : net_->cold) {
        const auto before = result_[circuit.fluent_node(f)], after = resolve(circuit.next[f]);
        if (after != before) change_.emplace_back(f, after);
    }
    for (const auto n : net_->cold_gates) result_[n] = 2 * n;
    for (const auto n : assumed_) result_[n] = 2 * n;
    assumed_.clear();
}

void Effects::emit() {
    const auto nodes = net_->circuit->nodes();
    const auto gates = static_cast<std::uint32_t>(conjunction_.size());
    slot_.assign(gates, kNone);
    const auto want = [&](Literal l) {
        if (node_of(l) >= nodes) slot_[node_of(l) - nodes] = 0;
    };
    for (const auto& [f, l] : change_) want(l);
    for (auto g = gates; g-- > 0;)
        if (slot_[g] != kNone)
            for (auto i = first_[g]; i < first_[g + 1]; ++i) want(input_[i]);
    const auto here = [&](Literal l) {
        if (node_of(l) < nodes) return net_->literal(l);
        const auto g = node_of(l) - nodes;
        return (2 * (net_->tape_out + slot_[g]) + static_cast<Literal>(conjunction_[g])) ^ static_cast<Literal>(negated(l));
    };
    const auto count_at = code_.size();
    code_.push_back(0);
    for (std::uint32_t g = 0; g < gates; ++g) {
        if (slot_[g] == kNone) continue;
        slot_[g] = code_[count_at]++;
        code_.push_back(first_[g + 1] - first_[g]);
        for (auto i = first_[g]; i < first_[g + 1]; ++i) code_.push_back(here(input_[i]) ^ static_cast<Literal>(conjunction_[g]));
    }
    for (const auto constant : {kTrue, kFalse}) {
        const auto at = code_.size();
        code_.push_back(0);
        for (const auto& [f, l] : change_) {
            if (l != constant) continue;
            code_.push_back(f);
            ++code_[at];
        }
    }
    const auto at = code_.size();
    code_.push_back(0);
    for (const auto& [f, l] : change_) {
        if (l == kTrue || l == kFalse) continue;
        code_.push_back(f);
        code_.push_back(here(l));
        ++code_[at];
    }
}

}  // namespace zermelo::gdl::single
