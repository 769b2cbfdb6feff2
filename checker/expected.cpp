// What a role can expect, and equilibria: certificates that have a number or a vector for every position that play can
// lead to, with what is played there. Both are tested one position at a time (docs/why-certificates-hold.md).
//
// expectation: at an end the number is the role's share; elsewhere, for every choice of the others, the mean of the
// numbers that come next is not less than the number there; where the others can keep play going for ever, the number
// is at most what endless play is worth. equilibrium: a vector is the mean of those that come next by what is listed;
// no role that moves gets more by another move of its own; no position comes back.
#include <algorithm>
#include <map>
#include <set>

#include "rules.hpp"
#include "shapes.hpp"

namespace checker {

namespace {

constexpr std::size_t kMostChoices = 20'000'000;

using Weighed = std::vector<std::pair<Rational, Place>>;  // with what chance each position comes next
using Movers = std::vector<std::pair<int, std::vector<std::string>>>;

// An exact number, which certificates of these rules write as a text.
Rational number_of(const Json& said) {
    need_shown(said.kind == Json::kString && is_score(said.text), "a number is not written as a text such as 1/3");
    return Rational::of(said.text);
}

const std::vector<Json>& list_of(const Json* said) {
    need_shown(said && said->kind == Json::kList, "the certificate has no list where one is expected");
    return said->items;
}

// The chance of each of a role's moves: one text, or some with their chances.
std::vector<Rational> mixture(const Json* said, const std::vector<std::string>& texts) {
    need_shown(said && (said->kind == Json::kString || said->kind == Json::kObject), "a role has to move, but how?");
    const std::set<std::string> once(texts.begin(), texts.end());
    need_shown(once.size() == texts.size(), "two moves are written alike");
    std::map<std::string, Rational> chances;
    if (said->kind == Json::kString) chances[said->text] = Rational(1);
    std::map<std::string, const Json*> last;
    for (const auto& [text, weight] : said->members) last[text] = &weight;
    for (const auto& [text, weight] : last) chances[text] = number_of(*weight);
    Rational sum;
    for (const auto& [text, chance] : chances) {
        need_shown(once.contains(text), "a role plays " + text + ", which is not legal");
        need_shown(chance.sign() >= 0, "a chance is below 0");
        sum += chance;
    }
    need_shown(sum == Rational(1), "chances do not add up to 1");
    std::vector<Rational> found;
    for (const auto& text : texts) found.push_back(chances.contains(text) ? chances[text] : Rational());
    return found;
}

// The positions that are met, in the order in which they are, whatever numbers the rules have for them.
class Places {
public:
    Places(Rules& rules, Place start) : rules_(rules) { met(start); }
    std::size_t count() const { return places_.size(); }
    Place at(std::size_t here) const { return places_[here]; }
    Rules& rules() { return rules_; }

    Place met(Place place) {
        const auto [at, is_new] = number_.try_emplace(place, static_cast<Place>(places_.size()));
        if (is_new) places_.push_back(place);
        return at->second;
    }
    Weighed chances(std::size_t here) {
        const auto moves = rules_.moves(places_[here]);
        const auto shares = rules_.chances(places_[here]);
        Weighed found;
        Rational sum;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            need_shown(shares[i].sign() >= 0, "a probability is below 0");
            sum += shares[i];
            if (shares[i].sign()) found.emplace_back(shares[i], met(rules_.play(places_[here], moves[i])));
        }
        need_shown(sum == Rational(1), "probabilities do not add up to 1");
        return found;
    }
    Movers movers(std::size_t here) {
        auto found = rules_.movers(places_[here]);
        for (const auto& [role, moves] : found)
            need_shown(!moves.empty(), "there is no legal move, though the game is not over");
        return found;
    }
    Place joint(std::size_t here, const std::vector<std::size_t>& places) {
        return met(rules_.joint(places_[here], places));
    }
    // Calls for each choice of a move of each mover, by their places among the legal ones.
    template <class Look>
    void every_choice(const Movers& movers, const Look& look) {
        std::vector<std::size_t> places(movers.size());
        for (bool more = true; more;) {
            if (++choices_ > kMostChoices) throw BadInput("more choices than this program looks at");
            look(places);
            more = false;
            for (auto i = movers.size(); i-- > 0 && !more;) {
                more = ++places[i] < movers[i].second.size();
                if (!more) places[i] = 0;
            }
        }
    }

private:
    Rules& rules_;
    std::vector<Place> places_;
    std::unordered_map<Place, Place> number_;
    std::size_t choices_ = 0;
};

// The largest set of positions in which play can be kept for ever: each has a choice after which it stays in.
std::vector<bool> kept_for_ever(const std::vector<std::vector<Weighed>>& choices) {
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> led_from(choices.size());
    std::vector<std::vector<bool>> good(choices.size());
    std::vector<std::size_t> ways(choices.size()), leaving;
    std::vector<bool> kept(choices.size(), true);
    for (std::size_t here = 0; here < choices.size(); ++here) {
        good[here].assign(choices[here].size(), true);
        ways[here] = choices[here].size();
        if (!ways[here]) leaving.push_back(here), kept[here] = false;
        for (std::size_t i = 0; i < choices[here].size(); ++i)
            for (const auto& [weight, after] : choices[here][i]) led_from[after].emplace_back(here, i);
    }
    while (!leaving.empty()) {
        const auto gone = leaving.back();
        leaving.pop_back();
        for (const auto& [here, choice] : led_from[gone]) {
            if (!good[here][choice]) continue;
            good[here][choice] = false;
            if (--ways[here] == 0) kept[here] = false, leaving.push_back(here);
        }
    }
    return kept;
}

class Equilibrium {
public:
    Equilibrium(Rules& rules, Place start, const Claim& claim)
        : claim_(claim), roles_(rules.roles()), places_(rules, start) {}

    Tested check() {
        read_head();
        const auto* positions = claim_.data.member("positions");
        need_shown(positions && positions->kind == Json::kObject, "the certificate lists no positions");
        std::unordered_map<std::string_view, const Json*> entries;
        for (const auto& [key, entry] : positions->members) entries[key] = &entry;
        for (std::size_t here = 0; here < places_.count(); ++here) {
            played_.emplace_back(), changes_.emplace_back();
            if (auto scores = places_.rules().result(places_.at(here))) {
                vectors_.push_back(std::move(*scores));
                continue;
            }
            const auto entry = entries.find(places_.rules().key(places_.at(here)));
            const auto& said = list_of(entry == entries.end() ? nullptr : entry->second);
            need_shown(said.size() == 2 && said[0].kind == Json::kWhole, "nothing on a position");
            const auto number = whole(said[0]);
            need_shown(number >= 0 && number < std::int64_t(listed_.size()), "no vector of the list");
            vectors_.push_back(listed_[std::size_t(number)]);
            expand(here, said[1]);
        }
        need_shown(vectors_[0] == claimed_, "the vector of the start is not the one that is claimed");
        for (std::size_t here = 0; here < vectors_.size(); ++here) compare(here);
        need_an_end();
        return {vectors_.size()};
    }

private:
    void read_head() {
        need_shown(claim_.play == "equilibrium", "what is proved is an equilibrium");
        const auto& roles = list_of(claim_.data.member("roles"));
        need_shown(roles.size() == roles_.size(), "the roles are not those of the game");
        for (std::size_t i = 0; i < roles.size(); ++i)
            need_shown(roles[i].kind == Json::kString && roles[i].text == roles_[i],
                       "the roles are not those of the game");
        const auto* ties = claim_.data.member("ties");
        const std::string rule = ties && ties->kind == Json::kString ? ties->text : "";
        need_shown(rule == "any" || rule == "first" || rule == "best-for-others" || rule == "worst-for-others",
                   "an unknown rule for ties");
        tied_ = rule != "any";
        sign_ = rule == "best-for-others" ? 1 : rule == "worst-for-others" ? -1 : 0;
        claimed_ = vector(claim_.data.member("values"));
        need_shown(claim_.role == roles_[0] && Rational::of(claim_.at_least) == claimed_[0],
                   "the claim speaks of another score of the first role than the vector of the start");
        for (const auto& one : list_of(claim_.data.member("vectors"))) listed_.push_back(vector(&one));
    }
    Scores vector(const Json* said) const {
        Scores found;
        for (const auto& one : list_of(said)) found.push_back(number_of(one));
        need_shown(found.size() == roles_.size(), "not a score for each role");
        return found;
    }
    // What comes next as listed, and after every single change.
    void expand(std::size_t here, const Json& said) {
        const auto movers = places_.movers(here);
        if (movers.empty()) {
            played_[here] = places_.chances(here);
            return;
        }
        std::vector<std::vector<Rational>> mixtures;
        if (movers.size() == 1) {
            mixtures.push_back(mixture(&said, movers[0].second));
        } else {
            const auto& says = list_of(&said);
            need_shown(says.size() == movers.size(), "not a move of each role that moves at once");
            for (std::size_t i = 0; i < says.size(); ++i) mixtures.push_back(mixture(&says[i], movers[i].second));
        }
        auto& changes = changes_[here];
        for (const auto& [role, moves] : movers) changes.emplace_back(role, std::vector<Weighed>(moves.size()));
        places_.every_choice(movers, [&](const std::vector<std::size_t>& places) {
            const auto after = places_.joint(here, places);
            Rational all(1);
            for (std::size_t i = 0; i < places.size(); ++i) {
                all = all * mixtures[i][places[i]];
                Rational others(1);
                for (std::size_t j = 0; j < places.size(); ++j)
                    if (j != i) others = others * mixtures[j][places[j]];
                changes[i].second[places[i]].emplace_back(others, after);
            }
            played_[here].emplace_back(all, after);
        });
        need_shown(!tied_ || said.kind == Json::kString, "a rule for ties picks one move of one role");
    }
    Rational mean(const Weighed& weighed, std::size_t role) const {
        Rational sum;
        for (const auto& [weight, after] : weighed) sum += weight * vectors_[after][role];
        return sum;
    }
    void compare(std::size_t here) const {
        const auto& vector = vectors_[here];
        for (std::size_t role = 0; role < roles_.size() && !played_[here].empty(); ++role)
            need_shown(mean(played_[here], role) == vector[role], "a vector is not the mean of what is played");
        for (const auto& [role, moves] : changes_[here]) {
            const auto own = std::size_t(role);
            for (const auto& weighed : moves)
                need_shown(mean(weighed, own) <= vector[own], "a role gains by a single change of its own");
            if (tied_) need_tie(own, moves, played_[here]);
        }
    }
    // The move played is the first of those that are best by the rule for ties.
    void need_tie(std::size_t own, const std::vector<Weighed>& moves, const Weighed& played) const {
        std::size_t best = 0, made = 0;
        std::pair<Rational, Rational> most;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const auto& after = vectors_[moves[i][0].second];
            Rational others;
            for (std::size_t role = 0; role < after.size(); ++role)
                if (role != own) others += after[role];
            const std::pair worth(after[own], others * Rational(sign_));
            if (i == 0 || most < worth) most = worth, best = i;
        }
        while (!played[made].first.sign()) ++made;
        need_shown(made == best, "a move is not the one that the rule for ties picks");
    }
    // No position can come back: all can be taken away, those without a next one first.
    void need_an_end() const {
        std::vector<std::vector<std::size_t>> before(played_.size());
        std::vector<std::size_t> waiting(played_.size()), gone;
        for (std::size_t here = 0; here < played_.size(); ++here) {
            for (const auto& [weight, after] : played_[here]) before[after].push_back(here);
            waiting[here] = played_[here].size();
            if (!waiting[here]) gone.push_back(here);
        }
        for (std::size_t i = 0; i < gone.size(); ++i)
            for (const auto earlier : before[gone[i]])
                if (!--waiting[earlier]) gone.push_back(earlier);
        need_shown(gone.size() == played_.size(), "a position can come back");
    }

    const Claim& claim_;
    std::vector<std::string> roles_;
    Places places_;
    bool tied_ = false;
    int sign_ = 0;
    Scores claimed_;
    std::vector<Scores> listed_, vectors_;
    std::vector<Weighed> played_;
    std::vector<std::vector<std::pair<int, std::vector<Weighed>>>> changes_;  // by role and its moves
};

}  // namespace

Movers Rules::movers(Place place) {
    const auto who = turn(place);
    if (who == kChance) return {};
    Movers found{{who, {}}};
    for (const auto move : moves(place)) found[0].second.push_back(text(place, move));
    return found;
}

Place Rules::joint(Place place, const std::vector<std::size_t>& places) { return play(place, moves(place)[places[0]]); }

Tested check_expectation(Rules& rules, Place start, const Claim& claim) {
    const auto roles = rules.roles();
    const auto at = std::ranges::find(roles, claim.role);
    const bool nobody = at == roles.end() && claim.role == "nobody" && roles.size() == 1;
    need_shown(at != roles.end() || nobody, claim.role + " is not a role of the game");
    const auto own = nobody ? kNobody : int(at - roles.begin());
    const auto* positions = claim.data.member("positions");
    need_shown(positions && positions->kind == Json::kObject, "the certificate lists no positions");
    std::unordered_map<std::string_view, const Json*> entries;
    for (const auto& [key, entry] : positions->members) entries[key] = &entry;
    Places places(rules, start);
    std::vector<Rational> numbers;
    std::vector<std::vector<Weighed>> choices;
    std::optional<Rational> most;
    for (std::size_t here = 0; here < places.count(); ++here) {
        auto& each = choices.emplace_back();
        if (const auto scores = rules.result(places.at(here))) {
            Rational sum;
            for (const auto& score : *scores) sum += score;
            most = most ? std::max(*most, sum) : sum;
            numbers.push_back(nobody ? -(*scores)[0] : (*scores)[std::size_t(own)]);
            continue;
        }
        const auto entry = entries.find(rules.key(places.at(here)));
        const auto& said = list_of(entry == entries.end() ? nullptr : entry->second);
        need_shown(!said.empty(), "the certificate has nothing on a position");
        numbers.push_back(number_of(said[0]));
        const auto movers = places.movers(here);
        if (movers.empty()) {
            each.push_back(places.chances(here));
            continue;
        }
        const auto mine = std::ranges::find(movers, own, [](const auto& mover) { return mover.first; });
        const auto place = std::size_t(mine - movers.begin());
        const bool moves = mine != movers.end();
        const auto weights =
            moves ? mixture(said.size() > 1 ? &said[1] : nullptr, mine->second) : std::vector<Rational>{Rational(1)};
        std::map<std::vector<std::size_t>, Weighed> replies;
        places.every_choice(movers, [&](const std::vector<std::size_t>& made) {
            const auto& weight = weights[moves ? made[place] : 0];
            if (!weight.sign()) return;
            auto others = made;
            if (moves) others.erase(others.begin() + std::ptrdiff_t(place));
            replies[others].emplace_back(weight, places.joint(here, made));
        });
        for (auto& [others, reply] : replies) each.push_back(std::move(reply));
    }
    for (std::size_t here = 0; here < choices.size(); ++here)
        for (const auto& choice : choices[here]) {
            Rational mean;
            for (const auto& [weight, after] : choice) mean += weight * numbers[after];
            need_shown(numbers[here] <= mean, "a reply leaves less than is to be expected");
        }
    const auto kept = kept_for_ever(choices);
    for (std::size_t here = 0; here < kept.size(); ++here) {
        if (!kept[here]) continue;
        const auto endless = rules.endless();
        Rational sum;
        for (const auto& score : endless) sum += score;
        most = most ? std::max(*most, sum) : sum;
        need_shown(numbers[here] <= (nobody ? -endless[0] : endless[std::size_t(own)]), "play can go on for ever");
    }
    need_shown(Rational::of(claim.at_least) <= numbers[0], claim.role + " can expect less than is claimed");
    return {numbers.size(), most};
}

Tested check_equilibrium(Rules& rules, Place start, const Claim& claim) {
    return Equilibrium(rules, start, claim).check();
}

}  // namespace checker
