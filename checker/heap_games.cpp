// The rules of nim, Wythoff's game, subtraction games, coins and treblecross; the last to move wins, in treblecross who
// makes three in a row.
#include <algorithm>
#include <bit>
#include <numeric>

#include "named.hpp"
#include "sha256.hpp"

namespace checker {

namespace {

constexpr unsigned kTakes = 20;

std::string numbers_text(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const auto number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

}  // namespace

bool HeapGame::knows(const std::string& game) {
    return game == "nim" || game == "wythoff" || game == "subtraction" || game == "coins" || game == "treblecross";
}

HeapGame::HeapGame(Stated stated) : stated_(std::move(stated)) {
    auto& [game, sizes, takes] = stated_;
    const auto within = [](const std::vector<std::int64_t>& numbers, std::int64_t least, std::int64_t most) {
        return std::ranges::all_of(numbers, [&](auto number) { return least <= number && number <= most; });
    };
    const auto need = [](bool holds) {
        if (!holds) throw BadInput("the game has no such sizes here");
    };
    constexpr std::int64_t kMost = 1'000'000, kLargest = 1'000'000'000;
    if (game == "nim") need(sizes.size() <= 4000 && within(sizes, 0, kMost));
    if (game == "wythoff") need(sizes.size() == 2 && within(sizes, 0, kMost));
    if (game == "subtraction") need(sizes.size() == 1 && within(sizes, 0, kLargest) && within(takes, 1, kLargest));
    if (game == "treblecross") need(sizes.size() == 1 && within(sizes, 1, 100'000));
    if (game == "coins") need(within(sizes, -kLargest, kLargest));
    std::ranges::sort(takes);
    takes.erase(std::unique(takes.begin(), takes.end()), takes.end());
    Things things(sizes.begin(), sizes.end());
    if (game == "coins") {
        things = {static_cast<std::uint32_t>(sizes.size())};
        alike_ = {0};
        for (std::size_t at = sizes.size(); at-- > 0;)
            alike_.push_back(at + 1 < sizes.size() && sizes[at] == sizes[at + 1] ? alike_.back() + 1 : 1);
    }
    if (game == "treblecross") things.assign(static_cast<std::size_t>(sizes[0]), 0);
    numbered(std::move(things), 0);
}

HeapGame::State HeapGame::numbered(Things things, int mover) const {
    std::string bytes(reinterpret_cast<const char*>(things.data()), things.size() * sizeof(std::uint32_t));
    bytes.push_back(static_cast<char>(mover));
    const auto [at, is_new] = numbers_.try_emplace(std::move(bytes), things_.size());
    if (is_new) things_.push_back(std::move(things)), movers_.push_back(mover);
    return {at->second};
}

void HeapGame::moves(const State& state, std::vector<std::uint32_t>& out) const {
    const auto& things = things_[state.number];
    const auto take_up_to = [&](std::uint32_t from, std::uint32_t most) {
        for (std::uint32_t take = 1; take <= most; ++take) out.push_back(from << kTakes | take);
    };
    if (stated_.game == "nim")
        for (std::uint32_t heap = 0; heap < things.size(); ++heap) take_up_to(heap, things[heap]);
    if (stated_.game == "wythoff") {
        for (const std::uint32_t heap : {0u, 1u}) take_up_to(heap, things[heap]);
        take_up_to(2, std::min(things[0], things[1]));
    }
    if (stated_.game == "coins") take_up_to(0, alike_[things[0]]);
    if (stated_.game == "subtraction")
        for (const auto take : stated_.takes)
            if (take <= things[0]) out.push_back(std::uint32_t(take));
    if (stated_.game == "treblecross")
        for (std::uint32_t cell = 0; cell < things.size(); ++cell)
            if (!things[cell]) out.push_back(cell + 1);
}

HeapGame::State HeapGame::play(const State& state, std::uint32_t move) const {
    auto things = things_[state.number];
    const auto from = move >> kTakes, take = move & ((1u << kTakes) - 1);
    if (stated_.game == "nim") things[from] -= take;
    if (stated_.game == "wythoff")
        for (const std::uint32_t heap : {0u, 1u}) things[heap] -= from == heap || from == 2 ? take : 0;
    if (stated_.game == "subtraction" || stated_.game == "coins") things[0] -= move;
    if (stated_.game == "treblecross") things[move - 1] = 1;
    return numbered(std::move(things), 1 - movers_[state.number]);
}

bool HeapGame::has_run_of_three(const Things& row) const {
    for (std::size_t at = 2; at < row.size(); ++at)
        if (row[at] && row[at - 1] && row[at - 2]) return true;
    return false;
}

bool HeapGame::over(const State& state, Score& score) const {
    const auto& things = things_[state.number];
    score = movers_[state.number] == 0 ? -1 : 1;  // who is to move has lost
    if (stated_.game == "subtraction") return things[0] < stated_.takes[0];
    if (stated_.game == "treblecross") return std::ranges::find(things, 0u) == things.end() || has_run_of_three(things);
    return std::ranges::all_of(things, [](auto size) { return size == 0; });
}

std::string HeapGame::key(const State& state) const {
    const auto& things = things_[state.number];
    if (stated_.game == "treblecross") {
        std::string row;
        for (const auto cell : things) row += cell ? 'x' : '.';
        return "'" + row + "'";
    }
    const bool heaps = stated_.game == "nim" || stated_.game == "wythoff";
    const auto sizes = numbers_text({things.begin(), things.end()});
    return "(" + (heaps ? "(" + sizes + ")" : sizes) + "," + std::to_string(movers_[state.number]) + ")";
}

std::string HeapGame::text(const State&, std::uint32_t move) const {
    const auto from = move >> kTakes, take = move & ((1u << kTakes) - 1);
    if (stated_.game == "nim") return std::to_string(from) + "," + std::to_string(take);
    if (stated_.game == "wythoff")
        return std::to_string(from == 1 ? 0 : take) + "," + std::to_string(from == 0 ? 0 : take);
    return std::to_string(move);
}

std::string HeapGame::statement() const {
    const auto sizes = numbers_text(stated_.sizes);
    if (stated_.game == "nim") return "library\nNim\n(('heaps',(" + sizes + ")))";
    if (stated_.game == "coins") return "library\nCoins\n(('values',(" + sizes + ")))";
    if (stated_.game == "treblecross") return "library\nTreblecross\n(('size'," + sizes + "))";
    if (stated_.game == "subtraction")
        return "library\nSubtraction\n(('size'," + sizes + "),('takes',(" + numbers_text(stated_.takes) + ")))";
    return along_lines();
}

// What the rules say along some lines of play, in which moves are picked by a digest.
std::string HeapGame::along_lines() const {
    std::string text = "rules\n(('first','second'),None,0)";
    for (int number = 0; number < 6; ++number) {
        auto state = start();
        for (int ply = 0; ply < 40; ++ply) {
            text += "\n" + key(state);
            if (Score score = 0; over(state, score)) {
                text += score > 0 ? "\n(1,-1)" : "\n(-1,1)";
                break;
            }
            std::vector<std::uint32_t> all;
            moves(state, all);
            text += "\n('" + starter(state) + "'," + std::to_string(all.size()) + ")";
            const auto said = std::to_string(number) + " " + std::to_string(ply) + " " +
                              this->text(state, all.front()) + " " + this->text(state, all.back());
            const auto digits = sha256({reinterpret_cast<const std::uint8_t*>(said.data()), said.size()});
            const auto move = all[std::stoull(digits.substr(0, 16), nullptr, 16) % all.size()];
            text += "\n" + this->text(state, move);
            state = play(state, move);
        }
    }
    return text;
}

std::uint64_t HeapGame::check_rule(const Claim& claim, int owner, const State& start) const {
    return check_named(*this, stated_, claim, owner, start, [&](const State& state) { return things_[state.number]; });
}

}  // namespace checker
