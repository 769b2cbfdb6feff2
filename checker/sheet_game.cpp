#include "sheet_game.hpp"

#include <algorithm>

namespace checker {

namespace {

constexpr std::size_t kMostRoles = 250, kMostDigits = 18;

bool has(const std::string& facts, std::size_t place) { return facts[place / 8] >> (place % 8) & 1; }
void put(std::string& facts, std::size_t place) {
    facts[place / 8] = static_cast<char>(facts[place / 8] | 1 << (place % 8));
}

// A move as people write it: `mark(1,3)` for `(mark 1 3)`.
std::string written(const Term& term) {
    const auto quoted = [](const std::string& name) {
        return name.size() > 1 && name.find_first_of(",+'") != std::string::npos ? "'" + name + "'" : name;
    };
    if (term.arguments.empty()) return quoted(term.name);
    auto text = quoted(term.name) + "(";
    for (std::size_t i = 0; i < term.arguments.size(); ++i) text += (i ? "," : "") + written(term.arguments[i]);
    return text + ")";
}

}  // namespace

SheetGame::SheetGame(const Sheet& sheet) : ground_(ground(sheet)), holds_(ground_.atoms) {
    for (std::size_t i = 0; i < ground_.roles.size(); ++i) {
        const auto& role = ground_.roles[i];
        if (role == "random") {
            random_ = i;
            continue;
        }
        players_.push_back(i);
        names_.push_back(role == "chance" || role == "nobody" || role == "draw" ? role + "_role" : role);
    }
    if (names_.empty() || names_.size() > kMostRoles) throw BadInput("expected 1 to 250 roles to play");
    if (std::set<std::string>(names_.begin(), names_.end()).size() < names_.size())
        throw BadInput("a role has the name that another one gets");
    if (!sees_everything(sheet, ground_.roles))
        throw BadInput("some role does not see every move: a table by positions is no strategy there");
    moves_of_.resize(ground_.roles.size());
    for (std::uint32_t i = 0; i < ground_.legal.size(); ++i)
        for (std::size_t role = 0; role < ground_.roles.size(); ++role)
            if (ground_.roles[role] == ground_.legal[i].role) moves_of_[role].push_back(i);
    Position start{std::string((ground_.facts.size() + 7) / 8, '\0'), {}};
    for (const auto place : ground_.start) put(start.facts, place);
    start_ = numbered(std::move(start));
}

SheetGame::State SheetGame::numbered(Position position) const {
    auto name = position.facts;
    for (const auto move : position.moved) name += std::to_string(move) + ",";
    const auto [at, is_new] = numbers_.try_emplace(std::move(name), positions_.size());
    if (is_new) positions_.push_back(std::move(position));
    return {at->second};
}

bool SheetGame::satisfied(const GroundRule& rule, const std::vector<std::uint8_t>& holds) {
    for (const auto atom : rule.holds)
        if (!holds[atom]) return false;
    for (const auto atom : rule.fails)
        if (holds[atom]) return false;
    return true;
}

void SheetGame::work_out(const std::vector<Step>& steps, std::vector<std::uint8_t>& holds) {
    for (const auto& step : steps)
        for (bool more = true; more;) {
            more = false;
            for (const auto& rule : step.rules)
                if (!holds[rule.head] && satisfied(rule, holds)) holds[rule.head] = 1, more = step.circle;
        }
}

// Works out which atoms hold in a state, as far as they do not rest on moves.
void SheetGame::derive(const std::string& facts) const {
    if (any_derived_ && derived_ == facts) return;
    std::ranges::fill(holds_, std::uint8_t{0});
    for (const auto atom : ground_.always) holds_[atom] = 1;
    for (std::size_t place = 0; place < ground_.facts.size(); ++place)
        if (has(facts, place)) holds_[ground_.fact_atoms[place]] = 1;
    work_out(ground_.of_state, holds_);
    derived_ = facts;
    any_derived_ = true;
}

const SheetGame::Look& SheetGame::looked_at(const State& state) const {
    if (looked_ == state.number) return look_;
    const auto& position = positions_[state.number];
    derive(position.facts);
    Look look;
    for (std::size_t role = 0; role < ground_.roles.size(); ++role) {
        auto& legal = look.legal.emplace_back();
        for (const auto move : moves_of_[role])
            if (holds_[ground_.legal[move].atom]) legal.push_back(move);
        if (legal.empty()) throw BadInput(ground_.roles[role] + " has no legal move in the state " + key(state));
    }
    look.chance_chooses = random_ && look.legal[*random_].size() > 1;
    std::vector<int> choosing;
    for (std::size_t i = 0; i < players_.size(); ++i)
        if (look.legal[players_[i]].size() > 1) choosing.push_back(int(i));
    if (!position.moved.empty()) look.turn = kChance;
    else if (!choosing.empty()) look.turn = choosing.size() > 1 ? kSeveral : choosing[0];
    else if (look.chance_chooses) look.turn = kChance;
    else
        for (std::size_t i = players_.size(); i-- > 0;)
            if (ground_.legal[look.legal[players_[i]][0]].text.starts_with("(")) look.turn = int(i);
    looked_ = state.number;
    return look_ = std::move(look);
}

std::string SheetGame::starter(const State& state) const {
    const auto& look = looked_at(state);
    if (look.turn == kChance) return "chance";
    if (look.turn != kSeveral) return names_[std::size_t(look.turn)];
    std::string all;
    for (std::size_t i = 0; i < players_.size(); ++i)
        if (look.legal[players_[i]].size() > 1) all += (all.empty() ? "" : "+") + names_[i];
    return all;
}

std::size_t SheetGame::mover(const State& state) const {
    const auto turn = looked_at(state).turn;
    return turn == kChance ? *random_ : players_[std::size_t(turn)];
}

void SheetGame::moves(const State& state, std::vector<std::uint32_t>& out) const {
    const auto& legal = looked_at(state).legal[mover(state)];
    out.insert(out.end(), legal.begin(), legal.end());
}

SheetGame::State SheetGame::play(const State& state, std::uint32_t move) const {
    const auto who = mover(state);
    const auto& position = positions_[state.number];
    const auto& look = looked_at(state);
    std::vector<std::uint32_t> joint;
    for (const auto& legal : look.legal) joint.push_back(legal[0]);
    for (std::size_t i = 0; i < position.moved.size(); ++i) joint[players_[i]] = position.moved[i];
    joint[who] = move;
    return played(state, std::move(joint), look.turn == kChance);
}

std::vector<std::pair<int, std::vector<std::uint32_t>>> SheetGame::choosing(const State& state) const {
    const auto& look = looked_at(state);
    std::vector<std::pair<int, std::vector<std::uint32_t>>> found;
    for (std::size_t i = 0; i < players_.size(); ++i)
        if (look.legal[players_[i]].size() > 1) found.emplace_back(int(i), look.legal[players_[i]]);
    return found;
}

SheetGame::State SheetGame::play_at_once(const State& state, const std::vector<std::uint32_t>& moves) const {
    std::vector<std::uint32_t> joint;
    for (const auto& legal : looked_at(state).legal) joint.push_back(legal[0]);
    const auto movers = choosing(state);
    for (std::size_t i = 0; i < movers.size(); ++i) joint[players_[std::size_t(movers[i].first)]] = moves[i];
    return played(state, std::move(joint), false);
}

// The position after a move of each role of the sheet.
SheetGame::State SheetGame::played(const State& state, std::vector<std::uint32_t> joint, bool by_chance) const {
    const auto facts = positions_[state.number].facts;
    if (!by_chance && looked_at(state).chance_chooses) {
        Position between{facts, {}};
        for (const auto player : players_) between.moved.push_back(joint[player]);
        return numbered(std::move(between));
    }
    derive(facts);
    auto holds = holds_;
    for (const auto made : joint) holds[ground_.legal[made].made] = 1;
    work_out(ground_.of_moves, holds);
    Position after{std::string(facts.size(), '\0'), {}};
    for (const auto& [atom, place] : ground_.next)
        if (holds[atom]) put(after.facts, place);
    return numbered(std::move(after));
}

bool SheetGame::over(const State& state, int owner, Score& share) const {
    const auto& position = positions_[state.number];
    if (!position.moved.empty() || ground_.terminal.empty()) return false;
    derive(position.facts);
    if (!holds_[ground_.terminal[0]]) return false;
    for (std::size_t i = 0; i < players_.size(); ++i) {
        std::vector<std::string> goals;
        for (const auto& goal : ground_.goal)
            if (goal.role == ground_.roles[players_[i]] && holds_[goal.atom]) goals.push_back(goal.text);
        if (goals.size() != 1) throw BadInput(names_[i] + " has not one goal in the terminal state " + key(state));
        const auto digits = std::string_view(goals[0]).substr(goals[0].starts_with("-") ? 1 : 0);
        const bool number = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
        if (digits.empty() || digits.size() > kMostDigits || !number)
            throw BadInput("the goal " + goals[0] + " is not a whole number of up to 18 digits");
        const auto score = std::stoll(goals[0]);
        if (int(i) == owner) share = score;
        if (owner == kNobody && i == 0) share = -score;
    }
    return true;
}

std::string SheetGame::key(const State& state) const {
    const auto& position = positions_[state.number];
    std::string text;
    for (std::size_t place = 0; place < ground_.facts.size(); ++place)
        if (has(position.facts, place)) text += (text.empty() ? "" : " ") + ground_.facts[place];
    if (position.moved.empty()) return text;
    text += " |";
    for (const auto move : position.moved) text += " " + ground_.legal[move].text;
    return text;
}

std::string SheetGame::text(const State&, std::uint32_t move) const { return written(ground_.legal[move].move); }

std::optional<std::uint32_t> SheetGame::move_in_full(const State&, const std::vector<std::uint32_t>& moves,
                                                     const std::string& text) const {
    const auto asked = ground_text(text);
    for (const auto move : moves)
        if (asked && ground_.legal[move].text == *asked) return move;
    return std::nullopt;
}

}  // namespace checker
