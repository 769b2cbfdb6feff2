#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_gdl(nanobind::module_& m);

}  // namespace zermelo
