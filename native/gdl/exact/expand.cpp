#include "gdl/exact/expand.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "gdl/exact/searchable.hpp"
#include "gdl/single/single.hpp"
#include "gdl/exact/turns.hpp"

namespace zermelo::gdl {

namespace {

class Expander {
public:
    Expander(std::shared_ptr<const Circuit> circuit, Control& control)
        : circuit_(std::move(circuit)), control_(control), lane_(circuit_), random_(random_role(*circuit_)),
          joint_(circuit_->roles()) {
        graph_.words = circuit_->words();
        slots_.assign(1024, kNobody);
        std::uint8_t number = 0;
        for (std::uint32_t role = 0; role < circuit_->roles(); ++role)
            player_.push_back(role == random_ ? kChanceTurn : number++);
        if (number >= kOverTurn) throw NotSearchable("more roles than an explicit graph takes");
    }

    Expansion run() {
        node_of(circuit_->start, kNobody);
        for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
            control_.tick();
            visit(node);
            graph_.first_edge.push_back(graph_.target.size());
        }
        control_.publish();
        return std::move(graph_);
    }

private:
    std::span<const std::uint64_t> state(std::uint32_t node) const {
        return std::span(graph_.states).subspan(std::size_t{node} * graph_.words, graph_.words);
    }

    void visit(std::uint32_t node) {
        here_.assign(state(node).begin(), state(node).end());
        const auto pending = graph_.pending[node];
        lane_.load(here_);
        if (lane_.terminal()) return end(node);
        const auto turn = turn_of(lane_, random_);
        if (turn.stuck) throw NotSearchable("a role has no legal move before the end");
        if (turn.several) throw NotSearchable("several roles move at once");
        const bool chance = turn.chance && (turn.player == kNobody || pending != kNobody);
        const auto role = chance ? random_ : turn.player;
        graph_.turn.push_back(chance ? kChanceTurn : player_[role]);
        for (std::uint32_t other = 0; other < joint_.size(); ++other) joint_[other] = lane_.legal(other, 0);
        if (pending != kNobody) joint_[turn.player] = pending;
        lane_.legal_moves(role, list_);
        for (const auto move : list_) {
            if (!chance && turn.chance) {
                graph_.target.push_back(node_of(here_, move));
                continue;
            }
            joint_[role] = move;
            lane_.load(here_);
            lane_.play(joint_);
            graph_.target.push_back(node_of(lane_.state(), kNobody));
        }
        control_.charge(static_cast<std::int64_t>(list_.size() * sizeof(std::uint32_t)));
    }

    void end(std::uint32_t node) {
        graph_.turn.push_back(kOverTurn);
        graph_.ends.push_back(node);
        for (std::uint32_t role = 0; role < circuit_->roles(); ++role) {
            if (role == random_) continue;
            lane_.goals(role, values_);
            if (values_.size() != 1)
                throw NotSearchable(circuit_->role_names[role] +
                                    (values_.empty() ? " has no goal value" : " has several goal values") +
                                    " at an end");
            graph_.scores.push_back(values_[0]);
        }
    }

    std::uint32_t node_of(std::span<const std::uint64_t> words, std::uint32_t pending) {
        if (2 * (graph_.nodes() + 1) > slots_.size()) grow();
        const auto at = slot(words, pending);
        if (slots_[at] == kNobody) {
            control_.charge(static_cast<std::int64_t>(graph_.words * 8 + 24));
            slots_[at] = static_cast<std::uint32_t>(graph_.nodes());
            graph_.states.insert(graph_.states.end(), words.begin(), words.end());
            graph_.pending.push_back(pending);
        }
        return slots_[at];
    }

    std::size_t slot(std::span<const std::uint64_t> words, std::uint32_t pending) const {
        std::uint64_t hash = pending;
        for (const auto word : words) hash = (hash ^ word) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
        const auto mask = slots_.size() - 1;
        for (auto at = hash & mask;; at = (at + 1) & mask) {
            const auto node = slots_[at];
            if (node == kNobody || (graph_.pending[node] == pending && std::ranges::equal(state(node), words)))
                return at;
        }
    }

    void grow() {
        control_.charge(static_cast<std::int64_t>(2 * slots_.size() * sizeof(std::uint32_t)));
        slots_.assign(4 * slots_.size(), kNobody);
        for (std::uint32_t node = 0; node < graph_.nodes(); ++node)
            slots_[slot(state(node), graph_.pending[node])] = node;
    }

    std::shared_ptr<const Circuit> circuit_;
    Control& control_;
    SingleLane lane_;
    std::uint32_t random_;
    std::vector<std::uint8_t> player_;
    Expansion graph_;
    std::vector<std::uint32_t> slots_, list_, joint_;
    std::vector<std::uint64_t> here_;
    std::vector<std::int64_t> values_;
};

}  // namespace

Expansion expand(std::shared_ptr<const Circuit> circuit, Control& control) {
    return Expander(std::move(circuit), control).run();
}

}  // namespace zermelo::gdl
