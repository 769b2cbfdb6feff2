// What the module has to offer for quantified programs.
#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_qip(nanobind::module_& m);

}  // namespace zermelo
