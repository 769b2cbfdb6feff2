#include "gdl/batch/batch.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace zermelo::gdl {

namespace {

using bulk::kLanes;
using bulk::kParts;
using bulk::Word;

std::uint32_t offset_of(std::uint32_t node) { return node * static_cast<std::uint32_t>(sizeof(Word)); }

std::uint64_t part_of(const std::vector<Word>& words, Literal literal, std::uint32_t part) {
    const auto bits = words[node_of(literal)].part[part];
    return negated(literal) ? ~bits : bits;
}

// Which gates rest on a move, block by block.
std::vector<bool> rests_on_moves(const Circuit& circuit) {
    std::vector<bool> rests(circuit.nodes());
    for (std::uint32_t move = 0; move < circuit.moves; ++move) rests[circuit.move_node(move)] = true;
    for (const auto& block : circuit.blocks) {
        bool some = false;
        for (auto node = block.first; node < block.last; ++node) {
            const auto inputs = circuit.inputs(node);
            rests[node] = std::ranges::any_of(inputs, [&](Literal input) { return rests[node_of(input)]; });
            some = some || rests[node];
        }
        if (block.cyclic && some) std::fill(rests.begin() + block.first, rests.begin() + block.last, true);
    }
    return rests;
}

}  // namespace

Batch::Batch(std::shared_ptr<const Circuit> circuit, std::uint32_t games, Isa isa)
    : circuit_(std::move(circuit)), kernel_(bulk::kernel_of(isa)), games_(games), next_(circuit_->fluents) {
    if (!supported(isa)) throw std::invalid_argument("this machine has not the instructions that are asked for");
    if (games == 0) throw std::invalid_argument("no games, expected one at least");
    write_tapes();
    blocks_.assign((games - 1) / kLanes + 1, Words(circuit_->nodes()));
    begin(std::vector<std::uint8_t>(games, 1));
}

void Batch::write_tapes() {
    const auto rests = rests_on_moves(*circuit_);
    for (const auto& block : circuit_->blocks) {
        if (block.cyclic) {
            add(rests[block.first] ? move_ : look_, *circuit_, block);
            continue;
        }
        for (auto node = block.first; node < block.last; ++node)
            add(rests[node] ? move_ : look_, *circuit_, {node, node + 1, false});
    }
}

// An AND of literals is the AND of the plain ones and of the negated ones; an OR the negation of the AND of what its
// inputs are not. Without a plain input the kernel ORs the others: then an AND is turned round, and an OR is not.
void Batch::add(Tape& tape, const Circuit& circuit, const Block& block) {
    auto& segments = tape.segments;
    if (block.cyclic || segments.empty() || segments.back().cyclic) {
        const auto runs = static_cast<std::uint32_t>(tape.runs.size());
        const auto fill = static_cast<std::uint32_t>(tape.fill.size());
        segments.push_back({runs, runs, static_cast<std::uint32_t>(tape.code.size()), fill, fill, block.cyclic});
    }
    auto& segment = segments.back();
    std::vector<std::uint32_t> plain, turned;
    for (auto node = block.first; node < block.last; ++node) {
        const bool any = circuit.gate[node - circuit.first_gate()] == Gate::any;
        plain.clear();
        turned.clear();
        for (const auto input : circuit.inputs(node))
            (negated(input) == any ? plain : turned).push_back(offset_of(node_of(input)));
        const auto p = static_cast<std::uint32_t>(plain.size()), q = static_cast<std::uint32_t>(turned.size());
        const auto shape = bulk::shape_of(p, q, any == (p != 0));
        if (segment.first_run == segment.last_run || tape.runs.back().shape != shape || tape.runs.back().p != p ||
            tape.runs.back().q != q) {
            tape.runs.push_back({shape, 0, p, q});
            ++segment.last_run;
        }
        ++tape.runs.back().count;
        tape.code.push_back(offset_of(node));
        tape.code.insert(tape.code.end(), plain.begin(), plain.end());
        tape.code.insert(tape.code.end(), turned.begin(), turned.end());
        if (block.cyclic) tape.fill.push_back(offset_of(node));
    }
    segment.last_fill = static_cast<std::uint32_t>(tape.fill.size());
}

void Batch::run(const Tape& tape, Words& words) const {
    kernel_.execute({tape.segments.data(), tape.segments.size(), tape.runs.data(), tape.code.data(), tape.fill.data()},
                    words.data());
}

void Batch::begin(std::span<const std::uint8_t> which) {
    if (which.size() != games_) throw std::invalid_argument("one flag for each game is expected");
    const auto& start = circuit_->start;
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
        auto& words = blocks_[b];
        Word chosen{};
        const auto first = b * kLanes, last = std::min(games_, first + kLanes);
        for (auto game = first; game < last; ++game)
            chosen.part[(game - first) / 64] |= std::uint64_t{which[game] != 0} << (game % 64);
        for (std::uint32_t f = 0; f < circuit_->fluents; ++f) {
            const bool holds = start[f / 64] >> (f % 64) & 1;
            auto& word = words[circuit_->fluent_node(f)];
            for (std::uint32_t i = 0; i < kParts; ++i)
                word.part[i] = holds ? word.part[i] | chosen.part[i] : word.part[i] & ~chosen.part[i];
        }
        run(look_, words);
    }
}

bool Batch::holds(std::uint32_t game, Literal literal) const {
    return part_of(blocks_[game / kLanes], literal, game % kLanes / 64) >> (game % 64) & 1;
}

void Batch::check_moves(std::span<const std::uint32_t> moves) const {
    const auto roles = circuit_->roles();
    if (moves.size() != std::size_t{games_} * roles) throw std::invalid_argument("one move for each game and role");
    for (std::uint32_t game = 0; game < games_; ++game) {
        if (holds(game, circuit_->terminal)) continue;
        for (std::uint32_t role = 0; role < roles; ++role) {
            const auto move = moves[std::size_t{game} * roles + role];
            const bool known = move >= circuit_->first_move[role] && move < circuit_->first_move[role + 1];
            if (!known || !holds(game, circuit_->legal[move])) throw std::invalid_argument("a move that is not legal");
        }
    }
}

void Batch::step(std::span<const std::uint32_t> moves) {
    check_moves(moves);
    const std::size_t a_block = std::size_t{kLanes} * circuit_->roles();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const auto games = std::min(kLanes, games_ - static_cast<std::uint32_t>(b) * kLanes);
        play(blocks_[b], moves.subspan(b * a_block), games);
    }
}

void Batch::play(Words& words, std::span<const std::uint32_t> moves, std::uint32_t games) {
    const auto roles = circuit_->roles();
    std::fill_n(words.begin() + circuit_->move_node(0), circuit_->moves, Word{});
    for (std::uint32_t game = 0; game < games; ++game) {
        if (part_of(words, circuit_->terminal, game / 64) >> (game % 64) & 1) continue;
        for (std::uint32_t role = 0; role < roles; ++role)
            words[circuit_->move_node(moves[std::size_t{game} * roles + role])].part[game / 64] |= std::uint64_t{1}
                                                                                                   << (game % 64);
    }
    run(move_, words);
    for (std::uint32_t f = 0; f < circuit_->fluents; ++f)
        for (std::uint32_t i = 0; i < kParts; ++i) {
            const auto over = part_of(words, circuit_->terminal, i), now = words[circuit_->fluent_node(f)].part[i];
            next_[f].part[i] = (part_of(words, circuit_->next[f], i) & ~over) | (now & over);
        }
    std::ranges::copy(next_, words.begin() + circuit_->fluent_node(0));
    run(look_, words);
}

// Turns words of lanes into rows of games: 64 games of 64 literals are near each other in memory at both ends.
void Batch::spread(std::span<const Literal> literals, Literal barred, std::span<std::uint8_t> out) const {
    if (out.size() != std::size_t{games_} * literals.size()) throw std::invalid_argument("room of the wrong size");
    for (std::uint32_t first = 0; first < games_; first += 64) {
        const auto& words = blocks_[first / kLanes];
        const auto part = first % kLanes / 64, last = std::min(games_, first + 64);
        const auto open = ~part_of(words, barred, part);
        for (std::size_t i = 0; i < literals.size(); ++i) {
            const auto bits = part_of(words, literals[i], part) & open;
            for (auto game = first; game < last; ++game)
                out[game * literals.size() + i] = static_cast<std::uint8_t>(bits >> (game - first) & 1);
        }
    }
}

void Batch::fluents(std::span<std::uint8_t> out) const {
    std::vector<Literal> literals(circuit_->fluents);
    for (std::uint32_t f = 0; f < circuit_->fluents; ++f) literals[f] = 2 * circuit_->fluent_node(f);
    spread(literals, kFalse, out);
}

void Batch::legal(std::span<std::uint8_t> out) const { spread(circuit_->legal, circuit_->terminal, out); }

void Batch::over(std::span<std::uint8_t> out) const { spread(std::span(&circuit_->terminal, 1), kFalse, out); }

void Batch::goals(std::span<std::int64_t> out) const {
    if (out.size() != std::size_t{games_} * circuit_->roles()) throw std::invalid_argument("room of the wrong size");
    std::vector<bool> found(out.size());
    std::ranges::fill(out, kNoGoal);
    for (const auto& goal : circuit_->goals)
        for (std::uint32_t first = 0; first < games_; first += 64) {
            auto bits = part_of(blocks_[first / kLanes], goal.when, first % kLanes / 64);
            if (games_ - first < 64) bits &= (std::uint64_t{1} << (games_ - first)) - 1;
            for (; bits != 0; bits &= bits - 1) {
                const auto game = first + static_cast<std::uint32_t>(std::countr_zero(bits));
                const auto at = std::size_t{game} * circuit_->roles() + goal.role;
                out[at] = found[at] ? kNoGoal : goal.value;
                found[at] = true;
            }
        }
}

}  // namespace zermelo::gdl
