/* What is asked of the compiler beyond the language, outside the loops that are written for an
 * instruction set. Compilers that do not know these go without. */
#ifndef LB_MLI_COMPILER_H
#define LB_MLI_COMPILER_H

/* Goes before every function that is neither static nor part of the API: the shared library exports
 * mli_* alone. */
#if defined(__GNUC__)
#define LB_MLI_HIDDEN __attribute__((visibility("hidden")))
#else
#define LB_MLI_HIDDEN
#endif

/* Before a function of which every use is to be an instance of its own: constants among its
 * arguments vanish. */
#if defined(__GNUC__)
#define LB_MLI_INLINE static inline __attribute__((always_inline))
#else
#define LB_MLI_INLINE static inline
#endif

/* Before a loop: to be vectorized with so many elements at once, and not unrolled. Clang by itself
 * takes vectors of half the width and unrolls in a way that hides a multiply-add. Builds for other
 * ends than speed need not vectorize. */
#if defined(__clang__)
#define LB_MLI_PRAGMA(text) _Pragma(#text)
#define LB_MLI_VECTORIZE(unit)                                                                     \
    LB_MLI_PRAGMA(clang diagnostic ignored "-Wpass-failed")                                        \
    LB_MLI_PRAGMA(clang loop vectorize_width(unit) interleave_count(1) unroll(disable))
#else
#define LB_MLI_VECTORIZE(unit)
#endif

#endif
