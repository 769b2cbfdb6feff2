// Stochastic constraint networks: the game of one role that decides, and policies.
#include "network.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "instance.hpp"
#include "shapes.hpp"

namespace checker {

namespace {

constexpr int kBroken = -1;  // in the place of how many variables have a value: a table is broken

std::string json_numbers(const Values& numbers) {
    std::vector<std::string> items;
    for (const auto number : numbers) items.push_back(std::to_string(number));
    return json_list(items);
}

std::string json_numbers(const Vector& numbers) {
    std::vector<std::string> items;
    for (const auto& number : numbers) items.push_back(json_text(number.text()));
    return json_list(items);
}

// Variables get their values one after the other. A position is how many have one, the values that still matter - those
// that something states together with a later variable - and what each player has so far.
struct Spot {
    int number = 0;
    Values values = {};
    Vector gained = {};
};

class Drawing {
public:
    explicit Drawing(const Network& network) : network_(network), count_(int(network.variables.size())) {
        const auto places = std::size_t(count_) + 1;
        tables_.resize(places), gains_.resize(places), matters_.resize(places), draws_.resize(places);
        Values until(places);
        const auto hold = [&](const Values& scope, int with) {
            const auto last = std::max(with, scope.empty() ? -1 : std::ranges::max(scope));
            for (const auto held : scope) until[std::size_t(held)] = std::max(until[std::size_t(held)], last);
            return std::size_t(last + 1);
        };
        for (const auto& table : network.tables) tables_[hold(table.scope, -1)].push_back(&table);
        for (const auto& utility : network.utilities) gains_[hold(utility.scope, -1)].push_back(&utility);
        for (const auto& draw : network.drawn) {
            hold(draw.given.scope, draw.variable);
            draws_[std::size_t(draw.variable)] = &draw;
        }
        for (int number = 0; number <= count_; ++number)
            for (int held = 0; held < number; ++held)
                if (until[std::size_t(held)] >= number) matters_[std::size_t(number)].push_back(held);
    }

    const Network& network() const { return network_; }
    const Domain& variable(const Spot& spot) const { return network_.variables[std::size_t(spot.number)]; }
    Vector zero() const { return Vector(network_.players); }
    bool complete(const Spot& spot) const { return spot.number == count_; }
    // Whether a table is broken, or no value is left to decide on.
    bool broken(const Spot& spot) const {
        if (spot.number == kBroken || complete(spot)) return spot.number == kBroken;
        return !variable(spot).stochastic && decisions(spot).empty();
    }

    Spot start() const {
        const std::vector<int> none(std::size_t(count_), 0);
        if (!allowed(0, none)) return {kBroken, {}, zero()};
        return {0, {}, gained(0, none, zero())};
    }
    std::vector<int> decisions(const Spot& spot) const {
        std::vector<int> found;
        auto known = known_at(spot);
        for (int value = 0; value < int(variable(spot).values.size()); ++value) {
            known[std::size_t(spot.number)] = value;
            if (allowed(spot.number + 1, known)) found.push_back(value);
        }
        return found;
    }
    // What chance may draw, with the probabilities.
    std::vector<std::pair<int, Rational>> outcomes(const Spot& spot) const {
        const auto known = known_at(spot);
        const auto& draw = *draws_[std::size_t(spot.number)];
        Values given;
        for (const auto held : draw.given.scope) given.push_back(known[std::size_t(held)]);
        Vector shares;
        if (draw.even) {
            int sum = 0;
            for (const auto value : given) sum += value;
            for (const auto value : given)
                shares.push_back(Rational(sum ? value : 1) / Rational(sum ? sum : std::int64_t(given.size())));
        } else {
            shares = draw.given.rows.at(given);
        }
        std::vector<std::pair<int, Rational>> found;
        for (std::size_t value = 0; value < shares.size(); ++value)
            if (shares[value].sign()) found.emplace_back(int(value), shares[value]);
        return found;
    }
    std::vector<std::pair<int, Rational>> ways(const Spot& spot) const {
        if (variable(spot).stochastic) return outcomes(spot);
        std::vector<std::pair<int, Rational>> found;
        for (const auto value : decisions(spot)) found.emplace_back(value, Rational(1));
        return found;
    }
    Spot after(const Spot& spot, int value) const {
        auto known = known_at(spot);
        known[std::size_t(spot.number)] = value;
        const auto number = spot.number + 1;
        if (!allowed(number, known)) return {kBroken, {}, zero()};
        Spot next{number, {}, gained(number, known, spot.gained)};
        for (const auto held : matters_[std::size_t(number)]) next.values.push_back(known[std::size_t(held)]);
        return next;
    }
    // The score of a policy that breaks a table: below `most - (most - least) / p`, where p is the product of the
    // smallest probabilities of all draws, so that every feasible policy is better.
    Rational worst() const {
        Rational least, most, rarest(1);
        for (const auto& utility : network_.utilities) {
            Rational low, high;
            for (const auto& [values, numbers] : utility.rows) {
                low = std::min(low, numbers[0]);
                high = std::max(high, numbers[0]);
            }
            least += low, most += high;
        }
        for (const auto& draw : network_.drawn) {
            Rational smallest(1);
            if (draw.even)
                smallest =
                    smallest / Rational(std::int64_t(network_.variables[std::size_t(draw.variable)].values.size()));
            for (const auto& [values, shares] : draw.given.rows)
                for (const auto& share : shares)
                    if (share.sign()) smallest = std::min(smallest, share);
            rarest = rarest * smallest;
        }
        return (most - (most - least) / rarest).floor() - Rational(1);
    }
    static std::string name(const Spot& spot) {
        std::string made = std::to_string(spot.number) + "|";
        for (std::size_t i = 0; i < spot.values.size(); ++i) made += (i ? "," : "") + std::to_string(spot.values[i]);
        made += "|";
        for (std::size_t i = 0; i < spot.gained.size(); ++i) made += (i ? "," : "") + spot.gained[i].text();
        return made;
    }

private:
    std::vector<int> known_at(const Spot& spot) const {
        std::vector<int> known(std::size_t(count_), 0);
        const auto& matters = matters_[std::size_t(spot.number)];
        for (std::size_t i = 0; i < matters.size(); ++i) known[std::size_t(matters[i])] = spot.values[i];
        return known;
    }
    // Whether the tables allow it whose last variable has just got its value.
    bool allowed(int number, const std::vector<int>& known) const {
        return std::ranges::all_of(tables_[std::size_t(number)], [&](const StatedRows* table) {
            Values values;
            for (const auto held : table->scope) values.push_back(known[std::size_t(held)]);
            if (table->rows.contains(values)) return true;
            return std::ranges::any_of(table->rows, [&](const auto& row) {
                for (std::size_t i = 0; i < values.size(); ++i)
                    if (row.first[i] != kAny && row.first[i] != values[i]) return false;
                return true;
            });
        });
    }
    Vector gained(int number, const std::vector<int>& known, const Vector& before) const {
        auto total = before;
        for (const auto* utility : gains_[std::size_t(number)]) {
            Values values;
            for (const auto held : utility->scope) values.push_back(known[std::size_t(held)]);
            const auto row = utility->rows.find(values);
            if (row == utility->rows.end()) continue;
            for (std::size_t i = 0; i < total.size(); ++i) total[i] += row->second[i];
        }
        return total;
    }

    const Network& network_;
    int count_;
    std::vector<std::vector<const StatedRows*>> tables_,
        gains_;  // by what has a value once their last variable has one
    std::vector<Values> matters_;
    std::vector<const Draw*> draws_;
};

class NetworkRules : public Rules {
public:
    explicit NetworkRules(const Drawing& drawing) : drawing_(drawing), worst_(drawing.worst()) {}
    std::vector<std::string> roles() const override { return {"decider"}; }
    Place start() override { return numbered(drawing_.start()); }
    std::optional<Scores> result(Place place) override {
        const auto& spot = spots_[place];
        const bool broken = drawing_.broken(spot);
        if (!broken && !drawing_.complete(spot)) return std::nullopt;
        if (drawing_.network().players != 1) throw BadInput("a network of several players has no score of one");
        return Scores{broken ? worst_ : spot.gained[0]};
    }
    bool over(Place place) override { return drawing_.broken(spots_[place]) || drawing_.complete(spots_[place]); }
    int turn(Place place) override { return drawing_.variable(spots_[place]).stochastic ? kChance : 0; }
    std::vector<Move> moves(Place place) override {
        std::vector<Move> found;
        if (over(place)) return found;
        for (const auto& [value, share] : drawing_.ways(spots_[place])) found.push_back(value);
        return found;
    }
    std::vector<Rational> chances(Place place) override {
        std::vector<Rational> found;
        for (const auto& [value, share] : drawing_.outcomes(spots_[place])) found.push_back(share);
        return found;
    }
    Place play(Place place, Move move) override { return numbered(drawing_.after(spots_[place], int(move))); }
    std::string text(Place place, Move move) override {
        const auto& variable = drawing_.variable(spots_[place]);
        return variable.name + "=" + variable.values[std::size_t(move)];
    }
    std::string key(Place place) override { return Drawing::name(spots_[place]); }

private:
    Place numbered(const Spot& spot) { return spots_.number(Drawing::name(spot), spot); }

    const Drawing& drawing_;
    Rational worst_;
    Numbered<Spot> spots_;
};

// A policy, or all that policies can get.
class Policies {
public:
    explicit Policies(const Drawing& drawing) : drawing_(drawing) {}

    // The averages of a policy: nodes, of which each says which node follows each value; the last is the first.
    void need_reached(const Json& data) {
        const auto nodes = read(data);
        std::map<std::pair<std::size_t, std::string>, Vector> found;
        struct Under {
            std::size_t node;
            Spot spot;
            std::vector<std::pair<int, Rational>> ways;
            Vector sum;
            std::size_t tried = 0;
        };
        std::vector<Under> line;
        Vector last;
        const auto enter = [&](std::size_t node, Spot spot) {
            spend();
            need_shown(!drawing_.broken(spot), "the policy breaks a table");
            if (drawing_.complete(spot)) return last = spot.gained, false;
            if (const auto at = found.find({node, Drawing::name(spot)}); at != found.end())
                return last = at->second, false;
            auto ways = taken(nodes[node], spot);
            line.push_back({node, std::move(spot), std::move(ways), drawing_.zero()});
            return true;
        };
        bool open = enter(nodes.size() - 1, drawing_.start());
        while (!line.empty()) {
            auto& top = line.back();
            if (!open && top.tried) add(top.sum, last, top.ways[top.tried - 1].second);
            if (top.tried == top.ways.size()) {
                last = found[{top.node, Drawing::name(top.spot)}] = top.sum;
                line.pop_back();
                open = false;
                continue;
            }
            const auto value = top.ways[top.tried++].first;
            open = enter(nodes[top.node].at(value), drawing_.after(top.spot, value));
        }
        const auto& threshold = drawing_.network().threshold;
        for (std::size_t i = 0; i < last.size(); ++i)
            need_shown(threshold[i] <= last[i], "player " + std::to_string(i + 1) + " gets less than the threshold");
    }

    // From the last variable to the first: for each set of values that still matter the averages that can be got, but
    // for those of which others are as good for everybody.
    void need_unreachable() {
        const auto start = drawing_.start();
        if (drawing_.broken(start)) return;
        const auto count = drawing_.network().variables.size();
        std::vector<std::set<Values>> levels{{{}}};
        for (std::size_t i = 0; i < count; ++i) {
            auto& following = levels.emplace_back();
            for (const auto& values : levels[i])
                for_each_way(i, values, [&](const Spot& after, const Rational&) {
                    if (after.number != kBroken) following.insert(after.values);
                });
        }
        std::map<Values, std::vector<Vector>> known{{{}, {drawing_.zero()}}};
        for (auto i = count; i-- > 0;) {
            std::map<Values, std::vector<Vector>> before;
            for (const auto& values : levels[i]) {
                const bool drawn = drawing_.network().variables[i].stochastic;
                std::vector<Vector> sums(drawn ? 1 : 0, drawing_.zero());
                for_each_way(i, values, [&](const Spot& after, const Rational& share) {
                    std::vector<Vector> below, next;
                    if (after.number != kBroken) below = known[after.values];
                    for (auto& own : below) add(own, after.gained, Rational(1));
                    if (!drawn) {
                        for (const auto& own : below) keep(sums, own);
                        return;
                    }
                    for (const auto& sum : sums)
                        for (const auto& own : below) {
                            auto both = sum;
                            add(both, own, share);
                            keep(next, both);
                        }
                    sums = std::move(next);
                });
                before[values] = std::move(sums);
            }
            known = std::move(before);
        }
        for (auto got : known[{}]) {
            add(got, start.gained, Rational(1));
            need_shown(!as_good(got, drawing_.network().threshold), "a policy gets what the thresholds ask");
        }
    }

private:
    using Node = std::map<std::int64_t, std::size_t>;  // the node that follows each value

    void spend() {
        if (++spent_ > 200'000'000) throw BadInput("the policy is more work than this program does");
    }
    static std::vector<Node> read(const Json& data) {
        need_fields(data, {"nodes"});
        std::vector<Node> nodes;
        for (const auto& branches : items_of(*data.member("nodes"))) {
            Node made;
            for (const auto& branch : items_of(branches)) {
                const auto& pair = items_of(branch, 2, 2);
                const auto value = whole(pair[0]), child = whole(pair[1]);
                need_shown(child >= 0 && child < std::int64_t(nodes.size()), "a node leads to one that is not earlier");
                made[value] = std::size_t(child);
            }
            nodes.push_back(std::move(made));
        }
        need_shown(!nodes.empty(), "a policy without nodes");
        return nodes;
    }
    // What may happen at a node, with its probability.
    std::vector<std::pair<int, Rational>> taken(const Node& node, const Spot& spot) const {
        const auto& variable = drawing_.variable(spot);
        if (!variable.stochastic) {
            need_shown(node.size() == 1, "the policy decides no value, or several");
            const auto value = node.begin()->first;
            need_shown(value >= 0 && value < std::int64_t(variable.values.size()), "the policy decides no value");
            return {{int(value), Rational(1)}};
        }
        const auto ways = drawing_.outcomes(spot);
        for (const auto& way : ways) need_shown(node.contains(way.first), "the policy has no answer to an outcome");
        return ways;
    }
    template <class Look>
    void for_each_way(std::size_t number, const Values& values, const Look& look) {
        const Spot spot{int(number), values, drawing_.zero()};
        for (const auto& [value, share] : drawing_.ways(spot)) {
            spend();
            look(drawing_.after(spot, value), share);
        }
    }
    static void add(Vector& to, const Vector& what, const Rational& times) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] += what[i] * times;
    }
    static bool as_good(const Vector& one, const Vector& other) {
        for (std::size_t i = 0; i < one.size(); ++i)
            if (one[i] < other[i]) return false;
        return true;
    }
    void keep(std::vector<Vector>& kept, const Vector& one) {
        for (const auto& other : kept) {
            spend();
            if (as_good(other, one)) return;
        }
        std::erase_if(kept, [&](const Vector& other) { return as_good(one, other); });
        kept.push_back(one);
    }

    const Drawing& drawing_;
    std::uint64_t spent_ = 0;
};

class NetworkInstance : public Instance {
public:
    explicit NetworkInstance(std::string_view text)
        : network_(read_network(text)), drawing_(network_), rules_(drawing_) {}
    Rules& rules() override { return rules_; }
    std::string statement() const override {
        std::vector<std::string> variables, tables, utilities, drawn;
        for (const auto& v : network_.variables) {
            std::vector<std::string> values;
            for (const auto& value : v.values) values.push_back(json_text(value));
            variables.push_back(json_list({json_text(v.name), json_list(values), v.stochastic ? "true" : "false"}));
        }
        for (const auto& table : network_.tables) {
            std::vector<std::string> rows;
            for (const auto& [row, none] : table.rows) rows.push_back(json_numbers(row));
            tables.push_back(json_list({json_numbers(table.scope), json_list(rows)}));
        }
        for (const auto& utility : network_.utilities) utilities.push_back(written(utility));
        for (const auto& draw : network_.drawn)
            drawn.push_back(json_list({std::to_string(draw.variable),
                                       draw.even ? json_numbers(draw.given.scope) : written(draw.given),
                                       draw.even ? "true" : "false"}));
        return "Network\n" + json_list({std::to_string(network_.players), json_list(variables), json_list(tables),
                                        json_list(utilities), json_list(drawn), json_numbers(network_.threshold),
                                        json_numbers(network_.stages)});
    }
    Tested check_rule(const Claim& claim, Place start, bool later) override {
        if (claim.rule != "policy") return Instance::check_rule(claim, start, later);
        need_shown(network_.players > 1 && !later, "policies are for whole networks of several players");
        need_shown(Rational::of(claim.at_least) <= Rational(1), "a policy promises 1");
        Policies policies(drawing_);
        if (claim.role == "decider") {
            policies.need_reached(claim.data);
        } else {
            need_shown(claim.role == "nobody" && claim.data.members.empty(), "no policy, and nothing of nobody's");
            policies.need_unreachable();
        }
        return {1};
    }

private:
    static std::string written(const StatedRows& stated) {
        std::vector<std::string> rows;
        for (const auto& [row, numbers] : stated.rows)
            rows.push_back(json_list({json_numbers(row), json_numbers(numbers)}));
        return json_list({json_numbers(stated.scope), json_list(rows)});
    }

    Network network_;
    Drawing drawing_;
    NetworkRules rules_;
};

}  // namespace

std::unique_ptr<Instance> network_instance(std::string_view text) { return std::make_unique<NetworkInstance>(text); }

}  // namespace checker
