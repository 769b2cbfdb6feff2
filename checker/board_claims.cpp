// What boards are worth, and who wins them. Moves come from the rules alone; the certificate says what parts are worth
// and how the winner plays. Used are that a position is the sum of its parts, that symmetric parts are equal or
// negative, and that a part and its negative are worth nothing together.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "board_sum.hpp"
#include "listed.hpp"

namespace checker {

namespace {

using Part = std::pair<std::string, bool>;  // its game, a colon and its text; and whether it is the negative of that
using Parts = std::vector<Part>;

// What positions of the games of a sum fall into, and where moves lead.
class Taken {
public:
    Taken(const BoardSum& boards, bool prefixed, Work& work) : prefixed_(prefixed), work_(work) {
        for (const auto& term : boards.terms) rules_[term.name] = term.rules;
    }
    const Parts& parts(const std::string& name, const std::string& position) {
        const auto [at, is_new] = parts_.try_emplace(name + ":" + position);
        if (!is_new) return at->second;
        work_.keep(2 + position.size() / 64);
        for (const auto& part : rules_.at(name)->parts(position)) at->second.push_back(named(name, part));
        return at->second;
    }
    // The moves of a side in a part: names, and what they lead to.
    struct Move {
        std::string name;
        Parts after;
    };
    std::vector<Move> moves(const std::string& part, bool left) {
        const auto colon = part.find(':');
        const auto name = prefixed_ ? part.substr(0, colon) : rules_.begin()->first;
        std::vector<Move> found;
        for (auto& move : rules_.at(name)->moves(prefixed_ ? part.substr(colon + 1) : part, left)) {
            work_.step(1 + move.after.size() / 8);
            found.push_back({std::move(move.name), parts(name, move.after)});
        }
        return found;
    }

private:
    // The one that stands for all that are alike: the first of their texts.
    Part named(const std::string& name, const std::string& position) {
        const auto [at, is_new] = signed_.try_emplace(name + ":" + position);
        if (!is_new) return at->second;
        const auto equal = rules_.at(name)->equal(position), opposite = rules_.at(name)->opposite(position);
        auto first = *std::ranges::min_element(equal);
        const auto other = std::ranges::min_element(opposite);
        const bool negative = other != opposite.end() && *other < first;
        if (negative) first = *other;
        work_.keep(2 + position.size() / 64);
        return at->second = {prefixed_ ? name + ":" + first : first, negative};
    }
    bool prefixed_;
    Work& work_;
    std::map<std::string, std::shared_ptr<const BoardRules>> rules_;
    std::unordered_map<std::string, Parts> parts_;
    std::unordered_map<std::string, Part> signed_;
};

// An object of a certificate by its names; of one that is there several times the last counts.
std::unordered_map<std::string_view, const Json*> members_of(const Json* object, const std::string& where) {
    if (!object || object->kind != Json::kObject) throw Refuted(where + ": expected an object");
    std::unordered_map<std::string_view, const Json*> found;
    for (const auto& [name, value] : object->members) found[name] = &value;
    return found;
}

// What parts are said to be worth, each proved with all that can come up in it.
class Values {
public:
    Values(ShortGames& games, Taken& taken, const Json& data)
        : games_(games), taken_(taken), listed_(listed_games(data.member("games"), "games", games, true)) {
        for (const auto& [part, place] : members_of(data.member("parts"), "parts"))
            said_[std::string(part)] = listed_[place_in(*place, listed_.size(), "parts")];
    }
    const GameIds& listed() const { return listed_; }
    bool known(const std::string& part) const { return said_.contains(part); }
    GameId total(const Parts& parts) {
        auto total = ShortGames::kZero;
        for (const auto& [part, negated] : parts) {
            const auto found = said_.find(part);
            if (found == said_.end()) throw Refuted("nothing is said of " + part.substr(0, 80));
            total = games_.sum(total, negated ? games_.negative(found->second) : found->second);
        }
        return total;
    }
    // A part is the game of the values of its options: in canonical form that is one game.
    void need_proved(const Parts& roots) {
        std::vector<std::string> open;
        for (const auto& [part, negated] : roots) open.push_back(part);
        while (!open.empty()) {
            const auto part = std::move(open.back());
            open.pop_back();
            if (!proved_.insert(part).second) continue;
            GameIds sides[2];
            for (const bool left : {true, false})
                for (const auto& move : taken_.moves(part, left)) {
                    sides[left ? 0 : 1].push_back(total(move.after));
                    for (const auto& [inner, negated] : move.after)
                        if (!proved_.contains(inner)) open.push_back(inner);
                }
            for (auto& side : sides) {
                std::ranges::sort(side);
                side.erase(std::unique(side.begin(), side.end()), side.end());
            }
            games_.work().keep();
            if (!equals(said_.at(part), sides[0], sides[1]))
                throw Refuted(part.substr(0, 80) + " is not worth what is said");
        }
    }
    std::uint64_t proved() const { return proved_.size(); }

private:
    // P equals v if whoever moves second wins P - v: no option of Left's in P is at least v and none of Right's at most
    // v; every option of Left's in v is at most one of P, every option of Right's at least one. Of a number the
    // simplest one between the options is wanted.
    bool equals(GameId worth, const GameIds& left, const GameIds& right) {
        if (games_.is_number(worth)) return games_.node(left, right) == worth;
        const auto above = [&](GameId option) { return games_.less_equal(worth, option); };
        const auto below = [&](GameId option) { return games_.less_equal(option, worth); };
        if (std::ranges::any_of(left, above) || std::ranges::any_of(right, below)) return false;
        const auto reached = [&](GameId option, bool of_left) {
            return std::ranges::any_of(of_left ? left : right, [&](GameId other) {
                return of_left ? games_.less_equal(option, other) : games_.less_equal(other, option);
            });
        };
        for (const bool of_left : {true, false})
            for (const auto option : games_.options(worth, of_left))
                if (!reached(option, of_left)) return false;
        return true;
    }
    ShortGames& games_;
    Taken& taken_;
    GameIds listed_;
    std::unordered_map<std::string, GameId> said_;
    std::unordered_set<std::string> proved_;
};

std::uint64_t check_value(const BoardSum& boards, const Claim& claim) {
    for (const auto& term : boards.terms)
        if (term.name != boards.terms[0].name) throw Refuted("a value is proved for boards of one game");
    Work work;
    ShortGames games(work);
    Taken taken(boards, false, work);
    Values values(games, taken, claim.data);
    const auto* named = claim.data.member("root");
    if (!named) throw Refuted("root: expected a place in the list");
    const auto root = values.listed()[place_in(*named, values.listed().size(), "root")];
    Parts found;
    for (const auto& term : boards.terms)
        for (const auto& part : taken.parts(term.name, term.position)) found.push_back(part);
    if (values.total(found) != root) throw Refuted("the boards do not add up to the game that the certificate names");
    values.need_proved(found);
    if (const auto* said = claim.data.member("value")) {  // what people read
        if (said->kind != Json::kString || named_value(games, said->text) != root)
            throw Refuted("the value is not " + said->text.substr(0, 40));
    }
    need_winner(games, claim, root);
    return values.proved();
}

// Plays all that the loser can do, until every part of a sum has a value.
class Outcome {
public:
    Outcome(const BoardSum& boards, const Claim& claim)
        : games_(work_), taken_(boards, true, work_), values_(games_, taken_, claim.data),
          moves_(members_of(claim.data.member("moves"), "moves")), left_wins_(claim.role == "left") {
        Parts parts;
        for (const auto& term : boards.terms) {
            const auto& own = taken_.parts(term.name, term.position);
            parts.insert(parts.end(), own.begin(), own.end());
        }
        open_.emplace_back(settled(parts), claim.starts == "left");
    }
    std::uint64_t run() {
        while (!open_.empty()) {
            const auto [parts, left] = std::move(open_.back());
            open_.pop_back();
            const auto [at, is_new] = met_.emplace(key(parts) + (left ? " L" : " R"));
            if (!is_new) continue;
            work_.keep(1 + at->size() / 32);
            const bool ended = std::ranges::all_of(parts, [&](const Part& part) { return values_.known(part.first); });
            if (ended) need_won(parts, left);
            else if (left == left_wins_) open_.emplace_back(answered(parts, left), !left);
            else
                each_move(parts, left, [&](const std::string&, const std::string&, Parts after) {
                    open_.emplace_back(std::move(after), !left);
                    return false;
                });
        }
        return met_.size();
    }

private:
    // Parts in order; a part and its negative are left out.
    static Parts settled(const Parts& parts) {
        std::map<std::string, int> counts;
        for (const auto& [part, negated] : parts) counts[part] += negated ? -1 : 1;
        Parts found;
        for (const auto& [part, count] : counts)
            found.insert(found.end(), std::size_t(std::abs(count)), {part, count < 0});
        return found;
    }
    static std::string key(const Parts& parts) {
        Texts texts;
        for (const auto& [part, negated] : parts) texts.push_back((negated ? "-" : "") + part);
        return joined_by(texts, " + ");
    }
    // Every move of a side until one is taken: the part, the name of the move in it, what it leads to.
    template <class Take>
    bool each_move(const Parts& parts, bool left, Take take) {
        for (std::size_t at = 0; at < parts.size(); ++at) {
            if (at && parts[at] == parts[at - 1]) continue;
            for (const auto& move : taken_.moves(parts[at].first, left != parts[at].second)) {
                auto after = parts;
                after.erase(after.begin() + std::ptrdiff_t(at));
                for (const auto& [part, negated] : move.after) after.emplace_back(part, negated != parts[at].second);
                work_.step(1 + after.size());
                if (take(key({parts[at]}), move.name, settled(after))) return true;
            }
        }
        return false;
    }
    Parts answered(const Parts& parts, bool left) {
        const auto said = moves_.find(key(parts));
        if (said == moves_.end()) throw Refuted("no move is given in a sum that comes up");
        const auto& entry = *said->second;
        if (entry.kind != Json::kList || entry.items.size() != 2)
            throw Refuted("moves: an entry is not a part and a move");
        Parts found;
        const bool legal = each_move(parts, left, [&](const std::string& part, const std::string& name, Parts after) {
            if (!is_text(&entry.items[0], part) || !is_text(&entry.items[1], name)) return false;
            found = std::move(after);
            return true;
        });
        if (!legal) throw Refuted("a move that is given is not legal");
        return found;
    }
    // Who moves first loses exactly if the value is at most 0 for him.
    void need_won(const Parts& parts, bool left) {
        values_.need_proved(parts);
        const auto total = values_.total(parts);
        const bool lost =
            left ? games_.less_equal(total, ShortGames::kZero) : games_.less_equal(ShortGames::kZero, total);
        if (lost != (left != left_wins_)) throw Refuted("the other side wins a sum that comes up");
    }
    Work work_;
    ShortGames games_;
    Taken taken_;
    Values values_;
    std::unordered_map<std::string_view, const Json*> moves_;
    bool left_wins_;
    std::vector<std::pair<Parts, bool>> open_;
    std::unordered_set<std::string> met_;
};

}  // namespace

std::uint64_t check_board_claim(const BoardSum& boards, const Claim& claim, const std::vector<std::string>& line) {
    need_form(claim, line, {"value", "outcome", "nimbers"});
    if (claim.rule == "value") return check_value(boards, claim);
    if (claim.rule == "nimbers") return check_nimbers(boards, claim);
    if (Fraction(1) < Fraction::of(claim.at_least)) throw Refuted("nobody can get more than 1: who wins gets that");
    return Outcome(boards, claim).run();
}

}  // namespace checker
