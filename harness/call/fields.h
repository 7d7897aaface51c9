/* Fields of a tensor in a form that can be compared between instances: pointers become places in
 * named buffers. */
#ifndef LB_HARNESS_CALL_FIELDS_H
#define LB_HARNESS_CALL_FIELDS_H

#include "harness/call/call_memory.h"

/* Where a pointer points: nowhere, into a buffer of the memory, or anywhere else. */
typedef struct lb_place {
    enum { LB_PLACE_NULL, LB_PLACE_BUFFER, LB_PLACE_ELSEWHERE } kind;
    unsigned buffer;
    size_t offset_bytes;
} lb_place;

/* One quantization parameter: the value itself (per tensor) or the place of the array (per axis).
 */
typedef struct lb_param_field {
    int32_t value;
    lb_place place;
} lb_param_field;

typedef struct lb_fields {
    uint32_t rank, shape[LB_MAX_RANK], el_type, capacity_bytes;
    unsigned entries; /* of shape and stride that are said: no recording says those behind the rank
                       */
    int32_t mem_stride[LB_MAX_RANK];
    lb_place data;
    int32_t frac_bits; /* fx types only, else 0 */
    int32_t axis;      /* sa types only, else -1; any negative value is -1 */
    union {            /* sa types only */
        struct {
            lb_param_field scale, zero_point, scale_frac_bits;
        };
        lb_param_field param[LB_PARAMS];
    };
} lb_fields;

lb_fields lb_fields_of(const lb_instance *instance, const lb_tensor *tensor);

/* What a recorded expectation says about the fields after the call: `given` with the changed ones
 * replaced. */
lb_fields lb_fields_expected(const lb_fields *given, const lb_changed *changed,
                             const lb_instance *instance);

/* Calls report(user, field, expected, got) for each field that differs, in a fixed order; the texts
 * live until it returns. Shape and strides are compared behind the rank too, as far as they are
 * said. Gives the number of differences. */
typedef void (*lb_field_report)(void *user, const char *field, const char *expected,
                                const char *got);
unsigned lb_fields_compare(const lb_call_memory *memory, const lb_fields *expected,
                           const lb_fields *got, lb_field_report report, void *user);

/* Do two instances of one memory differ in a field of a tensor; in a byte, scratch memory aside? */
bool lb_instances_differ_in_fields(const lb_instance *a, const lb_instance *b);
bool lb_instances_differ_in_bytes(const lb_instance *a, const lb_instance *b);

/* Fields of outputs, and what belongs to them, as `from` has them, into another instance of the
 * same memory: of ports that compute elements alone. Where the elements stand stays. */
void lb_instance_give_formats(const lb_instance *from, lb_instance *to);

#endif
