// The processor time that the calling thread has had.
#pragma once

#include <ctime>

namespace zermelo {

inline double thread_seconds() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace zermelo
