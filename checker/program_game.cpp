// A program as a game of moves, and what the rows of `forall` leave him.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "program.hpp"

namespace checker {

namespace {

constexpr std::uint64_t kMostTries = 100'000'000;

class ProgramRules : public Rules {
public:
    explicit ProgramRules(const Program& program)
        : program_(program), broken_(program.score(std::nullopt)), own_(program) {}

    std::vector<std::string> roles() const override { return {"exists", "forall"}; }
    Place start() override { return numbered(program_.given); }
    std::optional<Scores> result(Place place) override {
        const auto& values = values_[place];
        if (values.size() < program_.variables.size()) return std::nullopt;
        const auto kept = [&](const AtMost& row) { return total(row.terms, values) <= row.right; };
        const bool all = std::ranges::all_of(program_.rows, kept);
        const auto score = all ? program_.score(program_.constant + total(program_.goal, values)) : broken_;
        return Scores{score, -score};
    }
    int turn(Place place) override { return next(place).forall ? 1 : 0; }
    std::vector<Move> moves(Place place) override {
        constexpr std::int64_t most = 1'000'000;
        const auto& variable = next(place);
        if (!variable.integer || !variable.lower || !variable.upper)
            throw BadInput("variable " + variable.name + " is continuous: its values cannot be listed as moves");
        const auto steps = (*variable.upper - *variable.lower).small();
        if (!steps || *steps >= most) throw BadInput("variable " + variable.name + " has too many values to list them");
        std::vector<Move> found;
        auto values = values_[place];
        for (Move step = 0; step <= *steps; ++step) {
            if (variable.forall && !program_.own.empty()) {
                values.push_back(*variable.lower + Rational(step));
                const bool left = own_.left_by(values);
                values.pop_back();
                if (!left) continue;
            }
            found.push_back(step);
        }
        return found;
    }
    std::vector<Rational> chances(Place) override { return {}; }
    Place play(Place place, Move move) override {
        auto values = values_[place];
        values.push_back(*next(place).lower + Rational(move));
        return numbered(values);
    }
    std::string text(Place place, Move move) override {
        return next(place).name + "=" + (*next(place).lower + Rational(move)).text();
    }
    std::string key(Place place) override { return name_of(values_[place]); }

private:
    const Variable& next(Place place) const { return program_.variables[values_[place].size()]; }
    static std::string name_of(const std::vector<Rational>& values) {
        std::string made;
        for (const auto& value : values) made += (made.empty() ? "" : " ") + value.text();
        return made;
    }
    Place numbered(const std::vector<Rational>& values) { return values_.number(name_of(values), values); }

    const Program& program_;
    Rational broken_;
    OwnRows own_;
    Numbered<std::vector<Rational>> values_;
};

}  // namespace

std::unique_ptr<Rules> program_rules(const Program& program) { return std::make_unique<ProgramRules>(program); }

Program Program::after(const std::vector<std::string>& moves) const {
    Program taken = *this;
    if (moves.empty()) return taken;
    taken.free = variables;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto value = Rational::of(moves[i].substr(moves[i].rfind('=') + 1));
        taken.variables[i].lower = taken.variables[i].upper = value;
        taken.given.push_back(value);
    }
    return taken;
}

std::vector<std::vector<AtMost>> connected(const std::vector<AtMost>& rows) {
    // Each variable points to another of its group, the last one to itself.
    std::map<int, int> to;
    const auto last = [&](int variable) {
        while (to[variable] != variable) variable = to[variable] = to[to[variable]];
        return variable;
    };
    for (const auto& row : rows)
        for (const auto& [variable, coefficient] : row.terms) {
            to.try_emplace(variable, variable);
            to[last(variable)] = last(row.terms[0].first);
        }
    std::map<int, std::vector<AtMost>> groups;
    std::vector<std::vector<AtMost>> found;
    for (const auto& row : rows) {
        if (row.terms.empty()) found.push_back({row});
        else groups[last(row.terms[0].first)].push_back(row);
    }
    for (auto& [variable, group] : groups) found.push_back(std::move(group));
    return found;
}

OwnRows::OwnRows(const Program& program) {
    for (const auto& rows : connected(program.own)) {
        Part part;
        std::set<int> held;
        for (const auto& row : rows)
            for (const auto& [variable, coefficient] : row.terms) held.insert(variable);
        part.held.assign(held.begin(), held.end());
        std::map<int, std::size_t> place;
        for (const auto variable : part.held) {
            place[variable] = part.low.size();
            part.low.push_back(*program.variables[std::size_t(variable)].lower);
            part.high.push_back(*program.variables[std::size_t(variable)].upper);
        }
        part.columns.assign(held.size(), std::vector<Rational>(rows.size()));
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const auto scale = whole_scale(rows[r].terms);
            part.right.push_back((rows[r].right * scale).floor());
            for (const auto& [variable, coefficient] : rows[r].terms)
                part.columns[place[variable]][r] = coefficient * scale;
        }
        part.least.assign(held.size() + 1, std::vector<Rational>(rows.size()));
        part.most = part.least;
        for (auto i = held.size(); i-- > 0;)
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const auto& c = part.columns[i][r];
                const auto low = c * part.low[i], high = c * part.high[i];
                part.least[i][r] = part.least[i + 1][r] + std::min(low, high);
                part.most[i][r] = part.most[i + 1][r] + std::max(low, high);
            }
        parts_.push_back(std::move(part));
    }
}

bool OwnRows::left_by(const std::vector<Rational>& values) const {
    return std::ranges::all_of(parts_, [&](const Part& part) { return left_in(part, values); });
}

// Depth first: a value is tried only if it leaves every row as much as later variables take at the least. What rows had
// left where nothing worked is remembered; more than can be taken counts as the most that can.
bool OwnRows::left_in(const Part& part, const std::vector<Rational>& values) const {
    struct Frame {
        std::vector<Rational> left;
        Rational value, high;
        std::string name;
    };
    const auto rows = part.right.size();
    std::unordered_set<std::string> dead;
    std::vector<Frame> line;
    std::size_t first = 0;
    std::uint64_t tries = 0;
    const auto enter = [&](std::vector<Rational> left, std::size_t place) {
        Frame frame{std::move(left), {}, {}, std::to_string(place)};
        for (std::size_t r = 0; r < rows; ++r) {
            if (frame.left[r] < part.least[place][r]) return;
            frame.name += " " + std::min(frame.left[r], part.most[place][r]).text();
        }
        if (dead.contains(frame.name)) return;
        if (place < part.held.size()) frame.value = part.low[place], frame.high = part.high[place];
        for (std::size_t r = 0; r < rows && place < part.held.size(); ++r) {
            const auto& c = part.columns[place][r];
            if (!c.sign()) continue;
            const auto steps = ((frame.left[r] - part.least[place + 1][r]) / c.size()).floor();
            if (c.sign() > 0) frame.high = std::min(frame.high, steps);
            else frame.value = std::max(frame.value, -steps);
        }
        line.push_back(std::move(frame));
    };
    auto left = part.right;
    for (; first < part.held.size() && std::size_t(part.held[first]) < values.size(); ++first)
        for (std::size_t r = 0; r < rows; ++r)
            left[r] -= part.columns[first][r] * values[std::size_t(part.held[first])];
    enter(std::move(left), first);
    while (!line.empty() && first + line.size() <= part.held.size()) {
        auto& top = line.back();
        if (++tries > kMostTries) throw BadInput("whether forall can keep his rows takes too long to find out");
        if (top.high < top.value) {
            dead.insert(std::move(top.name));
            line.pop_back();
            continue;
        }
        const auto value = top.value;
        top.value += Rational(1);
        const auto place = first + line.size() - 1;
        auto rest = top.left;
        for (std::size_t r = 0; r < rows; ++r) rest[r] -= part.columns[place][r] * value;
        enter(std::move(rest), place + 1);
    }
    return !line.empty();
}

}  // namespace checker
