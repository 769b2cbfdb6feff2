// A proof as the nodes of zermelo/qip/proof.py, in the form in which it crosses the border.
#pragma once

#include <cstdint>
#include <vector>

namespace zermelo::qip {

enum class NodeKind : std::uint8_t { choose, branch, refute };

// A row that takes part in a contradiction.
struct Weight {
    std::uint32_t row;
    std::int64_t multiplier;
};

// Node i has the numbers data[first[i]] .. data[first[i + 1] - 1]:
// choose: follower, values; branch: for each case lower, upper, follower, broken row; refute: how many rows, row and
// multiplier of each, universal choices. A follower or broken row of -1 is none. Followers come first; the last node is
// the root; no nodes: nothing to say.
struct ProofArrays {
    std::vector<std::uint8_t> kind;
    std::vector<std::uint32_t> at;
    std::vector<std::uint64_t> first{0};
    std::vector<std::int64_t> data;
};

}  // namespace zermelo::qip
