// Values of states by a model (value_model.hpp), exact and incremental.
//
// A state is compared with the last one word by word; only the tuples of cells whose digit changed are looked up anew.
// Where the context changed all of them are. The sums are whole numbers, so the way by which a state was reached does
// not matter.
//
//     Evaluator evaluator(model, net);          // the net is needed where the model counts legal moves
//     evaluator.load(state);
//     double value = evaluator.value(role);     // from 0 to 1
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gdl/single/single.hpp"
#include "gdl/values/value_model.hpp"

namespace zermelo::gdl {

class Evaluator {
public:
    Evaluator(const ValueModel& model, const std::shared_ptr<const single::Net>& net);

    // The state; the lane, where one is given, is in it and knows its legal moves.
    void load(std::span<const std::uint64_t> state, const SingleLane* lane = nullptr);
    // For the state that was loaded last.
    std::int64_t sum(std::uint32_t output) const { return sums_[output]; }
    double output(std::uint32_t output) const;
    double value(std::uint32_t role) const {
        const auto of = model_.role_output[role];
        if (of < 0) return 0.5;
        return model_.role_against[role] ? 1 - output(static_cast<std::uint32_t>(of))
                                         : output(static_cast<std::uint32_t>(of));
    }
    // Calls use(place of the first output's weight, what it is multiplied by, size of that) for all weights in the sum.
    template <class Use>
    void each_weight(Use&& use) const {
        const auto base = base_of(context_);
        for (std::size_t t = 0; t < index_.size(); ++t)
            use(base + place_[t] + std::size_t{index_[t]} * model_.outputs, std::int64_t{1}, std::int64_t{1});
        for (std::size_t k = 0; k < counted_.size(); ++k)
            if (counted_[k] != 0)
                use(base + model_.first_count() + k * model_.outputs, counted_[k],
                    std::int64_t{k < model_.counts() ? model_.count_most[k] : model_.mobility_most});
    }
    // How many weights are in a sum at most.
    std::size_t terms() const { return index_.size() + counted_.size(); }
    // Sums anew, after weights changed.
    void refresh() { sum_all(); }

private:
    struct Member {
        std::uint32_t tuple, stride;
    };
    std::size_t base_of(std::uint32_t context) const { return context * model_.context_size; }
    std::uint32_t digit(std::uint32_t cell) const {
        return static_cast<std::uint32_t>(raw_[cell] % model_.cell_size[cell]);
    }
    void flip(std::uint32_t fluent, bool on);
    void settle_cells();
    void count_moves(std::span<const std::uint64_t> state, const SingleLane* lane);
    void add_tuple(std::uint32_t tuple, std::int64_t sign);
    void sum_all();

    const ValueModel& model_;
    std::optional<SingleLane> own_lane_;  // to count legal moves, where no lane is given
    std::vector<std::size_t> place_;      // of each tuple's table
    std::vector<std::uint32_t> member_first_;
    std::vector<Member> members_;  // of each cell: the tuples it is in
    std::vector<std::uint64_t> state_;
    std::vector<std::uint64_t> raw_;     // of each cell: the sum of the numbers of fluents that hold
    std::vector<std::uint32_t> digits_;  // of each cell, as the indices have it
    std::vector<std::uint32_t> index_;   // of each tuple
    std::vector<std::int64_t> counted_;
    std::vector<std::int64_t> sums_;
    std::vector<std::uint32_t> touched_;  // cells
    std::vector<std::uint8_t> is_touched_;
    std::uint32_t context_ = 0;
};

}  // namespace zermelo::gdl
