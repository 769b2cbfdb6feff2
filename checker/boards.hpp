// Boards on which who cannot move has lost (docs/formats/boards.md): what the rules of one game say about positions.
//
// A position is its own text. Moves come in the order in which certificates count them: by cells, row by row from the
// top, or by heaps from the largest.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "certificate.hpp"

namespace checker {

struct BoardMove {
    std::string name, after;
};
// The moves in a position, as far as there is room for them: a board may have more than anybody could look at.
class BoardMoves {
public:
    void push_back(BoardMove move) {
        if ((bytes_ += sizeof(BoardMove) + move.name.size() + move.after.size()) > kMostBytes)
            throw BadInput("a position of the boards has too many moves for this program");
        moves_.push_back(std::move(move));
    }
    std::size_t size() const { return moves_.size(); }
    BoardMove& operator[](std::size_t place) { return moves_[place]; }
    auto begin() { return moves_.begin(); }
    auto end() { return moves_.end(); }

private:
    static constexpr std::size_t kMostBytes = 100'000'000;
    std::size_t bytes_ = 0;
    std::vector<BoardMove> moves_;
};
using Texts = std::vector<std::string>;

class BoardRules {
public:
    virtual ~BoardRules() = default;
    // The position that a text states; BadInput where it states none.
    virtual std::string read(std::string_view text) const = 0;
    virtual BoardMoves moves(const std::string& position, bool left) const = 0;
    // Independent positions that it is the sum of; those in which nobody will ever move may be missing.
    virtual Texts parts(const std::string& position) const { return {position}; }
    // Positions that symmetries make equal to it, itself among them, or negatives of it; and those that are equal where
    // both sides may make the moves of either.
    virtual Texts equal(const std::string& position) const { return {position}; }
    virtual Texts opposite(const std::string&) const { return {}; }
    virtual Texts alike(const std::string& position) const { return {position}; }
};
using RulesOf = std::map<std::string, std::function<std::unique_ptr<BoardRules>()>>;

// The rules of that name; nullptr where there are none.
std::unique_ptr<BoardRules> rules_named(const std::string& name);

// Families of games, by name.
RulesOf grid_games();
RulesOf row_games();
RulesOf graph_games();
RulesOf counter_games();

// A text cut at every sign.
Texts cut_at(std::string_view text, char sign);
std::string joined_by(const Texts& pieces, std::string_view sign);
// What hangs together among some points, the least first in order and within each.
std::vector<std::vector<int>> hanging_together(const std::vector<int>& points,
                                               const std::function<std::vector<int>(int)>& near);

}  // namespace checker
