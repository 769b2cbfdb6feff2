#include "qbf/search/state.hpp"

#include <algorithm>
#include <bit>

#include "zermelo/random.hpp"

namespace zermelo::qbf {

State::State(const Network& network)
    : network_(network), node_(network.size()), hopeless_(network.size(), NodeKind::leaf),
      watched_(2 * std::size_t{network.size()}), next_watch_(3 * std::size_t{network.size()}),
      previous_watch_(next_watch_.size()), first_fed_(network.size(), Network::kNone),
      next_fed_(network.size(), Network::kNone), user_(network.first_parent), level_alive_(network.exists.size(), 0),
      live_set_(network.size() / 32 + 1, 0), top_set_(live_set_.size(), 0), node_hash_(network.size()),
      values_(network.size()), deaths_(network.size()), dead_variables_(network.variable.size()),
      tops_(2 * std::size_t{network.size()}), choices_(network.variable.size()), top_list_(network.size()),
      top_place_(network.size()), pure_(2 * network.variable.size()) {
    Random random(0x5eed);
    const auto size = network.size();
    for (std::uint32_t w = 0; w < next_watch_.size(); ++w) next_watch_[w] = previous_watch_[w] = w;
    for (std::uint32_t n = 0; n < size; ++n) {
        node_[n].kind = network.kind[n];
        node_hash_[n] = random.next();
        toggle(live_set_, n);
        if (network.kind[n] == NodeKind::leaf) {
            hopeless_[n] = owner(network.literal[n] >> 1) ? NodeKind::all : NodeKind::any;
        } else {
            move_watch(2 * n, network.children(n).front());
            move_watch(2 * n + 1, network.children(n).front());
        }
        if (network.parents(n).empty()) continue;
        next_fed_[n] = first_fed_[network.parents(n).front()];
        first_fed_[network.parents(n).front()] = n;
    }
    for (const auto& variable : network.variable) {
        ++level_alive_[variable.level];
        ++owner_alive_[network.exists[variable.level]];
    }
}

std::uint64_t State::bytes(const Network& network) { return network.size() * (sizeof(Node) + std::uint64_t{80}); }

std::uint32_t State::uses(std::uint32_t node) const {
    return static_cast<std::uint32_t>(
        std::ranges::count_if(network_.parents(node), [&](std::uint32_t p) { return node_[p].active; }));
}

void State::begin() {
    if (network_.root == Network::kNone) {
        result_ = network_.constant;
        return;
    }
    // A variable of one sign only from the start never sees its other literal die.
    for (std::uint32_t v = 0; v < network_.variable.size(); ++v) {
        const auto& leaf = network_.variable[v].leaf;
        if (leaf[0] == Network::kNone || leaf[1] == Network::kNone) assign(v, (leaf[1] != Network::kNone) == owner(v));
    }
    require(network_.root);
    run();
}

void State::choose(std::uint32_t variable, bool value) {
    assign(variable, value);
    run();
}

void State::set_aside(std::span<const std::uint32_t> tops) {
    for (const auto n : tops) remove_top(n);
    // Nothing follows from this but that nodes die; their variables are not to be chosen here.
    while (next_death_ < deaths_.size()) settle_leave(deaths_[next_death_++]);
    pure_.clear();
    run();
}

void State::set_value(std::uint32_t node, bool value) {
    node_[node].value = value;
    values_.push(node);
}

void State::leave(std::uint32_t node) {
    node_[node].active = false;
    toggle(live_set_, node);
    hash_ ^= node_hash_[node];
    deaths_.push(node);
    if (node_[node].kind != NodeKind::leaf) return;
    const auto literal = network_.literal[node];
    const auto& place = network_.variable[literal >> 1];
    const auto other = place.leaf[literal & 1];
    if (other == Network::kNone || !node_[other].active) {
        --level_alive_[place.level];
        --owner_alive_[network_.exists[place.level]];
        dead_variables_.push(literal >> 1);
    } else if (node_[other].value == kUndecided) {
        pure_.push(literal >> 1);
    }
}

void State::link_top(std::uint32_t node) {
    node_[node].top = true;
    toggle(top_set_, node);
    top_place_[node] = static_cast<std::uint32_t>(top_list_.size());
    top_list_.push(node);
}

void State::unlink_top(std::uint32_t node) {
    node_[node].top = false;
    toggle(top_set_, node);
    const auto last = top_list_.back();
    top_list_[top_place_[node]] = last;
    top_place_[last] = top_place_[node];
    top_list_.pop();
}

void State::remove_top(std::uint32_t node) {
    unlink_top(node);
    hash_ ^= std::rotl(node_hash_[node], 29);
    tops_.push(2 * node + 1);
    if (node_[node].active) leave(node);
}

void State::assign(std::uint32_t variable, bool value) {
    choices_.push(2 * variable + !value);
    const auto& leaf = network_.variable[variable].leaf;
    for (const auto sign : {0, 1})
        if (leaf[sign] != Network::kNone) set_value(leaf[sign], value == (sign != 0));
    for (const auto n : leaf)
        if (n != Network::kNone && node_[n].active) leave(n);
}

void State::require(std::uint32_t node) {
    pending_.assign(1, node);
    while (!pending_.empty() && !result_) {
        const auto n = pending_.back();
        pending_.pop_back();
        if (node_[n].value == mode_) continue;
        if (node_[n].value != kUndecided) return lose();
        if (node_[n].kind == NodeKind::leaf) {
            const auto variable = network_.literal[n] >> 1;
            const bool value = mode_ != static_cast<bool>(network_.literal[n] & 1);
            if (owner(variable) == mode_) {
                assign(variable, value);
            } else {
                last_.assign(1, 2 * variable + value);  // the other side makes it fail
                return lose();
            }
            continue;
        }
        const auto opposite = network_.opposite[n];
        if (opposite != Network::kNone) {
            if (node_[opposite].value == mode_) return lose();
            if (node_[opposite].value == kUndecided) {
                set_value(opposite, !mode_);
                if (node_[opposite].active) leave(opposite);
            }
        }
        set_value(n, mode_);
        if ((node_[n].kind == NodeKind::all) == mode_) {
            if (node_[n].active) leave(n);
            for (const auto c : network_.children(n)) pending_.push_back(c);
        } else {
            link_top(n);
            hash_ ^= std::rotl(node_hash_[n], 29);
            tops_.push(2 * n);
            watch_inputs(n);
        }
    }
}

void State::move_watch(std::uint32_t watch, std::uint32_t input) {
    const auto before = previous_watch_[watch], after = next_watch_[watch];
    next_watch_[before] = after;
    previous_watch_[after] = before;
    const auto head = 2 * network_.size() + input;
    const auto first = next_watch_[head];
    next_watch_[head] = previous_watch_[first] = watch;
    previous_watch_[watch] = head;
    next_watch_[watch] = first;
    watched_[watch] = input;
}

// A watched input of a top has failed: another undecided one is watched, but for the one that is watched already. If
// there is none that one is required. If it is not hopeful the new one has to be.
void State::watch_another(std::uint32_t gate, std::uint32_t slot, std::uint32_t kept) {
    const auto kind = node_[gate].kind;
    const bool need_hope = !hopeful(kept, kind);
    auto found = Network::kNone;
    for (const auto c : network_.children(gate)) {
        if (c == kept) continue;
        if (node_[c].value == mode_) return;  // an event on its way will settle the gate
        if (node_[c].value != kUndecided) continue;
        found = c;
        if (!need_hope || hopeless_[c] != kind) return move_watch(2 * gate + slot, c);
    }
    if (found == Network::kNone) return require_last(gate);
    despair(gate);
    move_watch(2 * gate + slot, found);
}

// A gate has become a top.
void State::watch_inputs(std::uint32_t gate) {
    const auto kind = node_[gate].kind;
    auto hope = Network::kNone, other = Network::kNone;
    for (const auto c : network_.children(gate)) {
        if (node_[c].value == mode_) return;
        if (node_[c].value != kUndecided) continue;
        if (hope == Network::kNone && hopeless_[c] != kind) hope = c;
        else if (other == Network::kNone) other = c;
        else if (hope != Network::kNone) break;
    }
    if (hope == Network::kNone && other != Network::kNone) {
        despair(gate);
        if (result_) return;
        hope = *std::ranges::find_if(network_.children(gate),
                                     [&](std::uint32_t c) { return c != other && node_[c].value == kUndecided; });
    }
    if (other == Network::kNone) return require_last(gate);
    if (watched_[2 * gate] != hope) move_watch(2 * gate, hope);
    if (watched_[2 * gate + 1] != other) move_watch(2 * gate + 1, other);
}

// Only literals of the other side are left, which will make them all fail.
void State::despair(std::uint32_t gate) {
    last_.clear();
    for (const auto c : network_.children(gate)) {
        if (node_[c].value == mode_) return last_.clear();
        if (node_[c].value != kUndecided) continue;
        const auto literal = network_.literal[c];
        const auto other = network_.variable[literal >> 1].leaf[literal & 1];
        // A variable and its negation among them: then the gate cannot fail, and other rules will find that.
        if (other != Network::kNone &&
            std::ranges::find(network_.children(gate), other) != network_.children(gate).end())
            return last_.clear();
        last_.push_back(mode_ ? negate(literal) : literal);
    }
    lose();
}

// The last input of a top that can still make it come out as it must.
void State::require_last(std::uint32_t gate) {
    auto last = Network::kNone;
    for (const auto c : network_.children(gate)) {
        if (node_[c].value == mode_) return;
        if (node_[c].value == kUndecided) last = c;
    }
    if (last == Network::kNone) return lose();
    remove_top(gate);
    required_.push_back(last);
}

// An input that is watched has come out so that it does not decide the gate.
void State::watch_other_input(std::uint32_t watch) {
    const auto g = watch >> 1;
    auto& gate = node_[g];
    if (gate.top) {
        watch_another(g, watch & 1, watched_[watch ^ 1]);
    } else if (gate.value == kUndecided && gate.active && !(watch & 1)) {
        const std::uint8_t deciding = gate.kind == NodeKind::any;
        for (const auto c : network_.children(g)) {
            if (node_[c].value == !deciding) continue;
            if (node_[c].value == kUndecided) move_watch(watch, c);
            return;  // else an event on its way will decide the gate
        }
        set_value(g, !deciding);
        leave(g);
    }
}

void State::settle_value(std::uint32_t node) {
    const bool value = node_[node].value;
    for (const auto p : network_.parents(node, value ? NodeKind::any : NodeKind::all)) {
        auto& gate = node_[p];
        if (gate.top) {
            remove_top(p);
        } else if (gate.value == kUndecided && gate.active) {
            set_value(p, value);
            leave(p);
        }
    }
    const auto head = 2 * network_.size() + node;
    for (auto watch = next_watch_[head]; watch != head && !result_;) {
        const auto next = next_watch_[watch];
        watch_other_input(watch);
        watch = next;
    }
}

void State::settle_values() {
    while (!result_) {
        if (!required_.empty()) {
            const auto node = required_.back();
            required_.pop_back();
            require(node);
        } else if (next_value_ < values_.size()) {
            ++events_;
            settle_value(values_[next_value_++]);
        } else {
            return;
        }
    }
}

void State::settle_leave(std::uint32_t node) {
    ++events_;
    auto kept = Network::kNone;
    for (auto n = first_fed_[node]; n != Network::kNone;) {
        const auto next = next_fed_[n];
        auto to = Network::kNone;
        if (node_[n].active && !node_[n].top) {
            // On from the last one, around to it: what is dead stays so for a while, and is not looked at again and
            // again.
            const auto begin = network_.first_parent[n], end = network_.first_parent[n + 1];
            for (auto at = user_[n];;) {
                if (++at == end) at = begin;
                if (at == user_[n]) break;
                if (!node_[network_.parent[at]].active) continue;
                to = network_.parent[at];
                user_[n] = at;
                break;
            }
            if (to == Network::kNone) leave(n);
        }
        auto& list = to == Network::kNone ? kept : first_fed_[to];
        next_fed_[n] = list;
        list = n;
        n = next;
    }
    first_fed_[node] = kept;
}

// Literals of one sign only are left of these variables: their owners gain by choosing them.
void State::choose_pure() {
    // What is chosen may add to the list.
    for (std::uint32_t i = 0; i < pure_.size(); ++i) {
        const auto variable = pure_[i];
        const auto& leaf = network_.variable[variable].leaf;
        if (node_[leaf[0]].active != node_[leaf[1]].active)
            assign(variable, static_cast<bool>(node_[leaf[1]].active) == owner(variable));
    }
    pure_.clear();
}

void State::flip() {
    const auto gate = top_list_.front();
    mode_ = !mode_;
    remove_top(gate);
    for (const auto c : network_.children(gate)) {
        require(c);
        if (result_) return;
    }
}

// Values before deaths: where the game is lost nobody asks what is alive.
void State::run() {
    for (;;) {
        settle_values();
        if (result_) return;
        if (next_death_ < deaths_.size()) {
            settle_leave(deaths_[next_death_++]);
            continue;
        }
        if (top_list_.empty()) {
            result_ = mode_;
            return;
        }
        if (top_list_.size() == 1) flip();
        else if (!pure_.empty()) choose_pure();
        else return;
    }
}

State::Mark State::mark() const {
    return {values_.size(), deaths_.size(), dead_variables_.size(), tops_.size(), choices_.size(), mode_, hash_};
}

void State::undo(const Mark& mark) {
    result_.reset();
    last_.clear();
    pure_.clear();
    required_.clear();
    for (auto i = mark.values; i < values_.size(); ++i) node_[values_[i]].value = kUndecided;
    for (auto i = mark.deaths; i < deaths_.size(); ++i) {
        node_[deaths_[i]].active = true;
        toggle(live_set_, deaths_[i]);
    }
    for (auto i = mark.dead_variables; i < dead_variables_.size(); ++i) {
        const auto level = network_.variable[dead_variables_[i]].level;
        ++level_alive_[level];
        ++owner_alive_[network_.exists[level]];
    }
    for (; tops_.size() > mark.tops; tops_.pop()) {
        if (tops_.back() & 1) link_top(tops_.back() >> 1);
        else unlink_top(tops_.back() >> 1);
    }
    values_.shrink(mark.values);
    deaths_.shrink(mark.deaths);
    dead_variables_.shrink(mark.dead_variables);
    choices_.shrink(mark.choices);
    next_value_ = std::min(next_value_, mark.values);
    next_death_ = std::min(next_death_, mark.deaths);
    mode_ = mark.mode;
    hash_ = mark.hash;
}

}  // namespace zermelo::qbf
