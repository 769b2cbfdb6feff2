// xoshiro256** (Blackman and Vigna, 2018): small, fast, good enough for playouts, seeded by splitmix64.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace zermelo {

// A hash of two words, by the rounds of splitmix64.
inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    auto z = (a + 0x9e3779b97f4a7c15u) ^ (b * 0xbf58476d1ce4e5b9u);
    z = (z ^ (z >> 31)) * 0x94d049bb133111ebu;
    return z ^ (z >> 29);
}

class Random {
public:
    explicit Random(std::uint64_t seed) {
        for (auto& word : state_) {
            seed += 0x9e3779b97f4a7c15ull;
            auto z = seed;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
            word = z ^ (z >> 31);
        }
    }
    std::uint64_t next() {
        const auto result = std::rotl(state_[1] * 5, 7) * 9;
        const auto t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }
    // Uniform in [0, bound) up to a bias below 2^-32 for bound < 2^32 (Lemire's multiplication).
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

private:
    std::array<std::uint64_t, 4> state_{};
};

}  // namespace zermelo
