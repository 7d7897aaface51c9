/* Where a wrong value could come from: known faults are tried in the steps of the element, and
 * those that give the value are tried on other elements too. */
#ifndef LB_HARNESS_EXPLAIN_FAULTS_H
#define LB_HARNESS_EXPLAIN_FAULTS_H

#include "harness/explain/inject.h"

/* Whose values are looked into. */
typedef enum lb_voice { LB_VOICE_PORT, LB_VOICE_RECORDED } lb_voice;

/* The value that a voice has for an element; false: it has none. */
bool lb_voice_value(const lb_scene *scene, lb_voice voice, lb_role role, size_t flat,
                    int64_t *value);

/* A fault that gives the value. */
typedef struct lb_suspect {
    lb_fault fault;
    const lb_num_step *step;    /* the first one of the trail that it sits in */
    unsigned explained, wrong;  /* of so many wrong elements tried, this one among them */
    unsigned left_right, right; /* of so many right elements tried, it leaves these right */
} lb_suspect;

enum { LB_MAX_SUSPECTS = 5 };

typedef struct lb_suspicion {
    int64_t exact, value;
    uint64_t differing,
        elements; /* elements of the output in which the voice differs from the exact model */
    const char
        *profile;   /* a profile whose exact result is the voice's in all elements; NULL: none is */
    bool untouched; /* the value is what stood there before the call */
    uint64_t elsewhere_count; /* of a value that is copied: elements of the source that have it */
    lb_num_place elsewhere;   /* the first of them */
    bool looked;              /* faults have been tried */
    unsigned found;           /* faults that give the value */
    unsigned suspect_count;   /* the likeliest of them */
    lb_suspect suspects[LB_MAX_SUSPECTS];
} lb_suspicion;

/* Looks into the value that a voice has for the element of the trail, whose exact value is another;
 * for about so many seconds. */
void lb_suspect_find(lb_suspicion *suspicion, lb_scene *scene, lb_voice voice, lb_role role,
                     size_t flat, const lb_trail *trail, double seconds);

/* What the step is called where a fault sits: "requantize.rounding", "bias", "in.zero_point",
 * "i.x.taps.last" ... */
const char *lb_suspect_name(const lb_suspect *suspect, lb_arena *arena);

/* The step from which the value could come, by the likeliest fault that accounts for every element
 * tried; "profile" where another profile gives all values, "source" where a copy comes from another
 * element, "store" where nothing was written; "": not known. */
const char *lb_suspicion_step(const lb_suspicion *suspicion, lb_arena *arena);

/* The first element in which the voice differs from the exact model; false: in none. */
bool lb_voice_first_difference(const lb_scene *scene, lb_voice voice, lb_role role, size_t *flat);

#endif
