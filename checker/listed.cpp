#include "listed.hpp"

namespace checker {

const std::vector<Json>& list_of(const Json* item, const std::string& where) {
    if (!item || item->kind != Json::kList) throw Refuted(where + ": expected a list");
    return item->items;
}

std::optional<std::int64_t> whole_of(const Json& item) {
    constexpr std::int64_t most = std::int64_t{1} << 60;
    if (item.kind != Json::kWhole) return {};
    const auto number = Integer::decimal(item.text);
    if (number.fits() && number < Integer(most) && Integer(-most) < number) return number.small();
    return number.negative() ? -most : most;
}

std::size_t place_in(const Json& item, std::size_t many, const std::string& where) {
    const auto place = whole_of(item);
    if (!place || *place < 0 || *place >= std::int64_t(many)) throw Refuted(where + ": expected a place in the list");
    return std::size_t(*place);
}

bool is_text(const Json* item, std::string_view text) {
    return item && item->kind == Json::kString && item->text == text;
}

bool is_left(const Json* item, const std::string& where) {
    if (!is_text(item, "left") && !is_text(item, "right")) throw Refuted(where + " is neither left nor right");
    return item->text == "left";
}

std::optional<Dyadic> number_in(const Json& item, const std::string& where) {
    if (item.kind != Json::kString || !is_score(item.text))
        throw Refuted(where + ": expected an exact number as a text");
    const auto bar = item.text.find('/');
    const auto over = Integer::decimal(std::string_view(item.text).substr(0, bar));
    if (bar == std::string::npos) return Dyadic(over, 0);
    const auto under = Natural::decimal(std::string_view(item.text).substr(bar + 1));
    const auto common = Natural::divisor(over.size(), under);
    auto rest = under;
    Dyadic found;
    if (!dyadic_of(over.divided(common), Natural::quotient(rest, common), found)) return {};
    return found;
}

GameIds listed_games(const Json* items, const std::string& where, ShortGames& games, bool canonical) {
    GameIds found;
    for (const auto& item : list_of(items, where)) {
        const auto here = where + ", number " + std::to_string(found.size());
        games.work().step();
        if (item.kind == Json::kString) {
            const auto number = number_in(item, here);
            if (!number) throw Refuted(here + ": " + item.text.substr(0, 40) + " is no dyadic rational");
            found.push_back(games.number(*number));
            continue;
        }
        if (list_of(&item, here).size() != 2) throw Refuted(here + ": neither a number nor options of both sides");
        GameIds sides[2];
        for (std::size_t side = 0; side < 2; ++side)
            for (const auto& option : list_of(&item.items[side], here))
                sides[side].push_back(found[place_in(option, found.size(), here)]);
        found.push_back(canonical ? games.canonical(sides[0], sides[1]) : games.node(sides[0], sides[1]));
    }
    return found;
}

}  // namespace checker
