// Who wins heaps of counters by their nim-values (Sprague 1935, Grundy 1939), large heaps by a period that the values
// prove: let k be the most counters that are taken and t the most heaps that a move may leave, at least 2. If
// G(n + p) = G(n) for n0 <= n < t n0 + (t - 1) p + k, with n0 > 0, then it holds for all n >= n0 (Guy and Smith 1956).
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <unordered_set>

#include "board_sum.hpp"
#include "counters.hpp"
#include "listed.hpp"

namespace checker {

namespace {

class Sequence {
public:
    Sequence(const HeapCode& code, const Json* data, Work& work) : code_(code), work_(work) {
        const auto* values = data && data->kind == Json::kObject ? data->member("values") : nullptr;
        if (!values) throw Refuted("there are no values of " + code.text());
        for (const auto& [name, value] : data->members)
            if (name != "values" && name != "period") throw Refuted("the values of a code have another form");
        for (const auto& item : list_of(values, "values")) {
            const auto value = whole_of(item);
            if (!value || *value < 0 || std::uint64_t(*value) != least_missing(values_.size()))
                throw Refuted(code.text() + ": a heap of " + std::to_string(values_.size()) + " has another nim-value");
            values_.push_back(std::uint64_t(*value));
        }
        if (const auto* period = data->member("period")) read_period(*period);
    }
    std::size_t size() const { return values_.size(); }
    std::uint64_t value(const std::string& heap) const {
        auto size = Natural::decimal(heap);
        if (size < Natural(values_.size())) return values_[std::size_t(size.low())];
        if (!length_) throw Refuted(code_.text() + ": nothing is said of a heap of " + heap.substr(0, 20));
        size = size - Natural(begin_);
        Natural::quotient(size, Natural(length_));
        return values_[std::size_t(begin_ + size.low())];
    }

private:
    std::uint64_t least_missing(std::uint64_t heap) {
        std::unordered_set<std::uint64_t> made;
        for (std::uint64_t taken = 0; taken <= code_.longest(heap); ++taken)
            for (unsigned heaps = 0; heaps < 4; ++heaps)
                if (code_.digit(taken) >> heaps & 1 && (taken || heaps > 1)) {
                    const auto& some = values_of(heap - taken, heaps);
                    made.insert(some.begin(), some.end());
                    work_.step(1 + some.size());
                }
        std::uint64_t least = 0;
        while (made.contains(least)) ++least;
        return least;
    }
    // The values of so many heaps that add up to a rest.
    const std::set<std::uint64_t>& values_of(std::uint64_t rest, unsigned heaps) {
        const auto [at, is_new] = splits_.try_emplace({rest, heaps});
        auto& found = at->second;
        if (!is_new) return found;
        if (heaps == 0 && rest == 0) found.insert(0);
        if (heaps == 1 && rest) found.insert(values_[std::size_t(rest)]);
        for (std::uint64_t one = 1; heaps == 2 && 2 * one <= rest; ++one)
            if (!(code_.unequal && 2 * one == rest))
                found.insert(values_[std::size_t(one)] ^ values_[std::size_t(rest - one)]);
        for (std::uint64_t one = 1; heaps == 3 && 3 * one <= rest; ++one) {
            if (code_.unequal) {  // three that differ, the smallest first
                for (auto two = one + 1; one + 2 * two < rest; ++two)
                    found.insert(values_[std::size_t(one)] ^ values_[std::size_t(two)] ^
                                 values_[std::size_t(rest - one - two)]);
            } else {  // the smallest, and any two others
                for (const auto other : values_of(rest - one, 2)) found.insert(values_[std::size_t(one)] ^ other);
            }
            work_.step(rest);
        }
        work_.keep(1 + found.size());
        work_.step(rest);
        return found;
    }
    void read_period(const Json& period) {
        const auto& both = list_of(&period, "period");
        const auto begin = both.size() == 2 ? whole_of(both[0]) : std::nullopt,
                   length = both.size() == 2 ? whole_of(both[1]) : std::nullopt;
        if (!begin || !length) throw Refuted("the period is not where it begins and how long it is");
        if (code_.unequal || !code_.tail.empty()) throw Refuted("no theorem proves periods of such codes");
        const auto many = std::int64_t(values_.size());
        if (*begin < 0 || *length < 1 || *begin > many || *length > many)
            throw Refuted("the period takes more values to prove");
        std::int64_t heaps = 2;
        for (const auto digit : code_.digits)
            heaps = std::max<std::int64_t>(heaps, std::int64_t(std::bit_width(digit)) - 1);
        const auto taken = std::int64_t(code_.digits.size()) - 1;
        const auto needed = heaps * std::max<std::int64_t>(*begin, 1) + (heaps - 1) * *length + taken;
        if (needed + *length > many) throw Refuted("the period takes more values to prove");
        for (auto heap = *begin; heap < needed; ++heap)
            if (values_[std::size_t(heap)] != values_[std::size_t(heap + *length)])
                throw Refuted("the values do not repeat");
        begin_ = std::uint64_t(*begin), length_ = std::uint64_t(*length);
    }
    const HeapCode code_;
    Work& work_;
    std::vector<std::uint64_t> values_;
    std::map<std::pair<std::uint64_t, unsigned>, std::set<std::uint64_t>> splits_;
    std::uint64_t begin_ = 0, length_ = 0;
};

}  // namespace

std::uint64_t check_nimbers(const BoardSum& boards, const Claim& claim) {
    if (claim.play != "normal" || claim.starts != "left")
        throw Refuted("nim-values are about normal play that left starts");
    const auto* found = claim.data.member("sequences");
    if (!found || found->kind != Json::kObject) throw Refuted("sequences is not an object");
    Work work;
    std::map<std::string, Sequence> sequences;
    Natural total;
    for (const auto& term : boards.terms) {
        const auto colon = term.position.find(':');
        const bool coded = term.name == "octal" || term.name == "hexadecimal";
        const auto* named = code_named(term.name);
        if (!coded && !named && term.name != "nimheaps")
            throw Refuted("the values of heaps say nothing about " + term.name);
        const auto heaps = cut_at(coded ? term.position.substr(colon + 1) : term.position, ',');
        for (const auto& heap : heaps) {
            if (heap == "0" && heaps.size() == 1) continue;
            if (!coded && !named) {
                total = total ^ Natural::decimal(heap);
                continue;
            }
            const auto code = coded ? read_code(term.position.substr(0, colon)) : *named;
            auto at = sequences.find(code.text());
            if (at == sequences.end())
                at = sequences.try_emplace(code.text(), code, found->member(code.text()), work).first;
            total = total ^ Natural(at->second.value(heap));
        }
    }
    const auto shown = total.zero() ? "0" : total == Natural(1) ? "*" : "*" + total.decimal();
    if (!is_text(claim.data.member("value"), shown)) throw Refuted("the nim-value is " + shown.substr(0, 40));
    const std::string winner = total.zero() ? "right" : "left";
    if (Fraction(claim.role == winner ? 1 : -1) < Fraction::of(claim.at_least))
        throw Refuted("with that value " + winner + " wins when left begins");
    std::uint64_t count = 0;
    for (const auto& [code, sequence] : sequences) count += sequence.size();
    return count;
}

}  // namespace checker
