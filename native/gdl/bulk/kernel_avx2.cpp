// The bit-parallel kernel with AVX2 instructions, for which alone this file is compiled (see CMakeLists.txt).
#include "gdl/bulk_program/instructions.hpp"

#ifdef ZERMELO_AVX_KERNELS
#define ZERMELO_VECTOR_BYTES 32

namespace zermelo::gdl::bulk {
namespace avx2 {
namespace {
#include "gdl/bulk/kernel.hpp"
}  // namespace
}  // namespace avx2

const Kernel& avx2_kernel() { return avx2::kKernel; }

}  // namespace zermelo::gdl::bulk
#endif
