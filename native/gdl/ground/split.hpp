// Taking a rule apart when it would have too many instances.
//
// Variables that occur in one part of a body only multiply the instances of the whole. As in the decomposition of
// joins and of rules for grounders (Bichler, Morak and Woltran, "lpopt", 2016), such a part becomes a rule of its own,
// its head an auxiliary atom over the variables the part shares with the rest:
//
//     next(cell x y p) :- true(cell x y p), does(r, move a b c d), differs(x y a b).
//  -> next(cell x y p) :- true(cell x y p), still(x y).      still(x y) :- does(r, move a b c d), differs(x y a b).
//
// Whether and where to cut is decided by the sizes of the relations, which are known: a cheap formula ranks the cuts,
// random walks through the joins (Li et al., "Wander Join", 2016) confirm the choice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gdl/datalog/datalog.hpp"
#include "gdl/datalog/meter.hpp"

namespace zermelo::gdl {

struct Cut {
    Rule part;                            // its head is not set, only head_variables
    std::vector<std::uint32_t> replaced;  // literals of the rule that the part's head stands for
};

class Splitter {
public:
    Splitter(Datalog& sheet, Meter& meter) : sheet_(sheet), meter_(meter) {}

    // Replaces what concerns only variables of static relations by a static relation without them: they would only
    // repeat ground rules.
    void project_statics(Rule& rule);
    // The cut that saves most, if one saves enough.
    std::optional<Cut> best_cut(const Rule& rule);

private:
    struct Option {
        Cut cut;
        double part = 0, rest = 0;  // expected literals
    };

    static std::vector<std::vector<std::uint32_t>> choices(const Rule& rule);
    std::optional<Option> weigh(const Rule& rule, const std::vector<bool>& inside);
    double values_of(const Rule& rule, std::uint32_t variable) const;
    // Positive literals outside `inside` as filters over the variables shared with it.
    void add_guards(const Rule& rule, const std::vector<bool>& inside, Rule& part);
    std::uint32_t projection(std::uint32_t view, const std::vector<std::uint32_t>& columns);
    double formula(const Rule& rule) const;
    double sampled(const Rule& rule);
    std::uint64_t random() {
        seed_ ^= seed_ << 13;
        seed_ ^= seed_ >> 7;
        seed_ ^= seed_ << 17;
        return seed_;
    }

    Datalog& sheet_;
    Meter& meter_;
    std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> projections_;
    std::uint64_t seed_ = 0x2545f4914f6cdd1d;
};

}  // namespace zermelo::gdl
