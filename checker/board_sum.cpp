#include "board_sum.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace checker {

namespace {

constexpr std::string_view kImpartial = "impartial-";

// The impartial variant of a game: both sides may make the moves of either; where one name means two moves, it says
// whose.
class Impartial : public BoardRules {
public:
    explicit Impartial(std::unique_ptr<BoardRules> rules) : rules_(std::move(rules)) {}
    std::string read(std::string_view text) const override { return rules_->read(text); }
    BoardMoves moves(const std::string& position, bool) const override {
        BoardMoves found;
        Texts whose;
        std::set<std::string> met;
        std::map<std::string, int> times;
        for (const bool left : {true, false})
            for (auto& move : rules_->moves(position, left)) {
                if (!met.insert(move.after).second) continue;
                ++times[move.name];
                whose.push_back(left ? "left:" : "right:");
                found.push_back(std::move(move));
            }
        for (std::size_t i = 0; i < found.size(); ++i)
            if (times[found[i].name] > 1) whose[i] += found[i].name;
            else whose[i] = found[i].name;
        for (std::size_t i = 0; i < found.size(); ++i) found[i].name = whose[i];
        return found;
    }
    Texts parts(const std::string& position) const override { return rules_->parts(position); }
    Texts equal(const std::string& position) const override { return rules_->alike(position); }
    Texts alike(const std::string& position) const override { return rules_->alike(position); }

private:
    std::unique_ptr<BoardRules> rules_;
};

// Games in brackets, under normal play: numbers have their canonical moves. A position is the game in brackets, the
// options of each side in alphabetical order; longer bars save some inner brackets.
class Short : public BoardRules {
public:
    std::string read(std::string_view) const override { throw BadInput("a game in brackets is no board"); }
    // The games that a text adds up.
    Texts read_all(std::string_view text) const {
        const auto sum = read_sum(text, "literal");
        Texts found;
        for (const auto game : sum.components(games_)) {
            if (written(game) > kMostWritten)
                throw BadInput("a game with over 100,000 options, expected a shorter one");
            found.push_back(shown(game));
        }
        return found;
    }
    BoardMoves moves(const std::string& position, bool left) const override {
        const auto game = place_.at(position);
        GameIds options = games_.options(game, left);
        if (games_.is_number(game)) {
            const Dyadic value = games_.value(game), part(Integer(1), value.power());
            const bool moves = !value.whole() || (left ? Dyadic(0) < value : value.negative());
            if (moves) options.push_back(games_.number(left ? value - part : value + part));
        }
        BoardMoves found;
        for (const auto option : options) found.push_back({shown(option), shown(option)});
        return found;
    }
    Texts parts(const std::string& position) const override {
        return place_.at(position) == ShortGames::kZero ? Texts() : Texts{position};
    }

private:
    static constexpr std::uint64_t kMostWritten = 100'000;

    template <class Known, class Make>
    void each_option_first(GameId root, Known& known, Make make) const {
        for (GameIds stack{root}; !stack.empty();) {
            const auto at = stack.back();
            work_.step();
            const auto before = stack.size();
            for (const bool left : {true, false})
                for (const auto option : games_.options(at, left))
                    if (!known.contains(option)) stack.push_back(option);
            if (stack.size() != before) continue;
            stack.pop_back();
            if (!known.contains(at)) known.emplace(at, make(at));
        }
    }
    // How many numbers and games stand in it if it is written in brackets, as far as that is of interest.
    std::uint64_t written(GameId game) const {
        std::unordered_map<GameId, std::uint64_t> known;
        each_option_first(game, known, [&](GameId at) {
            std::uint64_t count = 1;
            for (const bool left : {true, false})
                for (const auto option : games_.options(at, left)) count += known.at(option);
            return std::min(count, kMostWritten + 1);
        });
        return known.at(game);
    }
    struct Inside {
        std::string text;
        std::size_t bars;
    };
    std::string shown(GameId game) const {
        each_option_first(game, inside_, [&](GameId at) { return inside(at); });
        const auto& [text, bars] = inside_.at(game);
        const auto whole = bars ? "{" + text + "}" : text;
        place_[whole] = game;
        return whole;
    }
    Inside inside(GameId game) const {
        if (games_.is_number(game)) return {games_.value(game).text(), 0};
        std::size_t strokes = 1;
        Texts sides;
        for (const bool left : {true, false}) {
            std::vector<const Inside*> options;
            for (const auto option : games_.options(game, left)) options.push_back(&inside_.at(option));
            std::ranges::sort(options, {}, [](const Inside* one) {
                return std::pair<const std::string&, std::size_t>(one->text, one->bars);
            });
            if (options.size() == 1 && options[0]->bars < 3) {
                strokes = std::max(strokes, options[0]->bars + 1);
                sides.push_back(options[0]->text);
                continue;
            }
            Texts texts;
            for (const auto* one : options) texts.push_back(one->bars ? "{" + one->text + "}" : one->text);
            sides.push_back(joined_by(texts, ","));
        }
        work_.step(sides[0].size() + sides[1].size());
        return {joined_by(sides, std::string(strokes, '|')), strokes};
    }
    mutable Work work_;
    mutable ShortGames games_{work_};
    mutable std::unordered_map<GameId, Inside> inside_;
    mutable std::unordered_map<std::string, GameId> place_;
};

// What stands between the plus signs outside of brackets.
Texts terms_of(std::string_view text) {
    Texts found;
    int inside = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const char c = at < text.size() ? text[at] : '\0';
        inside += (c == '{' || c == '(') - (c == '}' || c == ')');
        const auto term = text.substr(begin, at - begin);
        if (c && (c != '+' || inside > 0 || stripped(term).empty())) continue;
        found.push_back(stripped(term));
        begin = at + 1;
    }
    return found;
}

// The game that a term names.
std::string name_of(std::string_view term) {
    const auto colon = term.find(':');
    if (colon == std::string_view::npos) return "";
    auto name = term.substr(0, colon);
    while (!name.empty() && blank_at(name, name.size() - 1)) name.remove_suffix(1);
    return !name.empty() && name[0] != '-' && rules_named(std::string(name)) ? std::string(name) : "";
}

RulesOf all_rules() {
    RulesOf all;
    for (auto* family : {&grid_games, &row_games, &graph_games, &counter_games}) all.merge(family());
    return all;
}

BoardSum read_mixed(const std::string& text) {
    BoardSum sum{{}, true};
    const auto brackets = std::make_shared<Short>();
    std::string last;
    std::map<std::string, std::shared_ptr<const BoardRules>> rules;
    for (const auto& term : terms_of(text)) {
        const auto name = name_of(term);
        if (!name.empty()) last = name;
        const auto board = stripped(name.empty() ? term : term.substr(term.find(':') + 1));
        if (!last.empty()) {
            auto& own = rules[last];
            if (!own) own = rules_named(last);
            try {
                sum.terms.push_back({last, own, own->read(board)});
                continue;
            } catch (const BadInput&) {
                if (!name.empty()) throw;
            }
        }
        last.clear();
        for (auto& game : brackets->read_all(term)) sum.terms.push_back({"short", brackets, std::move(game)});
    }
    return sum;
}

}  // namespace

std::unique_ptr<BoardRules> rules_named(const std::string& name) {
    static const auto all = all_rules();
    const bool impartial = name.starts_with(kImpartial);
    const auto found = all.find(impartial ? name.substr(kImpartial.size()) : name);
    if (found == all.end()) return nullptr;
    return impartial ? std::make_unique<Impartial>(found->second()) : found->second();
}

std::string BoardSum::statement() const {
    Texts texts;
    for (const auto& term : terms) texts.push_back(mixed ? term.name + ":" + term.position : term.position);
    return mixed ? "MixedBoards\n" + joined_by(texts, " + ") : "Boards\n" + terms[0].name + ":" + joined_by(texts, "+");
}

bool is_board(std::string_view target) {
    const auto colon = target.find(':');
    return colon != std::string_view::npos && rules_named(stripped(target.substr(0, colon))) != nullptr;
}

bool is_mixed(std::string_view text) {
    const auto terms = terms_of(text);
    std::size_t named = 0;
    bool brackets = false;
    for (const auto& term : terms)
        named += !name_of(term).empty(), brackets |= term.find_first_of("{(^*") != std::string::npos;
    return terms.size() > 1 && named && (name_of(terms[0]).empty() || named > 1 || brackets);
}

BoardSum read_boards(const std::string& target) {
    if (is_mixed(target)) return read_mixed(target);
    BoardSum sum;
    const auto colon = target.find(':');
    const auto name = stripped(target.substr(0, colon));
    const std::shared_ptr<const BoardRules> rules = rules_named(name);
    for (const auto& board : cut_at(std::string_view(target).substr(colon + 1), '+'))
        sum.terms.push_back({name, rules, rules->read(stripped(board))});
    return sum;
}

}  // namespace checker
