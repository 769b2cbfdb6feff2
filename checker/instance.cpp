#include "instance.hpp"

#include <algorithm>

#include "json.hpp"
#include "program.hpp"
#include "sha256.hpp"

namespace checker {

namespace {

struct Kind {
    std::string_view end;  // of the name of a file
    std::unique_ptr<Instance> (*read)(std::string_view text);
};

constexpr Kind kKinds[] = {
    {".qlp", program_instance}, {".graph", graph_instance},  {".edges", graph_instance}, {".edgelist", graph_instance},
    {".dgr", failing_instance}, {".json", network_instance}, {".efg", tree_instance},    {".nfg", table_instance},
};

const Kind* kind_of(std::string_view target) {
    const auto small = lower(target.substr(target.size() - std::min<std::size_t>(target.size(), 16)));
    for (const auto& kind : kKinds)
        if (small.ends_with(kind.end)) return &kind;
    return nullptr;
}

bool has_stakes(std::string_view target) {
    const auto name = target.substr(0, target.find(':'));
    return name != target && (name == "pig" || name == "goofspiel" || name == "oshizumo");
}

std::string starter(Rules& rules, Place place) {
    if (rules.over(place)) return "nobody";
    const auto turn = rules.turn(place);
    if (turn == kChance) return "chance";
    if (turn != kSeveral) return rules.roles()[std::size_t(turn)];
    std::string who;
    for (const auto& [role, moves] : rules.movers(place))
        who += (who.empty() ? "" : "+") + rules.roles()[std::size_t(role)];
    return who;
}

// The move that people write so; an outcome of chance is named like a move, whatever the case of its letters.
Move move_made(Rules& rules, Place place, const std::string& written) {
    if (written.starts_with("[")) throw BadInput("this program takes no position that was set up");
    if (rules.over(place)) throw BadInput("there is no move " + written + ": the game is over");
    if (rules.turn(place) == kChance) {
        for (const auto move : rules.moves(place))
            if (lower(rules.text(place, move)) == lower(written)) return move;
    } else if (const auto found = move_written(rules, place, written)) {
        return *found;
    }
    throw BadInput(written + " is not a legal move there");
}

void need_here(const Certificate& certificate, Rules& rules, Place start, const std::vector<std::string>& line) {
    const auto starts = starter(rules, start);
    for (const auto& claim : certificate.claims) {
        if (claim.after != line) throw Refuted("the claim speaks of another position");
        if (claim.starts != starts) throw Refuted("the claim speaks of play that " + claim.starts + " starts");
        const bool own = claim.play == "equilibrium" && claim.ruled && claim.rule == "equilibrium";
        if (claim.play != "score" && !own) throw Refuted("what is proved is the score");
    }
}

Tested check_claim(Instance& instance, Place start, bool later, const Claim& claim) {
    if (claim.ruled) return instance.check_rule(claim, start, later);
    if (!claim.tabled) throw BadInput("this program reads no layers of games of this kind");
    const auto roles = instance.rules().roles();
    const auto owner = std::ranges::find(roles, claim.role);
    const bool nobody = owner == roles.end() && claim.role == "nobody" && roles.size() == 1;
    if (owner == roles.end() && !nobody) throw Refuted(claim.role + " is not a role of the game");
    return check_table(instance.rules(), start, claim, nobody ? kNobody : int(owner - roles.begin()));
}

// Claims of two roles that give both more than there is cannot hold together, however they are proved.
void need_consistent(const Certificate& certificate, std::size_t roles, const Rational& most) {
    if (roles > 2) return;
    const auto& claims = certificate.claims;
    for (std::size_t i = 0; i < claims.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            if (claims[i].role == claims[j].role || claims[i].play != claims[j].play) continue;
            const auto both = Rational::of(claims[i].at_least) + Rational::of(claims[j].at_least);
            if ((roles == 1 ? Rational() : most) < both) throw Refuted("two claims cannot hold together");
        }
}

class ProgramInstance : public Instance {
public:
    explicit ProgramInstance(Program program) : program_(std::move(program)), rules_(program_rules(program_)) {}
    Rules& rules() override { return *rules_; }
    void take_up(const std::vector<std::string>& moves) override {
        program_ = program_.after(moves);
        rules_ = program_rules(program_);
    }
    std::string statement() const override { return "QuantifiedProgram\n" + program_.canonical(); }
    void need_valid() override {
        if (!program_.own.empty() && !OwnRows(program_).left_by({}))
            throw BadInput("the universal player cannot keep his own rows");
    }
    Tested check_rule(const Claim& claim, Place start, bool later) override {
        if (claim.rule == "program") return {check_program_proof(program_, claim)};
        if (claim.rule == "clauses") return {check_clauses(program_, claim)};
        return Instance::check_rule(claim, start, later);
    }

private:
    Program program_;
    std::unique_ptr<Rules> rules_;
};

}  // namespace

Tested Instance::check_rule(const Claim& claim, Place start, bool) {
    if (claim.rule == "expectation") return check_expectation(rules(), start, claim);
    if (claim.rule == "equilibrium") return check_equilibrium(rules(), start, claim);
    throw Refuted("no rule " + claim.rule + " is known for this game");
}

std::unique_ptr<Instance> program_instance(std::string_view text) {
    return std::make_unique<ProgramInstance>(read_qlp(text));
}

std::vector<std::uint32_t> points_of(std::string_view text) {
    std::vector<std::uint32_t> points;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >> 6 == 2) points.back() = points.back() << 6 | (byte & 0x3f);
        else points.push_back(byte < 0x80 ? byte : byte & (byte < 0xe0 ? 0x1f : byte < 0xf0 ? 0x0f : 0x07));
    }
    return points;
}

std::string json_text(std::string_view text) {
    std::string made = "\"";
    const auto add = [&](std::uint32_t unit) {
        char digits[16];
        std::snprintf(digits, sizeof digits, "\\u%04x", static_cast<unsigned>(unit & 0xffff));
        made += digits;
    };
    constexpr std::string_view controls = "\b\f\n\r\t", letters = "bfnrt";
    for (const auto point : points_of(text)) {
        const auto at = point < 0x20 ? controls.find(char(point)) : std::string_view::npos;
        if (at != std::string_view::npos) {
            made += {'\\', letters[at]};
            continue;
        }
        if (point == '"' || point == '\\') made += '\\';
        if (point >= 0x10000) add(0xd800 + ((point - 0x10000) >> 10)), add(0xdc00 + (point & 0x3ff));
        else if (point >= 0x7f || point < 0x20) add(point);
        else made += static_cast<char>(point);
    }
    return made + "\"";
}

std::string json_list(const std::vector<std::string>& items) {
    std::string made = "[";
    for (const auto& item : items) made += (made.size() > 1 ? "," : "") + item;
    return made + "]";
}

std::string json_list(const std::vector<std::size_t>& items) {
    std::string made = "[";
    for (const auto item : items) made += (made.size() > 1 ? "," : "") + std::to_string(item);
    return made + "]";
}

bool is_instance(std::string_view target) { return kind_of(target) || has_stakes(target); }

std::uint64_t check_instance(const Certificate& certificate, const std::string& target,
                             std::string (*contents)(const std::string&), const std::vector<std::string>& moves) {
    Rational::begin_work();
    const auto* kind = kind_of(target);
    const auto text = kind ? contents(target) : target;
    if (!is_utf8(text)) throw BadInput(target + ": not UTF-8");
    const auto instance = kind ? kind->read(text) : stakes_instance(text);
    auto place = instance->rules().start();
    std::vector<std::string> line;
    for (const auto& written : moves) {
        const auto move = move_made(instance->rules(), place, written);
        line.push_back(instance->rules().text(place, move));
        place = instance->rules().play(place, move);
    }
    if (const auto key = instance->rules().key(place); !line.empty()) {
        instance->take_up(line);
        if (const auto start = instance->rules().start(); instance->rules().key(start) == key) place = start;
    }
    const auto stated = instance->statement();
    if (sha256({reinterpret_cast<const std::uint8_t*>(stated.data()), stated.size()}) != certificate.digest)
        throw Refuted("the certificate is for another game: its digest differs");
    instance->need_valid();
    need_here(certificate, instance->rules(), place, line);
    Tested all;
    for (const auto& claim : certificate.claims) {
        const auto found = check_claim(*instance, place, !line.empty(), claim);
        all.steps += found.steps;
        if (found.most) all.most = all.most ? std::max(*all.most, *found.most) : *found.most;
    }
    need_consistent(certificate, instance->rules().roles().size(), all.most.value_or(Rational()));
    return all.steps;
}

}  // namespace checker
