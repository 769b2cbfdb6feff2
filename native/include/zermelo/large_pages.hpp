// Memory for tables that are read all over the place: on large pages where the system has them.
//
// A look-up in a table of a hundred megabytes on pages of 4 kB misses the processor's table of pages nearly every time,
// and even a prefetch waits for that. The request is advice: without large pages everything works as before.
//
//     LargeVector<std::uint64_t> slots(1 << 20);      // as std::vector
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace zermelo {

template <class T>
class LargePages {
public:
    using value_type = T;
    static constexpr std::size_t page = std::size_t{1} << 21;

    LargePages() = default;
    template <class U>
    LargePages(const LargePages<U>&) {}

    T* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_array_new_length();
        const std::size_t bytes = count * sizeof(T);
        if (bytes < page) return static_cast<T*>(::operator new(bytes, std::align_val_t{alignof(T)}));
        void* const at = ::operator new(bytes, std::align_val_t{page});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        // Whole pages only: what is left at the end is not worth a large page of its own.
        ::madvise(at, bytes / page * page, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(at);
    }
    void deallocate(T* at, std::size_t count) noexcept {
        const std::size_t bytes = count * sizeof(T);
        if (bytes < page) ::operator delete(at, std::align_val_t{alignof(T)});
        else ::operator delete(at, std::align_val_t{page});
    }
    friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace zermelo
