// The table of sums: what it finds is what was put in, and when it is full the work that was least goes first.
#include <array>
#include <cstdio>

#include "cgt/outcome/sum_table.hpp"
#include "check.hpp"
#include "zermelo/control.hpp"

using namespace zermelo;
using namespace zermelo::cgt::outcome;

namespace {

constexpr std::uint32_t kSums = 400000, kHard = 1000;  // every so manieth took much work

std::array<std::uint32_t, 5> words(std::uint32_t i) { return {i, 77, i % 5, 3, i * 3}; }
SumTable::Key key(const std::array<std::uint32_t, 5>& all, std::uint32_t i) { return {all.data(), 3 + i % 3}; }

void fill(SumTable& table, Control& control) {
    for (std::uint32_t i = 0; i < kSums; ++i) {
        const auto all = words(i);
        const auto hash = SumTable::hash(key(all, i));
        CHECK(!table.find(key(all, i), hash));
        table.store(key(all, i), hash, {{i, 1}, 1}, control);
        table.store(key(all, i), hash, {{i, i + 1}, i % kHard == 0 ? 5000u : 1 + i % 4}, control);
    }
}

std::uint32_t found(const SumTable& table, std::uint32_t step) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < kSums; i += step) {
        const auto all = words(i);
        const auto known = table.find(key(all, i), SumTable::hash(key(all, i)));
        if (!known) continue;
        CHECK(known->numbers.phi == i && known->numbers.delta == i + 1);
        ++count;
    }
    return count;
}

void a_table_with_room_keeps_everything() {
    Control control;
    SumTable table;
    fill(table, control);
    CHECK(table.size() == kSums && found(table, 1) == kSums);
}

void a_full_table_forgets_what_took_the_least_work() {
    Control control;
    SumTable table(std::size_t{8} << 20);
    fill(table, control);
    CHECK(control.bytes() <= 8 << 20);
    CHECK(table.size() < kSums / 2 && found(table, 1) == table.size());
    CHECK(found(table, kHard) == kSums / kHard);
}

void a_table_takes_no_more_than_half_of_what_a_control_allows() {
    Control control(0, 0, 24 << 20);
    SumTable table;
    fill(table, control);
    CHECK(table.size() < kSums && found(table, kHard) == kSums / kHard);
}

}  // namespace

int main() {
    a_table_with_room_keeps_everything();
    a_full_table_forgets_what_took_the_least_work();
    a_table_takes_no_more_than_half_of_what_a_control_allows();
    std::puts("outcomes: ok");
}
