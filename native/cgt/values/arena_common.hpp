// What the files of Arena share: hashing, sizes of caches, and stacks that are left as they were found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace zermelo::cgt {

inline constexpr std::size_t kFirstOrderCache = std::size_t{1} << 16;
inline constexpr std::size_t kLastOrderCache = std::size_t{1} << 24;
inline constexpr std::size_t kFirstSumCache = std::size_t{1} << 12;
inline constexpr std::size_t kLastSumCache = std::size_t{1} << 22;

inline std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

inline std::uint64_t finish(std::uint64_t h) {
    h *= 0xbf58476d1ce4e5b9ull;
    return h ^ h >> 32;
}

inline std::int32_t checked_ups(std::int64_t ups) {
    if (ups > std::numeric_limits<std::int32_t>::max() || ups < -std::numeric_limits<std::int32_t>::max())
        throw std::overflow_error("a multiple of up beyond 2^31");
    return static_cast<std::int32_t>(ups);
}

// Empties a stack when a limit ends the work halfway.
template <class T>
class Emptied {
public:
    explicit Emptied(std::vector<T>& stack) : stack_(stack), size_(stack.size()) {}
    ~Emptied() { stack_.resize(size_); }
    Emptied(const Emptied&) = delete;
    Emptied& operator=(const Emptied&) = delete;

private:
    std::vector<T>& stack_;
    std::size_t size_;
};

}  // namespace zermelo::cgt
