#pragma once

#include <nanobind/nanobind.h>

namespace zermelo {

void bind_cgt(nanobind::module_& m);          // values of games
void bind_cgt_boards(nanobind::module_& m);   // boards and their values
void bind_cgt_sums(nanobind::module_& m);     // sums of scored games
void bind_cgt_outcome(nanobind::module_& m);  // who wins sums, without their value
void bind_cgt_go(nanobind::module_& m);       // pockets and ownership on Go boards

}  // namespace zermelo
