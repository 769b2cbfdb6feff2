// Short partizan games under normal play, each held once, in canonical form.
//
// A game is an id. Equal games have equal ids, since every short game has one canonical form (Conway, On Numbers and
// Games, chapter 10): no option is dominated and none is reversible. Sums number + n.up + nimber, the values met most,
// are held by their three parts and added and compared by them; their options are made only when somebody asks.
//
//     Arena arena;
//     const auto zero = arena.zero();
//     const auto star = arena.canonical({{zero}}, {{zero}});          // {0|0}
//     const auto up = arena.canonical({{zero}}, {{star}});            // {0|*}
//     arena.less_equal(zero, up);                                     // true
//     arena.add(up, arena.negate(up)) == zero;                        // true
//     arena.canonical({{arena.number(5)}}, {{arena.number(-5)}});     // +-5
//
// Nothing recurses on the depth of a game. When memory runs out MemoryLimit is thrown, when the control says so
// Stopped; the arena and all ids remain good. Spans of options remain good for the life of the arena. One thread at a
// time.
//
// arena.cpp keeps the games, arena_order.cpp compares them, arena_canonical.cpp brings options into canonical form,
// arena_sums.cpp negates and adds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "cgt/numbers/dyadic.hpp"
#include "cgt/numbers/numbers.hpp"
#include "cgt/values/signature.hpp"
#include "zermelo/control.hpp"
#include "zermelo/large_pages.hpp"

namespace zermelo::cgt {

struct MemoryLimit : std::exception {
    const char* what() const noexcept override { return "the values of games need more memory than they may take"; }
};

class Arena {
public:
    using Id = std::uint32_t;

    // The cap on memory in bytes; 0 means none.
    explicit Arena(std::uint64_t memory = 0, Control* control = nullptr);
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    // The control to tick from now on; it may be null.
    void watch(Control* control) { control_ = control; }
    // Called every now and then during long work; what it throws ends the work.
    void poll_with(std::function<void()> poll) { poll_ = std::move(poll); }

    // Counts a step of long work: limits and polls are looked at here.
    void tick() {
        if (control_ != nullptr) control_->tick();
        if ((++ticks_ & 0xffff) == 0 && poll_) poll_();
    }
    // Bytes that may still be taken.
    std::uint64_t room() const {
        return cap_ == 0 ? std::numeric_limits<std::uint64_t>::max() : cap_ - std::min(cap_, bytes());
    }

    Id zero() const { return zero_; }
    Id number(const Dyadic& value) { return of_number(numbers_.id(value)); }
    Id nimber(std::uint32_t heap) { return of_parts(Numbers::zero, 0, heap); }
    Id number_up_star(const Dyadic& value, std::int32_t ups, std::uint32_t heap) {
        return of_parts(numbers_.id(value), ups, heap);
    }

    // The value of { left | right }; the options in any order, repeated or not.
    Id canonical(std::span<const Id> left, std::span<const Id> right);
    Id add(Id g, Id h);
    Id subtract(Id g, Id h) { return add(g, negate(h)); }
    Id negate(Id g);
    bool less_equal(Id g, Id h);

    // The options in canonical form, sorted by id.
    std::span<const Id> left(Id g) {
        if (node(g).options == 0) make_options(g);
        return options(node(g)).left();
    }
    std::span<const Id> right(Id g) {
        if (node(g).options == 0) make_options(g);
        return options(node(g)).right();
    }

    // Whether the game is number + n.up + nimber, and its parts.
    bool is_number_up_star(Id g) const { return node(g).nimber != kGeneral; }
    bool is_number(Id g) const { return node(g).nimber == 0 && node(g).ups == 0; }
    const Dyadic& number_part(Id g) const { return numbers_[node(g).left_stop >> 1]; }
    std::int32_t ups(Id g) const { return node(g).ups; }
    std::uint32_t heap(Id g) const { return node(g).nimber; }

    // A hash of the game itself, the same in every arena.
    std::uint32_t fingerprint(Id g) const;

    // Where play ends when Left (Right) begins and both play for the number.
    const Dyadic& left_stop(Id g) const { return numbers_[node(g).left_stop >> 1]; }
    const Dyadic& right_stop(Id g) const { return numbers_[node(g).right_stop >> 1]; }

    // Brings the game into the processor's cache, since it will be looked at soon.
    void prefetch(Id g) const {
#if defined(__GNUC__) || defined(__clang__)
        __builtin_prefetch(&node(g));
#else
        static_cast<void>(g);
#endif
    }
    void prefetch_sum(Id g, Id h) const {
#if defined(__GNUC__) || defined(__clang__)
        __builtin_prefetch(&sum_cache_[sum_place(g, h)]);
#else
        static_cast<void>(g), static_cast<void>(h);
#endif
    }

    std::uint32_t size() const { return count_ - 1; }  // games held
    bool holds(Id g) const { return g != kWhole && g < count_; }
    std::uint64_t bytes() const { return bytes_ + numbers_.bytes(); }

private:
    static constexpr std::uint32_t kGeneral = 0xffffffffu;  // in place of a nimber: not number + n.up + nimber
    static constexpr Id kNone = 0xffffffffu;
    static constexpr std::uint32_t kMostGames = 0x7fffffffu;
    static constexpr Id kWhole = 0;  // the game that canonical() is at work on, with raw options; never handed out

    // A stop is a number and a bit that is set if it is Right's turn there; stops are ordered by number, then by bit. A
    // game G is <= x exactly if its left stop is below x, or is x with Left to move; >= x if its right stop is above,
    // or x with Right to move. So one stop holds all that comparing with numbers needs.
    using Stop = std::uint32_t;

    // Half a line of the processor's cache.
    struct alignas(32) Node {
        std::uint32_t options = 0;  // where they are; 0 until asked for
        Stop left_stop = 0;
        Stop right_stop = 0;
        std::int32_t ups = 0;  // of other games the fingerprint
        std::uint32_t nimber = kGeneral;
        Id negative = kNone;
        Signature signature;
    };
    static_assert(sizeof(Node) == 32);

    static constexpr std::uint32_t kChunkBits = 14;
    static constexpr std::uint32_t kBlockBits = 16;
    static constexpr std::size_t kFewAtATime =
        16;  // so many chunks and blocks are taken one by one, then as many as fill a large page

    // A list of options: how many left ones, how many right ones, then they. It lies in one block.
    struct Options {
        const Id* at;
        std::span<const Id> left() const { return {at + 2, at[0]}; }
        std::span<const Id> right() const { return {at + 2 + at[0], at[1]}; }
        std::span<const Id> all() const { return {at + 2, std::size_t{at[0]} + at[1]}; }
    };
    Options options(const Node& of) const {
        return {blocks_[of.options >> kBlockBits] + (of.options & ((1u << kBlockBits) - 1))};
    }

    Node& node(Id g) { return chunks_[g >> kChunkBits][g & ((1u << kChunkBits) - 1)]; }
    const Node& node(Id g) const { return chunks_[g >> kChunkBits][g & ((1u << kChunkBits) - 1)]; }
    void charge(std::uint64_t bytes);
    void add_chunks();
    Id* new_block(std::size_t size);
    std::uint32_t keep(std::span<const Id> left, std::span<const Id> right);
    void set_whole(std::span<const Id> left, std::span<const Id> right);
    Id append(const Node& node);

    // Stops and signature of a game with these options, which are not those of a number.
    void judge(Node& game, std::span<const Id> left, std::span<const Id> right) const;
    bool below(Stop a, Stop b) const {
        return (a >> 1) == (b >> 1) ? (a & 1) < (b & 1) : numbers_.less(a >> 1, b >> 1);
    }
    static Stop left_stop_of(std::uint32_t number) { return number << 1; }
    static Stop right_stop_of(std::uint32_t number) { return number << 1 | 1; }

    Id of_number(std::uint32_t number) { return of_parts(number, 0, 0); }
    Id of_parts(std::uint32_t number, std::int32_t ups, std::uint32_t heap);
    void make_options(Id g);
    Id intern(std::span<const Id> left, std::span<const Id> right);
    Id parts_of_options(std::span<const Id> left, std::span<const Id> right);
    Id find_or_insert(std::uint64_t hash, const Node& wanted, std::span<const Id> left, std::span<const Id> right);
    bool same(const Node& held, const Node& wanted, std::span<const Id> left, std::span<const Id> right) const;
    std::uint64_t hash_of(const Node& node) const;
    std::int32_t fingerprint_of(std::span<const Id> left, std::span<const Id> right) const;
    void grow_slots();

    enum class Answer : std::uint8_t { no, yes, unknown };
    Answer quick(Id g, Id h) const;
    Answer known(Id g, Id h) const;
    void remember(Id g, Id h, bool answer);
    void grow_order_cache();
    std::uint64_t order_key(Id g, Id h) const;

    void remove_dominated(std::vector<Id>& options, bool keep_larger);
    Id reversing(Id option, bool left_side);
    void bypass_reversible(std::vector<Id>& options, bool left_side);
    Id sum_of_parts(const Node& a, const Node& b);
    Id easy_sum(Id g, Id h);
    Id finish_sum(std::uint32_t base, std::uint32_t left_count, bool translation);
    void remember_sum(Id g, Id h, Id sum);

    Control* control_;
    std::function<void()> poll_;
    std::uint64_t ticks_ = 0;
    std::uint64_t cap_;
    std::uint64_t bytes_ = 0;
    Numbers numbers_;
    std::vector<Node*> chunks_;  // in node_memory_
    std::vector<LargeVector<Node>> node_memory_;
    std::uint32_t count_ = 0;
    std::vector<Id*> blocks_;  // in list_memory_; the first in whole_memory_
    std::vector<LargeVector<Id>> list_memory_;
    std::size_t unused_blocks_ = 0;  // at the end of what was taken last
    std::vector<Id> whole_memory_;
    std::uint32_t free_ = 1;            // the first place that is free; 0 stands for no list
    std::size_t free_count_ = 0;        // and how many there are
    LargeVector<std::uint64_t> slots_;  // upper half of the hash, id; open addressing
    Id zero_ = 0;

    // In the cache the game that canonical() is at work on goes by a number of its own, counted down from the top.
    std::uint32_t whole_serial_ = kMostGames;
    LargeVector<std::uint64_t> order_cache_;

    struct SumEntry {
        Id g = kNone;
        Id h = kNone;
        Id sum = kNone;
    };
    std::size_t sum_place(Id g, Id h) const {
        const auto key = (std::uint64_t{std::min(g, h)} << 32 | std::max(g, h)) * 0x9e3779b97f4a7c15ull;
        return static_cast<std::size_t>((key ^ key >> 32) * 0xbf58476d1ce4e5b9ull >> 20) & (sum_cache_.size() - 1);
    }
    LargeVector<SumEntry> sum_cache_;
    std::uint64_t sums_made_ = 0;

    struct OrderFrame {
        Id g;
        Id h;
        const Id* next;
        const Id* left_end;
        const Id* right_next;
        const Id* right_end;
    };
    std::vector<OrderFrame> order_stack_;

    struct SumFrame {
        Id g;
        Id h;
        std::uint32_t next;
        std::uint32_t base;
    };
    std::vector<SumFrame> sum_stack_;
    std::vector<Id> sum_values_;
    std::vector<Id> negate_stack_;
    std::vector<Id> left_, right_, pending_, made_;
};

}  // namespace zermelo::cgt
