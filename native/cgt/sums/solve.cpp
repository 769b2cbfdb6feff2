#include "cgt/sums/solve.hpp"

#include <algorithm>
#include <bit>

#include "cgt/sums/alphabeta.hpp"
#include "cgt/sums/bstar.hpp"
#include "cgt/sums/strategy.hpp"

namespace zermelo::cgt::sums {

namespace {

template <class T>
class Solver {
public:
    Solver(const Problem& problem, const Parameters& parameters, const Forest<T>& forest, Control& control,
           Result& result)
        : parameters_(parameters), forest_(forest), control_(control), result_(result) {
        std::uint64_t components = 0;
        for (std::size_t i = 0; i < problem.components.size(); ++i) {
            const Id here = forest.number_here[problem.components[i]];
            const std::uint32_t copies = problem.copies_of(i);
            if (copies == 0) continue;
            if (forest.is_hot(here)) components_.push_back({here, copies}), components += copies;
            else numbers_ = numbers_ + multiple(forest.number_of(here), copies);
        }
        hot_components_ = components;
        std::ranges::sort(components_, {}, &Part::kind);
    }

    void run() {
        AlphaBeta<T> search(forest_, hot_components_, parameters_, control_);
        search.set(components_);
        for (const bool left : {true, false})
            tell(left, search.sum().over() ? Range<T>{T(0), T(0)} : search.bounds_here(left));
        try {
            if (parameters_.method != Method::alphabeta) {
                for (const bool left : {true, false})
                    if (asked(left) && !components_.empty()) find_move(search, left);
                return;
            }
            for (const bool left : {true, false})
                if (asked(left)) find_value(search, left);
            for (const bool left : {true, false})
                if (asked(left) && parameters_.best && !components_.empty()) find_sente(search, left);
            for (const bool left : {true, false})
                if (asked(left) && parameters_.strategies) write_strategies(search, left);
        } catch (const Stopped&) {
            if (parameters_.method == Method::alphabeta) count(search);
            throw;
        }
        count(search);
    }

private:
    bool asked(bool left) const { return left ? parameters_.left_starts : parameters_.right_starts; }
    Answer& answer(bool left) { return result_.starter[left ? 0 : 1]; }

    void tell(bool left, const Range<T>& range) {
        known_[left] = range;
        answer(left).bounded = true;
        answer(left).lower = NumberOf<T>::integer(halved<T>(numbers_ + range.lower, forest_.scale));
        answer(left).upper = NumberOf<T>::integer(halved<T>(numbers_ + range.upper, forest_.scale));
    }

    void find_value(AlphaBeta<T>& search, bool left) {
        search.set(components_);
        const Range<T> before = known_[left];
        if (before.lower != before.upper) {
            try {
                const bool free =
                    parameters_.cut == Cut::none;  // a search without bounds is not helped by them here either
                const T value = free ? search.value(left, T(0) - forest_.limit, forest_.limit)
                                     : search.value(left, before.lower - forest_.bonus, before.upper + forest_.bonus);
                tell(left, {value, value});
            } catch (const Stopped&) {
                if (const auto& found = search.so_far())
                    tell(left, left ? Range<T>{std::max(*found, before.lower), before.upper}
                                    : Range<T>{before.lower, std::min(*found, before.upper)});
                throw;
            }
        }
        if (components_.empty()) return;
        // Where the bound of the mover's strategy is all there is to get, its first move is best; a search need not
        // have found one.
        const T& value = known_[left].lower;
        if (value == (left ? before.lower : before.upper)) open_by_bound(search.sum(), left);
        else set_best(left, search.best_move());
    }

    // By B*: the move, and what its search came to know of the value.
    void find_move(AlphaBeta<T>& context, bool left) {
        BStar<T> search(context, parameters_.method);
        const auto tell_all = [&] {
            tell(left, search.range());
            count(context);
            listed_ += search.listed();
            result_.nodes += listed_;
        };
        try {
            search.run(components_, left);
        } catch (const Stopped&) {
            if (search.started()) tell_all();
            throw;
        }
        tell_all();
        set_best(left, search.best_move());
    }

    void open_by_bound(const Sum<T>& sum, bool left) {
        const Witness witness = sum.mover_witness(left);
        const std::size_t at = witness.tax;
        const auto& first = left ? forest_.first_left : forest_.first_right;
        const auto options = forest_.options(witness.opens, left);
        std::uint32_t best = 0;
        if (witness.tax != Witness::kHighest) {
            // At its own temperature the first option is best; below it need not be.
            const auto& off = left ? forest_.below : forest_.above;
            const auto wall = [&](const typename Forest<T>::Option& option) {
                if (!forest_.is_hot(option.to)) return option.gain;
                const T& away = off[static_cast<std::size_t>(option.to) * forest_.grid() + at];
                return option.gain + (left ? forest_.mean[option.to] - away : forest_.mean[option.to] + away);
            };
            for (std::uint32_t i = 1; i < options.size(); ++i)
                if (left ? wall(options[i]) > wall(options[best]) : wall(options[i]) < wall(options[best])) best = i;
        }
        set_best(left, first[witness.opens] + best);
    }

    void set_best(bool left, std::uint32_t move) {
        best_[left] = move;
        Answer& told = answer(left);
        const auto& option = (left ? forest_.left : forest_.right)[move];
        const auto& first = left ? forest_.first_left : forest_.first_right;
        const auto after = std::upper_bound(first.begin(), first.end(), move);
        told.from = forest_.original[static_cast<std::size_t>(after - first.begin()) - 1];
        told.to = forest_.original[option.to];
        told.best_known = true;
    }

    // Sente: the answer must be in the same component (Yedwab 1985, section 2.3). Whoever answers elsewhere gets less.
    void find_sente(AlphaBeta<T>& search, bool left) {
        const auto& option = (left ? forest_.left : forest_.right)[best_[left]];
        if (!forest_.is_hot(option.to)) return;
        search.set(components_);
        search.play(best_[left], left);
        std::vector<std::uint32_t> replies;
        search.list_all(!left, replies);
        std::erase_if(replies, [&](std::uint32_t reply) { return search.from(reply, !left) == option.to; });
        search.strike(!left, replies);
        const T kept = known_[left].lower - option.gain;
        bool sente = true;
        for (const auto reply : replies) {
            const T rest = kept - search.option(reply, !left).gain;
            search.play(reply, !left);
            const T worth =
                left ? search.value(left, rest, rest + forest_.bonus) : search.value(left, rest - forest_.bonus, rest);
            search.undo(reply, !left);
            sente = left ? worth > rest : worth < rest;
            if (!sente) break;
        }
        answer(left).sente = sente;
    }

    void write_strategies(AlphaBeta<T>& search, bool left) {
        answer(left).left =
            StrategyWriter<T>(search, forest_, control_).write(components_, left, true, known_[left].lower);
        answer(left).right =
            StrategyWriter<T>(search, forest_, control_).write(components_, left, false, known_[left].upper);
    }

    void count(const AlphaBeta<T>& search) {
        result_.nodes = search.nodes();
        result_.hits = search.hits();
        result_.cuts = search.cuts();
        result_.entries = search.table().used();
        result_.compared = search.compared();
    }

    Parameters parameters_;
    const Forest<T>& forest_;
    Control& control_;
    Result& result_;
    std::vector<Part> components_;  // that are hot
    std::uint64_t hot_components_ = 0;
    T numbers_{};
    std::uint64_t listed_ = 0;  // nodes of B* itself
    std::array<Range<T>, 2> known_{};
    std::array<std::uint32_t, 2> best_{};
};

unsigned bit_length(const Integer& number) {
    if (number.is_small()) {
        const auto value = number.small();
        return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(value < 0 ? ~value : value)));
    }
    return static_cast<unsigned>(8 * number.to_bytes().size());
}

// How many bits every sum of walls, taxes and numbers fits into, before scaling: a wall lies within the numbers of its
// component and a bonus a move; a bound adds up a wall of each component, a tax and a width; a comparison those of
// four.
unsigned bits_needed(const Problem& problem) {
    unsigned largest = 1;
    std::vector<std::uint32_t> height(problem.size());
    for (Id p = 0; p < problem.size(); ++p) {
        largest = std::max(largest, bit_length(problem.number[p]) + 2);
        for (const bool of_left : {true, false}) {
            const auto& first = of_left ? problem.first_left : problem.first_right;
            const auto& options = of_left ? problem.left : problem.right;
            for (std::uint32_t i = first[p]; i < first[p + 1]; ++i)
                height[p] = std::max(height[p], height[options[i]] + 1);
        }
        largest = std::max(largest, static_cast<unsigned>(std::bit_width(height[p])) + 1);
    }
    std::uint64_t components = 8;
    for (std::size_t i = 0; i < problem.components.size(); ++i) components += problem.copies_of(i);
    return largest + 1 + static_cast<unsigned>(std::bit_width(components)) + 3;
}

template <class T>
void solve_with(const Problem& problem, const Parameters& parameters, unsigned scale, unsigned bits, Control& control,
                Result& result) {
    const auto forest = ForestBuilder<T>(problem, scale, Integer(1).shifted_left(bits), control).build();
    result.scale = scale;
    result.bits = NumberOf<T>::bits == ~0u ? 0 : NumberOf<T>::bits + 1;
    result.positions = forest.hot;
    result.taxes = static_cast<std::uint32_t>(forest.grid());
    Solver<T>(problem, parameters, forest, control, result).run();
}

}  // namespace

Result solve(const Problem& problem, const Parameters& parameters, Control& control) {
    check(problem);
    Result result;
    const unsigned needed = bits_needed(problem);
    try {
        for (unsigned scale = 0;; scale = std::max(scale + 1, scale + scale / 2)) {
            const unsigned bits = needed + scale;
            try {
                if (bits < NumberOf<std::int64_t>::bits)
                    solve_with<std::int64_t>(problem, parameters, scale, bits, control, result);
                else if (bits < NumberOf<Wide>::bits)
                    solve_with<Wide>(problem, parameters, scale, bits, control, result);
                else solve_with<Integer>(problem, parameters, scale, bits, control, result);
                break;
            } catch (const Fraction&) {
                control.check();  // once more, with numbers that are larger
            }
        }
    } catch (const Stopped&) {
        // The bounds so far are in the result.
    }
    control.publish();
    return result;
}

}  // namespace zermelo::cgt::sums
