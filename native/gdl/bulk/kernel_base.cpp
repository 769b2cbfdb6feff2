// The bit-parallel kernel for any machine: vectors of 16 bytes, which x86-64 and ARM64 have in their baseline.
#include "gdl/bulk_program/instructions.hpp"

#define ZERMELO_VECTOR_BYTES 16

namespace zermelo::gdl::bulk {
namespace baseline {
namespace {
#include "gdl/bulk/kernel.hpp"
}  // namespace
}  // namespace baseline

const Kernel& baseline_kernel() { return baseline::kKernel; }

}  // namespace zermelo::gdl::bulk
