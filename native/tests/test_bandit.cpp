// Trees of bandits: every proved bound contains the value that brute force finds, with and without chance, for one to
// three players, one at a time and at once; memory is bounded; the same seed gives the same tree.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "bandit/gdl_lane.hpp"
#include "bandit/tree.hpp"
#include "check.hpp"
#include "random_rules.hpp"

using namespace zermelo;
using namespace zermelo::bandit;

namespace {

using State = std::vector<std::uint64_t>;

// A random game that ends: a counter of steps is part of the position, so that every play is short. Layers of goals and
// legal moves come from random rules.
struct Small {
    std::uint32_t roles, chance, depth;
    std::uint64_t seed;
    bool together, at_once;

    std::uint64_t mixed(std::uint64_t a, std::uint64_t b) const {
        auto z = (a * 0x9e3779b97f4a7c15u) ^ (b + seed * 0xbf58476d1ce4e5b9u);
        z = (z ^ (z >> 30)) * 0x94d049bb133111ebu;
        return z ^ (z >> 27);
    }
    // A position is its step and a number below 6, so that many plays meet.
    std::uint32_t step(std::uint64_t state) const { return static_cast<std::uint32_t>(state >> 8); }
    bool over(std::uint64_t state) const { return step(state) >= depth || (step(state) > 0 && mixed(state, 1) % 5 == 0); }
    std::uint32_t count(std::uint64_t state, std::uint32_t role) const {
        if (at_once) return 1 + static_cast<std::uint32_t>(mixed(state, 10 + role) % 3);
        return mixed(state, 2) % roles == role ? 1 + static_cast<std::uint32_t>(mixed(state, 3) % 3) : 1;
    }
    std::int32_t goal(std::uint64_t state, std::uint32_t role) const {
        const auto value = static_cast<std::int32_t>(mixed(state, together ? 20 : 20 + role) % 5 * 25);
        return value;
    }
    std::uint64_t next(std::uint64_t state, std::span<const std::uint32_t> joint) const {
        auto h = state;
        for (const auto move : joint) h = mixed(h, 100 + move);
        return (static_cast<std::uint64_t>(step(state) + 1) << 8) | h % 6;
    }
};

class SmallLane final : public Lane {
public:
    explicit SmallLane(const Small& game) : game_(game), state_(1, 0) {}
    std::uint32_t roles() const override { return game_.roles; }
    std::uint32_t chance() const override { return game_.chance; }
    std::uint32_t moves() const override { return 3; }
    std::size_t words() const override { return 1; }
    void load(std::span<const std::uint64_t> state) override { state_.assign(state.begin(), state.end()); }
    std::span<const std::uint64_t> state() const override { return state_; }
    bool terminal() const override { return game_.over(state_[0]); }
    void legal_moves(std::uint32_t role, std::vector<std::uint32_t>& sorted) const override {
        sorted.clear();
        for (std::uint32_t i = 0; i < legal_count(role); ++i) sorted.push_back(i);
    }
    std::uint32_t legal_count(std::uint32_t role) const override { return game_.count(state_[0], role); }
    std::uint32_t legal(std::uint32_t, std::uint32_t i) const override { return i; }
    void play(std::span<const std::uint32_t> joint) override { ++work_, state_[0] = game_.next(state_[0], joint); }
    std::int32_t goal(std::uint32_t role) override { return game_.goal(state_[0], role); }
    std::int32_t lowest(std::uint32_t) const override { return 0; }
    std::int32_t highest(std::uint32_t) const override { return 100; }
    std::int32_t scale() const override { return 100; }
    bool goals_agree() const override { return game_.together; }
    std::uint32_t playout(Random& random, std::uint32_t max_steps) override {
        std::vector<std::uint32_t> joint(roles());
        std::uint32_t step = 0;
        for (; step < max_steps && !terminal(); ++step) {
            for (std::uint32_t role = 0; role < roles(); ++role) joint[role] = random.below(legal_count(role));
            play(joint);
        }
        return step;
    }
    std::uint64_t work() const override { return work_; }
    double batch_gain() const override { return 0; }
    std::uint64_t batch_work() const override { return 0; }
    bool batch(std::span<const std::uint64_t>, std::uint32_t, std::uint64_t, std::uint32_t, Control&, std::span<double>, std::vector<gdl::Tried>*) override { return false; }

private:
    Small game_;
    State state_;
    std::uint64_t work_ = 0;
};

struct Span {
    double lower, upper;
};

// What each player may get, by looking at everything: for one or two players and where all agree its value (or, where two
// choose at once, the pure bounds on it), for more the least and the most over all ways to break ties of max^n.
class Brute {
public:
    explicit Brute(const Small& game) : game_(game) {
        for (std::uint32_t r = 0; r < game.roles; ++r) players_ += r != game.chance;
    }
    const std::vector<Span>& of(std::uint64_t state) {
        if (const auto known = known_.find(state); known != known_.end()) return known->second;
        std::vector<Span> value(game_.roles, {0, 0});
        if (game_.over(state)) {
            for (std::uint32_t r = 0; r < game_.roles; ++r) value[r] = {double(game_.goal(state, r)), double(game_.goal(state, r))};
            return known_.emplace(state, value).first->second;
        }
        std::vector<std::uint32_t> counts, joint(game_.roles);
        std::uint32_t joints = 1, outcomes = 1, choosers = 0, mover = 0;
        for (std::uint32_t r = 0; r < game_.roles; ++r) {
            counts.push_back(game_.count(state, r));
            if (r == game_.chance) {
                outcomes = counts[r];
                continue;
            }
            joints *= counts[r];
            if (counts[r] > 1) ++choosers, mover = r;
        }
        std::vector<std::vector<Span>> after(joints, std::vector<Span>(game_.roles, {0, 0}));
        std::vector<std::vector<std::uint32_t>> digits(joints);
        for (std::uint32_t j = 0; j < joints; ++j) {
            auto rest = j;
            for (std::uint32_t r = 0; r < game_.roles; ++r) {
                if (r == game_.chance) continue;
                joint[r] = rest % counts[r];
                rest /= counts[r];
            }
            digits[j] = joint;
            for (std::uint32_t o = 0; o < outcomes; ++o) {
                if (game_.chance != kNobody) joint[game_.chance] = o;
                const auto& child = of(game_.next(state, joint));
                for (std::uint32_t r = 0; r < game_.roles; ++r) {
                    after[j][r].lower += child[r].lower / outcomes;
                    after[j][r].upper += child[r].upper / outcomes;
                }
            }
        }
        for (std::uint32_t r = 0; r < game_.roles; ++r) {
            if (r == game_.chance) continue;
            if (choosers <= 1 || game_.together)
                value[r] = one_chooses(after, mover, r);
            else
                value[r] = all_choose(after, digits, counts, r);
        }
        return known_.emplace(state, value).first->second;
    }

private:
    Span one_chooses(const std::vector<std::vector<Span>>& after, std::uint32_t mover, std::uint32_t role) const {
        Span result = after[0][role];
        if (role == mover || game_.together) {
            for (const auto& a : after) result = {std::max(result.lower, a[role].lower), std::max(result.upper, a[role].upper)};
        } else if (players_ == 2) {
            for (const auto& a : after) result = {std::min(result.lower, a[role].lower), std::min(result.upper, a[role].upper)};
        } else {
            double sure = 0;
            for (const auto& a : after) sure = std::max(sure, a[mover].lower);
            result = {1e9, -1e9};
            for (const auto& a : after)
                if (a[mover].upper >= sure) result = {std::min(result.lower, a[role].lower), std::max(result.upper, a[role].upper)};
        }
        return result;
    }
    Span all_choose(const std::vector<std::vector<Span>>& after, const std::vector<std::vector<std::uint32_t>>& digits,
                    const std::vector<std::uint32_t>& counts, std::uint32_t role) const {
        Span result{-1e9, players_ == 2 ? 1e9 : -1e9};
        for (std::uint32_t mine = 0; mine < counts[role]; ++mine) {
            double worst = 1e9;
            for (std::size_t j = 0; j < after.size(); ++j)
                if (digits[j][role] == mine) worst = std::min(worst, after[j][role].lower);
            result.lower = std::max(result.lower, worst);
        }
        for (std::size_t j = 0; j < after.size(); ++j) {
            double best = -1e9;
            for (std::size_t i = 0; i < after.size(); ++i) {
                bool same = true;
                for (std::uint32_t r = 0; r < counts.size(); ++r) same = same && (r == role || r == game_.chance || digits[i][r] == digits[j][r]);
                if (same) best = std::max(best, after[i][role].upper);
            }
            result.upper = players_ == 2 ? std::min(result.upper, best) : std::max(result.upper, best);
        }
        return result;
    }

    const Small& game_;
    std::uint32_t players_ = 0;
    std::map<std::uint64_t, std::vector<Span>> known_;
};

Small small_game(std::uint64_t seed) {
    Random random(seed);
    const bool dice = random.below(2) == 0;
    const auto players = 1 + random.below(3);
    const auto roles = players + dice;
    return {roles, dice ? random.below(roles) : kNobody, 2 + random.below(4), seed, players == 1 || random.below(4) == 0, random.below(3) == 0};
}

double of_bound(Bound bound) { return static_cast<double>(bound) / static_cast<double>(kUnit); }

// Bounds are looked at after every few simulations, so those of half-known trees count as well.
void bounds_contain_the_value(std::uint64_t games) {
    std::uint64_t proved = 0;
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        const auto game = small_game(seed);
        Brute brute(game);
        const auto& exact = brute.of(0);
        for (const bool ahead : {false, true}) {
            Params params;
            params.look_ahead = ahead;
            params.grave = seed % 5 == 0 ? 8 : 0;
            params.mast = seed % 7 == 0 ? 0.2 : 0;
            params.literal = seed % 11 == 0;
            // Sometimes there is hardly any memory, and nodes are forgotten all the time.
            Tree tree(std::make_unique<SmallLane>(game), State{0}, params, seed % 3 == 0 ? 1 : 1 << 20, seed);
            Control control;
            for (int i = 0; i < 12; ++i) {
                tree.run(40, 0, control);
                for (std::uint32_t r = 0; r < game.roles; ++r) {
                    if (r == game.chance) continue;
                    CHECK(of_bound(tree.lower(r)) <= exact[r].upper + 1e-4);
                    CHECK(of_bound(tree.upper(r)) >= exact[r].lower - 1e-4);
                    if (exact[r].lower == exact[r].upper) {
                        CHECK(of_bound(tree.lower(r)) <= exact[r].lower + 1e-4);
                        CHECK(of_bound(tree.upper(r)) >= exact[r].upper - 1e-4);
                    }
                    proved += i == 11 && tree.upper(r) - tree.lower(r) <= kTight;
                }
            }
        }
    }
    CHECK(proved > games);  // of about four times as many
}

// The move that a proof rests on is one of the best.
void proved_moves_are_best(std::uint64_t games) {
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        auto game = small_game(seed);
        game.at_once = false;
        Brute brute(game);
        Tree tree(std::make_unique<SmallLane>(game), State{0}, {}, 1 << 20, seed);
        Control control;
        tree.run(2000, 0, control);
        std::uint32_t mover = kNobody, players = 0;
        for (std::uint32_t r = 0; r < game.roles; ++r) {
            players += r != game.chance;
            if (r != game.chance && game.count(0, r) > 1) mover = r;
        }
        if (mover == kNobody || game.over(0)) continue;
        const auto verdict = tree.verdict(mover);
        if (!verdict.proved || (players > 2 && !game.together)) continue;
        CHECK(std::abs(100 * verdict.value - brute.of(0)[mover].lower) < 1e-4);
        std::vector<std::uint32_t> joint(game.roles, 0);
        joint[mover] = verdict.move;
        CHECK(std::abs(brute.of(game.next(0, joint))[mover].lower - brute.of(0)[mover].lower) < 1e-4);
    }
}

std::shared_ptr<const GdlRules> random_sheet(std::uint64_t seed, std::uint32_t roles) {
    Random random(seed);
    auto rules = testing::random_rules(random, 12, 3, roles, 40);
    if (roles > 1 && seed % 2) rules.role_names.back() = "random";
    const auto circuit = std::make_shared<const gdl::Circuit>(gdl::compile(rules));
    return std::make_shared<const GdlRules>(gdl::SingleLane(circuit).net());
}

void a_seed_gives_the_same_tree_on_rulesheets() {
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        testing::running_seed = seed;
        const auto rules = random_sheet(seed, static_cast<std::uint32_t>(1 + seed % 4));
        for (const auto leaves : {Params::Leaves::single, Params::Leaves::batches}) {
            Params params;
            params.leaves = leaves;
            params.max_steps = 20;
            const auto tree = [&] { return Tree(std::make_unique<GdlLane>(rules), rules->circuit->start, params, 1 << 20, seed); };
            auto one = tree(), other = tree();
            CHECK(one.in_batches() == (leaves == Params::Leaves::batches && rules->batch_gain > 0));
            Control control;
            CHECK(one.run(3000, 0, control) == other.run(3000, 0, control));
            for (std::uint32_t role = 0; role < rules->circuit->roles(); ++role) {
                const auto x = one.options(role), y = other.options(role);
                for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i].move == y[i].move && x[i].visits == y[i].visits && x[i].mean == y[i].mean);
            }
        }
    }
}

void what_was_stopped_leaves_no_visits() {
    const auto rules = random_sheet(2, 2);
    for (const std::uint64_t limit : {1u, 7u, 100u, 511u, 512u, 513u, 5000u}) {
        Params params;
        params.leaves = Params::Leaves::batches;
        params.max_steps = 20;
        Tree tree(std::make_unique<GdlLane>(rules), rules->circuit->start, params, 1 << 20, 1);
        Control limited(0, limit);
        const auto done = tree.run(1'000'000, 0, limited);
        std::uint64_t visits = 0;
        for (const auto& option : tree.options(0)) {
            CHECK(option.mean >= 0 && option.mean <= 1.0001);
            visits += option.visits;
        }
        CHECK(visits == done);
    }
}

void a_known_position_keeps_its_tree() {
    const auto game = small_game(8);
    Tree tree(std::make_unique<SmallLane>(game), State{0}, {}, 1 << 20, 1);
    Control control;
    tree.run(500, 0, control);
    const auto nodes = tree.nodes();
    tree.place(State{0});
    CHECK(tree.nodes() == nodes);
}

}  // namespace

int main() {
    bounds_contain_the_value(3000);
    proved_moves_are_best(1500);
    a_seed_gives_the_same_tree_on_rulesheets();
    what_was_stopped_leaves_no_visits();
    a_known_position_keeps_its_tree();
}
