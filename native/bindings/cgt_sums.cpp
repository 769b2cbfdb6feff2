#include "cgt_bindings.hpp"

namespace zermelo {

void bind_cgt_sums(nanobind::module_&) {}

}  // namespace zermelo
