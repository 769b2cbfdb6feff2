#include "cgt_bindings.hpp"

namespace zermelo {

void bind_cgt(nanobind::module_&) {}

}  // namespace zermelo
