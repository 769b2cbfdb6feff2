#include "rational.hpp"

#include <bit>
#include <numeric>

#include "certificate.hpp"

namespace checker {

namespace {

constexpr std::size_t kMostDigits = 8192;  // to the base 2^32: about 79,000 decimal ones
constexpr std::uint64_t kMostWork = std::uint64_t{1} << 36;
thread_local std::uint64_t work_left = kMostWork;

// Takes the work of an operation off what one certificate may cause.
void spend(std::uint64_t one, std::uint64_t other) {
    if (one > kMostDigits || other > kMostDigits) throw BadInput("a number becomes longer than this program counts");
    const auto cost = (one + 1) * (other + 1);
    if (cost > work_left) throw BadInput("the numbers are more work than this program does for a certificate");
    work_left -= cost;
}

Natural product(const Natural& one, const Natural& other) {
    spend(one.size(), other.size());
    return one * other;
}

// By Euclid: each remainder takes the place of the larger one.
Natural common(Natural one, Natural other) {
    while (!other.zero()) {
        spend(one.size() - std::min(one.size(), other.size()) + 1, other.size());
        one = one.divided(other).second;
        std::swap(one, other);
    }
    return one;
}

Natural part(const Natural& number, const Natural& divisor) {
    if (divisor == Natural(1)) return number;
    spend(number.size() - std::min(number.size(), divisor.size()) + 1, divisor.size());
    return number.divided(divisor).first;
}

std::uint64_t magnitude(std::int64_t number) {
    return number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

}  // namespace

// Long division (Knuth, The Art of Computer Programming, volume 2, algorithm D).
std::pair<Natural, Natural> Natural::divided(const Natural& other) const {
    if (*this < other) return {Natural(), *this};
    const auto shift = static_cast<unsigned>(std::countl_zero(other.digits_.back()));
    const auto shifted = [&](const Natural& number) {
        std::vector<std::uint32_t> made(number.digits_.size() + 1);
        for (std::size_t i = 0; i < made.size(); ++i) {
            const auto before = i ? number.digit(i - 1) : 0;
            made[i] = static_cast<std::uint32_t>((number.digit(i) << 32 | before) << shift >> 32);
        }
        return made;
    };
    auto rest = shifted(*this), by = shifted(other);
    by.pop_back();
    const auto n = by.size(), m = digits_.size() - n;
    Natural quotient, left;
    quotient.digits_.assign(m + 1, 0);
    for (auto j = m + 1; j-- > 0;) {
        const auto top = std::uint64_t{rest[j + n]} << 32 | rest[j + n - 1];
        auto guess = top / by[n - 1], over = top % by[n - 1];
        while (guess >> 32 || (n > 1 && guess * by[n - 2] > (over << 32 | rest[j + n - 2]))) {
            --guess;
            if ((over += by[n - 1]) >> 32) break;
        }
        std::uint64_t carry = 0, borrow = 0;
        for (std::size_t i = 0; i <= n; ++i) {
            carry += guess * (i < n ? by[i] : 0);
            const auto taken = (carry & 0xffffffff) + borrow;
            borrow = rest[i + j] < taken;
            rest[i + j] = static_cast<std::uint32_t>(rest[i + j] - taken);
            carry >>= 32;
        }
        if (borrow) {  // the guess was one too much
            --guess;
            carry = 0;
            for (std::size_t i = 0; i <= n; ++i, carry >>= 32) {
                carry += std::uint64_t{rest[i + j]} + (i < n ? by[i] : 0);
                rest[i + j] = static_cast<std::uint32_t>(carry);
            }
        }
        quotient.digits_[j] = static_cast<std::uint32_t>(guess);
    }
    rest.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto after = std::uint64_t{i + 1 < n ? rest[i + 1] : 0};
        left.digits_.push_back(static_cast<std::uint32_t>((after << 32 | rest[i]) >> shift));
    }
    return {quotient.trimmed(), left.trimmed()};
}

std::string Natural::decimal() const {
    std::vector<std::uint32_t> left = digits_;
    std::string backwards;
    while (!left.empty()) {
        std::uint64_t rest = 0;
        for (auto at = left.rbegin(); at != left.rend(); ++at) {
            rest = rest << 32 | *at;
            *at = static_cast<std::uint32_t>(rest / 1'000'000'000);
            rest %= 1'000'000'000;
        }
        while (!left.empty() && left.back() == 0) left.pop_back();
        for (int i = 0; i < 9 && (rest || !left.empty()); ++i, rest /= 10) backwards += char('0' + rest % 10);
    }
    return backwards.empty() ? "0" : std::string(backwards.rbegin(), backwards.rend());
}

void Rational::begin_work() { work_left = kMostWork; }

Rational::Rational(std::int64_t number) : over_(number) {
    if (!fits(number)) *this = made({number < 0, Natural(magnitude(number)), Natural(1)});
}

Rational Rational::of(std::string_view text) {
    const bool minus = text.starts_with("-");
    text.remove_prefix(minus ? 1 : 0);
    const auto bar = text.find('/');
    spend(text.size() / 9, text.size() / 9);
    return reduced({minus, Natural::decimal(text.substr(0, bar)),
                    bar == std::string_view::npos ? Natural(1) : Natural::decimal(text.substr(bar + 1))});
}

Rational::Wide Rational::wide() const {
    if (wide_) return *wide_;
    return {over_ < 0, Natural(magnitude(over_)), Natural(static_cast<std::uint64_t>(under_))};
}

Rational Rational::made(Wide wide) {
    Rational number;
    constexpr auto most = static_cast<std::uint64_t>(kMost);
    if (wide.over.size() <= 2 && wide.under.size() <= 2 && wide.over.low() < most && wide.under.low() < most) {
        const auto over = static_cast<std::int64_t>(wide.over.low());
        number.over_ = wide.minus ? -over : over;
        number.under_ = static_cast<std::int64_t>(wide.under.low());
    } else {
        number.over_ = 0, number.under_ = 0;
        number.wide_ = std::make_shared<const Wide>(std::move(wide));
    }
    return number;
}

Rational Rational::reduced(Wide wide) {
    if (wide.over.zero()) return Rational();
    if (wide.under != Natural(1)) {
        const auto divisor = common(wide.over, wide.under);
        wide.over = part(wide.over, divisor), wide.under = part(wide.under, divisor);
    }
    return made(std::move(wide));
}

int Rational::sign() const {
    if (wide_) return wide_->minus ? -1 : 1;
    return (over_ > 0) - (over_ < 0);
}

bool Rational::whole() const { return wide_ ? wide_->under == Natural(1) : is_word(); }

Rational Rational::above() const { return wide_ ? made({wide_->minus, wide_->over, Natural(1)}) : Rational(over_); }

Rational Rational::below() const { return wide_ ? made({false, wide_->under, Natural(1)}) : Rational(under_); }

Rational Rational::floor() const {
    if (whole()) return *this;
    if (!wide_) return over_ / under_ - (over_ < 0);
    const auto down = made({wide_->minus, part(wide_->over, wide_->under), Natural(1)});
    return wide_->minus ? down - Rational(1) : down;
}

std::optional<std::int64_t> Rational::small() const { return is_word() ? std::optional(over_) : std::nullopt; }

std::string Rational::text() const {
    const auto [minus, over, under] = wide();
    spend(over.size(), over.size());
    spend(under.size(), under.size());
    return (minus ? "-" : "") + over.decimal() + (under == Natural(1) ? "" : "/" + under.decimal());
}

Rational Rational::operator-() const {
    Rational turned = *this;
    turned.over_ = -turned.over_;
    if (wide_) turned.wide_ = std::make_shared<const Wide>(Wide{!wide_->minus, wide_->over, wide_->under});
    return turned;
}

Rational Rational::sum_with(const Rational& other, bool turned) const {
    if (!wide_ && !other.wide_) {
        std::int64_t left, right, over, under;
        if (!__builtin_mul_overflow(over_, other.under_, &left) &&
            !__builtin_mul_overflow(other.over_, under_, &right) &&
            !(turned ? __builtin_sub_overflow(left, right, &over) : __builtin_add_overflow(left, right, &over)) &&
            !__builtin_mul_overflow(under_, other.under_, &under) && fits(over) && fits(under)) {
            Rational sum;
            const auto divisor = std::gcd(over, under);
            sum.over_ = over / divisor, sum.under_ = under / divisor;
            return sum;
        }
    }
    const auto one = wide();
    auto two = other.wide();
    two.minus ^= turned;
    const bool same = one.under == two.under;
    auto left = same ? one.over : product(one.over, two.under), right = same ? two.over : product(two.over, one.under);
    Wide sum{one.minus, {}, same ? one.under : product(one.under, two.under)};
    if (one.minus == two.minus) sum.over = left + right;
    else if (right < left) sum.over = left - right;
    else sum.over = right - left, sum.minus = two.minus;
    return reduced(std::move(sum));
}

Rational Rational::product_with(const Rational& other) const {
    if (!wide_ && !other.wide_) {
        std::int64_t over, under;
        if (!__builtin_mul_overflow(over_, other.over_, &over) &&
            !__builtin_mul_overflow(under_, other.under_, &under) && fits(over) && fits(under)) {
            Rational made;
            const auto divisor = std::gcd(over, under);
            made.over_ = over / divisor, made.under_ = under / divisor;
            return made;
        }
    }
    const auto one = wide(), two = other.wide();
    return reduced({one.minus != two.minus, product(one.over, two.over), product(one.under, two.under)});
}

Rational Rational::operator/(const Rational& other) const {
    auto turned = other.wide();
    std::swap(turned.over, turned.under);
    return *this * made(std::move(turned));
}

std::strong_ordering Rational::compared(const Rational& other) const {
    if (sign() != other.sign()) return sign() <=> other.sign();
    const auto one = wide(), two = other.wide();
    const auto left = product(one.over, two.under), right = product(two.over, one.under);
    if (left == right) return std::strong_ordering::equal;
    return (left < right) != one.minus ? std::strong_ordering::less : std::strong_ordering::greater;
}

Rational Rational::common_divisor(const Rational& one, const Rational& other) {
    return made({false, common(one.wide().over, other.wide().over), Natural(1)});
}

Rational whole_scale(const std::vector<std::pair<int, Rational>>& terms) {
    Rational multiple(1), divisor;
    for (const auto& [place, number] : terms) {
        const auto below = number.below();
        if (!(below == Rational(1))) multiple = multiple * (below / Rational::common_divisor(multiple, below));
        divisor = Rational::common_divisor(divisor, number.above());
    }
    return divisor.sign() ? multiple / divisor : multiple;
}

}  // namespace checker
