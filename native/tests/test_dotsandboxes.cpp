#include "games/dotsandboxes.hpp"

#include "laws.hpp"

using namespace zermelo;
using namespace zermelo::testing;

int main() {
    check_laws(DotsAndBoxes(1, 1), 5, 1);
    check_laws(DotsAndBoxes(5, 5), 20, 2);
    check_laws(DotsAndBoxes(2, 12), 20, 3);
    check_laws(DotsAndBoxes(21, 1), 20, 4);
    check_values(DotsAndBoxes(2, 2), 500, 5);
    check_values(DotsAndBoxes(1, 4), 500, 6);
    check_values(DotsAndBoxes(4, 1), 200, 7);
    check_values(DotsAndBoxes(2, 3), 1000, 8);
    check_values(DotsAndBoxes(3, 2), 500, 9);
    check_values(DotsAndBoxes(3, 3), 60, 10, 13);
    check_values(DotsAndBoxes(4, 4), 20, 11, 30);
    CHECK(DotsAndBoxes::fits(5, 5));
    CHECK(!DotsAndBoxes::fits(5, 6));
    CHECK(!DotsAndBoxes::fits(0, 3));
}
