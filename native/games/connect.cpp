#include "games/connect.hpp"

#include "games/factories.hpp"
#include "search/engines.hpp"

namespace zermelo {

std::unique_ptr<AnyGame> make_connect(Arguments a) {
    if (a.size() != 3 || a[0] < 1 || a[1] < 1 || a[2] < 1 || !Connect<2>::fits(a[0], a[1])) return nullptr;
    const auto rows = static_cast<unsigned>(a[0]), columns = static_cast<unsigned>(a[1]);
    // A line longer than both sides is one too long, however much.
    const auto k = static_cast<unsigned>(std::min(a[2], std::max(a[0], a[1]) + 1));
    if (Connect<1>::fits(a[0], a[1])) return erase_hot(Connect<1>(rows, columns, k));
    return erase(Connect<2>(rows, columns, k));
}

}  // namespace zermelo
