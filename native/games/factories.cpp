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
std::unique_ptr<AnyGame> make_breakthrough(Arguments);
std::unique_ptr<AnyGame> make_dotsandboxes(Arguments);
std::unique_ptr<AnyGame> make_othello(Arguments);
std::unique_ptr<AnyGame> make_treblecross(Arguments);

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
    std::pair<std::string_view, Factory>{"breakthrough", make_breakthrough},
    std::pair<std::string_view, Factory>{"dotsandboxes", make_dotsandboxes},
    std::pair<std::string_view, Factory>{"othello", make_othello},
    std::pair<std::string_view, Factory>{"treblecross", make_treblecross},
};
}  // namespace

std::unique_ptr<AnyGame> make_game(std::string_view name, Arguments arguments) {
    for (const auto& [known, factory] : kFactories)
        if (known == name) return factory(arguments);
    return nullptr;
}

}  // namespace zermelo
