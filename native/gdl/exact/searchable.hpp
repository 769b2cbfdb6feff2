// A ground game as the search kernels take it: one role after the other, two scores that add up, no repetition.
//
// A rulesheet promises none of these. They are checked at every edge and every end that a search meets, and
// NotSearchable is thrown where one fails; what was not met was not needed. That no position repeats rests on a
// potential that grows along every edge: cells that fill up, counters that count. Which facts those are is guessed from
// the circuit, so a game may be refused that never repeats, but none is accepted that does.
//
//     auto game = searchable(circuit, circuit->start);      // null: too many fluents for the kernels
//     auto search = game->search("alphabeta", params);
#pragma once

#include <memory>
#include <span>
#include <stdexcept>

#include "gdl/circuit/circuit.hpp"
#include "zermelo/search.hpp"

namespace zermelo::gdl {

struct NotSearchable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::unique_ptr<AnyGame> searchable(std::shared_ptr<const Circuit> circuit, std::span<const std::uint64_t> state);

}  // namespace zermelo::gdl
