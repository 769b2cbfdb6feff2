// The SL kernel against plain evaluation of the whole circuit, on random circuits and random games.
#include <algorithm>
#include <memory>
#include <vector>

#include "check.hpp"
#include "gdl/single/single.hpp"
#include "zermelo/random.hpp"

using namespace zermelo;
using namespace zermelo::gdl;

namespace {

struct Shape {
    std::uint32_t fluents, roles, moves, gates;
    bool cycles;
};

// A random circuit: gates over the state first, gates over moves as well after them, cyclic blocks among both.
class Maker {
public:
    Maker(Random& random, Shape shape) : random_(random), shape_(shape) {
        c_.fluents = shape.fluents;
        for (std::uint32_t r = 0; r < shape.roles; ++r) {
            c_.moves += 1 + random.below(shape.moves);
            c_.first_move.push_back(c_.moves);
        }
    }

    Circuit make() {
        for (std::uint32_t f = 0; f < c_.fluents; ++f) pool_.push_back(c_.fluent_node(f));
        grow(shape_.gates / 2);
        const auto state = pool_;
        c_.terminal = random_.below(3) == 0 ? kFalse : all_of(4);
        const auto goals = random_.below(6);
        for (std::uint32_t g = 0; g < goals; ++g) c_.goals.push_back({0, 0, literal()});
        legal();
        for (std::uint32_t m = 0; m < c_.moves; ++m) pool_.push_back(c_.move_node(m));
        pool_.insert(pool_.end(), pool_.end() - c_.moves, pool_.end());  // moves more often
        grow(shape_.gates / 2);
        for (std::uint32_t f = 0; f < c_.fluents; ++f) c_.next.push_back(next(f));
        const auto percepts = random_.below(5);
        for (std::uint32_t p = 0; p < percepts; ++p) c_.sees.push_back({p % c_.roles(), p, literal()});
        std::uint32_t value = 0;
        for (auto& g : c_.goals) {
            g.role = std::min(c_.roles() - 1, value / 3);
            g.value = value++;
        }
        c_.start.assign((c_.fluents + 63) / 64, 0);
        for (std::uint32_t f = 0; f < c_.fluents; ++f)
            c_.start[f / 64] |= static_cast<std::uint64_t>(random_.below(2)) << (f % 64);
        return std::move(c_);
    }

private:
    Literal literal() {
        const auto recent = random_.below(2) != 0 && pool_.size() > 8 ? pool_.size() - 8 : 0;
        const auto at = recent + random_.below(static_cast<std::uint32_t>(pool_.size() - recent));
        return 2 * pool_[at] + random_.below(2);
    }
    std::uint32_t add(Gate kind, const std::vector<Literal>& inputs) {
        c_.gate.push_back(kind);
        c_.input.insert(c_.input.end(), inputs.begin(), inputs.end());
        c_.first_input.push_back(static_cast<std::uint32_t>(c_.input.size()));
        return c_.nodes() - 1;
    }
    // Gates that follow each other share a block unless it is cyclic.
    void close(std::uint32_t first, bool cyclic) {
        if (!cyclic && !c_.blocks.empty() && !c_.blocks.back().cyclic) c_.blocks.back().last = c_.nodes();
        else if (c_.nodes() > first) c_.blocks.push_back({first, c_.nodes(), cyclic});
    }
    Gate kind() { return random_.below(2) != 0 ? Gate::all : Gate::any; }
    Literal all_of(std::uint32_t n) {
        std::vector<Literal> inputs;
        while (inputs.size() < n) inputs.push_back(literal());
        const auto first = c_.nodes();
        const auto node = add(Gate::all, inputs);
        close(first, false);
        return 2 * node;
    }
    void grow(std::uint32_t gates) {
        while (gates > 0) {
            const auto first = c_.nodes();
            const bool cyclic = shape_.cycles && random_.below(4) == 0;
            const auto size = cyclic ? 2 + random_.below(8) : 1;
            for (std::uint32_t i = 0; i < size; ++i) {
                std::vector<Literal> inputs{literal()};
                for (auto more = 1 + random_.below(4); more > 0; --more)
                    inputs.push_back(cyclic && random_.below(3) != 0 ? 2 * (first + random_.below(size)) : literal());
                add(cyclic && random_.below(3) != 0 ? Gate::any : kind(), inputs);
            }
            close(first, cyclic);
            for (auto n = first; n < c_.nodes(); ++n) pool_.push_back(n);
            gates -= std::min(gates, size);
        }
    }
    void legal() {
        for (std::uint32_t r = 0; r < c_.roles(); ++r) {
            const auto guard = literal();
            for (auto m = c_.first_move[r]; m < c_.first_move[r + 1]; ++m) {
                const auto first = c_.nodes();
                switch (random_.below(5)) {
                    case 0: c_.legal.push_back(kTrue); break;
                    case 1: c_.legal.push_back(literal()); break;
                    case 2: c_.legal.push_back(random_.below(3) == 0 ? kFalse : guard); break;
                    case 3: c_.legal.push_back(2 * add(Gate::any, {negate(guard), literal()}) + 1); break;
                    default: c_.legal.push_back(2 * add(Gate::all, {guard, literal(), literal()}));
                }
                close(first, false);
            }
        }
    }
    Literal next(std::uint32_t f) {
        const auto self = 2 * c_.fluent_node(f);
        const auto move = 2 * c_.move_node(random_.below(c_.moves));
        const auto first = c_.nodes();
        Literal result = self;
        switch (random_.below(6)) {
            case 0: break;
            case 1: result = literal(); break;
            case 2: result = random_.below(2); break;
            case 3: result = 2 * add(Gate::any, {self, move}); break;
            case 4: result = 2 * add(Gate::all, {self, negate(move)}); break;
            default: {
                const auto stays = 2 * add(Gate::all, {self, negate(move)});
                const auto comes = 2 * add(Gate::all, {move, literal()});
                result = 2 * add(Gate::any, {stays, comes});
            }
        }
        close(first, false);
        return result;
    }

    Random& random_;
    Shape shape_;
    Circuit c_;
    std::vector<std::uint32_t> pool_;
};

bool bit(std::span<const std::uint64_t> state, std::uint32_t f) { return (state[f / 64] >> (f % 64) & 1) != 0; }

void check_position(SingleLane& lane, const std::vector<bool>& node) {
    const auto& c = lane.circuit();
    CHECK(lane.terminal() == holds(node, c.terminal));
    std::vector<std::uint32_t> sorted, listed;
    std::vector<std::int64_t> values;
    for (std::uint32_t r = 0; r < c.roles(); ++r) {
        std::vector<std::uint32_t> legal;
        for (auto m = c.first_move[r]; m < c.first_move[r + 1]; ++m)
            if (holds(node, c.legal[m])) legal.push_back(m);
        lane.legal_moves(r, sorted);
        CHECK(sorted == legal);
        CHECK(lane.legal_count(r) == legal.size());
        listed.clear();
        for (std::uint32_t i = 0; i < legal.size(); ++i) listed.push_back(lane.legal(r, i));
        std::sort(listed.begin(), listed.end());
        CHECK(listed == legal);
        std::vector<std::int64_t> goals;
        for (const auto& g : c.goals)
            if (g.role == r && holds(node, g.when)) goals.push_back(g.value);
        CHECK(lane.goal(r) == (goals.size() == 1 ? goals[0] : kNoGoal));
        lane.goals(r, values);
        CHECK(values == goals);
    }
}

void check_step(SingleLane& lane, const std::vector<std::uint32_t>& joint) {
    const auto& c = lane.circuit();
    const auto node = evaluate(c, lane.state(), joint);
    check_position(lane, node);
    std::vector<std::uint32_t> percepts;
    for (std::uint32_t r = 0; r < c.roles(); ++r) {
        std::vector<std::uint32_t> expected;
        for (const auto& s : c.sees)
            if (s.role == r && holds(node, s.when)) expected.push_back(s.percept);
        lane.sees(joint, r, percepts);
        CHECK(percepts == expected);
    }
    lane.play(joint);
    for (std::uint32_t f = 0; f < c.fluents; ++f) CHECK(bit(lane.state(), f) == holds(node, c.next[f]));
}

// Plays random steps from random positions, by every way to get into a position.
void check_walks(SingleLane& lane, Random& random, int walks, int steps) {
    const auto& c = lane.circuit();
    std::vector<std::uint32_t> joint(c.roles());
    std::vector<std::uint64_t> state(c.words());
    for (int walk = 0; walk < walks; ++walk) {
        switch (random.below(4)) {
            case 0: lane.rewind(); break;
            case 1: lane.load(c.start); break;
            case 2: break;
            default:
                for (std::size_t w = 0; w < state.size(); ++w) {
                    const auto bits = std::min<std::size_t>(64, c.fluents - 64 * w);
                    state[w] = random.next() & (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1);
                }
                lane.load(state);
        }
        if (random.below(3) == 0) lane.mark();
        for (int step = 0; step < steps; ++step) {
            bool stuck = false;
            for (std::uint32_t r = 0; r < c.roles() && !stuck; ++r) {
                const auto n = lane.legal_count(r);
                stuck = n == 0;
                if (!stuck) joint[r] = lane.legal(r, random.below(n));
            }
            if (stuck) break;
            check_step(lane, joint);
        }
        check_position(lane, evaluate(c, lane.state(), {}));
    }
}

// Any input of any plain gate may be its switch.
std::shared_ptr<const single::Net> random_switches(const std::shared_ptr<const Circuit>& circuit,
                                                   const std::vector<bool>& busy, Random& random) {
    const auto plain = single::lay_out(circuit, busy);
    std::vector<Literal> switches(plain->nodes, single::kNone);
    for (std::uint32_t n = 0; n < plain->nodes; ++n) {
        const auto first = plain->first_input[n], inputs = plain->first_input[n + 1] - first;
        if (inputs >= 2 && plain->cycle_of[n] == single::kNone && random.below(2) == 0)
            switches[n] = plain->input[first + random.below(inputs)];
    }
    return single::lay_out(circuit, busy, single::kStore, switches);
}

void random_circuits(bool cycles) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const Shape shape{2 + random.below(seed % 10 == 0 ? 90 : 12), 1 + random.below(3), 5, 4 + random.below(60),
                          cycles};
        const auto circuit = std::make_shared<const Circuit>(Maker(random, shape).make());
        SingleLane chosen(circuit);
        check_walks(chosen, random, 8, 12);
        SingleLane copy(chosen);
        check_walks(copy, random, 4, 12);
        auto busy = single::recursive_fluents(*circuit);
        SingleLane lists(single::lay_out(circuit, busy));
        check_walks(lists, random, 8, 12);
        SingleLane small_store(single::lay_out(circuit, busy, 40));
        check_walks(small_store, random, 6, 12);
        SingleLane switched(random_switches(circuit, busy, random));
        check_walks(switched, random, 6, 12);
        busy.assign(busy.size(), true);
        SingleLane watched(single::lay_out(circuit, busy));
        check_walks(watched, random, 8, 12);
    }
    testing::running_seed.reset();
}

// Every one of some literals with every one of some others: the layout makes products of these gates.
void products() {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const std::uint32_t rows = 8 + random.below(4), columns = 8 + random.below(4);
        Circuit c;
        c.fluents = rows + columns;
        c.moves = 12;
        c.first_move.push_back(c.moves);
        std::vector<Literal> side;
        for (std::uint32_t f = 0; f < c.fluents; ++f) side.push_back(2 * c.fluent_node(f) + random.below(2));
        const auto put = [&](Gate kind, const std::vector<Literal>& inputs) {
            c.gate.push_back(kind);
            c.input.insert(c.input.end(), inputs.begin(), inputs.end());
            c.first_input.push_back(static_cast<std::uint32_t>(c.input.size()));
            return 2 * (c.nodes() - 1);
        };
        std::vector<Literal> crossing;
        for (std::uint32_t i = 0; i < rows; ++i)
            for (std::uint32_t j = 0; j < columns; ++j)
                crossing.push_back(seed % 2 == 0 ? put(Gate::all, {side[i], side[rows + j]})
                                                 : put(Gate::any, {negate(side[i]), negate(side[rows + j])}));
        const auto one = [&] {
            return crossing[random.below(static_cast<std::uint32_t>(crossing.size()))] + random.below(2);
        };
        for (std::uint32_t m = 0; m < c.moves; ++m) c.legal.push_back(m == 0 ? kTrue : one());
        c.terminal = put(Gate::all, {one(), one(), one()});
        for (std::uint32_t f = 0; f < c.fluents; ++f) {
            const auto move = 2 * c.move_node(random.below(c.moves));
            const auto stays = put(Gate::all, {2 * c.fluent_node(f), negate(move)});
            const auto comes = put(Gate::all, {move, one()});
            c.next.push_back(put(Gate::any, {stays, comes, put(Gate::all, {one(), one(), one()})}));
        }
        std::vector<Literal> every(crossing);
        for (auto& l : every) l += random.below(2);
        c.goals.push_back({0, 1, put(Gate::any, every)});
        c.blocks.push_back({c.first_gate(), c.nodes(), false});
        c.start.assign(1, random.next() & ((std::uint64_t{1} << c.fluents) - 1));
        const auto circuit = std::make_shared<const Circuit>(std::move(c));
        SingleLane watched(single::lay_out(circuit, std::vector<bool>(circuit->fluents, true)));
        check_walks(watched, random, 8, 30);
        SingleLane chosen(circuit);
        check_walks(chosen, random, 8, 30);
        // With a condition that asks for every crossing, the whole product is kept.
        auto kept = *circuit;
        for (std::uint32_t f = 0; f < kept.fluents; ++f) kept.next[f] = crossing[f];
        kept.terminal = kept.goals[0].when;
        const auto all = std::make_shared<const Circuit>(std::move(kept));
        SingleLane lane(all);
        CHECK(lane.net()->lines.size() == rows + columns);
        check_walks(lane, random, 8, 30);
    }
    testing::running_seed.reset();
}

// Reachability in a directed graph whose edges come and go: marks support each other around cycles, and must fall
// when the last way from the source is cut.
void cut_cycles() {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        testing::running_seed = seed;
        Random random(seed);
        const std::uint32_t vertices = 4 + random.below(8), arcs = 2 * vertices;
        Circuit c;
        c.fluents = arcs;
        c.moves = arcs;  // a move turns an arc on or off
        c.first_move.push_back(arcs);
        const auto first = c.first_gate();
        // Gates first .. : reached(v); then one gate an arc.
        std::vector<std::vector<Literal>> into(vertices);
        std::vector<std::vector<Literal>> arc;
        for (std::uint32_t a = 0; a < arcs; ++a) {
            const auto from = random.below(vertices), to = random.below(vertices);
            const Literal on = 2 * c.fluent_node(a);
            into[to].push_back(2 * (first + vertices + a));
            arc.push_back(from == 0 ? std::vector<Literal>{on, on} : std::vector<Literal>{on, 2 * (first + from)});
        }
        const auto put = [&](Gate kind, std::vector<Literal> inputs) {
            while (inputs.size() < 2) inputs.push_back(kFalse);
            c.gate.push_back(kind);
            c.input.insert(c.input.end(), inputs.begin(), inputs.end());
            c.first_input.push_back(static_cast<std::uint32_t>(c.input.size()));
        };
        for (std::uint32_t v = 0; v < vertices; ++v) put(Gate::any, into[v]);
        for (const auto& a : arc) put(Gate::all, a);
        c.blocks.push_back({first, c.nodes(), true});
        const auto turned = c.nodes();
        for (std::uint32_t a = 0; a < arcs; ++a) {
            const Literal on = 2 * c.fluent_node(a), move = 2 * c.move_node(a);
            put(Gate::all, {on, negate(move)});
            put(Gate::all, {negate(on), move});
            put(Gate::any, {2 * (turned + 3 * a), 2 * (turned + 3 * a + 1)});
            c.next.push_back(2 * (turned + 3 * a + 2));
            c.legal.push_back(a < vertices ? negate(2 * (first + a)) : kTrue);
        }
        c.blocks.push_back({turned, c.nodes(), false});
        c.goals.push_back({0, 100, 2 * (first + vertices - 1)});
        c.start.assign(1, 0);
        SingleLane lane(std::make_shared<const Circuit>(std::move(c)));
        check_walks(lane, random, 5, 60);
    }
    testing::running_seed.reset();
}

// A gate wider than its counter, once plain and once recursive.
void wide_gates() {
    for (const bool cyclic : {false, true}) {
        Circuit c;
        c.fluents = 2 * single::kWidest + 70;
        c.moves = 2;
        c.first_move.push_back(2);
        std::vector<Literal> inputs;
        for (std::uint32_t f = 0; f < c.fluents; ++f) inputs.push_back(2 * c.fluent_node(f));
        for (const auto kind : {Gate::any, Gate::all}) {
            c.gate.push_back(kind);
            c.input.insert(c.input.end(), inputs.begin(), inputs.end());
            if (cyclic && kind == Gate::any) c.input.push_back(2 * (c.first_gate() + 1));
            if (cyclic && kind == Gate::all) c.input.push_back(2 * c.first_gate());
            c.first_input.push_back(static_cast<std::uint32_t>(c.input.size()));
        }
        c.blocks.push_back({c.first_gate(), c.nodes(), cyclic});
        c.legal = {2 * c.first_gate(), 2 * (c.first_gate() + 1) + 1};
        c.terminal = 2 * (c.first_gate() + 1);
        for (std::uint32_t f = 0; f < c.fluents; ++f)
            c.next.push_back(f == 7 ? 2 * c.move_node(0) : 2 * c.fluent_node(f));
        c.start.assign((c.fluents + 63) / 64, 0);
        const auto circuit = std::make_shared<const Circuit>(std::move(c));
        SingleLane lane(circuit);
        std::vector<std::uint64_t> state(circuit->words(), 0);
        const auto check = [&] {
            lane.load(state);
            check_position(lane, evaluate(*circuit, state, {}));
        };
        check();
        state[3] = 1;
        check();
        for (std::uint32_t f = 0; f < circuit->fluents; ++f) state[f / 64] |= std::uint64_t{1} << (f % 64);
        check();
        state[circuit->words() - 1] &= ~std::uint64_t{1};
        check();
        check_step(lane, {1});
        check_step(lane, {0});
    }
}

void playouts_do_not_depend_on_threads() {
    Random random(3);
    const auto circuit = std::make_shared<const Circuit>(Maker(random, {10, 2, 5, 40, false}).make());
    const SingleLane lane(circuit);
    Control one, two;
    const auto alone = run_single(lane, circuit->start, 500, 30, 9, 1, one);
    const auto shared = run_single(lane, circuit->start, 500, 30, 9, 2, two);
    CHECK(alone.playouts == 500 && shared.playouts == 500);
    CHECK(alone.steps == shared.steps && alone.unfinished == shared.unfinished);
    CHECK(alone.goal_sum == shared.goal_sum && alone.goal_count == shared.goal_count);
}

}  // namespace

int main() {
    random_circuits(false);
    random_circuits(true);
    products();
    cut_cycles();
    wide_gates();
    playouts_do_not_depend_on_threads();
}
