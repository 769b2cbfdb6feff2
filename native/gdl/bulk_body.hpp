// The functions of bulk_kernel.hpp, for the vector width of the translation unit that includes this file. It is
// included inside a namespace of that unit's own, after ZERMELO_VECTOR_BYTES has been defined.

typedef std::uint64_t Vector __attribute__((vector_size(ZERMELO_VECTOR_BYTES), may_alias));

constexpr int kVectors = static_cast<int>(sizeof(Word) / sizeof(Vector));
constexpr int kWordsInVector = ZERMELO_VECTOR_BYTES / 8;

inline Vector& at(Word* words, std::uint32_t offset, int v) {
    return reinterpret_cast<Vector*>(reinterpret_cast<char*>(words) + offset)[v];
}
inline const Vector& at(const Word* words, std::uint32_t offset, int v) {
    return reinterpret_cast<const Vector*>(reinterpret_cast<const char*>(words) + offset)[v];
}
inline Vector& at(Word& word, int v) { return reinterpret_cast<Vector*>(&word)[v]; }
inline const Vector& at(const Word& word, int v) { return reinterpret_cast<const Vector*>(&word)[v]; }

inline bool any(Vector x) {
    std::uint64_t all = 0;
#pragma GCC unroll 8
    for (int i = 0; i < kWordsInVector; ++i) all |= x[i];
    return all != 0;
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
Vector run_long(const std::uint32_t*& code, std::uint32_t count, Word* words) {
    Vector changed{};
    for (; count > 0; --count) {
        const std::uint32_t to = code[0], p = code[1], q = code[2];
        const std::uint32_t* operand = code + 3;
        const std::uint32_t* const end = operand + p + q;
        Vector value[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) value[v] = at(words, *operand, v);
        ++operand;
        if (p == 0) {
            for (; operand != end; ++operand)
#pragma GCC unroll 8
                for (int v = 0; v < kVectors; ++v) value[v] |= at(words, *operand, v);
        } else {
            for (const auto* const last = code + 3 + p; operand != last; ++operand)
#pragma GCC unroll 8
                for (int v = 0; v < kVectors; ++v) value[v] &= at(words, *operand, v);
            for (; operand != end; ++operand)
#pragma GCC unroll 8
                for (int v = 0; v < kVectors; ++v) value[v] &= ~at(words, *operand, v);
        }
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            const Vector result = Turned ? ~value[v] : value[v];
            if (Watch) changed |= at(words, to, v) ^ result;
            at(words, to, v) = result;
        }
        code = end;
    }
    return changed;
}

template <bool Watch>
Vector run_shape(std::uint32_t shape, const std::uint32_t*& code, std::uint32_t count, Word* words) {
#define ZERMELO_SHAPE(P, Q)                                                                             \
    case shape_of(P, Q, false): return run_fixed<P, Q, false, Watch>(code, count, words);               \
    case shape_of(P, Q, true): return run_fixed<P, Q, true, Watch>(code, count, words);
    switch (shape) {
        ZERMELO_SHAPE(1, 0) ZERMELO_SHAPE(0, 1)
        ZERMELO_SHAPE(2, 0) ZERMELO_SHAPE(1, 1) ZERMELO_SHAPE(0, 2)
        ZERMELO_SHAPE(3, 0) ZERMELO_SHAPE(2, 1) ZERMELO_SHAPE(1, 2) ZERMELO_SHAPE(0, 3)
        ZERMELO_SHAPE(4, 0) ZERMELO_SHAPE(3, 1) ZERMELO_SHAPE(2, 2) ZERMELO_SHAPE(1, 3) ZERMELO_SHAPE(0, 4)
        case kLongShape: return run_long<false, Watch>(code, count, words);
        default: return run_long<true, Watch>(code, count, words);
    }
#undef ZERMELO_SHAPE
}

void execute(const TapeView& tape, Word* words) {
    for (std::size_t s = 0; s < tape.count; ++s) {
        const Segment& segment = tape.segments[s];
        const std::uint32_t* code = tape.code + segment.code;
        if (!segment.cyclic) {
            for (auto r = segment.first_run; r < segment.last_run; ++r)
                run_shape<false>(tape.runs[r].shape, code, tape.runs[r].count, words);
            continue;
        }
        for (auto i = segment.first_fill; i < segment.last_fill; ++i)
            for (int v = 0; v < kVectors; ++v) at(words, tape.fill[i], v) = Vector{};
        for (bool again = true; again;) {
            Vector changed{};
            code = tape.code + segment.code;
            for (auto r = segment.first_run; r < segment.last_run; ++r)
                changed |= run_shape<true>(tape.runs[r].shape, code, tape.runs[r].count, words);
            again = any(changed);
        }
    }
}

// ---- the choice of a move ----
//
// A tree of counts over blocks of eight moves, in bit planes: how many are legal below each node. From the root down,
// the number k of the chosen one among the legal ones is compared with the count of the left child and goes left, or
// right less that count. Sums of two, four and eight bits have few enough values to drop some carries.

struct Sum2 { Vector s0, s1; };          // 0..2
struct Sum4 { Vector s0, s1, s2; };      // 0..4
inline Sum2 sum(Vector x, Vector y) { return {x ^ y, x & y}; }
inline Sum4 sum(Sum2 x, Sum2 y) { return {x.s0 ^ y.s0, (x.s1 ^ y.s1) | (x.s0 & y.s0), x.s1 & y.s1}; }
inline Vector majority(Vector x, Vector y, Vector z) { return (x & (y | z)) | (y & z); }

inline void count_block(const std::uint32_t* legal, const Word* words, int v, Vector* plane) {
    const Sum4 x = sum(sum(at(words, legal[0], v), at(words, legal[1], v)), sum(at(words, legal[2], v), at(words, legal[3], v)));
    const Sum4 y = sum(sum(at(words, legal[4], v), at(words, legal[5], v)), sum(at(words, legal[6], v), at(words, legal[7], v)));
    const Vector carry0 = x.s0 & y.s0, carry1 = majority(x.s1, y.s1, carry0);
    plane[0] = x.s0 ^ y.s0;
    plane[1] = x.s1 ^ y.s1 ^ carry0;
    plane[2] = (x.s2 ^ y.s2) | carry1;
    plane[3] = x.s2 & y.s2;
}

inline void choose_of_4(Vector k0, Vector k1, Vector here, const std::uint32_t* legal, const std::uint32_t* does, Word* words, int v) {
    const Vector x0 = at(words, legal[0], v), x1 = at(words, legal[1], v), x2 = at(words, legal[2], v);
    const Sum2 left = sum(x0, x1);
    const Vector go_left = here & ~k1 & (left.s1 | (~k0 & left.s0)), go_right = here & ~go_left;
    const Vector first = go_left & x0 & ~k0, third = go_right & x2 & ~(k0 ^ left.s0);
    at(words, does[0], v) = first;
    at(words, does[1], v) = go_left & ~first;
    at(words, does[2], v) = third;
    at(words, does[3], v) = go_right & ~third;
}

inline void choose_of_8(const Vector* k, Vector here, const std::uint32_t* legal, const std::uint32_t* does, Word* words, int v) {
    const Sum4 left = sum(sum(at(words, legal[0], v), at(words, legal[1], v)), sum(at(words, legal[2], v), at(words, legal[3], v)));
    const Vector borrow0 = ~k[0] & left.s0, borrow1 = majority(~k[1], left.s1, borrow0);
    const Vector go_left = here & ~k[2] & (left.s2 | borrow1), go_right = here & ~go_left;
    choose_of_4(k[0], k[1], go_left, legal, does, words, v);
    choose_of_4(k[0] ^ left.s0, k[1] ^ left.s1 ^ borrow0, go_right, legal + 4, does + 4, words, v);
}

inline Vector next_random(RandomState& random, int v) {
    Vector &a = at(random.a, v), &b = at(random.b, v), &c = at(random.c, v), &counter = at(random.counter, v);
    const Vector result = a + b + counter;
    counter += 1;
    a = b ^ (b >> 11);
    b = c + (c << 3);
    c = ((c << 24) | (c >> 40)) + result;
    return result;
}

// k uniform below the count, by rejection among the numbers with as many bits as count - 1 has: exactly uniform, and
// every lane is served after about ten rounds. The rounds are those of the slowest of the 512 lanes, so that all
// instruction sets draw the same numbers.
inline void draw(const Word* count, int planes, RandomState* random, Word* k, Word* some, Word* limit, Word* mask) {
    Word pending;
    bool wanted = false;
    for (int v = 0; v < kVectors; ++v) {
        Vector legal = at(count[0], v);
        for (int i = 1; i <= planes; ++i) legal |= at(count[i], v);
        at(*some, v) = legal;
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
        wanted = wanted || any(above);
    }
    const auto empty = [&](const Word& word) {
        Vector all = at(word, 0);
        for (int v = 1; v < kVectors; ++v) all |= at(word, v);
        return !any(all);
    };
    while (planes > 0 && empty(mask[planes - 1])) --planes;
    RandomState state = *random;
    while (wanted) {
        Vector left{};
        for (int v = 0; v < kVectors; ++v) {
            Vector drawn[32];
            Vector beyond{};
            for (int i = 0; i < planes; ++i) {
                drawn[i] = next_random(state, v) & at(mask[i], v);
                const Vector differs = drawn[i] ^ at(limit[i], v);
                beyond = (drawn[i] & differs) | (beyond & ~differs);
            }
            const Vector accepted = at(pending, v) & ~beyond;
            for (int i = 0; i < planes; ++i) at(k[i], v) |= drawn[i] & accepted;
            at(pending, v) &= ~accepted;
            left |= at(pending, v);
        }
        wanted = any(left);
    }
    *random = state;
}

void choose(const ChoiceView& choice, Word* words, Word* scratch, RandomState* random, Word* none) {
    // Level l has nodes[l] nodes with counts of 4 + l planes; below, numbers k of 3 + l planes and the lanes that are here.
    std::uint32_t nodes[32];
    Vector* counts[32];
    int top = 0;
    Vector* free = reinterpret_cast<Vector*>(scratch);
    nodes[0] = choice.moves / 8;
    for (;; ++top) {
        counts[top] = free;
        free += static_cast<std::size_t>(nodes[top]) * static_cast<std::size_t>(4 + top) * kVectors;
        if (nodes[top] == 1) break;
        nodes[top + 1] = (nodes[top] + 1) / 2;
    }
    const auto count_of = [&](int level, int v) {
        return counts[level] + static_cast<std::size_t>(v) * nodes[level] * static_cast<std::size_t>(4 + level);
    };
    for (int v = 0; v < kVectors; ++v) {
        Vector* plane = count_of(0, v);
        for (std::uint32_t block = 0; block < nodes[0]; ++block, plane += 4) count_block(choice.legal + 8 * block, words, v, plane);
        for (int level = 0; level < top; ++level) {
            const int width = 4 + level;
            const Vector* x = count_of(level, v);
            Vector* to = count_of(level + 1, v);
            for (std::uint32_t node = 0; node + 1 < nodes[level]; node += 2, x += 2 * width, to += width + 1) {
                Vector carry{};
                for (int i = 0; i < width; ++i) {
                    const Vector p = x[i], q = x[width + i], differs = p ^ q;
                    to[i] = differs ^ carry;
                    carry = (p & q) | (differs & carry);
                }
                to[width] = carry;
            }
            if (nodes[level] % 2) {
                for (int i = 0; i < width; ++i) to[i] = x[i];
                to[width] = Vector{};
            }
        }
    }
    const int planes = 3 + top;
    Word total[32], k[32], limit[32], mask[32], some;
    for (int v = 0; v < kVectors; ++v)
        for (int i = 0; i <= planes; ++i) at(total[i], v) = count_of(top, v)[i];
    draw(total, planes, random, k, &some, limit, mask);

    for (int v = 0; v < kVectors; ++v) {
        at(*none, v) = ~at(some, v);
        // The numbers of two neighbouring levels: planes of k, then the lanes that are here.
        Vector* upper = free;
        Vector* lower = free + static_cast<std::size_t>(nodes[0]) * 4;
        for (int i = 0; i < planes; ++i) upper[i] = at(k[i], v);
        upper[planes] = at(some, v);
        for (int level = top - 1; level >= 0; --level) {
            const int width = 4 + level;  // of the counts here, and of the numbers above
            const Vector* count = count_of(level, v);
            const Vector* from = upper;
            Vector* to = lower;
            for (std::uint32_t node = 0; node + 1 < nodes[level]; node += 2, count += 2 * width, from += width + 1, to += 2 * width) {
                Vector borrow{};
                for (int i = 0; i < width - 1; ++i) {
                    const Vector number = from[i], less = count[i], differs = number ^ less;
                    to[i] = number;
                    to[width + i] = differs ^ borrow;
                    borrow = (less & differs) | (borrow & ~differs);
                }
                const Vector number = from[width - 1], less = count[width - 1], differs = number ^ less, here = from[width];
                borrow = (less & differs) | (borrow & ~differs);
                to[width - 1] = here & borrow;
                to[2 * width - 1] = here & ~borrow;
            }
            if (nodes[level] % 2) {
                for (int i = 0; i < width - 1; ++i) to[i] = from[i];
                to[width - 1] = from[width];
            }
            Vector* const swap = upper;
            upper = lower;
            lower = swap;
        }
        for (std::uint32_t block = 0; block < nodes[0]; ++block) {
            const auto* const legal = choice.legal + 8 * block;
            const auto* const does = choice.does + 8 * block;
            const Vector here = upper[4 * block + 3];
            if (any(here)) {
                choose_of_8(upper + 4 * block, here, legal, does, words, v);
            } else {
                for (int i = 0; i < 8; ++i) at(words, does[i], v) = Vector{};
            }
        }
    }
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
        for (int v = 0; v < kVectors; ++v) at(to, place, v) = (at(to, place, v) & ~lanes[v]) | (at(from, place, v) & lanes[v]);
    }
}

std::uint32_t count(const Word* word) {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < kParts; ++i) bits += static_cast<std::uint32_t>(__builtin_popcountll(word->part[i]));
    return bits;
}

constexpr Kernel kKernel{execute, choose, set, copy, count};
