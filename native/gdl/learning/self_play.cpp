#include "gdl/learning/self_play.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo::gdl {

namespace {

constexpr std::uint32_t kMostMoves = 256;  // that are looked at in a position; of more some are drawn
constexpr std::uint32_t kSamples = 3;      // of what others do at the same time
constexpr double kEvenGoal = 50;
// Of weights where turns are solved: their values have no noise in which steps could be lost, but change for long.
constexpr double kTurnPace = 0.3;

}  // namespace

SelfPlay::SelfPlay(ValueModel model, std::shared_ptr<const GdlRules> rules, const SelfPlayParams& params,
                   std::vector<float> coherence)
    : model_(std::move(model)), net_(rules->net), params_(params), chance_(random_role(*net_->circuit)), lane_(net_),
      evaluator_(model_, net_), coherence_(std::move(coherence)) {
    if (coherence_.empty()) coherence_.assign(2 * model_.weights.size(), 0);
    joint_.resize(model_.roles);
    ending_.resize(model_.outputs);
    sample_.resize(model_.outputs);
    appraised_.resize(model_.outputs);
    returns_.resize(model_.outputs);
    best_.resize(model_.outputs);
    here_.resize(net_->circuit->words());
    if (chance_ == kNobody) return;
    turns_ = std::make_unique<TurnLessons>(std::move(rules), model_);
    std::vector<double> worth(model_.roles);
    if (!turns_->solve(net_->circuit->start, worth)) turns_.reset();
}

void SelfPlay::outputs_of(std::span<const double> worth, std::span<double> into) const {
    for (std::uint32_t role = 0; role < model_.roles; ++role) {
        const auto output = model_.role_output[role];
        if (output >= 0 && !model_.role_against[role]) into[static_cast<std::size_t>(output)] = worth[role];
    }
}

// A game turn by turn; false where a turn could not be solved. The turn's value is what its beginning should be worth;
// part of the surprise (lambda) is told to the turns before.
bool SelfPlay::learn_by_turns(Random& random, Lesson& lesson) {
    const auto words = here_.size(), outputs = std::size_t{model_.outputs};
    std::vector<std::uint64_t> state(net_->circuit->start);
    std::vector<double> worth(model_.roles);
    states_.clear();
    values_.clear();
    next_.clear();
    bool solved = turns_->solve(state, worth);
    while (solved) {
        states_.insert(states_.end(), state.begin(), state.end());
        evaluator_.load(state);
        for (std::uint32_t o = 0; o < outputs; ++o) values_.push_back(evaluator_.output(o));
        outputs_of(worth, sample_);
        next_.insert(next_.end(), sample_.begin(), sample_.end());
        if (values_.size() / outputs >= params_.max_steps) return false;
        if (!turns_->draw(random, state)) break;
        solved = turns_->solve(state, worth);
    }
    if (!solved) return false;
    std::ranges::fill(best_, 0);  // the surprise of the turns after
    for (auto t = values_.size() / outputs; t-- > 0;) {
        for (std::size_t o = 0; o < outputs; ++o) {
            const auto surprise = next_[t * outputs + o] - values_[t * outputs + o];
            best_[o] = surprise + params_.lambda * best_[o];
            returns_[o] = std::clamp(values_[t * outputs + o] + best_[o], 0.0, 1.0);
            lesson.error += surprise * surprise / static_cast<double>(outputs);
        }
        evaluator_.load(std::span(states_).subspan(t * words, words));
        teach(returns_, kTurnPace);
    }
    turns_->refresh();
    lesson.surprise = lesson.error;
    lesson.positions += values_.size() / outputs;
    return true;
}

// What the outputs are worth in the lane's position: by the goals at the end, by the model before it.
void SelfPlay::outputs_here(std::span<double> into) {
    if (!lane_.terminal()) {
        evaluator_.load(lane_.state(), &lane_);
        for (std::uint32_t o = 0; o < model_.outputs; ++o) into[o] = evaluator_.output(o);
        return;
    }
    for (std::uint32_t role = 0; role < model_.roles; ++role) {
        const auto output = model_.role_output[role];
        if (output < 0 || model_.role_against[role]) continue;
        const auto goal = lane_.goal(role);
        into[static_cast<std::size_t>(output)] = (goal == kNoGoal ? kEvenGoal : std::clamp(goal, 0, 100)) / 100.0;
    }
}

// The outputs after a move of a role from here_, on average over what others do, into appraised_.
void SelfPlay::appraise(std::uint32_t samples, std::uint32_t role, std::uint32_t move, Random& random) {
    std::ranges::fill(appraised_, 0);
    for (std::uint32_t s = 0; s < samples; ++s) {
        lane_.load(here_);
        others_ = joint_;
        if (samples > 1)
            for (std::uint32_t r = 0; r < model_.roles; ++r)
                others_[r] = lane_.legal(r, random.below(lane_.legal_count(r)));
        others_[role] = move;
        lane_.play(others_);
        outputs_here(sample_);
        for (std::uint32_t o = 0; o < model_.outputs; ++o) appraised_[o] += sample_[o] / samples;
    }
}

SelfPlay::Choice SelfPlay::choose(std::uint32_t role, Random& random, double explore, bool alone,
                                  std::vector<double>& best) {
    lane_.load(here_);
    lane_.legal_moves(role, legal_);
    if (legal_.size() > kMostMoves) {
        for (std::uint32_t i = 0; i < kMostMoves; ++i)
            std::swap(legal_[i], legal_[i + random.below(static_cast<std::uint32_t>(legal_.size()) - i)]);
        legal_.resize(kMostMoves);
    }
    const auto moves = legal_;
    const bool strays = random.unit() < explore;
    const auto any = random.below(static_cast<std::uint32_t>(moves.size()));
    const auto output = static_cast<std::size_t>(model_.role_output[role]);
    const bool against = model_.role_against[role];
    double highest = -1;
    std::uint32_t chosen = 0;
    // From a random place on, so that ties are broken in no fixed order.
    for (std::uint32_t k = 0; k < moves.size(); ++k) {
        const auto i = (k + any) % static_cast<std::uint32_t>(moves.size());
        appraise(alone ? 1 : kSamples, role, moves[i], random);
        const auto value = against ? 1 - appraised_[output] : appraised_[output];
        if (value > highest) highest = value, chosen = i, best = appraised_;
    }
    return strays ? Choice{moves[any], any != chosen} : Choice{moves[chosen], false};
}

// One step from the lane's position. Whether a move strayed from the best, which then leads to `best`.
bool SelfPlay::step(Random& random, double explore, std::uint32_t by_model, std::vector<double>& best) {
    std::copy(lane_.state().begin(), lane_.state().end(), here_.begin());
    std::uint32_t free = 0;
    for (std::uint32_t role = 0; role < model_.roles; ++role) {
        const auto count = lane_.legal_count(role);
        free += count > 1;
        joint_[role] = lane_.legal(role, count > 1 ? random.below(count) : 0);
    }
    bool strayed = false;
    if (free > 0) {
        auto joint = joint_;
        for (std::uint32_t role = 0; role < model_.roles; ++role) {
            if (role == chance_ || (by_model != kEverybody && by_model != role)) continue;
            lane_.load(here_);
            if (lane_.legal_count(role) == 1) continue;
            const auto choice = choose(role, random, explore, free == 1, best);
            joint[role] = choice.move;
            // What others and chance do at the same time is not in the value of the best move: only a move alone is
            // taken back.
            strayed = free == 1 && choice.strayed;
        }
        joint_ = joint;
        lane_.load(here_);
    }
    lane_.play(joint_);
    return strayed;
}

// A role that cannot move breaks the rules of GDL: play stops there.
bool SelfPlay::stuck() const {
    for (std::uint32_t role = 0; role < model_.roles; ++role)
        if (lane_.legal_count(role) == 0) return true;
    return false;
}

// A game from the start, with what is to be learnt from; false where it does not end in time.
bool SelfPlay::trajectory(Random& random, double explore, std::uint32_t by_model, std::uint32_t opening) {
    lane_.load(net_->circuit->start);
    for (std::uint32_t ply = 0; ply < opening && !lane_.terminal() && !stuck(); ++ply) {
        for (std::uint32_t role = 0; role < model_.roles; ++role)
            joint_[role] = lane_.legal(role, random.below(lane_.legal_count(role)));
        lane_.play(joint_);
    }
    states_.clear();
    values_.clear();
    next_.clear();
    strayed_.clear();
    for (std::uint32_t steps = 0; steps < params_.max_steps && !lane_.terminal(); ++steps) {
        if (stuck()) return false;
        states_.insert(states_.end(), lane_.state().begin(), lane_.state().end());
        outputs_here(sample_);
        values_.insert(values_.end(), sample_.begin(), sample_.end());
        const bool strayed = step(random, explore, by_model, best_);
        strayed_.push_back(strayed);
        next_.insert(next_.end(), best_.begin(), best_.end());
    }
    if (!lane_.terminal()) return false;
    outputs_here(ending_);
    return true;
}

// Moves the weights of the state that the evaluator has towards the returns; by a steady pace where one is given, else
// by temporal coherence.
void SelfPlay::teach(std::span<const double> returns, double steady) {
    const auto share = params_.rate / static_cast<double>(evaluator_.terms());
    for (std::uint32_t o = 0; o < model_.outputs; ++o) {
        const auto error = returns[o] - evaluator_.output(o);
        evaluator_.each_weight([&](std::size_t place, std::int64_t times, std::int64_t most) {
            const auto size = static_cast<double>(times) / static_cast<double>(most);
            const auto own = error * size;
            auto& sum = coherence_[2 * (place + o)];
            auto& sizes = coherence_[2 * (place + o) + 1];
            const auto pace = steady > 0   ? steady
                              : sizes == 0 ? 1.0
                                           : std::abs(static_cast<double>(sum)) / static_cast<double>(sizes);
            const auto change = share * pace * own / static_cast<double>(most) * kWeightUnit;
            const auto now = std::clamp(model_.weights[place + o] + change, -0x1p30, 0x1p30);
            model_.weights[place + o] = static_cast<std::int32_t>(std::lround(now));
            sum += static_cast<float>(own);
            sizes += static_cast<float>(std::abs(own));
        });
    }
    evaluator_.refresh();
}

void SelfPlay::learn(Lesson& lesson) {
    const auto words = here_.size(), count = strayed_.size();
    std::copy(ending_.begin(), ending_.end(), returns_.begin());
    for (auto t = count; t-- > 0;) {
        const auto outputs = model_.outputs;
        if (strayed_[t])
            std::copy_n(next_.begin() + static_cast<std::ptrdiff_t>(t * outputs), outputs, returns_.begin());
        for (std::uint32_t o = 0; o < outputs; ++o) {
            const auto value = values_[t * outputs + o];
            lesson.error += (value - ending_[o]) * (value - ending_[o]) / outputs;
            lesson.surprise += (value - returns_[o]) * (value - returns_[o]) / outputs;
        }
        evaluator_.load(std::span(states_).subspan(t * words, words));
        teach(returns_);
        for (std::uint32_t o = 0; o < outputs; ++o)
            returns_[o] = params_.lambda * returns_[o] + (1 - params_.lambda) * values_[t * outputs + o];
    }
    lesson.positions += count;
}

void SelfPlay::note_ending(Lesson& lesson) {
    for (std::uint32_t role = 0; role < model_.roles; ++role) {
        const auto goal = lane_.goal(role);
        lesson.goals[role] += goal == kNoGoal ? kEvenGoal : goal;
    }
}

Lesson SelfPlay::play(std::uint64_t first, std::uint64_t games, Control& control) {
    Lesson lesson;
    lesson.goals.assign(model_.roles, 0);
    for (std::uint64_t game = first; game < first + games && control.allows(1); ++game) {
        Random random(mixed(params_.seed, game));
        if (turns_) {
            ++lesson.games;
            if (!learn_by_turns(random, lesson)) ++lesson.cut;
            continue;
        }
        const auto opening = random.below(2) == 0 ? 0 : random.below(params_.opening + 1);
        const bool ended = trajectory(random, params_.explore, kEverybody, opening);
        ++lesson.games;
        if (!ended) {
            ++lesson.cut;
            continue;
        }
        note_ending(lesson);
        learn(lesson);
    }
    return lesson;
}

Lesson SelfPlay::show(std::uint32_t role, std::uint64_t seed, std::uint64_t games, Control& control) {
    Lesson lesson;
    lesson.goals.assign(model_.roles, 0);
    for (std::uint64_t game = 0; game < games && control.allows(1); ++game) {
        Random random(mixed(seed, game));
        const bool ended = trajectory(random, 0, role, 0);
        ++lesson.games;
        if (ended) note_ending(lesson);
        else ++lesson.cut;
    }
    return lesson;
}

}  // namespace zermelo::gdl
