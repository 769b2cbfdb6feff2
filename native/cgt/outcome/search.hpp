// Who wins a sum under normal play, without its value: depth-first proof-number search over lists of parts.
//
// Every sum is seen from the side of the player who is to move: with Right to move the sum is negated. So there is one
// question, whether Left, who moves first, wins, and one table, keyed by whole sums (parts.hpp). After a move the
// other player is to move, in the negative.
//
// Proof numbers (Allis 1994; Nagai's df-pn 2002) lead to the position that is cheapest to decide. Sums are reached in
// many orders of moves, and adding up would count the same work many times: the disproof number of a position is the
// largest among its moves plus the number of the others (Ueda, Hashimoto, Hashimoto, Iida 2008, weak proof-number
// search).
//
// Where the bounds of all parts are close, they tell good moves from bad ones better than proof numbers do. There the
// search goes depth first, in the order of the means that lie between the bounds.
//
// Ends of the search, besides players without a move:
// - bounds by the walls of thermographs (walls.hpp);
// - sums that are number + n.up + nimber are decided in closed form, those with one value besides by one comparison.
//
//     Search search(parts);
//     search.wins(sum, control);           // does Left, moving first, win?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cgt/outcome/parts.hpp"
#include "cgt/outcome/sum_table.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::outcome {

class Search {
public:
    explicit Search(Parts& parts) : parts_(parts) {}

    // The sum must be settled. Throws Stopped and MemoryLimit at limits, and may then be asked again.
    bool wins(const Parts::Sum& sum, Control& control);
    // The answer if it is known without a search.
    std::optional<bool> known(const Parts::Sum& sum);
    std::size_t positions() const { return table_.size(); }

private:
    static constexpr std::uint32_t kInfinite = 1u << 30;
    static constexpr std::uint64_t kCheapComparison = 1u << 16;

    // Keys lie on a stack of words; those of a frame's children above its own.
    struct Key {
        std::uint32_t at, size;
        std::uint64_t hash;
    };
    struct Child {
        Key key;
        ProofNumbers numbers;
    };
    struct Frame {
        Key key;
        std::uint32_t first_child, first_word;
        std::uint32_t phi_limit, delta_limit;
        std::uint32_t current;
        std::uint64_t opened;  // sums that had been looked into before
        std::uint32_t work;    // and those that this one took earlier
    };

    std::span<const std::uint32_t> words(const Key& key) const { return std::span(keys_).subspan(key.at, key.size); }
    Key push_key(const Parts::Sum& sum);
    Walls walls_of(const Parts::Sum& sum);
    std::optional<bool> decided(const Parts::Sum& sum, const Walls& walls);
    bool open(const Key& key, std::uint32_t phi_limit, std::uint32_t delta_limit, Control& control);
    ProofNumbers guess(const Walls& walls) const;
    bool add_child(Parts::Sum& after);
    bool look_up_children(std::uint32_t first);
    ProofNumbers close(Control& control, ProofNumbers numbers);
    ProofNumbers numbers_of(const Frame& frame, std::uint32_t& best, std::uint32_t& second, std::uint32_t& open) const;
    ProofNumbers search(const Key& root, Control& control);

    Parts& parts_;
    SumTable table_;
    std::vector<std::uint32_t> keys_;
    std::vector<Child> children_;
    std::vector<Frame> frames_;
    Parts::Sum before_, base_, after_;
    std::uint64_t opened_ = 0;
    bool depth_first_ = false;
};

}  // namespace zermelo::cgt::outcome
