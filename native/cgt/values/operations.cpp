#include "cgt/values/operations.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "cgt/values/positions.hpp"

namespace zermelo::cgt {

namespace {

using Id = Arena::Id;

bool is_integer(Arena& arena, Id g) { return arena.is_number(g) && arena.number_part(g).is_integer(); }

// Builds a game from the leaves up: leaf() where settled() holds, and elsewhere the game whose options are those of the
// position, mapped and then moved by left() and right(), each of which appends to a list.
template <class Settled, class Leaf, class Left, class Right>
Id rebuilt(Arena& arena, Id root, Settled settled, Leaf leaf, Left left, Right right) {
    std::unordered_map<Id, Id> made;
    std::vector<Id> lefts, rights;
    for (const Id g : positions(arena, root, settled)) {
        if (settled(g)) {
            made.emplace(g, leaf(g));
            continue;
        }
        lefts.clear();
        rights.clear();
        for (const Id option : arena.left(g)) left(made.at(option), lefts);
        for (const Id option : arena.right(g)) right(made.at(option), rights);
        made.emplace(g, arena.canonical(lefts, rights));
    }
    return made.at(root);
}

// H is at most G up to an infinitesimal: the right stop of G - H is not negative. The stops of the two often tell, and
// always if one is a number.
bool at_most_infinitesimally(Arena& arena, Id h, Id g) {
    if (arena.right_stop(g) >= arena.left_stop(h)) return true;
    if (arena.right_stop(g) < arena.right_stop(h) || arena.left_stop(g) < arena.left_stop(h)) return false;
    return arena.right_stop(arena.subtract(g, h)).sign() >= 0;
}

void remove_dominated(Arena& arena, std::vector<Id>& options, bool keep_larger) {
    std::vector<Id> kept;
    for (const Id option : options) {
        const auto worse = [&](Id a, Id b) {
            return keep_larger ? at_most_infinitesimally(arena, a, b) : at_most_infinitesimally(arena, b, a);
        };
        if (std::any_of(kept.begin(), kept.end(), [&](Id other) { return worse(option, other); })) continue;
        std::erase_if(kept, [&](Id other) { return worse(other, option); });
        kept.push_back(option);
    }
    options = kept;
}

// Options that reverse through a reply at most (Left) or at least (Right) as good as the whole game, up to
// infinitesimals, give way to that reply's options. The whole game's stops differ, so the theorem's condition that no
// number results is met: a reply that is a number lies beyond the stop, and one that is none brings options that stop
// no worse.
void bypass_reversible(Arena& arena, std::vector<Id>& options, Id whole, bool left_side) {
    std::vector<Id> pending = options;
    options.clear();
    while (!pending.empty()) {
        const Id option = pending.back();
        pending.pop_back();
        if (std::find(options.begin(), options.end(), option) != options.end()) continue;
        const auto replies = left_side ? arena.right(option) : arena.left(option);
        const auto reply = std::find_if(replies.begin(), replies.end(), [&](Id r) {
            return left_side ? at_most_infinitesimally(arena, r, whole) : at_most_infinitesimally(arena, whole, r);
        });
        if (reply == replies.end()) {
            options.push_back(option);
            continue;
        }
        const auto replacing = left_side ? arena.left(*reply) : arena.right(*reply);
        pending.insert(pending.end(), replacing.begin(), replacing.end());
    }
}

}  // namespace

Id cooled(Arena& arena, Thermographs& thermographs, Id root, const Dyadic& t) {
    if (t <= Dyadic(-1)) throw std::invalid_argument("cooling by -1 or less");
    const auto frozen = [&](Id g) { return is_integer(arena, g) || thermographs.of(g).temperature < t; };
    const auto number = [&](Id g) {
        return arena.number(is_integer(arena, g) ? arena.number_part(g) : thermographs.of(g).mean);
    };
    const Id tax = arena.number(t);
    const Id rebate = arena.negate(tax);
    return rebuilt(
        arena, root, frozen, number, [&](Id option, std::vector<Id>& to) { to.push_back(arena.add(option, rebate)); },
        [&](Id option, std::vector<Id>& to) { to.push_back(arena.add(option, tax)); });
}

Id heated(Arena& arena, Id root, Id t) {
    const Id minus = arena.negate(t);
    return rebuilt(
        arena, root, [&](Id g) { return arena.is_number(g); }, [](Id g) { return g; },
        [&](Id option, std::vector<Id>& to) { to.push_back(arena.add(option, t)); },
        [&](Id option, std::vector<Id>& to) { to.push_back(arena.add(option, minus)); });
}

Id overheated(Arena& arena, Id root, Id s, Id t) {
    const Id minus = arena.negate(t);
    return rebuilt(
        arena, root, [&](Id g) { return is_integer(arena, g); },
        [&](Id g) { return multiple(arena, s, arena.number_part(g).numerator()); },
        [&](Id option, std::vector<Id>& to) { to.push_back(arena.add(option, t)); },
        [&](Id option, std::vector<Id>& to) { to.push_back(arena.add(option, minus)); });
}

Id norton_product(Arena& arena, Id root, Id u) {
    std::vector<Id> gains;                                          // U and an incentive of it
    for (const Id option : arena.left(u)) gains.push_back(option);  // U + (U^L - U)
    for (const Id option : arena.right(u)) gains.push_back(arena.subtract(arena.add(u, u), option));
    std::sort(gains.begin(), gains.end());
    gains.erase(std::unique(gains.begin(), gains.end()), gains.end());
    return rebuilt(
        arena, root, [&](Id g) { return is_integer(arena, g); },
        [&](Id g) { return multiple(arena, u, arena.number_part(g).numerator()); },
        [&](Id option, std::vector<Id>& to) {
            for (const Id gain : gains) to.push_back(arena.add(option, gain));
        },
        [&](Id option, std::vector<Id>& to) {
            for (const Id gain : gains) to.push_back(arena.subtract(option, gain));
        });
}

Id ordinal_sum(Arena& arena, Id base, Id root) {
    std::unordered_map<Id, Id> made;
    std::vector<Id> lefts, rights;
    const auto base_left = arena.left(base);
    const auto base_right = arena.right(base);
    for (const Id h : positions(arena, root, [](Id) { return false; })) {
        lefts.assign(base_left.begin(), base_left.end());
        rights.assign(base_right.begin(), base_right.end());
        for (const Id option : arena.left(h)) lefts.push_back(made.at(option));
        for (const Id option : arena.right(h)) rights.push_back(made.at(option));
        made.emplace(h, arena.canonical(lefts, rights));
    }
    return made.at(root);
}

Id reduced(Arena& arena, Id root) {
    const auto numberish = [&](Id g) { return arena.left_stop(g) == arena.right_stop(g); };
    std::unordered_map<Id, Id> made;
    for (const Id g : positions(arena, root, numberish)) {
        if (numberish(g)) {
            made.emplace(g, arena.number(arena.left_stop(g)));
            continue;
        }
        std::vector<Id> lefts, rights;
        for (const Id option : arena.left(g)) lefts.push_back(made.at(option));
        for (const Id option : arena.right(g)) rights.push_back(made.at(option));
        remove_dominated(arena, lefts, true);
        remove_dominated(arena, rights, false);
        bypass_reversible(arena, lefts, g, true);
        bypass_reversible(arena, rights, g, false);
        remove_dominated(arena, lefts, true);
        remove_dominated(arena, rights, false);
        made.emplace(g, arena.canonical(lefts, rights));
    }
    return made.at(root);
}

bool is_all_small(Arena& arena, Id root) {
    const auto found = positions(arena, root, [&](Id g) { return arena.is_number_up_star(g); });
    return std::all_of(found.begin(), found.end(),
                       [&](Id g) { return !arena.is_number_up_star(g) || arena.number_part(g).sign() == 0; });
}

Id atomic_weight(Arena& arena, Id root) {
    if (!is_all_small(arena, root)) throw std::invalid_argument("only all-small games have atomic weights");
    std::unordered_map<Id, Id> weight;
    const Id two = arena.number(2);
    const Id minus_two = arena.number(-2);
    const auto order = positions(arena, root, [&](Id g) { return arena.is_number_up_star(g); });
    // A nimber larger than all that play from the root meets: far star.
    std::uint32_t far = 1;
    for (const Id g : order) {
        if (arena.is_number_up_star(g)) far = std::max(far, arena.heap(g));
    }
    if (far >= 1u << 24) throw std::overflow_error("an atomic weight of a game with nimbers beyond 2^24");
    while ((far & (far + 1)) != 0) far |= far >> 1;
    const Id far_star = arena.nimber(far + 1);
    std::vector<Id> lefts, rights;
    for (const Id g : order) {
        if (arena.is_number_up_star(g)) {
            weight.emplace(g, arena.number(arena.ups(g)));
            continue;
        }
        lefts.clear();
        rights.clear();
        for (const Id option : arena.left(g)) lefts.push_back(arena.add(weight.at(option), minus_two));
        for (const Id option : arena.right(g)) rights.push_back(arena.add(weight.at(option), two));
        Id result = arena.canonical(lefts, rights);
        if (is_integer(arena, result)) {
            const bool above = arena.less_equal(far_star, g);
            const bool below = arena.less_equal(g, far_star);
            // The largest integer below or confused with all right options; mirrored, the least above all left ones.
            const auto largest = [&](std::span<const Id> options, bool negated) {
                std::optional<Integer> most;
                for (const Id option : options) {
                    const Id bound = negated ? arena.negate(option) : option;
                    Integer n = arena.left_stop(bound).floor();
                    if (arena.less_equal(bound, arena.number(n))) n = n - 1;
                    if (!most || n < *most) most = n;
                }
                return *most;
            };
            if (above) result = arena.number(largest(rights, false));
            else if (below) result = arena.number(-largest(lefts, true));
            else result = arena.zero();
        }
        weight.emplace(g, result);
    }
    return weight.at(root);
}

namespace {

Integer birthday_of_parts(const Dyadic& number, std::int64_t ups, std::uint32_t heap) {
    // Integers are born on their own day; m/2^k halfway between neighbours takes one more for each halving, starting at
    // the next integer away from zero.
    Integer day = number.numerator().negative() ? -number.floor() : -(-number).floor();
    if (!number.is_integer()) day = day + Integer(std::int64_t{number.exponent()});
    const std::int64_t count = ups < 0 ? -ups : ups;
    if (count == 0) return day + Integer(std::int64_t{heap});
    // {0 | (n-1).up + *(m xor 1)} down to {0,*|0} for up + *, which is born on day 2, or to a nimber.
    const auto at_one = heap ^ ((count - 1) & 1);
    return at_one == 1 ? day + Integer(count + 1) : day + Integer(count + std::int64_t{heap ^ (count & 1)});
}

}  // namespace

Integer birthday(Arena& arena, Id root) {
    std::unordered_map<Id, Integer> day;
    for (const Id g : positions(arena, root, [&](Id x) { return arena.is_number_up_star(x); })) {
        if (arena.is_number_up_star(g)) {
            day.emplace(g, birthday_of_parts(arena.number_part(g), arena.ups(g), arena.heap(g)));
            continue;
        }
        Integer latest = 0;
        for (const auto options : {arena.left(g), arena.right(g)}) {
            for (const Id option : options) latest = std::max(latest, day.at(option));
        }
        day.emplace(g, latest + 1);
    }
    return day.at(root);
}

std::uint64_t position_count(Arena& arena, Id g) {
    return positions(arena, g, [](Id) { return false; }).size();
}

std::uint64_t form_count(Arena& arena, Id g) {
    return positions(arena, g, [&](Id x) { return arena.is_number_up_star(x); }).size();
}

Id copied(Arena& from, Id root, Arena& to) {
    std::unordered_map<Id, Id> made;
    std::vector<Id> lefts, rights;
    for (const Id g : positions(from, root, [&](Id x) { return from.is_number_up_star(x); })) {
        if (from.is_number_up_star(g)) {
            made.emplace(g, to.number_up_star(from.number_part(g), from.ups(g), from.heap(g)));
            continue;
        }
        lefts.clear();
        rights.clear();
        for (const Id option : from.left(g)) lefts.push_back(made.at(option));
        for (const Id option : from.right(g)) rights.push_back(made.at(option));
        made.emplace(g, to.canonical(lefts, rights));
    }
    return made.at(root);
}

Id multiple(Arena& arena, Id g, Integer n) {
    if (n.negative()) {
        g = arena.negate(g);
        n = -n;
    }
    if (arena.is_number(g) && arena.number_part(g) == Dyadic(1)) return arena.number(Dyadic(n));
    Id total = arena.zero();
    Id doubled = g;
    while (n.sign() != 0) {
        if (n.odd()) total = arena.add(total, doubled);
        n = n.shifted_right(1);
        if (n.sign() != 0) doubled = arena.add(doubled, doubled);
    }
    return total;
}

}  // namespace zermelo::cgt
