#include "qip/proof/proof.hpp"

#include <algorithm>

namespace zermelo::qip::tabling {

namespace {

std::int64_t follower_number(std::uint32_t node) { return node == kEnd ? -1 : static_cast<std::int64_t>(node); }

}  // namespace

ProofNodes::ProofNodes(const TableState& state, std::uint64_t need_bytes)
    : state_(state), sums_(state), need_bytes_(need_bytes), amount_(state.rows(), 0), merged_(state.rows(), 0),
      has_(state.rows(), 0), merged_has_(state.rows(), 0) {}

void ProofNodes::begin(Side owner) {
    owner_ = owner;
    kind_.clear();
    at_.clear();
    first_.assign(1, 0);
    data_.clear();
    slot_.clear();
    need_first_.assign(1, 0);
    need_.clear();
    note_.clear();
    const bool touches = owner == Side::forall && state_.first_uncertain == state_.rows();
    touch_words_ = touches ? 2 * ((state_.variables() + std::size_t{63}) / 64) : 0;
    touch_.clear();
    touched_.clear();
    fresh_touch_.assign(touch_words_, 0);
}

std::uint64_t ProofNodes::bytes() const {
    return kind_.size() * 30 + data_.size() * 8 + slot_.size() * 4 + need_.size() * sizeof(Need) + touched_.size() * 8;
}

std::uint64_t ProofNodes::hash_of(NodeKind kind, std::uint32_t at, std::span<const std::int64_t> data) const {
    auto hash = static_cast<std::uint64_t>(kind) + 4ull * at;
    for (const auto number : data) {
        hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 31;
    }
    return hash;
}

void ProofNodes::grow_slots() {
    slot_.assign(std::max<std::size_t>(1024, slot_.size() * 2), 0);
    for (std::uint32_t node = 0; node < kind_.size(); ++node) {
        auto place = hash_of(kind_[node], at_[node], data_of(node)) & (slot_.size() - 1);
        while (slot_[place]) place = (place + 1) & (slot_.size() - 1);
        slot_[place] = node + 1;
    }
}

// The node with the numbers in fresh_; a new one still lacks its needs.
std::uint32_t ProofNodes::made(NodeKind kind, std::uint32_t at) {
    if (slot_.size() <= 2 * kind_.size()) grow_slots();
    auto place = hash_of(kind, at, fresh_) & (slot_.size() - 1);
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
    const auto node = made(NodeKind::choose, at);
    if (node < note_.size()) return node;
    is_vague_ = false;
    start_need(then);
    if (!is_vague_) add_choices(at, values);
    write_need();
    touch(then);
    write_touch();
    return node;
}

std::uint32_t ProofNodes::branch(std::uint32_t at, std::span<ProofCase> cases) {
    std::ranges::sort(cases, {}, &ProofCase::lower);
    fresh_.clear();
    for (std::size_t c = 0; c < cases.size();) {
        auto joined = cases[c++];
        while (c < cases.size() && cases[c].then == joined.then && cases[c].breaks == joined.breaks)
            joined.upper = cases[c++].upper;
        if (joined.lower == 0 && joined.upper == state_.range[at] && joined.breaks == kKept) return joined.then;
        fresh_.insert(fresh_.end(), {joined.lower, joined.upper, follower_number(joined.then), joined.breaks});
    }
    const auto node = made(NodeKind::branch, at);
    if (node < note_.size()) return node;
    for (const auto row : merged_row_) merged_has_[row] = 0;
    merged_row_.clear();
    merged_moot_ = true;
    is_vague_ = false;
    for (std::size_t c = 0; c < fresh_.size() && !is_vague_; c += 4) {
        if (fresh_[c + 3] == kKept) {
            start_need(fresh_[c + 2] < 0 ? kEnd : static_cast<std::uint32_t>(fresh_[c + 2]));
        } else {
            start_need(kEnd);
            add_to_need(state_.first_uncertain + static_cast<std::uint32_t>(fresh_[c + 3]), 0);
            is_moot_ = true;
        }
        add_interval(at, fresh_[c], fresh_[c + 1]);
        merge_need();
    }
    row_.swap(merged_row_);
    amount_.swap(merged_);
    has_.swap(merged_has_);
    is_moot_ = merged_moot_;
    write_need();
    for (std::size_t c = 0; c < fresh_.size(); c += 4)
        if (fresh_[c + 2] >= 0) touch(static_cast<std::uint32_t>(fresh_[c + 2]));
    write_touch();
    return node;
}

std::uint32_t ProofNodes::refute(std::uint32_t at, std::span<const Weight> weights,
                                 std::span<const std::int64_t> choices) {
    fresh_.assign(1, std::ssize(weights));
    for (const auto& [row, multiplier] : weights)
        fresh_.insert(fresh_.end(), {static_cast<std::int64_t>(row), multiplier});
    fresh_.insert(fresh_.end(), choices.begin(), choices.end());
    const auto node = made(NodeKind::refute, at);
    if (node < note_.size()) return node;
    const auto row = weights.size() == 1 ? weights[0].row : sums_.number(weights);
    is_vague_ = row == kNone;
    start_need(kEnd);
    if (!is_vague_) {
        for (auto* amounts : {&amount_, &merged_}) amounts->resize(state_.rows() + sums_.size(), 0);
        for (auto* has : {&has_, &merged_has_}) has->resize(state_.rows() + sums_.size(), 0);
        add_to_need(row, 0);
        add_choices(at, choices);
    }
    write_need();
    for (const auto& weight : weights) touch_row(weight.row);
    write_touch();
    return node;
}

void ProofNodes::touch(std::uint32_t other) {
    if (touch_words_ == 0) return;
    bool covers = true, covered = true;
    const auto others = touched(other);
    for (std::size_t w = 0; w < touch_words_; ++w) {
        covers = covers && !(fresh_touch_[w] & ~others[w]);
        covered = covered && !(others[w] & ~fresh_touch_[w]);
        fresh_touch_[w] |= others[w];
    }
    if (!covered) same_touch_ = covers ? other : kNone;
}

void ProofNodes::touch_row(std::uint32_t row) {
    if (touch_words_ == 0) return;
    for (const auto& [v, a] : state_.terms(row))
        fresh_touch_[v / 64 + (a > 0 ? 0 : touch_words_ / 2)] |= std::uint64_t{1} << v % 64;
}

void ProofNodes::write_touch() {
    if (touch_words_ == 0) return;
    if (same_touch_ != kNone) {
        touch_.push_back(touch_[same_touch_]);
    } else {
        touch_.push_back(static_cast<std::uint32_t>(touched_.size() / touch_words_));
        touched_.insert(touched_.end(), fresh_touch_.begin(), fresh_touch_.end());
    }
    std::ranges::fill(fresh_touch_, 0);
    same_touch_ = kNone;
}

bool ProofNodes::holds_beyond(std::uint32_t node, std::uint32_t variable, bool larger) const {
    return touch_words_ > 0 && !(touched(node)[variable / 64 + (larger ? touch_words_ / 2 : 0)] >> variable % 64 & 1);
}

void ProofNodes::start_need(std::uint32_t node) {
    for (const auto row : row_) has_[row] = 0;
    row_.clear();
    for (const auto& [row, amount] : needs_of(node)) add_to_need(row, amount);
    is_moot_ = moot(node);
    is_vague_ = is_vague_ || vague(node);
}

void ProofNodes::add_to_need(std::uint32_t row, std::int64_t amount) {
    if (!has_[row]) {
        has_[row] = 1;
        amount_[row] = 0;
        row_.push_back(row);
    }
    amount_[row] += amount;
}

void ProofNodes::add_interval(std::uint32_t variable, std::int64_t from, std::int64_t to) {
    const auto range = state_.range[variable];
    const auto break_more = [&](const Entry& entry) {
        if (has_[entry.row])
            amount_[entry.row] += entry.coefficient > 0 ? entry.coefficient * from : entry.coefficient * (to - range);
    };
    for (const auto& entry : state_.column(variable)) {
        const auto a = entry.coefficient;
        if (!kept(entry.row)) break_more(entry);
        else if (const auto less = a > 0 ? a * (range - to) : -a * from; less && !is_moot_)
            add_to_need(entry.row, less);
    }
    for (const auto row : row_)
        if (row >= state_.rows())
            if (const auto a = sums_.coefficient(row, variable)) break_more({row, 0, a});
}

void ProofNodes::add_choices(std::uint32_t at, std::span<const std::int64_t> values) {
    for (auto next = values.begin(); next != values.end(); ++at)
        if ((state_.owner[at] == Owner::exists) == (owner_ == Side::exists)) {
            add_interval(at, *next, *next);
            ++next;
        }
}

// The cases so far, and one more: of rows to be broken the least matters, and so it does of those to be kept, where
// rows that are not mentioned need everything.
void ProofNodes::merge_need() {
    if (!is_moot_) {
        if (!merged_moot_)
            for (const auto row : merged_row_)
                if (kept(row)) merged_[row] = std::min(merged_[row], has_[row] ? amount_[row] : 0);
        for (const auto row : row_)
            if (kept(row) && merged_moot_) {
                merged_has_[row] = 1;
                merged_[row] = amount_[row];
                merged_row_.push_back(row);
            }
        merged_moot_ = false;
    }
    for (const auto row : row_) {
        if (kept(row)) continue;
        merged_[row] = merged_has_[row] ? std::min(merged_[row], amount_[row]) : amount_[row];
        if (!merged_has_[row]) {
            merged_has_[row] = 1;
            merged_row_.push_back(row);
        }
    }
}

void ProofNodes::write_need() {
    is_vague_ = is_vague_ || row_.size() > kMostNeeds || need_.size() * sizeof(Need) > need_bytes_;
    if (!is_vague_) {
        std::ranges::sort(row_);
        for (const auto row : row_)
            if (!kept(row) || amount_[row] > 0) need_.push_back({row, amount_[row]});
    }
    need_first_.push_back(need_.size());
    note_.push_back(is_vague_ ? Note::vague : is_moot_ ? Note::moot : Note::plain);
}

const ProofNodes::Need* ProofNodes::need(std::uint32_t node, std::uint32_t row) const {
    const auto needs = needs_of(node);
    const auto found = std::ranges::lower_bound(needs, row, {}, &Need::row);
    return found != needs.end() && found->row == row ? &*found : nullptr;
}

// Cuts an interval down to the values that leave a row as the node needs it.
void ProofNodes::meet(Interval& interval, std::uint32_t node, std::uint32_t variable, const Entry& entry) const {
    const auto& [row, position, a] = entry;
    const auto range = state_.range[variable];
    const auto* found = need(node, row);
    if (!kept(row)) {
        if (!found) return;
        // What the variable must add at least, beyond the least it can.
        const auto more = spare(row, variable) - found->amount + 1;
        if (more <= 0) return;
        if (a > 0) interval.from = std::max(interval.from, (more + a - 1) / a);
        else interval.to = std::min(interval.to, range - (more - a - 1) / -a);
    } else if (!moot(node)) {
        // What it must add less than it can.
        const auto less = state_.width[position] - state_.spare[row] - (found ? found->amount : 0);
        if (less <= 0) return;
        if (a > 0) interval.to = std::min(interval.to, range - (less + a - 1) / a);
        else interval.from = std::max(interval.from, (less - a - 1) / -a);
    }
}

ProofNodes::Interval ProofNodes::reach(std::uint32_t node, std::uint32_t variable) const {
    Interval interval{0, state_.range[variable]};
    if (vague(node))
        return holds_beyond(node, variable, true) && holds_beyond(node, variable, false)
                   ? interval
                   : Interval{kInfinite, -kInfinite};
    for (const auto& entry : state_.column(variable)) meet(interval, node, variable, entry);
    // Sums come after all rows.
    const auto needs = needs_of(node);
    for (auto last = needs.size(); last > 0 && needs[last - 1].row >= state_.rows(); --last)
        if (const auto a = sums_.coefficient(needs[last - 1].row, variable))
            meet(interval, node, variable, {needs[last - 1].row, 0, a});
    return interval;
}

bool ProofNodes::holds_at(std::uint32_t node, std::uint32_t index, std::span<const ResidualTable::Field> fields,
                          std::int64_t objective_width, std::uint32_t& doubt) const {
    if (vague(node)) return false;
    const auto needs = needs_of(node);
    const auto breaks = [&](const Need& one) { return kept(one.row) || spare(one.row, index) < one.amount; };
    const auto keeps = [&](std::uint32_t row, std::int64_t width) {
        if (!kept(row) || state_.spare[row] >= width) return true;
        const auto* found = need(node, row);
        return found && state_.spare[row] + found->amount >= width;
    };
    const bool keeping = !moot(node);
    if (doubt < needs.size() && !breaks(needs[doubt])) return false;
    if (keeping && doubt < fields.size() && !keeps(fields[doubt].row, fields[doubt].width)) return false;
    for (std::uint32_t n = 0; n < needs.size(); ++n)
        if (!breaks(needs[n])) {
            doubt = n;
            return false;
        }
    if (!keeping) return true;
    if (!keeps(0, objective_width)) return false;
    for (std::uint32_t f = 0; f < fields.size(); ++f)
        if (!keeps(fields[f].row, fields[f].width)) {
            doubt = f;
            return false;
        }
    return true;
}

ProofArrays ProofNodes::reachable(std::uint32_t root, const Program& program) const {
    ProofArrays out;
    if (root == kEnd) return out;
    const auto n = program.variables();
    // The owner's variable at or after each number, and the one after the next `count` of them.
    std::vector<std::uint32_t> owned;
    std::vector<std::uint32_t> rank(n + 1, 0);
    for (std::uint32_t v = 0; v < n; ++v) {
        rank[v] = static_cast<std::uint32_t>(owned.size());
        if (static_cast<bool>(program.exists[v]) == (owner_ == Side::exists)) owned.push_back(v);
    }
    rank[n] = static_cast<std::uint32_t>(owned.size());
    std::vector<std::uint32_t> first_universal(n + 1, 0), universal;
    for (std::uint32_t v = 0; v < n; ++v) {
        first_universal[v] = static_cast<std::uint32_t>(universal.size());
        if (!program.exists[v]) universal.push_back(v);
    }
    first_universal[n] = static_cast<std::uint32_t>(universal.size());

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
        if (data[0] >= 0 &&
            joins(node, static_cast<std::uint32_t>(data.size() - 1), static_cast<std::uint32_t>(data[0])))
            absorbed[static_cast<std::size_t>(data[0])] = 1;
    }
    for (std::uint32_t node = 0; node <= root; ++node) {
        if (!references[node] || absorbed[node]) continue;
        const auto renumbered = [&](std::int64_t next) {
            return next < 0 ? -1 : static_cast<std::int64_t>(number[static_cast<std::size_t>(next)]);
        };
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
                    out.data.insert(out.data.end(),
                                    {data[c] + program.lower[at_[node]], data[c + 1] + program.lower[at_[node]],
                                     renumbered(data[c + 2]), data[c + 3]});
                break;
            case NodeKind::refute: {
                const auto rows = 1 + 2 * static_cast<std::size_t>(data[0]);
                out.data.insert(out.data.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(rows));
                auto next = first_universal[at_[node]];
                for (const auto value : data.subspan(rows))
                    out.data.push_back(value + program.lower[universal[next++]]);
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
