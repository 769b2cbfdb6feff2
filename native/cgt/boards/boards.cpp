#include "cgt/boards/boards.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cgt/boards/algebra.hpp"
#include "cgt/boards/toads.hpp"
#include "cgt/boards/colouring.hpp"
#include "cgt/boards/dominoes.hpp"
#include "cgt/boards/evaluate.hpp"
#include "cgt/boards/stones.hpp"

namespace zermelo::cgt::boards {

namespace {

// What all games do with the regions that one evaluation holds.
template <class Rules, class Algebra>
class Regions {
public:
    using Position = Cells<Rules::planes>;
    using Held = Evaluation<Rules, Algebra>;

    static void each(const Held& held, const Algebra& algebra, unsigned stride, const Boards::Visit& visit) {
        held.each([&](const Position& cells, std::uint32_t value) { visit({stride, cells}, algebra.id(value)); });
    }
    static bool put(Held& held, const Algebra& algebra, const Boards::Region& region, Arena::Id value,
                    Control& control) {
        Position cells;
        if (region.planes.size() != cells.size()) return false;
        std::copy(region.planes.begin(), region.planes.end(), cells.begin());
        const auto found = algebra.of(value);
        return found && held.is_region(cells) && held.put(cells, *found, control);
    }
    static bool follow(Held& held, Control& control) {
        std::vector<std::pair<Position, std::uint32_t>> all;
        held.each([&](const Position& cells, std::uint32_t value) { all.emplace_back(cells, value); });
        return std::all_of(all.begin(), all.end(),
                           [&](const auto& one) { return held.again(one.first, control) == one.second; });
    }
};

template <class Rules, class Algebra>
class BoardsOf final : public Boards {
public:
    explicit BoardsOf(Arena& arena) : algebra_(arena) {}

    Arena::Id value(const Board& board, Control& control) override {
        const Grid grid(board.rows, board.columns);
        const Rules rules(grid);
        const auto position =
            rules.position(spread(grid, board.empty), spread(grid, board.left), spread(grid, board.right));
        const auto found = held(grid).value(position, control);
        control.publish();
        return algebra_.id(found);
    }
    std::uint64_t regions() const override {
        std::uint64_t sum = 0;
        for (const auto& [stride, evaluation] : of_stride_) sum += evaluation.regions();
        return sum;
    }
    std::uint64_t bytes() const override {
        std::uint64_t sum = 0;
        for (const auto& [stride, evaluation] : of_stride_) sum += evaluation.bytes();
        return sum;
    }
    void each(const Visit& visit) override {
        for (const auto& [stride, evaluation] : of_stride_) All::each(evaluation, algebra_, stride, visit);
    }
    bool put(const Region& region, Arena::Id value, Control& control) override {
        if (region.stride < 8 || region.stride > 64) return false;
        const Grid grid(64 / region.stride, region.stride);
        return All::put(held(grid), algebra_, region, value, control);
    }
    bool follow(Control& control) override {
        return std::all_of(of_stride_.begin(), of_stride_.end(),
                           [&](auto& one) { return All::follow(one.second, control); });
    }

private:
    using All = Regions<Rules, Algebra>;

    // Boards with one stride share what is known of their regions.
    Evaluation<Rules, Algebra>& held(const Grid& grid) {
        return of_stride_.try_emplace(grid.stride(), Rules(grid), algebra_).first->second;
    }

    Algebra algebra_;
    std::map<unsigned, Evaluation<Rules, Algebra>> of_stride_;
};

// Rows of toads and frogs: all rows share what is known, whatever their length.
class RowsOfToads final : public Boards {
public:
    RowsOfToads(Arena& arena, const Strides& strides) : algebra_(arena), rows_(Toads(strides), algebra_) {}

    Arena::Id value(const Board& board, Control& control) override {
        if (board.rows != 1) throw std::invalid_argument("toads and frogs stand in one row");
        const auto found = rows_.value(Toads::position(board.empty, board.left, board.right), control);
        control.publish();
        return algebra_.id(found);
    }
    std::uint64_t regions() const override { return rows_.regions(); }
    std::uint64_t bytes() const override { return rows_.bytes(); }
    void each(const Visit& visit) override { All::each(rows_, algebra_, 0, visit); }
    bool put(const Region& region, Arena::Id value, Control& control) override {
        return region.stride == 0 && All::put(rows_, algebra_, region, value, control);
    }
    bool follow(Control& control) override { return All::follow(rows_, control); }

private:
    using All = Regions<Toads, Games>;

    Games algebra_;
    Evaluation<Toads, Games> rows_;
};

template <class Rules, class Algebra = Games>
std::unique_ptr<Boards> made(Arena& arena) {
    return std::make_unique<BoardsOf<Rules, Algebra>>(arena);
}

constexpr std::array<std::string_view, 12> kNames{"amazons",   "cannibal", "clobber", "col",  "cram",  "domineering",
                                                  "elephants", "gentoads", "konane",  "nogo", "snort", "toads"};
constexpr std::array<std::unique_ptr<Boards> (*)(Arena&), kNames.size()> kMakers{
    made<Amazons>, made<Cannibal>, made<Clobber>, made<Col>,  made<Cram, Nimbers>, made<Domineering>,
    nullptr,       nullptr,        made<Konane>,  made<NoGo>, made<Snort>,         nullptr};

}  // namespace

std::optional<Strides> strides_of(std::string_view game) {
    if (game == "elephants") return Strides{1, 1, 0, false};
    if (game == "toads") return Strides{1, 1, 1, false};
    constexpr std::string_view kPrefix = "gentoads ";
    if (!game.starts_with(kPrefix)) return std::nullopt;
    game.remove_prefix(kPrefix.size());
    std::array<unsigned, 4> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto [end, error] = std::from_chars(game.data(), game.data() + game.size(), numbers[i]);
        if (error != std::errc{}) return std::nullopt;
        game.remove_prefix(static_cast<std::size_t>(end - game.data()));
        if (i + 1 < numbers.size()) {
            if (!game.starts_with(',')) return std::nullopt;
            game.remove_prefix(1);
        }
    }
    if (!game.empty() || numbers[0] == 0 || numbers[0] > numbers[1] || numbers[2] > 64 || numbers[3] > 1)
        return std::nullopt;
    return Strides{numbers[0], numbers[1], numbers[2], numbers[3] == 1};
}

std::span<const std::string_view> native_games() { return kNames; }

std::unique_ptr<Boards> boards_of(std::string_view game, Arena& arena) {
    if (const auto strides = strides_of(game)) return std::make_unique<RowsOfToads>(arena, *strides);
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == game && kMakers[i] != nullptr) return kMakers[i](arena);
    return nullptr;
}

}  // namespace zermelo::cgt::boards
