#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_qbf(nanobind::module_& m);

}  // namespace zermelo
