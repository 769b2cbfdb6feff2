// The bit-parallel kernel with AVX512 instructions, for which alone this file is compiled (see CMakeLists.txt).
#include "gdl/bulk_program/instructions.hpp"

#ifdef ZERMELO_AVX_KERNELS
#define ZERMELO_VECTOR_BYTES 64

namespace zermelo::gdl::bulk {
namespace avx512 {
namespace {
#include "gdl/bulk/kernel.hpp"
}  // namespace
}  // namespace avx512

const Kernel& avx512_kernel() { return avx512::kKernel; }

}  // namespace zermelo::gdl::bulk
#endif
