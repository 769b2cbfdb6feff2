// Values in canonical form as certificates of boards name them: `1/2^*`, `+-{2|1}`, `3||2|-1`, `+_2`. That is a small
// part of the notation of sums: nothing is added up but a number, ups and a star that are written together.
#include <algorithm>
#include <span>
#include <variant>

#include "listed.hpp"
#include "valued.hpp"

namespace checker {

namespace {

[[noreturn]] void refuse() { throw Refuted("the value is no canonical form"); }

class ValueReader {
public:
    ValueReader(ShortGames& games, std::string_view text) : games_(games), text_(text) {}

    GameId whole() {
        std::vector<Row> rows(1);
        std::vector<std::pair<std::string_view, char>> opened;  // a sign, and the bracket after it
        while (at_ < text_.size()) {
            if (const auto bars = run("|"); bars || take(",")) {
                rows.back().push_back(bars);
            } else if (const char c = text_[at_]; c == '}' || c == ')') {
                if (opened.empty() || opened.back().second != (c == ')' ? '(' : '{')) refuse();
                if (c == '}' && !longest(rows.back())) refuse();
                const auto game = with_sign(opened.back().first, games_of(rows.back()));
                ++at_, opened.pop_back(), rows.pop_back();
                rows.back().push_back(One{game});
            } else {
                const auto sign = taken_sign();
                if (at_ < text_.size() && (text_[at_] == '{' || text_[at_] == '(')) {
                    opened.emplace_back(sign, text_[at_++]);
                    rows.emplace_back();
                } else {
                    rows.back().push_back(One{with_sign(sign, {named(!sign.empty())})});
                }
            }
        }
        if (!opened.empty()) refuse();
        return with_sign("", games_of(rows[0]));
    }

private:
    struct One {
        GameId game;
    };
    using Piece = std::variant<std::size_t, One>;  // so many strokes, 0 for a comma; or a game
    using Row = std::vector<Piece>;
    using Some = std::span<const Piece>;

    bool take(std::string_view what) {
        if (!text_.substr(at_).starts_with(what)) return false;
        at_ += what.size();
        return true;
    }
    // How many of a sign stand there: they are passed.
    std::size_t run(std::string_view sign) {
        std::size_t count = 0;
        while (take(sign)) ++count;
        return count;
    }
    std::string_view digits() {
        const auto begin = at_;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
        return text_.substr(begin, at_ - begin);
    }
    std::string_view taken_sign() {
        for (const std::string_view sign : {"+-", "+_", "-_"})
            if (take(sign)) return sign;
        return "";
    }
    static std::size_t longest(Some row) {
        std::size_t found = 0;
        for (const auto& piece : row)
            if (const auto* strokes = std::get_if<std::size_t>(&piece)) found = std::max(found, *strokes);
        return found;
    }
    // With bars, the one game that these make, the longest bar outermost: each level has shorter ones, and no text of
    // more than kMostLevels is read.
    GameIds games_of(Some row, std::size_t depth = 0) {
        constexpr std::size_t kMostLevels = 1'000;
        const auto bar = longest(row);
        if (depth > kMostLevels) throw BadInput("the value has too many levels of bars");
        if (!bar) return listed(row);
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < row.size(); ++i)
            if (const auto* strokes = std::get_if<std::size_t>(&row[i]); strokes && *strokes == bar)
                places.push_back(i);
        if (places.size() > 1) refuse();
        const auto left = games_of(row.first(places[0]), depth + 1);
        return {games_.canonical(left, games_of(row.subspan(places[0] + 1), depth + 1))};
    }
    static GameIds listed(Some row) {
        GameIds found;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto* one = std::get_if<One>(&row[i]);
            if ((one != nullptr) != (i % 2 == 0)) refuse();
            if (one) found.push_back(one->game);
        }
        if (!row.empty() && row.size() % 2 == 0) refuse();
        return found;
    }
    GameId with_sign(std::string_view sign, const GameIds& options) {
        if (sign == "+-" && !options.empty()) {
            GameIds others;
            for (const auto option : options) others.push_back(games_.negative(option));
            return games_.canonical(options, others);
        }
        if (options.size() != 1) refuse();
        if (sign.empty()) return options[0];
        const auto reply = games_.canonical({ShortGames::kZero}, {games_.negative(options[0])});
        const auto tiny = games_.canonical({ShortGames::kZero}, {reply});
        return sign == "+_" ? tiny : games_.negative(tiny);
    }
    // A number, ups and a star, added up; after a sign only one of them, which the sign is then meant for.
    GameId named(bool alone) {
        const auto begin = at_;
        auto total = ShortGames::kZero;
        int found = 0;
        take("-");
        if (!digits().empty()) {
            if (take("/") && digits().empty()) refuse();
            Json number;
            number.kind = Json::kString, number.text = text_.substr(begin, at_ - begin);
            const auto value = number_in(number, "the value");
            if (!value) refuse();
            total = games_.number(*value), ++found;
        } else if (at_ > begin) {
            refuse();
        }
        for (const std::string_view arrow : {"^", "v"}) {
            const auto arrows = run(arrow);
            if (!arrows) continue;
            const auto said = arrows == 1 ? digits() : "";
            if (said.size() > 9) refuse();
            const auto ups = said.empty() ? std::int64_t(arrows) : std::int64_t(number(said, "ups"));
            const auto up = arrow == "^" ? games_.up() : games_.negative(games_.up());
            total = games_.sum(total, games_.copies(ups, up)), ++found;
            break;
        }
        if (take("*")) {
            const auto said = digits();
            if (said.size() > 9) refuse();
            total = games_.sum(total, games_.nimber(said.empty() ? 1 : number(said, "a star"))), ++found;
        }
        if (!found || (alone && found > 1)) refuse();
        // What follows must be no more of a name.
        if (at_ < text_.size() && std::string_view("-0123456789/^v*").find(text_[at_]) != std::string_view::npos)
            refuse();
        return total;
    }
    ShortGames& games_;
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

GameId named_value(ShortGames& games, std::string_view text) { return ValueReader(games, text).whole(); }

}  // namespace checker
