// A ground game ready to answer questions about states, and how it came to be.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/circuit/circuit.hpp"
#include "gdl/single/single.hpp"

namespace zermelo::gdl {

struct GroundFigures {
    double ground_seconds = 0, compile_seconds = 0;
    std::uint64_t rules = 0, literals = 0;  // before they were compiled into gates
};

class GroundGame {
public:
    GroundGame(Circuit circuit, GroundRules rules, const GroundFigures& figures)
        : circuit_(std::make_shared<const Circuit>(std::move(circuit))), rules_(std::move(rules)), figures_(figures),
          lane_(circuit_) {}

    const std::shared_ptr<const Circuit>& circuit() const { return circuit_; }
    // As they were before factoring, which keeps what they mean but not their symmetries.
    const GroundRules& rules() const { return rules_; }
    const GroundFigures& figures() const { return figures_; }
    const SingleLane& lane() const { return lane_; }

    bool terminal(std::span<const std::uint64_t> state) { return at(state).terminal(); }
    std::vector<std::uint32_t> legal(std::span<const std::uint64_t> state, std::uint32_t role) {
        std::vector<std::uint32_t> moves;
        at(state).legal_moves(role, moves);
        return moves;
    }
    std::vector<std::int64_t> goals(std::span<const std::uint64_t> state, std::uint32_t role) {
        std::vector<std::int64_t> values;
        at(state).goals(role, values);
        return values;
    }
    std::vector<std::uint32_t> sees(std::span<const std::uint64_t> state, std::span<const std::uint32_t> joint,
                                    std::uint32_t role) {
        std::vector<std::uint32_t> percepts;
        at(state).sees(joint, role, percepts);
        return percepts;
    }
    std::span<const std::uint64_t> next(std::span<const std::uint64_t> state, std::span<const std::uint32_t> joint) {
        at(state).play(joint);
        return lane_.state();
    }

private:
    SingleLane& at(std::span<const std::uint64_t> state) {
        if (!std::ranges::equal(lane_.state(), state)) lane_.load(state);
        return lane_;
    }

    std::shared_ptr<const Circuit> circuit_;
    GroundRules rules_;
    GroundFigures figures_;
    SingleLane lane_;
};

}  // namespace zermelo::gdl
