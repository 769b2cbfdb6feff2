#include "gdl/single/single.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace zermelo::gdl {

using single::Act;
using single::kNone;

namespace {

constexpr std::uint64_t kFlushesBorne = 2;  // of the store of specialised moves, before doing without it

// The next gate of a tape, as the count of a node; most have two inputs.
inline std::int16_t gate_value(const std::uint32_t*& code, const std::int16_t* count) {
    const auto up = [&](std::uint32_t l) { return static_cast<std::uint32_t>(count[l >> 1] > 1) ^ (l & 1); };
    auto inputs = *code;
    auto any = up(code[1]) | up(code[2]);
    code += 3;
    for (; inputs > 2; --inputs) any |= up(*code++);
    return static_cast<std::int16_t>(2 * any);
}

}  // namespace

SingleLane::SingleLane(std::shared_ptr<const Circuit> circuit) : SingleLane(single::lay_out(std::move(circuit))) {}

SingleLane::SingleLane(std::shared_ptr<const single::Net> net) : net_(std::move(net)), effects_(*net_) {
    place();
    start_from_nothing();
    load(net_->circuit->start);
    mark();
}

SingleLane::SingleLane(const SingleLane& other)
    : net_(other.net_), effects_(other.effects_), goals_known_(other.goals_known_) {
    place();
    std::copy(other.arena_.begin(), other.arena_.end(), arena_.begin());
    marked_ = other.marked_;
}

// The arena's parts, those with the strictest alignment first; the counters last, since the tapes' nodes follow them.
void SingleLane::place() {
    const auto& circuit = *net_->circuit;
    words_ = circuit.words();
    const auto groups = net_->groups.size(), moves = static_cast<std::size_t>(circuit.moves),
               watched = net_->watched.size();
    const auto lists = net_->follows_down.size(), switched = net_->switched.size();
    const auto sides = net_->first_of_side.size() - 1, lines = net_->lines.size();
    const auto numbers = groups + 2 * moves + circuit.roles() + 1 + watched + lists + 2 * switched + sides + 2 * lines;
    const auto before_counts = words_ * 8 + numbers * 4 + (watched + watched % 2);
    kept_bytes_ = before_counts + std::size_t{2} * net_->nodes;
    arena_.assign(before_counts + std::size_t{2} * net_->room, std::byte{0});
    auto* at = arena_.data();
    state_ = reinterpret_cast<std::uint64_t*>(at);
    end_ = reinterpret_cast<std::uint32_t*>(at + words_ * 8);
    list_ = end_ + groups;
    position_ = list_ + moves;
    done_ = position_ + moves;
    watch_ = done_ + circuit.roles();
    open_ = watch_ + 1 + watched;
    on_list_ = open_ + lists;
    place_on_ = on_list_ + switched;
    lines_on_ = place_on_ + switched;
    line_on_ = lines_on_ + sides;
    line_at_ = line_on_ + lines;
    in_watch_ = reinterpret_cast<std::uint8_t*>(line_at_ + lines);
    count_ = reinterpret_cast<std::int16_t*>(at + before_counts);

    stack_.resize(std::size_t{2} * net_->nodes + 1024);
    leaves_.resize(std::size_t{2} * net_->nodes + 1024);
    joint_.resize(circuit.roles());
    touched_.resize(net_->cycles.size());
    waiting_.reserve(net_->cycles.size());
    was_true_.assign(net_->cycles.empty() ? 0 : net_->nodes, 0);
}

// The position without any fluent, computed from the gates; every other is reached from it by flips.
void SingleLane::start_from_nothing() {
    const auto& net = *net_;
    std::vector<bool> up(net.nodes, false);
    const auto inputs_up = [&](std::uint32_t n) {
        std::int16_t number = 0;
        for (auto i = net.first_input[n]; i < net.first_input[n + 1]; ++i)
            number = static_cast<std::int16_t>(number + (up[node_of(net.input[i])] != negated(net.input[i])));
        return number;
    };
    for (std::uint32_t n = 0; n < net.nodes;) {
        const auto cycle = net.cycle_of[n];
        if (cycle == kNone) {
            up[n] = inputs_up(n) > 0;
            ++n;
            continue;
        }
        const auto [first, last] = net.cycles[cycle];
        for (n = first; n < last; ++n) up[n] = net.conjunction[n];
        for (bool again = true; again;) {
            again = false;
            for (n = first; n < last; ++n) {
                if (up[n] == (inputs_up(n) > 0)) continue;
                up[n] = !up[n];
                again = true;
            }
        }
        n = last;
    }
    for (std::uint32_t n = 0; n < net.nodes; ++n) count_[n] = static_cast<std::int16_t>(2 * inputs_up(n) + up[n]);
    for (const auto g : net.switched) count_[g] = static_cast<std::int16_t>(3 * up[g]);
    for (const auto g : net.crossing) count_[g] = static_cast<std::int16_t>(3 * up[g]);
    const auto holds_now = [&](Literal l) { return up[node_of(l)] != negated(l); };
    for (std::size_t g = 0; g < net.groups.size(); ++g) end_[g] = net.groups[g].first;
    auto filled = std::vector<std::uint32_t>(end_, end_ + net.groups.size());
    for (std::uint32_t m = 0; m < circuit().moves; ++m) {
        if (net.group_of[m] == kNone) continue;
        position_[m] = filled[net.group_of[m]]++;
        list_[position_[m]] = m;
    }
    for (std::uint32_t m = 0; m < circuit().moves; ++m)
        if (net.group_of[m] != kNone && holds_now(net.allowed_by[m])) allow(m, true);
    for (std::uint32_t i = 0; i < net.switched.size(); ++i)
        if (!holds_now(net.shut_by[i])) shut(i, false);
    for (std::uint32_t i = 0; i < net.lines.size(); ++i)
        if (holds_now(net.lines[i].on)) draw(i, true);
    std::fill_n(done_, circuit().roles(), kNone);
    watch_[0] = 0;
    for (std::uint32_t i = 0; i < net.watched.size(); ++i) {
        watch_[1 + watch_[0]++] = i;
        in_watch_[i] = 1;
    }
}

void SingleLane::load(std::span<const std::uint64_t> state) {
    const auto distance = [&](const std::uint64_t* from) {
        std::size_t bits = 0;
        for (std::size_t w = 0; w < words_; ++w) bits += static_cast<std::size_t>(std::popcount(from[w] ^ state[w]));
        return bits;
    };
    if (!marked_.empty()) {
        const auto* marked = reinterpret_cast<const std::uint64_t*>(marked_.data());
        if (distance(marked) < distance(state_)) rewind();
    }
    for (std::size_t w = 0; w < words_; ++w)
        for (auto rest = state_[w] ^ state[w]; rest != 0; rest &= rest - 1)
            flip(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(rest)));
    goals_known_ = false;
    settle();
}

void SingleLane::mark() {
    // What need not change would be looked at after every rewind.
    std::uint32_t kept = 0;
    for (std::uint32_t k = 1; k <= watch_[0]; ++k) {
        const auto i = watch_[k];
        in_watch_[i] = holds(net_->watched_next[i]) != (count_[1 + net_->watched[i]] > 1);
        watch_[1 + kept] = i;
        kept += in_watch_[i];
    }
    watch_[0] = kept;
    marked_.assign(arena_.begin(), arena_.begin() + static_cast<std::ptrdiff_t>(kept_bytes_));
}

void SingleLane::rewind() {
    std::memcpy(arena_.data(), marked_.data(), kept_bytes_);
    goals_known_ = false;
}

void SingleLane::push(std::uint32_t node) {
    if (top_ == stack_.size()) stack_.resize(2 * stack_.size());
    stack_[top_++] = node;
}

inline void SingleLane::flip(std::uint32_t fluent) {
    state_[fluent / 64] ^= std::uint64_t{1} << (fluent % 64);
    count_[1 + fluent] ^= 2;
    push(1 + fluent);
}

// Each group's list is a permutation (a sparse set, Briggs and Torczon 1993), so both ways are one exchange.
inline void SingleLane::allow(std::uint32_t move, bool legal) {
    auto& end = end_[net_->group_of[move]];
    const auto from = position_[move], to = end - !legal;
    const auto other = list_[to];
    list_[to] = move;
    list_[from] = other;
    position_[other] = from;
    position_[move] = to;
    end = to + legal;
}

// Flips run depth first. A node is on the stack when what it told the others (the lowest bit of its count) may differ
// from what its counter says; one that has changed back in the meantime tells them nothing, so counters stay exact in
// any order. Cycles wait until everything before them has settled.
void SingleLane::settle() {
    const auto* const wire_of = net_->wire_of.data();
    const auto* const wires = net_->wire.data();
    auto* const count = count_;
    std::uint64_t told = 0;
    for (;;) {
        auto* stack = stack_.data();
        auto room = stack_.size();
        auto top = top_, leaf = leaves_top_;
        while (top != 0) {
            const auto n = stack[--top];
            const auto c = count[n];
            const bool up = c > 1;
            if (up == static_cast<bool>(c & 1)) continue;
            count[n] = static_cast<std::int16_t>(c ^ 1);
            const auto* wire = wires + wire_of[n];
            const auto header = *wire++, edges = header & single::kEdges;
            told += edges + 1;
            if (top + edges > room) [[unlikely]] {
                stack_.resize(2 * (room + edges));
                stack = stack_.data();
                room = stack_.size();
            }
            for (const auto* const end = wire + edges; wire != end; ++wire) {
                const auto to = *wire >> 1;
                const int rises = (*wire & 1) == up;
                const int now = count[to] + 4 * rises - 2;
                count[to] = static_cast<std::int16_t>(now);
                stack[top] = to;
                top += now == 1 + rises;  // its counter has just left, or reached, zero, and it has not told so
            }
            if ((header & single::kLeaves) != 0) {
                const auto leaves = *wire++;
                told += leaves;
                if (leaf + leaves > leaves_.size()) [[unlikely]]
                    leaves_.resize(2 * (leaf + leaves));
                auto* const waiting = leaves_.data();
                for (const auto* const end = wire + leaves; wire != end; ++wire) {
                    const auto to = *wire >> 1;
                    const int rises = (*wire & 1) == up;
                    const int now = count[to] + 4 * rises - 2;
                    count[to] = static_cast<std::int16_t>(now);
                    waiting[leaf] = to;
                    leaf += now == 1 + rises;
                }
            }
            if ((header & single::kMore) == 0) continue;
            for (auto moves = *wire++; moves != 0; --moves, ++wire) allow(*wire >> 1, (*wire & 1) == up);
            if (*wire == 0) continue;
            top_ = top;
            leaves_top_ = leaf;
            act_on({wire + 1, *wire}, up);
            top = top_;
            leaf = leaves_top_;
            stack = stack_.data();
            room = stack_.size();
        }
        top_ = 0;
        leaves_top_ = leaf;
        if (waiting_.empty()) break;
        std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
        const auto cycle = waiting_.back();
        waiting_.pop_back();
        settle_cycle(cycle);
    }
    work_ += told;
    tell_leaves();
}

// No gate hears of them, so they are told once, however often they have changed.
void SingleLane::tell_leaves() {
    const auto* const leaves = leaves_.data();
    for (std::size_t i = 0; i < leaves_top_; ++i) {
        const auto n = leaves[i];
        const auto c = count_[n];
        const bool up = c > 1;
        if (up == static_cast<bool>(c & 1)) continue;
        count_[n] = static_cast<std::int16_t>(c ^ 1);
        ++work_;
        const auto* wire = net_->wire.data() + net_->wire_of[n] + 1;
        for (auto moves = *wire++; moves != 0; --moves, ++wire) allow(*wire >> 1, (*wire & 1) == up);
    }
    leaves_top_ = 0;
}

void SingleLane::act_on(std::span<const std::uint32_t> acts, bool up) {
    for (const auto word : acts) {
        const auto what = static_cast<Act>(word >> single::kActShift);
        const auto target = word & single::kTarget;
        switch (what) {
            case Act::watch:
                if (in_watch_[target]) break;
                in_watch_[target] = 1;
                watch_[1 + watch_[0]++] = target;
                break;
            case Act::shut_by_up: shut(target, up); break;
            case Act::shut_by_down: shut(target, !up); break;
            case Act::turn: turn(target, up); break;
            case Act::line_by_up: draw(target, up); break;
            case Act::line_by_down: draw(target, !up); break;
            case Act::rise_in_cycle: touch_cycle(target, up); break;
            case Act::fall_in_cycle: touch_cycle(target, !up); break;
        }
    }
}

void SingleLane::set(std::uint32_t gate, bool up) {
    const bool told = count_[gate] & 1;
    count_[gate] = static_cast<std::int16_t>(2 * up + told);
    if (up == told) return;
    if (!net_->leaf[gate]) return push(gate);
    if (leaves_top_ == leaves_.size()) leaves_.resize(2 * leaves_.size());
    leaves_[leaves_top_++] = gate;
}

void SingleLane::turn(std::uint32_t list, bool up) {
    const auto* const first = on_list_ + net_->first_in_list[list];
    const bool gates_up = up != net_->follows_down[list];
    for (std::uint32_t i = 0; i < open_[list]; ++i) set(net_->switched[first[i]], gates_up);
}

void SingleLane::shut(std::uint32_t switched, bool up) {
    const auto list = net_->list_of[switched];
    auto* const first = on_list_ + net_->first_in_list[list];
    const auto on = net_->switch_of[switched];
    if (up) {
        const auto k = place_on_[switched], last = first[--open_[list]];
        first[k] = last;
        place_on_[last] = k;
    } else {
        const auto k = open_[list]++;
        first[k] = switched;
        place_on_[switched] = k;
    }
    // What the switch has told, not what it counts: it may be on the stack.
    const bool switch_up = static_cast<bool>(count_[node_of(on)] & 1) != negated(on);
    set(net_->switched[switched], up || switch_up);
}

void SingleLane::draw(std::uint32_t line, bool on) {
    const auto& l = net_->lines[line];
    const auto first = net_->first_of_side[l.side];
    if (on) {
        const auto k = lines_on_[l.side]++;
        line_on_[first + k] = l.index;
        line_at_[line] = k;
    } else {
        const auto k = line_at_[line], last = line_on_[first + --lines_on_[l.side]];
        line_on_[first + k] = last;
        line_at_[first + last] = k;
    }
    const auto* const others = line_on_ + net_->first_of_side[l.other_side];
    const auto* const crossing = net_->crossing.data() + l.corner;
    for (std::uint32_t i = 0; i < lines_on_[l.other_side]; ++i) set(crossing[others[i] * l.stride], !on);
}

std::uint32_t SingleLane::legal_count(std::uint32_t role) const {
    std::uint32_t n = 0;
    for (auto g = net_->first_group[role]; g != net_->first_group[role + 1]; ++g)
        if (holds(net_->groups[g].guard)) n += end_[g] - net_->groups[g].first;
    return n;
}

inline std::uint32_t SingleLane::pick(std::uint32_t role, std::uint32_t i) const {
    auto g = net_->first_group[role];
    for (;; ++g) {
        const auto& group = net_->groups[g];
        if (!holds(group.guard)) continue;
        const auto size = end_[g] - group.first;
        if (i < size) return list_[group.first + i];
        i -= size;
    }
}

std::uint32_t SingleLane::legal(std::uint32_t role, std::uint32_t i) const { return pick(role, i); }

void SingleLane::legal_moves(std::uint32_t role, std::vector<std::uint32_t>& sorted) const {
    sorted.clear();
    for (auto g = net_->first_group[role]; g != net_->first_group[role + 1]; ++g) {
        if (holds(net_->groups[g].guard)) sorted.insert(sorted.end(), list_ + net_->groups[g].first, list_ + end_[g]);
    }
    std::sort(sorted.begin(), sorted.end());
}

// The moves' own nodes, where busy fluents depend on them. The last ones stay up until now: legal and terminal do not
// see them.
void SingleLane::do_moves(std::span<const std::uint32_t> joint) {
    for (std::uint32_t r = 0; r < joint.size(); ++r) {
        if (done_[r] == joint[r]) continue;
        for (const auto m : {done_[r], joint[r]}) {
            if (m == kNone) continue;
            const auto l = net_->of[circuit().move_node(m)];
            if (l == kNone) continue;
            count_[node_of(l)] ^= 2;
            push(node_of(l));
        }
        done_[r] = joint[r];
    }
    settle();
}

// Puts on the stack, from n on, the busy fluents whose next value is another. Those that change come back by their own
// flip. The stack has room for every fluent, and one more.
std::size_t SingleLane::collect_watched(std::size_t n) {
    auto* const stack = stack_.data();
    for (std::uint32_t k = 1; k <= watch_[0]; ++k) {
        const auto i = watch_[k];
        in_watch_[i] = 0;
        const auto node = 1 + net_->watched[i];
        stack[n] = node;
        n += holds(net_->watched_next[i]) != (count_[node] > 1);
    }
    watch_[0] = 0;
    return n;
}

// The same for the others.
std::size_t SingleLane::collect_effects(std::span<const std::uint32_t> joint, std::size_t n) {
    const auto at = effects_.of(joint);
    const auto* code = effects_.code() + at;
    auto* const stack = stack_.data();
    auto* const count = count_;
    auto* out = count + net_->tape_out;
    for (auto gates = *code++; gates != 0; --gates) *out++ = gate_value(code, count);
    for (const bool value : {true, false}) {
        for (auto sets = *code++; sets != 0; --sets) {
            const auto node = 1 + *code++;
            stack[n] = node;
            n += (count[node] > 1) != value;
        }
    }
    for (auto copies = *code++; copies != 0; --copies, code += 2) {
        const auto node = 1 + code[0];
        stack[n] = node;
        n += (count[node] > 1) != holds(code[1]);
    }
    return n;
}

void SingleLane::play(std::span<const std::uint32_t> joint) {
    goals_known_ = false;
    if (!net_->used_moves.empty()) do_moves(joint);
    finish_play(joint);
    if (effects_.flushes() > kFlushesBorne) [[unlikely]]
        relax();
}

void SingleLane::finish_play(std::span<const std::uint32_t> joint) {
    // The changes are all read before the first is made.
    auto n = collect_watched(0);
    if (!net_->cold.empty()) n = collect_effects(joint, n);
    const auto* const stack = stack_.data();
    for (std::size_t i = 0; i < n; ++i) {
        const auto fluent = stack[i] - 1;
        state_[fluent / 64] ^= std::uint64_t{1} << (fluent % 64);
        count_[stack[i]] ^= 2;
    }
    top_ = n;
    settle();
}

// Joint moves seldom come twice here: keep every next value up to date instead.
void SingleLane::relax() {
    const std::vector<std::uint64_t> here(state_, state_ + words_);
    const auto* const marked = reinterpret_cast<const std::uint64_t*>(marked_.data());
    const std::vector<std::uint64_t> back(marked, marked + words_);
    net_ = single::lay_out(net_->circuit, std::vector<bool>(circuit().fluents, true));
    effects_ = single::Effects(*net_);
    touched_.clear();
    marked_.clear();
    place();
    start_from_nothing();
    load(back);
    mark();
    load(here);
}

bool SingleLane::run_stretch(const single::Tape& tape, const single::Stretch& stretch) {
    const auto* code = tape.code.data() + stretch.begin;
    auto* const count = count_;
    auto* const out = count + stretch.out;
    int changed = 0;
    for (std::uint32_t g = 0; g < stretch.gates; ++g) {
        const auto value = gate_value(code, count);
        changed |= out[g] ^ value;
        out[g] = value;
    }
    return changed != 0;
}

void SingleLane::run_tape(const single::Tape& tape) {
    std::uint32_t gate = 0;
    for (const auto& stretch : tape.stretches) {
        if (stretch.cyclic) {
            for (std::uint32_t g = 0; g < stretch.gates; ++g)
                count_[stretch.out + g] = static_cast<std::int16_t>(2 * tape.conjunction[gate + g]);
            while (run_stretch(tape, stretch)) {
            }
        } else {
            run_stretch(tape, stretch);
        }
        gate += stretch.gates;
    }
}

std::int32_t SingleLane::goal(std::uint32_t role) {
    if (!goals_known_) run_tape(net_->goals);
    goals_known_ = true;
    auto found = kNoGoal;
    for (std::size_t i = 0; i < circuit().goals.size(); ++i) {
        if (circuit().goals[i].role != role || !holds(net_->goals.answers[i])) continue;
        if (found != kNoGoal) return kNoGoal;
        found = static_cast<std::int32_t>(circuit().goals[i].value);
    }
    return found;
}

void SingleLane::goals(std::uint32_t role, std::vector<std::int64_t>& values) {
    if (!goals_known_) run_tape(net_->goals);
    goals_known_ = true;
    values.clear();
    for (std::size_t i = 0; i < circuit().goals.size(); ++i)
        if (circuit().goals[i].role == role && holds(net_->goals.answers[i]))
            values.push_back(circuit().goals[i].value);
}

void SingleLane::sees(std::span<const std::uint32_t> joint, std::uint32_t role, std::vector<std::uint32_t>& percepts) {
    percepts.clear();
    const auto& tape = net_->sees;
    if (tape.answers.empty()) return;
    std::fill_n(count_ + tape.out, circuit().moves, std::int16_t{0});
    for (const auto m : joint) count_[tape.out + m] = 2;
    run_tape(tape);
    for (std::size_t i = 0; i < circuit().sees.size(); ++i)
        if (circuit().sees[i].role == role && holds(tape.answers[i])) percepts.push_back(circuit().sees[i].percept);
}

// A random legal move for each role into joint_; false where a role has none.
bool SingleLane::choose(Random& random) {
    const auto* const groups = net_->groups.data();
    for (std::uint32_t r = 0; r < joint_.size(); ++r) {
        const auto first = net_->first_group[r], last = net_->first_group[r + 1];
        std::uint32_t n = 0;
        for (auto g = first; g != last; ++g) n += holds(groups[g].guard) ? end_[g] - groups[g].first : 0;
        if (n == 0) return false;
        joint_[r] = pick(r, n == 1 ? 0 : random.below(n));
    }
    return true;
}

std::uint32_t SingleLane::playout(Random& random, std::uint32_t max_steps) {
    for (std::uint32_t step = 0; step < max_steps; ++step) {
        if (terminal() || !choose(random)) return step;
        play(joint_);
    }
    return max_steps;
}

}  // namespace zermelo::gdl
