#include "games/geography.hpp"

#include "games/factories.hpp"
#include "search/engines.hpp"

namespace zermelo {

std::unique_ptr<AnyGame> make_geography(GeographyData data) {
    data.check();
    auto [number, largest] = numbers_within(data.component);
    if (largest <= 64) return erase(Geography<1>(std::move(data), std::move(number)));
    if (largest <= 256) return erase(Geography<4>(std::move(data), std::move(number)));
    if (largest <= 1024) return erase(Geography<16>(std::move(data), std::move(number)));
    return nullptr;
}

}  // namespace zermelo
