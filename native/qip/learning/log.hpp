// The clauses that a learning search derives, each with what it follows from: a refutation in the making.
//
// A step follows from its antecedents by propagation of bounds in the order in which they are listed, once all its
// literals, the dropped ones too, are assumed to be false (zermelo/qip/derivation.py).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "qip/learning/learn.hpp"
#include "qip/learning/state.hpp"

namespace zermelo::qip::learning {

class Log {
public:
    using Number = std::uint64_t;
    static constexpr Number row(Index r) { return 2 * Number{r}; }
    static constexpr Number step(Number s) { return 2 * s + 1; }

    Log(bool wanted, std::uint64_t bytes) : recording_(wanted), bytes_(bytes) {}

    bool recording() const { return recording_; }
    Number size() const { return end_.size(); }

    // `antecedents` in the order of propagation. Returns the number of the step.
    Number add(std::span<const Literal> literals, std::span<const Number> antecedents,
               std::span<const Literal> dropped) {
        if (!recording_) return 0;
        literal_.insert(literal_.end(), literals.begin(), literals.end());
        antecedent_.insert(antecedent_.end(), antecedents.begin(), antecedents.end());
        dropped_.insert(dropped_.end(), dropped.begin(), dropped.end());
        end_.push_back({literal_.size(), antecedent_.size(), dropped_.size()});
        if (size_in_bytes() > bytes_) give_up();
        return end_.size() - 1;
    }
    // What the last step needs, numbered anew.
    DerivationSteps needed_for(Number last) const;
    std::uint64_t size_in_bytes() const {
        return (literal_.size() + dropped_.size()) * sizeof(Literal) + antecedent_.size() * 8 +
               end_.size() * sizeof(End);
    }

private:
    struct End {
        std::uint64_t literal, antecedent, dropped;
    };
    End begin(Number s) const { return s == 0 ? End{0, 0, 0} : end_[s - 1]; }
    void give_up() {
        recording_ = false;
        *this = Log(false, bytes_);
    }

    bool recording_;
    std::uint64_t bytes_;
    std::vector<Literal> literal_, dropped_;
    std::vector<Number> antecedent_;
    std::vector<End> end_;
};

inline DerivationSteps Log::needed_for(Number last) const {
    DerivationSteps out;
    if (!recording_ || last >= end_.size()) return out;
    std::vector<std::uint8_t> needed(last + 1);
    needed[last] = 1;
    for (auto s = last + 1; s-- > 0;) {
        if (!needed[s]) continue;
        for (auto i = begin(s).antecedent; i < end_[s].antecedent; ++i)
            if (antecedent_[i] % 2) needed[antecedent_[i] / 2] = 1;
    }
    std::vector<Number> place(last + 1);
    const auto copy = [&out](std::span<const Literal> list) {
        for (const auto& l : list)
            out.literal.insert(out.literal.end(), {static_cast<std::int64_t>(code(l.variable, l.side)), l.bound});
    };
    Number count = 0;
    for (Number s = 0; s <= last; ++s) {
        if (!needed[s]) continue;
        place[s] = count++;
        const auto first = begin(s);
        copy(std::span(literal_).subspan(first.literal, end_[s].literal - first.literal));
        out.literal_end.push_back(out.literal.size() / 2);
        copy(std::span(dropped_).subspan(first.dropped, end_[s].dropped - first.dropped));
        out.dropped_end.push_back(out.literal.size() / 2);
        for (auto i = first.antecedent; i < end_[s].antecedent; ++i) {
            const auto a = antecedent_[i];
            out.antecedent.push_back(a % 2 ? step(place[a / 2]) : a);
        }
        out.antecedent_end.push_back(out.antecedent.size());
    }
    return out;
}

}  // namespace zermelo::qip::learning
