#include "certificate.hpp"

#include <algorithm>

#include "sha256.hpp"

namespace checker {

namespace {

constexpr std::string_view kMagic = "zermelo-certificate 2\n";
constexpr std::size_t kMostClaims = 5;

[[noreturn]] void refuse(std::size_t line, const std::string& why) {
    throw BadInput("line " + std::to_string(line) + ": " + why);
}

// A field that is said once for each claim.
std::string* field(Claim& claim, std::string_view word) {
    if (word == "role") return &claim.role;
    if (word == "at_least") return &claim.at_least;
    if (word == "starts") return &claim.starts;
    if (word == "play") return &claim.play;
    if (word == "images") return &claim.images;
    if (word == "continues") return &claim.continues;
    if (word == "rule") return &claim.rule;
    if (word == "width") return &claim.width;
    if (word == "sha256") return &claim.sha256;
    return nullptr;
}

Layer layer(std::string_view said) {
    const auto space = said.find(' ');
    if (space == std::string_view::npos) throw BadInput("expected `layer POSITIONS MOVES`");
    return {number(said.substr(0, space), "positions"), number(said.substr(space + 1), "moves")};
}

Part part(std::string_view said) {
    const auto space = said.find(' '), second = said.find(' ', space + 1);
    if (space == std::string_view::npos || second == std::string_view::npos)
        throw BadInput("expected `part POSITIONS SHA256 FILE`");
    const std::string file(said.substr(second + 1));
    if (file.empty() || file.find_first_of("/\\") != std::string::npos)
        throw BadInput("a part lies in the same folder: expected a name without folders");
    return {number(said.substr(0, space), "positions"), std::string(said.substr(space + 1, second - space - 1)), file};
}

Json read_data(std::string_view said) {
    auto data = read_json(said);
    if (data.kind != Json::kObject) throw BadInput("the data of a rule is not an object");
    return data;
}

void take(Certificate& certificate, std::string_view line, std::size_t at) {
    if (line == "claim") {
        if (certificate.claims.size() == kMostClaims) refuse(at, "more than five claims");
        certificate.claims.emplace_back();
        return;
    }
    const auto space = line.find(' ');
    if (space == std::string_view::npos || space + 1 == line.size()) refuse(at, "expected a word and what it says");
    const auto word = line.substr(0, space), said = line.substr(space + 1);
    if (certificate.claims.empty()) {
        auto* into = word == "target" ? &certificate.target : word == "digest" ? &certificate.digest : nullptr;
        if (!into || !into->empty()) refuse(at, "expected one target, one digest, then claims");
        *into = said;
        return;
    }
    auto& claim = certificate.claims.back();
    if (word == "after") claim.after.emplace_back(said);
    else if (word == "closed" && std::ranges::find(claim.closed, said) == claim.closed.end())
        claim.closed.emplace_back(said);
    else if (word == "layer") claim.layers.push_back(layer(said));
    else if (word == "part") claim.parts.push_back(part(said));
    else if (word == "data" && claim.data.kind == Json::kNull) claim.data = read_data(said);
    else if (auto* into = field(claim, word); into && into->empty()) *into = said;
    else refuse(at, "this word has no place here");
}

// Cuts the moves of a claim off the bytes that are left.
void take_moves(Claim& claim, std::span<const std::uint8_t>& rest) {
    const auto need_fields = [&](std::initializer_list<const char*> words) {
        for (const auto word : words)
            if (field(claim, word)->empty()) throw BadInput(std::string("a claim without ") + word);
    };
    need_fields({"role", "at_least", "starts", "play"});
    if (!is_score(claim.at_least)) throw BadInput("at_least is not an exact number");
    if (!is_convention(claim.play)) throw BadInput("play is neither score nor normal nor equilibrium");
    claim.ruled = !claim.rule.empty();
    if (claim.ruled != (claim.data.kind == Json::kObject)) throw BadInput("a rule and its data belong together");
    const bool layered = !claim.width.empty() || !claim.sha256.empty() || !claim.layers.empty();
    const bool more = !claim.images.empty() || !claim.closed.empty() || !claim.parts.empty();
    if (claim.ruled && (layered || more || !claim.continues.empty())) throw BadInput("a claim by a rule has no layers");
    if (claim.ruled) return;
    need_fields({"width", "sha256"});
    if (claim.width != "1" && claim.width != "2") throw BadInput("a move takes one byte or two");
    std::uint64_t moves = 0;
    for (const auto& each : claim.layers)
        if (moves += each.moves; moves > rest.size()) throw BadInput("the file is cut short: moves are missing");
    const auto size = moves * (claim.width == "1" ? 1 : 2);
    if (size > rest.size()) throw BadInput("the file is cut short: moves are missing");
    claim.moves = rest.first(static_cast<std::size_t>(size));
    rest = rest.subspan(static_cast<std::size_t>(size));
    if (sha256(claim.moves) != claim.sha256)
        throw BadInput("the moves are not those that were written: the checksum differs");
}

}  // namespace

std::uint64_t number(std::string_view text, std::string_view what) {
    const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (text.empty() || text.size() > 15 || !digits) throw BadInput(std::string(what) + ": expected a whole number");
    return std::stoull(std::string(text));
}

bool is_score(std::string_view text) {
    const auto digits = [](std::string_view part) {
        return !part.empty() && part.size() <= 1000 &&
               std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    if (text.starts_with("-")) text.remove_prefix(1);
    const auto bar = text.find('/');
    if (bar == std::string_view::npos) return digits(text);
    const auto under = text.substr(bar + 1);
    return digits(text.substr(0, bar)) && digits(under) && under.find_first_not_of('0') != std::string_view::npos;
}

bool is_convention(std::string_view text) { return text == "score" || text == "normal" || text == "equilibrium"; }

void need_digest_form(std::string_view text) {
    const bool hexadecimal = text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (text.size() != 64 || !hexadecimal) throw BadInput("the digest is not that of a game: 64 digits of a SHA-256");
}

std::string stripped(std::string_view text) {
    // Blanks of Unicode, in UTF-8.
    constexpr std::string_view blanks[] = {" ",
                                           "\t",
                                           "\n",
                                           "\v",
                                           "\f",
                                           "\r",
                                           "\x1c",
                                           "\x1d",
                                           "\x1e",
                                           "\x1f",
                                           "\xc2\x85",
                                           "\xc2\xa0",
                                           "\xe1\x9a\x80",
                                           "\xe2\x80\x80",
                                           "\xe2\x80\x81",
                                           "\xe2\x80\x82",
                                           "\xe2\x80\x83",
                                           "\xe2\x80\x84",
                                           "\xe2\x80\x85",
                                           "\xe2\x80\x86",
                                           "\xe2\x80\x87",
                                           "\xe2\x80\x88",
                                           "\xe2\x80\x89",
                                           "\xe2\x80\x8a",
                                           "\xe2\x80\xa8",
                                           "\xe2\x80\xa9",
                                           "\xe2\x80\xaf",
                                           "\xe2\x81\x9f",
                                           "\xe3\x80\x80"};
    for (bool more = true; more;) {
        more = false;
        for (const auto blank : blanks) {
            if (text.starts_with(blank)) text.remove_prefix(blank.size()), more = true;
            if (text.ends_with(blank)) text.remove_suffix(blank.size()), more = true;
        }
    }
    return std::string(text);
}

std::string lower(std::string_view text) {
    std::string made(text);
    for (auto& c : made)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return made;
}

Certificate read_certificate(std::span<const std::uint8_t> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with(kMagic)) throw BadInput("not a certificate of version 2");
    const auto end = text.find("\n\n");
    if (end == std::string_view::npos) throw BadInput("the head does not end: no empty line");
    Certificate certificate;
    std::size_t at = 2;
    for (auto begin = kMagic.size(); begin <= end; ++at) {
        const auto stop = std::min(text.find('\n', begin), end);
        try {
            take(certificate, text.substr(begin, stop - begin), at);
        } catch (const BadInput& error) {
            if (std::string_view(error.what()).starts_with("line ")) throw;
            refuse(at, error.what());
        }
        begin = stop + 1;
    }
    if (certificate.target.empty() || certificate.digest.empty() || certificate.claims.empty())
        throw BadInput("expected a target, a digest and a claim");
    need_digest_form(certificate.digest);
    auto rest = bytes.subspan(end + 2);
    for (auto& claim : certificate.claims) take_moves(claim, rest);
    if (!rest.empty()) throw BadInput("bytes after the last move");
    return certificate;
}

}  // namespace checker
