/* Which numerics a port has: experiments on it until one combination of features is left for each
 * family and its operand types, and a profile made of them. */
#ifndef LB_HARNESS_CHARACTERIZE_CHARACTER_H
#define LB_HARNESS_CHARACTERIZE_CHARACTER_H

#include "harness/port/port.h"
#include "reference/describe/kernels.h"

/* What is known of a family with its operand types. */
typedef enum lb_settled {
    LB_SETTLED,         /* its features give every bit that was seen */
    LB_SETTLED_BUILTIN, /* nothing to be found out: it has no features */
    LB_UNKNOWN_NONE,    /* no combination gives them */
    LB_UNKNOWN_CHANGES, /* the port changes its mind */
    LB_UNKNOWN_FAILED   /* the port gave no result */
} lb_settled;

/* Choices of one feature that no experiment could tell apart from the one that is told. */
typedef struct lb_untold {
    lb_feature feature;
    uint8_t value;
    bool together; /* with another choice beside it; alone it is refuted */
} lb_untold;

enum { LB_MOST_UNTOLD = 128, LB_MOST_UNCHECKED = 16 };

/* A check of a status that the port does not make, or makes otherwise. */
typedef struct lb_unchecked {
    const char *rule; /* its name in results */
    lb_status due;
    char given[60]; /* the status that came, or what was seen in place of one */
} lb_unchecked;

typedef struct lb_character_group {
    int family;
    lb_types types;
    const lb_kernel
        *function; /* of a set without features a group is one function (by_profile.h); */
    const lb_profile *numerics; /* ... of what is settled: the built-in profile that it has */
    bool in_all_profiles;       /* ... no call told the profiles apart */
    lb_settled settled;
    lb_feature_set features; /* beside those of the profile's base */
    unsigned calls;
    unsigned function_count, called_count; /* functions that it has; held against it one by one */
    unsigned held_out, held_out_wrong;     /* calls that judge it, seen by no experiment */
    bool limits_told;                      /* a call that passed the limits of sums agrees */
    bool cut_short;                        /* for want of calls or time: more might be told apart */
    double waited_seconds;                 /* for the port */
    size_t untold_count;
    lb_untold untold[LB_MOST_UNTOLD];
    unsigned alignment; /* bytes to which buffers must be aligned, or results are others; 0: none */
    char reason[300];   /* of what is unknown */
    unsigned check_count, checks_asked, checks_made, unchecked_count; /* of its first function */
    lb_unchecked unchecked[LB_MOST_UNCHECKED];
} lb_character_group;

enum { LB_MOST_GROUPS = LB_FEATURE_FAMILIES * LB_TYPES_COUNT };

typedef struct lb_character {
    /* given */
    lb_port *port;
    const lb_profile *asked; /* the numerics in which the port is asked */
    bool wanted[LB_FAMILY_COUNT_OF_ALL];
    unsigned misalign; /* as in lb_memory_options */
    unsigned most_calls;
    double seconds; /* of processor time, and of waiting for the port */
    /* found */
    size_t count;
    lb_character_group groups[LB_MOST_GROUPS];
    lb_profile profile; /* with their features; its name is the caller's */
    unsigned calls;
    bool cut_short;
    double spent_seconds;
} lb_character;

void lb_characterize(lb_character *character);

/* The built-in profile (or one with average pooling of 16 bits) whose numerics were found in all
 * that is settled, or NULL. */
const char *lb_character_name(const lb_character *character);

#endif
