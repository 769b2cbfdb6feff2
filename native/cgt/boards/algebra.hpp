// What values of regions are: games in an arena, or, where both sides have the same moves, nimbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cgt/values/arena.hpp"

namespace zermelo::cgt::boards {

class Games {
public:
    static constexpr bool impartial = false;

    explicit Games(Arena& arena) : arena_(arena) {}

    Arena::Id id(std::uint32_t value) const { return value; }
    std::optional<std::uint32_t> of(Arena::Id game) const { return game; }
    std::uint32_t zero() const { return arena_.zero(); }
    std::uint32_t integer(int n) {
        const auto at = static_cast<std::size_t>(n + kMost);
        if (at >= integers_.size()) return arena_.number(n);
        if (integers_[at] == kUnknown) integers_[at] = arena_.number(n);
        return integers_[at];
    }
    void prefetch(std::uint32_t g) const { arena_.prefetch(g); }
    void prefetch_sum(std::uint32_t g, std::uint32_t h) const { arena_.prefetch_sum(g, h); }
    std::uint32_t add(std::uint32_t g, std::uint32_t h) { return arena_.add(g, h); }
    std::uint32_t negate(std::uint32_t g) { return arena_.negate(g); }
    std::uint32_t game(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right) {
        return arena_.canonical(left, right);
    }

private:
    static constexpr int kMost = 64;  // boards of 64 cells have no larger counts
    static constexpr std::uint32_t kUnknown = 0xffffffffu;
    Arena& arena_;
    std::vector<std::uint32_t> integers_ = std::vector<std::uint32_t>(2 * kMost + 1, kUnknown);
};

// Sprague and Grundy: a sum of nimbers is their exclusive or, a game the least nimber that is no option.
class Nimbers {
public:
    static constexpr bool impartial = true;

    explicit Nimbers(Arena& arena) : arena_(arena) {}

    Arena::Id id(std::uint32_t value) const { return arena_.nimber(value); }
    // What the game is here: nothing if it is no nimber.
    std::optional<std::uint32_t> of(Arena::Id game) const {
        if (!arena_.is_number_up_star(game) || arena_.nimber(arena_.heap(game)) != game) return std::nullopt;
        return arena_.heap(game);
    }
    std::uint32_t zero() const { return 0; }
    std::uint32_t integer(int) const { return 0; }  // the only integer that is a nimber
    void prefetch(std::uint32_t) const {}
    void prefetch_sum(std::uint32_t, std::uint32_t) const {}
    std::uint32_t add(std::uint32_t g, std::uint32_t h) const { return g ^ h; }
    std::uint32_t negate(std::uint32_t g) const { return g; }
    std::uint32_t game(std::span<const std::uint32_t> options, std::span<const std::uint32_t>) {
        seen_.assign(options.size() + 1, false);
        for (const auto option : options)
            if (option < seen_.size()) seen_[option] = true;
        std::uint32_t least = 0;
        while (seen_[least]) ++least;
        return least;
    }

private:
    Arena& arena_;
    std::vector<bool> seen_;
};

}  // namespace zermelo::cgt::boards
