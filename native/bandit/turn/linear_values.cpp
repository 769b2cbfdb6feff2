#include "bandit/turn/linear_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace zermelo::bandit {

namespace {

constexpr std::size_t kMostFeatures = 160;  // the decomposition takes their cube
constexpr std::uint32_t kNoFeature = 0xffffffffu;
constexpr double kNowScale = 20;  // what a role would have is trusted sooner than any fluent
constexpr double kRidge = 2;      // observations that say that a fluent does not matter

}  // namespace

// The fluents that vary most.
void LinearValues::choose_features(std::span<const std::uint64_t> states, std::span<const double> weight) {
    std::vector<double> held(64 * words_, 0);
    double all = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        all += weight[i];
        for (std::size_t w = 0; w < words_; ++w)
            for (auto bits = states[i * words_ + w]; bits != 0; bits &= bits - 1)
                held[64 * w + static_cast<std::size_t>(std::countr_zero(bits))] += weight[i];
    }
    feature_.clear();
    for (std::uint32_t f = 0; f < held.size(); ++f) {
        held[f] /= all;
        if (held[f] > 0 && held[f] < 1) feature_.push_back(f);
    }
    if (feature_.size() > kMostFeatures) {
        const auto varies_more = [&](std::uint32_t a, std::uint32_t b) {
            return held[a] * (1 - held[a]) > held[b] * (1 - held[b]);
        };
        std::ranges::nth_element(feature_, feature_.begin() + kMostFeatures, varies_more);
        feature_.resize(kMostFeatures);
    }
    number_.assign(held.size(), kNoFeature);
    for (std::uint32_t i = 0; i < feature_.size(); ++i) number_[feature_[i]] = i;
}

void LinearValues::read(std::span<const std::uint64_t> state, std::vector<Term>& terms) const {
    terms.clear();
    for (std::size_t w = 0; w < words_; ++w)
        for (auto bits = state[w]; bits != 0; bits &= bits - 1)
            if (const auto i = number_[64 * w + static_cast<std::size_t>(std::countr_zero(bits))]; i != kNoFeature)
                terms.push_back({i, 1});
    lane_.rewards_now(state, now_);
    for (std::uint32_t role = 0; role < roles_; ++role)
        if (role != lane_.chance())
            terms.push_back({static_cast<std::uint32_t>(feature_.size()) + role, kNowScale * now_[role]});
}

void LinearValues::fit(std::span<const std::uint64_t> states, std::span<const double> weight,
                       std::span<const double> mean) {
    choose_features(states, weight);
    size_ = feature_.size() + roles_;
    const auto size = size_;
    double all = 0;
    mean_.assign(roles_, 0);
    for (std::size_t i = 0; i < weight.size(); ++i) {
        all += weight[i];
        for (std::uint32_t role = 0; role < roles_; ++role) mean_[role] += weight[i] * mean[i * roles_ + role];
    }
    for (auto& value : mean_) value /= all;
    // Sums over centred features: those over all features, which are sparse, less what the averages make of them.
    matrix_.assign(size * size, 0);
    slope_.assign(size * roles_, 0);
    average_.assign(size, 0);
    std::vector<Term> terms;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        read(states.subspan(i * words_, words_), terms);
        for (const auto& [a, x] : terms) {
            average_[a] += weight[i] * x / all;
            for (const auto& [b, y] : terms) matrix_[a * size + b] += weight[i] * x * y;
            for (std::uint32_t role = 0; role < roles_; ++role)
                slope_[role * size + a] += weight[i] * x * (mean[i * roles_ + role] - mean_[role]);
        }
    }
    for (std::size_t a = 0; a < size; ++a) {
        for (std::size_t b = 0; b < size; ++b) matrix_[a * size + b] -= all * average_[a] * average_[b];
        matrix_[a * size + a] += kRidge;
    }
    if (!decompose()) {
        std::ranges::fill(slope_, 0);
        return;
    }
    for (std::uint32_t role = 0; role < roles_; ++role) {
        solve(std::span(slope_).subspan(role * size, size));
        for (std::size_t f = 0; f < size; ++f) mean_[role] -= average_[f] * slope_[role * size + f];
    }
}

// matrix = lower * lower'.
bool LinearValues::decompose() {
    const auto size = size_;
    for (std::size_t j = 0; j < size; ++j)
        for (std::size_t i = j; i < size; ++i) {
            const auto *row = &matrix_[i * size], *other = &matrix_[j * size];
            double sum = row[j];
            for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
            if (i > j) matrix_[i * size + j] = sum / other[j];
            else if (sum <= 0) return false;
            else matrix_[i * size + j] = std::sqrt(sum);
        }
    return true;
}

void LinearValues::solve(std::span<double> right) const {
    const auto size = right.size();
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < i; ++k) right[i] -= matrix_[i * size + k] * right[k];
        right[i] /= matrix_[i * size + i];
    }
    for (auto i = size; i-- > 0;) {
        for (auto k = i + 1; k < size; ++k) right[i] -= matrix_[k * size + i] * right[k];
        right[i] /= matrix_[i * size + i];
    }
}

void LinearValues::values(std::span<const std::uint64_t> states, std::span<double> rewards) const {
    std::vector<Term> terms;
    for (std::size_t i = 0; i * roles_ < rewards.size(); ++i) {
        const auto out = rewards.subspan(i * roles_, roles_);
        std::copy(mean_.begin(), mean_.end(), out.begin());
        if (size_ == 0) continue;
        read(states.subspan(i * words_, words_), terms);
        for (std::uint32_t role = 0; role < roles_; ++role)
            for (const auto& [f, x] : terms) out[role] += x * slope_[role * size_ + f];
    }
}

}  // namespace zermelo::bandit
