#include "cgt/sums/problem.hpp"

#include <stdexcept>

namespace zermelo::cgt::sums {

void check(const Problem& problem) {
    const auto need = [](bool condition, const char* message) {
        if (!condition) throw std::invalid_argument(message);
    };
    const std::size_t count = problem.size();
    need(count < 0x7fffffffu, "fewer than 2^31 positions");
    need(problem.first_left.size() == count + 1 && problem.first_right.size() == count + 1,
         "a beginning for the options of each position");
    for (const bool of_left : {true, false}) {
        const auto& first = of_left ? problem.first_left : problem.first_right;
        const auto& options = of_left ? problem.left : problem.right;
        need(first.front() == 0 && first.back() == options.size(),
             "options that begin at the first and end at the last");
        for (Id p = 0; p < count; ++p) {
            need(first[p] <= first[p + 1], "options in the order of positions");
            for (std::uint32_t i = first[p]; i < first[p + 1]; ++i)
                need(options[i] < p, "options before what they are options of");
        }
    }
    for (Id p = 0; p < count; ++p)
        need(problem.over(p) == (problem.first_right[p] == problem.first_right[p + 1]),
             "options on both sides or on none");
    for (const Id component : problem.components) need(component < count, "components that are positions");
    need(problem.copies.empty() || problem.copies.size() == problem.components.size(),
         "a number of copies for each component");
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < problem.components.size(); ++i) all += problem.copies_of(i);
    need(all <= 0xffffffffu, "fewer than 2^32 components");
}

}  // namespace zermelo::cgt::sums
