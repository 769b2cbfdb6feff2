#include "cgt/values/arena.hpp"

#include <algorithm>
#include <stdexcept>

#include "cgt/values/arena_common.hpp"

namespace zermelo::cgt {

Arena::Arena(std::uint64_t memory, Control* control) : control_(control), cap_(memory) {
    slots_.resize(1 << 12);
    order_cache_.resize(kFirstOrderCache);
    sum_cache_.resize(kFirstSumCache);
    charge(slots_.size() * sizeof(slots_[0]) + order_cache_.size() * sizeof(order_cache_[0]) +
           sum_cache_.size() * sizeof(SumEntry));
    blocks_.push_back(nullptr);  // for the options of the whole game; see set_whole
    append(Node());              // kWhole
    zero_ = of_number(Numbers::zero);
}

void Arena::charge(std::uint64_t bytes) {
    if (cap_ != 0 && bytes_ + numbers_.bytes() + bytes > cap_) throw MemoryLimit();
    if (control_ != nullptr) control_->charge(static_cast<std::int64_t>(bytes));
    bytes_ += bytes;
}

void Arena::add_chunks() {
    constexpr std::size_t length = std::size_t{1} << kChunkBits;
    const std::size_t count = chunks_.size() < kFewAtATime ? 1 : LargePages<Node>::page / (length * sizeof(Node));
    charge(count * length * sizeof(Node));
    chunks_.reserve(chunks_.size() + count);
    auto& memory = node_memory_.emplace_back(count * length);
    for (std::size_t i = 0; i < count; ++i) chunks_.push_back(memory.data() + i * length);
}

// Room for that many options: of one block, or of one long list.
Arena::Id* Arena::new_block(std::size_t size) {
    constexpr std::size_t length = std::size_t{1} << kBlockBits;
    if (size > length) {
        charge(size * sizeof(Id));
        return list_memory_.insert(list_memory_.begin(), LargeVector<Id>(size))
            ->data();  // the last one may have unused blocks
    }
    if (unused_blocks_ == 0) {
        const std::size_t count = blocks_.size() <= kFewAtATime ? 1 : LargePages<Id>::page / (length * sizeof(Id));
        charge(count * length * sizeof(Id));
        list_memory_.emplace_back(count * length);
        unused_blocks_ = count;
    }
    auto& memory = list_memory_.back();
    return memory.data() + memory.size() - unused_blocks_-- * length;
}

// Writes a list of options down and says where.
std::uint32_t Arena::keep(std::span<const Id> left, std::span<const Id> right) {
    const auto count = left.size() + right.size() + 2;
    auto at = free_;
    if (count <= free_count_) {
        free_ += static_cast<std::uint32_t>(count);
        free_count_ -= count;
    } else {
        const auto size = std::max(count, std::size_t{1} << kBlockBits);
        if (blocks_.size() >> (32 - kBlockBits) != 0) throw MemoryLimit();
        blocks_.push_back(new_block(size));
        at = static_cast<std::uint32_t>(blocks_.size() - 1) << kBlockBits;
        // What a long list leaves of its block may be less than what is free already: keep the larger rest.
        if (size - count >= free_count_) {
            free_ = at + static_cast<std::uint32_t>(count);
            free_count_ = size - count;
        }
    }
    Id* list = blocks_[at >> kBlockBits] + (at & ((1u << kBlockBits) - 1));
    *list++ = static_cast<Id>(left.size());
    *list++ = static_cast<Id>(right.size());
    list = std::copy(left.begin(), left.end(), list);
    std::copy(right.begin(), right.end(), list);
    return at;
}

Arena::Id Arena::append(const Node& fresh) {
    if (count_ >= kMostGames / 2) throw MemoryLimit();
    if (count_ >> kChunkBits == chunks_.size()) add_chunks();
    const Id id = count_++;
    node(id) = fresh;
    return id;
}

// ---------------------------------------------------------------- each game once

std::uint64_t Arena::hash_of(const Node& wanted) const {
    return finish(mix(mix(mix(1, wanted.left_stop >> 1), static_cast<std::uint32_t>(wanted.ups)), wanted.nimber));
}

bool Arena::same(const Node& held, const Node& wanted, std::span<const Id> left, std::span<const Id> right) const {
    if (held.nimber != wanted.nimber) return false;
    if (wanted.nimber != kGeneral) return held.ups == wanted.ups && held.left_stop >> 1 == wanted.left_stop >> 1;
    const auto list = options(held);
    return std::equal(left.begin(), left.end(), list.left().begin(), list.left().end()) &&
           std::equal(right.begin(), right.end(), list.right().begin(), list.right().end());
}

void Arena::grow_slots() {
    charge(slots_.size() * sizeof(slots_[0]));
    LargeVector<std::uint64_t> larger(slots_.size() * 2);
    const auto mask = larger.size() - 1;
    for (const auto slot : slots_) {
        if (slot == 0) continue;
        const auto& held = node(static_cast<Id>(slot));
        std::uint64_t hash = 0;
        if (held.nimber != kGeneral) {
            hash = hash_of(held);
        } else {
            const auto list = options(held);
            hash = mix(2, list.left().size());
            for (const Id option : list.all()) hash = mix(hash, option);
            hash = finish(hash);
        }
        auto at = hash & mask;
        while (larger[at] != 0) at = (at + 1) & mask;
        larger[at] = slot;
    }
    slots_ = std::move(larger);
}

Arena::Id Arena::find_or_insert(std::uint64_t hash, const Node& wanted, std::span<const Id> left,
                                std::span<const Id> right) {
    const auto tag = hash >> 32;
    auto at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
        if (slots_[at] >> 32 != tag) continue;
        const auto id = static_cast<Id>(slots_[at]);
        if (same(node(id), wanted, left, right)) return id;
    }
    if (std::size_t{count_} * 3 > slots_.size() * 2) {
        grow_slots();
        at = hash & (slots_.size() - 1);
        while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    }
    Node fresh = wanted;
    if (wanted.nimber == kGeneral) {
        fresh.options = keep(left, right);
        judge(fresh, left, right);
        fresh.ups = fingerprint_of(left, right);
    } else {
        fresh.signature = signature_of(wanted.ups, wanted.nimber);
    }
    const Id id = append(fresh);
    slots_[at] = tag << 32 | id;
    return id;
}

std::uint32_t Arena::fingerprint(Id g) const {
    const Node& held = node(g);
    const auto ups = static_cast<std::uint32_t>(held.ups);
    if (held.nimber == kGeneral) return ups;
    return static_cast<std::uint32_t>(finish(mix(mix(numbers_[held.left_stop >> 1].hash(), ups), held.nimber)));
}

// A sum over the options, since their order differs from arena to arena.
std::int32_t Arena::fingerprint_of(std::span<const Id> left, std::span<const Id> right) const {
    std::uint64_t sum = 0;
    for (const Id option : left) sum += finish(mix(5, fingerprint(option)));
    for (const Id option : right) sum += finish(mix(7, fingerprint(option)));
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(finish(sum)));
}

Arena::Id Arena::of_parts(std::uint32_t number, std::int32_t ups, std::uint32_t heap) {
    if (heap == kGeneral) throw std::overflow_error("a nimber beyond 2^32");
    Node wanted;
    wanted.left_stop = number << 1 | (not_positive(ups, heap) ? 0 : 1);
    wanted.right_stop = number << 1 | (not_positive(-static_cast<std::int64_t>(ups), heap) ? 1 : 0);
    wanted.ups = ups;
    wanted.nimber = heap;
    return find_or_insert(hash_of(wanted), wanted, {}, {});
}

// The sum number + n.up + nimber that these sorted canonical options are the options of, or kNone. Its options are
// those of n.up + nimber, translated: {0|*} for up, {0,*|0} for up + *, {0 | (n-1).up + *(m xor 1)} for other n.up + *m
// with n > 0.
Arena::Id Arena::parts_of_options(std::span<const Id> left, std::span<const Id> right) {
    const Node& first = node(left[0]);
    if (first.nimber == kGeneral) return kNone;
    const auto number = first.left_stop >> 1;
    const auto of_that_number = [&](Id option) {
        const Node& n = node(option);
        return n.nimber != kGeneral && n.left_stop >> 1 == number;
    };
    if (!std::all_of(left.begin(), left.end(), of_that_number) ||
        !std::all_of(right.begin(), right.end(), of_that_number))
        return kNone;
    if (std::equal(left.begin(), left.end(), right.begin(), right.end())) {
        // Distinct heaps below their own count are all the heaps below it.
        const auto in_row = [&](Id option) { return node(option).ups == 0 && node(option).nimber < left.size(); };
        if (!std::all_of(left.begin(), left.end(), in_row)) return kNone;
        return of_parts(number, 0, static_cast<std::uint32_t>(left.size()));
    }
    const auto is = [&](Id option, std::uint32_t heap) { return node(option).ups == 0 && node(option).nimber == heap; };
    const auto is_zero_and_star = [&](std::span<const Id> side) {
        return side.size() == 2 && ((is(side[0], 0) && is(side[1], 1)) || (is(side[0], 1) && is(side[1], 0)));
    };
    const bool left_zero = left.size() == 1 && is(left[0], 0);
    const bool right_zero = right.size() == 1 && is(right[0], 0);
    if (right_zero && is_zero_and_star(left)) return of_parts(number, 1, 1);
    if (left_zero && is_zero_and_star(right)) return of_parts(number, -1, 1);
    if (left_zero && right.size() == 1 && node(right[0]).ups >= 0)
        return of_parts(number, checked_ups(std::int64_t{node(right[0]).ups} + 1), node(right[0]).nimber ^ 1);
    if (right_zero && left.size() == 1 && node(left[0]).ups <= 0)
        return of_parts(number, checked_ups(std::int64_t{node(left[0]).ups} - 1), node(left[0]).nimber ^ 1);
    return kNone;
}

// The game with these sorted options, which are in canonical form and are not those of a number.
Arena::Id Arena::intern(std::span<const Id> left, std::span<const Id> right) {
    if (const Id id = parts_of_options(left, right); id != kNone) return id;
    std::uint64_t hash = mix(2, left.size());
    for (const Id option : left) hash = mix(hash, option);
    for (const Id option : right) hash = mix(hash, option);
    return find_or_insert(finish(hash), Node(), left, right);
}

// Play ends best for Left, if she begins, where it does after her best option if Right goes on.
void Arena::judge(Node& game, std::span<const Id> left, std::span<const Id> right) const {
    game.left_stop = node(left[0]).right_stop;
    std::uint32_t at_least = node(left[0]).signature.at_least;
    for (const Id option : left.subspan(1)) {
        const Node& n = node(option);
        if (n.right_stop >> 1 == game.left_stop >> 1) {
            at_least |= n.signature.at_least;
            game.left_stop |= n.right_stop;
        } else if (below(game.left_stop, n.right_stop)) {
            at_least = n.signature.at_least;
            game.left_stop = n.right_stop;
        }
    }
    game.right_stop = node(right[0]).left_stop;
    std::uint32_t at_most = node(right[0]).signature.at_most;
    for (const Id option : right.subspan(1)) {
        const Node& n = node(option);
        if (n.left_stop >> 1 == game.right_stop >> 1) {
            at_most |= n.signature.at_most;
            game.right_stop &= n.left_stop;
        } else if (below(n.left_stop, game.right_stop)) {
            at_most = n.signature.at_most;
            game.right_stop = n.left_stop;
        }
    }
    game.signature = signature_of(at_least, at_most, game.left_stop >> 1 == game.right_stop >> 1);
}

// ---------------------------------------------------------------- options

void Arena::make_options(Id g) {
    const Node held = node(g);
    const auto number = held.left_stop >> 1;
    made_.clear();
    std::size_t left_count = 0;
    if (held.ups == 0 && held.nimber == 0) {
        const Dyadic value = numbers_[number];
        const Dyadic step(1, value.exponent());
        if (!value.is_integer() || value.sign() > 0) made_.push_back(this->number(value - step));
        left_count = made_.size();
        if (!value.is_integer() || value.sign() < 0) made_.push_back(this->number(value + step));
    } else if (held.ups == 0) {
        for (int side = 0; side < 2; ++side) {
            for (std::uint32_t heap = 0; heap < held.nimber; ++heap) made_.push_back(of_parts(number, 0, heap));
        }
        left_count = held.nimber;
    } else {
        const bool up = held.ups > 0;
        const Id zero = of_number(number);
        if (held.nimber == 1 && (held.ups == 1 || held.ups == -1)) {
            const Id star = of_parts(number, 0, 1);
            if (up) made_ = {zero, star, zero};
            else made_ = {zero, zero, star};
            left_count = up ? 2 : 1;
        } else {
            const Id other = of_parts(number, held.ups - (up ? 1 : -1), held.nimber ^ 1);
            made_ = {up ? zero : other, up ? other : zero};
            left_count = 1;
        }
    }
    std::sort(made_.begin(), made_.begin() + static_cast<std::ptrdiff_t>(left_count));
    std::sort(made_.begin() + static_cast<std::ptrdiff_t>(left_count), made_.end());
    node(g).options = keep({made_.data(), left_count}, {made_.data() + left_count, made_.size() - left_count});
}

}  // namespace zermelo::cgt
