#include "tables.hpp"

#include "json.hpp"

namespace checker {

namespace {

void need(bool holds, const std::string& why) {
    if (!holds) throw BadInput(why);
}

bool is(const Json* value, Json::Kind kind) { return value && value->kind == kind; }

std::string text_of(const Json& object, std::string_view name, const std::string& where) {
    const auto* value = object.member(name);
    need(is(value, Json::kString), where + std::string(name) + " is not a text");
    return value->text;
}

TableEntry entry_of(const Json& value, const std::string& where) {
    need(value.kind == Json::kList && value.items.size() == 2 && value.items[0].kind == Json::kString, where);
    const auto& rank = value.items[1];
    if (rank.kind == Json::kNull) return {value.items[0].text, ""};
    need(rank.kind == Json::kWhole && (rank.text[0] != '-' || rank.text == "-0"), where);
    return {value.items[0].text, rank.text == "-0" ? "0" : rank.text};
}

Claim claim_of(const Json& value, const std::string& where) {
    need(value.kind == Json::kObject, where + "expected an object");
    Claim claim;
    claim.role = text_of(value, "role", where);
    claim.at_least = text_of(value, "at_least", where);
    need(is_score(claim.at_least), where + "at_least is not an exact number as a text");
    const auto* after = value.member("after");
    need(is(after, Json::kList), where + "after is not a list of moves");
    for (const auto& move : after->items) {
        need(move.kind == Json::kString, where + "after is not a list of moves");
        claim.after.push_back(move.text);
    }
    claim.starts = text_of(value, "starts", where);
    need(!claim.starts.empty(), where + "starts is not the role that moves first");
    claim.play = text_of(value, "play", where);
    need(is_convention(claim.play), where + "play is neither score nor normal nor equilibrium");
    if (const auto* rule = value.member("rule")) {
        const auto* data = value.member("data");
        need(rule->kind == Json::kString, where + "rule is not a text");
        need(!data || data->kind == Json::kObject, where + "data is not an object");
        claim.ruled = true, claim.rule = rule->text;
        claim.data.kind = Json::kObject;
        if (data) claim.data = *data;
        return claim;
    }
    const auto* table = value.member("table");
    need(is(table, Json::kObject), where + "neither a table nor a rule");
    claim.tabled = true;
    claim.table.reserve(table->members.size());
    for (auto at = table->members.rbegin(); at != table->members.rend(); ++at)  // of an entry twice, the last counts
        if (!claim.table.contains(at->first))
            claim.table[at->first] = entry_of(at->second, where + "the entry of " + at->first + " is not [move, rank]");
    return claim;
}

}  // namespace

Certificate read_tables(std::string_view text) {
    const auto found = read_json(text);
    need(found.kind == Json::kObject && is(found.member("format"), Json::kString) &&
             found.member("format")->text == "zermelo-certificate",
         "expected an object with the format zermelo-certificate");
    const auto* version = found.member("version");
    need(is(version, Json::kWhole) && version->text == "1", "the version is not 1");
    Certificate certificate;
    certificate.target = text_of(found, "target", "");
    certificate.digest = text_of(found, "digest", "");
    need_digest_form(certificate.digest);
    const auto* claims = found.member("claims");
    need(is(claims, Json::kList) && !claims->items.empty() && claims->items.size() <= 5,
         "claims is not a list of one to five");
    for (std::size_t i = 0; i < claims->items.size(); ++i)
        certificate.claims.push_back(claim_of(claims->items[i], "claim " + std::to_string(i + 1) + ": "));
    return certificate;
}

}  // namespace checker
