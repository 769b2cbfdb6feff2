// How a specialised circuit becomes tapes, one pass a file: what the choice of moves reads and writes (moves.cpp),
// the order of the gates (order.cpp), the words that hold them (places.cpp). program.cpp runs the
// passes.
//
//     Program program = Scheduler(special, group).run(later, true);
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "gdl/bulk_program/program.hpp"

namespace zermelo::gdl::bulk {

inline constexpr std::uint32_t kNone = 0xffffffffu;
enum Stage : std::uint8_t { kUnused, kGiven, kLook, kEnd, kStep };  // kGiven: what a choice writes

// Every gate as an AND, with its result turned round for an OR; the word that holds it may be turned round again.
struct Item {
    std::uint32_t first, count;  // its inputs in the pool
    bool turned;
    bool inverted = false;    // what its word holds
    std::uint8_t wanted = 2;  // 0 or 1 where `inverted` must be so
    Stage stage = kUnused;
    std::uint32_t block = kNone;  // the cyclic block it belongs to
    std::uint32_t home = kNone;   // the fluent whose next value it is
    std::uint32_t p = 0;          // inputs whose words are taken as they are; they come first
    bool turn = false;            // the kernel turns the result round
    std::uint32_t kind = 0;       // numbers all p, count, turn that occur
};

class Scheduler {
public:
    explicit Scheduler(const Special& special, std::span<const std::uint32_t> group = {});

    Program run(const Known& later, bool with_goals);
    Program run_goals();

private:
    using Step = std::vector<std::uint32_t>;  // one item, or all of a cyclic block
    struct Cycle {
        std::uint32_t first, last;
    };
    struct Slot {
        std::uint32_t take, bar;  // nodes; no bar is kNone
        std::vector<std::uint32_t> moves;
    };

    bool is_item(std::uint32_t node) const { return node >= base_; }
    Item& item(std::uint32_t node) { return items_[node - base_]; }
    const Item& item(std::uint32_t node) const { return items_[node - base_]; }
    std::span<const Literal> inputs(const Item& it) const { return std::span(pool_).subspan(it.first, it.count); }

    // What the literal rests on belongs to that stage, unless it belongs to an earlier one.
    void reach(Literal literal, Stage stage);
    // Marks what the literals rest on.
    void mark(std::vector<std::uint32_t> stack, std::vector<bool>& marked) const;
    // The node of a new item: any; one that a choice writes; one that copies the literal.
    std::uint32_t add(const Item& item);
    std::uint32_t given();
    std::uint32_t copy_of(Literal literal, Stage stage);
    // Whether a word may hold the literal, not turned round, without a copy.
    bool free_as(Literal literal) const;
    // The node whose word is the literal, not turned round.
    std::uint32_t as_it_is(Literal literal, Stage stage);
    // The literal becomes the fluent's next value, in its own word if the gate is free for that.
    void settle(std::uint32_t fluent, Literal literal);
    // Replaces those inputs of an item of which `gone` is true by one other.
    template <class Gone>
    void replace_inputs(Item& it, Literal other, Gone&& gone) {
        const auto begin = pool_.begin() + it.first;
        auto end = std::remove_if(begin, begin + it.count, gone);
        *end++ = other;
        it.count = static_cast<std::uint32_t>(end - begin);
    }
    bool word_is_turned(Literal literal) const;
    // Inputs lie before their gates, but for cycles, whose words hold the gates as they are.
    void shape_items();

    // moves.cpp

    // A node for each role that says whether it has a legal move. Gates that ask for that read it: what decides about
    // legal moves themselves cannot.
    void use_counts();
    // The two inputs of a move's legal gate if the gate is an AND of two, one of which can be taken as it is and the
    // other barred, and nothing but the choice reads it.
    std::optional<std::pair<Literal, Literal>> halves(Literal literal, const std::vector<bool>& read) const;
    // What the choice reads for each move.
    void find_legal(std::span<const Literal> ends, std::span<const std::uint32_t> changing);
    // The choice chooses among slots: a move each, or several of a role with very many that differ in which of some
    // fluents they need, of which never two hold. The slot needs any of them; they say afterwards whose lanes are
    // whose.
    void find_slots();
    // What rests on the counts of legal moves comes after the look. Inputs lie before their gates, but for cycles.
    void look_at_counts_late();
    bool has_targets(std::uint32_t move) const;
    // Where a role has very many moves, an OR of some of them becomes a word that the choice adds to.
    void add_targets();
    // A move may take the word that says whether it is legal, if nobody else reads that after the choice.
    void place_moves(std::size_t now);
    void choices(Program& program);
    // Targets that all moves of a slot have get all of its lanes.
    void tell_slot(Choice& choice, const Slot& slot) const;
    void tell_moves(Program& program) const;

    // order.cpp

    // List scheduling: as long as possible gates of one shape, so that the kernel runs through them in one loop.
    std::vector<Step> order(Stage stage);

    // places.cpp

    void place_fluents();
    void find_last_uses(const std::vector<Step>& look, const std::vector<Step>& end, const std::vector<Step>& step,
                        std::span<const Literal> ends);
    std::uint32_t fresh();
    void release(std::uint32_t node);
    static std::uint32_t offset(std::uint32_t word) { return word * static_cast<std::uint32_t>(sizeof(Word)); }
    Place place(Literal literal) const;
    void emit(Tape& tape, const std::vector<Step>& steps, std::size_t position);
    void write(Tape& tape, std::uint32_t node);
    void copy_home(Tape& tape);

    const Special& special_;
    const Circuit& circuit_;
    std::span<const std::uint32_t> group_;  // of fluents that exclude each other
    std::uint32_t base_;
    std::vector<Item> items_;
    std::vector<Literal> pool_;
    std::vector<Cycle> cycles_;
    std::vector<std::uint32_t> some_;        // of each role, the node that says whether it has a legal move
    std::vector<std::uint32_t> take_, bar_;  // of each move, the nodes that say whether it is legal
    std::vector<Slot> slots_;                // role by role
    std::vector<std::size_t> first_slot_;
    std::vector<bool> sparse_;                         // moves without a word of their own ...
    std::vector<std::vector<std::uint32_t>> targets_;  // ... and the nodes that their lanes are added to
    std::vector<std::uint32_t> cleared_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> kinds_;
    std::vector<std::uint32_t> place_;  // the word of each node
    std::vector<std::uint32_t> free_;
    std::vector<bool> taken_;  // nodes whose word a move has taken over
    std::uint32_t words_ = 0;
    std::vector<std::vector<std::uint32_t>> dying_;              // at each position: nodes read for the last time
    std::vector<std::pair<std::uint32_t, std::uint32_t>> late_;  // nodes copied to their fluents at the end
};

}  // namespace zermelo::gdl::bulk
