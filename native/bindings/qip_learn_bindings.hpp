#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_qip_learn(nanobind::module_& m);

}  // namespace zermelo
