// The reader of networks: JSON that is taken as it stands, or refused.
#include "network.hpp"

#include <algorithm>
#include <set>

#include "certificate.hpp"
#include "json.hpp"

namespace checker {

namespace {

void need_network(bool holds, const std::string& why) {
    if (!holds) throw BadInput("the network: expected " + why);
}

class NetworkReader {
public:
    Network network(const Json& data) {
        need_members(data, {"format", "version", "players", "variables"},
                     {"tables", "utilities", "chances", "threshold", "stages"});
        const auto& format = *data.member("format");
        need_network(format.kind == Json::kString && format.text == "zermelo-network", "the format zermelo-network");
        number(*data.member("version"), 1, 1);
        made_.players = std::size_t(number(*data.member("players"), 1, 1000));
        for (const auto& item : list(*data.member("variables"))) made_.variables.push_back(variable(item));
        for (std::size_t i = 0; i < made_.variables.size(); ++i)
            need_network(number_.emplace(made_.variables[i].name, int(i)).second, "names of their own");
        const auto count = int(made_.variables.size());
        for (const auto& item : optional(data, "tables")) made_.tables.push_back(table(item));
        for (const auto& item : optional(data, "utilities")) {
            need_members(item, {"scope", "rows"}, {});
            made_.utilities.push_back(rows(item, "utility", made_.players));
            need_each_once(made_.utilities.back().scope);
        }
        for (const auto& item : optional(data, "chances")) made_.drawn.push_back(draw(item));
        if (!data.member("threshold")) made_.threshold.assign(made_.players, Rational());
        for (const auto& item : optional(data, "threshold")) made_.threshold.push_back(exact_of(item));
        need_network(made_.threshold.size() == made_.players, "a threshold for each player");
        if (!data.member("stages")) made_.stages = {count};
        for (const auto& item : optional(data, "stages")) made_.stages.push_back(number(item, 1, count));
        const auto& stages = made_.stages;
        const bool rise = std::ranges::adjacent_find(stages, std::greater_equal<>()) == stages.end();
        need_network(rise && !stages.empty() && stages.back() == count, "stages that end one after the other");
        need_chances();
        return std::move(made_);
    }

private:
    static void need_members(const Json& data, std::initializer_list<std::string_view> needed,
                             std::initializer_list<std::string_view> optional) {
        need_network(data.kind == Json::kObject, "an object");
        std::set<std::string_view> seen;
        for (const auto& [name, value] : data.members) {
            const bool known =
                std::ranges::find(needed, name) != needed.end() || std::ranges::find(optional, name) != optional.end();
            need_network(known && seen.insert(name).second, "nothing unknown and nothing twice in an object");
        }
        for (const auto name : needed) need_network(seen.contains(name), std::string(name));
    }
    static const std::vector<Json>& list(const Json& data) {
        need_network(data.kind == Json::kList, "a list");
        return data.items;
    }
    static const std::vector<Json>& optional(const Json& data, std::string_view name) {
        static const std::vector<Json> none;
        const auto* found = data.member(name);
        return found ? list(*found) : none;
    }
    static int number(const Json& data, int least, int most) {
        const auto found = data.kind == Json::kWhole ? Rational::of(data.text) : Rational(least - 1);
        const bool within = Rational(least) <= found && found <= Rational(most);
        need_network(within, "a whole number from " + std::to_string(least) + " on");
        return int(found.small().value_or(least));
    }
    static std::string text(const Json& data) {
        need_network(data.kind == Json::kString && is_utf8(data.text), "a text");
        return data.text;
    }
    static Rational exact_of(const Json& data) {
        if (data.kind == Json::kWhole) return Rational::of(data.text);
        const auto& said = data.text;
        const auto bar = std::min(said.find('/'), said.size());
        const std::size_t from = said.starts_with("-");
        const auto digits = [&](std::size_t begin, std::size_t end) {
            return begin < end && said.substr(begin, end - begin).find_first_not_of("0123456789") == std::string::npos;
        };
        const bool under = bar == said.size() ||
                           (digits(bar + 1, said.size()) && said.find_first_not_of('0', bar + 1) != std::string::npos);
        need_network(data.kind == Json::kString && said.size() <= 4000 && digits(from, bar) && under,
                     "an exact number");
        return Rational::of(said);
    }
    static void need_each_once(const Values& scope) {
        need_network(std::set<int>(scope.begin(), scope.end()).size() == scope.size(), "each variable once in a scope");
    }

    Domain variable(const Json& data) const {
        need_members(data, {"name", "domain"}, {"stochastic"});
        Domain made{text(*data.member("name")), {}, false};
        for (const auto& item : list(*data.member("domain"))) made.values.push_back(text(item));
        const std::set<std::string> once(made.values.begin(), made.values.end());
        need_network(!once.empty() && once.size() == made.values.size(), "values that differ");
        if (const auto* said = data.member("stochastic")) {
            need_network(said->kind == Json::kBool, "true or false");
            made.stochastic = said->text == "true";
        }
        return made;
    }
    int named(const Json& data) const {
        const auto at = number_.find(text(data));
        need_network(at != number_.end(), "the name of a variable");
        return at->second;
    }
    Values scope(const Json& data) const {
        Values made;
        for (const auto& item : list(data)) made.push_back(named(item));
        return made;
    }
    Values row(const Json& data, const Values& scope, bool star) const {
        const auto& items = list(data);
        need_network(items.size() == scope.size(), "a value for each variable of the scope");
        Values made;
        for (std::size_t i = 0; i < scope.size(); ++i) {
            const auto last = int(made_.variables[std::size_t(scope[i])].values.size()) - 1;
            if (star && items[i].kind == Json::kString && items[i].text == "*") made.push_back(kAny);
            else made.push_back(number(items[i], 0, last));
        }
        return made;
    }
    StatedRows table(const Json& data) const {
        need_members(data, {"scope", "tuples"}, {});
        StatedRows made{scope(*data.member("scope")), {}};
        for (const auto& item : list(*data.member("tuples"))) made.rows[row(item, made.scope, true)] = {};
        need_each_once(made.scope);
        return made;
    }
    StatedRows rows(const Json& data, std::string_view name, std::size_t count) const {
        StatedRows made{scope(*data.member("scope")), {}};
        for (const auto& item : list(*data.member("rows"))) {
            need_members(item, {"values", name}, {});
            Vector numbers;
            for (const auto& one : list(*item.member(name))) numbers.push_back(exact_of(one));
            need_network(numbers.size() == count, "as many numbers as it has to have");
            need_network(made.rows.emplace(row(*item.member("values"), made.scope, false), numbers).second,
                         "each row once");
        }
        return made;
    }
    Draw draw(const Json& data) const {
        Draw made;
        made.even = data.kind == Json::kObject && data.member("even");
        if (made.even) {
            need_members(data, {"variable", "even"}, {});
            made.variable = named(*data.member("variable"));
            made.given.scope = scope(*data.member("even"));
        } else {
            need_members(data, {"variable", "scope", "rows"}, {});
            made.variable = named(*data.member("variable"));
            made.given = rows(data, "probability", made_.variables[std::size_t(made.variable)].values.size());
        }
        return made;
    }
    void need_chances() const {
        std::vector<int> count(made_.variables.size());
        for (const auto& one : made_.drawn) ++count[std::size_t(one.variable)];
        for (std::size_t i = 0; i < count.size(); ++i)
            need_network(count[i] == made_.variables[i].stochastic, "probabilities for each stochastic variable alone");
        for (const auto& one : made_.drawn) {
            std::size_t rows = 1;
            for (const auto held : one.given.scope) {
                need_network(held < one.variable, "probabilities that depend on earlier variables");
                const auto size = made_.variables[std::size_t(held)].values.size();
                if (one.even) need_network(size == 2, "variables of two values");
                rows = std::min<std::size_t>(rows * size, 1 << 30);
            }
            if (one.even) {
                const auto values = made_.variables[std::size_t(one.variable)].values.size();
                need_network(one.given.scope.size() == values, "a variable for each value");
                continue;
            }
            need_each_once(one.given.scope);
            need_network(one.given.rows.size() == rows, "all rows of probabilities");
            for (const auto& [values, shares] : one.given.rows) {
                Rational sum;
                for (const auto& share : shares) {
                    need_network(share.sign() >= 0, "no negative probability");
                    sum += share;
                }
                need_network(sum == Rational(1), "probabilities that add up to 1");
            }
        }
    }

    Network made_;
    std::map<std::string, int> number_;
};

}  // namespace

Network read_network(std::string_view text) { return NetworkReader().network(read_json(text)); }

}  // namespace checker
