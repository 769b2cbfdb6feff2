// zermelo-check: reads a certificate and checks it, by rules of its own. It shares nothing with the engines that write
// certificates, nor with the checker in Python.
//
//     zermelo-check FILE                    the game is the one that the certificate names
//     zermelo-check FILE TARGET             refuses a certificate for another game; TARGET may be a rulesheet in KIF
//     zermelo-check FILE TARGET MOVES       from the position after some moves, with blanks between them
//     zermelo-check --part N FILE [TARGET]  of a certificate in several files the first one and part N, counted from 1
//     zermelo-check -                       lines of standard input are FILE, TARGET and MOVES with tabs between them;
//                                           of each it prints the status, a tab and the first line of what it finds
//
// Parts are read from the folder of the first file and checked side by side, one thread for each processor.
//
// Status 0: every claim holds; 1: one does not; 2: the file is no certificate, or the game is none that is known here.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "board_game.hpp"
#include "certificate.hpp"
#include "formula.hpp"
#include "instance.hpp"
#include "named.hpp"
#include "names.hpp"
#include "sha256.hpp"
#include "sheet_game.hpp"
#include "tables.hpp"
#include "valued.hpp"
#include "weighed.hpp"

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
        if (size == 0 || size > 100) throw BadInput(text + ": expected sizes from 1 to 100");
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

// Where the parts of a certificate lie, and which of them is asked for; 0: all.
struct Beside {
    std::string folder;
    std::uint64_t only;
};

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw BadInput(path + ": cannot be read");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::span<const std::uint8_t> as_bytes(const std::string& read) {
    return {reinterpret_cast<const std::uint8_t*>(read.data()), read.size()};
}

// The claim of a part, once it has turned out to be the one that is cited.
Certificate read_part(const Certificate& whole, const Claim& claim, const Part& cited, std::uint64_t first,
                      const std::string& read) {
    if (sha256(as_bytes(read)) != cited.sha256) throw BadInput(cited.file + " is not the part that is cited");
    auto part = read_certificate(as_bytes(read));
    if (part.claims.size() != 1 || part.target != whole.target || part.digest != whole.digest)
        throw BadInput(cited.file + " is part of another claim");
    const auto& own = part.claims.front();
    const auto same = [&](auto field) { return own.*field == claim.*field; };
    if (!same(&Claim::role) || !same(&Claim::at_least) || !same(&Claim::starts) || !same(&Claim::play) ||
        !same(&Claim::after) || !same(&Claim::images) || !same(&Claim::closed))
        throw BadInput(cited.file + " is part of another claim");
    if (own.continues != claim.sha256 + " " + std::to_string(first) || !own.parts.empty())
        throw BadInput(cited.file + " is another part");
    return part;
}

// Goes on from what lies beyond the layers of a claim, in all of its parts or one of them.
template <class Game>
std::uint64_t check_parts(const Game& game, const Certificate& certificate, const Claim& claim, int owner,
                          const std::vector<typename Game::State>& left, const Beside& beside) {
    struct Task {
        const Part* part;
        std::uint64_t first;
    };
    std::vector<Task> tasks;
    std::uint64_t first = 0;
    for (const auto& part : claim.parts) {
        if (part.positions > left.size() - first) throw Refuted("parts go on from more positions than there are");
        tasks.push_back({&part, first});
        first += part.positions;
    }
    if (first != left.size()) throw Refuted("parts go on from fewer positions than there are: one is missing");
    if (beside.only) tasks = {tasks.at(static_cast<std::size_t>(beside.only - 1))};
    std::atomic<std::size_t> next{0};
    std::atomic<std::uint64_t> positions{0};
    std::vector<std::exception_ptr> faults(tasks.size());
    const auto work = [&] {
        for (std::size_t at; (at = next++) < tasks.size();) try {
                const auto& [part, begin] = tasks[at];
                const auto read = contents(beside.folder + part->file);
                const auto file = read_part(certificate, claim, *part, begin, read);
                LayerCheck<typename Game::Layered> layers(game.layered(), file.claims.front(), owner,
                                                          rounded_up(Fraction::of(claim.at_least)));
                const auto from = left.begin() + static_cast<std::ptrdiff_t>(begin);
                layers.need_none(layers.run({from, from + static_cast<std::ptrdiff_t>(part->positions)}));
                positions += layers.positions();
            } catch (...) {
                faults[at] = std::current_exception();
            }
    };
    if constexpr (!Game::kFromLibrary) work();  // a rulesheet's game remembers what it worked out
    else {
        std::vector<std::jthread> threads(std::min<std::size_t>(tasks.size(), std::thread::hardware_concurrency()));
        for (auto& thread : threads) thread = std::jthread(work);
        work();
    }
    for (const auto& fault : faults)
        if (fault) std::rethrow_exception(fault);
    return positions;
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
std::uint64_t check_layers(const Game& game, const Certificate& certificate, const Claim& claim, int owner,
                           const typename Game::State& start, const Beside& beside) {
    if (!claim.continues.empty()) throw BadInput("part of a certificate: expected its first file");
    if (!Game::kFromLibrary && !(claim.images.empty() && claim.closed.empty()))
        throw Refuted("images and closed positions are known of games of the library alone");
    LayerCheck<typename Game::Layered> layers(game.layered(), claim, owner, rounded_up(Fraction::of(claim.at_least)));
    const auto left = layers.run(layers.first(start));
    if (!claim.parts.empty()) return layers.positions() + check_parts(game, certificate, claim, owner, left, beside);
    layers.need_none(left);
    return layers.positions();
}

// What is asked of a certificate: the moves made before play begins, and where its parts lie.
struct Asked {
    std::vector<std::string> line;
    Beside beside;
};

std::string name_of(const MNK&) { return "mnk"; }
std::string name_of(const Connect&) { return "connect"; }

template <class Game>
std::uint64_t check_rule(const Game& game, const Claim& claim, int owner, const typename Game::State& start) {
    if (is_weighed(claim)) return check_weighed(game, claim, start);
    if constexpr (requires { game.check_rule(claim, owner, start); }) {
        return game.check_rule(claim, owner, start);
    } else if constexpr (requires { game.k(); }) {
        const std::vector<std::int64_t> sizes{game.rows(), game.columns(), game.k()};
        const auto things = [&](const Stones& stones) { return cells_of(game, stones); };
        return check_named<Game>(game, {name_of(game), sizes, {}}, claim, owner, start, things);
    } else {
        throw BadInput("this program knows no rule " + claim.rule + " for this game");
    }
}

template <class Game>
std::uint64_t check_claims(const Game& game, const Certificate& certificate, const Asked& asked) {
    const auto roles = game.roles();
    const auto start = after(game, asked.line);
    for (const auto& claim : certificate.claims) {
        if (claim.after != asked.line) throw Refuted("the claim speaks of another position");
        if (claim.starts != starter(game, start))
            throw Refuted("the claim speaks of play that " + claim.starts + " starts");
        if (claim.play != (claim.rule == "equilibrium" ? "equilibrium" : "score"))
            throw Refuted("what is proved is the score");
    }
    std::uint64_t positions = 0;
    for (const auto& claim : certificate.claims) {
        const auto owner = std::find(roles.begin(), roles.end(), claim.role);
        const bool nobody = owner == roles.end() && claim.role == "nobody" && roles.size() == 1;
        if (owner == roles.end() && !nobody) throw Refuted(claim.role + " is not a role of the game");
        const int place = nobody ? kNobody : int(owner - roles.begin());
        if (claim.ruled) positions += check_rule(game, claim, place, start);
        else
            positions += claim.tabled ? TableCheck<Game>(game, claim, place).run(start)
                                      : check_layers(game, certificate, claim, place, start, asked.beside);
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

void need_line(const Certificate& certificate, const Asked& asked) {
    for (const auto& claim : certificate.claims)
        if (claim.after != asked.line) throw Refuted("the claim speaks of another position");
}

std::uint64_t check_sheet(const Certificate& certificate, const std::string& path, const Asked& asked) {
    const auto sheet = read_sheet(contents(path));
    need_digest(certificate, "Rulesheet\n" + sheet.canonical);
    return check_claims(SheetGame(sheet), certificate, asked);
}

// The values that moves such as `x=1` give to the first variables; what is no move is left to whoever plays them.
std::string values_given(const std::vector<std::string>& line) {
    std::string given;
    for (const auto& move : line) given += move.ends_with("=1") ? '1' : '0';
    return given;
}

std::uint64_t check_formula(const Certificate& certificate, const std::string& path, const Asked& asked) {
    const auto text = contents(path);
    if (!is_utf8(text)) throw BadInput(path + ": not UTF-8");
    const auto formula = path.ends_with(".qcir") ? read_qcir(text) : read_qdimacs(text);
    need_digest(certificate, formula.statement(values_given(asked.line)));
    return check_claims(FormulaGame(formula), certificate, asked);
}

// Whole numbers with commas between them.
std::vector<std::int64_t> integers(const std::string& text) {
    std::vector<std::int64_t> found;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        const auto word = stripped(std::string_view(text).substr(begin, end - begin));
        const bool minus = word.starts_with("-");
        const auto size = static_cast<std::int64_t>(number(word.substr(minus ? 1 : 0), text));
        found.push_back(minus ? -size : size);
        begin = end + 1;
    }
    return found;
}

std::uint64_t check_heaps(const Certificate& certificate, const std::string& text, const Asked& asked) {
    const auto colon = text.find(':'), semicolon = std::min(text.find(';'), text.size());
    Stated stated{text.substr(0, colon), integers(text.substr(colon + 1, semicolon - colon - 1)), {}};
    need((stated.game == "subtraction") == (semicolon < text.size()), text + ": no such game");
    if (semicolon < text.size()) stated.takes = integers(text.substr(semicolon + 1));
    const HeapGame game(std::move(stated));
    need_digest(certificate, game.statement());
    return check_claims(game, certificate, asked);
}

// The rules that claims about a sum rest on are looked at one by one; the others are tables of moves.
std::uint64_t check_boards(const Certificate& certificate, const BoardSum& boards, const Asked& asked) {
    need_digest(certificate, boards.statement());
    need_line(certificate, asked);
    const BoardGame game(boards);
    std::uint64_t positions = 0;
    for (const auto& claim : certificate.claims)
        positions += claim.ruled ? check_board_claim(boards, claim, asked.line)
                                 : check_claims(game, {certificate.target, certificate.digest, {claim}}, asked);
    return positions;
}

// The text of a sum without remarks, in one line.
std::string in_one_line(const std::string& text) {
    Texts kept;
    for (const auto& line : cut_at(text, '\n'))
        if (!line.starts_with("# ")) kept.push_back(line);
    return joined_by(kept, " ");
}

// The sum that a target states, or the file that it names.
std::uint64_t check_sum(const Certificate& certificate, const std::string& target, const Asked& asked) {
    const bool file = target.ends_with(".cgt");
    auto text = file ? contents(target) : target;
    if (!is_utf8(text)) throw BadInput(target + ": not UTF-8");
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    if (text.find(':') != std::string::npos && is_mixed(in_one_line(text)))
        return check_boards(certificate, read_boards(in_one_line(text)), asked);
    const auto sum = read_sum(text, file ? target : "literal");
    need_digest(certificate, sum.statement());
    need_line(certificate, asked);
    std::uint64_t positions = 0;
    for (const auto& claim : certificate.claims) positions += check_sum_claim(sum, claim, asked.line);
    return positions;
}

// Whether a text is a sum in brackets: most letters stand for nothing in one.
bool is_sum(std::string text) {
    if (text.find('{') != std::string::npos) return true;
    for (const std::string word : {"upstar", "Tiny(", "Miny("})
        for (auto at = text.find(word); at != std::string::npos; at = text.find(word)) text.erase(at, word.size());
    return std::ranges::none_of(text,
                                [](char c) { return c != 'v' && lower({&c, 1}) >= "a" && lower({&c, 1}) <= "z"; });
}

std::uint64_t check_library(const Certificate& certificate, const std::string& text, const Asked& asked) {
    if (text.find(':') != std::string::npos && HeapGame::knows(text.substr(0, text.find(':'))))
        return check_heaps(certificate, text, asked);
    auto [name, sizes] = parse_target(text);
    if (name == "tictactoe" && sizes.empty()) name = "mnk", sizes = {3, 3, 3};
    if (name == "gomoku" && sizes.size() == 1) name = "mnk", sizes = {sizes[0], sizes[0], 5};
    if (name == "othello" && sizes.empty()) sizes = {8, 8};
    if (name == "breakthrough" && sizes.size() == 2) sizes.push_back(sizes[0] >= 6 ? 2 : 1);
    const auto counts = sizes.size();
    if (name == "hex" || name == "dotsandboxes" || name == "othello" || name == "breakthrough")
        need(std::ranges::all_of(sizes, [](auto size) { return size <= 64; }), text + ": expected sizes up to 64");
    const auto cells = [&] { return sizes[0] * sizes[1]; };
    if ((name == "mnk" || name == "connect") && counts == 3) {
        need(std::ranges::max(sizes) <= 100, text + ": expected sizes of at most 100");
        need_digest(certificate, statement(name == "mnk" ? "MNK" : "Connect", {"rows", "columns", "k"}, sizes));
        if (cells() > 64) return check_claims(LargeBoard({name, {sizes.begin(), sizes.end()}, {}}), certificate, asked);
        return name == "mnk" ? check_claims(Library<MNK>(sizes[0], sizes[1], sizes[2]), certificate, asked)
                             : check_claims(Library<Connect>(sizes[0], sizes[1], sizes[2]), certificate, asked);
    }
    if (name == "hex" && counts == 1) {
        need(sizes[0] <= 8, text + ": expected at most 64 cells");
        need_digest(certificate, statement("Hex", {"size"}, sizes));
        return check_claims(Library<Hex>(sizes[0]), certificate, asked);
    }
    if (name == "breakthrough" && counts == 3) {
        const bool board = cells() <= 64 && sizes[1] >= 2 && sizes[1] <= 26 && 2 * sizes[2] <= sizes[0];
        need(board, text + ": no such board here");
        need_digest(certificate, statement("Breakthrough", {"rows", "columns", "pawns"}, sizes));
        return check_claims(Library<Breakthrough>(sizes[0], sizes[1], sizes[2]), certificate, asked);
    }
    if (name == "othello" && counts == 2) {
        const bool even = sizes[0] % 2 == 0 && sizes[1] % 2 == 0 && sizes[0] >= 4 && sizes[1] >= 4;
        need(even && cells() <= 64, text + ": no such board here");
        need_digest(certificate, statement("Othello", {"rows", "columns"}, sizes));
        return check_claims(Library<Othello>(sizes[0], sizes[1]), certificate, asked);
    }
    if (name == "dotsandboxes" && counts == 2) {
        const auto edges = (sizes[0] + 1) * sizes[1] + sizes[0] * (sizes[1] + 1);
        need(edges <= 64 && sizes[1] <= 25, text + ": expected at most 64 edges");
        need_digest(certificate, statement("DotsAndBoxes", {"rows", "columns"}, sizes));
        return check_claims(Library<DotsAndBoxes>(sizes[0], sizes[1]), certificate, asked);
    }
    throw BadInput(text +
                   ": known are connect, mnk, tictactoe, gomoku, hex, breakthrough, othello, dotsandboxes, nim, " +
                   "wythoff, subtraction, coins, treblecross; files that end in .kif or .gdl (rulesheets), .qcir or " +
                   ".qdimacs (formulas), .qlp, .graph, .dgr, .json (networks), .efg or .nfg");
}

// One part may be asked for where there is one claim with that many.
void need_part(const Certificate& certificate, std::uint64_t only) {
    if (!only) return;
    if (certificate.claims.size() != 1) throw BadInput("one part: expected a certificate with one claim");
    if (only > certificate.claims.front().parts.size()) throw BadInput("it has no such part");
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
    std::uint64_t part = 0;
};

struct Answer {
    int status;
    std::string words;  // lines
};

Answer accepted(const Certificate& certificate, const Question& question, const std::string& target,
                const std::vector<std::string>& line, std::uint64_t positions) {
    const auto count = std::to_string(positions) + " positions\n";
    if (question.part)
        return {0, "accepted: part " + std::to_string(question.part) + " of " +
                       std::to_string(certificate.claims.front().parts.size()) + "\n" + count};
    std::string where, words;
    for (const auto& move : line) where += (where.empty() ? " after " : " ") + move;
    for (const auto& claim : certificate.claims)
        words += "accepted: " + target + ": " + claim.role + " gets at least " + claim.at_least + " if " +
                 claim.starts + " starts" + where + "\n";
    return {0, words + count};
}

Answer answer(const Question& question) {
    try {
        const auto read = contents(question.file);
        const auto certificate =
            read.starts_with("zermelo-certificate") ? read_certificate(as_bytes(read)) : read_tables(read);
        need_part(certificate, question.part);
        const auto folder = question.file.substr(0, question.file.find_last_of('/') + 1);
        const auto& target = question.target.empty() ? certificate.target : question.target;
        const auto line = question.target.empty() ? certificate.claims[0].after : moves_in(question.moves);
        const Asked asked{line, {folder, question.part}};
        const auto ends = [&](std::initializer_list<const char*> marks) {
            return std::ranges::any_of(marks, [&](const char* mark) { return target.ends_with(mark); });
        };
        const auto positions =
            ends({".kif", ".gdl"})                                    ? check_sheet(certificate, target, asked)
            : ends({".qcir", ".qdimacs", ".qcnf", ".cnf", ".dimacs"}) ? check_formula(certificate, target, asked)
            : is_instance(target)                        ? check_instance(certificate, target, contents, line)
            : is_board(target) || is_mixed(target)       ? check_boards(certificate, read_boards(target), asked)
            : target.ends_with(".cgt") || is_sum(target) ? check_sum(certificate, target, asked)
                                                         : check_library(certificate, target, asked);
        return accepted(certificate, question, target, line, positions);
    } catch (const Refuted& fault) {
        return {1, std::string("refuted: ") + fault.what() + "\n"};
    } catch (const std::exception& error) {
        const std::string why = error.what();
        return {2, (why.starts_with(question.file + ":") ? why : question.file + ": " + why) + "\n"};
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
    const std::vector<std::string> given(words + 1, words + count);
    if (given.size() == 1 && given[0] == "-") return checker::answer_lines();
    const bool one_part = given.size() > 2 && given[0] == "--part";
    const std::size_t at = one_part ? 2 : 0;
    if (given.size() <= at || given.size() > at + 3) {
        std::fputs("usage: zermelo-check [--part N] FILE [TARGET [MOVES]], or zermelo-check -\n", stderr);
        return 2;
    }
    const auto word = [&](std::size_t place) { return place < given.size() ? given[place] : ""; };
    checker::Question question{word(at), word(at + 1), word(at + 2)};
    try {
        if (one_part) question.part = checker::number(given[1], "--part");
        if (one_part && !question.part) throw checker::BadInput("parts are counted from 1");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    const auto [status, said] = checker::answer(question);
    std::fputs(said.c_str(), status == 2 ? stderr : stdout);
    return status;
}
