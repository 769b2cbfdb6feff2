// A strategy that holds a sum to a value, written down so that it can be checked without searching.
//
// From every sum that its owner may meet when he is to move it names a move, or it ends there with a bound: a tax, and
// the component that the thermostatic strategy opens. Replies that another reply makes superfluous (incentives.hpp) are
// left out, and the pairs that were relied on are listed. Sums are met in the order of the moves that are left in them,
// so that each is written down once, with the most that anything before asks of it.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "cgt/sums/alphabeta.hpp"
#include "cgt/sums/strategy_arrays.hpp"

namespace zermelo::cgt::sums {

template <class T>
class StrategyWriter {
public:
    StrategyWriter(AlphaBeta<T>& search, const Forest<T>& forest, Control& control)
        : search_(search), forest_(forest), control_(control) {}
    ~StrategyWriter() { control_.charge(-static_cast<std::int64_t>(charged_)); }
    StrategyWriter(const StrategyWriter&) = delete;
    StrategyWriter& operator=(const StrategyWriter&) = delete;

    // That the owner gets the sum to at least (Left) or at most (Right) that value, relative to its numbers. It must be
    // true.
    Strategy write(std::span<const Part> components, bool left_moves, bool left_owns, const T& value) {
        left_owns_ = left_owns;
        const std::size_t replies = (left_owns ? forest_.right : forest_.left).size();
        charge(replies * (sizeof(std::vector<std::uint32_t>) + sizeof(std::uint64_t)));
        over_.resize(replies);
        stamps_.resize(replies);
        made_.first.push_back(0);
        search_.set(components);
        demand(left_moves, value);
        while (!open_.empty()) {
            auto& level = open_.rbegin()->second;
            if (level.empty()) {
                open_.erase(std::prev(open_.end()));
                continue;
            }
            const std::uint32_t index = level.back();
            level.pop_back();
            control_.tick();
            search_.look_after(nodes_[index].count);
            load(index);
            answer(index);
        }
        name_replies();
        return std::move(made_);
    }

private:
    struct Node {
        std::uint64_t first;
        std::uint32_t count;
        bool left_moves;
        T value;
    };

    // Whether the first value promises the owner the second.
    bool enough(const T& promised, const T& wanted) const {
        return left_owns_ ? promised >= wanted : promised <= wanted;
    }
    const T& promise(const Range<T>& range) const { return left_owns_ ? range.lower : range.upper; }

    std::span<const Part> key(const Node& node) const { return std::span(keys_).subspan(node.first, node.count); }

    // The sum that search_ is at must be worth so much.
    void demand(bool left_moves, const T& value) {
        const auto& sum = search_.sum();
        if (sum.over()) return;
        const std::uint64_t hash = sum.hash() * 2 + (left_moves ? 1 : 0);
        for (auto [at, end] = met_.equal_range(hash); at != end; ++at) {
            Node& node = nodes_[at->second];
            if (node.left_moves != left_moves || !std::ranges::equal(key(node), sum.hot())) continue;
            if (!enough(node.value, value)) node.value = value;
            return;
        }
        const auto index = static_cast<std::uint32_t>(nodes_.size());
        charge(sizeof(Node) + sum.hot().size() * sizeof(Part) + 64);
        nodes_.push_back({keys_.size(), static_cast<std::uint32_t>(sum.hot().size()), left_moves, value});
        keys_.insert(keys_.end(), sum.hot().begin(), sum.hot().end());
        met_.emplace(hash, index);
        open_[sum.height()].push_back(index);
    }
    bool met(bool left_moves, const T& value) const {
        const auto& sum = search_.sum();
        const std::uint64_t hash = sum.hash() * 2 + (left_moves ? 1 : 0);
        for (auto [at, end] = met_.equal_range(hash); at != end; ++at) {
            const Node& node = nodes_[at->second];
            if (node.left_moves == left_moves && enough(node.value, value) && std::ranges::equal(key(node), sum.hot()))
                return true;
        }
        return false;
    }
    void load(std::uint32_t index) {
        const auto components = key(nodes_[index]);
        search_.set(std::vector<Part>(components.begin(), components.end()));
    }

    void answer(std::uint32_t index) {
        const bool left_moves = nodes_[index].left_moves;
        const T value = nodes_[index].value;
        if (enough(promise(search_.bounds_here(left_moves)), value)) {
            const auto& sum = search_.sum();
            const Witness witness =
                left_moves == left_owns_ ? sum.mover_witness(left_moves) : sum.waiter_witness(left_moves);
            const T& tax =
                witness.tax == Witness::kHighest ? forest_.temperature[sum.hottest()] : forest_.taxes[witness.tax];
            note(index, true, witness.opens, witness.opens, NumberOf<T>::integer(tax));
            return;
        }
        if (left_moves == left_owns_) {
            const auto move = good_move(left_moves, value);
            note(index, false, search_.from(move, left_moves), search_.option(move, left_moves).to, Integer(0));
            follow(move, left_moves, value);
            return;
        }
        search_.list_all(left_moves, moves_);
        auto& incentives = search_.incentives();
        std::sort(moves_.begin(), moves_.end(),
                  [&](auto a, auto b) { return incentives.rank(a, left_moves) < incentives.rank(b, left_moves); });
        kept_.clear();
        ++stamp_;
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            if (!has_earlier_over(i, left_moves)) kept_.push_back(moves_[i]);
            stamps_[moves_[i]] = stamp_;
        }
        for (const auto move : kept_) follow(move, left_moves, value);
    }

    // Whether a reply before it in the list makes this one superfluous: a pair that was relied on before, or the
    // nearest new one.
    bool has_earlier_over(std::size_t place, bool left_moves) {
        const auto move = moves_[place];
        for (const auto other : over_[move])
            if (stamps_[other] == stamp_) return true;
        for (std::size_t i = place; i-- > 0;)
            if (search_.incentives().over(moves_[i], move, left_moves)) {
                over_[move].push_back(moves_[i]);
                return true;
            }
        return false;
    }

    void follow(std::uint32_t move, bool left_moves, const T& value) {
        search_.play(move, left_moves);
        demand(!left_moves, value - search_.option(move, left_moves).gain);
        search_.undo(move, left_moves);
    }

    // A move of the owner's that keeps the value: one that leads to known ground, if there is one.
    std::uint32_t good_move(bool left_moves, const T& value) {
        search_.list(left_moves, moves_);
        std::uint32_t proved = IntervalTable<T>::kNone;
        for (const auto move : moves_) {
            const T rest = value - search_.option(move, left_moves).gain;
            search_.play(move, left_moves);
            const bool known =
                met(!left_moves, rest) ||
                (search_.sum().over() ? enough(T(0), rest) : enough(promise(search_.bounds_here(!left_moves)), rest));
            if (!known && proved == IntervalTable<T>::kNone && enough(promise(search_.known(!left_moves)), rest))
                proved = move;
            search_.undo(move, left_moves);
            if (known) return move;
        }
        if (proved != IntervalTable<T>::kNone) return proved;
        const std::vector<std::uint32_t> moves = moves_;
        for (const auto move : moves) {
            const T rest = value - search_.option(move, left_moves).gain;
            search_.play(move, left_moves);
            const T worth = left_owns_ ? search_.value(!left_moves, rest - forest_.bonus, rest)
                                       : search_.value(!left_moves, rest, rest + forest_.bonus);
            search_.undo(move, left_moves);
            if (enough(worth, rest)) return move;
        }
        throw std::logic_error("no move keeps a value that was found");
    }

    void note(std::uint32_t index, bool bounded, Id from, Id to, Integer tax) {
        const auto components = key(nodes_[index]);
        charge(components.size() * sizeof(Part) + 16 + sizeof(Integer));
        sorted_.clear();
        for (const auto& [component, count] : components) sorted_.push_back({forest_.original[component], count});
        std::ranges::sort(sorted_, {}, &Part::kind);
        for (const auto& [position, count] : sorted_) {
            made_.components.push_back(position);
            made_.copies.push_back(count);
        }
        made_.first.push_back(static_cast<std::uint32_t>(made_.components.size()));
        made_.left_moves.push_back(nodes_[index].left_moves);
        made_.bounded.push_back(bounded);
        made_.from.push_back(forest_.original[from]);
        made_.to.push_back(forest_.original[to]);
        made_.tax.push_back(std::move(tax));
    }

    void name_replies() {
        const bool of_left = !left_owns_;
        const auto& incentives = search_.incentives();
        std::vector<std::uint32_t> replies;
        for (std::uint32_t move = 0; move < over_.size(); ++move) {
            replies.insert(replies.end(), over_[move].begin(), over_[move].end());
            if (!over_[move].empty()) replies.push_back(move);
        }
        std::sort(replies.begin(), replies.end(),
                  [&](auto a, auto b) { return incentives.rank(a, of_left) < incentives.rank(b, of_left); });
        replies.erase(std::unique(replies.begin(), replies.end()), replies.end());
        std::unordered_map<std::uint32_t, std::uint32_t> place;
        for (const auto move : replies) {
            place.emplace(move, static_cast<std::uint32_t>(place.size()));
            made_.reply_from.push_back(forest_.original[search_.from(move, of_left)]);
            made_.reply_to.push_back(forest_.original[search_.option(move, of_left).to]);
        }
        for (std::uint32_t move = 0; move < over_.size(); ++move)
            for (const auto other : over_[move]) {
                made_.over.push_back(place.at(other));
                made_.under.push_back(place.at(move));
            }
    }

    void charge(std::size_t bytes) {
        control_.charge(static_cast<std::int64_t>(bytes));
        charged_ += bytes;
    }

    AlphaBeta<T>& search_;
    const Forest<T>& forest_;
    Control& control_;
    bool left_owns_ = true;
    Strategy made_;
    std::vector<Node> nodes_;
    std::vector<Part> keys_, sorted_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> met_;
    std::map<std::uint64_t, std::vector<std::uint32_t>> open_;  // by the moves that are left
    std::vector<std::uint32_t> moves_, kept_;
    std::vector<std::vector<std::uint32_t>> over_;  // of each reply those that were relied on to make it superfluous
    std::vector<std::uint64_t> stamps_;             // the latest list that a reply was in
    std::uint64_t stamp_ = 0;
    std::size_t charged_ = 0;
};

}  // namespace zermelo::cgt::sums
