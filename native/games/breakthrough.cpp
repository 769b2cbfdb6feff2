#include "games/breakthrough.hpp"

#include "games/factories.hpp"
#include "search/engines.hpp"

namespace zermelo {

std::unique_ptr<AnyGame> make_breakthrough(Arguments a) {
    if (a.size() != 3 || !Breakthrough::fits(a[0], a[1], a[2])) return nullptr;
    return erase_hot(
        Breakthrough(static_cast<unsigned>(a[0]), static_cast<unsigned>(a[1]), static_cast<unsigned>(a[2])));
}

}  // namespace zermelo
