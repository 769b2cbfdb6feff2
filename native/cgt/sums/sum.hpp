// A sum under way: its hot components, hottest first, equal ones counted, and everything about it that can be kept up
// to date move by move.
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

// Where a bound comes from: which tax of the grid (none: the highest temperature), and the component that its strategy
// opens.
struct Witness {
    std::uint32_t tax = kHighest;
    Id opens = 0;
    static constexpr std::uint32_t kHighest = ~std::uint32_t{0};
};

template <class T>
class Sum {
public:
    explicit Sum(const Forest<T>& forest)
        : forest_(&forest), above_(forest.grid(), T(0)), below_(forest.grid(), T(0)), widest_(forest.grid(), T(0)) {}

    std::span<const Part> hot() const { return hot_; }
    Id hottest() const { return hot_.front().kind; }
    bool over() const { return hot_.empty(); }
    std::uint64_t hash() const { return hash_; }
    std::uint64_t height() const { return height_; }

    void clear() {
        hot_.clear();
        std::fill(above_.begin(), above_.end(), T(0));
        std::fill(below_.begin(), below_.end(), T(0));
        mean_ = T(0);
        hash_ = 0;
        height_ = 0;
    }
    void put(Id component, std::uint32_t copies = 1) {
        if (!forest_->is_hot(component)) return;
        const auto at = place(component);
        if (at != hot_.end() && at->kind == component) at->count += copies;
        else hot_.insert(at, {component, copies});
        const T *up = row(forest_->above, component), *down = row(forest_->below, component);
        for (std::size_t k = 0, end = forest_->reach[component]; k < end; ++k) {
            above_[k] = above_[k] + multiple(up[k], copies);
            below_[k] = below_[k] + multiple(down[k], copies);
        }
        mean_ = mean_ + multiple(forest_->mean[component], copies);
        hash_ += mark(component) * copies;
        height_ += std::uint64_t{forest_->height[component]} * copies;
    }
    void take(Id component) {
        if (!forest_->is_hot(component)) return;
        const auto at = place(component);
        if (--at->count == 0) hot_.erase(at);
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
        const T& highest = forest_->temperature[hottest()];
        return left_moves ? rounded(mean_, mean_ + highest) : rounded(mean_ - highest, mean_);
    }

    // Thermostatic bounds at all taxes of the grid, and at the highest temperature. Of a sum that is not over.
    Range<T> by_tax(bool left_moves) {
        const std::size_t end = forest_->reach[hottest()];
        const auto& waits = left_moves ? above_ : below_;
        const auto& moves = left_moves ? below_ : above_;
        going_rate_ = end - 1;
        T loses = forest_->temperature[hottest()];  // what waiting for the other to move may cost
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
        Witness found{Witness::kHighest, hottest()};
        T wins(0);
        for (const auto& [component, count] : hot_) {
            const T *up = row(forest_->above, component), *down = row(forest_->below, component);
            for (std::uint32_t k = 0; k < forest_->reach[component]; ++k)
                if (const T at = up[k] + down[k] - moves[k]; at > wins) wins = at, found = {k, component};
        }
        return found;
    }
    // How the other holds him to it.
    Witness waiter_witness(bool left_moves) const {
        const auto& waits = left_moves ? above_ : below_;
        Witness found{Witness::kHighest, hottest()};
        T loses = forest_->temperature[hottest()];
        for (std::uint32_t k = 0; k < forest_->reach[hottest()]; ++k)
            if (const T at = waits[k] + forest_->taxes[k]; at < loses) loses = at, found.tax = k;
        return found;
    }

private:
    std::vector<Part>::iterator place(Id component) {
        return std::lower_bound(hot_.begin(), hot_.end(), component,
                                [](const Part& part, Id kind) { return part.kind < kind; });
    }
    const T* row(const std::vector<T>& walls, Id component) const {
        return walls.data() + static_cast<std::size_t>(component) * forest_->grid();
    }

    // Every total is a multiple of the bonus.
    Range<T> rounded(const T& lower, const T& upper) const {
        return {rounded_up(lower, forest_->scale), rounded_down(upper, forest_->scale)};
    }

    void widths() {
        std::fill_n(widest_.begin(), forest_->reach[hottest()], T(0));
        for (const auto& [component, count] : hot_) {
            const T *up = row(forest_->above, component), *down = row(forest_->below, component);
            for (std::size_t k = 0, end = forest_->reach[component]; k < end; ++k)
                if (const T width = up[k] + down[k]; width > widest_[k]) widest_[k] = width;
        }
    }

    const Forest<T>* forest_;
    std::vector<Part> hot_;
    std::vector<T> above_, below_, widest_;
    T mean_{};
    std::uint64_t hash_ = 0;
    std::uint64_t height_ = 0;
    std::size_t going_rate_ = 0;
};

}  // namespace zermelo::cgt::sums
