#include "cgt/boards/saved.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace zermelo::cgt::boards {

namespace {

enum class Form : std::uint64_t { parts, options };  // of a game: number + n.up + nimber, or its options

class Writer {
public:
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
        bytes.push_back(static_cast<std::uint8_t>(value));
    }
    // Small ones of either sign are short.
    void signed_number(std::int64_t value) {
        number(static_cast<std::uint64_t>(value) << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
    }

    std::vector<std::uint8_t> bytes;
};

class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool at_end() const { return at_ == bytes_.size(); }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (at_end()) break;
            const std::uint64_t byte = bytes_[at_++];
            if (shift == 63 && byte > 1) break;
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        throw std::invalid_argument("a number that is cut off");
    }
    std::uint64_t below(std::uint64_t end, const char* what) {
        const auto value = number();
        if (value >= end) throw std::invalid_argument(what);
        return value;
    }
    std::int64_t signed_number() {
        const auto value = number();
        return static_cast<std::int64_t>(value >> 1 ^ ((value & 1) != 0 ? ~std::uint64_t{0} : 0));
    }
    // How many of something follow: each takes a byte at least.
    std::uint64_t count() { return below(bytes_.size() - at_ + 1, "a count that is too large"); }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

constexpr std::uint64_t kMostExponent = 1 << 16;

bool can_be_written(const Arena& arena, Arena::Id g) {
    return !arena.is_number_up_star(g) ||
           (arena.number_part(g).numerator().is_small() && arena.number_part(g).exponent() < kMostExponent);
}

// The games and all that they are made of, options first: an arena numbers a game after its options.
std::vector<Arena::Id> with_options(std::vector<Arena::Id> games, Arena& arena) {
    std::unordered_map<Arena::Id, bool> seen;
    std::vector<Arena::Id> stack = games;
    games.clear();
    while (!stack.empty()) {
        const auto g = stack.back();
        stack.pop_back();
        if (!seen.emplace(g, true).second) continue;
        games.push_back(g);
        if (arena.is_number_up_star(g)) continue;
        for (const auto side : {arena.left(g), arena.right(g)}) stack.insert(stack.end(), side.begin(), side.end());
    }
    // Sums of parts are made of no others here, and may be younger than what they are options of.
    std::sort(games.begin(), games.end(), [&](Arena::Id g, Arena::Id h) {
        const bool a = !arena.is_number_up_star(g), b = !arena.is_number_up_star(h);
        return a != b ? a < b : g < h;
    });
    return games;
}

void write_game(Writer& to, Arena& arena, Arena::Id g, const std::unordered_map<Arena::Id, std::uint64_t>& places) {
    if (arena.is_number_up_star(g)) {
        to.number(static_cast<std::uint64_t>(Form::parts));
        to.signed_number(arena.number_part(g).numerator().small());
        to.number(arena.number_part(g).exponent());
        to.signed_number(arena.ups(g));
        to.number(arena.heap(g));
        return;
    }
    to.number(static_cast<std::uint64_t>(Form::options));
    for (const auto side : {arena.left(g), arena.right(g)}) {
        to.number(side.size());
        for (const auto option : side) to.number(places.at(option));
    }
}

Arena::Id read_game(Reader& from, Arena& arena, std::span<const Arena::Id> games) {
    if (static_cast<Form>(from.below(2, "a game of no known form")) == Form::parts) {
        const auto numerator = from.signed_number();
        const auto exponent = static_cast<std::uint32_t>(from.below(kMostExponent, "a denominator that is too large"));
        const auto ups = from.signed_number();
        const auto heap = from.below(1u << 16, "a nim heap that is too large");
        if (ups != static_cast<std::int16_t>(ups)) throw std::invalid_argument("too many ups");
        return arena.number_up_star(Dyadic(Integer(numerator), exponent), static_cast<std::int32_t>(ups),
                                    static_cast<std::uint32_t>(heap));
    }
    std::array<std::vector<Arena::Id>, 2> sides;
    for (auto& side : sides) {
        side.resize(from.count());
        for (auto& option : side) option = games[from.below(games.size(), "an option that is no earlier game")];
    }
    return arena.canonical(sides[0], sides[1]);
}

}  // namespace

Saved saved(Boards& boards, Arena& arena, unsigned most_cells) {
    std::vector<Arena::Id> games;
    std::uint64_t regions = 0;
    const auto is_wanted = [&](const Boards::Region& region) {
        std::uint64_t all = 0;
        for (const auto plane : region.planes) all |= plane;
        return static_cast<unsigned>(std::popcount(all)) <= most_cells;
    };
    boards.each([&](const Boards::Region& region, Arena::Id value) {
        if (!is_wanted(region)) return;
        games.push_back(value);
        ++regions;
    });
    std::sort(games.begin(), games.end());
    games.erase(std::unique(games.begin(), games.end()), games.end());
    games = with_options(std::move(games), arena);
    Writer to;
    std::unordered_map<Arena::Id, std::uint64_t> places;
    to.number(games.size());
    for (const auto g : games) {
        if (!can_be_written(arena, g)) throw std::overflow_error("a value that is too large to be saved");
        write_game(to, arena, g, places);
        places.emplace(g, places.size());
    }
    to.number(regions);
    boards.each([&](const Boards::Region& region, Arena::Id value) {
        if (!is_wanted(region)) return;
        to.number(region.stride);
        to.number(region.planes.size());
        for (const auto plane : region.planes) to.number(plane);
        to.number(places.at(value));
    });
    return {regions, std::move(to.bytes)};
}

std::uint64_t load(std::span<const std::uint8_t> bytes, Boards& boards, Arena& arena, Control& control) {
    Reader from(bytes);
    std::vector<Arena::Id> games(from.count());
    for (std::size_t place = 0; place < games.size(); ++place) {
        control.tick();
        games[place] = read_game(from, arena, std::span(games).first(place));
    }
    const auto regions = from.count();
    for (std::uint64_t number = 0; number < regions; ++number) {
        std::array<std::uint64_t, 3> planes{};
        const auto stride = static_cast<unsigned>(from.below(65, "rows of over 64 cells"));
        const auto count = from.below(planes.size() + 1, "too many planes of cells");
        for (std::size_t plane = 0; plane < count; ++plane) planes[plane] = from.number();
        const auto place = from.below(games.size(), "a value that is no game of the table");
        if (!boards.put({stride, std::span(planes).first(count)}, games[place], control))
            throw std::invalid_argument("a region that this game does not have, or has with another value");
    }
    if (!from.at_end()) throw std::invalid_argument("more than was announced");
    return regions;
}

}  // namespace zermelo::cgt::boards
