#include "gdl/bulk_program.hpp"

#include "gdl/bulk_exclusive.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace zermelo::gdl::bulk {

namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
enum Stage : std::uint8_t { kUnused, kGiven, kLook, kEnd, kStep };  // kGiven: what a choice writes

// A role with more moves than this does but a few of them in any one step of all lanes.
constexpr std::uint32_t kManyMoves = kLanes / 2;
// An OR of so many moves that are legal is left to the choice, which counts them anyway.
constexpr std::size_t kManyLegal = 8;

// Every gate as an AND, with its result turned round for an OR; the word that holds it may be turned round again.
struct Item {
    std::uint32_t first, count;   // its inputs in the pool
    bool turned;
    bool inverted = false;        // what its word holds
    std::uint8_t wanted = 2;      // 0 or 1 where `inverted` must be so
    Stage stage = kUnused;
    std::uint32_t block = kNone;  // the cyclic block it belongs to
    std::uint32_t home = kNone;   // the fluent whose next value it is
    std::uint32_t p = 0;          // inputs whose words are taken as they are; they come first
    bool turn = false;            // the kernel turns the result round
    std::uint32_t kind = 0;       // numbers all p, count, turn that occur
};

class Scheduler {
public:
    explicit Scheduler(const Special& special, std::span<const std::uint32_t> group = {})
        : special_(special), circuit_(special.circuit), group_(group), base_(circuit_.first_gate()) {
        for (std::uint32_t g = 0; g < circuit_.gate.size(); ++g) {
            const bool any = circuit_.gate[g] == Gate::any;
            const auto first = static_cast<std::uint32_t>(pool_.size());
            for (const auto input : circuit_.inputs(base_ + g)) pool_.push_back(any ? negate(input) : input);
            items_.push_back({first, static_cast<std::uint32_t>(pool_.size()) - first, any});
        }
        for (const auto& block : circuit_.blocks) {
            if (!block.cyclic) continue;
            const auto number = static_cast<std::uint32_t>(cycles_.size());
            cycles_.push_back({block.first - base_, block.last - base_});
            for (auto g = block.first - base_; g < block.last - base_; ++g) items_[g].block = number, items_[g].wanted = 0;
        }
    }

    Program run(const Known& later, bool with_goals) {
        std::vector<Literal> ends = special_.required;
        ends.push_back(circuit_.terminal);
        if (with_goals)
            for (const auto& goal : circuit_.goals) ends.push_back(goal.when);
        std::vector<std::uint32_t> changing;
        for (std::uint32_t f = 0; f < circuit_.fluents; ++f)
            if (later[f] == kEither && circuit_.next[f] != 2 * circuit_.fluent_node(f)) changing.push_back(f);

        use_counts();
        find_legal(ends, changing);
        find_slots();
        for (const auto literal : ends) reach(literal, kLook);
        for (const auto f : changing) settle(f, circuit_.next[f]);
        look_at_counts_late();
        add_targets();

        shape_items();
        const auto look = order(kLook), end = order(kEnd), step = order(kStep);
        const auto counted = look.size(), chosen = counted + end.size();
        find_last_uses(look, end, step, ends);
        place_.assign(base_ + items_.size(), kNone);
        for (std::uint32_t node = 0; node <= circuit_.fluents; ++node) place_[node] = node == 0 ? 0 : 1 + node;
        words_ = 2 + circuit_.fluents;

        Program program;
        emit(program.look, look, 0);
        for (const auto node : some_)
            if (node != kNone) place_[node] = fresh();
        emit(program.end, end, counted);
        place_moves(chosen);
        choices(program);
        program.terminal = place(circuit_.terminal);
        for (const auto literal : special_.required) program.required.push_back(place(literal));
        if (with_goals)
            for (const auto& goal : circuit_.goals) program.goals.push_back({goal.role, goal.value, place(goal.when)});
        tell_moves(program);
        for (const auto node : dying_[chosen])
            if (!taken_[node]) release(node);
        emit(program.step, step, chosen + 1);
        copy_home(program.step);
        program.words = words_;
        for (const auto& item : items_) program.literals += item.stage == kUnused ? 0 : item.count;
        return program;
    }

    Program run_goals() {
        for (const auto& goal : circuit_.goals) reach(goal.when, kLook);
        shape_items();
        const auto look = order(kLook);
        std::vector<Literal> ends;
        for (const auto& goal : circuit_.goals) ends.push_back(goal.when);
        find_last_uses(look, {}, {}, ends);
        place_.assign(base_ + items_.size(), kNone);
        for (std::uint32_t node = 0; node <= circuit_.fluents; ++node) place_[node] = node == 0 ? 0 : 1 + node;
        words_ = 2 + circuit_.fluents;
        Program program;
        emit(program.look, look, 0);
        for (const auto& goal : circuit_.goals) program.goals.push_back({goal.role, goal.value, place(goal.when)});
        program.words = words_;
        return program;
    }

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

    void reach(Literal literal, Stage stage) {
        std::vector<std::uint32_t> stack{node_of(literal)};
        while (!stack.empty()) {
            const auto node = stack.back();
            stack.pop_back();
            if (!is_item(node) || item(node).stage != kUnused) continue;
            item(node).stage = stage;
            if (item(node).block != kNone)
                for (auto g = cycles_[item(node).block].first; g < cycles_[item(node).block].last; ++g) stack.push_back(base_ + g);
            for (const auto input : inputs(item(node))) stack.push_back(node_of(input));
        }
    }

    // Marks what the literals rest on.
    void mark(std::vector<std::uint32_t> stack, std::vector<bool>& marked) const {
        while (!stack.empty()) {
            const auto node = stack.back();
            stack.pop_back();
            if (marked[node]) continue;
            marked[node] = true;
            if (!is_item(node)) continue;
            if (const auto block = item(node).block; block != kNone)
                for (auto g = cycles_[block].first; g < cycles_[block].last; ++g) stack.push_back(base_ + g);
            for (const auto input : inputs(item(node))) stack.push_back(node_of(input));
        }
    }

    std::uint32_t given() {
        Item item{static_cast<std::uint32_t>(pool_.size()), 0, false};
        item.stage = kGiven;
        item.wanted = 0;
        items_.push_back(item);
        return base_ + static_cast<std::uint32_t>(items_.size()) - 1;
    }

    // Replaces those inputs of an item of which `gone` is true by one other.
    template <class Gone>
    void replace_inputs(Item& it, Literal other, Gone&& gone) {
        const auto begin = pool_.begin() + it.first;
        auto end = std::remove_if(begin, begin + it.count, gone);
        *end++ = other;
        it.count = static_cast<std::uint32_t>(end - begin);
    }

    // A node for each role that says whether it has a legal move. Gates that ask for that read it: what decides about
    // legal moves themselves cannot.
    void use_counts() {
        const auto gates = items_.size();
        std::vector<bool> early(base_ + gates);
        std::vector<std::uint32_t> roots;
        for (const auto literal : circuit_.legal) roots.push_back(node_of(literal));
        for (const auto literal : special_.required) roots.push_back(node_of(literal));
        mark(std::move(roots), early);
        some_.assign(circuit_.roles(), kNone);
        for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
            const auto first = circuit_.legal.begin() + circuit_.first_move[role], last = circuit_.legal.begin() + circuit_.first_move[role + 1];
            if (first == last) continue;
            const auto some = some_[role] = given();
            std::vector<Literal> legal(first, last);
            std::ranges::sort(legal);
            legal.erase(std::unique(legal.begin(), legal.end()), legal.end());
            if (legal.size() < kManyLegal) continue;
            const auto is_legal = [&](Literal input) { return std::ranges::binary_search(legal, negate(input)); };
            for (std::size_t g = 0; g < gates; ++g) {
                auto& it = items_[g];
                if (it.count < legal.size() || it.block != kNone || early[base_ + g]) continue;
                const auto found = std::ranges::count_if(inputs(it), is_legal);
                if (static_cast<std::size_t>(found) == legal.size()) replace_inputs(it, negate(2 * some), is_legal);
            }
        }
    }

    // The two inputs of a move's legal gate if the gate is an AND of two, one of which can be taken as it is and the
    // other barred, and nothing but the choice reads it.
    std::optional<std::pair<Literal, Literal>> halves(Literal literal, const std::vector<bool>& read) const {
        const auto node = node_of(literal);
        if (!is_item(node) || read[node] || item(node).block != kNone || item(node).count != 2 || negated(literal) != item(node).turned) return {};
        const auto x = inputs(item(node))[0], y = inputs(item(node))[1];
        if (free_as(x) && free_as(negate(y))) return std::pair{x, y};
        if (free_as(y) && free_as(negate(x))) return std::pair{y, x};
        return {};
    }

    // What the choice reads for each move.
    void find_legal(std::span<const Literal> ends, std::span<const std::uint32_t> changing) {
        std::vector<bool> read(base_ + items_.size());
        std::vector<std::uint32_t> roots;
        for (const auto literal : ends) roots.push_back(node_of(literal));
        for (const auto f : changing) roots.push_back(node_of(circuit_.next[f]));
        for (const auto literal : circuit_.legal)
            if (is_item(node_of(literal)))
                for (const auto input : inputs(item(node_of(literal)))) roots.push_back(node_of(input));
        mark(std::move(roots), read);
        take_.assign(circuit_.moves, 0);
        bar_.assign(circuit_.moves, kNone);
        for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
            const auto first = circuit_.first_move[role], last = circuit_.first_move[role + 1];
            std::uint32_t split = 0;
            for (auto m = first; m < last; ++m) split += halves(circuit_.legal[m], read).has_value();
            const bool barred = last - first > kManyMoves && 2 * split >= last - first;
            for (auto m = first; m < last; ++m) {
                const auto literal = circuit_.legal[m];
                if (const auto half = barred ? halves(literal, read) : std::nullopt) {
                    reach(half->first, kLook);
                    reach(half->second, kLook);
                    take_[m] = as_it_is(half->first, kLook);
                    bar_[m] = as_it_is(negate(half->second), kLook);
                } else {
                    reach(literal, kLook);
                    take_[m] = as_it_is(literal, kLook);
                }
            }
        }
    }

    // The choice chooses among slots: a move each, or several of a role with very many that differ in which of some
    // fluents they need, of which never two hold. The slot needs any of them; they say afterwards whose lanes are whose.
    void find_slots() {
        std::map<std::vector<std::uint32_t>, std::uint32_t> unions;
        first_slot_.assign(1, 0);
        for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
            const auto first = circuit_.first_move[role], last = circuit_.first_move[role + 1];
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> open;  // slots, by bar and group
            for (auto m = first; m < last; ++m) {
                const auto take = take_[m];
                const bool joins = last - first > kManyMoves && !group_.empty() && bar_[m] != kNone && take > 0 && take <= circuit_.fluents &&
                                   group_[take - 1] != kNoGroup;
                if (joins) {
                    auto& slots = open[{bar_[m], group_[take - 1]}];
                    const auto has_room = [&](std::size_t slot) {
                        return std::ranges::none_of(slots_[slot].moves, [&](std::uint32_t other) { return take_[other] == take; });
                    };
                    if (const auto slot = std::ranges::find_if(slots, has_room); slot != slots.end()) {
                        slots_[*slot].moves.push_back(m);
                        continue;
                    }
                    slots.push_back(slots_.size());
                }
                slots_.push_back({take, bar_[m], {m}});
            }
            first_slot_.push_back(slots_.size());
        }
        for (auto& slot : slots_) {
            if (slot.moves.size() == 1) continue;
            std::vector<std::uint32_t> takes;
            for (const auto m : slot.moves) takes.push_back(take_[m]);
            std::ranges::sort(takes);
            const auto [found, fresh] = unions.try_emplace(takes, 0);
            if (fresh) {
                Item any{static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(takes.size()), true};
                for (const auto node : takes) pool_.push_back(negate(2 * node));
                any.wanted = 0;
                any.stage = kLook;
                items_.push_back(any);
                found->second = base_ + static_cast<std::uint32_t>(items_.size()) - 1;
            }
            slot.take = found->second;
        }
    }

    // What rests on the counts of legal moves comes after the look. Inputs lie before their gates, but for cycles.
    void look_at_counts_late() {
        std::vector<bool> late(items_.size());
        for (const auto node : some_)
            if (node != kNone) late[node - base_] = true;
        const auto is_late = [&](const Item& it) {
            return std::ranges::any_of(inputs(it), [&](Literal input) { return is_item(node_of(input)) && late[node_of(input) - base_]; });
        };
        for (std::size_t g = 0; g < items_.size(); ++g) {
            auto last = g + 1;
            if (items_[g].block != kNone) last = cycles_[items_[g].block].last;
            bool any = false;
            for (auto i = g; i < last; ++i) any = any || is_late(items_[i]);
            for (; g < last; ++g) {
                if (any) late[g] = true;
                if (any && items_[g].stage == kLook) items_[g].stage = kEnd;
            }
            --g;
        }
    }

    bool has_targets(std::uint32_t move) const {
        const auto role = std::ranges::upper_bound(circuit_.first_move, move) - circuit_.first_move.begin();
        return circuit_.first_move[role] - circuit_.first_move[role - 1] > kManyMoves;
    }

    // Where a role has very many moves, an OR of some of them becomes a word that the choice adds to.
    void add_targets() {
        targets_.assign(circuit_.moves, {});
        sparse_.assign(circuit_.moves, false);
        for (std::uint32_t m = 0; m < circuit_.moves; ++m) sparse_[m] = has_targets(m);
        const auto move_of = [&](Literal input) {
            const auto node = node_of(input);
            return node > circuit_.fluents && node < base_ && sparse_[node - 1 - circuit_.fluents] ? node - 1 - circuit_.fluents : kNone;
        };
        std::map<std::vector<std::uint32_t>, std::uint32_t> unions;
        std::vector<bool> own(circuit_.moves);
        std::vector<std::uint32_t> moves;
        for (std::size_t g = 0, gates = items_.size(); g < gates; ++g) {
            if (items_[g].stage != kStep) continue;
            moves.clear();
            for (const auto input : inputs(items_[g]))
                if (move_of(input) != kNone && negated(input)) moves.push_back(move_of(input));
            if (moves.size() > 1) {
                std::ranges::sort(moves);
                const auto [found, fresh] = unions.try_emplace(moves, 0);
                if (fresh) {
                    found->second = given();
                    for (const auto m : moves) targets_[m].push_back(found->second);
                }
                replace_inputs(items_[g], negate(2 * found->second), [&](Literal input) { return move_of(input) != kNone && negated(input); });
            }
            for (const auto input : inputs(items_[g]))
                if (const auto m = move_of(input); m != kNone && !own[m]) own[m] = true, targets_[m].push_back(circuit_.move_node(m));
        }
    }

    std::uint32_t copy_of(Literal literal, Stage stage) {
        Item copy{static_cast<std::uint32_t>(pool_.size()), 1, false};
        pool_.push_back(literal);
        copy.wanted = 0;
        copy.stage = stage;
        items_.push_back(copy);
        return base_ + static_cast<std::uint32_t>(items_.size()) - 1;
    }

    // Whether a word may hold the literal, not turned round, without a copy.
    bool free_as(Literal literal) const {
        const auto node = node_of(literal);
        if (is_item(node)) return item(node).wanted == 2 || item(node).wanted == static_cast<std::uint8_t>(negated(literal));
        return literal == kFalse || (node > 0 && !negated(literal));
    }

    // The node whose word is the literal, not turned round.
    std::uint32_t as_it_is(Literal literal, Stage stage) {
        const auto node = node_of(literal);
        if (!free_as(literal)) return copy_of(literal, stage);
        if (is_item(node)) item(node).wanted = negated(literal);
        return node;
    }

    // The literal becomes the fluent's next value, in its own word if the gate is free for that.
    void settle(std::uint32_t fluent, Literal literal) {
        reach(literal, kStep);
        const auto node = node_of(literal);
        const bool own = is_item(node) && item(node).stage == kStep && item(node).block == kNone && item(node).home == kNone &&
                         (item(node).wanted == 2 || item(node).wanted == static_cast<std::uint8_t>(negated(literal)));
        if (own) item(node).wanted = negated(literal), item(node).home = fluent;
        else item(copy_of(literal, kStep)).home = fluent;
    }

    bool word_is_turned(Literal literal) const {
        const auto node = node_of(literal);
        return (is_item(node) && item(node).inverted) != negated(literal);
    }

    // Inputs lie before their gates, but for cycles, whose words hold the gates as they are.
    void shape_items() {
        for (auto& it : items_) {
            if (it.stage == kUnused || it.stage == kGiven) continue;
            const auto begin = pool_.begin() + it.first, end = begin + it.count;
            const auto middle = std::stable_partition(begin, end, [&](Literal literal) { return !word_is_turned(literal); });
            it.p = static_cast<std::uint32_t>(middle - begin);
            const bool natural = it.turned != (it.p == 0);  // what the word holds without turning
            it.inverted = it.wanted == 2 ? natural : it.wanted == 1;
            it.turn = natural != it.inverted;
            it.kind = kinds_.try_emplace({it.p, it.count, it.turn}, static_cast<std::uint32_t>(kinds_.size())).first->second;
        }
    }

    // List scheduling: as long as possible gates of one shape, so that the kernel runs through them in one loop.
    std::vector<Step> order(Stage stage);

    void find_last_uses(const std::vector<Step>& look, const std::vector<Step>& end, const std::vector<Step>& step, std::span<const Literal> ends) {
        std::vector<std::uint32_t> last(base_ + items_.size(), kNone);
        std::uint32_t position = 0;
        const auto use_all = [&](const std::vector<Step>& steps) {
            for (const auto& members : steps) {
                for (const auto node : members) {
                    last[node] = position;  // dies at once if nobody reads it
                    for (const auto input : inputs(item(node))) last[node_of(input)] = position;
                }
                ++position;
            }
        };
        use_all(look);
        use_all(end);
        for (const auto* const nodes : {&take_, &bar_, &some_})
            for (const auto node : *nodes)
                if (node != kNone) last[node] = position;
        for (const auto& slot : slots_) last[slot.take] = position;
        for (const auto literal : ends) last[node_of(literal)] = position;
        for (std::uint32_t m = 0; m < circuit_.moves; ++m) last[circuit_.move_node(m)] = position;
        ++position;
        use_all(step);
        for (const auto& [node, fluent] : late_) last[node] = kNone;
        dying_.assign(position, {});
        for (std::uint32_t node = 1 + circuit_.fluents; node < last.size(); ++node)
            if (last[node] != kNone && !(is_item(node) && item(node).home != kNone)) dying_[last[node]].push_back(node);
    }

    std::uint32_t fresh() {
        if (free_.empty()) return words_++;
        const auto word = free_.back();
        free_.pop_back();
        return word;
    }
    void release(std::uint32_t node) {
        if (place_[node] != kNone) free_.push_back(place_[node]);
    }
    static std::uint32_t offset(std::uint32_t word) { return word * static_cast<std::uint32_t>(sizeof(Word)); }
    Place place(Literal literal) const {
        const auto node = node_of(literal);
        return {offset(place_[node]), word_is_turned(literal)};
    }

    void emit(Tape& tape, const std::vector<Step>& steps, std::size_t position) {
        for (const auto& members : steps) {
            const bool cyclic = item(members[0]).block != kNone;
            const auto& dying = dying_[position++];
            const auto assign = [&](std::uint32_t node) {
                place_[node] = item(node).home == kNone ? fresh() : 2 + item(node).home;
            };
            if (cyclic || tape.segments.empty() || tape.segments.back().cyclic) {
                const auto runs = static_cast<std::uint32_t>(tape.runs.size()), fills = static_cast<std::uint32_t>(tape.fill.size());
                tape.segments.push_back({runs, runs, static_cast<std::uint32_t>(tape.code.size()), fills, fills, cyclic});
            }
            if (cyclic) {  // read again after they are written: inputs keep their words
                for (const auto node : members) {
                    assign(node);
                    tape.fill.push_back(offset(place_[node]));
                }
                for (const auto node : members) write(tape, node);
                tape.segments.back().last_fill = static_cast<std::uint32_t>(tape.fill.size());
                for (const auto node : dying) release(node);
            } else {
                // An instruction reads all its operands before it writes, so it may write over one that dies.
                const auto node = members[0];
                for (const auto input : dying)
                    if (input != node) release(input);
                assign(node);
                write(tape, node);
                if (std::ranges::find(dying, node) != dying.end()) release(node);
            }
        }
    }

    void write(Tape& tape, std::uint32_t node) {
        const auto& it = item(node);
        auto& segment = tape.segments.back();
        const Run one{shape_of(it.p, it.count - it.p, it.turn), 1, it.p, it.count - it.p};
        const auto joins = [&](const Run& run) { return run.shape == one.shape && run.p == one.p && run.q == one.q; };
        if (segment.last_run > segment.first_run && joins(tape.runs.back())) ++tape.runs.back().count;
        else tape.runs.push_back(one), ++segment.last_run;
        tape.code.push_back(offset(place_[node]));
        for (const auto input : inputs(it)) tape.code.push_back(offset(place_[node_of(input)]));
    }

    void copy_home(Tape& tape) {
        if (late_.empty()) return;
        if (tape.segments.empty() || tape.segments.back().cyclic) {
            const auto runs = static_cast<std::uint32_t>(tape.runs.size()), fills = static_cast<std::uint32_t>(tape.fill.size());
            tape.segments.push_back({runs, runs, static_cast<std::uint32_t>(tape.code.size()), fills, fills, false});
        }
        tape.runs.push_back({shape_of(1, 0, false), static_cast<std::uint32_t>(late_.size()), 1, 0});
        ++tape.segments.back().last_run;
        for (const auto& [node, fluent] : late_) {
            tape.code.push_back(fluent_offset(fluent));
            tape.code.push_back(offset(place_[node]));
        }
    }

    // A move may take the word that says whether it is legal, if nobody else reads that after the choice.
    void place_moves(std::size_t now) {
        std::vector<std::uint8_t> uses(base_ + items_.size(), 0);
        for (const auto* const nodes : {&take_, &bar_})
            for (const auto node : *nodes)
                if (node != kNone) uses[node] = static_cast<std::uint8_t>(std::min(2, uses[node] + 1));
        taken_.assign(base_ + items_.size(), false);
        for (const auto node : dying_[now]) uses[node] = static_cast<std::uint8_t>(uses[node] + 4);
        for (std::uint32_t m = 0; m < circuit_.moves; ++m) {
            for (const auto node : targets_[m])
                if (place_[node] == kNone) place_[node] = fresh(), cleared_.push_back(offset(place_[node]));
            if (sparse_[m]) continue;
            const bool takes = bar_[m] == kNone && is_item(take_[m]) && uses[take_[m]] == 5;
            if (takes) taken_[take_[m]] = true;
            place_[circuit_.move_node(m)] = takes ? place_[take_[m]] : fresh();
        }
    }

    void choices(Program& program) {
        for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
            const auto first = circuit_.first_move[role], last = circuit_.first_move[role + 1];
            if (first == last) continue;
            Choice choice;
            choice.some = offset(place_[some_[role]]);
            choice.first = static_cast<std::uint32_t>(program.records);
            const auto slots = std::span(slots_).subspan(first_slot_[role], first_slot_[role + 1] - first_slot_[role]);
            const bool barred = std::ranges::any_of(slots, [](const Slot& slot) { return slot.bar != kNone; });
            for (const auto& slot : slots) {
                choice.take.push_back(offset(place_[slot.take]));
                if (barred) choice.bar.push_back(slot.bar == kNone ? 0 : offset(place_[slot.bar]));
                if (sparse_[first]) tell_slot(choice, slot);
                else choice.does.push_back(offset(place_[circuit_.move_node(slot.moves[0])]));
            }
            const auto padded = (choice.take.size() + 7) / 8 * 8;
            choice.take.resize(padded, 0);
            if (barred) choice.bar.resize(padded, 0);
            if (sparse_[first]) {
                choice.first_target.resize(padded + 1, static_cast<std::uint32_t>(choice.target.size()));
                choice.first_part.resize(padded + 1, static_cast<std::uint32_t>(choice.part.size()));
                choice.cleared = std::exchange(cleared_, {});  // all of them, before the first such role moves
            } else {
                choice.does.resize(padded, offset(1));
            }
            choice.scratch = program.scratch;
            program.scratch += choice_scratch(choice.take.size());
            program.records += padded;
            program.choices.push_back(std::move(choice));
        }
    }

    // Targets that all moves of a slot have get all of its lanes.
    void tell_slot(Choice& choice, const Slot& slot) const {
        choice.first_target.push_back(static_cast<std::uint32_t>(choice.target.size()));
        choice.first_part.push_back(static_cast<std::uint32_t>(choice.part.size()));
        const auto common = [&](std::uint32_t node) {
            return std::ranges::all_of(slot.moves, [&](std::uint32_t m) { return std::ranges::find(targets_[m], node) != targets_[m].end(); });
        };
        for (const auto m : slot.moves)
            for (const auto node : targets_[m]) {
                if (!common(node)) choice.part.push_back(offset(place_[node])), choice.part_of.push_back(offset(place_[take_[m]]));
                else if (m == slot.moves[0]) choice.target.push_back(offset(place_[node]));
            }
    }

    void tell_moves(Program& program) const {
        std::vector<std::uint32_t> record(circuit_.moves, kNotRecorded);
        std::size_t next = 0;
        for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
            if (first_slot_[role] == first_slot_[role + 1]) continue;
            const auto begin = program.choices[next++].first;
            for (auto slot = first_slot_[role]; slot < first_slot_[role + 1]; ++slot)
                for (const auto m : slots_[slot].moves)
                    if (sparse_[m]) record[m] = begin + static_cast<std::uint32_t>(slot - first_slot_[role]);
        }
        for (const auto literal : special_.does) {
            const auto node = node_of(literal);
            const auto move = node > circuit_.fluents ? node - 1 - circuit_.fluents : kNone;
            const bool recorded = move != kNone && sparse_[move];
            program.does.push_back(recorded ? Place{offset(place_[take_[move]])} : place(literal));
            program.record.push_back(recorded ? record[move] : kNotRecorded);
        }
    }

    const Special& special_;
    const Circuit& circuit_;
    std::span<const std::uint32_t> group_;    // of fluents that exclude each other
    std::uint32_t base_;
    std::vector<Item> items_;
    std::vector<Literal> pool_;
    std::vector<Cycle> cycles_;
    std::vector<std::uint32_t> some_;         // of each role, the node that says whether it has a legal move
    std::vector<std::uint32_t> take_, bar_;   // of each move, the nodes that say whether it is legal
    std::vector<Slot> slots_;                 // role by role
    std::vector<std::size_t> first_slot_;
    std::vector<bool> sparse_;                // moves without a word of their own ...
    std::vector<std::vector<std::uint32_t>> targets_;  // ... and the nodes that their lanes are added to
    std::vector<std::uint32_t> cleared_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> kinds_;
    std::vector<std::uint32_t> place_;   // the word of each node
    std::vector<std::uint32_t> free_;
    std::vector<bool> taken_;            // nodes whose word a move has taken over
    std::uint32_t words_ = 0;
    std::vector<std::vector<std::uint32_t>> dying_;  // at each position: nodes read for the last time
    std::vector<std::pair<std::uint32_t, std::uint32_t>> late_;  // nodes copied to their fluents at the end
};

std::vector<Scheduler::Step> Scheduler::order(Stage stage) {
    // A cyclic block counts as one gate: the node of its first member.
    const auto unit_of = [&](std::uint32_t node) { return item(node).block == kNone ? node : base_ + cycles_[item(node).block].first; };
    std::vector<std::uint32_t> missing(base_ + items_.size(), 0), readers(circuit_.fluents, 0), first_user(base_ + items_.size() + 1, 0), user;
    std::vector<std::uint32_t> writer(circuit_.fluents, kNone);
    const auto each_edge = [&](auto&& visit) {
        for (std::uint32_t i = 0; i < items_.size(); ++i) {
            if (items_[i].stage != stage) continue;
            for (const auto input : inputs(items_[i])) visit(node_of(input), unit_of(base_ + i));
        }
    };
    const auto is_fluent = [&](std::uint32_t node) { return node > 0 && node <= circuit_.fluents; };
    const auto counts = [&](std::uint32_t from, std::uint32_t to) {
        return is_item(from) && item(from).stage == stage && unit_of(from) != to;
    };
    std::size_t left = 0;
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
        if (items_[i].stage != stage) continue;
        if (items_[i].home != kNone) writer[items_[i].home] = base_ + i;
        if (unit_of(base_ + i) == base_ + i) ++left;
    }
    // A fluent's readers other than the gate that writes it.
    const auto holds_up = [&](std::uint32_t from, std::uint32_t to) { return is_fluent(from) && writer[from - 1] != kNone && writer[from - 1] != to; };
    each_edge([&](std::uint32_t from, std::uint32_t to) {
        if (counts(from, to)) ++missing[to], ++first_user[unit_of(from) + 1];
        if (holds_up(from, to)) ++readers[from - 1];
    });
    for (std::size_t i = 1; i < first_user.size(); ++i) first_user[i] += first_user[i - 1];
    user.resize(first_user.back());
    auto fill = first_user;
    each_edge([&](std::uint32_t from, std::uint32_t to) {
        if (counts(from, to)) user[fill[unit_of(from)]++] = to;
    });

    using Heap = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;
    const auto cyclic = kinds_.size();
    std::vector<Heap> ready(cyclic + 1);  // by kind; the last one for cyclic blocks
    Heap waiting;                         // gates that only wait for the readers of the fluent they write
    std::vector<bool> done(base_ + items_.size());
    const auto offer = [&](std::uint32_t node) {
        if (missing[node] != 0) return;
        if (item(node).home != kNone && readers[item(node).home] != 0) waiting.push(node);
        else ready[item(node).block == kNone ? item(node).kind : cyclic].push(node);
    };
    for (std::uint32_t i = 0; i < items_.size(); ++i)
        if (items_[i].stage == stage && unit_of(base_ + i) == base_ + i) offer(base_ + i);

    std::vector<Step> steps;
    std::size_t kind = 0;
    while (left > 0) {
        if (ready[kind].empty()) {
            kind = 0;
            for (std::size_t other = 1; other < cyclic; ++other)
                if (ready[other].size() > ready[kind].size()) kind = other;
            if (ready[kind].empty()) kind = cyclic;
        }
        std::uint32_t node;
        if (!ready[kind].empty()) {
            node = ready[kind].top();
            ready[kind].pop();
            if (done[node]) continue;
        } else {
            // Writers that wait for each other: one of them writes elsewhere and its word is copied at the end.
            node = waiting.top();
            waiting.pop();
            if (done[node]) continue;
            late_.emplace_back(node, item(node).home);
            item(node).home = kNone;
        }
        done[node] = true;
        --left;
        Step members{node};
        if (const auto block = item(node).block; block != kNone)
            for (auto g = cycles_[block].first + 1; g < cycles_[block].last; ++g) members.push_back(base_ + g);
        for (const auto member : members)
            for (const auto input : inputs(item(member)))
                if (const auto from = node_of(input); holds_up(from, node) && --readers[from - 1] == 0)
                    if (const auto next = writer[from - 1]; !done[next] && missing[next] == 0) offer(next);
        for (auto u = first_user[node]; u < first_user[node + 1]; ++u)
            if (--missing[user[u]] == 0) offer(user[u]);
        steps.push_back(std::move(members));
    }
    return steps;
}

}  // namespace

Program schedule(const Special& special, const Known& later, bool with_goals, std::span<const std::uint32_t> group) {
    return Scheduler(special, group).run(later, with_goals);
}

Program schedule_goals(const Special& special) { return Scheduler(special).run_goals(); }

namespace {

// Marks the nodes that the literals rest on and says how many inputs their gates have that were not marked before.
std::size_t mark(const Circuit& circuit, std::vector<Literal> stack, std::vector<bool>& marked) {
    std::size_t inputs = 0;
    while (!stack.empty()) {
        const auto node = node_of(stack.back());
        stack.pop_back();
        if (marked[node]) continue;
        marked[node] = true;
        if (node < circuit.first_gate()) continue;
        const auto more = circuit.inputs(node);
        stack.insert(stack.end(), more.begin(), more.end());
        inputs += more.size();
    }
    return inputs;
}

std::vector<Literal> goal_literals(const Circuit& circuit) {
    std::vector<Literal> literals;
    for (const auto& goal : circuit.goals) literals.push_back(goal.when);
    return literals;
}

}  // namespace

std::size_t extra_for_goals(const Special& special) {
    const auto& circuit = special.circuit;
    std::vector<bool> marked(circuit.nodes());
    auto roots = circuit.legal;
    roots.push_back(circuit.terminal);
    mark(circuit, std::move(roots), marked);
    return mark(circuit, goal_literals(circuit), marked);
}

std::vector<std::uint32_t> support_of_goals(const Circuit& circuit) {
    std::vector<bool> marked(circuit.nodes());
    mark(circuit, goal_literals(circuit), marked);
    std::vector<std::uint32_t> fluents;
    for (std::uint32_t f = 0; f < circuit.fluents; ++f)
        if (marked[circuit.fluent_node(f)]) fluents.push_back(f);
    return fluents;
}

}  // namespace zermelo::gdl::bulk
