// Quantified Boolean formulas: circuits, blocks of variables, and the game that a formula is.
//
// `exists` and `forall` choose the values of the variables in the order of the blocks, and `exists` wins where the
// circuit comes out true. Gates are simplified as they are made, by the list below; the digest of a formula rests on
// it (docs/certificates.md):
//   and, or   inputs count once; a neutral constant is left out; an absorbing one, or an input together with its
//             negation, is all there is to say; a gate with one input is that input;
//   xor       negations go outside; a constant input or two equal ones leave no gate;
//   ite       the condition and the second input stand plain; where an input is constant, or repeats the condition, an
//             `and` or an `or` is left; where the branches are opposite, an `xor`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "certificate.hpp"
#include "ending.hpp"

namespace checker {

// Twice the number of a node, plus one where it is negated. Node 0 is false.
using Wire = std::uint32_t;

enum class Gate : std::uint8_t { kFalse, kVariable, kAnd, kOr, kXor, kIte };

class Circuit {
public:
    Wire variable();
    Wire junction(bool conjunction, std::vector<Wire> inputs);
    Wire exclusive(Wire one, Wire other);
    Wire choice(Wire condition, Wire then, Wire otherwise);
    // The gate of a kind on some inputs: two at least for `xor`, three for `ite`.
    Wire gate(Gate kind, const std::vector<Wire>& inputs);

    std::size_t size() const { return kinds_.size(); }
    Gate kind(std::size_t node) const { return kinds_[node]; }
    const std::vector<Wire>& inputs(std::size_t node) const { return inputs_[node]; }
    // The nodes that a literal depends on, each after its inputs.
    std::vector<std::uint32_t> below(Wire output) const;

private:
    Wire node(Gate kind, std::vector<Wire> inputs);
    std::vector<Gate> kinds_{Gate::kFalse};
    std::vector<std::vector<Wire>> inputs_{{}};
    std::map<std::pair<Gate, std::vector<Wire>>, std::uint32_t> known_;
};

struct Block {
    bool exists;
    std::vector<std::uint32_t> variables;  // nodes
};

struct Formula {
    Circuit circuit;
    std::vector<Block> blocks;  // that alternate, none of them empty
    Wire output = 0;
    std::unordered_map<std::uint32_t, std::string> names;

    // All variables, the first to be chosen first, and the place of each one's block.
    std::vector<std::uint32_t> order() const;
    std::unordered_map<std::uint32_t, std::size_t> block_of() const;
    // What the digest is taken of, where the first variables have values.
    std::string statement(const std::string& given) const;
};

// The formula that a text in QCIR-G14 or QDIMACS states; BadInput where it states none.
Formula read_qcir(const std::string& text);
Formula read_qdimacs(const std::string& text);

// Blocks without the empty ones, neighbours of one quantifier joined.
std::vector<Block> joined(const std::vector<Block>& blocks);

// The game of a formula. Positions are numbered as they are met: each is the values chosen so far, a digit each.
class FormulaGame {
public:
    struct State {
        std::uint64_t number;
        bool operator==(const State&) const = default;
    };
    using Layered = FormulaGame;
    static constexpr bool kFromLibrary = false;
    explicit FormulaGame(const Formula& formula);
    const Layered& layered() const { return *this; }
    std::vector<std::string> roles() const { return {"exists", "forall"}; }
    Score endless(int) const { return 0; }
    State start() const { return numbered(""); }
    int turn(const State& state) const { return exists_[values_[state.number].size()] ? 0 : 1; }
    std::string starter(const State& state) const { return roles()[std::size_t(turn(state))]; }
    void moves(const State& state, std::vector<std::uint32_t>& out) const;
    State play(const State& state, std::uint32_t move) const;
    bool over(const State& state, Score& score) const;
    std::string key(const State& state) const { return values_[state.number]; }
    std::string text(const State& state, std::uint32_t move) const;
    std::string meant(const std::string& written) const { return written; }
    std::optional<std::uint32_t> move_in_full(const State&, const std::vector<std::uint32_t>&,
                                              const std::string&) const {
        return std::nullopt;
    }
    // Checks a claim that rests on a rule, for play from a position on; how many plays or steps that took.
    std::uint64_t check_rule(const Claim& claim, int owner, const State& state) const;

private:
    State numbered(const std::string& values) const;
    const Formula& formula_;
    std::vector<std::uint32_t> order_, nodes_;
    std::vector<bool> exists_;
    mutable std::vector<std::string> values_;
    mutable std::unordered_map<std::string, std::uint64_t> numbers_;
};

// Checks functions that are claimed to win a formula whose first variables have values.
std::uint64_t check_functions(const Formula& formula, const Claim& claim, bool exists, const std::string& given);

}  // namespace checker
