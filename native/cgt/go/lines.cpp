#include "cgt/go/lines.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace zermelo::go {

namespace {

using Piece = std::vector<std::uint32_t>;

bool is_upper(char stone) { return stone == 'X' || stone == 'O'; }
char lower(char stone) { return stone == 'X' ? 'x' : stone == 'O' ? 'o' : stone; }
char upper(char stone) { return stone == 'x' ? 'X' : stone == 'o' ? 'O' : stone; }
char other_of(char stone) { return stone == 'x' ? 'o' : 'x'; }

// The connected parts of the points that belong, in order of their first points, each sorted.
template <class Belongs>
std::vector<Piece> pieces(const Neighbours& near, Belongs&& belongs) {
    std::vector<Piece> found;
    std::vector<char> seen(near.size());
    for (std::uint32_t start = 0; start < near.size(); ++start) {
        if (seen[start] || !belongs(start)) continue;
        Piece piece{start};
        seen[start] = 1;
        for (std::size_t i = 0; i < piece.size(); ++i)
            for (const auto next : near[piece[i]])
                if (!seen[next] && belongs(next)) seen[next] = 1, piece.push_back(next);
        std::sort(piece.begin(), piece.end());
        found.push_back(std::move(piece));
    }
    return found;
}

// Is there no place for two eyes among points that touch none of the walls?
template <class Wall>
bool no_room(const Neighbours& near, const Piece& piece, Wall&& wall) {
    std::uint32_t inner[2] = {0, 0};
    int count = 0;
    for (const auto point : piece) {
        if (std::any_of(near[point].begin(), near[point].end(), wall)) continue;
        if (count == 2) return false;
        inner[count++] = point;
    }
    if (count < 2) return true;
    return std::find(near[inner[0]].begin(), near[inner[0]].end(), inner[1]) != near[inner[0]].end();
}

struct Area {
    std::vector<std::uint32_t> borders, vital;  // chains by number
};

// Marks the stones of a colour that live whatever happens.
void mark_alive(const Neighbours& near, const std::string& stones, char colour, std::string& labels) {
    const auto own = [&](std::uint32_t point) { return lower(stones[point]) == colour; };
    const auto chains = pieces(near, own);
    std::vector<std::int32_t> chain_of(near.size(), -1);
    std::vector<char> given(chains.size()), alive(chains.size(), 1);
    for (std::uint32_t number = 0; number < chains.size(); ++number)
        for (const auto point : chains[number]) {
            chain_of[point] = static_cast<std::int32_t>(number);
            if (is_upper(stones[point])) given[number] = 1;
        }
    std::vector<Area> areas;
    for (const auto& piece : pieces(near, [&](std::uint32_t p) { return !own(p) && stones[p] != '#'; })) {
        const auto safe = upper(other_of(colour));
        if (std::any_of(piece.begin(), piece.end(), [&](std::uint32_t p) { return stones[p] == safe; })) continue;
        if (!no_room(near, piece, own)) continue;
        Area area;
        std::vector<std::uint32_t> touched(chains.size());
        std::uint32_t empty = 0;
        for (const auto point : piece) {
            if (stones[point] == '.') ++empty;
            std::vector<std::int32_t> beside;
            for (const auto next : near[point]) {
                const auto chain = chain_of[next];
                if (chain < 0 || std::find(beside.begin(), beside.end(), chain) != beside.end()) continue;
                beside.push_back(chain);
                area.borders.push_back(static_cast<std::uint32_t>(chain));
                if (stones[point] == '.') ++touched[static_cast<std::uint32_t>(chain)];
            }
        }
        std::sort(area.borders.begin(), area.borders.end());
        area.borders.erase(std::unique(area.borders.begin(), area.borders.end()), area.borders.end());
        for (const auto chain : area.borders)
            if (touched[chain] == empty) area.vital.push_back(chain);
        areas.push_back(std::move(area));
    }
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<int> eyes(chains.size());
        for (const auto& area : areas)
            if (std::all_of(area.borders.begin(), area.borders.end(), [&](std::uint32_t c) { return alive[c]; }))
                for (const auto chain : area.vital) ++eyes[chain];
        for (std::uint32_t chain = 0; chain < chains.size(); ++chain)
            if (alive[chain] && !given[chain] && eyes[chain] < 2) alive[chain] = 0, changed = true;
    }
    for (std::uint32_t chain = 0; chain < chains.size(); ++chain)
        if (alive[chain])
            for (const auto point : chains[chain]) labels[point] = upper(colour);
}

struct Move {
    bool legal = false;
    std::string after;
    std::vector<std::uint32_t> captured;
};

// The chain of a point, and whether it has a liberty or a stone that is safe anyway.
bool breathes(const Neighbours& near, const std::string& stones, std::uint32_t start, Piece& chain) {
    chain.assign(1, start);
    const auto own = lower(stones[start]);
    std::vector<char> seen(near.size());
    seen[start] = 1;
    bool free = false;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        free |= is_upper(stones[chain[i]]);
        for (const auto next : near[chain[i]]) {
            free |= stones[next] == '.';
            if (!seen[next] && lower(stones[next]) == own) seen[next] = 1, chain.push_back(next);
        }
    }
    return free;
}

Move played(const Neighbours& near, const std::string& stones, std::uint32_t point, char colour) {
    Move move;
    move.after = stones;
    move.after[point] = colour;
    Piece chain;
    for (const auto next : near[point]) {
        if (move.after[next] != other_of(colour)) continue;
        if (std::find(move.captured.begin(), move.captured.end(), next) != move.captured.end()) continue;
        if (!breathes(near, move.after, next, chain))
            move.captured.insert(move.captured.end(), chain.begin(), chain.end());
    }
    for (const auto dead : move.captured) move.after[dead] = '.';
    std::sort(move.captured.begin(), move.captured.end());
    move.legal = !move.captured.empty() || breathes(near, move.after, point, chain);
    return move;
}

}  // namespace

SettledParts settle(const Neighbours& near, const std::string& stones) {
    SettledParts found;
    auto labels = stones;
    mark_alive(near, stones, 'x', labels);
    mark_alive(near, stones, 'o', labels);
    for (std::uint32_t point = 0; point < near.size(); ++point)
        if (is_upper(labels[point]) && !is_upper(stones[point])) found.score += labels[point] == 'X' ? 1 : -1;
    const auto open = [&](std::uint32_t p) { return !is_upper(labels[p]) && labels[p] != '#'; };
    const auto known = labels;
    for (const auto& piece : pieces(near, open)) {
        bool black = false, white = false;
        for (const auto point : piece)
            for (const auto next : near[point]) black |= known[next] == 'X', white |= known[next] == 'O';
        if (black != white) {
            const auto wall = black ? 'X' : 'O';
            if (no_room(near, piece, [&](std::uint32_t p) { return known[p] == wall; })) {
                found.score += static_cast<std::int32_t>(piece.size()) * (black ? 1 : -1);
                continue;
            }
        }
        std::string part(near.size(), '#');
        for (const auto point : piece) {
            part[point] = known[point];
            for (const auto next : near[point]) part[next] = known[next];
        }
        found.parts.push_back(std::move(part));
    }
    return found;
}

std::optional<RegionLines> explore(const Neighbours& near, const std::string& root, std::uint64_t most,
                                   Control& control) {
    RegionLines lines;
    std::unordered_map<std::string, std::uint32_t> number{{root, 0}};
    std::unordered_map<std::string, SettledParts> settled;
    lines.positions.push_back(root);
    for (std::size_t at = 0; at < lines.positions.size(); ++at) {
        if (lines.positions.size() > most) return std::nullopt;
        control.tick();
        control.charge(static_cast<std::int64_t>(64 * root.size()));
        const auto position = lines.positions[at];
        auto& steps = lines.steps.emplace_back();
        for (std::uint32_t point = 0; point < near.size(); ++point) {
            if (position[point] != '.') continue;
            for (const auto colour : {'x', 'o'}) {
                auto move = played(near, position, point, colour);
                if (!move.legal) continue;
                auto known = settled.find(move.after);
                if (known == settled.end()) known = settled.emplace(move.after, settle(near, move.after)).first;
                LineStep step{point, colour == 'x', std::move(move.captured), known->second.score, {}};
                for (const auto& part : known->second.parts) {
                    const auto [place, fresh] =
                        number.emplace(part, static_cast<std::uint32_t>(lines.positions.size()));
                    if (fresh) lines.positions.push_back(part);
                    step.parts.push_back(place->second);
                }
                steps.push_back(std::move(step));
            }
        }
    }
    return lines;
}

}  // namespace zermelo::go
