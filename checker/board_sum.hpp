// Positions of boards and games in brackets side by side, as a target states them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "boards.hpp"
#include "valued.hpp"

namespace checker {

struct BoardTerm {
    std::string name;  // of its game
    std::shared_ptr<const BoardRules> rules;
    std::string position;
};

struct BoardSum {
    std::vector<BoardTerm> terms;
    bool mixed = false;  // of boards of several games, or with games in brackets

    // What the digest is taken of.
    std::string statement() const;
};

// Whether a target begins like boards, or adds up boards of several games or boards and games in brackets.
bool is_board(std::string_view target);
bool is_mixed(std::string_view text);
// The boards that a target states; BadInput where it states none.
BoardSum read_boards(const std::string& target);

// Checks a claim about boards by a rule; how many sums or parts were looked at.
std::uint64_t check_board_claim(const BoardSum& boards, const Claim& claim, const std::vector<std::string>& line);
// The same of one by nim-values of heaps.
std::uint64_t check_nimbers(const BoardSum& boards, const Claim& claim);

}  // namespace checker
