"""The Python tests of the native modules, with kernels and bindings under a sanitizer.

``python -m tests.sanitize addresses build/sanitize-python/_native.abi3.so`` runs them with the address and
undefined-behaviour sanitizers, ``threads`` with the thread sanitizer. The interpreter itself is not instrumented: the
library of the sanitizer is preloaded, and the instrumented module takes the place of the installed one. Whatever
follows goes to pytest; without it the chosen tests of every native module run. ``make sanitize-python`` and ``make
sanitize-threads`` build the modules first.
"""
