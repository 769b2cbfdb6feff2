// A source of parts whose rules lie elsewhere: functions list the options of a part when they are needed.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "cgt/outcome/source.hpp"

namespace zermelo::cgt::outcome {

// Parts go by numbers.
class ListedSource final : public Source {
public:
    struct Facts {
        int lower, upper;  // integers between which the value lies
        unsigned size;
    };
    struct Signed {
        std::uint32_t part;
        bool negated;
    };
    using Listing = std::vector<std::vector<Signed>>;
    using List = std::function<Listing(std::uint32_t part, bool left)>;
    using Look = std::function<Facts(std::uint32_t part)>;

    // Parts of at most the size `valued` are replaced by their values.
    ListedSource(Arena& arena, List list, Look look, unsigned valued)
        : arena_(arena), list_(std::move(list)), look_(std::move(look)), valued_(valued) {}

    static Term term(Signed one) { return {{one.part + std::uint64_t{1}}, one.negated, false}; }

    bool impartial() const override { return false; }
    void options(const Region& part, bool left, Options& into, Control& control) override {
        for (const auto& option : listed(number(part), left, control)) {
            for (const Signed& one : option) into.add(term(one));
            into.end();
        }
    }
    std::optional<Arena::Id> value(const Region& part, Control& control) override {
        if (size(part) > valued_) return std::nullopt;
        return worked_out(number(part), control);
    }
    Walls walls(const Region& part, Control&) override {
        const Facts& found = facts(number(part));
        return Walls::between(found.lower, found.upper);
    }
    unsigned size(const Region& part) const override { return facts(number(part)).size; }
    bool board(const boards::Board&, Options&, Control&) override { return false; }
    unsigned stride() const override { return 0; }

private:
    static std::uint32_t number(const Region& part) { return static_cast<std::uint32_t>(part[0] - 1); }

    const Facts& facts(std::uint32_t part) const {
        const auto found = facts_.find(part);
        return found != facts_.end() ? found->second : facts_.emplace(part, look_(part)).first->second;
    }
    const Listing& listed(std::uint32_t part, bool left, Control& control) {
        const auto found = lists_.find({part, left});
        if (found != lists_.end()) return found->second;
        Listing made = list_(part, left);
        std::size_t bytes = 64;
        for (const auto& option : made) bytes += sizeof(option) + option.size() * sizeof(Signed);
        control.charge(static_cast<std::int64_t>(bytes));
        return lists_.emplace(std::pair{part, left}, std::move(made)).first->second;
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
                for (const auto& option : listed(part, left, control)) {
                    Arena::Id sum = arena_.zero();
                    for (const Signed& one : option) {
                        const auto found = values_.find(one.part);
                        if (found == values_.end()) {
                            stack.push_back(one.part);
                            ready = false;
                        } else if (ready) {
                            sum = arena_.add(sum, one.negated ? arena_.negate(found->second) : found->second);
                        }
                    }
                    sides[left ? 0 : 1].push_back(sum);
                }
            }
            if (!ready) continue;
            values_.emplace(part, arena_.canonical(sides[0], sides[1]));
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
    std::map<std::pair<std::uint32_t, bool>, Listing> lists_;
};

}  // namespace zermelo::cgt::outcome
