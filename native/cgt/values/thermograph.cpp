#include "cgt/values/thermograph.hpp"

#include <algorithm>
#include <span>

#include "cgt/values/positions.hpp"

namespace zermelo::cgt {

namespace {

// A piecewise linear function of t >= -1: straight between its points, of the given slope after the last.
struct Scaffold {
    Wall points;
    int slope = 0;
};

Dyadic times(const Dyadic& value, int factor) {
    if (factor == 0) return 0;
    return factor > 0 ? value : -value;
}

// The wall of an option, t subtracted (Left's scaffold) or added (Right's): the mover pays.
Scaffold taxed(const Wall& wall, int slope) {
    Scaffold result{wall, slope};
    for (auto& point : result.points) point.value = point.value + times(point.t, slope);
    return result;
}

// Reads a scaffold from left to right.
class Reader {
public:
    explicit Reader(const Scaffold& of) : of_(of) {}
    bool ends() const { return at_ + 1 == of_.points.size(); }
    const Dyadic& next_bend() const { return of_.points[at_ + 1].t; }
    void advance_to(const Dyadic& t) {
        while (!ends() && next_bend() <= t) ++at_;
    }
    Dyadic at(const Dyadic& t) const { return of_.points[at_].value + times(t - of_.points[at_].t, slope()); }
    // From here to the next bend; slopes of walls are -1, 0 or 1, so its sign is the slope.
    int slope() const {
        if (ends()) return of_.slope;
        const auto order = of_.points[at_ + 1].value <=> of_.points[at_].value;
        return order > 0 ? 1 : (order < 0 ? -1 : 0);
    }

private:
    const Scaffold& of_;
    std::size_t at_ = 0;
};

void append(Wall& points, const Dyadic& t, const Dyadic& value) {
    const auto slope = [](const WallPoint& a, const WallPoint& b) { return b.value <=> a.value; };
    if (!points.empty() && points.back().t == t) return;
    // Three points in a line: the middle one is no bend. Equal signs of slopes are equal slopes.
    if (points.size() >= 2 && slope(points[points.size() - 2], points.back()) == slope(points.back(), {t, value}))
        points.pop_back();
    points.push_back({t, value});
}

// The upper envelope of two scaffolds; sign -1 gives the lower one.
Scaffold envelope(const Scaffold& a, const Scaffold& b, int sign) {
    Reader x(a);
    Reader y(b);
    Scaffold result;
    Dyadic t = -1;
    while (true) {
        const Dyadic u = x.at(t);
        const Dyadic v = y.at(t);
        const auto order = u <=> v;
        const bool u_wins = sign > 0 ? order > 0 : order < 0;
        append(result.points, t, u_wins ? u : v);
        // Where the loser gains on the winner they may cross before the next bend.
        const int gain = sign * (x.slope() - y.slope()) * (u_wins ? -1 : 1);
        std::optional<Dyadic> next;
        if (order != 0 && gain > 0) {
            const Dyadic gap = u > v ? u - v : v - u;
            next = t + (gain == 2 ? gap.halved() : gap);
        }
        for (const Reader* reader : {&x, &y}) {
            if (!reader->ends() && (!next || reader->next_bend() < *next)) next = reader->next_bend();
        }
        if (!next) {
            const bool x_ahead = order == 0 ? sign * (x.slope() - y.slope()) > 0 : u_wins;
            result.slope = x_ahead ? x.slope() : y.slope();
            return result;
        }
        t = *next;
        x.advance_to(t);
        y.advance_to(t);
    }
}

// Walls follow the scaffolds until these meet; there the mast stands.
Thermograph between(const Scaffold& left, const Scaffold& right) {
    Reader x(left);
    Reader y(right);
    Thermograph result;
    Dyadic t = -1;
    while (true) {
        const Dyadic u = x.at(t);
        const Dyadic v = y.at(t);
        append(result.left, t, u);
        append(result.right, t, v);
        if (u <= v) {
            result.mean = u;
            result.temperature = t;
            break;
        }
        const int closing = y.slope() - x.slope();
        std::optional<Dyadic> next;
        if (closing > 0) next = t + (closing == 2 ? (u - v).halved() : u - v);
        for (const Reader* reader : {&x, &y}) {
            if (!reader->ends() && (!next || reader->next_bend() < *next)) next = reader->next_bend();
        }
        t = *next;
        x.advance_to(t);
        y.advance_to(t);
    }
    // A wall that comes straight up into the mast bends no more there.
    for (Wall* wall : {&result.left, &result.right}) {
        while (wall->size() > 1 && (*wall)[wall->size() - 2].value == wall->back().value) wall->pop_back();
    }
    return result;
}

}  // namespace

// A game with the same walls as x + n.up + *m, of small n and m. Left's move from x + n.up + *m (n > 0) is to x, and
// Right's to a game whose left wall is again that of x less t; so all of them but up + * are drawn as x + up, and up +
// * as x + *.
Arena::Id Thermographs::stand_in(Arena::Id g) {
    if (!arena_.is_number_up_star(g)) return g;
    const auto ups = arena_.ups(g);
    const auto heap = arena_.heap(g);
    const Dyadic number = arena_.number_part(g);
    if (ups == 0 || ((ups == 1 || ups == -1) && heap == 1))
        return arena_.number_up_star(number, 0, ups == 0 && heap == 0 ? 0 : 1);
    return arena_.number_up_star(number, ups > 0 ? 1 : -1, 0);
}

Thermograph Thermographs::of_options(Arena::Id g) {
    if (arena_.is_number(g) && arena_.number_part(g).is_integer()) {
        const Dyadic value = arena_.number_part(g);
        return {{{-1, value}}, {{-1, value}}, value, -1};
    }
    const auto scaffold = [&](std::span<const Arena::Id> options, bool left) {
        Scaffold total;
        for (const auto option : options) {
            const Thermograph& drawn = held_.at(stand_in(option));
            const Scaffold one = taxed(left ? drawn.right : drawn.left, left ? -1 : 1);
            total = total.points.empty() ? one : envelope(total, one, left ? 1 : -1);
        }
        return total;
    };
    const Scaffold left = scaffold(arena_.left(g), true);
    const Scaffold right = scaffold(arena_.right(g), false);
    return between(left, right);
}

void Thermographs::draw(Arena::Id g) {
    arena_.tick();
    const auto& made = held_.emplace(g, of_options(g)).first->second;
    bytes_ += sizeof(made) + 64;  // and a node of the map
    for (const Wall* wall : {&made.left, &made.right}) {
        for (const auto& point : *wall)
            bytes_ += sizeof(point) + point.t.numerator().bytes_on_heap() + point.value.numerator().bytes_on_heap();
    }
    if (bytes_ > arena_.room()) {
        forget();
        throw MemoryLimit();
    }
}

void Thermographs::forget() {
    held_.clear();
    bytes_ = 0;
}

const Thermograph& Thermographs::of(Arena::Id root) {
    root = stand_in(root);
    if (const auto at = held_.find(root); at != held_.end()) return at->second;
    const auto settled = [&](Arena::Id g) {
        if (held_.contains(g)) return true;
        if (arena_.is_number_up_star(g)) {
            const auto other = stand_in(g);
            if (other != g) {
                // Its own positions are not those of g: draw them now, by the same rules.
                for (const auto h : positions(arena_, other, [&](Arena::Id x) {
                         return held_.contains(x) || (arena_.is_number(x) && arena_.number_part(x).is_integer());
                     })) {
                    if (!held_.contains(h)) draw(h);
                }
                return true;
            }
        }
        return arena_.is_number(g) && arena_.number_part(g).is_integer();
    };
    for (const auto g : positions(arena_, root, settled)) {
        if (!held_.contains(g) && stand_in(g) == g) draw(g);
    }
    return held_.at(root);
}

}  // namespace zermelo::cgt
