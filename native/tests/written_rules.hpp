// Programs from rules as people write them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdl/ground/grounder.hpp"

namespace zermelo::testing {

using namespace zermelo::gdl;

// Reads rules written as (<= head literal ...) or as facts; literals are atoms, (not atom) and (distinct a b).
class Reader {
public:
    Program read(std::string_view text) {
        struct Open {
            std::vector<Term> parts;
            std::string head;
        };
        std::vector<Open> open(1);
        for (std::size_t i = 0; i < text.size();) {
            const auto c = text[i];
            if (c == ' ' || c == '\n') {
                ++i;
            } else if (c == '(') {
                open.emplace_back();
                ++i;
            } else if (c == ')') {
                auto [parts, head] = std::move(open.back());
                open.pop_back();
                if (head == "<=") {
                    add_rule(parts);
                    variables_.clear();
                } else if (open.size() == 1) {
                    add_rule({make(head, parts)});
                } else {
                    open.back().parts.push_back(make(head, parts));
                }
                ++i;
            } else {
                const auto end = std::min(text.find_first_of(" \n()", i), text.size());
                std::string word(text.substr(i, end - i));
                if (open.size() > 1 && open.back().head.empty()) open.back().head = word;
                else open.back().parts.push_back(word[0] == '?' ? variable(word) : make(word, {}));
                i = end;
            }
        }
        return std::move(program_);
    }

private:
    void add_rule(const std::vector<Term>& parts) {
        ProgramRule rule{parts[0], {}, static_cast<std::uint32_t>(variables_.size())};
        for (std::size_t i = 1; i < parts.size(); ++i) {
            const auto& node = program_.nodes[parts[i]];
            const auto& name = program_.names[static_cast<std::size_t>(node.name)];
            if (name == "not") rule.body.push_back({Sign::fails, program_.args[node.first_arg]});
            else rule.body.push_back({name == "distinct" ? Sign::distinct : Sign::holds, parts[i]});
        }
        program_.rules.push_back(std::move(rule));
    }
    Term make(const std::string& name, const std::vector<Term>& parts) {
        const auto [place, is_new] = names_.emplace(name, static_cast<std::int32_t>(program_.names.size()));
        if (is_new) program_.names.push_back(name);
        return node(place->second, parts);
    }
    Term variable(const std::string& name) {
        return node(-1 - variables_.emplace(name, static_cast<std::int32_t>(variables_.size())).first->second, {});
    }
    Term node(std::int32_t name, const std::vector<Term>& parts) {
        const auto [place, is_new] = nodes_.emplace(std::pair(name, parts), static_cast<Term>(program_.nodes.size()));
        if (is_new) {
            const auto first = static_cast<std::uint32_t>(program_.args.size());
            program_.nodes.push_back({name, first, static_cast<std::uint32_t>(parts.size())});
            program_.args.insert(program_.args.end(), parts.begin(), parts.end());
        }
        return place->second;
    }

    Program program_;
    std::map<std::string, std::int32_t> names_, variables_;
    std::map<std::pair<std::int32_t, std::vector<Term>>, Term> nodes_;
};

inline Program read(std::string_view text) { return Reader().read(text); }

}  // namespace zermelo::testing
