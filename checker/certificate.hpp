// A certificate of version 2, as it stands in its file (docs/formats/layers.md).
//
// The head is lines of a word and what it says, up to an empty line; then come the moves of all claims, one or two
// bytes each. Whatever is not as it should be is an error with its line, never a guess.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

struct Claim {
    std::string role, at_least, starts, play, images, continues, width, sha256;
    std::vector<std::string> after, closed;
    std::vector<Part> parts;
    std::vector<Layer> layers;
    std::span<const std::uint8_t> moves;  // of the file's bytes
};

struct Certificate {
    std::string target, digest;
    std::vector<Claim> claims;
};

// The certificate in the bytes of a file, which must outlive it.
Certificate read_certificate(std::span<const std::uint8_t> bytes);

// A number without sign, point or blanks; BadInput for anything else.
std::uint64_t number(std::string_view text, std::string_view what);

}  // namespace checker
