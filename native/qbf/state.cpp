#include "qbf/state.hpp"

#include <algorithm>

#include "zermelo/random.hpp"

namespace zermelo::qbf {

State::State(const Network& network)
    : network_(network), node_(network.size()), level_alive_(network.exists.size(), 0), node_hash_(network.size()), top_hash_(network.size()),
      top_place_(network.size()) {
    Random random(0x5eed);
    for (std::uint32_t n = 0; n < network.size(); ++n) {
        node_[n].kind = network.kind[n];
        if (network.kind[n] == NodeKind::leaf) node_[n].hopeless = owner(network.literal[n] >> 1) ? NodeKind::all : NodeKind::any;
    }
    for (std::uint32_t n = 0; n < network.size(); ++n) {
        node_[n].undecided = static_cast<std::uint32_t>(network.children(n).size());
        node_[n].live = static_cast<std::uint32_t>(network.parents(n).size());
        for (const auto c : network.children(n)) node_[n].hope += node_[c].hopeless != network.kind[n];
        node_hash_[n] = {random.next(), random.next()};
        top_hash_[n] = {random.next(), random.next()};
    }
    for (const auto& variable : network.variable) {
        ++level_alive_[variable.level];
        ++owner_alive_[network.exists[variable.level]];
    }
}

std::uint64_t State::bytes(const Network& network) { return network.size() * (sizeof(Node) + std::uint64_t{60}); }

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
    while (next_ < trail_.size()) {
        const auto event = trail_[next_++];
        if ((event & 7) == kLeave) settle_leave(static_cast<std::uint32_t>(event >> 3));
    }
    pure_.clear();
    run();
}

void State::set_value(std::uint32_t node, bool value) {
    node_[node].value = value;
    push(kValue, node);
}

void State::leave(std::uint32_t node) {
    node_[node].active = 0;
    hash_.low ^= node_hash_[node].low;
    hash_.high ^= node_hash_[node].high;
    push(kLeave, node);
}

void State::link_top(std::uint32_t node) {
    node_[node].top = 1;
    top_place_[node] = static_cast<std::uint32_t>(top_list_.size());
    top_list_.push_back(node);
    hash_.low ^= top_hash_[node].low;
    hash_.high ^= top_hash_[node].high;
}

void State::unlink_top(std::uint32_t node) {
    node_[node].top = 0;
    const auto last = top_list_.back();
    top_list_[top_place_[node]] = last;
    top_place_[last] = top_place_[node];
    top_list_.pop_back();
    hash_.low ^= top_hash_[node].low;
    hash_.high ^= top_hash_[node].high;
}

void State::add_top(std::uint32_t node) {
    link_top(node);
    push(kTop, node);
}

void State::remove_top(std::uint32_t node) {
    unlink_top(node);
    push(kUntop, node);
    if (node_[node].active) leave(node);
}

void State::assign(std::uint32_t variable, bool value) {
    push(kChoice, 2 * variable + !value);
    const auto& leaf = network_.variable[variable].leaf;
    for (const auto sign : {0, 1}) {
        if (leaf[sign] == Network::kNone) continue;
        set_value(leaf[sign], value == (sign != 0));
        if (node_[leaf[sign]].active) leave(leaf[sign]);
    }
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
        if ((network_.kind[n] == NodeKind::all) == mode_) {
            if (node_[n].active) leave(n);
            for (const auto c : network_.children(n)) pending_.push_back(c);
        } else {
            add_top(n);
            narrow(n);
        }
    }
}

// A top with few inputs left.
void State::narrow(std::uint32_t gate) {
    if (node_[gate].undecided <= 1) require_last(gate);
    else if (node_[gate].hope == 0) despair(gate);
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
        if (other != Network::kNone && std::ranges::find(network_.children(gate), other) != network_.children(gate).end()) return last_.clear();
        last_.push_back(mode_ ? negate(literal) : literal);
    }
    lose();
}

// The last input of a top that can still make it come out as it must.
void State::require_last(std::uint32_t gate) {
    std::uint32_t last = Network::kNone;
    for (const auto c : network_.children(gate)) {
        if (node_[c].value == kUndecided) last = c;
        else if (node_[c].value == mode_) last = Network::kNone - 1;
        if (last == Network::kNone - 1) return;  // an event on its way will settle the gate
    }
    if (last == Network::kNone) {
        lose();
        return;
    }
    remove_top(gate);
    pending_.push_back(last);
}

void State::settle_value(std::uint32_t node) {
    const bool value = node_[node].value;
    const auto hopeless_for = node_[node].hopeless;
    for (const auto p : network_.parents(node)) {
        auto& gate = node_[p];
        if (gate.gone) continue;
        const auto left = --gate.undecided;
        gate.hope -= gate.kind != hopeless_for;
        const bool decides = (gate.kind == NodeKind::any) == value;
        if (gate.value == kUndecided) {
            if (!decides && left) continue;
            set_value(p, value);
            if (node_[p].active) leave(p);
        } else if (node_[p].top) {
            if (decides) {
                remove_top(p);
            } else if (!result_) {
                pending_.clear();
                narrow(p);
                if (!pending_.empty()) require(pending_.back());
            }
        }
    }
}

void State::settle_leave(std::uint32_t node) {
    node_[node].gone = 1;
    if (node_[node].kind != NodeKind::leaf) {
        for (const auto c : network_.children(node))
            if (--node_[c].live == 0 && node_[c].active && !node_[c].top) leave(c);
        return;
    }
    const auto literal = network_.literal[node];
    const auto variable = literal >> 1;
    const auto& place = network_.variable[variable];
    const auto other = place.leaf[literal & 1];
    if (other == Network::kNone || node_[other].gone) {
        --level_alive_[place.level];
        --owner_alive_[owner(variable)];
    } else if (node_[other].active) {
        pure_.push_back(variable);
    }
}

// Literals of one sign only are left of these variables: their owners gain by choosing them.
void State::choose_pure() {
    for (const auto variable : pure_) {
        const auto& leaf = network_.variable[variable].leaf;
        if (node_[leaf[0]].active != node_[leaf[1]].active) assign(variable, static_cast<bool>(node_[leaf[1]].active) == owner(variable));
    }
    pure_.clear();
}

void State::flip() {
    const auto gate = top_list_.front();
    mode_ = !mode_;
    push(kFlip, 0);
    remove_top(gate);
    for (const auto c : network_.children(gate)) {
        require(c);
        if (result_) return;
    }
}

void State::run() {
    for (;;) {
        while (next_ < trail_.size() && !result_) {
            const auto event = trail_[next_++];
            ++events_;
            const auto node = static_cast<std::uint32_t>(event >> 3);
            if ((event & 7) == kValue) settle_value(node);
            else if ((event & 7) == kLeave) settle_leave(node);
        }
        if (result_) return;
        if (top_list_.size() == 0) {
            result_ = mode_;
            return;
        }
        if (top_list_.size() == 1) flip();
        else if (!pure_.empty()) choose_pure();
        else return;
    }
}

void State::undo(std::uint64_t mark) {
    result_.reset();
    last_.clear();
    pure_.clear();
    while (trail_.size() > mark) {
        const auto at = trail_.size() - 1;
        const auto event = trail_.back();
        const auto node = static_cast<std::uint32_t>(event >> 3);
        const bool settled = at < next_;
        switch (event & 7) {
            case kValue:
                if (settled) {
                    const auto hopeless_for = node_[node].hopeless;
                    for (const auto p : network_.parents(node)) {
                        auto& gate = node_[p];
                        if (gate.gone) continue;
                        ++gate.undecided;
                        gate.hope += gate.kind != hopeless_for;
                    }
                }
                node_[node].value = kUndecided;
                break;
            case kLeave:
                if (settled) {
                    if (node_[node].kind == NodeKind::leaf) {
                        const auto literal = network_.literal[node];
                        const auto& place = network_.variable[literal >> 1];
                        const auto other = place.leaf[literal & 1];
                        if (other == Network::kNone || node_[other].gone) {
                            ++level_alive_[place.level];
                            ++owner_alive_[owner(literal >> 1)];
                        }
                    } else {
                        for (const auto c : network_.children(node)) ++node_[c].live;
                    }
                    node_[node].gone = 0;
                }
                node_[node].active = 1;
                hash_.low ^= node_hash_[node].low;
                hash_.high ^= node_hash_[node].high;
                break;
            case kTop: unlink_top(node); break;
            case kUntop: link_top(node); break;
            case kFlip: mode_ = !mode_; break;
            default: break;
        }
        trail_.pop_back();
    }
    next_ = std::min(next_, mark);
}

}  // namespace zermelo::qbf
