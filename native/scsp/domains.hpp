// Domains that remember: sparse sets (Briggs and Torczon 1993) with a trail.
//
// The values of a variable are an array whose first size(x) entries are those it still has. Values go by being swapped
// behind the others, so that what a variable lost since it had n values are the entries size(x)..n, and to take back is
// to set the size. A level is what is undone at once. The state at the beginning of the newest level, or after a level
// was undone, is called a node; size_at_node() is what a propagator that had then seen everything has seen.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scsp/instance.hpp"

namespace zermelo::scsp {

class Domains {
public:
    explicit Domains(const Instance& instance)
        : value_(instance.values()), place_(instance.values()), domain_(instance.variables()) {
        std::uint32_t first = 0;
        for (std::uint32_t x = 0; x < domain_.size(); ++x) {
            const auto size = instance.domain(x);
            domain_[x] = {size, size, 0, first};
            for (std::uint32_t v = 0; v < size; ++v) value_[first + v] = place_[first + v] = v;
            first += size;
        }
    }

    std::uint32_t size(std::uint32_t x) const { return domain_[x].size; }
    std::uint32_t size_at_node(std::uint32_t x) const {
        const auto& domain = domain_[x];
        return domain.stamp == node_ ? domain.size_at_node : domain.size;
    }
    std::uint64_t node() const { return node_; }
    std::uint32_t first(std::uint32_t x) const { return domain_[x].first; }
    // The values that a variable has; behind them the ones it lost, the latest first.
    const std::uint32_t* values(std::uint32_t x) const { return value_.data() + domain_[x].first; }
    // Where among values() a value stands.
    std::uint32_t place(std::uint32_t x, std::uint32_t value) const { return place_[domain_[x].first + value]; }
    bool has(std::uint32_t x, std::uint32_t value) const { return place(x, value) < domain_[x].size; }

    void remove_at(std::uint32_t x, std::uint32_t place) {
        auto& domain = domain_[x];
        save(x, domain);
        swap(domain.first, place, --domain.size);
    }
    void remove(std::uint32_t x, std::uint32_t value) { remove_at(x, place_[domain_[x].first + value]); }
    // The value must be one that the variable has.
    void assign(std::uint32_t x, std::uint32_t value) {
        auto& domain = domain_[x];
        save(x, domain);
        swap(domain.first, place_[domain.first + value], 0);
        domain.size = 1;
    }

    std::size_t mark() const { return trail_.size(); }
    void new_node() { ++node_; }
    void undo(std::size_t mark) {
        while (trail_.size() > mark) {
            domain_[trail_.back().first].size = trail_.back().second;
            trail_.pop_back();
        }
        ++node_;
    }

private:
    struct Domain {
        std::uint32_t size;
        std::uint32_t size_at_node;
        std::uint64_t stamp;  // the node that size_at_node is of
        std::uint32_t first;
    };

    void save(std::uint32_t x, Domain& domain) {
        if (domain.stamp == node_) return;
        domain.stamp = node_;
        domain.size_at_node = domain.size;
        trail_.emplace_back(x, domain.size);
    }
    void swap(std::uint32_t first, std::uint32_t a, std::uint32_t b) {
        const auto va = value_[first + a];
        const auto vb = value_[first + b];
        value_[first + a] = vb;
        value_[first + b] = va;
        place_[first + va] = b;
        place_[first + vb] = a;
    }

    std::vector<std::uint32_t> value_;
    std::vector<std::uint32_t> place_;
    std::vector<Domain> domain_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> trail_;
    std::uint64_t node_ = 1;
};

}  // namespace zermelo::scsp
