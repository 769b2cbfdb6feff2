// One-stage problems by MAC: the same bounds as by playing every joint move, with and without chance, for one goal and
// for several; bounds of whole trees contain what brute force finds; joint moves too many to be counted are played.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "bandit/solving/stage.hpp"
#include "bandit/tree.hpp"
#include "check.hpp"
#include "small_games.hpp"

using namespace zermelo;
using namespace zermelo::bandit;

namespace {

using testing::Brute, testing::Small, testing::small_game, testing::SmallLane, testing::State;

constexpr std::uint32_t kBits = 12;  // of a position of a small game

// The network of a small game, written out: positions are their bits, and one table for each player lists all rounds.
std::shared_ptr<const StageRules> stage_of(const Small& game) {
    scsp::Tables tables;
    const auto variable = [&](std::uint32_t size) {
        tables.domain.push_back(size);
        return static_cast<std::uint32_t>(tables.domain.size() - 1);
    };
    std::vector<scsp::Assumption> facts;
    std::vector<StageRules::StateVariable> state;
    std::vector<StageRules::MoveVariable> moves;
    std::vector<StageRules::Result> results;
    for (std::uint32_t bit = 0; bit < kBits; ++bit) {
        state.push_back({variable(2), 0});
        facts.push_back({state.back().variable, 1});
    }
    for (std::uint32_t role = 0; role < game.roles; ++role) moves.push_back({variable(3), 0});
    const std::vector<std::int32_t> goals{StageRules::kGoesOn, 0, 25, 50, 75, 100};
    for (std::uint32_t role = 0; role < game.roles; ++role)
        results.push_back(
            {role == game.chance ? StageRules::kNone : variable(static_cast<std::uint32_t>(goals.size())), goals});
    for (std::uint32_t role = 0; role < game.roles; ++role) {
        if (role == game.chance) continue;
        std::vector<std::uint32_t> scope;
        for (const auto& own : state) scope.push_back(own.variable);
        for (const auto& own : moves) scope.push_back(own.variable);
        scope.push_back(results[role].variable);
        std::vector<std::int32_t> rows;
        for (std::uint64_t position = 0; position < (std::uint64_t{game.depth} << 8); ++position) {
            if (position % 256 >= 6 || game.over(position)) continue;
            std::vector<std::uint32_t> joint(game.roles, 0);
            while (true) {
                const auto after = game.next(position, joint);
                const auto result =
                    game.over(after) ? std::ranges::find(goals, game.goal(after, role)) - goals.begin() : 0;
                for (std::uint32_t bit = 0; bit < kBits; ++bit)
                    rows.push_back(static_cast<std::int32_t>(position >> bit & 1));
                for (const auto move : joint) rows.push_back(static_cast<std::int32_t>(move));
                rows.push_back(static_cast<std::int32_t>(result));
                std::uint32_t r = 0;
                while (r < game.roles && ++joint[r] == game.count(position, r)) joint[r++] = 0;
                if (r == game.roles) break;
            }
        }
        tables.add(scope, rows);
    }
    Control control;
    return std::make_shared<const StageRules>(std::make_shared<const scsp::Instance>(tables, control), std::move(facts),
                                              std::move(state), std::move(moves), std::move(results));
}

Params by_mac() {
    Params params;
    params.most_ahead = 0;
    return params;
}

// With next to no share of the work only the one-stage problem of the root is solved.
void mac_proves_what_playing_every_joint_move_proves(std::uint64_t games) {
    std::uint64_t asked = 0, decided = 0;
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        auto game = small_game(seed);
        game.at_once = game.at_once || seed % 2;
        game.together = game.together || seed % 4 == 1;
        if (seed % 8 == 1) game.depth = 1;
        std::uint32_t choosers = 0;
        for (std::uint32_t r = 0; r < game.roles; ++r) choosers += r != game.chance && game.count(0, r) > 1;
        if (choosers < 2) continue;
        Params one_by_one;
        auto mac = by_mac();
        one_by_one.share = mac.share = 1e-6;
        Tree played(std::make_unique<SmallLane>(game), State{0}, one_by_one, 1 << 20, seed);
        Tree solved(std::make_unique<SmallLane>(game), State{0}, mac, 1 << 20, seed, stage_of(game));
        Control control;
        played.run(1, 0, control);
        solved.run(1, 0, control);
        asked += solved.stages().asked;
        for (std::uint32_t r = 0; r < game.roles; ++r) {
            if (r == game.chance) continue;
            CHECK(solved.lower(r) == played.lower(r));
            CHECK(solved.upper(r) == played.upper(r));
            if (!game.together || !played.decided()) continue;
            ++decided;
            const auto mine = solved.verdict(r), other = played.verdict(r);
            CHECK(solved.decided() && mine.proved && mine.move == other.move && mine.value == other.value);
        }
    }
    CHECK(asked > games / 4);
    CHECK(decided > games / 50);
}

void bounds_contain_the_value(std::uint64_t games) {
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        const auto game = small_game(seed);
        Brute brute(game);
        const auto& exact = brute.of(0);
        auto params = by_mac();
        params.grave = seed % 5 == 0 ? 8 : 0;
        params.choices = 0;
        Tree tree(std::make_unique<SmallLane>(game), State{0}, params, seed % 3 == 0 ? 1 : 1 << 20, seed,
                  stage_of(game));
        Control control;
        for (int i = 0; i < 8; ++i) {
            tree.run(40, 0, control);
            testing::check_bounds(tree, game, exact);
        }
    }
}

// A sure win of one role against the other is found and played.
void a_sure_move_is_played(std::uint64_t games) {
    std::uint64_t sure = 0;
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        testing::running_seed = seed;
        auto game = small_game(seed);
        game.at_once = true;
        if (game.together || game.roles - (game.chance != kNobody) != 2)
            continue;  // with more, how ties are broken matters
        Tree tree(std::make_unique<SmallLane>(game), State{0}, by_mac(), 1 << 20, seed, stage_of(game));
        Control control;
        tree.run(30, 0, control);
        for (std::uint32_t r = 0; r < game.roles; ++r) {
            if (r == game.chance || game.count(0, r) == 1) continue;
            const auto verdict = tree.verdict(r);
            if (!verdict.proved) continue;
            ++sure;
            Brute brute(game);
            CHECK(100 * verdict.value <= brute.of(0)[r].lower + 1e-4);
            // Whatever the others play, the average over chance is no less.
            std::vector<double> sums(729, 0);
            std::vector<std::uint32_t> joint(game.roles, 0);
            while (true) {
                std::size_t others = 0;
                for (std::uint32_t q = 0; q < game.roles; ++q)
                    others = q == game.chance ? others : 3 * others + joint[q];
                const auto outcomes = game.chance == kNobody ? 1 : game.count(0, game.chance);
                if (joint[r] == verdict.move) sums[others] += brute.of(game.next(0, joint))[r].lower / outcomes;
                else sums[others] = 100;
                std::uint32_t q = 0;
                while (q < game.roles && ++joint[q] == game.count(0, q)) joint[q++] = 0;
                if (q == game.roles) break;
            }
            for (std::size_t i = 0; i < sums.size(); ++i)
                if (sums[i] != 0) CHECK(sums[i] >= 100 * verdict.value - 1e-4);
        }
    }
    CHECK(sure > games / 100);
}

// Many roles show a bit each, once; each pair of neighbours has to differ or to agree, as the game says.
class Wide final : public Lane {
public:
    Wide(std::uint32_t roles, std::uint64_t pattern) : roles_(roles), pattern_(pattern), state_(1, 0) {}
    std::uint32_t roles() const override { return roles_; }
    std::uint32_t chance() const override { return kNobody; }
    std::uint32_t moves() const override { return 2 * roles_; }
    std::size_t words() const override { return 1; }
    void load(std::span<const std::uint64_t> state) override { state_.assign(state.begin(), state.end()); }
    std::span<const std::uint64_t> state() const override { return state_; }
    bool terminal() const override { return state_[0] != 0; }
    void legal_moves(std::uint32_t role, std::vector<std::uint32_t>& sorted) const override {
        sorted = {2 * role, 2 * role + 1};
    }
    std::uint32_t legal_count(std::uint32_t) const override { return 2; }
    std::uint32_t legal(std::uint32_t role, std::uint32_t i) const override { return 2 * role + i; }
    void play(std::span<const std::uint32_t> joint) override {
        bool right = true;
        for (std::uint32_t r = 0; r + 1 < roles_; ++r)
            right = right && ((joint[r] ^ joint[r + 1]) & 1) == (pattern_ >> r & 1);
        state_[0] = right ? 2 : 1;
    }
    std::int32_t goal(std::uint32_t) override { return state_[0] == 2 ? 100 : 0; }
    std::int32_t lowest(std::uint32_t) const override { return 0; }
    std::int32_t highest(std::uint32_t) const override { return 100; }
    std::int32_t scale() const override { return 100; }
    bool goals_agree() const override { return true; }
    std::uint32_t playout(Random& random, std::uint32_t) override {
        std::vector<std::uint32_t> joint(roles_);
        for (std::uint32_t r = 0; r < roles_; ++r) joint[r] = 2 * r + random.below(2);
        if (!terminal()) play(joint);
        return 1;
    }
    std::uint64_t work() const override { return 0; }

    std::shared_ptr<const StageRules> stage() const {
        scsp::Tables tables;
        tables.domain = {2, 2};  // the two facts of an end, of which none holds at the start
        std::vector<StageRules::MoveVariable> moves;
        std::vector<StageRules::Result> results;
        for (std::uint32_t r = 0; r < roles_; ++r) moves.push_back({r + 2, 2 * r}), tables.domain.push_back(2);
        std::uint32_t before = 0;
        for (std::uint32_t r = 0; r + 1 < roles_; ++r) {
            const auto same = static_cast<std::uint32_t>(tables.domain.size());
            tables.domain.push_back(2);
            std::vector<std::int32_t> rows;
            for (std::int32_t i = 0; i < 8; ++i) {
                const auto a = i & 1, b = i >> 1 & 1, so_far = r ? i >> 2 : 1;
                const auto right = so_far && static_cast<std::uint64_t>(a ^ b) == (pattern_ >> r & 1);
                const std::array<std::int32_t, 4> row{a, b, right, so_far};
                if (r || i < 4) rows.insert(rows.end(), row.begin(), row.end() - (r ? 0 : 1));
            }
            std::vector<std::uint32_t> scope{r + 2, r + 3, same};
            if (r) scope.push_back(before);
            tables.add(scope, rows);
            before = same;
        }
        for (std::uint32_t r = 0; r < roles_; ++r) results.push_back({before, {0, 100}});
        Control control;
        return std::make_shared<const StageRules>(
            std::make_shared<const scsp::Instance>(tables, control), std::vector<scsp::Assumption>{{0, 1}, {1, 1}},
            std::vector<StageRules::StateVariable>{{0, 0}, {1, 0}}, std::move(moves), std::move(results));
    }

private:
    std::uint32_t roles_;
    std::uint64_t pattern_;
    State state_;
};

void a_wide_game_is_decided_on_the_first_move() {
    for (const std::uint32_t roles : {2u, 11u, 12u, 13u, 20u, 33u, 64u}) {
        const std::uint64_t pattern = 0x5a3c96f00ff1e2d7u;
        const Wide game(roles, pattern);
        std::vector<std::uint32_t> joint;
        for (const std::uint64_t seed : {1u, 2u}) {
            Tree tree(std::make_unique<Wide>(game), State{0}, by_mac(), 1 << 20, seed, game.stage());
            Control control;
            tree.run(10, 0, control);
            CHECK(tree.decided() && tree.stages().asked == 1 && tree.stages().told == 1);
            std::vector<std::uint32_t> own;
            for (std::uint32_t r = 0; r < roles; ++r) {
                const auto verdict = tree.verdict(r);
                CHECK(verdict.proved && verdict.value == 1);
                own.push_back(verdict.move);
            }
            CHECK(own[0] == 0);  // of the two that win, the first
            for (std::uint32_t r = 0; r + 1 < roles; ++r) CHECK(((own[r] ^ own[r + 1]) & 1) == (pattern >> r & 1));
            CHECK(joint.empty() || joint == own);
            joint = own;
        }
    }
}

// Without the network of a round nothing is proved, but all arms are tried.
void a_wide_game_is_sampled_without_a_network() {
    const Wide game(40, 0);
    Tree tree(std::make_unique<Wide>(game), State{0}, {}, 1 << 20, 1);
    Control control;
    CHECK(tree.run(500, 0, control) == 500);
    CHECK(!tree.decided() && tree.stages().asked == 0);
    for (std::uint32_t r = 0; r < game.roles(); ++r) {
        std::uint32_t visits = 0;
        for (const auto& option : tree.options(r)) {
            CHECK(option.visits > 0);
            visits += option.visits;
        }
        CHECK(visits == 500);
    }
}

}  // namespace

int main() {
    mac_proves_what_playing_every_joint_move_proves(3000);
    bounds_contain_the_value(800);
    a_sure_move_is_played(1500);
    a_wide_game_is_decided_on_the_first_move();
    a_wide_game_is_sampled_without_a_network();
}
