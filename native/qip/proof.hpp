// What a search proves, as nodes in the sense of zermelo/qip/proof.py.
//
// A node is written once, however often it comes up. Values are counted from the variables' lower bounds until the nodes
// are taken out.
//
//     ProofNodes nodes;
//     const auto refuted = nodes.refute(3, row, {});
//     const auto root = nodes.choose(0, values, refuted);
//     const auto arrays = nodes.reachable(root, program, /*existential owner*/ false);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qip/proof_arrays.hpp"
#include "qip/state.hpp"

namespace zermelo::qip::tabling {

inline constexpr std::uint32_t kEnd = kNone - 1;  // in place of a node: nothing is left to do
inline constexpr std::int64_t kKept = -1;         // a case in which the universal player breaks no row of his own

struct ProofCase {
    std::int64_t lower, upper;
    std::uint32_t then;
    std::int64_t breaks = kKept;  // number of a row of uncertainty
};

class ProofNodes {
public:
    std::uint32_t choose(std::uint32_t at, std::span<const std::int64_t> values, std::uint32_t then);
    // The cases cover 0 .. range; they are put in order, and where one is all there is, it stands for the node.
    std::uint32_t branch(std::uint32_t at, std::int64_t range, std::span<ProofCase> cases);
    std::uint32_t refute(std::uint32_t at, std::uint32_t row, std::span<const std::int64_t> choices);
    std::uint64_t bytes() const;
    void clear();
    // The nodes that a root needs, in the order of a proof; choices that follow each other are put together.
    ProofArrays reachable(std::uint32_t root, const Program& program, bool owner_exists) const;

private:
    std::uint32_t made(NodeKind kind, std::uint32_t at);
    std::span<const std::int64_t> data_of(std::uint32_t node) const { return std::span(data_).subspan(first_[node], first_[node + 1] - first_[node]); }

    std::vector<NodeKind> kind_;
    std::vector<std::uint32_t> at_;
    std::vector<std::uint64_t> first_{0};
    std::vector<std::int64_t> data_;
    std::vector<std::uint32_t> slot_;  // by hash: number of a node plus one
    std::vector<std::int64_t> fresh_;
};

}  // namespace zermelo::qip::tabling
