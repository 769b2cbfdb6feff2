// The reader of sums in brackets. A text is a row of pieces; whenever a bracket closes, what stands since it was opened
// becomes one game, so there is only ever a row without brackets to understand, and depth costs nothing.
#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>

#include "written_sum.hpp"

namespace checker {

namespace {

constexpr std::size_t kMostStrokes = 100, kMostDigits = 4'000, kMostSizeDigits = 9, kMostPowers = 1'000;

enum class Sign {
    kBlank,
    kNumber,
    kTimes,
    kStar,
    kUps,
    kSwitch,
    kTiny,
    kMiny,
    kSign,
    kBar,
    kComma,
    kOpen,
    kClose,
    kGame
};

struct Piece {
    Sign kind;
    std::size_t at, end;
    std::string_view text;
    std::vector<std::uint32_t> games = {};  // what it has become; several only in `(a, b)`
};
using Row = std::vector<Piece>;

bool digit(char c) { return c >= '0' && c <= '9'; }

// Parts under way, equal ones once.
class Parts {
public:
    std::uint32_t add(PartKind kind, const Dyadic& amount = 0, std::vector<std::uint32_t> left = {},
                      std::vector<std::uint32_t> right = {}) {
        const auto [at, is_new] = places_.try_emplace({kind, amount.text(), left, right}, std::uint32_t(parts_.size()));
        if (is_new) parts_.push_back({kind, amount, std::move(left), std::move(right)});
        return at->second;
    }
    const Written& operator[](std::uint32_t place) const { return parts_[place]; }
    // What the root needs, in the order in which a walk from it ends with each.
    WrittenSum whole(std::uint32_t root) const {
        WrittenSum found;
        std::map<std::uint32_t, std::uint32_t> place;
        for (std::vector<std::uint32_t> stack{root}; !stack.empty();) {
            const auto at = stack.back();
            const auto& part = parts_[at];
            const auto before = stack.size();
            for (const auto* side : {&part.right, &part.left})
                for (auto inner = side->rbegin(); inner != side->rend(); ++inner)
                    if (!place.contains(*inner)) stack.push_back(*inner);
            if (stack.size() != before) continue;
            stack.pop_back();
            if (place.contains(at)) continue;
            auto kept = part;
            for (auto* side : {&kept.left, &kept.right})
                for (auto& inner : *side) inner = place.at(inner);
            place[at] = std::uint32_t(found.parts.size());
            found.parts.push_back(std::move(kept));
        }
        return found;
    }

private:
    std::vector<Written> parts_;
    std::map<std::tuple<PartKind, std::string, std::vector<std::uint32_t>, std::vector<std::uint32_t>>, std::uint32_t>
        places_;
};

class SumReader {
public:
    SumReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    WrittenSum whole() {
        std::vector<Row> rows(1);
        std::vector<Piece> opened;
        for (std::size_t at = 0; at < text_.size();) {
            auto piece = piece_at(at);
            at = piece.end;
            if (piece.kind == Sign::kBlank) continue;
            if (piece.kind == Sign::kOpen) {
                opened.push_back(piece);
                rows.emplace_back();
            } else if (piece.kind == Sign::kClose) {
                if (opened.empty() || (opened.back().text == "(") != (piece.text == ")"))
                    wrong(piece.at, "unexpected " + quoted(piece.at) + ", expected what closes the bracket before it");
                auto begin = opened.back();
                begin.kind = Sign::kGame, begin.end = piece.end;
                begin.games = bracket(rows.back(), begin);
                opened.pop_back(), rows.pop_back();
                rows.back().push_back(std::move(begin));
            } else {
                rows.back().push_back(std::move(piece));
            }
        }
        if (!opened.empty())
            wrong(opened[0].at, "this " + std::string(opened[0].text) + " is never closed, expected " +
                                    (opened[0].text == "{" ? "}" : ")"));
        const auto has = [&](Sign kind) {
            return std::ranges::any_of(rows[0], [&](const Piece& piece) { return piece.kind == kind; });
        };
        if (std::ranges::all_of(rows[0], [](const Piece& piece) { return piece.kind == Sign::kBar; }))
            wrong(0, "no game here, expected a number, a game such as {5|-5} or {|} for zero");
        if (has(Sign::kComma) && !has(Sign::kBar)) wrong(0, "a comma outside of brackets, expected + between games");
        return parts_.whole(games_of(rows[0]).at(0));
    }

private:
    [[noreturn]] void wrong(std::size_t at, const std::string& why) const {
        const auto before = text_.substr(0, at);
        const auto line = 1 + std::ranges::count(before, '\n');
        const auto begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        const auto column = 1 + std::ranges::count_if(before.substr(begin), [](char c) {
                                return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
                            });
        throw BadInput(name_ + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + why);
    }
    std::string quoted(std::size_t at) const {
        std::size_t end = at + 1;
        while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
        return "'" + std::string(text_.substr(at, end - at)) + "'";
    }

    // Pieces

    bool stands(std::size_t at, std::string_view what) const { return text_.substr(at).starts_with(what); }
    bool stands_any(std::size_t at, std::string_view signs) const {
        return at < text_.size() && signs.find(text_[at]) != std::string_view::npos;
    }
    // How long the first of some words is that stands there; 0 if none does.
    std::size_t word(std::size_t at, std::initializer_list<std::string_view> words) const {
        for (const auto one : words)
            if (stands(at, one)) return one.size();
        return 0;
    }
    std::size_t digits(std::size_t at) const {
        std::size_t end = at;
        while (end < text_.size() && digit(text_[end])) ++end;
        return end - at;
    }
    std::size_t repeated(std::size_t at, std::string_view sign) const {
        std::size_t end = at;
        while (stands(end, sign)) end += sign.size();
        return end - at;
    }
    std::size_t blanks(std::size_t at) const {
        auto end = at;
        for (std::size_t length; end < text_.size(); end += length)
            if (stands(end, "#")) length = std::min(text_.find('\n', end), text_.size()) - end;
            else if (!(length = blank_at(text_, end))) break;
        return end - at;
    }
    std::size_t number_length(std::size_t at) const {
        const auto length = digits(at);
        if (!length || !stands_any(at + length, "./")) return length;
        const auto more = digits(at + length + 1);
        return more ? length + 1 + more : length;
    }
    std::size_t times_length(std::size_t at) const {
        if (const auto length = word(at, {"*", "∗"}); length && stands_any(at + length, "{(")) return length;
        const auto length = word(at, {"·"});
        auto next = at + length;
        while (length && next < text_.size() && blank_at(text_, next)) next += blank_at(text_, next);
        return length && stands_any(next, "{(") ? length : 0;
    }
    // Digits between two signs, with these.
    std::size_t between(std::size_t at, std::string_view open, std::string_view close) const {
        if (!stands(at, open)) return 0;
        const auto length = digits(at + 1);
        return length && stands(at + 1 + length, close) ? length + 2 : 0;
    }
    std::size_t star_length(std::size_t at) const {
        const auto length = word(at, {"*", "∗", "★"});
        if (!length) return 0;
        if (const auto more = between(at + length, "[", "]")) return length + more;
        const auto end = length + digits(at + length);
        return stands_any(at + end, "{(") ? 0 : end;
    }
    std::size_t ups_length(std::size_t at) const {
        if (const auto length = word(at, {"^", "↑", "v", "↓"})) {
            if (const auto more = between(at + length, "[", "]")) return length + more;
            if (const auto more = between(at + length, "<", ">")) return length + more;
        }
        if (stands(at, "upstar")) return 6;
        for (const std::string_view arrow : {"^", "↑", "v", "↓"})
            if (const auto length = repeated(at, arrow)) return length + digits(at + length);
        const auto length = word(at, {"⇑", "⇓"});
        return length ? length + digits(at + length) : 0;
    }

    Piece piece_at(std::size_t at) {
        const auto tiny = [&](std::string_view name) {
            return stands(at, name) && stands(at + name.size(), "(") ? name.size() : 0;
        };
        const std::array<std::pair<Sign, std::size_t>, 13> kinds{{
            {Sign::kBlank, blanks(at)},
            {Sign::kNumber, number_length(at)},
            {Sign::kTimes, times_length(at)},
            {Sign::kStar, star_length(at)},
            {Sign::kUps, ups_length(at)},
            {Sign::kSwitch, word(at, {"+-", "±"})},
            {Sign::kTiny, std::max(word(at, {"+_", "⧾"}), tiny("Tiny"))},
            {Sign::kMiny, std::max(word(at, {"-_", "⧿"}), tiny("Miny"))},
            {Sign::kSign, word(at, {"+", "-", "−"})},
            {Sign::kBar, repeated(at, "|")},
            {Sign::kComma, word(at, {","})},
            {Sign::kOpen, word(at, {"{", "("})},
            {Sign::kClose, word(at, {"}", ")"})},
        }};
        for (const auto& [kind, length] : kinds) {
            if (!length) continue;
            if (kind == Sign::kBar && length > kMostStrokes)
                wrong(at, std::to_string(length) + " strokes in one bar, expected at most 100");
            Piece piece{kind, at, at + length, text_.substr(at, length)};
            if (kind == Sign::kNumber) piece.games = {parts_.add(PartKind::kNumber, number(piece.text, at))};
            if (kind == Sign::kStar) piece.games = {star(piece.text, at)};
            if (kind == Sign::kUps) piece.games = {ups(piece.text, at)};
            return piece;
        }
        wrong(at, "unexpected " + quoted(at) + ", expected a number, *, ^, v, +-, a bracket, a bar or a sum");
    }

    Dyadic number(std::string_view text, std::size_t at) const {
        if (text.size() > kMostDigits) wrong(at, "a number of more than 4,000 digits, expected at most so many");
        const auto mark = text.find_first_of("./");
        auto over = Natural::decimal(text.substr(0, mark));
        Natural under(1);
        if (mark != std::string_view::npos) {
            const auto more = Natural::decimal(text.substr(mark + 1));
            if (text[mark] == '/') {
                under = more;
            } else {
                for (auto i = mark + 1; i < text.size(); ++i) under = under * Natural(10);
                over = over * under + more;
            }
        }
        if (under.zero()) wrong(at, std::string(text) + " divides by zero, expected a number such as 3/4");
        const auto common = Natural::divisor(over, under);
        Dyadic found;
        if (!dyadic_of(Integer(false, Natural::quotient(over, common)), Natural::quotient(under, common), found))
            wrong(at, std::string(text) + " is no dyadic rational, expected a denominator that is a power of two");
        return found;
    }
    std::int64_t size(std::string_view text, std::size_t at) const {
        if (text.size() > kMostSizeDigits) wrong(at, "a size of more than 9 digits, expected at most so many");
        return std::int64_t(checker::number(text, "a size"));
    }
    static std::string_view only_digits(std::string_view text) {
        while (!text.empty() && !digit(text.front())) text.remove_prefix(1);
        while (!text.empty() && !digit(text.back())) text.remove_suffix(1);
        return text;
    }
    std::uint32_t star(std::string_view text, std::size_t at) {
        const auto said = only_digits(text);
        return parts_.add(PartKind::kStar, said.empty() ? 1 : size(said, at));
    }
    std::uint32_t ups(std::string_view text, std::size_t at) {
        const bool upwards = text.starts_with("^") || text.starts_with("↑") || text.starts_with("⇑");
        if (text == "upstar")
            return parts_.add(PartKind::kSum, 0, {parts_.add(PartKind::kUp, 1), parts_.add(PartKind::kStar, 1)});
        if (text.ends_with("]") || text.ends_with(">")) return power(text, at, upwards);
        const auto said = only_digits(text);
        const auto arrows = text.substr(0, text.size() - said.size());
        const bool twofold = arrows == "⇑" || arrows == "⇓";
        const auto count = twofold ? 2 : arrows.size() / (arrows[0] == '^' || arrows[0] == 'v' ? 1 : 3);
        if (!said.empty() && count > 1) wrong(at, std::string(text) + " counts its arrows twice, expected one of them");
        const auto ups = said.empty() ? std::int64_t(count) : size(said, at);
        return parts_.add(PartKind::kUp, upwards ? ups : -ups);
    }
    // ^[n] = {^[n-1] | *} and ^<n> = {0 | v[n-1]*}; the same of down.
    std::uint32_t power(std::string_view text, std::size_t at, bool upwards) {
        const bool single = text.ends_with(">");
        const auto count = size(only_digits(text), at);
        if (count < single || count > std::int64_t(kMostPowers))
            wrong(at, std::string(text) + ", expected a power up to 1000");
        const auto star = parts_.add(PartKind::kStar, 1), up = parts_.add(PartKind::kUp, 1),
                   zero = parts_.add(PartKind::kNumber);
        std::vector<std::uint32_t> powers{zero, up};
        while (std::int64_t(powers.size()) <= count)
            powers.push_back(parts_.add(PartKind::kOptions, 0, {powers.back()}, {star}));
        auto found = powers[std::size_t(count)];
        if (single && count > 1) {
            const auto lower = parts_.add(PartKind::kMinus, 0, {powers[std::size_t(count) - 1]});
            found = parts_.add(PartKind::kOptions, 0, {zero}, {parts_.add(PartKind::kSum, 0, {lower, star})});
        }
        return upwards ? found : parts_.add(PartKind::kMinus, 0, {found});
    }

    // Rows without brackets

    using Some = std::span<const Piece>;

    std::vector<std::uint32_t> bracket(const Row& row, const Piece& begin) {
        const bool bars = std::ranges::any_of(row, [](const Piece& piece) { return piece.kind == Sign::kBar; });
        if (begin.text == "{" && !bars)
            wrong(begin.at, "no bar between these brackets, expected {left options | right options}");
        if (row.empty()) wrong(begin.at, "nothing between these brackets, expected a game");
        return games_of(row);
    }
    // The games with commas between them; with bars, the one game that these make, the longest bar outermost. Each
    // level has shorter bars, so this is at most kMostStrokes deep.
    std::vector<std::uint32_t> games_of(Some row) {
        std::size_t longest = 0, place = 0;
        for (std::size_t i = 0; i < row.size(); ++i)
            if (row[i].kind == Sign::kBar && row[i].text.size() > longest) longest = row[i].text.size(), place = i;
        if (!longest) return listed(row);
        for (std::size_t i = place + 1; i < row.size(); ++i)
            if (row[i].kind == Sign::kBar && row[i].text.size() == longest)
                wrong(row[i].at,
                      "a second bar of " + std::to_string(longest) + " at the same level, expected brackets");
        auto left = games_of(row.first(place));
        return {parts_.add(PartKind::kOptions, 0, std::move(left), games_of(row.subspan(place + 1)))};
    }
    std::vector<std::uint32_t> listed(Some row) {
        std::vector<std::uint32_t> found;
        for (std::size_t begin = 0, end = 0; !row.empty() && end <= row.size(); ++end) {
            if (end < row.size() && row[end].kind != Sign::kComma) continue;
            if (end == begin)
                wrong(row[std::min(end, row.size() - 1)].at, "a comma with nothing beside it, expected a game");
            found.push_back(added(row.subspan(begin, end - begin)));
            begin = end + 1;
        }
        return found;
    }
    std::uint32_t added(Some row) {
        std::vector<std::uint32_t> terms;
        for (std::size_t at = 0; at < row.size();) at = term(row, at, terms);
        return terms.size() == 1 ? terms[0] : parts_.add(PartKind::kSum, 0, terms);
    }
    std::uint32_t negative(std::uint32_t game) { return parts_.add(PartKind::kMinus, 0, {game}); }
    std::uint32_t one(const Piece& piece) const {
        if (piece.games.size() > 1) wrong(piece.at, "a comma between ( and ), expected + between games");
        return piece.games.at(0);
    }
    static bool is_sign(Sign kind) {
        return kind == Sign::kSign || kind == Sign::kSwitch || kind == Sign::kTiny || kind == Sign::kMiny;
    }
    // Reads the signs before a term and the term itself; the place after it.
    std::size_t term(Some row, std::size_t at, std::vector<std::uint32_t>& terms) {
        bool minus = false;
        if (!terms.empty()) {
            const auto kind = row[at].kind;
            if (kind == Sign::kTimes) return multiplied(row, at, terms);
            if (kind != Sign::kSign && kind != Sign::kSwitch)
                wrong(row[at].at, "two games side by side, expected +, -, a comma or a bar between them");
            if (row[at].text == "±") wrong(row[at].at, "± after a game, expected + before it");
            minus = row[at++].text != "+";  // also in "+-": between terms it is plus and minus
        }
        std::vector<const Piece*> signs;  // those of switches and tiny games, and what stands after them
        for (; at < row.size() && is_sign(row[at].kind); ++at)
            if (row[at].kind != Sign::kSign || !signs.empty()) signs.push_back(&row[at]);
            else if (row[at].text != "+") minus = !minus;
        if (at == row.size()) wrong(row[at - 1].at, "a sign with nothing after it, expected a game");
        if (row[at].kind == Sign::kTimes) wrong(row[at].at, "this * multiplies, expected a whole number before it");
        const auto read = with_signs(signs, row[at]);
        terms.push_back(minus ? negative(read) : read);
        for (; at + 1 < row.size() && close(row[at], row[at + 1]); ++at)
            terms.back() = parts_.add(PartKind::kSum, 0, {terms.back(), row[at + 1].games.at(0)});
        return at + 1;
    }
    // Whether the second piece is written close to the first, to be added to it.
    static bool close(const Piece& first, const Piece& second) {
        const auto small = [](Sign kind) { return kind == Sign::kStar || kind == Sign::kUps; };
        return (first.kind == Sign::kNumber || small(first.kind)) && small(second.kind) && second.at == first.end;
    }
    std::uint32_t with_signs(const std::vector<const Piece*>& signs, const Piece& piece) {
        auto games = piece.games;
        for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) {
            if ((*sign)->kind == Sign::kSwitch) {
                std::vector<std::uint32_t> others;
                for (const auto game : games) others.push_back(negative(game));
                games = {parts_.add(PartKind::kOptions, 0, games, others)};
                continue;
            }
            if (games.size() > 1) one(piece);
            if ((*sign)->kind == Sign::kSign) games = {(*sign)->text == "+" ? games[0] : negative(games[0])};
            else games = {tiny((*sign)->kind == Sign::kTiny, games[0])};
        }
        if (games.size() > 1) one(piece);
        return games.at(0);
    }
    // +_G = {0 | {0 | -G}}, and -_G is the negative of that.
    std::uint32_t tiny(bool plus, std::uint32_t game) {
        const auto zero = parts_.add(PartKind::kNumber);
        const auto reply = parts_.add(PartKind::kOptions, 0, {zero}, {negative(game)});
        const auto found = parts_.add(PartKind::kOptions, 0, {zero}, {reply});
        return plus ? found : negative(found);
    }
    // So many copies of the bracket that follows; the number stands before, perhaps with a minus.
    std::size_t multiplied(Some row, std::size_t at, std::vector<std::uint32_t>& terms) {
        auto count = parts_[terms.back()];
        terms.pop_back();
        const bool minus = count.kind == PartKind::kMinus;
        if (minus) count = Written(parts_[count.left[0]]);
        if (count.kind != PartKind::kNumber || !count.amount.whole())
            wrong(row[at].at, "this * multiplies, expected a whole number before it");
        const auto copies = parts_.add(PartKind::kCopies, count.amount, {one(row[at + 1])});
        terms.push_back(minus ? negative(copies) : copies);
        return at + 2;
    }

    std::string_view text_;
    const std::string& name_;
    Parts parts_;
};

}  // namespace

std::size_t blank_at(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) return (first >= 9 && first <= 13) || (first >= 28 && first <= 32);
    for (std::size_t length = 2; length <= 3; ++length)
        if (const auto one = text.substr(at, length); one.size() == length && stripped(one).empty()) return length;
    return 0;
}

WrittenSum read_sum(std::string_view text, const std::string& name) { return SumReader(text, name).whole(); }

std::string WrittenSum::statement() const {
    constexpr const char* kinds[] = {"number", "star", "up", "options", "sum", "minus", "copies"};
    std::string lines = "WrittenSum";
    for (const auto& part : parts) {
        const auto joined = [](const std::vector<std::uint32_t>& places) {
            std::string text;
            for (const auto place : places) text += (text.empty() ? "" : " ") + std::to_string(place);
            return text;
        };
        lines += std::string("\n") + kinds[std::size_t(part.kind)] + " " + part.amount.text();
        if (part.kind >= PartKind::kOptions) lines += " " + joined(part.left);
        if (part.kind == PartKind::kOptions) lines += "|" + joined(part.right);
    }
    return lines;
}

GameIds WrittenSum::components(ShortGames& games) const {
    constexpr std::size_t kMost = 1'000'000;
    constexpr std::int64_t kLargestHeap = 1'000;
    std::vector<GameIds> made;
    const auto need = [&](bool holds) {
        if (!holds) throw BadInput("a sum of more than 1,000,000 games: none so large is played");
    };
    const auto few = [&](const Integer& count, std::size_t of) {
        const auto size = count.size();
        need(size.bits() < 32 && size.low() * of <= kMost);
        return std::size_t(size.low());
    };
    for (const auto& part : parts) {
        GameIds now;
        const auto first = [&]() -> const GameIds& { return made[part.left[0]]; };
        const auto trees = [&](const std::vector<std::uint32_t>& places) {
            GameIds found;
            for (const auto place : places)
                found.push_back(made[place].size() == 1 ? made[place][0] : games.together(made[place]));
            return found;
        };
        switch (part.kind) {
            case PartKind::kNumber: now = {games.number(part.amount)}; break;
            case PartKind::kStar:
                if (part.amount > Dyadic(kLargestHeap))
                    throw BadInput("a nim heap as a tree is too large, at most *1000");
                now = {games.nimber(std::uint64_t(part.amount.over().small()))};
                break;
            case PartKind::kUp:
                now.assign(few(part.amount.over(), 1),
                           part.amount.negative() ? games.negative(games.up()) : games.up());
                break;
            case PartKind::kOptions: {
                auto left = trees(part.left);
                now = {games.node(std::move(left), trees(part.right))};
                break;
            }
            case PartKind::kSum:
                for (const auto place : part.left)
                    now.insert(now.end(), made[place].begin(), made[place].end()), need(now.size() <= kMost);
                break;
            case PartKind::kMinus:
                for (const auto game : first()) now.push_back(games.negative(game));
                break;
            case PartKind::kCopies:
                for (auto left = few(part.amount.over(), std::max<std::size_t>(1, first().size())); left; --left)
                    now.insert(now.end(), first().begin(), first().end());
                break;
        }
        games.work().keep(1 + now.size() / 8);
        made.push_back(std::move(now));
    }
    return made.back();
}

GameId WrittenSum::value(ShortGames& games) const {
    GameIds made;
    for (const auto& part : parts) {
        const auto inner = [&](const std::vector<std::uint32_t>& places) {
            GameIds found;
            for (const auto place : places) found.push_back(made[place]);
            return found;
        };
        const auto left = inner(part.left);
        auto now = ShortGames::kZero;
        switch (part.kind) {
            case PartKind::kNumber: now = games.number(part.amount); break;
            case PartKind::kStar: now = games.nimber(std::uint64_t(part.amount.over().small())); break;
            case PartKind::kUp:
                now =
                    games.copies(part.amount.over(), part.amount.negative() ? games.negative(games.up()) : games.up());
                break;
            case PartKind::kOptions: now = games.canonical(left, inner(part.right)); break;
            case PartKind::kSum:
                for (const auto game : left) now = games.sum(now, game);
                break;
            case PartKind::kMinus: now = games.negative(left[0]); break;
            case PartKind::kCopies: now = games.copies(part.amount.over(), left[0]); break;
        }
        games.work().step();
        made.push_back(now);
    }
    return made.back();
}

}  // namespace checker
