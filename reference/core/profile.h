/* Numerics profiles: what may differ between two platforms that both compute correctly.
 * Spec: numerics.md, head and section 4. */
#ifndef LB_REFERENCE_PROFILE_H
#define LB_REFERENCE_PROFILE_H

#include "feature_table.h"

#include <stdbool.h>
#include <stdint.h>

/* How a rounding shift treats the half: towards plus infinity, or to the even neighbour
 * (numerics.md 3, `rsh`); the others are features of platforms (features.md 2). */
typedef enum lb_rounding {
    LB_ROUND_UP,
    LB_ROUND_CONVERGENT,
    LB_ROUND_AWAY,
    LB_ROUND_ZERO,
    LB_ROUND_FLOOR,
    LB_ROUND_COUNT
} lb_rounding;

/* The operand pair of a chain of multiply-accumulates decides the accumulator (numerics.md 4.1). */
typedef enum lb_operands {
    LB_OPERANDS_8X8,
    LB_OPERANDS_16X8,
    LB_OPERANDS_16X16,
    LB_OPERANDS_COUNT
} lb_operands;

/* Features of every family (lb_family) and its operand types, as a platform profile gives them. */
enum { LB_FEATURE_FAMILIES = 32 };
typedef struct lb_feature_table {
    lb_feature_set of[LB_FEATURE_FAMILIES][LB_TYPES_COUNT];
} lb_feature_table;

/* Sets of kernels (describe/kernels.h). */
typedef enum lb_set { LB_SET_MLI, LB_SET_LITERT, LB_SET_COUNT } lb_set;

typedef struct lb_profile {
    char name[48];        /* "up-full" ... as in case files */
    lb_rounding rounding; /* of every rounding shift */
    bool reduced; /* accumulator post-processing of sa8 weighted kernels (numerics.md 4.3) */
    int acc_bits[LB_OPERANDS_COUNT]; /* accumulator width per operand pair: 32, 32, 64 on the host
                                      */
    bool acc_saturates; /* sums saturate instead of wrapping (no built-in profile does) */
    const char *file;   /* a platform profile: the file that says so; NULL: built in */
    bool avepool16;     /* average pooling of sa8 keeps 15 bits of its multiplier, not 7
                           (pooling_and_movement.md 2.6, build option) */
    unsigned calls; /* of a port that it was found by (lastbit characterize); 0: written by hand */
    int asked; /* 1 + number of the numerics in which ports are asked (lb_profile_number); 0: its
                  own */
    bool has_features;         /* `features` say something; no built-in profile has any */
    lb_feature_table features; /* of all families */
    /* Filled by lb_profile_of for the function at hand; zero: nothing is changed. */
    lb_feature_set at;
    int64_t *lanes;   /* where the accumulator keeps partial sums apart; NULL: it does not */
    lb_set set;       /* of kernels, whose numerics they are */
    bool rounds_once; /* of LiteRT: scale32 rounds once (litert.1.4) */
} lb_profile;

/* The built-in profiles, and all numerics: each of them without and with avepool16. */
enum { LB_PROFILE_COUNT = 4, LB_NUMERICS_COUNT = 2 * LB_PROFILE_COUNT };

/* The four profiles of the host emulation: up-full, up-reduced, convergent-full,
 * convergent-reduced, in this order. */
extern const lb_profile lb_profiles[LB_PROFILE_COUNT];

/* Index of a built-in profile by name, or -1. */
int lb_profile_find(const char *name);

/* Index, in its set, of the built-in profile with the numerics of `profile` (of MLI's, rounding and
 * reduced alone decide). */
int lb_profile_numerics(const lb_profile *profile);

/* The same of any set: those of LiteRT stand behind MLI's. With LB_PROFILE_COUNT added with
 * avepool16: the number of these numerics on the wire, and their name, "up-full" ...
 * "convergent-reduced+avepool16". */
int lb_profile_number(const lb_profile *profile);
const char *lb_numerics_name(int number);

/* The numerics in which a port is asked for this profile: lb_profile_number of its own, unless the
 * profile says otherwise (`asked`). */
int lb_profile_asked(const lb_profile *profile);

/* The rounding of ratios and multipliers (features.md 3), and of a high multiplication (4). */
lb_rounding lb_scale_rounding(const lb_profile *profile);
lb_rounding lb_first_rounding(const lb_profile *profile);
/* The rounding of steps before the last (features.md 14), and of interpolations (15). */
lb_rounding lb_inner_rounding(const lb_profile *profile);
lb_rounding lb_table_rounding(const lb_profile *profile);

/* "up", "convergent", ... */
const char *lb_rounding_name(lb_rounding rounding);

#endif
