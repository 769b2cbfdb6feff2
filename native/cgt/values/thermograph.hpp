// Thermographs of canonical values, exact, from t = -1 (Winning Ways, chapter 6; extended below zero as in Siegel's
// Combinatorial Game Theory, section II.5: an integer is a mast from -1 on, m/2^k one from -1/2^k on).
//
//     Thermographs thermographs(arena);
//     thermographs.of(hot).mean;                       // {5|-5}: 0; temperature 5; left wall (6,-1) (0,5)
#pragma once

#include <unordered_map>
#include <vector>

#include "cgt/values/arena.hpp"

namespace zermelo::cgt {

struct WallPoint {
    Dyadic t;
    Dyadic value;
    bool operator==(const WallPoint&) const = default;
};

// The points where a wall bends, from t = -1 upwards; the last is the foot of the mast.
using Wall = std::vector<WallPoint>;

struct Thermograph {
    Wall left;
    Wall right;
    Dyadic mean;
    Dyadic temperature;
};

class Thermographs {
public:
    explicit Thermographs(Arena& arena) : arena_(arena) {}
    // Good until forget(). Thermographs are kept as far as the arena's cap on memory leaves room.
    const Thermograph& of(Arena::Id g);
    void forget();
    std::uint64_t bytes() const { return bytes_; }

private:
    Arena::Id stand_in(Arena::Id g);
    Thermograph of_options(Arena::Id g);
    void draw(Arena::Id g);

    Arena& arena_;
    std::unordered_map<Arena::Id, Thermograph> held_;
    std::uint64_t bytes_ = 0;
};

}  // namespace zermelo::cgt
