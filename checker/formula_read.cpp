// Readers of formulas: QCIR-G14 in prenex form (docs/formats/qcir.md) and QDIMACS (docs/formats/qdimacs.md).
#include <algorithm>
#include <functional>
#include <set>

#include "formula.hpp"

namespace checker {

namespace {

[[noreturn]] void refuse(std::size_t line, const std::string& why) {
    throw BadInput("line " + std::to_string(line) + " of the formula: " + why);
}

void need(bool holds, std::size_t line, const std::string& why) {
    if (!holds) refuse(line, why);
}

// The lines of a text, without the marks of their ends; no text has other characters for control.
std::vector<std::string> lines_of(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
        if (c == '\n' || c == '\r') {
            lines.emplace_back();
            continue;
        }
        need(c == '\t' || (c >= 0x20 && c != 0x7f), lines.size(), "a control character, expected a text");
        lines.back().push_back(static_cast<char>(c));
    }
    return lines;
}

bool blank(char c) { return c == ' ' || c == '\t'; }
bool in_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool all_digits(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

// Words and single signs; blanks only keep words apart.
std::vector<std::string> tokens_of(std::string_view text, std::size_t line) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        if (blank(text[at])) {
            ++at;
        } else if (in_word(text[at])) {
            const auto begin = at;
            while (at < text.size() && in_word(text[at])) ++at;
            found.emplace_back(text.substr(begin, at - begin));
        } else {
            need(std::string_view("=(),;-").find(text[at]) != std::string_view::npos, line, "no statement of QCIR");
            found.emplace_back(1, text[at++]);
        }
    }
    return found;
}

struct Statement {
    std::size_t line;
    std::string name, kind;
    std::vector<std::pair<std::string, bool>> inputs;  // with whether they are negated
};

// NAME = KIND(INPUT, ...), or the same without a name.
Statement statement_of(std::string_view text, std::size_t line) {
    const auto tokens = tokens_of(text, line);
    std::size_t at = 0;
    const auto is = [&](const char* sign) { return at < tokens.size() && tokens[at] == sign; };
    const auto word = [&] {
        need(at < tokens.size() && in_word(tokens[at][0]), line, "expected a name");
        return tokens[at++];
    };
    const auto take = [&](const char* sign) {
        need(is(sign), line, std::string("expected ") + sign);
        ++at;
    };
    Statement made{line, "", word(), {}};
    if (is("=")) ++at, made.name = made.kind, made.kind = word();
    made.kind = lower(made.kind);
    if (!made.name.empty() && (made.kind == "exists" || made.kind == "forall"))
        refuse(line, "quantifiers inside the circuit are for the checker in Python");
    take("(");
    if (!is(")")) {
        do {
            const bool negated = is("-");
            at += negated;
            made.inputs.emplace_back(word(), negated);
        } while (is(",") && ++at);
    }
    take(")");
    need(at == tokens.size(), line, "something stands after the statement");
    return made;
}

class QcirReader {
public:
    Formula formula(const std::string& text) {
        const auto lines = lines_of(text);
        for (std::size_t i = 0; i < lines.size(); ++i) read(lines[i], i + 1);
        need(has_output_, lines.size(), "there is no output");
        for (const auto& [name, literal] : literals_) formula_.names[literal >> 1] = name;
        make_gates();
        formula_.output = literal(output_.inputs[0]);
        free_.insert(free_.end(), blocks_.begin(), blocks_.end());
        formula_.blocks = joined(free_);
        return std::move(formula_);
    }

private:
    void read(const std::string& line, std::size_t number) {
        const auto text = trimmed(std::string_view(line).substr(0, line.find('#')));
        if (text.empty()) return look_at_comment(trimmed(line), number);
        auto stated = statement_of(text, number);
        const auto& kind = stated.kind;
        if (!stated.name.empty()) return take_gate(std::move(stated));
        if (kind == "exists" || kind == "forall" || kind == "free") return declare(stated);
        need(kind == "output", number, "no statement of QCIR");
        need(stated.inputs.size() == 1, number, "expected output(LITERAL)");
        need(!has_output_, number, "a second output");
        has_output_ = true;
        output_ = std::move(stated);
    }
    // A header may state how many variables there are, and nothing else.
    static void look_at_comment(std::string_view text, std::size_t number) {
        if (!text.starts_with('#')) return;
        text = trimmed(text.substr(1));
        constexpr std::string_view word = "qcir-g14";
        if (lower(text.substr(0, word.size())) != word) return;
        text.remove_prefix(word.size());
        if (text.empty() || !blank(text[0])) return;
        need(all_digits(trimmed(text)), number, "expected a number after QCIR-G14, or nothing");
    }
    void declare(const Statement& stated) {
        need(gates_.empty(), stated.line, "the prefix goes on after a gate");
        Block block{stated.kind != "forall", {}};
        for (const auto& [name, negated] : stated.inputs) {
            need(!negated && !literals_.contains(name), stated.line, name + ": expected each variable once");
            literals_[name] = formula_.circuit.variable();
            block.variables.push_back(literals_[name] >> 1);
        }
        (stated.kind == "free" ? free_ : blocks_).push_back(std::move(block));
    }
    void take_gate(Statement stated) {
        const auto count = stated.inputs.size();
        const auto& kind = stated.kind;
        const bool fits =
            kind == "and" || kind == "or" || (kind == "xor" && count >= 2) || (kind == "ite" && count == 3);
        need(fits, stated.line, "no gate of QCIR");
        need(!places_.contains(stated.name) && !literals_.contains(stated.name), stated.line, "the name is taken");
        places_[stated.name] = gates_.size();
        gates_.push_back(std::move(stated));
    }
    Wire literal(const std::pair<std::string, bool>& input) const {
        return literals_.at(input.first) ^ Wire { input.second };
    }
    void make_gates() {
        const auto need_known = [&](const Statement& stated) {
            for (const auto& [name, negated] : stated.inputs)
                need(places_.contains(name) || literals_.contains(name), stated.line, name + ": unknown name");
        };
        for (const auto& gate : gates_) need_known(gate);
        need_known(output_);
        std::vector<bool> begun(gates_.size());
        for (std::size_t first = 0; first < gates_.size(); ++first)
            for (std::vector<std::size_t> pending{first}; !pending.empty();) {
                const auto at = pending.back();
                std::vector<std::size_t> missing;
                for (const auto& [name, negated] : gates_[at].inputs)
                    if (!literals_.contains(name)) missing.push_back(places_.at(name));
                if (missing.empty()) make(gates_[at]), pending.pop_back();
                else need(!begun[at], gates_[at].line, "a gate depends on itself");
                begun[at] = true;
                pending.insert(pending.end(), missing.begin(), missing.end());
            }
    }
    void make(const Statement& stated) {
        std::vector<Wire> inputs;
        for (const auto& input : stated.inputs) inputs.push_back(literal(input));
        const auto kind = stated.kind == "and"   ? Gate::kAnd
                          : stated.kind == "or"  ? Gate::kOr
                          : stated.kind == "xor" ? Gate::kXor
                                                 : Gate::kIte;
        literals_[stated.name] = formula_.circuit.gate(kind, inputs);
    }

    Formula formula_;
    std::unordered_map<std::string, Wire> literals_;  // of variables, and of the gates that are made
    std::unordered_map<std::string, std::size_t> places_;
    std::vector<Statement> gates_;
    std::vector<Block> free_, blocks_;
    Statement output_{0, "", "", {}};
    bool has_output_ = false;
};

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words(1);
    for (const char c : line) {
        if (!blank(c)) words.back().push_back(c);
        else if (!words.back().empty()) words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

struct WordLine {
    std::size_t number;
    std::vector<std::string> words;
};

std::int64_t number_in(const WordLine& line, const std::string& word, std::int64_t least, std::int64_t most) {
    const auto digits = std::string_view(word).substr(word.starts_with("-") ? 1 : 0);
    need(!digits.empty() && digits.size() <= 9 && all_digits(digits), line.number, word + ": expected a whole number");
    const auto value = std::stoll(word);
    need(least <= value && value <= most, line.number, word + ": out of range");
    return value;
}

// A line `e 1 2 0` or `a 3 0`.
std::vector<std::int64_t> block_in(const WordLine& line, std::int64_t most, std::set<std::int64_t>& bound) {
    std::vector<std::int64_t> block;
    for (std::size_t at = 1; at < line.words.size(); ++at) block.push_back(number_in(line, line.words[at], 0, most));
    need(!block.empty() && block.back() == 0, line.number, "the block has no end, expected 0");
    block.pop_back();
    for (const auto variable : block)
        need(variable && bound.insert(variable).second, line.number, "expected a variable that is not bound yet");
    return block;
}

}  // namespace

Formula read_qcir(const std::string& text) { return QcirReader().formula(text); }

Formula read_qdimacs(const std::string& text) {
    std::vector<WordLine> lines;
    const auto all = lines_of(text);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (auto words = words_of(all[i]); !words.empty() && words[0][0] != 'c') lines.push_back({i + 1, words});
    need(!lines.empty(), 1, "there is no header");
    const auto& header = lines[0];
    const bool sizes = header.words.size() == 4 && header.words[0] == "p" && header.words[1] == "cnf" &&
                       header.words[2][0] != '-' && header.words[3][0] != '-';
    need(sizes, header.number, "expected p cnf VARIABLES CLAUSES");
    const auto most = number_in(header, header.words[2], 0, 999'999'999);
    const auto count = number_in(header, header.words[3], 0, 999'999'999);
    std::vector<std::pair<bool, std::vector<std::int64_t>>> prefix{{true, {}}};
    std::set<std::int64_t> bound, unbound;
    std::size_t at = 1;
    for (; at < lines.size() && (lines[at].words[0] == "e" || lines[at].words[0] == "a"); ++at)
        prefix.emplace_back(lines[at].words[0] == "e", block_in(lines[at], most, bound));
    std::vector<std::vector<std::int64_t>> clauses(1);
    for (; at < lines.size(); ++at)
        for (const auto& word : lines[at].words) {
            const auto number = number_in(lines[at], word, -most, most);
            if (!number) clauses.emplace_back();
            else clauses.back().push_back(number);
            if (number && !bound.contains(std::abs(number))) unbound.insert(std::abs(number));
        }
    need(clauses.back().empty(), all.size(), "the last clause has no end, expected 0");
    clauses.pop_back();
    need(std::int64_t(clauses.size()) == count, header.number, "another number of clauses is stated");
    prefix[0].second.assign(unbound.begin(), unbound.end());  // free variables are chosen first

    Formula formula;
    std::unordered_map<std::int64_t, Wire> literals;
    std::vector<Block> blocks;
    for (const auto& [exists, numbers] : prefix) {
        blocks.push_back({exists, {}});
        for (const auto number : numbers) {
            literals[number] = formula.circuit.variable();
            blocks.back().variables.push_back(literals[number] >> 1);
            formula.names[literals[number] >> 1] = std::to_string(number);
        }
    }
    std::vector<Wire> made;
    for (const auto& clause : clauses) {
        std::vector<Wire> inputs;
        for (const auto number : clause) inputs.push_back(literals.at(std::abs(number)) ^ Wire{number < 0});
        made.push_back(formula.circuit.gate(Gate::kOr, inputs));
    }
    formula.output = formula.circuit.gate(Gate::kAnd, made);
    formula.blocks = joined(blocks);
    return formula;
}

}  // namespace checker
