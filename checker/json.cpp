#include "json.hpp"

#include <algorithm>
#include <cstdint>

#include "certificate.hpp"

namespace checker {

namespace {

constexpr std::size_t kDeepest = 900, kMostDigits = 4300;

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Json whole() {
        auto made = value(0);
        skip();
        if (at_ != text_.size()) refuse("something stands after the end of it");
        return made;
    }

private:
    [[noreturn]] void refuse(const std::string& why) const {
        const auto line = 1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at_), '\n');
        throw BadInput("line " + std::to_string(line) + ": not JSON: " + why);
    }
    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip() {
        while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
    }
    bool take(std::string_view expected) {
        if (text_.substr(at_, expected.size()) != expected) return false;
        at_ += expected.size();
        return true;
    }

    Json value(std::size_t depth) {  // which bounds the recursion
        if (depth > kDeepest) refuse("nested too deeply for a certificate");
        skip();
        Json made;
        if (here() == '"') made.kind = Json::kString, made.text = string();
        else if (take("{")) members(made, depth);
        else if (take("[")) items(made, depth);
        else if (take("null")) made.kind = Json::kNull;
        else if (take("true")) made.kind = Json::kBool, made.text = "true";
        else if (take("false")) made.kind = Json::kBool;
        else if (take("NaN") || take("Infinity") || take("-Infinity")) made.kind = Json::kOther;
        else number(made);
        return made;
    }
    void members(Json& made, std::size_t depth) {
        made.kind = Json::kObject;
        if (skip(); take("}")) return;
        do {
            skip();
            if (here() != '"') refuse("expected a name in quotes");
            auto name = string();
            if (skip(); !take(":")) refuse("expected a colon");
            made.members.emplace_back(std::move(name), value(depth + 1));
            skip();
        } while (take(","));
        if (!take("}")) refuse("expected a comma or the end of an object");
    }
    void items(Json& made, std::size_t depth) {
        made.kind = Json::kList;
        if (skip(); take("]")) return;
        do {
            made.items.push_back(value(depth + 1));
            skip();
        } while (take(","));
        if (!take("]")) refuse("expected a comma or the end of a list");
    }
    std::size_t digits() {
        const auto begin = at_;
        while (here() >= '0' && here() <= '9') ++at_;
        return at_ - begin;
    }
    void number(Json& made) {
        const auto begin = at_;
        take("-");
        if (!take("0") && !digits()) refuse("expected a value");
        made.kind = Json::kWhole;
        made.text = text_.substr(begin, at_ - begin);
        const auto end = at_;
        if (take(".")) {
            if (digits()) made.kind = Json::kOther;
            else at_ = end;
        }
        if (const auto before = at_; take("e") || take("E")) {
            if (!take("+")) take("-");
            if (digits()) made.kind = Json::kOther;
            else at_ = before;
        }
        if (made.kind == Json::kWhole && made.text.size() > kMostDigits) refuse("a number is too long");
    }
    std::string string() {
        std::string made;
        for (++at_;;) {
            if (at_ == text_.size()) refuse("a text is never closed");
            const auto c = static_cast<unsigned char>(text_[at_++]);
            if (c == '"') return made;
            if (c < 0x20) refuse("a control character in a text");
            if (c != '\\') made.push_back(static_cast<char>(c));
            else escape(made);
        }
    }
    void escape(std::string& made) {
        const auto c = here();
        ++at_;
        constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        if (const auto which = names.find(c); c && which != std::string_view::npos) return made.push_back(meant[which]);
        if (c != 'u') refuse("an unknown escape");
        auto code = four();
        if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_, 2) == "\\u") {
            const auto before = at_;
            at_ += 2;
            if (const auto low = four(); low >= 0xdc00 && low < 0xe000)
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            else at_ = before;
        }
        add(made, code);
    }
    std::uint32_t four() {
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const auto c = here();
            const bool digit = c >= '0' && c <= '9', low = c >= 'a' && c <= 'f', high = c >= 'A' && c <= 'F';
            if (!digit && !low && !high) refuse("expected four digits after \\u");
            code = code * 16 + std::uint32_t(digit ? c - '0' : low ? c - 'a' + 10 : c - 'A' + 10);
        }
        return code;
    }
    static void add(std::string& made, std::uint32_t code) {
        const auto put = [&](std::uint32_t byte) { made.push_back(static_cast<char>(byte)); };
        if (code < 0x80) return put(code);
        if (code < 0x800) put(0xc0 | code >> 6);
        else if (code < 0x10000) put(0xe0 | code >> 12), put(0x80 | (code >> 6 & 0x3f));
        else put(0xf0 | code >> 18), put(0x80 | (code >> 12 & 0x3f)), put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// Where a text stops being UTF-8; its length if it does not.
std::size_t valid_until(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
        const auto first = byte(at), second = byte(at + 1);
        const std::size_t more = first < 0x80 ? 0 : first < 0xc2 ? 9 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
        const bool beyond = first > 0xf4 || (first == 0xf4 && second > 0x8f) || (first == 0xed && second > 0x9f);
        if (more == 9 || overlong || beyond) return at;
        for (std::size_t i = 1; i <= more; ++i)
            if ((byte(at + i) & 0xc0) != 0x80) return at;
        at += more + 1;
    }
    return text.size();
}

}  // namespace

const Json* Json::member(std::string_view name) const {
    for (auto at = members.rbegin(); at != members.rend(); ++at)
        if (at->first == name) return &at->second;
    return nullptr;
}

Json read_json(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (valid_until(text) != text.size()) throw BadInput("not UTF-8 at byte " + std::to_string(valid_until(text)));
    return Reader(text).whole();
}

bool is_utf8(std::string_view text) { return valid_until(text) == text.size(); }

}  // namespace checker
