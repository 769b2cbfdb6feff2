// Geography: what a position remembers, bounds, wrong arrays, and plays of a million plies.
#include <cstdio>
#include <vector>

#include "games/factories.hpp"
#include "games/geography.hpp"

#include "check.hpp"

using namespace zermelo;

static Outcome solved(AnyGame& game) {
    Control control;
    return game.search("alphabeta", {})->solve(control);
}

// 0 -> 1 -> ... -> nodes - 1, components in the order that puts the end first.
static GeographyData path(std::uint32_t nodes) {
    GeographyData data;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        data.first_edge.push_back(i);
        data.component.push_back(nodes - 1 - i);
        if (i + 1 < nodes) data.target.push_back(i + 1);
    }
    data.first_edge.push_back(nodes - 1);
    return data;
}

static bool refused(GeographyData data) {
    try {
        make_geography(std::move(data));
        return false;
    } catch (const std::invalid_argument&) {
        return true;
    }
}

int main() {
    CHECK(solved(*make_geography(path(2))).lower == 1);
    CHECK(solved(*make_geography(path(3))).lower == -1);
    CHECK(solved(*make_geography(path(1000000))).lower == 1);

    // Cut after one ply, the path of three nodes is the first player's.
    auto cut = path(3);
    cut.bound = 1;
    CHECK(solved(*make_geography(cut)).lower == 1);
    cut.bound = 0;
    CHECK(make_geography(cut)->ending().over && make_geography(cut)->ending().score == -1);

    // A cycle of n nodes has n - 1 plies, in every width of the visited set.
    for (const std::uint32_t nodes : {3u, 64u, 65u, 200u, 511u, 1024u}) {
        auto cycle = path(nodes);
        cycle.component.assign(nodes, 0);
        cycle.target.push_back(0);
        ++cycle.first_edge.back();
        const auto game = make_geography(cycle);
        CHECK(game && solved(*game).lower == (nodes % 2 ? -1 : 1));
    }
    auto wide = path(1025);
    wide.component.assign(1025, 0);
    CHECK(make_geography(wide) == nullptr);

    auto data = path(3);
    data.start = 3;
    CHECK(refused(data));
    data = path(3);
    data.target[1] = 7;
    CHECK(refused(data));
    data = path(3);
    data.component = {0, 1, 2};
    CHECK(refused(data));
    data = path(3);
    data.first_edge = {0, 2, 1, 2};
    CHECK(refused(data));
}
