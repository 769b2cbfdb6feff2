// Pockets that are held by answers, lines of play in regions, and who owns what after playing out.
#include <cstdint>
#include <string>
#include <vector>

#include "cgt/go/lines.hpp"
#include "cgt/go/playouts.hpp"
#include "cgt/go/pocket.hpp"
#include "check.hpp"

using namespace zermelo;
using namespace zermelo::go;

namespace {

// Points in rows, all of which touch one chain that lies below and to the right of them.
Pocket corner(std::uint32_t rows, std::uint32_t columns, std::uint8_t need) {
    const auto count = rows * columns;
    std::vector<Points> near(count + 1);
    const auto join = [&](std::uint32_t a, std::uint32_t b) { near[a] |= Points{1} << b, near[b] |= Points{1} << a; };
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t c = 0; c < columns; ++c) {
            const auto at = r * columns + c;
            join(at, c + 1 < columns ? at + 1 : count);
            join(at, r + 1 < rows ? at + columns : count);
        }
    return Pocket(near, count, std::vector<std::uint8_t>{need});
}

Neighbours row(std::uint32_t length) {
    Neighbours near(length);
    for (std::uint32_t i = 0; i + 1 < length; ++i) near[i].push_back(i + 1), near[i + 1].push_back(i);
    return near;
}

}  // namespace

int main() {
    Control control;
    CHECK(hold(corner(1, 6, 2), 0, control, 10000).has_value());   // six in a row are two eyes
    CHECK(!hold(corner(2, 2, 2), 0, control, 10000).has_value());  // a square of four is one
    CHECK(hold(corner(2, 2, 1), 0, control, 10000).has_value());   // but one it is
    CHECK(settled(corner(1, 2, 0), {}));
    CHECK(!settled(corner(1, 6, 2), {}));
    const auto answers = hold(corner(1, 6, 2), 0, control, 10000);
    for (const auto& answer : answers.value()) {
        CHECK(answer.point < 6);
        CHECK((answer.stones.own & answer.stones.other) == 0);
    }
    const auto lines = explore(row(4), "X..O", 100, control);
    CHECK(lines.has_value() && lines->positions.front() == "X..O" && lines->steps.front().size() == 4);
    CHECK(!explore(row(6), "X....O", 1, control).has_value());
    CHECK(settle(row(3), "X.X").score == 1 && settle(row(3), "X.O").parts.size() == 1);
    const auto owned = ownership(3, ".x.xxx.x.", 100, 1, true, control);
    for (const auto count : owned) CHECK(count == 100);
    bool stopped = false;
    try {
        Control few(0, 5);
        hold(corner(3, 6, 2), 0, few, 100000);
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
    return 0;
}
