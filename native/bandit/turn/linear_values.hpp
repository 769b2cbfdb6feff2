// What positions are worth, told from a few of them: least squares on their fluents.
//
// Random games from a position tell its value with an error. Positions that differ in little differ little in value,
// so a linear model of the bits of a position, fitted to all of them, is closer to most values than the mean of the few
// games from each. What roles would have if the game ended there is a feature too: where goals are scores, the score.
// Ridge regression (Hoerl and Kennard 1970), by Cholesky's decomposition.
//
//     LinearValues model(lane);
//     model.fit(states, weights, means);         // means: for each state and role
//     model.values(others, rewards);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bandit/lane.hpp"

namespace zermelo::bandit {

// The values of a batch of positions, for each role; where they come from is nobody's concern. All that search needs of
// what was learnt elsewhere.
class Values {
public:
    virtual ~Values() = default;
    virtual void values(std::span<const std::uint64_t> states, std::span<double> rewards) const = 0;
};

class LinearValues final : public Values {
public:
    // The lane is asked for rewards; it must live as long as the model.
    explicit LinearValues(Lane& lane)
        : lane_(lane), words_(lane.words()), roles_(lane.roles()), mean_(roles_, 0.5), now_(roles_) {}

    // `weight` is how many observations are behind each mean.
    void fit(std::span<const std::uint64_t> states, std::span<const double> weight, std::span<const double> mean);
    void values(std::span<const std::uint64_t> states, std::span<double> rewards) const override;
    std::size_t features() const { return feature_.size(); }

private:
    struct Term {
        std::uint32_t feature;
        double value;
    };
    void choose_features(std::span<const std::uint64_t> states, std::span<const double> weight);
    void read(std::span<const std::uint64_t> state, std::vector<Term>& terms) const;
    bool decompose();
    void solve(std::span<double> right) const;

    Lane& lane_;
    std::size_t words_;
    std::uint32_t roles_;
    std::size_t size_ = 0;                // of the features: fluents, then what each role would have
    std::vector<std::uint32_t> feature_;  // fluents
    std::vector<std::uint32_t> number_;   // of each fluent, among the features
    std::vector<double> average_;         // of each feature
    std::vector<double> matrix_;          // then its lower factor
    std::vector<double> slope_;           // role by role
    std::vector<double> mean_;            // of each role; then less what the averages of features make of it
    mutable std::vector<double> now_;
};

}  // namespace zermelo::bandit
