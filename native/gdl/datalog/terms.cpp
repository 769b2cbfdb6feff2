#include "gdl/datalog/terms.hpp"

#include <algorithm>

namespace zermelo::gdl {

static std::uint64_t hash_term(std::uint32_t name, std::span<const TermPool::Id> args) {
    auto hash = mix(args.size(), name);
    for (const auto arg : args) hash = mix(hash, arg);
    return hash;
}

std::size_t TermPool::slot_of(std::uint32_t name, std::span<const Id> args) const {
    const auto mask = slots_.size() - 1;
    auto slot = hash_term(name, args) & mask;
    while (slots_[slot] != kNone) {
        const auto id = slots_[slot];
        if (name_[id] == name && std::ranges::equal(this->args(id), args)) break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

TermPool::Id TermPool::find(std::uint32_t name, std::span<const Id> args) const { return slots_[slot_of(name, args)]; }

TermPool::Id TermPool::intern(std::uint32_t name, std::span<const Id> args) {
    const auto slot = slot_of(name, args);
    if (slots_[slot] != kNone) return slots_[slot];
    std::uint32_t weight = 1;
    for (const auto arg : args) weight += weight_[arg];
    if (weight > kMaxWeight) throw TooLarge("terms nest without bound");
    if (name_.size() >= kNone - 1) throw TooLarge("too many terms");
    const auto id = static_cast<Id>(name_.size());
    name_.push_back(name);
    weight_.push_back(weight);
    args_.insert(args_.end(), args.begin(), args.end());
    first_arg_.push_back(static_cast<std::uint32_t>(args_.size()));
    slots_[slot] = id;
    if (name_.size() * 2 > slots_.size()) grow();
    return id;
}

void TermPool::grow() {
    slots_.assign(slots_.size() * 2, kNone);
    for (Id id = 0; id < name_.size(); ++id) slots_[slot_of(name_[id], args(id))] = id;
}

std::string TermPool::kif(Id id, std::span<const std::string> names) const {
    struct Open {
        Id id;
        std::size_t done;
    };
    std::string text;
    std::vector<Open> open{{id, 0}};
    while (!open.empty()) {
        auto& [here, done] = open.back();
        const auto parts = args(here);
        if (done == 0) {
            if (!parts.empty()) text += '(';
            text += names[name_[here]];
        }
        if (done == parts.size()) {
            if (!parts.empty()) text += ')';
            open.pop_back();
        } else {
            text += ' ';
            const auto part = parts[done++];
            open.push_back({part, 0});
        }
    }
    return text;
}

}  // namespace zermelo::gdl
