// zermelo-check: reads a certificate and checks it, by rules of its own. It shares nothing with the engines that write
// certificates, nor with the checker in Python.
//
//     zermelo-check FILE                    the game is the one that the certificate names
//     zermelo-check FILE TARGET             refuses a certificate for another game; TARGET may be a rulesheet in KIF
//     zermelo-check FILE TARGET MOVES       from the position after some moves, with blanks between them
//     zermelo-check -                       lines of standard input are FILE, TARGET and MOVES with tabs between them;
//                                           of each it prints the status, a tab and the first line of what it finds
//
// Status 0: every claim holds; 1: one does not; 2: the file is no certificate, or the game is none that is known here.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "certificate.hpp"
#include "games.hpp"
#include "sha256.hpp"
#include "sheet_game.hpp"
#include "tables.hpp"

namespace checker {
namespace {

struct Target {
    std::string name;
    std::vector<unsigned> sizes;
};

Target parse_target(const std::string& text) {
    const auto colon = text.find(':');
    Target target{text.substr(0, colon), {}};
    for (auto at = colon; at != std::string::npos;) {
        const auto comma = text.find(',', at + 1);
        const auto size = number(text.substr(at + 1, comma == std::string::npos ? comma : comma - at - 1), text);
        if (size == 0 || size > 64) throw BadInput(text + ": expected sizes from 1 to 64");
        target.sizes.push_back(unsigned(size));
        at = comma;
    }
    return target;
}

// What the digest of a game of the library is taken of: its class, with what it was made with.
std::string statement(const std::string& made, const std::vector<std::string>& names,
                      const std::vector<unsigned>& sizes) {
    std::string text = "library\n" + made + "\n(";
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i ? ",('" : "('") + names[i] + "'," + std::to_string(sizes[i]) + ")";
    return text + ")";
}

// The least whole number that is at least so much.
Score rounded_up(const Fraction& bound) {
    Score below = -(Score{1} << 61), enough = Score{1} << 61;  // no score is so large
    while (enough - below > 1) {
        const auto middle = below + (enough - below) / 2;
        (Fraction(middle) < bound ? below : enough) = middle;
    }
    return enough;
}

// Whether a role moves first in a position, by the name that claims give it.
template <class Game>
std::string starter(const Game& game, const typename Game::State& state) {
    Score share = 0;
    return ended(game, state, 0, share) ? "nobody" : game.starter(state);
}

// The position after moves, each written as the game writes it.
template <class Game>
typename Game::State after(const Game& game, const std::vector<std::string>& line) {
    auto state = game.start();
    for (const auto& written : line) {
        std::vector<std::uint32_t> moves;
        Score share = 0;
        if (written.starts_with("[")) throw BadInput("this program takes no position that was set up");
        if (!ended(game, state, 0, share) && game.turn(state) != kSeveral) game.moves(state, moves);
        std::vector<std::uint32_t> found;
        for (const auto move : moves)
            if (game.text(state, move) == written) found.push_back(move);
        if (found.size() != 1) throw BadInput(written + " is not a legal move there");
        state = game.play(state, found[0]);
    }
    return state;
}

template <class Game>
std::uint64_t check_claims(const Game& game, const Certificate& certificate, const std::vector<std::string>& line) {
    const auto roles = game.roles();
    const auto start = after(game, line);
    for (const auto& claim : certificate.claims) {
        if (claim.after != line) throw Refuted("the claim speaks of another position");
        if (claim.starts != starter(game, start))
            throw Refuted("the claim speaks of play that " + claim.starts + " starts");
        if (claim.play != "score") throw Refuted("what is proved is the score");
    }
    std::uint64_t positions = 0;
    for (const auto& claim : certificate.claims) {
        const auto owner = std::find(roles.begin(), roles.end(), claim.role);
        const bool nobody = owner == roles.end() && claim.role == "nobody" && roles.size() == 1;
        if (owner == roles.end() && !nobody) throw Refuted(claim.role + " is not a role of the game");
        const int place = nobody ? kNobody : int(owner - roles.begin());
        const auto least = rounded_up(Fraction::of(claim.at_least));
        positions += claim.tabled ? TableCheck<Game>(game, claim, place).run(start)
                                  : LayerCheck<Game>(game, claim, place, least).run(start);
    }
    return positions;
}

void need_digest(const Certificate& certificate, const std::string& stated) {
    const std::vector<std::uint8_t> bytes(stated.begin(), stated.end());
    if (sha256(bytes) != certificate.digest) throw Refuted("the certificate is for another game: its digest differs");
}

void need(bool holds, const std::string& why) {
    if (!holds) throw BadInput(why);
}

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw BadInput("cannot be read");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::uint64_t check_sheet(const Certificate& certificate, const std::string& path,
                          const std::vector<std::string>& line) {
    const auto sheet = read_sheet(contents(path));
    need_digest(certificate, "Rulesheet\n" + sheet.canonical);
    return check_claims(SheetGame(sheet), certificate, line);
}

std::uint64_t check_library(const Certificate& certificate, const std::string& text,
                            const std::vector<std::string>& line) {
    auto [name, sizes] = parse_target(text);
    if (name == "tictactoe" && sizes.empty()) name = "mnk", sizes = {3, 3, 3};
    if (name == "gomoku" && sizes.size() == 1) name = "mnk", sizes = {sizes[0], sizes[0], 5};
    if (name == "othello" && sizes.empty()) sizes = {8, 8};
    if (name == "breakthrough" && sizes.size() == 2) sizes.push_back(sizes[0] >= 6 ? 2 : 1);
    const auto counts = sizes.size();
    const auto cells = [&] { return sizes[0] * sizes[1]; };
    if ((name == "mnk" || name == "connect") && counts == 3) {
        need(cells() <= 64, text + ": expected at most 64 cells");
        need_digest(certificate, statement(name == "mnk" ? "MNK" : "Connect", {"rows", "columns", "k"}, sizes));
        return name == "mnk" ? check_claims(Library<MNK>(sizes[0], sizes[1], sizes[2]), certificate, line)
                             : check_claims(Library<Connect>(sizes[0], sizes[1], sizes[2]), certificate, line);
    }
    if (name == "hex" && counts == 1) {
        need(sizes[0] <= 8, text + ": expected at most 64 cells");
        need_digest(certificate, statement("Hex", {"size"}, sizes));
        return check_claims(Library<Hex>(sizes[0]), certificate, line);
    }
    if (name == "breakthrough" && counts == 3) {
        const bool board = cells() <= 64 && sizes[1] >= 2 && sizes[1] <= 26 && 2 * sizes[2] <= sizes[0];
        need(board, text + ": no such board here");
        need_digest(certificate, statement("Breakthrough", {"rows", "columns", "pawns"}, sizes));
        return check_claims(Library<Breakthrough>(sizes[0], sizes[1], sizes[2]), certificate, line);
    }
    if (name == "othello" && counts == 2) {
        const bool even = sizes[0] % 2 == 0 && sizes[1] % 2 == 0 && sizes[0] >= 4 && sizes[1] >= 4;
        need(even && cells() <= 64, text + ": no such board here");
        need_digest(certificate, statement("Othello", {"rows", "columns"}, sizes));
        return check_claims(Library<Othello>(sizes[0], sizes[1]), certificate, line);
    }
    if (name == "dotsandboxes" && counts == 2) {
        const auto edges = (sizes[0] + 1) * sizes[1] + sizes[0] * (sizes[1] + 1);
        need(edges <= 64 && sizes[1] <= 25, text + ": expected at most 64 edges");
        need_digest(certificate, statement("DotsAndBoxes", {"rows", "columns"}, sizes));
        return check_claims(Library<DotsAndBoxes>(sizes[0], sizes[1]), certificate, line);
    }
    throw BadInput(text + ": known are connect, mnk, tictactoe, gomoku, hex, breakthrough, othello, dotsandboxes and " +
                   "rulesheets in files that end in .kif or .gdl");
}

// The words of a text, where words in brackets are one.
std::vector<std::string> moves_in(const std::string& text) {
    std::vector<std::string> found;
    std::string word;
    int depth = 0;
    for (const char c : text + " ") {
        depth += (c == '(') - (c == ')');
        if (c != ' ' || depth > 0) word += c;
        else if (!word.empty()) found.push_back(std::move(word)), word.clear();
    }
    return found;
}

// What the program is asked: a file and, unless the certificate is taken at its word, a target and moves.
struct Question {
    std::string file, target, moves;
};

struct Answer {
    int status;
    std::string words;  // lines
};

Answer accepted(const Certificate& certificate, const std::string& target, const std::vector<std::string>& line,
                std::uint64_t positions) {
    std::string where, words;
    for (const auto& move : line) where += (where.empty() ? " after " : " ") + move;
    for (const auto& claim : certificate.claims)
        words += "accepted: " + target + ": " + claim.role + " gets at least " + claim.at_least + " if " +
                 claim.starts + " starts" + where + "\n";
    return {0, words + std::to_string(positions) + " positions\n"};
}

Answer answer(const Question& asked) {
    try {
        const auto read = contents(asked.file);
        const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(read.data()), read.size());
        const auto certificate = read.starts_with("zermelo-certificate") ? read_certificate(bytes) : read_tables(read);
        const auto& target = asked.target.empty() ? certificate.target : asked.target;
        const auto line = asked.target.empty() ? certificate.claims[0].after : moves_in(asked.moves);
        const bool sheet = target.ends_with(".kif") || target.ends_with(".gdl");
        const auto positions =
            sheet ? check_sheet(certificate, target, line) : check_library(certificate, target, line);
        return accepted(certificate, target, line, positions);
    } catch (const Refuted& fault) {
        return {1, std::string("refuted: ") + fault.what() + "\n"};
    } catch (const std::exception& error) {
        return {2, asked.file + ": " + error.what() + "\n"};
    }
}

// Answers a line after the other, so that whoever has many questions need not start the program for each.
int answer_lines() {
    for (std::string line; std::getline(std::cin, line);) {
        const auto first = line.find('\t'), second = line.find('\t', first == std::string::npos ? first : first + 1);
        Question asked{line.substr(0, first), "", ""};
        if (first != std::string::npos) asked.target = line.substr(first + 1, second - first - 1);
        if (second != std::string::npos) asked.moves = line.substr(second + 1);
        const auto [status, words] = answer(asked);
        std::printf("%d\t%s\n", status, words.substr(0, words.find('\n')).c_str());
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace
}  // namespace checker

int main(int count, char** words) {
    if (count < 2 || count > 4) {
        std::fputs("usage: zermelo-check FILE [TARGET [MOVES]], or zermelo-check -\n", stderr);
        return 2;
    }
    if (count == 2 && std::string(words[1]) == "-") return checker::answer_lines();
    const auto [status, said] = checker::answer({words[1], count > 2 ? words[2] : "", count > 3 ? words[3] : ""});
    std::fputs(said.c_str(), status == 2 ? stderr : stdout);
    return status;
}
