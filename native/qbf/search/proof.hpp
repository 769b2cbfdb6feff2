// What a search has proved, as a directed acyclic graph from which the winner's functions are read.
//
// A step belongs to one residual and one winner. It says which of his variables the winner chooses there (forced, pure
// or tried), and how it goes on: not at all, with one step, with one step for each value of a variable of the other
// role, or with several steps at once where the residual fell apart. Steps of equal residuals are shared.
//
// The functions (as in Balabanov and Jiang, "Unified QBF certification and its applications", 2012, but read from the
// search instead of from a clause proof): a step is *reached* if one of its predecessors is and the other role's
// variable has the right value; a variable of the winner is true where a step that chooses it so is reached. The search
// goes in the order of the prefix, so a step that chooses a variable is reached through outer variables only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qbf/circuit/formula.hpp"
#include "qbf/circuit/network.hpp"

namespace zermelo::qbf {

class Proof {
public:
    using Step = std::uint32_t;
    static constexpr Step kNothing = 0;  // nothing to choose, nothing to follow

    // Records nothing with no words to spare.
    explicit Proof(std::uint64_t most_words) : most_(most_words), words_(most_words ? 1 : 0, 0) {}

    bool recording() const { return !words_.empty(); }
    std::uint64_t bytes() const { return words_.size() * sizeof(std::uint32_t); }

    // Literals are twice a variable of the network, plus one where it is false.
    Step chosen(std::span<const std::uint32_t> literals, Step then);
    Step replies(std::uint32_t variable, Step if_false, Step if_true);
    Step together(std::span<const Step> parts);

    // The functions of the winner, in the first so many blocks. What is written down is the strategy with equal steps
    // made one: residuals that differ are often won alike.
    Functions functions(const Formula& formula, const Network& network, bool winner, Step root,
                        std::uint32_t blocks = ~std::uint32_t{0}) const;

private:
    enum Kind : std::uint32_t { kChosen, kReplies, kTogether };

    Step begin(Kind kind, std::size_t count, std::size_t words);
    std::vector<Step> used(Step root) const;
    Step copied(Step step, std::span<const Step> image, std::uint32_t variables, Proof& to) const;
    Proof shared(Step& root, std::uint32_t variables) const;
    Functions written(const Formula& formula, const Network& network, bool winner, Step root) const;

    std::uint64_t most_;
    std::vector<std::uint32_t> words_;  // of a step: count << 2 | kind, then its words
};

}  // namespace zermelo::qbf
