// Games on graphs: col and snort, whose coloured vertices tint their neighbours and are gone; node and arc kayles; and
// hackenbush, whose edges stand on the ground.
#include <algorithm>
#include <set>

#include "boards.hpp"
#include "names.hpp"

namespace checker {

namespace {

constexpr std::size_t kMostVertices = 10'000;

bool in_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_blank(char c) { return stripped({&c, 1}).empty(); }

std::string word_at(std::string_view text, std::size_t& at) {
    const auto begin = at;
    while (at < text.size() && in_word(text[at])) ++at;
    return std::string(text.substr(begin, at - begin));
}
void skip(std::string_view text, std::size_t& at) {
    while (at < text.size() && is_blank(text[at])) ++at;
}
// Takes a sign with blanks around it, if it stands there.
bool take(std::string_view text, std::size_t& at, char sign) {
    auto next = at;
    skip(text, next);
    if (next >= text.size() || text[next] != sign) return false;
    at = next + 1;
    skip(text, at);
    return true;
}

struct Graph {
    std::map<std::string, char> vertices;  // with who alone may still colour them: x, o or a blank for both
    std::set<std::pair<std::string, std::string>> edges;

    void join(const std::string& one, const std::string& other) { edges.insert(std::minmax(one, other)); }
    bool adjacent(const std::string& one, const std::string& other) const {
        return edges.contains(std::minmax(one, other));
    }
    // What is left of it on these vertices.
    Graph on(std::map<std::string, char> kept) const {
        Graph made{std::move(kept), {}};
        for (const auto& edge : edges)
            if (made.vertices.contains(edge.first) && made.vertices.contains(edge.second)) made.edges.insert(edge);
        return made;
    }
    Graph without_single() const {
        std::map<std::string, char> kept;
        for (const auto& [one, other] : edges) kept[one] = ' ', kept[other] = ' ';
        return on(std::move(kept));
    }
    // Single vertices and tints, then edges, all in alphabetical order.
    std::string text() const {
        std::set<std::string> joined;
        for (const auto& [one, other] : edges) joined.insert(one), joined.insert(other);
        Texts said;
        for (const auto& [name, tint] : vertices)
            if (tint != ' ') said.push_back(name + ":" + tint);
            else if (!joined.contains(name)) said.push_back(name);
        for (const auto& [one, other] : edges) said.push_back(one + "-" + other);
        return joined_by(said, ",");
    }
    static Graph of(const std::string& position) {
        Graph made;
        if (position.empty()) return made;
        for (const auto& said : cut_at(position, ',')) {
            const auto sign = said.find_first_of("-:");
            const auto name = said.substr(0, sign);
            if (!made.vertices.contains(name)) made.vertices[name] = ' ';
            if (sign == std::string::npos) continue;
            const auto other = said.substr(sign + 1);
            if (said[sign] == ':') made.vertices[name] = other[0];
            else made.vertices.try_emplace(other, ' '), made.join(name, other);
        }
        return made;
    }
};

class GraphRules : public BoardRules {
public:
    GraphRules(bool tinted, bool single) : tinted_(tinted), single_(single) {}
    std::string read(std::string_view text) const override {
        Graph graph;
        for (std::size_t at = 0; at < text.size();) {
            const auto name = word_at(text, at);
            if (name.empty() || graph.vertices.size() > kMostVertices)
                throw BadInput("expected an edge such as a-b or a vertex such as a");
            graph.vertices.try_emplace(name, ' ');
            auto next = at;
            if (take(text, next, '-')) {
                const auto other = word_at(text, next);
                if (other.empty() || other == name) throw BadInput("expected an edge such as a-b");
                graph.vertices.try_emplace(other, ' ');
                graph.join(name, other);
                at = next;
            } else if (take(text, next, ':')) {
                const auto tint = lower(word_at(text, next));
                if (!tinted_ || (tint != "x" && tint != "o"))
                    throw BadInput("expected a vertex such as a, or a:x where colours are");
                graph.vertices[name] = tint[0];
                at = next;
            }
            if (at < text.size() && !take(text, at, ',')) {
                if (!is_blank(text[at])) throw BadInput("expected a comma and the next edge");
                skip(text, at);
            }
        }
        return (single_ ? graph : graph.without_single()).text();
    }
    Texts parts(const std::string& position) const override {
        const auto graph = Graph::of(position);
        Texts found;
        std::set<std::string> met;
        for (const auto& [seed, seeds_tint] : graph.vertices) {
            if (!met.insert(seed).second) continue;
            std::map<std::string, char> group{{seed, seeds_tint}};
            for (std::vector<std::string> open{seed}; !open.empty();) {
                const auto at = open.back();
                open.pop_back();
                for (const auto& [name, tint] : graph.vertices)
                    if (graph.adjacent(at, name) && met.insert(name).second) group[name] = tint, open.push_back(name);
            }
            found.push_back(graph.on(std::move(group)).text());
        }
        return found;
    }

private:
    bool tinted_, single_;
};

// Left's colour leaves the neighbours of a vertex to one side alone, Right's to the other.
class GraphColouring : public GraphRules {
public:
    explicit GraphColouring(bool col) : GraphRules(true, true), col_(col) {}
    BoardMoves moves(const std::string& position, bool left) const override {
        const auto graph = Graph::of(position);
        const char own = left ? 'x' : 'o', other = left ? 'o' : 'x', keeps = col_ ? other : own;
        BoardMoves found;
        for (const auto& [name, tint] : graph.vertices) {
            if (tint == other) continue;
            std::map<std::string, char> kept;
            for (const auto& [vertex, its] : graph.vertices)
                if (vertex != name && !graph.adjacent(vertex, name)) kept[vertex] = its;
                else if (vertex != name && (its == ' ' || its == keeps)) kept[vertex] = keeps;
            found.push_back({name, graph.on(std::move(kept)).text()});
        }
        return found;
    }

private:
    bool col_;
};

// A vertex goes with its neighbours; or, in arc kayles, an edge with its two ends.
class GraphKayles : public GraphRules {
public:
    explicit GraphKayles(bool arcs) : GraphRules(false, !arcs), arcs_(arcs) {}
    BoardMoves moves(const std::string& position, bool) const override {
        const auto graph = Graph::of(position);
        const auto left = [&](auto&& gone) {
            auto kept = graph.vertices;
            std::erase_if(kept, [&](const auto& vertex) { return gone(vertex.first); });
            return graph.on(std::move(kept));
        };
        BoardMoves found;
        if (arcs_) {
            for (const auto& [one, other] : graph.edges) {
                const auto rest = left([&](const std::string& vertex) { return vertex == one || vertex == other; });
                found.push_back({one + "-" + other, rest.without_single().text()});
            }
            return found;
        }
        for (const auto& vertex : graph.vertices) {
            const auto& name = vertex.first;
            found.push_back({name, left([&](const std::string& near) {
                                       return near == name || graph.adjacent(near, name);
                                   }).text()});
        }
        return found;
    }

private:
    bool arcs_;
};

// Edges with colours: b for Left, r for Right, g for both. One is cut, and what no longer stands on the ground falls.
class Hackenbush : public BoardRules {
public:
    std::string read(std::string_view text) const override {
        if (text.find_first_not_of("bBrRgG") == std::string_view::npos) return text_of(stalk(lower(text)));
        Picture edges;
        std::size_t at = 0;
        while (true) {
            const auto one = word_at(text, at);
            const bool edge = take(text, at, '-');
            const auto other = word_at(text, at);
            const bool coloured = take(text, at, ':');
            const auto colour = lower(word_at(text, at));
            if (one.empty() || !edge || other.empty() || !coloured || (colour != "b" && colour != "r" && colour != "g"))
                throw BadInput("expected an edge such as 0-a:b, with colour b, r or g");
            edges.push_back({std::min(one, other), std::max(one, other), colour[0]});
            if (at == text.size()) break;
            if (!take(text, at, ',') && !is_blank(text[at])) throw BadInput("expected a comma and the next edge");
            skip(text, at);
        }
        const auto standing = on_the_ground(edges);
        if (standing.size() < edges.size())
            throw BadInput("an edge does not stand on the ground, expected a way down to 0");
        return text_of(standing);
    }
    BoardMoves moves(const std::string& position, bool left) const override {
        const auto edges = of(position);
        BoardMoves found;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (edges[i].colour == (left ? 'r' : 'b') || (i && edges[i] == edges[i - 1])) continue;
            auto rest = edges;
            rest.erase(rest.begin() + std::ptrdiff_t(i));
            found.push_back({edges[i].text(), text_of(on_the_ground(rest))});
        }
        return found;
    }
    // Pictures that share nothing but the ground.
    Texts parts(const std::string& position) const override {
        const auto edges = of(position);
        std::map<std::string, std::vector<int>> at_end;
        std::vector<int> all;
        for (int i = 0; i < int(edges.size()); ++i) {
            all.push_back(i);
            at_end[edges[std::size_t(i)].one].push_back(i), at_end[edges[std::size_t(i)].other].push_back(i);
        }
        const auto near = [&](int i) {
            std::vector<int> found;
            for (const auto* end : {&edges[std::size_t(i)].one, &edges[std::size_t(i)].other})
                if (*end != "0") found.insert(found.end(), at_end[*end].begin(), at_end[*end].end());
            return found;
        };
        Texts found;
        for (const auto& group : hanging_together(all, near)) {
            Picture part;
            for (const auto i : group) part.push_back(edges[std::size_t(i)]);
            found.push_back(text_of(renamed(part)));
        }
        return found;
    }

private:
    struct Edge {
        std::string one, other;  // in alphabetical order
        char colour;
        auto operator<=>(const Edge&) const = default;
        std::string text() const { return one + "-" + other + ":" + colour; }
    };
    using Picture = std::vector<Edge>;
    static constexpr std::size_t kLongestStalk = 27;  // after z the names of ends are not in alphabetical order

    // What stands on the ground, in order.
    static Picture on_the_ground(const Picture& edges) {
        std::map<std::string, Texts> beside;
        for (const auto& edge : edges) beside[edge.one].push_back(edge.other), beside[edge.other].push_back(edge.one);
        std::set<std::string> standing{"0"};
        for (Texts open{"0"}; !open.empty();) {
            const auto end = open.back();
            open.pop_back();
            for (const auto& other : beside[end])
                if (standing.insert(other).second) open.push_back(other);
        }
        Picture found;
        for (const auto& edge : edges)
            if (standing.contains(edge.one))
                found.push_back({std::min(edge.one, edge.other), std::max(edge.one, edge.other), edge.colour});
        std::ranges::sort(found);
        return found;
    }
    // Edges on top of each other, from the ground up.
    static Picture stalk(const std::string& colours) {
        Picture edges;
        std::string below = "0";
        for (std::size_t i = 0; i < colours.size(); ++i) {
            const auto above = letters(unsigned(i));
            edges.push_back({std::min(below, above), std::max(below, above), colours[i]});
            below = above;
        }
        std::ranges::sort(edges);
        return edges;
    }
    // A stalk by its colours, any other picture by its edges.
    static std::string text_of(const Picture& edges) {
        if (edges.size() <= kLongestStalk) {
            std::string colours, below = "0";
            for (std::size_t i = 0; i < edges.size(); ++i) {
                const auto above = letters(unsigned(i));
                const auto edge = std::ranges::find_if(edges, [&](const Edge& e) {
                    return e.one == std::min(below, above) && e.other == std::max(below, above);
                });
                if (edge == edges.end()) break;
                colours += edge->colour, below = above;
            }
            if (stalk(colours) == edges) return colours;
        }
        Texts said;
        for (const auto& edge : edges) said.push_back(edge.text());
        return joined_by(said, ",");
    }
    static Picture of(const std::string& position) {
        if (position.find('-') == std::string::npos) return stalk(position);
        Picture edges;
        for (const auto& said : cut_at(position, ',')) {
            const auto dash = said.find('-'), colon = said.find(':');
            edges.push_back({said.substr(0, dash), said.substr(dash + 1, colon - dash - 1), said.back()});
        }
        return edges;
    }
    // Ends get names in the order in which a walk from the ground meets them, so that equal pictures mostly look alike:
    // by the colours of the edges to them, then those with few edges first, then in the order of the edges.
    static Picture renamed(const Picture& edges) {
        struct Link {
            char colour;
            std::string other;
        };
        std::map<std::string, std::vector<Link>> beside;
        for (const auto& edge : edges) {
            beside[edge.one].push_back({edge.colour, edge.other});
            beside[edge.other].push_back({edge.colour, edge.one});
        }
        std::map<std::string, std::string> names{{"0", "0"}};
        Texts walk{"0"};
        for (std::size_t i = 0; i < walk.size(); ++i) {
            auto links = beside[walk[i]];
            std::ranges::stable_sort(
                links, {}, [&](const Link& link) { return std::pair(link.colour, beside[link.other].size()); });
            for (const auto& link : links)
                if (names.try_emplace(link.other, letters(unsigned(names.size() - 1))).second)
                    walk.push_back(link.other);
        }
        Picture made;
        for (const auto& edge : edges) made.push_back({names[edge.one], names[edge.other], edge.colour});
        return on_the_ground(made);
    }
};

}  // namespace

RulesOf graph_games() {
    return {{"arckayles", [] { return std::make_unique<GraphKayles>(true); }},
            {"graphcol", [] { return std::make_unique<GraphColouring>(true); }},
            {"graphsnort", [] { return std::make_unique<GraphColouring>(false); }},
            {"hackenbush", [] { return std::make_unique<Hackenbush>(); }},
            {"nodekayles", [] { return std::make_unique<GraphKayles>(false); }}};
}

}  // namespace checker
