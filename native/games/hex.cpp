#include "games/hex.hpp"

#include "games/factories.hpp"
#include "search/engines.hpp"

namespace zermelo {

std::unique_ptr<AnyGame> make_hex(Arguments a) {
    if (a.size() != 1 || !Hex<6>::fits(a[0])) return nullptr;
    const auto size = static_cast<unsigned>(a[0]);
    if (Hex<1>::fits(a[0])) return erase_hot(Hex<1>(size));
    if (Hex<2>::fits(a[0])) return erase(Hex<2>(size));
    return erase(Hex<6>(size));
}

}  // namespace zermelo
