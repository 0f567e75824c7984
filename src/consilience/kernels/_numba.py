"""How every kernel is compiled, said once: `jit`, and the popcount of a 64-bit word."""

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

# What lets a loop over floats use vectors: sums in any order, fused products, no NaN, no -0.
LOOSE = {"reassoc", "contract", "nnan", "nsz"}


def jit_loose(function):
    """Compile as `jit` does, with sums whose last bits depend on the machine.

    For work whose answer does not hang on them, such as the solution of a convex problem.
    """
    return _compile(function, fastmath=LOOSE)


def jit(function):
    """Compile without the GIL and keep the machine code on disk for the next process.

    Numba looks for a writable place beside the module, then in the user's cache directory, and
    raises when there is none. A read-only home then costs compile time in each process, never
    the run.
    """
    return _compile(function)


def _compile(function, **options):
    options |= {"nogil": True, "error_model": "numpy"}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:
        return numba.njit(**options)(function)


if numba.config.DISABLE_JIT:  # kernels then run as plain Python, for coverage and tracebacks
    lesser, greater = min, max

    def popcount(word):
        """Count the set bits of a uint64."""
        return int(word).bit_count()

else:

    @intrinsic
    def popcount(typing_context, word):
        """Count the set bits of a uint64, as int64: uint64 + int64 would become a float."""
        if word != types.uint64:
            return None

        def code(context, builder, signature, arguments):
            count = builder.module.declare_intrinsic("llvm.ctpop", [arguments[0].type])
            return builder.call(count, arguments)

        return types.int64(word), code

    def _extremum(name):
        """The lesser or greater of two floats as an instruction, where a comparison is a branch.

        Only so does a loop that looks for the least value use vectors.
        """

        def typed(typing_context, x, y):
            if x != types.float64 or y != types.float64:
                return None

            def code(context, builder, signature, arguments):
                kind = arguments[0].type
                function = builder.module.declare_intrinsic(
                    name, [kind], ir.FunctionType(kind, [kind, kind])
                )
                return builder.call(function, arguments)

            return types.float64(x, y), code

        return intrinsic(typed)

    lesser, greater = _extremum("llvm.minnum"), _extremum("llvm.maxnum")
