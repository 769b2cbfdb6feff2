// A rulesheet without variables: the atoms that can ever hold, and rules between them.
//
// What rests on neither state nor moves is worked out once and for all. Of the rest, an atom can hold if a rule gives
// it from atoms that can hold, where what is said of `not` is left aside; a fact can be true if it is so at the start
// or can be next, a move can be made if it can be legal. This is a superset of what is ever the case, so no reply is
// lost; the rules of these atoms then say exactly what holds in a state, as the perfect model of a stratified program
// (Apt, Blair and Walker 1988).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "sheet.hpp"

namespace checker {

struct WordsHash {
    std::size_t operator()(const std::vector<std::uint32_t>& words) const {
        std::uint64_t mixed = words.size();
        for (const auto word : words) mixed = (mixed ^ word) * 0x9e3779b97f4a7c15, mixed ^= mixed >> 29;
        return mixed;
    }
};

// Things that are lists of numbers, each with one number of its own.
class Interned {
public:
    std::uint32_t number(const std::vector<std::uint32_t>& words);
    const std::uint32_t* find(const std::vector<std::uint32_t>& words) const;
    const std::vector<std::uint32_t>& words(std::uint32_t number) const { return *list_[number]; }
    std::uint32_t size() const { return std::uint32_t(list_.size()); }

private:
    std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, WordsHash> numbers_;
    std::vector<const std::vector<std::uint32_t>*> list_;
};

struct GroundRule {
    std::uint32_t head;
    std::vector<std::uint32_t> holds, fails;  // atoms
};

// Atoms that are worked out together: one, or several that depend on one another; each after those that it rests on.
struct Step {
    bool circle;
    std::vector<std::uint32_t> atoms;
    std::vector<GroundRule> rules;
};

class Grounding;

struct Ground {
    struct Pair {
        std::string role, text;  // of a move or a goal, in KIF
        Term move;
        std::uint32_t atom, made;  // that it is legal or the goal; that it is made
    };
    std::vector<std::string> roles;
    std::vector<std::string> facts;                             // that can be true, sorted
    std::vector<std::uint32_t> fact_atoms;                      // that each is true
    std::vector<std::pair<std::uint32_t, std::uint32_t>> next;  // an atom that a fact is next, and the fact's place
    std::vector<std::uint32_t> start;                           // places of facts
    std::vector<Pair> legal, goal;                              // sorted by their texts
    std::vector<std::uint32_t> terminal;                        // the atom, if it can hold
    std::uint32_t atoms = 0;
    std::vector<std::uint32_t> always;     // atoms that hold in every state
    std::vector<Step> of_state, of_moves;  // the second rest on moves as well
};

// BadInput for a sheet that becomes too large without its variables.
Ground ground(const Sheet& sheet);

}  // namespace checker
