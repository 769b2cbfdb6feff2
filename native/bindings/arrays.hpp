// Arrays across the border.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

namespace zermelo {

template <class T>
using Array = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
std::vector<T> to_vector(const Array<T>& array) {
    return std::vector<T>(array.data(), array.data() + array.size());
}

template <class T>
nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>> to_numpy(std::vector<T>&& data) {
    auto owned = std::make_unique<std::vector<T>>(std::move(data));
    auto* vector = owned.get();
    nanobind::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(vector->data(), {vector->size()}, owner);
}

}  // namespace zermelo
