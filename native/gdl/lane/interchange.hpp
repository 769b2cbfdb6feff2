// Things that may change places without any change to what a position is worth: dice that are thrown one by one.
//
// Five dice have 7,776 throws, but only 252 that differ in what can be done with them. Their names are constants in the
// names of fluents, `(shows a 3)`, `(loose b)`: the fluents of one die are its column, and a position with columns
// exchanged is one with the same dice in another order. That is no symmetry of the rules (StateSymmetry) where dice are
// thrown in the order of their names. But the positions up to the order of the dice are lumped exactly (Kemeny and
// Snell 1960): whichever of them play is in, the next ones, up to the order of the dice, are the same in number.
//
// Which constants are so is guessed from names and tried on positions of random games: all moves are played from a
// position and from its exchanged form, and what comes out has to be the same, in sorted form. That is evidence, not
// proof: values that rest on it are estimates.
//
//     Interchange dice(net);
//     dice.sort(state);         // columns in rising order
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gdl/single/single.hpp"

namespace zermelo::gdl {

class Interchange {
public:
    Interchange() = default;
    explicit Interchange(const std::shared_ptr<const single::Net>& net);

    bool trivial() const { return classes_.empty(); }
    void sort(std::span<std::uint64_t> state) const;
    // The names of the constants, class by class.
    std::vector<std::vector<std::string>> names() const;

private:
    // The fluents of all objects whose names differ in the object alone stand together; there are `width` such kinds.
    struct Class {
        std::vector<std::string> object;
        std::vector<std::uint32_t> fluent;
        std::size_t width;
    };
    class Finder;

    static void sort_one(const Class& some, std::span<std::uint64_t> state);

    std::vector<Class> classes_;
};

}  // namespace zermelo::gdl
