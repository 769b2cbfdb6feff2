// What each role would have if the game ended where it stands: the goals, evaluated as if `terminal` held.
//
// Where goals are scores, this is the score so far, whatever its form: the best single feature of a position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/circuit/circuit.hpp"

namespace zermelo::gdl {

class GoalsNow {
public:
    explicit GoalsNow(const Circuit& circuit);
    // From 0 to 1; one half where the rules name no goal, or several. Not for two threads at once.
    void operator()(std::span<const std::uint64_t> state, std::span<double> rewards);

private:
    struct Gate {
        std::uint32_t first_input, last_input;
        bool all;
    };
    struct Goal {
        std::uint32_t role;
        double reward;
        Literal when;  // of a place
    };

    std::vector<std::uint32_t> fluent_;  // that goals rest on: places 1, 2, ...; place 0 is false
    std::vector<Gate> gate_;             // the places after those
    std::vector<Literal> input_;
    std::vector<Goal> goals_;
    std::vector<std::uint8_t> value_;
    std::vector<std::uint8_t> said_;
};

}  // namespace zermelo::gdl
