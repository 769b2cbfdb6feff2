// A best move by B*: bounds on every node, and search only until one move is at least as good as all others can be.
//
// At the root either the move that promises most is made surer (prove-best) or the strongest rival made weaker (disprove-rest);
// below, the path follows whatever promises most to the side that is to move, its end is expanded, and bounds go back up
// (Berliner, The B* Tree Search Algorithm, 1979; Yedwab 1985, section 5.2.1). Bounds at new nodes are thermostatic. Sums that are
// met again share a node; parents off the path hear of news when the path next comes through them.
//
//     BStar<T> search(context, Method::palay, control);
//     search.run(components, /*left_moves*/ true);
//     search.best_move();
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "cgt/sums/alphabeta.hpp"

namespace zermelo::cgt::sums {

template <class T>
class BStar {
public:
    // The context lists moves and keeps the walls; it does not search.
    BStar(AlphaBeta<T>& context, Method rule, Control& control) : context_(context), rule_(rule), control_(control) {}
    ~BStar() { control_.charge(-static_cast<std::int64_t>(charged_)); }
    BStar(const BStar&) = delete;
    BStar& operator=(const BStar&) = delete;

    // Looks for a best move of a sum that is not over. Bounds are good whenever Stopped is thrown.
    void run(std::span<const Id> components, bool left_moves) {
        context_.set(components);
        root_ = node_here(left_moves);
        expand(root_);
        depth_.assign(nodes_[root_].count, 1);
        update(root_);
        while (!decided()) descend(choose());
    }

    Range<T> range() const { return {nodes_[root_].lower, nodes_[root_].upper}; }
    std::uint32_t best_move() const { return edges_[nodes_[root_].first + best_].move; }
    std::uint64_t nodes() const { return nodes_.size(); }
    std::uint64_t expanded() const { return expanded_; }
    std::uint64_t shared() const { return shared_; }

private:
    struct Node {
        T lower, upper;
        std::uint64_t key;          // where its components begin
        std::uint32_t components;
        std::uint32_t count = 0;    // edges; 0: not expanded
        std::uint64_t first = 0;
        bool left_moves;
    };
    struct Edge {
        std::uint32_t move, to;
    };

    std::span<const Id> key(const Node& node) const { return std::span(keys_).subspan(node.key, node.components); }
    const T& gain(const Node& node, std::uint32_t edge) const { return context_.option(edges_[node.first + edge].move, node.left_moves).gain; }
    T lower(const Node& node, std::uint32_t edge) const { return nodes_[edges_[node.first + edge].to].lower + gain(node, edge); }
    T upper(const Node& node, std::uint32_t edge) const { return nodes_[edges_[node.first + edge].to].upper + gain(node, edge); }
    // What a move promises the mover, and what it is sure to give him, larger being better.
    T promise(const Node& node, std::uint32_t edge) const { return node.left_moves ? upper(node, edge) : T(0) - lower(node, edge); }
    T surety(const Node& node, std::uint32_t edge) const { return node.left_moves ? lower(node, edge) : T(0) - upper(node, edge); }

    // The node of the sum that the context is at.
    std::uint32_t node_here(bool left_moves) {
        const auto& sum = context_.sum();
        const std::uint64_t hash = sum.hash() * 2 + (left_moves ? 1 : 0);
        for (auto [at, end] = met_.equal_range(hash); at != end; ++at) {
            const Node& node = nodes_[at->second];
            if (node.left_moves == left_moves && std::ranges::equal(key(node), sum.hot())) {
                ++shared_;
                return at->second;
            }
        }
        control_.tick();
        charge(sizeof(Node) + sum.hot().size() * sizeof(Id) + 48);
        const Range<T> seen = sum.over() ? Range<T>{T(0), T(0)} : context_.bounds_here(left_moves);
        const auto index = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({seen.lower, seen.upper, keys_.size(), static_cast<std::uint32_t>(sum.hot().size()), 0, 0, left_moves});
        keys_.insert(keys_.end(), sum.hot().begin(), sum.hot().end());
        met_.emplace(hash, index);
        return index;
    }

    void expand(std::uint32_t index) {
        const bool left_moves = nodes_[index].left_moves;
        const auto components = key(nodes_[index]);
        context_.set(std::vector<Id>(components.begin(), components.end()));
        context_.list(left_moves, moves_);
        const std::uint64_t first = edges_.size();
        charge(moves_.size() * sizeof(Edge));
        for (const auto move : moves_) {
            context_.play(move, left_moves);
            edges_.push_back({move, node_here(!left_moves)});
            context_.undo(move, left_moves);
        }
        nodes_[index].first = first;
        nodes_[index].count = static_cast<std::uint32_t>(moves_.size());
        ++expanded_;
    }

    // Takes over what the children know; whether that is news.
    bool update(std::uint32_t index) {
        Node& node = nodes_[index];
        T low = lower(node, 0), high = upper(node, 0);
        for (std::uint32_t edge = 1; edge < node.count; ++edge) {
            T l = lower(node, edge), u = upper(node, edge);
            if (node.left_moves ? l > low : l < low) low = std::move(l);
            if (node.left_moves ? u > high : u < high) high = std::move(u);
        }
        bool news = false;
        if (low > node.lower) node.lower = std::move(low), news = true;
        if (high < node.upper) node.upper = std::move(high), news = true;
        return news;
    }

    // The edge that promises most; of equal ones the surest.
    std::uint32_t most_promising(const Node& node, std::uint32_t without = ~std::uint32_t{0}) const {
        std::uint32_t best = ~std::uint32_t{0};
        T promised(0), sure(0);
        for (std::uint32_t edge = 0; edge < node.count; ++edge) {
            if (edge == without) continue;
            T here = promise(node, edge), safe = surety(node, edge);
            if (best == ~std::uint32_t{0} || here > promised || (here == promised && safe > sure)) best = edge, promised = std::move(here), sure = std::move(safe);
        }
        return best;
    }

    // Sets the best move and its strongest rival; whether nothing is left to prove.
    bool decided() {
        const Node& root = nodes_[root_];
        best_ = most_promising(root);
        if (root.count == 1) return true;
        rival_ = most_promising(root, best_);
        return surety(root, best_) >= promise(root, rival_);
    }

    // Which of the two to look into.
    std::uint32_t choose() const {
        const Node& root = nodes_[root_];
        if (solved(root, best_)) return rival_;
        if (solved(root, rival_)) return best_;
        return (rule_ == Method::palay ? prove_by_chance(root) : prove_by_depth(root)) ? best_ : rival_;
    }
    bool solved(const Node& node, std::uint32_t edge) const { return lower(node, edge) == upper(node, edge); }

    // Berliner: the side of the question that has been looked into less deeply, by squares of depths.
    bool prove_by_depth(const Node& root) const {
        const T sure = surety(root, best_);
        std::uint64_t rivals = 0;
        for (std::uint32_t edge = 0; edge < root.count; ++edge)
            if (edge != best_ && promise(root, edge) > sure) rivals += depth_[edge] * depth_[edge];
        return depth_[best_] * depth_[best_] <= rivals;
    }

    // Palay: as if every value were spread evenly over its range, the more probable of "the best is above all that the rivals promise"
    // and "every rival is below what the best is sure of". This only guides the search.
    bool prove_by_chance(const Node& root) const {
        const T sure = surety(root, best_), promised = promise(root, best_), rival = promise(root, rival_);
        const double prove = share(promised - rival, promised - sure);
        double disprove = 1;
        for (std::uint32_t edge = 0; edge < root.count; ++edge) {
            if (edge == best_) continue;
            const T top = promise(root, edge), bottom = surety(root, edge);
            if (top <= sure) continue;
            disprove *= bottom >= sure ? 0.0 : share(sure - bottom, top - bottom);
        }
        return prove >= disprove;
    }
    static double share(const T& part, const T& whole) {
        const double of = NumberOf<T>::approximate(whole);
        return std::isfinite(of) ? NumberOf<T>::approximate(part) / of : 0.5;
    }

    // From the root along that edge to a node that is not expanded yet, and back.
    void descend(std::uint32_t edge) {
        path_.assign(1, root_);
        const std::uint32_t at_root = edge;
        std::uint32_t at = edges_[nodes_[root_].first + edge].to;
        while (nodes_[at].count != 0) {
            path_.push_back(at);
            if (update(at)) {  // news from another parent's visit: decide again with it
                back_up();
                return;
            }
            at = edges_[nodes_[at].first + most_promising(nodes_[at])].to;
        }
        path_.push_back(at);
        expand(at);
        depth_[at_root] = std::max<std::uint64_t>(depth_[at_root], path_.size());
        back_up();
    }
    void back_up() {
        for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
            const bool newly = at == path_.rbegin();
            if (!update(*at) && !newly) return;
        }
    }

    void charge(std::size_t bytes) {
        control_.charge(static_cast<std::int64_t>(bytes));
        charged_ += bytes;
    }

    AlphaBeta<T>& context_;
    Method rule_;
    Control& control_;
    std::uint32_t root_ = 0, best_ = 0, rival_ = 0;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<Id> keys_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> met_;
    std::vector<std::uint32_t> moves_, path_;
    std::vector<std::uint64_t> depth_;  // of the deepest look below each move of the root
    std::uint64_t expanded_ = 0, shared_ = 0;
    std::size_t charged_ = 0;
};

}  // namespace zermelo::cgt::sums
