#include "named.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace checker {

namespace {

void need(bool holds, const std::string& why) {
    if (!holds) throw Refuted(why);
}

void need_no_data(const Json& data) { need(data.members.empty(), "the rule has data, expected none"); }

// The one member of that name.
const Json& only(const Json& data, const char* name) {
    const auto* found = data.member(name);
    const bool alone = std::ranges::all_of(data.members, [&](const auto& each) { return each.first == name; });
    need(found && alone, std::string("the data of the rule is not ") + name + " alone");
    return *found;
}

// A whole number from 0 to before an end.
std::uint32_t index_of(const Json& value, std::uint64_t end) {
    const auto digits = value.text == "-0" ? "0" : value.text;
    need(value.kind == Json::kWhole && digits[0] != '-' && digits.size() <= 15 && std::stoull(digits) < end,
         "the data of the rule has no number where one is expected, or one that is out of range");
    return static_cast<std::uint32_t>(std::stoull(digits));
}

Things list_of(const Json& value, std::size_t least, std::size_t most, std::uint64_t end) {
    need(value.kind == Json::kList && least <= value.items.size() && value.items.size() <= most,
         "the data of the rule has no list of that length");
    Things found;
    for (const auto& item : value.items) found.push_back(index_of(item, end));
    return found;
}

constexpr unsigned kTakes = 20;  // bits of a move that say how much is taken; above them, from where
std::uint32_t heap_move(std::uint32_t from, std::uint32_t take) { return from << kTakes | take; }

std::uint32_t take_one(const Things& heaps) {
    const auto at = std::ranges::find_if(heaps, [](auto size) { return size > 0; });
    return heap_move(static_cast<std::uint32_t>(at - heaps.begin()), 1);
}

double heaps_effort(const std::vector<std::int64_t>& heaps) {
    double positions = 1, moves = 0;
    for (const auto size : heaps) positions *= double(size + 1), moves += double(size);
    return positions * moves;
}

Things as_things(const std::vector<std::int64_t>& sizes) { return {sizes.begin(), sizes.end()}; }

// Leave heaps whose binary sum without carrying is 0 (Bouton 1901).
class NimSum : public NamedRule {
public:
    explicit NimSum(const Stated& stated) : heaps_(stated.sizes) {}
    double effort() const override { return heaps_effort(heaps_); }
    void need_lemma(int role) const override { need((sum(as_things(heaps_)) == 0) == (role == 1), "the nim-sum"); }
    std::uint32_t move(const Things& heaps, int) const override {
        const auto total = sum(heaps);
        for (std::uint32_t i = 0; i < heaps.size(); ++i)
            if ((heaps[i] ^ total) < heaps[i]) return heap_move(i, heaps[i] - (heaps[i] ^ total));
        return take_one(heaps);
    }

private:
    static std::uint32_t sum(const Things& heaps) {
        return std::accumulate(heaps.begin(), heaps.end(), 0u, std::bit_xor<>());
    }
    std::vector<std::int64_t> heaps_;
};

// Make the first group alike that is not: two heaps, or one that is to be empty.
class MirrorHeaps : public NamedRule {
public:
    MirrorHeaps(const Stated& stated, const Json& data) : heaps_(stated.sizes) {
        const auto& groups = only(data, "groups");
        need(groups.kind == Json::kList && groups.items.size() <= heaps_.size(), "no list of groups");
        Things named;
        for (const auto& group : groups.items) {
            groups_.push_back(list_of(group, 1, 2, heaps_.size()));
            named.insert(named.end(), groups_.back().begin(), groups_.back().end());
        }
        std::ranges::sort(named);
        Things all(heaps_.size());
        std::iota(all.begin(), all.end(), 0u);
        need(named == all, "the groups do not name each heap once");
    }
    double effort() const override { return heaps_effort(heaps_); }
    void need_lemma(int role) const override {
        int unlike = 0;
        for (const auto& group : groups_) unlike += more(as_things(heaps_), group) > 0;
        need(unlike == 1 - role, "another number of groups is unlike");
    }
    std::uint32_t move(const Things& heaps, int) const override {
        for (const auto& group : groups_)
            if (const auto take = more(heaps, group)) return heap_move(larger(heaps, group), take);
        return take_one(heaps);
    }

private:
    static std::uint32_t larger(const Things& heaps, const Things& group) {
        return heaps[group.back()] > heaps[group[0]] ? group.back() : group[0];
    }
    // How much larger one heap of a group is than the other.
    static std::uint32_t more(const Things& heaps, const Things& group) {
        const auto high = heaps[larger(heaps, group)];
        return group.size() == 1 ? high : high - std::min(heaps[group[0]], heaps[group[1]]);
    }
    std::vector<std::int64_t> heaps_;
    std::vector<Things> groups_;
};

enum From : std::uint32_t { kLeft, kRight, kBoth };  // moves of Wythoff's game

// Take all from heaps that are equal.
class EqualHeaps : public NamedRule {
public:
    explicit EqualHeaps(const Stated& stated) : heaps_(stated.sizes) {}
    double effort() const override { return heaps_effort(heaps_); }
    void need_lemma(int role) const override {
        need(role == 0 && heaps_[0] == heaps_[1] && heaps_[0] > 0, "the heaps are not equal");
    }
    std::uint32_t move(const Things& heaps, int) const override {
        const auto low = std::min(heaps[0], heaps[1]);
        return low ? heap_move(kBoth, low) : heap_move(heaps[0] ? kLeft : kRight, 1);
    }

private:
    std::vector<std::int64_t> heaps_;
};

// Leave one of Wythoff's pairs: the k-th is the least number in no earlier pair, and k more (Wythoff 1907).
class Pairs : public NamedRule {
public:
    explicit Pairs(const Stated& stated) : heaps_(stated.sizes) {
        const auto most = static_cast<std::size_t>(std::max(heaps_[0], heaps_[1]));
        partner_.assign(most + 1, kNone);
        for (std::size_t k = 0, low = 0; low <= most; ++k) {
            if (low + k <= most) partner_[low + k] = static_cast<std::uint32_t>(low);
            partner_[low] = static_cast<std::uint32_t>(low + k);
            lows_.push_back(static_cast<std::uint32_t>(low));
            while (low <= most && partner_[low] != kNone) ++low;
        }
    }
    double effort() const override { return heaps_effort(heaps_); }
    void need_lemma(int role) const override { need(lost(as_things(heaps_)) == (role == 1), "the pair"); }
    std::uint32_t move(const Things& heaps, int) const override {
        const auto low = std::min(heaps[0], heaps[1]), high = std::max(heaps[0], heaps[1]);
        if (lost(heaps)) return heap_move(heaps[0] ? kLeft : kRight, 1);
        const auto other = partner_[low];
        if (other < high) return heap_move(heaps[0] == high ? kLeft : kRight, high - other);
        return heap_move(kBoth, low - lows_[high - low]);
    }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    bool lost(const Things& heaps) const { return partner_[heaps[0]] == heaps[1]; }
    std::vector<std::int64_t> heaps_;
    Things partner_, lows_;  // of each number the other of its pair; of each k the lower one
};

// Leave a size that is labelled as lost. The last labels may repeat for ever.
class Period : public NamedRule {
public:
    Period(const Stated& stated, const Json& data)
        : size_(std::uint64_t(stated.sizes[0])), takes_(as_things(stated.takes)) {
        const auto *labels = data.member("labels"), *period = data.member("period");
        const bool alone = std::ranges::all_of(
            data.members, [](const auto& each) { return each.first == "labels" || each.first == "period"; });
        need(labels && period && alone && labels->kind == Json::kString &&
                 labels->text.find_first_not_of("LW") == std::string::npos,
             "the data of the rule is not labels and a period");
        labels_ = labels->text;
        period_ = index_of(*period, labels_.size() + 1);
        need(period_ || labels_.size() > size_, "no period, and too few labels");
    }
    double effort() const override { return double(size_ + 1) * double(takes_.size()); }
    void need_lemma(int role) const override {
        constexpr std::uint64_t kMost = 10'000'000;
        const auto end = std::min<std::uint64_t>(size_, labels_.size() + takes_.back()) + 1;
        if (end > kMost) throw BadInput("too many labels are to be tested");
        for (std::uint64_t n = 0; n < end; ++n) {
            const bool won = std::ranges::any_of(takes_, [&](auto t) { return t <= n && label(n - t) == 'L'; });
            need(won == (label(n) == 'W'), "the label of " + std::to_string(n) + " is wrong");
        }
        need((label(size_) == 'W') == (role == 0), "the size is labelled for the other role");
    }
    std::uint32_t move(const Things& things, int) const override {
        for (const auto take : takes_)
            if (take <= things[0] && label(things[0] - take) == 'L') return take;
        return takes_[0];
    }

private:
    char label(std::uint64_t size) const {
        if (size < labels_.size()) return labels_[size];
        return period_ ? labels_[labels_.size() - period_ + (size - labels_.size()) % period_] : '?';
    }
    std::uint64_t size_, period_ = 0;
    Things takes_;
    std::string labels_;
};

// Take the whole run of like coins if what lies below is lost for who faces it, else leave one coin of it.
class SingleCoins : public NamedRule {
public:
    explicit SingleCoins(const Stated& stated) {
        const auto& values = stated.sizes;  // the top one first
        for (std::size_t left = 1; left <= values.size(); ++left) {
            const auto top = values.size() - left;
            runs_.push_back(left > 1 && values[top] == values[top + 1] ? runs_.back() + 1 : 1);
            // One can leave from left - run to left - 1 coins.
            if (lost_.back() + runs_.back() < left) lost_.push_back(static_cast<std::uint32_t>(left));
        }
    }
    double effort() const override { return double(runs_.size()) * double(runs_.size()); }
    void need_lemma(int role) const override {
        need((lost_.back() == runs_.size()) == (role == 1), "the stack is won for the other role");
    }
    std::uint32_t move(const Things& things, int) const override {
        const auto left = things[0], run = runs_[left - 1];
        return run == 1 || std::ranges::binary_search(lost_, left - run) ? run : run - 1;
    }

private:
    Things runs_, lost_{0};  // how many coins on top are alike; sizes of stacks that are lost, rising
};

// Treblecross: complete three where that is possible, else take the centre, else mirror the row in it.
class MirrorRow : public NamedRule {
public:
    MirrorRow(const Stated& stated, const Json& data) : size_(std::uint64_t(stated.sizes[0])) {
        centre_ = index_of(only(data, "centre"), size_ + 1);
        need(centre_ > 0, "the centre is no cell");
    }
    double effort() const override { return std::ldexp(double(size_), int(std::min<std::uint64_t>(size_, 64))); }
    void need_lemma(int role) const override {
        need(role == 0 && size_ % 2 == 1 && 2 * centre_ == size_ + 1,
             "the row has no such centre, or the role is wrong");
    }
    std::uint32_t move(const Things& row, int) const override {
        const auto filled = [&](std::int64_t cell) {
            return cell >= 1 && cell <= std::int64_t(size_) && row[std::size_t(cell - 1)];
        };
        for (std::int64_t cell = 1; cell <= std::int64_t(size_); ++cell)
            if (!filled(cell) && ((filled(cell - 2) && filled(cell - 1)) || (filled(cell + 1) && filled(cell + 2)) ||
                                  (filled(cell - 1) && filled(cell + 1))))
                return std::uint32_t(cell);
        if (!filled(std::int64_t(centre_))) return std::uint32_t(centre_);
        for (std::int64_t cell = 1; cell <= std::int64_t(size_); ++cell)
            if (const auto image = 2 * std::int64_t(centre_) - cell;
                filled(cell) && image >= 1 && image <= std::int64_t(size_) && !filled(image))
                return std::uint32_t(image);
        return std::uint32_t(std::ranges::find(row, 0u) - row.begin() + 1);
    }

private:
    std::uint64_t size_, centre_ = 0;
};

double board_effort(const std::vector<std::int64_t>& sizes) {
    const auto cells = double(sizes[0] * sizes[1]);
    return cells * std::pow(3.0, std::min(cells, 64.0));
}

// k in a row: answer in the pair of the other's cell. Each line of k must hold both cells of a pair.
class Pairing : public NamedRule {
public:
    Pairing(const Stated& stated, const Json& data) : sizes_(stated.sizes) {
        const auto cells = static_cast<std::uint64_t>(sizes_[0] * sizes_[1]);
        const auto& pairs = only(data, "pairs");
        need(pairs.kind == Json::kList && pairs.items.size() <= cells / 2, "no list of pairs");
        partner_.assign(cells, std::uint32_t(cells));
        std::set<std::uint32_t> named;
        for (const auto& pair : pairs.items) {
            const auto both = list_of(pair, 2, 2, cells);
            need(named.insert(both[0]).second && named.insert(both[1]).second, "pairs have a cell in common");
            partner_[both[0]] = both[1], partner_[both[1]] = both[0];
            pairs_.push_back(both);
        }
    }
    double effort() const override { return board_effort(sizes_); }
    Score promise() const override { return 0; }
    void need_lemma(int) const override {
        const auto rows = sizes_[0], columns = sizes_[1], k = sizes_[2];
        for (const auto& [down, right] : {std::array{0, 1}, std::array{1, 0}, std::array{1, 1}, std::array{1, -1}})
            for (std::int64_t r = 0; r < rows - down * (k - 1); ++r)
                for (std::int64_t c = 0; c < columns; ++c) {
                    if (c + right * (k - 1) < 0 || c + right * (k - 1) >= columns) continue;
                    std::set<std::uint32_t> line;
                    for (std::int64_t i = 0; i < k; ++i)
                        line.insert(std::uint32_t((r + i * down) * columns + c + i * right));
                    need(std::ranges::any_of(line, [&](auto cell) { return line.contains(partner_[cell]); }),
                         "a line holds no pair");
                }
    }
    std::uint32_t move(const Things& cells, int mover) const override {
        const std::uint32_t other = mover == 0 ? 2 : 1;
        for (const auto& pair : pairs_)
            for (const auto& [one, two] : {std::pair{pair[0], pair[1]}, std::pair{pair[1], pair[0]}})
                if (cells[one] == other && cells[two] == 0) return two;
        return std::uint32_t(std::ranges::find(cells, 0u) - cells.begin());
    }

private:
    std::vector<std::int64_t> sizes_;
    std::vector<Things> pairs_;
    Things partner_;
};

// connect k: cover the other's stone.
class AnswerOnTop : public NamedRule {
public:
    explicit AnswerOnTop(const Stated& stated) : sizes_(stated.sizes) {}
    double effort() const override { return board_effort(sizes_); }
    Score promise() const override { return 0; }
    void need_lemma(int) const override { need(sizes_[2] > sizes_[1], "lines fit across the columns"); }
    std::uint32_t move(const Things& cells, int mover) const override {
        const auto columns = std::uint32_t(sizes_[1]);
        std::uint32_t first = columns;
        for (std::uint32_t column = 0; column < columns; ++column) {
            if (cells[column]) continue;
            first = std::min(first, column);
            auto top = column;
            while (top < cells.size() && !cells[top]) top += columns;
            if (top < cells.size() && cells[top] == (mover == 0 ? 2u : 1u)) return column;
        }
        return first;
    }

private:
    std::vector<std::int64_t> sizes_;
};

}  // namespace

std::unique_ptr<NamedRule> named_rule(const Stated& stated, const Claim& claim) {
    const auto is = [&](const char* game, const char* rule) { return stated.game == game && claim.rule == rule; };
    const auto& data = claim.data;
    if (is("nim", "mirror-heaps")) return std::make_unique<MirrorHeaps>(stated, data);
    if (is("subtraction", "period")) return std::make_unique<Period>(stated, data);
    if (is("treblecross", "mirror-row")) return std::make_unique<MirrorRow>(stated, data);
    if (is("mnk", "pairing")) return std::make_unique<Pairing>(stated, data);
    std::unique_ptr<NamedRule> found;
    if (is("nim", "nim-sum")) found = std::make_unique<NimSum>(stated);
    if (is("wythoff", "equal-heaps")) found = std::make_unique<EqualHeaps>(stated);
    if (is("wythoff", "golden-ratio")) found = std::make_unique<Pairs>(stated);
    if (is("coins", "single-coins")) found = std::make_unique<SingleCoins>(stated);
    if (is("connect", "answer-on-top")) found = std::make_unique<AnswerOnTop>(stated);
    need(found != nullptr, "this program knows no rule " + claim.rule + " for this game");
    need_no_data(data);
    return found;
}

}  // namespace checker
