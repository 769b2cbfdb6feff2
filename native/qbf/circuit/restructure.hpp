// The same circuit with shared work made explicit.
//
// Encodings of games are full of pairs: "not both x and y". Of those that forbid x together with each of several y, one
// gate is made: "not x and some y". And gates of many inputs become chains in the order of the inputs, so that gates
// that begin alike share what they have in common; a pairwise at-most-one constraint becomes a ladder, the pairs
// "visited before" become one running disjunction a place. That shortens propagation from quadratic to linear, and
// makes residuals equal that differ only in how they came about. What is not shared is flattened again afterwards.
#pragma once

#include <vector>

#include "qbf/circuit/andgraph.hpp"
#include "zermelo/control.hpp"

namespace zermelo::qbf {

// A circuit over the same leaves; outputs are replaced by their images.
AndGraph restructured(const AndGraph& graph, std::vector<Literal>& outputs, Control& control);

}  // namespace zermelo::qbf
