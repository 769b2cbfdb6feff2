#include "games/treblecross.hpp"

#include "games/factories.hpp"
#include "search/engines.hpp"

namespace zermelo {

std::unique_ptr<AnyGame> make_treblecross(Arguments a) {
    if (a.size() != 1 || !Treblecross::fits(a[0])) return nullptr;
    return erase(Treblecross(static_cast<unsigned>(a[0])));
}

}  // namespace zermelo
