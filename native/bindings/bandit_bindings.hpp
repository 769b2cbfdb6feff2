#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_bandit(nanobind::module_& m);

}  // namespace zermelo
