// Checks functions that are claimed to win a formula: Skolem functions of `exists`, Herbrand functions of `forall`.
//
//   who   each output is a variable that the owner has still to choose, each input one of the other role, none twice;
//   when  a function looks at variables of blocks before its own only, as the gates below it show;
//   what  with the functions in the place of the owner's variables the circuit never comes out wrong: all plays of the
//         other role are tried, or there is no way to satisfy clauses that say so (satisfy.hpp).
// In the last block that matters to the owner variables may be left without a function. Then he claims that some of
// their values win: for each there is a copy of what depends on them, where the other role's later choices are its own,
// and not all copies may come out wrong at once.
#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "exact.hpp"
#include "formula.hpp"
#include "json.hpp"
#include "satisfy.hpp"

namespace checker {

namespace {

// And-gates over inputs. Node 0 is false; inputs are the nodes from 1 on, then come the gates.
struct AndGraph {
    std::vector<std::string> inputs, names;  // of inputs and outputs
    std::vector<Wire> outputs;               // by the place of their names
    std::vector<std::pair<Wire, Wire>> gates;
};

void need(bool holds, const std::string& why) {
    if (!holds) throw Refuted(why);
}

// Lines as Unicode ends them.
std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    std::string line;
    bool open = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto rest = text.substr(at);
        std::size_t end = 0;
        for (const std::string_view mark :
             {"\r\n", "\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"})
            if (!end && rest.starts_with(mark)) end = mark.size();
        open = end == 0;
        if (open) {
            line.push_back(text[at]);
        } else {
            lines.push_back(std::move(line));
            line.clear();
            at += end - 1;
        }
    }
    if (open) lines.push_back(std::move(line));
    return lines;
}

class AigerReader {
public:
    explicit AigerReader(std::string_view text) : lines_(lines_of(text)) {}
    AndGraph graph() {
        need(!lines_.empty() && lines_[0].starts_with("aag "), "aag: expected aag and five numbers");
        lines_[0].erase(0, 4);
        const auto sizes = numbers(0, 5);
        const auto inputs = sizes[1], outputs = sizes[3], gates = sizes[4];
        highest_ = sizes[0];
        need(!sizes[2] && inputs + gates <= highest_ && inputs + outputs + gates < lines_.size(),
             "aag: the numbers of the header do not fit");
        nodes_[0] = 0;
        AndGraph made;
        const auto first_gate = std::size_t(1 + inputs + outputs), names = std::size_t(first_gate + gates);
        for (std::size_t at = 1; at <= inputs; ++at) define(numbers(at, 1)[0]);
        for (auto at = first_gate; at < names; ++at) {
            const auto stated = numbers(at, 3);
            made.gates.emplace_back(literal(stated[1]), literal(stated[2]));
            define(stated[0]);
        }
        for (auto at = std::size_t(1 + inputs); at < first_gate; ++at)
            made.outputs.push_back(literal(numbers(at, 1)[0]));
        const auto named = read_names(names);
        need(named.size() == inputs + outputs, "aag: the names are not those of all inputs and outputs");
        const auto name = [&](char kind, std::uint64_t number) {
            const auto found = named.find(kind + std::to_string(number));
            need(found != named.end(), "aag: the names are not those of all inputs and outputs");
            return found->second;
        };
        for (std::uint64_t i = 0; i < inputs; ++i) made.inputs.push_back(name('i', i));
        for (std::uint64_t i = 0; i < outputs; ++i) made.names.push_back(name('o', i));
        return made;
    }

private:
    // Numbers of at most eleven digits with one blank between two.
    std::vector<std::uint64_t> numbers(std::size_t at, std::size_t count) const {
        const auto expected = "aag:" + std::to_string(at + 1) + ": expected numbers: " + std::to_string(count);
        need(at < lines_.size() && !lines_[at].empty(), expected);
        std::vector<std::uint64_t> found;
        for (std::size_t begin = 0; begin <= lines_[at].size();) {
            const auto end = std::min(lines_[at].find(' ', begin), lines_[at].size());
            const auto word = lines_[at].substr(begin, end - begin);
            need(!word.empty() && word.size() <= 11 && word.find_first_not_of("0123456789") == std::string::npos,
                 expected);
            found.push_back(std::stoull(word));
            begin = end + 1;
        }
        need(found.size() == count, expected);
        return found;
    }
    Wire literal(std::uint64_t stated) const {
        const auto found = nodes_.find(stated >> 1);
        need(found != nodes_.end(), "aag: " + std::to_string(stated) + " is not defined before");
        return 2 * found->second + Wire(stated & 1);
    }
    void define(std::uint64_t stated) {
        need(!(stated & 1) && !nodes_.contains(stated >> 1) && stated <= 2 * highest_,
             "aag: " + std::to_string(stated) + " cannot be defined here");
        nodes_.emplace(stated >> 1, Wire(nodes_.size()));
    }
    std::unordered_map<std::string, std::string> read_names(std::size_t at) const {
        std::unordered_map<std::string, std::string> named;
        for (; at < lines_.size() && lines_[at] != "c"; ++at) {
            const auto blank = lines_[at].find(' ');
            need(blank != std::string::npos && blank + 1 < lines_[at].size() &&
                     named.emplace(lines_[at].substr(0, blank), lines_[at].substr(blank + 1)).second,
                 "aag:" + std::to_string(at + 1) + ": expected a new place and its name");
        }
        return named;
    }

    std::vector<std::string> lines_;
    std::uint64_t highest_ = 0;
    std::unordered_map<std::uint64_t, Wire> nodes_;
};

// Whether a literal of a circuit comes out true for some values of its variables.
class Outcomes {
public:
    Outcomes(const Circuit& circuit, Wire output) : circuit_(circuit), output_(output), nodes_(circuit.below(output)) {
        for (const auto node : nodes_)
            if (circuit.kind(node) == Gate::kVariable) variables_.push_back(node);
    }
    bool possible() {
        if (output_ < 2) return output_ == 1;
        if (variables_.size() < 40 && nodes_.size() <= kMostWords >> more()) return some_play();
        return satisfied();
    }
    std::uint64_t steps() const { return steps_; }

private:
    static constexpr std::size_t kMostWords = std::size_t{1} << 27;
    static constexpr std::array<std::uint64_t, 6> kDigits = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                                             0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                                             0xffff0000ffff0000, 0xffffffff00000000};
    std::size_t more() const { return variables_.size() > 6 ? variables_.size() - 6 : 0; }

    // 64 plays at a time: each bit of a word is one, the first six variables are its number's digits.
    bool some_play() {
        std::vector<std::uint64_t> value(circuit_.size());
        const auto of = [&](Wire literal) { return literal & 1 ? ~value[literal >> 1] : value[literal >> 1]; };
        for (std::uint64_t chosen = 0; chosen >> more() == 0; ++chosen) {
            for (std::size_t i = 0; i < variables_.size(); ++i)
                value[variables_[i]] = i < 6 ? kDigits[i] : chosen >> (i - 6) & 1 ? ~std::uint64_t{0} : 0;
            for (const auto node : nodes_) {
                const auto& in = circuit_.inputs(node);
                const auto kind = circuit_.kind(node);
                if (kind == Gate::kFalse || kind == Gate::kVariable) continue;
                auto made = of(in[0]);
                if (kind == Gate::kIte) made = (made & of(in[1])) | (~made & of(in[2]));
                else if (kind == Gate::kXor) made ^= of(in[1]);
                else if (kind == Gate::kAnd)
                    for (std::size_t i = 1; i < in.size(); ++i) made &= of(in[i]);
                else
                    for (std::size_t i = 1; i < in.size(); ++i) made |= of(in[i]);
                value[node] = made;
            }
            steps_ += std::uint64_t{1} << std::min<std::size_t>(6, variables_.size());
            if (of(output_)) return true;
        }
        return false;
    }
    // Each node has a variable, and clauses say that it is what its inputs make of it (Tseitin 1968).
    bool satisfied() {
        std::unordered_map<std::uint32_t, Signed> place;
        for (const auto node : nodes_) place.emplace(node, Signed(2 * place.size()));
        const auto of = [&](Wire literal) { return place.at(literal >> 1) | (literal & 1); };
        Clauses clauses(nodes_.size());
        for (const auto node : nodes_) {
            const Signed gate = place.at(node);
            const auto& in = circuit_.inputs(node);
            const auto kind = circuit_.kind(node);
            if (kind == Gate::kFalse) clauses.add({gate ^ 1});
            if (kind == Gate::kAnd || kind == Gate::kOr) {
                const Signed flip = kind == Gate::kOr;  // a disjunction is false where all inputs are
                std::vector<Signed> whole{gate ^ flip};
                for (const auto input : in) {
                    clauses.add({gate ^ flip ^ 1, of(input) ^ flip});
                    whole.push_back(of(input) ^ flip ^ 1);
                }
                clauses.add(std::move(whole));
            }
            if (kind == Gate::kXor || kind == Gate::kIte) {
                const auto then = kind == Gate::kIte ? of(in[1]) : of(in[1]) ^ 1;
                const auto otherwise = kind == Gate::kIte ? of(in[2]) : of(in[1]);
                for (const Signed flip : {0u, 1u}) {
                    clauses.add({gate ^ flip ^ 1, of(in[0]) ^ 1, then ^ flip});
                    clauses.add({gate ^ flip ^ 1, of(in[0]), otherwise ^ flip});
                }
            }
        }
        clauses.add({of(output_)});
        const bool found = clauses.satisfiable();
        steps_ += clauses.steps();
        return found;
    }
    const Circuit& circuit_;
    Wire output_;
    std::vector<std::uint32_t> nodes_, variables_;
    std::uint64_t steps_ = 0;
};

class FunctionsCheck {
public:
    using Image = std::unordered_map<std::uint32_t, Wire>;
    FunctionsCheck(const Formula& formula, bool exists, const std::string& given)
        : formula_(formula), exists_(exists), order_(formula.order()), given_(given), block_(formula.block_of()),
          nodes_(formula.circuit.below(formula.output)) {
        for (const auto variable : order_) variable_[formula.names.at(variable)] = variable;
    }
    std::uint64_t run(const AndGraph& graph) {
        need_who_and_when(graph);
        auto image = put_in(graph);
        Outcomes outcomes(made_, losing(image));
        need(!outcomes.possible(), "the formula comes out wrong for its owner against some play");
        return outcomes.steps();
    }

private:
    bool own(std::uint32_t variable) const { return formula_.blocks[block_.at(variable)].exists == exists_; }

    void need_who_and_when(const AndGraph& graph) const {
        const std::unordered_set<std::uint32_t> rest(order_.begin() + std::ptrdiff_t(given_.size()), order_.end());
        const auto need_each = [&](const std::vector<std::string>& names, bool owners) {
            std::set<std::string> met;
            for (const auto& name : names) {
                const auto found = variable_.find(name);
                need(found != variable_.end() && rest.contains(found->second) && own(found->second) == owners,
                     name + " is not a variable that is still to be chosen by who should");
                need(met.insert(name).second, name + " is named twice");
            }
        };
        need_each(graph.inputs, false);
        need_each(graph.names, true);
        std::vector<std::ptrdiff_t> latest{-1};  // the latest block of an input below each node
        for (const auto& name : graph.inputs) latest.push_back(std::ptrdiff_t(block_.at(variable_.at(name))));
        for (const auto& [one, other] : graph.gates) latest.push_back(std::max(latest[one >> 1], latest[other >> 1]));
        for (std::size_t i = 0; i < graph.names.size(); ++i)
            need(latest[graph.outputs[i] >> 1] < std::ptrdiff_t(block_.at(variable_.at(graph.names[i]))),
                 "the function of " + graph.names[i] + " looks at what is chosen later");
    }
    // What stands for the variables in the circuit of the functions, but for those left open.
    Image put_in(const AndGraph& graph) {
        Image image;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (i < given_.size()) image[order_[i]] = given_[i] == '1';
            else if (!own(order_[i])) image[order_[i]] = made_.variable();
        }
        std::vector<Wire> literals{0};
        for (const auto& name : graph.inputs) literals.push_back(image.at(variable_.at(name)));
        const auto of = [&](Wire stated) { return literals[stated >> 1] ^ (stated & 1); };
        for (const auto& [one, other] : graph.gates) literals.push_back(made_.junction(true, {of(one), of(other)}));
        for (std::size_t i = 0; i < graph.names.size(); ++i) image[variable_.at(graph.names[i])] = of(graph.outputs[i]);
        return image;
    }
    // A literal that is true where the owner loses.
    Wire losing(const Image& image) {
        std::vector<std::uint32_t> left;
        for (const auto variable : order_)
            if (!image.contains(variable)) left.push_back(variable);
        return left.empty() ? wrong(image) : losing_whatever_is_chosen(image, left);
    }
    Wire wrong(Image image) {
        carry(image, nodes_);
        return image.at(formula_.output >> 1) ^ (formula_.output & 1) ^ Wire { exists_ };
    }
    void carry(Image& image, const std::vector<std::uint32_t>& nodes) {
        image[0] = 0;
        for (const auto node : nodes) {
            if (image.contains(node)) continue;
            std::vector<Wire> inputs;
            for (const auto input : formula_.circuit.inputs(node)) inputs.push_back(image.at(input >> 1) ^ (input & 1));
            image[node] = made_.gate(formula_.circuit.kind(node), inputs);
        }
    }
    Wire losing_whatever_is_chosen(const Image& image, const std::vector<std::uint32_t>& left) {
        constexpr std::size_t kMostOpen = 16, kMostCopies = 1 << 22;
        const auto& first = formula_.names.at(left[0]);
        std::unordered_set<std::uint32_t> matters(nodes_.begin(), nodes_.end()), differ(left.begin(), left.end());
        std::vector<std::uint32_t> later;
        for (auto at = block_.at(left[0]) + 1; at < formula_.blocks.size(); ++at)
            for (const auto variable : formula_.blocks[at].variables)
                if (matters.contains(variable)) later.push_back(variable);
        need(std::ranges::none_of(later, [&](auto variable) { return own(variable); }),
             "there is no function for " + first + ", and its owner has to choose again later");
        need(left.size() <= kMostOpen, "there is no function for " + first + " and too many others");
        differ.insert(later.begin(), later.end());
        std::vector<std::uint32_t> same;
        for (const auto node : nodes_) {
            const auto& in = formula_.circuit.inputs(node);
            if (std::ranges::any_of(in, [&](Wire input) { return differ.contains(input >> 1); })) differ.insert(node);
            if (!differ.contains(node)) same.push_back(node);
        }
        need(differ.size() << left.size() <= kMostCopies,
             "there is no function for " + first + ", and too much to try");
        auto common = image;
        carry(common, same);
        std::vector<Wire> losing;
        for (std::uint32_t values = 0; values >> left.size() == 0; ++values) {
            auto here = common;
            for (std::size_t i = 0; i < left.size(); ++i) here[left[i]] = values >> i & 1;
            if (values)
                for (const auto variable : later) here[variable] = made_.variable();
            losing.push_back(wrong(std::move(here)));
        }
        return made_.junction(true, losing);
    }

    const Formula& formula_;
    bool exists_;
    std::vector<std::uint32_t> order_;
    const std::string& given_;
    std::unordered_map<std::uint32_t, std::size_t> block_;
    std::vector<std::uint32_t> nodes_;
    std::unordered_map<std::string, std::uint32_t> variable_;
    Circuit made_;
};

}  // namespace

std::uint64_t check_functions(const Formula& formula, const Claim& claim, bool exists, const std::string& given) {
    need(!(Fraction(1) < Fraction::of(claim.at_least)), "functions promise 1, the claim is more");
    const auto* text = claim.data.member("aag");
    const bool alone = std::ranges::all_of(claim.data.members, [](const auto& each) { return each.first == "aag"; });
    need(text && alone && text->kind == Json::kString, "the data of the rule functions is not {\"aag\": a text}");
    return FunctionsCheck(formula, exists, given).run(AigerReader(text->text).graph());
}

}  // namespace checker
