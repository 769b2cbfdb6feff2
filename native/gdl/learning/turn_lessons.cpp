#include "gdl/learning/turn_lessons.hpp"

#include <algorithm>

namespace zermelo::gdl {

namespace {

constexpr std::size_t kMostFrames = 8;
constexpr std::size_t kMostFrameNodes = 100'000;

}  // namespace

TurnLessons::TurnLessons(std::shared_ptr<const GdlRules> rules, const ValueModel& model)
    : lane_(rules), forecast_(model, rules->net) {
    forecast_.words = lane_.words();
    forecast_.roles = lane_.roles();
}

void TurnLessons::Forecast::values(std::span<const std::uint64_t> states, std::span<double> rewards) const {
    for (std::size_t i = 0; (i + 1) * words <= states.size(); ++i) {
        evaluator.load(states.subspan(i * words, words));
        for (std::uint32_t role = 0; role < roles; ++role) rewards[i * roles + role] = evaluator.value(role);
    }
}

// Frames do not depend on what was learnt nor on the clock, so that learning in parts is learning at once.
bool TurnLessons::solve(std::span<const std::uint64_t> start, std::span<double> worth) {
    const auto found = std::ranges::find_if(frames_, [&](const auto& frame) { return frame->fits(start); });
    if (found != frames_.end()) {
        last_ = found->get();
    } else {
        if (frames_.size() == kMostFrames) return false;
        Control no_limit;
        auto frame = bandit::TurnFrame::of(lane_, start, kMostFrameNodes, no_limit);
        if (!frame || !frame->fits(start)) return false;
        last_ = frame.get();
        frames_.push_back(std::move(frame));
    }
    last_->solve(start, forecast_);
    std::ranges::copy(last_->values(), worth.begin());
    return true;
}

}  // namespace zermelo::gdl
