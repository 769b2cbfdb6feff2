// What the bit-parallel kernel runs, and the table of its functions: one table for each instruction set.
//
// A word holds one bit for each of 512 playouts (a lane each). A tape is a straight-line program over words, in runs of
// instructions of one shape: `p` words ANDed together, `q` words ANDed negated, the result turned round or not; with
// p = 0 the q words are ORed. Operands are byte offsets. A cyclic segment is repeated until no word changes.
//
// The functions are compiled several times with different instruction sets, so this file and gdl/bulk/kernel.hpp use
// nothing from the standard library that could be emitted as a shared inline function: the linker would keep any
// one of the copies, and the baseline might end up running AVX code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace zermelo::gdl::bulk {

inline constexpr std::uint32_t kLanes = 512;
inline constexpr std::uint32_t kParts = kLanes / 64;

struct alignas(64) Word {
    std::uint64_t part[kParts];
};

// Where a word stands, in bytes; it may stand for its negation.
struct Place {
    std::uint32_t offset = 0;
    bool inverted = false;
};

// Shapes with at most kMaxFixed operands have code of their own. Operands come as [result, p operands, q operands].
inline constexpr std::uint32_t kMaxFixed = 4;
inline constexpr std::uint32_t kLongShape = 2 * (kMaxFixed + 1) * (kMaxFixed + 1);
constexpr std::uint32_t shape_of(std::uint32_t p, std::uint32_t q, bool turned) {
    return p + q > kMaxFixed ? kLongShape + turned : 2 * (p * (kMaxFixed + 1) + q) + turned;
}

struct Run {
    std::uint32_t shape, count, p, q;
};

struct Segment {
    std::uint32_t first_run, last_run;
    std::uint32_t code;                   // where its operands begin
    std::uint32_t first_fill, last_fill;  // words that start as false; only in cyclic segments
    bool cyclic;
};

struct TapeView {
    const Segment* segments;
    std::size_t count;
    const Run* runs;
    const std::uint32_t* code;
    const std::uint32_t* fill;
};

// Uniformly random choice of one of the moves that are legal, in each lane. `moves` is a multiple of 8: the rest is
// padded with moves that are never legal. A move is legal where the word at `take` holds and that at `bar` does not; no
// `bar` is needed where the words at `take` say it all.
//
// What was chosen is told in one of two ways. With `does`, each move has a word for it. With targets, a move's lanes
// are added to the words at its targets, which are cleared first: a role with very many moves does but few of them in
// 512 lanes, and what rests on the others need not be computed. Then several moves of which never two are legal may be
// one move here: `take` holds where one of theirs does, and some of its lanes go to where only one of them belongs.
struct ChoiceView {
    const std::uint32_t* take;
    const std::uint32_t* bar;           // or null
    const std::uint32_t* does;          // or null
    const std::uint32_t* first_target;  // of move m: target[first_target[m]] up to target[first_target[m + 1]]
    const std::uint32_t* target;
    const std::uint32_t* first_part;  // of move m: the lanes of part_of[i] go to part[i], from first_part[m] on
    const std::uint32_t* part;
    const std::uint32_t* part_of;
    const std::uint32_t* cleared;
    std::uint32_t clear_count;
    std::uint32_t moves;
    std::uint32_t some;  // where to put the lanes in which some move is legal
};

inline constexpr int kMaxLevels = 28;  // of the tree of counts
inline constexpr std::size_t kChoiceHead = (kMaxLevels + kParts - 1) / kParts;

// Words of scratch that a choice needs between count_legal() and choose().
constexpr std::size_t choice_scratch(std::size_t moves) {
    std::size_t words = kChoiceHead, planes = 4;
    for (auto nodes = moves / 8;; nodes = (nodes + 1) / 2, ++planes) {
        words += nodes * planes;
        if (nodes <= 1) return words + moves + 2 * planes + kLanes + 8;  // two levels of numbers, and what was done
    }
}

struct RandomState {
    Word a, b, c, counter;  // sfc64 (Doty-Humphrey 2010), one generator for each 64 lanes
};

// Which moves of a choice with targets were chosen, and in which lanes: no lane does two.
struct Done {
    std::uint32_t count = 0;
    std::uint32_t which[kLanes];
    Word lanes[kLanes];
};

struct Kernel {
    // Says how many operands it has read, for cycles as often as they were repeated.
    std::size_t (*execute)(const TapeView& tape, Word* words);
    // How many moves are legal in each lane, for choose(); sets the word `some`.
    void (*count_legal)(const ChoiceView& choice, Word* words, Word* scratch);
    // With targets, what was chosen is told in `done` as well unless that is null.
    void (*choose)(const ChoiceView& choice, Word* words, Word* scratch, RandomState* random, Done* done);
    // Sets the words at the given offsets to true or false in the lanes of the mask.
    void (*set)(const std::uint32_t* offset, std::size_t count, bool value, Word* words, const Word* mask);
    // Copies the words at the given offsets in the lanes of the mask.
    void (*copy)(const std::uint32_t* offset, std::size_t count, const Word* from, Word* to, const Word* mask);
    // Adds the words at the places, in the lanes of the mask, to the sums at the given offsets.
    void (*add)(const Place* place, const std::uint32_t* offset, std::size_t count, const Word* words, Word* sums,
                const Word* mask);
    std::uint32_t (*count)(const Word* word);
};

const Kernel& baseline_kernel();
#ifdef ZERMELO_AVX_KERNELS
const Kernel& avx2_kernel();
const Kernel& avx512_kernel();
#endif

}  // namespace zermelo::gdl::bulk
