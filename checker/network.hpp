// A stochastic constraint network as it is stated (docs/formats/network.md).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rational.hpp"

namespace checker {

using Values = std::vector<int>;
using Vector = std::vector<Rational>;
inline constexpr int kAny = -1;  // in a row of a table: whatever value

struct Domain {
    std::string name;
    std::vector<std::string> values;
    bool stochastic;
};

// Rows over a scope: what a table allows (without numbers), what players get, or what chance does.
struct StatedRows {
    Values scope;
    std::map<Values, Vector> rows;
};

struct Draw {
    int variable = 0;
    StatedRows given = {};
    bool even = false;  // among the values whose variable is 1
};

struct Network {
    std::size_t players = 1;
    std::vector<Domain> variables;
    std::vector<StatedRows> tables, utilities;
    std::vector<Draw> drawn;
    Vector threshold;
    Values stages;
};

// The network that a text states; BadInput where it states none.
Network read_network(std::string_view text);

}  // namespace checker
