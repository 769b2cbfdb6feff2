#include "games/dotsandboxes.hpp"

#include "games/factories.hpp"
#include "search/engines.hpp"

namespace zermelo {

std::unique_ptr<AnyGame> make_dotsandboxes(Arguments a) {
    if (a.size() != 2 || !DotsAndBoxes::fits(a[0], a[1])) return nullptr;
    return erase(DotsAndBoxes(static_cast<unsigned>(a[0]), static_cast<unsigned>(a[1])));
}

}  // namespace zermelo
