#include <array>
#include <string_view>

#include "cgt/boards/colouring.hpp"
#include "cgt/boards/dominoes.hpp"
#include "cgt/boards/stones.hpp"
#include "cgt/boards/strides.hpp"
#include "cgt/boards/toads.hpp"
#include "cgt/outcome/board_source.hpp"

namespace zermelo::cgt::outcome {

namespace {

using namespace boards;
using Made = std::unique_ptr<Source>;

template <class Rules, class Algebra, bool both>
Made made(const Board& like, Arena& arena, unsigned valued) {
    const Grid grid(like.rows, like.columns);
    return std::make_unique<BoardSource<Rules, Algebra, both>>(Rules(grid), arena, grid.stride(), valued);
}

Made made_toads(const Strides& strides, bool both, Arena& arena, unsigned valued) {
    if (both) return std::make_unique<BoardSource<Toads, Games, true>>(Toads(strides), arena, 0, valued);
    return std::make_unique<BoardSource<Toads, Games, false>>(Toads(strides), arena, 0, valued);
}

// A game, how it is made, and the cells up to which a value costs less than it saves, as measured.
struct Line {
    std::string_view name;
    Made (*partizan)(const Board&, Arena&, unsigned);
    Made (*both)(const Board&, Arena&, unsigned);
    unsigned valued;
};

template <class Rules>
constexpr Line line(std::string_view name, unsigned valued) {
    return {name, made<Rules, Games, false>, made<Rules, Games, true>, valued};
}

constexpr std::array<Line, 9> kLines{
    line<Amazons>("amazons", 8),
    line<Cannibal>("cannibal", 8),
    line<Clobber>("clobber", 10),
    line<Col>("col", 12),
    Line{"cram", made<Cram, Nimbers, true>, made<Cram, Nimbers, true>, 0},
    line<Domineering>("domineering", 16),
    line<Konane>("konane", 12),
    line<NoGo>("nogo", 9),
    line<Snort>("snort", 10),
};
constexpr unsigned kValuedToads = 14;

}  // namespace

std::unique_ptr<Source> source_of(std::string_view game, const Board& like, Arena& arena,
                                  std::optional<unsigned> valued) {
    constexpr std::string_view kBoth = "impartial-";
    const bool both = game.starts_with(kBoth);
    if (both) game.remove_prefix(kBoth.size());
    if (const auto strides = strides_of(game)) {
        if (like.rows != 1) throw std::invalid_argument("toads and frogs stand in one row");
        return made_toads(*strides, both, arena, valued.value_or(kValuedToads));
    }
    for (const auto& one : kLines)
        if (one.name == game) return (both ? one.both : one.partizan)(like, arena, valued.value_or(one.valued));
    return nullptr;
}

}  // namespace zermelo::cgt::outcome
