// Gambit's files (docs/bridges.md): trees in which everything is seen, and tables of what all choose at once.
#include <algorithm>
#include <map>
#include <set>

#include "instance.hpp"

namespace checker {

namespace {

[[noreturn]] void refuse_file(const std::string& why) { throw BadInput("the game: " + why); }

struct Piece {
    char mark;  // " of a text in quotes, { and } of themselves, w of a word
    std::string text;
};

std::vector<Piece> pieces_of(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    for (int i = 0; i < 2; ++i)
        if (text.starts_with(mark)) text.remove_prefix(mark.size());
    std::vector<Piece> found;
    std::string word;
    const auto end_word = [&] {
        if (!word.empty()) found.push_back({'w', std::move(word)});
        word.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto c = static_cast<unsigned char>(text[at]);
        const std::size_t size = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        const auto letter = text.substr(at, size);
        at += size;
        if (c == '"') {
            end_word();
            std::string said;
            for (; at < text.size() && text[at] != '"'; ++at) {
                if (text[at] == '\\' && ++at == text.size()) break;
                said += text[at];
            }
            if (at++ >= text.size()) refuse_file("a text in quotes does not end");
            found.push_back({'"', std::move(said)});
        } else if (c == '{' || c == '}') {
            end_word();
            found.push_back({char(c), ""});
        } else if (c == ',' || stripped(letter).empty()) {
            end_word();
        } else {
            word += letter;
        }
    }
    end_word();
    return found;
}

// Names of moves, told apart.
std::vector<std::string> told_apart(const std::vector<std::string>& names) {
    const std::set<std::string> once(names.begin(), names.end());
    if (!once.contains("") && once.size() == names.size()) return names;
    const bool any = std::ranges::any_of(names, [](const auto& name) { return !name.empty(); });
    std::vector<std::string> made;
    for (const auto& name : names) {
        const auto number = std::to_string(made.size() + 1);
        made.push_back(any ? name + "#" + number : number);
    }
    return made;
}

class GambitReader {
public:
    explicit GambitReader(std::string_view text) : pieces_(pieces_of(text)) {}

    std::string next(char mark) {
        if (!comes(mark)) refuse_file("piece " + std::to_string(at_ + 1) + " is not what has to stand there");
        return pieces_[at_++].text;
    }
    bool comes(char mark) const { return at_ < pieces_.size() && pieces_[at_].mark == mark; }
    void skip(char mark) { at_ += comes(mark); }
    std::int64_t whole() {
        const auto said = next('w');
        if (said.size() > 9 || said.find_first_not_of("0123456789") != std::string::npos)
            refuse_file(said.substr(0, 40) + " is no whole number");
        return std::stoll(said);
    }
    Rational exact() {
        auto said = next('w');
        const auto word = said;
        const auto fail = [&] { refuse_file(word.substr(0, 40) + " is no number"); };
        if (said.size() > 300) fail();
        const bool minus = said.starts_with("-");
        if (minus || said.starts_with("+")) said.erase(0, 1);
        const auto digits = [&](std::size_t from) {
            return std::min(said.find_first_not_of("0123456789", from), said.size()) - from;
        };
        const auto before = digits(0);
        if (before && before < said.size() && said[before] == '/') {
            const auto after = digits(before + 1);
            const bool zero = said.find_first_not_of('0', before + 1) == std::string::npos;
            if (!after || zero || before + 1 + after != said.size()) fail();
            const auto made = Rational::of(said);
            return minus ? -made : made;
        }
        auto all = said.substr(0, before);
        auto end = before;
        std::int64_t exponent = 0;
        if (end < said.size() && said[end] == '.') {
            const auto after = digits(end + 1);
            all += said.substr(end + 1, after);
            exponent = -std::int64_t(after);
            end += 1 + after;
        }
        if (all.empty()) fail();
        if (end < said.size() && (said[end] == 'e' || said[end] == 'E')) {
            ++end;
            const bool down = end < said.size() && said[end] == '-';
            if (end < said.size() && (down || said[end] == '+')) ++end;
            const auto size = digits(end);
            if (!size || size > 3) fail();
            const auto power = std::stoll(said.substr(end, size));
            exponent += down ? -power : power;
            end += size;
        }
        if (end != said.size()) fail();
        const auto power = Rational::of("1" + std::string(std::size_t(std::abs(exponent)), '0'));
        const auto made = exponent < 0 ? Rational::of(all) / power : Rational::of(all) * power;
        return minus ? -made : made;
    }
    std::vector<std::string> texts() {
        next('{');
        std::vector<std::string> found;
        while (!comes('}')) found.push_back(next('"'));
        ++at_;
        return found;
    }
    // The head of a file, and its players.
    std::vector<std::string> head(const std::string& word, const std::string& version) {
        const bool good = next('w') == word && next('w') == version;
        const auto numbers = good ? next('w') : "";
        if (numbers != "R" && numbers != "D") refuse_file("expected " + word + " " + version + " R");
        next('"');
        auto roles = texts();
        for (std::size_t i = 0; i < roles.size(); ++i)
            if (roles[i].empty()) roles[i] = "player " + std::to_string(i + 1);
        const std::set<std::string> once(roles.begin(), roles.end());
        const bool taken = once.contains("chance") || once.contains("nobody") || once.contains("draw");
        if (roles.empty() || once.size() < roles.size() || taken)
            refuse_file("expected players with names of their own");
        return roles;
    }
    Scores payoffs(std::size_t count) {
        Scores found;
        while (found.size() < count) found.push_back(exact());
        return found;
    }
    void end() const {
        if (at_ < pieces_.size()) refuse_file("something follows the game");
    }

private:
    std::vector<Piece> pieces_;
    std::size_t at_ = 0;
};

std::string json_scores(const Scores& numbers) {
    std::vector<std::string> items;
    for (const auto& number : numbers) items.push_back(json_text(number.text()));
    return json_list(items);
}

std::string json_texts(const std::vector<std::string>& texts) {
    std::vector<std::string> items;
    for (const auto& text : texts) items.push_back(json_text(text));
    return json_list(items);
}

struct TreeNode {
    int turn;  // kNobody at an end
    std::vector<std::string> moves;
    std::vector<std::size_t> after;
    std::vector<Rational> chances;
    Scores paid;
};

class TreeInstance : public Instance, private Rules {
public:
    explicit TreeInstance(std::string_view text) {
        GambitReader reader(text);
        roles_ = reader.head("EFG", "2");
        reader.skip('"');
        std::map<std::int64_t, Scores> outcomes{{0, Scores(roles_.size())}};
        struct Waiting {
            std::size_t above;
            Scores paid;
        };
        std::vector<Waiting> waiting{{0, outcomes[0]}};
        while (!waiting.empty()) {
            auto [above, paid] = std::move(waiting.back());
            waiting.pop_back();
            const auto here = nodes_.size();
            if (here) nodes_[above].after.push_back(here);
            nodes_.push_back(node(reader));
            const auto number = reader.whole();
            if (number) reader.skip('"');
            if (number && reader.comes('{')) {
                reader.next('{');
                outcomes[number] = reader.payoffs(roles_.size());
                reader.next('}');
            }
            const auto outcome = outcomes.find(number);
            if (outcome == outcomes.end()) refuse_file("the payoffs of an outcome are missing");
            for (std::size_t i = 0; i < paid.size(); ++i) paid[i] += outcome->second[i];
            for (std::size_t i = 0; i < nodes_[here].moves.size(); ++i) waiting.push_back({here, paid});
            if (nodes_[here].turn == kNobody) nodes_[here].paid = std::move(paid);
        }
        reader.end();
    }
    Rules& rules() override { return *this; }
    std::string statement() const override {
        std::vector<std::string> nodes;
        for (const auto& node : nodes_) {
            const auto turn = node.turn == kNobody   ? ""
                              : node.turn == kChance ? "chance"
                                                     : roles_[std::size_t(node.turn)];
            nodes.push_back(json_list({json_text(turn), json_texts(node.moves), json_list(node.after),
                                       json_scores(node.chances), json_scores(node.paid)}));
        }
        return "Tree\n" + json_list({json_texts(roles_), json_list(nodes)});
    }

private:
    TreeNode node(GambitReader& reader) {
        const auto kind = reader.next('w');
        if (kind != "p" && kind != "c" && kind != "t") refuse_file("expected p, c or t");
        reader.next('"');
        if (kind == "t") return {kNobody, {}, {}, {}, {}};
        const auto player = kind == "p" ? reader.whole() : 0;
        if (kind == "p" && (player < 1 || player > std::int64_t(roles_.size()))) refuse_file("there is no such player");
        const std::pair key(player, reader.whole());
        if (player && sets_.contains(key)) refuse_file("an information set has a second node: something is not seen");
        reader.skip('"');
        if (reader.comes('{')) sets_[key] = player ? std::pair(reader.texts(), Scores()) : chance(reader);
        if (!sets_.contains(key) || sets_[key].first.empty()) refuse_file("no moves");
        const auto& [names, chances] = sets_[key];
        return {player ? int(player) - 1 : kChance, told_apart(names), {}, chances, {}};
    }
    static std::pair<std::vector<std::string>, Scores> chance(GambitReader& reader) {
        reader.next('{');
        std::pair<std::vector<std::string>, Scores> found;
        Rational sum;
        while (!reader.comes('}')) {
            found.first.push_back(reader.next('"'));
            found.second.push_back(reader.exact());
            if (found.second.back().sign() < 0) refuse_file("a probability is below 0");
            sum += found.second.back();
        }
        reader.next('}');
        if (!(sum == Rational(1))) refuse_file("probabilities do not add up to 1");
        return found;
    }

    std::vector<std::string> roles() const override { return roles_; }
    Place start() override { return 0; }
    std::optional<Scores> result(Place place) override {
        return nodes_[place].turn == kNobody ? std::optional(nodes_[place].paid) : std::nullopt;
    }
    int turn(Place place) override { return nodes_[place].turn; }
    std::vector<Move> moves(Place place) override {
        std::vector<Move> found;
        for (std::size_t i = 0; i < nodes_[place].moves.size(); ++i) found.push_back(Move(i));
        return found;
    }
    std::vector<Rational> chances(Place place) override { return nodes_[place].chances; }
    Place play(Place place, Move move) override { return Place(nodes_[place].after[std::size_t(move)]); }
    std::string text(Place place, Move move) override { return nodes_[place].moves[std::size_t(move)]; }
    std::string key(Place place) override { return std::to_string(place); }

    std::vector<std::string> roles_;
    std::vector<TreeNode> nodes_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::vector<std::string>, Scores>> sets_;
};

// Everybody chooses once, all at once. Position 0 is the start, the others are cells, counted from 1; the choice of the
// first player changes fastest.
class CellInstance : public Instance, private Rules {
public:
    explicit CellInstance(std::string_view text) {
        GambitReader reader(text);
        roles_ = reader.head("NFG", "1");
        reader.next('{');
        std::int64_t count = 1;
        for (std::size_t i = 0; i < roles_.size(); ++i) {
            std::vector<std::string> names;
            if (reader.comes('{')) {
                names = reader.texts();
            } else {
                const auto size = reader.whole();
                if (size > kMostCells) refuse_file("too large a table");
                names.assign(std::size_t(size), "");
            }
            count *= std::int64_t(names.size());
            if (count <= 0 || count > kMostCells) refuse_file("an empty table, or too large a one");
            choices_.push_back(told_apart(names));
        }
        reader.next('}');
        reader.skip('"');
        if (!reader.comes('{')) {
            for (std::int64_t i = 0; i < count; ++i) cells_.push_back(reader.payoffs(roles_.size()));
        } else {
            reader.next('{');
            std::vector<Scores> outcomes(1, Scores(roles_.size()));
            while (reader.comes('{')) {
                reader.next('{');
                reader.next('"');
                outcomes.push_back(reader.payoffs(roles_.size()));
                reader.next('}');
            }
            reader.next('}');
            for (std::int64_t i = 0; i < count; ++i) {
                const auto number = reader.whole();
                if (number >= std::int64_t(outcomes.size())) refuse_file("there is no such outcome");
                cells_.push_back(outcomes[std::size_t(number)]);
            }
        }
        reader.end();
    }
    Rules& rules() override { return *this; }
    std::string statement() const override {
        std::vector<std::string> choices, cells;
        for (const auto& names : choices_) choices.push_back(json_texts(names));
        for (const auto& scores : cells_) cells.push_back(json_scores(scores));
        return "Cells\n" + json_list({json_texts(roles_), json_list(choices), json_list(cells)});
    }

private:
    static constexpr std::int64_t kMostCells = 10'000'000;

    std::vector<std::string> roles() const override { return roles_; }
    Place start() override { return 0; }
    std::optional<Scores> result(Place place) override {
        return place ? std::optional(cells_[place - 1]) : std::nullopt;
    }
    int turn(Place) override { return roles_.size() > 1 ? kSeveral : 0; }
    std::vector<Move> moves(Place place) override {
        std::vector<Move> found;
        for (std::size_t i = 0; i < cells_.size() && !place; ++i) found.push_back(Move(i));
        return found;
    }
    std::vector<Rational> chances(Place) override { return {}; }
    Place play(Place, Move move) override { return Place(move + 1); }
    std::string text(Place, Move move) override {
        std::string made;
        for (const auto& names : choices_) {
            const auto size = Move(names.size());
            made += (&names == choices_.data() ? "" : ",") + names[std::size_t(move % size)];
            move /= size;
        }
        return made;
    }
    std::string key(Place place) override { return place ? "(" + std::to_string(place) + ")" : "()"; }
    std::vector<std::pair<int, std::vector<std::string>>> movers(Place) override {
        std::vector<std::pair<int, std::vector<std::string>>> found;
        for (std::size_t i = 0; i < roles_.size(); ++i) found.emplace_back(int(i), choices_[i]);
        return found;
    }
    Place joint(Place, const std::vector<std::size_t>& places) override {
        std::size_t cell = 0;
        for (auto i = places.size(); i-- > 0;) cell = cell * choices_[i].size() + places[i];
        return Place(cell + 1);
    }

    std::vector<std::string> roles_;
    std::vector<std::vector<std::string>> choices_;
    std::vector<Scores> cells_;
};

}  // namespace

std::unique_ptr<Instance> tree_instance(std::string_view text) { return std::make_unique<TreeInstance>(text); }

std::unique_ptr<Instance> table_instance(std::string_view text) { return std::make_unique<CellInstance>(text); }

}  // namespace checker
