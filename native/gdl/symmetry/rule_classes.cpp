#include "gdl/symmetry/rule_classes.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace zermelo::gdl {

namespace {

using Row = std::vector<std::uint32_t>;

void make_set(Row& row) {
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
}

struct RowHash {
    std::size_t operator()(const Row& row) const {
        std::uint64_t hash = 0x9e3779b97f4a7c15u;
        for (const auto entry : row) hash = (hash ^ entry) * 0xff51afd7ed558ccdu, hash ^= hash >> 29;
        return static_cast<std::size_t>(hash);
    }
};

// Rows numbered in the order of their first coming; compared in full.
class Numbers {
public:
    std::uint32_t of(const Row& row) {
        const auto [at, fresh] = known_.try_emplace(row, static_cast<std::uint32_t>(rows_.size()));
        if (fresh) rows_.push_back(&at->first);
        return at->second;
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
    std::vector<Row> rows() const {
        std::vector<Row> copies;
        for (const auto* row : rows_) copies.push_back(*row);
        return copies;
    }

private:
    std::unordered_map<Row, std::uint32_t, RowHash> known_;
    std::vector<const Row*> rows_;
};

}  // namespace

RuleClasses rule_classes(const RuleList& rules, std::uint32_t inputs, std::uint32_t opaque, Control& control) {
    const auto first = inputs + (rules.atoms - opaque);  // the number of the first class that is not of one atom
    RuleClasses result;
    auto& of_atom = result.of_atom;
    of_atom.assign(rules.atoms, first);
    std::iota(of_atom.begin(), of_atom.begin() + inputs, 0u);
    std::iota(of_atom.begin() + opaque, of_atom.end(), inputs);
    std::vector<Row> of_head(rules.atoms);
    for (std::uint32_t rule = 0; rule < rules.head.size(); ++rule) of_head[rules.head[rule]].push_back(rule);
    result.body_of_rule.resize(rules.head.size());
    // Atoms of one class stay together while they have the same bodies in terms of the classes so far. Classes have
    // numbers by their first atoms, so those of a round that changes nothing are those of the round before.
    for (result.classes = 0;;) {
        Numbers bodies, definitions;
        Row row;
        for (std::size_t rule = 0; rule < rules.head.size(); ++rule) {
            row.clear();
            for (auto at = rules.first_literal[rule]; at < rules.first_literal[rule + 1]; ++at)
                row.push_back(2 * of_atom[rules.body[at] >> 1] + (rules.body[at] & 1));
            make_set(row);
            result.body_of_rule[rule] = bodies.of(row);
            control.tick();
        }
        for (auto atom = inputs; atom < opaque; ++atom) {
            row.clear();
            for (const auto rule : of_head[atom]) row.push_back(result.body_of_rule[rule]);
            make_set(row);
            row.push_back(of_atom[atom]);
            of_atom[atom] = first + definitions.of(row);
            control.tick();
        }
        const auto classes = first + definitions.size();
        if (classes == result.classes) {
            result.bodies = bodies.rows();
            return result;
        }
        result.classes = classes;
    }
}

}  // namespace zermelo::gdl
