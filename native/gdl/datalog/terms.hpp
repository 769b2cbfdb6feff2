// Ground terms, each kept once: equal terms have equal numbers (hash-consing).
//
//     TermPool pool;
//     const auto one = pool.intern(/*name*/ 7, {});
//     const auto cell = pool.intern(/*name*/ 3, std::array{one, one});    // (cell 1 1)
//     pool.kif(cell, names);                                              // "(cell 1 1)"
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace zermelo::gdl {

inline constexpr std::uint32_t kNone = 0xffffffffu;

// Thrown where a rulesheet asks for more ground terms, atoms or rules than fit: play it by the interpreter instead.
class TooLarge : public std::exception {
public:
    explicit TooLarge(std::string reason) : reason_(std::move(reason)) {}
    const char* what() const noexcept override { return reason_.c_str(); }

private:
    std::string reason_;
};

inline std::uint64_t mix(std::uint64_t hash, std::uint32_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

class TermPool {
public:
    using Id = std::uint32_t;

    // Throws TooLarge for a term of more than kMaxWeight symbols: rules that nest terms without bound end there.
    Id intern(std::uint32_t name, std::span<const Id> args);
    // The same, but kNone where the term has never been made.
    Id find(std::uint32_t name, std::span<const Id> args) const;

    std::uint32_t name(Id id) const { return name_[id]; }
    std::span<const Id> args(Id id) const {
        return std::span(args_).subspan(first_arg_[id], first_arg_[id + 1] - first_arg_[id]);
    }
    std::size_t size() const { return name_.size(); }
    std::size_t bytes() const { return (name_.size() * 3 + args_.size() + slots_.size()) * sizeof(Id); }
    std::string kif(Id id, std::span<const std::string> names) const;

    static constexpr std::uint32_t kMaxWeight = 1u << 13;

private:
    std::size_t slot_of(std::uint32_t name, std::span<const Id> args) const;
    void grow();

    std::vector<std::uint32_t> name_, weight_;
    std::vector<std::uint32_t> first_arg_{0};
    std::vector<Id> args_;
    std::vector<Id> slots_ = std::vector<Id>(64, kNone);  // open addressing, a power of two
};

}  // namespace zermelo::gdl
