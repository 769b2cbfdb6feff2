// The owner's moves come from the certificate, the other side's from the trees. Scores are counted in half units, and
// every move earns its player 1: so one whole number holds the score and who moves last, and totals add up. From each
// sum the owner must get what is left of the promise; sums with more moves left come first, so each is looked at once
// with the most that anything before it asks. Every move takes away from the moves that are left: play ends.
#include "sum_strategy.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "listed.hpp"
#include "walls.hpp"

namespace checker {

namespace {

using Place = std::uint32_t;                               // of a position in the certificate
using Sum = std::vector<std::pair<Place, std::uint64_t>>;  // components that are no numbers, ascending, with copies
using Move = std::pair<Place, Place>;

// The positions of a certificate, with scores in half units.
struct Positions {
    GameIds games;
    std::vector<std::optional<Integer>> score;  // of numbers
    std::vector<std::vector<Place>> left, right;
    std::vector<std::uint64_t> height;
    Dyadic unit;

    Positions(ShortGames& trees, const Json* listed) : games(listed_games(listed, "positions", trees, false)) {
        std::map<GameId, Place> place;
        for (const auto game : games)
            if (!place.emplace(game, Place(place.size())).second)
                throw Refuted("positions: one position is written down twice");
        unit = unit_of(trees);
        for (const auto game : games) {
            score.emplace_back();
            if (trees.is_number(game)) score.back() = in_half_units(trees.value(game));
            std::uint64_t most = 0;
            for (const bool of_left : {true, false}) {
                auto& side = (of_left ? left : right).emplace_back();
                for (const auto option : trees.options(game, of_left)) {
                    side.push_back(place.at(option));
                    most = std::max(most, height[side.back()] + 1);
                }
            }
            height.push_back(most);
        }
    }
    const std::vector<Place>& options(Place position, bool of_left) const {
        return of_left ? left[position] : right[position];
    }
    bool has(Place from, Place to, bool of_left) const {
        return std::ranges::find(options(from, of_left), to) != options(from, of_left).end();
    }
    // What a move to that position adds to the numbers of a sum.
    Integer gain(Place to, bool of_left) const { return score[to].value_or(0) + (of_left ? 1 : -1); }
    Integer in_half_units(const Dyadic& number) const {
        const auto power = std::max(number.power(), unit.power());
        return (number + number).floor(power).divided(unit.floor(power).size());
    }

private:
    // The largest number of which all scores are multiples.
    Dyadic unit_of(const ShortGames& trees) const {
        std::size_t power = 0;
        for (const auto game : games) power = std::max(power, trees.value(game).power());
        Natural common;
        for (const auto game : games)
            if (trees.is_number(game)) common = Natural::divisor(common, trees.value(game).floor(power).size());
        return common.zero() ? Dyadic(1) : Dyadic(Integer(false, common), power);
    }
};

Move move_in(const Json& from, const Json& to, std::size_t many, const std::string& where) {
    return {Place(place_in(from, many, where)), Place(place_in(to, many, where))};
}

const std::vector<Json>& fields(const Json& item, std::size_t many, const std::string& where) {
    if (item.kind != Json::kList || item.items.size() != many) throw Refuted(where + ": an entry has another form");
    return item.items;
}

Sum sum_in(const Json& item, std::size_t many, const std::string& where) {
    Sum found;
    for (const auto& one : list_of(&item, where)) {
        const bool counted = one.kind == Json::kList;
        const auto place = Place(place_in(counted ? fields(one, 2, where)[0] : one, many, where));
        const auto copies = counted ? whole_of(one.items[1]) : 1;
        if (!copies || *copies < 1) throw Refuted(where + ": expected how many copies there are");
        if (!found.empty() && place < found.back().first)
            throw Refuted(where + ": components are not in ascending order");
        constexpr std::uint64_t most = std::uint64_t{1} << 60;
        if (found.empty() || found.back().first != place) found.emplace_back(place, 0);
        found.back().second = std::min(most, found.back().second + std::uint64_t(*copies));
    }
    return found;
}

// Which replies make which others superfluous: a move from p to a is as good as one from q to b wherever both can be
// made, if its player wins a + q - p - b moving second. Each comparison that is listed is played out.
class Superfluous {
public:
    Superfluous(const Positions& positions, Work& work, bool by_left)
        : positions_(positions), work_(work), by_left_(by_left) {}

    void read(const Json* replies, const Json* over) {
        std::vector<Move> listed;
        for (const auto& item : list_of(replies, "replies")) {
            const auto& both = fields(item, 2, "replies");
            listed.push_back(move_in(both[0], both[1], positions_.games.size(), "replies"));
            const auto [from, to] = listed.back();
            if (!rank_.emplace(listed.back(), rank_.size()).second) throw Refuted("replies: one reply is listed twice");
            if (!positions_.has(from, to, by_left_)) throw Refuted("replies: there is no such reply");
        }
        for (const auto& item : list_of(over, "over")) {
            const auto& both = fields(item, 2, "over");
            const auto [better, worse] = move_in(both[0], both[1], listed.size(), "over");
            need_better(listed[better], listed[worse]);
            under_[listed[worse]].insert(listed[better]);
        }
    }
    // All replies but those that an earlier one of the list makes superfluous, whether that one is kept or not.
    std::vector<Move> kept(std::vector<Move> found) const {
        const auto rank = [&](const Move& move) {
            const auto at = rank_.find(move);
            return at == rank_.end() ? 0 : at->second + 1;
        };
        std::ranges::sort(found, {}, rank);
        std::vector<Move> kept;
        std::set<Move> earlier;
        for (const auto& reply : found) {
            const auto better = under_.find(reply);
            const auto before = [&](const Move& move) { return earlier.contains(move); };
            if (better == under_.end() || std::ranges::none_of(better->second, before)) kept.push_back(reply);
            if (better != under_.end()) work_.step(better->second.size());
            earlier.insert(reply);
        }
        return kept;
    }

private:
    using Few = std::vector<Place>;
    static constexpr std::uint64_t kDeepest = 200;  // which bounds the recursion

    void need_better(const Move& better, const Move& worse) {
        Few plus{better.second, worse.first}, minus{better.first, worse.second};
        if (!by_left_) std::swap(plus, minus);
        std::ranges::sort(plus), std::ranges::sort(minus);
        for (std::size_t i = plus.size(); i-- > 0;)  // a game and its negative cancel
            if (const auto same = std::ranges::find(minus, plus[i]); same != minus.end())
                minus.erase(same), plus.erase(plus.begin() + std::ptrdiff_t(i));
        std::uint64_t moves = 0;
        for (const auto* side : {&plus, &minus})
            for (const auto position : *side) moves += positions_.height[position];
        if (moves > kDeepest) throw Refuted("a comparison of two replies takes too many moves to be played out");
        if (!left_wins(plus, minus, false)) throw Refuted("over: a reply does not make the other superfluous");
    }
    bool left_wins(const Few& plus, const Few& minus, bool left_moves) {
        const auto key = std::tuple(plus, minus, left_moves);
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        work_.keep();
        return known_[key] = played(plus, minus, left_moves);
    }
    bool played(const Few& plus, const Few& minus, bool left_moves) {
        bool over = true;
        for (const bool turned : {false, true}) {  // in the negative of a game Left makes Right's moves
            const auto& games = turned ? minus : plus;
            for (std::size_t i = 0; i < games.size(); ++i)
                for (const auto option : positions_.options(games[i], left_moves != turned)) {
                    over = false;
                    auto rest = games;
                    rest[i] = option;
                    std::ranges::sort(rest);
                    if (left_wins(turned ? plus : rest, turned ? rest : minus, !left_moves) == left_moves)
                        return left_moves;
                }
        }
        if (!over) return !left_moves;
        Integer total;
        for (const auto position : plus) total = total + *positions_.score[position];
        for (const auto position : minus) total = total - *positions_.score[position];
        return left_moves ? Integer(0) < total : !total.negative();
    }
    const Positions& positions_;
    Work& work_;
    bool by_left_;
    std::map<Move, std::size_t> rank_;
    std::map<Move, std::set<Move>> under_;
    std::map<std::tuple<Few, Few, bool>, bool> known_;
};

// What a side gets of a sum at least, by the walls of its components at one tax t >= 0: if the other side moves, the
// sum of its walls less t; if it moves itself, the sum with the wall of the starter for one component that it opens
// (Berlekamp, Conway and Guy, Winning Ways, chapter 6; Yedwab 1985, theorem 5.3).
class Bounds {
public:
    Bounds(const Positions& positions, Work& work, bool left_owns)
        : positions_(positions), work_(work), left_owns_(left_owns) {
        scale_ = positions.height.empty() ? 0 : *std::ranges::max_element(positions.height);
    }
    // Whether a bound is enough; without a component that the owner opens he moves second.
    bool enough(const Sum& sum, const std::optional<Dyadic>& tax, const Place* opens, const Integer& wanted) {
        if (scale_ > kDeepest) throw BadInput("the positions are too deep for the bounds of this program");
        if (!tax || tax->negative() || tax->power() > scale_) throw Refuted("bounds: no tax of these positions");
        Dyadic total;
        bool opened = !opens;
        for (const auto& [position, copies] : sum) {
            const auto walls = at(position, *tax);
            total = total + (left_owns_ ? walls.right : walls.left).times(std::int64_t(copies));
            if (!opens || position != *opens) continue;
            opened = true;
            total = total + (left_owns_ ? walls.left - walls.right : walls.right - walls.left);
        }
        if (!opened) throw Refuted("bounds: the component is not there to be opened");
        if (!opens) total = left_owns_ ? total - *tax : total + *tax;
        // Totals are whole: what is more than one less is that one.
        return left_owns_ ? Dyadic(wanted, 0) - 1 < total : total < Dyadic(wanted, 0) + 1;
    }

private:
    static constexpr std::uint64_t kDeepest = 20'000;

    Corner at(Place position, const Dyadic& tax) {
        while (drawn_.size() <= position) draw(Place(drawn_.size()));
        work_.step(8);
        return walls_at(drawn_[position], tax);
    }
    void draw(Place position) {  // those before it are drawn, its options among them
        if (const auto& score = positions_.score[position]) {
            drawn_.push_back({{0, Dyadic(*score, 0), Dyadic(*score, 0)}});
            return;
        }
        std::vector<const Walls*> left, right;
        for (const auto option : positions_.left[position]) left.push_back(&drawn_[option]);
        for (const auto option : positions_.right[position]) right.push_back(&drawn_[option]);
        drawn_.push_back(Scaffold(std::move(left), std::move(right), work_).walls());
        work_.keep(drawn_.back().size() * 3);
    }
    const Positions& positions_;
    Work& work_;
    bool left_owns_;
    std::uint64_t scale_ = 0;
    std::vector<Walls> drawn_;
};

class Walk {
public:
    Walk(ShortGames& trees, const GameIds& components, const Claim& claim)
        : trees_(trees), work_(trees.work()), left_owns_(claim.role == "left"), left_starts_(starts(claim)),
          positions_(trees, claim.data.member("positions")), bounds_(positions_, work_, left_owns_),
          superfluous_(positions_, work_, !left_owns_) {
        read(claim.data);
        need_promise(claim);
        begin(components, claim.data.member("mirrors"));
    }

    std::uint64_t run() {
        while (!open_.empty()) {
            const auto* at = open_.top().second;
            open_.pop();
            work_.step(1 + at->first.first.size());
            test(at->first.first, at->first.second, at->second);
        }
        return needed_.size();
    }

private:
    using Turn = std::pair<Sum, bool>;  // and whether Left is to move
    struct Bound {
        std::optional<Dyadic> tax;
        Place opens;
    };

    static bool starts(const Claim& claim) {
        constexpr std::string_view names[] = {"bounds", "moves", "over", "positions", "replies", "starts", "value"};
        for (const auto& [name, value] : claim.data.members)
            if (name != "mirrors" && std::ranges::find(names, name) == std::end(names))
                throw Refuted("the data of the rule sum has a field " + name.substr(0, 40));
        for (const auto name : names)
            if (!claim.data.member(name)) throw Refuted("the data of the rule sum lacks " + std::string(name));
        const bool left = is_left(claim.data.member("starts"), "starts");
        if (claim.starts != (left ? "left" : "right"))
            throw Refuted("the claim speaks of play that " + claim.starts +
                          " starts, the strategy of the other side's");
        return left;
    }
    void read(const Json& data) {
        const auto value = number_in(*data.member("value"), "value");
        if (!value || !value->whole()) throw Refuted("value is not a whole number");
        value_ = value->over();
        const auto many = positions_.games.size();
        for (const auto& item : list_of(data.member("moves"), "moves")) {
            const auto& entry = fields(item, 3, "moves");
            auto sum = sum_in(entry[0], many, "moves");
            if (!moves_.emplace(std::move(sum), move_in(entry[1], entry[2], many, "moves")).second)
                throw Refuted("moves: two entries for one sum");
        }
        for (const auto& item : list_of(data.member("bounds"), "bounds")) {
            const auto& entry = fields(item, 4, "bounds");
            const bool left = is_left(&entry[1], "bounds");
            const auto opens = Place(place_in(entry[3], many, "bounds"));
            const auto tax = number_in(entry[2], "bounds");
            if (!bound_.emplace(Turn{sum_in(entry[0], many, "bounds"), left}, Bound{tax, opens}).second)
                throw Refuted("bounds: two entries for one sum");
        }
        superfluous_.read(data.member("replies"), data.member("over"));
    }
    void need_promise(const Claim& claim) const {
        const auto half = left_starts_ ? value_.floor_shifted(1) : -(-value_).floor_shifted(1);
        const auto score = positions_.unit.times(left_owns_ ? half : -half);
        if (Fraction::of(score.text()) < Fraction::of(claim.at_least))
            throw Refuted("the strategy promises " + score.text() + ", the claim is at least " + claim.at_least);
    }
    // The first sum: components without their mirrored pairs, and without numbers.
    void begin(const GameIds& components, const Json* mirrors) {
        std::map<GameId, std::int64_t> copies;
        for (const auto game : components) ++copies[game];
        std::map<GameId, Place> place;
        for (Place at = 0; at < positions_.games.size(); ++at) place[positions_.games[at]] = at;
        for (const auto& [game, count] : copies)
            if (!place.contains(game)) throw Refuted("a component of the sum is not among the positions");
        Integer total = mirrors ? cancelled(*mirrors, copies) : Integer(0);
        std::map<Place, std::uint64_t> first;
        for (const auto& [game, count] : copies) {
            const auto at = place.at(game);
            if (positions_.score[at]) total = total + *positions_.score[at] * Integer(count);
            else if (count) first[at] = std::uint64_t(count);
        }
        demand({first.begin(), first.end()}, left_starts_, value_ - total);
    }
    // A game and its negative, moved by a number, are worth that number beside anything else: they are taken away.
    Integer cancelled(const Json& mirrors, std::map<GameId, std::int64_t>& copies) const {
        Dyadic worth;
        for (const auto& item : list_of(&mirrors, "mirrors")) {
            const auto& entry = fields(item, 3, "mirrors");
            const auto [first, second] = move_in(entry[0], entry[1], positions_.games.size(), "mirrors");
            const auto pairs = whole_of(entry[2]);
            if (!pairs || *pairs < 1) throw Refuted("mirrors: expected how many pairs there are");
            const auto one = positions_.games[first], other = positions_.games[second];
            const auto score = trees_.stop(other, true).score + trees_.stop(one, false).score;
            if (trees_.is_number(one) || trees_.moved(trees_.negative(one), score) != other)
                throw Refuted("mirrors: two positions are not mirror images of each other");
            copies[one] -= *pairs, copies[other] -= *pairs;
            if (copies[one] < 0 || copies[other] < 0) throw Refuted("mirrors: there are not so many pairs to cancel");
            worth = worth + score.times(*pairs);
        }
        return positions_.in_half_units(worth);
    }

    // The owner must get so much of a sum, besides its numbers.
    void demand(Sum sum, bool left_moves, const Integer& value) {
        if (sum.empty()) {
            if (!(left_owns_ ? value <= Integer(0) : Integer(0) <= value))
                throw Refuted("play ends short of the value");
            return;
        }
        std::uint64_t height = 0;
        for (const auto& [position, copies] : sum) height += positions_.height[position] * copies;
        const auto [at, is_new] = needed_.try_emplace({std::move(sum), left_moves}, value);
        if (is_new) work_.keep(2 + at->first.first.size() / 4), open_.emplace(height, &*at);
        else if (left_owns_ ? at->second < value : value < at->second) at->second = value;
    }
    void test(const Sum& sum, bool left_moves, const Integer& value) {
        const bool owns = left_moves == left_owns_;
        if (const auto bound = bound_.find({sum, left_moves}); bound != bound_.end()) {
            const auto* opens = owns ? &bound->second.opens : nullptr;
            if (!bounds_.enough(sum, bound->second.tax, opens, value))
                throw Refuted("a bound promises less than is needed");
        } else if (owns) {
            const auto move = moves_.find(sum);
            if (move == moves_.end()) throw Refuted("there is no move for a sum that comes up");
            const auto [from, to] = move->second;
            const bool there = std::ranges::any_of(sum, [&](const auto& part) { return part.first == from; });
            if (!there || !positions_.has(from, to, left_moves)) throw Refuted("the move for a sum does not exist");
            follow(sum, move->second, left_moves, value);
        } else {
            std::vector<Move> replies;
            for (const auto& [position, copies] : sum)
                for (const auto option : positions_.options(position, left_moves))
                    replies.emplace_back(position, option);
            for (const auto& reply : superfluous_.kept(std::move(replies))) follow(sum, reply, left_moves, value);
        }
    }
    void follow(const Sum& sum, const Move& move, bool left_moves, const Integer& value) {
        std::map<Place, std::uint64_t> rest(sum.begin(), sum.end());
        work_.step(1 + sum.size());
        if (--rest[move.first] == 0) rest.erase(move.first);
        if (!positions_.score[move.second]) ++rest[move.second];
        demand({rest.begin(), rest.end()}, !left_moves, value - positions_.gain(move.second, left_moves));
    }

    ShortGames& trees_;
    Work& work_;
    bool left_owns_, left_starts_;
    Positions positions_;
    Bounds bounds_;
    Superfluous superfluous_;
    Integer value_;
    std::map<Sum, Move> moves_;
    std::map<Turn, Bound> bound_;
    std::map<Turn, Integer> needed_;
    std::priority_queue<std::pair<std::uint64_t, const std::pair<const Turn, Integer>*>> open_;
};

}  // namespace

std::uint64_t check_strategy(ShortGames& games, const GameIds& components, const Claim& claim) {
    return Walk(games, components, claim).run();
}

}  // namespace checker
