// A ground game as the lane of a tree: SL plays, BP values batches of leaves.
#pragma once

#include <memory>
#include <optional>

#include "bandit/lane.hpp"
#include "gdl/bulk.hpp"
#include "gdl/single.hpp"

namespace zermelo::bandit {

class GdlLane final : public Lane {
public:
    explicit GdlLane(std::shared_ptr<const gdl::Circuit> circuit);

    std::uint32_t roles() const override { return circuit_->roles(); }
    std::uint32_t chance() const override { return chance_; }
    std::uint32_t moves() const override { return circuit_->moves; }
    std::size_t words() const override { return circuit_->words(); }
    void load(std::span<const std::uint64_t> state) override { lane_.load(state); }
    std::span<const std::uint64_t> state() const override { return lane_.state(); }
    bool terminal() const override { return lane_.terminal(); }
    void legal_moves(std::uint32_t role, std::vector<std::uint32_t>& sorted) const override { lane_.legal_moves(role, sorted); }
    std::uint32_t legal_count(std::uint32_t role) const override { return lane_.legal_count(role); }
    std::uint32_t legal(std::uint32_t role, std::uint32_t i) const override { return lane_.legal(role, i); }
    void play(std::span<const std::uint32_t> joint) override { ++steps_, lane_.play(joint); }
    std::int32_t goal(std::uint32_t role) override;
    std::int32_t lowest(std::uint32_t role) const override { return range_[role].lowest; }
    std::int32_t highest(std::uint32_t role) const override { return range_[role].highest; }
    std::int32_t scale() const override { return 100; }
    bool goals_agree() const override { return goals_agree_; }
    std::uint32_t playout(Random& random, std::uint32_t max_steps) override;
    std::uint64_t work() const override;
    bool batches_pay(std::uint32_t leaves, std::uint32_t playouts) override;
    std::uint64_t batch_work(std::uint32_t leaves, std::uint32_t playouts) const override;
    bool batch(std::span<const std::uint64_t> states, std::uint32_t playouts, std::uint64_t seed, std::uint32_t max_steps, Control& control,
               std::span<double> mean) override;

private:
    struct Range {
        std::int32_t lowest, highest;
    };
    void read_goals();

    std::shared_ptr<const gdl::Circuit> circuit_;
    gdl::SingleLane lane_;
    std::optional<gdl::Bulk> bulk_;
    std::uint32_t chance_;
    std::vector<Range> range_;
    bool goals_agree_ = false;
    std::uint64_t steps_ = 0;
};

}  // namespace zermelo::bandit
