#include <algorithm>

#include "gdl/bulk_program/scheduler.hpp"

#include "zermelo/heed.hpp"

namespace zermelo::gdl::bulk {

namespace {

// What comes next goes into the last segment of the tape if neither is cyclic, else into one of its own.
void open_segment(Tape& tape, bool cyclic) {
    if (!cyclic && !tape.segments.empty() && !tape.segments.back().cyclic) return;
    const auto runs = static_cast<std::uint32_t>(tape.runs.size()),
               fills = static_cast<std::uint32_t>(tape.fill.size());
    tape.segments.push_back({runs, runs, static_cast<std::uint32_t>(tape.code.size()), fills, fills, cyclic});
}

}  // namespace

void Scheduler::place_fluents() {
    place_.assign(base_ + items_.size(), kNone);
    for (std::uint32_t node = 0; node <= circuit_.fluents; ++node) place_[node] = node == 0 ? 0 : 1 + node;
    words_ = 2 + circuit_.fluents;
}

void Scheduler::find_last_uses(const std::vector<Step>& look, const std::vector<Step>& end,
                               const std::vector<Step>& step, std::span<const Literal> ends) {
    std::vector<std::uint32_t> last(base_ + items_.size(), kNone);
    std::uint32_t position = 0;
    const auto use_all = [&](const std::vector<Step>& steps) {
        for (const auto& members : steps) {
            for (const auto node : members) {
                last[node] = position;  // dies at once if nobody reads it
                for (const auto input : inputs(item(node))) last[node_of(input)] = position;
            }
            ++position;
        }
    };
    use_all(look);
    use_all(end);
    for (const auto* const nodes : {&take_, &bar_, &some_})
        for (const auto node : *nodes)
            if (node != kNone) last[node] = position;
    for (const auto& slot : slots_) last[slot.take] = position;
    for (const auto literal : ends) last[node_of(literal)] = position;
    for (std::uint32_t m = 0; m < circuit_.moves; ++m) last[circuit_.move_node(m)] = position;
    ++position;
    use_all(step);
    for (const auto& [node, fluent] : late_) last[node] = kNone;
    dying_.assign(position, {});
    for (std::uint32_t node = 1 + circuit_.fluents; node < last.size(); ++node)
        if (last[node] != kNone && !(is_item(node) && item(node).home != kNone)) dying_[last[node]].push_back(node);
}

std::uint32_t Scheduler::fresh() {
    if (free_.empty()) return words_++;
    const auto word = free_.back();
    free_.pop_back();
    return word;
}

void Scheduler::release(std::uint32_t node) {
    if (place_[node] != kNone) free_.push_back(place_[node]);
}

Place Scheduler::place(Literal literal) const {
    const auto node = node_of(literal);
    return {offset(place_[node]), word_is_turned(literal)};
}

void Scheduler::emit(Tape& tape, const std::vector<Step>& steps, std::size_t position) {
    for (const auto& members : steps) {
        heed();
        const bool cyclic = item(members[0]).block != kNone;
        const auto& dying = dying_[position++];
        const auto assign = [&](std::uint32_t node) {
            place_[node] = item(node).home == kNone ? fresh() : 2 + item(node).home;
        };
        open_segment(tape, cyclic);
        if (cyclic) {  // read again after they are written: inputs keep their words
            for (const auto node : members) {
                assign(node);
                tape.fill.push_back(offset(place_[node]));
            }
            for (const auto node : members) write(tape, node);
            tape.segments.back().last_fill = static_cast<std::uint32_t>(tape.fill.size());
            for (const auto node : dying) release(node);
        } else {
            // An instruction reads all its operands before it writes, so it may write over one that dies.
            const auto node = members[0];
            for (const auto input : dying)
                if (input != node) release(input);
            assign(node);
            write(tape, node);
            if (std::ranges::find(dying, node) != dying.end()) release(node);
        }
    }
}

void Scheduler::write(Tape& tape, std::uint32_t node) {
    const auto& it = item(node);
    auto& segment = tape.segments.back();
    const Run one{shape_of(it.p, it.count - it.p, it.turn), 1, it.p, it.count - it.p};
    const auto joins = [&](const Run& run) { return run.shape == one.shape && run.p == one.p && run.q == one.q; };
    if (segment.last_run > segment.first_run && joins(tape.runs.back())) ++tape.runs.back().count;
    else tape.runs.push_back(one), ++segment.last_run;
    tape.code.push_back(offset(place_[node]));
    for (const auto input : inputs(it)) tape.code.push_back(offset(place_[node_of(input)]));
}

void Scheduler::copy_home(Tape& tape) {
    if (late_.empty()) return;
    open_segment(tape, false);
    tape.runs.push_back({shape_of(1, 0, false), static_cast<std::uint32_t>(late_.size()), 1, 0});
    ++tape.segments.back().last_run;
    for (const auto& [node, fluent] : late_) {
        tape.code.push_back(fluent_offset(fluent));
        tape.code.push_back(offset(place_[node]));
    }
}

}  // namespace zermelo::gdl::bulk
