// States that the rules treat alike, brought to one form.
//
// A symmetry of a ground game is a permutation of its fluents and, role by role, of its moves that turns the rules into
// themselves (found and verified in gdl/symmetry/automorphism.hpp). It turns a state into one with the same future,
// move by move: legal moves, the states they lead to, endings and goals are those of the first state, turned. So both
// have one value, under every notion of value that does not look at names, and a search needs only one of them.
//
//     StateSymmetry symmetry(fluents, moves, elements);   // a group, the identity first
//     auto e = symmetry.canon(state, form);               // form: the same words for all states of one orbit
//     auto m = symmetry.move_to(e, move);                 // the move in `form` that is `move` in `state`
//     symmetry.move_from(e, m) == move;                   // and back
//
// The form of a state that is reached need not be reached itself. The kernels play it all the same if the symmetries
// keep what they rely on beyond the rules: groups of fluents of which never two hold (keeps_groups).
//
// The form is the least image of the state, read as a string of bits: elements are compared from the first fluent that
// any of them moves and dropped at the first difference, so most cost a few steps and no image is written but the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::gdl {

struct Symmetry {
    std::vector<std::uint32_t> fluent, move;  // the image of each
    bool operator==(const Symmetry&) const = default;
};

Symmetry identity_symmetry(std::uint32_t fluents, std::uint32_t moves);
// First `first`, then `then`.
Symmetry composed(const Symmetry& first, const Symmetry& then);

// Whether two fluents are in one group exactly where their images are; the group of each fluent, or 0xffffffff.
bool keeps_groups(const Symmetry& symmetry, std::span<const std::uint32_t> group_of_fluent);

class StateSymmetry {
public:
    // The elements have to be all of a group, the identity first, as far as their fluents go. Throws
    // std::invalid_argument for what are not permutations, or a first element that moves a fluent.
    StateSymmetry(std::uint32_t fluents, std::uint32_t moves, std::span<const Symmetry> elements);

    std::uint32_t order() const { return order_; }
    bool trivial() const { return order_ == 1; }
    std::size_t words() const { return (fluents_ + 63) / 64; }
    std::uint32_t moves() const { return moves_; }

    // The element that turns the state into the least of its images; the first of them.
    std::uint32_t least(std::span<const std::uint64_t> state) const;
    // The image of the state under an element. `image` must not overlap `state`.
    void turn(std::uint32_t element, std::span<const std::uint64_t> state, std::span<std::uint64_t> image) const;
    // The least image, and the element that it comes by.
    std::uint32_t canon(std::span<const std::uint64_t> state, std::span<std::uint64_t> form) const {
        const auto element = least(state);
        turn(element, state, form);
        return element;
    }

    std::uint32_t fluent_to(std::uint32_t element, std::uint32_t fluent) const {
        return fluent_to_[std::size_t{element} * fluents_ + fluent];
    }
    std::uint32_t move_to(std::uint32_t element, std::uint32_t move) const {
        return move_to_[std::size_t{element} * moves_ + move];
    }
    std::uint32_t move_from(std::uint32_t element, std::uint32_t move) const {
        return move_from_[std::size_t{element} * moves_ + move];
    }

private:
    std::uint32_t fluents_, moves_, order_;
    std::uint32_t moved_ = 0;                // how many fluents some element moves
    std::vector<std::uint32_t> moved_from_;  // of each element: what lands on each of them, first fluent first
    std::vector<std::uint32_t> fluent_to_, move_to_, move_from_;
};

// The elements of a group that `generators` span, the identity first; two that move all fluents alike count as one.
// Where there would be more than `most`, those of a subgroup: generators that would lead beyond are left out.
std::vector<Symmetry> spanned(std::uint32_t fluents, std::uint32_t moves, std::span<const Symmetry> generators,
                              std::size_t most);

}  // namespace zermelo::gdl
