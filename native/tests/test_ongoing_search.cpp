// A search in a thread of its own: whatever it is told and whenever it is asked, what it has published for a turn is a
// legal move of that turn's position; it keeps what it knows when play goes on, and loses nothing where play stays; it
// rests and ends when told to.
#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "gdl/lane/gdl_lane.hpp"
#include "bandit/threads/ongoing_search.hpp"
#include "check.hpp"
#include "random_rules.hpp"
#include "small_games.hpp"

using namespace zermelo;
using namespace zermelo::bandit;
using zermelo::gdl::GdlLane, zermelo::gdl::GdlRules;

namespace {

using testing::small_game, testing::SmallLane, testing::State;
using namespace std::chrono_literals;

// As many trees as that, in threads of their own.
template <class Make>
std::unique_ptr<Forest> forest_of(std::uint64_t threads, Make&& make) {
    std::vector<std::unique_ptr<Tree>> trees;
    for (std::uint64_t i = 0; i < threads; ++i) trees.push_back(make(i));
    return std::make_unique<Forest>(std::move(trees));
}

std::shared_ptr<const GdlRules> random_sheet(std::uint64_t seed, std::uint32_t roles) {
    Random random(seed);
    auto rules = testing::random_rules(random, 12, 3, roles, 40);
    if (roles > 1 && seed % 2) rules.role_names.back() = "random";
    const auto circuit = std::make_shared<const gdl::Circuit>(gdl::compile(rules));
    return std::make_shared<const GdlRules>(gdl::SingleLane(circuit).net());
}

// Positions of random games, with the legal moves of the role in each.
struct Place {
    State state;
    std::vector<std::uint32_t> legal;
};

std::vector<Place> places(Lane& lane, std::span<const std::uint64_t> start, std::uint32_t role, std::size_t count,
                          std::uint64_t seed) {
    Random random(seed);
    std::vector<Place> found;
    std::vector<std::uint32_t> joint(lane.roles());
    lane.load(start);
    for (int step = 0; found.size() < count && step < 5000; ++step) {
        bool stuck = lane.terminal() || step % 30 == 29;
        for (std::uint32_t r = 0; r < lane.roles(); ++r) stuck = stuck || lane.legal_count(r) == 0;
        if (stuck) {
            lane.load(start);
            continue;
        }
        Place place{State(lane.state().begin(), lane.state().end()), {}};
        lane.legal_moves(role, place.legal);
        found.push_back(std::move(place));
        for (std::uint32_t r = 0; r < lane.roles(); ++r) joint[r] = lane.legal(r, random.below(lane.legal_count(r)));
        lane.play(joint);
    }
    return found;
}

// One thread tells where play is, in no order and at no pace; others ask all the time.
void what_is_published_is_legal(OngoingSearch& run, const std::vector<Place>& all, std::uint64_t seed, int turns) {
    std::atomic<bool> done{false};
    std::atomic<std::uint64_t> looks{0};
    // Turn t is at position t % all.size().
    const auto look = [&] {
        while (!done.load()) {
            const auto found = run.best();
            if (found.turn == Finding::kNoTurn) continue;
            const auto& legal = all[found.turn % all.size()].legal;
            CHECK(std::ranges::find(legal, found.move) != legal.end());
            looks.fetch_add(1);
        }
    };
    std::thread one(look), other(look);
    Random random(seed);
    for (int i = 0; i < turns; ++i) {
        const std::uint64_t turn = random.below(1'000'000);
        run.search(turn, all[turn % all.size()].state, random.below(2) ? 0.0 : 0.001);
        if (random.below(8) == 0) run.rest();
        if (random.below(4) == 0) std::this_thread::sleep_for(std::chrono::microseconds(random.below(2000)));
    }
    while (looks.load() < 100) std::this_thread::sleep_for(1ms);
    done = true;
    one.join();
    other.join();
}

void published_moves_are_legal_in_their_turn(int turns) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        testing::running_seed = seed;
        const auto rules = random_sheet(seed, static_cast<std::uint32_t>(1 + seed % 3));
        Params params;
        params.leaves = seed % 2 ? Params::Leaves::batches : Params::Leaves::single;
        params.max_steps = 30;
        params.grave = seed % 3 ? 16 : 0;
        GdlLane lane(rules);
        const auto role = rules->chance == 0 ? 1u : 0u;
        const auto all = places(lane, rules->circuit->start, role, 60, seed);
        if (all.empty()) continue;
        // Sometimes there is hardly any memory, and nodes are forgotten all the time.
        const auto tree = [&](std::uint64_t i) {
            return std::make_unique<Tree>(std::make_unique<GdlLane>(rules), rules->circuit->start, params,
                                          seed % 4 == 0 ? 1 : 1 << 20, seed + i);
        };
        OngoingSearch run(forest_of(1 + seed / 2 % 3, tree), role);
        what_is_published_is_legal(run, all, seed, turns);
    }
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        testing::running_seed = seed;
        const auto game = small_game(seed);
        SmallLane lane(game);
        const auto role = game.chance == 0 ? 1u : 0u;
        if (role >= game.roles) continue;
        const auto all = places(lane, State{0}, role, 40, seed);
        const auto tree = [&](std::uint64_t i) {
            return std::make_unique<Tree>(std::make_unique<SmallLane>(game), State{0}, Params{}, 1 << 20, seed + i);
        };
        OngoingSearch run(forest_of(1 + seed % 3, tree), role);
        what_is_published_is_legal(run, all, seed, turns);
    }
}

template <class Condition>
bool until(Condition condition) {
    for (int i = 0; i < 10'000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(1ms);
    }
    return false;
}

// A game too large to be decided: the moves of one role are a row of bits, and all that counts is the last. Its random
// games are made one by one, or in batches.
class LongLane final : public Lane {
public:
    explicit LongLane(bool batches = false) : batches_(batches) {}

    std::uint32_t roles() const override { return 1; }
    std::uint32_t chance() const override { return kNobody; }
    std::uint32_t moves() const override { return 4; }
    std::size_t words() const override { return 1; }
    void load(std::span<const std::uint64_t> state) override { state_.assign(state.begin(), state.end()); }
    std::span<const std::uint64_t> state() const override { return state_; }
    bool terminal() const override { return state_[0] >> 40; }
    void legal_moves(std::uint32_t, std::vector<std::uint32_t>& sorted) const override { sorted = {0, 1, 2, 3}; }
    std::uint32_t legal_count(std::uint32_t) const override { return 4; }
    std::uint32_t legal(std::uint32_t, std::uint32_t i) const override { return i; }
    void play(std::span<const std::uint32_t> joint) override { ++work_, state_[0] = 4 * state_[0] + joint[0]; }
    std::int32_t goal(std::uint32_t) override { return static_cast<std::int32_t>(std::popcount(state_[0]) * 2); }
    std::int32_t lowest(std::uint32_t) const override { return 0; }
    std::int32_t highest(std::uint32_t) const override { return 100; }
    std::int32_t scale() const override { return 100; }
    bool goals_agree() const override { return true; }
    std::uint32_t playout(Random& random, std::uint32_t max_steps) override {
        std::uint32_t step = 0;
        for (; step < max_steps && !terminal(); ++step) play(std::vector<std::uint32_t>{random.below(4)});
        return step;
    }
    std::uint64_t work() const override { return work_; }
    double batch_gain() const override { return batches_ ? 100 : 0; }
    std::uint64_t batch_work() const override { return batches_ ? 1000 : 0; }
    bool batch(std::span<const std::uint64_t> states, std::uint32_t playouts, std::uint64_t seed,
               std::uint32_t max_steps, Control& control, std::span<double> mean, std::span<double> square,
               std::vector<bandit::MoveTally>*) override {
        Random random(seed);
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (!control.allows(1)) return false;
            mean[i] = square[i] = 0;
            for (std::uint32_t k = 0; k < playouts; ++k) {
                load(states.subspan(i, 1));
                playout(random, max_steps);
                const auto reward = goal(0) / 100.0;
                mean[i] += reward / playouts;
                square[i] += reward * reward / playouts;
            }
        }
        return true;
    }

private:
    bool batches_;
    State state_{1};
    std::uint64_t work_ = 0;
};

std::unique_ptr<Tree> long_tree(bool batches = false) {
    return std::make_unique<Tree>(std::make_unique<LongLane>(batches), State{1}, Params{}, 1 << 26, 1);
}

std::unique_ptr<Forest> long_forest(std::uint64_t threads = 1, bool batches = false) {
    return forest_of(threads, [&](std::uint64_t) { return long_tree(batches); });
}

void play_that_goes_on_keeps_what_is_known(std::uint64_t threads) {
    OngoingSearch run(long_forest(threads), 0);
    run.search(1, State{1}, 0);
    CHECK(until([&] { return run.best().turn == 1 && run.best().simulations > 20'000; }));
    const auto move = run.best().move;
    run.search(2, State{4 + move}, 0);
    CHECK(until([&] { return run.best().turn == 2; }));
    const auto found = run.best();
    CHECK(found.visits > found.simulations + 1000);
}

void a_tree_that_is_placed_where_it_stands_goes_on_as_if_it_had_not_been() {
    for (const bool batches : {false, true}) {
        const auto once = long_tree(batches), often = long_tree(batches);
        Control control;
        for (int i = 0; i < 40; ++i) {
            once->run(512, 0, control);
            often->place(State{1});
            often->run(512, 0, control);
        }
        CHECK(often->nodes() == once->nodes() && often->visits() == once->visits());
        CHECK(often->verdict(0).value == once->verdict(0).value);
    }
}

void a_new_turn_at_the_same_position_has_what_was_found_at_once(std::uint64_t threads) {
    for (const bool batches : {false, true}) {
        OngoingSearch run(long_forest(threads, batches), 0);
        run.search(1, State{1}, 0);
        CHECK(until([&] { return run.best().turn == 1 && run.best().simulations > 5000; }));
        for (std::uint64_t turn = 2; turn < 200; ++turn) {
            run.search(turn, State{1}, 0);
            const auto found = run.best();
            CHECK(found.turn == turn && found.visits > 5000 && found.move < 4);
        }
        CHECK(until([&] { return run.best().turn == 199 && run.best().simulations > 5000; }));
        CHECK(run.best().visits > run.best().simulations + 5000);
        run.search(200, State{4}, 0);
        CHECK(until([&] { return run.best().turn == 200; }));
    }
}

// What is found after so many simulations is what one uninterrupted run finds after as many, however often it was told.
void a_run_that_is_told_the_same_position_again_does_what_an_uninterrupted_one_does() {
    for (const bool batches : {false, true}) {
        OngoingSearch run(long_forest(1, batches), 0);
        std::uint64_t turn = 0;
        const bool enough = until([&] {
            run.search(++turn, State{1}, 0);
            return run.best().visits > 50'000;
        });
        CHECK(enough && turn > 1);
        const auto found = run.best();
        const auto alone = long_tree(batches);
        Control control;
        alone->run(found.visits, 0, control);
        CHECK(alone->visits() == found.visits && alone->nodes() == found.nodes);
        CHECK(alone->verdict(0).value == found.value && alone->verdict(0).move == found.move);
    }
}

void a_run_that_rests_is_idle_and_goes_on_where_it_was(std::uint64_t threads) {
    OngoingSearch run(long_forest(threads), 0);
    CHECK(run.best().turn == Finding::kNoTurn);
    run.search(5, State{1}, 0.05);
    CHECK(until([&] { return run.best().turn == 5 && run.best().simulations > 1000; }));  // beyond its clock, too
    run.rest();
    CHECK(until([&] { return !run.searching(); }));
    const auto before = run.best().simulations;
    std::this_thread::sleep_for(20ms);
    CHECK(run.best().simulations == before);
    run.search(5, State{1}, 0);
    CHECK(until([&] { return run.best().simulations > before + 1000; }));
    run.close();
    const auto last = run.best();
    std::this_thread::sleep_for(5ms);
    CHECK(run.best().simulations == last.simulations && !run.searching());
    run.close();  // twice is once
}

void a_decided_position_ends_the_search(std::uint64_t threads) {
    const auto game = small_game(8);
    const auto tree = [&](std::uint64_t i) {
        return std::make_unique<Tree>(std::make_unique<SmallLane>(game), State{0}, Params{}, 1 << 20, 1 + i);
    };
    OngoingSearch run(forest_of(threads, tree), 0);
    run.search(1, State{0}, 0);
    CHECK(until([&] { return run.best().decided && !run.searching(); }));
}

void runs_come_and_go() {
    for (int i = 0; i < 200; ++i) {
        OngoingSearch run(long_forest(1 + static_cast<std::uint64_t>(i % 3)), 0);
        if (i % 4) run.search(1, State{1}, 0);
        if (i % 2) std::this_thread::sleep_for(std::chrono::microseconds(i));
    }
}

}  // namespace

int main() {
    published_moves_are_legal_in_their_turn(400);
    a_tree_that_is_placed_where_it_stands_goes_on_as_if_it_had_not_been();
    a_run_that_is_told_the_same_position_again_does_what_an_uninterrupted_one_does();
    for (const std::uint64_t threads : {1, 2, 3}) {
        play_that_goes_on_keeps_what_is_known(threads);
        a_new_turn_at_the_same_position_has_what_was_found_at_once(threads);
        a_run_that_rests_is_idle_and_goes_on_where_it_was(threads);
        a_decided_position_ends_the_search(threads);
    }
    runs_come_and_go();
}
