/* The configuration of a call: the fields of a structure of the API, or arguments by name. Which
 * there are is the kernel set's: its members stand in SET/config.h, their rows in
 * SET/kernel_config.c. From a row follow the key in cases, the word on the wire, what `port
 * functions` prints, the schema, and what a description needs to know of the number (sort.h). */
#ifndef LB_REFERENCE_DESCRIBE_CONFIG_H
#define LB_REFERENCE_DESCRIBE_CONFIG_H

#include "litert/config.h"
#include "mli/config.h"
#include "sort.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* First what descriptions (leaf.h) and the memory of a call ask by themselves, whatever the set;
 * then the members of the sets, in one place of memory: a call has those of its function's. The
 * first set's are the widest, so that {0} clears all. */
typedef struct lb_config {
    int32_t axis;
    uint8_t perm_dim[4];
    uint8_t coord_num;      /* dimensions that are asked; LB_BY_COUNT */
    uint32_t scratch_bytes; /* of memory that the call may write as it likes */
    void *scratch;          /* it; set by the harness */
    union {
        struct {
            LB_MLI_CONFIG
        };
        LB_LITERT_CONFIG
    };
} lb_config;

typedef enum lb_field_type { LB_FIELD_U8, LB_FIELD_I32, LB_FIELD_U32 } lb_field_type;

/* The type of a member of lb_config, of a list that of its entries; how many it has. */
#define LB_MEMBER_TYPE(member)                                                                     \
    _Generic(((lb_config *)0)->member, uint8_t                                                     \
             : LB_FIELD_U8, uint8_t *                                                              \
             : LB_FIELD_U8, int32_t                                                                \
             : LB_FIELD_I32, int32_t *                                                             \
             : LB_FIELD_I32, uint32_t                                                              \
             : LB_FIELD_U32, uint32_t *                                                            \
             : LB_FIELD_U32)
#define LB_MEMBER_COUNT(member)                                                                    \
    (sizeof((lb_config *)0)->member / (LB_MEMBER_TYPE(member) == LB_FIELD_U8 ? 1 : 4))

/* One key of `config` in a case. */
typedef struct lb_config_field {
    const char *name;
    uint16_t offset; /* in lb_config */
    uint8_t type;    /* lb_field_type */
    uint8_t count;   /* 1: a number; 4: a list of four numbers */
    uint8_t sort;    /* lb_sort */
    int8_t
        dimension; /* of a map, that it is about; -1: of none, or of a list each entry of its own */
    bool may_be_short; /* such a list may have fewer entries: the rest is 0 */
    bool required;     /* false: left out means 0 */
    const char *const
        *enum_names; /* NULL, or names of 0, 1, 2 ... ended by NULL; a number is accepted too */
    int32_t usual[2], whole[2]; /* of made-up cases, most of the time and at all; all 0: the sort
                                   says enough */
} lb_config_field;

/* clang-format off */
/* A row: key, member of lb_config (of a set's own part: "litert.shift"), sort, and the rest. */
#define LB_CONFIG_FIELD(key, member, sort_, dimension_, may_be_short_, required_, names)            \
    {.name = (key), .offset = offsetof(lb_config, member), .type = LB_MEMBER_TYPE(member),         \
     .count = LB_MEMBER_COUNT(member), .sort = LB_SORT_##sort_, .dimension = (dimension_),         \
     .may_be_short = (may_be_short_), .required = (required_), .enum_names = (names)}
/* clang-format on */

size_t lb_config_field_bytes(const lb_config_field *field);

/* An entry of a field: its value; 0 for the one of a number. */
int64_t lb_config_get(const lb_config *config, const lb_config_field *field, unsigned entry);
void lb_config_set(lb_config *config, const lb_config_field *field, unsigned entry, int64_t value);

/* ---- Kinds ---- */

/* What a kind is of. */
typedef enum lb_config_use {
    LB_CONFIG_IS_NOTHING,
    LB_CONFIG_IS_STRUCT,    /* a structure of the API, which a call can pass as NULL */
    LB_CONFIG_IS_ARGUMENTS, /* arguments by name */
    LB_CONFIG_IS_FILLED     /* what a function fills; no case gives it */
} lb_config_use;

/* Kinds have numbers, a range for each set: SET/config.h. */
typedef int lb_config_kind;

typedef struct lb_config_form {
    const lb_config_field *fields; /* ended by a row whose name is NULL */
    lb_config_use use;
    lb_config_kind fills; /* what a function with these arguments fills beside tensors */
} lb_config_form;

/* Keys of a kind of configuration, ended by a row whose name is NULL; NULL: there is no such kind.
 */
const lb_config_field *lb_config_fields(lb_config_kind kind);
/* The field of this kind with the name; NULL: it has none. */
const lb_config_field *lb_config_field_named(lb_config_kind kind, const char *name);
/* The field of entry number *entry of all of them, which becomes its number there; NULL: there are
 * not so many. */
const lb_config_field *lb_config_entry(lb_config_kind kind, unsigned *entry);
/* Have both the same in the fields of this kind? */
bool lb_config_same(lb_config_kind kind, const lb_config *a, const lb_config *b);
/* What a function with arguments of this kind fills. */
lb_config_kind lb_config_filled_by(lb_config_kind kind);

/* Is it a configuration structure of the API, which a call can pass as NULL? */
bool lb_config_is_struct(lb_config_kind kind);

/* Tables of the sets: a row for each of their kinds. */
extern const lb_config_form lb_mli_configs[LB_CONFIG_KIND_COUNT];
extern const lb_config_form lb_litert_configs[LB_CONFIG_END_OF_LITERT - LB_CONFIG_OF_LITERT];

#endif
