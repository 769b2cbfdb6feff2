#include "search/growth.hpp"

#include <algorithm>
#include <ranges>

namespace zermelo {

std::uint32_t Growth::add(std::uint32_t score) {
    const auto node = nodes();
    const bool over = score != kNoScore;
    turn_.push_back(over ? GraphData::kOver : kOpen);
    on_path_.push_back(0);
    score_.push_back(score);
    count_.push_back(0);
    first_.push_back(0);
    open_ += !over;
    for (std::uint32_t question = 0; question < 2; ++question) numbers_[question].push_back(fresh(question, node));
    return node;
}

void Growth::expand(std::uint32_t node, std::uint8_t turn, std::span<const std::uint32_t> targets) {
    turn_[node] = turn;
    first_[node] = target_.size();
    count_[node] = static_cast<std::uint32_t>(targets.size());
    target_.insert(target_.end(), targets.begin(), targets.end());
    order_.push_back(node);
    ++expanded_, --open_;
    for (std::uint32_t question = 0; question < 2; ++question) numbers_[question][node] = look(question, node).numbers;
}

Growth::Numbers Growth::fresh(std::uint32_t question, std::uint32_t node) const {
    const auto score = score_[node];
    if (score == kNoScore) return {1, 1};
    const bool yes = score < yes_[question].size() && yes_[question][score];
    return yes ? Numbers{0, kInfinite} : Numbers{kInfinite, 0};
}

// Old questions lend no numbers to a new one. In the reverse of the order of expansion children mostly come first; what
// a cycle or a shorter way leaves out is found when the search comes by.
void Growth::ask(std::uint32_t question, std::vector<bool> yes) {
    while (!path_.empty()) pop();
    question_ = question;
    asked_ = true;
    if (yes_[question] == yes) return;
    yes_[question] = std::move(yes);
    auto& numbers = numbers_[question];
    for (std::uint32_t node = 0; node < nodes(); ++node) numbers[node] = fresh(question, node);
    for (const auto node : order_ | std::views::reverse) numbers[node] = look(question, node).numbers;
}

void Growth::add_score(bool first, bool second) {
    yes_[0].push_back(first);
    yes_[1].push_back(second);
}

Answer Growth::answer(std::uint32_t question) const {
    const auto& root = numbers_[question][0];
    return root[0] == 0 ? Answer::yes : root[1] == 0 ? Answer::no : Answer::open;
}

std::uint32_t Growth::next(bool widely) {
    if (!widely && asked_) {
        if (picks_++ % kWidely != 0)
            if (const auto node = by_proof(); node != kNone) return node;
        if (answered()) return kNone;
    }
    while (breadth_ < nodes() && turn_[breadth_] != kOpen) ++breadth_;
    return breadth_ < nodes() ? breadth_ : kNone;
}

// The numbers of an expanded node by those of its children. A child on the path would lead in a circle: it is passed
// over, and the node is stuck where no other is open.
Growth::Look Growth::look(std::uint32_t question, std::uint32_t node) const {
    const std::size_t mine = turn_[node], other = 1 - mine;
    const auto& numbers = numbers_[question];
    Look found;
    std::uint32_t least = kInfinite, most = 0;
    bool blocked = false;
    for (const auto child : row(node)) {
        const auto& [own, against] = std::pair(numbers[child][mine], numbers[child][other]);
        if (against == 0) continue;
        if (on_path_[child] || child == node) {
            blocked = true;
            continue;
        }
        ++found.others;
        most = std::max(most, against);
        if (own < least) found.second = least, least = own, found.best = child;
        else found.second = std::min(found.second, own);
    }
    if (found.others == 0) {
        found.numbers[mine] = blocked ? kStuck : kInfinite;
        found.numbers[other] = blocked ? kStuck : 0;
    } else {
        found.numbers[mine] = least;
        found.numbers[other] = least == 0 ? kInfinite : std::min(most + found.others - 1, kInfinite - 1);
    }
    return found;
}

void Growth::push(std::uint32_t node, const Numbers& limit) {
    path_.push_back({node, limit});
    on_path_[node] = 1;
}

void Growth::pop() {
    on_path_[path_.back().node] = 0;
    path_.pop_back();
}

// Down from where the search is to an open node, by the child with the mover's least number; up where a node's numbers
// have reached its limits, which let a child overshoot the second best by a quarter (Pawlewicz and Lew 2007).
std::uint32_t Growth::by_proof() {
    if (path_.empty()) push(0, {kInfinite, kInfinite});
    for (int steps = 0, stuck = 0; steps < kMostSteps && stuck < kMostStuck; ++steps) {
        const auto [node, limit] = path_.back();
        if (turn_[node] == kOpen) return node;
        const auto found = look(question_, node);
        const auto& numbers = numbers_[question_][node] = found.numbers;
        const bool settled = numbers[0] == 0 || numbers[1] == 0;
        if (settled || found.best == kNone || numbers[0] >= limit[0] || numbers[1] >= limit[1]) {
            stuck += !settled && found.best == kNone;
            pop();
            if (path_.empty()) return kNone;
            continue;
        }
        const std::size_t mine = turn_[node], other = 1 - mine;
        Numbers lower;
        const auto overshoot = found.second + std::max(1u, found.second / 4);
        lower[mine] = std::min(limit[mine], found.second == kInfinite ? kInfinite : overshoot);
        lower[other] = limit[other] >= kInfinite ? kInfinite : limit[other] - (found.others - 1);
        push(found.best, lower);
    }
    while (!path_.empty()) pop();
    return kNone;
}

GraphData Growth::part(std::span<const std::int32_t> rank, std::int32_t open, std::int32_t endless) const {
    GraphData data;
    data.roles = roles_;
    data.endless = endless;
    data.first_edge.reserve(nodes() + std::size_t{1});
    data.target.reserve(target_.size());
    data.first_edge.push_back(0);
    data.turn = turn_;
    data.score.assign(nodes(), 0);
    bool ends = false;
    for (std::uint32_t node = 0; node < nodes(); ++node) {
        const auto targets = row(node);
        data.target.insert(data.target.end(), targets.begin(), targets.end());
        data.first_edge.push_back(data.target.size());
        if (turn_[node] != kOpen && turn_[node] != GraphData::kOver) continue;
        data.turn[node] = GraphData::kOver;
        data.score[node] = turn_[node] == kOpen ? open : rank[score_[node]];
        data.worst = ends ? std::min(data.worst, data.score[node]) : data.score[node];
        data.best = ends ? std::max(data.best, data.score[node]) : data.score[node];
        ends = true;
    }
    return data;
}

}  // namespace zermelo
