#include "valued.hpp"

#include <algorithm>

#include "listed.hpp"
#include "sum_strategy.hpp"

namespace checker {

void need_form(const Claim& claim, const std::vector<std::string>& line,
               std::initializer_list<std::string_view> rules) {
    constexpr std::string_view known[] = {"sum", "value", "outcome", "nimbers"};
    if (!claim.ruled) throw BadInput("this program reads no tables about such games");
    if (std::ranges::find(known, claim.rule) == std::end(known))
        throw BadInput("this program knows no rule " + claim.rule.substr(0, 40) + " for this game");
    if (std::ranges::find(rules, claim.rule) == rules.end())
        throw Refuted("the rule " + claim.rule + " is not for such games");
    if (!line.empty()) throw Refuted("the rule " + claim.rule + " is about play from the start, not after some moves");
    if (claim.role != "left" && claim.role != "right") throw Refuted(claim.role + " is not a role of the game");
    if (claim.starts != "left" && claim.starts != "right")
        throw Refuted("the claim speaks of play that " + claim.starts + " starts");
}

void need_winner(ShortGames& games, const Claim& claim, GameId value) {
    if (claim.starts != "left")
        throw Refuted("the claim speaks of play that right starts, a value of play that left starts");
    const std::string winner = games.less_equal(value, ShortGames::kZero) ? "right" : "left";
    if (Fraction(claim.role == winner ? 1 : -1) < Fraction::of(claim.at_least))
        throw Refuted("with that value " + winner + " wins when left begins, and " + claim.role + " cannot get " +
                      claim.at_least.substr(0, 40));
}

namespace {

// A sum is worked out by the definitions and compared with the game that the certificate names.
std::uint64_t check_value(const WrittenSum& sum, const Claim& claim) {
    if (claim.play != "normal") throw Refuted("what a value proves is who wins under normal play");
    Work work;
    ShortGames games(work);
    const auto listed = listed_games(claim.data.member("games"), "games", games, true);
    const auto* named = claim.data.member("root");
    if (!named) throw Refuted("root: expected a place in the list");
    const auto root = listed[place_in(*named, listed.size(), "root")];
    if (sum.value(games) != root) throw Refuted("the sum is not equal to the game that the certificate names");
    if (const auto* said = claim.data.member("value")) {  // what people read
        if (said->kind != Json::kString) throw Refuted("the value is not a text");
        GameId value;
        try {
            value = read_sum(said->text, "value").value(games);
        } catch (const BadInput& error) {
            throw Refuted(error.what());
        }
        if (value != root) throw Refuted("the value is not " + said->text.substr(0, 40));
    }
    need_winner(games, claim, root);
    return 1;
}

}  // namespace

std::uint64_t check_sum_claim(const WrittenSum& sum, const Claim& claim, const std::vector<std::string>& line) {
    need_form(claim, line, {"sum", "value"});
    if (claim.rule == "value") return check_value(sum, claim);
    if (claim.play != "score") throw Refuted("what is proved is the score");
    Work work;
    ShortGames games(work);
    return check_strategy(games, sum.components(games), claim);
}

}  // namespace checker
