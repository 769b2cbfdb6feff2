#include "gdl/exact/path.hpp"

#include <algorithm>
#include <stdexcept>

#include "gdl/circuit/play.hpp"
#include "gdl/single/single.hpp"
#include "zermelo/random.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::uint32_t kNoNode = 0xffffffffu;
constexpr std::uint32_t kMostPaired = 1024;     // more moves are not compared with one another
constexpr std::uint32_t kTestedStates = 64;     // states in which they are
constexpr std::uint64_t kMostTrials = 200'000;  // steps that the comparison may take

// Which pairs of moves led to the same state in either order wherever both were legal.
class Commuting {
public:
    Commuting(SingleLane& lane, std::span<const std::uint64_t> root, Control& control)
        : lane_(lane), moves_(lane.circuit().moves) {
        if (moves_ > kMostPaired) return;
        seen_.assign(std::size_t{moves_} * moves_, kUnknown);
        Random random(1);
        std::vector<std::uint64_t> state(root.begin(), root.end());
        for (std::uint32_t sample = 0; sample < kTestedStates && trials_ < kMostTrials; ++sample) {
            control.check();
            lane_.load(state);
            if (lane_.terminal() || lane_.legal_count(0) == 0) {
                state.assign(root.begin(), root.end());
                continue;
            }
            compare(state);
            lane_.load(state);
            const auto move = lane_.legal(0, random.below(lane_.legal_count(0)));
            lane_.play(std::span(&move, 1));
            state.assign(lane_.state().begin(), lane_.state().end());
        }
    }

    bool operator()(std::uint32_t a, std::uint32_t b) const {
        return !seen_.empty() && seen_[std::size_t{a} * moves_ + b] == kSame;
    }

private:
    enum : std::uint8_t { kUnknown, kSame, kDifferent };

    void compare(std::span<const std::uint64_t> state) {
        std::vector<std::uint32_t> legal;
        lane_.legal_moves(0, legal);
        std::vector<std::uint64_t> one;
        for (std::size_t i = 0; i < legal.size() && trials_ < kMostTrials; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                auto& seen = seen_[std::size_t{legal[i]} * moves_ + legal[j]];
                if (seen == kDifferent) continue;
                const auto first = both(state, legal[i], legal[j]);
                if (first == kUnknown) continue;
                one.assign(lane_.state().begin(), lane_.state().end());
                const auto second = both(state, legal[j], legal[i]);
                if (second == kUnknown) continue;
                seen = first == kSame && second == kSame && std::ranges::equal(one, lane_.state()) ? kSame : kDifferent;
                seen_[std::size_t{legal[j]} * moves_ + legal[i]] = seen;
            }
        }
    }

    // Plays two moves; unknown if play is over between them, different if the second is not legal then.
    std::uint8_t both(std::span<const std::uint64_t> state, std::uint32_t a, std::uint32_t b) {
        trials_ += 2;
        lane_.load(state);
        lane_.play(std::span(&a, 1));
        if (lane_.terminal()) return kUnknown;
        lane_.legal_moves(0, list_);
        if (std::ranges::find(list_, b) == list_.end()) return kDifferent;
        lane_.play(std::span(&b, 1));
        return kSame;
    }

    SingleLane& lane_;
    std::size_t moves_;
    std::uint64_t trials_ = 0;
    std::vector<std::uint8_t> seen_;
    std::vector<std::uint32_t> list_;
};

// The states met so far, in the order of meeting, each with the step that led there.
class Frontier {
public:
    Frontier(std::size_t words, std::vector<std::uint64_t> ignored, Control& control)
        : words_(words), ignored_(std::move(ignored)), control_(control), slots_(1024, kNoNode) {}
    ~Frontier() { control_.charge(-charged_); }
    Frontier(const Frontier&) = delete;
    Frontier& operator=(const Frontier&) = delete;

    std::uint32_t size() const { return static_cast<std::uint32_t>(parent_.size()); }
    std::span<const std::uint64_t> state(std::uint32_t node) const {
        return std::span(states_).subspan(node * words_, words_);
    }
    std::uint32_t last_move(std::uint32_t node) const { return move_[node]; }
    std::uint64_t bytes() const { return static_cast<std::uint64_t>(charged_); }

    void add(std::span<const std::uint64_t> state, std::uint32_t parent, std::uint32_t move, std::uint32_t index) {
        if (2 * (parent_.size() + 1) > slots_.size()) grow();
        auto& slot = slots_[slot_of(state)];
        if (slot != kNoNode) return;
        if (parent_.size() >= kNoNode - 1) throw std::length_error("more positions than can be numbered");
        charge(static_cast<std::int64_t>(words_ * 8 + 12));
        slot = size();
        states_.insert(states_.end(), state.begin(), state.end());
        parent_.push_back(parent);
        move_.push_back(move);
        index_.push_back(index);
    }

    std::vector<std::uint32_t> line_to(std::uint32_t node, std::uint32_t last) const {
        std::vector<std::uint32_t> line{last};
        for (; parent_[node] != kNoNode; node = parent_[node]) line.push_back(index_[node]);
        std::ranges::reverse(line);
        return line;
    }

private:
    void charge(std::int64_t bytes) {
        control_.charge(bytes);
        charged_ += bytes;
    }

    std::size_t slot_of(std::span<const std::uint64_t> state) const {
        std::uint64_t hash = 0;
        for (std::size_t w = 0; w < words_; ++w)
            hash = (hash ^ (state[w] & ~ignored_[w])) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
        const auto mask = slots_.size() - 1;
        for (auto at = static_cast<std::size_t>(hash) & mask;; at = (at + 1) & mask)
            if (slots_[at] == kNoNode || same(slots_[at], state)) return at;
    }

    bool same(std::uint32_t node, std::span<const std::uint64_t> other) const {
        const auto known = state(node);
        for (std::size_t w = 0; w < words_; ++w)
            if ((known[w] ^ other[w]) & ~ignored_[w]) return false;
        return true;
    }

    void grow() {
        charge(static_cast<std::int64_t>(slots_.size() * sizeof(std::uint32_t)));
        slots_.assign(2 * slots_.size(), kNoNode);
        for (std::uint32_t node = 0; node < size(); ++node) slots_[slot_of(state(node))] = node;
    }

    std::size_t words_;
    std::vector<std::uint64_t> ignored_;
    Control& control_;
    std::int64_t charged_ = 0;
    std::vector<std::uint32_t> slots_;  // open addressing, at most half full
    std::vector<std::uint64_t> states_;
    std::vector<std::uint32_t> parent_, move_, index_;
};

}  // namespace

std::vector<std::uint64_t> clocks(const Circuit& circuit) {
    // Influenced: by a move, or by a fluent that is. What is left at the end runs by itself.
    std::vector<bool> influenced(circuit.nodes(), false);
    for (std::uint32_t move = 0; move < circuit.moves; ++move) influenced[circuit.move_node(move)] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& block : circuit.blocks) {
            for (bool again = true; again;) {
                again = false;
                for (auto node = block.first; node < block.last; ++node) {
                    if (influenced[node]) continue;
                    if (!std::ranges::any_of(circuit.inputs(node),
                                             [&](Literal input) { return influenced[node_of(input)]; }))
                        continue;
                    influenced[node] = true;
                    again = block.cyclic;
                }
            }
        }
        for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) {
            if (influenced[circuit.fluent_node(fluent)] || !influenced[node_of(circuit.next[fluent])]) continue;
            influenced[circuit.fluent_node(fluent)] = true;
            changed = true;
        }
    }
    std::vector<std::uint64_t> mask(circuit.words());
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent)
        if (!influenced[circuit.fluent_node(fluent)]) mask[fluent / 64] |= std::uint64_t{1} << (fluent % 64);
    return mask;
}

PathSearch::PathSearch(std::shared_ptr<const Circuit> circuit, std::span<const std::uint64_t> start, Score worst,
                       Score best)
    : circuit_(std::move(circuit)), start_(start.begin(), start.end()), worst_(worst), best_(best) {
    if (circuit_->roles() != 1) throw std::invalid_argument("a line of play settles a game of one role only");
}

Outcome PathSearch::solve(Control& control) {
    if (line_) return outcome_of(*line_);
    const auto found = find(start_, control);
    if (found.score >= best_ || control.cause() == Cause::none) line_ = found;
    return outcome_of(found);
}

Outcome PathSearch::solve_move(std::uint32_t index, Control& control) {
    if (line_ && line_->score == best_ && !line_->line.empty() && line_->line.front() == index)
        return {.solved = true,
                .lower = best_,
                .upper = best_,
                .distance = static_cast<std::int64_t>(line_->line.size()) - 1};
    SingleLane lane(circuit_);
    lane.load(start_);
    std::vector<std::uint32_t> legal;
    lane.legal_moves(0, legal);
    lane.play(std::span(&legal.at(index), 1));
    const std::vector<std::uint64_t> child(lane.state().begin(), lane.state().end());
    return outcome_of(find(child, control));
}

Outcome PathSearch::outcome_of(const Found& found) const {
    Outcome outcome{.lower = std::max(worst_, found.score), .upper = best_};
    if (!found.line.empty()) outcome.move = found.line.front();
    // Only a line to a value above 0 is a proof by itself.
    outcome.solved = found.score == best_ && best_ > worst_ && best_ > 0;
    if (outcome.solved) outcome.distance = static_cast<std::int64_t>(found.line.size());
    return outcome;
}

PathSearch::Found PathSearch::find(std::span<const std::uint64_t> root, Control& control) {
    Found found{worst_ - 1, {}};
    SingleLane lane(circuit_);
    lane.load(root);
    if (lane.terminal()) return {lane.goal(0) == kNoGoal ? worst_ - 1 : lane.goal(0), {}};
    if (best_ <= worst_ || best_ <= 0) return found;
    control.report(worst_, best_, 0);
    try {
        const Commuting commute(lane, root, control);
        std::vector<std::uint32_t> list;
        std::vector<std::uint64_t> here;
        for (const bool all : {false, true}) {
            Frontier met(circuit_->words(), all ? std::vector<std::uint64_t>(circuit_->words()) : clocks(*circuit_),
                         control);
            met.add(root, kNoNode, kNoNode, 0);
            for (std::uint32_t node = 0; node < met.size() && found.score < best_; ++node) {
                control.tick();
                here.assign(met.state(node).begin(), met.state(node).end());
                const auto last = met.last_move(node);
                lane.load(here);
                lane.legal_moves(0, list);
                for (std::uint32_t index = 0; index < list.size(); ++index) {
                    const auto move = list[index];
                    if (!all && last != kNoNode && move < last && commute(move, last)) continue;
                    lane.load(here);
                    lane.play(std::span(&move, 1));
                    if (!lane.terminal()) {
                        met.add(lane.state(), node, move, index);
                        continue;
                    }
                    const auto goal = lane.goal(0);
                    if (goal == kNoGoal || goal <= found.score) continue;
                    found = {goal, met.line_to(node, index)};
                    control.report(goal, best_, static_cast<std::int64_t>(found.line.size()));
                    if (goal >= best_) break;
                }
            }
            nodes_ = met.size(), bytes_ = met.bytes();
            if (found.score >= best_) break;
        }
    } catch (const Stopped&) {
    }
    control.publish();
    return found;
}

StrategyGraph PathSearch::strategy(int owner, Score bound, Control& control) {
    if (!line_) line_ = find(start_, control);
    if (owner != 0 || line_->score < bound) throw std::invalid_argument("the bound does not hold at the start");
    StrategyGraph graph;
    const auto steps = static_cast<std::uint32_t>(line_->line.size());
    for (std::uint32_t step = 0; step < steps; ++step) {
        graph.edge_move.push_back(line_->line[step]);
        graph.edge_target.push_back(step + 1);
        graph.first_edge.push_back(step + 1);
        graph.rank.push_back(steps - step);
    }
    graph.first_edge.push_back(steps);
    graph.rank.push_back(0);
    return graph;
}

}  // namespace zermelo::gdl
