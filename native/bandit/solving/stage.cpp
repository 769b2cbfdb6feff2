#include "bandit/solving/stage.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace zermelo::bandit {

namespace {

// The lane's work that an assignment or a question takes, for each table, and that a fresh state takes, for each value:
// measured.
constexpr double kWorkATable = 2, kWorkAValue = 0.5;

bool holds(std::span<const std::uint64_t> position, std::size_t fact) { return position[fact / 64] >> fact % 64 & 1; }

}  // namespace

StageRules::StageRules(std::shared_ptr<const scsp::Instance> network, std::vector<scsp::Assumption> fact_places,
                       std::vector<StateVariable> state_variables, std::vector<MoveVariable> move_variables,
                       std::vector<Result> role_results)
    : instance(std::move(network)), facts(std::move(fact_places)), state(std::move(state_variables)),
      moves(std::move(move_variables)), results(std::move(role_results)) {
    const auto need = [](bool fits) {
        if (!fits) throw std::invalid_argument("a stage whose parts do not fit its network");
    };
    const auto is_value = [&](std::uint32_t variable, std::uint32_t value) {
        return variable < instance->variables() && value < instance->domain(variable);
    };
    need(moves.size() == results.size());
    for (const auto& [variable, value] : facts) need(is_value(variable, value));
    for (const auto& [variable, absent] : state) need(is_value(variable, absent == kNone ? 0 : absent));
    for (const auto& [variable, first] : moves) need(is_value(variable, 0));
    for (const auto& [variable, goals] : results)
        need(variable == kNone || (is_value(variable, 0) && goals.size() == instance->domain(variable)));
}

std::uint64_t most_joint_moves(Lane& lane, std::span<const std::uint64_t> start, std::uint32_t games,
                               std::uint32_t steps) {
    constexpr auto kMany = std::uint64_t{1} << 63;
    Random random(1);
    std::vector<std::uint32_t> joint(lane.roles());
    std::uint64_t most = 0;
    for (std::uint32_t game = 0; game < games; ++game) {
        lane.load(start);
        for (std::uint32_t step = 0; step < steps && !lane.terminal(); ++step) {
            std::uint64_t joints = 1, outcomes = 1;
            std::uint32_t choosers = 0;
            const auto times = [](std::uint64_t a, std::uint64_t b) { return b && a > kMany / b ? kMany : a * b; };
            for (std::uint32_t role = 0; role < lane.roles(); ++role) {
                const auto count = lane.legal_count(role);
                if (count) joint[role] = lane.legal(role, random.below(count));
                auto& product = role == lane.chance() ? outcomes : joints;
                product = times(product, count);
                choosers += role != lane.chance() && count > 1;
            }
            if (choosers > 1) joints = times(joints, outcomes);
            if (joints == 0 || outcomes == 0) break;
            most = std::max(most, joints);
            lane.play(joint);
        }
    }
    return most;
}

Stage::Stage(std::shared_ptr<const StageRules> rules)
    : rules_(std::move(rules)), fresh_(rules_->instance), solver_(fresh_), legal_(rules_->moves.size()),
      joint_(rules_->moves.size()), tried_(rules_->moves.size()) {}

bool Stage::enter(Lane& lane, std::span<const std::uint64_t> position) {
    lane_ = &lane;
    if (contradicted_) return false;
    position_.assign(position.begin(), position.end());
    std::vector<std::uint32_t> count(rules_->instance->variables(), 0);
    facts_.clear();
    for (std::size_t fact = 0; fact < rules_->facts.size(); ++fact)
        if (holds(position, fact)) {
            facts_.push_back(rules_->facts[fact]);
            if (++count[rules_->facts[fact].variable] > 1) return false;
        }
    for (const auto& [variable, absent] : rules_->state) {
        if (count[variable]) continue;
        if (absent == StageRules::kNone) return false;
        facts_.push_back({variable, absent});
    }
    nodes_ += solver_.nodes() - fresh_.nodes();
    ++entered_;
    solver_ = fresh_;
    fixed_ = 0;
    if (!solver_.assume(facts_)) return false;
    lane.load(position_);
    outcomes_.assign(1, StageRules::kNone);
    projection_.clear();
    for (std::uint32_t role = 0; role < legal_.size(); ++role) {
        lane.legal_moves(role, legal_[role]);
        if (role == lane.chance()) outcomes_ = legal_[role];
        else projection_.push_back(rules_->moves[role].variable);
    }
    return true;
}

void Stage::fix(std::uint32_t role, std::uint32_t move) {
    ++fixed_;
    const auto& [variable, first] = rules_->moves[role];
    const scsp::Assumption assumption{variable, move - first};
    solver_.assume({&assumption, 1});
}

void Stage::release(std::uint32_t left) {
    for (; fixed_ > left; --fixed_) solver_.retract();
}

std::int64_t Stage::score(const Question& question, std::int32_t goal) const { return question.highest ? goal : -goal; }

// A goal as the lane counts it. The least and the most of all questions lie in this range.
std::int32_t Stage::goal_of(std::uint32_t role, std::int32_t named) const {
    const auto middle = lane_->scale() / 2;
    return std::clamp(named == StageRules::kNoGoal ? middle : named, lane_->lowest(role), lane_->highest(role));
}

// The values of the result's variable, best first.
void Stage::list_values(const Question& question) {
    wanted_.clear();
    const auto& goals = rules_->results[question.role].goals;
    for (std::uint32_t value = 0; value < goals.size(); ++value) {
        const auto goal = goals[value] == StageRules::kGoesOn ? question.open : goal_of(question.role, goals[value]);
        wanted_.push_back({value, score(question, goal)});
    }
    std::ranges::stable_sort(wanted_, std::greater(), &Wanted::score);
}

// The score of tried_ over all outcomes, as the lane plays it.
std::int64_t Stage::played(const Question& question, std::size_t outcome, std::int64_t said) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        if (outcomes_[i] != StageRules::kNone) tried_[lane_->chance()] = outcomes_[i];
        lane_->load(position_);
        lane_->play(tried_);
        const auto own = score(question, lane_->terminal() ? lane_->goal(question.role) : question.open);
        contradicted_ = contradicted_ || (i == outcome && own != said);
        sum += own;
    }
    return sum;
}

// Offers all joint moves that may have enough: for each outcome those whose result there is enough for the average.
template <class Enough, class Use>
void Stage::search(const Question& question, Enough&& enough, Use&& use, Control& control) {
    list_values(question);
    const auto count = outcomes();
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        for (const auto& [value, said] : wanted_) {
            if (!enough(count * said)) break;
            const scsp::Assumption result{rules_->results[question.role].variable, value};
            std::vector<scsp::Assumption> asked{result};
            if (outcomes_[i] != StageRules::kNone) {
                const auto& [variable, first] = rules_->moves[lane_->chance()];
                asked.push_back({variable, outcomes_[i] - first});
            }
            struct Asking {  // taken back however the search ends
                scsp::Solver& solver;
                ~Asking() { solver.retract(); }
            };
            ++questions_;
            const bool consistent = solver_.assume(asked);
            const Asking asking{solver_};
            if (!consistent) continue;
            solver_.start(projection_);
            while (enough(count * said) && solver_.next(control)) {
                ++solutions_;
                control.tick();
                for (std::uint32_t role = 0; role < tried_.size(); ++role)
                    tried_[role] = rules_->moves[role].first + solver_.value(rules_->moves[role].variable);
                const auto sum = played(question, i, said);
                if (contradicted_ || use(sum)) return;
            }
        }
    }
}

Stage::Answer Stage::best(const Question& question, Control& control) {
    constexpr auto kNothing = std::numeric_limits<std::int64_t>::min();
    auto most = kNothing;
    bool complete = true;
    try {
        search(
            question, [&](std::int64_t sum) { return sum > most; },
            [&](std::int64_t sum) {
                if (sum > most) most = sum, joint_ = tried_;
                return false;
            },
            control);
    } catch (const Stopped&) {
        complete = false;
    }
    if (contradicted_ || most == kNothing) return {0, false, false};
    return {question.highest ? most : -most, true, complete};
}

bool Stage::reaches(const Question& question, std::int64_t sum, Control& control) {
    const auto needed = question.highest ? sum : -sum;
    bool found = false;
    search(
        question, [&](std::int64_t most) { return most >= needed; },
        [&](std::int64_t own) {
            if (own < needed) return false;
            joint_ = tried_;
            return found = true;
        },
        control);
    return found;
}

void Stage::first(const Question& question, std::int64_t sum, std::span<const std::uint32_t> one, Control& control) {
    const auto before = fixed_;
    joint_.assign(one.begin(), one.end());
    try {
        for (std::uint32_t role = 0; role < legal_.size() && !contradicted_; ++role) {
            if (role == lane_->chance()) continue;
            for (const auto move : legal_[role]) {
                if (move == joint_[role]) break;
                fix(role, move);
                const bool earlier = reaches(question, sum, control);
                release(fixed_ - 1);
                if (earlier) break;
            }
            fix(role, joint_[role]);
        }
    } catch (const Stopped&) {
        // What was found so far reaches the sum as well.
    }
    release(before);
}

std::uint64_t Stage::work() const {
    const auto& instance = *rules_->instance;
    const auto nodes = static_cast<double>(nodes_ + solver_.nodes() - fresh_.nodes() + questions_);
    return static_cast<std::uint64_t>(nodes * kWorkATable * static_cast<double>(instance.tables().size()) +
                                      static_cast<double>(entered_) * kWorkAValue *
                                          static_cast<double>(instance.values()));
}

}  // namespace zermelo::bandit
