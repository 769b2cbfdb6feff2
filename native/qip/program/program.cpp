#include "qip/program/program.hpp"

#include <stdexcept>

namespace zermelo::qip {

void check(const Program& program) {
    const auto n = program.variables();
    const auto need = [](bool holds, const char* what) {
        if (!holds) throw std::invalid_argument(what);
    };
    need(program.integer.size() == n && program.lower.size() == n && program.upper.size() == n,
         "one entry for each variable");
    need(program.rows() >= 1 && program.uncertainty < program.rows(), "row 0 is the objective");
    need(program.first.size() == program.rows() + std::size_t{1} && program.first.front() == 0 &&
             program.first.back() == program.term.size(),
         "rows cover all terms");
    for (std::uint32_t r = 0; r < program.rows(); ++r) {
        need(program.first[r] <= program.first[r + 1], "rows follow each other");
        std::int64_t last = -1;
        for (const auto& term : program.terms(r)) {
            need(term.variable < n && term.variable > last, "terms are in the order of the prefix");
            need(term.coefficient != 0, "no coefficient is zero");
            need(r < program.first_uncertain() || !program.exists[term.variable],
                 "rows of the universal player hold his variables");
            last = term.variable;
        }
    }
}

}  // namespace zermelo::qip
