// Games that files state with exact scores: programs, graphs, networks, trees. What a file of each kind says is read
// here a second time, and asked for its rules and for what only its kind can prove.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "certificate.hpp"
#include "rules.hpp"

namespace checker {

class Instance {
public:
    virtual ~Instance() = default;
    virtual Rules& rules() = 0;
    // Takes the game up after legal moves, where its statement depends on them.
    virtual void take_up(const std::vector<std::string>&) {}
    // What the digest is taken of.
    virtual std::string statement() const = 0;
    // BadInput where the text states a game only under a condition, and that does not hold.
    virtual void need_valid() {}
    // What is found of a claim that rests on a rule, from a position on that may be a later one; Refuted where there is
    // no such rule.
    virtual Tested check_rule(const Claim& claim, Place start, bool later);
};

// Whether a target is a file of such a kind, or one of the library's games with dice or with bids made at once.
bool is_instance(std::string_view target);

// How many positions and steps it took to see that all claims of a certificate hold of the game of a target, after
// moves; `contents` is what a file holds.
std::uint64_t check_instance(const Certificate& certificate, const std::string& target,
                             std::string (*contents)(const std::string&), const std::vector<std::string>& moves);

std::unique_ptr<Instance> program_instance(std::string_view text);
std::unique_ptr<Instance> graph_instance(std::string_view text);
std::unique_ptr<Instance> failing_instance(std::string_view text);
std::unique_ptr<Instance> network_instance(std::string_view text);
std::unique_ptr<Instance> tree_instance(std::string_view text);
std::unique_ptr<Instance> table_instance(std::string_view text);
std::unique_ptr<Instance> stakes_instance(std::string_view target);

// The code points of a text in UTF-8.
std::vector<std::uint32_t> points_of(std::string_view text);
// A text as it stands in JSON, in ASCII.
std::string json_text(std::string_view text);
// Lists as they stand in JSON, without blanks.
std::string json_list(const std::vector<std::string>& items);
std::string json_list(const std::vector<std::size_t>& items);

}  // namespace checker
