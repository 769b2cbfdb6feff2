#include "qip/proof.hpp"

#include <algorithm>

namespace zermelo::qip::tabling {

namespace {

std::int64_t follower_number(std::uint32_t node) { return node == kEnd ? -1 : static_cast<std::int64_t>(node); }

}  // namespace

void ProofNodes::clear() {
    kind_.clear();
    at_.clear();
    first_.assign(1, 0);
    data_.clear();
    slot_.clear();
}

std::uint64_t ProofNodes::bytes() const { return kind_.size() * 21 + data_.size() * 8 + slot_.size() * 4; }

std::uint32_t ProofNodes::made(NodeKind kind, std::uint32_t at) {
    if (slot_.size() <= 2 * kind_.size()) {
        // The hash is not kept: nodes are few beside the work of finding them.
        std::vector<std::uint32_t> slots(std::max<std::size_t>(1024, slot_.size() * 2), 0);
        slot_.swap(slots);
        for (std::uint32_t node = 0; node < kind_.size(); ++node) {
            std::uint64_t hash = static_cast<std::uint64_t>(kind_[node]) + 4ull * at_[node];
            for (const auto number : data_of(node)) hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 31;
            auto place = hash & (slot_.size() - 1);
            while (slot_[place]) place = (place + 1) & (slot_.size() - 1);
            slot_[place] = node + 1;
        }
    }
    std::uint64_t hash = static_cast<std::uint64_t>(kind) + 4ull * at;
    for (const auto number : fresh_) hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 31;
    auto place = hash & (slot_.size() - 1);
    for (; slot_[place]; place = (place + 1) & (slot_.size() - 1)) {
        const auto node = slot_[place] - 1;
        if (kind_[node] == kind && at_[node] == at && std::ranges::equal(data_of(node), fresh_)) return node;
    }
    const auto node = static_cast<std::uint32_t>(kind_.size());
    slot_[place] = node + 1;
    kind_.push_back(kind);
    at_.push_back(at);
    data_.insert(data_.end(), fresh_.begin(), fresh_.end());
    first_.push_back(data_.size());
    return node;
}

std::uint32_t ProofNodes::choose(std::uint32_t at, std::span<const std::int64_t> values, std::uint32_t then) {
    if (values.empty()) return then;
    fresh_.assign(1, follower_number(then));
    fresh_.insert(fresh_.end(), values.begin(), values.end());
    return made(NodeKind::choose, at);
}

std::uint32_t ProofNodes::branch(std::uint32_t at, std::int64_t range, std::span<ProofCase> cases) {
    std::ranges::sort(cases, {}, &ProofCase::lower);
    fresh_.clear();
    for (std::size_t c = 0; c < cases.size();) {
        auto joined = cases[c++];
        while (c < cases.size() && cases[c].then == joined.then && cases[c].breaks == joined.breaks) joined.upper = cases[c++].upper;
        if (joined.lower == 0 && joined.upper == range && joined.breaks == kKept) return joined.then;
        fresh_.insert(fresh_.end(), {joined.lower, joined.upper, follower_number(joined.then), joined.breaks});
    }
    return made(NodeKind::branch, at);
}

std::uint32_t ProofNodes::refute(std::uint32_t at, std::uint32_t row, std::span<const std::int64_t> choices) {
    fresh_.assign(1, row);
    fresh_.insert(fresh_.end(), choices.begin(), choices.end());
    return made(NodeKind::refute, at);
}

ProofArrays ProofNodes::reachable(std::uint32_t root, const Program& program, bool owner_exists) const {
    ProofArrays out;
    if (root == kEnd) return out;
    const auto n = program.variables();
    // The owner's variable at or after each number, and the one after the next `count` of them.
    std::vector<std::uint32_t> owned;
    std::vector<std::uint32_t> rank(n + 1, 0);
    for (std::uint32_t v = 0; v < n; ++v) {
        rank[v] = static_cast<std::uint32_t>(owned.size());
        if (static_cast<bool>(program.exists[v]) == owner_exists) owned.push_back(v);
    }
    rank[n] = static_cast<std::uint32_t>(owned.size());
    std::vector<std::uint32_t> first_universal(n + 1, 0), universal;
    for (std::uint32_t v = 0; v < n; ++v) {
        first_universal[v] = static_cast<std::uint32_t>(universal.size());
        if (!program.exists[v]) universal.push_back(v);
    }

    const auto followers = [&](std::uint32_t node, auto&& visit) {
        const auto data = data_of(node);
        if (kind_[node] == NodeKind::choose && data[0] >= 0) visit(static_cast<std::uint32_t>(data[0]));
        if (kind_[node] == NodeKind::branch)
            for (std::size_t c = 2; c < data.size(); c += 4)
                if (data[c] >= 0) visit(static_cast<std::uint32_t>(data[c]));
    };
    // Followers are always older than their node, so one pass down counts the references and marks what is reached.
    std::vector<std::uint32_t> references(root + 1, 0), number(root + 1, kNone);
    references[root] = 1;
    for (auto node = root + 1; node-- > 0;)
        if (references[node]) followers(node, [&](std::uint32_t next) { ++references[next]; });

    const auto joins = [&](std::uint32_t node, std::uint32_t count, std::uint32_t next) {
        return kind_[next] == NodeKind::choose && references[next] == 1 && rank[at_[node]] + count == rank[at_[next]];
    };
    std::vector<std::uint8_t> absorbed(root + 1, 0);
    for (std::uint32_t node = 0; node <= root; ++node) {
        if (!references[node] || kind_[node] != NodeKind::choose) continue;
        const auto data = data_of(node);
        if (data[0] >= 0 && joins(node, static_cast<std::uint32_t>(data.size() - 1), static_cast<std::uint32_t>(data[0]))) absorbed[static_cast<std::size_t>(data[0])] = 1;
    }
    for (std::uint32_t node = 0; node <= root; ++node) {
        if (!references[node] || absorbed[node]) continue;
        const auto renumbered = [&](std::int64_t next) { return next < 0 ? -1 : static_cast<std::int64_t>(number[static_cast<std::size_t>(next)]); };
        const auto data = data_of(node);
        switch (kind_[node]) {
            case NodeKind::choose: {
                const auto begin = out.data.size();
                out.data.push_back(-1);
                auto last = node;
                auto owner = rank[at_[node]];
                for (;;) {
                    const auto part = data_of(last);
                    for (const auto value : part.subspan(1)) out.data.push_back(value + program.lower[owned[owner++]]);
                    const auto next = part[0];
                    if (next < 0 || !absorbed[static_cast<std::size_t>(next)]) {
                        out.data[begin] = renumbered(next);
                        break;
                    }
                    last = static_cast<std::uint32_t>(next);
                }
                break;
            }
            case NodeKind::branch:
                for (std::size_t c = 0; c < data.size(); c += 4)
                    out.data.insert(out.data.end(), {data[c] + program.lower[at_[node]], data[c + 1] + program.lower[at_[node]], renumbered(data[c + 2]), data[c + 3]});
                break;
            case NodeKind::refute: {
                out.data.push_back(data[0]);
                auto next = data.size() > 1 ? first_universal[at_[node]] : 0;
                for (const auto value : data.subspan(1)) out.data.push_back(value + program.lower[universal[next++]]);
                break;
            }
        }
        number[node] = static_cast<std::uint32_t>(out.kind.size());
        out.kind.push_back(static_cast<std::uint8_t>(kind_[node]));
        out.at.push_back(at_[node]);
        out.first.push_back(out.data.size());
    }
    return out;
}

}  // namespace zermelo::qip::tabling
