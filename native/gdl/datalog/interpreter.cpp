#include "gdl/datalog/interpreter.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace zermelo::gdl {

Interpreter::Interpreter(Program program, Control& control)
    : program_(std::move(program)), sheet_(program_, Reading::exact), done_(sheet_.components().size()) {
    Meter meter(control);
    for (std::uint32_t c = 0; c < sheet_.components().size(); ++c) {
        if (sheet_.components()[c].dynamic) continue;
        sheet_.evaluate(c, meter);
        done_[c] = true;
    }
    const auto& roles = sheet_.relation_of(keyword::role);
    for (std::uint32_t i = 0; i < roles.size(); ++i) {
        roles_.push_back(roles.row(i)[0]);
        role_names_.push_back(name(roles_.back()));
    }
    const auto& init = sheet_.relation_of(keyword::init);
    for (std::uint32_t i = 0; i < init.size(); ++i) start_.push_back(init.row(i)[0]);
    std::ranges::sort(start_);
}

void Interpreter::load(const State& state) {
    if (loaded_ && state == state_) return;
    for (std::uint32_t c = 0; c < done_.size(); ++c) {
        const auto& component = sheet_.components()[c];
        if (!component.dynamic) continue;
        for (const auto relation : component.relations) sheet_.clear_relation(relation);
        done_[c] = false;
    }
    sheet_.clear_relation(sheet_.predicates()[keyword::fluent].relation);
    sheet_.clear_relation(sheet_.predicates()[keyword::move].relation);
    moves_.clear();
    for (const auto fact : state) sheet_.relation_of(keyword::fluent).insert(std::array{fact});
    state_ = state;
    loaded_ = true;
}

void Interpreter::load_moves(std::span<const Id> moves) {
    if (moves.size() != roles_.size()) throw std::invalid_argument("one move of each role is needed");
    if (std::ranges::equal(moves, moves_)) return;
    for (std::uint32_t c = 0; c < done_.size(); ++c) {
        const auto& component = sheet_.components()[c];
        if (!component.on_moves) continue;
        for (const auto relation : component.relations) sheet_.clear_relation(relation);
        done_[c] = false;
    }
    sheet_.clear_relation(sheet_.predicates()[keyword::move].relation);
    for (std::size_t r = 0; r < roles_.size(); ++r)
        sheet_.relation_of(keyword::move).insert(std::array{roles_[r], moves[r]});
    moves_.assign(moves.begin(), moves.end());
}

// The component of a predicate and, before it, those it reads. Components are numbered in such an order.
void Interpreter::evaluate(std::uint32_t predicate, Control& control) {
    needed_.clear();
    if (const auto c = sheet_.component_of(predicate); c != kNone && !done_[c]) needed_.push_back(c);
    for (std::size_t i = 0; i < needed_.size(); ++i)
        for (const auto c : sheet_.components()[needed_[i]].reads)
            if (!done_[c] && std::ranges::find(needed_, c) == needed_.end()) needed_.push_back(c);
    std::ranges::sort(needed_);
    try {
        Meter meter(control);
        for (const auto c : needed_) {
            sheet_.evaluate(c, meter);
            done_[c] = true;
        }
    } catch (...) {
        loaded_ = false;  // half-filled relations must not be taken for answers
        throw;
    }
}

std::vector<std::vector<Interpreter::Id>> Interpreter::by_role(std::uint32_t predicate) {
    std::vector<std::vector<Id>> values(roles_.size());
    const auto& relation = sheet_.relation_of(predicate);
    for (std::uint32_t i = 0; i < relation.size(); ++i) {
        const auto role = std::ranges::find(roles_, relation.row(i)[0]) - roles_.begin();
        if (role < static_cast<std::ptrdiff_t>(roles_.size())) values[role].push_back(relation.row(i)[1]);
    }
    for (auto& list : values) std::ranges::sort(list);
    return values;
}

bool Interpreter::terminal(const State& state, Control& control) {
    load(state);
    evaluate(keyword::terminal, control);
    return sheet_.relation_of(keyword::terminal).size() > 0;
}

std::vector<std::vector<Interpreter::Id>> Interpreter::legal(const State& state, Control& control) {
    load(state);
    evaluate(keyword::legal, control);
    return by_role(keyword::legal);
}

std::vector<std::vector<std::int64_t>> Interpreter::goals(const State& state, Control& control) {
    load(state);
    evaluate(keyword::goal, control);
    std::vector<std::vector<std::int64_t>> goals(roles_.size());
    const auto values = by_role(keyword::goal);
    for (std::size_t r = 0; r < values.size(); ++r) {
        for (const auto value : values[r]) goals[r].push_back(sheet_.integer(value));
        std::ranges::sort(goals[r]);
    }
    return goals;
}

Interpreter::State Interpreter::next(const State& state, std::span<const Id> moves, Control& control) {
    load(state);
    load_moves(moves);
    evaluate(keyword::next, control);
    State after;
    const auto& relation = sheet_.relation_of(keyword::next);
    for (std::uint32_t i = 0; i < relation.size(); ++i) after.push_back(relation.row(i)[0]);
    std::ranges::sort(after);
    return after;
}

std::vector<std::vector<Interpreter::Id>> Interpreter::sees(const State& state, std::span<const Id> moves,
                                                            Control& control) {
    load(state);
    load_moves(moves);
    evaluate(keyword::sees, control);
    return by_role(keyword::sees);
}

Interpreter::Id Interpreter::term(std::string_view kif) {
    struct Open {
        std::uint32_t name = kNone;
        std::vector<Id> args;
    };
    const auto wrong = [&] { return std::invalid_argument("not a ground term: " + std::string(kif.substr(0, 80))); };
    std::vector<Open> open(1);  // the outermost holds the result
    open.back().name = 0;
    for (std::size_t i = 0; i < kif.size();) {
        const auto c = kif[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++i;
        } else if (c == '(') {
            open.emplace_back();
            ++i;
        } else if (c == ')') {
            if (open.size() == 1 || open.back().name == kNone) throw wrong();
            const auto made = sheet_.terms().intern(open.back().name, open.back().args);
            open.pop_back();
            if (open.back().name == kNone) throw wrong();
            open.back().args.push_back(made);
            ++i;
        } else {
            const auto end = std::min(kif.find_first_of(" \t\r\n()", i), kif.size());
            if (c == '?') throw wrong();
            const auto number = sheet_.name_number(std::string(kif.substr(i, end - i)));
            if (open.back().name == kNone) open.back().name = number;
            else open.back().args.push_back(sheet_.terms().intern(number, {}));
            i = end;
        }
    }
    if (open.size() != 1 || open[0].args.size() != 1) throw wrong();
    return open[0].args[0];
}

}  // namespace zermelo::gdl
