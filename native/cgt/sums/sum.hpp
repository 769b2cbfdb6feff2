// A sum under way: its hot components, hottest first, and everything about it that can be kept up to date move by move.
//
// Values are relative to the numbers among the components, which therefore do not appear here at all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cgt/sums/forest.hpp"

namespace zermelo::cgt::sums {

template <class T>
struct Range {
    T lower, upper;
};

// Where a bound comes from: which tax of the grid (none: the highest temperature), and the component that its strategy opens.
struct Witness {
    std::uint32_t tax = kHighest;
    Id opens = 0;
    static constexpr std::uint32_t kHighest = ~std::uint32_t{0};
};

template <class T>
class Sum {
public:
    explicit Sum(const Forest<T>& forest) : forest_(&forest), above_(forest.grid(), T(0)), below_(forest.grid(), T(0)), widest_(forest.grid(), T(0)) {}

    std::span<const Id> hot() const { return hot_; }
    bool over() const { return hot_.empty(); }
    std::uint64_t hash() const { return hash_; }
    std::uint32_t height() const { return height_; }

    void clear() {
        hot_.clear();
        std::fill(above_.begin(), above_.end(), T(0));
        std::fill(below_.begin(), below_.end(), T(0));
        mean_ = T(0);
        hash_ = 0;
        height_ = 0;
    }
    void put(Id component) {
        if (!forest_->is_hot(component)) return;
        hot_.insert(std::upper_bound(hot_.begin(), hot_.end(), component), component);
        const T *up = row(forest_->above, component), *down = row(forest_->below, component);
        for (std::size_t k = 0, end = forest_->reach[component]; k < end; ++k) {
            above_[k] = above_[k] + up[k];
            below_[k] = below_[k] + down[k];
        }
        mean_ = mean_ + forest_->mean[component];
        hash_ += mark(component);
        height_ += forest_->height[component];
    }
    void take(Id component) {
        if (!forest_->is_hot(component)) return;
        hot_.erase(std::lower_bound(hot_.begin(), hot_.end(), component));
        const T *up = row(forest_->above, component), *down = row(forest_->below, component);
        for (std::size_t k = 0, end = forest_->reach[component]; k < end; ++k) {
            above_[k] = above_[k] - up[k];
            below_[k] = below_[k] - down[k];
        }
        mean_ = mean_ - forest_->mean[component];
        hash_ -= mark(component);
        height_ -= forest_->height[component];
    }
    void replace(Id from, Id to) {
        take(from);
        put(to);
    }

    // Hanner's bounds: the mean strategy at the highest temperature. Of a sum that is not over.
    Range<T> by_mean(bool left_moves) const {
        const T& highest = forest_->temperature[hot_.front()];
        return left_moves ? rounded(mean_, mean_ + highest) : rounded(mean_ - highest, mean_);
    }

    // Thermostatic bounds at all taxes of the grid, and at the highest temperature. Of a sum that is not over.
    Range<T> by_tax(bool left_moves) {
        const std::size_t end = forest_->reach[hot_.front()];
        const auto& waits = left_moves ? above_ : below_;
        const auto& moves = left_moves ? below_ : above_;
        going_rate_ = end - 1;
        T loses = forest_->temperature[hot_.front()];  // what waiting for the other to move may cost
        for (std::size_t k = 0; k < end; ++k) {
            const T at = waits[k] + forest_->taxes[k];
            if (at < loses) loses = at, going_rate_ = k;
        }
        T wins(0);
        widths();
        for (std::size_t k = 0; k < end; ++k) {
            const T at = widest_[k] - moves[k];
            if (at > wins) wins = at;
        }
        return left_moves ? rounded(mean_ + wins, mean_ + loses) : rounded(mean_ - loses, mean_ - wins);
    }

    // The tax at which by_tax found the bound for the one who waits: about what a move is worth here.
    std::size_t going_rate() const { return going_rate_; }

    // How the mover gets what by_tax promises him.
    Witness mover_witness(bool left_moves) const {
        const auto& moves = left_moves ? below_ : above_;
        Witness found{Witness::kHighest, hot_.front()};
        T wins(0);
        for (const Id component : hot_) {
            const T *up = row(forest_->above, component), *down = row(forest_->below, component);
            for (std::uint32_t k = 0; k < forest_->reach[component]; ++k)
                if (const T at = up[k] + down[k] - moves[k]; at > wins) wins = at, found = {k, component};
        }
        return found;
    }
    // How the other holds him to it.
    Witness waiter_witness(bool left_moves) const {
        const auto& waits = left_moves ? above_ : below_;
        Witness found{Witness::kHighest, hot_.front()};
        T loses = forest_->temperature[hot_.front()];
        for (std::uint32_t k = 0; k < forest_->reach[hot_.front()]; ++k)
            if (const T at = waits[k] + forest_->taxes[k]; at < loses) loses = at, found.tax = k;
        return found;
    }

private:
    const T* row(const std::vector<T>& walls, Id component) const { return walls.data() + static_cast<std::size_t>(component) * forest_->grid(); }

    // Every total is a multiple of the bonus.
    Range<T> rounded(const T& lower, const T& upper) const { return {rounded_up(lower, forest_->scale), rounded_down(upper, forest_->scale)}; }

    void widths() {
        std::fill_n(widest_.begin(), forest_->reach[hot_.front()], T(0));
        Id last = ~Id{0};
        for (const Id component : hot_) {
            if (component == last) continue;
            last = component;
            const T *up = row(forest_->above, component), *down = row(forest_->below, component);
            for (std::size_t k = 0, end = forest_->reach[component]; k < end; ++k)
                if (const T width = up[k] + down[k]; width > widest_[k]) widest_[k] = width;
        }
    }

    const Forest<T>* forest_;
    std::vector<Id> hot_;
    std::vector<T> above_, below_, widest_;
    T mean_{};
    std::uint64_t hash_ = 0;
    std::uint32_t height_ = 0;
    std::size_t going_rate_ = 0;
};

}  // namespace zermelo::cgt::sums
