// Many games at once against plain evaluation of the circuit, step by step, on random games with cycles.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "gdl/batch/batch.hpp"
#include "random_rules.hpp"

using namespace zermelo;
using namespace zermelo::gdl;

namespace {

using State = std::vector<std::uint64_t>;

struct Plain {
    const Circuit& circuit;
    State state;
    std::vector<bool> nodes(std::span<const std::uint32_t> done = {}) const { return evaluate(circuit, state, done); }
    bool over() const { return holds(nodes(), circuit.terminal); }
    void play(std::span<const std::uint32_t> done) {
        const auto node = nodes(done);
        State next(state.size());
        for (std::uint32_t f = 0; f < circuit.fluents; ++f)
            next[f / 64] |= std::uint64_t{holds(node, circuit.next[f])} << (f % 64);
        state = next;
    }
    std::int64_t goal(std::uint32_t role) const {
        const auto node = nodes();
        std::int64_t found = kNoGoal;
        int count = 0;
        for (const auto& goal : circuit.goals)
            if (goal.role == role && holds(node, goal.when) && count++ == 0) found = goal.value;
        return count == 1 ? found : kNoGoal;
    }
};

void agree(const Batch& batch, const std::vector<Plain>& plain) {
    const auto& circuit = batch.circuit();
    const auto games = plain.size();
    std::vector<std::uint8_t> fluents(games * circuit.fluents), legal(games * circuit.moves), over(games);
    std::vector<std::int64_t> goals(games * circuit.roles());
    batch.fluents(fluents);
    batch.legal(legal);
    batch.over(over);
    batch.goals(goals);
    for (std::size_t g = 0; g < games; ++g) {
        const auto node = plain[g].nodes();
        const bool ended = holds(node, circuit.terminal);
        CHECK(over[g] == ended);
        for (std::uint32_t f = 0; f < circuit.fluents; ++f)
            CHECK(fluents[g * circuit.fluents + f] == (plain[g].state[f / 64] >> (f % 64) & 1));
        for (std::uint32_t m = 0; m < circuit.moves; ++m)
            CHECK(legal[g * circuit.moves + m] == (!ended && holds(node, circuit.legal[m])));
        for (std::uint32_t role = 0; role < circuit.roles(); ++role)
            CHECK(goals[g * circuit.roles() + role] == plain[g].goal(role));
    }
}

// Random legal moves of the games that are not over; false if one of those has a role without any.
bool draw(Random& random, const Batch& batch, std::vector<std::uint32_t>& moves) {
    const auto& circuit = batch.circuit();
    std::vector<std::uint8_t> legal(std::size_t{batch.games()} * circuit.moves), over(batch.games());
    batch.legal(legal);
    batch.over(over);
    moves.assign(std::size_t{batch.games()} * circuit.roles(), 0);
    for (std::uint32_t g = 0; g < batch.games(); ++g)
        for (std::uint32_t role = 0; role < circuit.roles() && !over[g]; ++role) {
            std::vector<std::uint32_t> found;
            for (auto m = circuit.first_move[role]; m < circuit.first_move[role + 1]; ++m)
                if (legal[std::size_t{g} * circuit.moves + m]) found.push_back(m);
            if (found.empty()) return false;
            moves[std::size_t{g} * circuit.roles() + role] =
                found[random.below(static_cast<std::uint32_t>(found.size()))];
        }
    return true;
}

void batches_agree_with_plain_evaluation(Random& random, Isa isa) {
    const auto circuit = std::make_shared<const Circuit>(compile(testing::random_rules(
        random, 5 + random.below(40), 1 + random.below(12), 1 + random.below(3), 4 + random.below(60))));
    const auto games = random.below(3) == 0 ? 513 + random.below(100) : 1 + random.below(80);
    Batch batch(circuit, games, isa);
    std::vector<Plain> plain(games, Plain{*circuit, circuit->start});
    std::vector<std::uint32_t> moves;
    for (int step = 0; step < 4; ++step) {
        agree(batch, plain);
        if (!draw(random, batch, moves)) return;
        batch.step(moves);
        for (std::uint32_t g = 0; g < games; ++g)
            if (!plain[g].over())
                plain[g].play(std::span(moves).subspan(std::size_t{g} * circuit->roles(), circuit->roles()));
    }
    std::vector<std::uint8_t> which(games);
    for (std::uint32_t g = 0; g < games; ++g) {
        which[g] = random.below(2) != 0;
        if (which[g]) plain[g].state = circuit->start;
    }
    batch.begin(which);
    agree(batch, plain);
}

template <class Work>
bool refused(Work&& work) {
    try {
        work();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

// A move of another role, one that does not exist, and too few of them are refused, and nothing is played.
void wrong_moves_are_refused(Random& random) {
    const auto circuit = std::make_shared<const Circuit>(compile(testing::random_rules(random, 20, 4, 2, 20)));
    Batch batch(circuit, 3);
    std::vector<Plain> plain(3, Plain{*circuit, circuit->start});
    std::vector<std::uint32_t> moves;
    if (plain[0].over() || !draw(random, batch, moves)) return;
    for (const auto wrong : {circuit->first_move[1], circuit->moves}) {
        auto changed = moves;
        changed[4] = wrong;  // of the first role in the last game
        CHECK(refused([&] { batch.step(changed); }));
        agree(batch, plain);
    }
    CHECK(refused([&] { batch.step(std::span(moves).first(moves.size() - 1)); }));
    CHECK(refused([&] { batch.begin(std::vector<std::uint8_t>(2)); }));
}

}  // namespace

int main() {
    Random random(20261119);
    for (int i = 0; i < 300; ++i) {
        for (const auto isa : {Isa::baseline, Isa::avx2, Isa::avx512})
            if (supported(isa)) batches_agree_with_plain_evaluation(random, isa);
        wrong_moves_are_refused(random);
    }
}
