#include "games/heaps.hpp"

#include <functional>

#include "games/factories.hpp"
#include "search/engines.hpp"

namespace zermelo {

namespace {

bool all_within(Arguments a, std::int64_t least, std::int64_t most) {
    return std::all_of(a.begin(), a.end(), [&](auto x) { return least <= x && x <= most; });
}

template <std::size_t N>
std::array<std::uint32_t, N> sizes_of(Arguments a) {
    std::array<std::uint32_t, N> sizes{};
    std::transform(a.begin(), a.end(), sizes.begin(), [](auto x) { return static_cast<std::uint32_t>(x); });
    return sizes;
}

}  // namespace

std::unique_ptr<AnyGame> make_nim(Arguments a) {
    if (a.empty() || a.size() > 8 || !all_within(a, 0, Nim<8>::kMostTaken)) return nullptr;
    return erase(Nim<8>(sizes_of<8>(a)));
}

std::unique_ptr<AnyGame> make_wythoff(Arguments a) {
    if (a.size() != 2 || !all_within(a, 0, Wythoff::kMostTaken)) return nullptr;
    return erase(Wythoff(sizes_of<2>(a)));
}

std::unique_ptr<AnyGame> make_subtraction(Arguments a) {
    if (a.size() < 2 || !all_within(a, 0, 0x7fffffff)) return nullptr;
    const auto takes = a.subspan(1);
    if (takes.front() < 1 || std::adjacent_find(takes.begin(), takes.end(), std::greater_equal<>()) != takes.end())
        return nullptr;
    return erase(Subtraction(static_cast<std::uint32_t>(a[0]), {takes.begin(), takes.end()}));
}

std::unique_ptr<AnyGame> make_coins(Arguments a) {
    if (a.size() > 0x7fffffff) return nullptr;
    std::vector<std::uint32_t> alike{0};
    for (auto i = a.size(); i-- > 0;) alike.push_back(i + 1 < a.size() && a[i] == a[i + 1] ? alike.back() + 1 : 1);
    return erase(Coins(std::move(alike)));
}

}  // namespace zermelo
