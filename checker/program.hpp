// Quantified programs (docs/formats/qlp.md): who sets which variable in which order, rows that are upper bounds, and
// the two kinds of proofs that certificates make of them (docs/certificates.md, docs/why-certificates-hold.md).
//
// Row 0 is the objective, then come those of the text, an equation as two rows, `<=` before `>=`; the rows of `forall`
// are counted by themselves. All numbers are exact.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "certificate.hpp"
#include "rational.hpp"
#include "rules.hpp"

namespace checker {

using Terms = std::vector<std::pair<int, Rational>>;  // variables by number, rising, with what is not zero

struct Variable {
    std::string name;
    bool forall, integer;
    std::optional<Rational> lower, upper;  // none: no bound
};

// The terms add up to at most `right`.
struct AtMost {
    Terms terms;
    Rational right;
};

struct Program {
    std::vector<Variable> variables;
    std::vector<AtMost> rows, own;  // `own` must be kept by `forall`
    Terms goal;
    Rational constant;
    bool maximise = false;
    std::vector<Rational> given;  // the values of the first variables, where play is taken up later,
    std::vector<Variable> free;   // and the variables as they were before

    // What the digest is taken of.
    std::string canonical() const;
    // Row 0: the objective is as good as a value, or better.
    AtMost asked(const Rational& value) const;
    // What `exists` gets for a value of the objective; for none, as a row is broken: less than for any other values.
    Rational score(const std::optional<Rational>& value) const;
    // What she gets at the most where the objective is no better, or a row is broken.
    Rational most_for_exists(const std::optional<Rational>& value) const;
    // The program in which the first variables have the values that moves such as `x=3` give them.
    Program after(const std::vector<std::string>& moves) const;
};

// The program that a text in UTF-8 states; BadInput where it states none.
Program read_qlp(std::string_view text);

// What terms come to.
Rational total(const Terms& terms, const std::vector<Rational>& values);

// The rows of `forall`: which values leave him a way to keep them.
class OwnRows {
public:
    explicit OwnRows(const Program& program);
    // Whether he can keep them once the first variables have values.
    bool left_by(const std::vector<Rational>& values) const;

private:
    struct Part {  // rows that variables connect, with whole coefficients
        std::vector<int> held;
        std::vector<Rational> low, high;  // of each variable that is held
        std::vector<Rational> right;
        std::vector<std::vector<Rational>> columns, least, most;  // from each place on, of each row
    };
    bool left_in(const Part& part, const std::vector<Rational>& values) const;
    std::vector<Part> parts_;
};

// Groups of rows that have no variable in common.
std::vector<std::vector<AtMost>> connected(const std::vector<AtMost>& rows);

// The program as a game of moves.
std::unique_ptr<Rules> program_rules(const Program& program);

// How many steps a proof has that shows what a claim says; Refuted if it does not.
std::uint64_t check_program_proof(const Program& program, const Claim& claim);
std::uint64_t check_clauses(const Program& program, const Claim& claim);

// Whether what is proved is enough for the claim; Refuted if not.
void need_promise(const Program& program, const Claim& claim, const std::optional<Rational>& value);

}  // namespace checker
