#include "gdl/lane/interchange.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "zermelo/random.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::size_t kMostWidth = 64, kMostObjects = 16;
constexpr std::uint32_t kGames = 60, kSteps = 200, kStates = 1500;  // of which samples are taken
constexpr std::size_t kFirstStates = 250;                           // on which pairs are tried
constexpr std::size_t kEach = 20;                                   // one of so many has to be changed by an exchange
constexpr std::uint64_t kMostJoint = 512;                           // joint moves of a position that is tried

bool bit_of(std::span<const std::uint64_t> state, std::uint32_t fluent) {
    return state[fluent / 64] >> (fluent % 64) & 1;
}

void put_bit(std::span<std::uint64_t> state, std::uint32_t fluent, bool on) {
    const auto bit = std::uint64_t{1} << (fluent % 64);
    if (on) state[fluent / 64] |= bit;
    else state[fluent / 64] &= ~bit;
}

std::vector<std::string> words_of(const std::string& name) {
    std::vector<std::string> words;
    std::string word;
    const auto close = [&] {
        if (!word.empty()) words.push_back(std::move(word));
        word.clear();
    };
    for (const char c : name) {
        if (c == ' ' || c == '(' || c == ')') close();
        else word.push_back(c);
        if (c == '(' || c == ')') words.push_back(c == '(' ? "(" : ")");
    }
    close();
    return words;
}

}  // namespace

class Interchange::Finder {
    using Slot = std::pair<std::string, std::size_t>;

public:
    explicit Finder(const std::shared_ptr<const single::Net>& net) : lane_(net), circuit_(lane_.circuit()) {
        sample();
        read_names();
    }

    std::vector<Class> run() {
        std::vector<Class> found;
        for (const auto& [filling, slots] : slots_)
            for (const auto& objects : merged({filling.begin(), filling.end()}, slots)) {
                auto some = class_of(objects, slots);
                if (some && !overlaps(found, *some) && holds(*some, samples_.size())) found.push_back(std::move(*some));
            }
        return found;
    }

private:
    void sample() {
        Random random(1);
        std::vector<std::uint32_t> joint(circuit_.roles());
        std::uint64_t met = 0;
        for (std::uint32_t game = 0; game < kGames; ++game) {
            lane_.rewind();
            for (std::uint32_t step = 0; step < kSteps; ++step) {
                // A reservoir: every position of all games is as likely to be kept.
                const auto at = met++ < kStates ? samples_.size() : random.below(static_cast<std::uint32_t>(met));
                if (at == samples_.size()) samples_.emplace_back(lane_.state().begin(), lane_.state().end());
                else if (at < kStates) samples_[at].assign(lane_.state().begin(), lane_.state().end());
                if (lane_.terminal() || !draw(random, joint)) break;
                lane_.play(joint);
            }
        }
    }

    bool draw(Random& random, std::vector<std::uint32_t>& joint) {
        for (std::uint32_t role = 0; role < joint.size(); ++role) {
            const auto count = lane_.legal_count(role);
            if (count == 0) return false;
            joint[role] = lane_.legal(role, random.below(count));
        }
        return true;
    }

    // A slot is a place in the names of fluents. Slots that the same constants fill are taken to speak of the same
    // things: `(loose a)` and the first of `(shows a 3)`.
    void read_names() {
        std::map<Slot, std::set<std::string>> fillings;
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f) {
            auto words = words_of(circuit_.fluent_names[f]);
            for (std::size_t i = 2; i < words.size(); ++i)
                if (words[i] != "(" && words[i] != ")" && words[i - 1] != "(") fillings[{words[1], i}].insert(words[i]);
            if (words.size() > 2) named_[words[1]].push_back(words);
            fluent_.emplace(std::move(words), f);
        }
        for (const auto& [slot, filling] : fillings)
            if (filling.size() > 1 && filling.size() <= kMostObjects) slots_[filling].push_back(slot);
    }

    // Constants any two of which can be exchanged belong together, and those that are linked by others.
    std::vector<std::vector<std::string>> merged(const std::vector<std::string>& alike,
                                                 const std::vector<Slot>& slots) {
        std::vector<std::size_t> root(alike.size());
        std::iota(root.begin(), root.end(), std::size_t{0});
        const auto find = [&](std::size_t i) {
            while (root[i] != i) i = root[i] = root[root[i]];
            return i;
        };
        for (std::size_t i = 0; i < alike.size(); ++i)
            for (auto j = i + 1; j < alike.size(); ++j) {
                if (find(i) == find(j)) continue;
                const auto pair = class_of({alike[i], alike[j]}, slots);
                if (!pair) continue;
                if (holds(*pair, kFirstStates)) root[find(i)] = find(j);
            }
        std::map<std::size_t, std::vector<std::string>> sets;
        for (std::size_t i = 0; i < alike.size(); ++i) sets[find(i)].push_back(alike[i]);
        std::vector<std::vector<std::string>> result;
        for (auto& [i, names] : sets)
            if (names.size() > 1 && names.size() <= kMostObjects) result.push_back(std::move(names));
        return result;
    }

    std::optional<Class> class_of(const std::vector<std::string>& objects, const std::vector<Slot>& slots) const {
        Class some{objects, {}, 0};
        for (const auto& [name, place] : slots)
            for (auto other : named_.at(name)) {
                if (other.size() <= place || other[place] != objects[0]) continue;
                for (const auto& object : objects) {
                    other[place] = object;
                    const auto found = fluent_.find(other);
                    if (found == fluent_.end()) return {};
                    some.fluent.push_back(found->second);
                }
                ++some.width;
            }
        // Of two objects at once, or of one twice, nothing can be said by columns.
        auto once = some.fluent;
        std::ranges::sort(once);
        if (some.width > kMostWidth || std::ranges::adjacent_find(once) != once.end()) return {};
        return some;
    }

    static bool overlaps(const std::vector<Class>& found, const Class& some) {
        return std::ranges::any_of(found, [&](const Class& other) {
            return std::ranges::find_first_of(other.fluent, some.fluent) != other.fluent.end();
        });
    }

    // Whether exchanged positions lead to the same, up to further exchange.
    bool holds(const Class& some, std::size_t most) {
        Random random(2);
        const auto objects = some.object.size();
        std::vector<std::size_t> order(objects);
        std::size_t told = 0, present = 0, met = 0;
        most = std::min(most, samples_.size());
        for (const auto& state : std::span(samples_).first(most)) {
            std::iota(order.begin(), order.end(), std::size_t{0});
            if (objects == 2) std::swap(order[0], order[1]);
            else
                for (auto i = objects; i > 1; --i)
                    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
            auto image = state;
            for (std::size_t o = 0; o < objects; ++o)
                for (std::size_t c = 0; c < some.width; ++c)
                    put_bit(image, some.fluent[c * objects + o], bit_of(state, some.fluent[c * objects + order[o]]));
            const auto here = shown(some, state);
            met += here > 0;
            present += here;
            if (image == state) continue;
            if (future(state, some) != future(image, some)) return false;
            ++told;
        }
        // Of the values of a counter one holds at a time. That none of them matters is more than samples can tell.
        return told * kEach >= most && 2 * present >= 3 * met;
    }

    // How many of the objects a position says anything about.
    static std::size_t shown(const Class& some, std::span<const std::uint64_t> state) {
        const auto objects = some.object.size();
        std::size_t count = 0;
        for (std::size_t o = 0; o < objects; ++o) {
            bool any = false;
            for (std::size_t c = 0; c < some.width; ++c) any = any || bit_of(state, some.fluent[c * objects + o]);
            count += any;
        }
        return count;
    }

    // A description of what may come next.
    std::vector<std::uint64_t> future(const std::vector<std::uint64_t>& state, const Class& some) {
        std::vector<std::uint64_t> result;
        lane_.load(state);
        if (lane_.terminal()) {
            for (std::uint32_t role = 0; role < circuit_.roles(); ++role)
                result.push_back(static_cast<std::uint64_t>(lane_.goal(role)));
            return result;
        }
        std::vector<std::vector<std::uint32_t>> legal(circuit_.roles());
        std::uint64_t joints = 1;
        for (std::uint32_t role = 0; role < legal.size(); ++role) {
            lane_.legal_moves(role, legal[role]);
            result.push_back(legal[role].size());
            joints = std::min(joints * legal[role].size(), kMostJoint + 1);
        }
        if (joints == 0 || joints > kMostJoint) return result;
        const auto head = result.size();
        std::vector<std::uint32_t> joint(legal.size());
        std::vector<std::uint64_t> next;
        for (std::uint64_t i = 0; i < joints; ++i) {
            auto rest = i;
            for (std::size_t role = 0; role < legal.size(); ++role) {
                joint[role] = legal[role][rest % legal[role].size()];
                rest /= legal[role].size();
            }
            lane_.load(state);
            lane_.play(joint);
            next.assign(lane_.state().begin(), lane_.state().end());
            sort_one(some, next);
            std::uint64_t hash = 0;
            for (const auto word : next) hash = mixed(hash, word);
            result.push_back(hash);
        }
        std::sort(result.begin() + static_cast<std::ptrdiff_t>(head), result.end());
        return result;
    }

    SingleLane lane_;
    const Circuit& circuit_;
    std::vector<std::vector<std::uint64_t>> samples_;
    std::map<std::set<std::string>, std::vector<Slot>> slots_;
    std::map<std::string, std::vector<std::vector<std::string>>> named_;  // by their first word
    std::map<std::vector<std::string>, std::uint32_t> fluent_;
};

Interchange::Interchange(const std::shared_ptr<const single::Net>& net) : classes_(Finder(net).run()) {}

void Interchange::sort_one(const Class& some, std::span<std::uint64_t> state) {
    std::array<std::uint64_t, kMostObjects> column{};
    const auto objects = some.object.size();
    for (std::size_t o = 0; o < objects; ++o)
        for (std::size_t c = 0; c < some.width; ++c)
            column[o] |= std::uint64_t{bit_of(state, some.fluent[c * objects + o])} << c;
    if (std::is_sorted(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(objects))) return;
    std::sort(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(objects));
    for (std::size_t o = 0; o < objects; ++o)
        for (std::size_t c = 0; c < some.width; ++c) put_bit(state, some.fluent[c * objects + o], column[o] >> c & 1);
}

void Interchange::sort(std::span<std::uint64_t> state) const {
    for (const auto& some : classes_) sort_one(some, state);
}

std::vector<std::vector<std::string>> Interchange::names() const {
    std::vector<std::vector<std::string>> result;
    for (const auto& some : classes_) result.push_back(some.object);
    return result;
}

}  // namespace zermelo::gdl
