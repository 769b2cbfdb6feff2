// Values learnt of ground games.
#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_values(nanobind::module_& m);

}  // namespace zermelo
