#include "gdl/single/effects.hpp"

#include <algorithm>
#include <limits>

#include "zermelo/heed.hpp"

namespace zermelo::gdl::single {

namespace {

constexpr std::size_t kDirect = std::size_t{1} << 20;  // joint moves looked up without hashing

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
    if (product <= kDirect) direct_.resize(product);
    else table_.resize(std::size_t{1} << 12);
    code_.push_back(0);
    result_.resize(circuit.nodes());
    for (std::uint32_t n = 0; n < circuit.nodes(); ++n) result_[n] = 2 * n;
    for (std::uint32_t m = 0; m < circuit.moves; ++m) result_[circuit.move_node(m)] = kFalse;
    for (const auto n : net.cold_gates) {
        heed();
        result_[n] = fold(n);
    }
    gates_at_rest_ = conjunction_.size();
    given_.resize(circuit.nodes());
    queued_.resize(circuit.nodes());
    considered_.resize(circuit.fluents);
    list_users();
    for (const auto f : net.cold)
        if (resolve(circuit.next[f]) != 2 * circuit.fluent_node(f)) restless_.push_back(f);
}

void Effects::list_users() {
    const auto& circuit = *net_->circuit;
    first_user_.assign(circuit.nodes() + 1, 0);
    first_follower_.assign(circuit.nodes() + 1, 0);
    for (const auto n : net_->cold_gates)
        for (const auto l : circuit.inputs(n)) ++first_user_[node_of(l) + 1];
    for (const auto f : net_->cold) ++first_follower_[node_of(circuit.next[f]) + 1];
    for (std::uint32_t n = 0; n < circuit.nodes(); ++n) {
        first_user_[n + 1] += first_user_[n];
        first_follower_[n + 1] += first_follower_[n];
    }
    user_.resize(first_user_.back());
    follower_.resize(first_follower_.back());
    auto user = first_user_, follower = first_follower_;
    for (const auto n : net_->cold_gates)
        for (const auto l : circuit.inputs(n)) user_[user[node_of(l)]++] = n;
    for (const auto f : net_->cold) follower_[follower[node_of(circuit.next[f])]++] = f;
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
        if (at == 0 ||
            std::equal(done.begin(), done.end(), code_.begin() + static_cast<std::ptrdiff_t>(at - done.size())))
            return slot;
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
    if (code_.size() > net_->store) {
        flush();
        if (direct_.empty()) slot = find(done);
    }
    ++kept_;
    if (direct_.empty()) {
        if (2 * kept_ > table_.size()) {
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
    forget();
    return at;
}

std::vector<std::uint32_t> Effects::changed(std::span<const std::uint32_t> done) {
    specialise(done);
    std::vector<std::uint32_t> fluents;
    for (const auto& [f, l] : change_) fluents.push_back(f);
    forget();
    return fluents;
}

// Takes note of what a node has become; what depends on it will be folded again, in the circuit's order.
void Effects::learn(std::uint32_t node, Literal result) {
    learned_.emplace_back(node, result_[node]);
    result_[node] = result;
    for (auto i = first_user_[node]; i < first_user_[node + 1]; ++i) {
        const auto gate = user_[i];
        if (queued_[gate]) continue;
        queued_[gate] = true;
        queue_.push_back(gate);
        std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
    }
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
        if (n == 0 || given_[n]) continue;
        given_[n] = true;
        learn(n, negated(l) ? kFalse : kTrue);
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
    const auto old = result_[node];
    if (node_of(old) >= circuit.nodes() && !negated(old)) {
        const auto g = node_of(old) - circuit.nodes();
        if (conjunction_[g] == all &&
            std::equal(part_.begin(), part_.end(), input_.begin() + first_[g], input_.begin() + first_[g + 1]))
            return old;
    }
    input_.insert(input_.end(), part_.begin(), part_.end());
    first_.push_back(static_cast<std::uint32_t>(input_.size()));
    conjunction_.push_back(all);
    return 2 * (circuit.nodes() + static_cast<std::uint32_t>(conjunction_.size()) - 1);
}

void Effects::consider(std::uint32_t fluent) {
    if (considered_[fluent]) return;
    const auto& circuit = *net_->circuit;
    const auto before = result_[circuit.fluent_node(fluent)], after = resolve(circuit.next[fluent]);
    if (after == before) return;
    considered_[fluent] = true;
    change_.emplace_back(fluent, after);
}

// Legal and terminal do not see the moves, and what `next` makes of them is looked at only as far as they reach.
void Effects::specialise(std::span<const std::uint32_t> done) {
    const auto& circuit = *net_->circuit;
    change_.clear();
    for (const auto m : done) learn(circuit.move_node(m), kTrue);
    for (const auto m : done) assume(circuit.legal[m]);
    while (!queue_.empty()) {
        std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
        const auto gate = queue_.back();
        queue_.pop_back();
        heed();
        queued_[gate] = false;
        if (given_[gate]) continue;
        const auto result = fold(gate);
        if (result != result_[gate]) learn(gate, result);
    }
    for (const auto f : restless_) consider(f);
    for (const auto& [n, old] : learned_) {
        for (auto i = first_follower_[n]; i < first_follower_[n + 1]; ++i) consider(follower_[i]);
        if (n != 0 && n <= circuit.fluents && !net_->busy[n - 1] && circuit.next[n - 1] != 2 * n) consider(n - 1);
    }
    std::sort(change_.begin(), change_.end());
}

void Effects::forget() {
    for (auto i = learned_.size(); i-- > 0;) {
        result_[learned_[i].first] = learned_[i].second;
        given_[learned_[i].first] = false;
    }
    learned_.clear();
    for (const auto& [f, l] : change_) considered_[f] = false;
    conjunction_.resize(gates_at_rest_);
    first_.resize(gates_at_rest_ + 1);
    input_.resize(first_.back());
}

void Effects::emit() {
    const auto nodes = net_->circuit->nodes();
    if (slot_.size() < conjunction_.size()) slot_.resize(conjunction_.size(), kNone);
    wanted_.clear();
    const auto want = [&](Literal l) {
        if (node_of(l) < nodes || slot_[node_of(l) - nodes] != kNone) return;
        slot_[node_of(l) - nodes] = 0;
        wanted_.push_back(node_of(l) - nodes);
    };
    for (const auto& [f, l] : change_) want(l);
    for (std::size_t k = 0; k < wanted_.size(); ++k)
        for (auto i = first_[wanted_[k]]; i < first_[wanted_[k] + 1]; ++i) want(input_[i]);
    const auto here = [&](Literal l) {
        if (node_of(l) < nodes) return net_->literal(l);
        const auto g = node_of(l) - nodes;
        return (2 * (net_->tape_out + slot_[g]) + static_cast<Literal>(conjunction_[g])) ^
               static_cast<Literal>(negated(l));
    };
    const auto count_at = code_.size();
    code_.push_back(0);
    std::sort(wanted_.begin(), wanted_.end());  // a gate has a greater number than those it depends on
    for (const auto g : wanted_) {
        slot_[g] = code_[count_at]++;
        code_.push_back(first_[g + 1] - first_[g]);
        for (auto i = first_[g]; i < first_[g + 1]; ++i)
            code_.push_back(here(input_[i]) ^ static_cast<Literal>(conjunction_[g]));
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
    for (const auto g : wanted_) slot_[g] = kNone;
}

}  // namespace zermelo::gdl::single
