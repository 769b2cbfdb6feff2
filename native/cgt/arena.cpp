#include "cgt/arena.hpp"

#include <algorithm>
#include <stdexcept>

namespace zermelo::cgt {

namespace {

constexpr std::size_t kFirstOrderCache = std::size_t{1} << 16;
constexpr std::size_t kLastOrderCache = std::size_t{1} << 24;
constexpr std::size_t kFirstSumCache = std::size_t{1} << 12;
constexpr std::size_t kLastSumCache = std::size_t{1} << 22;

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

std::uint64_t finish(std::uint64_t h) {
    h *= 0xbf58476d1ce4e5b9ull;
    return h ^ h >> 32;
}

std::int32_t checked_ups(std::int64_t ups) {
    if (ups > std::numeric_limits<std::int32_t>::max() || ups < -std::numeric_limits<std::int32_t>::max())
        throw std::overflow_error("a multiple of up beyond 2^31");
    return static_cast<std::int32_t>(ups);
}

// Empties a stack when a limit ends the work halfway.
template <class T>
class Emptied {
public:
    explicit Emptied(std::vector<T>& stack) : stack_(stack), size_(stack.size()) {}
    ~Emptied() { stack_.resize(size_); }
    Emptied(const Emptied&) = delete;
    Emptied& operator=(const Emptied&) = delete;

private:
    std::vector<T>& stack_;
    std::size_t size_;
};

}  // namespace

Arena::Arena(std::uint64_t memory, Control* control) : control_(control), cap_(memory) {
    slots_.resize(1 << 12);
    order_cache_.resize(kFirstOrderCache);
    sum_cache_.resize(kFirstSumCache);
    charge(slots_.size() * sizeof(slots_[0]) + order_cache_.size() * sizeof(order_cache_[0]) + sum_cache_.size() * sizeof(SumEntry));
    blocks_.push_back(nullptr);  // for the options of the whole game; see set_whole
    append(Node());          // kWhole
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
        return list_memory_.insert(list_memory_.begin(), LargeVector<Id>(size))->data();  // the last one may have unused blocks
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

Arena::Id Arena::find_or_insert(std::uint64_t hash, const Node& wanted, std::span<const Id> left, std::span<const Id> right) {
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

// The sum number + n.up + nimber that these sorted canonical options are the options of, or kNone. Its options are those of
// n.up + nimber, translated: {0|*} for up, {0,*|0} for up + *, {0 | (n-1).up + *(m xor 1)} for other n.up + *m with n > 0.
Arena::Id Arena::parts_of_options(std::span<const Id> left, std::span<const Id> right) {
    const Node& first = node(left[0]);
    if (first.nimber == kGeneral) return kNone;
    const auto number = first.left_stop >> 1;
    const auto of_that_number = [&](Id option) {
        const Node& n = node(option);
        return n.nimber != kGeneral && n.left_stop >> 1 == number;
    };
    if (!std::all_of(left.begin(), left.end(), of_that_number) || !std::all_of(right.begin(), right.end(), of_that_number)) return kNone;
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

// ---------------------------------------------------------------- order

Arena::Answer Arena::quick(Id g, Id h) const {
    if (g == h) return Answer::yes;
    const Node& a = node(g);
    const Node& b = node(h);
    if (a.nimber != kGeneral && b.nimber != kGeneral) {
        if (a.left_stop >> 1 != b.left_stop >> 1) return numbers_.less(a.left_stop >> 1, b.left_stop >> 1) ? Answer::yes : Answer::no;
        return not_positive(std::int64_t{a.ups} - b.ups, a.nimber ^ b.nimber) ? Answer::yes : Answer::no;
    }
    if (below(b.left_stop, a.left_stop) || below(b.right_stop, a.right_stop)) return Answer::no;
    if (below(a.left_stop, b.right_stop)) return Answer::yes;
    const auto at = [](Stop stop) { return stop >> 1; };
    if (at(a.left_stop) == at(b.left_stop) && (b.signature.at_most & ~a.signature.at_most) != 0) return Answer::no;
    if (at(a.right_stop) == at(b.right_stop) && (a.signature.at_least & ~b.signature.at_least) != 0) return Answer::no;
    if (at(a.left_stop) == at(b.right_stop) && (a.signature.at_most & b.signature.at_least) != 0) return Answer::yes;
    const auto number = [](const Node& n) { return n.nimber == 0 && n.ups == 0; };
    return number(a) || number(b) ? Answer::no : Answer::unknown;
}

std::uint64_t Arena::order_key(Id g, Id h) const {
    const std::uint64_t a = g == kWhole ? whole_serial_ : g;
    const std::uint64_t b = h == kWhole ? whole_serial_ : h;
    return a << 32 | b;
}

Arena::Answer Arena::known(Id g, Id h) const {
    if (const auto answer = quick(g, h); answer != Answer::unknown) return answer;
    const auto key = order_key(g, h);
    const auto entry = order_cache_[finish(key) & (order_cache_.size() - 1)];
    if (entry >> 32 != key >> 32 || (entry & 0x7fffffffu) != (key & 0x7fffffffu)) return Answer::unknown;
    return (entry & 0x80000000u) != 0 ? Answer::yes : Answer::no;
}

void Arena::remember(Id g, Id h, bool answer) {
    const auto key = order_key(g, h);
    order_cache_[finish(key) & (order_cache_.size() - 1)] = key | (answer ? 0x80000000u : 0u);
}

// A small cache is best as long as it holds what one comparison asks; beyond, comparisons would be made over and over.
void Arena::grow_order_cache() {
    const auto growth = order_cache_.size() * 3 * sizeof(order_cache_[0]);
    if (order_cache_.size() >= kLastOrderCache || growth > room() / 4) return;
    charge(growth);
    LargeVector<std::uint64_t> larger(order_cache_.size() * 4);
    for (const auto entry : order_cache_) larger[finish(entry & ~std::uint64_t{0x80000000u}) & (larger.size() - 1)] = entry;
    order_cache_ = std::move(larger);
}

// G <= H exactly if no left option of G is >= H and no right option of H is <= G.
bool Arena::less_equal(Id g, Id h) {
    auto answer = known(g, h);
    if (answer != Answer::unknown) return answer == Answer::yes;
    const Emptied<OrderFrame> emptied(order_stack_);
    const auto base = order_stack_.size();
    std::size_t asked = 0;
    const auto push = [this, &asked](Id a, Id b) {
        tick();
        if (++asked > order_cache_.size()) grow_order_cache();
        const auto lefts = left(a);
        const auto rights = right(b);
        order_stack_.push_back({a, b, lefts.data(), lefts.data() + lefts.size(), rights.data(), rights.data() + rights.size()});
    };
    push(g, h);
    bool last = false;  // the answer for the frame that has just been popped
    while (order_stack_.size() > base) {
        OrderFrame& frame = order_stack_.back();
        bool refuted = last;
        last = false;
        bool waits = false;
        while (!refuted && (frame.next != frame.left_end || frame.right_next != frame.right_end)) {
            const bool of_left = frame.next != frame.left_end;
            const Id a = of_left ? frame.h : *frame.right_next++;
            const Id b = of_left ? *frame.next++ : frame.g;
            answer = known(a, b);
            if (answer == Answer::unknown) {
                push(a, b);
                waits = true;
                break;
            }
            refuted = answer == Answer::yes;
        }
        if (waits) continue;
        const OrderFrame done = order_stack_.back();
        order_stack_.pop_back();
        remember(done.g, done.h, !refuted);
        last = !refuted;
    }
    return last;
}

// ---------------------------------------------------------------- canonical form

// Keeps the best options first found among the rest: the one that stops best with the other side to move is dominated by none but
// those with the same stops. Most options are dominated by the first.
void Arena::remove_dominated(std::vector<Id>& options, bool keep_larger) {
    const auto better = [&](const Node& a, const Node& b) {
        const Stop a_next = keep_larger ? a.right_stop : b.left_stop, b_next = keep_larger ? b.right_stop : a.left_stop;
        if (a_next != b_next) return below(b_next, a_next);
        return keep_larger ? below(b.left_stop, a.left_stop) : below(a.right_stop, b.right_stop);
    };
    for (std::size_t kept = 0; kept < options.size(); ++kept) {
        std::size_t best = kept;
        for (std::size_t i = kept + 1; i < options.size(); ++i)
            if (better(node(options[i]), node(options[best]))) best = i;
        std::swap(options[kept], options[best]);
        const Id found = options[kept];
        const Node& game = node(found);
        for (std::size_t i = 0; i < kept;) {
            const Node& other = node(options[i]);
            const bool dominated = other.left_stop == game.left_stop && other.right_stop == game.right_stop &&
                                   (keep_larger ? less_equal(options[i], found) : less_equal(found, options[i]));
            if (!dominated) {
                ++i;
                continue;
            }
            options.erase(options.begin() + static_cast<std::ptrdiff_t>(i));
            --kept;
        }
        std::size_t end = kept + 1;
        for (std::size_t i = end; i < options.size(); ++i) {
            const Id other = options[i];
            if (!(keep_larger ? less_equal(other, found) : less_equal(found, other))) options[end++] = other;
        }
        options.resize(end);
    }
}

// The response through which the whole game's option reverses, or kNone.
Arena::Id Arena::reversing(Id option, bool left_side) {
    for (const Id response : left_side ? right(option) : left(option)) {
        if (left_side ? less_equal(response, kWhole) : less_equal(kWhole, response)) return response;
    }
    return kNone;
}

// The value of the whole does not change, so an option found not to reverse need not be tried again.
void Arena::bypass_reversible(std::vector<Id>& options, bool left_side) {
    pending_.assign(options.begin(), options.end());
    options.clear();
    bool bypassed = false;
    while (!pending_.empty()) {
        const Id option = pending_.back();
        pending_.pop_back();
        if (bypassed && std::find(options.begin(), options.end(), option) != options.end()) continue;
        const Id response = reversing(option, left_side);
        if (response == kNone) {
            options.push_back(option);
            continue;
        }
        bypassed = true;
        const auto replacing = left_side ? left(response) : right(response);
        pending_.insert(pending_.end(), replacing.begin(), replacing.end());
    }
    if (bypassed) remove_dominated(options, left_side);
}

// Makes kWhole the game with these options.
void Arena::set_whole(std::span<const Id> left, std::span<const Id> right) {
    if (--whole_serial_ <= kMostGames / 2) {
        std::fill(order_cache_.begin(), order_cache_.end(), 0);
        whole_serial_ = kMostGames;
    }
    constexpr std::uint32_t at = 1;  // in the first block; at 0 it would look as if there were no options
    const auto count = left.size() + right.size() + 2 + at;
    if (count > whole_memory_.size()) {
        charge((2 * count - whole_memory_.size()) * sizeof(Id));
        whole_memory_.assign(2 * count, 0);
        blocks_[0] = whole_memory_.data();
    }
    Id* list = blocks_[0] + at;
    *list++ = static_cast<Id>(left.size());
    *list++ = static_cast<Id>(right.size());
    list = std::copy(left.begin(), left.end(), list);
    std::copy(right.begin(), right.end(), list);
    node(kWhole).options = at;
    judge(node(kWhole), left, right);
}

Arena::Id Arena::canonical(std::span<const Id> left, std::span<const Id> right) {
    tick();
    const auto assign = [](std::vector<Id>& to, std::span<const Id> from) {
        to.assign(from.begin(), from.end());
        std::sort(to.begin(), to.end());
        to.erase(std::unique(to.begin(), to.end()), to.end());
    };
    assign(left_, left);
    assign(right_, right);
    Stop low = 0;
    Stop high = 0;
    for (std::size_t i = 0; i < left_.size(); ++i) {
        if (const auto stop = node(left_[i]).right_stop; i == 0 || below(low, stop)) low = stop;
    }
    for (std::size_t i = 0; i < right_.size(); ++i) {
        if (const auto stop = node(right_[i]).left_stop; i == 0 || below(stop, high)) high = stop;
    }
    // A number fits between the options if it is above all left stops' bounds and below all right ones: it is the simplest.
    if (left_.empty() || right_.empty() || below(low, high)) {
        std::optional<Bound> lowest;
        std::optional<Bound> highest;
        if (!left_.empty()) lowest = Bound{numbers_[low >> 1], (low & 1) == 0};
        if (!right_.empty()) highest = Bound{numbers_[high >> 1], (high & 1) == 1};
        return number(simplest(lowest, highest));
    }
    if (left_ == right_) {  // impartial: the least heap that is missing
        const auto heap = [this](Id option) { return node(option).nimber; };
        const auto is_heap = [this](Id option) {
            const Node& n = node(option);
            return n.nimber != kGeneral && n.ups == 0 && n.left_stop >> 1 == Numbers::zero;
        };
        if (std::all_of(left_.begin(), left_.end(), is_heap)) {
            std::sort(left_.begin(), left_.end(), [&](Id a, Id b) { return heap(a) < heap(b); });
            std::uint32_t least = 0;
            while (least < left_.size() && heap(left_[least]) == least) ++least;
            return nimber(least);
        }
    }
    remove_dominated(left_, true);
    remove_dominated(right_, false);
    set_whole(left_, right_);
    bypass_reversible(left_, true);
    bypass_reversible(right_, false);
    std::sort(left_.begin(), left_.end());
    std::sort(right_.begin(), right_.end());
    return intern(left_, right_);
}

// ---------------------------------------------------------------- negatives and sums

Arena::Id Arena::negate(Id root) {
    const Emptied<Id> emptied(negate_stack_);
    const auto base = negate_stack_.size();
    negate_stack_.push_back(root);
    while (negate_stack_.size() > base) {
        const Id g = negate_stack_.back();
        const Node held = node(g);
        if (held.negative != kNone) {
            negate_stack_.pop_back();
            continue;
        }
        tick();
        Id opposite = kNone;
        if (held.nimber != kGeneral) {
            opposite = of_parts(numbers_.negative(held.left_stop >> 1), -held.ups, held.nimber);
        } else {
            const auto list = options(held);
            const auto before = negate_stack_.size();
            for (const Id option : list.all()) {
                if (node(option).negative == kNone) negate_stack_.push_back(option);
            }
            if (negate_stack_.size() > before) continue;
            made_.clear();
            for (const Id option : list.right()) made_.push_back(node(option).negative);
            for (const Id option : list.left()) made_.push_back(node(option).negative);
            const auto count = list.right().size();
            const auto middle = made_.begin() + static_cast<std::ptrdiff_t>(count);
            std::sort(made_.begin(), middle);
            std::sort(middle, made_.end());
            opposite = intern({made_.data(), count}, {made_.data() + count, made_.size() - count});
        }
        node(g).negative = opposite;
        node(opposite).negative = g;
        negate_stack_.pop_back();
    }
    return node(root).negative;
}

Arena::Id Arena::sum_of_parts(const Node& a, const Node& b) {
    return of_parts(numbers_.sum(a.left_stop >> 1, b.left_stop >> 1), checked_ups(std::int64_t{a.ups} + b.ups), a.nimber ^ b.nimber);
}

void Arena::remember_sum(Id g, Id h, Id sum) {
    const auto growth = sum_cache_.size() * 3 * sizeof(SumEntry);
    if (++sums_made_ > sum_cache_.size() && sum_cache_.size() < kLastSumCache && (cap_ == 0 || bytes_ + growth < cap_ / 2)) {
        charge(growth);
        LargeVector<SumEntry> larger(sum_cache_.size() * 4);
        sum_cache_.swap(larger);
        for (const auto& entry : larger) {
            if (entry.g != kNone) sum_cache_[sum_place(entry.g, entry.h)] = entry;
        }
    }
    sum_cache_[sum_place(g, h)] = {g, h, sum};
}

// The sum without looking at options, or kNone.
Arena::Id Arena::easy_sum(Id g, Id h) {
    if (g == zero_) return h;
    if (h == zero_) return g;
    const Node& a = node(g);
    const Node& b = node(h);
    if (a.negative == h) return zero_;
    const auto low = std::min(g, h);
    const auto high = std::max(g, h);
    const auto& entry = sum_cache_[sum_place(low, high)];
    if (entry.g == low && entry.h == high) return entry.sum;
    if (a.nimber == kGeneral || b.nimber == kGeneral) return kNone;
    const Id sum = sum_of_parts(a, b);
    remember_sum(low, high, sum);
    return sum;
}

Arena::Id Arena::finish_sum(std::uint32_t base, std::uint32_t left_count, bool translation) {
    const auto begin = sum_values_.begin() + base;
    const auto middle = begin + left_count;
    if (translation) {
        std::sort(begin, middle);
        std::sort(middle, sum_values_.end());
    }
    const std::span<const Id> lefts(begin, middle);
    const std::span<const Id> rights(middle, sum_values_.end());
    return translation ? intern(lefts, rights) : canonical(lefts, rights);
}

// Frames hold the game that is not a number + n.up + nimber first. Where the second is a number, its own moves are never needed
// and the options translated are in canonical form (number translation theorem); where it has a number part, that is added last,
// since the rest of the sum is met with many numbers.
Arena::Id Arena::add(Id first, Id second) {
    if (const Id easy = easy_sum(first, second); easy != kNone) return easy;
    const Emptied<SumFrame> emptied_frames(sum_stack_);
    const Emptied<Id> emptied_values(sum_values_);
    const auto push = [this](Id g, Id h) {
        if (node(g).nimber != kGeneral || (node(h).nimber == kGeneral && h < g)) std::swap(g, h);
        sum_stack_.push_back({g, h, 0, static_cast<std::uint32_t>(sum_values_.size())});
    };
    const auto base = sum_stack_.size();
    push(first, second);
    while (sum_stack_.size() > base) {
        tick();
        const auto [g, h, begun, from] = sum_stack_.back();
        const Node& b = node(h);
        const bool translation = b.nimber == 0 && b.ups == 0;
        const bool split = b.nimber != kGeneral && !translation && b.left_stop >> 1 != Numbers::zero;
        auto next = begun;
        bool waits = false;
        const auto ask = [&](Id x, Id y) {
            const Id easy = easy_sum(x, y);
            if (easy == kNone) {
                push(x, y);
                waits = true;
                return;
            }
            sum_values_.push_back(easy);
            ++next;
        };
        Id sum = kNone;
        if (split) {
            const auto number = b.left_stop >> 1;
            const Id rest = of_parts(Numbers::zero, b.ups, b.nimber);
            if (next == 0) ask(g, rest);
            if (!waits && next == 1) ask(sum_values_[from], of_number(number));
            if (!waits) sum = sum_values_[from + 1];
        } else {
            const auto gl = left(g);
            const auto gr = right(g);
            const auto hl = translation ? std::span<const Id>() : left(h);
            const auto hr = translation ? std::span<const Id>() : right(h);
            const auto left_count = gl.size() + hl.size();
            const auto total = left_count + gr.size() + hr.size();
            while (!waits && next < total) {
                auto i = std::size_t{next};
                if (i < gl.size()) {
                    ask(gl[i], h);
                } else if ((i -= gl.size()) < hl.size()) {
                    ask(g, hl[i]);
                } else if ((i -= hl.size()) < gr.size()) {
                    ask(gr[i], h);
                } else {
                    ask(g, hr[i - gr.size()]);
                }
            }
            if (!waits) sum = finish_sum(from, static_cast<std::uint32_t>(left_count), translation);
        }
        if (waits) {
            sum_stack_[sum_stack_.size() - 2].next = next + 1;  // the frame just pushed leaves its value behind
            continue;
        }
        remember_sum(std::min(g, h), std::max(g, h), sum);
        sum_values_.resize(from);
        sum_stack_.pop_back();
        if (sum_stack_.size() > base) sum_values_.push_back(sum);
        else return sum;
    }
    return kNone;
}

}  // namespace zermelo::cgt
