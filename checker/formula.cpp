#include "formula.hpp"

#include <algorithm>
#include <set>

#include "sha256.hpp"

namespace checker {

Wire Circuit::variable() {
    kinds_.push_back(Gate::kVariable);
    inputs_.emplace_back();
    return Wire(2 * kinds_.size() - 2);
}

Wire Circuit::node(Gate kind, std::vector<Wire> inputs) {
    const auto [at, is_new] = known_.try_emplace({kind, inputs}, std::uint32_t(kinds_.size()));
    if (is_new) {
        if (kinds_.size() > 1u << 30) throw BadInput("the circuit is too large");
        kinds_.push_back(kind);
        inputs_.push_back(std::move(inputs));
    }
    return 2 * at->second;
}

Wire Circuit::junction(bool conjunction, std::vector<Wire> inputs) {
    const Wire neutral = conjunction, absorbing = neutral ^ 1;
    std::ranges::sort(inputs);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    std::erase(inputs, neutral);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i] == absorbing || (i && inputs[i] == (inputs[i - 1] ^ 1) && inputs[i] & 1)) return absorbing;
    if (inputs.size() < 2) return inputs.empty() ? neutral : inputs[0];
    return node(conjunction ? Gate::kAnd : Gate::kOr, std::move(inputs));
}

Wire Circuit::exclusive(Wire one, Wire other) {
    const Wire flip = (one ^ other) & 1;
    const auto [low, high] = std::minmax({one & ~Wire{1}, other & ~Wire{1}});
    if (low == high) return flip;
    return (low == 0 ? high : node(Gate::kXor, {low, high})) ^ flip;
}

Wire Circuit::choice(Wire condition, Wire then, Wire otherwise) {
    if (condition & 1) condition ^= 1, std::swap(then, otherwise);
    if (condition == 0) return otherwise;
    if ((then | 1) == (condition | 1)) then = 1 ^ (then & 1);  // where the condition holds it is true
    if ((otherwise | 1) == (condition | 1)) otherwise &= 1;
    if (then == otherwise) return then;
    if (then == (otherwise ^ 1)) return exclusive(condition, otherwise);
    if (then < 2) return junction(then == 0, {condition ^ then ^ 1, otherwise});
    if (otherwise < 2) return junction(otherwise == 0, {condition ^ otherwise, then});
    const Wire flip = then & 1;
    return node(Gate::kIte, {condition, then ^ flip, otherwise ^ flip}) ^ flip;
}

Wire Circuit::gate(Gate kind, const std::vector<Wire>& inputs) {
    if (kind == Gate::kIte) return choice(inputs.at(0), inputs.at(1), inputs.at(2));
    if (kind != Gate::kXor) return junction(kind == Gate::kAnd, inputs);
    auto made = inputs.at(0);
    for (std::size_t i = 1; i < inputs.size(); ++i) made = exclusive(made, inputs[i]);
    return made;
}

std::vector<std::uint32_t> Circuit::below(Wire output) const {
    std::vector<bool> seen(kinds_.size());
    std::vector<std::uint32_t> pending{output >> 1}, found;
    seen[output >> 1] = true;
    while (!pending.empty()) {
        const auto at = pending.back();
        pending.pop_back();
        found.push_back(at);
        for (const auto input : inputs_[at])
            if (!seen[input >> 1]) seen[input >> 1] = true, pending.push_back(input >> 1);
    }
    std::ranges::sort(found);  // gates come after their inputs
    return found;
}

std::vector<Block> joined(const std::vector<Block>& blocks) {
    std::vector<Block> made;
    for (const auto& block : blocks) {
        if (block.variables.empty()) continue;
        if (made.empty() || made.back().exists != block.exists) made.push_back({block.exists, {}});
        auto& last = made.back().variables;
        last.insert(last.end(), block.variables.begin(), block.variables.end());
    }
    return made;
}

std::vector<std::uint32_t> Formula::order() const {
    std::vector<std::uint32_t> all;
    for (const auto& block : blocks) all.insert(all.end(), block.variables.begin(), block.variables.end());
    return all;
}

std::unordered_map<std::uint32_t, std::size_t> Formula::block_of() const {
    std::unordered_map<std::uint32_t, std::size_t> found;
    for (std::size_t at = 0; at < blocks.size(); ++at)
        for (const auto variable : blocks[at].variables) found[variable] = at;
    return found;
}

namespace {

std::string digest_of(const std::string& text) {
    return sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

constexpr const char* kKinds[] = {"false", "variable", "and", "or", "xor", "ite"};

}  // namespace

std::string Formula::statement(const std::string& given) const {
    std::string lines = "QuantifiedFormula\n";
    for (const auto& block : blocks) {
        lines += block.exists ? "('exists'" : "('forall'";
        for (const auto variable : block.variables) lines += ",'" + names.at(variable) + "'";
        lines += ")\n";
    }
    if (!given.empty()) lines += "given " + given + "\n";
    std::unordered_map<std::uint32_t, std::string> hashed;  // of a gate, its kind and the hashes of its inputs
    const auto signed_hash = [&](Wire literal) { return (literal & 1 ? "-" : "") + hashed.at(literal >> 1); };
    for (const auto node : circuit.below(output)) {
        std::vector<std::string> parts;
        for (const auto input : circuit.inputs(node)) parts.push_back(signed_hash(input));
        if (circuit.kind(node) == Gate::kVariable) parts.push_back("'" + names.at(node) + "'");
        else if (circuit.kind(node) != Gate::kIte) std::ranges::sort(parts);
        std::string text = kKinds[std::size_t(circuit.kind(node))];
        for (const auto& part : parts) text += " " + part;
        hashed[node] = digest_of(text);
    }
    return lines + signed_hash(output);
}

FormulaGame::FormulaGame(const Formula& formula)
    : formula_(formula), order_(formula.order()), nodes_(formula.circuit.below(formula.output)) {
    for (const auto& block : formula.blocks) exists_.insert(exists_.end(), block.variables.size(), block.exists);
}

FormulaGame::State FormulaGame::numbered(const std::string& values) const {
    const auto [at, is_new] = numbers_.try_emplace(values, values_.size());
    if (is_new) values_.push_back(values);
    return {at->second};
}

void FormulaGame::moves(const State& state, std::vector<std::uint32_t>& out) const {
    if (values_[state.number].size() < order_.size()) out.insert(out.end(), {0, 1});
}

FormulaGame::State FormulaGame::play(const State& state, std::uint32_t move) const {
    return numbered(values_[state.number] + (move ? '1' : '0'));
}

std::string FormulaGame::text(const State& state, std::uint32_t move) const {
    return formula_.names.at(order_[values_[state.number].size()]) + (move ? "=1" : "=0");
}

bool FormulaGame::over(const State& state, Score& score) const {
    const auto& chosen = values_[state.number];
    if (chosen.size() < order_.size()) return false;
    std::vector<bool> value(formula_.circuit.size());
    for (std::size_t i = 0; i < order_.size(); ++i) value[order_[i]] = chosen[i] == '1';
    const auto holds = [&](Wire literal) { return value[literal >> 1] != bool(literal & 1); };
    for (const auto node : nodes_) {
        const auto& in = formula_.circuit.inputs(node);
        switch (formula_.circuit.kind(node)) {
            case Gate::kAnd: value[node] = std::ranges::all_of(in, holds); break;
            case Gate::kOr: value[node] = std::ranges::any_of(in, holds); break;
            case Gate::kXor: value[node] = holds(in[0]) != holds(in[1]); break;
            case Gate::kIte: value[node] = holds(in[0]) ? holds(in[1]) : holds(in[2]); break;
            default: break;
        }
    }
    score = holds(formula_.output) ? 1 : -1;
    return true;
}

std::uint64_t FormulaGame::check_rule(const Claim& claim, int owner, const State& state) const {
    if (claim.rule != "functions") throw BadInput("this program knows no rule " + claim.rule + " for formulas");
    return check_functions(formula_, claim, owner == 0, values_[state.number]);
}

}  // namespace checker
