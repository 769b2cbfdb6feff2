// zermelo-check: reads a certificate of version 2 and checks it, by rules of its own. It shares nothing with the
// engines that write certificates, nor with the checker in Python.
//
//     zermelo-check FILE            the game is the one that the certificate names
//     zermelo-check FILE TARGET     refuses a certificate for another game
//     zermelo-check --part N FILE   of a certificate in several files the first one and part N, counted from 1
//
// Parts are read from the folder of the first file and checked side by side, one thread for each processor.
//
// Status 0: every claim holds; 1: one does not; 2: the file is no certificate, or the game is none that is known here.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "certificate.hpp"
#include "games.hpp"
#include "layers.hpp"
#include "sha256.hpp"

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

Score whole(const std::string& text) {
    const bool minus = text.starts_with("-");
    const auto size = static_cast<Score>(number(text.substr(minus ? 1 : 0), "at_least"));
    return minus ? -size : size;
}

// Where the parts of a certificate lie, and which of them is asked for; 0: all.
struct Beside {
    std::string folder;
    std::uint64_t only;
};

std::vector<char> bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw BadInput(path + ": cannot be read");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::span<const std::uint8_t> as_bytes(const std::vector<char>& read) {
    return {reinterpret_cast<const std::uint8_t*>(read.data()), read.size()};
}

// The claim of a part, once it has turned out to be the one that is cited.
Certificate read_part(const Certificate& whole, const Claim& claim, const Part& cited, std::uint64_t first,
                      const std::vector<char>& read) {
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
                const auto read = bytes_of(beside.folder + part->file);
                const auto file = read_part(certificate, claim, *part, begin, read);
                LayerCheck<Game> layers(game, file.claims.front(), owner, whole(claim.at_least));
                const auto from = left.begin() + static_cast<std::ptrdiff_t>(begin);
                layers.need_none(layers.run({from, from + static_cast<std::ptrdiff_t>(part->positions)}));
                positions += layers.positions();
            } catch (...) {
                faults[at] = std::current_exception();
            }
    };
    {
        std::vector<std::jthread> threads(std::min<std::size_t>(tasks.size(), std::thread::hardware_concurrency()));
        for (auto& thread : threads) thread = std::jthread(work);
        work();
    }
    for (const auto& fault : faults)
        if (fault) std::rethrow_exception(fault);
    return positions;
}

template <class Game>
std::uint64_t check_claims(const Game& game, const Certificate& certificate, const Beside& beside) {
    const auto roles = game.roles();
    std::uint64_t positions = 0;
    for (const auto& claim : certificate.claims) {
        const int owner = claim.role == roles[0] ? 0 : claim.role == roles[1] ? 1 : -1;
        if (owner < 0) throw Refuted(claim.role + " is not a role of the game");
        if (claim.play != "score") throw Refuted("what is proved is the score");
        if (!claim.after.empty()) throw BadInput("this program takes games from their start, not after some moves");
        Score score = 0;
        const bool over = game.over(game.start(), score);
        if (claim.starts != (over ? "nobody" : roles[static_cast<std::size_t>(game.turn(game.start()))]))
            throw Refuted("the claim speaks of play that " + claim.starts + " starts");
        if (!claim.continues.empty()) throw BadInput("part of a certificate: expected its first file");
        LayerCheck<Game> layers(game, claim, owner, whole(claim.at_least));
        const auto left = layers.run(layers.first());
        positions += layers.positions();
        if (claim.parts.empty()) layers.need_none(left);
        else positions += check_parts(game, certificate, claim, owner, left, beside);
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

std::uint64_t check(const Certificate& certificate, const std::string& text, const Beside& beside) {
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
        return name == "mnk" ? check_claims(MNK(sizes[0], sizes[1], sizes[2]), certificate, beside)
                             : check_claims(Connect(sizes[0], sizes[1], sizes[2]), certificate, beside);
    }
    if (name == "hex" && counts == 1) {
        need(sizes[0] <= 8, text + ": expected at most 64 cells");
        need_digest(certificate, statement("Hex", {"size"}, sizes));
        return check_claims(Hex(sizes[0]), certificate, beside);
    }
    if (name == "breakthrough" && counts == 3) {
        need(cells() <= 64 && sizes[1] >= 2 && 2 * sizes[2] <= sizes[0], text + ": no such board here");
        need_digest(certificate, statement("Breakthrough", {"rows", "columns", "pawns"}, sizes));
        return check_claims(Breakthrough(sizes[0], sizes[1], sizes[2]), certificate, beside);
    }
    if (name == "othello" && counts == 2) {
        need(cells() <= 64 && cells() >= 16 && sizes[0] % 2 == 0 && sizes[1] % 2 == 0, text + ": no such board here");
        need_digest(certificate, statement("Othello", {"rows", "columns"}, sizes));
        return check_claims(Othello(sizes[0], sizes[1]), certificate, beside);
    }
    if (name == "dotsandboxes" && counts == 2) {
        need((sizes[0] + 1) * sizes[1] + sizes[0] * (sizes[1] + 1) <= 64, text + ": expected at most 64 edges");
        need_digest(certificate, statement("DotsAndBoxes", {"rows", "columns"}, sizes));
        return check_claims(DotsAndBoxes(sizes[0], sizes[1]), certificate, beside);
    }
    throw BadInput(text + ": known are connect, mnk, tictactoe, gomoku, hex, breakthrough, othello, dotsandboxes");
}

// One part may be asked for where there is one claim with that many.
void need_part(const Certificate& certificate, std::uint64_t only) {
    if (!only) return;
    if (certificate.claims.size() != 1) throw BadInput("one part: expected a certificate with one claim");
    if (only > certificate.claims.front().parts.size()) throw BadInput("it has no such part");
}

int run(const std::string& path, const std::string& asked, std::uint64_t only) {
    const auto read = bytes_of(path);
    const auto certificate = read_certificate(as_bytes(read));
    need_part(certificate, only);
    const Beside beside{path.substr(0, path.find_last_of('/') + 1), only};
    const auto& target = asked.empty() ? certificate.target : asked;
    std::uint64_t positions = 0;
    try {
        positions = check(certificate, target, beside);
    } catch (const Refuted& fault) {
        std::printf("refuted: %s\n", fault.what());
        return 1;
    }
    if (only)
        return std::printf("accepted: part %llu of %zu\n%llu positions\n", static_cast<unsigned long long>(only),
                           certificate.claims.front().parts.size(), static_cast<unsigned long long>(positions)),
               0;
    for (const auto& claim : certificate.claims)
        std::printf("accepted: %s: %s gets at least %s if %s starts\n", target.c_str(), claim.role.c_str(),
                    claim.at_least.c_str(), claim.starts.c_str());
    std::printf("%llu positions\n", static_cast<unsigned long long>(positions));
    return 0;
}

}  // namespace
}  // namespace checker

int main(int count, char** words) {
    const bool one_part = count > 3 && std::string(words[1]) == "--part";
    const int at = one_part ? 3 : 1;
    if (count <= at || count > at + 2) {
        std::fputs("usage: zermelo-check [--part N] FILE [TARGET]\n", stderr);
        return 2;
    }
    try {
        const auto only = one_part ? checker::number(words[2], "--part") : 0;
        if (one_part && only == 0) throw checker::BadInput("parts are counted from 1");
        return checker::run(words[at], count == at + 2 ? words[at + 1] : "", only);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", words[at], error.what());
        return 2;
    }
}
