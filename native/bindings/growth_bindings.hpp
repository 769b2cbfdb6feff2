#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_growth(nanobind::module_& m);

}  // namespace zermelo
