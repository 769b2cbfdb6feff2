// Games of taking objects from heaps, where whoever cannot move loses: nim, Wythoff's game, subtraction, coins.
//
// A position is the sizes of the heaps and whose turn it is. Every move makes the number written with the sizes
// as its digits smaller, so that number, with the turn as its last bit, ranks the positions. Order of moves is
// where the theory of these games helps (Bouton 1901 for nim, Wythoff 1907): it decides how fast a search is
// and never what it says.
//
//     Nim<3> nim({3, 4, 5});
//     std::vector<Move> moves;
//     nim.moves(nim.start(), moves);                      // 12 of them
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "zermelo/game.hpp"

namespace zermelo {

template <std::size_t N>
class Heaps {
public:
    struct State {
        std::array<std::uint32_t, N> heap;
        std::uint32_t turn;
        bool operator==(const State&) const = default;
    };
    // A move holds the heap (or the kind of move) in its top bits and the number taken below.
    static constexpr unsigned kTakeBits = 28;
    static constexpr std::uint32_t kMostTaken = (1u << kTakeBits) - 1;

    explicit Heaps(const std::array<std::uint32_t, N>& sizes) : sizes_(sizes) {}

    State start() const { return {sizes_, 0}; }
    int turn(const State& s) const { return static_cast<int>(s.turn); }
    static constexpr Score worst() { return -1; }
    static constexpr Score best() { return 1; }
    Score step() const { return 2; }  // no draws

    // Positions are numbered with a digit for each heap, where the numbers are not too many; else ranks() is 0.
    std::uint64_t ranks() const { return ranks_; }
    std::uint64_t rank(const State& s) const {
        std::uint64_t number = 0;
        for (std::size_t i = 0; i < N; ++i) number = number * (std::uint64_t{sizes_[i]} + 1) + s.heap[i];
        return number * 2 + s.turn;
    }
    Unranked<State> unrank(std::uint64_t r) const {
        State s{};
        s.turn = static_cast<std::uint32_t>(r & 1);
        r >>= 1;
        for (std::size_t i = N; i-- > 0;) {
            const auto radix = std::uint64_t{sizes_[i]} + 1;
            s.heap[i] = static_cast<std::uint32_t>(r % radix);
            r /= radix;
        }
        return {s, true};
    }

protected:
    static Move pack(std::uint32_t kind, std::uint32_t take) { return kind << kTakeBits | take; }
    static std::uint32_t kind_of(Move move) { return move >> kTakeBits; }
    static std::uint32_t take_of(Move move) { return move & kMostTaken; }
    static Ending lost_by_mover(const State& s, bool over) { return over ? Ending{true, s.turn ? 1 : -1} : Ending{}; }

    // Large takes first: they reach small, quickly known positions, and keep the lists of moves on a line short.
    static void largest_first(std::span<Move> moves) { std::reverse(moves.begin(), moves.end()); }
    static void bring_to_front(std::span<Move> moves, Move move) {
        const auto found = std::find(moves.begin(), moves.end(), move);
        if (found != moves.end()) std::rotate(moves.begin(), found, found + 1);
    }

    std::array<std::uint32_t, N> sizes_;

private:
    static constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 36;
    static std::uint64_t count_ranks(const std::array<std::uint32_t, N>& sizes) {
        std::uint64_t product = 2;
        for (const auto size : sizes) {
            if (product > kMostRanks / (std::uint64_t{size} + 1)) return 0;
            product *= std::uint64_t{size} + 1;
        }
        return product;
    }
    std::uint64_t ranks_ = count_ranks(sizes_);
};

// Take any number from one heap. A heap that is not part of the game has size 0.
template <std::size_t N>
class Nim : public Heaps<N> {
    using Base = Heaps<N>;

public:
    using State = typename Base::State;
    explicit Nim(const std::array<std::uint32_t, N>& sizes) : Base(sizes) {}

    Ending ending(const State& s) const {
        return Base::lost_by_mover(s, std::all_of(s.heap.begin(), s.heap.end(), [](auto size) { return size == 0; }));
    }
    void moves(const State& s, std::vector<Move>& out) const {
        for (std::uint32_t i = 0; i < N; ++i)
            for (std::uint32_t take = 1; take <= s.heap[i]; ++take) out.push_back(Base::pack(i, take));
    }
    State play(State s, Move move) const {
        s.heap[Base::kind_of(move)] -= Base::take_of(move);
        s.turn ^= 1;
        return s;
    }
    // The order of the heaps does not matter.
    State canon(State s) const {
        std::sort(s.heap.begin(), s.heap.end());
        return s;
    }
    // Bouton: the position is lost for the mover iff the exclusive or of the sizes is 0.
    void order(const State& s, std::span<Move> moves) const {
        Base::largest_first(moves);
        std::uint32_t sum = 0;
        for (const auto size : s.heap) sum ^= size;
        for (std::uint32_t i = 0; i < N; ++i)
            if ((s.heap[i] ^ sum) < s.heap[i])
                return Base::bring_to_front(moves, Base::pack(i, s.heap[i] - (s.heap[i] ^ sum)));
    }
};

// Take any number from one of two heaps, or the same number from both.
class Wythoff : public Heaps<2> {
public:
    explicit Wythoff(const std::array<std::uint32_t, 2>& sizes) : Heaps(sizes) {}

    Ending ending(const State& s) const { return lost_by_mover(s, s.heap[0] == 0 && s.heap[1] == 0); }
    void moves(const State& s, std::vector<Move>& out) const {
        for (std::uint32_t kind : {kLeft, kRight, kBoth})
            for (std::uint32_t take = 1; take <= most(s, kind); ++take) out.push_back(pack(kind, take));
    }
    State play(State s, Move move) const {
        const auto kind = kind_of(move);
        if (kind != kRight) s.heap[0] -= take_of(move);
        if (kind != kLeft) s.heap[1] -= take_of(move);
        s.turn ^= 1;
        return s;
    }
    State canon(State s) const {
        if (s.heap[0] > s.heap[1]) std::swap(s.heap[0], s.heap[1]);
        return s;
    }
    // Wythoff: the mover loses iff the heaps are floor(k phi) and floor(k phi) + k for some k.
    void order(const State& s, std::span<Move> moves) const {
        largest_first(moves);
        const auto low = std::min(s.heap[0], s.heap[1]);
        const auto both = golden(std::max(s.heap[0], s.heap[1]) - low);
        if (both < low) return bring_to_front(moves, pack(kBoth, low - both));
        for (const std::uint32_t kind : {kLeft, kRight}) {
            const auto size = s.heap[kind], partner = partner_of(s.heap[1 - kind]);
            if (partner < size) return bring_to_front(moves, pack(kind, size - partner));
        }
    }

    // floor(k phi), exactly: (k + floor(sqrt(5 k^2))) / 2.
    static std::uint32_t golden(std::uint32_t k) {
        const auto square = 5 * std::uint64_t{k} * k;
        auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)));
        while (root * root > square) --root;
        while ((root + 1) * (root + 1) <= square) ++root;
        return static_cast<std::uint32_t>((k + root) / 2);
    }
    // The one size that makes a lost pair with this one. The two Beatty sequences floor(k phi) and floor(k phi) + k
    // hold every number between them once; a rough k from the inverse slope is off by one at most.
    static std::uint32_t partner_of(std::uint32_t size) {
        constexpr double phi = 1.618033988749895;
        const auto near = [](double k) { return k < 1 ? 0u : static_cast<std::uint32_t>(k) - 1; };
        const auto lower = near(size / phi), upper = near(size / (phi + 1));
        for (std::uint32_t step = 0; step < 4; ++step) {
            if (golden(lower + step) == size) return size + lower + step;
            if (golden(upper + step) + upper + step == size) return size - (upper + step);
        }
        return size;
    }

private:
    static constexpr std::uint32_t kLeft = 0, kRight = 1, kBoth = 2;
    static std::uint32_t most(const State& s, std::uint32_t kind) {
        return kind == kBoth ? std::min(s.heap[0], s.heap[1]) : s.heap[kind];
    }
};

// Take from one pile a number out of a given set, in ascending order.
class Subtraction : public Heaps<1> {
public:
    Subtraction(std::uint32_t size, std::vector<std::uint32_t> takes) : Heaps({size}), takes_(std::move(takes)) {}

    Ending ending(const State& s) const { return lost_by_mover(s, s.heap[0] < takes_.front()); }
    void moves(const State& s, std::vector<Move>& out) const {
        for (const auto take : takes_) {
            if (take > s.heap[0]) return;
            out.push_back(take);
        }
    }
    State play(const State& s, Move move) const { return {{s.heap[0] - move}, s.turn ^ 1}; }
    void order(const State&, std::span<Move> moves) const { largest_first(moves); }

private:
    std::vector<std::uint32_t> takes_;
};

// Take coins of one value from the top of a stack. alike[left] is how many of the topmost coins are of one value.
class Coins : public Heaps<1> {
public:
    explicit Coins(std::vector<std::uint32_t> alike)
        : Heaps({static_cast<std::uint32_t>(alike.size() - 1)}), alike_(std::move(alike)) {}

    Ending ending(const State& s) const { return lost_by_mover(s, s.heap[0] == 0); }
    void moves(const State& s, std::vector<Move>& out) const {
        for (Move take = 1; take <= alike_[s.heap[0]]; ++take) out.push_back(take);
    }
    State play(const State& s, Move move) const { return {{s.heap[0] - move}, s.turn ^ 1}; }
    void order(const State&, std::span<Move> moves) const { largest_first(moves); }

private:
    std::vector<std::uint32_t> alike_;
};

}  // namespace zermelo
