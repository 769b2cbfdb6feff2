#include "gdl/values/value_model.hpp"

#include <algorithm>

namespace zermelo::gdl {

namespace {

constexpr std::size_t kMostWeights = std::size_t{1} << 28;

void need(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

bool is_partition(const std::vector<std::uint32_t>& first, std::size_t parts, std::size_t end) {
    return first.size() == parts + 1 && first.front() == 0 && first.back() == end && std::ranges::is_sorted(first);
}

}  // namespace

void ValueModel::settle() {
    need(cell_of.size() == fluents && digit_of.size() == fluents, "a cell and a digit for each fluent");
    for (const auto size : cell_size) need(size >= 1 && size <= kMostWeights, "cells of at least one digit");
    for (std::size_t f = 0; f < fluents; ++f)
        need(cell_of[f] == kNoCell || (cell_of[f] < cell_size.size() && digit_of[f] < cell_size[cell_of[f]]),
             "fluents in cells that there are");
    need(is_partition(tuple_first, tuple_table.size(), tuple_cells.size()), "tuples one after the other");
    for (const auto cell : tuple_cells) need(cell < cell_size.size(), "tuples of cells that there are");
    need(is_partition(count_first, fluents, count_of.size()) && count_by.size() == count_of.size(),
         "counts of each fluent one after the other");
    for (const auto count : count_of) need(count < count_most.size(), "counts that there are");
    for (const auto most : count_most) need(most >= 1, "counts of a size from 1 on");
    for (const auto role : mobility) need(role < roles, "mobility of roles that there are");
    need(mobility_most >= 1 && outputs >= 1 && outputs <= roles, "as many outputs as roles, at most");
    need(role_output.size() == roles && role_against.size() == roles, "an output for each role");
    for (const auto output : role_output)
        need(output >= -1 && output < static_cast<std::int32_t>(outputs), "outputs that there are");
    need(context == kNoCell || context < cell_size.size(), "a context that is a cell");
    contexts = context == kNoCell ? 1 : cell_size[context];

    std::vector<std::size_t> size(tables, 0);
    for (std::size_t t = 0; t < tuples(); ++t) {
        need(tuple_table[t] < tables, "tables that there are");
        std::size_t product = outputs;
        for (auto i = tuple_first[t]; i < tuple_first[t + 1]; ++i) {
            product *= cell_size[tuple_cells[i]];
            need(product <= kMostWeights, "tables of at most 2^28 weights");
        }
        auto& known = size[tuple_table[t]];
        need(known == 0 || known == product, "tuples with one table have cells of the same sizes");
        known = product;
    }
    table_first.assign(1, 0);
    for (const auto one : size) table_first.push_back(table_first.back() + one);
    context_size = table_first.back() + all_counts() * outputs;
    need(context_size * contexts <= kMostWeights, "at most 2^28 weights");
    need(weights.size() == context_size * contexts, "a weight for each entry of each table");
}

}  // namespace zermelo::gdl
