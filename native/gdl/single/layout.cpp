#include "gdl/single/layout.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "zermelo/heed.hpp"

namespace zermelo::gdl::single {

namespace {

constexpr std::size_t kMostGroups = 8;   // of a role's moves
constexpr std::size_t kFewestLines = 8;  // of a side of a product

std::vector<bool> nodes_with_moves(const Circuit& circuit) {
    std::vector<bool> with(circuit.nodes(), false);
    for (std::uint32_t m = 0; m < circuit.moves; ++m) with[circuit.move_node(m)] = true;
    for (const auto& block : circuit.blocks) {
        for (bool again = true; again;) {
            again = false;
            for (auto n = block.first; n < block.last; ++n) {
                if (with[n]) continue;
                heed();
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
        if (circuit.blocks[b].cyclic)
            std::fill(of.begin() + circuit.blocks[b].first, of.begin() + circuit.blocks[b].last, b);
    return of;
}

// Marks the gates that the literal depends on; does not pass nodes marked before or for which stop(node) holds.
template <class Stop>
void mark_cone(const Circuit& circuit, Literal root, std::vector<bool>& marked, std::vector<std::uint32_t>& stack,
               Stop stop) {
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
        heed();
        for (const auto l : circuit.inputs(n)) visit(l);
    }
}

class Builder {
public:
    Builder(std::shared_ptr<const Circuit> circuit, std::vector<bool> busy, std::size_t store,
            std::vector<Literal> switches)
        : circuit_(*circuit), switches_(std::move(switches)) {
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
        place_legal();
        place_watched();
        place_switches();
        find_products();
        list_cold();
        list_edges();
        net_->nodes = size();
        place_tapes();
        wire();
        return net_;
    }

private:
    std::uint32_t size() const { return static_cast<std::uint32_t>(net_->first_input.size() - 1); }

    // The conjuncts of a legal move's condition; the condition itself where it is no AND.
    std::vector<Literal> conjuncts(Literal legal) const {
        heed();
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

    // Moves are grouped by those of their conjuncts that a quarter of the role's moves share or that, like the other's
    // turn for a move that does nothing, are a whole condition. Where that makes too many groups, the rarer of these
    // conjuncts are left to the lists.
    void choose_guards() {
        net_->first_group.push_back(0);
        net_->group_of.assign(circuit_.moves, kNone);
        guard_.resize(circuit_.moves);
        for (std::uint32_t r = 0; r < circuit_.roles(); ++r) {
            std::map<Literal, std::uint32_t> uses;
            std::vector<Literal> whole;
            std::uint32_t possible = 0;
            for (auto m = circuit_.first_move[r]; m < circuit_.first_move[r + 1]; ++m) {
                if (circuit_.legal[m] == kFalse) continue;
                ++possible;
                const auto parts = conjuncts(circuit_.legal[m]);
                for (const auto l : parts) ++uses[l];
                if (parts.size() == 1) whole.push_back(parts[0]);
            }
            const auto often = std::max(2u, (possible + 3) / 4);
            std::erase_if(uses, [&](const auto& use) {
                const bool alone =
                    std::find(whole.begin(), whole.end(), use.first) != whole.end() && whole.size() < kMostGroups;
                return use.first == kTrue || (use.second < often && !alone);
            });
            for (;;) {
                const auto groups = group_by(r, uses);
                if (groups.size() <= kMostGroups || uses.empty()) {
                    take_groups(r, groups);
                    break;
                }
                uses.erase(std::min_element(uses.begin(), uses.end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; }));
            }
            net_->first_group.push_back(static_cast<std::uint32_t>(net_->groups.size()));
        }
    }

    std::map<std::vector<Literal>, std::vector<std::uint32_t>> group_by(
        std::uint32_t role, const std::map<Literal, std::uint32_t>& shared) const {
        std::map<std::vector<Literal>, std::vector<std::uint32_t>> groups;
        for (auto m = circuit_.first_move[role]; m < circuit_.first_move[role + 1]; ++m) {
            if (circuit_.legal[m] == kFalse) continue;
            auto guard = conjuncts(circuit_.legal[m]);
            std::erase_if(guard, [&](Literal l) { return !shared.contains(l); });
            groups[guard].push_back(m);
        }
        return groups;
    }

    void take_groups(std::uint32_t role, const std::map<std::vector<Literal>, std::vector<std::uint32_t>>& groups) {
        for (const auto& [guard, moves] : groups) {
            for (const auto m : moves) {
                net_->group_of[m] = static_cast<std::uint32_t>(net_->groups.size());
                guard_[m] = guard;
            }
            net_->groups.push_back({role, kTrue, listed_, static_cast<std::uint32_t>(moves.size())});
            guards_.push_back(guard);
            listed_ += static_cast<std::uint32_t>(moves.size());
        }
    }

    // What of the move's condition its list has to watch.
    std::vector<Literal> rest(std::uint32_t move) const {
        if (guard_[move].empty()) return {circuit_.legal[move]};
        auto parts = conjuncts(circuit_.legal[move]);
        std::erase_if(parts,
                      [&](Literal l) { return std::binary_search(guard_[move].begin(), guard_[move].end(), l); });
        return parts;
    }

    void need(Literal l) {
        mark_cone(circuit_, l, needed_, stack_, [](std::uint32_t) { return false; });
    }

    void mark_needed() {
        needed_.assign(circuit_.nodes(), false);
        need(circuit_.terminal);
        for (const auto& guard : guards_)
            for (const auto l : guard) need(l);
        for (std::uint32_t m = 0; m < circuit_.moves; ++m)
            if (net_->group_of[m] != kNone)
                for (const auto l : rest(m)) need(l);
        std::vector<bool> asked(circuit_.nodes(), false);
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f) {
            if (net_->busy[f]) need(circuit_.next[f]);
            else mark_cone(circuit_, circuit_.next[f], asked, stack_, [](std::uint32_t) { return false; });
        }
        for (auto n = circuit_.first_gate(); n < circuit_.nodes(); ++n)
            if (asked[n] && cyclic_[n] != kNone) need(2 * n);
    }

    std::uint32_t add_node(std::vector<Literal> inputs) {
        heed();
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
            const std::vector<Literal> part(inputs.begin() + static_cast<std::ptrdiff_t>(i),
                                            inputs.begin() + static_cast<std::ptrdiff_t>(end));
            parts.push_back(2 * add_node(part));
        }
        return parts;
    }

    bool is_all(std::uint32_t node) const { return circuit_.gate[node - circuit_.first_gate()] == Gate::all; }

    std::vector<Literal> counted_inputs(std::uint32_t node) const {
        std::vector<Literal> inputs;
        for (const auto l : circuit_.inputs(node))
            inputs.push_back(net_->literal(l) ^ static_cast<Literal>(is_all(node)));
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
        net_->gates =
            static_cast<std::uint32_t>(std::count(needed_.begin() + circuit_.first_gate(), needed_.end(), true));
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

    // The literal that holds where all the parts do.
    Literal all_of(std::vector<Literal> parts) {
        for (auto& l : parts) l = net_->literal(l);
        if (parts.size() < 2) return parts.empty() ? kTrue : parts[0];
        for (auto& l : parts) l = negate(l);
        std::sort(parts.begin(), parts.end());
        const auto [at, fresh] = made_.try_emplace(parts, 0);
        if (fresh) at->second = 2 * add_node(parts) + 1;
        return at->second;
    }

    void place_legal() {
        net_->terminal = net_->literal(circuit_.terminal);
        for (std::size_t g = 0; g < guards_.size(); ++g) net_->groups[g].guard = all_of(guards_[g]);
        net_->allowed_by.assign(circuit_.moves, kFalse);
        for (std::uint32_t m = 0; m < circuit_.moves; ++m)
            if (net_->group_of[m] != kNone) net_->allowed_by[m] = all_of(rest(m));
    }

    void place_watched() {
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f) {
            if (!net_->busy[f] || circuit_.next[f] == 2 * circuit_.fluent_node(f)) continue;
            net_->watched.push_back(f);
            net_->watched_next.push_back(net_->literal(circuit_.next[f]));
        }
    }

    // The other inputs of a switched gate, if more than one, get a gate of their own. It comes last, so that all other
    // nodes have the number they would have without switches.
    void place_switches() {
        std::map<Literal, std::vector<std::uint32_t>> by_switch;
        for (std::uint32_t n = 0; n < switches_.size(); ++n)
            if (switches_[n] != kNone) by_switch[switches_[n]].push_back(n);
        for (const auto& [on, gates] : by_switch) {
            const auto list = static_cast<std::uint32_t>(net_->follows_down.size());
            net_->follows_down.push_back(negated(on));
            turns_.push_back(node_of(on));
            for (const auto g : gates) {
                std::vector<Literal> rest(net_->input.begin() + net_->first_input[g],
                                          net_->input.begin() + net_->first_input[g + 1]);
                std::erase(rest, on);
                net_->switched.push_back(g);
                net_->switch_of.push_back(on);
                net_->list_of.push_back(list);
                net_->shut_by.push_back(rest.size() == 1 ? rest[0] : 2 * add_node(rest));
            }
            net_->first_in_list.push_back(static_cast<std::uint32_t>(net_->switched.size()));
        }
    }

    // Literals with the same partners are the rows of a product, the partners its columns.
    void find_products() {
        std::vector<Pair> pairs;
        std::vector<bool> taken(size(), false);
        for (const auto g : net_->switched) taken[g] = true;
        for (std::uint32_t n = 0; n < size(); ++n) {
            if (net_->first_input[n + 1] - net_->first_input[n] != 2 || taken[n]) continue;
            if (n < net_->cycle_of.size() && net_->cycle_of[n] != kNone) continue;
            const auto a = negate(net_->input[net_->first_input[n]]), b = negate(net_->input[net_->first_input[n] + 1]);
            pairs.push_back({a, b, n});
            pairs.push_back({b, a, n});
        }
        std::sort(pairs.begin(), pairs.end());
        std::map<std::vector<Literal>, std::vector<std::size_t>> rows_with;  // columns -> where each row's pairs begin
        for (std::size_t i = 0, end = 0; i < pairs.size(); i = end) {
            heed();
            std::vector<Literal> columns;
            for (end = i; end < pairs.size() && pairs[end].row == pairs[i].row; ++end)
                columns.push_back(pairs[end].column);
            const bool twice = std::adjacent_find(columns.begin(), columns.end()) != columns.end();
            if (columns.size() >= kFewestLines && !twice) rows_with[columns].push_back(i);
        }
        for (const auto& [columns, rows] : rows_with) {
            bool free = rows.size() >= kFewestLines;
            for (const auto i : rows)
                for (std::size_t j = 0; j < columns.size(); ++j) free = free && !taken[pairs[i + j].gate];
            if (free) take_product(columns, rows, pairs, taken);
        }
    }

    struct Pair {
        Literal row, column;
        std::uint32_t gate;
        auto operator<=>(const Pair&) const = default;
    };

    void take_product(const std::vector<Literal>& columns, const std::vector<std::size_t>& rows,
                      const std::vector<Pair>& pairs, std::vector<bool>& taken) {
        const auto corner = static_cast<std::uint32_t>(net_->crossing.size());
        const auto side = static_cast<std::uint32_t>(net_->first_of_side.size()) - 1;
        const auto width = static_cast<std::uint32_t>(columns.size());
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
            net_->lines.push_back({pairs[rows[i]].row, side, side + 1, i, corner + i * width, 1});
            for (std::size_t j = 0; j < width; ++j) {
                net_->crossing.push_back(pairs[rows[i] + j].gate);
                taken[net_->crossing.back()] = true;
            }
        }
        net_->first_of_side.push_back(static_cast<std::uint32_t>(net_->lines.size()));
        for (std::uint32_t i = 0; i < width; ++i)
            net_->lines.push_back({columns[i], side + 1, side, i, corner + i, width});
        net_->first_of_side.push_back(static_cast<std::uint32_t>(net_->lines.size()));
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
        for (const auto l : roots)
            mark_cone(circuit_, l, marked, stack_, [&](std::uint32_t n) { return kept_state(n); });
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
                heed();
                const auto inputs = circuit_.inputs(n);
                tape.code.push_back(static_cast<std::uint32_t>(inputs.size()));
                for (const auto l : inputs)
                    tape.code.push_back(of[node_of(l)] ^ static_cast<Literal>(negated(l)) ^
                                        static_cast<Literal>(is_all(n)));
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

    void list_edges() {
        auto& net = *net_;
        const auto nodes = size();
        net.cycle_of.resize(nodes, kNone);
        net.conjunction.resize(nodes, false);
        edges_.resize(nodes), moves_.resize(nodes), acts_.resize(nodes), inner_.resize(nodes);
        std::vector<bool> apart(nodes, false);
        for (const auto g : net.switched) apart[g] = true;
        for (const auto g : net.crossing) apart[g] = true;
        for (std::uint32_t n = 0; n < nodes; ++n)
            for (auto i = net.first_input[n]; i < net.first_input[n + 1] && !apart[n]; ++i) {
                heed();
                const auto from = node_of(net.input[i]);
                const bool against = negated(net.input[i]);
                if (net.cycle_of[n] == kNone) edges_[from].push_back(2 * n + !against);
                else if (net.cycle_of[n] == net.cycle_of[from]) inner_[from].push_back(2 * n + against);
                else acts_[from].push_back(act(against ? Act::fall_in_cycle : Act::rise_in_cycle, n));
            }
        for (std::uint32_t m = 0; m < circuit_.moves; ++m) {
            const auto l = net.allowed_by[m];
            if (net.group_of[m] != kNone) moves_[node_of(l)].push_back(2 * m + !negated(l));
        }
        for (std::uint32_t i = 0; i < net.watched.size(); ++i) {
            acts_[1 + net.watched[i]].push_back(act(Act::watch, i));
            acts_[node_of(net.watched_next[i])].push_back(act(Act::watch, i));
        }
        for (std::uint32_t i = 0; i < net.lines.size(); ++i) {
            const auto l = net.lines[i].on;
            acts_[node_of(l)].push_back(act(negated(l) ? Act::line_by_down : Act::line_by_up, i));
        }
        for (std::uint32_t i = 0; i < turns_.size(); ++i) acts_[turns_[i]].push_back(act(Act::turn, i));
        for (std::uint32_t i = 0; i < net.shut_by.size(); ++i) {
            const auto l = net.shut_by[i];
            acts_[node_of(l)].push_back(act(negated(l) ? Act::shut_by_down : Act::shut_by_up, i));
        }
    }

    // Only moves hear of it, and it is no fluent or move: those change by other ways than edges.
    bool is_leaf(std::uint32_t node) const {
        return net_->first_input[node + 1] != net_->first_input[node] && net_->cycle_of[node] == kNone &&
               edges_[node].empty() && acts_[node].empty() && !moves_[node].empty();
    }

    void wire() {
        auto& net = *net_;
        net.leaf.resize(net.nodes);
        for (std::uint32_t n = 0; n < net.nodes; ++n) net.leaf[n] = is_leaf(n);
        net.first_inner.push_back(0);
        for (std::uint32_t n = 0; n < net.nodes; ++n) {
            heed();
            const auto to_leaves =
                std::ranges::stable_partition(edges_[n], [&](std::uint32_t edge) { return !net.leaf[edge >> 1]; });
            const auto leaves = static_cast<std::uint32_t>(to_leaves.size());
            const auto gates = static_cast<std::uint32_t>(edges_[n].size()) - leaves;
            const bool more = !moves_[n].empty() || !acts_[n].empty();
            net.wire_of.push_back(static_cast<std::uint32_t>(net.wire.size()));
            net.wire.push_back(gates | (leaves != 0 ? kLeaves : 0) | (more ? kMore : 0));
            net.wire.insert(net.wire.end(), edges_[n].begin(), to_leaves.begin());
            if (leaves != 0) net.wire.push_back(leaves);
            net.wire.insert(net.wire.end(), to_leaves.begin(), to_leaves.end());
            for (const auto* some : {&moves_[n], &acts_[n]}) {
                if (!more) break;
                net.wire.push_back(static_cast<std::uint32_t>(some->size()));
                net.wire.insert(net.wire.end(), some->begin(), some->end());
            }
            net.inner.insert(net.inner.end(), inner_[n].begin(), inner_[n].end());
            net.first_inner.push_back(static_cast<std::uint32_t>(net.inner.size()));
        }
    }

    const Circuit& circuit_;
    std::shared_ptr<Net> net_ = std::make_shared<Net>();
    std::vector<std::uint32_t> cyclic_, stack_;
    std::vector<std::vector<Literal>> guard_;   // for each move: circuit literals, sorted
    std::vector<std::vector<Literal>> guards_;  // for each group
    std::map<std::vector<Literal>, Literal> made_;
    std::vector<bool> needed_;
    std::vector<Literal> switches_;
    std::vector<std::uint32_t> turns_;  // for each list of switched gates, the switch
    std::vector<std::vector<std::uint32_t>> edges_, moves_, acts_, inner_;  // for each node
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

std::shared_ptr<const Net> lay_out(std::shared_ptr<const Circuit> circuit, std::vector<bool> busy, std::size_t store,
                                   std::vector<Literal> switches) {
    return Builder(std::move(circuit), std::move(busy), store, std::move(switches)).build();
}

}  // namespace zermelo::gdl::single
