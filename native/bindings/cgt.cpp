// The border to Python for values of games. A game crosses it as its id, a dyadic number as numerator and exponent.
#include "cgt_arena.hpp"

#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "cgt/values/operations.hpp"
#include "cgt_bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace zermelo {

namespace {

using Id = cgt::Arena::Id;
using Ids = std::vector<Id>;

nb::object to_python(const cgt::Integer& value) {
    if (value.is_small()) return nb::int_(value.small());
    const auto bytes = value.to_bytes();
    const nb::handle type(reinterpret_cast<PyObject*>(&PyLong_Type));
    return type.attr("from_bytes")(nb::bytes(bytes.data(), bytes.size()), "little", "signed"_a = true);
}

nb::object to_python(const cgt::Dyadic& value) {
    return nb::make_tuple(to_python(value.numerator()), value.exponent());
}

cgt::Integer integer_of(const nb::int_& value) {
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow == 0) return static_cast<std::int64_t>(small);
    const auto bits = nb::cast<std::size_t>(value.attr("bit_length")());
    const nb::object bytes = value.attr("to_bytes")(bits / 8 + 1, "little", "signed"_a = true);
    const auto raw = nb::cast<nb::bytes>(bytes);
    return cgt::Integer::from_bytes({static_cast<const std::uint8_t*>(raw.data()), raw.size()});
}

cgt::Dyadic dyadic_of(const nb::int_& numerator, std::uint32_t exponent) { return {integer_of(numerator), exponent}; }

nb::object to_python(const cgt::Wall& wall) {
    nb::list points;
    for (const auto& point : wall) points.append(nb::make_tuple(to_python(point.value), to_python(point.t)));
    return points;
}

// A method that takes games by id, and a control last.
template <class Work>
auto unary(Work work) {
    return [work](SharedArena& a, Id g, Control* control) {
        return a.run(control, [&] { return work(a, a.checked(g)); });
    };
}

template <class Work>
auto binary(Work work) {
    return [work](SharedArena& a, Id g, Id h, Control* control) {
        return a.run(control, [&] { return work(a, a.checked(g), a.checked(h)); });
    };
}

void bind_operations(nb::class_<SharedArena>& arena) {
    const auto control = "control"_a.none() = nb::none();
    const auto def_unary = [&](const char* name, auto work) { arena.def(name, unary(work), "game"_a, control); };
    const auto def_binary = [&](const char* name, auto work) {
        arena.def(name, binary(work), "game"_a, "other"_a, control);
    };
    def_binary("add", [](SharedArena& a, Id g, Id h) { return a.arena.add(g, h); });
    def_binary("less_equal", [](SharedArena& a, Id g, Id h) { return a.arena.less_equal(g, h); });
    def_binary("heated", [](SharedArena& a, Id g, Id h) { return cgt::heated(a.arena, g, h); });
    def_binary("norton_product", [](SharedArena& a, Id g, Id h) { return cgt::norton_product(a.arena, g, h); });
    def_binary("ordinal_sum", [](SharedArena& a, Id g, Id h) { return cgt::ordinal_sum(a.arena, g, h); });
    def_unary("negate", [](SharedArena& a, Id g) { return a.arena.negate(g); });
    def_unary("reduced", [](SharedArena& a, Id g) { return cgt::reduced(a.arena, g); });
    def_unary("is_all_small", [](SharedArena& a, Id g) { return cgt::is_all_small(a.arena, g); });
    def_unary("atomic_weight", [](SharedArena& a, Id g) { return cgt::atomic_weight(a.arena, g); });
    def_unary("position_count", [](SharedArena& a, Id g) { return cgt::position_count(a.arena, g); });
    def_unary("form_count", [](SharedArena& a, Id g) { return cgt::form_count(a.arena, g); });
    arena.def(
        "overheated",
        [](SharedArena& a, Id g, Id s, Id t, Control* c) {
            return a.run(c, [&] { return cgt::overheated(a.arena, a.checked(g), a.checked(s), a.checked(t)); });
        },
        "game"_a, "start"_a, "end"_a, control);
    arena.def(
        "cooled",
        [](SharedArena& a, Id g, const nb::int_& numerator, std::uint32_t exponent, Control* c) {
            const auto t = dyadic_of(numerator, exponent);
            return a.run(c, [&] { return cgt::cooled(a.arena, a.fresh_thermographs(), a.checked(g), t); });
        },
        "game"_a, "numerator"_a, "exponent"_a, control);
    arena.def(
        "multiple",
        [](SharedArena& a, Id g, const nb::int_& count, Control* c) {
            const auto n = integer_of(count);
            return a.run(c, [&] { return cgt::multiple(a.arena, a.checked(g), n); });
        },
        "game"_a, "count"_a, control);
    arena.def(
        "birthday",
        [](SharedArena& a, Id g, Control* c) {
            return to_python(a.run(c, [&] { return cgt::birthday(a.arena, a.checked(g)); }));
        },
        "game"_a, control);
    arena.def(
        "thermograph",
        [](SharedArena& a, Id g, Control* c) {
            const cgt::Thermograph drawn = a.run(c, [&] { return a.fresh_thermographs().of(a.checked(g)); });
            return nb::make_tuple(to_python(drawn.left), to_python(drawn.right), to_python(drawn.mean),
                                  to_python(drawn.temperature));
        },
        "game"_a, control, "Left wall, right wall, mean, temperature; a wall is a list of (value, t).");
}

}  // namespace

void bind_cgt(nb::module_& m) {
    nb::exception<cgt::MemoryLimit>(m, "CgtMemoryError", PyExc_MemoryError);
    nb::class_<SharedArena> arena(m, "CgtArena", "Short games in canonical form, each held once.");
    arena.def(nb::init<std::uint64_t>(), "memory"_a = 0)
        .def_prop_ro("size", [](SharedArena& a) { return a.run(nullptr, [&] { return a.arena.size(); }); })
        .def_prop_ro("bytes", [](SharedArena& a) { return a.run(nullptr, [&] { return a.arena.bytes(); }); })
        .def(
            "number_up_star",
            [](SharedArena& a, const nb::int_& numerator, std::uint32_t exponent, std::int32_t ups,
               std::uint32_t heap) {
                const auto number = dyadic_of(numerator, exponent);
                return a.run(nullptr, [&] { return a.arena.number_up_star(number, ups, heap); });
            },
            "numerator"_a, "exponent"_a = 0, "ups"_a = 0, "heap"_a = 0)
        .def(
            "canonical",
            [](SharedArena& a, const Ids& left, const Ids& right, Control* control) {
                return a.run(control, [&] {
                    for (const Id g : left) a.checked(g);
                    for (const Id g : right) a.checked(g);
                    return a.arena.canonical(left, right);
                });
            },
            "left"_a, "right"_a, "control"_a.none() = nb::none())
        .def(
            "left",
            [](SharedArena& a, Id g) {
                return a.run(nullptr, [&] {
                    const auto o = a.arena.left(a.checked(g));
                    return Ids(o.begin(), o.end());
                });
            },
            "game"_a)
        .def(
            "right",
            [](SharedArena& a, Id g) {
                return a.run(nullptr, [&] {
                    const auto o = a.arena.right(a.checked(g));
                    return Ids(o.begin(), o.end());
                });
            },
            "game"_a)
        .def(
            "parts",
            [](SharedArena& a, Id g) -> nb::object {
                struct Parts {
                    cgt::Dyadic number;
                    std::int32_t ups;
                    std::uint32_t heap;
                };
                const auto parts = a.run(nullptr, [&] {
                    return a.arena.is_number_up_star(a.checked(g))
                               ? std::optional(Parts{a.arena.number_part(g), a.arena.ups(g), a.arena.heap(g)})
                               : std::nullopt;
                });
                if (!parts) return nb::none();
                return nb::make_tuple(to_python(parts->number.numerator()), parts->number.exponent(), parts->ups,
                                      parts->heap);
            },
            "game"_a, "Numerator, exponent, ups and heap of a number + n.up + nimber; None for other games.")
        .def(
            "stops",
            [](SharedArena& a, Id g) {
                const auto [left, right] =
                    a.run(nullptr, [&] { return std::pair(a.arena.left_stop(a.checked(g)), a.arena.right_stop(g)); });
                return nb::make_tuple(to_python(left), to_python(right));
            },
            "game"_a)
        .def(
            "fingerprint",
            [](SharedArena& a, Id g) { return a.run(nullptr, [&] { return a.arena.fingerprint(a.checked(g)); }); },
            "game"_a)
        .def(
            "copied",
            [](SharedArena& a, SharedArena& from, Id g) {
                if (&a == &from) return g;
                const nb::gil_scoped_release release;
                const std::scoped_lock lock(a.mutex, from.mutex);
                return cgt::copied(from.arena, from.checked(g), a.arena);
            },
            "source"_a, "game"_a, "A game of another arena, in this one.");
    bind_operations(arena);
}

}  // namespace zermelo
