// The reader of QLP files (docs/formats/qlp.md), and what such a program is.
//
// An expression is read term by term. All that could begin at a place is tried: a number, a variable, both; what a sign
// or the end follows is a reading. Two readings are refused as ambiguous, but for a variable that stands where only
// terms belong.
#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "instance.hpp"
#include "program.hpp"

namespace checker {

namespace {

constexpr std::size_t kLongest = 300;  // digits of a number
constexpr int kConstant = -1;          // in the place of a variable

enum Section { kObjective, kRows, kOwn, kBounds, kIntegers, kBinaries, kExists, kForall, kOrder, kEnd, kSections };
constexpr std::pair<std::string_view, Section> kKeywords[] = {
    {"minimize", kObjective}, {"maximize", kObjective},
    {"subject to", kRows},    {"uncertainty subject to", kOwn},
    {"bounds", kBounds},      {"generals", kIntegers},
    {"general", kIntegers},   {"integers", kIntegers},
    {"binaries", kBinaries},  {"binary", kBinaries},
    {"exists", kExists},      {"all", kForall},
    {"order", kOrder},        {"end", kEnd},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\n'; }  // of the text once it was prepared
bool is_letter(char c) { return !is_blank(c) && std::string_view("+-*/<>=:^\\").find(c) == std::string_view::npos; }

bool is_infinite(std::string_view word) {
    const auto small = lower(word);
    return small == "inf" || small == "infinity";
}

bool is_reserved(std::string_view word) {
    const auto small = lower(word);
    return is_infinite(word) || std::ranges::any_of(kKeywords, [&](const auto& keyword) {
               return keyword.first.substr(0, keyword.first.find(' ')) == small;
           });
}

bool is_name(std::string_view text) {
    return !text.empty() && !is_digit(text[0]) && text[0] != '.' && std::ranges::all_of(text, is_letter);
}

// Whether a name can be seen: no mark that formats, none of somebody's own. (What no version of Unicode assigns yet is
// not told from what one does.)
bool is_printable(std::string_view name) {
    constexpr std::pair<std::uint32_t, std::uint32_t> unseen[] = {
        {0x7f, 0x9f},       {0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},       {0x6dd, 0x6dd},
        {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},     {0x180e, 0x180e},     {0x200b, 0x200f},
        {0x202a, 0x202e},   {0x2060, 0x206f},   {0xe000, 0xf8ff},   {0xfdd0, 0xfdef},     {0xfeff, 0xfeff},
        {0xfff0, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},   {0x1bca0, 0x1bca3},
        {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff}, {0xe01f0, 0xfffff}, {0x100000, 0x10ffff},
    };
    return std::ranges::none_of(points_of(name), [&](std::uint32_t point) {
        return (point & 0xfffe) == 0xfffe ||
               std::ranges::any_of(unseen, [&](auto range) { return range.first <= point && point <= range.second; });
    });
}

// The text without comments, with \n at the end of each line and a blank for every other blank.
std::string prepared(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    std::string bare(text);
    for (std::size_t at = 0; at < bare.size();) {
        const auto two = std::string_view(bare).substr(at, 2);
        auto end = at + 1;
        const bool block = two == "/*", line = two == "//" || bare[at] == '\\';
        if (block) {
            end = bare.find("*/", at + 2);
            if (end == std::string::npos) throw BadInput("the comment is not closed, expected */");
            end += 2;
        } else if (line) {
            end = std::min(bare.find_first_of("\r\n", at), bare.size());
        }
        for (; at < end; ++at)
            if ((block || line) && bare[at] != '\r' && bare[at] != '\n') bare[at] = ' ';
    }
    std::string_view rest = bare;
    if (rest.starts_with(mark)) rest.remove_prefix(mark.size());
    std::string made;
    made.reserve(rest.size());
    for (std::size_t at = 0; at < rest.size(); ++at) {
        const auto c = static_cast<unsigned char>(rest[at]);
        if (c == '\r') {
            if (rest.substr(at + 1, 1) != "\n") made += '\n';
        } else if (c < 0x20 || c == 0x7f) {
            if (c != '\n' && c != '\t') throw BadInput("a control character, expected a text");
            made += c == '\n' ? '\n' : ' ';
        } else if (c < 0x80) {
            made += static_cast<char>(c);
        } else {
            const std::size_t size = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
            const auto point = rest.substr(at, size);
            if (stripped(point).empty()) made += ' ';
            else made += point;
            at += size - 1;
        }
    }
    return made;
}

using Read = std::vector<std::pair<int, Rational>>;  // terms in the order of the text, plain numbers among them

std::vector<AtMost> at_most(const Read& terms, std::string_view relation, const Rational& right) {
    std::map<int, Rational> sums;
    for (const auto& [variable, coefficient] : terms) sums[variable] += coefficient;
    AtMost below{{}, right}, above{{}, -right};
    for (const auto& [variable, sum] : sums) {
        if (!sum.sign()) continue;
        below.terms.emplace_back(variable, sum);
        above.terms.emplace_back(variable, -sum);
    }
    if (relation == "<=") return {below};
    if (relation == ">=") return {above};
    return {below, above};
}

// The row that terms and numbers on its left side state.
std::vector<AtMost> moved(const Read& read, std::string_view relation) {
    Rational constant;
    Read terms;
    for (const auto& term : read) {
        if (term.first == kConstant) constant += term.second;
        else terms.push_back(term);
    }
    return at_most(terms, relation, -constant);
}

class Qlp {
public:
    explicit Qlp(std::string_view text) : text_(prepared(text)) {}

    Program program() {
        find_sections();
        need(there_[kOrder], 0, "there is no ORDER");
        const auto order = names(kOrder);
        for (const auto& name : order) order_.emplace(name, int(order_.size()));
        read_bounds();
        declare(order);
        auto [begin, end] = parts_[kObjective];
        if (const auto after = label_end(begin, end)) begin = *after;
        const auto goal = all_blank(begin, end) ? Read() : sum(begin, end, true);
        read_rows(kRows);
        read_rows(kOwn);
        program_.own.insert(program_.own.end(), later_.begin(), later_.end());
        const auto form = moved(goal, "<=").front();
        program_.goal = form.terms, program_.constant = -form.right;
        make_sound();
        return std::move(program_);
    }

private:
    struct Line {
        std::size_t begin, end;
    };

    [[noreturn]] void fail(std::size_t place, const std::string& why) const {
        const auto line = 1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(place), '\n');
        throw BadInput("line " + std::to_string(line) + " of the program: " + why);
    }
    void need(bool holds, std::size_t place, const std::string& why) const {
        if (!holds) fail(place, why);
    }
    std::string_view part(std::size_t begin, std::size_t end) const {
        return std::string_view(text_).substr(begin, end - begin);
    }
    std::string_view trimmed(std::size_t begin, std::size_t end) const {
        while (begin < end && is_blank(text_[begin])) ++begin;
        while (begin < end && is_blank(text_[end - 1])) --end;
        return part(begin, end);
    }
    bool all_blank(std::size_t begin, std::size_t end) const { return trimmed(begin, end).empty(); }

    std::vector<Line> lines(std::size_t begin, std::size_t end) const {
        std::vector<Line> found;
        for (auto at = begin; at < end;) {
            const auto stop = std::min(text_.find('\n', at), end);
            if (stop > at) found.push_back({at, stop});
            at = stop + 1;
        }
        return found;
    }
    std::vector<std::string> words(std::size_t begin, std::size_t end) const {
        std::vector<std::string> found;
        for (auto at = begin; at < end;) {
            const auto from = at;
            while (at < end && !is_blank(text_[at])) ++at;
            if (at > from) found.emplace_back(part(from, at));
            else ++at;
        }
        return found;
    }

    void find_sections() {
        struct Found {
            Section section;
            std::string keyword;
            Line line;
        };
        std::vector<Found> found;
        for (const auto& line : lines(0, text_.size())) {
            std::string said;
            for (const auto& word : words(line.begin, line.end)) said += (said.empty() ? "" : " ") + lower(word);
            for (const auto& [keyword, section] : kKeywords)
                if (keyword == said) found.push_back({section, said, line});
        }
        const bool begins = !found.empty() && found[0].section == kObjective && all_blank(0, found[0].line.begin);
        need(begins, 0, "expected MINIMIZE or MAXIMIZE alone on the first line");
        const bool ends = found.back().section == kEnd && all_blank(found.back().line.end, text_.size());
        need(ends, found.back().line.begin, "expected END alone on the last line");
        for (std::size_t i = 0; i + 1 < found.size(); ++i) {
            const auto section = found[i].section;
            need(section != kEnd && !there_[section], found[i].line.begin, found[i].keyword + " a second time");
            there_[section] = true;
            parts_[section] = {found[i].line.end, found[i + 1].line.begin};
        }
        program_.maximise = found[0].keyword == "maximize";
    }

    // The names in a list: all are variables.
    std::vector<std::string> names(Section section) {
        const auto [begin, end] = parts_[section];
        auto found = words(begin, end);
        std::unordered_map<std::string_view, bool> seen;
        for (const auto& name : found) {
            const bool good = is_name(name) && !is_reserved(name) && is_printable(name);
            need(good && seen.emplace(name, true).second, begin, name.substr(0, 40) + " is no new name of a variable");
            need(section == kOrder || order_.contains(name), begin, name.substr(0, 40) + " is not in ORDER");
        }
        return found;
    }
    std::vector<bool> marked(Section section) {
        std::vector<bool> marks(order_.size());
        for (const auto& name : names(section)) marks[std::size_t(order_.at(name))] = true;
        return marks;
    }

    void declare(const std::vector<std::string>& order) {
        const auto exists = marked(kExists), forall = marked(kForall), integers = marked(kIntegers);
        const auto binaries = marked(kBinaries);
        for (std::size_t i = 0; i < order.size(); ++i) {
            need(exists[i] != forall[i], 0, order[i] + " is not in one of EXISTS and ALL");
            auto lower = lower_.find(int(i)), upper = upper_.find(int(i));
            const bool low = lower != lower_.end(), high = upper != upper_.end(), binary = binaries[i];
            need(binary || (low && high), 0, order[i] + " has not a lower and an upper bound");
            Variable made{order[i], forall[i], binary || integers[i], low ? lower->second : Rational(0),
                          high ? upper->second : Rational(1)};
            const bool within = made.lower && made.upper && made.lower->sign() >= 0 && *made.upper <= Rational(1);
            need(!binary || within, 0, "the binary variable " + order[i] + " has bounds beyond 0 and 1");
            program_.variables.push_back(std::move(made));
        }
    }

    static std::size_t relation_at(std::string_view text, std::size_t from, std::size_t& size) {
        for (auto at = from; at < text.size(); ++at) {
            const bool two = (text[at] == '<' || text[at] == '>') && text.substr(at + 1, 1) == "=";
            if (two || text[at] == '=') return size = two ? 2 : 1, at;
        }
        return std::string_view::npos;
    }

    void read_bounds() {
        const auto [begin, end] = parts_[kBounds];
        for (const auto& line : lines(begin, end)) {
            if (all_blank(line.begin, line.end)) continue;
            std::vector<std::string_view> sides, relations;
            const auto text = part(line.begin, line.end);
            const auto side = [&](std::size_t from, std::size_t to) {
                sides.push_back(trimmed(line.begin + from, line.begin + to));
            };
            std::size_t from = 0, size = 0;
            for (std::size_t at; (at = relation_at(text, from, size)) != std::string_view::npos; from = at + size) {
                side(from, at);
                relations.push_back(text.substr(at, size));
            }
            side(from, text.size());
            std::vector<std::size_t> named;
            for (std::size_t i = 0; i < sides.size(); ++i)
                if (is_name(sides[i]) && !is_infinite(sides[i])) named.push_back(i);
            const bool one = named.size() == 1 && (sides.size() == 2 || (sides.size() == 3 && named[0] == 1));
            const bool equal = std::ranges::find(relations, "=") != relations.end();
            need(one && (sides.size() == 2 || !equal), line.begin, "expected a bound");
            const auto variable = order_.find(std::string(sides[named[0]]));
            need(variable != order_.end(), line.begin, "what has a bound is not in ORDER");
            for (std::size_t i = 0; i < relations.size(); ++i) {
                const bool right = i == named[0];  // whether the number stands to the right of the variable
                const auto number = sides[i + right];
                const bool upper = (relations[i] == "<=") == right;
                if (relations[i] == "=" || !upper) set_bound(variable->second, false, number, line.begin);
                if (relations[i] == "=" || upper) set_bound(variable->second, true, number, line.begin);
            }
        }
    }
    void set_bound(int variable, bool upper, std::string_view side, std::size_t place) {
        auto& bounds = upper ? upper_ : lower_;
        need(!bounds.contains(variable), place, "a variable has that bound already");
        bool minus = false;
        while (!side.empty() && (is_blank(side[0]) || side[0] == '+' || side[0] == '-')) {
            minus ^= side[0] == '-';
            side.remove_prefix(1);
        }
        if (is_infinite(side) && minus != upper) {
            bounds[variable] = std::nullopt;
            return;
        }
        need(!side.empty() && (plain(side) == side.size() || power(side) == side.size()), place,
             "expected a number for a bound, or inf above or -inf below");
        const auto number = exact(side, place);
        bounds[variable] = minus ? -number : number;
    }

    // Where a label ends that begins a text, with its name in name_.
    std::optional<std::size_t> label_end(std::size_t begin, std::size_t end) {
        while (begin < end && is_blank(text_[begin])) ++begin;
        const auto from = begin;
        while (begin < end && is_letter(text_[begin])) ++begin;
        const auto to = begin;
        while (begin < end && text_[begin] == ' ') ++begin;
        if (to == from || begin == end || text_[begin] != ':') return std::nullopt;
        name_ = part(from, to);
        return begin + 1;
    }

    void read_rows(Section section) {
        constexpr auto none = std::string::npos;
        auto begin = none;
        bool his = false;
        const auto [from, to] = parts_[section];
        for (const auto& line : lines(from, to)) {
            if (const auto after = label_end(line.begin, line.end)) {
                need(begin == none, line.begin, "a row begins, but the one before has no relation");
                begin = *after, his = name_.starts_with("U_");
            } else if (begin == none && !all_blank(line.begin, line.end)) {
                begin = line.begin;
            }
            std::size_t size = 0;
            const auto place = relation_at(part(line.begin, line.end), 0, size);
            if (place == std::string_view::npos) continue;
            const auto at = line.begin + place;
            auto right = sum(at + size, line.end, false);
            const bool numbers = std::ranges::all_of(right, [](const auto& term) { return term.first == kConstant; });
            auto left = sum(begin, at, numbers);
            for (const auto& [variable, number] : right) left.emplace_back(variable, -number);
            auto& rows = section == kOwn ? later_ : his ? program_.own : program_.rows;
            for (auto& row : moved(left, part(at, at + size))) rows.push_back(std::move(row));
            begin = none, his = false;
        }
        need(begin == none, to, "the row has no relation");
    }

    Read sum(std::size_t place, std::size_t end, bool terms_only) const {
        Read terms;
        auto stop = end;
        while (stop > place && is_blank(text_[stop - 1])) --stop;
        while (place < stop || terms.empty()) {
            bool minus = false;
            for (; place < stop && (is_blank(text_[place]) || is_sign(text_[place])); ++place)
                minus ^= text_[place] == '-';
            const auto [number, name, after] = term(place, stop, terms_only);
            const auto value = number.empty() ? Rational(1) : exact(number, place);
            terms.emplace_back(name.empty() ? kConstant : order_.at(std::string(name)), minus ? -value : value);
            place = after;
        }
        return terms;
    }

    struct Reading {  // one way to read a term
        std::string_view number, name;
        std::size_t end;
    };
    static bool is_sign(char c) { return c == '+' || c == '-'; }

    Reading term(std::size_t begin, std::size_t stop, bool terms_only) const {
        std::vector<Reading> found;
        const auto rest = part(begin, stop);
        const auto add = [&](std::string_view number, std::string_view name, std::size_t size) {
            auto next = begin + size;
            while (next < stop && is_blank(text_[next])) ++next;
            if (next == stop || is_sign(text_[next])) found.push_back({number, name, begin + size});
        };
        if (const auto name = variable_at(rest); !name.empty()) add({}, name, name.size());
        for (const auto size : {plain(rest), power(rest)}) {
            if (!size) continue;
            const auto number = rest.substr(0, size);
            add(number, {}, size);
            auto at = size;
            const auto skip = [&] {
                while (at < rest.size() && is_blank(rest[at])) ++at;
            };
            skip();
            if (at < rest.size() && rest[at] == '*') ++at, skip();
            if (const auto name = variable_at(rest.substr(at)); !name.empty()) add(number, name, at + name.size());
        }
        need(!found.empty(), begin, "expected a term: a number, a declared variable, or both, then a sign or the end");
        const bool same = std::ranges::all_of(found, [&](const auto& one) { return one.end == found[0].end; });
        const bool named = std::ranges::any_of(found, [](const auto& one) { return !one.name.empty(); });
        if (terms_only && same && named) std::erase_if(found, [](const auto& one) { return one.name.empty(); });
        need(found.size() == 1, begin, "a term that could be read in two ways");
        return found[0];
    }
    // The declared variable whose name a text begins with, up to what ends a name.
    std::string_view variable_at(std::string_view text) const {
        std::size_t size = 0;
        while (size < text.size() && is_letter(text[size])) ++size;
        const auto name = text.substr(0, size);
        return is_name(name) && order_.contains(std::string(name)) ? name : std::string_view();
    }

    static std::size_t digits(std::string_view text, std::size_t from) {
        auto at = from;
        while (at < text.size() && is_digit(text[at])) ++at;
        return at - from;
    }
    // The length of the decimal number that a text begins with, 0 if there is none.
    static std::size_t decimal(std::string_view text) {
        const auto whole = digits(text, 0);
        if (text.substr(whole, 1) != ".") return whole;
        const auto after = digits(text, whole + 1);
        return whole + after ? whole + 1 + after : 0;
    }
    // The same of a number without an exponent, and with one.
    static std::size_t plain(std::string_view text) {
        const auto whole = digits(text, 0);
        if (whole && text.substr(whole, 1) == "/")
            if (const auto under = digits(text, whole + 1)) return whole + 1 + under;
        return decimal(text);
    }
    static std::size_t power(std::string_view text) {
        auto at = decimal(text);
        if (!at || at == text.size() || (text[at] != 'e' && text[at] != 'E')) return 0;
        if (++at; at < text.size() && is_sign(text[at])) ++at;
        const auto size = digits(text, at);
        return size ? at + size : 0;
    }

    static Rational ten_to(std::size_t exponent) { return Rational::of("1" + std::string(exponent, '0')); }
    static bool too_long(const Rational& number) {
        const auto most = ten_to(kLongest);
        return number.above().size() >= most || number.below() >= most;
    }
    // What a number is, without its sign; one that would be huge is refused before it is computed.
    Rational exact(std::string_view word, std::size_t place) const {
        const auto bar = std::min(word.find('/'), word.size());
        const auto under = word.substr(std::min(bar + 1, word.size()));
        const auto mark = std::min(word.find_first_of("eE"), bar);
        const auto dot = std::min(word.find('.'), mark);
        const auto whole = word.substr(0, dot),
                   decimals = word.substr(std::min(dot + 1, mark), mark - std::min(dot + 1, mark));
        auto exponent = word.substr(std::min(mark + 1, bar), bar - std::min(mark + 1, bar));
        const bool minus = exponent.starts_with("-");
        while (!exponent.empty() && (is_sign(exponent[0]) || exponent[0] == '0')) exponent.remove_prefix(1);
        const auto most = std::max({whole.size(), decimals.size(), under.size()});
        need(most <= kLongest && exponent.size() <= 3, place, "a number is too long");
        const auto power = exponent.empty() ? 0 : int(number(exponent, "exponent"));
        need(power <= int(kLongest), place, "a number is too long");
        const auto below = under.empty() ? Rational(1) : Rational::of(under);
        need(below.sign() != 0, place, "a number divides by 0");
        const auto shift = (minus ? -power : power) - int(decimals.size());
        auto made = Rational::of(std::string(whole) + std::string(decimals)) / below;
        made = shift < 0 ? made / ten_to(std::size_t(-shift)) : made * ten_to(std::size_t(shift));
        need(!too_long(made), place, "a number has too many digits");
        return made;
    }

    // Whole bounds for integers, and what a program must be.
    void make_sound() {
        int last = -1;
        bool mixed = false;
        for (std::size_t i = 0; i < program_.variables.size(); ++i) {
            auto& variable = program_.variables[i];
            auto &low = variable.lower, &high = variable.upper;
            if (variable.forall) last = int(i);
            mixed |= variable.integer && !variable.forall;
            if (!low || !high) {
                need(!variable.integer && !variable.forall, 0, variable.name + " has no bound, expected both");
                continue;
            }
            if (variable.integer) low = low->ceil(), high = high->floor();
            need(*low <= *high, 0, variable.name + " has no value");
        }
        for (int i = 0; mixed && i <= last; ++i)
            need(program_.variables[std::size_t(i)].integer, 0,
                 "a continuous variable is not in a last block of exists");
        for (const auto& row : program_.own)
            for (const auto& [number, coefficient] : row.terms) {
                const auto& variable = program_.variables[std::size_t(number)];
                need(variable.forall && variable.integer, 0, variable.name + " is in a row of forall");
            }
        bool longer = too_long(program_.constant);
        const auto look = [&](const Terms& terms) {
            for (const auto& term : terms) longer |= too_long(term.second);
        };
        for (const auto& variable : program_.variables)
            for (const auto& bound : {variable.lower, variable.upper}) longer |= bound && too_long(*bound);
        look(program_.goal);
        for (const auto* rows : {&program_.rows, &program_.own})
            for (const auto& row : *rows) look(row.terms), longer |= too_long(row.right);
        need(!longer, 0, "a number has more than 300 digits");
    }

    std::string text_, name_;
    std::array<std::pair<std::size_t, std::size_t>, kSections> parts_{};
    std::array<bool, kSections> there_{};
    std::unordered_map<std::string, int> order_;
    std::unordered_map<int, std::optional<Rational>> lower_, upper_;
    std::vector<AtMost> later_;  // of the section of forall's rows, which come after those that a name makes his
    Program program_;
};

std::string listed(const std::vector<std::string>& items) {
    std::string made = "[";
    for (const auto& item : items) made += (made.size() > 1 ? ", " : "") + item;
    return made + "]";
}

std::string stated(const Terms& terms) {
    std::vector<std::string> items;
    for (const auto& [variable, coefficient] : terms)
        items.push_back(listed({std::to_string(variable), json_text(coefficient.text())}));
    return listed(items);
}

std::string stated(const std::vector<AtMost>& rows) {
    std::vector<std::string> items;
    for (const auto& row : rows) items.push_back(listed({stated(row.terms), json_text(row.right.text())}));
    return listed(items);
}

}  // namespace

Program read_qlp(std::string_view text) { return Qlp(text).program(); }

std::string Program::canonical() const {
    const auto bound = [](const std::optional<Rational>& end) { return json_text(end ? end->text() : "None"); };
    std::vector<std::string> named, values;
    for (const auto& v : variables)
        named.push_back(listed({json_text(v.name), json_text(v.forall ? "forall" : "exists"),
                                v.integer ? "true" : "false", bound(v.lower), bound(v.upper)}));
    for (const auto& value : given) values.push_back(json_text(value.text()));
    return listed({listed(named), stated(rows), stated(own), stated(goal), json_text(constant.text()),
                   maximise ? "true" : "false", listed(values)});
}

AtMost Program::asked(const Rational& value) const {
    AtMost row{goal, value - constant};
    if (!maximise) return row;
    for (auto& [variable, coefficient] : row.terms) coefficient = -coefficient;
    row.right = -row.right;
    return row;
}

Rational Program::score(const std::optional<Rational>& value) const {
    if (value) return maximise ? *value : -*value;
    const auto row = asked(Rational(0));
    Rational worst = -row.right;
    for (const auto& [number, coefficient] : row.terms) {
        const auto& variable = (free.empty() ? variables : free)[std::size_t(number)];
        if (const auto& end = coefficient.sign() > 0 ? variable.upper : variable.lower) worst += coefficient * *end;
    }
    return -worst.floor() - Rational(1);
}

Rational Program::most_for_exists(const std::optional<Rational>& value) const {
    if (value)
        for (const auto& [number, coefficient] : asked(Rational(0)).terms) {
            const auto& variable = (free.empty() ? variables : free)[std::size_t(number)];
            // Nothing there is that can be compared with a broken row.
            if (!(coefficient.sign() > 0 ? variable.upper : variable.lower)) return score(value);
        }
    return std::max(score(value), score(std::nullopt));
}

Rational total(const Terms& terms, const std::vector<Rational>& values) {
    Rational sum;
    for (const auto& [variable, coefficient] : terms) sum += coefficient * values[std::size_t(variable)];
    return sum;
}

}  // namespace checker
