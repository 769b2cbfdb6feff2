// Sums of scored trees: thermographs, every variant of the search against trying everything, numbers of every width,
// limits.
#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "cgt/sums/solve.hpp"
#include "cgt/sums/thermograph.hpp"
#include "check.hpp"
#include "zermelo/random.hpp"

using namespace zermelo;
using namespace zermelo::cgt;
using namespace zermelo::cgt::sums;

namespace {

// Trees that are hot wherever they are not numbers, with the totals of forest.hpp when either side starts.
class Garden {
public:
    Problem problem;

    Garden() { problem.first_left = problem.first_right = {0}; }

    Id leaf(std::int64_t score) {
        const auto found = leaves_.find(score);
        if (found != leaves_.end()) return found->second;
        const Id made = add({}, {}, score);
        stops_.push_back({2 * score, 2 * score});
        leaves_.emplace(score, made);
        return made;
    }
    // A hot position, or none if a number would fit between the options.
    bool hot(const std::vector<Id>& left, const std::vector<Id>& right, Id& made) {
        std::int64_t l = 0, r = 0;
        for (std::size_t i = 0; i < left.size(); ++i)
            l = i ? std::max(l, stops_[left[i]].second + 1) : stops_[left[i]].second + 1;
        for (std::size_t i = 0; i < right.size(); ++i)
            r = i ? std::min(r, stops_[right[i]].first - 1) : stops_[right[i]].first - 1;
        if (l <= r) return false;
        made = add(left, right, 0);
        stops_.push_back({l, r});
        return true;
    }
    Id random_tree(Random& random, std::uint32_t depth, std::uint32_t options, std::uint32_t spread) {
        if (depth == 0 || random.below(6) == 0)
            return leaf(static_cast<std::int64_t>(random.below(2 * spread + 1)) - spread);
        for (;;) {
            std::vector<Id> sides[2];
            for (auto& side : sides)
                for (std::uint64_t i = 0, end = 1 + random.below(options); i < end; ++i) {
                    const Id option = random_tree(random, depth - 1, options, spread);
                    if (std::find(side.begin(), side.end(), option) == side.end()) side.push_back(option);
                }
            Id made = 0;
            if (hot(sides[0], sides[1], made)) return made;
        }
    }

private:
    Id add(const std::vector<Id>& left, const std::vector<Id>& right, std::int64_t score) {
        problem.number.emplace_back(score);
        problem.left.insert(problem.left.end(), left.begin(), left.end());
        problem.right.insert(problem.right.end(), right.begin(), right.end());
        problem.first_left.push_back(static_cast<std::uint32_t>(problem.left.size()));
        problem.first_right.push_back(static_cast<std::uint32_t>(problem.right.size()));
        return static_cast<Id>(problem.size() - 1);
    }

    std::map<std::int64_t, Id> leaves_;
    std::vector<std::pair<std::int64_t, std::int64_t>> stops_;  // with Left and with Right to start
};

// The total by trying everything.
class Plain {
public:
    explicit Plain(const Problem& problem) : problem_(problem) {}

    std::int64_t value(std::vector<Id> sum, bool left_moves) {
        std::int64_t numbers = 0;
        std::erase_if(sum, [&](Id p) {
            if (problem_.over(p)) numbers += 2 * problem_.number[p].small();
            return problem_.over(p);
        });
        std::sort(sum.begin(), sum.end());
        return numbers + hot(sum, left_moves);
    }

private:
    std::int64_t hot(const std::vector<Id>& sum, bool left_moves) {
        if (sum.empty()) return 0;
        const auto key = std::pair(sum, left_moves);
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        const auto& first = left_moves ? problem_.first_left : problem_.first_right;
        const auto& options = left_moves ? problem_.left : problem_.right;
        bool any = false;
        std::int64_t best = 0;
        for (std::size_t i = 0; i < sum.size(); ++i)
            for (std::uint32_t o = first[sum[i]]; o < first[sum[i] + 1]; ++o) {
                auto rest = sum;
                rest[i] = options[o];
                const std::int64_t worth = value(rest, !left_moves) + (left_moves ? 1 : -1);
                if (!any || (left_moves ? worth > best : worth < best)) best = worth;
                any = true;
            }
        known_.emplace(key, best);
        return best;
    }

    const Problem& problem_;
    std::map<std::pair<std::vector<Id>, bool>, std::int64_t> known_;
};

Result solved(const Problem& problem, const Parameters& parameters = {}) {
    Control control;
    return solve(problem, parameters, control);
}

void thermograph_of_a_switch_is_a_tent() {
    const auto five = Thermograph<std::int64_t>::over(5), minus = Thermograph<std::int64_t>::over(-5);
    const Thermograph<std::int64_t>*left[] = {&five}, *right[] = {&minus};
    const auto tent = thermograph_of<std::int64_t>(left, right, 0);
    CHECK(tent.mean() == 0 && tent.temperature() == 5);
    CHECK(tent.left(2) == 3 && tent.right(2) == -3 && tent.left(9) == 0);
    const auto six = Thermograph<std::int64_t>::over(6);
    const Thermograph<std::int64_t>* odd[] = {&six};
    bool thrown = false;
    try {
        thermograph_of<std::int64_t>(odd, right, 0);
    } catch (const Fraction&) {
        thrown = true;
    }
    CHECK(thrown);
}

void all_variants_find_the_value() {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        zermelo::testing::running_seed = seed;
        Random random(seed);
        Garden garden;
        for (std::uint64_t i = 0, end = 1 + random.below(4); i < end; ++i)
            garden.problem.components.push_back(garden.random_tree(random, 3, 2, 9));
        Plain plain(garden.problem);
        for (const Cut cut : {Cut::none, Cut::mean, Cut::tax})
            for (const Strike strike : {Strike::none, Strike::switches, Strike::all}) {
                Parameters parameters;
                parameters.cut = cut;
                parameters.strike = strike;
                parameters.strategies = cut == Cut::tax;
                const Result result = solved(garden.problem, parameters);
                for (const bool left : {true, false}) {
                    const Answer& answer = result.starter[left ? 0 : 1];
                    const Integer value(plain.value(garden.problem.components, left));
                    CHECK(answer.lower == value && answer.upper == value);
                    CHECK(answer.left.has_value() == parameters.strategies);
                    if (!answer.best_known) continue;
                    auto rest = garden.problem.components;
                    *std::find(rest.begin(), rest.end(), answer.from) = answer.to;
                    CHECK(Integer(plain.value(rest, !left) + (left ? 1 : -1)) == value);
                }
            }
        for (const Method method : {Method::berliner, Method::palay}) {
            Parameters parameters;
            parameters.method = method;
            const Result result = solved(garden.problem, parameters);
            for (const bool left : {true, false}) {
                const Answer& answer = result.starter[left ? 0 : 1];
                const Integer value(plain.value(garden.problem.components, left));
                CHECK(answer.lower <= value && value <= answer.upper);
            }
        }
    }
    zermelo::testing::running_seed.reset();
}

// Scores times a power of two: the same play, with 64 bits, 128 bits and more.
void numbers_of_every_width_agree() {
    Random random(7);
    Garden garden;
    for (int i = 0; i < 5; ++i) garden.problem.components.push_back(garden.random_tree(random, 2, 2, 20));
    const Result narrow = solved(garden.problem);
    CHECK(narrow.bits == 64);
    for (const auto& [shift, bits] : {std::pair{60u, 128u}, {200u, 0u}}) {
        Problem wide = garden.problem;
        for (auto& number : wide.number) number = number.shifted_left(shift);
        const Result result = solved(wide);
        CHECK(result.bits == bits);
        for (const int starter : {0, 1}) {
            const Integer &plain = narrow.starter[starter].lower, &shifted = result.starter[starter].lower;
            const auto score = [&](const Integer& value) {
                return (starter == 0 ? value : value + Integer(1)).shifted_right(1);
            };
            CHECK(score(shifted) == score(plain).shifted_left(shift) && shifted.odd() == plain.odd());
            CHECK(result.starter[starter].lower == result.starter[starter].upper);
        }
    }
}

void limits_leave_bounds_that_hold() {
    Random random(11);
    Garden garden;
    for (int i = 0; i < 12; ++i) garden.problem.components.push_back(garden.random_tree(random, 2, 2, 50));
    const Result exact = solved(garden.problem);
    for (const std::uint64_t nodes : {1u, 10u, 100u}) {
        Control control(0, nodes);
        const Result result = solve(garden.problem, {}, control);
        for (const int starter : {0, 1})
            CHECK(result.starter[starter].lower <= exact.starter[starter].lower &&
                  exact.starter[starter].upper <= result.starter[starter].upper);
    }
    Control small(0, 0, 1 << 16);
    solve(garden.problem, {}, small);
    CHECK(small.bytes() <= 1 << 16);
}

void wrong_problems_are_refused() {
    Garden garden;
    garden.problem.components = {garden.leaf(3)};
    Problem wrong = garden.problem;
    wrong.components = {7};
    bool thrown = false;
    try {
        check(wrong);
    } catch (const std::invalid_argument&) {
        thrown = true;
    }
    CHECK(thrown);
}

}  // namespace

int main() {
    thermograph_of_a_switch_is_a_tent();
    all_variants_find_the_value();
    numbers_of_every_width_agree();
    limits_leave_bounds_that_hold();
    wrong_problems_are_refused();
    std::puts("sums of scored trees: all checks hold");
}
