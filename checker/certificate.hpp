// A certificate as it stands in its file: of version 2 (docs/formats/layers.md) or of version 1 (docs/certificates.md).
//
// In version 2 the head is lines of a word and what it says, up to an empty line; then come the moves of all claims,
// one or two bytes each. Version 1 is JSON (tables.hpp). Whatever is not as it should be is an error, never a guess.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "json.hpp"

namespace checker {

// Why a file is no certificate, or a target no game that this program knows: one line.
struct BadInput : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Why a claim does not hold: one line.
struct Refuted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Score = std::int64_t;

struct Layer {
    std::uint64_t positions, moves;
};

// A file that goes on from some positions of the layer after a claim's last.
struct Part {
    std::uint64_t positions;
    std::string sha256, file;
};

struct TableEntry {
    std::string move, rank;  // the rank is empty where the file has null
};

struct Claim {
    std::string role, at_least, starts, play, images, continues, width, sha256;
    bool ruled = false;  // whether it rests on a rule, with data, and not on a table or on layers
    std::string rule;
    Json data;
    std::vector<std::string> after, closed;
    std::vector<Part> parts;
    std::vector<Layer> layers;
    std::span<const std::uint8_t> moves;  // of the file's bytes
    bool tabled = false;                  // whether it rests on a table, and not on layers
    std::unordered_map<std::string, TableEntry> table;
};

struct Certificate {
    std::string target, digest;
    std::vector<Claim> claims;
};

// The certificate of version 2 in the bytes of a file, which must outlive it.
Certificate read_certificate(std::span<const std::uint8_t> bytes);

// A number without sign, point or blanks; BadInput for anything else.
std::uint64_t number(std::string_view text, std::string_view what);

// Whether a text is an exact number as certificates write it: `1`, `-1/2`.
bool is_score(std::string_view text);

// Whether a text says what counts in a claim.
bool is_convention(std::string_view text);

// BadInput unless a text has the form of a SHA-256.
void need_digest_form(std::string_view text);

// A text without the blanks around it, and with small letters in the place of A to Z.
std::string stripped(std::string_view text);
std::string lower(std::string_view text);

}  // namespace checker
