#include "qbf/search/search.hpp"

#include <algorithm>
#include <memory>

#include "qbf/sat/clauses.hpp"
#include "qbf/sat/herbrand.hpp"
#include "qbf/circuit/network.hpp"
#include "qbf/search/proof.hpp"
#include "qbf/search/residual.hpp"
#include "qbf/sat/sat.hpp"
#include "qbf/search/state.hpp"

namespace zermelo::qbf {

namespace {

struct Outcome {
    bool value;
    Proof::Step step;
};

// The circuit in a SAT solver, kept for the whole search: what it learns about one residual holds for the others.
struct LastBlock {
    explicit LastBlock(const Network& network) : clauses(network.graph, sat, true) {}
    Sat sat;
    Clauses clauses;
};

class Search {
public:
    Search(const Network& network, const SearchParameters& parameters, Control& control, Proof& proof,
           SearchResult& result)
        : network_(network), parameters_(parameters), control_(control), proof_(proof), result_(result),
          state_(network), residual_(network, state_), table_(std::min(parameters.table_bytes, control.room() / 4)),
          wins_(2 * network.variable.size(), 0), last_win_(network.variable.size(), 2) {}

    Outcome run() {
        state_.begin();
        auto outcome = visit(0);
        for (;;) {
            while (!outcome && !frames_.empty()) outcome = enter();
            if (!outcome) continue;
            if (frames_.empty()) break;
            outcome = leave(*outcome);
        }
        return close(*outcome, 0);
    }

    std::uint64_t events() const { return state_.events(); }

private:
    struct Frame {
        State::Mark mark;     // before anything of this frame
        std::uint64_t nodes;  // counted before
        std::uint32_t level;
        bool border;
        bool split;
        // a variable
        std::uint32_t variable;
        bool value, second;
        Proof::Step other;
        // parts
        std::uint64_t parts, ends, steps;  // where they begin on the stacks
        std::uint32_t part;
        bool conjunctive;
    };

    // What is known of the residual without trying anything; else a frame for it is pushed.
    std::optional<Outcome> visit(std::uint32_t from_level) {
        if (state_.result()) return Outcome{*state_.result(), proof_.chosen(state_.last_literals(), Proof::kNothing)};
        control_.tick();
        if ((++result_.nodes & 1023) == 0) take_note();
        auto level = from_level;
        while (state_.alive_in_level(level) == 0) ++level;
        Frame frame{};
        frame.border = level != from_level || frames_.empty();
        frame.level = level;
        frame.mark = state_.mark();
        frame.nodes = result_.nodes;
        if (frame.border) {
            if (parameters_.table && table_.maybe(frame.mark.hash)) {
                const auto known = table_.find(frame.mark.hash, residual_.key());
                if (known.found) {
                    ++result_.hits;
                    return Outcome{known.value, static_cast<Proof::Step>(known.proof)};
                }
            }
            const bool alone = state_.alive_of(false) == 0 || state_.alive_of(true) == 0;
            if (parameters_.components && !alone && worth_splitting() && residual_.split(tops_, ends_)) {
                fruitless_ = 0;
                ++result_.splits;
                frame.split = true;
                frame.conjunctive = state_.conjunctive();
                frame.parts = part_stack_.size();
                frame.ends = end_stack_.size();
                frame.steps = step_stack_.size();
                part_stack_.insert(part_stack_.end(), tops_.begin(), tops_.end());
                end_stack_.insert(end_stack_.end(), ends_.begin(), ends_.end());
                frames_.push_back(frame);
                return std::nullopt;
            }
        }
        if (parameters_.sat && (state_.alive_of(false) == 0 || state_.alive_of(true) == 0)) {
            // Small ones are done sooner by going on; a large one shows by the nodes it takes.
            if (alone_since_ == 0) alone_since_ = result_.nodes;
            if (frames_.empty() || result_.nodes - alone_since_ >= parameters_.sat_after) return last_block();
        } else {
            alone_since_ = 0;
        }
        pick(frame);
        frames_.push_back(frame);
        return std::nullopt;
    }

    // Where the residual has not fallen apart for long it is asked less often.
    bool worth_splitting() {
        ++fruitless_;
        return fruitless_ < 64 || (fruitless_ & (fruitless_ < 1024 ? 15 : 63)) == 0;
    }

    // Small subtrees are searched again sooner than described; and where little is found again, larger ones, too.
    bool worth_storing(std::uint64_t nodes) {
        if (nodes < least_stored_) return false;
        constexpr std::uint64_t window = 256;
        if (++stores_ % window == 0) {
            const auto found = result_.hits - hits_before_;
            if (16 * found < window) least_stored_ = std::min<std::uint64_t>(4 * least_stored_, 128);
            else if (4 * found > window) least_stored_ = std::max<std::uint64_t>(least_stored_ / 4, 2);
            hits_before_ = result_.hits;
        }
        return true;
    }

    // A residual of one quantifier is a question of satisfiability: of all tops at once for the side that needs them
    // all, of one of them for the other.
    Outcome last_block() {
        if (!last_) last_ = std::make_unique<LastBlock>(network_);
        ++result_.sat_calls;
        const bool exists = state_.alive_of(true) != 0;
        const bool conjunctive = state_.conjunctive();
        assumptions_.clear();
        for (const auto literal : state_.choices(0))
            assumptions_.push_back(last_->clauses[2 * network_.variable[literal >> 1].source] ^ (literal & 1));
        tops_.assign(state_.tops().begin(), state_.tops().end());
        std::ranges::sort(tops_);
        bool found = false;
        if (exists == conjunctive) {
            for (const auto n : tops_) assumptions_.push_back(last_->clauses[network_.source[n]] ^ !exists);
            found = last_->sat.solve(assumptions_, control_);
        } else {
            for (std::size_t i = 0; i < tops_.size() && !found; ++i) {
                assumptions_.push_back(last_->clauses[network_.source[tops_[i]]] ^ !exists);
                found = last_->sat.solve(assumptions_, control_);
                assumptions_.pop_back();
            }
        }
        if (!found) return {!exists, Proof::kNothing};
        literals_.clear();
        // A variable that the solver has not heard of is in tops that need not be looked at.
        for (std::uint32_t v = 0; v < network_.variable.size(); ++v)
            if (state_.alive_variable(v) && last_->clauses.loaded(network_.variable[v].source))
                literals_.push_back(2 * v + !last_->sat.holds(last_->clauses[2 * network_.variable[v].source]));
        return {exists, proof_.chosen(literals_, Proof::kNothing)};
    }

    // Memory that has grown since the last look is charged.
    void take_note() {
        control_.report_depth(static_cast<std::int64_t>(frames_.size()));
        const auto now = static_cast<std::int64_t>(table_.used() + proof_.bytes() + (last_ ? last_->sat.bytes() : 0));
        if (now <= charged_) return;
        control_.charge(now - charged_);
        charged_ = now;
    }

    void pick(Frame& frame) {
        std::uint32_t best = Network::kNone;
        std::uint64_t best_score = 0;
        const bool exists = network_.exists[frame.level];
        for (auto v = network_.first_of_level[frame.level]; v < network_.first_of_level[frame.level + 1]; ++v) {
            if (!state_.alive_variable(v)) continue;
            if (parameters_.ordering & 1) {
                best = v;
                break;
            }
            const auto& leaf = network_.variable[v].leaf;
            const auto won = 1 + std::uint64_t{std::max(wins_[2 * v], wins_[2 * v + 1])} * 64;
            if (won + state_.most_uses(leaf[0]) + state_.most_uses(leaf[1]) <= best_score) continue;
            const auto score = won + state_.uses(leaf[0]) + state_.uses(leaf[1]);
            if (score > best_score) {
                best_score = score;
                best = v;
            }
        }
        frame.variable = best;
        const auto& leaf = network_.variable[best].leaf;
        if (!(parameters_.ordering & 2) && last_win_[best] < 2) frame.value = last_win_[best];
        else if (parameters_.ordering & 4) frame.value = (state_.uses(leaf[1]) >= state_.uses(leaf[0])) == exists;
        else frame.value = true;
    }

    // The next thing to try in the last frame.
    std::optional<Outcome> enter() {
        auto& frame = frames_.back();
        const auto level = frame.level;
        if (frame.split) {
            aside_.clear();
            const auto begin = frame.part ? end_stack_[frame.ends + frame.part - 1] : 0;
            const auto end = end_stack_[frame.ends + frame.part];
            for (auto i = frame.parts; i < part_stack_.size(); ++i)
                if (i < frame.parts + begin || i >= frame.parts + end) aside_.push_back(part_stack_[i]);
            state_.set_aside(aside_);
        } else {
            state_.choose(frame.variable, frame.value);
        }
        return visit(level);
    }

    // The choices of the winner beyond the first so many, before what follows.
    Outcome close(Outcome outcome, std::uint32_t choices) {
        if (!proof_.recording()) return outcome;
        literals_.clear();
        for (const auto literal : state_.choices(choices))
            if (network_.exists[network_.variable[literal >> 1].level] == outcome.value) literals_.push_back(literal);
        return {outcome.value, proof_.chosen(literals_, outcome.step)};
    }

    // Takes an outcome for what the last frame tried; the frame's own outcome, if that is settled now.
    std::optional<Outcome> leave(Outcome outcome) {
        auto& frame = frames_.back();
        outcome = close(outcome, frame.mark.choices);
        state_.undo(frame.mark);
        if (frame.split) {
            step_stack_.push_back(outcome.step);
            if (outcome.value == frame.conjunctive) {
                if (++frame.part < end_stack_.size() - frame.ends) return std::nullopt;
                outcome.step = proof_.together(std::span(step_stack_).subspan(frame.steps));
            }
            part_stack_.resize(frame.parts);
            end_stack_.resize(frame.ends);
            step_stack_.resize(frame.steps);
        } else if (outcome.value == network_.exists[frame.level]) {
            last_win_[frame.variable] = frame.value;
            auto& wins = wins_[2 * frame.variable + frame.value];
            if (++wins == 1u << 20)
                for (auto& w : wins_) w >>= 1;
        } else if (!frame.second) {
            frame.other = outcome.step;
            frame.second = true;
            frame.value = !frame.value;
            return std::nullopt;
        } else {
            outcome.step = frame.value ? proof_.replies(frame.variable, frame.other, outcome.step)
                                       : proof_.replies(frame.variable, outcome.step, frame.other);
        }
        if (parameters_.table && frame.border && worth_storing(result_.nodes - frame.nodes))
            table_.store(frame.mark.hash, residual_.key(), outcome.value, outcome.step);
        frames_.pop_back();
        return outcome;
    }

    const Network& network_;
    const SearchParameters& parameters_;
    Control& control_;
    Proof& proof_;
    SearchResult& result_;
    State state_;
    Residual residual_;
    Table table_;
    std::vector<Frame> frames_;
    std::vector<std::uint32_t> part_stack_, end_stack_, tops_, ends_, aside_, literals_;
    std::vector<Proof::Step> step_stack_;
    std::vector<std::uint32_t> wins_;
    std::vector<std::uint8_t> last_win_;
    std::unique_ptr<LastBlock> last_;
    std::vector<Literal> assumptions_;
    std::uint64_t alone_since_ = 0, fruitless_ = 0, stores_ = 0, hits_before_ = 0, least_stored_ = 2;
    std::int64_t charged_ = 0;
};

// Functions of an expanded block, where all of them together stay small.
bool answered_briefly(const Formula& formula, const Network& network, Functions& functions, Control& control) {
    constexpr std::uint32_t kFewGates = 256;
    constexpr std::uint64_t kMostGates = 2048;
    return network.expanded.empty() ||
           (functions.gates.size() <= kFewGates &&
            answer_copies_briefly(formula, network.expanded, functions, kMostGates, control));
}

// Where the last block is very many cases it is less to say when each variable can be true. (Cases look at fewer
// variables: where there are not so many of them, all plays against them are sooner tried.)
void choose_last_block_shortly(const Formula& formula, const Network& network, const Proof& proof,
                               const Outcome& outcome, std::uint64_t most_inputs, Functions& functions,
                               Control& control) {
    constexpr std::uint64_t kMostGates = 4096;
    if (functions.gates.input.size() < most_inputs || formula.blocks() < 2 || !formula.exists.back()) return;
    auto others = proof.functions(formula, network, outcome.value, outcome.step, formula.blocks() - 1);
    if (!choose_last_block(formula, kMostGates, others, control)) return;
    if (most_inputs == 0 || 4 * others.gates.input.size() < functions.gates.input.size()) functions = std::move(others);
}

}  // namespace

SearchResult search(const Formula& formula, const SearchParameters& parameters, Control& control) {
    SearchResult result;
    try {
        const auto network = lowered(formula, {parameters.expansion_gates, parameters.restructure}, control);
        control.charge(static_cast<std::int64_t>(network.bytes() + State::bytes(network)));
        result.network = network.size();
        result.expanded = network.expanded.size();
        Proof proof(parameters.functions ? std::min(parameters.proof_bytes, control.room() / 4) / sizeof(std::uint32_t)
                                         : 0);
        Search run(network, parameters, control, proof, result);
        const auto outcome = run.run();
        result.events = run.events();
        result.value = outcome.value;
        if (proof.recording()) {
            auto functions = proof.functions(formula, network, outcome.value, outcome.step);
            if (outcome.value)
                choose_last_block_shortly(formula, network, proof, outcome, parameters.case_inputs, functions, control);
            else if (parameters.complete)
                answer_copies(formula, network.expanded, functions, parameters.elimination_gates, control);
            else if (!answered_briefly(formula, network, functions, control)) result.open = network.expanded;
            result.functions = std::move(functions);
        }
    } catch (const Stopped&) {
    }
    control.publish();
    return result;
}

}  // namespace zermelo::qbf
