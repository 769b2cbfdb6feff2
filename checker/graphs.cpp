// Graph files and generalized geography on them; networks whose edges may fail (docs/formats/graph.md, dgr.md).
#include <algorithm>
#include <map>
#include <set>

#include "instance.hpp"

namespace checker {

namespace {

using Words = std::vector<std::string>;
using Rows = std::vector<std::vector<std::size_t>>;

[[noreturn]] void refuse_graph(const std::string& why) { throw BadInput("the graph: " + why); }

// The words of each line that has some; `#` begins a comment.
std::vector<Words> word_lines(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    std::vector<Words> lines;
    Words words;
    std::string word;
    bool comment = false;
    const auto end_word = [&] {
        if (!word.empty()) words.push_back(std::move(word));
        word.clear();
    };
    const auto end_line = [&] {
        end_word();
        if (!words.empty()) lines.push_back(std::move(words));
        words.clear(), comment = false;
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto c = static_cast<unsigned char>(text[at]);
        const std::size_t size = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        const auto letter = text.substr(at, size);
        at += size;
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) refuse_graph("a control character");
        comment |= c == '#';
        if (c == '\n') end_line();
        else if (comment) continue;
        else if (stripped(letter).empty()) end_word();
        else word += letter;
    }
    end_line();
    return lines;
}

bool all_digits_of(std::string_view word) {
    return word.size() <= 18 && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// Numbers of a set as positions name it: in the order of their texts.
std::string set_text(const std::set<std::size_t>& numbers) {
    std::vector<std::string> texts;
    for (const auto number : numbers) texts.push_back(std::to_string(number));
    std::ranges::sort(texts);
    std::string made;
    for (const auto& text : texts) made += (made.empty() ? "" : ",") + text;
    return "{" + made + "}";
}

struct Graph {
    std::vector<std::string> names;
    Rows rows;
    std::size_t start = 0;
    std::optional<std::uint64_t> rounds;
};

// The number of rounds, then a line for each node: the node and its successors.
Graph graph_of_rows(const std::vector<Words>& lines) {
    std::vector<std::vector<std::uint64_t>> numbers;
    for (const auto& line : lines) {
        auto& row = numbers.emplace_back();
        for (const auto& word : line) {
            if (!all_digits_of(word)) refuse_graph("no whole number of at most 18 digits: " + word.substr(0, 40));
            row.push_back(std::stoull(word));
        }
    }
    Graph graph;
    graph.rounds = numbers[0][0];
    if (lines.size() < 2) refuse_graph("no nodes");
    std::map<std::uint64_t, std::size_t> place;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        graph.names.push_back(std::to_string(numbers[i][0]));
        if (!place.emplace(numbers[i][0], i - 1).second) refuse_graph("a node has a line already");
    }
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        std::set<std::size_t> seen;
        auto& row = graph.rows.emplace_back();
        for (std::size_t j = 1; j < numbers[i].size(); ++j) {
            const auto at = place.find(numbers[i][j]);
            if (at == place.end() || !seen.insert(at->second).second) refuse_graph("an unknown or repeated successor");
            row.push_back(at->second);
        }
    }
    if (const auto zero = place.find(0); zero != place.end()) graph.start = zero->second;
    return graph;
}

// An edge a line; nodes in the order of their names, numbers by value before words by spelling.
Graph graph_of_edges(const std::vector<Words>& lines) {
    const auto is_number = [](const std::string& name) {
        return all_digits_of(name) && (name == "0" || name[0] != '0');
    };
    const auto before = [&](const std::string& one, const std::string& other) {
        const bool first = is_number(one), second = is_number(other);
        if (first != second) return first;
        if (first && one.size() != other.size()) return one.size() < other.size();
        return one < other;
    };
    std::map<std::string, Words, decltype(before)> ways(before);
    std::set<std::pair<std::string, std::string>> seen;
    for (const auto& line : lines) {
        if (line.size() != 2) refuse_graph("expected an edge FROM TO");
        if (!seen.emplace(line[0], line[1]).second) refuse_graph("an edge that is there already");
        ways[line[0]].push_back(line[1]);
        ways[line[1]];
    }
    Graph graph;
    std::map<std::string, std::size_t> place;
    for (const auto& [name, heads] : ways) {
        place[name] = graph.names.size();
        graph.names.push_back(name);
    }
    for (const auto& [name, heads] : ways) {
        auto& row = graph.rows.emplace_back();
        for (const auto& head : heads) row.push_back(place[head]);
    }
    graph.start = place.contains("0") ? place["0"] : place[lines[0][0]];
    return graph;
}

Graph read_graph(std::string_view text) {
    const auto lines = word_lines(text);
    if (lines.empty()) refuse_graph("no data, expected the number of rounds or an edge");
    return lines[0].size() == 1 ? graph_of_rows(lines) : graph_of_edges(lines);
}

// The nodes that a start leads to, each after all that a walk from it met first.
std::vector<std::size_t> postorder(const Rows& rows, std::size_t start) {
    std::vector<std::size_t> order;
    std::vector<bool> seen(rows.size());
    std::vector<std::pair<std::size_t, std::size_t>> walk{{start, 0}};
    seen[start] = true;
    while (!walk.empty()) {
        auto& [node, next] = walk.back();
        if (next == rows[node].size()) {
            order.push_back(node);
            walk.pop_back();
        } else if (const auto head = rows[node][next++]; !seen[head]) {
            seen[head] = true;
            walk.emplace_back(head, 0);
        }
    }
    return order;
}

Rows turned(const Rows& rows, const std::vector<std::size_t>& nodes) {
    Rows before(rows.size());
    for (const auto node : nodes)
        for (const auto head : rows[node]) before[head].push_back(node);
    return before;
}

// An edge is idle if it leads back to a node that every way from the start to its tail leads through: that node has
// been visited. Left are the others. Dominators are found by going round until nothing changes (Cooper, Harvey and
// Kennedy).
Rows without_idle_edges(const Graph& graph) {
    const auto order = postorder(graph.rows, graph.start);
    const auto before = turned(graph.rows, order);
    const auto none = graph.names.size();
    std::vector<std::size_t> number(none), above(none, none), depth(none);
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    above[graph.start] = graph.start;
    for (bool more = true; more;) {
        more = false;
        for (auto at = order.rbegin() + 1; at < order.rend(); ++at) {
            auto best = none;
            for (auto tail : before[*at]) {
                if (above[tail] == none) continue;
                if (best == none) best = tail;
                while (best != tail)
                    (number[best] < number[tail] ? best : tail) = above[number[best] < number[tail] ? best : tail];
            }
            if (above[*at] != best) above[*at] = best, more = true;
        }
    }
    for (auto at = order.rbegin() + 1; at < order.rend(); ++at) depth[*at] = depth[above[*at]] + 1;
    Rows left(none);
    for (const auto node : order)
        for (const auto head : graph.rows[node]) {
            auto up = node;
            while (depth[up] > depth[head]) up = above[up];
            if (up != head) left[node].push_back(head);
        }
    return left;
}

// A token moves along edges, never to a node it was on; who cannot move loses. Of the visited nodes only those of the
// token's own strongly connected part matter. A bound on the rounds that no play reaches is none.
class TokenRules : public Rules {
public:
    explicit TokenRules(const Graph& graph) : graph_(graph), rows_(without_idle_edges(graph)) {
        const auto order = postorder(rows_, graph.start);
        const auto before = turned(rows_, order);
        const auto none = rows_.size();
        part_.assign(none, none);
        std::vector<std::uint64_t> longest;  // of each part: how many nodes a way through it and what follows has
        std::vector<std::vector<std::size_t>> members;
        for (auto root = order.rbegin(); root != order.rend(); ++root) {
            if (part_[*root] != none) continue;
            const auto part = members.size();
            auto& inside = members.emplace_back(1, *root);
            part_[*root] = part;
            for (std::size_t i = 0; i < inside.size(); ++i)
                for (const auto tail : before[inside[i]])
                    if (part_[tail] == none) part_[tail] = part, inside.push_back(tail);
        }
        longest.assign(members.size(), 0);
        for (auto part = members.size(); part-- > 0;) {
            for (const auto node : members[part])
                for (const auto head : rows_[node])
                    if (part_[head] != part) longest[part] = std::max(longest[part], longest[part_[head]]);
            longest[part] += members[part].size();
        }
        if (graph.rounds && *graph.rounds < longest[part_[graph.start]] - 1) bound_ = graph.rounds;
    }

    std::vector<std::string> roles() const override { return {"first", "second"}; }
    Place start() override { return numbered({graph_.start, {}, 0}); }
    std::optional<Scores> result(Place place) override {
        if (!moves(place).empty()) return std::nullopt;
        const std::int64_t first = positions_[place].clock % 2 ? 1 : -1;  // who has to move loses
        return Scores{first, -first};
    }
    int turn(Place place) override { return int(positions_[place].clock % 2); }
    std::vector<Move> moves(Place place) override {
        const auto& [node, visited, clock] = positions_[place];
        std::vector<Move> found;
        if (bound_ && clock == *bound_) return found;
        for (const auto head : rows_[node])
            if (!visited.contains(head)) found.push_back(Move(head));
        return found;
    }
    std::vector<Rational> chances(Place) override { return {}; }
    Place play(Place place, Move move) override {
        auto [node, visited, clock] = positions_[place];
        const auto to = std::size_t(move);
        if (part_[node] == part_[to]) visited.insert(node);
        else visited.clear();
        return numbered({to, std::move(visited), bound_ ? clock + 1 : 1 - clock});
    }
    std::string text(Place, Move move) override { return graph_.names[std::size_t(move)]; }
    std::string key(Place place) override { return name_of(positions_[place]); }
    bool any_case() const override { return false; }

private:
    struct Position {
        std::size_t node;
        std::set<std::size_t> visited;
        std::uint64_t clock;
    };
    static std::string name_of(const Position& p) {
        return "(" + std::to_string(p.node) + "," + set_text(p.visited) + "," + std::to_string(p.clock) + ")";
    }
    Place numbered(const Position& position) { return positions_.number(name_of(position), position); }

    const Graph& graph_;
    Rows rows_;
    std::vector<std::size_t> part_;
    std::optional<std::uint64_t> bound_;
    Numbered<Position> positions_;
};

class GraphInstance : public Instance {
public:
    explicit GraphInstance(std::string_view text) : graph_(read_graph(text)), rules_(graph_) {}
    Rules& rules() override { return rules_; }
    std::string statement() const override {
        std::vector<std::string> names, rows;
        for (const auto& name : graph_.names) names.push_back(json_text(name));
        for (const auto& row : graph_.rows) rows.push_back(json_list(row));
        return "Graph\n" + json_list({json_list(names), json_list(rows), std::to_string(graph_.start),
                                      graph_.rounds ? std::to_string(*graph_.rounds) : "null"});
    }

private:
    Graph graph_;
    TokenRules rules_;
};

struct Edge {
    std::string name;
    std::size_t tail, head;
};

struct Failing {
    std::vector<std::string> nodes;
    std::vector<Edge> edges;
    Rows erasable;  // of each node: the edges that may fail there
    std::set<std::pair<std::size_t, std::size_t>> exclusive;
    Rows leaving;                              // of each node
    std::vector<std::set<std::size_t>> ahead;  // of each node: the edges that a way from it can take
};

class FailingReader {
public:
    Failing network(std::string_view text) {
        std::map<std::string, std::vector<Words>> lines;
        for (auto& line : word_lines(text)) {
            const auto kind = line[0];
            const auto words = line.size() - 1;
            const bool two = kind == "travel" && words == 2, three = kind == "edge" && words == 3;
            if (!two && !three && !((kind == "erase" || kind == "exclude") && words >= 2)) refuse_graph("no such line");
            line.erase(line.begin());
            for (const auto& word : line) need_name(word);
            lines[kind].push_back(std::move(line));
        }
        const auto& travel = lines["travel"];
        if (travel.size() != 1 || travel[0][0] == travel[0][1]) refuse_graph("expected one line: travel START TARGET");
        node(travel[0][0]), node(travel[0][1]);
        for (const auto& line : lines["edge"]) {
            if (!number_.emplace(line[0], made_.edges.size()).second) refuse_graph("an edge has a line already");
            const auto tail = node(line[1]), head = node(line[2]);
            made_.edges.push_back({line[0], tail, head});
        }
        std::map<std::size_t, Words> named;
        for (auto& line : lines["erase"]) {
            const auto at = place_.find(line[0]);
            if (at == place_.end()) refuse_graph("an unknown node");
            auto& words = named[at->second];
            words.insert(words.end(), line.begin() + 1, line.end());
        }
        for (std::size_t i = 0; i < made_.nodes.size(); ++i) {
            const auto numbers = edges(named[i]);
            made_.erasable.emplace_back(numbers.begin(), numbers.end());
        }
        for (const auto& line : lines["exclude"]) {
            const auto numbers = edges(line);
            for (const auto one : numbers)
                for (const auto other : numbers)
                    if (one < other) made_.exclusive.emplace(one, other);
        }
        look_ahead();
        return std::move(made_);
    }

private:
    static void need_name(const std::string& word) {
        for (const char c : word)
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
                refuse_graph("no name: " + word.substr(0, 40));
    }
    std::size_t node(const std::string& name) {
        const auto [at, is_new] = place_.emplace(name, made_.nodes.size());
        if (is_new) made_.nodes.push_back(name);
        return at->second;
    }
    std::set<std::size_t> edges(const Words& words) const {
        std::set<std::size_t> found;
        for (const auto& word : words) {
            const auto at = number_.find(word);
            if (at == number_.end() || !found.insert(at->second).second) refuse_graph("an unknown or repeated edge");
        }
        return found;
    }
    // From the ends of ways back to their beginnings; what is never reached leads to a circle.
    void look_ahead() {
        const auto count = made_.nodes.size();
        made_.leaving.resize(count), made_.ahead.resize(count);
        Rows into(count);
        std::vector<std::size_t> waiting(count), order;
        for (std::size_t i = 0; i < made_.edges.size(); ++i) {
            const auto& edge = made_.edges[i];
            made_.leaving[edge.tail].push_back(i);
            into[edge.head].push_back(edge.tail);
            ++waiting[edge.tail];
        }
        for (std::size_t i = 0; i < count; ++i)
            if (!waiting[i]) order.push_back(i);
        for (std::size_t i = 0; i < order.size(); ++i)
            for (const auto tail : into[order[i]])
                if (!--waiting[tail]) order.push_back(tail);
        if (order.size() < count) refuse_graph("edges lead in a circle");
        for (const auto here : order)
            for (const auto edge : made_.leaving[here]) {
                const auto& further = made_.ahead[made_.edges[edge].head];
                made_.ahead[here].insert(further.begin(), further.end());
                made_.ahead[here].insert(edge);
            }
    }

    Failing made_;
    std::map<std::string, std::size_t> place_, number_;
};

// On arrival at a node the opponent erases edges that may fail there, one a move in the order of the list; then the
// traveller goes on. What has failed is remembered as far as it can matter.
class FailingRules : public Rules {
public:
    explicit FailingRules(const Failing& network) : network_(network), excluded_(network.edges.size()) {
        for (const auto& [one, other] : network.exclusive) excluded_[one].insert(other), excluded_[other].insert(one);
    }
    std::vector<std::string> roles() const override { return {"traveller", "opponent"}; }
    Place start() override { return arrived(0, {}); }
    std::optional<Scores> result(Place place) override {
        if (positions_[place].node == kTarget) return Scores{1, -1};
        if (!moves(place).empty()) return std::nullopt;
        return Scores{-1, 1};
    }
    int turn(Place place) override { return positions_[place].from == kNothing ? 0 : 1; }
    std::vector<Move> moves(Place place) override {
        const auto& [node, failed, from] = positions_[place];
        std::vector<Move> found;
        if (from == kNothing) {
            for (const auto edge : network_.leaving[node])
                if (!failed.contains(edge)) found.push_back(Move(edge));
            return found;
        }
        for (const auto at : places(node, failed, from)) found.push_back(Move(network_.erasable[node][at]));
        found.push_back(kNothing);
        return found;
    }
    std::vector<Rational> chances(Place) override { return {}; }
    Place play(Place place, Move move) override {
        auto [node, failed, from] = positions_[place];
        if (from == kNothing) return arrived(network_.edges[std::size_t(move)].head, failed);
        if (move == kNothing) return numbered({node, failed, kNothing});
        failed.insert(std::size_t(move));
        const auto& list = network_.erasable[node];
        return waiting(node, failed, std::ranges::find(list, std::size_t(move)) - list.begin());
    }
    std::string text(Place, Move move) override {
        return move == kNothing ? "-" : network_.edges[std::size_t(move)].name;
    }
    std::string key(Place place) override { return name_of(positions_[place]); }

private:
    static constexpr std::size_t kTarget = 1;
    static constexpr std::int64_t kNothing = -1;  // nothing more is erased; it is the traveller's turn
    struct Position {
        std::size_t node;
        std::set<std::size_t> failed;
        std::int64_t from;  // from which place of the list on the opponent may erase
    };
    static std::string name_of(const Position& p) {
        return "(" + std::to_string(p.node) + "," + set_text(p.failed) + "," + std::to_string(p.from) + ")";
    }
    Place numbered(const Position& position) { return positions_.number(name_of(position), position); }
    Place arrived(std::size_t node, const std::set<std::size_t>& failed) {
        const auto& ahead = network_.ahead[node];
        std::set<std::size_t> matters;
        for (const auto edge : failed)
            if (ahead.contains(edge) || std::ranges::any_of(excluded_[edge], [&](auto e) { return ahead.contains(e); }))
                matters.insert(edge);
        return waiting(node, matters, 0);
    }
    Place waiting(std::size_t node, const std::set<std::size_t>& failed, std::int64_t from) {
        const auto found = node == kTarget ? std::vector<std::size_t>() : places(node, failed, from);
        return numbered({node, failed, found.empty() ? kNothing : std::int64_t(found[0])});
    }
    std::vector<std::size_t> places(std::size_t node, const std::set<std::size_t>& failed, std::int64_t from) const {
        std::vector<std::size_t> found;
        for (auto at = std::size_t(from); at < network_.erasable[node].size(); ++at) {
            const auto edge = network_.erasable[node][at];
            const bool excluded = std::ranges::any_of(excluded_[edge], [&](auto e) { return failed.contains(e); });
            if (network_.ahead[node].contains(edge) && !failed.contains(edge) && !excluded) found.push_back(at);
        }
        return found;
    }

    const Failing& network_;
    std::vector<std::set<std::size_t>> excluded_;
    Numbered<Position> positions_;
};

class FailingInstance : public Instance {
public:
    explicit FailingInstance(std::string_view text) : network_(FailingReader().network(text)), rules_(network_) {}
    Rules& rules() override { return rules_; }
    std::string statement() const override {
        std::vector<std::string> nodes, edges, erasable, pairs;
        for (const auto& name : network_.nodes) nodes.push_back(json_text(name));
        for (const auto& [name, tail, head] : network_.edges)
            edges.push_back(json_list({json_text(name), std::to_string(tail), std::to_string(head)}));
        for (const auto& list : network_.erasable) erasable.push_back(json_list(list));
        for (const auto& [one, other] : network_.exclusive)
            pairs.push_back(json_list({std::to_string(one), std::to_string(other)}));
        return "FailingNetwork\n" +
               json_list({json_list(nodes), json_list(edges), "0", "1", json_list(erasable), json_list(pairs)});
    }

private:
    Failing network_;
    FailingRules rules_;
};

}  // namespace

std::unique_ptr<Instance> graph_instance(std::string_view text) { return std::make_unique<GraphInstance>(text); }

std::unique_ptr<Instance> failing_instance(std::string_view text) { return std::make_unique<FailingInstance>(text); }

}  // namespace checker
