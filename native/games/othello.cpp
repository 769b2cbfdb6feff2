#include "games/othello.hpp"

#include "games/factories.hpp"
#include "search/engines.hpp"

namespace zermelo {

std::unique_ptr<AnyGame> make_othello(Arguments a) {
    if (a.size() != 2 || !Othello::fits(a[0], a[1])) return nullptr;
    return erase(Othello(static_cast<unsigned>(a[0]), static_cast<unsigned>(a[1])));
}

}  // namespace zermelo
