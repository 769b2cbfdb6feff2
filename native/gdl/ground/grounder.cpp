#include "gdl/ground/grounder.hpp"

#include <memory>
#include <new>

#include "gdl/datalog/datalog.hpp"
#include "gdl/ground/instantiate.hpp"
#include "gdl/datalog/meter.hpp"
#include "gdl/ground/simplify.hpp"

namespace zermelo::gdl {

static std::vector<bool> true_at_start(Datalog& sheet, std::uint32_t fluents) {
    std::vector<bool> start(fluents);
    const auto& init = sheet.relation_of(keyword::init);
    const auto& state = sheet.relation_of(keyword::fluent);
    for (std::uint32_t i = 0; i < init.size(); ++i) start[state.find(init.row(i))] = true;
    return start;
}

GroundRules ground(const Program& program, Control& control, std::uint64_t patience) {
    try {
        Meter meter(control);
        auto read = std::make_unique<Datalog>(program, Reading::possible);
        if (!read->evaluate_all(meter, patience)) {
            read = std::make_unique<Datalog>(program, Reading::possible, true);
            read->evaluate_all(meter, 0);
        }
        auto& sheet = *read;
        auto rules = instantiate(sheet, meter);
        const auto start = true_at_start(sheet, rules.fluents);
        settle_fates(rules, start, meter);
        return number_rules(sheet, rules, start, meter);
    } catch (const Stopped&) {
        if (control.cause() == Cause::memory) throw TooLarge("the ground rules need more memory than allowed");
        if (control.cause() == Cause::asked) throw;
        throw TooLarge("grounding needs more time than allowed");
    } catch (const std::bad_alloc&) {
        throw TooLarge("the ground rules need more memory than there is");
    }
}

}  // namespace zermelo::gdl
