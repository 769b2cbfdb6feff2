// All positions of all components, prepared for search: numbered from the hottest down, with walls on one grid of
// taxes.
//
// The tempo is counted as a score. With scores whole and doubled, let every move earn its player 1: if Left starts, the
// total is then twice the score, plus 1 if he also moves last; if Right starts, twice the score, less 1 if he moves
// last. So one number orders first by score and then by who is to move at the end, the moves of a sum add up to it
// component by component, and every theorem on taxed games holds for it (a bonus is a tax below 0). All numbers here
// are such totals, times 2^scale, which makes the corners of all thermographs whole.
//
// Where Left is to move, for every tax t >= 0 and every component i he gets at least the sum of the right walls, with
// the left wall of i in place of its right one, and at most the sum of the left walls plus t (the thermostatic
// strategy: Berlekamp, Conway and Guy, Winning Ways, chapter 6; Yedwab 1985, theorem 5.3 with erratum 16). Right's case
// is the mirror image. At the highest temperature these are Hanner's bounds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "cgt/sums/problem.hpp"
#include "cgt/sums/thermograph.hpp"
#include "zermelo/control.hpp"

namespace zermelo::cgt::sums {

template <class T>
struct Forest {
    struct Option {
        Id to;                   // its number here
        std::uint32_t original;  // which option it was in the problem
        T gain;                  // what the total of the numbers wins by moving there
    };

    Id hot = 0;  // positions below are hot, hottest first; the others are numbers
    Id size = 0;
    unsigned scale = 0;
    T bonus{};                    // 2^scale; all totals are multiples of it
    T limit{};                    // more than any total
    std::vector<Id> original;     // position in the problem
    std::vector<Id> number_here;  // and back
    std::vector<T> number;        // of position hot + i
    std::vector<std::uint32_t> first_left, first_right;
    std::vector<Option> left, right;  // best first at the temperature of the position
    std::vector<T> mean, temperature;
    std::vector<std::uint32_t> height;  // moves that the longest play takes
    std::vector<std::uint32_t> reach;   // how many taxes of the grid are not above the temperature
    std::vector<T> taxes;               // the grid
    std::vector<T> above, below;  // how far the left wall is above the mean at each of them and the right wall below

    std::span<const Option> options(Id position, bool of_left) const {
        const auto& first = of_left ? first_left : first_right;
        const auto& all = of_left ? left : right;
        return std::span(all).subspan(first[position], first[position + 1] - first[position]);
    }
    bool is_hot(Id position) const { return position < hot; }
    // A switch between two numbers.
    bool is_plain(Id position) const {
        for (const bool of_left : {true, false})
            if (const auto own = options(position, of_left); own.size() != 1 || is_hot(own.front().to)) return false;
        return true;
    }
    const T& number_of(Id position) const { return number[position - hot]; }
    std::size_t grid() const { return taxes.size(); }
};

// Bounds hold at any taxes, so a long grid may be thinned out.
inline constexpr std::size_t kLongestGrid = 256;

template <class T>
class ForestBuilder {
public:
    ForestBuilder(const Problem& problem, unsigned scale, const Integer& limit, Control& control)
        : problem_(problem), control_(control) {
        forest_.scale = scale;
        forest_.bonus = doubled(T(1), scale);
        forest_.limit = NumberOf<T>::from(limit);
    }

    Forest<T> build() {
        draw();
        number_positions();
        copy_options();
        lay_grid();
        return std::move(forest_);
    }

private:
    T leaf(Id position) const { return doubled(NumberOf<T>::from(problem_.number[position]), forest_.scale + 1); }

    void draw() {
        const std::size_t count = problem_.size();
        control_.charge(
            static_cast<std::int64_t>(count * (sizeof(Thermograph<T>) + 3 * sizeof(typename Thermograph<T>::Corner))));
        graphs_.resize(count);
        height_.resize(count);
        std::vector<const Thermograph<T>*> sides[2];
        for (Id p = 0; p < count; ++p) {
            look(p);
            if (problem_.over(p)) {
                graphs_[p] = Thermograph<T>::over(leaf(p));
                continue;
            }
            for (auto& side : sides) side.clear();
            for (const bool of_left : {true, false})
                for (const Id option : options(p, of_left)) {
                    sides[of_left ? 0 : 1].push_back(&graphs_[option]);
                    height_[p] = std::max(height_[p], height_[option] + 1);
                }
            graphs_[p] = thermograph_of<T>(sides[0], sides[1], forest_.bonus);
        }
    }

    // Preparing is no search: it looks at the limits without counting nodes.
    void look(Id done) {
        if (done % 256 == 0) control_.check();
    }

    std::span<const Id> options(Id p, bool of_left) const {
        const auto& first = of_left ? problem_.first_left : problem_.first_right;
        return std::span(of_left ? problem_.left : problem_.right).subspan(first[p], first[p + 1] - first[p]);
    }

    void number_positions() {
        auto& order = forest_.original;
        order.resize(problem_.size());
        std::iota(order.begin(), order.end(), Id{0});
        std::stable_sort(order.begin(), order.end(), [&](Id a, Id b) {
            if (problem_.over(a) != problem_.over(b)) return problem_.over(b);
            if (problem_.over(a)) return false;
            return graphs_[a].temperature() > graphs_[b].temperature();
        });
        forest_.size = static_cast<Id>(order.size());
        forest_.number_here.resize(order.size());
        for (Id here = 0; here < forest_.size; ++here) {
            const Id p = order[here];
            forest_.number_here[p] = here;
            forest_.mean.push_back(graphs_[p].mean());
            forest_.temperature.push_back(graphs_[p].temperature());
            forest_.height.push_back(height_[p]);
            if (problem_.over(p)) forest_.number.push_back(leaf(p));
            else forest_.hot = here + 1;
        }
    }

    void copy_options() {
        for (const bool of_left : {true, false}) {
            auto& first = of_left ? forest_.first_left : forest_.first_right;
            auto& all = of_left ? forest_.left : forest_.right;
            for (Id here = 0; here < forest_.hot; ++here) {
                first.push_back(static_cast<std::uint32_t>(all.size()));
                const Id p = forest_.original[here];
                const T& tax = forest_.temperature[here];
                const auto given = options(p, of_left);
                std::vector<std::uint32_t> best(given.size());
                std::iota(best.begin(), best.end(), 0u);
                std::stable_sort(best.begin(), best.end(), [&](std::uint32_t a, std::uint32_t b) {
                    const auto &one = graphs_[given[a]], &other = graphs_[given[b]];
                    return of_left ? one.right(tax) > other.right(tax) : one.left(tax) < other.left(tax);
                });
                for (const auto index : best) {
                    const Id option = given[index];
                    T gain = of_left ? forest_.bonus : T(0) - forest_.bonus;
                    if (problem_.over(option)) gain = gain + leaf(option);
                    all.push_back({forest_.number_here[option], index, gain});
                }
            }
            first.push_back(static_cast<std::uint32_t>(all.size()));
        }
    }

    void lay_grid() {
        auto& taxes = forest_.taxes;
        for (const auto& graph : graphs_)
            for (const auto& corner : graph.corners) taxes.push_back(corner.tax);
        taxes.push_back(T(0));
        std::sort(taxes.begin(), taxes.end());
        taxes.erase(std::unique(taxes.begin(), taxes.end()), taxes.end());
        if (taxes.size() > kLongestGrid) {
            std::vector<T> kept;
            for (std::size_t i = 0; i < kLongestGrid; ++i)
                kept.push_back(taxes[i * (taxes.size() - 1) / (kLongestGrid - 1)]);
            taxes = std::move(kept);
        }
        const std::size_t cells = static_cast<std::size_t>(forest_.hot) * taxes.size();
        control_.charge(static_cast<std::int64_t>(2 * cells * sizeof(T)));
        forest_.above.reserve(cells);
        forest_.below.reserve(cells);
        for (Id here = 0; here < forest_.hot; ++here) {
            look(here);
            const auto& graph = graphs_[forest_.original[here]];
            const auto end = std::upper_bound(taxes.begin(), taxes.end(), graph.temperature());
            forest_.reach.push_back(static_cast<std::uint32_t>(end - taxes.begin()));
            for (const T& tax : taxes) {
                forest_.above.push_back(graph.left(tax) - graph.mean());
                forest_.below.push_back(graph.mean() - graph.right(tax));
            }
        }
    }

    const Problem& problem_;
    Control& control_;
    Forest<T> forest_;
    std::vector<Thermograph<T>> graphs_;
    std::vector<std::uint32_t> height_;
};

}  // namespace zermelo::cgt::sums
