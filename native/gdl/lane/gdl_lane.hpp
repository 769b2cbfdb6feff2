// A ground game as the lane of a tree: SL plays, BP values batches of leaves.
//
//     auto rules = std::make_shared<const GdlRules>(game.lane().net());   // once a game: BP takes a while to make
//     GdlLane lane(rules);                                                // once a tree
#pragma once

#include <memory>
#include <optional>

#include "bandit/lane.hpp"
#include "gdl/bulk/bulk.hpp"
#include "gdl/exact/potential.hpp"
#include "gdl/lane/goals_now.hpp"
#include "gdl/lane/influence.hpp"
#include "gdl/lane/interchange.hpp"
#include "gdl/single/single.hpp"
#include "gdl/symmetry/symmetry.hpp"
#include "gdl/values/evaluator.hpp"

namespace zermelo::gdl {

// What all trees of a game share.
struct GdlRules {
    // Without batches there is no BP, which takes a while to make.
    explicit GdlRules(std::shared_ptr<const single::Net> layout, bool batches = true);

    struct Range {
        std::int32_t lowest, highest;
    };
    std::shared_ptr<const single::Net> net;
    std::shared_ptr<const Circuit> circuit;
    std::uint32_t chance;
    std::vector<Range> goals;  // of each role
    bool goals_agree;
    std::optional<Bulk> bulk;
    double batch_gain = 0;
    std::uint64_t batch_work = 0;
    // Where there is chance: what may be exchanged, and what is for good.
    Interchange interchange;
    std::optional<Potential> potential;

private:
    void read_goals();
    void compare_kernels();
};

class GdlLane final : public bandit::Lane {
public:
    explicit GdlLane(std::shared_ptr<const GdlRules> rules, std::shared_ptr<const StateSymmetry> symmetry = {},
                     std::shared_ptr<const ValueModel> model = {})
        : rules_(std::move(rules)), symmetry_(std::move(symmetry)), model_(std::move(model)), lane_(rules_->net) {
        if (model_) evaluator_.emplace(*model_, rules_->net);
    }

    std::unique_ptr<bandit::Lane> copy() const override { return std::make_unique<GdlLane>(rules_, symmetry_, model_); }
    std::uint32_t roles() const override { return rules_->circuit->roles(); }
    std::uint32_t chance() const override { return rules_->chance; }
    std::uint32_t moves() const override { return rules_->circuit->moves; }
    std::size_t words() const override { return rules_->circuit->words(); }
    void load(std::span<const std::uint64_t> state) override { lane_.load(state); }
    void mark() override { lane_.mark(); }
    std::span<const std::uint64_t> state() const override { return lane_.state(); }
    bool terminal() const override { return lane_.terminal(); }
    void legal_moves(std::uint32_t role, std::vector<std::uint32_t>& sorted) const override {
        lane_.legal_moves(role, sorted);
    }
    std::uint32_t legal_count(std::uint32_t role) const override { return lane_.legal_count(role); }
    std::uint32_t legal(std::uint32_t role, std::uint32_t i) const override { return lane_.legal(role, i); }
    void play(std::span<const std::uint32_t> joint) override { ++steps_, lane_.play(joint); }
    std::int32_t goal(std::uint32_t role) override;
    std::int32_t lowest(std::uint32_t role) const override { return rules_->goals[role].lowest; }
    std::int32_t highest(std::uint32_t role) const override { return rules_->goals[role].highest; }
    std::int32_t scale() const override { return 100; }
    bool goals_agree() const override { return rules_->goals_agree; }
    std::uint32_t playout(Random& random, std::uint32_t max_steps) override;
    std::uint64_t work() const override;
    double batch_gain() const override { return rules_->batch_gain; }
    std::uint64_t batch_work() const override { return rules_->batch_work; }
    bool batch(std::span<const std::uint64_t> states, std::uint32_t playouts, std::uint64_t seed,
               std::uint32_t max_steps, Control& control, std::span<double> mean, std::span<double> square,
               std::vector<bandit::MoveTally>* tried) override;
    bool has_values() const override { return evaluator_.has_value(); }
    void values(std::span<const std::uint64_t> state, std::span<double> worth) override;
    bool lumps() const override { return !rules_->interchange.trivial(); }
    void lump(std::span<std::uint64_t> state) const override { rules_->interchange.sort(state); }
    std::uint64_t progress(std::span<const std::uint64_t> state) const override {
        return rules_->potential ? (*rules_->potential)(state) : 0;
    }
    void rewards_now(std::span<const std::uint64_t> state, std::span<double> rewards) override {
        if (!now_) now_.emplace(*rules_->circuit);
        (*now_)(state, rewards);
    }
    bool influence(std::span<const std::uint32_t> joint, std::span<const std::uint64_t> known,
                   std::span<const std::uint64_t> state, bandit::Influence& found) const override {
        found = influence_of(*rules_->circuit, joint, known, state);
        return true;
    }
    std::pair<std::uint32_t, std::uint32_t> moves_of(std::uint32_t role) const override {
        return {rules_->circuit->first_move[role], rules_->circuit->first_move[role + 1]};
    }
    bool symmetric() const override { return symmetry_ && !symmetry_->trivial(); }
    std::uint32_t canon(std::span<const std::uint64_t> state, std::span<std::uint64_t> form) const override {
        return symmetry_->canon(state, form);
    }
    std::uint32_t move_from(std::uint32_t element, std::uint32_t move) const override {
        return symmetric() ? symmetry_->move_from(element, move) : move;
    }

private:
    std::shared_ptr<const GdlRules> rules_;
    std::shared_ptr<const StateSymmetry> symmetry_;
    std::shared_ptr<const ValueModel> model_;
    SingleLane lane_;
    std::optional<Evaluator> evaluator_;
    std::optional<GoalsNow> now_;
    std::uint64_t steps_ = 0, valued_ = 0;
};

}  // namespace zermelo::gdl
