#include "gdl/symmetry/symmetry.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace zermelo::gdl {

namespace {

void require_permutation(std::span<const std::uint32_t> images, std::size_t size) {
    std::vector<bool> hit(size);
    if (images.size() != size) throw std::invalid_argument("a permutation of the wrong size");
    for (const auto image : images) {
        if (image >= size || hit[image]) throw std::invalid_argument("not a permutation");
        hit[image] = true;
    }
}

}  // namespace

Symmetry identity_symmetry(std::uint32_t fluents, std::uint32_t moves) {
    Symmetry identity{std::vector<std::uint32_t>(fluents), std::vector<std::uint32_t>(moves)};
    std::iota(identity.fluent.begin(), identity.fluent.end(), 0u);
    std::iota(identity.move.begin(), identity.move.end(), 0u);
    return identity;
}

Symmetry composed(const Symmetry& first, const Symmetry& then) {
    Symmetry both = first;
    for (auto& image : both.fluent) image = then.fluent[image];
    for (auto& image : both.move) image = then.move[image];
    return both;
}

bool keeps_groups(const Symmetry& symmetry, std::span<const std::uint32_t> group_of_fluent) {
    constexpr std::uint32_t kNoGroup = 0xffffffffu;
    std::unordered_map<std::uint32_t, std::uint32_t> to, from;
    for (std::uint32_t f = 0; f < group_of_fluent.size(); ++f) {
        const auto group = group_of_fluent[f], image = group_of_fluent[symmetry.fluent[f]];
        if ((group == kNoGroup) != (image == kNoGroup)) return false;
        if (group != kNoGroup && (to.try_emplace(group, image).first->second != image ||
                                  from.try_emplace(image, group).first->second != group))
            return false;
    }
    return true;
}

StateSymmetry::StateSymmetry(std::uint32_t fluents, std::uint32_t moves, std::span<const Symmetry> elements)
    : fluents_(fluents), moves_(moves), order_(static_cast<std::uint32_t>(elements.size())) {
    if (elements.empty()) throw std::invalid_argument("a group has an identity");
    std::vector<bool> moves_it(fluents);
    for (const auto& [fluent, move] : elements) {
        require_permutation(fluent, fluents);
        require_permutation(move, moves);
        for (std::uint32_t f = 0; f < fluents; ++f)
            if (fluent[f] != f) moves_it[f] = true;
        fluent_to_.insert(fluent_to_.end(), fluent.begin(), fluent.end());
        move_to_.insert(move_to_.end(), move.begin(), move.end());
        const auto first = move_from_.size();
        move_from_.resize(first + moves);
        for (std::uint32_t m = 0; m < moves; ++m) move_from_[first + move[m]] = m;
    }
    if (elements[0].fluent != identity_symmetry(fluents, 0).fluent)
        throw std::invalid_argument("the first element has to be the identity");
    std::vector<std::uint32_t> from(fluents);
    for (const auto& element : elements) {
        for (std::uint32_t f = 0; f < fluents; ++f) from[element.fluent[f]] = f;
        for (std::uint32_t f = 0; f < fluents; ++f)
            if (moves_it[f]) moved_from_.push_back(from[f]);
    }
    moved_ = static_cast<std::uint32_t>(std::ranges::count(moves_it, true));
}

std::uint32_t StateSymmetry::least(std::span<const std::uint64_t> state) const {
    const auto bit = [&](std::uint32_t fluent) { return state[fluent / 64] >> (fluent % 64) & 1; };
    std::uint32_t best = 0;
    const auto* least = moved_from_.data();
    const auto* other = least + moved_;
    for (std::uint32_t element = 1; element < order_; ++element, other += moved_) {
        for (std::uint32_t i = 0; i < moved_; ++i) {
            const auto ours = bit(least[i]), theirs = bit(other[i]);
            if (ours == theirs) continue;
            if (theirs < ours) best = element, least = other;
            break;
        }
    }
    return best;
}

void StateSymmetry::turn(std::uint32_t element, std::span<const std::uint64_t> state,
                         std::span<std::uint64_t> image) const {
    if (element == 0) {
        std::ranges::copy(state, image.begin());
        return;
    }
    std::ranges::fill(image, 0);
    const auto* to = fluent_to_.data() + std::size_t{element} * fluents_;
    for (std::size_t w = 0; w < state.size(); ++w)
        for (auto rest = state[w]; rest != 0; rest &= rest - 1) {
            const auto landed = to[64 * w + static_cast<std::size_t>(std::countr_zero(rest))];
            image[landed / 64] |= std::uint64_t{1} << (landed % 64);
        }
}

std::vector<Symmetry> spanned(std::uint32_t fluents, std::uint32_t moves, std::span<const Symmetry> generators,
                              std::size_t most) {
    std::vector<Symmetry> group{identity_symmetry(fluents, moves)};
    std::vector<const Symmetry*> taken;
    for (const auto& generator : generators) {
        // All products of generators, each new element times every generator; a finite set closed under that is a
        // group.
        taken.push_back(&generator);
        std::vector<Symmetry> larger{group.front()};
        std::set<std::vector<std::uint32_t>> known{larger.front().fluent};
        for (std::size_t i = 0; i < larger.size() && larger.size() <= most; ++i)
            for (const auto* step : taken) {
                auto product = composed(larger[i], *step);
                if (known.insert(product.fluent).second) larger.push_back(std::move(product));
                if (larger.size() > most) break;
            }
        if (larger.size() <= most) group = std::move(larger);
        else taken.pop_back();
    }
    return group;
}

}  // namespace zermelo::gdl
