// What a search proves, as nodes in the sense of zermelo/qip/proof.py.
//
// A node is written once, however often it comes up. Values are counted from the variables' lower bounds until the
// nodes are taken out.
//
// With each node goes what it needs, so that it can serve elsewhere: of rows that its owner keeps, by how much less
// than at the most the variables from there on add; of rows that are broken, by how much more than at the least. Both
// are the same however many open variables come before the node. zermelo/check/program.py computes the same from the
// nodes.
//
//     ProofNodes nodes(state);
//     nodes.begin(Side::forall);
//     const auto refuted = nodes.refute(3, weights, {});
//     const auto root = nodes.choose(0, values, refuted);
//     const auto arrays = nodes.reachable(root, program);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qip/proof/proof_arrays.hpp"
#include "qip/program/state.hpp"
#include "qip/proof/sums.hpp"
#include "qip/program/table.hpp"

namespace zermelo::qip::tabling {

inline constexpr std::uint32_t kEnd = kNone - 1;  // in place of a node: nothing is left to do
inline constexpr std::int64_t kKept = -1;         // a case in which the universal player breaks no row of his own

struct ProofCase {
    std::int64_t lower, upper;
    std::uint32_t then;
    std::int64_t breaks = kKept;  // number of a row of uncertainty
};

enum class Side : std::uint8_t { exists, forall };

class ProofNodes {
public:
    // Of what nodes need, about so much is remembered at most.
    ProofNodes(const TableState& state, std::uint64_t need_bytes);

    // Forgets all nodes; the next ones are those of this owner.
    void begin(Side owner);
    std::uint32_t choose(std::uint32_t at, std::span<const std::int64_t> values, std::uint32_t then);
    // The cases cover 0 .. range; they are put in order, and where one is all there is, it stands for the node.
    std::uint32_t branch(std::uint32_t at, std::span<ProofCase> cases);
    std::uint32_t refute(std::uint32_t at, std::span<const Weight> weights, std::span<const std::int64_t> choices);

    struct Interval {
        std::int64_t from, to;
    };
    // The values of a variable for which a node holds that begins after it; none, if it needs too much to remember. The
    // variable is the next to be passed, and the node is known to hold for some value.
    Interval reach(std::uint32_t node, std::uint32_t variable) const;
    bool holds_for(std::uint32_t node, std::uint32_t variable, std::int64_t from, std::int64_t to) const {
        const auto whole = reach(node, variable);
        return whole.from <= from && to <= whole.to;
    }
    // Whether a node that holds for values of a variable does so for all larger ones, or all smaller ones. Known also
    // of nodes that need too much to remember.
    bool holds_beyond(std::uint32_t node, std::uint32_t variable, bool larger) const;
    // Whether a node that holds at this cut with other residuals does so now. `doubt` is what it failed by the last
    // time, tested first.
    bool holds_at(std::uint32_t node, std::uint32_t index, std::span<const ResidualTable::Field> fields,
                  std::int64_t objective_width, std::uint32_t& doubt) const;

    std::uint32_t size() const { return static_cast<std::uint32_t>(kind_.size()); }
    std::uint64_t bytes() const;
    // The nodes that a root needs, in the order of a proof; choices that follow each other are put together.
    ProofArrays reachable(std::uint32_t root, const Program& program) const;

private:
    enum class Note : std::uint8_t {
        plain,
        moot,   // nothing needs to be kept: every line ends with a broken row of forall
        vague,  // what it needs is not remembered
    };
    struct Need {
        std::uint32_t row;
        std::int64_t amount;
    };

    std::uint32_t made(NodeKind kind, std::uint32_t at);
    std::uint64_t hash_of(NodeKind kind, std::uint32_t at, std::span<const std::int64_t> data) const;
    void grow_slots();
    std::span<const std::int64_t> data_of(std::uint32_t node) const {
        return std::span(data_).subspan(first_[node], first_[node + 1] - first_[node]);
    }
    std::span<const Need> needs_of(std::uint32_t node) const {
        return node == kEnd ? std::span<const Need>()
                            : std::span(need_).subspan(need_first_[node], need_first_[node + 1] - need_first_[node]);
    }
    const Need* need(std::uint32_t node, std::uint32_t row) const;
    // Rows of exists are kept in his proofs and broken in those of forall; rows of uncertainty the other way round.
    bool kept(std::uint32_t row) const {
        return row < state_.rows() && (row < state_.first_uncertain) == (owner_ == Side::exists);
    }
    // What a row, or a sum of rows, has to spare before a variable.
    std::int64_t spare(std::uint32_t row, std::uint32_t index) const {
        return row < state_.rows() ? state_.spare[row] : sums_.spare(row, index);
    }
    bool moot(std::uint32_t node) const { return node != kEnd && note_[node] == Note::moot; }
    bool vague(std::uint32_t node) const { return node != kEnd && note_[node] == Note::vague; }

    // What is needed of a node under way, row by row.
    void start_need(std::uint32_t node);
    void add_interval(std::uint32_t variable, std::int64_t from, std::int64_t to);
    void meet(Interval& interval, std::uint32_t node, std::uint32_t variable, const Entry& entry) const;
    void add_to_need(std::uint32_t row, std::int64_t amount);
    void add_choices(std::uint32_t at, std::span<const std::int64_t> values);
    void merge_need();
    void write_need();
    void touch(std::uint32_t other);
    void touch_row(std::uint32_t row);
    void write_touch();
    std::span<const std::uint64_t> touched(std::uint32_t node) const {
        return std::span(touched_).subspan(touch_[node] * touch_words_, touch_words_);
    }

    static constexpr std::size_t kMostNeeds = 512;  // of one node

    const TableState& state_;
    RowSums sums_;
    std::uint64_t need_bytes_;
    Side owner_ = Side::exists;
    std::vector<NodeKind> kind_;
    std::vector<std::uint32_t> at_;
    std::vector<std::uint64_t> first_{0};
    std::vector<std::int64_t> data_;
    std::vector<std::uint32_t> slot_;  // by hash: number of a node plus one
    std::vector<std::int64_t> fresh_;

    std::vector<std::uint64_t> need_first_{0};
    std::vector<Need> need_;
    std::vector<Note> note_;
    std::vector<std::int64_t> amount_, merged_;
    std::vector<std::uint8_t> has_, merged_has_;
    std::vector<std::uint32_t> row_, merged_row_;
    // For each node of the universal player the variables that its rows hold: first those of which smaller values may
    // undo it, then those of which larger ones may. Many nodes have the same. Without it where he has rows of his own.
    std::size_t touch_words_ = 0;
    std::vector<std::uint32_t> touch_;
    std::vector<std::uint64_t> touched_, fresh_touch_;
    std::uint32_t same_touch_ = kNone;  // node that touches as much as the one under way
    bool is_moot_ = false, merged_moot_ = false, is_vague_ = false;
};

}  // namespace zermelo::qip::tabling
