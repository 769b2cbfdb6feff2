#include "qbf/circuit/restructure.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace zermelo::qbf {

namespace {

class Restructure {
public:
    Restructure(const AndGraph& graph, Control& control) : graph_(graph), made_(graph.leaves()), control_(control) {}

    AndGraph run(std::vector<Literal>& outputs) {
        count(outputs);
        image_.assign(graph_.size(), kFalse);
        for (std::uint32_t n = 1; n <= graph_.leaves(); ++n) image_[n] = 2 * n;
        for (std::uint32_t n = graph_.leaves() + 1; n < graph_.size(); ++n) {
            if ((n & 0xFFFF) == 0) control_.check();
            if (uses_[n] && part_[n] == kWhole) image_[n] = built(n);
        }
        for (auto& output : outputs) output = image_[node_of(output)] ^ (output & 1);
        return std::move(made_);
    }

private:
    enum Part : std::uint8_t { kWhole, kMelted, kPair };

    // A gate used once is part of its user if that needs it: as one of its own inputs, or as a pair that it forbids.
    void count(const std::vector<Literal>& outputs) {
        uses_.assign(graph_.size(), 0);
        part_.assign(graph_.size(), 0);
        for (const auto output : outputs) uses_[node_of(output)] = 2;
        for (auto n = graph_.size(); n-- > graph_.leaves() + 1;)
            if (uses_[n])
                for (const auto input : graph_.inputs(n)) uses_[node_of(input)] += uses_[node_of(input)] < 2;
        for (auto n = graph_.size(); n-- > graph_.leaves() + 1;) {
            if (!uses_[n] || part_[n] == kPair) continue;
            for (const auto input : graph_.inputs(n)) {
                const auto m = node_of(input);
                if (uses_[m] == 1 && graph_.gate(m)) part_[m] = !negated(input) ? kMelted : pair(m) ? kPair : kWhole;
            }
        }
    }

    bool pair(std::uint32_t n) const {
        const auto inputs = graph_.inputs(n);
        return inputs.size() == 2 && !melts(inputs[0]) && !melts(inputs[1]);
    }
    bool melts(Literal input) const {
        return !negated(input) && uses_[node_of(input)] == 1 && graph_.gate(node_of(input));
    }
    Literal image(Literal literal) const { return image_[node_of(literal)] ^ (literal & 1); }

    Literal built(std::uint32_t node) {
        inputs_.clear();
        pairs_.clear();
        stack_.assign(1, node);
        while (!stack_.empty()) {
            const auto n = stack_.back();
            stack_.pop_back();
            for (const auto input : graph_.inputs(n)) {
                const auto m = node_of(input);
                if (melts(input)) {
                    stack_.push_back(m);
                } else if (part_[m] == kPair) {
                    const auto a = image(graph_.inputs(m)[0]), b = image(graph_.inputs(m)[1]);
                    pairs_.emplace_back(std::max(a, b), std::min(a, b));
                } else {
                    inputs_.push_back(image(input));
                }
            }
        }
        std::ranges::sort(pairs_);
        for (std::size_t i = 0; i < pairs_.size();) {
            const auto with = pairs_[i].first;
            others_.clear();
            for (; i < pairs_.size() && pairs_[i].first == with; ++i) others_.push_back(negate(pairs_[i].second));
            inputs_.push_back(negate(both(with, negate(chain(others_)))));
        }
        return chain(inputs_);
    }

    Literal both(Literal a, Literal b) {
        const std::array<Literal, 2> inputs{a, b};
        return made_.conjunction(inputs);
    }

    Literal chain(std::vector<Literal>& inputs) {
        std::ranges::sort(inputs);
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        for (std::size_t i = 1; i < inputs.size(); ++i)
            if (inputs[i] == negate(inputs[i - 1])) return kFalse;
        auto result = kTrue;
        for (const auto input : inputs) result = both(result, input);
        return result;
    }

    const AndGraph& graph_;
    AndGraph made_;
    Control& control_;
    std::vector<std::uint8_t> uses_, part_;
    std::vector<Literal> image_, inputs_, others_;
    std::vector<std::pair<Literal, Literal>> pairs_;
    std::vector<std::uint32_t> stack_;
};

}  // namespace

AndGraph restructured(const AndGraph& graph, std::vector<Literal>& outputs, Control& control) {
    return Restructure(graph, control).run(outputs);
}

}  // namespace zermelo::qbf
