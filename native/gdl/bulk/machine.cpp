#include "gdl/bulk/machine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "gdl/bulk_program/exclusive.hpp"
#include "zermelo/random.hpp"
#include "zermelo/heed.hpp"

namespace zermelo::gdl::bulk {

namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
constexpr std::size_t kWorkOfMove =
    4;  // to choose among moves takes about as long as to read so many operands for each

template <class Op>
Word combine(const Word& x, const Word& y, Op op) {
    Word result;
    for (std::uint32_t i = 0; i < kParts; ++i) result.part[i] = op(x.part[i], y.part[i]);
    return result;
}
Word operator&(const Word& x, const Word& y) {
    return combine(x, y, [](auto a, auto b) { return a & b; });
}
Word operator|(const Word& x, const Word& y) {
    return combine(x, y, [](auto a, auto b) { return a | b; });
}
Word without(const Word& x, const Word& y) {
    return combine(x, y, [](auto a, auto b) { return a & ~b; });
}
bool any(const Word& x) {
    std::uint64_t all = 0;
    for (const auto part : x.part) all |= part;
    return all != 0;
}
bool has(const Word& x, std::uint32_t lane) { return x.part[lane / 64] >> (lane % 64) & 1; }
void add(Word& x, std::uint32_t lane) { x.part[lane / 64] |= std::uint64_t{1} << (lane % 64); }

template <class Visit>
void each_lane(const Word& x, Visit&& visit) {
    for (std::uint32_t i = 0; i < kParts; ++i)
        for (auto part = x.part[i]; part != 0; part &= part - 1)
            visit(64 * i + static_cast<std::uint32_t>(std::countr_zero(part)));
}

Word word_at(const Place& place, const Word* words) {
    auto word = words[place.offset / sizeof(Word)];
    if (place.inverted)
        for (auto& part : word.part) part = ~part;
    return word;
}

// Rows become columns (Warren, Hacker's Delight, 7-3): exchange halves of ever smaller blocks.
void transpose(std::array<std::uint64_t, 64>& row) {
    auto mask = ~std::uint64_t{0} >> 32;
    for (std::uint32_t size = 32; size != 0; size >>= 1, mask ^= mask << size)
        for (std::uint32_t i = 0; i < 64; i = ((i | size) + 1) & ~size) {
            const auto swapped = ((row[i] >> size) ^ row[i | size]) & mask;
            row[i] ^= swapped << size;
            row[i | size] ^= swapped;
        }
}

}  // namespace

// ---- plans ----

Plan::Plan(const Circuit& circuit, Phases phases, std::vector<std::uint32_t> group)
    : circuit_(circuit), group_(std::move(group)), phases_(std::move(phases)),
      phase_(std::make_unique<Phase[]>(phases_.known.size())), goal_support_(support_of_goals(circuit)) {
    separate_goals_ = extra_for_goals(specialise(circuit, phases_.known[size() / 2])) > 3 * goal_support_.size();
    if (separate_goals_) goals_ = schedule_goals(specialise(circuit, Known(circuit.fluents, kEither)));
    must_.assign(size() * circuit.words(), 0);
    may_.assign(size() * circuit.words(), 0);
    for (std::size_t phase = 0; phase < size(); ++phase)
        for (std::uint32_t f = 0; f < circuit.fluents; ++f) {
            const auto word = phase * circuit.words() + f / 64;
            may_[word] |= static_cast<std::uint64_t>((known(phase)[f] & kMaybeTrue) != 0) << (f % 64);
            must_[word] |= static_cast<std::uint64_t>(known(phase)[f] == kMaybeTrue) << (f % 64);
        }
}

std::size_t Plan::phase_of(std::span<const std::uint64_t> state) const {
    const auto words = circuit_.words();
    const auto agree = [&](std::size_t phase) {
        for (std::size_t i = 0; i < words; ++i)
            if ((state[i] & ~may_[phase * words + i]) | (must_[phase * words + i] & ~state[i])) return false;
        return true;
    };
    if (!at_most_one(state)) return size();
    std::size_t phase = 0;
    while (phase < size() && !agree(phase)) ++phase;
    return phase;
}

// Of each group of fluents that exclude each other.
bool Plan::at_most_one(std::span<const std::uint64_t> state) const {
    if (group_.empty()) return true;
    std::vector<bool> held(circuit_.fluents);  // by group
    for (std::size_t i = 0; i < state.size(); ++i)
        for (auto bits = state[i]; bits != 0; bits &= bits - 1) {
            const auto group = group_[64 * i + static_cast<std::size_t>(std::countr_zero(bits))];
            if (group == kNoGroup) continue;
            if (held[group]) return false;
            held[group] = true;
        }
    return true;
}

const Phase& Plan::operator[](std::size_t number) const {
    auto& phase = phase_[number];
    std::call_once(phase.built, [&] { build(phase, number); });
    return phase;
}

void Plan::build(Phase& phase, std::size_t number) const {
    const auto then = after(number);
    const auto& now = phases_.known[number];
    phase.program =
        schedule(specialise(circuit_, now), then < size() ? phases_.known[then] : Known(circuit_.fluents, kUnreached),
                 !separate_goals_, group_);
    for (std::uint32_t f = 0; f < circuit_.fluents; ++f)
        if (now[f] == kEither) phase.unknown.push_back(f);
    list_moves(phase);
    if (!separate_goals_) return;
    for (const auto f : goal_support_)
        (now[f] == kEither      ? phase.goal_unknown
         : now[f] == kMaybeTrue ? phase.goal_true
                                : phase.goal_false)
            .push_back(fluent_offset(f));
}

void Plan::list_moves(Phase& phase) const {
    const auto& program = phase.program;
    const auto offset = [](std::uint32_t move) { return static_cast<std::uint32_t>(move * sizeof(Word)); };
    std::vector<std::uint32_t> recorded;
    phase.first_recorded.assign(program.records + 1, 0);
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
        if (role == random_role(circuit_)) continue;
        for (auto m = circuit_.first_move[role]; m < circuit_.first_move[role + 1]; ++m) {
            if (program.record[m] != kNotRecorded) recorded.push_back(m), ++phase.first_recorded[program.record[m] + 1];
            else if (program.does[m].offset != 0)
                phase.shown.push_back(program.does[m]), phase.shown_at.push_back(offset(m));
        }
    }
    std::partial_sum(phase.first_recorded.begin(), phase.first_recorded.end(), phase.first_recorded.begin());
    phase.recorded.resize(recorded.size());
    phase.recorded_at.resize(recorded.size());
    auto next = phase.first_recorded;
    for (const auto m : recorded) {
        const auto k = next[program.record[m]]++;
        phase.recorded[k] = program.does[m];
        phase.recorded_at[k] = offset(m);
    }
}

std::unique_ptr<Plan> best_plan(const Circuit& circuit, const Kernel& kernel) {
    constexpr std::size_t kMostSteps = 400, kMostOpen = 16'000'000;  // the programs' size, in the end
    auto phases = find_phases(circuit);
    const auto sum = [](std::span<const std::size_t> open) {
        return std::accumulate(open.begin(), open.end(), std::size_t{0});
    };
    const auto open = static_cast<double>(sum(phases.open)) / static_cast<double>(phases.open.size());
    auto group = find_exclusive(circuit);
    if (std::ranges::all_of(group, [](std::uint32_t number) { return number == kNoGroup; })) group.clear();
    auto plan = std::make_unique<Plan>(circuit, std::move(phases), group);
    auto steps = unroll(circuit, kMostSteps);
    const auto all = sum(steps.open);
    if (steps.known.empty() || all > kMostOpen ||
        2 * static_cast<double>(all) > open * static_cast<double>(steps.open.size()))
        return plan;
    // How long do playouts take, at the most and on average?
    Order order;
    order.states = circuit.start;
    order.each = kLanes;
    order.max_steps = 2 * kMostSteps;
    Sums sums;
    sums.goal.assign(circuit.roles(), 0);
    sums.count.assign(circuit.roles(), 0);
    Machine machine(circuit, kernel);
    const std::size_t start = 0;
    machine.play(*plan, order, std::span(&start, 1), sums);
    double with_steps = 0;
    for (std::size_t step = 0, phase = 0; step <= machine.longest() && phase < steps.open.size(); ++step) {
        with_steps += static_cast<double>(steps.open[phase]);
        phase = phase + 1 == steps.open.size() ? steps.back : phase + 1;
    }
    if (with_steps > open * static_cast<double>(sums.steps) / static_cast<double>(sums.playouts)) return plan;
    return std::make_unique<Plan>(circuit, std::move(steps), std::move(group));
}

// ---- playouts ----

void Machine::play(const Plan& plan, const Order& order, std::span<const std::size_t> phases, Sums& sums) {
    plan_ = &plan;
    order_ = &order;
    sums_ = &sums;
    begin(phases);
    for (std::size_t phase = 0;; phase = plan.after(phase)) {
        if (!any(live_)) {  // nobody is bound to a phase: go where playouts wait
            if (phase >= plan.size()) phase = 0;
            const auto from = phase;
            while (starts_[phase].empty()) {
                phase = (phase + 1) % plan.size();
                if (phase == from) break;
            }
            if (starts_[phase].empty()) break;
        }
        step(phase);
        ++now_;
    }
    flush();
    if (order_->tried) tell_tried();
}

void Machine::begin(std::span<const std::size_t> phases) {
    Random random(order_->seed);
    for (std::uint32_t i = 0; i < kParts; ++i) {
        random_.a.part[i] = random.next();
        random_.b.part[i] = random.next();
        random_.c.part[i] = random.next();
        random_.counter.part[i] = 1;
    }
    // What idle lanes hold decides how many random numbers are drawn: an earlier run must not show.
    std::ranges::fill(words_, Word{});
    live_ = waiting_ = left_ = Word{};
    if (order_->tried) {
        played_.assign(circuit_.moves, Word{});
        reward_.assign(std::size_t{kLanes} * circuit_.roles(), 0.5);
    }
    now_ = oldest_ = longest_ = next_poll_ = 0;
    patience_ = std::numeric_limits<std::uint64_t>::max();
    loaded_state_ = kNone;
    starts_.assign(plan_->size(), {});
    if (order_->each == 0) return;
    for (auto state = static_cast<std::uint32_t>(phases.size()); state-- > 0;)  // taken from the back
        if (phases[state] < plan_->size()) starts_[phases[state]].push_back({state, order_->each});
    if (plan_->separate_goals() && aside_.size() < plan_->goals().words) aside_.resize(plan_->goals().words);
}

// One step of all lanes.
void Machine::step(std::size_t phase) {
    const auto& here = (*plan_)[phase];
    const auto& program = here.program;
    if (words_.size() < program.words) words_.resize(program.words);
    if (scratch_.size() < program.scratch) scratch_.resize(program.scratch);
    refill(phase);
    if (!poll(here)) return;

    sums_->work += kernel_.execute(program.look.view(), words_.data());
    for (const auto& choice : program.choices) {
        kernel_.count_legal(choice.view(), words_.data(), scratch_.data() + choice.scratch);
        sums_->work += kWorkOfMove * choice.take.size();
    }
    sums_->work += kernel_.execute(program.end.view(), words_.data());
    if (order_->walks) note_state(phase);
    if (const auto over = live_ & word_at(program.terminal, words_.data()); any(over)) end(phase, over);
    if (now_ - oldest_ >= order_->max_steps || now_ >= patience_)
        if (const auto late = expired(); any(late)) give_up(late);
    if (!any(live_)) return;

    Word stuck{};
    for (const auto& place : program.required) stuck = stuck | without(live_, word_at(place, words_.data()));
    for (const auto& choice : program.choices) stuck = stuck | without(live_, words_[choice.some / sizeof(Word)]);
    if (any(stuck)) give_up(stuck);
    if (!any(live_)) return;
    if (order_->walks) record_.assign(program.records, Word{});
    const bool told = order_->walks || order_->tried;
    for (const auto& choice : program.choices) {
        done_.count = 0;
        kernel_.choose(choice.view(), words_.data(), scratch_.data() + choice.scratch, &random_,
                       told ? &done_ : nullptr);
        if (order_->walks)
            for (std::uint32_t i = 0; i < done_.count; ++i) record_[choice.first + done_.which[i]] = done_.lanes[i];
        if (order_->tried) add_played(here, choice);
    }
    if (order_->walks) note_moves(program);
    if (order_->tried)
        kernel_.add(here.shown.data(), here.shown_at.data(), here.shown.size(), words_.data(), played_.data(), &live_);
    sums_->work += kernel_.execute(program.step.view(), words_.data());
}

// How many lanes must be idle for a refill: it costs as much as some share of a step, so it is done for several at
// once. With playouts of L steps, a refill of B steps' cost every m steps wastes B / m + m / 2L: least at
// m = sqrt(2BL), when about 512 m / L lanes are idle.
std::uint32_t Machine::enough_idle(const Phase& here) const {
    if (order_->by_state) return kLanes / 4;
    const auto length =
        sums_->playouts == 0 ? 16.0 : 1.0 + static_cast<double>(sums_->steps) / static_cast<double>(sums_->playouts);
    const auto cost = 1.5 * static_cast<double>(here.unknown.size()) / static_cast<double>(1 + here.program.literals);
    return static_cast<std::uint32_t>(std::clamp(kLanes * std::sqrt(2 * cost / length), 1.0, kLanes / 4.0));
}

void Machine::refill(std::size_t phase) {
    auto& starts = starts_[phase];
    if (starts.empty()) return;
    const auto busy = kernel_.count(&live_);
    if (busy > 0 && (busy == kLanes || kLanes - busy < enough_idle((*plan_)[phase]))) return;
    if (busy == 0) oldest_ = now_;
    if (order_->tried) tell_tried();  // lanes that have finished are used again
    Word fresh{};
    const auto first_state = starts.back().state;
    bool same = true;
    for (std::uint32_t i = 0; i < kParts; ++i)
        for (auto idle = ~live_.part[i]; idle != 0 && !starts.empty(); idle &= idle - 1) {
            const auto lane = 64 * i + static_cast<std::uint32_t>(std::countr_zero(idle));
            auto& start = starts.back();
            state_[lane] = start.state;
            same = same && start.state == first_state;
            began_[lane] = now_;
            fresh.part[i] |= idle & -idle;
            if (--start.left == 0) starts.pop_back();
        }
    if (same) load_same(phase, first_state, fresh);
    else load_each(fresh);
    live_ = live_ | fresh;
}

void Machine::load_same(std::size_t phase, std::uint32_t state, const Word& mask) {
    if (loaded_state_ != state || loaded_phase_ != phase) {
        loaded_state_ = state;
        loaded_phase_ = phase;
        loaded_true_.clear();
        loaded_false_.clear();
        const auto bits = order_->states.subspan(state * circuit_.words(), circuit_.words());
        for (const auto f : (*plan_)[phase].unknown)
            (bits[f / 64] >> (f % 64) & 1 ? loaded_true_ : loaded_false_).push_back(fluent_offset(f));
    }
    kernel_.set(loaded_true_.data(), loaded_true_.size(), true, words_.data(), &mask);
    kernel_.set(loaded_false_.data(), loaded_false_.size(), false, words_.data(), &mask);
}

void Machine::load_each(const Word& mask) {
    std::array<std::uint64_t, 64> row;
    for (std::uint32_t i = 0; i < kParts; ++i) {
        const auto lanes = mask.part[i];
        if (lanes == 0) continue;
        for (std::uint32_t first = 0; first < circuit_.fluents; first += 64) {
            row.fill(0);
            for (auto left = lanes; left != 0; left &= left - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                row[lane] = order_->states[state_[64 * i + lane] * circuit_.words() + first / 64];
            }
            transpose(row);
            const auto last = std::min(circuit_.fluents, first + 64);
            for (auto f = first; f < last; ++f) {
                auto& part = words_[fluent_offset(f) / sizeof(Word)].part[i];
                part = (part & ~lanes) | row[f - first];
            }
        }
    }
}

// The lanes have reached a terminal state.
void Machine::end(std::size_t phase, const Word& over) {
    const auto& here = (*plan_)[phase];
    if (order_->walks) each_lane(over, [&](std::uint32_t lane) { (*order_->walks)[state_[lane]].finished = true; });
    if (plan_->separate_goals()) set_aside(here, over);
    else tally(here.program.goals, words_.data(), over, state_);
    leave(over);
}

void Machine::set_aside(const Phase& here, const Word& over) {
    if (any(waiting_ & over)) flush();
    kernel_.copy(here.goal_unknown.data(), here.goal_unknown.size(), words_.data(), aside_.data(), &over);
    kernel_.set(here.goal_true.data(), here.goal_true.size(), true, aside_.data(), &over);
    kernel_.set(here.goal_false.data(), here.goal_false.size(), false, aside_.data(), &over);
    if (order_->by_state) each_lane(over, [&](std::uint32_t lane) { aside_state_[lane] = state_[lane]; });
    waiting_ = waiting_ | over;
}

void Machine::flush() {
    if (!any(waiting_)) return;
    kernel_.execute(plan_->goals().look.view(), aside_.data());
    tally(plan_->goals().goals, aside_.data(), waiting_, aside_state_);
    waiting_ = Word{};
}

// A role has a goal if exactly one value holds. Goals come role by role.
void Machine::tally(std::span<const GoalPlace> goals, const Word* words, const Word& over, const States& state) {
    const auto roles = circuit_.roles();
    for (std::size_t first = 0, last = 0; first < goals.size(); first = last) {
        Word once{}, twice{};
        for (last = first; last < goals.size() && goals[last].role == goals[first].role; ++last) {
            const auto holding = word_at(goals[last].when, words);
            twice = twice | (once & holding);
            once = once | holding;
        }
        const auto role = goals[first].role;
        const auto single = without(over & once, twice);
        for (auto g = first; g < last; ++g) {
            const auto won = single & word_at(goals[g].when, words);
            const auto goal = static_cast<double>(goals[g].value);
            const auto value = order_->as_rewards ? std::clamp(goal / 100, 0.0, 1.0) : goal;
            if (order_->by_state) {
                each_lane(won, [&](std::uint32_t lane) {
                    if (order_->tried) reward_[lane * roles + role] = value;
                    sums_->goal[state[lane] * roles + role] += value;
                    if (order_->squares) sums_->square[state[lane] * roles + role] += value * value;
                    ++sums_->count[state[lane] * roles + role];
                });
            } else if (const auto lanes = kernel_.count(&won); lanes > 0) {
                sums_->goal[role] += value * lanes;
                sums_->count[role] += lanes;
            }
        }
    }
}

void Machine::give_up(const Word& lanes) {
    sums_->unfinished += kernel_.count(&lanes);
    leave(lanes);
}

void Machine::leave(const Word& lanes) {
    each_lane(lanes, [&](std::uint32_t lane) {
        const auto steps = now_ - began_[lane];
        sums_->steps += steps;
        longest_ = std::max(longest_, steps);
        ++sums_->playouts;
    });
    live_ = without(live_, lanes);
    left_ = left_ | lanes;
}

// The lanes that have played long enough. Learns how old the oldest of the others is, to be asked only when it matters.
Word Machine::expired() {
    Word late{};
    oldest_ = now_;
    each_lane(live_, [&](std::uint32_t lane) {
        if (now_ - began_[lane] >= order_->max_steps || now_ >= patience_) add(late, lane);
        else oldest_ = std::min(oldest_, began_[lane]);
    });
    return late;
}

// Once stopped, no more playouts begin; those under way get as long as the longest so far has taken. False if they are
// given up at once.
bool Machine::poll(const Phase& here) {
    if (now_ < next_poll_) return true;
    heed_now();
    constexpr std::uint64_t kLiteralsBetween = 1 << 20;
    next_poll_ = now_ + 1 + kLiteralsBetween / (here.program.literals + 64);
    if (!order_->stopped || patience_ != std::numeric_limits<std::uint64_t>::max() || !order_->stopped()) return true;
    for (auto& starts : starts_) starts.clear();
    patience_ = now_ + std::max<std::uint64_t>(longest_, 64);
    if (!order_->abandon) return true;
    sums_->abandoned = true;
    live_ = waiting_ = Word{};
    return false;
}

// ---- what was played ----

void Machine::add_played(const Phase& here, const Choice& choice) {
    for (std::uint32_t i = 0; i < done_.count; ++i) {
        const auto record = choice.first + done_.which[i];
        const auto lanes = live_ & done_.lanes[i];
        const auto first = here.first_recorded[record];
        kernel_.add(here.recorded.data() + first, here.recorded_at.data() + first,
                    here.first_recorded[record + 1] - first, words_.data(), played_.data(), &lanes);
    }
}

// Of the lanes that have finished. Those of one state lie side by side.
void Machine::tell_tried() {
    if (!any(left_)) return;
    flush();
    const auto roles = circuit_.roles();
    for (std::uint32_t role = 0; role < roles; ++role) {
        for (auto m = circuit_.first_move[role]; m < circuit_.first_move[role + 1]; ++m) {
            const auto lanes = played_[m] & left_;
            if (!any(lanes)) continue;
            played_[m] = without(played_[m], left_);
            bandit::MoveTally tried{kNone, m, 0, 0};
            each_lane(lanes, [&](std::uint32_t lane) {
                if (state_[lane] != tried.state) {
                    if (tried.count) order_->tried->push_back(tried);
                    tried = {state_[lane], m, 0, 0};
                }
                ++tried.count;
                tried.sum += static_cast<float>(reward_[lane * roles + role]);
            });
            order_->tried->push_back(tried);
        }
    }
    std::ranges::fill(reward_, 0.5);  // every lane that is not live has left
    left_ = Word{};
}

// ---- walks ----

void Machine::note_state(std::size_t phase) {
    const auto& known = plan_->known(phase);
    each_lane(live_, [&](std::uint32_t lane) {
        std::vector<std::uint64_t> bits(circuit_.words());
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f) {
            const bool holds =
                known[f] == kEither ? has(words_[fluent_offset(f) / sizeof(Word)], lane) : known[f] == kMaybeTrue;
            bits[f / 64] |= static_cast<std::uint64_t>(holds) << (f % 64);
        }
        (*order_->walks)[state_[lane]].states.push_back(std::move(bits));
    });
}

void Machine::note_moves(const Program& program) {
    each_lane(live_, [&](std::uint32_t lane) {
        std::vector<std::uint32_t> done;
        for (std::uint32_t m = 0; m < circuit_.moves; ++m)
            if (has(word_at(program.does[m], words_.data()), lane) &&
                (program.record[m] == kNotRecorded || has(record_[program.record[m]], lane)))
                done.push_back(m);
        (*order_->walks)[state_[lane]].moves.push_back(std::move(done));
    });
}

}  // namespace zermelo::gdl::bulk
