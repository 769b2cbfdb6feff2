// Hex connections that cannot be cut: chains of stones, bridges and edge bridges.
//
// Two stones of one colour with two free common neighbours are joined by a bridge: if the other takes one of the
// two cells, the owner takes the other. A path of stones and bridges from side to side whose cells are all
// different is a pairing strategy, so it wins even if the other is to move (Berge 1977; the simplest of the
// virtual connections of Anshelevich 2002). If some free cell c would complete such a path, the owner threatens to
// win within its carrier (c and the bridge cells), and the other must move inside the carrier of every such threat:
// the must-play region (Hayward, Bjornsson, Johanson, Kan, Po and van Rijswijck 2003).
//
//     Bridges<1> bridges(5);
//     auto threats = bridges.threats(black, free, 0);   // black's winning cells; the region white must play in
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "zermelo/bits.hpp"

namespace zermelo {

template <std::size_t W>
class Bridges {
public:
    using Set = Bits<W>;
    struct Threats {
        Set wins;    // cells that would complete a path from side to side
        Set region;  // the cells in the carriers of all of them; all cells if there is none
    };

    explicit Bridges(unsigned size) : cells_(size * size), around_(cells_) {
        make_pairs(static_cast<int>(size));
        const auto n = static_cast<int>(size);
        const auto inside = [&](Step at) { return at.r >= 0 && at.r < n && at.c >= 0 && at.c < n; };
        const auto number = [&](Step at) { return static_cast<unsigned>(at.r * n + at.c); };
        for (int r = 0; r < n; ++r)
            for (int c = 0; c < n; ++c) {
                const Step here{r, c};
                auto& around = around_[number(here)];
                for (std::size_t i = 0; i < kSteps.size(); ++i) {
                    const auto near = here + kSteps[i], next = here + kSteps[(i + 1) % kSteps.size()];
                    if (inside(near)) around.touching = around.touching | Set::cell(number(near));
                    if (!inside(near) || !inside(next)) continue;
                    const auto carrier = Set::cell(number(near)) | Set::cell(number(next));
                    const auto far = next + kSteps[i];
                    if (inside(far)) around.bridges[around.bridge_count++] = {number(far), carrier};
                    // Both neighbours on one side of the board: the side is as good as a stone behind them.
                    if (near.r == next.r && (near.r == 0 || near.r == n - 1) && near.r != r)
                        around.edge[0][near.r != 0] = carrier;
                    if (near.c == next.c && (near.c == 0 || near.c == n - 1) && near.c != c)
                        around.edge[1][near.c != 0] = carrier;
                }
                around.on_side[0] = {r == 0, r == n - 1};
                around.on_side[1] = {c == 0, c == n - 1};
            }
    }

    Threats threats(const Set& stones, const Set& free, int role) const {
        const auto who = static_cast<std::size_t>(role);
        Reach from, to;
        reach(stones, free, who, 0, from);
        reach(stones, free, who, 1, to);
        Threats found{{}, Set::below(cells_)};
        Options out, back;
        free.each([&](unsigned cell) {
            options(cell, free, who, 0, from, out);
            if (!out.count) return;
            options(cell, free, who, 1, to, back);
            for (unsigned i = 0; i < out.count; ++i)
                for (unsigned j = 0; j < back.count; ++j) {
                    if ((out.carrier[i] & back.carrier[j]).any()) continue;
                    found.wins = found.wins | Set::cell(cell);
                    found.region = found.region & (out.carrier[i] | back.carrier[j] | Set::cell(cell));
                }
        });
        return found;
    }

    // The rule `bridges` of certificates (docs/formats/layers.md): pairs of free cells, taken greedily in a fixed order
    // so that a checker finds the same ones, join the stones from side to side.
    bool joined_by_pairs(const Set& stones, const Set& free, int role) const {
        const auto who = static_cast<std::size_t>(role);
        Groups stone_groups;
        for (unsigned i = 0; i < cells_ + 2; ++i) stone_groups.leader[i] = static_cast<std::uint16_t>(i);
        stones.each([&](unsigned cell) {
            (around_[cell].touching & stones).each([&](unsigned near) {
                if (near > cell) stone_groups.join(cell, near);
            });
            for (unsigned side = 0; side < 2; ++side)
                if (around_[cell].on_side[who][side]) stone_groups.join(cell, cells_ + side);
        });
        const auto& pairs = pairs_[who];
        return joined_in_order(pairs.begin(), pairs.end(), stones, free, stone_groups) ||
               joined_in_order(pairs.rbegin(), pairs.rend(), stones, free, stone_groups);
    }

    // By cell: the fewest further stones with which the role would join the cell to one of its sides by stones and
    // bridges, that cell's own included; bridges that share cells are not told apart, so this is an estimate.
    using Distances = std::array<std::uint8_t, 64 * W>;
    void distances(const Set& stones, const Set& free, int role, int side, Distances& found) const {
        const auto who = static_cast<std::size_t>(role), to = static_cast<std::size_t>(side);
        found.fill(kFar);
        Set seen, next;
        (free | stones).each([&](unsigned cell) {
            const auto& carrier = around_[cell].edge[who][to];
            if (around_[cell].on_side[who][to] || (carrier.any() && (carrier & free) == carrier))
                next = next | Set::cell(cell);
        });
        for (std::uint8_t distance = 0; distance < kFar; ++distance) {
            // Own stones cost nothing, so all that join on are taken first.
            for (auto fresh = next & stones & ~seen; fresh.any(); fresh = next & stones & ~seen) {
                seen = seen | fresh;
                fresh.each([&](unsigned cell) { found[cell] = distance, next = next | joined(cell, free); });
            }
            const auto fresh = next & free & ~seen;
            if (!fresh.any()) return;
            seen = seen | fresh;
            fresh.each([&](unsigned cell) {
                found[cell] = static_cast<std::uint8_t>(distance + 1), next = next | joined(cell, free);
            });
        }
    }
    static constexpr std::uint8_t kFar = 100;  // not to be reached

private:
    struct Step {
        int r, c;
        friend Step operator+(Step a, Step b) { return {a.r + b.r, a.c + b.c}; }
    };
    // The six neighbours in turn round the cell; two that follow each other touch.
    static constexpr std::array<Step, 6> kSteps{{{-1, 0}, {-1, 1}, {0, 1}, {1, 0}, {1, -1}, {0, -1}}};

    struct Bridge {
        unsigned far;
        Set carrier;
    };
    struct Around {
        Set touching;
        std::array<Bridge, 6> bridges{};
        unsigned bridge_count = 0;
        std::array<std::array<Set, 2>, 2> edge{};  // by role and side: the carrier of an edge bridge, if any
        std::array<std::array<bool, 2>, 2> on_side{};
    };
    // The stones joined to a side, each with the carrier of its path.
    struct Reach {
        Set reached;
        std::array<Set, 64 * W> carrier;
    };
    struct Options {
        std::array<Set, 16> carrier;  // side, edge bridge, six neighbours, six bridges
        unsigned count = 0;
        void add(const Set& set) { carrier[count++] = set; }
    };

    // Two cells that touch, and the two that touch both: cells, or a side, which is cells_ or cells_ + 1.
    struct Pair {
        unsigned one, two, from, to;
    };
    // What each cell, and the two sides behind them, is joined to.
    struct Groups {
        std::array<std::uint16_t, 64 * W + 2> leader;
        unsigned found(unsigned at) {
            while (leader[at] != at) at = leader[at] = leader[leader[at]];
            return at;
        }
        void join(unsigned a, unsigned b) { leader[found(a)] = static_cast<std::uint16_t>(found(b)); }
    };
    template <class Pairs>
    bool joined_in_order(Pairs at, Pairs end, const Set& stones, Set free, Groups groups) const {
        const auto owned = [&](unsigned place) { return place >= cells_ || stones.has(place); };
        for (; at != end; ++at) {
            if (!free.has(at->one) || !free.has(at->two) || !owned(at->from) || !owned(at->to)) continue;
            if (groups.found(at->from) == groups.found(at->to)) continue;
            groups.join(at->from, at->to);
            free = free & ~(Set::cell(at->one) | Set::cell(at->two));
        }
        return groups.found(cells_) == groups.found(cells_ + 1);
    }
    void make_pairs(int n) {
        constexpr unsigned kNone = ~0u;
        // By role: what a place on the board or just beyond it is.
        const auto place = [&](std::size_t who, int r, int c) -> unsigned {
            if (r >= 0 && r < n && c >= 0 && c < n) return static_cast<unsigned>(r * n + c);
            const int along = who == 0 ? r : c, across = who == 0 ? c : r;
            if (across < 0 || across >= n) return kNone;
            return along < 0 ? cells_ : cells_ + 1;
        };
        for (std::size_t who = 0; who < 2; ++who)
            for (int r = 0; r < n; ++r)
                for (int c = 0; c < n; ++c) {
                    const auto add = [&](int r2, int c2, Step from, Step to) {
                        if (r2 >= n || c2 >= n || c2 < 0) return;
                        const auto a = place(who, from.r, from.c), b = place(who, to.r, to.c);
                        if (a == kNone || b == kNone) return;
                        pairs_[who].push_back(
                            {static_cast<unsigned>(r * n + c), static_cast<unsigned>(r2 * n + c2), a, b});
                    };
                    add(r, c + 1, {r - 1, c + 1}, {r + 1, c});
                    add(r + 1, c, {r, c + 1}, {r + 1, c - 1});
                    add(r + 1, c - 1, {r, c - 1}, {r + 1, c});
                }
    }

    Set joined(unsigned cell, const Set& free) const {
        const auto& around = around_[cell];
        auto found = around.touching;
        for (unsigned i = 0; i < around.bridge_count; ++i)
            if ((around.bridges[i].carrier & free) == around.bridges[i].carrier)
                found = found | Set::cell(around.bridges[i].far);
        return found;
    }

    // Breadth first: paths with few bridges, so with small carriers, are found first.
    void reach(const Set& stones, const Set& free, std::size_t who, std::size_t side, Reach& found) const {
        std::array<std::uint16_t, 64 * W> queue;
        std::size_t head = 0, tail = 0;
        const auto enter = [&](unsigned cell, const Set& carrier) {
            if (!stones.has(cell) || found.reached.has(cell)) return;
            found.reached = found.reached | Set::cell(cell);
            found.carrier[cell] = carrier;
            queue[tail++] = static_cast<std::uint16_t>(cell);
        };
        // Stones that touch one another share a carrier, so they are taken before any bridge.
        const auto settle = [&](std::size_t begin) {
            for (auto i = begin; i < tail; ++i) {
                const auto carrier = found.carrier[queue[i]];
                (around_[queue[i]].touching & stones & ~found.reached).each([&](unsigned cell) {
                    enter(cell, carrier);
                });
            }
        };
        stones.each([&](unsigned cell) {
            if (around_[cell].on_side[who][side]) enter(cell, Set{});
        });
        settle(0);
        auto begin = tail;
        stones.each([&](unsigned cell) {
            const auto& carrier = around_[cell].edge[who][side];
            if (carrier.any() && (carrier & free) == carrier) enter(cell, carrier);
        });
        settle(begin);
        for (; head < tail; ++head) {
            const unsigned here = queue[head];
            const auto& around = around_[here];
            for (unsigned i = 0; i < around.bridge_count; ++i) {
                const auto& bridge = around.bridges[i];
                if ((bridge.carrier & free) != bridge.carrier || (bridge.carrier & found.carrier[here]).any()) continue;
                begin = tail;
                enter(bridge.far, found.carrier[here] | bridge.carrier);
                settle(begin);
            }
        }
    }

    // The carriers with which a stone on a free cell would be joined to a side.
    void options(unsigned cell, const Set& free, std::size_t who, std::size_t side, const Reach& reach,
                 Options& found) const {
        const auto& around = around_[cell];
        const auto self = Set::cell(cell);
        found.count = 0;
        if (around.on_side[who][side]) return found.add({});
        (around.touching & reach.reached).each([&](unsigned near) {
            if (!(reach.carrier[near] & self).any()) found.add(reach.carrier[near]);
        });
        if (const auto& carrier = around.edge[who][side]; carrier.any() && (carrier & free) == carrier)
            found.add(carrier);
        for (unsigned i = 0; i < around.bridge_count; ++i) {
            const auto& bridge = around.bridges[i];
            if (!reach.reached.has(bridge.far) || (bridge.carrier & free) != bridge.carrier) continue;
            const auto& before = reach.carrier[bridge.far];
            if (!(before & (bridge.carrier | self)).any()) found.add(before | bridge.carrier);
        }
    }

    unsigned cells_;
    std::vector<Around> around_;
    std::array<std::vector<Pair>, 2> pairs_;  // by role, in the order of the rule `bridges`
};

}  // namespace zermelo
