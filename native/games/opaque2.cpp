#include "search/opaque_engines.hpp"

namespace zermelo {

template std::unique_ptr<Search> opaque_search<2>(std::shared_ptr<const Rules<2>>, const OpaqueState<2>&,
                                                  std::string_view, const SearchParams&);

template std::unique_ptr<bandit::Lane> opaque_lane<2>(std::shared_ptr<const Rules<2>>, const OpaqueState<2>&);

}  // namespace zermelo
