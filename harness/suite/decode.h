/* From a document to a case: what the parts of the decoder share. The rules themselves:
 * vectors/FORMAT.md. */
#ifndef LB_HARNESS_SUITE_DECODE_H
#define LB_HARNESS_SUITE_DECODE_H

#include "harness/base/format_checked.h"
#include "harness/json/document.h"
#include "harness/json/problems.h"
#include "harness/suite/case.h"
#include "harness/suite/companions.h"

enum { LB_MAX_ID_BYTES = 150, LB_MAX_TAGS = 64, LB_MAX_TAG_BYTES = 64 };

/* Bounds on what one case may ask of memory, so that a typing error does not exhaust the machine.
 */
#define LB_MAX_BUFFER_ELEMENTS ((uint64_t)1 << 27)
#define LB_MAX_CASE_ELEMENTS   ((uint64_t)1 << 28)
#define LB_MAX_SCRATCH_BYTES   ((uint64_t)1 << 28)

/* Whole numbers are exact up to here, in every format (a number is read as binary64). */
#define LB_MAX_EXACT_INTEGER ((int64_t)1 << 53)

typedef struct lb_decoder {
    const lb_document *document;
    lb_problems *problems;
    lb_arena *arena; /* of the case */
    lb_case *c;
    const char *case_id; /* "" until it is known */
    const lb_role_spec *roles;
    unsigned found; /* problems in this document */
    /* for rules that look across tensors */
    const cJSON *tensor_node[LB_ROLE_COUNT][LB_MAX_LIST];
    bool is_named[LB_ROLE_COUNT];   /* stands under inputs or outputs, rightly or not */
    uint64_t elements;              /* in the buffers of the case so far */
    lb_role role;                   /* whose tensor is decoded */
    struct lb_prepared_call *model; /* what encodings say, of which the call is made; NULL: it is
                                    written out */
} lb_decoder;

/* Decodes the case that the document is. False if it has problems (reported, and counted in
 * problems->found). */
bool lb_decode_case(const lb_document *document, lb_problems *problems, lb_arena *arena,
                    lb_case *c);

/* Header of a suite: its members come one by one, in any order. */
typedef struct lb_header {
    bool has_format, has_suite, has_note, has_cases;
    bool format_is_known;
    char *name; /* the suite's */
} lb_header;

void lb_decode_header_member(lb_header *header, const lb_document *document, lb_problems *problems,
                             lb_arena *arena);
/* After the last member: reports what is missing, at the given line. JSON Lines have no member
 * "cases". */
void lb_decode_header_end(const lb_header *header, bool json_lines, unsigned line,
                          lb_problems *problems);

/* ---- Reporting ---- */

/* A problem at a node's value; `subkey` (or NULL) is added to its path. */
void lb_complain(lb_decoder *d, const cJSON *node, const char *subkey, const char *remedy,
                 const char *format, ...) LB_FORMAT_CHECKED(5, 6);
/* A problem at a node's key. */
void lb_complain_key(lb_decoder *d, const cJSON *node, const char *remedy, const char *format, ...)
    LB_FORMAT_CHECKED(4, 5);

typedef struct lb_text {
    char text[64];
} lb_text;
/* What a node is, for messages: "the number 1.5", "a list". */
lb_text lb_describe(const cJSON *node);

/* ---- Reading; all report what is wrong and then give false or NULL ---- */

typedef struct lb_key {
    const char *name;
    bool required;
} lb_key;

/* The object's member with this key, or the object itself: for the place of a problem. */
const cJSON *lb_member_or_self(const cJSON *object, const char *key);

/* Sorts the members of an object into slots: slot i is the member called keys[i] or NULL. keys ends
 * with a NULL name. */
bool lb_read_members(lb_decoder *d, const cJSON *object, const lb_key *keys, const cJSON **slots);

/* `what` names the thing with that range: "fx8 containers". */
bool lb_read_integer(lb_decoder *d, const cJSON *node, int64_t low, int64_t high, const char *what,
                     int64_t *value);
bool lb_read_i32(lb_decoder *d, const cJSON *node, const char *what, int32_t *value);
bool lb_read_u32(lb_decoder *d, const cJSON *node, const char *what, uint32_t *value);
bool lb_read_bool(lb_decoder *d, const cJSON *node, bool *value);
/* avepool_multiplier_bits, 8 or 16 (pooling_and_movement.md 2.6): is it 16? */
bool lb_read_avepool_bits(lb_decoder *d, const cJSON *node);
/* A string; the text lives as long as the document. */
const char *lb_read_text(lb_decoder *d, const cJSON *node);
/* Printable text of 1 .. max_bytes bytes, copied into the arena. */
char *lb_read_name(lb_decoder *d, const cJSON *node, size_t max_bytes);
/* One of the names (ended by NULL); its number. */
bool lb_read_choice(lb_decoder *d, const cJSON *node, const char *const *names, unsigned *number);
bool lb_read_status(lb_decoder *d, const cJSON *node, lb_status *status);
bool lb_read_list(lb_decoder *d, const cJSON *node, size_t low_count, size_t high_count,
                  const char *what, size_t *count);
/* A list of whole numbers, in the arena. */
bool lb_read_integers(lb_decoder *d, const cJSON *node, int64_t low, int64_t high, const char *what,
                      lb_values *values);

/* ---- Parts ---- */

/* Element type by name. Only the types that a case can hold data of. */
bool lb_read_type(lb_decoder *d, const cJSON *node, lb_el_type *type);
/* An integer without a format, as LiteRT's tensors are made of (litert.1.1). */
bool lb_is_plain(lb_el_type type);
/* Lowest and highest container of a type (not fp32). */
void lb_container_range(lb_el_type type, int64_t *low, int64_t *high);
/* A pattern as it is read back from memory: containers are signed there. */
int32_t lb_as_container(lb_el_type type, int32_t value);
/* Containers, or numbers of fp32, one by one: any count. */
bool lb_read_data(lb_decoder *d, const cJSON *node, lb_el_type type, lb_values *values);
/* One container, or one number of fp32 (as its bit pattern). */
bool lb_read_element(lb_decoder *d, const cJSON *node, lb_el_type type, int32_t *value);
/* The bit pattern of a binary32 number. */
int32_t lb_bits_of_real(float value);
/* A generator object, expanded to `count` elements. */
bool lb_read_generator(lb_decoder *d, const cJSON *node, lb_el_type type, size_t count,
                       lb_values *values);
/* "in" or "in[1]"; whether the tensor is there is not checked. */
bool lb_read_tensor_name(lb_decoder *d, const cJSON *node, lb_tensor_ref *ref);
/* The same in an object, with its number under `start_key`. */
bool lb_read_tensor_ref(lb_decoder *d, const cJSON *node, const char *start_key,
                        lb_tensor_ref *ref);
bool lb_read_shape(lb_decoder *d, const cJSON *node, uint32_t shape[LB_MAX_RANK], unsigned *rank);
bool lb_read_strides(lb_decoder *d, const cJSON *node, int32_t mem_stride[LB_MAX_RANK],
                     unsigned *count);

/* A number, or a list of them. */
bool lb_read_param(lb_decoder *d, const cJSON *node, const lb_param *param, lb_values *values);
bool lb_decode_tensor(lb_decoder *d, const cJSON *node, lb_case_tensor *t);
/* Rules that look across tensors: references. */
void lb_check_references(lb_decoder *d);
/* The tensor that a reference names, or NULL if the case has none. */
const lb_case_tensor *lb_referred_tensor(const lb_case *c, const lb_tensor_ref *ref);
/* Elements that the data of a tensor (or its expected output) have; 0 where a dimension is bad. */
uint64_t lb_data_count(const lb_case_tensor *t);

/* Members of "config" into the struct. all_required: every field must be there. */
void lb_decode_config(lb_decoder *d, const cJSON *node, lb_config_kind kind, bool all_required,
                      lb_config *config);

void lb_decode_chain(lb_decoder *d, const cJSON *node);
/* "feed" of a case. */
void lb_decode_layer_feeds(lb_decoder *d, const cJSON *node);
void lb_decode_checkpoints(lb_decoder *d, const cJSON *node, lb_expect *expect);
/* "outputs" of an expectation: fills has_output and output; `changed` is filled before. */
void lb_decode_outputs(lb_decoder *d, const cJSON *node, lb_expect *expect);
void lb_decode_expectations(lb_decoder *d, const cJSON *node);
void lb_decode_handles(lb_decoder *d, const cJSON *node);
void lb_decode_steps(lb_decoder *d, const cJSON *node);
void lb_decode_step_expectations(lb_decoder *d, const cJSON *node, lb_expect *expect);

#endif
