// Games of the library with dice and with bids that are made at once: pig, goofspiel and oshizumo.
#include <algorithm>

#include "instance.hpp"

namespace checker {

namespace {

using Hand = std::vector<std::int64_t>;

std::string text_of_hand(const Hand& hand) {
    std::string made;
    for (const auto card : hand) made += (made.empty() ? "" : ",") + std::to_string(card);
    return "(" + made + ")";
}

std::string pair_text(std::int64_t one, std::int64_t other) {
    return "(" + std::to_string(one) + "," + std::to_string(other) + ")";
}

// Of two roles whose positions are known by what they consist of. Moves are numbers; where both move at once a move is
// the place of the first's bid times the number of the second's bids, plus the place of that.
template <class State>
class TwoRoles : public Instance, protected Rules {
public:
    Rules& rules() override { return *this; }

protected:
    std::vector<std::string> roles() const override { return {"first", "second"}; }
    Place numbered(const State& state) { return states_.number(state.name(), state); }
    std::string key(Place place) override { return states_[place].name(); }
    std::vector<Rational> chances(Place place) override {
        const auto count = moves(place).size();
        return std::vector<Rational>(count, Rational(1) / Rational(std::int64_t(count)));
    }
    Numbered<State> states_;
};

struct Pot {
    std::int64_t scores[2] = {0, 0};
    int mover = 0;
    std::int64_t gained = 0;
    bool thrown = false;  // the die is in the air
    std::string name() const {
        return "(" + pair_text(scores[0], scores[1]) + "," + std::to_string(mover) + "," + std::to_string(gained) +
               "," + (thrown ? "1" : "0") + ")";
    }
};

// Throw as often as you like; a one loses what the turn has gained.
class Pig : public TwoRoles<Pot> {
public:
    Pig(std::int64_t goal, std::int64_t faces) : goal_(goal), faces_(faces) {}
    std::string statement() const override {
        return "library\nPig\n(('goal'," + std::to_string(goal_) + "),('faces'," + std::to_string(faces_) + "))";
    }

private:
    static constexpr Move kRoll = 0, kHold = -1;
    Place start() override { return numbered(Pot()); }
    std::optional<Scores> result(Place place) override {
        const auto& pot = states_[place];
        if (pot.thrown || pot.scores[pot.mover] + pot.gained < goal_) return std::nullopt;
        return pot.mover == 0 ? Scores{1, 0} : Scores{0, 1};
    }
    Scores endless() override { return {0, 1}; }
    int turn(Place place) override { return states_[place].thrown ? kChance : states_[place].mover; }
    std::vector<Move> moves(Place place) override {
        std::vector<Move> found;
        for (Move face = 1; face <= faces_ && states_[place].thrown; ++face) found.push_back(face);
        if (!states_[place].thrown) found.push_back(kRoll);
        if (!states_[place].thrown && states_[place].gained) found.push_back(kHold);
        return found;
    }
    Place play(Place place, Move move) override {
        auto pot = states_[place];
        pot.thrown = move == kRoll;
        if (move == kRoll) return numbered(pot);
        if (move > 1) {
            pot.gained += move;
            return numbered(pot);
        }
        if (move == kHold) pot.scores[pot.mover] += pot.gained;
        pot.mover = 1 - pot.mover, pot.gained = 0;
        return numbered(pot);
    }
    std::string text(Place, Move move) override {
        return move == kRoll ? "roll" : move == kHold ? "hold" : std::to_string(move);
    }
    std::int64_t goal_, faces_;
};

// Both bid at once.
template <class State>
class Bidding : public TwoRoles<State> {
protected:
    virtual Hand bids(const State& state, int role) const = 0;
    virtual Place bid(const State& state, std::int64_t mine, std::int64_t yours) = 0;
    int turn(Place) override { return kSeveral; }
    std::vector<Move> moves(Place place) override {
        const auto count = bids(this->states_[place], 0).size() * bids(this->states_[place], 1).size();
        std::vector<Move> found;
        for (std::size_t i = 0; i < count; ++i) found.push_back(Move(i));
        return found;
    }
    Place play(Place place, Move move) override {
        const auto state = this->states_[place];
        const auto second = bids(state, 1);
        const auto size = Move(second.size());
        return bid(state, bids(state, 0)[std::size_t(move / size)], second[std::size_t(move % size)]);
    }
    std::string text(Place place, Move move) override {
        const auto& state = this->states_[place];
        const auto second = bids(state, 1);
        const auto size = Move(second.size());
        return std::to_string(bids(state, 0)[std::size_t(move / size)]) + "," +
               std::to_string(second[std::size_t(move % size)]);
    }
    std::vector<std::pair<int, std::vector<std::string>>> movers(Place place) override {
        std::vector<std::pair<int, std::vector<std::string>>> found;
        if (this->turn(place) == kChance) return found;
        for (int role = 0; role < 2; ++role) {
            auto& texts = found.emplace_back(role, std::vector<std::string>()).second;
            for (const auto number : bids(this->states_[place], role)) texts.push_back(std::to_string(number));
        }
        return found;
    }
    Place joint(Place place, const std::vector<std::size_t>& places) override {
        const auto state = this->states_[place];
        return bid(state, bids(state, 0)[places[0]], bids(state, 1)[places[1]]);
    }
};

struct Cards {
    Hand prizes;
    std::int64_t prize = 0;  // 0: not turned up yet
    Hand hands[2];
    std::int64_t lead = 0;
    std::string name() const {
        return "(" + text_of_hand(prizes) + "," + std::to_string(prize) + ",(" + text_of_hand(hands[0]) + "," +
               text_of_hand(hands[1]) + ")," + std::to_string(lead) + ")";
    }
};

class Goofspiel : public Bidding<Cards> {
public:
    Goofspiel(std::int64_t cards, std::string order) : cards_(cards), order_(std::move(order)) {}
    std::string statement() const override {
        return "library\nGoofspiel\n(('cards'," + std::to_string(cards_) + "),('order','" + order_ + "'))";
    }

private:
    Place start() override {
        Cards cards;
        for (std::int64_t card = 1; card <= cards_; ++card) cards.prizes.push_back(card);
        cards.hands[0] = cards.hands[1] = cards.prizes;
        if (order_ != "ascending") std::ranges::reverse(cards.prizes);
        return turned_up(std::move(cards));
    }
    Place turned_up(Cards cards) {
        cards.prize = order_ == "random" || cards.prizes.empty() ? 0 : cards.prizes[0];
        return numbered(cards);
    }
    std::optional<Scores> result(Place place) override {
        const auto& cards = states_[place];
        if (!cards.prizes.empty()) return std::nullopt;
        return Scores{cards.lead, -cards.lead};
    }
    int turn(Place place) override { return states_[place].prize ? kSeveral : kChance; }
    std::vector<Move> moves(Place place) override {
        return states_[place].prize ? Bidding::moves(place) : states_[place].prizes;
    }
    Place play(Place place, Move move) override {
        if (states_[place].prize) return Bidding::play(place, move);
        auto cards = states_[place];
        cards.prize = move;
        return numbered(cards);
    }
    std::string text(Place place, Move move) override {
        return states_[place].prize ? Bidding::text(place, move) : std::to_string(move);
    }
    Hand bids(const Cards& cards, int role) const override { return cards.hands[role]; }
    Place bid(const Cards& before, std::int64_t mine, std::int64_t yours) override {
        auto cards = before;
        std::erase(cards.hands[0], mine);
        std::erase(cards.hands[1], yours);
        std::erase(cards.prizes, cards.prize);
        cards.lead += cards.prize * ((mine > yours) - (mine < yours));
        return turned_up(std::move(cards));
    }
    std::int64_t cards_;
    std::string order_;
};

struct Ring {
    std::int64_t place = 0;
    std::int64_t coins[2] = {0, 0};
    std::string name() const { return "(" + std::to_string(place) + "," + pair_text(coins[0], coins[1]) + ")"; }
};

class OshiZumo : public Bidding<Ring> {
public:
    OshiZumo(std::int64_t coins, std::int64_t size) : coins_(coins), size_(size) {}
    std::string statement() const override {
        return "library\nOshiZumo\n(('coins'," + std::to_string(coins_) + "),('size'," + std::to_string(size_) + "))";
    }

private:
    Place start() override { return numbered({0, {coins_, coins_}}); }
    std::optional<Scores> result(Place place) override {
        const auto& ring = states_[place];
        if (ring.place >= -size_ && ring.place <= size_ && (ring.coins[0] || ring.coins[1])) return std::nullopt;
        const std::int64_t first = (ring.place > 0) - (ring.place < 0);
        return Scores{first, -first};
    }
    Hand bids(const Ring& ring, int role) const override {
        Hand found;
        for (std::int64_t coin = 1; coin <= ring.coins[role]; ++coin) found.push_back(coin);
        return found.empty() ? Hand{0} : found;
    }
    Place bid(const Ring& before, std::int64_t mine, std::int64_t yours) override {
        return numbered(
            {before.place + (mine > yours) - (mine < yours), {before.coins[0] - mine, before.coins[1] - yours}});
    }
    std::int64_t coins_, size_;
};

// Whole numbers from 1 on with commas between them.
std::vector<std::int64_t> counts(std::string_view text, std::int64_t most) {
    std::vector<std::int64_t> found;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        found.push_back(std::int64_t(number(stripped(text.substr(begin, end - begin)), text)));
        if (found.back() < 1 || found.back() > most) throw BadInput(std::string(text) + ": a number is out of range");
        begin = end + 1;
    }
    return found;
}

}  // namespace

std::unique_ptr<Instance> stakes_instance(std::string_view target) {
    const auto colon = target.find(':');
    const auto name = target.substr(0, colon), said = target.substr(colon + 1);
    if (name == "pig") {
        const auto sizes = counts(said, 1000);
        const bool good = sizes.size() == 1 || (sizes.size() == 2 && sizes[1] >= 2);
        if (good) return std::make_unique<Pig>(sizes[0], sizes.size() == 2 ? sizes[1] : 6);
    } else if (name == "goofspiel") {
        const auto comma = said.find(',');
        const auto order = comma == std::string_view::npos ? "descending" : std::string(said.substr(comma + 1));
        const bool known = order == "descending" || order == "ascending" || order == "random";
        if (known) return std::make_unique<Goofspiel>(counts(said.substr(0, comma), 13)[0], order);
    } else {
        const auto sizes = counts(said, 100);
        if (sizes.size() == 2) return std::make_unique<OshiZumo>(sizes[0], sizes[1]);
    }
    throw BadInput(std::string(target) + ": no such game");
}

}  // namespace checker
