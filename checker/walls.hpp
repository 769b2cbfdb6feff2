// Thermographs: what a game is worth to whoever starts in it, if every move costs a tax.
//
// Left's wall at a tax t is the highest right wall of his options less t, Right's the lowest left wall of hers plus t;
// where the two walls meet a mast begins (Conway, On Numbers and Games, chapter 9). A move earns its player 1 here.
// By induction Left's wall has slopes -1 and 0, Right's 0 and 1.
#pragma once

#include <set>
#include <vector>

#include "short_games.hpp"

namespace checker {

struct Corner {  // straight lines in between; at the last corner the mast begins
    Dyadic tax, left, right;
};
using Walls = std::vector<Corner>;

// Both walls at a tax.
inline Corner walls_at(const Walls& walls, const Dyadic& tax) {
    std::size_t low = 0, high = walls.size();
    while (high - low > 1) {
        const auto middle = (low + high) / 2;
        (tax < walls[middle].tax ? high : low) = middle;
    }
    auto found = walls[low];
    if (low + 1 == walls.size()) return found;
    const auto further = tax - found.tax;
    if (walls[low + 1].left < found.left) found.left = found.left - further;
    if (found.right < walls[low + 1].right) found.right = found.right + further;
    return found;
}

class Scaffold {
public:
    Scaffold(std::vector<const Walls*> left, std::vector<const Walls*> right, Work& work)
        : sides_{std::move(left), std::move(right)}, work_(work) {}

    Walls walls() {
        std::set<Dyadic> taxes{Dyadic(0)};
        for (const auto& side : sides_)
            for (const auto* option : side)
                for (const auto& corner : *option) taxes.insert(corner.tax);
        for (auto at = taxes.begin(); at != taxes.end(); ++at) {
            if (corner_at(*at)) return made_;
            if (const auto next = std::next(at); next != taxes.end())
                for (const auto& bend : bends(*at, *next))
                    if (corner_at(bend)) return made_;
        }
        const auto last = made_.back();  // all options are masts: the walls close in from both sides
        const auto half = (last.left - last.right).half();
        made_.push_back({last.tax + half, last.left - half, last.left - half});
        return made_;
    }

private:
    // The wall of an option that counts for a side.
    static const Dyadic& opposite(const Corner& corner, std::size_t side) { return side ? corner.left : corner.right; }

    // Puts a corner there, or where the walls have met since the one before; whether they have.
    bool corner_at(const Dyadic& tax) {
        const auto high = best(0, tax) - tax + 1, low = best(1, tax) + tax - 1;
        if (low < high) {
            made_.push_back({tax, high, low});
            return false;
        }
        if (made_.empty() && high < low)
            throw Refuted("a position is no hot game: its walls begin the wrong way round");
        if (made_.empty()) {
            made_.push_back({tax, high, low});
            return true;
        }
        const auto before = made_.back();
        const bool falls = high < before.left, rises = before.right < low;
        const auto gap = before.left - before.right, way = falls && rises ? gap.half() : gap;
        const auto mean = falls ? before.left - way : before.left;
        made_.push_back({before.tax + way, mean, mean});
        return true;
    }
    Dyadic best(std::size_t side, const Dyadic& tax) {
        std::optional<Dyadic> found;
        for (const auto* option : sides_[side]) {
            const auto wall = opposite(walls_at(*option, tax), side);
            work_.step(1 + wall.words());
            if (!found || (side ? wall < *found : *found < wall)) found = wall;
        }
        return *found;
    }
    // Where a wall that slopes overtakes one that does not, between two taxes.
    std::set<Dyadic> bends(const Dyadic& begin, const Dyadic& end) {
        std::set<Dyadic> found;
        for (std::size_t side = 0; side < 2; ++side) {
            std::optional<Dyadic> level, sloping;
            for (const auto* option : sides_[side]) {
                const auto here = opposite(walls_at(*option, begin), side),
                           there = opposite(walls_at(*option, end), side);
                work_.step(2 + 2 * here.words());
                auto& best = here == there ? level : sloping;
                if (!best || (side ? here < *best : *best < here)) best = here;
            }
            if (!level || !sloping) continue;
            const auto ahead = side ? *sloping - *level : *level - *sloping;
            if (Dyadic(0) < ahead && begin + ahead < end) found.insert(begin + ahead);
        }
        return found;
    }
    std::vector<const Walls*> sides_[2];
    Work& work_;
    Walls made_;
};

}  // namespace checker
