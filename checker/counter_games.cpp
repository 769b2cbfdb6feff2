// Heaps of counters: nim, kayles, Dawson's games, Grundy's game, whatever a code says, partizan subtraction, and
// Wythoff's queens.
#include <algorithm>
#include <set>

#include "counters.hpp"

namespace checker {

namespace {

constexpr std::size_t kMostBreaks = 1'000'000;

bool only_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Larger heaps have too many moves to be listed.
std::uint64_t size_of_heap(const std::string& heap) {
    if (heap.size() > 6)
        throw BadInput("a heap of " + heap.substr(0, 20) + " counters is too large for its moves to be listed");
    return number(heap, "a heap");
}

bool smaller(const std::string& one, const std::string& other) {
    return one.size() != other.size() ? one.size() < other.size() : one < other;
}

Texts as_texts(const std::vector<std::uint64_t>& numbers) {
    Texts texts;
    for (const auto number : numbers) texts.push_back(std::to_string(number));
    return texts;
}

// Moves in one heap after the other, each position once: `left` says what may be left of a heap.
template <class Left>
BoardMoves heap_moves(const std::string& before, const Texts& heaps, Left left) {
    BoardMoves found;
    std::set<std::string> met;
    for (std::size_t i = 0; i < heaps.size(); ++i) {
        if (i && heaps[i] == heaps[i - 1]) continue;
        for (const auto& rest : left(size_of_heap(heaps[i]))) {
            auto sizes = heaps;
            sizes.erase(sizes.begin() + std::ptrdiff_t(i));
            const auto made = as_texts(rest);
            sizes.insert(sizes.end(), made.begin(), made.end());
            auto after = heaps_text(heaps_of(sizes));
            if (met.insert(after).second)
                found.push_back({heaps[i] + ">" + (made.empty() ? "0" : joined_by(made, ",")), before + after});
        }
    }
    return found;
}

using Breaks = std::vector<std::vector<std::uint64_t>>;

Breaks left_by(const HeapCode& code, std::uint64_t heap) {
    Breaks found;
    std::vector<std::uint64_t> before;
    for (std::uint64_t taken = 0; taken <= code.longest(heap); ++taken)
        for (unsigned heaps = 0; heaps < 4; ++heaps)
            if (code.digit(taken) >> heaps & 1 && (taken || heaps > 1))
                code.parted(heap - taken, heaps, heap, before, found);
    return found;
}

Texts heaps_in(const std::string& position) { return position == "0" ? Texts() : cut_at(position, ','); }

// Games whose name says how they are played.
class NamedHeaps : public BoardRules {
public:
    explicit NamedHeaps(const HeapCode* code) : code_(code) {}  // nim has no code
    std::string read(std::string_view text) const override { return heaps_text(heaps_of(numbers_in(text))); }
    BoardMoves moves(const std::string& position, bool) const override {
        return heap_moves("", heaps_in(position), [&](std::uint64_t heap) {
            if (code_) return left_by(*code_, heap);
            Breaks found;
            while (heap--) found.push_back(heap ? std::vector{heap} : std::vector<std::uint64_t>());
            return found;
        });
    }
    Texts parts(const std::string& position) const override { return heaps_in(position); }

private:
    const HeapCode* code_;
};

// Games whose code stands before the heaps.
class CodedHeaps : public BoardRules {
public:
    std::string read(std::string_view text) const override {
        const auto colon = text.find(':');
        if (colon == std::string_view::npos) throw BadInput("expected a code, a colon and heaps, such as 0.77:12");
        return read_code(stripped(text.substr(0, colon))).text() + ":" +
               heaps_text(heaps_of(numbers_in(text.substr(colon + 1))));
    }
    BoardMoves moves(const std::string& position, bool) const override {
        const auto colon = position.find(':') + 1;
        const auto code = read_code(position.substr(0, colon - 1));
        return heap_moves(position.substr(0, colon), heaps_in(position.substr(colon)),
                          [&](std::uint64_t heap) { return left_by(code, heap); });
    }
    Texts parts(const std::string& position) const override {
        const auto colon = position.find(':') + 1;
        auto found = heaps_in(position.substr(colon));
        for (auto& heap : found) heap = position.substr(0, colon) + heap;
        return found;
    }
};

// Each side takes one of its own numbers of counters from a heap: `1,4/2,3:12`.
class PartizanSubtraction : public BoardRules {
public:
    std::string read(std::string_view text) const override {
        const auto colon = text.find(':');
        const auto stroke = text.substr(0, colon).find('/');
        if (colon == std::string_view::npos || stroke == std::string_view::npos)
            throw BadInput("expected numbers, a stroke, numbers, a colon and heaps");
        std::string said;
        for (const auto& side : {text.substr(0, stroke), text.substr(stroke + 1, colon - stroke - 1)}) {
            auto takes = numbers_in(side);
            std::ranges::sort(takes, smaller);
            takes.erase(std::unique(takes.begin(), takes.end()), takes.end());
            if (takes[0] == "0") throw BadInput("unexpected 0, expected to take something");
            said += joined_by(takes, ",") + (said.empty() ? "/" : ":");
        }
        return said + heaps_text(heaps_of(numbers_in(text.substr(colon + 1))));
    }
    BoardMoves moves(const std::string& position, bool left) const override {
        const auto told = Told(position);
        return heap_moves(told.before, told.heaps, [&](std::uint64_t heap) {
            Breaks found;
            for (const auto& taken : left ? told.left : told.right)
                if (!smaller(std::to_string(heap), taken)) {
                    const auto rest = heap - number(taken, "what is taken");
                    found.push_back(rest ? std::vector{rest} : std::vector<std::uint64_t>());
                }
            return found;
        });
    }
    Texts parts(const std::string& position) const override {
        const auto told = Told(position);
        const auto& least = smaller(told.left[0], told.right[0]) ? told.left[0] : told.right[0];
        Texts found;
        for (const auto& heap : told.heaps)
            if (!smaller(heap, least)) found.push_back(told.before + heap);
        return found;
    }

private:
    struct Told {
        std::string before;
        Texts left, right, heaps;
        explicit Told(const std::string& position) {
            const auto stroke = position.find('/'), colon = position.find(':') + 1;
            before = position.substr(0, colon);
            left = cut_at(position.substr(0, stroke), ','),
            right = cut_at(position.substr(stroke + 1, colon - stroke - 2), ',');
            heaps = heaps_in(position.substr(colon));
        }
    };
};

// Two heaps: one takes from either, or as many from both.
class WythoffQueens : public BoardRules {
public:
    std::string read(std::string_view text) const override {
        const auto heaps = numbers_in(text);
        if (heaps.size() != 2) throw BadInput("expected two heaps with a comma between them");
        return joined_by(heaps, ",");
    }
    BoardMoves moves(const std::string& position, bool) const override {
        const auto said = cut_at(position, ',');
        const auto one = size_of_heap(said[0]), other = size_of_heap(said[1]);
        BoardMoves found;
        const auto leave = [&](std::uint64_t left, std::uint64_t right) {
            const auto text = std::to_string(left) + "," + std::to_string(right);
            found.push_back({text, text});
        };
        for (auto rest = one; rest-- > 0;) leave(rest, other);
        for (auto rest = other; rest-- > 0;) leave(one, rest);
        for (std::uint64_t taken = 1; taken <= std::min(one, other); ++taken) leave(one - taken, other - taken);
        return found;
    }
    Texts parts(const std::string& position) const override { return position == "0,0" ? Texts() : Texts{position}; }
};

}  // namespace

Texts numbers_in(std::string_view text) {
    Texts found;
    for (const auto& part : cut_at(text, ',')) {
        auto digits = stripped(part);
        if (!only_digits(digits) || digits.size() > 4'000)
            throw BadInput("expected numbers with commas between them, such as 12,7");
        const auto first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
        found.push_back(digits.substr(first));
    }
    return found;
}

Texts heaps_of(Texts sizes) {
    std::erase(sizes, "0");
    std::ranges::sort(sizes, [](const std::string& one, const std::string& other) { return smaller(other, one); });
    return sizes;
}

std::string heaps_text(const Texts& heaps) { return heaps.empty() ? "0" : joined_by(heaps, ","); }

unsigned HeapCode::digit(std::uint64_t taken) const {
    if (taken < digits.size()) return digits[std::size_t(taken)];
    return tail.empty() ? 0 : tail[std::size_t((taken - digits.size()) % tail.size())];
}

std::uint64_t HeapCode::longest(std::uint64_t heap) const {
    return tail.empty() ? std::min<std::uint64_t>(heap, digits.size() - 1) : heap;
}

void HeapCode::parted(std::uint64_t rest, unsigned heaps, std::uint64_t most, std::vector<std::uint64_t>& before,
                      std::vector<std::vector<std::uint64_t>>& found) const {
    if (heaps == 0) {
        if (found.size() >= kMostBreaks) throw BadInput("a heap has too many moves for this program");
        if (rest == 0) found.push_back(before);
        return;
    }
    for (auto largest = rest < heaps ? 0 : std::min(rest - heaps + 1, most); largest > 0 && largest * heaps >= rest;
         --largest) {
        before.push_back(largest);
        parted(rest - largest, heaps - 1, unequal ? largest - 1 : largest, before, found);  // at most three deep
        before.pop_back();
    }
}

std::string HeapCode::text() const {
    const auto written = [&](unsigned digit) {
        return std::string(1, "0123456789ABCDEF"[digit]) + (unequal && digit > 3 ? "!" : "");
    };
    std::string after, repeated;
    for (std::size_t i = 1; i < digits.size(); ++i) after += written(digits[i]);
    for (const auto digit : tail) repeated += written(digit);
    if (!tail.empty()) after += "[" + repeated + "]";
    return written(digits[0]) + "." + (after.empty() ? "0" : after);
}

HeapCode read_code(std::string_view text) {
    HeapCode code;
    bool plain = false, marked = false;
    std::size_t at = 0;
    const auto expected = [] { return BadInput("expected a code such as 0.77, 4.0 or 0.3[07]"); };
    const auto digit = [&] {
        const std::string_view all = "0123456789ABCDEF";
        const auto value = at < text.size()
                               ? all.find(text[at] >= 'a' && text[at] <= 'f' ? char(text[at] - 'a' + 'A') : text[at])
                               : all.npos;
        if (value == all.npos) throw expected();
        const bool mark = ++at < text.size() && text[at] == '!';
        if (mark) ++at;
        if (value > 3) (mark ? marked : plain) = true;
        return unsigned(value);
    };
    if (text.starts_with(".")) code.digits.push_back(0);
    else code.digits.push_back(digit());
    if (code.digits[0] % 4 || at >= text.size() || text[at] != '.') throw expected();
    for (++at; at < text.size() && text[at] != '[';) code.digits.push_back(digit());
    if (at < text.size()) {
        for (++at; at < text.size() && text[at] != ']';) code.tail.push_back(digit());
        if (code.tail.empty() || at + 1 != text.size()) throw expected();
    }
    if (plain && marked) throw BadInput("some digits that break heaps have a '!' and others none");
    code.unequal = marked;
    if (std::ranges::all_of(code.tail, [](unsigned tail) { return tail == 0; })) {
        code.tail.clear();
        while (code.digits.size() > 1 && !code.digits.back()) code.digits.pop_back();
    }
    return code;
}

const HeapCode* code_named(const std::string& name) {
    static const std::map<std::string, HeapCode> codes{{"dawson", {{0, 0, 7}}},
                                                       {"dawsonschess", {{0, 1, 3, 7}}},
                                                       {"grundy", {{4}, {}, true}},
                                                       {"kayles", {{0, 7, 7}}}};
    const auto found = codes.find(name);
    return found == codes.end() ? nullptr : &found->second;
}

RulesOf counter_games() {
    RulesOf found;
    for (const std::string name : {"dawson", "dawsonschess", "grundy", "kayles", "nimheaps"})
        found[name] = [name] { return std::make_unique<NamedHeaps>(code_named(name)); };
    for (const auto* name : {"hexadecimal", "octal"}) found[name] = [] { return std::make_unique<CodedHeaps>(); };
    found["partsub"] = [] { return std::make_unique<PartizanSubtraction>(); };
    found["wytqueens"] = [] { return std::make_unique<WythoffQueens>(); };
    return found;
}

}  // namespace checker
