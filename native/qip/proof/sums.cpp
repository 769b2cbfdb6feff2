#include "qip/proof/sums.hpp"

#include <algorithm>
#include <numeric>

namespace zermelo::qip::tabling {

std::uint32_t RowSums::number(std::span<const Weight> weights) {
    std::map<std::uint32_t, std::int64_t> total;
    std::int64_t divisor = 0;
    for (const auto& [row, multiplier] : weights) total[row] += multiplier;
    for (const auto& [row, multiplier] : total) divisor = std::gcd(divisor, multiplier);
    std::vector<std::int64_t> key;
    for (const auto& [row, multiplier] : total)
        key.insert(key.end(), {static_cast<std::int64_t>(row), multiplier / divisor});
    const auto [found, fresh] = known_.try_emplace(key, kNone);
    if (!fresh || sum_.size() == kMostSums) return found->second;

    Sum sum;
    std::map<std::uint32_t, std::int64_t> coefficient, least;  // of the sum; of its rows, each by itself
    auto left = std::int64_t{1} << 62;
    for (std::size_t k = 0; k < key.size(); k += 2) {
        const Weight weight{static_cast<std::uint32_t>(key[k]), key[k + 1]};
        sum.weight.push_back(weight);
        const auto fits = [&](std::int64_t number) {
            std::int64_t product;
            return !__builtin_mul_overflow(number, weight.multiplier, &product) && (left -= std::abs(product)) >= 0;
        };
        if (!fits(state_.right[weight.row])) return kNone;
        for (const auto& [v, a] : state_.terms(weight.row)) {
            if (!fits(a * std::max<std::int64_t>(1, state_.range[v]))) return kNone;
            coefficient[v] += weight.multiplier * a;
            least[v] += weight.multiplier * std::min<std::int64_t>(a * state_.range[v], 0);
        }
    }
    found->second = state_.rows() + size();
    std::int64_t lack = 0;
    for (auto v = coefficient.rbegin(); v != coefficient.rend(); ++v) {
        lack += least[v->first] - std::min<std::int64_t>(v->second * state_.range[v->first], 0);
        sum.variable.push_back(v->first);
        sum.coefficient.push_back(v->second);
        sum.lack.push_back(lack);
    }
    std::ranges::reverse(sum.variable);
    std::ranges::reverse(sum.coefficient);
    std::ranges::reverse(sum.lack);
    sum_.push_back(std::move(sum));
    return found->second;
}

std::int64_t RowSums::coefficient(std::uint32_t number, std::uint32_t variable) const {
    const auto& sum = sum_[number - state_.rows()];
    const auto found = std::ranges::lower_bound(sum.variable, variable);
    return found != sum.variable.end() && *found == variable
               ? sum.coefficient[static_cast<std::size_t>(found - sum.variable.begin())]
               : 0;
}

std::int64_t RowSums::spare(std::uint32_t number, std::uint32_t index) const {
    const auto& sum = sum_[number - state_.rows()];
    const auto next = std::ranges::lower_bound(sum.variable, index) - sum.variable.begin();
    auto spare = next < std::ssize(sum.lack) ? sum.lack[static_cast<std::size_t>(next)] : 0;
    for (const auto& [row, multiplier] : sum.weight) spare += multiplier * state_.spare[row];
    return spare;
}

}  // namespace zermelo::qip::tabling
