// The functions of gdl/bulk_program/instructions.hpp, for the vector width of the translation unit that includes this
// file. It is included inside a namespace of that unit's own, after ZERMELO_VECTOR_BYTES has been defined.

typedef std::uint64_t Vector __attribute__((vector_size(ZERMELO_VECTOR_BYTES), may_alias));

constexpr int kMaxPlanes = 4 + kMaxLevels;
constexpr int kVectors = static_cast<int>(sizeof(Word) / sizeof(Vector));

inline Vector& at(Word* words, std::uint32_t offset, int v) {
    return reinterpret_cast<Vector*>(reinterpret_cast<char*>(words) + offset)[v];
}
inline const Vector& at(const Word* words, std::uint32_t offset, int v) {
    return reinterpret_cast<const Vector*>(reinterpret_cast<const char*>(words) + offset)[v];
}
inline Vector& at(Word& word, int v) { return reinterpret_cast<Vector*>(&word)[v]; }
inline const Vector& at(const Word& word, int v) { return reinterpret_cast<const Vector*>(&word)[v]; }

#if ZERMELO_VECTOR_BYTES == 16
inline bool any(Vector x) { return (x[0] | x[1]) != 0; }
#else
typedef long long Tested __attribute__((vector_size(32), may_alias));
inline bool any(Vector x) {
    const auto* const half = reinterpret_cast<const Tested*>(&x);
    Tested all = half[0];
    for (int i = 1; i < ZERMELO_VECTOR_BYTES / 32; ++i) all |= half[i];
    return !__builtin_ia32_ptestz256(all, all);
}
#endif
inline bool any(const Word& word) {
    Vector all = at(word, 0);
#pragma GCC unroll 8
    for (int v = 1; v < kVectors; ++v) all |= at(word, v);
    return any(all);
}

// One run of instructions of a fixed shape. Says which lanes of which words it has changed if Watch.
template <int P, int Q, bool Turned, bool Watch>
Vector run_fixed(const std::uint32_t*& code, std::uint32_t count, Word* words) {
    Vector changed{};
    for (; count > 0; --count) {
        std::uint32_t operand[P + Q + 1];  // read before anything is stored: the compiler cannot know that they stay
#pragma GCC unroll 8
        for (int i = 0; i <= P + Q; ++i) operand[i] = code[i];
        Vector result[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            Vector value = at(words, operand[1], v);
#pragma GCC unroll 8
            for (int i = 2; i <= P + Q; ++i) {
                const Vector next = at(words, operand[i], v);
                if (P == 0) value |= next;
                else if (i <= P) value &= next;
                else value &= ~next;
            }
            result[v] = Turned ? ~value : value;
        }
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            if (Watch) changed |= at(words, operand[0], v) ^ result[v];
            at(words, operand[0], v) = result[v];
        }
        code += P + Q + 1;
    }
    return changed;
}

template <bool Turned, bool Watch>
Vector run_long(const std::uint32_t*& code, const Run& run, Word* words) {
    Vector changed{};
    const std::uint32_t p = run.p, size = run.p + run.q;
    for (auto count = run.count; count > 0; --count) {
        const std::uint32_t to = *code++;
        Vector value[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) value[v] = at(words, code[0], v);
        if (p == 0) {
            for (std::uint32_t i = 1; i < size; ++i)
#pragma GCC unroll 8
                for (int v = 0; v < kVectors; ++v) value[v] |= at(words, code[i], v);
        } else {
            std::uint32_t i = 1;
            for (; i < p; ++i)
#pragma GCC unroll 8
                for (int v = 0; v < kVectors; ++v) value[v] &= at(words, code[i], v);
            for (; i < size; ++i)
#pragma GCC unroll 8
                for (int v = 0; v < kVectors; ++v) value[v] &= ~at(words, code[i], v);
        }
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            const Vector result = Turned ? ~value[v] : value[v];
            if (Watch) changed |= at(words, to, v) ^ result;
            at(words, to, v) = result;
        }
        code += size;
    }
    return changed;
}

template <bool Watch>
Vector run_shape(const Run& run, const std::uint32_t*& code, Word* words) {
#define ZERMELO_SHAPE(P, Q)                                                                   \
    case shape_of(P, Q, false): return run_fixed<P, Q, false, Watch>(code, run.count, words); \
    case shape_of(P, Q, true): return run_fixed<P, Q, true, Watch>(code, run.count, words);
    switch (run.shape) {
        // clang-format off: a line for each size
        ZERMELO_SHAPE(1, 0) ZERMELO_SHAPE(0, 1)
        ZERMELO_SHAPE(2, 0) ZERMELO_SHAPE(1, 1) ZERMELO_SHAPE(0, 2)
        ZERMELO_SHAPE(3, 0) ZERMELO_SHAPE(2, 1) ZERMELO_SHAPE(1, 2) ZERMELO_SHAPE(0, 3)
        ZERMELO_SHAPE(4, 0) ZERMELO_SHAPE(3, 1) ZERMELO_SHAPE(2, 2) ZERMELO_SHAPE(1, 3) ZERMELO_SHAPE(0, 4)
        case kLongShape: return run_long<false, Watch>(code, run, words);
        default: return run_long<true, Watch>(code, run, words);
        // clang-format on
    }
#undef ZERMELO_SHAPE
}

std::size_t execute(const TapeView& tape, Word* words) {
    std::size_t read = 0;
    for (std::size_t s = 0; s < tape.count; ++s) {
        const Segment& segment = tape.segments[s];
        const std::uint32_t* code = tape.code + segment.code;
        if (!segment.cyclic) {
            for (auto r = segment.first_run; r < segment.last_run; ++r) run_shape<false>(tape.runs[r], code, words);
            read += static_cast<std::size_t>(code - (tape.code + segment.code));
            continue;
        }
        for (auto i = segment.first_fill; i < segment.last_fill; ++i)
            for (int v = 0; v < kVectors; ++v) at(words, tape.fill[i], v) = Vector{};
        for (bool again = true; again;) {
            Vector changed{};
            code = tape.code + segment.code;
            for (auto r = segment.first_run; r < segment.last_run; ++r)
                changed |= run_shape<true>(tape.runs[r], code, words);
            again = any(changed);
            read += static_cast<std::size_t>(code - (tape.code + segment.code));
        }
    }
    return read;
}

// ---- the choice of a move ----
//
// A tree of counts over blocks of eight moves, in bit planes: how many are legal below each node. From the root down,
// the number k of the chosen one among the legal ones is compared with the count of the left child and goes left, or
// right less that count. Sums of two, four and eight bits have few enough values to drop some carries.

struct Sum2 {
    Vector s0, s1;
};  // 0..2
struct Sum4 {
    Vector s0, s1, s2;
};  // 0..4
inline Sum2 sum(Vector x, Vector y) { return {x ^ y, x & y}; }
inline Sum4 sum(Sum2 x, Sum2 y) { return {x.s0 ^ y.s0, (x.s1 ^ y.s1) | (x.s0 & y.s0), x.s1 & y.s1}; }
inline Vector majority(Vector x, Vector y, Vector z) { return (x & (y | z)) | (y & z); }

// Where a move is legal.
template <bool Barred>
struct Legal {
    const std::uint32_t* take;
    const std::uint32_t* bar;
    const Word* words;
    Vector operator()(std::uint32_t move, int v) const {
        if (Barred) return at(words, take[move], v) & ~at(words, bar[move], v);
        return at(words, take[move], v);
    }
};

template <bool Barred>
inline void count_block(const Legal<Barred>& legal, std::uint32_t m, int v, Word* plane) {
    const Sum4 x = sum(sum(legal(m, v), legal(m + 1, v)), sum(legal(m + 2, v), legal(m + 3, v)));
    const Sum4 y = sum(sum(legal(m + 4, v), legal(m + 5, v)), sum(legal(m + 6, v), legal(m + 7, v)));
    const Vector carry0 = x.s0 & y.s0, carry1 = majority(x.s1, y.s1, carry0);
    at(plane[0], v) = x.s0 ^ y.s0;
    at(plane[1], v) = x.s1 ^ y.s1 ^ carry0;
    at(plane[2], v) = (x.s2 ^ y.s2) | carry1;
    at(plane[3], v) = x.s2 & y.s2;
}

template <class Put>
inline void choose_of_4(Vector k0, Vector k1, Vector here, Vector x0, Vector x2, Sum2 left, Put&& put, int i) {
    const Vector go_left = here & ~k1 & (left.s1 | (~k0 & left.s0)), go_right = here & ~go_left;
    const Vector first = go_left & x0 & ~k0, third = go_right & x2 & ~(k0 ^ left.s0);
    put(i, first);
    put(i + 1, go_left & ~first);
    put(i + 2, third);
    put(i + 3, go_right & ~third);
}

// `number` is k in three planes, then the lanes that are here. A move is read before `put` is told of it: it may be
// written to where it was read. The right half is read late, since there are not registers for both.
template <bool Barred, class Put>
inline void choose_of_8(const Word* number, const Legal<Barred>& legal, std::uint32_t m, int v, Put&& put) {
    const Vector k[] = {at(number[0], v), at(number[1], v), at(number[2], v)}, here = at(number[3], v);
    const Vector x0 = legal(m, v), x2 = legal(m + 2, v);
    const Sum2 near = sum(x0, legal(m + 1, v));
    const Sum4 left = sum(near, sum(x2, legal(m + 3, v)));
    const Vector borrow0 = ~k[0] & left.s0, borrow1 = majority(~k[1], left.s1, borrow0);
    const Vector go_left = here & ~k[2] & (left.s2 | borrow1), go_right = here & ~go_left;
    choose_of_4(k[0], k[1], go_left, x0, x2, near, put, 0);
    const Vector x4 = legal(m + 4, v), x6 = legal(m + 6, v);
    choose_of_4(k[0] ^ left.s0, k[1] ^ left.s1 ^ borrow0, go_right, x4, x6, sum(x4, legal(m + 5, v)), put, 4);
}

// k uniform below the count, by rejection among the numbers with as many bits as count - 1 has: exactly uniform, and
// every lane is served after about ten rounds. The rounds are those of the slowest of the 512 lanes, so that all
// instruction sets draw the same numbers.
inline void draw(const Word* count, int count_planes, int planes, RandomState* random, Word* k) {
    Word pending, limit[kMaxPlanes], mask[kMaxPlanes];
    for (int v = 0; v < kVectors; ++v) {
        Vector legal = at(count[0], v);
        for (int i = 1; i < count_planes; ++i) legal |= at(count[i], v);
        Vector borrow = legal;
        for (int i = 0; i < planes; ++i) {
            const Vector c = at(count[i], v);
            at(limit[i], v) = (c ^ borrow) & legal;
            borrow &= ~c;
            at(k[i], v) = Vector{};
        }
        Vector above{};
        for (int i = planes - 1; i >= 0; --i) {
            above |= at(limit[i], v);
            at(mask[i], v) = above;
        }
        at(pending, v) = above;
    }
    while (planes > 0 && !any(mask[planes - 1])) --planes;
    Vector a[kVectors], b[kVectors], c[kVectors], counter[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        a[v] = at(random->a, v);
        b[v] = at(random->b, v);
        c[v] = at(random->c, v);
        counter[v] = at(random->counter, v);
    }
    for (bool wanted = planes > 0; wanted;) {
        Word drawn[kMaxPlanes];
        Vector beyond[kVectors] = {};
        for (int i = 0; i < planes; ++i)
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) {
                const Vector number = a[v] + b[v] + counter[v];
                counter[v] += 1;
                a[v] = b[v] ^ (b[v] >> 11);
                b[v] = c[v] + (c[v] << 3);
                c[v] = ((c[v] << 24) | (c[v] >> 40)) + number;
                const Vector masked = number & at(mask[i], v), differs = masked ^ at(limit[i], v);
                at(drawn[i], v) = masked;
                beyond[v] = (masked & differs) | (beyond[v] & ~differs);
            }
        Vector left{};
        for (int v = 0; v < kVectors; ++v) {
            const Vector accepted = at(pending, v) & ~beyond[v];
            for (int i = 0; i < planes; ++i) at(k[i], v) |= at(drawn[i], v) & accepted;
            at(pending, v) &= ~accepted;
            left |= at(pending, v);
        }
        wanted = any(left);
    }
    for (int v = 0; v < kVectors; ++v) {
        at(random->a, v) = a[v];
        at(random->b, v) = b[v];
        at(random->c, v) = c[v];
        at(random->counter, v) = counter[v];
    }
}

// Level l of the tree has nodes[l] nodes. Their counts have room for 4 + l planes, of which used(l) are not all zero:
// as a rule far fewer moves are legal than there are.
struct Tree {
    Word* counts[kMaxLevels];
    std::uint32_t nodes[kMaxLevels];
    Word* head;
    int top;
    static int room(int level) { return 4 + level; }
    int used(int level) const { return static_cast<int>(head[level / kParts].part[level % kParts]); }
    void use(int level, int planes) { head[level / kParts].part[level % kParts] = static_cast<std::uint64_t>(planes); }
    // Planes of the numbers k, which are below the counts.
    int numbers(int level) const { return level == 0 ? 3 : used(level); }
};

inline void count_level(Tree& tree, int level) {
    const int width = tree.used(level);
    const Word* from = tree.counts[level];
    Word* to = tree.counts[level + 1];
    Vector beyond{};
    for (std::uint32_t node = 0; node + 1 < tree.nodes[level]; node += 2) {
        const Word* const other = from + Tree::room(level);
        Vector carry[kVectors] = {};
        for (int i = 0; i < width; ++i)
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) {
                const Vector x = at(from[i], v), y = at(other[i], v), differs = x ^ y;
                at(to[i], v) = differs ^ carry[v];
                carry[v] = (x & y) | (differs & carry[v]);
            }
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            at(to[width], v) = carry[v];
            beyond |= carry[v];
        }
        from += 2 * Tree::room(level);
        to += Tree::room(level + 1);
    }
    if (tree.nodes[level] % 2) {
        for (int v = 0; v < kVectors; ++v) {
            for (int i = 0; i < width; ++i) at(to[i], v) = at(from[i], v);
            at(to[width], v) = Vector{};
        }
    }
    tree.use(level + 1, any(beyond) ? width + 1 : width);
}

// From the numbers of a level to those of the level below it: planes of k, then the lanes that are here.
inline void descend(const Tree& tree, int level, const Word* from, Word* to) {
    // above is width or width + 1; below is width, or 3.
    const int above = tree.numbers(level + 1), below = tree.numbers(level), width = tree.used(level);
    const Word* count = tree.counts[level];
    for (std::uint32_t node = 0; node + 1 < tree.nodes[level]; node += 2) {
        Word* const right = to + below + 1;
        if (!any(from[above])) {  // nobody is here: their numbers do not matter
            for (int v = 0; v < kVectors; ++v) at(to[below], v) = at(right[below], v) = Vector{};
        } else {
            Vector borrow[kVectors] = {};
            for (int i = 0; i < below; ++i)
#pragma GCC unroll 8
                for (int v = 0; v < kVectors; ++v) {
                    const Vector number = at(from[i], v), less = at(count[i], v), differs = number ^ less;
                    at(to[i], v) = number;
                    at(right[i], v) = differs ^ borrow[v];
                    borrow[v] = (less & differs) | (borrow[v] & ~differs);
                }
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) {
                if (width > below) {  // full blocks: the fourth plane of eight
                    const Vector number = at(from[below], v), less = at(count[below], v), differs = number ^ less;
                    borrow[v] = (less & differs) | (borrow[v] & ~differs);
                }
                if (above > width) borrow[v] &= ~at(from[width], v);
                const Vector here = at(from[above], v);
                at(to[below], v) = here & borrow[v];
                at(right[below], v) = here & ~borrow[v];
            }
        }
        count += 2 * Tree::room(level);
        from += above + 1;
        to += 2 * (below + 1);
    }
    if (tree.nodes[level] % 2) {
        for (int v = 0; v < kVectors; ++v) {
            for (int i = 0; i < below; ++i) at(to[i], v) = at(from[i], v);
            at(to[below], v) = at(from[above], v);
        }
    }
}

// Where the counts of all levels are in the scratch of a choice; how many planes are used is remembered in front of
// them.
inline Tree tree_in(const ChoiceView& choice, Word*& scratch) {
    Tree tree;
    tree.head = scratch;
    tree.top = 0;
    tree.nodes[0] = choice.moves / 8;
    for (Word* free = scratch + kChoiceHead;; ++tree.top) {
        tree.counts[tree.top] = free;
        free += static_cast<std::size_t>(tree.nodes[tree.top]) * static_cast<std::size_t>(Tree::room(tree.top));
        if (tree.nodes[tree.top] == 1) {
            scratch = free;
            return tree;
        }
        tree.nodes[tree.top + 1] = (tree.nodes[tree.top] + 1) / 2;
    }
}

template <bool Barred>
void count_blocks(const ChoiceView& choice, const Word* words, Tree& tree) {
    const Legal<Barred> legal{choice.take, choice.bar, words};
    Vector full{};
    for (std::uint32_t block = 0; block < tree.nodes[0]; ++block) {
        Word* const plane = tree.counts[0] + 4 * block;
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            count_block(legal, 8 * block, v, plane);
            full |= at(plane[3], v);
        }
    }
    tree.use(0, any(full) ? 4 : 3);
}

void count_legal(const ChoiceView& choice, Word* words, Word* scratch) {
    Tree tree = tree_in(choice, scratch);
    if (choice.bar) count_blocks<true>(choice, words, tree);
    else count_blocks<false>(choice, words, tree);
    for (int level = 0; level < tree.top; ++level) count_level(tree, level);
    const Word* const count = tree.counts[tree.top];
    for (int v = 0; v < kVectors; ++v) {
        Vector legal = at(count[0], v);
        for (int i = 1; i < tree.used(tree.top); ++i) legal |= at(count[i], v);
        at(words, choice.some, v) = legal;
    }
}

// `number` has four planes for each block.
template <bool Barred>
void tell_all(const ChoiceView& choice, const Word* number, Word* words) {
    const Legal<Barred> legal{choice.take, choice.bar, words};
    for (std::uint32_t m = 0; m < choice.moves; m += 8, number += 4) {
        const auto* const does = choice.does + m;
        if (any(number[3])) {
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v)
                choose_of_8(number, legal, m, v, [&](int i, Vector lanes) { at(words, does[i], v) = lanes; });
        } else {
            for (int i = 0; i < 8; ++i)
                for (int v = 0; v < kVectors; ++v) at(words, does[i], v) = Vector{};
        }
    }
}

// First what was done, in a list: no lane does two moves. Then it is added to the targets. A branch for each move would
// be mispredicted as often as not.
template <bool Barred>
void tell_targets(const ChoiceView& choice, const Word* number, Word* words, Word* done, Done* told) {
    const Legal<Barred> legal{choice.take, choice.bar, words};
    std::uint32_t which[kLanes + 8], count = 0;
    const auto moves = choice.moves;
    for (std::uint32_t m = 0; m < moves; m += 8, number += 4) {
        if (!any(number[3])) continue;
        Word block[8];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v)
            choose_of_8(number, legal, m, v, [&](int i, Vector lanes) { at(block[i], v) = lanes; });
#pragma GCC unroll 8
        for (std::uint32_t i = 0; i < 8; ++i) {
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) at(done[count], v) = at(block[i], v);
            which[count] = m + i;
            count += any(block[i]);
        }
    }
    const auto* const cleared = choice.cleared;
    for (std::uint32_t i = 0, last = choice.clear_count; i < last; ++i) {
        const auto to = cleared[i];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) at(words, to, v) = Vector{};
    }
    const auto* const first_target = choice.first_target;
    const auto* const target = choice.target;
    const auto* const first_part = choice.first_part;
    const auto* const part = choice.part;
    const auto* const part_of = choice.part_of;
    for (std::uint32_t i = 0; i < count; ++i) {
        Vector lanes[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) lanes[v] = at(done[i], v);
        const auto last = first_target[which[i] + 1], last_part = first_part[which[i] + 1];
        for (auto t = first_target[which[i]]; t < last; ++t) {
            const auto to = target[t];
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) at(words, to, v) |= lanes[v];
        }
        for (auto t = first_part[which[i]]; t < last_part; ++t) {
            const auto to = part[t], of = part_of[t];
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) at(words, to, v) |= lanes[v] & at(words, of, v);
        }
    }
    if (!told) return;
    told->count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        told->which[i] = which[i];
        told->lanes[i] = done[i];
    }
}

void choose(const ChoiceView& choice, Word* words, Word* scratch, RandomState* random, Done* told) {
    const Tree tree = tree_in(choice, scratch);
    const int planes = tree.numbers(tree.top);
    Word* upper = scratch;
    Word* lower = scratch + static_cast<std::size_t>(tree.nodes[0]) * 4 + 1;
    Word* const done = lower + static_cast<std::size_t>(tree.nodes[0]) * 4 + 1;
    draw(tree.counts[tree.top], tree.used(tree.top), planes, random, upper);
    for (int v = 0; v < kVectors; ++v) at(upper[planes], v) = at(words, choice.some, v);
    for (int level = tree.top - 1; level >= 0; --level) {
        descend(tree, level, upper, lower);
        Word* const swap = upper;
        upper = lower;
        lower = swap;
    }
    if (choice.does && choice.bar) tell_all<true>(choice, upper, words);
    else if (choice.does) tell_all<false>(choice, upper, words);
    else if (choice.bar) tell_targets<true>(choice, upper, words, done, told);
    else tell_targets<false>(choice, upper, words, done, told);
}

void set(const std::uint32_t* offset, std::size_t count, bool value, Word* words, const Word* mask) {
    Vector lanes[kVectors];
    for (int v = 0; v < kVectors; ++v) lanes[v] = at(*mask, v);
    for (std::size_t i = 0; i < count; ++i) {
        const auto to = offset[i];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            if (value) at(words, to, v) |= lanes[v];
            else at(words, to, v) &= ~lanes[v];
        }
    }
}

void copy(const std::uint32_t* offset, std::size_t count, const Word* from, Word* to, const Word* mask) {
    Vector lanes[kVectors];
    for (int v = 0; v < kVectors; ++v) lanes[v] = at(*mask, v);
    for (std::size_t i = 0; i < count; ++i) {
        const auto place = offset[i];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v)
            at(to, place, v) = (at(to, place, v) & ~lanes[v]) | (at(from, place, v) & lanes[v]);
    }
}

void add(const Place* place, const std::uint32_t* offset, std::size_t count, const Word* words, Word* sums,
         const Word* mask) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto from = place[i].offset, to = offset[i];
        if (place[i].inverted) {
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) at(sums, to, v) |= at(*mask, v) & ~at(words, from, v);
        } else {
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) at(sums, to, v) |= at(*mask, v) & at(words, from, v);
        }
    }
}

std::uint32_t count(const Word* word) {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < kParts; ++i) bits += static_cast<std::uint32_t>(__builtin_popcountll(word->part[i]));
    return bits;
}

constexpr Kernel kKernel{execute, count_legal, choose, set, copy, add, count};
