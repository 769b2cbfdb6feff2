#include <algorithm>
#include <map>
#include <utility>

#include "gdl/bulk_program/exclusive.hpp"
#include "gdl/bulk_program/scheduler.hpp"

namespace zermelo::gdl::bulk {

namespace {

// A role with more moves than this does but a few of them in any one step of all lanes.
constexpr std::uint32_t kManyMoves = kLanes / 2;
// An OR of so many moves that are legal is left to the choice, which counts them anyway.
constexpr std::size_t kManyLegal = 8;

}  // namespace

void Scheduler::use_counts() {
    const auto gates = items_.size();
    std::vector<bool> early(base_ + gates);
    std::vector<std::uint32_t> roots;
    for (const auto literal : circuit_.legal) roots.push_back(node_of(literal));
    for (const auto literal : special_.required) roots.push_back(node_of(literal));
    mark(std::move(roots), early);
    some_.assign(circuit_.roles(), kNone);
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
        const auto first = circuit_.legal.begin() + circuit_.first_move[role],
                   last = circuit_.legal.begin() + circuit_.first_move[role + 1];
        if (first == last) continue;
        const auto some = some_[role] = given();
        std::vector<Literal> legal(first, last);
        std::ranges::sort(legal);
        legal.erase(std::unique(legal.begin(), legal.end()), legal.end());
        if (legal.size() < kManyLegal) continue;
        const auto is_legal = [&](Literal input) { return std::ranges::binary_search(legal, negate(input)); };
        for (std::size_t g = 0; g < gates; ++g) {
            auto& it = items_[g];
            if (it.count < legal.size() || it.block != kNone || early[base_ + g]) continue;
            const auto found = std::ranges::count_if(inputs(it), is_legal);
            if (static_cast<std::size_t>(found) == legal.size()) replace_inputs(it, negate(2 * some), is_legal);
        }
    }
}

std::optional<std::pair<Literal, Literal>> Scheduler::halves(Literal literal, const std::vector<bool>& read) const {
    const auto node = node_of(literal);
    if (!is_item(node) || read[node] || item(node).block != kNone || item(node).count != 2 ||
        negated(literal) != item(node).turned)
        return {};
    const auto x = inputs(item(node))[0], y = inputs(item(node))[1];
    if (free_as(x) && free_as(negate(y))) return std::pair{x, y};
    if (free_as(y) && free_as(negate(x))) return std::pair{y, x};
    return {};
}

void Scheduler::find_legal(std::span<const Literal> ends, std::span<const std::uint32_t> changing) {
    std::vector<bool> read(base_ + items_.size());
    std::vector<std::uint32_t> roots;
    for (const auto literal : ends) roots.push_back(node_of(literal));
    for (const auto f : changing) roots.push_back(node_of(circuit_.next[f]));
    for (const auto literal : circuit_.legal)
        if (is_item(node_of(literal)))
            for (const auto input : inputs(item(node_of(literal)))) roots.push_back(node_of(input));
    mark(std::move(roots), read);
    take_.assign(circuit_.moves, 0);
    bar_.assign(circuit_.moves, kNone);
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
        const auto first = circuit_.first_move[role], last = circuit_.first_move[role + 1];
        std::uint32_t split = 0;
        for (auto m = first; m < last; ++m) split += halves(circuit_.legal[m], read).has_value();
        const bool barred = last - first > kManyMoves && 2 * split >= last - first;
        for (auto m = first; m < last; ++m) {
            const auto literal = circuit_.legal[m];
            if (const auto half = barred ? halves(literal, read) : std::nullopt) {
                reach(half->first, kLook);
                reach(half->second, kLook);
                take_[m] = as_it_is(half->first, kLook);
                bar_[m] = as_it_is(negate(half->second), kLook);
            } else {
                reach(literal, kLook);
                take_[m] = as_it_is(literal, kLook);
            }
        }
    }
}

void Scheduler::find_slots() {
    std::map<std::vector<std::uint32_t>, std::uint32_t> unions;
    first_slot_.assign(1, 0);
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
        const auto first = circuit_.first_move[role], last = circuit_.first_move[role + 1];
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> open;  // slots, by bar and group
        for (auto m = first; m < last; ++m) {
            const auto take = take_[m];
            const bool joins = last - first > kManyMoves && !group_.empty() && bar_[m] != kNone && take > 0 &&
                               take <= circuit_.fluents && group_[take - 1] != kNoGroup;
            if (joins) {
                auto& slots = open[{bar_[m], group_[take - 1]}];
                const auto has_room = [&](std::size_t slot) {
                    return std::ranges::none_of(slots_[slot].moves,
                                                [&](std::uint32_t other) { return take_[other] == take; });
                };
                if (const auto slot = std::ranges::find_if(slots, has_room); slot != slots.end()) {
                    slots_[*slot].moves.push_back(m);
                    continue;
                }
                slots.push_back(slots_.size());
            }
            slots_.push_back({take, bar_[m], {m}});
        }
        first_slot_.push_back(slots_.size());
    }
    for (auto& slot : slots_) {
        if (slot.moves.size() == 1) continue;
        std::vector<std::uint32_t> takes;
        for (const auto m : slot.moves) takes.push_back(take_[m]);
        std::ranges::sort(takes);
        const auto [found, fresh] = unions.try_emplace(takes, 0);
        if (fresh) {
            Item any{static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(takes.size()), true};
            for (const auto node : takes) pool_.push_back(negate(2 * node));
            any.wanted = 0;
            any.stage = kLook;
            found->second = add(any);
        }
        slot.take = found->second;
    }
}

void Scheduler::look_at_counts_late() {
    std::vector<bool> late(items_.size());
    for (const auto node : some_)
        if (node != kNone) late[node - base_] = true;
    const auto is_late = [&](const Item& it) {
        return std::ranges::any_of(
            inputs(it), [&](Literal input) { return is_item(node_of(input)) && late[node_of(input) - base_]; });
    };
    for (std::size_t g = 0; g < items_.size(); ++g) {
        auto last = g + 1;
        if (items_[g].block != kNone) last = cycles_[items_[g].block].last;
        bool any = false;
        for (auto i = g; i < last; ++i) any = any || is_late(items_[i]);
        for (; g < last; ++g) {
            if (any) late[g] = true;
            if (any && items_[g].stage == kLook) items_[g].stage = kEnd;
        }
        --g;
    }
}

bool Scheduler::has_targets(std::uint32_t move) const {
    const auto role = std::ranges::upper_bound(circuit_.first_move, move) - circuit_.first_move.begin();
    return circuit_.first_move[role] - circuit_.first_move[role - 1] > kManyMoves;
}

void Scheduler::add_targets() {
    targets_.assign(circuit_.moves, {});
    sparse_.assign(circuit_.moves, false);
    for (std::uint32_t m = 0; m < circuit_.moves; ++m) sparse_[m] = has_targets(m);
    const auto move_of = [&](Literal input) {
        const auto node = node_of(input);
        return node > circuit_.fluents && node < base_ && sparse_[node - 1 - circuit_.fluents]
                   ? node - 1 - circuit_.fluents
                   : kNone;
    };
    std::map<std::vector<std::uint32_t>, std::uint32_t> unions;
    std::vector<bool> own(circuit_.moves);
    std::vector<std::uint32_t> moves;
    for (std::size_t g = 0, gates = items_.size(); g < gates; ++g) {
        if (items_[g].stage != kStep) continue;
        moves.clear();
        for (const auto input : inputs(items_[g]))
            if (move_of(input) != kNone && negated(input)) moves.push_back(move_of(input));
        if (moves.size() > 1) {
            std::ranges::sort(moves);
            const auto [found, fresh] = unions.try_emplace(moves, 0);
            if (fresh) {
                found->second = given();
                for (const auto m : moves) targets_[m].push_back(found->second);
            }
            replace_inputs(items_[g], negate(2 * found->second),
                           [&](Literal input) { return move_of(input) != kNone && negated(input); });
        }
        for (const auto input : inputs(items_[g]))
            if (const auto m = move_of(input); m != kNone && !own[m])
                own[m] = true, targets_[m].push_back(circuit_.move_node(m));
    }
}

void Scheduler::place_moves(std::size_t now) {
    std::vector<std::uint8_t> uses(base_ + items_.size(), 0);
    for (const auto* const nodes : {&take_, &bar_})
        for (const auto node : *nodes)
            if (node != kNone) uses[node] = static_cast<std::uint8_t>(std::min(2, uses[node] + 1));
    taken_.assign(base_ + items_.size(), false);
    for (const auto node : dying_[now]) uses[node] = static_cast<std::uint8_t>(uses[node] + 4);
    for (std::uint32_t m = 0; m < circuit_.moves; ++m) {
        for (const auto node : targets_[m])
            if (place_[node] == kNone) place_[node] = fresh(), cleared_.push_back(offset(place_[node]));
        if (sparse_[m]) continue;
        const bool takes = bar_[m] == kNone && is_item(take_[m]) && uses[take_[m]] == 5;
        if (takes) taken_[take_[m]] = true;
        place_[circuit_.move_node(m)] = takes ? place_[take_[m]] : fresh();
    }
}

void Scheduler::choices(Program& program) {
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
        const auto first = circuit_.first_move[role], last = circuit_.first_move[role + 1];
        if (first == last) continue;
        Choice choice;
        choice.some = offset(place_[some_[role]]);
        choice.first = static_cast<std::uint32_t>(program.records);
        const auto slots = std::span(slots_).subspan(first_slot_[role], first_slot_[role + 1] - first_slot_[role]);
        const bool barred = std::ranges::any_of(slots, [](const Slot& slot) { return slot.bar != kNone; });
        for (const auto& slot : slots) {
            choice.take.push_back(offset(place_[slot.take]));
            if (barred) choice.bar.push_back(slot.bar == kNone ? 0 : offset(place_[slot.bar]));
            if (sparse_[first]) tell_slot(choice, slot);
            else choice.does.push_back(offset(place_[circuit_.move_node(slot.moves[0])]));
        }
        const auto padded = (choice.take.size() + 7) / 8 * 8;
        choice.take.resize(padded, 0);
        if (barred) choice.bar.resize(padded, 0);
        if (sparse_[first]) {
            choice.first_target.resize(padded + 1, static_cast<std::uint32_t>(choice.target.size()));
            choice.first_part.resize(padded + 1, static_cast<std::uint32_t>(choice.part.size()));
            choice.cleared = std::exchange(cleared_, {});  // all of them, before the first such role moves
        } else {
            choice.does.resize(padded, offset(1));
        }
        choice.scratch = program.scratch;
        program.scratch += choice_scratch(choice.take.size());
        program.records += padded;
        program.choices.push_back(std::move(choice));
    }
}

void Scheduler::tell_slot(Choice& choice, const Slot& slot) const {
    choice.first_target.push_back(static_cast<std::uint32_t>(choice.target.size()));
    choice.first_part.push_back(static_cast<std::uint32_t>(choice.part.size()));
    const auto common = [&](std::uint32_t node) {
        return std::ranges::all_of(
            slot.moves, [&](std::uint32_t m) { return std::ranges::find(targets_[m], node) != targets_[m].end(); });
    };
    for (const auto m : slot.moves)
        for (const auto node : targets_[m]) {
            if (!common(node))
                choice.part.push_back(offset(place_[node])), choice.part_of.push_back(offset(place_[take_[m]]));
            else if (m == slot.moves[0]) choice.target.push_back(offset(place_[node]));
        }
}

void Scheduler::tell_moves(Program& program) const {
    std::vector<std::uint32_t> record(circuit_.moves, kNotRecorded);
    std::size_t next = 0;
    for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
        if (first_slot_[role] == first_slot_[role + 1]) continue;
        const auto begin = program.choices[next++].first;
        for (auto slot = first_slot_[role]; slot < first_slot_[role + 1]; ++slot)
            for (const auto m : slots_[slot].moves)
                if (sparse_[m]) record[m] = begin + static_cast<std::uint32_t>(slot - first_slot_[role]);
    }
    for (const auto literal : special_.does) {
        const auto node = node_of(literal);
        const auto move = node > circuit_.fluents ? node - 1 - circuit_.fluents : kNone;
        const bool recorded = move != kNone && sparse_[move];
        program.does.push_back(recorded ? Place{offset(place_[take_[move]])} : place(literal));
        program.record.push_back(recorded ? record[move] : kNotRecorded);
    }
}

}  // namespace zermelo::gdl::bulk
