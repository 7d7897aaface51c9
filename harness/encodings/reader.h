/* What the parts of the encodings reader share: the tree with the places of its nodes, pointers,
 * reports, fields. */
#ifndef LB_HARNESS_ENCODINGS_READER_H
#define LB_HARNESS_ENCODINGS_READER_H

#include "harness/base/format_checked.h"
#include "harness/base/id_set.h"
#include "harness/encodings/encodings.h"
#include "harness/json/document.h"

#include <cjson/cJSON.h>

/* A JSON pointer in the making: a step from the one above it. The root is NULL. */
typedef struct lb_pointer {
    const struct lb_pointer *above;
    const char *key; /* NULL: an index */
    size_t index;
} lb_pointer;

typedef struct lb_enc_reader {
    lb_enc_file *file;
    lb_enc_options options;
    const char *text; /* the whole file */
    size_t length;
    size_t start; /* of the JSON, behind a byte order mark */
    cJSON *root;
    lb_id_set names; /* of the tensors so far, in their order */
} lb_enc_reader;

/* ---- Text (text.c) ---- */

/* From text to tree: RFC 8259, UTF-8, no member twice. False: the error stands in the file. */
bool lb_enc_parse(lb_enc_reader *r);

/* ---- Reports (report.c) ---- */

/* Makes the error of the file; always false. `node` (may be NULL) is the nearest thing in the text.
 */
bool lb_enc_fail(lb_enc_reader *r, const char *code, const lb_pointer *where, const cJSON *node,
                 const char *remedy, const char *format, ...) LB_FORMAT_CHECKED(6, 7);
/* The same for an error that has an offset and a text for its place. */
bool lb_enc_fail_at(lb_enc_reader *r, const char *code, const char *where, size_t offset,
                    const char *remedy, const char *format, ...) LB_FORMAT_CHECKED(6, 7);
void lb_enc_warn(lb_enc_reader *r, const char *code, const lb_pointer *where, const cJSON *node,
                 const char *remedy, const char *format, ...) LB_FORMAT_CHECKED(6, 7);
/* A warning whose place is known. */
void lb_enc_warn_at(lb_enc_file *file, const char *code, const char *where, size_t offset,
                    const char *remedy, const char *format, ...) LB_FORMAT_CHECKED(6, 7);
/* Lines and columns of all warnings that have a place in the text, counted in one go over it. */
void lb_enc_place_warnings(lb_enc_file *file);
const char *lb_pointer_text(lb_arena *arena, const lb_pointer *pointer);

/* ---- Fields (fields.c): each false after an error ---- */

/* The member's key below `above`. */
lb_pointer lb_step_key(const lb_pointer *above, const char *key);
lb_pointer lb_step_index(const lb_pointer *above, size_t index);
const cJSON *lb_enc_member(const cJSON *object, const char *key);
/* The member, which must be there. */
bool lb_enc_require(lb_enc_reader *r, const cJSON *object, const lb_pointer *above, const char *key,
                    const cJSON **member);
/* The same with what to write there, where the neighbours tell. */
bool lb_enc_require_with(lb_enc_reader *r, const cJSON *object, const lb_pointer *above,
                         const char *key, const char *remedy, const cJSON **member);
bool lb_enc_text_of(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                    const char **text);
/* A finite number. */
bool lb_enc_number(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *number);
/* A finite number without a fraction. */
bool lb_enc_integer(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *number);
/* A bit width from low to high. */
bool lb_enc_width(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, int low, int high,
                  int *width);
/* A scale: finite and > 0. */
bool lb_enc_scale(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *scale);
/* The number of elements that share a scale, 1 or more. */
bool lb_enc_block_size(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *size);
/* The number of a dimension. */
bool lb_enc_axis_number(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *axis);
bool lb_enc_list(lb_enc_reader *r, const cJSON *node, const lb_pointer *where);
bool lb_enc_object(lb_enc_reader *r, const cJSON *node, const lb_pointer *where);
/* Warns of every member that is none of the names (ended by NULL). */
void lb_enc_unknown_members(lb_enc_reader *r, const cJSON *object, const lb_pointer *where,
                            const char *const *known);
/* "the number 8.5", "a list": for messages. */
const char *lb_enc_describe(lb_enc_reader *r, const cJSON *node);
double lb_enc_tolerance(int bits);
/* Is this the offset of a symmetric encoding? */
bool lb_enc_is_symmetric_offset(double offset, int bits);
/* Sign, range and symmetry of an offset (encodings.md 2.1, rows 4 and 5), which is an integer
 * already. `remedy`: of one that is not symmetric; NULL: that of 1.0. */
bool lb_enc_check_offset(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                         double offset, int bits, bool is_symmetric, const char *remedy);
/* Is this the offset of a symmetric grid whose last code may be left out (encodings.md 1.1)? */
bool lb_enc_may_be_strict(bool is_symmetric, int bits, int64_t offset);
/* Warns once for a tensor of whose channels `count` were taken for strict and may be not. */
void lb_enc_warn_wide(lb_enc_reader *r, const lb_pointer *where, const cJSON *node, size_t count,
                      lb_enc_tensor *tensor);

/* ---- Tensors ---- */

/* A new tensor of this name, the newest of the file; false where the file has the name already
 * (E_DUP_NAME at `duplicate_at`, `node`). */
bool lb_enc_new_tensor(lb_enc_reader *r, const char *name, const char *section, const cJSON *node,
                       const lb_pointer *duplicate_at, const lb_pointer *tensor_at,
                       lb_enc_tensor **tensor);

/* Reads one entry of a section into its tensor. */
typedef bool (*lb_enc_entry_fn)(lb_enc_reader *r, const cJSON *node, const lb_pointer *at,
                                lb_enc_tensor *tensor);
/* A section that is a list of objects with a member `name` (1.0 and 2.0): a tensor for each, read
 * by read_entry. */
bool lb_enc_read_named(lb_enc_reader *r, const cJSON *section, const lb_pointer *where,
                       const char *section_name, lb_enc_entry_fn read_entry);

/* Sections of the three forms; an absent section is E_MISSING_FIELD before these are called. */
bool lb_enc_read_section_0(lb_enc_reader *r, const cJSON *section, const lb_pointer *where,
                           const char *name);
bool lb_enc_read_section_1(lb_enc_reader *r, const cJSON *section, const lb_pointer *where,
                           const char *name);
bool lb_enc_read_section_2(lb_enc_reader *r, const cJSON *section, const lb_pointer *where,
                           const char *name);

#endif
