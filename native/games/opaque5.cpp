#include "search/opaque_engines.hpp"

namespace zermelo {

template std::unique_ptr<Search> opaque_search<5>(std::shared_ptr<const Rules<5>>, const OpaqueState<5>&,
                                                  std::string_view, const SearchParams&);

template std::unique_ptr<bandit::Lane> opaque_lane<5>(std::shared_ptr<const Rules<5>>, const OpaqueState<5>&);

}  // namespace zermelo
