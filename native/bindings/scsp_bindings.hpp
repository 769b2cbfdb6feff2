// What the module has to offer for stochastic constraint networks.
#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_scsp(nanobind::module_& m);

}  // namespace zermelo
