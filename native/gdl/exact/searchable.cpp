#include "gdl/exact/searchable.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "gdl/exact/path.hpp"
#include "gdl/exact/potential.hpp"
#include "gdl/single/single.hpp"
#include "gdl/exact/turns.hpp"
#include "search/opaque.hpp"

namespace zermelo::gdl {

namespace {

// What all positions of a game share.
struct Setting {
    std::shared_ptr<const Circuit> circuit;
    Potential potential;
    std::shared_ptr<const single::Net> net;  // to lay it out takes longer than many a search
    Score worst, best, step, total;          // of role 0; and what two roles' scores add up to
};

// Every score of role 0 is the least one plus a multiple of this: 50 where it can lose, draw and win. Who asks "at
// least 34?" would ask the same again as "at least 50?".
Score step_of(const Circuit& circuit, Score least) {
    Score step = 0;
    for (const auto& goal : circuit.goals)
        if (goal.role == 0 && goal.when != kFalse) step = std::gcd(step, goal.value - least);
    return std::max<Score>(step, 1);
}

std::shared_ptr<const Setting> setting_of(std::shared_ptr<const Circuit> circuit) {
    Score least[2] = {0, 0}, most[2] = {0, 0};
    for (std::uint32_t role = 0; role < std::min(circuit->roles(), 2u); ++role) {
        bool first = true;
        for (const auto& goal : circuit->goals) {
            if (goal.role != role || goal.when == kFalse) continue;
            least[role] = first ? goal.value : std::min(least[role], goal.value);
            most[role] = first ? goal.value : std::max(most[role], goal.value);
            first = false;
        }
    }
    // The extremes must meet if the game is zero-sum at all.
    const auto total = circuit->roles() == 2 ? most[0] + least[1] : 0;
    Potential potential(*circuit);
    auto net = SingleLane(circuit).net();
    const auto step = step_of(*circuit, least[0]);
    return std::make_shared<const Setting>(
        Setting{std::move(circuit), std::move(potential), std::move(net), least[0], most[0], step, total});
}

// One for each search: the lane is where the search is, so a child is one step away and its parent known.
template <std::size_t N>
class LaneRules final : public Rules<N> {
public:
    using State = OpaqueState<N>;
    explicit LaneRules(std::shared_ptr<const Setting> setting) : setting_(std::move(setting)), lane_(setting_->net) {
        this->worst = setting_->worst;
        this->best = setting_->best;
        this->step = setting_->step;
        joint_.resize(circuit().roles());
    }

    int turn(const State& s) const override {
        seek(s);
        return static_cast<int>(mover());
    }
    Ending ending(const State& s) const override {
        seek(s);
        if (!lane_.terminal()) return {};
        const auto score = lane_.goal(0);
        if (score == kNoGoal) throw NotSearchable("a role has no goal value, or several, at an end");
        if (circuit().roles() == 2 && (lane_.goal(1) == kNoGoal || score + lane_.goal(1) != setting_->total))
            throw NotSearchable("the scores of the two roles do not add up to the same number at every end");
        return {true, score};
    }
    void moves(const State& s, std::vector<Move>& out) const override {
        seek(s);
        lane_.legal_moves(mover(), list_);
        out.insert(out.end(), list_.begin(), list_.end());
    }
    State play(const State& s, Move move) const override {
        seek(s);
        const auto role = mover();
        const auto before = setting_->potential(lane_.state());
        for (std::uint32_t other = 0; other < joint_.size(); ++other)
            joint_[other] = other == role ? move : lane_.legal(other, 0);
        lane_.play(joint_);
        if (setting_->potential(lane_.state()) <= before) throw NotSearchable("positions may repeat");
        State next;
        std::ranges::copy(lane_.state(), next.word.begin());
        return next;
    }
    State canon(const State& s) const override { return s; }
    void order(const State&, std::span<Move>) const override {}
    bool narrow(const State&, std::vector<Move>&) const override { return false; }
    Bounds bounds(const State&) const override { return {this->worst, this->best}; }
    Score evaluate(const State&) const override { return (this->worst + this->best) / 2; }
    Score playout(const State& s, Random& random) const override {
        State here = s;
        while (true) {
            const auto end = ending(here);
            if (end.over) return end.score;
            const auto role = mover();
            here = play(here, lane_.legal(role, random.below(lane_.legal_count(role))));
        }
    }

private:
    const Circuit& circuit() const { return *setting_->circuit; }
    void seek(const State& s) const {
        const auto there = lane_.state();
        if (!std::equal(there.begin(), there.end(), s.word.begin())) lane_.load(std::span(s.word).first(there.size()));
    }
    std::uint32_t mover() const {
        const auto turn = turn_of(lane_, kNobody);
        if (turn.stuck) throw NotSearchable("a role has no legal move before the end");
        if (turn.several) throw NotSearchable("several roles move at once");
        return turn.player;
    }

    std::shared_ptr<const Setting> setting_;
    mutable SingleLane lane_;
    mutable std::vector<std::uint32_t> list_, joint_;
};

template <std::size_t N>
class SearchableGame final : public AnyGame {
public:
    using State = OpaqueState<N>;
    SearchableGame(std::shared_ptr<const Setting> setting, const State& state)
        : setting_(std::move(setting)), state_(state), rules_(std::make_shared<const LaneRules<N>>(setting_)) {}

    std::unique_ptr<AnyGame> after(std::uint32_t index) const override {
        return std::make_unique<SearchableGame>(setting_, rules_->play(state_, moves(state_).at(index)));
    }
    int turn() const override { return rules_->turn(state_); }
    Ending ending() const override { return rules_->ending(state_); }
    std::uint32_t move_count() const override {
        return ending().over ? 0 : static_cast<std::uint32_t>(moves(state_).size());
    }
    Score worst() const override { return setting_->worst; }
    Score best() const override { return setting_->best; }
    bool acyclic() const override { return true; }
    std::vector<std::string> engines() const override {
        std::vector<std::string> names{"alphabeta", "dp", "pns", "andor", "minimax", "mtdf", "uct"};
        if (setting_->circuit->roles() == 1) names.push_back("path");
        return names;
    }
    std::unique_ptr<Search> search(std::string_view engine, const SearchParams& params) const override {
        if (engine == "path") {
            const auto words = std::span(state_.word).first(setting_->circuit->words());
            return std::make_unique<PathSearch>(setting_->circuit, words, setting_->worst, setting_->best);
        }
        return opaque_search<N>(std::make_shared<const LaneRules<N>>(setting_), state_, engine, params);
    }
    std::unique_ptr<bandit::Lane> lane() const override {
        return opaque_lane<N>(std::make_shared<const LaneRules<N>>(setting_), state_);
    }
    std::int64_t playouts(std::uint64_t count, std::uint64_t seed, Control& control) const override {
        Random random(seed);
        Score sum = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            control.tick();
            sum += rules_->playout(state_, random);
        }
        control.publish();
        return sum;
    }
    std::uint64_t perft(int depth, Control& control) const override { return perft(state_, depth, control); }

private:
    std::vector<Move> moves(const State& state) const {
        std::vector<Move> list;
        rules_->moves(state, list);
        return list;
    }
    std::uint64_t perft(const State& state, int depth, Control& control) const {
        control.tick();
        if (depth == 0) return 1;
        if (rules_->ending(state).over) return 0;
        std::uint64_t lines = 0;
        for (const auto move : moves(state)) lines += perft(rules_->play(state, move), depth - 1, control);
        return lines;
    }

    std::shared_ptr<const Setting> setting_;
    State state_;
    std::shared_ptr<const LaneRules<N>> rules_;
};

template <std::size_t N>
std::unique_ptr<AnyGame> make(std::shared_ptr<const Setting> setting, std::span<const std::uint64_t> state) {
    OpaqueState<N> packed;
    std::ranges::copy(state, packed.word.begin());
    return std::make_unique<SearchableGame<N>>(std::move(setting), packed);
}

}  // namespace

std::unique_ptr<AnyGame> searchable(std::shared_ptr<const Circuit> circuit, std::span<const std::uint64_t> state) {
    if (circuit->roles() > 2 || random_role(*circuit) != kNobody || state.size() > 18) return nullptr;
    auto setting = setting_of(std::move(circuit));
    if (state.size() <= 2) return make<2>(std::move(setting), state);
    if (state.size() <= 5) return make<5>(std::move(setting), state);
    return make<18>(std::move(setting), state);
}

}  // namespace zermelo::gdl
