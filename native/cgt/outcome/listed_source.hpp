// A source of parts whose rules lie elsewhere: functions list the options of a part when they are needed.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "cgt/outcome/source.hpp"

namespace zermelo::cgt::outcome {

class ListedSource final : public Source {
public:
    struct Facts {
        Range range;
        unsigned size;
    };
    using List = std::function<void(std::uint32_t part, bool left, Options& into)>;
    using Look = std::function<Facts(std::uint32_t part)>;

    // Parts of at most the size `valued` are replaced by their values.
    ListedSource(Arena& arena, List list, Look look, unsigned valued)
        : arena_(arena), list_(std::move(list)), look_(std::move(look)), valued_(valued) {}

    bool impartial() const override { return false; }
    void options(std::uint32_t part, bool left, Options& into, Control&) override { list_(part, left, into); }
    std::optional<Arena::Id> value(std::uint32_t part, Control& control) override {
        if (size(part) > valued_) return std::nullopt;
        return worked_out(part, control);
    }
    bool own_negative(std::uint32_t) const override { return false; }
    Range range(std::uint32_t part) const override { return facts(part).range; }
    unsigned size(std::uint32_t part) const override { return facts(part).size; }
    bool board(const boards::Board&, Options&, Control&) override { return false; }
    unsigned stride() const override { return 0; }

private:
    const Facts& facts(std::uint32_t part) const {
        const auto found = facts_.find(part);
        return found != facts_.end() ? found->second : facts_.emplace(part, look_(part)).first->second;
    }
    // Options first, on an explicit stack.
    Arena::Id worked_out(std::uint32_t root, Control& control) {
        std::vector<std::uint32_t> stack{root};
        while (!stack.empty()) {
            const auto part = stack.back();
            if (values_.contains(part)) {
                stack.pop_back();
                continue;
            }
            control.tick();
            std::array<std::vector<Arena::Id>, 2> sides;
            bool ready = true;
            for (const bool left : {true, false}) {
                Options& listed = lists_[{part, left}];
                if (listed.size() == 0) list_(part, left, listed);
                for (std::size_t option = 0; option < listed.size(); ++option) {
                    Arena::Id sum = arena_.number(listed.integer(option));
                    for (const Term& term : listed.terms(option)) {
                        const auto found = values_.find(term.part);
                        if (found == values_.end()) {
                            stack.push_back(term.part);
                            ready = false;
                        } else if (ready) {
                            sum = arena_.add(sum, term.negated ? arena_.negate(found->second) : found->second);
                        }
                    }
                    sides[left ? 0 : 1].push_back(sum);
                }
            }
            if (!ready) continue;
            values_.emplace(part, arena_.canonical(sides[0], sides[1]));
            lists_.erase({part, true});
            lists_.erase({part, false});
            stack.pop_back();
        }
        return values_.at(root);
    }

    Arena& arena_;
    List list_;
    Look look_;
    unsigned valued_;
    mutable std::map<std::uint32_t, Facts> facts_;
    std::map<std::uint32_t, Arena::Id> values_;
    std::map<std::pair<std::uint32_t, bool>, Options> lists_;
};

}  // namespace zermelo::cgt::outcome
