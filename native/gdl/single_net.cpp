#include "gdl/single_net.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace zermelo::gdl::single {

namespace {

std::vector<bool> nodes_with_moves(const Circuit& circuit) {
    std::vector<bool> with(circuit.nodes(), false);
    for (std::uint32_t m = 0; m < circuit.moves; ++m) with[circuit.move_node(m)] = true;
    for (const auto& block : circuit.blocks) {
        for (bool again = true; again;) {
            again = false;
            for (auto n = block.first; n < block.last; ++n) {
                if (with[n]) continue;
                for (const auto l : circuit.inputs(n))
                    if (with[node_of(l)]) with[n] = true;
                again |= with[n] && block.cyclic;
            }
        }
    }
    return with;
}

std::vector<std::uint32_t> cyclic_block_of(const Circuit& circuit) {
    std::vector<std::uint32_t> of(circuit.nodes(), kNone);
    for (std::uint32_t b = 0; b < circuit.blocks.size(); ++b)
        if (circuit.blocks[b].cyclic) std::fill(of.begin() + circuit.blocks[b].first, of.begin() + circuit.blocks[b].last, b);
    return of;
}

// Marks the gates that the literal depends on; does not pass nodes marked before or for which stop(node) holds.
template <class Stop>
void mark_cone(const Circuit& circuit, Literal root, std::vector<bool>& marked, std::vector<std::uint32_t>& stack, Stop stop) {
    const auto visit = [&](Literal l) {
        const auto n = node_of(l);
        if (marked[n] || stop(n)) return;
        marked[n] = true;
        if (n >= circuit.first_gate()) stack.push_back(n);
    };
    visit(root);
    while (!stack.empty()) {
        const auto n = stack.back();
        stack.pop_back();
        for (const auto l : circuit.inputs(n)) visit(l);
    }
}

class Builder {
public:
    Builder(std::shared_ptr<const Circuit> circuit, std::vector<bool> busy, std::size_t store) : circuit_(*circuit) {
        net_->store = store;
        net_->circuit = std::move(circuit);
        net_->busy = std::move(busy);
        net_->with_moves = nodes_with_moves(circuit_);
        cyclic_ = cyclic_block_of(circuit_);
    }

    std::shared_ptr<const Net> build() {
        choose_guards();
        mark_needed();
        place_nodes();
        place_rests();
        place_watched();
        list_cold();
        net_->nodes = size();
        place_tapes();
        make_edges();
        return net_;
    }

private:
    std::uint32_t size() const { return static_cast<std::uint32_t>(net_->first_input.size() - 1); }

    // The conjuncts of a legal move's condition; the condition itself where it is no AND.
    std::vector<Literal> conjuncts(Literal legal) const {
        const auto n = node_of(legal);
        if (n < circuit_.first_gate() || cyclic_[n] != kNone) return {legal};
        const auto kind = circuit_.gate[n - circuit_.first_gate()];
        if (kind != (negated(legal) ? Gate::any : Gate::all)) return {legal};
        std::vector<Literal> parts;
        for (const auto l : circuit_.inputs(n)) parts.push_back(l ^ static_cast<Literal>(negated(legal)));
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        return parts;
    }

    // A group is worth its guard where it holds a quarter of the role's moves.
    void choose_guards() {
        net_->first_group.push_back(0);
        net_->group_of.assign(circuit_.moves, kNone);
        guard_.assign(circuit_.moves, kTrue);
        for (std::uint32_t r = 0; r < circuit_.roles(); ++r) {
            const auto first = circuit_.first_move[r], last = circuit_.first_move[r + 1];
            std::vector<std::uint32_t> open;
            for (auto m = first; m < last; ++m)
                if (circuit_.legal[m] != kFalse) open.push_back(m);
            const auto enough = std::max<std::size_t>(2, (open.size() + 3) / 4);
            while (!open.empty()) {
                std::map<Literal, std::uint32_t> uses;
                for (const auto m : open)
                    for (const auto l : conjuncts(circuit_.legal[m])) ++uses[l];
                auto best = uses.begin();
                for (auto i = uses.begin(); i != uses.end(); ++i)
                    if (i->second > best->second) best = i;
                if (best->second < enough) break;
                take_group(r, best->first, open);
            }
            if (!open.empty()) take_group(r, kTrue, open);
            net_->first_group.push_back(static_cast<std::uint32_t>(net_->groups.size()));
        }
    }

    void take_group(std::uint32_t role, Literal guard, std::vector<std::uint32_t>& open) {
        const auto g = static_cast<std::uint32_t>(net_->groups.size());
        const auto begin = listed_;
        std::erase_if(open, [&](std::uint32_t m) {
            const auto parts = conjuncts(circuit_.legal[m]);
            if (guard != kTrue && std::find(parts.begin(), parts.end(), guard) == parts.end()) return false;
            net_->group_of[m] = g;
            guard_[m] = guard;
            ++listed_;
            return true;
        });
        net_->groups.push_back({role, guard, begin, listed_ - begin});  // the guard becomes a net literal later
    }

    // What of the move's condition its list has to watch.
    std::vector<Literal> rest(std::uint32_t move) const {
        if (guard_[move] == kTrue) return {circuit_.legal[move]};
        auto parts = conjuncts(circuit_.legal[move]);
        std::erase(parts, guard_[move]);
        return parts;
    }

    void need(Literal l) {
        mark_cone(circuit_, l, needed_, stack_, [](std::uint32_t) { return false; });
    }

    void mark_needed() {
        needed_.assign(circuit_.nodes(), false);
        need(circuit_.terminal);
        for (const auto& g : net_->groups) need(g.guard);
        for (std::uint32_t m = 0; m < circuit_.moves; ++m)
            if (net_->group_of[m] != kNone)
                for (const auto l : rest(m)) need(l);
        std::vector<bool> asked(circuit_.nodes(), false);
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f) {
            if (net_->busy[f])
                need(circuit_.next[f]);
            else
                mark_cone(circuit_, circuit_.next[f], asked, stack_, [](std::uint32_t) { return false; });
        }
        for (auto n = circuit_.first_gate(); n < circuit_.nodes(); ++n)
            if (asked[n] && cyclic_[n] != kNone) need(2 * n);
    }

    std::uint32_t add_node(std::vector<Literal> inputs) {
        std::sort(inputs.begin(), inputs.end());
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        while (inputs.size() > kWidest) inputs = narrowed(inputs);
        net_->input.insert(net_->input.end(), inputs.begin(), inputs.end());
        net_->first_input.push_back(static_cast<std::uint32_t>(net_->input.size()));
        return size() - 1;
    }
    std::vector<Literal> narrowed(const std::vector<Literal>& inputs) {
        std::vector<Literal> parts;
        for (std::size_t i = 0; i < inputs.size(); i += kWidest) {
            const auto end = std::min(inputs.size(), i + kWidest);
            const std::vector<Literal> part(inputs.begin() + static_cast<std::ptrdiff_t>(i), inputs.begin() + static_cast<std::ptrdiff_t>(end));
            parts.push_back(2 * add_node(part));
        }
        return parts;
    }

    bool is_all(std::uint32_t node) const { return circuit_.gate[node - circuit_.first_gate()] == Gate::all; }

    std::vector<Literal> counted_inputs(std::uint32_t node) const {
        std::vector<Literal> inputs;
        for (const auto l : circuit_.inputs(node)) inputs.push_back(net_->literal(l) ^ static_cast<Literal>(is_all(node)));
        return inputs;
    }

    void place_nodes() {
        net_->of.assign(circuit_.nodes(), kNone);
        net_->of[0] = kFalse;
        add_node({});
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f) net_->of[circuit_.fluent_node(f)] = 2 * add_node({});
        for (std::uint32_t m = 0; m < circuit_.moves; ++m) {
            if (!needed_[circuit_.move_node(m)]) continue;
            net_->of[circuit_.move_node(m)] = 2 * add_node({});
            net_->used_moves.push_back(m);
        }
        for (const auto& block : circuit_.blocks) {
            if (block.cyclic) {
                place_cycle(block);
                continue;
            }
            for (auto n = block.first; n < block.last; ++n)
                if (needed_[n]) net_->of[n] = 2 * add_node(counted_inputs(n)) + static_cast<Literal>(is_all(n));
        }
        net_->gates = static_cast<std::uint32_t>(std::count(needed_.begin() + circuit_.first_gate(), needed_.end(), true));
    }

    // Gates of a cycle refer to later ones, so each has its number first. One too wide is narrowed by gates that come
    // before the cycle's own and belong to it as well.
    void place_cycle(const Block& block) {
        const auto first = size();
        auto next = first;
        for (auto n = block.first; n < block.last; ++n) {
            if (!needed_[n]) continue;
            const auto width = static_cast<std::uint32_t>(circuit_.inputs(n).size());
            if (width > kWidest) next += (width + kWidest - 1) / kWidest;
            net_->of[n] = 2 * next++ + static_cast<Literal>(is_all(n));
        }
        if (next == first) return;
        for (auto n = block.first; n < block.last; ++n) {
            if (!needed_[n]) continue;
            auto inputs = counted_inputs(n);
            if (inputs.size() > kWidest) {
                std::vector<Literal> parts;
                for (std::size_t i = 0; i < inputs.size(); i += kWidest) {
                    const auto from = inputs.begin() + static_cast<std::ptrdiff_t>(i);
                    const auto to = inputs.begin() + static_cast<std::ptrdiff_t>(std::min(inputs.size(), i + kWidest));
                    parts.push_back(2 * add_node({from, to}));
                    mark_cyclic(size() - 1, is_all(n));
                }
                inputs = parts;
            }
            add_node(inputs);
            mark_cyclic(size() - 1, is_all(n));
        }
        net_->cycles.push_back({first, size()});
    }
    void mark_cyclic(std::uint32_t node, bool conjunction) {
        net_->cycle_of.resize(node + 1, kNone);
        net_->conjunction.resize(node + 1, false);
        net_->cycle_of[node] = static_cast<std::uint32_t>(net_->cycles.size());
        net_->conjunction[node] = conjunction;
    }

    void place_rests() {
        for (auto& g : net_->groups) g.guard = net_->literal(g.guard);
        net_->terminal = net_->literal(circuit_.terminal);
        allowed_by_.assign(circuit_.moves, kFalse);
        std::map<std::vector<Literal>, Literal> made;
        for (std::uint32_t m = 0; m < circuit_.moves; ++m) {
            if (net_->group_of[m] == kNone) continue;
            auto parts = rest(m);
            for (auto& l : parts) l = net_->literal(l);
            if (parts.size() < 2) {
                allowed_by_[m] = parts.empty() ? kTrue : parts[0];
                continue;
            }
            for (auto& l : parts) l = negate(l);
            std::sort(parts.begin(), parts.end());
            const auto [at, fresh] = made.try_emplace(parts, 0);
            if (fresh) at->second = 2 * add_node(parts) + 1;
            allowed_by_[m] = at->second;
        }
    }

    void place_watched() {
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f) {
            if (!net_->busy[f] || circuit_.next[f] == 2 * circuit_.fluent_node(f)) continue;
            net_->watched.push_back(f);
            net_->watched_next.push_back(net_->literal(circuit_.next[f]));
        }
    }

    bool kept_state(std::uint32_t node) const { return net_->of[node] != kNone && !net_->with_moves[node]; }

    void list_cold() {
        std::vector<bool> marked(circuit_.nodes(), false);
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f) {
            if (net_->busy[f] || circuit_.next[f] == 2 * circuit_.fluent_node(f)) continue;
            net_->cold.push_back(f);
            mark_cone(circuit_, circuit_.next[f], marked, stack_, [&](std::uint32_t n) { return kept_state(n); });
        }
        for (auto n = circuit_.first_gate(); n < circuit_.nodes(); ++n)
            if (marked[n]) net_->cold_gates.push_back(n);
    }

    void place_tapes() {
        auto out = net_->nodes;
        net_->tape_out = out;
        out += static_cast<std::uint32_t>(net_->cold_gates.size());
        std::vector<Literal> roots;
        for (const auto& g : circuit_.goals) roots.push_back(g.when);
        net_->goals = make_tape(roots, out, false);
        roots.clear();
        for (const auto& s : circuit_.sees) roots.push_back(s.when);
        net_->sees = make_tape(roots, out, true);
        net_->room = out;
    }

    // Nodes that a tape cannot take from the net: gates that are not kept or, since the net may hold other moves than
    // those asked about, depend on the moves. With moves, the tape's first nodes are the moves.
    Tape make_tape(const std::vector<Literal>& roots, std::uint32_t& out, bool moves) {
        Tape tape;
        tape.out = out;
        std::vector<bool> marked(circuit_.nodes(), false);
        for (const auto l : roots) mark_cone(circuit_, l, marked, stack_, [&](std::uint32_t n) { return kept_state(n); });
        auto of = net_->of;
        if (moves && !roots.empty())
            for (std::uint32_t m = 0; m < circuit_.moves; ++m) of[circuit_.move_node(m)] = 2 * out++;
        const auto first = out;
        for (auto n = circuit_.first_gate(); n < circuit_.nodes(); ++n)
            if (marked[n]) of[n] = 2 * out++ + static_cast<Literal>(is_all(n));
        auto next = first;
        for (const auto& block : circuit_.blocks) {
            Stretch stretch{static_cast<std::uint32_t>(tape.code.size()), 0, next, 0, block.cyclic};
            for (auto n = block.first; n < block.last; ++n) {
                if (!marked[n]) continue;
                const auto inputs = circuit_.inputs(n);
                tape.code.push_back(static_cast<std::uint32_t>(inputs.size()));
                for (const auto l : inputs)
                    tape.code.push_back(of[node_of(l)] ^ static_cast<Literal>(negated(l)) ^ static_cast<Literal>(is_all(n)));
                tape.conjunction.push_back(is_all(n));
                ++next;
            }
            stretch.end = static_cast<std::uint32_t>(tape.code.size());
            stretch.gates = next - stretch.out;
            if (stretch.gates == 0) continue;
            if (!tape.stretches.empty() && !block.cyclic && !tape.stretches.back().cyclic) {
                tape.stretches.back().end = stretch.end;
                tape.stretches.back().gates += stretch.gates;
            } else {
                tape.stretches.push_back(stretch);
            }
        }
        for (const auto l : roots) tape.answers.push_back(of[node_of(l)] ^ static_cast<Literal>(negated(l)));
        return tape;
    }

    void make_edges() {
        auto& net = *net_;
        net.cycle_of.resize(net.nodes, kNone);
        net.conjunction.resize(net.nodes, false);
        std::vector<std::vector<std::uint32_t>> rise(net.nodes), fall(net.nodes), acts(net.nodes), inner(net.nodes);
        for (std::uint32_t n = 0; n < net.nodes; ++n)
            for (auto i = net.first_input[n]; i < net.first_input[n + 1]; ++i) {
                const auto from = node_of(net.input[i]);
                const bool against = negated(net.input[i]);
                if (net.cycle_of[n] == kNone)
                    (against ? fall : rise)[from].push_back(n);
                else if (net.cycle_of[n] == net.cycle_of[from])
                    inner[from].push_back(2 * n + against);
                else
                    acts[from].push_back(act(against ? Act::fall_in_cycle : Act::rise_in_cycle, n));
            }
        for (std::uint32_t m = 0; m < circuit_.moves; ++m) {
            const auto l = allowed_by_[m];
            if (net.group_of[m] != kNone) acts[node_of(l)].push_back(act(negated(l) ? Act::forbid : Act::allow, m));
        }
        for (std::uint32_t i = 0; i < net.watched.size(); ++i) {
            acts[1 + net.watched[i]].push_back(act(Act::watch, i));
            acts[node_of(net.watched_next[i])].push_back(act(Act::watch, i));
        }
        net.first_inner.push_back(0);
        for (std::uint32_t n = 0; n < net.nodes; ++n) {
            Head head{};
            const auto put = [&](const std::vector<std::uint32_t>& some) {
                net.edge.insert(net.edge.end(), some.begin(), some.end());
                return static_cast<std::uint32_t>(net.edge.size());
            };
            head.rise = static_cast<std::uint32_t>(net.edge.size());
            head.fall = put(rise[n]);
            head.acts = put(fall[n]);
            head.end = put(acts[n]);
            net.head.push_back(head);
            net.inner.insert(net.inner.end(), inner[n].begin(), inner[n].end());
            net.first_inner.push_back(static_cast<std::uint32_t>(net.inner.size()));
        }
    }

    const Circuit& circuit_;
    std::shared_ptr<Net> net_ = std::make_shared<Net>();
    std::vector<std::uint32_t> cyclic_, stack_;
    std::vector<Literal> guard_;       // for each move, a circuit literal
    std::vector<Literal> allowed_by_;  // for each move, the net literal its list watches
    std::vector<bool> needed_;
    std::uint32_t listed_ = 0;
};

}  // namespace

std::vector<bool> recursive_fluents(const Circuit& circuit) {
    const auto with = nodes_with_moves(circuit);
    const auto cyclic = cyclic_block_of(circuit);
    // A node is bad where a recursive gate that depends on the moves lies in its cone; blocks are in order.
    std::vector<bool> bad(circuit.nodes(), false);
    for (const auto& block : circuit.blocks) {
        for (auto n = block.first; n < block.last; ++n) {
            bad[n] = block.cyclic && with[n];
            for (const auto l : circuit.inputs(n))
                if (bad[node_of(l)]) bad[n] = true;
        }
    }
    std::vector<bool> fluents(circuit.fluents);
    for (std::uint32_t f = 0; f < circuit.fluents; ++f) fluents[f] = bad[node_of(circuit.next[f])];
    return fluents;
}

std::shared_ptr<const Net> lay_out(std::shared_ptr<const Circuit> circuit, std::vector<bool> busy, std::size_t store) {
    return Builder(std::move(circuit), std::move(busy), store).build();
}

}  // namespace zermelo::gdl::single
