// What can be made of canonical values beyond sums: cooling and heating, ordinal sums, reduced forms, atomic weights,
// birthdays.
//
// Each works its way up from the options, once for each position and without recursion.
#pragma once

#include "cgt/values/arena.hpp"
#include "cgt/values/thermograph.hpp"

namespace zermelo::cgt {

// G cooled by t > -1: {G^L_t - t | G^R_t + t}, or the number that G freezes to at a lower temperature.
Arena::Id cooled(Arena& arena, Thermographs& thermographs, Arena::Id g, const Dyadic& t);

// G heated by any game t: {G^L heated + t | G^R heated - t}; numbers stay what they are.
Arena::Id heated(Arena& arena, Arena::Id g, Arena::Id t);

// G overheated from s to t, the integral of Winning Ways, chapter 6: n copies of s for an integer n, else as above.
Arena::Id overheated(Arena& arena, Arena::Id g, Arena::Id s, Arena::Id t);

// Norton's product of G by U > 0: n copies of U for an integer n, else {G^L.U + (U + I) | G^R.U - (U + I)} over all
// incentives I of U.
Arena::Id norton_product(Arena& arena, Arena::Id g, Arena::Id u);

// G : H = {G^L, G : H^L | G^R, G : H^R}, with G in canonical form.
Arena::Id ordinal_sum(Arena& arena, Arena::Id g, Arena::Id h);

// The one game in reduced canonical form that differs from G by an infinitesimal (Grossman and Siegel, Reductions of
// partizan games).
Arena::Id reduced(Arena& arena, Arena::Id g);

// Does one player have a move at every position exactly where the other has?
bool is_all_small(Arena& arena, Arena::Id g);

// The atomic weight of an all-small game (Winning Ways, chapter 8; Siegel, section II.7); std::invalid_argument for
// others.
Arena::Id atomic_weight(Arena& arena, Arena::Id g);

// The number of moves of the longest play in canonical form.
Integer birthday(Arena& arena, Arena::Id g);

// Games met in play from G, G among them.
std::uint64_t position_count(Arena& arena, Arena::Id g);

// Games that its canonical form is written with, G among them: of number + n.up + nimber the options are not met.
std::uint64_t form_count(Arena& arena, Arena::Id g);

// The same game in another arena.
Arena::Id copied(Arena& from, Arena::Id g, Arena& to);

// Sum of n equal games, by doubling.
Arena::Id multiple(Arena& arena, Arena::Id g, Integer n);

}  // namespace zermelo::cgt
