// What a joint move does, as short straight-line code, made once and kept.
//
// With the moves done known, and known to be legal, most of `next` folds away: nearly all fluents keep their value and
// vanish, many of the others become constants, and the rest a few gates over nodes that are kept anyway.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/single/layout.hpp"

namespace zermelo::gdl::single {

class Effects {
public:
    explicit Effects(const Net& net);

    // The code for a joint move: an index into code(), which stays valid until the next call.
    //     n gates, each `k, literal * k`, writing nodes tape_out, tape_out + 1, ...;
    //     n fluents that become true; n that become false; n pairs of a fluent and the literal it becomes.
    std::uint32_t of(std::span<const std::uint32_t> done) {
        const auto slot = direct_.empty() ? find(done) : index(done);
        const auto at = direct_.empty() ? table_[slot] : direct_[slot];
        return at != 0 ? at : make(done, slot);
    }
    const std::uint32_t* code() const { return code_.data(); }
    // How often the bounded store was thrown away: where that is often, moves seldom come twice.
    std::uint64_t flushes() const { return flushes_; }
    // The mean length of the code of a joint move.
    double words_per_move() const {
        return kept_ == 0 ? 0 : static_cast<double>(code_.size()) / static_cast<double>(kept_);
    }
    // The fluents that the joint move may change, without keeping the code.
    std::vector<std::uint32_t> changed(std::span<const std::uint32_t> done);

private:
    std::size_t index(std::span<const std::uint32_t> done) const {
        std::size_t i = 0;
        for (std::size_t r = 0; r < done.size(); ++r) i += done[r] * scale_[r];
        return i - offset_;
    }
    std::size_t find(std::span<const std::uint32_t> done) const;
    std::uint32_t make(std::span<const std::uint32_t> done, std::size_t slot);
    void flush();
    void list_users();
    void specialise(std::span<const std::uint32_t> done);
    void assume(Literal literal);
    void learn(std::uint32_t node, Literal result);
    void consider(std::uint32_t fluent);
    Literal fold(std::uint32_t node);
    Literal resolve(Literal l) const { return result_[node_of(l)] ^ static_cast<Literal>(negated(l)); }
    void forget();
    void emit();

    const Net* net_;
    std::vector<std::size_t> scale_;
    std::size_t offset_ = 0;
    std::vector<std::uint32_t> direct_;  // for few joint moves: by mixed radix
    std::vector<std::uint32_t> table_;   // for many: open addressing
    std::size_t kept_ = 0;
    std::uint64_t flushes_ = 0;
    std::vector<std::uint32_t> code_;

    // What each circuit node has become: a constant, another literal, or a gate of our own (numbers beyond the
    // circuit's nodes). At rest this is for no move at all; a joint move changes some of it, which is undone
    // afterwards.
    std::vector<Literal> result_;
    std::vector<std::uint32_t> first_{0};
    std::vector<Literal> input_;
    std::vector<bool> conjunction_;
    std::size_t gates_at_rest_ = 0;

    std::vector<std::uint32_t> first_user_, user_;  // for each circuit node: the cold gates it is an input of
    std::vector<std::uint32_t> first_follower_,
        follower_;                         // for each circuit node: the cold fluents it is the next value of
    std::vector<std::uint32_t> restless_;  // cold fluents that change even when nobody moves
    std::vector<std::pair<std::uint32_t, Literal>> learned_;  // nodes and what they were at rest
    std::vector<bool> given_, queued_, considered_;
    std::vector<std::uint32_t> queue_;  // a heap of gates to fold again
    std::vector<Literal> stack_, part_;
    std::vector<std::pair<std::uint32_t, Literal>> change_;
    std::vector<std::uint32_t> slot_, wanted_;
};

}  // namespace zermelo::gdl::single
