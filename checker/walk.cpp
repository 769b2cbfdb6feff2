// Plays a table of moves against every reply, in a game with exact scores.
//
// All lines of play that agree with the table are walked over, depth first, each position once: no reply is left out,
// since moves come from the rules, and no line may come back to a position that it was in. Values are the least where a
// role moves, averages where chance does.
#include <algorithm>

#include "rules.hpp"

namespace checker {

namespace {

struct Seen {
    bool open = true;
    Rational value = {};
    std::string rank = {};  // the highest among the owner's next positions, itself included; empty if there is none
};

struct Frame {
    Place place;
    std::vector<Move> moves;
    std::vector<Rational> chances = {};
    const std::string* rank = nullptr;  // of a position of the owner
    std::string next = {};
    std::optional<Rational> value = {};
    std::size_t tried = 0;
};

// Ranks are whole numbers without leading zeros; no rank is below all.
bool lower_rank(const std::string& one, const std::string& other) {
    return one.size() != other.size() ? one.size() < other.size() : one < other;
}

class Walk {
public:
    Walk(Rules& rules, const Claim& claim, int owner)
        : rules_(rules), claim_(claim), owner_(owner), at_least_(Rational::of(claim.at_least)),
          needs_ranks_(at_least_.sign() > 0) {}

    Tested run(Place start) {
        enter(start);
        while (!line_.empty()) {
            auto& top = line_.back();
            if (top.tried < top.moves.size()) {
                const auto move = top.moves[top.tried++];
                enter(rules_.play(top.place, move));
            } else {
                leave();
            }
        }
        if (value_ < at_least_) throw Refuted(claim_.role + " can expect less than is claimed");
        return {seen_.size(), most_};
    }

private:
    void enter(Place place) {
        const auto [at, is_new] = seen_.try_emplace(place);
        if (!is_new) {
            if (at->second.open) throw Refuted("a line comes back to an earlier position");
            return take(at->second.value, at->second.rank);
        }
        if (const auto scores = rules_.result(place)) {
            const auto share = owner_ == kNobody ? -(*scores)[0] : (*scores)[std::size_t(owner_)];
            at->second = {false, share, {}};
            Rational sum;
            for (const auto& score : *scores) sum += score;
            most_ = most_ ? std::max(*most_, sum) : sum;
            return take(share, {});
        }
        const auto turn = rules_.turn(place);
        if (turn == kSeveral) throw Refuted("several roles move at once: a table of moves proves nothing here");
        Frame frame{place, rules_.moves(place)};
        if (turn == kChance) {
            frame.chances = rules_.chances(place);
            Rational sum;
            for (const auto& chance : frame.chances) {
                if (chance.sign() < 0) throw Refuted("a probability is below 0");
                sum += chance;
            }
            if (!(sum == Rational(1))) throw Refuted("probabilities do not add up to 1");
        } else if (turn == owner_) {
            look_up(frame);
        }
        if (frame.moves.empty()) throw Refuted("there is no legal move in a position that is not over");
        line_.push_back(std::move(frame));
    }
    void look_up(Frame& frame) {
        const auto key = rules_.key(frame.place);
        const auto entry = claim_.table.find(key);
        if (entry == claim_.table.end()) throw Refuted("the table has no move for " + key);
        const auto move = move_written(rules_, frame.place, entry->second.move);
        if (!move) throw Refuted("the table says " + entry->second.move + " for " + key);
        frame.moves = {*move};
        frame.rank = &entry->second.rank;
    }
    void leave() {
        Frame frame = std::move(line_.back());
        line_.pop_back();
        if (frame.rank) {
            if (needs_ranks_ && (frame.rank->empty() || !lower_rank(frame.next, *frame.rank)))
                throw Refuted("ranks do not fall from " + rules_.key(frame.place));
            frame.next = *frame.rank;
        }
        take(*frame.value, frame.next);
        seen_[frame.place] = {false, *frame.value, std::move(frame.next)};
    }
    // Hands what was found of a position to the one before it in the line.
    void take(const Rational& value, const std::string& next) {
        if (line_.empty()) {
            value_ = value;
            return;
        }
        auto& before = line_.back();
        if (lower_rank(before.next, next)) before.next = next;
        if (!before.chances.empty())
            before.value = before.value.value_or(Rational()) + before.chances[before.tried - 1] * value;
        else if (!before.value || value < *before.value) before.value = value;
    }

    Rules& rules_;
    const Claim& claim_;
    int owner_;
    Rational at_least_, value_;
    bool needs_ranks_;  // endless play gives 0
    std::unordered_map<Place, Seen> seen_;
    std::vector<Frame> line_;
    std::optional<Rational> most_;
};

}  // namespace

Tested check_table(Rules& rules, Place start, const Claim& claim, int owner) {
    return Walk(rules, claim, owner).run(start);
}

std::optional<Move> move_written(Rules& rules, Place place, std::string_view written) {
    const auto wanted = stripped(written);
    std::vector<Move> exact, alike;
    for (const auto move : rules.moves(place)) {
        const auto text = stripped(rules.text(place, move));
        if (text == wanted) exact.push_back(move);
        if (rules.any_case() && lower(text) == lower(wanted)) alike.push_back(move);
    }
    const auto& found = exact.empty() ? alike : exact;
    return found.size() == 1 ? std::optional(found[0]) : std::nullopt;
}

}  // namespace checker
