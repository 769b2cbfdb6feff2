// The choices of the layout, made by looking at a few sample games.
#include <algorithm>

#include "gdl/single/single.hpp"

#include "zermelo/heed.hpp"

namespace zermelo::gdl::single {

namespace {

constexpr std::uint32_t kSampleSteps = 512;
constexpr std::uint32_t kSpecialised = 4;  // every so manieth step of the sample
constexpr std::uint64_t kSampleSeed = 1;

// A fluent that more than a quarter of the moves list is cheaper to watch than to list with each move, unless it does
// change with many of them.
constexpr bool too_many(std::uint32_t lists, std::uint32_t moves, std::uint32_t flips, std::uint32_t steps) {
    return 4 * lists > moves && std::uint64_t{lists} * steps > 3 * std::uint64_t{flips} * moves;
}
// Long lists are much alike: a few moves show what they hold.
constexpr std::uint32_t kFewestMoves = 16, kEnoughEntries = 1u << 15;
// Listing all of them is worth trying where that makes the lists longer by no more than this.
constexpr std::uint32_t kLongerList = 64;

// Putting a gate on its switch's list and taking it off costs about as much as telling it of three flips.
constexpr bool worth_a_list(std::uint32_t flips_without_say, std::uint32_t changes_of_say) {
    return flips_without_say > 3 * changes_of_say + kSampleSteps / 64;
}

}  // namespace

// Plays sample games and looks at the nodes between the flips: after a move has been told, and after its effects.
class Profile {
public:
    explicit Profile(std::shared_ptr<const Net> net);

    const Net& net() const { return *lane_.net(); }
    std::uint32_t steps() const { return steps_; }
    std::uint32_t flips(std::uint32_t node) const { return flips_[node]; }
    const std::vector<std::vector<std::uint32_t>>& moves() const { return moves_; }
    // What the steps of the sample cost, roughly, in flips of an edge.
    double cost() const;
    std::vector<Literal> choose_switches();

private:
    template <class Look>
    void play(Look look);

    SingleLane lane_;
    std::vector<std::uint32_t> joint_;
    std::vector<std::uint32_t> flips_;
    std::vector<std::vector<std::uint32_t>> moves_;
    std::uint32_t steps_ = 0;
};

template <class Look>
void Profile::play(Look look) {
    Random random(kSampleSeed);
    lane_.load(lane_.circuit().start);
    lane_.mark();
    steps_ = 0;
    for (std::uint32_t turn = 0; turn < kSampleSteps; ++turn) {
        heed_now();
        bool stuck = lane_.terminal();
        for (std::uint32_t r = 0; r < joint_.size() && !stuck; ++r) {
            const auto n = lane_.legal_count(r);
            stuck = n == 0;
            if (!stuck) joint_[r] = lane_.legal(r, random.below(n));
        }
        if (stuck) {
            lane_.rewind();
            look(false);
            continue;
        }
        if (!lane_.net()->used_moves.empty()) {
            lane_.do_moves(joint_);
            look(true);
        }
        lane_.finish_play(joint_);
        look(true);
        ++steps_;
    }
}

Profile::Profile(std::shared_ptr<const Net> net)
    : lane_(std::move(net)), joint_(lane_.circuit().roles()), flips_(lane_.net()->nodes, 0) {
    const auto nodes = lane_.net()->nodes;
    std::vector<std::uint8_t> before(nodes, 0);
    play([&](bool count) {
        for (std::uint32_t n = 0; n < nodes; ++n) {
            const std::uint8_t now = lane_.count_[n] > 1;
            flips_[n] += static_cast<std::uint32_t>(count & (now != before[n]));
            before[n] = now;
        }
        if (count && steps_ % kSpecialised == 0) moves_.push_back(joint_);
    });
}

double Profile::cost() const {
    double sum = static_cast<double>(steps_) * lane_.effects_.words_per_move();
    for (std::uint32_t n = 0; n < net().nodes; ++n) {
        const auto* wire = net().wire.data() + net().wire_of[n];
        const auto header = *wire++;
        auto edges = header & kEdges;
        wire += edges;
        if ((header & kLeaves) != 0) {
            edges += *wire;
            wire += 1 + *wire;
        }
        double once = 8.0 + edges;
        if ((header & kMore) != 0) once += 3.0 * (*wire + wire[1 + *wire]);
        sum += once * flips_[n];
    }
    return sum;
}

// For each gate, the input that flips most often is its switch, if most of these flips change nothing because of the
// other inputs, and these seldom change their mind.
std::vector<Literal> Profile::choose_switches() {
    const auto& net = *lane_.net();
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
        const auto on =
            *std::max_element(net.input.begin() + net.first_input[n], net.input.begin() + net.first_input[n + 1],
                              [&](Literal a, Literal b) { return flips_[node_of(a)] < flips_[node_of(b)]; });
        if (worth_a_list(flips_[node_of(on)], 0)) candidates.push_back({n, on, 0, 0, false, false});
    }
    play([&](bool count) {
        for (auto& c : candidates) {
            const bool on = lane_.holds(c.on);
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
    const auto listed = recursive_fluents(*circuit);
    std::vector<std::uint32_t> lists(circuit->fluents, 0);
    auto busy = listed;
    std::uint64_t longer = 0;
    {
        const Profile watched(lay_out(circuit, std::vector<bool>(circuit->fluents, true)));
        const auto net = lay_out(circuit, listed);
        Effects effects(*net);
        std::uint32_t moves = 0;
        std::uint64_t entries = 0;
        for (const auto& joint : watched.moves()) {
            if (moves >= kFewestMoves && entries > kEnoughEntries) break;
            const auto changed = effects.changed(joint);
            for (const auto f : changed) ++lists[f];
            entries += changed.size();
            ++moves;
        }
        for (std::uint32_t f = 0; f < circuit->fluents; ++f) {
            if (busy[f] || !too_many(lists[f], moves, watched.flips(1 + f), watched.steps())) continue;
            busy[f] = true;
            longer += lists[f];
        }
        if (longer > std::uint64_t{kLongerList} * moves) longer = 0;
    }
    auto best = std::make_unique<Profile>(lay_out(circuit, busy));
    if (longer != 0) {
        auto other = std::make_unique<Profile>(lay_out(circuit, listed));
        if (other->cost() < best->cost()) {
            best = std::move(other);
            busy = listed;
        }
    }
    return lay_out(std::move(circuit), busy, kStore, best->choose_switches());
}

}  // namespace zermelo::gdl::single
