/* Platform profiles: YAML files that say what the numerics and the accumulators of a device are
 * like. Format: vectors/profiles/README.md. */
#ifndef LB_HARNESS_SUITE_PROFILE_FILE_H
#define LB_HARNESS_SUITE_PROFILE_FILE_H

#include "harness/json/diagnostics.h"
#include "reference/core/profile.h"

/* Does an argument where a profile name may stand mean a file? It has a '/' in it or ends in .yaml
 * or .yml. */
bool lb_is_profile_file(const char *argument);

/* Reads a platform profile. profile->file becomes `path` itself, which must outlive the profile.
 * Every problem goes to the diagnostics, with its line and column; then false. */
bool lb_profile_load(const char *path, lb_profile *profile, lb_diagnostics *diagnostics);

/* "8x8", "16x8", "16x16": the keys of widths, and how reports name an operand pair. */
const char *lb_operands_name(lb_operands operands);
/* Bits of one product of the pair, with its sign: 16, 24, 32 (numerics.md 4.1). No accumulator is
 * narrower. */
int lb_product_bits(lb_operands operands);

/* "rounding up, accumulator full, 8x8 32 bits, 16x8 32 bits, 16x16 64 bits, wraps" */
void lb_profile_describe(const lb_profile *profile, char *text, size_t text_bytes);

/* Do both have the same accumulators: widths, and what happens past them? */
bool lb_profile_same_widths(const lb_profile *a, const lb_profile *b);

#endif
