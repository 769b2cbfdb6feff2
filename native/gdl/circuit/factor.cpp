#include "gdl/circuit/factor.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "zermelo/heed.hpp"

namespace zermelo::gdl {

namespace {

constexpr int kLongest = 64;  // products longer than this keep their tail as a plain AND

// Sorted, without doubles and contradictions; what a product of one literal covers is gone.
void normalise(std::vector<Product>& products) {
    for (auto& product : products) {
        heed();
        std::ranges::sort(product);
        product.erase(std::unique(product.begin(), product.end()), product.end());
    }
    std::erase_if(products, [](const Product& product) {
        if (std::ranges::binary_search(product, kFalse)) return true;
        for (std::size_t i = 0; i + 1 < product.size(); ++i)
            if (product[i] == negate(product[i + 1])) return true;
        return false;
    });
    for (auto& product : products) std::erase(product, kTrue);
    std::unordered_set<Literal> alone;
    for (const auto& product : products)
        if (product.size() == 1) alone.insert(product[0]);
    if (!alone.empty()) {
        std::erase_if(products, [&](const Product& product) {
            return product.size() > 1 && std::ranges::any_of(product, [&](Literal l) { return alone.contains(l); });
        });
        // a or (not a and b) is a or b
        for (auto& product : products)
            if (product.size() > 1) std::erase_if(product, [&](Literal l) { return alone.contains(negate(l)); });
    }
    std::ranges::sort(products);
    products.erase(std::unique(products.begin(), products.end()), products.end());
}

Literal factored_at(Gates& gates, std::vector<Product> products, int depth) {
    normalise(products);
    if (products.empty()) return kFalse;
    if (products.front().empty()) return kTrue;  // sorted: the empty product comes first
    if (products.size() == 1) return gates.all(products[0]);

    std::vector<Literal> terms;
    std::unordered_map<Literal, std::vector<std::uint32_t>> holders;
    std::unordered_map<Literal, std::uint32_t> count;
    for (std::uint32_t i = 0; i < products.size(); ++i) {
        if (products[i].size() == 1) continue;
        heed();
        for (const auto literal : products[i]) holders[literal].push_back(i), ++count[literal];
    }
    // The queue holds old counts as well: an entry that is out of date is put back with its present count.
    std::priority_queue<std::pair<std::uint32_t, Literal>> most;
    for (const auto& [literal, times] : count)
        if (times > 1) most.emplace(times, literal);
    std::vector<bool> gone(products.size());
    while (!most.empty() && depth < kLongest) {
        const auto [times, divisor] = most.top();
        most.pop();
        const auto now = count[divisor];
        if (now < 2) continue;
        if (now != times) {
            most.emplace(now, divisor);
            continue;
        }
        std::vector<Product> quotient;
        for (const auto i : holders[divisor]) {
            heed();
            if (gone[i]) continue;
            gone[i] = true;
            for (const auto literal : products[i]) --count[literal];
            auto rest = std::move(products[i]);
            std::erase(rest, divisor);
            quotient.push_back(std::move(rest));
        }
        const Literal pair[] = {divisor, factored_at(gates, std::move(quotient), depth + 1)};
        terms.push_back(gates.all(pair));
    }
    for (std::uint32_t i = 0; i < products.size(); ++i)
        if (!gone[i]) terms.push_back(gates.all(products[i]));
    return gates.any(terms);
}

}  // namespace

Literal factored(Gates& gates, std::vector<Product> products) { return factored_at(gates, std::move(products), 0); }

}  // namespace zermelo::gdl
