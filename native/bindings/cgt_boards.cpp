#include "cgt_bindings.hpp"

namespace zermelo {

void bind_cgt_boards(nanobind::module_&) {}

}  // namespace zermelo
