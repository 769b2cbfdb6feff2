// Canonical values: known games, laws on random ones, and depths that no stack would hold.
#include <algorithm>
#include <random>
#include <vector>

#include "cgt/values/arena.hpp"
#include "cgt/values/operations.hpp"
#include "check.hpp"

using namespace zermelo;
using namespace zermelo::cgt;
using Id = Arena::Id;

namespace {

Id game(Arena& arena, std::vector<Id> left, std::vector<Id> right) { return arena.canonical(left, right); }

void integers_are_exact_beyond_64_bits() {
    const Integer large = Integer(1).shifted_left(200);
    CHECK(large.decimal() == "1606938044258990275541962092341162602522202993782792835301376");
    CHECK((-large).decimal() == "-1606938044258990275541962092341162602522202993782792835301376");
    CHECK(large - large == Integer(0));
    CHECK((large - Integer(1)).shifted_right(199) == Integer(1));
    CHECK((-large - Integer(1)).shifted_right(200) == Integer(-2));
    CHECK(Integer(INT64_MAX) + Integer(1) > Integer(INT64_MAX));
    CHECK(Integer(INT64_MIN) - Integer(1) < Integer(INT64_MIN));
    CHECK(-(-Integer(INT64_MIN)) == Integer(INT64_MIN));
    CHECK((-Integer(INT64_MIN)).decimal() == "9223372036854775808");
    for (const auto& value :
         {large, -large, Integer(0), Integer(-1), Integer(255), Integer(INT64_MIN), large + Integer(12345)}) {
        CHECK(Integer::from_bytes(value.to_bytes()) == value);
        CHECK((value + large) - large == value);
        CHECK(-value + value == Integer(0));
    }
}

void the_simplest_number_fits() {
    const auto between = [](const Dyadic& low, const Dyadic& high) {
        return simplest(Bound{low, false}, Bound{high, false});
    };
    CHECK(between(-3, 5) == Dyadic(0));
    CHECK(between(2, 9) == Dyadic(3));
    CHECK(between(0, 1) == Dyadic(1, 1));
    CHECK(between(Dyadic(1, 2), Dyadic(1, 1)) == Dyadic(3, 3));
    CHECK(between(-1, Dyadic(-1, 1)) == Dyadic(-3, 2));
    CHECK(simplest(Bound{Dyadic(1, 1), true}, Bound{Dyadic(1, 1), true}) == Dyadic(1, 1));
    CHECK(simplest({}, Bound{Dyadic(-7, 1), false}) == Dyadic(-4));
    CHECK(simplest(Bound{Dyadic(Integer(1).shifted_left(200)), false}, {}) ==
          Dyadic(Integer(1).shifted_left(200) + Integer(1)));
}

void numbers_are_told_apart_beyond_the_grid_of_their_keys() {
    Numbers numbers;
    std::vector<Dyadic> values;
    const Integer large = Integer(1).shifted_left(100);
    for (const int m : {-5, -3, -1, 1, 3, 5, 7}) {
        for (const std::uint32_t k : {0u, 3u, 4u, 21u, 22u, 60u, 200u}) values.push_back(Dyadic(Integer(m), k));
        values.push_back(Dyadic(large + Integer(m), 1));
        values.push_back(Dyadic(Integer(m) - large, 30));
        values.push_back(Dyadic(Integer(256 * m), 0));
    }
    for (const auto& a : values) {
        CHECK(numbers[numbers.id(a)] == a);
        CHECK(numbers[numbers.negative(numbers.id(a))] == -a);
        for (const auto& b : values) {
            CHECK(numbers[numbers.sum(numbers.id(a), numbers.id(b))] == a + b);
            CHECK(numbers.less(numbers.id(a), numbers.id(b)) == (a < b));
        }
    }
}

void small_games_have_their_names() {
    Arena arena;
    const Id zero = arena.zero();
    const Id star = game(arena, {zero}, {zero});
    CHECK(game(arena, {}, {}) == zero);
    CHECK(star == arena.nimber(1));
    const Id up = game(arena, {zero}, {star});
    CHECK(arena.ups(up) == 1 && arena.heap(up) == 0 && arena.number_part(up) == Dyadic(0));
    CHECK(game(arena, {zero}, {up}) == arena.number_up_star(0, 2, 1));  // up + up + star = {0 | up}
    CHECK(arena.add(arena.add(up, up), star) == game(arena, {zero}, {up}));
    CHECK(game(arena, {zero, star}, {zero}) == arena.add(up, star));
    CHECK(game(arena, {zero, star}, {zero, star}) == arena.nimber(2));
    CHECK(game(arena, {zero}, {arena.number(1)}) == arena.number(Dyadic(1, 1)));
    const Id one = arena.number(1);
    const Id one_star = game(arena, {one}, {one});
    CHECK(one_star == arena.number_up_star(1, 0, 1));
    CHECK(!arena.less_equal(star, zero) && !arena.less_equal(zero, star));
    CHECK(arena.less_equal(zero, up) && !arena.less_equal(up, zero));
    const Id tiny = game(arena, {zero}, {game(arena, {zero}, {arena.number(-1)})});
    CHECK(arena.less_equal(zero, tiny) && arena.less_equal(tiny, up) && !arena.is_number_up_star(tiny));
    CHECK(arena.add(tiny, arena.negate(tiny)) == zero);
    const Id hot = game(arena, {arena.number(5)}, {arena.number(-5)});
    CHECK(arena.negate(hot) == hot && arena.add(hot, hot) == zero);
    CHECK(arena.left_stop(hot) == Dyadic(5) && arena.right_stop(hot) == Dyadic(-5));
    const Id far = arena.number(Dyadic(Integer(1).shifted_left(200)));
    CHECK(arena.add(arena.add(hot, far), arena.negate(far)) == hot);
}

void all_games_of_the_first_days() {
    // 1, 4, 22, 1474 games by day 0, 1, 2, 3: from day n, every pair of option sets; antichains suffice, but day 2 is
    // small.
    Arena arena;
    std::vector<Id> day{arena.zero()};
    for (const std::size_t expected : {4u, 22u}) {
        std::vector<Id> next;
        const std::size_t subsets = std::size_t{1} << day.size();
        for (std::size_t l = 0; l < subsets; ++l) {
            for (std::size_t r = 0; r < subsets; ++r) {
                std::vector<Id> left, right;
                for (std::size_t i = 0; i < day.size(); ++i) {
                    if ((l >> i & 1) != 0) left.push_back(day[i]);
                    if ((r >> i & 1) != 0) right.push_back(day[i]);
                }
                next.push_back(arena.canonical(left, right));
            }
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        CHECK(next.size() == expected);
        day = next;
    }
}

std::vector<Id> random_games(Arena& arena, std::uint64_t seed, int count) {
    std::mt19937_64 random(seed);
    std::vector<Id> pool{arena.zero(), arena.number(1), arena.number(-1), arena.nimber(1), arena.number(Dyadic(1, 1))};
    while (static_cast<int>(pool.size()) < count) {
        const auto draw = [&] {
            std::vector<Id> options;
            for (auto n = random() % 3 + 1; n > 0; --n) options.push_back(pool[random() % pool.size()]);
            return options;
        };
        const auto left = draw();
        const auto right = draw();
        pool.push_back(arena.canonical(left, right));
    }
    return pool;
}

// Second player wins G - H when playing move by move; no sums, no canonical forms of sums.
bool equal_by_play(Arena& arena, Id g, Id h) { return arena.less_equal(g, h) && arena.less_equal(h, g); }

void random_games_obey_the_laws() {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        testing::running_seed = seed;
        Arena arena;
        const auto pool = random_games(arena, seed, 24);
        for (const Id g : pool) {
            CHECK(arena.add(g, arena.negate(g)) == arena.zero());
            CHECK(arena.negate(arena.negate(g)) == g);
            const std::vector<Id> left(arena.left(g).begin(), arena.left(g).end());
            const std::vector<Id> right(arena.right(g).begin(), arena.right(g).end());
            CHECK(arena.canonical(left, right) == g);
            for (const Id h : pool) {
                CHECK(equal_by_play(arena, g, h) == (g == h));
                const Id sum = arena.add(g, h);
                CHECK(sum == arena.add(h, g));
                CHECK(arena.subtract(sum, h) == g);
                CHECK(arena.less_equal(g, h) == arena.less_equal(arena.subtract(g, h), arena.zero()));
            }
        }
    }
    testing::running_seed.reset();
}

void deep_games_need_no_deep_stack() {
    Arena arena;
    const Id zero = arena.zero();
    Id integer = zero;
    for (int i = 0; i < 100000; ++i) integer = game(arena, {integer}, {});
    CHECK(integer == arena.number(100000));
    // n || n-1 ||| n-2 ... : no option reverses, since every Left option is larger than all that follows.
    Id nested = game(arena, {zero}, {arena.number(-2)});
    for (int i = 1; i <= 100000; ++i) nested = game(arena, {arena.number(i)}, {nested});
    CHECK(birthday(arena, nested) == Integer(100003));
    const Id negative = arena.negate(nested);
    CHECK(arena.negate(negative) == nested);
    CHECK(!arena.less_equal(nested, negative) && arena.less_equal(negative, nested));
    const Id moved = arena.add(nested, arena.number(Dyadic(1, 1)));
    CHECK(arena.less_equal(nested, moved) && !arena.less_equal(moved, nested));
    CHECK(arena.add(moved, arena.number(Dyadic(-1, 1))) == nested);
    Thermographs thermographs(arena);
    CHECK(thermographs.of(nested).temperature == Dyadic(1));
    CHECK(cooled(arena, thermographs, nested, 2) == arena.number(thermographs.of(nested).mean));
    CHECK(reduced(arena, moved) == moved);
    Arena other;
    CHECK(other.fingerprint(copied(arena, nested, other)) == arena.fingerprint(nested));
}

void memory_is_capped() {
    Arena arena(std::uint64_t{8} << 20);
    const Id star = arena.nimber(1);
    bool stopped = false;
    try {
        for (int i = 1; i < 1000000; ++i) game(arena, {arena.number(i)}, {arena.number(-i)});
    } catch (const MemoryLimit&) {
        stopped = true;
    }
    CHECK(stopped);
    CHECK(arena.add(star, star) == arena.zero());
}

}  // namespace

int main() {
    integers_are_exact_beyond_64_bits();
    the_simplest_number_fits();
    numbers_are_told_apart_beyond_the_grid_of_their_keys();
    small_games_have_their_names();
    all_games_of_the_first_days();
    random_games_obey_the_laws();
    deep_games_need_no_deep_stack();
    memory_is_capped();
    return 0;
}
