#include "qbf/search/proof.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

namespace zermelo::qbf {

Proof::Step Proof::begin(Kind kind, std::size_t count, std::size_t words) {
    if (words_.size() + words + 1 > most_) {
        words_.clear();  // too long to keep: the answer stands, but comes without functions
        words_.shrink_to_fit();
        return kNothing;
    }
    const auto step = static_cast<Step>(words_.size());
    words_.push_back(static_cast<std::uint32_t>(count) << 2 | kind);
    return step;
}

Proof::Step Proof::chosen(std::span<const std::uint32_t> literals, Step then) {
    if (!recording() || literals.empty()) return then;
    const auto step = begin(kChosen, literals.size(), literals.size() + 1);
    if (!recording()) return kNothing;
    words_.push_back(then);
    words_.insert(words_.end(), literals.begin(), literals.end());
    return step;
}

Proof::Step Proof::replies(std::uint32_t variable, Step if_false, Step if_true) {
    if (!recording() || if_false == if_true || if_true == kNothing) return if_false;
    if (if_false == kNothing)
        return if_true;  // where nothing is left to do, to do what the other value asks for does no harm
    const auto step = begin(kReplies, 2, 3);
    if (!recording()) return kNothing;
    words_.insert(words_.end(), {variable, if_false, if_true});
    return step;
}

Proof::Step Proof::together(std::span<const Step> parts) {
    if (!recording()) return kNothing;
    const auto step = begin(kTogether, parts.size(), parts.size());
    if (!recording()) return kNothing;
    words_.insert(words_.end(), parts.begin(), parts.end());
    return step;
}

namespace {

// Gates as they are made, with what is trivial left out.
class Writer {
public:
    Writer(Functions& functions, std::uint32_t first_gate) : gates_(functions.gates), next_(first_gate) {}

    Literal both(Literal a, Literal b) {
        if (a == kTrue) return b;
        if (b == kTrue) return a;
        if (a == kFalse || b == kFalse) return kFalse;
        const std::array<Literal, 2> inputs{a, b};
        return gate(Kind::all, inputs);
    }
    Literal any(std::span<const Literal> inputs) {
        if (inputs.empty()) return kFalse;
        if (std::ranges::find(inputs, kTrue) != inputs.end()) return kTrue;
        return inputs.size() == 1 ? inputs.front() : gate(Kind::any, inputs);
    }
    Literal all(std::span<const Literal> inputs) {
        if (inputs.empty()) return kTrue;
        return inputs.size() == 1 ? inputs.front() : gate(Kind::all, inputs);
    }

private:
    Literal gate(Kind kind, std::span<const Literal> inputs) {
        gates_.kind.push_back(kind);
        gates_.input.insert(gates_.input.end(), inputs.begin(), inputs.end());
        gates_.first_input.push_back(gates_.input.size());
        return 2 * next_++;
    }

    Gates& gates_;
    std::uint32_t next_;
};

// Lists of literals, one for each of many places, in one array.
class Lists {
public:
    explicit Lists(std::size_t size) : head_(size, 0), cells_(1) {}
    void add(std::size_t place, Literal literal) {
        cells_.push_back({literal, head_[place]});
        head_[place] = static_cast<std::uint32_t>(cells_.size() - 1);
    }
    void take(std::size_t place, std::vector<Literal>& out) const {
        out.clear();
        for (auto at = head_[place]; at; at = cells_[at].next) out.push_back(cells_[at].literal);
        std::ranges::sort(out);
        out.erase(std::unique(out.begin(), out.end()), out.end());
    }

private:
    struct Cell {
        Literal literal;
        std::uint32_t next;
    };
    std::vector<std::uint32_t> head_;
    std::vector<Cell> cells_;
};

}  // namespace

// The steps that can be reached, those that lead to others first: a step is always younger than those it leads to.
std::vector<Proof::Step> Proof::used(Step root) const {
    std::vector<Step> steps, stack{root};
    std::vector<bool> seen(words_.size(), false);
    while (!stack.empty()) {
        const auto step = stack.back();
        stack.pop_back();
        if (step == kNothing || seen[step]) continue;
        seen[step] = true;
        steps.push_back(step);
        const auto* word = &words_[step];
        const auto count = *word >> 2;
        switch (*word & 3) {
            case kChosen: stack.push_back(word[1]); break;
            case kReplies: stack.insert(stack.end(), word + 2, word + 4); break;
            default: stack.insert(stack.end(), word + 1, word + 1 + count);
        }
    }
    std::ranges::sort(steps, std::greater<>());
    return steps;
}

// A step for another proof, where the steps it leads to have been copied, with choices for the first so many variables
// only.
Proof::Step Proof::copied(Step step, std::span<const Step> image, std::uint32_t variables, Proof& to) const {
    const auto* word = &words_[step];
    const auto count = *word >> 2;
    std::vector<std::uint32_t> list;
    switch (*word & 3) {
        case kChosen:
            std::copy_if(word + 2, word + 2 + count, std::back_inserter(list),
                         [&](std::uint32_t literal) { return literal >> 1 < variables; });
            std::ranges::sort(list);
            return to.chosen(list, image[word[1]]);
        case kReplies: return to.replies(word[1], image[word[2]], image[word[3]]);
        default:
            for (std::uint32_t i = 0; i < count; ++i)
                if (image[word[1 + i]] != kNothing) list.push_back(image[word[1 + i]]);
            std::ranges::sort(list);
            list.erase(std::unique(list.begin(), list.end()), list.end());
            if (list.empty()) return kNothing;
            return list.size() == 1 ? list.front() : to.together(list);
    }
}

Proof Proof::shared(Step& root, std::uint32_t variables) const {
    const auto steps = used(root);
    Proof made(most_ + 1);
    std::vector<Step> image(words_.size(), kNothing), slots(std::bit_ceil(2 * steps.size() + 2), kNothing);
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        const auto end = made.words_.size();
        auto& here = image[*step] = copied(*step, image, variables, made);
        if (made.words_.size() == end) continue;  // it is another step, or nothing
        const auto words = std::span(made.words_).subspan(here);
        std::uint64_t hash = 0;
        for (const auto word : words) hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        auto slot = (hash >> 20) & (slots.size() - 1);
        const auto same = [&](Step other) {
            return other + words.size() <= end &&
                   std::ranges::equal(words, std::span(made.words_).subspan(other, words.size()));
        };
        while (slots[slot] != kNothing && !same(slots[slot])) slot = (slot + 1) & (slots.size() - 1);
        if (slots[slot] == kNothing) {
            slots[slot] = here;
        } else {
            here = slots[slot];
            made.words_.resize(end);
        }
    }
    root = image[root];
    return made;
}

Functions Proof::functions(const Formula& formula, const Network& network, bool winner, Step root,
                           std::uint32_t blocks) const {
    const auto strategy = shared(root, network.first_of_level[std::min<std::size_t>(blocks, network.exists.size())]);
    return strategy.written(formula, network, winner, root);
}

Functions Proof::written(const Formula& formula, const Network& network, bool winner, Step root) const {
    const auto steps = used(root);
    std::vector<std::uint32_t> place(words_.size(), 0);
    for (std::uint32_t i = 0; i < steps.size(); ++i) place[steps[i]] = i;

    Functions made;
    Writer writer(made, formula.first_gate());
    Lists reached(steps.size()), trues(network.variable.size());
    if (!steps.empty()) reached.add(0, kTrue);
    std::vector<Literal> inputs;
    for (const auto step : steps) {
        reached.take(place[step], inputs);
        const auto here = writer.any(inputs);
        const auto* word = &words_[step];
        const auto count = *word >> 2;
        const auto lead = [&](Step to, Literal condition) {
            if (to != kNothing) reached.add(place[to], writer.both(here, condition));
        };
        switch (*word & 3) {
            case kChosen:
                for (std::uint32_t i = 0; i < count; ++i)
                    if (!(word[2 + i] & 1)) trues.add(word[2 + i] >> 1, here);
                lead(word[1], kTrue);
                break;
            case kReplies: {
                const auto variable = 2 * network.variable[word[1]].origin;
                lead(word[2], variable + 1);
                lead(word[3], variable);
                break;
            }
            default:
                for (std::uint32_t i = 0; i < count; ++i) lead(word[1 + i], kTrue);
        }
    }
    // Copies of a variable are told apart by the expanded variables.
    std::vector<Literal> here_when(std::size_t{1} << network.expanded.size(), kTrue);
    if (winner && !network.expanded.empty())
        for (std::uint32_t c = 0; c < here_when.size(); ++c) {
            inputs.clear();
            for (std::size_t k = 0; k < network.expanded.size(); ++k)
                inputs.push_back(2 * network.expanded[k] + !(c >> k & 1));
            here_when[c] = writer.all(inputs);
        }
    Lists outputs(formula.variables());
    for (std::uint32_t v = 0; v < network.variable.size(); ++v) {
        const auto& variable = network.variable[v];
        if (network.exists[variable.level] != winner) continue;
        trues.take(v, inputs);
        const auto value = writer.any(inputs);
        if (value != kFalse)
            outputs.add(variable.origin - 1,
                        variable.copy == Network::kNone ? value : writer.both(value, here_when[variable.copy]));
    }
    made.output.assign(formula.variables(), kFalse);
    for (std::uint32_t v = 0; v < formula.variables(); ++v) {
        outputs.take(v, inputs);
        made.output[v] = writer.any(inputs);
    }
    return made;
}

}  // namespace zermelo::qbf
