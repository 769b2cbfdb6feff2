// The choices of the layout, made by looking at a few sample games.
#include <algorithm>

#include "gdl/single.hpp"

namespace zermelo::gdl::single {

namespace {

constexpr std::uint32_t kSampleSteps = 512;
constexpr std::uint64_t kSampleSeed = 1;

// A fluent that more than 15 % of the moves change is cheaper to watch than to list with each move.
constexpr bool too_many(std::uint32_t changes, std::size_t moves) { return std::size_t{100} * changes > 15 * moves; }

// Putting a gate on its switch's list and taking it off costs about as much as telling it of three flips.
constexpr bool worth_a_list(std::uint32_t flips_without_say, std::uint32_t changes_of_say) {
    return flips_without_say > 3 * changes_of_say + kSampleSteps / 64;
}

}  // namespace

// Plays sample games and looks at the nodes between the flips: after a move has been told, and after its effects.
class Profile {
public:
    explicit Profile(SingleLane& lane) : lane_(lane), joint_(lane.circuit().roles()) {}

    template <class Look>
    void play(Look look) {
        Random random(kSampleSeed);
        lane_.load(lane_.circuit().start);
        lane_.mark();
        for (std::uint32_t step = 0; step < kSampleSteps; ++step) {
            bool stuck = lane_.terminal();
            for (std::uint32_t r = 0; r < joint_.size() && !stuck; ++r) {
                const auto n = lane_.legal_count(r);
                stuck = n == 0;
                if (!stuck) joint_[r] = lane_.legal(r, random.below(n));
            }
            if (stuck) {
                lane_.rewind();
                look(false, joint_);
                continue;
            }
            lane_.do_moves(joint_);
            look(true, joint_);
            lane_.finish_play(joint_);
            look(true, joint_);
        }
    }

    std::vector<Literal> choose_switches();

private:
    bool up(Literal l) const { return lane_.holds(l); }

    SingleLane& lane_;
    std::vector<std::uint32_t> joint_;
};

// For each gate, the input that flips most often is its switch, if most of these flips change nothing because of the
// other inputs, and these seldom change their mind.
std::vector<Literal> Profile::choose_switches() {
    const auto& net = *lane_.net();
    std::vector<bool> before(net.nodes, false);
    std::vector<std::uint32_t> flips(net.nodes, 0);
    play([&](bool count, const auto&) {
        for (std::uint32_t n = 0; n < net.nodes; ++n) {
            const bool now = up(2 * n);
            flips[n] += count && now != before[n];
            before[n] = now;
        }
    });
    struct Candidate {
        std::uint32_t gate;
        Literal on;
        std::uint32_t idle_flips, changes;
        bool say, on_before;
    };
    std::vector<Candidate> candidates;
    std::vector<bool> crossing(net.nodes, false);
    for (const auto g : net.crossing) crossing[g] = true;
    for (std::uint32_t n = 0; n < net.nodes; ++n) {
        if (net.first_input[n + 1] - net.first_input[n] < 2 || net.cycle_of[n] != kNone || crossing[n]) continue;
        const auto on = *std::max_element(net.input.begin() + net.first_input[n], net.input.begin() + net.first_input[n + 1],
                                          [&](Literal a, Literal b) { return flips[node_of(a)] < flips[node_of(b)]; });
        if (worth_a_list(flips[node_of(on)], 0)) candidates.push_back({n, on, 0, 0, false, false});
    }
    play([&](bool count, const auto&) {
        for (auto& c : candidates) {
            const bool on = up(c.on);
            const bool say = lane_.count_[c.gate] / 2 == static_cast<int>(on);
            c.idle_flips += count && on != c.on_before && !say;
            c.changes += count && say != c.say;
            c.say = say;
            c.on_before = on;
        }
    });
    std::vector<Literal> switches(net.nodes, kNone);
    for (const auto& c : candidates)
        if (worth_a_list(c.idle_flips, c.changes)) switches[c.gate] = c.on;
    return switches;
}

std::shared_ptr<const Net> lay_out(std::shared_ptr<const Circuit> circuit) {
    auto busy = recursive_fluents(*circuit);
    SingleLane watcher(lay_out(circuit, std::vector<bool>(circuit->fluents, true)));
    const auto lists = lay_out(circuit, busy);
    Effects effects(*lists);
    std::vector<std::uint32_t> changes(circuit->fluents, 0);
    std::size_t moves = 0;
    Profile(watcher).play([&](bool played, const auto& joint) {
        if (!played || moves++ % 2 == 0) return;
        for (const auto f : effects.changed(joint)) ++changes[f];
    });
    for (std::uint32_t f = 0; f < circuit->fluents; ++f)
        if (too_many(changes[f], moves / 2)) busy[f] = true;
    SingleLane plain(lay_out(circuit, busy));
    return lay_out(std::move(circuit), busy, kStore, Profile(plain).choose_switches());
}

}  // namespace zermelo::gdl::single
