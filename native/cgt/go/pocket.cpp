#include "cgt/go/pocket.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <unordered_map>

#include "zermelo/random.hpp"

namespace zermelo::go {

namespace {

Points bit(std::uint32_t node) { return Points{1} << node; }

// Calls f for every node of a set; f returns false to stop.
template <class F>
bool each(Points set, F&& f) {
    for (; set; set &= set - 1)
        if (!f(static_cast<std::uint32_t>(std::countr_zero(set)))) return false;
    return true;
}

Points beside(const Pocket& pocket, Points set) {
    Points found = 0;
    for (; set; set &= set - 1) found |= pocket.near[std::countr_zero(set)];
    return found;
}

// The connected part of a set that holds a node.
Points part_of(const Pocket& pocket, Points start, Points set) {
    Points found = start, fresh = start;
    while (fresh) {
        fresh = beside(pocket, fresh) & set & ~found;
        found |= fresh;
    }
    return found;
}

// Is there no place for two eyes of the invader among points that touch no wall?
bool no_room(const Pocket& pocket, Points area, Points touched) {
    const auto inner = area & ~touched;
    const auto count = std::popcount(inner);
    return count < 2 || (count == 2 && (pocket.near[std::countr_zero(inner)] & inner));
}

// Stones after the invader's move; false where it is suicide. A chain that is gone for good shows as lost.
struct Played {
    bool legal = false, lost = false;
    Stones after;
};

Played invaded(const Pocket& pocket, const Stones& stones, std::uint32_t point) {
    Played made;
    const auto other = stones.other | bit(point);
    auto own = stones.own;
    const auto holders = own | pocket.chains;
    const auto empty = pocket.inside & ~own & ~other;
    const auto immortal = pocket.need[0] | pocket.need[1];
    Points captured = 0;
    for (auto rest = pocket.near[point] & holders; rest; rest &= rest - 1) {
        const auto start = rest & -rest;
        if (start & captured) continue;
        const auto chain = part_of(pocket, start, holders);
        if ((chain & immortal) || (beside(pocket, chain) & empty)) continue;
        captured |= chain;
    }
    if (captured & pocket.chains) {
        made.legal = made.lost = true;
        return made;
    }
    own &= ~captured;
    if (!captured && !(beside(pocket, part_of(pocket, bit(point), other)) & empty)) return made;
    made.legal = true;
    made.after = {own, other, kNoPoint};
    if (std::has_single_bit(captured)) made.after.banned = static_cast<std::uint8_t>(std::countr_zero(captured));
    return made;
}

// Stones after the holder's move; not legal where it is suicide or retakes a ko.
Played answered(const Pocket& pocket, const Stones& stones, std::uint32_t point) {
    Played made;
    const auto own = stones.own | bit(point);
    auto other = stones.other;
    const auto empty = pocket.inside & ~own & ~other;
    Points captured = 0;
    for (auto rest = pocket.near[point] & other; rest; rest &= rest - 1) {
        const auto start = rest & -rest;
        if (start & captured) continue;
        const auto chain = part_of(pocket, start, other);
        if (!(beside(pocket, chain) & empty)) captured |= chain;
    }
    if (point == stones.banned && std::has_single_bit(captured)) return made;
    other &= ~captured;
    if (!captured) {
        const auto chain = part_of(pocket, bit(point), own | pocket.chains);
        if (!(chain & (pocket.need[0] | pocket.need[1])) && !(beside(pocket, chain) & empty)) return made;
    }
    made.legal = true;
    made.after = {own, other, kNoPoint};
    return made;
}

// After the holder's answer: has every chain that counts on the pocket a liberty there, or joined one that lives?
bool breathes(const Pocket& pocket, const Stones& stones) {
    const auto holders = stones.own | pocket.chains;
    const auto empty = pocket.inside & ~stones.own & ~stones.other;
    return each(pocket.need[1] | pocket.need[2], [&](std::uint32_t node) {
        const auto chain = part_of(pocket, bit(node), holders);
        return (chain & pocket.need[0]) != 0 || (beside(pocket, chain) & empty) != 0;
    });
}

constexpr std::uint32_t kInfinite = 1u << 30;

struct Key {
    Stones stones;
    bool holder_moves;

    bool operator==(const Key&) const = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        const auto turn = static_cast<std::uint64_t>(key.stones.banned) * 2 + key.holder_moves;
        return mixed(mixed(key.stones.own, key.stones.other), turn);
    }
};

struct Numbers {
    std::uint32_t proof = 1, disproof = 1;
};

struct Child {
    Key key;
    std::uint8_t point;
};

struct Frame {
    Key key;
    std::uint32_t proof_limit, disproof_limit;
    std::vector<Child> children;
};

class Search {
public:
    Search(const Pocket& pocket, Control& control, std::uint64_t nodes)
        : pocket_(pocket), control_(control), nodes_(nodes) {}
    ~Search() { control_.charge(-charged_); }
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    bool proves(const Key& root) {
        const auto at_once = look(root);
        if (at_once.proof == 0 || at_once.disproof == 0) return at_once.proof == 0;
        push(root, kInfinite, kInfinite);
        while (!stack_.empty()) {
            if (known_.size() > nodes_) return false;
            step();
        }
        return known_.at(root).proof == 0;
    }

    // The answers of a proof: those of all positions that can be met.
    std::vector<Answer> answers(const Key& root) {
        std::vector<Answer> found;
        std::vector<Key> waiting{root};
        std::unordered_map<Key, bool, KeyHash> met;
        while (!waiting.empty()) {
            const auto key = waiting.back();
            waiting.pop_back();
            if (!met.emplace(key, true).second) continue;
            if (!key.holder_moves) {
                if (!settled(pocket_, key.stones))
                    for (const auto& child : children_of(key)) waiting.push_back(child.key);
                continue;
            }
            const auto answer = reply_.at(key);
            found.push_back({key.stones, answer.point});
            waiting.push_back(answer.key);
        }
        return found;
    }

private:
    // One step of the search at the top of the stack: up, or down into the most promising child.
    void step() {
        auto& frame = stack_.back();
        const bool any = frame.key.holder_moves;  // one answer is enough, all intrusions must be answered
        std::uint64_t sum = 0;
        std::uint32_t least = kInfinite, second = kInfinite;
        const Child* best = nullptr;
        for (const auto& child : frame.children) {
            const auto numbers = on_path(child.key) ? Numbers{kInfinite, 0} : look(child.key);
            const auto wanted = any ? numbers.proof : numbers.disproof;
            sum += any ? numbers.disproof : numbers.proof;
            if (wanted < least || best == nullptr) second = least, least = wanted, best = &child;
            else second = std::min(second, wanted);
        }
        const auto total = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, kInfinite));
        const Numbers now = any ? Numbers{least, total} : Numbers{total, least};
        if (now.proof >= frame.proof_limit || now.disproof >= frame.disproof_limit || best == nullptr) {
            if (now.proof == 0 && any) reply_.emplace(frame.key, *best);
            known_[frame.key] = now;
            path_.erase(frame.key);
            stack_.pop_back();
            return;
        }
        const auto numbers = look(best->key);
        const auto beyond = std::min(second == kInfinite ? kInfinite : second + 1 + second / 4,
                                     any ? frame.proof_limit : frame.disproof_limit);
        const auto other = any ? frame.disproof_limit : frame.proof_limit;
        const auto used = any ? numbers.disproof : numbers.proof;
        const auto rest = other >= kInfinite ? kInfinite : other - total + used;
        const auto key = best->key;
        if (any) push(key, beyond, rest);
        else push(key, rest, beyond);
    }

    void push(const Key& key, std::uint32_t proof_limit, std::uint32_t disproof_limit) {
        control_.tick();
        path_.emplace(key, true);
        stack_.push_back({key, proof_limit, disproof_limit, children_of(key)});
    }

    bool on_path(const Key& key) const { return path_.contains(key); }

    Numbers look(const Key& key) {
        const auto found = known_.find(key);
        if (found != known_.end()) return found->second;
        control_.charge(kEntryBytes);
        charged_ += kEntryBytes;
        return known_.emplace(key, first(key)).first->second;
    }

    Numbers first(const Key& key) const {
        if (key.holder_moves) return {1, 1};
        if (!breathes(pocket_, key.stones)) return {kInfinite, 0};
        if (settled(pocket_, key.stones)) return {0, kInfinite};
        const auto walls = key.stones.own | pocket_.chains;
        const auto inner = pocket_.inside & ~walls & ~beside(pocket_, walls);
        return {static_cast<std::uint32_t>(1 + std::popcount(inner)), 1};
    }

    std::vector<Child> children_of(const Key& key) const {
        std::vector<Child> found;
        const auto empty = pocket_.inside & ~key.stones.own & ~key.stones.other;
        found.reserve(static_cast<std::size_t>(std::popcount(empty)) + 1);
        if (key.holder_moves) {
            each(empty, [&](std::uint32_t point) {
                const auto made = answered(pocket_, key.stones, point);
                if (made.legal) found.push_back({{made.after, false}, static_cast<std::uint8_t>(point)});
                return true;
            });
            return found;
        }
        const bool all = each(empty, [&](std::uint32_t point) {
            const auto made = invaded(pocket_, key.stones, point);
            if (made.lost) return false;
            if (made.legal) found.push_back({{made.after, true}, static_cast<std::uint8_t>(point)});
            return true;
        });
        if (!all) {  // a chain that matters is captured: there is no answer to that
            found.assign(1, {{{~Points{0}, ~Points{0}, kNoPoint}, true}, kNoPoint});
            return found;
        }
        found.push_back({{key.stones, true}, kNoPoint});
        return found;
    }

    static constexpr std::int64_t kEntryBytes = 96;

    const Pocket& pocket_;
    Control& control_;
    std::uint64_t nodes_;
    std::int64_t charged_ = 0;
    std::unordered_map<Key, Numbers, KeyHash> known_{{Key{{~Points{0}, ~Points{0}, kNoPoint}, true}, {kInfinite, 0}}};
    std::unordered_map<Key, Child, KeyHash> reply_;
    std::unordered_map<Key, bool, KeyHash> path_;
    std::vector<Frame> stack_;
};

}  // namespace

Pocket::Pocket(std::span<const Points> neighbours, std::uint32_t count, std::span<const std::uint8_t> needs)
    : near(neighbours.begin(), neighbours.end()), points(count) {
    if (near.size() > 64 || count + needs.size() != near.size() || count == 0)
        throw std::invalid_argument("a pocket of more than 64 points and chains");
    for (std::uint32_t node = 0; node < near.size(); ++node) {
        if (node < count) {
            inside |= bit(node);
            continue;
        }
        if (needs[node - count] > 2) throw std::invalid_argument("a chain that needs more than two eyes");
        chains |= bit(node);
        need[needs[node - count]] |= bit(node);
    }
}

bool settled(const Pocket& pocket, const Stones& stones) {
    const auto holders = stones.own | pocket.chains;
    const auto open = pocket.inside & ~stones.own;
    const auto empty = open & ~stones.other;
    const auto touched = beside(pocket, holders);
    // Chains and the areas between them, as bits of one word each: there are at most 64 nodes.
    std::vector<Points> chains, areas;
    for (auto rest = holders; rest;) chains.push_back(part_of(pocket, rest & -rest, holders)), rest &= ~chains.back();
    for (auto rest = open; rest;) areas.push_back(part_of(pocket, rest & -rest, open)), rest &= ~areas.back();
    std::vector<Points> walls(areas.size());
    std::vector<bool> counts(areas.size());
    for (std::size_t i = 0; i < areas.size(); ++i) {
        walls[i] = beside(pocket, areas[i]) & holders;
        counts[i] = no_room(pocket, areas[i], touched);
    }
    auto alive = holders;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto chain : chains) {
            if (!(chain & alive) || (chain & pocket.need[0])) continue;
            const auto liberties = beside(pocket, chain);
            int eyes = (chain & pocket.need[1]) ? 1 : 0;
            for (std::size_t i = 0; i < areas.size() && eyes < 2; ++i)
                if (counts[i] && (walls[i] & chain) && !(walls[i] & ~alive) && !(areas[i] & empty & ~liberties)) ++eyes;
            if (eyes >= 2) continue;
            if (chain & pocket.chains) return false;
            alive &= ~chain;
            changed = true;
        }
    }
    const auto standing = beside(pocket, alive);
    for (auto rest = pocket.inside & ~alive; rest;) {
        const auto area = part_of(pocket, rest & -rest, pocket.inside & ~alive);
        rest &= ~area;
        if (!no_room(pocket, area, standing)) return false;
    }
    return true;
}

std::optional<std::vector<Answer>> hold(const Pocket& pocket, Points invaders, Control& control, std::uint64_t nodes) {
    const Key root{{0, invaders & pocket.inside, kNoPoint}, false};
    Search search(pocket, control, nodes);
    if (!search.proves(root)) return std::nullopt;
    return search.answers(root);
}

}  // namespace zermelo::go
