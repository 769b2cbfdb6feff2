// A game given as an explicit graph in compressed rows: what a game written in Python becomes.
//
// A move is the position of an edge in its node's row. Scores are dense ranks of the exact scores, so that any
// ordered score fits; `endless` is the rank of play that never ends. Games with chance or with other than two
// roles carry probabilities and utilities as well, for uct; exact kernels do not take them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "zermelo/game.hpp"

namespace zermelo {

struct GraphData {
    static constexpr std::uint8_t kChance = 255;
    static constexpr std::uint8_t kOver = 254;
    std::vector<std::uint64_t> first_edge;  // nodes + 1
    std::vector<std::uint32_t> target;      // edges
    std::vector<std::uint8_t> turn;         // role, kChance or kOver
    std::vector<std::int32_t> score;        // first role's rank where over, else 0
    std::int32_t worst = 0, best = 0;       // over the ends; endless play is added where positions repeat
    std::int32_t endless = 0;
    std::uint8_t roles = 2;
    std::vector<double> utility;      // nodes * roles, where over: for uct
    std::vector<double> probability;  // edges, at chance nodes: for uct
};

class Graph {
public:
    struct State {
        std::uint32_t node;
        bool operator==(const State&) const = default;
    };

    Graph(GraphData data, std::uint32_t start);

    State start() const { return {start_}; }
    int turn(const State& s) const { return data_.turn[s.node]; }
    Ending ending(const State& s) const { return {data_.turn[s.node] == GraphData::kOver, data_.score[s.node]}; }
    void moves(const State& s, std::vector<Move>& out) const {
        const auto count = static_cast<Move>(data_.first_edge[s.node + 1] - data_.first_edge[s.node]);
        for (Move move = 0; move < count; ++move) out.push_back(move);
    }
    State play(const State& s, Move move) const { return {data_.target[data_.first_edge[s.node] + move]}; }
    Score worst() const { return data_.worst; }
    Score best() const { return data_.best; }
    Score endless() const { return data_.endless; }
    bool acyclic() const { return acyclic_; }
    std::size_t positions() const { return data_.turn.size(); }
    bool has_chance() const { return has_chance_; }
    const GraphData& data() const { return data_; }

private:
    bool find_acyclic() const;

    GraphData data_;
    std::uint32_t start_;
    bool acyclic_ = true;
    bool has_chance_ = false;
};

}  // namespace zermelo
