// From the text of a rulesheet to its rules.
#include <algorithm>
#include <map>

#include "certificate.hpp"
#include "sheet.hpp"

namespace checker {

namespace {

constexpr std::size_t kMostWords = 1'000'000;

struct Group {  // a word, or what stands in a pair of parentheses
    bool word;
    std::string text;
    std::vector<Group> parts;
    std::size_t line;
};

[[noreturn]] void refuse(std::size_t line, const std::string& why) {
    throw BadInput("line " + std::to_string(line) + ": " + why);
}

bool blank(char c) { return (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= ' '); }

// The words and groups of a text's top level.
std::vector<Group> groups_of(const std::string& text) {
    std::vector<Group> stack{{false, "", {}, 1}};
    std::size_t line = 1, count = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '\n') ++line;
        if (blank(c)) {
            ++at;
            continue;
        }
        if (++count > kMostWords) refuse(line, "too many words for a rulesheet");
        if (c == ';') {
            while (at < text.size() && text[at] != '\n') ++at;
        } else if (c == '(') {
            if (stack.size() > kDeepestTerm) refuse(line, "nested too deeply");
            stack.push_back({false, "", {}, line});
            ++at;
        } else if (c == ')') {
            if (stack.size() == 1) refuse(line, "this parenthesis closes nothing");
            auto done = std::move(stack.back());
            stack.pop_back();
            stack.back().parts.push_back(std::move(done));
            ++at;
        } else {
            const auto begin = at;
            for (; at < text.size() && !blank(text[at]) && text[at] != '(' && text[at] != ')' && text[at] != ';'; ++at)
                if (text[at] < ' ' || text[at] > '~') refuse(line, "this program reads words of printable ASCII");
            stack.back().parts.push_back({true, text.substr(begin, at - begin), {}, line});
        }
    }
    if (stack.size() > 1) refuse(stack.back().line, "this parenthesis is never closed");
    return std::move(stack.front().parts);
}

constexpr std::string_view kMeant[] = {"role",     "init", "true", "legal", "does", "next",
                                       "terminal", "goal", "base", "input", "sees", "distinct"};

std::string relation_name(const std::string& name) {
    return std::ranges::count(kMeant, std::string_view(lower(name))) ? lower(name) : name;
}

std::string constant_name(const std::string& name) { return lower(name) == "random" ? "random" : name; }

bool connective(const std::string& word) { return word == "not" || word == "or" || word == "and"; }

Term term_of(const Group& group) {
    if (group.word) {
        if (group.text == "?") refuse(group.line, "a question mark alone, expected a variable such as ?x");
        return {constant_name(group.text), {}};
    }
    if (group.parts.empty() || !group.parts[0].word || group.parts[0].text.starts_with("?"))
        refuse(group.line, "expected a name after a parenthesis");
    Term term{group.parts[0].text, {}};
    for (std::size_t i = 1; i < group.parts.size(); ++i) term.arguments.push_back(term_of(group.parts[i]));
    if (term.arguments.empty()) term.name = constant_name(term.name);
    return term;
}

Term atom_of(const Group& group, bool in_body) {
    auto atom = term_of(group);
    atom.name = relation_name(atom.name);
    const auto name = lower(atom.name);
    if (name.starts_with("?") || connective(name) || name == "<=" || (name == "distinct" && !in_body))
        refuse(group.line, atom.name + " cannot stand here, expected a relation");
    return atom;
}

// A rule as the text of the digest has it: variables are numbered as they come.
class Written {
public:
    std::string text;

    void term(const Term& term) {
        if (term.arguments.empty()) return word(renamed(term));
        atom(term);
    }
    void atom(const Term& atom) {
        text += '[';
        word(atom.name);
        for (const auto& argument : atom.arguments) text += ',', term(argument);
        text += ']';
    }
    void word(const std::string& word) {
        text += '"';
        for (const char c : word) text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
        text += '"';
    }

private:
    std::string renamed(const Term& term) {
        if (!term.variable()) return term.name;
        return "?" + std::to_string(numbers_.try_emplace(term.name, numbers_.size()).first->second);
    }
    std::map<std::string, std::size_t> numbers_;
};

// Adds a formula, which holds or fails, to a conjunction, and writes it.
void add_formula(const Group& group, bool holds, Body& into, Written& written) {
    const auto word =
        !group.word && !group.parts.empty() && group.parts[0].word ? lower(group.parts[0].text) : std::string();
    if (!connective(word)) {
        into.literals.push_back({holds, atom_of(group, true)});
        return written.atom(into.literals.back().atom);
    }
    if (word == "not" && group.parts.size() != 2) refuse(group.line, "not has one argument");
    const bool conjunction = word == "not" || (word == "and") == holds;
    std::vector<Body> branches;
    written.text += '[';
    written.word(word);
    for (std::size_t i = 1; i < group.parts.size(); ++i) {
        written.text += ',';
        if (!conjunction) branches.emplace_back();
        add_formula(group.parts[i], word == "not" ? !holds : holds, conjunction ? into : branches.back(), written);
    }
    written.text += ']';
    if (conjunction) return;
    if (branches.size() != 1) return into.choices.push_back(std::move(branches));
    for (auto& literal : branches[0].literals) into.literals.push_back(std::move(literal));
    for (auto& choice : branches[0].choices) into.choices.push_back(std::move(choice));
}

void add_literals(const Body& body, std::vector<Literal>& into) {
    into.insert(into.end(), body.literals.begin(), body.literals.end());
    for (const auto& choice : body.choices)
        for (const auto& branch : choice) add_literals(branch, into);
}

Rule rule_of(const Group& group, std::string& canonical) {
    const bool arrow = !group.word && group.parts.size() > 1 && group.parts[0].word && group.parts[0].text == "<=";
    Rule rule{atom_of(arrow ? group.parts[1] : group, false), {}, !arrow || group.parts.size() == 2, group.line, {}};
    Written written;
    written.atom(rule.head);
    for (std::size_t i = 2; arrow && i < group.parts.size(); ++i) {
        written.text += ',';
        add_formula(group.parts[i], true, rule.body, written);
    }
    add_literals(rule.body, rule.literals);
    canonical += (canonical.empty() ? "[" : ",[") + written.text + "]";
    return rule;
}

}  // namespace

Sheet read_sheet(const std::string& raw) {
    std::string text;
    for (std::size_t at = raw.starts_with("\xef\xbb\xbf") ? 3 : 0; at < raw.size(); ++at) {
        if (raw[at] == '\0') throw BadInput("a zero byte, expected text");
        if (raw[at] != '\r') text += raw[at];
        else if (at + 1 == raw.size() || raw[at + 1] != '\n') text += '\n';
    }
    Sheet sheet;
    for (const auto& group : groups_of(text)) sheet.rules.push_back(rule_of(group, sheet.canonical));
    if (sheet.rules.empty()) throw BadInput("there is no rule in it, expected a rulesheet");
    need_valid(sheet);
    return sheet;
}

std::string text_of(const Term& term) {
    if (term.arguments.empty()) return term.name;
    auto text = "(" + term.name;
    for (const auto& argument : term.arguments) text += " " + text_of(argument);
    return text + ")";
}

void add_variables(const Term& term, std::set<std::string>& into) {
    if (term.variable()) into.insert(term.name);
    for (const auto& argument : term.arguments) add_variables(argument, into);
}

bool may_be_equal(const Term& one, const Term& other) {
    if (one.variable() || other.variable()) return true;
    return one.name == other.name && std::ranges::equal(one.arguments, other.arguments, may_be_equal);
}

std::optional<std::string> ground_text(const std::string& text) {
    try {
        const auto groups = groups_of(text);
        if (groups.size() != 1) return std::nullopt;
        const auto term = term_of(groups[0]);
        std::set<std::string> variables;
        add_variables(term, variables);
        return variables.empty() ? std::optional(text_of(term)) : std::nullopt;
    } catch (const BadInput&) {
        return std::nullopt;
    }
}

}  // namespace checker
