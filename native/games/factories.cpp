#include "games/factories.hpp"

#include <array>
#include <utility>

namespace zermelo {

std::unique_ptr<AnyGame> make_coins(Arguments);
std::unique_ptr<AnyGame> make_connect(Arguments);
std::unique_ptr<AnyGame> make_hex(Arguments);
std::unique_ptr<AnyGame> make_mnk(Arguments);
std::unique_ptr<AnyGame> make_nim(Arguments);
std::unique_ptr<AnyGame> make_subtraction(Arguments);
std::unique_ptr<AnyGame> make_wythoff(Arguments);

namespace {
using Factory = std::unique_ptr<AnyGame> (*)(Arguments);
constexpr std::array kFactories{
    std::pair<std::string_view, Factory>{"coins", make_coins},
    std::pair<std::string_view, Factory>{"connect", make_connect},
    std::pair<std::string_view, Factory>{"hex", make_hex},
    std::pair<std::string_view, Factory>{"mnk", make_mnk},
    std::pair<std::string_view, Factory>{"nim", make_nim},
    std::pair<std::string_view, Factory>{"subtraction", make_subtraction},
    std::pair<std::string_view, Factory>{"wythoff", make_wythoff},
};
}  // namespace

std::unique_ptr<AnyGame> make_game(std::string_view name, Arguments arguments) {
    for (const auto& [known, factory] : kFactories)
        if (known == name) return factory(arguments);
    return nullptr;
}

}  // namespace zermelo
