// Sums of products into few gates: algebraic factoring by the most frequent literal (Brayton 1987, "quick factor").
#pragma once

#include <span>
#include <vector>

#include "gdl/circuit/gates.hpp"

namespace zermelo::gdl {

using Product = std::vector<Literal>;

// The OR of ANDs as a gate of `gates`. Products need not be sorted. Time about linear in the literals for each
// literal factored out.
Literal factored(Gates& gates, std::vector<Product> products);

}  // namespace zermelo::gdl
