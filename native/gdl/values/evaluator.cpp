#include "gdl/values/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace zermelo::gdl {

Evaluator::Evaluator(const ValueModel& model, const std::shared_ptr<const single::Net>& net)
    : model_(model), member_first_(model.cell_size.size() + 1, 0), state_((model.fluents + 63) / 64, 0),
      raw_(model.cell_size.size(), 0), digits_(model.cell_size.size(), 0), index_(model.tuples(), 0),
      counted_(model.all_counts(), 0), sums_(model.outputs, 0), is_touched_(model.cell_size.size(), 0) {
    if (!model.mobility.empty()) own_lane_.emplace(net);
    for (const auto table : model.tuple_table) place_.push_back(model.table_first[table]);
    for (const auto cell : model.tuple_cells) ++member_first_[cell + 1];
    for (std::size_t c = 1; c < member_first_.size(); ++c) member_first_[c] += member_first_[c - 1];
    members_.resize(model.tuple_cells.size());
    auto next = member_first_;
    for (std::uint32_t t = 0; t < model.tuples(); ++t) {
        std::uint32_t stride = 1;
        for (auto i = model.tuple_first[t]; i < model.tuple_first[t + 1]; ++i) {
            const auto cell = model.tuple_cells[i];
            members_[next[cell]++] = {t, stride};
            stride *= model.cell_size[cell];
        }
    }
    sum_all();
}

void Evaluator::flip(std::uint32_t fluent, bool on) {
    for (auto i = model_.count_first[fluent]; i < model_.count_first[fluent + 1]; ++i) {
        const auto change = std::int64_t{on ? model_.count_by[i] : -model_.count_by[i]};
        const auto count = model_.count_of[i];
        counted_[count] += change;
        const auto place = base_of(context_) + model_.first_count() + count * model_.outputs;
        for (std::uint32_t o = 0; o < model_.outputs; ++o) sums_[o] += change * model_.weights[place + o];
    }
    const auto cell = model_.cell_of[fluent];
    if (cell == kNoCell) return;
    if (on) raw_[cell] += model_.digit_of[fluent];
    else raw_[cell] -= model_.digit_of[fluent];
    if (!is_touched_[cell]) is_touched_[cell] = 1, touched_.push_back(cell);
}

void Evaluator::add_tuple(std::uint32_t tuple, std::int64_t sign) {
    const auto place = base_of(context_) + place_[tuple] + std::size_t{index_[tuple]} * model_.outputs;
    for (std::uint32_t o = 0; o < model_.outputs; ++o) sums_[o] += sign * model_.weights[place + o];
}

// Strides and digits are counted modulo 2^32: what is subtracted from an index was added to it before.
void Evaluator::settle_cells() {
    const auto context = model_.context == kNoCell ? 0 : digit(model_.context);
    const bool same = context == context_;
    for (const auto cell : touched_) {
        is_touched_[cell] = 0;
        const auto now = digit(cell), change = now - digits_[cell];
        if (change == 0) continue;
        digits_[cell] = now;
        for (auto i = member_first_[cell]; i < member_first_[cell + 1]; ++i) {
            const auto [tuple, stride] = members_[i];
            if (same) add_tuple(tuple, -1);
            index_[tuple] += change * stride;
            if (same) add_tuple(tuple, 1);
        }
    }
    touched_.clear();
    if (same) return;
    context_ = context;
    sum_all();
}

void Evaluator::count_moves(std::span<const std::uint64_t> state, const SingleLane* lane) {
    if (lane == nullptr) own_lane_->load(state), lane = &*own_lane_;
    for (std::size_t m = 0; m < model_.mobility.size(); ++m) {
        auto& counted = counted_[model_.counts() + m];
        const auto change = std::int64_t{lane->legal_count(model_.mobility[m])} - counted;
        if (change == 0) continue;
        counted += change;
        const auto place = base_of(context_) + model_.first_count() + (model_.counts() + m) * model_.outputs;
        for (std::uint32_t o = 0; o < model_.outputs; ++o) sums_[o] += change * model_.weights[place + o];
    }
}

void Evaluator::load(std::span<const std::uint64_t> state, const SingleLane* lane) {
    for (std::size_t w = 0; w < state_.size(); ++w) {
        for (auto rest = state_[w] ^ state[w]; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
            flip(static_cast<std::uint32_t>(64 * w) + bit, state[w] >> bit & 1);
        }
        state_[w] = state[w];
    }
    settle_cells();
    if (!model_.mobility.empty()) count_moves(state, lane);
}

void Evaluator::sum_all() {
    std::ranges::fill(sums_, 0);
    for (std::uint32_t t = 0; t < index_.size(); ++t) add_tuple(t, 1);
    const auto place = base_of(context_) + model_.first_count();
    for (std::size_t k = 0; k < counted_.size(); ++k)
        for (std::uint32_t o = 0; o < model_.outputs; ++o)
            sums_[o] += counted_[k] * model_.weights[place + k * model_.outputs + o];
}

double Evaluator::output(std::uint32_t output) const {
    const auto z = static_cast<double>(sums_[output]) / kWeightUnit;
    return model_.link == Link::logistic ? 1 / (1 + std::exp(-z)) : std::clamp(0.5 + z, 0.0, 1.0);
}

}  // namespace zermelo::gdl
