/* A case in one profile as a script of a baked pack: what is put into the device's memory, the
 * calls, and what must be there afterwards. */
#ifndef LB_HARNESS_PACK_SCRIPT_H
#define LB_HARNESS_PACK_SCRIPT_H

#include "harness/port/call.h"
#include "harness/port_kit/lb_pack_wire.h"

/* Bytes that grow. */
typedef struct lb_pack_bytes {
    uint8_t *at;
    size_t count, room;
} lb_pack_bytes;

void lb_pack_put(lb_pack_bytes *bytes, uint32_t value,
                 unsigned width); /* little-endian, 1 to 4 bytes */
void lb_pack_put_bytes(lb_pack_bytes *bytes, const void *from, size_t count);
void lb_pack_bytes_free(lb_pack_bytes *bytes);

typedef struct lb_pack_script {
    lb_pack_bytes bytes;
    size_t *ends; /* of each operation in bytes */
    size_t operations, operation_room;
    unsigned char
        *device; /* what the device's memory holds, if all went well; NULL: nothing known yet */
    size_t device_room;
    unsigned char *raw; /* the same as it is to be */
    const char *callback_names[LB_WIRE_CALLBACKS];
    bool device_known, big_endian, digests;
} lb_pack_script;

/* Makes an empty script of it. big_endian and digests stay. */
void lb_pack_script_clear(lb_pack_script *script);
void lb_pack_script_free(lb_pack_script *script);

/* Memory as the request's instance has it now, tensors, the call. */
void lb_pack_script_call(lb_pack_script *script, lb_port_request *request);

/* What counts of a result. */
typedef struct lb_pack_expect {
    uint32_t care; /* bit i: word i of the request's result */
    bool config;   /* the request's config_out */
    bool fields;   /* of all tensors of the request */
} lb_pack_expect;

/* What the call must have left: the request's results, its tensors, and the memory as its instance
 * has it now. */
void lb_pack_script_result(lb_pack_script *script, const lb_port_request *request,
                           const lb_pack_expect *expect);

/* Bytes of operations that all scripts begin with. */
size_t lb_pack_common(const lb_pack_script *const *scripts, size_t count);

#endif
