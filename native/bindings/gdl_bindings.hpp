#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_gdl(nanobind::module_& m);
void bind_gdl_symmetry(nanobind::module_& m);  // called by bind_gdl

}  // namespace zermelo
