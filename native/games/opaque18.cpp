#include "search/opaque_engines.hpp"

namespace zermelo {

template std::unique_ptr<Search> opaque_search<18>(std::shared_ptr<const Rules<18>>, const OpaqueState<18>&,
                                                   std::string_view, const SearchParams&);

template std::unique_ptr<bandit::Lane> opaque_lane<18>(std::shared_ptr<const Rules<18>>, const OpaqueState<18>&);

}  // namespace zermelo
