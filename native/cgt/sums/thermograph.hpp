// The thermograph of a scored tree, from the thermographs of its options.
//
// At tax t the walls are l(t) = max over Left's options of r - t and r(t) = min over Right's of l + t, up to the tax at
// which they meet; from there on both are the mean (Conway, On Numbers and Games, chapter 9). A move also earns
// `bonus`, which is how the tempo is counted (forest.hpp). Walls have slopes -1, 0 and 1 only, so all corners are whole
// numbers but for the meeting point, which may fall between two of them: then Fraction is thrown, and the caller begins
// again with numbers twice as large.
//
//     const auto leaf = Thermograph<std::int64_t>::over(5);
//     const auto tent = thermograph_of<std::int64_t>({&five, 1}, {&minus_five, 1}, 0);      // {5|-5}: mean 0,
//     temperature 5
#pragma once

#include <algorithm>
#include <exception>
#include <span>
#include <vector>

#include "cgt/sums/number.hpp"

namespace zermelo::cgt::sums {

struct Fraction : std::exception {
    const char* what() const noexcept override { return "walls meet between two whole numbers"; }
};

template <class T>
struct Thermograph {
    struct Corner {
        T tax, left, right;
    };
    std::vector<Corner> corners;  // from tax 0 on; straight between; the last is where the mast begins

    static Thermograph over(const T& number) { return {{{T(0), number, number}}}; }
    const T& mean() const { return corners.back().left; }
    const T& temperature() const { return corners.back().tax; }

    // The last corner at or before that tax.
    std::size_t corner_before(const T& tax) const {
        const auto after = std::upper_bound(corners.begin(), corners.end(), tax,
                                            [](const T& t, const Corner& c) { return t < c.tax; });
        return static_cast<std::size_t>(after - corners.begin()) - 1;
    }
    T left(const T& tax) const { return wall(tax, &Corner::left); }
    T right(const T& tax) const { return wall(tax, &Corner::right); }

private:
    // Slopes are -1, 0, 1: which one is seen from the direction of the next corner.
    T wall(const T& tax, T Corner::* side) const {
        const std::size_t at = corner_before(tax);
        const T& here = corners[at].*side;
        if (at + 1 == corners.size()) return here;
        const T& there = corners[at + 1].*side;
        const T way = tax - corners[at].tax;
        return there == here ? here : there > here ? here + way : here - way;
    }
};

// One wall on a stretch of taxes: its height at both ends and its slope there (0 or 1 for the right walls of Left's
// options; left walls are looked at upside down).
template <class T>
class Envelope {
public:
    // The highest of some right walls, or of some left walls turned upside down.
    Envelope(std::span<const Thermograph<T>* const> options, bool upside_down)
        : options_(options), upside_down_(upside_down) {}

    T at(const T& tax) const {
        T best = height(*options_.front(), tax);
        for (const auto* option : options_.subspan(1)) {
            T other = height(*option, tax);
            if (other > best) best = std::move(other);
        }
        return best;
    }
    // Where, strictly inside of (from, to) between two corners, a rising wall overtakes a level one; `to` if nowhere.
    T kink(const T& from, const T& to) const {
        bool level = false, rising = false;
        T level_height(0), rising_height(0);
        for (const auto* option : options_) {
            const T begin = height(*option, from), end = height(*option, to);
            if (begin == end) {
                if (!level || begin > level_height) level_height = begin;
                level = true;
            } else {
                if (!rising || begin > rising_height) rising_height = begin;
                rising = true;
            }
        }
        if (!level || !rising || rising_height >= level_height) return to;
        const T cross = from + (level_height - rising_height);
        return cross < to ? cross : to;
    }

private:
    T height(const Thermograph<T>& option, const T& tax) const {
        return upside_down_ ? T(0) - option.left(tax) : option.right(tax);
    }

    std::span<const Thermograph<T>* const> options_;
    bool upside_down_;
};

template <class T>
Thermograph<T> thermograph_of(std::span<const Thermograph<T>* const> left, std::span<const Thermograph<T>* const> right,
                              const T& bonus) {
    std::vector<T> taxes{T(0)};
    for (const auto side : {left, right})
        for (const auto* option : side)
            for (const auto& corner : option->corners) taxes.push_back(corner.tax);
    std::sort(taxes.begin(), taxes.end());
    taxes.erase(std::unique(taxes.begin(), taxes.end()), taxes.end());

    const Envelope<T> up(left, false), down(right, true);
    Thermograph<T> made;
    const auto add = [&](const T& tax, const T& l, const T& r) {
        auto& corners = made.corners;
        if (corners.size() >= 2) {  // a corner on a straight line is none
            const auto &a = corners[corners.size() - 2], &b = corners.back();
            const T before = b.tax - a.tax, now = tax - b.tax;
            const auto straight = [&](const T& x, const T& y, const T& z) {
                return (x == y && y == z) || (y - x == before && z - y == now) || (x - y == before && y - z == now);
            };
            if (straight(a.left, b.left, l) && straight(a.right, b.right, r)) corners.pop_back();
        }
        corners.push_back({tax, l, r});
    };
    T tax = taxes.front();
    T l = up.at(tax) - tax + bonus, r = T(0) - down.at(tax) + tax - bonus;
    add(tax, l, r);
    for (std::size_t next = 1; l != r;) {
        // The next tax at which something bends; beyond the last all walls of the options are masts.
        const bool bounded = next < taxes.size();
        T to = tax, next_l = l, next_r = r;
        if (bounded) {
            to = std::min(up.kink(tax, taxes[next]), down.kink(tax, taxes[next]));
            next_l = up.at(to) - to + bonus;
            next_r = T(0) - down.at(to) + to - bonus;
            if (!(to < taxes[next])) ++next;
        }
        if (bounded && next_l >= next_r) {
            tax = to, l = next_l, r = next_r;
            add(tax, l, r);
            continue;
        }
        const bool left_falls = !bounded || next_l != l, right_rises = !bounded || next_r != r;
        const T gap = l - r;
        if (left_falls && right_rises) {
            if (is_odd(gap)) throw Fraction();
            const T way = halved(gap, 1);
            add(tax + way, l - way, l - way);
        } else if (left_falls) {
            add(tax + gap, r, r);
        } else {
            add(tax + gap, l, l);
        }
        break;
    }
    return made;
}

}  // namespace zermelo::cgt::sums
