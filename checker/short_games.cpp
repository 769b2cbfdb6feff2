#include "short_games.hpp"

#include <algorithm>
#include <unordered_set>

namespace checker {

namespace {

std::uint64_t pair_of(GameId one, GameId other) { return std::uint64_t{one} << 32 | other; }

void sort_once(GameIds& games) {
    std::ranges::sort(games);
    games.erase(std::unique(games.begin(), games.end()), games.end());
}

// The same in the order in which they stand.
void keep_once(GameIds& games) {
    std::unordered_set<GameId> met;
    std::erase_if(games, [&](GameId game) { return !met.insert(game).second; });
}

}  // namespace

std::optional<Dyadic> simplest_between(const std::optional<Stop>& above, const std::optional<Stop>& below) {
    const bool from = above && above->left_next, to = below && !below->left_next;  // whether the ends belong to it
    if (above && below && (below->score < above->score || (above->score == below->score && !(from && to)))) return {};
    const Dyadic zero;
    const bool zero_over = !above || above->score < zero || (from && above->score == zero);
    const bool zero_under = !below || zero < below->score || (to && below->score == zero);
    if (zero_over && zero_under) return zero;
    if (zero_over) {  // all that fit are negative
        const auto turned = [](const std::optional<Stop>& stop) {
            return stop ? std::optional<Stop>({-stop->score, !stop->left_next}) : std::nullopt;
        };
        return -*simplest_between(turned(below), turned(above));
    }
    for (std::size_t power = 0;; ++power) {
        const auto floor = above->score.floor(power);
        const bool met = from && above->score == Dyadic(floor, power);
        const Dyadic least(met ? floor : floor + 1, power);
        if (!below || least < below->score || (to && least == below->score)) return least;
    }
}

GameId ShortGames::added(Game game) {
    work_.keep(2 + (game.left.size() + game.right.size()) / 8 + game.value.words() / 32);
    games_.push_back(std::move(game));
    return GameId(games_.size() - 1);
}

GameId ShortGames::number(const Dyadic& value) {
    if (const auto found = numbers_.find(value); found != numbers_.end()) return found->second;
    return numbers_[value] = added({true, value, {}, {}, {value, true}, {value, false}});
}

GameId ShortGames::node(GameIds left, GameIds right) {
    auto key = std::pair(left, right);
    sort_once(key.first), sort_once(key.second);
    work_.step(1 + left.size() + right.size());
    std::optional<Stop> above, below;
    for (const auto option : key.first)
        if (const auto& stop = games_[option].right_first; !above || *above < stop) above = stop;
    for (const auto option : key.second)
        if (const auto& stop = games_[option].left_first; !below || stop < *below) below = stop;
    if (const auto value = simplest_between(above, below)) return number(*value);
    if (const auto known = nodes_.find(key); known != nodes_.end()) return known->second;
    keep_once(left), keep_once(right);
    return nodes_[std::move(key)] = added({false, {}, std::move(left), std::move(right), *above, *below});
}

// Whether all options are known; those that are not are put on the stack.
bool ShortGames::all_found(GameId game, std::vector<GameId>& stack,
                           const std::unordered_map<GameId, GameId>& known) const {
    const auto before = stack.size();
    for (const bool left : {true, false})
        for (const auto option : options(game, left))
            if (!known.contains(option)) stack.push_back(option);
    return stack.size() == before;
}

GameId ShortGames::rebuilt(GameId game, std::unordered_map<GameId, GameId>& known,
                           const std::function<Dyadic(const Dyadic&)>& to, bool turned) {
    for (std::vector<GameId> stack{game}; !stack.empty();) {
        const auto at = stack.back();
        work_.step();
        if (known.contains(at)) stack.pop_back();
        else if (is_number(at)) known[at] = number(to(Dyadic(value(at))));
        else if (all_found(at, stack, known)) {
            GameIds sides[2];
            for (const bool left : {true, false})
                for (const auto option : options(at, left)) sides[left != turned ? 0 : 1].push_back(known.at(option));
            known[at] = node(std::move(sides[0]), std::move(sides[1]));
        }
    }
    return known.at(game);
}

GameId ShortGames::negative(GameId game) {
    return rebuilt(game, negatives_, [](const Dyadic& value) { return -value; }, true);
}

GameId ShortGames::moved(GameId game, const Dyadic& by) {
    std::unordered_map<GameId, GameId> known;
    return rebuilt(game, known, [&](const Dyadic& value) { return value + by; }, false);
}

GameId ShortGames::nimber(std::uint64_t size) {
    GameIds heaps{kZero};
    while (heaps.size() <= size) heaps.push_back(node(heaps, heaps));
    return heaps[std::size_t(size)];
}

// What is known of one <= other without looking at options.
std::optional<bool> ShortGames::known_less(GameId one, GameId other) const {
    if (one == other) return true;
    if (is_number(one) && is_number(other)) return value(one) <= value(other);
    const auto found = less_.find(pair_of(one, other));
    return found == less_.end() ? std::nullopt : std::optional(found->second);
}

// G <= H unless Left can move in G to something that is at least H, or Right in H to something that is at most G.
bool ShortGames::less_equal(GameId one, GameId other) {
    struct Open {
        GameId one, other;
        std::size_t tried;
    };
    for (std::vector<Open> stack{{one, other, 0}}; !known_less(one, other);) {
        auto& at = stack.back();
        work_.step();
        const auto& lefts = options(at.one, true);
        const auto& rights = options(at.other, false);
        std::optional<bool> refuted = false;
        Open inner{0, 0, 0};
        for (; at.tried < lefts.size() + rights.size(); ++at.tried) {
            inner = at.tried < lefts.size() ? Open{at.other, lefts[at.tried], 0}
                                            : Open{rights[at.tried - lefts.size()], at.one, 0};
            refuted = known_less(inner.one, inner.other);
            if (!refuted || *refuted) break;
        }
        if (!refuted) {
            stack.push_back(inner);
            continue;
        }
        work_.keep();
        less_[pair_of(at.one, at.other)] = !*refuted;
        stack.pop_back();
    }
    return *known_less(one, other);
}

// Options in the place of those that are reversible. Through a number x nothing need be put there: either x fits
// between the options of the whole, which then is a number, or some option is at least as good as x and dominates.
GameIds ShortGames::not_reversible(GameIds open, GameId whole, bool left) {
    GameIds kept;
    while (!open.empty()) {
        const auto option = open.back();
        open.pop_back();
        work_.step();
        const auto through = std::ranges::find_if(options(option, !left), [&](GameId reply) {
            return left ? less_equal(reply, whole) : less_equal(whole, reply);
        });
        if (through == options(option, !left).end()) kept.push_back(option);
        else open.insert(open.end(), options(*through, left).begin(), options(*through, left).end());
    }
    sort_once(kept);
    return kept;
}

GameIds ShortGames::best(const GameIds& some, bool left) {
    GameIds kept;
    for (const auto one : some) {
        const bool dominated = std::ranges::any_of(some, [&](GameId other) {
            return one != other && (left ? less_equal(one, other) : less_equal(other, one));
        });
        if (!dominated) kept.push_back(one);
    }
    return kept;
}

GameId ShortGames::canonical(const GameIds& left, const GameIds& right) {
    const auto whole = node(left, right);
    if (is_number(whole)) return whole;
    const auto lefts = not_reversible(left, whole, true), rights = not_reversible(right, whole, false);
    return node(best(lefts, true), best(rights, false));
}

std::optional<GameId> ShortGames::known_sum(GameId one, GameId other) const {
    if (one == kZero || other == kZero) return one == kZero ? other : one;
    const auto found = sums_.find(pair_of(std::min(one, other), std::max(one, other)));
    return found == sums_.end() ? std::nullopt : std::optional(found->second);
}

// Whether the sums that a move leads to are known; those that are not are put on the stack.
bool ShortGames::parts_summed(GameId one, GameId other, std::vector<std::pair<GameId, GameId>>& stack) const {
    const auto before = stack.size();
    for (const bool left : {true, false}) {
        for (const auto option : options(one, left))
            if (!known_sum(option, other)) stack.emplace_back(option, other);
        for (const auto option : options(other, left))
            if (!known_sum(one, option)) stack.emplace_back(one, option);
    }
    return stack.size() == before;
}

GameIds ShortGames::summed_options(GameId one, GameId other, bool left) const {
    GameIds found;
    for (const auto option : options(one, left)) found.push_back(*known_sum(option, other));
    for (const auto option : options(other, left)) found.push_back(*known_sum(one, option));
    return found;
}

GameId ShortGames::sum(GameId one, GameId other) {
    for (std::vector<std::pair<GameId, GameId>> stack{{one, other}}; !stack.empty();) {
        const auto [g, h] = stack.back();
        work_.step();
        if (known_sum(g, h)) {
            stack.pop_back();
            continue;
        }
        const bool numbers = is_number(g) || is_number(h);
        if (!(is_number(g) && is_number(h)) && !parts_summed(g, h, stack)) continue;
        const auto lefts = summed_options(g, h, true), rights = summed_options(g, h, false);
        const auto made = is_number(g) && is_number(h) ? number(value(g) + value(h))
                          : numbers                    ? node(lefts, rights)
                                                       : canonical(lefts, rights);
        work_.keep();
        sums_[pair_of(std::min(g, h), std::max(g, h))] = made;
    }
    return *known_sum(one, other);
}

GameId ShortGames::copies(const Integer& count, GameId game) {
    auto total = kZero;
    auto power = game;
    for (auto left = count.size(); !left.zero();) {
        if (!left.even()) total = sum(total, power);
        left = left.half();
        if (!left.zero()) power = sum(power, power);
    }
    return total;
}

GameId ShortGames::together(const GameIds& games) {
    constexpr std::size_t kMostPositions = 100'000;
    struct Parted {  // the games that are no numbers, in order, and what the others score
        GameIds hot;
        Dyadic score;
        bool operator<(const Parted& other) const { return hot != other.hot ? hot < other.hot : score < other.score; }
    };
    const auto settled = [&](GameIds some, Dyadic score) {
        for (const auto game : some)
            if (is_number(game)) score = score + value(game);
        std::erase_if(some, [&](GameId game) { return is_number(game); });
        std::ranges::sort(some);
        return Parted{std::move(some), std::move(score)};
    };
    std::map<Parted, GameId> known;
    const auto root = settled(games, 0);
    std::vector<Parted> stack{root};
    while (!stack.empty()) {
        const auto at = stack.back();
        GameIds sides[2];
        const auto before = stack.size();
        if (known.contains(at)) {
            stack.pop_back();
            continue;
        }
        for (const bool left : {true, false})
            for (std::size_t i = 0; i < at.hot.size(); ++i)
                for (const auto option : options(at.hot[i], left)) {
                    auto some = at.hot;
                    some[i] = option;
                    work_.step(1 + some.size());
                    auto after = settled(std::move(some), at.score);
                    const auto found = known.find(after);
                    if (found != known.end()) sides[left ? 0 : 1].push_back(found->second);
                    else stack.push_back(std::move(after));
                }
        if (stack.size() != before) continue;
        if (known.size() >= kMostPositions) throw BadInput("a sum inside of brackets with over 100,000 positions");
        work_.keep(1 + at.hot.size() / 8);
        known[at] = at.hot.empty() ? number(at.score) : node(std::move(sides[0]), std::move(sides[1]));
    }
    return known.at(root);
}

}  // namespace checker
