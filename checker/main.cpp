// zermelo-check: reads a certificate of version 2 and checks it, by rules of its own. It shares nothing with the
// engines that write certificates, nor with the checker in Python.
//
//     zermelo-check FILE            the game is the one that the certificate names
//     zermelo-check FILE TARGET     refuses a certificate for another game
//
// Status 0: every claim holds; 1: one does not; 2: the file is no certificate, or the game is none that is known here.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
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

template <class Game>
std::uint64_t check_claims(const Game& game, const Certificate& certificate) {
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
        positions += LayerCheck<Game>(game, claim, owner, whole(claim.at_least)).run();
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

std::uint64_t check(const Certificate& certificate, const std::string& text) {
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
        return name == "mnk" ? check_claims(MNK(sizes[0], sizes[1], sizes[2]), certificate)
                             : check_claims(Connect(sizes[0], sizes[1], sizes[2]), certificate);
    }
    if (name == "hex" && counts == 1) {
        need(sizes[0] <= 8, text + ": expected at most 64 cells");
        need_digest(certificate, statement("Hex", {"size"}, sizes));
        return check_claims(Hex(sizes[0]), certificate);
    }
    if (name == "breakthrough" && counts == 3) {
        need(cells() <= 64 && sizes[1] >= 2 && 2 * sizes[2] <= sizes[0], text + ": no such board here");
        need_digest(certificate, statement("Breakthrough", {"rows", "columns", "pawns"}, sizes));
        return check_claims(Breakthrough(sizes[0], sizes[1], sizes[2]), certificate);
    }
    if (name == "othello" && counts == 2) {
        need(cells() <= 64 && cells() >= 16 && sizes[0] % 2 == 0 && sizes[1] % 2 == 0, text + ": no such board here");
        need_digest(certificate, statement("Othello", {"rows", "columns"}, sizes));
        return check_claims(Othello(sizes[0], sizes[1]), certificate);
    }
    if (name == "dotsandboxes" && counts == 2) {
        need((sizes[0] + 1) * sizes[1] + sizes[0] * (sizes[1] + 1) <= 64, text + ": expected at most 64 edges");
        need_digest(certificate, statement("DotsAndBoxes", {"rows", "columns"}, sizes));
        return check_claims(DotsAndBoxes(sizes[0], sizes[1]), certificate);
    }
    throw BadInput(text + ": known are connect, mnk, tictactoe, gomoku, hex, breakthrough, othello, dotsandboxes");
}

int run(const std::string& path, const std::string& asked) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw BadInput("cannot be read");
    const std::vector<char> read{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(read.data()), read.size());
    const auto certificate = read_certificate(bytes);
    const auto& target = asked.empty() ? certificate.target : asked;
    std::uint64_t positions = 0;
    try {
        positions = check(certificate, target);
    } catch (const Refuted& fault) {
        std::printf("refuted: %s\n", fault.what());
        return 1;
    }
    for (const auto& claim : certificate.claims)
        std::printf("accepted: %s: %s gets at least %s if %s starts\n", target.c_str(), claim.role.c_str(),
                    claim.at_least.c_str(), claim.starts.c_str());
    std::printf("%llu positions\n", static_cast<unsigned long long>(positions));
    return 0;
}

}  // namespace
}  // namespace checker

int main(int count, char** words) {
    if (count < 2 || count > 3) {
        std::fputs("usage: zermelo-check FILE [TARGET]\n", stderr);
        return 2;
    }
    try {
        return checker::run(words[1], count == 3 ? words[2] : "");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", words[1], error.what());
        return 2;
    }
}
