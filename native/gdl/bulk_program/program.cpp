#include "gdl/bulk_program/program.hpp"

#include <algorithm>

#include "gdl/bulk_program/scheduler.hpp"

namespace zermelo::gdl::bulk {

Scheduler::Scheduler(const Special& special, std::span<const std::uint32_t> group)
    : special_(special), circuit_(special.circuit), group_(group), base_(circuit_.first_gate()) {
    for (std::uint32_t g = 0; g < circuit_.gate.size(); ++g) {
        const bool any = circuit_.gate[g] == Gate::any;
        const auto first = static_cast<std::uint32_t>(pool_.size());
        for (const auto input : circuit_.inputs(base_ + g)) pool_.push_back(any ? negate(input) : input);
        items_.push_back({first, static_cast<std::uint32_t>(pool_.size()) - first, any});
    }
    for (const auto& block : circuit_.blocks) {
        if (!block.cyclic) continue;
        const auto number = static_cast<std::uint32_t>(cycles_.size());
        cycles_.push_back({block.first - base_, block.last - base_});
        for (auto g = block.first - base_; g < block.last - base_; ++g) items_[g].block = number, items_[g].wanted = 0;
    }
}

Program Scheduler::run(const Known& later, bool with_goals) {
    std::vector<Literal> ends = special_.required;
    ends.push_back(circuit_.terminal);
    if (with_goals)
        for (const auto& goal : circuit_.goals) ends.push_back(goal.when);
    std::vector<std::uint32_t> changing;
    for (std::uint32_t f = 0; f < circuit_.fluents; ++f)
        if (later[f] == kEither && circuit_.next[f] != 2 * circuit_.fluent_node(f)) changing.push_back(f);

    use_counts();
    find_legal(ends, changing);
    find_slots();
    for (const auto literal : ends) reach(literal, kLook);
    for (const auto f : changing) settle(f, circuit_.next[f]);
    look_at_counts_late();
    add_targets();

    shape_items();
    const auto look = order(kLook), end = order(kEnd), step = order(kStep);
    const auto counted = look.size(), chosen = counted + end.size();
    find_last_uses(look, end, step, ends);
    place_fluents();

    Program program;
    emit(program.look, look, 0);
    for (const auto node : some_)
        if (node != kNone) place_[node] = fresh();
    emit(program.end, end, counted);
    place_moves(chosen);
    choices(program);
    program.terminal = place(circuit_.terminal);
    for (const auto literal : special_.required) program.required.push_back(place(literal));
    if (with_goals)
        for (const auto& goal : circuit_.goals) program.goals.push_back({goal.role, goal.value, place(goal.when)});
    tell_moves(program);
    for (const auto node : dying_[chosen])
        if (!taken_[node]) release(node);
    emit(program.step, step, chosen + 1);
    copy_home(program.step);
    program.words = words_;
    for (const auto& item : items_) program.literals += item.stage == kUnused ? 0 : item.count;
    return program;
}

Program Scheduler::run_goals() {
    for (const auto& goal : circuit_.goals) reach(goal.when, kLook);
    shape_items();
    const auto look = order(kLook);
    std::vector<Literal> ends;
    for (const auto& goal : circuit_.goals) ends.push_back(goal.when);
    find_last_uses(look, {}, {}, ends);
    place_fluents();
    Program program;
    emit(program.look, look, 0);
    for (const auto& goal : circuit_.goals) program.goals.push_back({goal.role, goal.value, place(goal.when)});
    program.words = words_;
    return program;
}

void Scheduler::reach(Literal literal, Stage stage) {
    std::vector<std::uint32_t> stack{node_of(literal)};
    while (!stack.empty()) {
        const auto node = stack.back();
        stack.pop_back();
        if (!is_item(node) || item(node).stage != kUnused) continue;
        item(node).stage = stage;
        if (item(node).block != kNone)
            for (auto g = cycles_[item(node).block].first; g < cycles_[item(node).block].last; ++g)
                stack.push_back(base_ + g);
        for (const auto input : inputs(item(node))) stack.push_back(node_of(input));
    }
}

void Scheduler::mark(std::vector<std::uint32_t> stack, std::vector<bool>& marked) const {
    while (!stack.empty()) {
        const auto node = stack.back();
        stack.pop_back();
        if (marked[node]) continue;
        marked[node] = true;
        if (!is_item(node)) continue;
        if (const auto block = item(node).block; block != kNone)
            for (auto g = cycles_[block].first; g < cycles_[block].last; ++g) stack.push_back(base_ + g);
        for (const auto input : inputs(item(node))) stack.push_back(node_of(input));
    }
}

std::uint32_t Scheduler::add(const Item& item) {
    items_.push_back(item);
    return base_ + static_cast<std::uint32_t>(items_.size()) - 1;
}

std::uint32_t Scheduler::given() {
    Item item{static_cast<std::uint32_t>(pool_.size()), 0, false};
    item.stage = kGiven;
    item.wanted = 0;
    return add(item);
}

std::uint32_t Scheduler::copy_of(Literal literal, Stage stage) {
    Item copy{static_cast<std::uint32_t>(pool_.size()), 1, false};
    pool_.push_back(literal);
    copy.wanted = 0;
    copy.stage = stage;
    return add(copy);
}

bool Scheduler::free_as(Literal literal) const {
    const auto node = node_of(literal);
    if (is_item(node))
        return item(node).wanted == 2 || item(node).wanted == static_cast<std::uint8_t>(negated(literal));
    return literal == kFalse || (node > 0 && !negated(literal));
}

std::uint32_t Scheduler::as_it_is(Literal literal, Stage stage) {
    const auto node = node_of(literal);
    if (!free_as(literal)) return copy_of(literal, stage);
    if (is_item(node)) item(node).wanted = negated(literal);
    return node;
}

void Scheduler::settle(std::uint32_t fluent, Literal literal) {
    reach(literal, kStep);
    const auto node = node_of(literal);
    const bool own = is_item(node) && item(node).stage == kStep && item(node).block == kNone &&
                     item(node).home == kNone &&
                     (item(node).wanted == 2 || item(node).wanted == static_cast<std::uint8_t>(negated(literal)));
    if (own) item(node).wanted = negated(literal), item(node).home = fluent;
    else item(copy_of(literal, kStep)).home = fluent;
}

bool Scheduler::word_is_turned(Literal literal) const {
    const auto node = node_of(literal);
    return (is_item(node) && item(node).inverted) != negated(literal);
}

void Scheduler::shape_items() {
    for (auto& it : items_) {
        if (it.stage == kUnused || it.stage == kGiven) continue;
        const auto begin = pool_.begin() + it.first, end = begin + it.count;
        const auto middle =
            std::stable_partition(begin, end, [&](Literal literal) { return !word_is_turned(literal); });
        it.p = static_cast<std::uint32_t>(middle - begin);
        const bool natural = it.turned != (it.p == 0);  // what the word holds without turning
        it.inverted = it.wanted == 2 ? natural : it.wanted == 1;
        it.turn = natural != it.inverted;
        it.kind =
            kinds_.try_emplace({it.p, it.count, it.turn}, static_cast<std::uint32_t>(kinds_.size())).first->second;
    }
}

Program schedule(const Special& special, const Known& later, bool with_goals, std::span<const std::uint32_t> group) {
    return Scheduler(special, group).run(later, with_goals);
}

Program schedule_goals(const Special& special) { return Scheduler(special).run_goals(); }

namespace {

// Marks the nodes that the literals rest on and says how many inputs their gates have that were not marked before.
std::size_t mark(const Circuit& circuit, std::vector<Literal> stack, std::vector<bool>& marked) {
    std::size_t inputs = 0;
    while (!stack.empty()) {
        const auto node = node_of(stack.back());
        stack.pop_back();
        if (marked[node]) continue;
        marked[node] = true;
        if (node < circuit.first_gate()) continue;
        const auto more = circuit.inputs(node);
        stack.insert(stack.end(), more.begin(), more.end());
        inputs += more.size();
    }
    return inputs;
}

std::vector<Literal> goal_literals(const Circuit& circuit) {
    std::vector<Literal> literals;
    for (const auto& goal : circuit.goals) literals.push_back(goal.when);
    return literals;
}

}  // namespace

std::size_t extra_for_goals(const Special& special) {
    const auto& circuit = special.circuit;
    std::vector<bool> marked(circuit.nodes());
    auto roots = circuit.legal;
    roots.push_back(circuit.terminal);
    mark(circuit, std::move(roots), marked);
    return mark(circuit, goal_literals(circuit), marked);
}

std::vector<std::uint32_t> support_of_goals(const Circuit& circuit) {
    std::vector<bool> marked(circuit.nodes());
    mark(circuit, goal_literals(circuit), marked);
    std::vector<std::uint32_t> fluents;
    for (std::uint32_t f = 0; f < circuit.fluents; ++f)
        if (marked[circuit.fluent_node(f)]) fluents.push_back(f);
    return fluents;
}

}  // namespace zermelo::gdl::bulk
